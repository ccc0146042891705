// Replies of the protocol (docs/serve.md), which the server and the Worker give alike.
import { Refused } from "../answers.mjs";

/** @import { Answer, Asking } from "../../types.js" */

/**
 * Take a reply.
 *
 * @param {any} reply
 * @param {Asking} asking
 * @returns {Answer | null} The answer; null where the reply only tells how far the search is.
 */
export function heard(reply, asking) {
  if (reply.progress) asking.onProgress?.(reply.progress);
  if (reply.document) asking.onPart?.(reply.part, reply.document);
  if (reply.better) asking.onBetter?.(reply.better, reply.bound);
  if (!reply.answer) return null;
  if (reply.answer.status === "error" && reply.answer.errors) throw new Refused(reply.answer.errors);
  return reply.answer;
}
