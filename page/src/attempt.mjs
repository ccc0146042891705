// A change counts once the rules take it; where they refuse it, they say why, and nothing is changed. Changes by hand, as steps; and
// where what may be decided at a place leads: to the places that its events name after it. No game is known here.
import { ask, faultsOf } from "./answers.mjs";
import { boardOf, eventsOf, overlaysOf, placeOf, standing, stepped, toldOf, withSetting } from "./store.mjs";

/** @import { Action, Fact, Legal, Position, Props, Step, Way } from "../types.js" */

let last = Promise.resolve();

/**
 * Play a step, or say why it cannot be played. Changes are tried one after the other, in the order of the clicks.
 *
 * @param {Props} props
 * @param {Step} step
 * @param {Position | null} [only] The only position for which the step is meant; by default it is for whatever the
 *   changes before it lead to.
 */
export const attempt = (props, step, only = null) =>
  tried(props, only, (position) => [stepped(position, step), { do: "steps", steps: [step], of: position }]);

/**
 * Give an option or Reading another value, or say why the record does not stand under it.
 *
 * @param {Props} props
 * @param {string} name
 * @param {string} value
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
    const { position, place } = now();
    if (!position || position.game !== state.position?.game || (only && only !== position)) return;
    const [after, action] = change(position);
    try {
      // What is shown next is asked for at once, in one request.
      const [judged] = [standing(after), boardOf(after, overlaysOf(now(), after)), placeOf(after, place), toldOf(after, after.steps), eventsOf(after, place)].map((one) => ask(backend, /** @type {any} */ (one)));
      await judged;
      dispatch(action);
    } catch (error) {
      dispatch({ do: "fail", faults: faultsOf(error) });
    }
  });
  return last;
}

/**
 * The step that gives a fact another value; all others stay as they are.
 *
 * @param {string[]} path Where the fact stands in the state.
 * @param {string | number | boolean} value
 * @returns {Step}
 */
export const change = (path, value) => changes([{ path, to: value }]);

/**
 * The step that gives several facts other values.
 *
 * @param {{path: string[], to: string | number | boolean}[]} facts
 * @returns {Step}
 */
export function changes(facts) {
  const found = /** @type {any} */ ({});
  for (const { path, to } of facts) {
    let part = found;
    for (const key of path.slice(0, -1)) part = part[key] ??= {};
    part[path.at(-1) ?? ""] = to;
  }
  return { set: found };
}

/**
 * A text of a form as the value of a fact: the one of its values that is written so, or a number.
 *
 * @param {Fact} fact
 * @param {string} text
 */
export function valueOf(fact, text) {
  const known = [...fact.values, ...fact.here].find((value) => String(value) === text);
  return known ?? Number(text);
}

/**
 * The events of an answer to `legal`.
 *
 * @param {Legal} answer
 * @param {string} [target] Only those that lead there.
 * @returns {Way[]}
 */
export const waysOf = (answer, target) =>
  answer.events.flatMap(({ name, allowed }) => allowed.filter((one) => !target || one.targets?.includes(target)).map((one) => ({ name, one })));

/**
 * The places that they lead to.
 *
 * @param {Legal | null} answer
 * @returns {Set<string>}
 */
export const targetsOf = (answer) => new Set((answer?.events ?? []).flatMap((kind) => [kind, ...kind.allowed].flatMap(({ targets = [] }) => targets)));

/**
 * The step to a target, if nothing is left to choose.
 *
 * @param {Legal} answer
 * @param {string} target
 * @returns {Step | null}
 */
export function onlyStep(answer, target) {
  const [way, ...others] = waysOf(answer, target);
  const more = others.length || answer.events.some(({ targets }) => targets?.includes(target));
  return way && !more && !Object.keys(way.one.numbers).length ? { [way.name]: way.one.args } : null;
}

/**
 * The way with another value of an argument, most like the chosen one.
 *
 * @param {Way[]} ways
 * @param {Way} way
 * @param {string} name
 * @param {string} value
 */
export function nearestWay(ways, way, name, value) {
  const alike = (/** @type {Way} */ { one }) => Object.keys(way.one.args).filter((key) => one.args[key] === way.one.args[key]).length;
  return ways.filter(({ one }) => String(one.args[name]) === value).reduce((best, one) => (alike(one) > alike(best) ? one : best));
}
