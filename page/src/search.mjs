// A question to the rules that may take long: how far it is, what was found, and how it is stopped.
import { faultsOf } from "./answers.mjs";
import { useEffect, useRef, useState } from "./vendor/hooks.mjs";

/** @import { Answer, Backend, Fault, Progress, Request } from "../types.js" */

/** @typedef {{answer: Answer | null, faults: Fault[], stopped: string}} Found */
/** @typedef {{control: AbortController, progress: Progress | null, best: Answer | null}} Run */

const ENDING = "Stopped; what was found by then is on its way.";
const BEST = "Stopped. This is the best that was found.";
/** @type {Found} */
const NOTHING = { answer: null, faults: [], stopped: "" };

/**
 * A search, as a hook of a view.
 *
 * @param {Backend} backend
 * @param {string | null} about What is asked about: another one ends the search, and what was found is forgotten.
 * @param {(answer: Answer | null) => void} onFound Called with each answer, and with null when another search begins.
 */
export function useSearch(backend, about, onFound = () => {}) {
  const [running, setRunning] = useState(false);
  const [progress, setProgress] = useState(/** @type {Progress | null} */ (null));
  const [found, setFound] = useState(NOTHING);
  const last = useRef(/** @type {Run | null} */ (null));
  useEffect(
    () => () => {
      last.current?.control.abort();
      last.current = null;
      setRunning(false);
      setProgress(null);
      setFound(NOTHING);
    },
    [backend, about],
  );

  const run = async (/** @type {Request} */ request) => {
    /** @type {Run} */
    const own = { control: new AbortController(), progress: null, best: null };
    const wanted = () => last.current === own; // no other search has begun, and it is still asked about
    const { signal } = own.control;
    last.current = own;
    setRunning(true);
    setFound(NOTHING);
    onFound(null);
    const onProgress = (/** @type {Progress} */ now) => {
      own.progress = joined(own.progress, now);
      if (wanted()) setProgress(own.progress);
    };
    const onBetter = (/** @type {Answer} */ plan) => (own.best = plan);
    const ended = await backend.ask(request, { signal, onProgress, onBetter }).then(
      (answer) => ({ answer, error: null }),
      (error) => ({ answer: null, error }),
    );
    if (!wanted()) return;
    last.current = null;
    const what = told(ended, own);
    setRunning(false);
    setProgress(null);
    setFound(what);
    if (what.answer) onFound(what.answer);
  };
  const stop = () => {
    if (!last.current) return; // it has just ended
    last.current.control.abort();
    setRunning(false); // one may ask again at once; what is known is shown when it comes
    setProgress(null);
    setFound({ ...NOTHING, stopped: ENDING });
  };
  return { running, stop, progress, found, run };
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
 * How far a search is, with what was known of it before: another method that works on it knows less at first.
 *
 * @param {Progress | null} before
 * @param {Progress} now
 * @returns {Progress}
 */
export function joined(before, now) {
  if (!before || before.scale !== now.scale) return now;
  const most = (/** @type {(number | null)[]} */ known, /** @type {(...all: number[]) => number} */ best) => {
    const found = known.filter((one) => one !== null);
    return found.length ? best(...found) : null;
  };
  return { ...now, cost: most([before.cost, now.cost], Math.min), bound: most([before.bound, now.bound], Math.max) };
}

/** @param {Progress} progress */
export function sofar({ phase, cost, bound, scale }) {
  if (cost === null) return bound === null ? phase : `${phase}; at least ${bound / scale}`;
  if (bound === null) return `${phase}; best so far ${cost / scale}`;
  return `${phase}; ${bound < cost ? `between ${bound / scale} and ${cost / scale}, the best so far` : `best so far ${cost / scale}, and no less will do`}`;
}

/** @param {Progress | null} known */
const nothing = (known) => `Stopped; nothing is decided.${known && (known.cost !== null || known.bound !== null) ? ` Known by then: ${sofar(known)}.` : ""}`;
