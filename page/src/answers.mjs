// Questions of the views: each is asked once, and its answer kept as long as the page is open; and searches, which may take
// long: how far one is, what was found, and how it is stopped.
import { nameOf } from "./store.mjs";
import { useEffect, useRef, useState } from "./vendor/hooks.mjs";

/** @import { Answer, AnswerOf, Asking, Backend, Fault, Found, Position, Progress, Request, Run } from "../types.js" */

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
  answer.then((found) => found.reason && forgotten(), forgotten); // what was left open may be answered later
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
 * @template {string} K
 * @param {Backend} backend
 * @param {Request<K> | null} request What to ask; null: nothing.
 * @returns {{answer: AnswerOf<K> | null, faults: Fault[], busy: boolean, shown: AnswerOf<K> | null}} `answer` and `faults` are those
 *   of this very request. `shown` is what may be looked at until they are there: the last answer about the same game.
 */
export function useAnswer(backend, request) {
  const [found, setFound] = useState(/** @type {{key: string | null, game: string, answer: Answer | null, faults: Fault[]}} */ (UNASKED));
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

const UNASKED = { key: null, game: "", answer: null, faults: [] };

/**
 * What a request asks of which game.
 *
 * @param {Request} request
 */
const gameOf = ({ ask, moment }) => ask + nameOf(moment);

/**
 * Take a reply of the protocol (docs/serve.md), which the server and the Worker give alike.
 *
 * @param {string} line What a rulebook is called that was sent as its text begins with a folder that nobody knows.
 * @param {Asking} asking
 * @returns {Answer | null} The answer; null where the reply only tells how far the search is.
 */
export function heard(line, asking) {
  const reply = JSON.parse(line.replace(/\bsent-[0-9a-f]{12}\//g, ""));
  if (reply.progress) asking.onProgress?.(reply.progress);
  if (reply.document) asking.onPart?.(reply.part, reply.document);
  if (reply.better) asking.onBetter?.(reply.better, reply.bound);
  if (!reply.answer) return null;
  if (reply.answer.status === "error" && reply.answer.errors) throw new Refused(reply.answer.errors);
  return reply.answer;
}


const ENDING = "Stopped; what was found by then is on its way.";
const BEST = "Stopped. This is the best that was found.";
/** @type {Found} */
const NOTHING = { answer: null, faults: [], stopped: "" };
const IDLE = { running: false, progress: /** @type {Progress | null} */ (null), found: NOTHING };

/**
 * A search, as a hook of a view.
 *
 * @param {Backend} backend
 * @param {string | null} about What is asked about: another one ends the search, and what was found is forgotten.
 * @param {(answer: Answer | null) => void} onFound Called with each answer, and with null when another search begins.
 */
export function useSearch(backend, about, onFound = () => {}) {
  const [search, setSearch] = useState(IDLE);
  const last = useRef(/** @type {Run | null} */ (null));
  useEffect(
    () => () => {
      last.current?.control.abort();
      last.current = null;
      setSearch(IDLE);
    },
    [backend, about],
  );

  const run = async (/** @type {Request} */ request) => {
    /** @type {Run} */
    const own = { control: new AbortController(), progress: null, best: null };
    const wanted = () => last.current === own; // no other search has begun, and it is still asked about
    const { signal } = own.control;
    last.current = own;
    setSearch({ ...IDLE, running: true });
    onFound(null);
    const onProgress = (/** @type {Progress} */ now) => {
      own.progress = joined(own.progress, now);
      if (wanted() && !signal.aborted) setSearch({ ...IDLE, running: true, progress: own.progress });
    };
    const onBetter = (/** @type {Answer} */ plan) => (own.best = plan);
    const ended = await backend.ask(request, { signal, onProgress, onBetter }).then(
      (answer) => ({ answer, error: null }),
      (error) => ({ answer: null, error }),
    );
    if (!wanted()) return;
    last.current = null;
    const what = told(ended, own);
    setSearch({ ...IDLE, found: what });
    if (what.answer) onFound(what.answer);
  };
  const stop = () => {
    if (!last.current) return; // it has just ended
    last.current.control.abort();
    setSearch({ ...IDLE, found: { ...NOTHING, stopped: ENDING } }); // one may ask again at once
  };
  return { ...search, stop, run };
}

/**
 * What a search has come to.
 *
 * @param {{answer: Answer | null, error: unknown}} ended
 * @param {Run} run
 * @returns {Found}
 */
export function told({ answer, error }, { control, progress, best }) {
  const whole = answer && !answer.reason; // it came before the search was stopped: nothing is left open
  if (whole || !control.signal.aborted) return answer ? { ...NOTHING, answer } : { ...NOTHING, faults: faultsOf(error) };
  const plan = answer?.steps?.length || answer?.findings?.length ? answer : best;
  return plan ? { ...NOTHING, answer: plan, stopped: BEST } : { ...NOTHING, stopped: nothing(progress) };
}

/**
 * How far a search is, with what was known of it before, where now nothing is said of that.
 *
 * @param {Progress | null} before
 * @param {Progress} now
 * @returns {Progress}
 */
export const joined = (before, now) => (now.known || !before ? now : { ...now, known: before.known });

/** @param {Progress} progress */
export const sofar = ({ phase, known }) => (known ? `${phase}; ${known}` : phase);

/** @param {Progress | null} known */
const nothing = (known) => `Stopped; nothing is decided.${known?.known ? ` Known by then: ${sofar(known)}.` : ""}`;
