// The questions that may be asked, and how each becomes a request.

/** @import { Described, Request } from "../types.js" */

/** @typedef {{kind: string, goal: string, side: string, within: string, opponent: string, timeout: string}} Asked */

/** What may be asked, and what each means. @type {Record<string, {label: string, takes: string[]}>} */
export const KINDS = {
  plan: { label: "The fewest moves to it", takes: ["side", "within", "opponent"] },
  reach: { label: "Can it happen at all?", takes: ["side", "within", "opponent"] },
  missing: { label: "What is missing for it?", takes: [] },
  ask: { label: "A ruling on it, with reasons", takes: [] },
  objectives: { label: "What to take and to hold for it", takes: ["side", "within"] },
  force: { label: "Can a side force it?", takes: ["side", "within"] },
  defend: { label: "Can it be prevented?", takes: ["side", "within"] },
};

const NAMES = /** @type {Record<string, string>} */ ({ ask: "question", defend: "threat" });

/**
 * The request of a question.
 *
 * @param {Asked} asked
 * @param {Described} moment
 * @returns {Request}
 */
export function requestOf(asked, moment) {
  const takes = KINDS[asked.kind]?.takes ?? [];
  const request = /** @type {Request} */ ({ ask: asked.kind, moment, [NAMES[asked.kind] ?? "goal"]: asked.goal, report: true, progress: true });
  if (takes.includes("side") && asked.side) request.side = asked.side;
  if (takes.includes("within") && Number(asked.within) > 0) request.within = Number(asked.within);
  if (takes.includes("opponent") && asked.opponent === "helps") request.opponent = "helps";
  request.timeout = Number(asked.timeout) || 60;
  return request;
}
