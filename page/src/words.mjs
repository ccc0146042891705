// What the page says of steps, statuses and numbers, and what two statuses differ in.

/** @import { Step } from "../types.js" */

/** A step of a record where the rules say no sentence of it: a change by hand, or an event until the sentence is there. @type {(step: Step) => string} */
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

/** The facts of a change by hand, each with its new value. @type {(part: any, before?: string) => string[]} */
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

/** The entries of a cell, those of one value in a line each, the largest value first. @type {(entries: Record<string, string | number | boolean>) => string[]} */
export function grouped(entries) {
  /** @type {Map<string | number | boolean, string[]>} */
  const labels = new Map();
  for (const [label, value] of Object.entries(entries)) labels.set(value, [...(labels.get(value) ?? []), label]);
  const size = (/** @type {string | number | boolean} */ value) => (typeof value === "number" ? value : 0);
  return [...labels].sort(([a], [b]) => size(b) - size(a)).map(([value, names]) => `${value}: ${names.join(", ")}`);
}

/**
 * What answers say, for players: calls and names as programs write them as words, solvers as such, no files.
 *
 * @param {string} text
 */
export const spoken = (text) => plain(SAID.reduce((said, [pattern, words]) => said.replace(pattern, words), inCards(ofPage(text))));
const CALL = /\b([a-z]\w*)\(([^()]+)\)/g;
/** @type {[RegExp, string][]} */
const SAID = [
  [/ \(`\w+`\)|`| ?[\w/]+\.ya?ml:\d+| \(the fact \w+ of the position\)/g, ""],
  [/\badjacent\(([^,()]+), ([^()]+)\)/g, "$1 beside $2"],
  [CALL, "$1 of $2"],
  [CALL, "$1 of $2"], // around another one
  [/ == /g, " is "],
  [/ >= /g, " at least "],
  [/ <= /g, " at most "],
  [/\bcvc5( [\d.]*\d)?/g, "a second solver"],
  [/\b(HiGHS|z3)( [\d.]*\d)?(, bounded model checking)?/g, "a solver"],
  [/\b1 ([a-z]+[^s\W])s\b(?<!has|was|is)/g, "1 $1"],
];

/** Clauses of conditions that are typed, by their line. @param {string} text */
export const inCards = (text) => text.replace(/<mapping>:(\d+)/g, "conditions, line $1");

/** @type {Record<string, string>} */
const LABELS = { within: "At most", side: "Side", attack: "Attack", defend: "Defend" };

/**
 * A sentence of an answer in the words of the page: a choice by its label.
 *
 * @param {string} text
 */
export const ofPage = (text) => text.replace(/\((\w+)\)|"(\w+)": "([^"]*)"/g, (whole, alone, name, value) => (LABELS[alone] ? `(“${LABELS[alone]}”)` : LABELS[name] ? `“${LABELS[name]}” ${value}` : whole)).replace(/\b(\w+)\(\)/g, (_, name) => plain(name));

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
  const [had, have] = [before, now].map(({ winners }) => (winners ?? []).join(" and "));
  if (had !== have) found.push(have ? `${have} ${now.winners.length > 1 ? "have" : "has"} won` : "nobody has won any more");
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

/** What two mappings have under each name; undefined: one has it not. @type {(before: Record<string, any>, now: Record<string, any>) => [string, any, any][]} */
const paired = (before, now) => [...new Set([...Object.keys(before), ...Object.keys(now)])].map((name) => [name, before[name], now[name]]);

/** @param {any[]} outcomes */
const byName = (outcomes) => Object.fromEntries(outcomes.map((outcome) => [named(outcome), outcome]));

/**
 * An outcome as `ask` takes it.
 *
 * @param {any} outcome
 */
export const named = (outcome) => [outcome.rule, outcome.level, outcome.side].filter(Boolean).join(" ");
