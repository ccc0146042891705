// Who is winning: outcomes, counts, and what the last step changed.
import { ask, useAnswer } from "../answers.mjs";
import { differences, named } from "../compared.mjs";
import { html } from "../html.mjs";
import { described, standing } from "../store.mjs";
import { useRef, useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { Cites, Faults, Panel } from "./parts.mjs";
import { Standing, Why } from "./standing.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Outcomes({ state, dispatch, backend }) {
  const { position } = state;
  const now = useAnswer(backend, standing(position));
  const last = position && position.at > 0 ? { ...position, at: position.at - 1 } : null;
  const before = useAnswer(backend, standing(last));
  const [pinned, setPinned] = useState("");
  const wanted = useRef("");
  if (!position) return null;
  const status = now.answer;
  const changes = status && last && before.answer ? differences(before.answer, status) : [];
  const asking = (/** @type {string} */ outcome) => ({ ask: "ask", moment: described(position), question: outcome, report: true, timeout: 10 });
  const show = async (/** @type {string} */ outcome) => {
    wanted.current = outcome;
    const found = outcome ? await ask(backend, asking(outcome)).catch(() => null) : null;
    if (wanted.current === outcome) dispatch({ do: "mark", places: found?.places ?? [] });
  };
  const pin = (/** @type {string} */ outcome) => {
    setPinned(pinned === outcome ? "" : outcome);
    show(pinned === outcome ? "" : outcome);
  };
  const lines = (status?.outcomes ?? []).map((/** @type {any} */ outcome) => {
    const name = named(outcome);
    return html`<tbody class=${outcome.status} onMouseEnter=${() => show(name)} onMouseLeave=${() => show(pinned)}>
      <tr>
        <th scope="row">
          <button type="button" aria-pressed=${pinned === name} onClick=${() => pin(name)} onFocus=${() => show(name)} onBlur=${() => show(pinned)}>
            ${plain([outcome.rule, outcome.level].filter(Boolean).join(" "))}
          </button>
        </th>
        <td>${outcome.side ?? ""}</td>
        <td>${outcome.status}</td>
        <td class="number">${outcome.have ?? ""}</td>
        <td class="number">${outcome.need ?? ""}</td>
        <td class="number">${short(outcome)}</td>
      </tr>
      <tr>
        <td colspan="6"><${Cites} cites=${outcome.cites} /></td>
      </tr>
    </tbody>`;
  });
  return html`<${Panel} title="Who is winning">
    <${Faults} faults=${now.faults} />
    ${status && html`<p class="winner" role="status">${status.winner ? `${status.winner} has won.` : "Nobody has won yet."}</p>`}
    ${changes.length > 0 &&
    html`<div role="status" class="changes">
      <h3>The last step changed</h3>
      <ul>
        ${changes.slice(0, 12).map((line) => html`<li>${line}</li>`)}
        ${changes.length > 12 && html`<li>and ${changes.length - 12} more</li>`}
      </ul>
    </div>`}
    ${status &&
    html`<div class="wide" tabindex="0" role="region" aria-label="Outcomes">
      <table>
        <thead>
          <tr>
            ${["Outcome", "Side", "Status", "Has", "Needs", "Short"].map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        ${lines}
      </table>
    </div>`}
    <${Why} backend=${backend} request=${pinned ? asking(pinned) : null} />
    ${status && html`<${Standing} status=${status} />`}
  <//>`;
}

/** @param {any} outcome */
const short = ({ have, need, status }) => (typeof have === "number" && typeof need === "number" && status === "unmet" ? Math.max(need - have, 0) : "");
