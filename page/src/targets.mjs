// Where what may be decided at a place leads: to the places that its events name after it. No game is known here.

/** @import { Allowed, Legal, Step } from "../types.js" */

/** @typedef {{name: string, one: Allowed}} Way An event of a kind. */

/**
 * The events of an answer to `legal`.
 *
 * @param {Legal} answer
 * @param {string} [target] Only those that lead there.
 * @returns {Way[]}
 */
export const waysOf = (answer, target) =>
  answer.events.flatMap(({ name, allowed }) => allowed.filter((one) => !target || one.targets?.includes(target)).map((one) => ({ name, one })));

/**
 * The places that they lead to.
 *
 * @param {Legal | null} answer
 * @returns {Set<string>}
 */
export const targetsOf = (answer) => new Set((answer?.events ?? []).flatMap((kind) => [kind, ...kind.allowed].flatMap(({ targets = [] }) => targets)));

/**
 * The step to a target, if nothing is left to choose.
 *
 * @param {Legal} answer
 * @param {string} target
 * @returns {Step | null}
 */
export function onlyStep(answer, target) {
  const [way, ...others] = waysOf(answer, target);
  const more = others.length || answer.events.some(({ targets }) => targets?.includes(target));
  return way && !more && !Object.keys(way.one.numbers).length ? { [way.name]: way.one.args } : null;
}

/**
 * The way with another value of an argument that agrees most with the one that was chosen.
 *
 * @param {Way[]} ways
 * @param {Way} way
 * @param {string} name
 * @param {string} value
 */
export function nearestWay(ways, way, name, value) {
  const alike = (/** @type {Way} */ { one }) => Object.keys(way.one.args).filter((key) => one.args[key] === way.one.args[key]).length;
  return ways.filter(({ one }) => String(one.args[name]) === value).reduce((best, one) => (alike(one) > alike(best) ? one : best));
}
