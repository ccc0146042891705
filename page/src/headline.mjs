// The standing in one line: who leads in the game's own counts, what is short, who has met what, whose turn it is.
import { plain } from "./words.mjs";

/** @import { Answer } from "../types.js" */

/** @typedef {{side: string, have: number, need: number | null}} Score */

/**
 * The standing of a status, in parts of a line.
 *
 * @param {Answer} status
 * @param {Answer | null} rules Their clauses tell which count an outcome without a threshold rests on.
 * @returns {{turn: string, result: string, scores: Score[], of: string, lead: string}} `of` is what the scores are, or what for.
 */
export function headline(status, rules) {
  const { level } = status.observables; // a table of levels compares what the sides have: nobody needs a number of their own
  const { scores, of } = (level === undefined && towards(status.outcomes)) || counted(status, rules) || { scores: [], of: "" };
  return { turn: status.over ? "" : turnOf(status.observables), result: resultOf(status), scores, of, lead: level === undefined ? leadOf(scores) : levelOf(level) };
}

/** @param {Score} score */
export const scoreText = ({ side, have, need }) => `${side} ${have}${need === null ? "" : ` of ${need}`}`;

/**
 * What the sides have towards the outcome that is nearest: the one of which a side has the largest part.
 *
 * @param {any[]} outcomes
 */
function towards(outcomes) {
  const measured = outcomes.filter(({ have, need, status }) => have !== null && need > 0 && status !== "undefined");
  const part = (/** @type {any} */ one) => Math.min(one.have / one.need, 1);
  const [first, ...rest] = measured;
  if (!first) return null;
  const nearest = rest.reduce((best, one) => (part(one) > part(best) ? one : best), first);
  const scores = measured.filter((one) => one.rule === nearest.rule && one.level === nearest.level);
  return { scores: scores.map(({ side, have, need }) => ({ side, have, need })), of: `for ${plain([nearest.rule, nearest.level].filter(Boolean).join(" "))}` };
}

/**
 * The last count with a number for each side, of those that share a clause with an outcome, if any do: the later one counts
 * what the earlier one does, and more.
 *
 * @param {Answer} status
 * @param {Answer | null} rules
 */
function counted({ outcomes, observables }, rules) {
  const sides = [...new Set(outcomes.map((/** @type {any} */ one) => one.side))].filter((side) => side && side !== "nobody");
  const names = [...new Set(Object.keys(observables).map((call) => call.split("(", 1)[0] ?? ""))];
  const value = (/** @type {string} */ name, /** @type {unknown} */ side) => observables[`${name}(${side})`];
  const whole = names.filter((name) => sides.length > 1 && sides.every((side) => typeof value(name, side) === "number"));
  const clauses = new Set(outcomes.flatMap((/** @type {any} */ one) => one.cites));
  const cites = (/** @type {string} */ name) => (rules?.observables ?? []).find((/** @type {any} */ one) => one.name === name)?.cites ?? [];
  const had = (/** @type {string} */ name) => outcomes.every((/** @type {any} */ one) => one.have === null || one.have === value(name, one.side));
  const measured = whole.filter((name) => outcomes.some((/** @type {any} */ one) => one.have !== null) && had(name));
  const found = measured[0] ?? whole.filter((name) => cites(name).some((/** @type {string} */ one) => clauses.has(one))).at(-1) ?? whole[0];
  if (!found) return null;
  return { scores: sides.map((side) => ({ side: String(side), have: value(found, side), need: null })), of: plain(found) };
}

/** @param {Record<string, any>} observables */
function turnOf({ round, turn, phase }) {
  const whose = turn && turn !== "none" ? `${turn} to move` : "between turns";
  const parts = [round !== undefined && `round ${round}`, turn !== undefined && whose, phase && phase !== "between" && plain(String(phase))];
  return parts.filter(Boolean).join(", ");
}

/**
 * The result as the answer tells it; empty as long as nobody has won and no condition is met.
 *
 * @param {Answer} status
 */
const resultOf = ({ headline, over, outcomes }) => (over || outcomes.some((/** @type {any} */ one) => one.status === "met") ? plain(headline) : "");

/** @param {unknown} level As the game calls it. */
const levelOf = (level) => (level === null || level === "undefined" || level === "none" ? "no level of victory yet" : `at the end: ${plain(String(level))}`);

/** @param {Score[]} scores */
function leadOf(scores) {
  const short = scores.filter(({ have, need }) => need !== null && have < need);
  if (short.length) return short.map(({ side, have, need }) => `${side} ${Number(need) - have} short`).join(", ");
  const [first, second] = [...scores].sort((a, b) => b.have - a.have);
  if (!first || !second || first.need !== null) return "";
  return first.have === second.have ? "level" : `${first.side} ${first.have - second.have} ahead`;
}
