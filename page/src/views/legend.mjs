// Below the board: switches for what can be drawn over it, and the legend: whose is what, other signs, what a file has above the picture.
import { html } from "../html.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";

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

/**
 * The names of what is drawn over the board of a game, and what changes them; they stay through its steps.
 *
 * @param {string} game
 * @returns {[string[], (names: string[]) => void]}
 */
export function useChosen(game) {
  const [kept, setKept] = useState({ game, names: /** @type {string[]} */ ([]) });
  return [kept.game === game ? kept.names : [], (names) => setKept({ game, names })];
}

/** @param {{every: {name: string, says: string}[], names: string[], choose: (names: string[]) => void}} given */
export function Overlays({ every, names, choose }) {
  return html`<fieldset class="overlays" aria-label="Drawn over the board">
    ${every.map(({ name, says }) => {
      const change = () => choose(names.includes(name) ? names.filter((one) => one !== name) : [...names, name]);
      return html`<label title=${says}><input type="checkbox" checked=${names.includes(name)} onChange=${change} /> ${name}</label>`;
    })}
  </fieldset>`;
}
