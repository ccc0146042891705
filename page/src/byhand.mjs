// Changes of the state by hand, as steps.

/** @import { Answer, Step } from "../types.js" */

/**
 * The step that gives a fact another value; all others stay as they are.
 *
 * @param {string[]} path Where the fact stands in the state.
 * @param {string | number | boolean} value
 * @returns {Step}
 */
export const change = (path, value) => changes([{ path, to: value }]);

/**
 * The step that gives several facts other values.
 *
 * @param {{path: string[], to: string | number | boolean}[]} facts
 * @returns {Step}
 */
export function changes(facts) {
  const found = /** @type {any} */ ({});
  for (const { path, to } of facts) {
    let part = found;
    for (const key of path.slice(0, -1)) part = part[key] ??= {};
    part[path.at(-1) ?? ""] = to;
  }
  return { set: found };
}

/**
 * A text of a form as the value of a fact: the one of its values that is written so, or a number.
 *
 * @param {Answer} fact
 * @param {string} text
 */
export function valueOf(fact, text) {
  const known = [...fact.values, ...fact.here].find((value) => String(value) === text);
  return known ?? Number(text);
}
