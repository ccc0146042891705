// A change counts once the rules take it; where they refuse it, they say why, and nothing is changed.
import { ask, faultsOf } from "./answers.mjs";
import { standing, stepped, withSetting } from "./store.mjs";

/** @import { Action, Position, Props, Step } from "../types.js" */

let last = Promise.resolve();

/**
 * Play a step, or say why it cannot be played. Changes are tried one after the other, in the order of the clicks.
 *
 * @param {Props} props
 * @param {Step} step
 * @param {Position | null} [only] The only position for which the step is meant; by default it is for whatever the
 *   changes before it lead to.
 * @returns {Promise<void>}
 */
export const attempt = (props, step, only = null) =>
  tried(props, only, (position) => [stepped(position, step), { do: "steps", steps: [step], of: position }]);

/**
 * Give an option or Reading another value, or say why the record does not stand under it.
 *
 * @param {Props} props
 * @param {string} name
 * @param {string} value
 * @returns {Promise<void>}
 */
export const attemptSetting = (props, name, value) =>
  tried(props, null, (position) => [withSetting(position, name, value), { do: "set", name, value, of: position }]);

/**
 * Change a position, or say why that cannot be.
 *
 * @param {Props} props
 * @param {Position | null} only
 * @param {(position: Position) => [Position, Action]} change What a position becomes, and by what action.
 */
export function tried({ state, now, dispatch, backend }, only, change) {
  last = last.then(async () => {
    const { position } = now();
    if (!position || position.game !== state.position?.game || (only && only !== position)) return;
    const [after, action] = change(position);
    try {
      await ask(backend, /** @type {any} */ (standing(after))); // it is asked for next in any case
      dispatch(action);
    } catch (error) {
      dispatch({ do: "fail", faults: faultsOf(error) });
    }
  });
  return last;
}
