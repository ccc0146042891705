// The choice of a game and scenario, or a file of the folder.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Games(props) {
  return html`<section aria-label="Games" hidden=${!props.state.position}></section>`;
}
