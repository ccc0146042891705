// The record as a list of steps.
import { faultsOf, useAnswer, whole } from "../answers.mjs";
import { html } from "../html.mjs";
import { fork, toldOf } from "../store.mjs";
import { stepText } from "../words.mjs";
import { Panel } from "./parts.mjs";

/** @import { Branch, Props, Step } from "../../types.js" */

/**
 * Each of some steps as a sentence.
 *
 * @param {Props} props
 * @param {Step[]} [steps]
 * @returns {string[]}
 */
function useTold({ backend, state: { position } }, steps = []) {
  const { shown } = useAnswer(backend, position && toldOf(position, steps));
  return steps.map((step, i) => shown?.steps[i] || stepText(step));
}

/** @param {Props} props */
export function Record(props) {
  const { state, dispatch, backend } = props;
  const { position } = state;
  const told = useTold(props, position?.steps);
  if (!position) return null;
  const file = typeof position.game === "string" && /\.(ya?ml|json)$/.test(position.game) ? position.game : null;
  const unfold = () =>
    whole(backend, { file: /** @type {string} */ (file) }).then(
      (found) => dispatch({ do: "open", position: { ...found, settings: position.settings } }),
      (error) => dispatch({ do: "fail", faults: faultsOf(error) }),
    );
  const { steps, branches = [] } = position;
  const go = (/** @type {number} */ at) => () => dispatch({ do: "go", at });
  return html`<${Panel} title="Record">
    ${file && !position.steps.length && !state.readOnly && html`<p><small>${file}, as it stands at the end of its record.</small> <button onClick=${unfold}>Show its steps</button></p>`}
    <ol class="steps" aria-label="Steps" start="0">
      <li><button class="step" aria-current=${position.at === 0 ? "step" : undefined} onClick=${go(0)}>the start</button></li>
      ${told.map(
        (text, i) =>
          html`<li class=${i >= position.at ? "later" : ""}>
            <button class="step" aria-current=${position.at === i + 1 ? "step" : undefined} onClick=${go(i + 1)}>${text}</button>
          </li>`,
      )}
    </ol>
    ${position.at < steps.length && html`<p><small>Another step here leaves the steps after it as a branch.</small></p>`}
    ${branches.length > 0 &&
    html`<h3>Branches</h3>
      <ul class="plays" aria-label="Branches">
        ${branches.map((branch, number) => html`<${Line} ...${props} branch=${branch} number=${number} />`)}
      </ul>`}
  <//>`;
}

/** @param {Props & {branch: Branch, number: number}} props */
function Line(props) {
  const { state, dispatch, branch, number } = props;
  const first = fork(branch.steps, state.position?.steps ?? []) + 1;
  const told = useTold(props, branch.steps.slice(0, first));
  const called = branch.name || `${first}: ${told.at(-1)}`;
  const rename = () => {
    const name = prompt("The name of this branch", called);
    if (name !== null) dispatch({ do: "branch", number, name: name.trim() });
  };
  return html`<li>
    <button class="step" onClick=${() => dispatch({ do: "branch", number })}>${called}</button>
    ${!state.readOnly && html`<button aria-label=${`Rename ${called}`} onClick=${rename}>Rename</button>`}
  </li>`;
}
