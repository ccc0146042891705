// The legend of the board: whose is what, the other signs, and what stands above the picture in a file.
import { html } from "../html.mjs";
import { useEffect, useRef } from "../vendor/hooks.mjs";

/** @import { Key, Picture } from "../picture.mjs" */

/** @param {{picture: Picture}} given */
export function Legend({ picture }) {
  const { key, notes } = picture;
  const parties = key.filter((one) => one.party);
  return html`<details class="legend">
    <summary>Legend ${parties.map((one) => html`<${Entry} one=${one} />`)}</summary>
    ${notes && html`<p>${notes}</p>`}
    <ul>
      ${key.filter((one) => !one.party).map((one) => html`<li><${Entry} one=${one} /></li>`)}
    </ul>
  </details>`;
}

/** @param {{one: Key}} given */
function Entry({ one }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.replaceChildren(...(one.sign ? [one.sign] : [])), [one]);
  return html`<span class="entry"><span class="sign" ref=${place}></span>${one.text.replace(/^• /, "")}</span>`;
}
