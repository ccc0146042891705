// The box for a goal, or for a text of rules, with completion.
import { html } from "../html.mjs";
import { LINES } from "../lines.mjs";
import { useContext, useMemo, useRef, useState } from "../vendor/hooks.mjs";
import { Rules } from "./parts.mjs";

/** @import { Call, Rules as RulesOf, Vocabulary, Word } from "../../types.js" */

/**
 * @param {{text: string, onText: (text: string) => void, onEnter?: () => void}} given Without
 *   `onEnter` it is for a text of several lines.
 */
export function GoalBox({ text, onText, onEnter }) {
  const rules = useContext(Rules);
  const typing = onEnter ? undefined : text;
  const known = useMemo(() => (rules ? vocabulary(rules, typing) : { words: [], calls: new Map(), kinds: [] }), [rules, typing]);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const [at, setAt] = useState(0);
  const id = onEnter ? "" : "s";
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  const offered = open ? completions(text, at, known) : { from: 0, words: [] };
  const shown = open && offered.words.length > 0;

  const take = (/** @type {Word | undefined} */ word) => {
    if (!word) return;
    const after = text.slice(at);
    const then = word.then ?? "";
    const changed = text.slice(0, offered.from) + word.text + (after.startsWith(then.trim()) ? "" : then);
    onText(changed + after);
    setAt(changed.length);
    setChosen(-1);
    setOpen(/[(,] *$/.test(changed));
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(changed.length, changed.length);
    });
  };
  const typed = (/** @type {any} */ event) => {
    onText(event.currentTarget.value);
    setAt(event.currentTarget.selectionStart ?? event.currentTarget.value.length);
    setOpen(true);
    setChosen(-1);
  };
  const caret = (/** @type {any} */ event) => setAt(event.currentTarget.selectionStart ?? 0);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (steps && (shown || (onEnter && event.key === "ArrowDown"))) {
      const number = offered.words.length;
      setOpen(true);
      if (number) setChosen((now) => (now < 0 ? (steps > 0 ? 0 : number - 1) : (now + steps + number) % number));
    } else if (event.key === "Escape" && shown) setOpen(false);
    else if ((event.key === "Enter" || event.key === "Tab") && shown && chosen >= 0) take(offered.words[chosen]);
    else if (event.key === "Enter" && onEnter) {
      setOpen(false);
      onEnter();
    } else return;
    event.preventDefault();
  };
  return html`<div class="goalbox">
    <${onEnter ? "input" : "textarea"}
      ref=${box}
      ...${onEnter
        ? { type: "text", role: "combobox", "aria-label": "Question in the goal language", "aria-expanded": String(shown), placeholder: "such as an outcome, or a count compared with a number" }
        : { rows: 9, "aria-label": "Outcomes as text", placeholder: "such as SIDE wins NAME at the end if CONDITION" }}
      aria-controls=${`words${id}`}
      aria-autocomplete="list"
      aria-activedescendant=${shown && chosen >= 0 ? `word${id}${chosen}` : undefined}
      autocomplete="off"
      spellcheck=${false}
      value=${text}
      onInput=${typed}
      onKeyDown=${onKeyDown}
      onKeyUp=${caret}
      onClick=${caret}
      onBlur=${() => setOpen(false)}
    />
    <ul id=${`words${id}`} role="listbox" aria-label="Words that fit" hidden=${!shown} style=${onEnter ? {} : { top: `${(text.slice(0, at).split("\n").length + 0.5) * 1.45}em` }}>
      ${offered.words.map(
        (word, i) =>
          html`<li id=${`word${id}${i}`} role="option" aria-selected=${String(i === chosen)} onMouseDown=${(/** @type {Event} */ e) => (e.preventDefault(), take(word))}>
            ${word.text} <small>${word.says}</small>
          </li>`,
      )}
    </ul>
  </div>`;
}

const BEGUN = /[\p{L}_][\p{L}\p{N}_.' -]*$/u;
const COMPARED = /([\p{L}_][\p{L}\p{N}_]*)(?:\([^()]*\))?\s*[=!]=\s*([^()=]*)$/u;
const VARIABLE = /(?:\b(?:count|some|no)\(|\bfor\s+|\bthrough\s+)\s*([\p{L}_][\p{L}\p{N}_ ]*)?$/u;
const CLAUSE = /\b(?:in|of|where)\b/u;
const GROUP = /([\p{L}_][\p{L}\p{N}_ ]*?)\s+in\s+([^()]*)$/u;
/** The words that count and choose, as `vclogic.terms.expressions` has them. */
const FORMS = {
  count: "how many of a kind there are of which something holds",
  some: "there is one of which it holds",
  no: "there is none of which it holds",
  sum: "the sum of a number for each of a kind",
  max: "the largest",
  min: "the smallest",
  if: "one value or another",
  connected: "a path leads from a place to a group",
  down: "a division, rounded down",
  up: "a division, rounded up",
  reaches: "a way leads there that costs so much at most",
  cheapest: "what the cheapest way costs",
};
/** So many words are offered at once. */
export const MOST = 12;

/**
 * What may be written at the cursor: an argument within brackets, a value after `==`, else any name there is.
 *
 * @param {string} text
 * @param {number} at The cursor.
 * @param {Vocabulary} vocabulary
 * @returns {{from: number, words: Word[]}} From where on the text before the cursor is replaced, and by what.
 */
export function completions(text, at, { words, calls, kinds }) {
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at); // of the line
  const grouped = GROUP.exec(before);
  const kind = grouped && kinds.find(({ name }) => (grouped[1] ?? "").endsWith(name));
  if (grouped && kind?.groups.length) return fitting(at, grouped[2] ?? "", kind.groups.map((name) => ({ text: name, says: `a group of ${kind.name}` })));
  const variable = VARIABLE.exec(before);
  if (variable && !CLAUSE.test(variable[1] ?? "")) return fitting(at, variable[1] ?? "", kinds.map(({ name }) => ({ text: name, says: "a kind", then: " where " })));
  const inside = argument(before);
  const call = inside && calls.get(inside.name);
  if (inside && call) {
    const given = call.arguments[inside.number];
    if (given?.names?.length) return fitting(at, inside.begun, given.names.map((name) => ({ text: name, says: given.kind ?? "", then: inside.number + 1 < call.arguments.length ? ", " : ")" })));
  }
  const compared = COMPARED.exec(before);
  const values = (compared && calls.get(compared[1] ?? "")?.values) ?? [];
  if (compared && values.length) return fitting(at, compared[2] ?? "", values.map((name) => ({ text: name, says: "a value" })));
  const found = BEGUN.exec(before);
  for (let begun = found?.[0] ?? ""; begun; begun = begun.slice(begun.search(/[ (]/) + 1 || begun.length)) {
    const known = fitting(at, begun, words);
    if (known.words.length) return known;
  }
  return { from: at, words: text.trim() ? [] : words.slice(0, MOST) };
}

/**
 * The argument that is written: the call that is open, and which argument of it.
 *
 * @param {string} before
 */
function argument(before) {
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    if (before[i] === ")") depth += 1;
    else if (before[i] === "(" && (depth -= 1) < 0) {
      const name = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before.slice(0, i))?.[0] ?? "";
      const given = before.slice(i + 1).split(",");
      return { name, number: given.length - 1, begun: (given.at(-1) ?? "").trimStart() };
    }
  }
  return null;
}

/**
 * The words that go on from what is begun.
 *
 * @param {number} at The cursor.
 * @param {string} begun
 * @param {Word[]} words
 */
function fitting(at, begun, words) {
  const low = begun.toLowerCase();
  const found = words.filter(({ text }) => text.toLowerCase().startsWith(low) && text !== begun);
  return { from: at - begun.length, words: found.slice(0, MOST) };
}

/**
 * The names that goals of a game may hold, or a text of rules.
 *
 * @param {RulesOf} rules
 * @param {string} [typed] The text of rules.
 * @returns {Vocabulary}
 */
export function vocabulary(rules, typed) {
  /** @type {Call[]} */
  const calls = rules.observables.map((o) => ({ text: o.name, says: o.text ?? "", arguments: o.arguments, values: o.value?.names ?? [] }));
  /** @type {{name: string, members: string[], groups: string[], properties: string[]}[]} */
  const kinds = rules.kinds ?? [];
  for (const { name, members, properties } of kinds) {
    const one = { kind: name, names: members };
    for (const text of properties) calls.push({ text, says: `of ${name}`, arguments: ["adjacent", "distance"].includes(text) ? [one, one] : [one], values: [] });
  }
  const seen = new Set();
  const lines = typed === undefined ? [] : [...LINES, ...(typed.match(/^\w+(?=.* means)|\w+(?=:)/gm) ?? []).map((text) => ({ text, says: "" }))];
  const all = [
    ...lines,
    ...Object.entries(FORMS).map(([text, says]) => ({ text: `${text}(`, says })),
    ...calls.map((call) => ({ text: call.arguments.length ? `${call.text}(` : call.text, says: call.says })),
    ...rules.outcomes.map((o) => ({ text: o.name, says: "an outcome" })),
    ...kinds.flatMap(({ name, members }) => members.map((text) => ({ text, says: name }))),
  ];
  return { words: all.filter(({ text }) => !seen.has(text) && seen.add(text)), calls: new Map(calls.map((call) => [call.text, call])), kinds };
}
