// A change counts once the rules take it; where they refuse it, they say why, and nothing is changed.
import { ask, faultsOf } from "./answers.mjs";
import { boardOf, eventsOf, placeOf, standing, stepped, toldOf, withSetting } from "./store.mjs";

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
 * @param {Props} props
 * @param {Position | null} only
 * @param {(position: Position) => [Position, Action]} change What a position becomes, and by what action.
 */
function tried({ state, now, dispatch, backend }, only, change) {
  last = last.then(async () => {
    const { position, place } = now();
    if (!position || position.game !== state.position?.game || (only && only !== position)) return;
    const [after, action] = change(position);
    try {
      // What is shown next is asked for at once, in one request.
      const [judged] = [standing(after), boardOf(after), placeOf(after, place), eventsOf(after, place), toldOf(after, after.steps)].map((one) => ask(backend, /** @type {any} */ (one)));
      await judged;
      dispatch(action);
    } catch (error) {
      dispatch({ do: "fail", faults: faultsOf(error) });
    }
  });
  return last;
}
