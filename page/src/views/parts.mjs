// Small parts that several views use.
import { html } from "../html.mjs";
import { useContext, useRef, useState } from "../vendor/hooks.mjs";
import { createContext } from "../vendor/preact.mjs";
import { inCards, ofPage, spoken } from "../words.mjs";

/** @import { Fault, Props, Rules as RulesOf } from "../../types.js" */

/**
 * A panel that can be folded, with a heading.
 *
 * @param {{title: string, open?: boolean, busy?: boolean, children?: any}} given Busy: what is shown may have changed.
 */
export function Panel({ title, open = true, busy = false, children }) {
  return html`<details class="panel" open=${open}>
    <summary><h2>${title}</h2></summary>
    <div class="inside" aria-busy=${String(busy)}>${children}</div>
  </details>`;
}

const FILE = /^<|^text$|\.\w+$/; // not a goal or an event, which is one line

/**
 * Faults as sentences, read aloud as they come. That nothing answers is news of the whole page, told there once.
 *
 * @param {{faults: Fault[]}} given
 */
export function Faults({ faults: all }) {
  const faults = all.filter(({ code }) => code !== "gone");
  if (!faults.length) return null;
  return html`<div class="faults" role="alert">
    ${faults.map(
      (fault) =>
        html`<p>
          ${inCards(ofPage(fault.message))}${" "}<${Cites} cites=${fault.cites ?? []} />
          ${fault.help && html`<br /><small>${ofPage(fault.help)}</small>`}
          ${fault.line && FILE.test(fault.file ?? "") && html`<br /><small>${(fault.file ?? "").replace(/^<.*/, "text")}, line ${fault.line}${fault.column ? `, column ${fault.column}` : ""}</small>`}
        </p>`,
    )}
  </div>`;
}

/**
 * Why something that was just tried was refused: it stays in sight until it is read.
 *
 * @param {{faults: Fault[], dispatch: Props["dispatch"]}} given
 */
export const Told = ({ faults, dispatch }) => html`<div class="told">
  <${Faults} faults=${faults} />
  <button onClick=${() => dispatch({ do: "fail", faults: [] })}>Close</button>
</div>`;

/**
 * A choice with its label.
 *
 * @param {{label: string, value: string, values: {value: string, text?: string}[], onChoose: (value: string) => void, disabled?: boolean}} given
 */
export function Choice({ label, value, values, onChoose, disabled }) {
  const chosen = useChoice(value, onChoose);
  return html`<label class="choice"
    ><span>${label}</span>
    <select ...${chosen} disabled=${disabled}>
      ${values.map((one) => html`<option value=${one.value} selected=${one.value === value}>${one.text ?? one.value}</option>`)}
    </select></label
  >`;
}

/**
 * What a list of choices listens to. A value that is typed or gone to by keys counts with Enter, or when the list is left:
 * letters go through the values.
 *
 * @param {string} value
 * @param {(value: string) => void} onChoose
 */
export function useChoice(value, onChoose) {
  const typed = useRef(false);
  const take = (/** @type {any} */ event) => {
    const chosen = event.currentTarget.value;
    if (chosen === value) return;
    event.currentTarget.value = value; // until it is accepted
    onChoose(chosen);
  };
  return {
    onPointerDown: () => (typed.current = false),
    onKeyDown: (/** @type {any} */ event) => {
      typed.current = (event.key.length === 1 && event.key !== " ") || event.key.startsWith("Arrow") || event.key.startsWith("Page") || event.key === "Home" || event.key === "End";
      if (event.key === "Enter") take(event);
    },
    onChange: (/** @type {any} */ event) => !typed.current && take(event),
    onBlur: take,
  };
}

/**
 * A field with its label.
 *
 * @param {{label: string, onText: (text: string) => void, [attribute: string]: unknown}} given And what else an input takes.
 */
export const Field = ({ label, onText, ...input }) =>
  html`<label class="choice"><span>${label}</span><input ...${input} onInput=${(/** @type {any} */ event) => onText(event.currentTarget.value)} /></label>`;

/**
 * A table that scrolls where it is too wide.
 *
 * @param {{label: string, heads: string[], children?: any}} given The children are its bodies.
 */
export const Table = ({ label, heads, children }) =>
  html`<div class="wide" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      ${children}
    </table>
  </div>`;

/** The rules of the game that is shown, which tell what its clauses say. */
export const Rules = createContext(/** @type {RulesOf | null} */ (null));
const MOST = 4;

/**
 * Clause ids; a press shows what the clauses say.
 *
 * @param {{cites: string[]}} given
 */
export function Cites({ cites }) {
  const rules = useContext(Rules);
  const [open, setOpen] = useState(false);
  if (!cites.length) return null;
  const ids = inCards(cites.length > MOST ? `${cites.slice(0, MOST).join(", ")} and ${cites.length - MOST} more` : cites.join(", "));
  const clauses = open ? cites.map((id) => ({ id, ...clauseIn(rules, id) })) : [];
  return html`<button class="cites" aria-expanded=${String(open)} aria-label=${`Clauses ${ids}`} onClick=${() => setOpen(!open)}>[${ids}]</button>
    ${open &&
    html`<span class="clauses" role="note">
      <small>How these clauses are read here:</small>
      ${clauses.map(({ id, source, says }) => html`<span><b>${inCards(id)}</b>${source && source !== "<mapping>" && ` (${source})`}: ${spoken(says.join(" ")) || "nothing is known of it here"}</span>`)}
    </span>`}`;
}

const MOST_SAID = 3; // sentences of a clause
const CITING = /** @type {const} */ (["outcomes", "rules", "observables", "events", "options", "readings"]);

/**
 * The text of a clause: from the functions that encode it, else from whatever cites it.
 *
 * @param {RulesOf | null} rules
 * @param {string} id
 * @returns {{source: string, says: string[]}} Says nothing where the rules do not know the clause.
 */
export function clauseIn(rules, id) {
  const clause = rules?.clauses.find((one) => one.name === id);
  if (!rules || !clause) return { source: "", says: [] };
  const citing = (/** @type {{cites: string[], text?: string, reason?: string}[]} */ things) =>
    things.filter((one) => one.cites.includes(id)).sort((a, b) => a.cites.length - b.cites.length); // what cites little says most of it
  const encoding = citing(rules.functions);
  const found = encoding.length ? encoding : citing(CITING.flatMap((kind) => rules[kind]));
  const says = [...new Set(found.map((one) => one.text ?? one.reason ?? ""))].slice(0, MOST_SAID);
  if (clause.out_of_scope) says.unshift(`left out: ${clause.out_of_scope}`);
  if (!says.length) says.push(...clause.cases.slice(0, MOST_SAID).map((/** @type {string} */ name) => `an example: ${name}`));
  return { source: clause.source ?? "", says };
}

/**
 * An answer in full, as HTML: its headings, lists and tables, with clauses that tell what they say.
 *
 * @param {{text: string, label: string}} given
 */
export function Report({ text, label }) {
  const rules = useContext(Rules);
  const lines = text.split("\n").filter((line) => line.trim());
  const deep = (/** @type {string | undefined} */ line) => line?.search(/\S/) ?? 0;
  return html`<div class="full" role="region" tabindex="0" aria-label=${label}>
    ${lines.map((line, i) => {
      const [, said = "", ids = "", rest = ""] = /^(.*?)(?: \[([^\]]+)\](.*))?$/.exec(line.trim()) ?? [];
      const cites = ids.split(", ").filter((id) => rules?.clauses.some(({ name }) => name === id));
      if (/\S {3,}\S|[─━]{3}/.test(line)) return html`<pre>${line}</pre>`;
      if (!deep(line) && deep(lines[i + 1])) return html`<h3>${spoken(said)}</h3>`;
      return html`<p style=${{ marginLeft: `${deep(line) / 2}em` }}>${spoken(said)} ${cites.length ? html`<${Cites} cites=${cites} />` : spoken(ids && ` [${ids}]`)}${spoken(rest)}</p>`;
    })}
  </div>`;
}
