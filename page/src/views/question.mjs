// Questions to the rules: plans, proofs, what is missing, rulings; and their answers.
import { sofar, useAnswer, useSearch, versionOf } from "../answers.mjs";
import { examplesOf, KINDS, meant, requestOf } from "../asked.mjs";
import { html } from "../html.mjs";
import { described, rulesOf, standing } from "../store.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { Answered, targetsOf } from "./answered.mjs";
import { GoalBox } from "./goalbox.mjs";
import { Choice, Faults, Field, Panel } from "./parts.mjs";

/** @import { Answer, Props } from "../../types.js" */

/** @param {Props} props */
export function Question(props) {
  const { state, dispatch, backend } = props;
  const { position, question, asked } = state;
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  const { answer: now } = useAnswer(backend, standing(position));
  const asking = useRef(/** @type {HTMLElement | null} */ (null));
  const [asOf, setAsOf] = useState(0);
  const show = (/** @type {Answer | null} */ answer) => {
    setAsOf(versionOf(backend));
    if (!answer || answer.steps?.length) dispatch({ do: "show", answer, of: position });
    else dispatch({ do: "mark", places: answer.places ?? targetsOf(answer), of: position });
  };
  const { running, stop, progress, found, run } = useSearch(backend, position && JSON.stringify(described(position)), show);
  useEffect(() => {
    if (running || found.answer || found.stopped || found.faults.length) comeIntoView(asking.current);
  }, [running, found]);
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
      html`<${Choice} label="What is counted" value=${asked.minimize} values=${[{ value: "", text: "as usual" }, ...(rules?.metrics ?? []).map((m) => ({ value: m.name, text: `${m.name}: ${m.text}` }))]} onChoose=${set("minimize")} />`}
      ${takes.includes("opponent") &&
      html`<${Choice} label="The opponent" value=${asked.opponent} values=${[{ value: "idle", text: "does nothing but what is forced" }, { value: "helps", text: "makes any move that helps" }]} onChoose=${set("opponent")} />`}
      <${Field} label="Seconds" type="number" min="1" max="600" value=${asked.timeout} onText=${set("timeout")} />
    </details>
    <p class="buttons asking" ref=${asking}>
      <button class="main" disabled=${!ready} onClick=${ask}>Ask</button>
      ${running && html`<button onClick=${stop}>Stop</button>`}
    </p>
    ${running && html`<p role="status" class="busy">${progress ? sofar(progress) : "asking …"}</p>`}
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
 * Bring Ask and Stop, and what is told below them, into view, unless that is seen already.
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
