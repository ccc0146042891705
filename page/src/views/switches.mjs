// Readings and options as switches.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Switches(props) {
  return html`<section aria-label="Switches" hidden=${!props.state.position}></section>`;
}
