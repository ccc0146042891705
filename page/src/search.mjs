// A question to the rules that may take long: how far it is, what was found, and how it is stopped.
import { faultsOf } from "./answers.mjs";
import { useEffect, useRef, useState } from "./vendor/hooks.mjs";

/** @import { Answer, Backend, Fault, Progress, Props, Request } from "../types.js" */

/** @typedef {{answer: Answer | null, faults: Fault[], stopped: string}} Found */

const FOUND = "Stopped. This is the best that was found.";
const MOVED = "another position is looked at";
/** @type {Found} */
const NOTHING = { answer: null, faults: [], stopped: "" };

/**
 * A search, as a hook of a view.
 *
 * @param {Backend} backend
 * @param {Props["dispatch"]} dispatch
 * @param {string | null} at What is asked about: another one ends the search, and what was found is forgotten.
 */
export function useSearch(backend, dispatch, at) {
  const [running, setRunning] = useState(/** @type {AbortController | null} */ (null));
  const [progress, setProgress] = useState(/** @type {Progress | null} */ (null));
  const [found, setFound] = useState(NOTHING);
  const last = useRef(/** @type {AbortController | null} */ (null));
  const best = useRef(/** @type {{progress: Progress | null, plan: Answer | null}} */ ({ progress: null, plan: null }));
  useEffect(() => {
    running?.abort(MOVED);
    setFound(NOTHING);
  }, [at]);

  const show = (/** @type {Answer} */ answer, stopped = "") => {
    setFound({ answer, faults: [], stopped });
    if (answer.steps?.length) dispatch({ do: "show", answer, step: null });
    else dispatch({ do: "mark", places: answer.places ?? [] });
  };
  const run = async (/** @type {Request} */ request) => {
    const control = new AbortController();
    const { signal } = control;
    last.current = control;
    best.current = { progress: null, plan: null };
    setRunning(control);
    setFound(NOTHING);
    dispatch({ do: "show", answer: null });
    try {
      const answer = await backend.ask(request, {
        signal,
        onProgress: (now) => setProgress((best.current.progress = now)),
        onBetter: (plan) => (best.current.plan = plan),
      });
      if (signal.reason === MOVED || last.current !== control) return;
      if (signal.aborted && !answer.steps?.length) setFound({ ...NOTHING, stopped: stopped(best.current.progress) });
      else show(answer, signal.aborted ? FOUND : "");
    } catch (error) {
      if (signal.reason === MOVED || last.current !== control) return;
      if (!signal.aborted) setFound({ ...NOTHING, faults: faultsOf(error) });
      else if (best.current.plan) show(best.current.plan, FOUND);
      else setFound({ ...NOTHING, stopped: stopped(best.current.progress) });
    } finally {
      if (last.current === control) setRunning(null);
      setProgress(null);
    }
  };
  const stop = () => {
    running?.abort();
    setRunning(null); // one may ask again at once; what is known is shown when it comes
  };
  return { running: Boolean(running), stop, progress, found, run };
}

/** @param {Progress} progress */
export function told({ phase, cost, bound, scale }) {
  const parts = [phase];
  if (cost !== null) parts.push(`best so far ${cost / scale}`);
  if (bound !== null) parts.push(`at least ${bound / scale}`);
  return parts.join("; ");
}

/** @param {Progress | null} best */
const stopped = (best) => `Stopped; nothing is decided.${best && (best.cost !== null || best.bound !== null) ? ` Known by then: ${told(best)}.` : ""}`;
