// The record as a list of steps; undo and redo.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Record(props) {
  return html`<section aria-label="Record" hidden=${!props.state.position}></section>`;
}
