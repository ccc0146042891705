// The bar that is always in sight and never moves: undo, redo, the end of a turn, and the standing in a line.
import { useAnswer } from "../answers.mjs";
import { attempt } from "../attempt.mjs";
import { headline, scoreText } from "../headline.mjs";
import { html } from "../html.mjs";
import { rulesOf, seenPosition, standing } from "../store.mjs";
import { useEffect } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";

/** @import { Props } from "../../types.js" */

const ENDS = /^end_(player_)?(turn|phase)$/;
const capital = (/** @type {string} */ name) => plain(name[0]?.toUpperCase() + name.slice(1));

/** @param {Props} props */
export function Bar(props) {
  const { state, dispatch, backend } = props;
  const { position, past, future, readOnly } = state;
  const after = seenPosition(state);
  const { shown: status, busy } = useAnswer(backend, standing(after));
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea");
      const key = event.key.toLowerCase();
      if (typing || readOnly || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
      event.preventDefault();
      dispatch({ do: key === "y" || event.shiftKey ? "redo" : "undo" });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [readOnly]);
  if (!position) return null;
  const ends = rules?.events.find(({ name }) => ENDS.test(name));
  const mover = String(status?.turn.turn);
  const args = Object.fromEntries((ends?.arguments ?? []).map(({ name }) => [name, mover]));
  const fits = ends?.arguments.every(({ names }) => names?.includes(mover));
  // Not `disabled`: what is disabled loses the focus.
  const button = (/** @type {string} */ label, /** @type {boolean} */ can, /** @type {() => void} */ act) =>
    html`<button aria-disabled=${String(!can)} onClick=${() => can && act()}>${label}</button>`;
  const said = status && headline(status, rules);
  return html`<section class="bar" aria-label="Standing">
    ${!readOnly &&
    html`<p class="buttons">
      ${button("Undo", past.length > 0, () => dispatch({ do: "undo" }))} ${button("Redo", future.length > 0, () => dispatch({ do: "redo" }))}
      ${ends && button(capital(ends.name), Boolean(fits) && !status?.over, () => attempt(props, ends.arguments.length ? { [ends.name]: args } : ends.name))}
    </p>`}
    <p class="headline" role="status" aria-busy=${String(busy)}>
      ${said &&
      html`${after !== position && html`<small>after the move shown: </small>`}
        ${said.turn && html`<span class="turn">${said.turn}</span>${" "}`} ${said.result && html`<strong>${said.result}</strong>${" "}`}
        ${said.scores.length > 0 &&
        html`<b>${said.scores.map((one, i) => html`${i ? ", " : ""}<span class=${one.enough ? "enough" : ""}>${scoreText(one)}</span>`)}</b>${" "}<small>${said.of}</small>${" "}`}
        ${said.notes.length > 0 && html`<span class="notes">${said.notes.join("; ")}</span>`}`}
    </p>
  </section>`;
}
