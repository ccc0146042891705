// The record as a list of steps; links, files and pictures of the position, and files that are opened or dropped on the page.
import { ask, faultsOf, useAnswer, whole } from "../answers.mjs";
import { html } from "../html.mjs";
import { fragment, LONGEST, sound } from "../link.mjs";
import { begun, described, fork, toldOf } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { stepText } from "../words.mjs";
import { Panel } from "./parts.mjs";

/** @import { Branch, Position, Props, Step } from "../../types.js" */

/** @param {Props} props */
export function Share({ state, dispatch, backend }) {
  const { position, question, asked, conditions } = state;
  const [said, setSaid] = useState("");
  const [text, setText] = useState("");
  const [book, setBook] = useState("");
  useEffect(() => {
    setSaid("");
    setText("");
  }, [position, question, asked, conditions]);
  const attempt = (/** @type {() => Promise<string>} */ doing) => () =>
    doing().then(setSaid, (error) => dispatch({ do: "fail", faults: faultsOf(error) }));

  const link = async (/** @type {boolean} */ embed) => {
    if (!position) return "";
    const held = await fragment({ position, question, asked, conditions, readOnly: embed });
    const address = `${location.href.split("#")[0]}#${held}`;
    const whole = embed ? `<iframe src="${address}" width="800" height="600" title="vclogic"></iframe>` : address;
    setText(whole);
    if (held.length > LONGEST) return "This link is very long: some programs cut it off. A file is safer.";
    await navigator.clipboard?.writeText(whole).catch(() => {});
    return `${embed ? "The frame" : "The link"} is below, and copied where the browser allows it.`;
  };
  const file = async (/** @type {string} */ form) => {
    if (!position) return "";
    const moment = described(position);
    if (form === "json") return saved("position.json", JSON.stringify({ ...moment, name: position.name, branches: position.branches }, null, 1));
    if (form === "svg") return saved("board.svg", (await ask(backend, { ask: "board", moment })).svg);
    return saved("position.yaml", (await ask(backend, { ask: "written", moment })).text);
  };
  const pasted = async () => {
    const named = book.trim();
    if (!named) return "";
    if (!/^[^\n]*\.md$/.test(named)) return playBook("rulebook.md", book, dispatch);
    dispatch({ do: "open", position: begun(named) });
    return "";
  };
  return html`<${Panel} title="Share" open=${false}>
    ${position &&
    html`<p class="buttons">
      <button onClick=${attempt(() => link(false))}>Link</button>
      ${backend.about.backend === "worker" && html`<button onClick=${attempt(() => link(true))}>Frame for a page</button>`}
      <button onClick=${attempt(() => file("yaml"))}>YAML</button>
      <button onClick=${attempt(() => file("json"))}>JSON</button>
      <button onClick=${attempt(() => file("svg"))}>SVG</button>
    </p>`}
    ${!state.readOnly &&
    html`<label class="choice"
        ><span>A rulebook: its text, or its address beside this page</span
        ><textarea rows="3" value=${book} onInput=${(/** @type {any} */ e) => setBook(e.currentTarget.value)}></textarea></label
      ><p class="buttons"><button onClick=${attempt(pasted)}>Play this rulebook</button></p>`}
    <p role="status">${said}</p>
    ${text && html`<textarea readonly rows="3" aria-label="Link" value=${text} onFocus=${(/** @type {any} */ e) => e.currentTarget.select()}></textarea>`}
  <//>`;
}

/**
 * Hand a file to the person.
 *
 * @param {string} name
 * @param {string} text
 */
export function saved(name, text) {
  const address = URL.createObjectURL(new Blob([text]));
  const anchor = Object.assign(document.createElement("a"), { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
  return `${name} is saved.`;
}

const RULEBOOK = /\.(md|markdown)$/i;
const MAP = /\.xml$/i; // of TripleA
const BESIDE_MAP = "notifications.properties";
/** The rulebooks that were opened here, by name: another one may include them. @type {Record<string, string>} */
const books = {};

/**
 * Open a file of a person, or a map with its notifications; what is wrong with it is told.
 *
 * @param {File[]} files
 * @param {{backend: Props["backend"], dispatch: Props["dispatch"]}} page
 */
export async function openFiles(files, { backend, dispatch }) {
  const chosen = files.find(({ name }) => MAP.test(name)) ?? files[0];
  if (!chosen) return;
  try {
    const content = await chosen.text();
    if (RULEBOOK.test(chosen.name)) return void playBook(chosen.name, content, dispatch);
    if (MAP.test(chosen.name)) {
      const beside = files.find(({ name }) => name === BESIDE_MAP);
      const others = beside && { [BESIDE_MAP]: await beside.text() };
      return void dispatch({ do: "open", position: begun({ rulebook: { [called(chosen.name, MAP, "map", "xml")]: content, ...others } }) });
    }
    dispatch({ do: "open", position: momentIn(content) ?? (await whole(backend, { text: content })) });
  } catch (error) {
    dispatch({ do: "fail", faults: faultsOf(error) });
  }
}

/**
 * Play a rulebook: its text is the game.
 *
 * @param {string} name
 * @param {string} content
 * @param {Props["dispatch"]} dispatch
 * @returns {string} What was done.
 */
function playBook(name, content, dispatch) {
  const book = called(name, RULEBOOK, "rulebook", "md");
  books[book] = content;
  const others = /^\s*include /m.test(content) ? books : {};
  dispatch({ do: "open", position: begun({ rulebook: { [book]: content, ...others } }) });
  return `${book} is open.`;
}

/** A name that the protocol takes, for a file of a person. @type {(name: string, ending: RegExp, usual: string, kind: string) => string} */
const called = (name, ending, usual, kind) => `${name.replace(ending, "").replace(/[^\w -]+/g, "_").slice(0, 90) || usual}.${kind}`;

/**
 * Open a file that is dropped anywhere on the page; a browser would leave the page for it.
 *
 * @param {{backend: Props["backend"], dispatch: Props["dispatch"]}} page
 * @returns {() => void} Stops it.
 */
export function dropping(page) {
  const over = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  const drop = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    openFiles([...event.dataTransfer.files], page);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}

/** The position that a JSON file of this page holds; null where it is another file. @type {(content: string) => Position | null} */
function momentIn(content) {
  try {
    const held = JSON.parse(content);
    if (!sound(held)) return null;
    const { game, settings, steps, name, branches } = held;
    return { game, settings, steps, at: steps.length, name, branches };
  } catch {
    return null;
  }
}

/** Each of some steps as a sentence. @type {(props: Props, steps?: Step[]) => string[]} */
function useTold({ backend, state: { position } }, steps = []) {
  const { shown } = useAnswer(backend, position && toldOf(position, steps));
  return steps.map((step, i) => shown?.steps[i] || stepText(step));
}

/** @param {Props} props */
export function Record(props) {
  const { state, dispatch, backend } = props;
  const { position } = state;
  const told = useTold(props, position?.steps);
  if (!position) return null;
  const file = typeof position.game === "string" && /\.(ya?ml|json)$/.test(position.game) ? position.game : null;
  const unfold = () =>
    whole(backend, { file: /** @type {string} */ (file) }).then(
      (found) => dispatch({ do: "open", position: { ...found, settings: position.settings } }),
      (error) => dispatch({ do: "fail", faults: faultsOf(error) }),
    );
  const { steps, branches = [] } = position;
  const go = (/** @type {number} */ at) => () => dispatch({ do: "go", at });
  return html`<${Panel} title="Record">
    ${file && !position.steps.length && !state.readOnly && html`<p><small>${file}, as it stands at the end of its record.</small> <button onClick=${unfold}>Show its steps</button></p>`}
    <ol class="steps" aria-label="Steps" start="0">
      <li><button class="step" aria-current=${position.at === 0 ? "step" : undefined} onClick=${go(0)}>the start</button></li>
      ${told.map(
        (text, i) =>
          html`<li class=${i >= position.at ? "later" : ""}>
            <button class="step" aria-current=${position.at === i + 1 ? "step" : undefined} onClick=${go(i + 1)}>${text}</button>
          </li>`,
      )}
    </ol>
    ${position.at < steps.length && html`<p><small>Another step here leaves the steps after it as a branch.</small></p>`}
    ${branches.length > 0 &&
    html`<h3>Branches</h3>
      <ul class="plays" aria-label="Branches">
        ${branches.map((branch, number) => html`<${Line} ...${props} branch=${branch} number=${number} />`)}
      </ul>`}
  <//>`;
}

/** @param {Props & {branch: Branch, number: number}} props */
function Line(props) {
  const { state, dispatch, branch, number } = props;
  const first = fork(branch.steps, state.position?.steps ?? []) + 1;
  const told = useTold(props, branch.steps.slice(0, first));
  const called = branch.name || `${first}: ${told.at(-1)}`;
  const rename = () => {
    const name = prompt("The name of this branch", called);
    if (name !== null) dispatch({ do: "branch", number, name: name.trim() });
  };
  return html`<li>
    <button class="step" onClick=${() => dispatch({ do: "branch", number })}>${called}</button>
    ${!state.readOnly && html`<button aria-label=${`Rename ${called}`} onClick=${rename}>Rename</button>`}
  </li>`;
}
