// Starts the page: finds out what answers, opens what the link holds, and draws.
import { server } from "./backend/server.mjs";
import { worker } from "./backend/worker.mjs";
import { html } from "./html.mjs";
import { stateIn } from "./link.mjs";
import { render } from "./vendor/preact.mjs";
import { App } from "./views/app.mjs";

/** @import { About } from "../types.js" */

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const show = (/** @type {object} */ what) => render(html`<main class="start"><h1>vclogic</h1>${what}</main>`, page);
let failed = false; // other files may still arrive then
const loading = (/** @type {string} */ text, /** @type {number} */ done) =>
  failed || show(html`<p role="status">Loading ${text} … <progress value=${done} aria-label="Loading"></progress></p>`);
page.textContent = "";
show(html`<p role="status">Loading …</p>`);
try {
  const response = await fetch("about.json");
  /** @type {About} */
  const about = await response.json();
  const { hash } = location;
  const begin = await stateIn(hash);
  const backend = about.backend === "worker" ? await worker(about, loading) : server(about);
  if (about.backend === "worker") navigator.serviceWorker?.register("offline.mjs").catch(() => {}); // now: it keeps what was fetched
  render(html`<${App} backend=${backend} hash=${hash} begin=${begin} />`, page);
} catch (error) {
  failed = true;
  show(html`<p role="alert">The page could not be loaded. Is its server there? (${error instanceof Error ? error.message : String(error)})</p>`);
}
