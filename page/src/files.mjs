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
    if (RULEBOOK.test(chosen.name)) return dispatch({ do: "fail", faults: [{ code: "rulebook", message: `${chosen.name} is a rulebook`, help: OWN }] });
    const content = await chosen.text();
    dispatch({ do: "open", position: momentIn(content) ?? (await whole(backend, { text: content })) });
  } catch (error) {
    dispatch({ do: "fail", faults: faultsOf(error) });
  }
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
    return sound(held) ? { game: held.game, settings: held.settings, steps: held.steps, at: held.steps.length } : null;
  } catch {
    return null;
  }
}
