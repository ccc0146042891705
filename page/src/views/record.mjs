// The record as a list of steps; undo and redo.
import { faultsOf, whole } from "../answers.mjs";
import { html } from "../html.mjs";
import { useEffect } from "../vendor/hooks.mjs";
import { stepText } from "../words.mjs";
import { Panel } from "./parts.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Record({ state, dispatch, backend }) {
  const { position } = state;
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea");
      const key = event.key.toLowerCase();
      if (typing || state.readOnly || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
      event.preventDefault();
      dispatch({ do: key === "y" || event.shiftKey ? "redo" : "undo" });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [state.readOnly]);
  if (!position) return null;
  const file = typeof position.game === "string" && /\.(ya?ml|json)$/.test(position.game) ? position.game : null;
  const unfold = () =>
    whole(backend, { file: /** @type {string} */ (file) }).then(
      (found) => dispatch({ do: "open", position: { ...found, settings: position.settings } }),
      (error) => dispatch({ do: "fail", faults: faultsOf(error) }),
    );
  const go = (/** @type {number} */ at) => () => dispatch({ do: "go", at });
  return html`<${Panel} title="Record">
    ${!state.readOnly &&
    html`<p class="buttons">
      <button type="button" disabled=${!state.past.length} onClick=${() => dispatch({ do: "undo" })}>Undo</button>
      <button type="button" disabled=${!state.future.length} onClick=${() => dispatch({ do: "redo" })}>Redo</button>
    </p>`}
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
    ${position.at < position.steps.length && html`<p><small>A new step here replaces the steps after it; undo brings them back.</small></p>`}
  <//>`;
}
