// The service worker of the static page: keeps all of its files, so that it opens without a network from then on.
// Each page that is made bears another version. Its files replace those of the version before together, once no tab is
// open that works with these.

const worker = /** @type {any} */ (self);
const OWN = `vclogic ${worker.registration.scope} `;
const VERSION = "VERSION";
const KEPT = OWN + VERSION;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forget().then(() => worker.clients.claim())));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope)) event.respondWith(found(event.request));
});

/** Keep all files of this version. Where one is another one, since they are just being replaced, none is kept. */
async function keep() {
  const listed = await fetch("files.json", { cache: "no-store" });
  /** @type {{version: string, files: Record<string, string>}} */
  const { version, files } = await listed.json();
  if (version !== VERSION) throw new Error("the files are being replaced");
  await caches.delete(KEPT);
  const kept = await caches.open(KEPT);
  await Promise.all(Object.entries(files).map(([name, hash]) => put(kept, name, hash)));
  const start = await kept.match("index.html");
  if (start) await kept.put("./", start);
}

/**
 * Keep a file: as an older version, the page, or the browser has it; else it is fetched.
 *
 * @param {Cache} kept
 * @param {string} name
 * @param {string} hash Its SHA-256, in hexadecimal.
 */
async function put(kept, name, hash) {
  const held = () => caches.match(name);
  for (const get of [held, () => fetch(name, { cache: "force-cache" }), () => fetch(name, { cache: "no-cache" })]) {
    const response = await get();
    if (response?.ok && (await sum(response.clone())) === hash) return kept.put(name, response);
  }
  throw new Error(`${name} is not that of this version`);
}

/** @param {Response} response */
async function sum(response) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Forget the files of other versions. */
async function forget() {
  for (const name of await caches.keys()) if (name.startsWith(OWN) && name !== KEPT) await caches.delete(name);
}

/**
 * The file that is kept, or else the one that the server has.
 *
 * @param {Request} request
 */
async function found(request) {
  const kept = await caches.open(KEPT);
  return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
}
