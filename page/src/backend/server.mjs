// The local server, `vclogic serve`: one POST for each question.
import { heard, Refused } from "../answers.mjs";

/** @import { About, Backend } from "../../types.js" */

const GRACE = 12_000; // milliseconds in which a question that was stopped can say what is known

/**  @type {(about: About) => Backend} */
export function server(about) {
  /** @type {(news: string) => void} */
  let tell = () => {};
  const lost = (/** @type {unknown} */ error, /** @type {AbortSignal | null} */ signal) => {
    if (signal?.aborted || error instanceof Refused) throw error;
    tell(GONE);
    throw new Refused([{ code: "gone", message: GONE }]);
  };
  const post = (/** @type {object} */ question, /** @type {AbortSignal | null} */ signal = null) => posted(question, signal).catch((error) => lost(error, signal));
  return {
    about,
    async ask(request, asking = {}) {
      const id = crypto.randomUUID();
      const gone = new AbortController();
      asking.signal?.addEventListener("abort", () => {
        post({ ask: "cancel", request: id }).catch(() => {}); // then the answer says what is known; if not, it is left
        setTimeout(() => gone.abort(), GRACE);
      });
      const response = await post({ ...request, id }, gone.signal);
      if (!response.ok) throw new Refused([{ code: "internal", message: await reason(response) }]);
      let rest = "";
      try {
        for await (const part of texts(/** @type {any} */ (response.body))) {
          const lines = (rest + part).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) {
            const answer = heard(line, asking);
            if (answer) return answer;
          }
        }
      } catch (error) {
        lost(error, gone.signal); // while it was answering
      }
      throw new Refused([{ code: "internal", message: "The server ended before its answer: ask again." }]);
    },
    onChange(listener) {
      tell = listener;
      return changes(listener);
    },
  };
}

const GONE = "The server no longer answers. Start vclogic serve again in the same folder; what is on the board stays here.";

/**
 * @param {object} question
 * @param {AbortSignal | null} signal
 */
const posted = (question, signal) => fetch("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal });

/** Why the server does not answer. @type {(response: Response) => Promise<string>} */
const reason = (response) =>
  response.json().then(
    (held) => String(held.error),
    () => `the server answers ${response.status}`,
  );

/**
 * The texts of a stream, as they come.
 *
 * @param {ReadableStream<Uint8Array>} body
 */
async function* texts(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield String(value);
  }
}

/**
 * Listen to changes of rules and files. Of all tabs one asks the server, and tells the others: a browser has few
 * connections to a server, and one that waits for changes takes one of them.
 *
 * @param {() => void} listener
 * @returns {() => void} Stops it.
 */
function changes(listener) {
  const tabs = new BroadcastChannel("vclogic changes");
  const end = new AbortController();
  tabs.addEventListener("message", listener);
  const ask = () =>
    new Promise((done) => {
      const events = new EventSource("changes");
      events.addEventListener("change", () => {
        tabs.postMessage("change");
        listener();
      });
      end.signal.addEventListener("abort", () => done(events.close()));
    });
  navigator.locks.request("vclogic changes", { signal: end.signal }, ask).catch(() => {});
  return () => {
    end.abort();
    tabs.close();
  };
}
