// The Web Worker of the static page: vclogic under Pyodide. It takes a request of the protocol and gives its replies.

/** @param {object} message */
const tell = (message) => self.postMessage(message);
const PARTS = 4;

/** Load Python and vclogic; tells how far it is. Returns what answers a request, and what keeps a rulebook. */
async function load() {
  tell({ loading: "Python", done: 0 / PARTS });
  const site = fetch("python/site.zip").then((response) => {
    if (!response.ok) throw new Error(`python/site.zip: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  });
  site.catch(() => {}); // it is waited for below
  // @ts-ignore: it is there once the static page is made
  const { loadPyodide } = await import("./python/pyodide.mjs");
  const python = await loadPyodide({ indexURL: new URL("python/", import.meta.url).href });
  tell({ loading: "the rules", done: 1 / PARTS });
  const folder = python.runPython("import sysconfig; sysconfig.get_paths()['purelib']");
  python.unpackArchive(await site, "zip", { extractDir: folder });
  tell({ loading: "vclogic", done: 2 / PARTS });
  const answering = python.runPython(BEGIN)((/** @type {string} */ line) => tell({ reply: line }));
  const keep = (/** @type {{name: string, text: string}} */ { name, text }) => {
    if (name.includes("/")) python.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    python.FS.writeFile(name, text);
  };
  tell({ loading: "the games", done: 3 / PARTS });
  answering('{"ask":"catalogue"}');
  return { answering, keep };
}

const BEGIN = `
import importlib
importlib.invalidate_caches()
from vclogic.serve.server import alone

def begin(tell):
    server = alone(lambda line: tell(line.decode("ascii")))
    return lambda request: server.receive(request.encode())

begin
`;

const loaded = load();
loaded.then(
  () => tell({ ready: true }),
  (error) => tell({ failed: String(error?.message ?? error) }),
);
self.addEventListener("message", async (event) => {
  const { request, book } = event.data;
  try {
    const { answering, keep } = await loaded;
    if (book) keep(book);
    else answering(request);
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) }); // of Python itself, such as no memory
  }
});
