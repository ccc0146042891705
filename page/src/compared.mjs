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
  /** @type {[any, any][]} */
  const pairs = now.outcomes.map((/** @type {any} */ o) => [o, before.outcomes.find((/** @type {any} */ was) => named(was) === named(o)) ?? o]);
  for (const [outcome, was] of pairs) {
    if (was.status !== outcome.status) found.push(`${named(outcome)}: ${outcome.status}, was ${was.status}`);
    if (was.need !== outcome.need) found.push(`${named(outcome)}: needs ${outcome.need ?? "nothing"}, needed ${was.need ?? "nothing"}`);
  }
  for (const [name, value] of Object.entries(now.observables)) {
    const was = before.observables[name];
    if (name in before.observables && was !== value) found.push(`${name}: ${value ?? "undefined"}, was ${was ?? "undefined"}`);
  }
  if (found.length) return found;
  return pairs.filter(([outcome, was]) => was.have !== outcome.have).map(([outcome, was]) => `${named(outcome)}: has ${outcome.have}, had ${was.have}`);
}

/**
 * An outcome as `ask` takes it.
 *
 * @param {any} outcome
 */
export const named = (outcome) => [outcome.rule, outcome.level, outcome.side].filter(Boolean).join(" ");
