// Any event with any arguments: it is played if the rules allow it, and refused with the clause if not.
import { ask, faultsOf, useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { described, rulesOf } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { plain } from "../words.mjs";
import { Choice, Cites, Faults } from "./parts.mjs";

/** @import { Fault, Props } from "../../types.js" */

/** @param {Props & {turn: string[]}} props The turn: who is to move. */
export function AnyEvent({ state, now, dispatch, backend, turn }) {
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
    setArgs(usual(named?.arguments ?? [], place, turn));
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
      if (found.allowed) dispatch({ do: "steps", steps: [step], of: position });
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

/**
 * What an event is given at first: the selected place for the first argument that can be it, who is to move, and nobody
 * and nothing else where that is possible.
 *
 * @param {any[]} asked
 * @param {string | null} place
 * @param {string[]} turn
 */
function usual(asked, place, turn) {
  let free = place;
  const found = asked.map(({ name, names = [], default: given, least }) => {
    const mine = names.find((/** @type {string} */ n) => turn.includes(n));
    if (free !== null && names.includes(free)) {
      const taken = free;
      free = null;
      return [name, taken];
    }
    return [name, given ?? mine ?? (names.includes("none") ? "none" : (names[0] ?? least ?? 0))];
  });
  return Object.fromEntries(found);
}

/** @param {{one: any, value: any, set: (value: any) => void}} given */
function Argument({ one, value, set }) {
  if (one.names)
    return html`<${Choice} label=${plain(one.name)} value=${String(value)} values=${one.names.map((/** @type {string} */ n) => ({ value: n }))} onChoose=${set} />`;
  return html`<label class="choice"
    ><span>${plain(one.name)}</span><input type="number" value=${value} onInput=${(/** @type {any} */ e) => set(e.currentTarget.valueAsNumber || 0)}
  /></label>`;
}
