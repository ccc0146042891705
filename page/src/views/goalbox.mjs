// The box for a goal, with completion.
import { completions, vocabulary } from "../complete.mjs";
import { html } from "../html.mjs";
import { useContext, useMemo, useRef, useState } from "../vendor/hooks.mjs";
import { Rules } from "./parts.mjs";

/** @import { Word } from "../complete.mjs" */

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
  const id = onEnter ? "" : "s"; // of what it offers
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
      onFocus=${caret}
      onKeyUp=${caret}
      onClick=${caret}
      onBlur=${() => setOpen(false)}
    />
    <ul id=${`words${id}`} role="listbox" aria-label="Words that fit" hidden=${!shown}>
      ${offered.words.map(
        (word, i) =>
          html`<li id=${`word${id}${i}`} role="option" aria-selected=${String(i === chosen)} onMouseDown=${(/** @type {Event} */ e) => (e.preventDefault(), take(word))}>
            ${word.text} <small>${word.says}</small>
          </li>`,
      )}
    </ul>
  </div>`;
}
