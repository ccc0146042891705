// Questions to the rules: plans, proofs, what is missing, rulings; and their answers.
import { html } from "../html.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Question(props) {
  return html`<section aria-label="Question" hidden=${!props.state.position}></section>`;
}
