// Questions to the rules: plans, proofs, what is missing, rulings; and their answers: a plan as a list that steps over the board,
// a briefing as a table, and all of it in words.
import { sofar, useAnswer, useSearch, versionOf } from "../answers.mjs";
import { drawable, drawn, examplesOf, KINDS, meant, requestOf } from "../asked.mjs";
import { attempt, changes } from "../attempt.mjs";
import { html } from "../html.mjs";
import { boardOf, described, rulesOf, standing, stepped } from "../store.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { differences, plain, spoken } from "../words.mjs";
import { GoalBox } from "./goalbox.mjs";
import { Choice, Cites, Faults, Field, Panel, Report, Table } from "./parts.mjs";

/** @import { Move, Objective, Position, Price, Props, Repair, Searched } from "../../types.js" */

/** @param {Props} props */
export function Question(props) {
  const { state, dispatch, backend } = props;
  const { position, question, asked } = state;
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  const { answer: now } = useAnswer(backend, standing(position));
  const asking = useRef(/** @type {HTMLElement | null} */ (null));
  const [asOf, setAsOf] = useState(0);
  const show = (/** @type {Searched | null} */ answer) => {
    setAsOf(versionOf(backend));
    if (!answer || answer.steps?.length) dispatch({ do: "show", answer, of: position });
    else dispatch({ do: "mark", places: answer.places ?? targetsOf(answer), of: position });
  };
  const { running, stop, progress, found, run } = useSearch(backend, position && JSON.stringify(described(position)), show);
  const told = found.answer || found.stopped || found.faults.length ? 2 : +running;
  useEffect(() => {
    if (told) comeIntoView(asking.current);
  }, [told]);
  const kind = KINDS[asked.kind];
  const takes = kind?.takes ?? [];
  const ready = !running && Boolean(kind?.goal ? question.trim() : asked.attack.trim() || !takes.includes("battle"));
  const ask = () => position && ready && run(requestOf({ ...asked, goal: question, at: state.place ?? "" }, described(position)));
  useEffect(() => {
    if (!state.asking || !rules || running) return;
    dispatch({ do: "question" });
    ask();
  }, [state.asking, rules, running]);
  if (!position) return null;
  const set = (/** @type {string} */ key) => (/** @type {string} */ value) => dispatch({ do: "question", asked: { [key]: value } });
  const examples = now && rules ? examplesOf(asked.kind, now, rules) : [];
  const sides = [...new Set((rules?.outcomes ?? []).map((o) => o.side).filter(Boolean))];
  return html`<${Panel} title="Ask">
    <${Choice} label="What" value=${asked.kind} values=${Object.entries(KINDS).map(([value, { label }]) => ({ value, text: label }))} onChoose=${set("kind")} />
    ${kind?.goal && html`<${GoalBox} text=${question} onText=${(/** @type {string} */ text) => dispatch({ do: "question", text })} onEnter=${ask} />`}
    ${kind?.goal &&
    html`<p class="examples">
      ${examples.map(({ says, goal, within }) => html`<button title=${goal} onClick=${() => dispatch({ do: "question", text: goal, asked: { within } })}>${says}${within && `, within ${within} move${within > "1" ? "s" : " or turn"}`}</button> `)}
    </p>`}
    ${takes.includes("battle") &&
    html`<${Field} label="Attack" value=${asked.attack} placeholder="such as 3 infantry, 1 fighter" onText=${set("attack")} />
      <${Field} label="Defend" value=${asked.defend} placeholder=${state.place ? `who stands in ${state.place}` : "such as 2 infantry"} onText=${set("defend")} />`}
    <details class="more">
      <summary>Conditions</summary>
      ${takes.includes("side") &&
      html`<${Choice} label="Side" value=${asked.side} values=${[{ value: "", text: "the one that the goal names" }, ...sides.map((value) => ({ value: String(value) }))]} onChoose=${set("side")} />`}
      ${takes.includes("within") &&
      html`<${Field} label="At most (moves or turns)" type="number" min="1" value=${asked.within} onText=${set("within")} />`}
      ${takes.includes("minimize") &&
      html`<${Choice} label="What is counted" value=${asked.minimize} values=${[{ value: "", text: "as usual" }, ...(rules?.metrics ?? []).map((m) => ({ value: m.name, text: `${plain(m.name)}: ${m.text}` }))]} onChoose=${set("minimize")} />`}
      ${takes.includes("opponent") &&
      html`<${Choice} label="The opponent" value=${asked.opponent} values=${[{ value: "idle", text: "does nothing but what is forced" }, { value: "helps", text: "makes any move that helps" }]} onChoose=${set("opponent")} />`}
      <${Field} label="Seconds" type="number" min="1" max="600" value=${asked.timeout} onText=${set("timeout")} />
    </details>
    <p class="buttons asking" ref=${asking}>
      <button class="main" disabled=${!ready} onClick=${ask}>Ask</button>
      ${running && html`<button onClick=${stop}>Stop</button>`}
    </p>
    ${running && html`<p role="status" class="busy">${progress ? spoken(sofar(progress)) : "asking …"}</p>`}
    ${found.stopped && html`<p role="status">${found.stopped}</p>`}
    ${found.answer && asOf !== versionOf(backend) && html`<p class="notice">Rules or files have changed since this was answered.</p>`}
    <${Faults} faults=${found.faults} />
    ${found.faults.length > 0 &&
    kind?.goal &&
    now &&
    rules &&
    html`<p class="examples">
      Perhaps you mean:${" "}
      ${meant(question, rules, now).map(({ says, goal, kind: other = asked.kind }) => html`<button title=${goal} onClick=${() => dispatch({ do: "question", text: goal, asked: { kind: other }, asking: true })}>${says}</button> `)}
    </p>`}
    ${found.answer && html`<${Answered} ...${props} answer=${found.answer} />`}
  <//>`;
}

/**
 * Bring Ask, Stop and what is told below them into view, unless it is seen.
 *
 * @param {HTMLElement | null} buttons
 */
function comeIntoView(buttons) {
  const told = buttons?.parentElement?.querySelector(".asking ~ *");
  if (!buttons || !told) return;
  const covered = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop); // by what stays at the top
  const { top } = buttons.getBoundingClientRect();
  if (top < covered - 1 || told.getBoundingClientRect().top > innerHeight - ROOM) buttons.scrollIntoView({ block: "start" });
}
const ROOM = 90; // pixels of an answer that are seen

/** @param {Props & {answer: Searched}} props */
export function Answered({ answer, ...props }) {
  const { state, dispatch, backend } = props;
  const { position } = state;
  const { steps = [], record = [], objectives = [], repairs = [] } = answer;
  const at = state.shown && state.shown.answer === answer ? state.shown.line : -1; // the move that is shown
  const request = drawable(answer) ? boardOf(position, [], { show: drawn(answer) }) : null;
  const { answer: drawing } = useAnswer(backend, request);
  const turns = drawing?.turns ?? []; // the number of each move's turn, as its arrows bear it
  const play = () => {
    if (position) dispatch({ do: "steps", steps: record, of: position });
  };
  const after = (/** @type {number} */ n) => position && stepped(position, ...record.slice(0, n));
  let done = 0; // events of the record
  const ends = steps.map(({ action }) => {
    const end = record.findIndex((event, n) => n >= done && action in Object(typeof event === "string" ? { [event]: 0 } : event)) + 1;
    return end && (done = end); // 0: it is none of them
  });
  const show = (/** @type {number} */ line) => {
    const step = steps[line];
    dispatch({ do: "show", answer, line, step: turns[line] || null, played: ends[line] || 0, moved: step ? Object.values(step.args).map(String) : [], of: position });
  };
  const mark = (/** @type {Move | null} */ step) => () => dispatch({ do: "mark", places: step ? Object.values(step.args).map(String) : [] });
  return html`<div class="answer">
    ${answer.verdict && html`<p class="verdict" role="status">${spoken(answer.verdict)}</p>`}
    ${steps.length > 0 &&
    html`<ol class="plan" aria-label="Moves">
        ${steps.map(
          (step, i) =>
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
        ${record.length > 0 && !state.readOnly && html`<button onClick=${play}>Play these moves</button>`}
      </p>
      ${record.length > 0 && html`<${Changed} ...${props} says="All of it: " from=${position} to=${after(record.length)} />`}`}
    ${objectives.length > 0 && html`<${Briefing} answer=${answer} dispatch=${dispatch} />`}
    ${repairs.length > 0 && html`<${Repairs} repairs=${repairs} props=${props} />`}
    ${answer.report &&
    html`<details class="report" open=${!steps.length && !objectives.length}>
      <summary>The answer in full: proof, clauses, assumptions</summary>
      <${Report} text=${answer.report} label="The answer in full" />
    </details>`}
  </div>`;
}

/** @param {Props & {says?: string, from: Position, to: Position}} given The outcomes and counts that differ; they come into view. */
function Changed({ backend, says = "", from, to }) {
  const before = useAnswer(backend, standing(from)).answer;
  const now = useAnswer(backend, standing(to)).answer;
  const found = before && now ? differences(before, now) : [];
  const line = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const drawn = new ResizeObserver(() => line.current?.closest("li")?.scrollIntoView({ block: "nearest" }));
    drawn.observe(document.body); // what stands above is drawn later
    const end = setTimeout(() => drawn.disconnect(), 2000);
    return () => (clearTimeout(end), drawn.disconnect());
  }, [found.length]);
  return html`<p ref=${line} class="changes" hidden=${!found.length}>${says}${spoken(found.slice(0, MOST).join("; "))}${found.length > MOST && " …"}</p>`;
}
const MOST = 8; // changes

/** @param {{repairs: Repair[], props: Props}} given */
function Repairs({ repairs, props }) {
  const mark = (/** @type {Repair | null} */ repair) => () => props.dispatch({ do: "mark", places: repair ? repair.changes.flatMap((one) => [...one.path.slice(1), String(one.to)]) : [] });
  const make = (/** @type {Repair} */ repair) => () => attempt(props, changes([...repair.changes, ...(repair.follows ?? [])]));
  return html`<ol class="plan" aria-label="Changes that would do">
    ${repairs.map(
      (repair) =>
        html`<li onMouseEnter=${mark(repair)} onMouseLeave=${mark(null)}>
          ${repair.changes.map((one) => `${one.says}${one.or?.length ? ` (or ${one.or.slice(0, 4).join(", ")}${one.or.length > 4 ? " …" : ""})` : ""}`).join("; ")}
          ${!props.state.readOnly && html`${" "}<button onClick=${make(repair)} onFocus=${mark(repair)} onBlur=${mark(null)}>Try it</button>`}
        </li>`,
    )}
  </ol>`;
}

/** The places of what the first set that is enough takes. @type {(answer: Searched) => string[]} */
export function targetsOf({ objectives = [], winning }) {
  const takes = new Set(winning?.sets?.[0]?.takes ?? []);
  return objectives.filter((one) => takes.has(one.name)).flatMap((one) => one.places);
}

const MOST_WANTED = 16;

/** @param {{answer: Searched, dispatch: Props["dispatch"]}} given What to take and to hold, and what each of it is worth for the goal. */
function Briefing({ answer, dispatch }) {
  const sets = answer.winning?.sets ?? [];
  const taken = (/** @type {Objective} */ one) => sets.filter((set) => set.takes.includes(one.name)).length;
  const wanted = (answer.objectives ?? []).filter((one) => !one.held).sort((a, b) => taken(b) - taken(a));
  const mark = (/** @type {string[]} */ places) => () => dispatch({ do: "mark", places });
  const all = targetsOf(answer);
  return html`<${Table} label="What to take" heads=${["Take", "Held by", "In sets", "If first", "If closed"]}>
      <tbody>
        ${wanted.slice(0, MOST_WANTED).map(
          (one) =>
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
        >In sets: how many of the sets that are enough take it. If first, if closed: how much more it costs to take it first, or to
        do without it.${wanted.length > MOST_WANTED ? ` ${wanted.length - MOST_WANTED} more stand in the answer in full.` : ""}</small
      >
    </p>`;
}

/** @param {Price | null} cost */
function price(cost) {
  if (!cost) return "";
  if (cost.difference !== null) return `+${cost.difference}`;
  return cost.status === "impossible" ? "not at all" : "open";
}
