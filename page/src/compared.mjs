// What two statuses differ in.

/**
 * The observables and outcomes that are another one now.
 *
 * @param {any} before An answer of `status`.
 * @param {any} now The same, later.
 * @returns {string[]} A line for each. What a side has for an outcome is among the observables as a rule, so it is told
 *   where nothing else differs.
 */
export function differences(before, now) {
  const found = [];
  if (before.winner !== now.winner) found.push(now.winner ? `${now.winner} has won` : "nobody has won any more");
  const outcomes = paired(byName(before.outcomes), byName(now.outcomes));
  for (const [name, was, is] of outcomes) {
    if (!was || !is) found.push(is ? `${name}: there is this outcome, too` : `${name}: there is no such outcome`);
    else {
      if (was.status !== is.status) found.push(`${name}: ${is.status}, was ${was.status}`);
      if (was.need !== is.need) found.push(`${name}: needs ${is.need ?? "nothing"}, needed ${was.need ?? "nothing"}`);
    }
  }
  for (const [name, was, is] of paired(before.observables, now.observables)) {
    if (was === undefined || is === undefined) found.push(is === undefined ? `${name}: is not counted` : `${name}: ${is ?? "undefined"}, was not counted`);
    else if (was !== is) found.push(`${name}: ${is ?? "undefined"}, was ${was ?? "undefined"}`);
  }
  if (found.length) return found;
  return outcomes.filter(([, was, is]) => was.have !== is.have).map(([name, was, is]) => `${name}: has ${is.have}, had ${was.have}`);
}

/**
 * What two mappings have under each name; undefined: one has it not.
 *
 * @param {Record<string, any>} before
 * @param {Record<string, any>} now
 * @returns {[string, any, any][]}
 */
const paired = (before, now) => [...new Set([...Object.keys(before), ...Object.keys(now)])].map((name) => [name, before[name], now[name]]);

/** @param {any[]} outcomes */
const byName = (outcomes) => Object.fromEntries(outcomes.map((outcome) => [named(outcome), outcome]));

/**
 * An outcome as `ask` takes it.
 *
 * @param {any} outcome
 */
export const named = (outcome) => [outcome.rule, outcome.level, outcome.side].filter(Boolean).join(" ");
