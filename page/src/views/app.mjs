// The whole page: the state, and the views around the board. The focus stays where it was: where what had it goes, what held it
// takes it; and Escape closes what holds it.
import { forget, useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { follow, listen } from "../link.mjs";
import { after, cardOf, rulesOf, standing } from "../store.mjs";
import { useCallback, useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { Bar } from "./bar.mjs";
import { Board } from "./board.mjs";
import { Games, Start } from "./games.mjs";
import { Conditions, Outcomes } from "./outcomes.mjs";
import { Faults, Rules, Told } from "./parts.mjs";
import { Place } from "./place.mjs";
import { Question } from "./question.mjs";
import { dropping, openFiles, Record, Share } from "./share.mjs";
import { Findings, Switches } from "./switches.mjs";

/** @import { Action, Backend, Props, State } from "../../types.js" */

const LONG = "This position is too long for the address of the page: to share it, take a file.";
const READ = 10_000; // milliseconds in which a notice is read
const CHANGED = "Rules or files have changed: everything is asked anew.";

/** @param {{backend: Backend, hash: string, begin: State}} given What the address held, and the state that it describes. */
export function App({ backend, hash, begin }) {
  const { state, dispatch, now } = useHeld(begin);
  const [news, setNews] = useState("");
  const [heard, setHeard] = useState(0);
  useEffect(() => listen(dispatch, hash), []);
  useEffect(() => keepFocus(), []);
  useEffect(() => (begin.readOnly ? undefined : dropping({ backend, dispatch })), []);
  useEffect(() => {
    if (news !== CHANGED) return;
    const timer = setTimeout(() => setNews(""), READ);
    return () => clearTimeout(timer);
  }, [news, heard]);
  useEffect(() => {
    const timer = setTimeout(() => follow(state).then((fits) => setNews(fits ? "" : LONG)), 200);
    return () => clearTimeout(timer);
  }, [state.position, state.question, state.asked, state.conditions]);
  useEffect(
    () =>
      backend.onChange((text) => {
        setNews(text || CHANGED);
        if (text) return;
        forget(backend);
        dispatch({ do: "show", answer: null });
        setHeard((before) => before + 1);
      }),
    [],
  );
  const props = { state, now, dispatch, backend };
  const settings = Object.entries(state.position?.settings ?? {});
  const full = (/** @type {any} */ event) => {
    event.currentTarget.href = location.href.replace("#v1e.", "#v1.");
  };
  return html`
    <div class="top">
    <header>
      <h1>${state.position && !state.readOnly ? html`<button aria-label="vclogic: to the list of games" onClick=${() => dispatch({ do: "open", position: null })}>vclogic</button>` : "vclogic"}</h1>
      <${Games} ...${props} />
      ${!state.readOnly &&
      html`<label class="open"
        >Open a file<input type="file" accept=".yaml,.yml,.json,.md,.xml,.properties" multiple onChange=${(/** @type {any} */ event) => {
          openFiles([...event.currentTarget.files], props);
          event.currentTarget.value = ""; // the same file may be opened again
        }}
      /></label>`}
      ${state.readOnly && html`<a href="#" onMouseDown=${full} onFocus=${full} onClick=${full} target="_blank" rel="noopener">Open in full</a>`}
      ${settings.length > 0 && html`<p class="settings">${settings.map(([name, value]) => `${plain(name)}: ${plain(value)}`).join(", ")}</p>`}
    </header>
    <${Bar} ...${props} />
    </div>
    <p role="status" class="news">${news}</p>
    <${Main} ...${props} />
  `;
}

/** @param {Props} props */
function Main(props) {
  const { state, dispatch, backend } = props;
  const { answer: rules } = useAnswer(backend, rulesOf(state.position));
  const { answer: status, faults } = useAnswer(backend, standing(state.position));
  const game = JSON.stringify(state.position?.game);
  return html`<${Rules.Provider} value=${rules}>
    <main>
      ${state.position ? html`<${Board} ...${props} quiet=${!status} />` : html`<${Start} ...${props} />`}
      <div class="panels">
        ${state.faults.some(({ code }) => code !== "gone") && html`<${Told} faults=${state.faults} dispatch=${dispatch} />`}
        <${Faults} faults=${faults} />
        ${!faults.length &&
        html`<${Place} ...${props} />
          <${Outcomes} key=${`outcomes${game}`} ...${props} />
          ${!state.readOnly && html`<${Question} key=${`question${game}`} ...${props} />`}`}
        <${Record} ...${props} />
        <details class="drawer" open=${Boolean(state.conditions || cardOf(state.position?.game).outcomes || !state.position)}>
          <summary>Conditions, Readings, sharing, checks</summary>
          ${!state.readOnly && html`<${Conditions} ...${props} />${!faults.length && html`<${Switches} ...${props} />`}`}
          <${Share} ...${props} />
          ${!state.readOnly && backend.about.folder && html`<${Findings} ...${props} />`}
        </details>
      </div>
    </main>
  <//>`;
}

/**
 * The state, as it is shown and as it is at once: an action counts for what comes next even before it is drawn.
 *
 * @param {State} begin
 */
function useHeld(begin) {
  const held = useRef(begin);
  const [state, setState] = useState(begin);
  const now = useCallback(() => held.current, []);
  const dispatch = useCallback((/** @type {Action} */ action) => setState((held.current = after(held.current, action))), []);
  return { state, dispatch, now };
}

/**
 * Watch the page. What is pressed may vanish, such as an event that was played; a browser then begins again at the top.
 *
 * @returns {() => void} Stops it.
 */
export function keepFocus() {
  /** @type {Element[]} */
  let around = []; // what has the focus, and what that is in, the nearest first
  const onFocus = (/** @type {FocusEvent} */ event) => {
    around = [];
    for (let one = event.target instanceof Element ? event.target : null; one && one !== document.body; one = one.parentElement) around.push(one);
  };
  const onPointer = (/** @type {PointerEvent} */ event) => {
    if (event.target instanceof Element && !event.target.closest("button, summary, a, input, select, textarea, [tabindex]")) around = []; // somebody left it
  };
  const watch = new MutationObserver(() => {
    const [last] = around;
    if (!last || document.activeElement !== document.body) return;
    if (last instanceof HTMLElement && last.isConnected && !last.matches(":disabled")) return last.focus({ preventScroll: true }); // it was disabled for a while
    const next = around.find((one) => one !== last && one.isConnected && one.matches("li, section, details, .events, .inside, main, #page"));
    if (!(next instanceof HTMLElement)) return;
    const [first] = next.matches("details") ? next.children : [];
    const taken = first instanceof HTMLElement ? first : next;
    if (!first) taken.setAttribute("tabindex", "-1");
    taken.focus({ preventScroll: true });
  });
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const open = event.key === "Escape" && !event.defaultPrevented && event.target instanceof Element && event.target.closest("details[open]");
    if (!(open instanceof HTMLDetailsElement)) return;
    open.open = false;
    open.querySelector("summary")?.focus();
  };
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", onPointer);
  return () => {
    watch.disconnect();
    document.removeEventListener("keydown", onKey);
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", onPointer);
  };
}
