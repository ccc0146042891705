// The address of the page holds the position: it follows each change, and a link that is opened is followed.
import { faultsOf } from "./answers.mjs";
import { BadLink, fragment, LONGEST, opened } from "./link.mjs";
import { EMPTY } from "./store.mjs";

/** @import { Action, State } from "../types.js" */

/**
 * The state that the address holds.
 *
 * @param {string} hash
 * @returns {Promise<State>} Empty, with the reason, where the link cannot be opened.
 */
export async function stateIn(hash) {
  try {
    const found = await opened(hash);
    if (!found) return EMPTY;
    const { embed, ...held } = found;
    return { ...EMPTY, ...held, readOnly: embed };
  } catch (error) {
    return { ...EMPTY, faults: error instanceof BadLink ? [error.fault] : faultsOf(error) };
  }
}

let turn = 0; // whose address is the latest

/** The address that was written or read last, and its position: another one is a step that the browser's Back takes back. */
let settled = "";
let known = globalThis.location?.hash ? "" : "null"; // a page without an address begins with no position
let reading = 0; // of the addresses that are read

/**
 * Let the address follow the state.
 *
 * @param {State} state
 * @returns {Promise<boolean>} Whether the address holds it; if not, it is too long for that.
 */
export async function follow({ position, question, conditions, readOnly }) {
  const mine = (turn += 1);
  const held = position ? `#${await fragment({ position, question, conditions, embed: readOnly })}` : "";
  if (mine !== turn) return true;
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
    turn += 1;
    const { position, question, conditions, faults } = await stateIn(read);
    if (mine !== reading) return;
    if (position || !read) [settled, known] = [read, JSON.stringify(position)];
    if (position || !read) dispatch({ do: "open", position, question, conditions });
    else dispatch({ do: "fail", faults });
  };
  addEventListener("hashchange", onHash);
  if (location.hash !== hash) onHash();
  return () => removeEventListener("hashchange", onHash);
}
