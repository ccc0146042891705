// The choice of a game and scenario, or a file of the folder.
import { useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { useChoice } from "./parts.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Games({ state, dispatch, backend }) {
  const { answer } = useAnswer(backend, { ask: "catalogue" });
  const game = state.position?.game;
  const named = typeof game === "string" ? game : "";
  const [book] = Object.keys(/** @type {any} */ (game)?.rulebook ?? {});
  const chosen = useChoice(named, (name) => {
    if (name) dispatch({ do: "open", position: { game: name, settings: {}, steps: [], at: 0 } });
  });
  if (!answer) return null;
  const known = answer.games.some((/** @type {any} */ one) => one.scenarios.some((/** @type {any} */ s) => s.name === named));
  const own = named && !known && !answer.files.some((/** @type {any} */ file) => file.path === named);
  return html`<label class="choice game"
    ><span>Game</span>
    <select ...${chosen} disabled=${state.readOnly}>
      ${(!named || own) && html`<option value="" selected>${named || book || (state.position ? "a position of one's own" : "choose a game")}</option>`}
      ${answer.games.map(
        (/** @type {any} */ one) =>
          html`<optgroup label=${one.title ?? one.name}>
            ${one.scenarios.map((/** @type {any} */ s) => html`<option value=${s.name} selected=${s.name === named}>${s.title}</option>`)}
            ${one.broken.map((/** @type {string} */ text) => html`<option disabled>broken: ${text}</option>`)}
          </optgroup>`,
      )}
      ${answer.files.length > 0 &&
      html`<optgroup label="Files of the folder">
        ${answer.files.map(
          (/** @type {any} */ file) =>
            html`<option value=${file.path} selected=${file.path === named}>${file.title || file.path} (${file.game})</option>`,
        )}
      </optgroup>`}
    </select></label
  >`;
}
