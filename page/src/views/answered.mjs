// An answer: its plan as a list that steps over the board, a briefing as a table, and all of it in words.
import { useAnswer } from "../answers.mjs";
import { drawable, drawn } from "../asked.mjs";
import { attempt, changes } from "../attempt.mjs";
import { differences } from "../compared.mjs";
import { html } from "../html.mjs";
import { boardOf, standing, stepped } from "../store.mjs";
import { useEffect, useRef } from "../vendor/hooks.mjs";
import { ofPage } from "../words.mjs";
import { Cites, Table } from "./parts.mjs";

/** @import { Answer, Position, Props } from "../../types.js" */

/** @param {Props & {answer: Answer}} props */
export function Answered({ answer, ...props }) {
  const { state, dispatch, backend } = props;
  const { position } = state;
  const steps = answer.steps ?? [];
  const at = state.shown && state.shown.answer === answer ? state.shown.line : -1; // the move that is shown
  const request = drawable(answer) ? boardOf(position, [], { show: drawn(answer) }) : null;
  const { answer: drawing } = useAnswer(backend, request);
  const turns = drawing?.turns ?? []; // the number of each move's turn, as its arrows bear it
  const play = () => {
    if (position) dispatch({ do: "steps", steps: answer.record ?? [], of: position });
  };
  const record = answer.record ?? [];
  const after = (/** @type {number} */ n) => position && stepped(position, ...record.slice(0, n));
  let done = 0; // events of the record
  const ends = steps.map((/** @type {any} */ { action }) => {
    const end = record.findIndex((/** @type {any} */ event, /** @type {number} */ n) => n >= done && action in Object(typeof event === "string" ? { [event]: 0 } : event)) + 1;
    return end && (done = end); // 0: it is none of them
  });
  const show = (/** @type {number} */ line) => {
    const step = steps[line];
    dispatch({ do: "show", answer, line, step: turns[line] || null, played: ends[line] || 0, moved: step ? Object.values(step.args).map(String) : [], of: position });
  };
  const mark = (/** @type {any} */ step) => () => dispatch({ do: "mark", places: step ? Object.values(step.args).map(String) : [] });
  return html`<div class="answer">
    ${answer.verdict && html`<p class="verdict" role="status">${ofPage(answer.verdict)}</p>`}
    ${steps.length > 0 &&
    html`<ol class="plan" aria-label="Moves">
        ${steps.map(
          (/** @type {any} */ step, /** @type {number} */ i) =>
            html`<li>
              <button class="step" aria-current=${at === i ? "step" : undefined} onClick=${() => show(i)} onMouseEnter=${mark(step)} onMouseLeave=${mark(null)}>
                ${step.text}
              </button>
              <small><${Cites} cites=${step.cites} /></small>
              ${at === i && html`<${Changed} ...${props} from=${ends[i] && after(ends[i] - 1)} to=${ends[i] && after(ends[i])} />`}
            </li>`,
        )}
      </ol>
      <p class="buttons stepping">
        ${drawable(answer) &&
        html`<button disabled=${at <= 0} onClick=${() => show(at - 1)}>Previous</button>
          <button disabled=${at === steps.length - 1} onClick=${() => show(at + 1)}>Next</button>
          <button onClick=${() => show(-1)} aria-pressed=${at < 0}>All moves</button>`}
        ${answer.record?.length > 0 && !state.readOnly && html`<button onClick=${play}>Play these moves</button>`}
      </p>
      ${record.length > 0 && html`<${Changed} ...${props} says="All of it: " from=${position} to=${after(record.length)} />`}`}
    ${answer.objectives?.length > 0 && html`<${Briefing} answer=${answer} dispatch=${dispatch} />`}
    ${answer.repairs?.length > 0 && html`<${Repairs} repairs=${answer.repairs} props=${props} />`}
    ${answer.report &&
    html`<details class="report" open=${!steps.length && !answer.objectives?.length}>
      <summary>The answer in full: proof, clauses, assumptions</summary>
      <pre tabindex="0" aria-label="The answer in full">${answer.report}</pre>
    </details>`}
  </div>`;
}

/** @param {Props & {says?: string, from: Position, to: Position}} given The outcomes and counts that differ; they come into view. */
function Changed({ backend, says = "", from, to }) {
  const before = useAnswer(backend, standing(from)).answer;
  const now = useAnswer(backend, standing(to)).answer;
  const found = before && now ? differences(before, now) : [];
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => line.current?.closest("li")?.scrollIntoView({ block: "nearest" }), [found.length]);
  return html`<p ref=${line} class="changes" hidden=${!found.length}>${says}${found.slice(0, MOST).join("; ")}${found.length > MOST && " …"}</p>`;
}
const MOST = 8; // changes

/** @param {{repairs: any[], props: Props}} given */
function Repairs({ repairs, props }) {
  const mark = (/** @type {any} */ repair) => () => props.dispatch({ do: "mark", places: repair ? repair.changes.flatMap((/** @type {any} */ one) => [...one.path.slice(1), String(one.to)]) : [] });
  const make = (/** @type {any} */ repair) => () => attempt(props, changes([...repair.changes, ...(repair.follows ?? [])]));
  return html`<ol class="plan" aria-label="Changes that would do">
    ${repairs.map(
      (repair) =>
        html`<li onMouseEnter=${mark(repair)} onMouseLeave=${mark(null)}>
          ${repair.changes.map((/** @type {any} */ one) => `${one.says}${one.or?.length ? ` (or ${one.or.slice(0, 4).join(", ")}${one.or.length > 4 ? " …" : ""})` : ""}`).join("; ")}
          ${!props.state.readOnly && html`${" "}<button onClick=${make(repair)} onFocus=${mark(repair)} onBlur=${mark(null)}>Try it</button>`}
        </li>`,
    )}
  </ol>`;
}

/**
 * The places of what the first set that is enough takes.
 *
 * @param {Answer} answer
 * @returns {string[]}
 */
export function targetsOf({ objectives = [], winning }) {
  const takes = new Set(winning?.sets?.[0]?.takes ?? []);
  return objectives.filter((/** @type {any} */ one) => takes.has(one.name)).flatMap((/** @type {any} */ one) => one.places);
}

const MOST_WANTED = 16;

/** @param {{answer: Answer, dispatch: Props["dispatch"]}} given What to take and to hold, and what each of it is worth for the goal. */
function Briefing({ answer, dispatch }) {
  const sets = answer.winning?.sets ?? [];
  const taken = (/** @type {any} */ one) => sets.filter((/** @type {any} */ set) => set.takes.includes(one.name)).length;
  const wanted = answer.objectives.filter((/** @type {any} */ one) => !one.held).sort((/** @type {any} */ a, /** @type {any} */ b) => taken(b) - taken(a));
  const mark = (/** @type {string[]} */ places) => () => dispatch({ do: "mark", places });
  const all = targetsOf(answer);
  return html`<${Table} label="What to take" heads=${["Take", "Held by", "In sets", "If first", "If closed"]}>
      <tbody>
        ${wanted.slice(0, MOST_WANTED).map(
          (/** @type {any} */ one) =>
            html`<tr class=${taken(one) ? "met" : ""} onMouseEnter=${mark(one.places)} onMouseLeave=${mark(all)}>
              <th scope="row">${one.name}<small> ${one.worth}</small></th>
              <td>${one.holder ?? "nobody"}</td>
              <td class="number">${sets.length ? `${taken(one)} of ${sets.length}` : ""}</td>
              <td class="number">${price(one.first)}</td>
              <td class="number">${price(one.closed)}</td>
            </tr>`,
        )}
      </tbody>
    <//>
    <p>
      <small
        >In sets: how many of the sets that are enough take it. If first, if closed: what it costs price to take it first, or to
        do without it.${wanted.length > MOST_WANTED ? ` ${wanted.length - MOST_WANTED} price stand in the answer in full.` : ""}</small
      >
    </p>`;
}

/** @param {any} cost */
function price(cost) {
  if (!cost) return "";
  if (cost.difference !== null) return `+${cost.difference}`;
  return cost.status === "impossible" ? "not at all" : "open";
}
