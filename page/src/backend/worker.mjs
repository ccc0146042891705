// vclogic in the browser itself: two Web Workers, so that one is ready while the other searches or was stopped.
import { heard, Refused } from "../answers.mjs";

/** @import { About, Answer, Asking, Backend, Request } from "../../types.js" */

/**
 * @typedef {object} Task
 * @property {Request} request
 * @property {Asking} asking
 * @property {(answer: Answer) => void} answer
 * @property {(error: unknown) => void} fail
 */
/** @typedef {{worker: Worker, ready: boolean, task: Task | null}} Slot */
/** @typedef {(text: string, done: number) => void} OnLoading Told how far a Worker has been loaded. */

const MOST = 2;
const BESIDE = /^[\w -]+(\/[\w -]+)*\.md$/;
/** What asks a solver, and may take long: at most one at a time, so that the board always answers. */
const LONG = new Set(["plan", "reach", "missing", "ask", "check", "compare", "objectives", "solve", "defend", "force", "survives"]);

/**
 * @param {About} about
 * @param {OnLoading} onLoading Called while the first Worker loads.
 * @returns {Promise<Backend>} Ready to answer. Throws where vclogic cannot be loaded.
 */
export async function worker(about, onLoading) {
  onLoading("Python", 0);
  const pool = new Pool(await large(onLoading));
  await pool.open((text, done) => onLoading(text, 0.6 + 0.4 * done));
  pool.open().catch(() => {}); // one is enough
  return {
    about,
    ask: async (request, asking = {}) => pool.ask(await withTexts(request), asking),
    onChange: newer,
  };
}

/** @typedef {{module: WebAssembly.Module, held: Record<string, Blob>}} Files Pyodide, compiled, and files by name. */

const ALL = 21e6; // bytes, about
const PYODIDE = "pyodide.asm.wasm";
const LARGE = [PYODIDE, "python_stdlib.zip", "site.zip", "pyodide-lock.json"];

/**
 * The large files, each fetched once for all Workers; where no service worker is there yet, they are kept for it.
 *
 * @param {OnLoading} onLoading
 * @returns {Promise<Files>} Throws where one is not to be had.
 */
async function large(onLoading) {
  const known = await navigator.serviceWorker?.getRegistration().catch(() => null);
  const scope = new URL("./", location.href).href;
  const kept = known === undefined && globalThis.caches ? await caches.open(`vclogic ${scope} fetched`).catch(() => null) : null;
  let got = 0;
  const get = async (/** @type {string} */ name) => {
    /** @type {BlobPart[]} */
    const parts = [];
    const response = await fetch(`python/${name}`);
    if (!response.ok) throw new Error(`python/${name}: ${response.status} ${response.statusText}`);
    kept?.put(`python/${name}`, response.clone()).catch(() => {}); // there may be no room for it
    const reader = response.body?.getReader();
    for (;;) {
      const part = await reader?.read();
      if (!part?.value) break;
      parts.push(part.value);
      got += part.value.length;
      onLoading("Python", Math.min(got / ALL, 1) * 0.6);
    }
    return new Blob(parts);
  };
  const held = Object.fromEntries(await Promise.all(LARGE.map(async (name) => [name, await get(name)])));
  return { module: await WebAssembly.compile(await held[PYODIDE].arrayBuffer()), held };
}

/** Rulebooks beside the page. @type {Map<string, Promise<string>>} */
const beside = new Map();

/**
 * A request with the text of each rulebook beside the page that it names. Where there is none, whoever asks is told so.
 *
 * @param {Request} request
 * @returns {Promise<Request>}
 */
export async function withTexts(request) {
  const found = { ...request };
  for (const [key, moment] of Object.entries(/** @type {Record<string, any>} */ (request))) {
    const name = moment?.game;
    if (typeof name !== "string" || !BESIDE.test(name)) continue;
    const text = beside.get(name) ?? fetch(name).then((response) => (response.ok ? response.text() : ""));
    beside.set(name, text);
    const known = await text.catch(() => "");
    if (known) found[key] = { ...moment, game: { rulebook: { [name.replace(/.*\//, "")]: known } } };
    else beside.delete(name); // it may be there later
  }
  return found;
}

/** Questions, and the Workers that answer them. */
export class Pool {
  /** @param {Files | null} [files] What each Worker is given first. */
  constructor(files = null) {
    this.files = files;
    /** @type {Slot[]} */
    this.slots = [];
    /** @type {Task[]} */
    this.waiting = [];
    /** @type {unknown} Why there is no Worker any more. */
    this.broken = null;
  }

  /**
   * Start a Worker.
   *
   * @param {OnLoading} [onLoading]
   * @returns {Promise<void>} Once it is ready. Throws where it cannot be.
   */
  open(onLoading = () => {}) {
    const slot = { worker: new Worker(new URL("../engine.mjs", import.meta.url), { type: "module" }), ready: false, task: /** @type {Task | null} */ (null) };
    this.slots.push(slot);
    slot.worker.postMessage({ files: this.files });
    return new Promise((resolve, reject) => {
      const failed = (/** @type {string} */ why) => {
        if (!this.slots.includes(slot)) return;
        const error = new Refused([{ code: "internal", message: `vclogic cannot go on in this browser: ${why}` }]);
        reject(error);
        this.lose(slot, error);
      };
      slot.worker.addEventListener("error", (event) => failed(event.message || "a Web Worker does not start"));
      slot.worker.addEventListener("message", ({ data }) => {
        if (data.loading) onLoading(data.loading, data.done);
        if (data.failed) failed(data.failed);
        if (data.ready) {
          slot.ready = true;
          resolve();
          this.handOut();
        }
        if (data.reply && slot.task) this.take(slot, slot.task, data.reply);
      });
    });
  }

  /**
   * @param {Slot} slot
   * @param {Task} task
   * @param {string} reply
   */
  take(slot, task, reply) {
    try {
      const answer = heard(reply, task.asking);
      if (!answer) return;
      task.answer(answer);
    } catch (error) {
      task.fail(error);
    }
    slot.task = null;
    this.handOut();
  }

  /**
   * @param {Request} request
   * @param {Asking} asking
   * @returns {Promise<Answer>}
   */
  ask(request, asking) {
    if (this.broken) return Promise.reject(this.broken);
    if (asking.signal?.aborted) return Promise.reject(new DOMException("stopped", "AbortError"));
    return new Promise((answer, fail) => {
      const task = { request, asking, answer, fail };
      this.waiting.push(task);
      asking.signal?.addEventListener("abort", () => this.stop(task));
      this.handOut();
    });
  }

  /**
   * Give questions to Workers that are ready for them. A search begins where another Worker is ready, too: it answers
   * for the board meanwhile, and after the search was stopped.
   */
  handOut() {
    const spare = this.slots.every(({ ready }) => ready);
    for (const slot of this.slots) {
      if (!slot.ready || slot.task) continue;
      const searching = this.slots.some((one) => one.task && LONG.has(one.task.request.ask));
      const next = this.waiting.findIndex((task) => !LONG.has(task.request.ask) || (spare && !searching));
      const [task] = next < 0 ? [] : this.waiting.splice(next, 1);
      if (!task) continue;
      slot.task = task;
      slot.worker.postMessage({ request: JSON.stringify(task.request) });
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
    const slot = this.slots.find((one) => one.task === task);
    if (!slot) return;
    this.close(slot);
    this.renew();
    this.handOut();
  }

  /**
   * A Worker has failed: its question fails, and another one takes its place if it was at work. Where none is left, all
   * questions fail.
   *
   * @param {Slot} slot
   * @param {unknown} error
   */
  lose(slot, error) {
    slot.task?.fail(error);
    this.close(slot);
    if (slot.task) this.renew();
    if (this.slots.length) {
      this.handOut();
      return;
    }
    this.broken = error;
    for (const task of this.waiting.splice(0)) task.fail(error);
  }

  /** Start Workers in place of those that were given up. */
  renew() {
    while (this.slots.length < MOST) this.open().catch(() => {});
  }

  /** @param {Slot} slot */
  close(slot) {
    slot.worker.terminate();
    this.slots = this.slots.filter((one) => one !== slot);
  }
}

/**
 * Tells when a newer version of the page has been loaded.
 *
 * @param {(news?: string) => void} listener
 * @returns {() => void} Stops it.
 */
function newer(listener) {
  const end = new AbortController();
  navigator.serviceWorker?.ready.then((registration) => {
    const tell = () => registration.waiting && listener("A newer version is there: it opens once all tabs of this page have been closed.");
    const coming = () => registration.installing?.addEventListener("statechange", tell, { signal: end.signal });
    registration.addEventListener("updatefound", coming, { signal: end.signal });
    coming();
    tell();
  });
  return () => end.abort();
}
