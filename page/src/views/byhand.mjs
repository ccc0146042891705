// Changes by hand: owner, numbers, and units put, moved and taken away, with what is recorded of them.
import { valueOf } from "../byhand.mjs";
import { html } from "../html.mjs";
import { useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { Choice } from "./parts.mjs";

const FEW = 8;

/**
 * @param {{there: any, put: (fact: any, value: any) => void, move: (fact: any) => void}} given
 */
export function ByHand({ there, put, move }) {
  const [all, setAll] = useState(false);
  const usual = there.facts.filter((/** @type {any} */ fact, /** @type {number} */ i) => i < 3 || (fact.value && fact.value !== "none"));
  const facts = all || there.facts.length <= FEW ? there.facts : usual;
  if (!there.facts.length && !there.here.length && !there.elsewhere.length) return null;
  const listed = (/** @type {any[]} */ some) => some.map((fact) => html`<${Fact} key=${fact.name + fact.value} fact=${fact} put=${put} />`);
  const ofUnit = (/** @type {string} */ unit) => there.of_here.filter((/** @type {any} */ fact) => fact.path.slice(1).includes(unit));
  return html`<details class="byhand">
    <summary>Change by hand</summary>
    ${there.here.map(
      (/** @type {any} */ fact) =>
        html`<div class="unit">
          <span>${fact.says}</span>
          <button type="button" onClick=${() => move(fact)}>Move</button>
          <${Choice}
            label="or put"
            value=${String(fact.value)}
            values=${[...fact.here, ...fact.values].map((/** @type {any} */ value) => ({ value: String(value), text: plain(String(value)) }))}
            onChoose=${(/** @type {string} */ text) => put(fact, valueOf(fact, text))}
          />
          ${ofUnit(fact.path[1]).length > 0 &&
          html`<details>
            <summary>more about ${fact.path[1]}</summary>
            ${listed(ofUnit(fact.path[1]))}
          </details>`}
        </div>`,
    )}
    ${there.elsewhere.length > 0 && html`<${PutHere} facts=${there.elsewhere} put=${put} />`}
    ${listed(facts)}
    ${facts.length < there.facts.length &&
    html`<button type="button" onClick=${() => setAll(true)}>${there.facts.length - facts.length} more</button>`}
  </details>`;
}

/** @param {{fact: any, put: (fact: any, value: any) => void}} given */
function Fact({ fact, put }) {
  const label = fact.path.map(plain).join(", ");
  if (fact.values.length)
    return html`<${Choice}
      label=${label}
      value=${String(fact.value)}
      values=${fact.values.map((/** @type {any} */ value) => ({ value: String(value), text: value === true ? "yes" : value === false ? "no" : String(value) }))}
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

/** @param {{facts: any[], put: (fact: any, value: any) => void}} given */
function PutHere({ facts, put }) {
  const choices = facts.flatMap((fact, i) => fact.here.map((/** @type {any} */ value) => ({ value: `${i} ${value}`, text: `${fact.about || fact.name} (${fact.value})${fact.here.length > 1 ? `, in ${value}` : ""}` })));
  const choose = (/** @type {string} */ text) => {
    const [i = "", ...rest] = text.split(" ");
    const fact = facts[Number(i)];
    if (fact && text) put(fact, valueOf(fact, rest.join(" ")));
  };
  return html`<${Choice} label="Put here" value="" values=${[{ value: "", text: "…" }, ...choices]} onChoose=${choose} />`;
}
