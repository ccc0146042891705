// Starts the page: finds out what answers, opens what the link holds, and draws.
import { server } from "./backend/server.mjs";
import { html } from "./html.mjs";
import { render } from "./vendor/preact.mjs";
import { App } from "./views/app.mjs";

/** @import { About } from "../types.js" */

const response = await fetch("about.json");
/** @type {About} */
const about = await response.json();
const backend = server(about);
const page = document.getElementById("page");
if (page) {
  page.textContent = "";
  render(html`<${App} backend=${backend} />`, page);
}
