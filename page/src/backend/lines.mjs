// Replies of the protocol (docs/serve.md), which the server and the Worker give alike.
import { Refused } from "../answers.mjs";

/** @import { Answer, Asking } from "../../types.js" */

/**
 * Take a reply.
 *
 * @param {string} line What a rulebook is called that was sent as its text begins with a folder that nobody knows.
 * @param {Asking} asking
 * @returns {Answer | null} The answer; null where the reply only tells how far the search is.
 */
export function heard(line, asking) {
  const reply = JSON.parse(line.replace(/\bsent-[0-9a-f]{12}\//g, ""));
  if (reply.progress) asking.onProgress?.(reply.progress);
  if (reply.document) asking.onPart?.(reply.part, reply.document);
  if (reply.better) asking.onBetter?.(reply.better, reply.bound);
  if (!reply.answer) return null;
  if (reply.answer.status === "error" && reply.answer.errors) throw new Refused(reply.answer.errors);
  return reply.answer;
}
