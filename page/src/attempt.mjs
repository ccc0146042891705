// A step is added to the record once the rules take it; where they refuse it, they say why, and nothing is changed.
import { ask, faultsOf } from "./answers.mjs";
import { standing, stepped } from "./store.mjs";

/** @import { Props, Step } from "../types.js" */

/**
 * Play a step, or say why it cannot be played.
 *
 * @param {Props} props
 * @param {Step} step
 */
export async function attempt({ state, dispatch, backend }, step) {
  const { position } = state;
  if (!position) return;
  try {
    await ask(backend, /** @type {any} */ (standing(stepped(position, step)))); // it is asked for next in any case
    dispatch({ do: "step", step, after: position });
  } catch (error) {
    dispatch({ do: "fail", faults: faultsOf(error) });
  }
}
