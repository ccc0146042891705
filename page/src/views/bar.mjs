// The bar that is always in sight and never moves: undo, redo, the end of a turn, and the standing in a line.
import { useAnswer } from "../answers.mjs";
import { attempt } from "../attempt.mjs";
import { headline, scoreText } from "../headline.mjs";
import { html } from "../html.mjs";
import { rulesOf, standing } from "../store.mjs";
import { useEffect } from "../vendor/hooks.mjs";

/** @import { Props } from "../../types.js" */

const ENDS = /^end_(player_)?turn$/;

/** @param {Props} props */
export function Bar(props) {
  const { state, dispatch, backend } = props;
  const { position, past, future, readOnly } = state;
  const { shown: status, busy } = useAnswer(backend, standing(position));
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
  const ends = rules?.events.find((/** @type {any} */ one) => ENDS.test(one.name) && !one.arguments.length);
  // Not `disabled`: what is disabled loses the focus.
  const button = (/** @type {string} */ label, /** @type {boolean} */ can, /** @type {() => void} */ act) =>
    html`<button aria-disabled=${String(!can)} onClick=${() => can && act()}>${label}</button>`;
  const said = status && headline(status, rules);
  return html`<section class="bar" aria-label="Standing">
    ${!readOnly &&
    html`<p class="buttons">
      ${button("Undo", past.length > 0, () => dispatch({ do: "undo" }))} ${button("Redo", future.length > 0, () => dispatch({ do: "redo" }))}
      ${ends && button("End turn", true, () => attempt(props, ends.name))}
    </p>`}
    <p class="headline" role="status" aria-busy=${String(busy)}>
      ${said &&
      html`${said.scores.length > 0 && html`<b>${said.scores.map(scoreText).join(", ")}</b>${" "}`} ${said.result && html`<strong>${said.result}</strong>${" "}`}
        <span>${[said.turn, said.lead, said.of].filter(Boolean).join("; ")}</span>`}
    </p>
  </section>`;
}
