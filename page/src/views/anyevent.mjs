// Any event with any arguments: it is played if the rules allow it, and refused with the clause if not.
import { ask, faultsOf, useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { described, rulesOf } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { Choice, Cites, Faults } from "./parts.mjs";

/** @import { Fault, Props } from "../../types.js" */

/** @param {Props} props */
export function AnyEvent({ state, now, dispatch, backend }) {
  const { position, place } = state;
  const [name, setName] = useState("");
  const [args, setArgs] = useState(/** @type {any} */ ({}));
  const [faults, setFaults] = useState(/** @type {Fault[]} */ ([]));
  const [ruled, setRuled] = useState(/** @type {any} */ (null));
  const [asking, setAsking] = useState(false);
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  useEffect(() => {
    setRuled(null);
    setFaults([]);
  }, [position]);
  if (!position || !rules) return null;
  const kind = rules.events.find((/** @type {any} */ one) => one.name === name);
  const choose = (/** @type {string} */ chosen) => {
    const named = rules.events.find((/** @type {any} */ one) => one.name === chosen);
    setName(chosen);
    setRuled(null);
    const given = (named?.arguments ?? []).map((/** @type {any} */ a) => [a.name, a.names?.includes(place) ? place : (a.default ?? a.names?.[0] ?? a.least ?? 0)]);
    setArgs(Object.fromEntries(given));
  };
  const attempt = async () => {
    if (asking) return;
    setAsking(true);
    setFaults([]);
    const step = Object.keys(args).length ? { [name]: args } : name;
    try {
      const found = await ask(backend, { ask: "explain_event", moment: described(position), event: step });
      if (position !== now().position) return;
      setRuled(found.allowed ? null : found);
      if (found.allowed) dispatch({ do: "step", step, of: position });
    } catch (error) {
      if (position !== now().position) return;
      setRuled(null);
      setFaults(faultsOf(error));
    } finally {
      setAsking(false);
    }
  };
  return html`<details class="kind">
    <summary>Any other event</summary>
    <${Choice}
      label="Event"
      value=${name}
      values=${[{ value: "", text: "…" }, ...rules.events.map((/** @type {any} */ one) => ({ value: one.name, text: plain(one.name) }))]}
      onChoose=${choose}
    />
    ${kind && html`<p><small>${kind.text}</small></p>`}
    ${kind?.arguments.map((/** @type {any} */ one) => html`<${Argument} one=${one} value=${args[one.name]} set=${(/** @type {any} */ value) => setArgs({ ...args, [one.name]: value })} />`)}
    ${kind && html`<button type="button" onClick=${attempt}>Play it</button>`}
    <${Faults} faults=${faults} />
    ${ruled &&
    html`<div class="faults" role="alert">
      <p>Not allowed:</p>
      <ul>
        ${ruled.requirements
          .filter((/** @type {any} */ one) => !one.value)
          .map((/** @type {any} */ one) => html`<li>${one.text} <${Cites} cites=${one.cites ?? []} /></li>`)}
      </ul>
    </div>`}
  </details>`;
}

/** @param {{one: any, value: any, set: (value: any) => void}} given */
function Argument({ one, value, set }) {
  if (one.names)
    return html`<${Choice} label=${plain(one.name)} value=${String(value)} values=${one.names.map((/** @type {string} */ n) => ({ value: n }))} onChoose=${set} />`;
  return html`<label class="choice"
    ><span>${plain(one.name)}</span><input type="number" value=${value} onInput=${(/** @type {any} */ e) => set(e.currentTarget.valueAsNumber || 0)}
  /></label>`;
}
