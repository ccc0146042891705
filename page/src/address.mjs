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
    return found ? { ...EMPTY, position: found.position, question: found.question, readOnly: found.embed } : EMPTY;
  } catch (error) {
    return { ...EMPTY, faults: error instanceof BadLink ? [error.fault] : faultsOf(error) };
  }
}

let turn = 0; // whose address is the latest

/**
 * Let the address follow the state.
 *
 * @param {State} state
 * @returns {Promise<boolean>} Whether the address holds it; if not, it is too long for that.
 */
export async function follow(state) {
  const mine = (turn += 1);
  if (!state.position) return true;
  const held = await fragment({ position: state.position, question: state.question, embed: state.readOnly });
  const fits = held.length <= LONGEST;
  const hash = fits ? `#${held}` : "";
  if (mine === turn && location.hash !== hash) history.replaceState(null, "", hash || location.pathname);
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
    const mine = (turn += 1);
    const { position, question, faults } = await stateIn(location.hash);
    if (mine !== turn) return;
    if (position) dispatch({ do: "open", position, question });
    else dispatch({ do: "fail", faults });
  };
  addEventListener("hashchange", onHash);
  if (location.hash !== hash) onHash();
  return () => removeEventListener("hashchange", onHash);
}
