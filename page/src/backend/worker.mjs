// vclogic in the browser itself: two Web Workers, so that one is ready while the other searches or was stopped.
import { Refused } from "../answers.mjs";
import { heard } from "./lines.mjs";

/** @import { About, Answer, Asking, Backend, Request } from "../../types.js" */

/**
 * @typedef {object} Task
 * @property {Request} request
 * @property {Asking} asking
 * @property {(answer: Answer) => void} answer
 * @property {(error: unknown) => void} fail
 */
/** @typedef {{worker: Worker, ready: boolean, task: Task | null}} Desk */

/** What asks a solver, and may take long: at most one at a time, so that the board always answers. */
const LONG = new Set(["plan", "reach", "missing", "check", "compare", "objectives", "solve", "defend", "force", "survives"]);

/**
 * @param {About} about
 * @param {(text: string, done: number) => void} onLoading Called while the first Worker loads.
 * @returns {Promise<Backend>} Ready to answer. Throws where vclogic cannot be loaded.
 */
export async function worker(about, onLoading) {
  const desks = new Desks();
  await desks.open(onLoading);
  desks.open(() => {}).catch(() => {}); // one is enough where there is no memory for two
  return { about, ask: (request, asking = {}) => desks.ask(request, asking), onChange: () => () => {} };
}

class Desks {
  constructor() {
    /** @type {Desk[]} */
    this.desks = [];
    /** @type {Task[]} */
    this.waiting = [];
  }

  /**
   * Start a Worker.
   *
   * @param {(text: string, done: number) => void} onLoading
   * @returns {Promise<void>} Once it is ready.
   */
  open(onLoading) {
    const desk = { worker: new Worker(new URL("../engine.mjs", import.meta.url), { type: "module" }), ready: false, task: /** @type {Task | null} */ (null) };
    this.desks.push(desk);
    return new Promise((resolve, reject) => {
      const failed = (/** @type {string} */ why) => {
        const error = new Refused([{ code: "internal", message: `vclogic cannot go on in this browser: ${why}` }]);
        desk.task?.fail(error);
        this.close(desk);
        reject(error);
      };
      desk.worker.addEventListener("error", (event) => failed(event.message || "a Web Worker does not start"));
      desk.worker.addEventListener("message", ({ data }) => {
        if (data.loading) onLoading(data.loading, data.done);
        if (data.failed) failed(data.failed);
        if (data.ready) {
          desk.ready = true;
          resolve();
          this.handOut();
        }
        if (data.reply && desk.task) this.take(desk, desk.task, JSON.parse(data.reply));
      });
    });
  }

  /**
   * @param {Desk} desk
   * @param {Task} task
   * @param {any} reply
   */
  take(desk, task, reply) {
    try {
      const answer = heard(reply, task.asking);
      if (!answer) return;
      task.answer(answer);
    } catch (error) {
      task.fail(error);
    }
    desk.task = null;
    this.handOut();
  }

  /**
   * @param {Request} request
   * @param {Asking} asking
   * @returns {Promise<Answer>}
   */
  ask(request, asking) {
    return new Promise((answer, fail) => {
      const task = { request, asking, answer, fail };
      this.waiting.push(task);
      asking.signal?.addEventListener("abort", () => this.stop(task));
      this.handOut();
    });
  }

  /** Give questions to Workers that are ready for them. */
  handOut() {
    for (const desk of this.desks) {
      if (!desk.ready || desk.task) continue;
      const searching = this.desks.some((one) => one.task && LONG.has(one.task.request.ask));
      const next = this.waiting.findIndex((task) => !(searching && LONG.has(task.request.ask)));
      const [task] = next < 0 ? [] : this.waiting.splice(next, 1);
      if (!task) continue;
      desk.task = task;
      desk.worker.postMessage({ request: JSON.stringify(task.request) });
    }
  }

  /**
   * End a question. A Worker that is at work on it is given up, and another one started in its place.
   *
   * @param {Task} task
   */
  stop(task) {
    task.fail(new DOMException("stopped", "AbortError"));
    this.waiting = this.waiting.filter((one) => one !== task);
    const desk = this.desks.find((one) => one.task === task);
    if (!desk) return;
    this.close(desk);
    this.open(() => {}).catch(() => {});
    this.handOut();
  }

  /** @param {Desk} desk */
  close(desk) {
    desk.worker.terminate();
    this.desks = this.desks.filter((one) => one !== desk);
  }
}
