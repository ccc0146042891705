// Links that hold a position: `#v1.` and the position as JSON, deflated, in base64url. The address of
// the page follows each change, and a link that is opened is followed.
import { faultsOf, Refused } from "./answers.mjs";
import { EMPTY, MOST_BRANCHES, USUAL } from "./store.mjs";

/** @import { Action, Asked, Linked, Position, State } from "../types.js" */

const VERSION = "v1";
/** Longer links are refused by some programs that pass them on. */
export const LONGEST = 8_000;
const LARGEST = 2_000_000;
const MOST_STEPS = 20_000;

/** A link that cannot be opened; the message says why. */
export class BadLink extends Refused {
  /** @param {string} message */
  constructor(message) {
    super([{ code: "bad-link", message, help: "ask for the position as a file instead" }]);
  }
}

/**
 * The fragment of a link, without `#`.
 *
 * @param {Linked} linked
 * @returns {Promise<string>}
 */
export async function fragment({ position, question, asked = {}, conditions, readOnly }) {
  const unusual = Object.entries(asked).filter(([name, value]) => value !== USUAL[/** @type {keyof Asked} */ (name)]);
  const { game, settings, steps, at, name, branches } = position;
  const held = { g: game, s: settings, t: steps, ...(at < steps.length ? { n: at } : {}), ...(question ? { q: question } : {}), ...(unusual.length ? { k: Object.fromEntries(unusual) } : {}), l: name, b: branches?.length ? branches : undefined, c: conditions ?? undefined };
  const bytes = new TextEncoder().encode(JSON.stringify(held));
  const packed = await through(new CompressionStream("deflate-raw"), bytes, Infinity);
  return `${VERSION}${readOnly ? "e" : ""}.${base64(packed)}`;
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
  return { ...checked(held), readOnly: version.endsWith("e") };
}

/**
 * @param {any} held
 * @returns {{position: Position, question: string, asked: Partial<Asked>, conditions: string | null}}
 */
function checked(held) {
  const { g: game, s: settings = {}, t: steps = [], n: at = steps?.length, q: question = "", k: asked = {}, l: name, b: branches, c: conditions = null } = held ?? {};
  const found = { game, settings, steps, name, branches };
  const whole = sound(found) && Number.isInteger(at) && at >= 0 && at <= steps.length && typeof question === "string" && mapping(asked) && Object.entries(asked).every(([key, value]) => key in USUAL && typeof value === "string") && typeof (conditions ?? "") === "string";
  if (!whole) throw new BadLink("this link holds no position");
  return { position: { ...found, at }, question, asked, conditions };
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
  if (x === null || typeof x !== "object") return x === null || ["string", "number", "boolean"].includes(typeof x);
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
  const reader = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new BadLink("this link holds far more than a position");
    }
    parts.push(value);
  }
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function unbase64(text) {
  const whole = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(whole, (letter) => letter.charCodeAt(0));
}

/**
 * The state that the address holds.
 *
 * @param {string} hash
 * @returns {Promise<State>} Empty, with the reason, where the link cannot be opened.
 */
export async function stateIn(hash) {
  try {
    const found = await opened(hash);
    return { ...EMPTY, ...found, asked: { ...USUAL, ...found?.asked }, asking: Boolean(found && !found.readOnly && (found.question || found.asked?.attack)) };
  } catch (error) {
    return { ...EMPTY, faults: faultsOf(error) };
  }
}

let turn = 0; // whose address is the latest

/** The address written or read last, and its position: Back takes a step to another one back. */
let settled = "";
let known = globalThis.location?.hash ? "" : "null";
let reading = 0; // of the addresses that are read
let done = 0; // the last that was: till then nothing is written

/**
 * Let the address follow the state.
 *
 * @param {State} state
 * @returns {Promise<boolean>} Whether the address holds it; if not, it is too long for that.
 */
export async function follow({ position, question, asked, conditions, readOnly }) {
  const mine = (turn += 1);
  const held = position ? `#${await fragment({ position, question, asked, conditions, readOnly })}` : "";
  if (mine !== turn || done !== reading) return true;
  const fits = held.length <= LONGEST;
  const hash = fits ? held : "";
  const other = JSON.stringify(position);
  if (known === other && settled === hash) return fits; // the address may be on its way to another one by now
  if (location.hash !== hash) history[known && known !== other ? "pushState" : "replaceState"](null, "", hash || location.pathname);
  settled = hash;
  known = other;
  return fits;
}

/**
 * Follow a link that is put into the address of the open page.
 *
 * @param {(action: Action) => void} dispatch
 * @param {string} hash What the address held when the page read it: another one may be there already.
 * @returns {() => void} Stops it.
 */
export function listen(dispatch, hash) {
  const onHash = async () => {
    const { hash: read } = location;
    const mine = (reading += 1);
    const { position, question, asked, asking, conditions, faults } = await stateIn(read);
    if (mine !== reading) return;
    done = mine;
    turn += 1;
    if (position || !read) [settled, known] = [read, JSON.stringify(position)];
    if (position || !read) dispatch({ do: "open", position, question, asked, asking, conditions });
    else dispatch({ do: "fail", faults });
  };
  addEventListener("hashchange", onHash);
  if (location.hash !== hash) onHash();
  return () => removeEventListener("hashchange", onHash);
}
