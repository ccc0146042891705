// Questions of the views: each is asked once, and its answer kept as long as the page is open.
import { useEffect, useState } from "./vendor/hooks.mjs";

/** @import { Answer, Backend, Fault, Request } from "../types.js" */

const MOST = 300;
/** @type {WeakMap<Backend, Map<string, Promise<Answer>>>} */
const kept = new WeakMap();

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
  const answer = backend.ask(request);
  answers.set(key, answer);
  answer.catch(() => answers.delete(key)); // a server that was busy may answer the next time
  return answer;
}

/**
 * Forget all answers: the rules have changed.
 *
 * @param {Backend} backend
 */
export function forget(backend) {
  kept.delete(backend);
}

/**
 * The answer to a request, as a hook of a view.
 *
 * @param {Backend} backend
 * @param {Request | null} request What to ask; null: nothing.
 * @returns {{answer: Answer | null, faults: Fault[], busy: boolean}} The answer before stays until the new one is there.
 */
export function useAnswer(backend, request) {
  const [found, setFound] = useState({ answer: null, faults: /** @type {Fault[]} */ ([]), busy: false });
  const key = request && JSON.stringify(request);
  useEffect(() => {
    if (!request) {
      setFound({ answer: null, faults: [], busy: false });
      return;
    }
    let wanted = true;
    setFound((before) => ({ ...before, busy: true }));
    ask(backend, request).then(
      (answer) => wanted && setFound({ answer, faults: [], busy: false }),
      (error) => wanted && setFound({ answer: null, faults: faultsOf(error), busy: false }),
    );
    return () => {
      wanted = false;
    };
  }, [backend, key]);
  return found;
}
