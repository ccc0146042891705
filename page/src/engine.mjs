// The Web Worker of the static page: vclogic under Pyodide. It takes a request of the protocol and gives its replies.

/** @import { Files } from "./backend/worker.mjs" */

/** @param {object} message */
const tell = (message) => self.postMessage(message);
const PARTS = 4;

/**
 * Load Python and vclogic; tells how far it is. Returns what answers a request.
 *
 * @param {Files} files The large files, which are not fetched again.
 */
async function load({ module, held }) {
  tell({ loading: "Python", done: 0 / PARTS });
  // @ts-ignore: it is there once the static page is made
  const { loadPyodide } = await import("./python/pyodide.mjs");
  const fetched = self.fetch;
  self.fetch = async (url, how) => {
    const blob = held[String(url).split("/").at(-1) ?? ""];
    return blob ? new Response(blob) : fetched(url, how);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  const python = await loadPyodide({ indexURL: new URL("python/", import.meta.url).href });
  tell({ loading: "the rules", done: 1 / PARTS });
  const folder = python.runPython("import sysconfig; sysconfig.get_paths()['purelib']");
  python.unpackArchive(await held["site.zip"]?.arrayBuffer(), "zip", { extractDir: folder });
  tell({ loading: "vclogic", done: 2 / PARTS });
  const answering = python.runPython(BEGIN)((/** @type {string} */ line) => tell({ reply: line }));
  tell({ loading: "the games", done: 3 / PARTS });
  answering('{"ask":"catalogue"}');
  return answering;
}

const BEGIN = `
import importlib
importlib.invalidate_caches()
from vclogic.serve.dispatch import alone

def begin(tell):
    server = alone(lambda line: tell(line.decode("ascii")))
    return lambda request: server.receive(request.encode())

begin
`;

/** @type {ReturnType<typeof load>} */
let loaded;
self.addEventListener("message", async ({ data: { files, request } }) => {
  try {
    if (files) loaded = load(files);
    const answering = await loaded;
    if (files) tell({ ready: true });
    else answering(request);
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) }); // of Python itself, such as no memory
  }
});
