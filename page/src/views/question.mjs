// Questions to the rules: plans, proofs, what is missing, rulings; and their answers.
import { faultsOf, useAnswer } from "../answers.mjs";
import { KINDS, requestOf } from "../asked.mjs";
import { named } from "../compared.mjs";
import { html } from "../html.mjs";
import { described } from "../store.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { Answered } from "./answered.mjs";
import { GoalBox } from "./goalbox.mjs";
import { Choice, Faults, Panel } from "./parts.mjs";

/** @import { Answer, Fault, Progress, Props } from "../../types.js" */

/** @param {Props} props */
export function Question(props) {
  const { state, dispatch, backend } = props;
  const { position, question } = state;
  const [asked, setAsked] = useState({ kind: "plan", side: "", within: "", opponent: "idle", timeout: "60" });
  const [running, setRunning] = useState(/** @type {AbortController | null} */ (null));
  const [progress, setProgress] = useState(/** @type {Progress | null} */ (null));
  const [found, setFound] = useState(/** @type {{answer: Answer | null, faults: Fault[], stopped: string}} */ ({ answer: null, faults: [], stopped: "" }));
  const best = useRef(/** @type {Progress | null} */ (null));
  const start = position && { game: position.game, settings: position.settings, steps: [] };
  const { answer: rules } = useAnswer(backend, start && { ask: "rules", moment: start });
  const { answer: board } = useAnswer(backend, start && { ask: "board", moment: start });
  const at = position && JSON.stringify(described(position));
  useEffect(() => {
    running?.abort();
    setFound({ answer: null, faults: [], stopped: "" });
  }, [at]);
  if (!position) return null;

  const run = async () => {
    if (running || !question.trim()) return;
    const control = new AbortController();
    setRunning(control);
    setFound({ answer: null, faults: [], stopped: "" });
    dispatch({ do: "show", answer: null });
    best.current = null;
    const onProgress = (/** @type {Progress} */ now) => setProgress((best.current = now));
    try {
      const request = requestOf({ ...asked, goal: question }, described(position));
      const answer = await backend.ask(request, { signal: control.signal, onProgress });
      if (control.signal.aborted) return;
      setFound({ answer, faults: [], stopped: "" });
      if (answer.steps?.length) dispatch({ do: "show", answer, step: null });
      else dispatch({ do: "mark", places: answer.places ?? [] });
    } catch (error) {
      setFound(control.signal.aborted ? { answer: null, faults: [], stopped: stopped(best.current) } : { answer: null, faults: faultsOf(error), stopped: "" });
    } finally {
      setRunning(null);
      setProgress(null);
    }
  };
  const set = (/** @type {string} */ key) => (/** @type {string} */ value) => setAsked({ ...asked, [key]: value });
  const takes = KINDS[asked.kind]?.takes ?? [];
  const examples = [...new Set((rules?.outcomes ?? []).map((/** @type {any} */ o) => named(o)))].slice(0, 4);
  const sides = [...new Set((rules?.outcomes ?? []).map((/** @type {any} */ o) => o.side).filter(Boolean))];
  return html`<${Panel} title="Ask">
    <${Choice} label="What" value=${asked.kind} values=${Object.entries(KINDS).map(([value, { label }]) => ({ value, text: label }))} onChoose=${set("kind")} />
    <${GoalBox} text=${question} rules=${rules} places=${board?.places ?? []} onText=${(/** @type {string} */ text) => dispatch({ do: "question", text })} onEnter=${run} />
    ${asked.kind === "ask" &&
    html`<p class="examples">
      ${examples.map((text) => html`<button type="button" onClick=${() => dispatch({ do: "question", text: String(text) })}>${plain(String(text))}</button> `)}
    </p>`}
    ${takes.length > 0 &&
    html`<details class="more">
      <summary>Conditions</summary>
      ${takes.includes("side") &&
      html`<${Choice} label="Side" value=${asked.side} values=${[{ value: "", text: "the one that the goal names" }, ...sides.map((value) => ({ value: String(value) }))]} onChoose=${set("side")} />`}
      ${takes.includes("within") &&
      html`<label class="choice"><span>At most (moves or turns)</span><input type="number" min="1" value=${asked.within} onInput=${(/** @type {any} */ e) => set("within")(e.currentTarget.value)} /></label>`}
      ${takes.includes("opponent") &&
      html`<${Choice} label="The opponent" value=${asked.opponent} values=${[{ value: "idle", text: "does nothing but what is forced" }, { value: "helps", text: "makes any move that helps" }]} onChoose=${set("opponent")} />`}
      <label class="choice"><span>Seconds</span><input type="number" min="1" max="600" value=${asked.timeout} onInput=${(/** @type {any} */ e) => set("timeout")(e.currentTarget.value)} /></label>
    </details>`}
    <p class="buttons">
      <button type="button" class="main" disabled=${Boolean(running) || !question.trim()} onClick=${run}>Ask</button>
      ${running && html`<button type="button" onClick=${() => running.abort()}>Stop</button>`}
    </p>
    ${running && html`<p role="status" class="busy">${progress ? told(progress) : "asking …"}</p>`}
    ${found.stopped && html`<p role="status">${found.stopped}</p>`}
    <${Faults} faults=${found.faults} />
    ${found.answer && html`<${Answered} ...${props} answer=${found.answer} />`}
  <//>`;
}

/** @param {Progress} progress */
function told({ phase, cost, bound, scale }) {
  const parts = [phase];
  if (cost !== null) parts.push(`best so far ${cost / scale}`);
  if (bound !== null) parts.push(`at least ${bound / scale}`);
  return parts.join("; ");
}

/** @param {Progress | null} best */
const stopped = (best) => `Stopped; nothing is decided.${best && (best.cost !== null || best.bound !== null) ? ` Known by then: ${told(best)}.` : ""}`;
