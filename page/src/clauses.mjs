// What a clause of a rule text says, in the words of what encodes it.

/** @import { Answer } from "../types.js" */

/** So much is said of a clause. */
const MOST = 3;
const CITING = ["outcomes", "rules", "observables", "events", "options", "readings"];

/**
 * What a clause says: the functions that encode it tell; where there are none, whatever else cites it.
 *
 * @param {Answer} rules The answer to `rules`.
 * @param {string} id
 * @returns {{source: string, says: string[]}} Says nothing where the rules do not know the clause.
 */
export function clauseIn(rules, id) {
  const clause = rules?.clauses.find((/** @type {any} */ one) => one.name === id);
  if (!clause) return { source: "", says: [] };
  const citing = (/** @type {any[]} */ things) =>
    things.filter((one) => one.cites.includes(id)).sort((a, b) => a.cites.length - b.cites.length); // what cites little says most of it
  const encoding = citing(rules.functions);
  const found = encoding.length ? encoding : citing(CITING.flatMap((kind) => rules[kind]));
  const says = [...new Set(found.map((one) => one.text ?? one.reason))].slice(0, MOST);
  if (clause.out_of_scope) says.unshift(`left out: ${clause.out_of_scope}`);
  if (!says.length) says.push(...clause.cases.slice(0, MOST).map((/** @type {string} */ name) => `an example: ${name}`));
  return { source: clause.source ?? "", says };
}
