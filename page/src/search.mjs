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
      own.progress = now;
      if (wanted()) setProgress(now);
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

/** @param {Progress} progress */
export function sofar({ phase, cost, bound, scale }) {
  const parts = [phase];
  if (cost !== null) parts.push(`best so far ${cost / scale}`);
  if (bound !== null) parts.push(`at least ${bound / scale}`);
  return parts.join("; ");
}

/** @param {Progress | null} known */
const nothing = (known) => `Stopped; nothing is decided.${known && (known.cost !== null || known.bound !== null) ? ` Known by then: ${sofar(known)}.` : ""}`;
