// The selected place: what is there, what may happen there, and changes by hand; or the same of the board as a whole.
import { useAnswer } from "../answers.mjs";
import { attempt, change, valueOf } from "../attempt.mjs";
import { html } from "../html.mjs";
import { placeOf } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { EventsHere } from "./events.mjs";
import { Choice, Faults, Panel } from "./parts.mjs";

/** @import { Fact as FactOf, Moving, PlaceFacts, Props, Value } from "../../types.js" */

/** @param {Props} props */
export function Place(props) {
  const { state, dispatch, backend } = props;
  const { position, place } = state;
  const { answer, shown, faults, busy } = useAnswer(backend, placeOf(position, place));
  const [begun, setMoving] = useState(/** @type {Moving | null} */ (null));
  const moving = begun && begun.of === position ? begun : null;
  const there = shown?.place === place ? shown : null;
  const carried = moving && answer && place !== moving.from ? [...answer.here, ...answer.elsewhere].find((fact) => fact.name === moving.fact.name) : undefined;
  const put = (/** @type {FactOf} */ fact, /** @type {Value} */ value) => {
    setMoving(null);
    attempt(props, change(fact.path, value));
  };
  useEffect(() => {
    const [only] = carried?.here ?? [];
    if (carried && only !== undefined && carried.here.length === 1) put(carried, only);
  }, [carried]);
  if (!position) return null;
  return html`<${Panel} title=${place ? (there?.label ?? place) : "The whole board"} busy=${busy}>
    ${!place && html`<p class="hint">Select a place on the board: what is there, and what may happen there.</p>`}
    ${place && html`<p class="buttons"><button onClick=${() => dispatch({ do: "select", place: null })}>To the whole board</button></p>`}
    <${Faults} faults=${faults} />
    ${there && html`<p role="status">${place ? there.says : ""}</p>`}
    ${moving &&
    html`<p class="notice" role="status">
      ${moving.fact.about || moving.fact.name}: select the place to move to.
      <button onClick=${() => setMoving(null)}>Leave it there</button>
    </p>`}
    ${carried && carried.here.map((value) => html`<button onClick=${() => put(carried, value)}>to ${value}</button> `)}
    ${moving && answer && place && place !== moving.from && !carried?.here.length && html`<p role="status">It cannot be here.</p>`}
    ${(there || busy) && !state.readOnly && html`<${EventsHere} ...${props} />`}
    ${there && !state.readOnly && html`<${ByHand} there=${there} put=${put} move=${(/** @type {FactOf} */ fact) => {
        setMoving({ fact, from: place, of: position });
        dispatch({ do: "select", place: null }); // a click on a target is to put it there, not to play
      }} />`}
  <//>`;
}

const FEW = 8; // facts

/**
 * Owner, numbers, and units put, moved and taken away, with what is recorded of them.
 *
 * @param {{there: PlaceFacts, put: (fact: FactOf, value: Value) => void, move: (fact: FactOf) => void}} given
 */
function ByHand({ there, put, move }) {
  const [all, setAll] = useState(false);
  const usual = there.facts.filter((fact, i) => i < 3 || (fact.value && fact.value !== "none"));
  const facts = all || there.facts.length <= FEW ? there.facts : usual;
  if (!there.facts.length && !there.here.length && !there.elsewhere.length) return null;
  const listed = (/** @type {FactOf[]} */ some) => some.map((fact) => html`<${Fact} key=${fact.name + fact.value} fact=${fact} put=${put} />`);
  const ofUnit = (/** @type {string} */ unit) => there.of_here.filter((fact) => fact.path.slice(1).includes(unit));
  return html`<details class="byhand">
    <summary>Change by hand</summary>
    ${there.here.map(
      (fact) =>
        html`<div class="unit">
          <span>${fact.says}</span>
          <button onClick=${() => move(fact)}>Move</button>
          <${Choice}
            label="or put"
            value=${String(fact.value)}
            values=${[...fact.here, ...fact.values].map((value) => ({ value: String(value), text: plain(String(value)) }))}
            onChoose=${(/** @type {string} */ text) => put(fact, valueOf(fact, text))}
          />
          ${ofUnit(String(fact.path[1])).length > 0 &&
          html`<details>
            <summary>more about ${fact.path[1]}</summary>
            ${listed(ofUnit(String(fact.path[1])))}
          </details>`}
        </div>`,
    )}
    ${there.elsewhere.length > 0 && html`<${PutHere} facts=${there.elsewhere} put=${put} />`}
    ${listed(facts)}
    ${facts.length < there.facts.length &&
    html`<button onClick=${() => setAll(true)}>${there.facts.length - facts.length} more</button>`}
  </details>`;
}

/** @param {{fact: FactOf, put: (fact: FactOf, value: Value) => void}} given */
function Fact({ fact, put }) {
  const label = fact.path.map(plain).join(", ");
  if (fact.values.length)
    return html`<${Choice}
      label=${label}
      value=${String(fact.value)}
      values=${fact.values.map((value) => ({ value: String(value), text: value === true ? "yes" : value === false ? "no" : String(value) }))}
      onChoose=${(/** @type {string} */ text) => put(fact, valueOf(fact, text))}
    />`;
  const enter = (/** @type {any} */ event) => {
    const number = event.currentTarget.valueAsNumber;
    event.currentTarget.value = fact.value ?? ""; // until it is accepted
    if (Number.isInteger(number)) put(fact, number);
  };
  // Not `value`: an answer that comes while somebody types would take away what was typed.
  return html`<label class="choice"
    ><span>${label}</span><input type="number" min=${fact.least} max=${fact.most} defaultValue=${fact.value ?? ""} onChange=${enter}
  /></label>`;
}

/** @param {{facts: FactOf[], put: (fact: FactOf, value: Value) => void}} given */
function PutHere({ facts, put }) {
  const choices = facts.flatMap((fact, i) => fact.here.map((value) => ({ value: `${i} ${value}`, text: `${fact.about || fact.name} (${fact.value})${fact.here.length > 1 ? `, in ${value}` : ""}` })));
  const choose = (/** @type {string} */ text) => {
    const [i = "", ...rest] = text.split(" ");
    const fact = facts[Number(i)];
    if (fact && text) put(fact, valueOf(fact, rest.join(" ")));
  };
  return html`<${Choice} label="Put here" value="" values=${[{ value: "", text: "…" }, ...choices]} onChoose=${choose} />`;
}
