// Preact with templates instead of JSX, so that nothing has to be built.
import { h } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";

/** Markup as a template: html`<p class=${name}>...</p>`. Texts are escaped. */
export const html = htm.bind(h);
