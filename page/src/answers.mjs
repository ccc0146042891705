// Questions of the views: each is asked once, and its answer kept as long as the page is open.
import { useEffect, useState } from "./vendor/hooks.mjs";

/** @import { Answer, Backend, Fault, Position, Request } from "../types.js" */

const MOST = 300;
/** @type {WeakMap<Backend, Map<string, Promise<Answer>>>} */
const kept = new WeakMap();
/** How often answers were forgotten. @type {WeakMap<Backend, number>} */
const versions = new WeakMap();

/** A request that is wrong, or could not be answered: the faults say why. */
export class Refused extends Error {
  /** @param {Fault[]} faults */
  constructor(faults) {
    super(faults.map((fault) => fault.message).join("\n"));
    this.faults = faults;
  }
}

/**
 * The faults of whatever was thrown.
 *
 * @param {unknown} error
 * @returns {Fault[]}
 */
export function faultsOf(error) {
  if (error instanceof Refused) return error.faults;
  return [{ code: "internal", message: error instanceof Error ? error.message : String(error) }];
}

/**
 * The answer to a request about a described moment: it never changes, so it is asked for once.
 *
 * @param {Backend} backend
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
export function ask(backend, request) {
  const answers = kept.get(backend) ?? new Map();
  kept.set(backend, answers);
  const key = JSON.stringify(request);
  const known = answers.get(key);
  if (known) return known;
  if (answers.size >= MOST) answers.delete(answers.keys().next().value);
  const answer = together(backend, request);
  answers.set(key, answer);
  const forgotten = () => answers.delete(key);
  answer.then((found) => found.reason && forgotten(), forgotten); // what was left open, or refused, may be answered the next time
  return answer;
}

/** What is asked at the same time. @type {WeakMap<Backend, {request: Request, done: (answer: any) => void, fail: (error: unknown) => void}[]>} */
const waiting = new WeakMap();
const QUICK = new Set(["status", "rules", "board", "place", "legal", "happened"]);

/**
 * The answer to a request. Quick ones that are asked at the same time go together, each with an answer of its own.
 *
 * @param {Backend} backend
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
function together(backend, request) {
  if (!QUICK.has(request.ask)) return backend.ask(request);
  return new Promise((done, fail) => {
    const all = waiting.get(backend) ?? [];
    if (!all.length) queueMicrotask(() => send(backend));
    waiting.set(backend, [...all, { request, done, fail }]);
  });
}

/** @param {Backend} backend */
function send(backend) {
  const all = waiting.get(backend) ?? [];
  waiting.delete(backend);
  if (all.length < 2) return all.forEach(({ request, done }) => done(backend.ask(request)));
  const moment = all[0]?.request.moment;
  const same = (/** @type {Request} */ one) => JSON.stringify(one.moment) === JSON.stringify(moment);
  const questions = all.map(({ request }) => (same(request) ? { ...request, moment: undefined } : request));
  const onPart = (/** @type {number} */ n, /** @type {Answer} */ answer) => (answer.status === "error" ? all[n]?.fail(new Refused(answer.errors)) : all[n]?.done(answer));
  const left = (/** @type {unknown} */ error) => all.forEach(({ fail }) => fail(error)); // those without an answer
  backend.ask({ ask: "together", moment, questions }, { onPart }).then(left, left);
}

/**
 * A position file, with its record as steps.
 *
 * @param {Backend} backend
 * @param {{text: string} | {file: string}} which
 * @returns {Promise<Position>}
 */
export async function whole(backend, which) {
  const { position: game, steps } = await backend.ask({ ask: "read", ...which });
  return { game, settings: {}, steps, at: steps.length };
}

/**
 * Forget all answers: the rules have changed. What is shown stays until the new answers are there.
 *
 * @param {Backend} backend
 */
export function forget(backend) {
  kept.delete(backend);
  versions.set(backend, versionOf(backend) + 1);
}

/**
 * Tells the answers of now from those before the rules changed.
 *
 * @param {Backend} backend
 */
export const versionOf = (backend) => versions.get(backend) ?? 0;

/**
 * The answer to a request, as a hook of a view.
 *
 * @param {Backend} backend
 * @param {Request | null} request What to ask; null: nothing.
 * @returns {{answer: Answer | null, faults: Fault[], busy: boolean, shown: Answer | null}} `answer` and `faults` are those
 *   of this very request. `shown` is what may be looked at until they are there: the last answer about the same game.
 */
export function useAnswer(backend, request) {
  const [found, setFound] = useState(/** @type {{key: string | null, game: string, answer: Answer | null, faults: Fault[]}} */ (NOTHING));
  const key = request && `${versionOf(backend)} ${JSON.stringify(request)}`;
  const game = request ? gameOf(request) : "";
  useEffect(() => {
    if (!request) return;
    let wanted = true;
    const take = (/** @type {Answer | null} */ answer, /** @type {Fault[]} */ faults) => wanted && setFound({ key, game, answer, faults });
    ask(backend, request).then(
      (answer) => take(answer, []),
      (error) => take(null, faultsOf(error)),
    );
    return () => {
      wanted = false;
    };
  }, [backend, key]);
  const current = found.key === key;
  return {
    answer: current ? found.answer : null,
    faults: current ? found.faults : [],
    busy: key !== null && !current,
    shown: request && (current || found.game === game) ? found.answer : null,
  };
}

const NOTHING = { key: null, game: "", answer: null, faults: [] };

/**
 * What a request asks of which game.
 *
 * @param {Request} request
 */
const gameOf = ({ ask, moment }) => JSON.stringify([ask, /** @type {any} */ (moment)?.game]);
