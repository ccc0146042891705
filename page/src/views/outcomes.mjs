// Who is winning: outcomes and why they are so, what the last step changed, counts, the game's tables, and what all of it rests on; conditions that are typed.
import { ask, useAnswer } from "../answers.mjs";
import { COLUMNS } from "../asked.mjs";
import { tried } from "../attempt.mjs";
import { differences, grouped, named, plain, spoken } from "../words.mjs";
import { counted } from "./bar.mjs";
import { html } from "../html.mjs";
import { cardOf, described, rulesOf, standing } from "../store.mjs";
import { useContext, useEffect, useState } from "../vendor/hooks.mjs";
import { GoalBox } from "./goalbox.mjs";
import { Cites, Faults, Panel, Report, Rules, Table } from "./parts.mjs";
import { saved } from "./share.mjs";

/** @import { Backend, Outcome, Position, Props, Request, Status, Value } from "../../types.js" */

const NUMBERS = ["Has", "Needs", "Short"];
const MOST = 12; // lines about counts and outcomes
const PAUSE = 150; // milliseconds: who only passes over an outcome asks nothing
const TYPING = 400; // the same, after the last key

/** @param {Props & {late?: boolean}} props Late, of a text that is typed: another standing is asked for soon. */
export function Outcomes({ state, dispatch, backend, late }) {
  const { position } = state;
  const now = useAnswer(backend, standing(position));
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  const last = position && position.at > 0 ? { ...position, at: position.at - 1 } : null;
  const before = useAnswer(backend, standing(last));
  const facts = useAnswer(backend, position && last && { ask: "changes", moment: described(position), before: described(last) });
  const [pinned, setPinned] = useState("");
  const [hovered, setHovered] = useState("");
  const looked = hovered || pinned;
  const asking = (/** @type {string} */ outcome) => position && { ask: "ask", moment: described(position), question: outcome, report: true, columns: COLUMNS, timeout: 10 };
  useEffect(() => {
    const request = looked && asking(looked);
    if (!request) return;
    let wanted = true;
    const mark = (/** @type {string[]} */ places, outcome = looked) => dispatch({ do: "mark", places, outcome, of: position });
    const begin = () => {
      mark([]);
      ask(backend, request).then((found) => wanted && mark(found.places ?? []), () => {});
    };
    const timer = setTimeout(begin, PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
      mark([], "");
    };
  }, [looked, position]);
  if (!position) return null;
  const status = now.shown;
  const counts = now.answer && before.answer ? differences(before.answer, now.answer) : [];
  const changes = [...counts.slice(0, MOST), ...(counts.length > MOST ? [`and ${counts.length - MOST} more`] : []), ...(facts.answer?.facts ?? [])];
  const score = status && counted(status, rules);
  const has = (/** @type {Outcome} */ { rule, side, have, cites }) => have ?? (score?.cites.some((id) => cites.includes(id)) && everySide(/** @type {Status} */ (status), rule) ? score.scores.find((one) => one.side === side)?.have : null);
  const cells = (/** @type {Outcome} */ one) => [has(one), one.need, one.fulfilled && one.status === "unmet" ? 0 : one.short];
  const numbers = (status?.outcomes ?? []).some((one) => typeof has(one) === "number") ? NUMBERS : [];
  const lines = (status?.outcomes ?? []).map((outcome) => {
    const name = named(outcome);
    return html`<tbody class=${outcome.status} onMouseEnter=${() => setHovered(name)} onMouseLeave=${() => setHovered("")}>
      <tr>
        <th scope="row">
          <button aria-pressed=${pinned === name} onClick=${() => setPinned(pinned === name ? "" : name)} onFocus=${() => setHovered(name)} onBlur=${() => setHovered("")}>
            ${plain([outcome.rule, outcome.level].filter(Boolean).join(" "))}
          </button>
        </th>
        <td>${outcome.all_lose ? "all lose" : (outcome.side ?? "")}</td>
        <td>${wordOf(outcome, status?.outcomes ?? [])}</td>
        ${numbers.length > 0 && cells(outcome).map((cell) => html`<td class="number">${cell ?? ""}</td>`)}
      </tr>
      <tr>
        <td colspan=${3 + numbers.length}><${Cites} cites=${outcome.cites} /></td>
      </tr>
    </tbody>`;
  });
  return html`<${Panel} title=${`Who is winning${late === undefined ? "" : " by this text"}`} busy=${now.busy || late}>
    <${Faults} faults=${now.faults} />
    ${status && html`<p role="status">${spoken(status.headline)}</p>`}
    ${changes.length > 0 &&
    html`<div role="status" class="changes">
      <h3>The last step changed</h3>
      <ul>
        ${changes.map((line) => html`<li>${spoken(line)}</li>`)}
      </ul>
    </div>`}
    ${status &&
    html`<${Table} label="Outcomes" heads=${["Outcome", "Side", "Status", ...numbers]}>${lines}<//>`}
    <${Why} backend=${backend} request=${pinned ? asking(pinned) : null} />
    ${status && html`<${Standing} status=${status} />`}
  <//>`;
}

/** How an outcome stands: a level that a side is beyond is told from one that it is short of. @type {(one: Outcome, all: Outcome[]) => string} */
function wordOf({ side, status, have, need, fulfilled }, all) {
  if (status !== "unmet") return status;
  if (fulfilled) return "enough";
  const beyond = all.find((one) => one.side === side && one.fulfilled && one.have === have && Number(one.need) > Number(need));
  return beyond && have !== null ? `beyond it: ${plain(beyond.rule)}` : "not yet";
}

/** Whether all sides can reach an outcome. @type {(status: Status, rule: string) => boolean} */
const everySide = ({ outcomes }, rule) => new Set(outcomes.filter((one) => one.rule === rule).map(({ side }) => side)).size === new Set(outcomes.map(({ side }) => side)).size;

/**
 * Why an outcome is met or not.
 *
 * @param {{backend: Backend, request: Request | null}} given The request is the question about the outcome; null: none.
 */
function Why({ backend, request }) {
  const { answer, faults, busy } = useAnswer(backend, request);
  if (!request) return null;
  return html`<${Faults} faults=${faults} />
    ${busy && html`<p role="status">looking for the reasons …</p>`}
    ${answer && html`<${Report} text=${answer.report ?? ""} label=${`Why: ${plain(answer.text)}`} />`}`;
}

/** @param {{status: Status}} given */
function Standing({ status }) {
  const tables = (status.tables ?? []).filter((table) => Object.values(table.rows).some(filled));
  const unchecked = status.not_judged.map((/** @type {string} */ what) => `not checked in the record, since the rule text does not say: ${what}`);
  return html`<${Lines} lines=${status.remarks} />
    <${Counts} observables=${status.observables} />
    ${tables.map((table) => html`<${Shown} table=${table} />`)}
    <details class="counts">
      <summary>Assumptions</summary>
      <${Lines} lines=${[...unchecked, ...status.assumptions]} />
    </details>`;
}

/** @param {{lines: string[]}} given */
const Lines = ({ lines }) => html`<ul class="remarks">${lines.map((line) => html`<li>${spoken(line)}</li>`)}</ul>`;

/** @param {{observables: any}} given */
function Counts({ observables }) {
  const names = Object.keys(observables);
  return html`<details class="counts">
    <summary>${names.length} counts</summary>
    <dl>
      ${names.map((name) => html`<div><dt>${spoken(name)}</dt><dd>${String(observables[name] ?? "undefined")}</dd></div>`)}
    </dl>
  </details>`;
}

/** @param {any} cells */
const filled = (cells) => Object.values(cells).some((entries) => Object.keys(/** @type {object} */ (entries)).length > 0);

/** @param {{table: any}} given */
function Shown({ table }) {
  const cell = (/** @type {{[label: string]: Value}} */ entries) => grouped(entries).map((line) => html`<div>${line}</div>`);
  return html`<details class="counts">
    <summary>${table.title}</summary>
    <p><${Cites} cites=${table.cites} /></p>
    <${Table} label=${table.title} heads=${[table.head, ...table.columns]}>
      <tbody>
        ${Object.entries(table.rows).map(
          ([name, cells]) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${table.columns.map((/** @type {string} */ column) => html`<td>${cell(/** @type {any} */ (cells)[column])}</td>`)}
            </tr>`,
        )}
      </tbody>
    <//>
  </details>`;
}

/** @param {Props} props */
export function Conditions(props) {
  const { state, dispatch, backend } = props;
  const { position, question, asked, conditions } = state;
  const file = position?.game;
  const { answer: read } = useAnswer(backend, /\.ya?ml$/i.test(String(file)) ? { ask: "read", file } : null);
  const [typed, setTyped] = useState(/** @type {Position | null} */ (null));
  const card = read ? { ...read.position, record: read.steps } : cardOf(file);
  const own = card.outcomes ?? "";
  const rules = useContext(Rules);
  const { answer: typedRules } = useAnswer(backend, rulesOf(typed));
  const text = conditions ?? own;
  const under = () => ({ .../** @type {Position} */ (position), game: { ...card, outcomes: text.trim() ? text : undefined } });
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text === own ? null : under()), TYPING);
    return () => clearTimeout(timer);
  }, [position, read, text]);
  if (!position || card.rulebook) return null;
  const use = () => tried(props, position, () => [under(), { do: "open", position: under(), question, asked }]);
  const save = () =>
    ask(backend, { ask: "written", moment: described(under()) }).then(
      ({ text }) => saved("card.yaml", text),
      () => {}, // why, is said below
    );
  return html`<${Panel} title="Conditions of a card" open=${Boolean(own)}>
    <${GoalBox} text=${text} onText=${(/** @type {string} */ text) => dispatch({ do: "conditions", text })} />
    ${text !== own && html`<${Rules.Provider} value=${typedRules ?? rules}><${Outcomes} ...${props} state=${{ ...state, position: typed }} late=${cardOf(typed?.game).outcomes !== text} /><//>`}
    <p class="buttons">
      <button onClick=${use}>Use them on the board</button>
      <button onClick=${save}>Save as a file</button>
    </p>
  <//>`;
}
