// A step is added to the record once the rules take it; where they refuse it, they say why, and nothing is changed.
import { ask, faultsOf } from "./answers.mjs";
import { standing, stepped } from "./store.mjs";

/** @import { Position, Props, Step } from "../types.js" */

let last = Promise.resolve();

/**
 * Play a step, or say why it cannot be played. Steps are tried one after the other, in the order of the clicks.
 *
 * @param {Props} props
 * @param {Step} step
 * @param {Position | null} [only] The only position for which the step is meant; by default it is for whatever the steps
 *   before it lead to.
 * @returns {Promise<void>}
 */
export function attempt(props, step, only = null) {
  last = last.then(() => tried(props, step, only));
  return last;
}

/**
 * @param {Props} props
 * @param {Step} step
 * @param {Position | null} only
 */
async function tried({ state, now, dispatch, backend }, step, only) {
  const { position } = now();
  if (!position || position.game !== state.position?.game || (only && only !== position)) return;
  try {
    await ask(backend, /** @type {any} */ (standing(stepped(position, step)))); // it is asked for next in any case
    dispatch({ do: "step", step, of: position });
  } catch (error) {
    dispatch({ do: "fail", faults: faultsOf(error) });
  }
}
