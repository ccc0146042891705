// The choice of a game and scenario, or a file of the folder: a list at the top, and a page of its own to begin with.
import { useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { begun, boardOf, cardOf } from "../store.mjs";
import { plain } from "../words.mjs";
import { Faults, useChoice } from "./parts.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Games({ state, dispatch, backend }) {
  const { answer } = useAnswer(backend, { ask: "catalogue" });
  const game = state.position?.game;
  const named = typeof game === "string" ? game : "";
  const [book] = Object.keys(cardOf(game).rulebook ?? {});
  const chosen = useChoice(named, (name) => {
    if (name) dispatch({ do: "open", position: begun(name) });
  });
  if (!answer) return null;
  const known = answer.games.some((one) => one.scenarios.some((s) => s.name === named));
  const own = named && !known && !answer.files.some((file) => file.path === named);
  return html`<label class="choice game"
    ><span>Game</span>
    <select ...${chosen} disabled=${state.readOnly}>
      ${(!named || own) && html`<option value="" selected>${named || book || (state.position ? "a position of one's own" : "choose a game")}</option>`}
      ${answer.games.map(
        (one) =>
          html`<optgroup label=${one.title ?? one.name}>
            ${one.scenarios.map((s) => html`<option value=${s.name} selected=${s.name === named}>${s.title}</option>`)}
            ${one.broken.map((/** @type {string} */ text) => html`<option disabled>broken: ${text}</option>`)}
          </optgroup>`,
      )}
      ${answer.files.length > 0 &&
      html`<optgroup label="Files of the folder">
        ${answer.files.map(
          (file) =>
            html`<option value=${file.path} selected=${file.path === named}>${file.title || file.path} (${plain(file.game)})</option>`,
        )}
      </optgroup>`}
    </select></label
  >`;
}

/** @param {Props} props */
export function Start({ dispatch, backend }) {
  const { answer, faults } = useAnswer(backend, { ask: "catalogue" });
  if (!answer) return html`<div class="start"><p role="status">Looking for games …</p><${Faults} faults=${faults} /></div>`;
  const open = (/** @type {string} */ game) => () => dispatch({ do: "open", position: begun(game) });
  const listed = (/** @type {{name: string, text: string}[]} */ all) =>
    html`<ul>
      ${all.map(({ name, text }) => html`<li><button onClick=${open(name)}>${text}</button></li>`)}
    </ul>`;
  return html`<div class="start">
    <p>See who is winning, click what happens, and ask what is possible. Choose a position to begin.</p>
    <ul>
      ${answer.games.map(({ scenarios: [first], title, name }) => first && html`<li><button class="thumb" onClick=${open(first.name)}><${Thumb} backend=${backend} game=${first.name} />${title ?? name}</button></li>`)}
    </ul>
    ${backend.about.lacks &&
    html`<details>
      <summary>What this page cannot answer</summary>
      <ul>
        ${backend.about.lacks.map((text) => html`<li>${text}</li>`)}
      </ul>
    </details>`}
    ${answer.games.map(
      (game) =>
        html`<section>
          <h2>${game.title ?? game.name}</h2>
          ${listed(game.scenarios.map((one) => ({ name: one.name, text: one.title })))}
        </section>`,
    )}
    ${backend.about.rulebooks &&
    html`<section>
      <h2>Rulebooks</h2>
      ${listed(backend.about.rulebooks.map(({ path, title }) => ({ name: path, text: title })))}
    </section>`}
    ${answer.files.length > 0 &&
    html`<section>
      <h2>Files of the folder</h2>
      ${listed(answer.files.map((one) => ({ name: one.path, text: one.title || one.path })))}
    </section>`}
  </div>`;
}

/** @param {{backend: Props["backend"], game: string}} given The board at the start of a game, small. */
function Thumb({ backend, game }) {
  const { answer } = useAnswer(backend, boardOf(begun(game), []));
  return html`<img alt="" src=${answer ? `data:image/svg+xml,${encodeURIComponent(answer.svg)}` : "data:,"} />`;
}
