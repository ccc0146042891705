// Files that are opened or dropped on the page.
import { faultsOf, whole } from "./answers.mjs";
import { sound } from "./link.mjs";

/** @import { Position, Props } from "../types.js" */

const RULEBOOK = /\.(md|markdown)$/i;
const OWN = "save it in the folder in which vclogic serve runs: it then stands in the list of games, and is read anew whenever it is saved";

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
    if (RULEBOOK.test(chosen.name)) {
      if (backend.keep) return void play(chosen.name, content, { backend, dispatch });
      return dispatch({ do: "fail", faults: [{ code: "rulebook", message: `${chosen.name} is a rulebook`, help: OWN }] });
    }
    dispatch({ do: "open", position: momentIn(content) ?? (await whole(backend, { text: content })) });
  } catch (error) {
    dispatch({ do: "fail", faults: faultsOf(error) });
  }
}

/**
 * Play a rulebook that this page keeps, where no server does.
 *
 * @param {string} name
 * @param {string} content
 * @param {{backend: Props["backend"], dispatch: Props["dispatch"]}} page
 * @returns {string} What was done.
 */
export function play(name, content, { backend, dispatch }) {
  const game = backend.keep?.(name, content) ?? name;
  dispatch({ do: "open", position: { game, settings: {}, steps: [], at: 0 } });
  return `${game} is open.`;
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
    return { game, settings, steps, at: steps.length, ...(name ? { name } : {}), ...(branches ? { branches } : {}) };
  } catch {
    return null;
  }
}
