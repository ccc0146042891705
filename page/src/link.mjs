// Links that hold a position: `#v1.` and the position as JSON, deflated, in base64url.

import { MOST_BRANCHES } from "./store.mjs";

/** @import { Fault, Position } from "../types.js" */

const VERSION = "v1";
/** Longer links are refused by some programs that pass them on. */
export const LONGEST = 8_000;
const LARGEST = 2_000_000;
const MOST_STEPS = 20_000;

/** A link that cannot be opened; the message says why. */
export class BadLink extends Error {
  /** @returns {Fault} */
  get fault() {
    return { code: "bad-link", message: this.message, help: "ask for the position as a file instead" };
  }
}

/**
 * @typedef {{position: Position, question: string, conditions?: string | null, embed: boolean}} Linked
 */

/**
 * The fragment of a link, without `#`.
 *
 * @param {Linked} linked
 * @returns {Promise<string>}
 */
export async function fragment({ position, question, conditions, embed }) {
  const { game, settings, steps, at, name, branches } = position;
  const held = { g: game, s: settings, t: steps, ...(at < steps.length ? { n: at } : {}), ...(question ? { q: question } : {}), l: name, b: branches?.length ? branches : undefined, c: conditions ?? undefined };
  const bytes = new TextEncoder().encode(JSON.stringify(held));
  const packed = await through(new CompressionStream("deflate-raw"), bytes, Infinity);
  return `${VERSION}${embed ? "e" : ""}.${base64(packed)}`;
}

/**
 * What the fragment of a link holds.
 *
 * @param {string} text With or without `#`.
 * @returns {Promise<Linked | null>} Null: it is empty.
 */
export async function opened(text) {
  const whole = text.replace(/^#/, "");
  if (!whole) return null;
  const [version = "", packed = ""] = whole.split(".", 2);
  if (version !== VERSION && version !== `${VERSION}e`) throw new BadLink("this link is of another version of the page, or damaged");
  let held;
  try {
    const bytes = await through(new DecompressionStream("deflate-raw"), unbase64(packed), LARGEST);
    held = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw error instanceof BadLink ? error : new BadLink("this link is damaged, perhaps cut off");
  }
  return { ...checked(held), embed: version.endsWith("e") };
}

/**
 * @param {any} held
 * @returns {{position: Position, question: string, conditions: string | null}}
 */
function checked(held) {
  const { g: game, s: settings = {}, t: steps = [], n: at = steps?.length, q: question = "", l: name, b: branches, c: conditions = null } = held ?? {};
  const found = { game, settings, steps, name, branches };
  const whole = sound(found) && Number.isInteger(at) && at >= 0 && at <= steps.length && typeof question === "string" && typeof (conditions ?? "") === "string";
  if (!whole) throw new BadLink("this link holds no position");
  return { position: { ...found, at }, question, conditions };
}

/**
 * Whether something describes a moment, as far as the page has to know.
 *
 * @param {any} held
 * @returns {held is Omit<Position, "at">}
 */
export function sound(held) {
  const { game, settings, steps, name = "", branches = [] } = mapping(held) ? held : {};
  return (
    typeof name === "string" &&
    Array.isArray(branches) &&
    branches.length <= MOST_BRANCHES &&
    branches.every((one) => mapping(one) && typeof (one.name ?? "") === "string" && record(one.steps)) &&
    (typeof game === "string" || (mapping(game) && shallow(game, DEEPEST))) &&
    mapping(settings) &&
    Object.values(settings).every((value) => typeof value === "string") &&
    record(steps)
  );
}

/** @param {any} steps */
const record = (steps) => Array.isArray(steps) && steps.length <= MOST_STEPS && steps.every((step) => typeof step === "string" || (mapping(step) && shallow(step, DEEPEST)));
const DEEPEST = 12;

/** @param {unknown} x */
const mapping = (x) => typeof x === "object" && x !== null && !Array.isArray(x);

/**
 * Whether something holds texts, numbers, truth values, mappings and lists alone, so deep at the most.
 *
 * @param {unknown} x
 * @param {number} deep
 * @returns {boolean}
 */
function shallow(x, deep) {
  if (x === null || typeof x !== "object") return ["string", "number", "boolean"].includes(typeof x) || x === null;
  return deep > 0 && Object.values(x).every((part) => shallow(part, deep - 1));
}

/**
 * Bytes through a stream, up to a limit.
 *
 * @param {CompressionStream | DecompressionStream} stream
 * @param {Uint8Array} bytes
 * @param {number} most
 * @returns {Promise<Uint8Array>}
 */
async function through(stream, bytes, most) {
  const writer = stream.writable.getWriter();
  writer.write(/** @type {any} */ (bytes)).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new BadLink("this link holds far more than a position");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function unbase64(text) {
  const whole = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(whole, (letter) => letter.charCodeAt(0));
}
