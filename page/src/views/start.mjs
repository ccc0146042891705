// Where no game is chosen yet: the games with their scenarios, and the files of the folder, to begin with.
import { useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { Faults } from "./parts.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Start({ dispatch, backend }) {
  const { answer, faults } = useAnswer(backend, { ask: "catalogue" });
  if (!answer) return html`<div class="start"><p role="status">Looking for games …</p><${Faults} faults=${faults} /></div>`;
  const open = (/** @type {string} */ game) => () => dispatch({ do: "open", position: { game, settings: {}, steps: [], at: 0 } });
  const listed = (/** @type {{name: string, text: string}[]} */ all) =>
    html`<ul>
      ${all.map(({ name, text }) => html`<li><button type="button" onClick=${open(name)}>${text}</button></li>`)}
    </ul>`;
  return html`<div class="start">
    <p>See who is winning, click what happens, and ask what is possible. Choose a position to begin.</p>
    ${backend.about.lacks &&
    html`<details>
      <summary>What this page cannot answer</summary>
      <ul>
        ${backend.about.lacks.map((text) => html`<li>${text}</li>`)}
      </ul>
    </details>`}
    ${answer.games.map(
      (/** @type {any} */ game) =>
        html`<section>
          <h2>${game.title ?? game.name}</h2>
          ${listed(game.scenarios.map((/** @type {any} */ one) => ({ name: one.name, text: one.title })))}
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
      ${listed(answer.files.map((/** @type {any} */ one) => ({ name: one.path, text: one.title || one.path })))}
    </section>`}
  </div>`;
}
