// The questions that may be asked, and how each becomes a request.

import { named, plain } from "./words.mjs";

/** @import { Asked, Described, Request, Rules, Status } from "../types.js" */

/**
 * What may be asked: what it means, what else it takes, and whether it is asked of a goal.
 *
 * @type {Record<string, {label: string, takes: string[], goal: boolean}>}
 */
export const KINDS = {
  plan: { label: "The fewest moves to it", takes: ["side", "within", "minimize", "opponent"], goal: true },
  reach: { label: "Can it happen at all?", takes: ["side", "within", "opponent"], goal: true },
  missing: { label: "What is missing for it?", takes: [], goal: true },
  ask: { label: "A ruling on it, with reasons", takes: [], goal: true },
  objectives: { label: "What to take and to hold for it", takes: ["side", "within", "minimize", "opponent"], goal: true },
  force: { label: "Can a side force it?", takes: ["side", "within", "minimize"], goal: true },
  defend: { label: "Can it be prevented?", takes: ["side", "within", "minimize"], goal: true },
  solve: { label: "Who wins if both play well? (small games)", takes: ["side"], goal: false },
  odds: { label: "The odds of a battle (games with dice)", takes: ["battle"], goal: false },
};

/**
 * Whether the moves of an answer can be drawn over the board.
 *
 * @param {any} answer
 */
export const drawable = (answer) => /^vclogic\/(plan|reach)\//.test(answer.schema) && answer.steps.length > 0;

/**
 * What of an answer is needed to draw its moves.
 *
 * @param {any} answer
 */
export const drawn = (answer) => ({ ...answer, report: undefined });

/** So many letters a line of an answer has at the most: the page breaks it. */
export const COLUMNS = 400;

const NAMES = /** @type {Record<string, string>} */ ({ ask: "question", defend: "threat" });

/**
 * The request of a question.
 *
 * @param {Asked & {goal: string, at: string}} asked At: the place that is selected, or empty.
 * @param {Described} moment
 * @returns {Request}
 */
export function requestOf(asked, moment) {
  const takes = KINDS[asked.kind]?.takes ?? [];
  const request = /** @type {Request} */ ({ ask: asked.kind, moment, report: true, columns: COLUMNS, progress: true });
  if (KINDS[asked.kind]?.goal) request[NAMES[asked.kind] ?? "goal"] = asked.goal;
  if (asked.kind === "plan") request.better = true;
  if (takes.includes("side") && asked.side) request.side = asked.side;
  if (takes.includes("within") && Number(asked.within) > 0) request.within = Number(asked.within);
  if (takes.includes("minimize") && asked.minimize) request.minimize = asked.minimize;
  if (takes.includes("opponent") && asked.opponent === "helps") request.opponent = "helps";
  if (takes.includes("battle")) {
    request.attack = forces(asked.attack);
    if (asked.defend.trim()) request.defend = forces(asked.defend);
    if (asked.at) request.at = asked.at;
  }
  request.timeout = Number(asked.timeout) || 60;
  return request;
}

/** Units as a person writes them, `3 armour, 2 fighters`, by their kinds. @type {(text: string) => Record<string, number>} */
export function forces(text) {
  const parts = text.split(/,|\band\b/).map((part) => part.trim());
  return Object.fromEntries(parts.filter(Boolean).map((part) => [part.replace(/\d+/, "").replace(/[:=]/, "").trim(), Number(/\d+/.exec(part)?.[0] ?? 1)]));
}

/** What may be asked for, in words. What is far is left out, the rest has a limit, but for counts half way. @type {(kind: string, status: Status, rules: Rules) => {says: string, goal: string, within: string}[]} */
export function examplesOf(kind, { outcomes, observables, turn }, rules) {
  const asked = (/** @type {string} */ side) => kind !== "defend" || side !== turn.turn;
  const limit = KINDS[kind]?.takes.includes("within") ? (kind === "reach" ? "2" : "1") : "";
  const open = outcomes.filter((one) => one.side && one.side !== "nobody" && one.status !== "met" && asked(one.side));
  const halfWay = (/** @type {any} */ { have, need }) => have > 0 && need > have && need <= 2 * have;
  const near = open.filter((one) => one.have === null || Number(one.need) <= one.have + 1 || halfWay(one));
  const counts = Object.entries(observables).flatMap(([name, value]) => {
    const [, count = "", of = ""] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
    if (!of || typeof value !== "number" || !asked(of)) return [];
    const up = near.find((one) => one.side === of && one.have === value && halfWay(one));
    const least = up?.need ?? value + 1;
    return [{ says: `${plain(count)} of ${of}: ${least} or more`, goal: `${name} >= ${least}`, within: up ? "" : limit }];
  });
  const goals = near.map((one) => {
    const text = rules.outcomes.find((o) => o.name === one.rule && o.side === one.side)?.text.split(/[,:;]/)[0] ?? "";
    return { says: text.includes(one.side) && text.length < LONG ? text : `${plain(one.rule)} for ${one.side}`, goal: kind === "ask" ? named(one) : `holds(${one.rule}, ${one.side})`, within: limit };
  });
  const once = [...new Map(goals.map((one) => [one.goal, one])).values()];
  return [...counts.slice(0, 2), ...(kind === "reach" ? [] : once.slice(0, 4))]; // over all events outcomes mostly run into their time
}
const LONG = 80; // letters

/** An event as a question. @type {(name: string, args: object) => string} */
export const eventText = (name, args) => (Object.keys(args).length ? `${name}: ${JSON.stringify(args)}` : name);

/** What plain words may mean: events with the arguments that they name, and outcomes; what holds most of the words first. @type {(text: string, rules: Rules, status: Status) => {says: string, goal: string, kind?: string}[]} */
export function meant(text, rules, { turn, outcomes }) {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => (/^(win|victor)/.test(word) ? "victor" : word.slice(0, 5)));
  const hits = (/** @type {string} */ said) => new Set(words.filter((word) => said.toLowerCase().includes(word))).size;
  const named = (/** @type {string[]} */ names) => names.filter((name) => name.length > 2 && hits(name)).sort((a, b) => hits(b) - hits(a))[0];
  const events = rules.events.map(({ name, arguments: asked }) => {
    const given = asked.map((one) => ({ one, found: named(one.names ?? []) }));
    const args = given.map(({ one, found }) => [one.name, found ?? one.default ?? one.names?.find((n) => n === turn.turn || n === "none") ?? one.names?.[0] ?? Math.max(one.least ?? 0, 1)]);
    return { says: `${plain(name)}: ${args.map(([, value]) => value).join(", ")}`, goal: eventText(name, Object.fromEntries(args)), kind: "ask", worth: hits(plain(name)) * 2 + given.filter(({ found }) => found).length };
  });
  const goals = outcomes.map((one) => {
    const said = rules.outcomes.find(({ name, side }) => name === one.rule && side === one.side)?.text ?? "";
    return { says: `${plain(one.rule)} for ${one.side}`, goal: `holds(${one.rule}, ${one.side})`, worth: hits(`${one.rule} victory`) + 2 * hits(one.side) + hits(said) / 2 };
  });
  return [...events, ...goals].filter(({ worth }) => worth > 1).sort((a, b) => b.worth - a.worth).slice(0, 4);
}
