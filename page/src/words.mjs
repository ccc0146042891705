// What the page says of steps, statuses and numbers.

/** @import { Step } from "../types.js" */

/**
 * A step of a record where the rules say no sentence of it: a change by hand, or an event until the sentence is there.
 *
 * @param {Step} step
 * @returns {string}
 */
export function stepText(step) {
  if (typeof step === "string") return plain(step);
  const [name = "", args] = Object.entries(step)[0] ?? [];
  return name === "set" ? `by hand: ${leaves(args).join("; ")}` : `${plain(name)}: ${argsText(args ?? {})}`;
}

/**
 * What an event is given: names speak for themselves, a number is said with what it counts.
 *
 * @param {object} args
 */
export const argsText = (args) => Object.entries(args).map(([name, value]) => argument(plain(name), value)).join(", ");

const argument = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  value === "yes" ? name : value === "no" || value === "none" ? `no ${name}` : typeof value === "string" ? value : `${name} ${JSON.stringify(value)}`;

/**
 * The facts of a change by hand, each with its new value.
 *
 * @param {any} part
 * @param {string} [before]
 * @returns {string[]}
 */
function leaves(part, before = "") {
  if (part === null || typeof part !== "object") return [`${before} is ${part ?? "none"}`];
  return Object.entries(part).flatMap(([key, value]) => leaves(value, before ? `${before} ${key}` : key.replaceAll("_", " ")));
}

/**
 * A name as programs write it, as words.
 *
 * @param {string} name
 */
export const plain = (name) => name.replaceAll("_", " ");

/**
 * The entries of a cell, those of one value in a line each, the largest value first.
 *
 * @param {Record<string, string | number | boolean>} entries
 * @returns {string[]}
 */
export function grouped(entries) {
  /** @type {Map<string | number | boolean, string[]>} */
  const labels = new Map();
  for (const [label, value] of Object.entries(entries)) labels.set(value, [...(labels.get(value) ?? []), label]);
  const size = (/** @type {string | number | boolean} */ value) => (typeof value === "number" ? value : 0);
  return [...labels].sort(([a], [b]) => size(b) - size(a)).map(([value, names]) => `${value}: ${names.join(", ")}`);
}

/** @type {Record<string, string>} */
const LABELS = { within: "At most", side: "Side", attack: "Attack", defend: "Defend" };

/**
 * A sentence of an answer in the words of the page: a choice by its label.
 *
 * @param {string} text
 */
export const ofPage = (text) => text.replace(/\((\w+)\)|"(\w+)": "([^"]*)"/g, (whole, alone, name, value) => (LABELS[alone] ? `(“${LABELS[alone]}”)` : LABELS[name] ? `“${LABELS[name]}” ${value}` : whole));
