// Starts the page: finds out what answers, opens what the link holds, and draws.
import { stateIn } from "./address.mjs";
import { server } from "./backend/server.mjs";
import { html } from "./html.mjs";
import { render } from "./vendor/preact.mjs";
import { App } from "./views/app.mjs";

/** @import { About } from "../types.js" */

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
try {
  const response = await fetch("about.json");
  /** @type {About} */
  const about = await response.json();
  const begin = await stateIn(location.hash);
  page.textContent = "";
  render(html`<${App} backend=${server(about)} begin=${begin} />`, page);
} catch (error) {
  page.textContent = `The page could not be loaded: ${error instanceof Error ? error.message : error}. Is the server running?`;
}
