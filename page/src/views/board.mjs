// The board: the picture of the position, with places to select.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Board(props) {
  return html`<section aria-label="Board" hidden=${!props.state.position}></section>`;
}
