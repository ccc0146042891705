// Who is winning: outcomes, counts, and what the last step changed.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Outcomes(props) {
  return html`<section aria-label="Outcomes" hidden=${!props.state.position}></section>`;
}
