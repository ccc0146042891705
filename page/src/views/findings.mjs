// For designers: the findings of `check` beside the board, each with its witness one click away.
import { faultsOf, useSearch, whole } from "../answers.mjs";
import { html } from "../html.mjs";
import { described, start } from "../store.mjs";
import { useState } from "../vendor/hooks.mjs";
import { Cites, Faults, Panel } from "./parts.mjs";

/** @import { Fault, Props } from "../../types.js" */

/** @param {Props} props */
export function Findings({ state, dispatch, backend }) {
  const { position } = state;
  const { running, stop, found, run } = useSearch(backend, position && JSON.stringify(start(position)));
  const [faults, setFaults] = useState(/** @type {Fault[]} */ ([]));
  if (!position) return null;
  const look = () => {
    setFaults([]);
    run({ ask: "check", moment: described(position), timeout: 120 });
  };
  const witness = async (/** @type {any} */ finding) => {
    try {
      dispatch({ do: "open", position: { ...(await whole(backend, { text: finding.witness.position })), settings: position.settings } });
    } catch (error) {
      setFaults(faultsOf(error));
    }
  };
  return html`<${Panel} title="Check the rules" open=${false}>
    <p class="buttons">
      <button disabled=${running} onClick=${look}>Look for faults</button>
      ${running && html`<button onClick=${stop}>Stop</button>`}
    </p>
    ${running && html`<p role="status">looking for contradictions, dead rules, draws that nobody meant …</p>`}
    <${Faults} faults=${[...found.faults, ...faults]} />
    ${found.stopped && html`<p role="status">${found.stopped}</p>`}
    ${found.answer &&
    html`<p role="status">${found.answer.findings.length} ${found.answer.findings.length === 1 ? "finding" : "findings"}; ${found.answer.checked?.length ?? 0} kinds of fault were looked for.</p>
      <ul class="findings">
        ${found.answer.findings.map(
          (/** @type {any} */ one) =>
            html`<li class=${one.severity}>
              <strong>${one.code}</strong> ${one.message} <${Cites} cites=${one.cites} />
              ${one.suppressed && html`<br /><small>accepted: ${one.suppressed}</small>`}
              ${one.witness?.position && html`<br /><button onClick=${() => witness(one)}>Show it on the board</button>`}
            </li>`,
        )}
      </ul>`}
  <//>`;
}
