// The whole page: the state, and the views around the board.
import { follow, listen } from "../address.mjs";
import { forget, useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { after, rulesOf } from "../store.mjs";
import { useEffect, useReducer, useState } from "../vendor/hooks.mjs";
import { Board } from "./board.mjs";
import { Findings } from "./findings.mjs";
import { Games } from "./games.mjs";
import { Outcomes } from "./outcomes.mjs";
import { Faults, Rules } from "./parts.mjs";
import { Place } from "./place.mjs";
import { Question } from "./question.mjs";
import { Record } from "./record.mjs";
import { Share } from "./share.mjs";
import { Start } from "./start.mjs";
import { Switches } from "./switches.mjs";

/** @import { Backend, State } from "../../types.js" */

/** @param {{backend: Backend, hash: string, begin: State}} given What the address held, and the state that it describes. */
export function App({ backend, hash, begin }) {
  const [state, dispatch] = useReducer(after, begin);
  const [news, setNews] = useState({ number: 0, text: "" });
  useEffect(() => listen(dispatch, hash), []);
  useEffect(() => {
    const timer = setTimeout(() => follow(state), 200);
    return () => clearTimeout(timer);
  }, [state.position, state.question]);
  useEffect(
    () =>
      backend.onChange(() => {
        forget(backend);
        setNews((now) => ({ number: now.number + 1, text: "Rules or files have changed: everything is asked anew." }));
      }),
    [],
  );
  const { answer: rules } = useAnswer(backend, rulesOf(state.position));
  const props = { state, dispatch, backend };
  return html`<${Rules.Provider} value=${rules}>
    <header>
      <h1>vclogic</h1>
      <${Games} key=${`games${news.number}`} ...${props} />
      ${state.readOnly && html`<a href=${location.href.replace("#v1e.", "#v1.")} target="_blank" rel="noopener">Open in full</a>`}
      <p role="status" class="news">${news.text}</p>
    </header>
    <main key=${news.number}>
      ${state.position ? html`<${Board} ...${props} />` : html`<${Start} ...${props} />`}
      <div class="panels">
        <${Faults} faults=${state.faults} />
        <${Place} ...${props} />
        <${Outcomes} ...${props} />
        ${!state.readOnly && html`<${Question} ...${props} />`}
        <${Record} ...${props} />
        ${!state.readOnly && html`<${Switches} ...${props} />`}
        <${Share} ...${props} />
        ${!state.readOnly && backend.about.folder && html`<${Findings} ...${props} />`}
      </div>
    </main>
  <//>`;
}
