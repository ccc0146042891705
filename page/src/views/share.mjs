// Links, files and pictures of the position.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Share(props) {
  return html`<section aria-label="Share" hidden=${!props.state.position}></section>`;
}
