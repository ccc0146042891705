// The selected place: what is there, what may happen there, and changes by hand; or the same of the board as a whole.
import { useAnswer } from "../answers.mjs";
import { attempt } from "../attempt.mjs";
import { change } from "../byhand.mjs";
import { html } from "../html.mjs";
import { placeOf } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { ByHand } from "./byhand.mjs";
import { EventsHere } from "./events.mjs";
import { Faults, Panel } from "./parts.mjs";

/** @import { Position, Props } from "../../types.js" */

/** @typedef {{fact: any, from: string | null, of: Position}} Moving What is moved by hand, and where it was. */

/** @param {Props} props */
export function Place(props) {
  const { state, dispatch, backend } = props;
  const { position, place } = state;
  const { answer, shown, faults, busy } = useAnswer(backend, placeOf(position, place));
  const [begun, setMoving] = useState(/** @type {Moving | null} */ (null));
  const moving = begun && begun.of === position ? begun : null;
  const there = shown?.place === place ? shown : null;
  const carried = moving && answer && place !== moving.from && [...answer.here, ...answer.elsewhere].find((/** @type {any} */ fact) => fact.name === moving.fact.name);
  const put = (/** @type {any} */ fact, /** @type {any} */ value) => {
    setMoving(null);
    attempt(props, change(fact.path, value));
  };
  useEffect(() => {
    if (carried && carried.here.length === 1) put(carried, carried.here[0]);
  }, [carried]);
  if (!position) return null;
  return html`<${Panel} title=${place ? (there?.label ?? place) : "The whole board"} busy=${busy}>
    ${!place && html`<p class="hint">Select a place on the board: what is there, and what may happen there.</p>`}
    ${place && html`<p class="buttons"><button type="button" onClick=${() => dispatch({ do: "select", place: null })}>To the whole board</button></p>`}
    <${Faults} faults=${faults} />
    ${there && html`<p role="status">${place ? there.says : ""}</p>`}
    ${moving &&
    html`<p class="notice" role="status">
      ${moving.fact.about || moving.fact.name}: select the place to move to.
      <button type="button" onClick=${() => setMoving(null)}>Leave it there</button>
    </p>`}
    ${carried && carried.here.map((/** @type {any} */ value) => html`<button type="button" onClick=${() => put(carried, value)}>to ${value}</button> `)}
    ${moving && answer && place && place !== moving.from && !carried?.here.length && html`<p role="status">It cannot be here.</p>`}
    ${(there || busy) && !state.readOnly && html`<${EventsHere} ...${props} />`}
    ${there && !state.readOnly && html`<${ByHand} there=${there} put=${put} move=${(/** @type {any} */ fact) => {
        setMoving({ fact, from: place, of: position });
        dispatch({ do: "select", place: null }); // a click on a target is to put it there, not to play
      }} />`}
  <//>`;
}
