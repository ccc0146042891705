// Changes of the state by hand, as steps.

/** @import { Answer, Step } from "../types.js" */

/**
 * The step that gives a fact another value.
 *
 * @param {string[]} path Where the fact stands under `state`.
 * @param {string | number | boolean} value
 * @param {Answer} [beside] What has to be given with it (`beside` of a place).
 * @returns {Step}
 */
export function change(path, value, beside = {}) {
  const state = /** @type {any} */ ({});
  let part = state;
  let given = beside;
  for (const key of path.slice(0, -1)) {
    given = given?.[key];
    part = part[key] = given && typeof given === "object" ? structuredClone(given) : {};
  }
  part[/** @type {string} */ (path.at(-1))] = value;
  return { state };
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
