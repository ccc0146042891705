// The selected place: what is there, what may happen there, and changes by hand.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Place(props) {
  return html`<section aria-label="Place" hidden=${!props.state.position}></section>`;
}
