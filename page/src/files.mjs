// Files that are opened or dropped on the page.
import { faultsOf, whole } from "./answers.mjs";
import { sound } from "./link.mjs";
import { begun } from "./store.mjs";

/** @import { Position, Props } from "../types.js" */

const RULEBOOK = /\.(md|markdown)$/i;
/** The rulebooks that were opened here, by name: another one may include them. @type {Record<string, string>} */
const books = {};

/**
 * Open a file of a person; what is wrong with it is told.
 *
 * @param {File | undefined} chosen
 * @param {{backend: Props["backend"], dispatch: Props["dispatch"]}} page
 */
export async function openFile(chosen, { backend, dispatch }) {
  if (!chosen) return;
  try {
    const content = await chosen.text();
    if (RULEBOOK.test(chosen.name)) return void play(chosen.name, content, dispatch);
    dispatch({ do: "open", position: momentIn(content) ?? (await whole(backend, { text: content })) });
  } catch (error) {
    dispatch({ do: "fail", faults: faultsOf(error) });
  }
}

/**
 * Play a rulebook: its text is the game.
 *
 * @param {string} name
 * @param {string} content
 * @param {Props["dispatch"]} dispatch
 * @returns {string} What was done.
 */
export function play(name, content, dispatch) {
  const called = `${name.replace(RULEBOOK, "").replace(/[^\w -]+/g, "_").slice(0, 90) || "rulebook"}.md`;
  books[called] = content;
  const others = /^\s*include /m.test(content) ? books : {};
  dispatch({ do: "open", position: begun({ rulebook: { [called]: content, ...others } }) });
  return `${called} is open.`;
}

/**
 * Open a file that is dropped anywhere on the page; a browser would leave the page for it.
 *
 * @param {{backend: Props["backend"], dispatch: Props["dispatch"]}} page
 * @returns {() => void} Stops it.
 */
export function dropping(page) {
  const over = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  const drop = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    openFile(event.dataTransfer.files[0], page);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}

/**
 * The position that a JSON file of this page holds; null where it is another file.
 *
 * @param {string} content
 * @returns {Position | null}
 */
function momentIn(content) {
  try {
    const held = JSON.parse(content);
    if (!sound(held)) return null;
    const { game, settings, steps, name, branches } = held;
    return { game, settings, steps, at: steps.length, name, branches };
  } catch {
    return null;
  }
}
