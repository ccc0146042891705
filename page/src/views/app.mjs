// The whole page: the state, and the views around the board.
import { html } from "../html.mjs";
import { after, EMPTY } from "../store.mjs";
import { useReducer } from "../vendor/hooks.mjs";
import { Board } from "./board.mjs";
import { Games } from "./games.mjs";
import { Outcomes } from "./outcomes.mjs";
import { Place } from "./place.mjs";
import { Question } from "./question.mjs";
import { Record } from "./record.mjs";
import { Share } from "./share.mjs";
import { Switches } from "./switches.mjs";

/** @import { Backend } from "../../types.js" */

/** @param {{backend: Backend}} given */
export function App({ backend }) {
  const [state, dispatch] = useReducer(after, EMPTY);
  const props = { state, dispatch, backend };
  return html`
    <header><h1>vclogic</h1><${Games} ...${props} /></header>
    <main>
      <${Board} ...${props} />
      <aside>
        <${Place} ...${props} />
        <${Outcomes} ...${props} />
        <${Question} ...${props} />
        <${Record} ...${props} />
        <${Switches} ...${props} />
        <${Share} ...${props} />
      </aside>
    </main>
  `;
}
