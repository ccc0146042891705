// The record as a list of steps.
import { faultsOf, whole } from "../answers.mjs";
import { html } from "../html.mjs";
import { fork } from "../store.mjs";
import { stepText } from "../words.mjs";
import { Panel } from "./parts.mjs";

/** @import { Branch, Props, Step } from "../../types.js" */

/** @param {Props} props */
export function Record({ state, dispatch, backend }) {
  const { position } = state;
  if (!position) return null;
  const file = typeof position.game === "string" && /\.(ya?ml|json)$/.test(position.game) ? position.game : null;
  const unfold = () =>
    whole(backend, { file: /** @type {string} */ (file) }).then(
      (found) => dispatch({ do: "open", position: { ...found, settings: position.settings } }),
      (error) => dispatch({ do: "fail", faults: faultsOf(error) }),
    );
  const { steps, branches = [] } = position;
  const called = (/** @type {Branch} */ branch) => {
    const shared = fork(branch.steps, steps);
    return branch.name || `${shared + 1}: ${stepText(/** @type {Step} */ (branch.steps[shared]))}`;
  };
  const rename = (/** @type {string} */ before, /** @type {number} */ number) => {
    const name = prompt("The name of this branch", before);
    if (name !== null) dispatch({ do: "branch", number, name: name.trim() });
  };
  const go = (/** @type {number} */ at) => () => dispatch({ do: "go", at });
  return html`<${Panel} title="Record">
    ${file && !position.steps.length && !state.readOnly && html`<p><small>${file}, as it stands at the end of its record.</small> <button type="button" onClick=${unfold}>Show its steps</button></p>`}
    <ol class="steps" aria-label="Steps" start="0">
      <li><button type="button" class="step" aria-current=${position.at === 0 ? "step" : undefined} onClick=${go(0)}>the start</button></li>
      ${position.steps.map(
        (step, i) =>
          html`<li class=${i >= position.at ? "later" : ""}>
            <button type="button" class="step" aria-current=${position.at === i + 1 ? "step" : undefined} onClick=${go(i + 1)}>${stepText(step)}</button>
          </li>`,
      )}
    </ol>
    ${position.at < steps.length && html`<p><small>Another step here leaves the steps after it as a branch.</small></p>`}
    ${branches.length > 0 &&
    html`<h3>Branches</h3>
      <ul class="plays" aria-label="Branches">
        ${branches.map(
          (branch, number) =>
            html`<li>
              <button type="button" class="step" onClick=${() => dispatch({ do: "branch", number })}>${called(branch)}</button>
              ${!state.readOnly && html`<button type="button" aria-label=${`Rename ${called(branch)}`} onClick=${() => rename(called(branch), number)}>Rename</button>`}
            </li>`,
        )}
      </ul>`}
  <//>`;
}
