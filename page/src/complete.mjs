// Completion in the goal language: the names that go on from what is written before the cursor.

/** @typedef {{text: string, says: string}} Word */

const BEGUN = /[\p{L}_][\p{L}\p{N}_.' -]*$/u;
/** So many words are offered at once. */
export const MOST = 12;

/**
 * What may be written at the cursor.
 *
 * @param {string} text
 * @param {number} at The cursor.
 * @param {Word[]} words All names there are.
 * @returns {{from: number, words: Word[]}} From where on the text before the cursor is replaced, and by what.
 */
export function completions(text, at, words) {
  const before = text.slice(0, at);
  const found = BEGUN.exec(before);
  for (let begun = found?.[0] ?? ""; begun; begun = begun.slice(begun.search(/[ (]/) + 1 || begun.length)) {
    const low = begun.toLowerCase();
    const fitting = words.filter((word) => word.text.toLowerCase().startsWith(low) && word.text !== begun);
    if (fitting.length) return { from: at - begun.length, words: fitting.slice(0, MOST) };
  }
  return { from: at, words: before.trim() ? [] : words.slice(0, MOST) };
}

/**
 * The names that goals of a game may hold.
 *
 * @param {any} rules The answer of `rules`.
 * @param {{name: string, label: string}[]} places
 * @returns {Word[]}
 */
export function vocabulary(rules, places) {
  const outcomes = rules.outcomes.map((/** @type {any} */ o) => o.name);
  const calls = rules.observables.map((/** @type {any} */ o) => ({
    text: o.parameters?.length || o.arguments?.length ? `${o.name}(` : o.name,
    says: o.text ?? "",
  }));
  const seen = new Set();
  const all = [
    ...calls,
    ...outcomes.map((/** @type {string} */ text) => ({ text, says: "an outcome" })),
    ...places.map(({ name }) => ({ text: name, says: "a place" })),
  ];
  return all.filter(({ text }) => !seen.has(text) && seen.add(text));
}
