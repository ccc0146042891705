// The service worker of the static page: keeps all of its files, so that it opens without a network from then on.
// Each page that is made bears another version. Its files replace those of the version before together, once no tab is
// open that works with these.

const worker = /** @type {any} */ (self);
const OWN = `vclogic ${worker.registration.scope} `;
const KEPT = OWN + "VERSION";

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forget().then(() => worker.clients.claim())));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope)) event.respondWith(found(event.request));
});

/** Keep all files of this version. */
async function keep() {
  const response = await fetch("files.json", { cache: "no-store" });
  /** @type {string[]} */
  const names = await response.json();
  const kept = await caches.open(KEPT);
  await kept.addAll(["./", ...names].map((name) => new Request(name, { cache: "no-cache" })));
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
