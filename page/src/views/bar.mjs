// The bar that is always in sight and never moves: undo, redo, the end of a turn, and the score in a line: whose turn it is, what
// each side has of what it needs, who has enough and when that is judged.
import { useAnswer } from "../answers.mjs";
import { attempt } from "../attempt.mjs";
import { html } from "../html.mjs";
import { rulesOf, seenPosition, standing } from "../store.mjs";
import { useEffect } from "../vendor/hooks.mjs";
import { plain, spoken } from "../words.mjs";

/** @import { Outcome, Props, Rules, Score, Status } from "../../types.js" */

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
        html`<b>${said.scores.map((one, i) => html`${i ? ", " : ""}<span class=${one.enough ? "enough" : ""}>${scoreText(one)}</span>`)}</b>`}
        <span class="notes">${[said.of, ...said.notes].filter(Boolean).join("; ")}</span>`}
    </p>
  </section>`;
}

/**
 * The score of a status, in parts of a line.
 *
 * @param {Status} status
 * @param {Rules | null} rules Their clauses tell which count an outcome without a threshold rests on.
 * @returns {{turn: string, result: string, scores: Score[], of: string, notes: string[]}} `of` is what the scores are, or
 *   what for; notes: who leads, who has enough of what, and when that is judged.
 */
export function headline(status, rules) {
  const { observables, outcomes, over } = status;
  const leveled = "level" in observables; // levels compare the sides: nobody needs a number
  const { scores, of, rule } = (!leveled && towards(status)) || counted(status, rules) || { scores: [], of: "", rule: "" };
  const enough = over ? [] : outcomes.filter(hasEnough);
  const first = [...new Map(enough.toReversed().map((one) => [one.side, one])).values()];
  const told = first.map((one) => {
    const what = one.rule === rule && scores.some(({ side, need }) => side === one.side && need !== null) ? "" : ` for ${nameOf(one)}`;
    return `${one.side}: enough${what}, judged ${judged(one)}`;
  });
  const notes = [leveled && !enough.length && !over && noLevel(observables.level), lead(scores), !leveled && !over && !scores.length && !first.length && "nobody has enough yet", ...told.toReversed()];
  const withEnough = scores.map((one) => ({ ...one, enough: enough.some(({ side }) => side === one.side) }));
  return { turn: over ? "" : turnOf({ ...observables, ...status.turn }), result: resultOf(status), scores: withEnough, of, notes: notes.filter(Boolean).map(String) };
}

/** @param {Score} score */
export const scoreText = ({ side, have, need }) => `${side} ${have}${need === null ? "" : ` of ${need}`}`;

/** @param {Outcome} outcome */
const hasEnough = ({ status, fulfilled }) => status === "unmet" && fulfilled;

/** @param {Outcome} outcome */
const nameOf = ({ rule, level }) => plain([rule, level].filter(Boolean).join(" "));

/** @param {Outcome} outcome */
const judged = ({ when }) => spoken(when) || "at once";

/**
 * The sides and the nearest outcome: one that a side has enough for, or the largest part of.
 *
 * @param {Status} status
 */
function towards({ outcomes, observables }) {
  const measured = outcomes.filter(({ have, need, status }) => have !== null && need !== null && need > 0 && status !== "undefined");
  const part = (/** @type {Outcome} */ one) => (one.status === "met" ? 3 : one.fulfilled ? 2 : Math.min(Number(one.have) / Number(one.need), 1));
  const [nearest] = [...measured].sort((a, b) => part(b) - part(a));
  if (!nearest) return null;
  const { rule } = nearest;
  const scores = outcomes.filter((one) => one.rule === rule && one.level === nearest.level && one.side !== "nobody");
  const count = nearest.count?.replace(/\(.*/, "");
  const have = (/** @type {Outcome} */ one) => one.have ?? (count && observables[`${count}(${one.side})`]);
  const found = scores.filter((one) => typeof have(one) === "number");
  const shown = (/** @type {Outcome} */ { side }) => found.filter((one) => one.side === side).sort((a, b) => Number(!a.need) - Number(!b.need))[0];
  return { scores: found.filter((one) => one === shown(one)).map((one) => ({ side: one.side, have: Number(have(one)), need: one.need, enough: false })), of: `for ${nameOf(nearest)}`, rule };
}

/**
 * The last count with a number for each side, of those that share a clause with an outcome, if any do: the later one counts
 * what the earlier one does, and more.
 *
 * @param {Status} status
 * @param {Rules | null} rules
 */
export function counted({ outcomes, observables }, rules) {
  const sides = [...new Set(outcomes.map((one) => one.side))].filter((side) => side && side !== "nobody");
  const value = (/** @type {string} */ name, /** @type {string} */ side) => observables[`${name}(${side})`];
  const names = [...new Set(Object.keys(observables).map((call) => call.split("(", 1)[0] ?? ""))];
  const whole = names.filter((name) => sides.length > 1 && sides.every((side) => typeof value(name, side) === "number"));
  const clauses = new Set(outcomes.flatMap((one) => one.cites));
  const cites = (/** @type {string} */ name) => (rules?.observables ?? []).find((one) => one.name === name)?.cites ?? [];
  const counts = outcomes.map(({ count }) => count?.replace(/\(.*/, ""));
  const found = whole.find((name) => counts.includes(name)) ?? whole.filter((name) => cites(name).some((one) => clauses.has(one))).at(-1) ?? whole[0];
  if (!found) return null;
  return { scores: sides.map((side) => ({ side, have: Number(value(found, side)), need: null, enough: false })), of: plain(found), rule: "", cites: cites(found) };
}

/** @param {Status["observables"]} observables */
function turnOf({ round, turn, phase }) {
  const whose = turn && turn !== "none" ? `${turn} to move` : "between turns";
  const parts = [round !== undefined && `round ${round}`, turn !== undefined && whose, phase && phase !== "between" && plain(String(phase))];
  return parts.filter(Boolean).join(", ");
}

/**
 * The result as the answer tells it; as long as nobody has won, what is met.
 *
 * @param {Status} status
 */
const resultOf = ({ headline, over, winners }) => plain(over || winners.length ? headline : headline.split("; ").slice(1).join("; "));

/** @param {unknown} level As the game calls it. */
const noLevel = (level) => (level === null || level === "undefined" || level === "none" ? "no level of victory yet" : `at the end: ${plain(String(level))}`);

/** @param {Score[]} scores */
function lead(scores) {
  const [first, second] = [...scores].sort((a, b) => b.have - a.have);
  if (!first || !second || scores.some(({ need }) => need !== null)) return "";
  return first.have === second.have ? "level" : `${first.side} ${first.have - second.have} ahead`;
}
