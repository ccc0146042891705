// What two statuses differ in.

/**
 * The observables and outcomes that are another one now.
 *
 * @param {any} before An answer of `status`.
 * @param {any} now The same, later.
 * @returns {string[]} A line for each.
 */
export function differences(before, now) {
  const found = [];
  if (before.winner !== now.winner) found.push(now.winner ? `${now.winner} has won` : "nobody has won any more");
  for (const outcome of now.outcomes) {
    const was = before.outcomes.find((/** @type {any} */ o) => o.rule === outcome.rule && o.side === outcome.side && o.level === outcome.level);
    if (was && was.status !== outcome.status) found.push(`${named(outcome)}: ${outcome.status}, was ${was.status}`);
  }
  for (const [name, value] of Object.entries(now.observables)) {
    const was = before.observables[name];
    if (name in before.observables && was !== value) found.push(`${name}: ${value ?? "undefined"}, was ${was ?? "undefined"}`);
  }
  return found;
}

/**
 * An outcome as `ask` takes it.
 *
 * @param {any} outcome
 */
export const named = (outcome) => [outcome.rule, outcome.level, outcome.side].filter(Boolean).join(" ");
