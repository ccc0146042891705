// The selected place: what is there, what may happen there, and changes by hand; or the same of the board as a whole.
import { useAnswer } from "../answers.mjs";
import { attempt } from "../attempt.mjs";
import { change } from "../byhand.mjs";
import { html } from "../html.mjs";
import { described } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { ByHand } from "./byhand.mjs";
import { EventsHere } from "./events.mjs";
import { Faults, Panel } from "./parts.mjs";

/** @import { Props } from "../../types.js" */

/** @param {Props} props */
export function Place(props) {
  const { state, dispatch, backend } = props;
  const { position, place } = state;
  const request = position && { ask: "place", moment: described(position), place };
  const { answer, faults } = useAnswer(backend, request);
  const [moving, setMoving] = useState(/** @type {any} */ (null));
  const there = answer && answer.place === place ? answer : null;
  const carried = moving && there && [...there.here, ...there.elsewhere].find((/** @type {any} */ fact) => fact.name === moving.name);

  useEffect(() => {
    if (!carried || !place || place === moving.from || carried.here.length !== 1) return;
    setMoving(null);
    attempt(props, change(carried.path, carried.here[0]));
  }, [carried, place]);
  if (!position) return null;
  const put = (/** @type {any} */ fact, /** @type {any} */ value) => {
    setMoving(null);
    attempt(props, change(fact.path, value, there?.beside));
  };
  return html`<${Panel} title=${place ? (there?.label ?? place) : "The whole board"}>
    ${!place && html`<p class="hint">Select a place on the board: what is there, and what may happen there.</p>`}
    ${place && html`<p class="buttons"><button type="button" onClick=${() => dispatch({ do: "select", place: null })}>To the whole board</button></p>`}
    <${Faults} faults=${faults} />
    ${there && html`<p role="status">${place ? there.says : ""}</p>`}
    ${moving &&
    html`<p class="notice" role="status">
      ${moving.about || moving.name}: select the place to move to.
      <button type="button" onClick=${() => setMoving(null)}>Leave it there</button>
    </p>`}
    ${moving &&
    carried &&
    place !== moving.from &&
    carried.here.map((/** @type {any} */ value) => html`<button type="button" onClick=${() => put(carried, value)}>to ${value}</button> `)}
    ${there && !state.readOnly && html`<${EventsHere} ...${props} />`}
    ${there &&
    !state.readOnly &&
    html`<${ByHand} there=${there} put=${put} move=${(/** @type {any} */ fact) => setMoving({ ...fact, from: place })} />`}
  <//>`;
}
