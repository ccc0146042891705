// The score in a line: whose turn it is, what each side has of what it needs, who has enough and when that is judged.
import { plain } from "./words.mjs";

/** @import { Outcome, Rules, Status } from "../types.js" */

/** @typedef {{side: string, have: number, need: number | null, enough: boolean}} Score */

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
  const leveled = "level" in observables; // a table of levels compares what the sides have: nobody needs a number of their own
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
const judged = ({ when }) => plain(when.replace(/ \(`\w+`\)/, "")) || "at once";

/**
 * What the sides have towards the outcome that is nearest: one that a side has enough for, or of which it has the largest part.
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
  return { scores: found.map((one) => ({ side: one.side, have: Number(have(one)), need: one.need, enough: false })), of: `for ${nameOf(nearest)}`, rule };
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
