// The events that name a place or what stands there, or all events: legal ones to play, refused ones with their reasons.
import { useAnswer } from "../answers.mjs";
import { attempt } from "../attempt.mjs";
import { html } from "../html.mjs";
import { described } from "../store.mjs";
import { useState } from "../vendor/hooks.mjs";
import { argsText, eventText, plain } from "../words.mjs";
import { AnyEvent } from "./anyevent.mjs";
import { Cites, Faults } from "./parts.mjs";

/** @import { Props } from "../../types.js" */

const FEW = 6;
const MOST = 60;
const MANY = 100_000;

/** @param {Props} props */
export function EventsHere(props) {
  const { state, backend } = props;
  const { position, place } = state;
  const request = position && { ask: "legal", moment: described(position), place, why_not: 3 };
  const { answer, shown, faults, busy } = useAnswer(backend, request);
  if (!shown) return busy ? html`<p role="status" class="hint">Looking for what may happen${place ? " here" : ""} …</p>` : html`<${Faults} faults=${faults} />`;
  const play = (/** @type {string} */ name, /** @type {any} */ args) => attempt(props, Object.keys(args).length ? { [name]: args } : name, position);
  const can = (/** @type {any} */ kind) => kind.allowed.length || kind.left_out;
  const now = shown.events.filter(can);
  const others = shown.events.filter((/** @type {any} */ kind) => !can(kind));
  const listed = (/** @type {any[]} */ kinds) => kinds.map((kind) => html`<${Kind} key=${kind.name} kind=${kind} stale=${!answer} play=${play} />`);
  return html`<div class="events" aria-busy=${String(busy)}>
    <h3>${place ? "What may happen here" : "What may happen"}</h3>
    ${!now.length && html`<p>Nothing now${place ? ". What names no place, such as the end of a turn, is listed for the whole board." : "."}</p>`}
    ${listed(now)}
    ${others.length > 0 &&
    html`<details class="kind">
      <summary>Not now <small>${others.length}</small></summary>
      ${listed(others)}
    </details>`}
    <${AnyEvent} ...${props} turn=${Object.values(shown.turn).map(String)} />
  </div>`;
}

/** @param {{kind: any, stale: boolean, play: (name: string, args: any) => void}} given Stale: it is that of another moment. */
function Kind({ kind, stale, play }) {
  const [filter, setFilter] = useState("");
  const many = kind.allowed.length > FEW;
  const words = many ? filter.toLowerCase().split(/\s+/) : [];
  const said = sentences(kind);
  const fitting = kind.allowed.filter((/** @type {any} */ one) => words.every((word) => said.get(one)?.toLowerCase().includes(word)));
  return html`<details class="kind" open=${kind.allowed.length > 0 && !many}>
    <summary>
      ${plain(kind.name)} <small>${amount(kind)}</small>
    </summary>
    ${kind.not_judged && kind.allowed.length > 0 && html`<p><small>The rule text does not say, so it is not checked: ${kind.not_judged}.</small></p>`}
    ${many &&
    html`<label class="choice"><span>Only with</span><input type="search" value=${filter} onInput=${(/** @type {any} */ e) => setFilter(e.currentTarget.value)} /></label>`}
    <ul class="plays">
      ${fitting.slice(0, MOST).map((/** @type {any} */ one) => html`<li key=${JSON.stringify(one.args)}><${Play} name=${kind.name} one=${one} text=${said.get(one)} stale=${stale} play=${play} /></li>`)}
    </ul>
    ${fitting.length > MOST && html`<p><small>and ${fitting.length - MOST} more: say what they hold</small></p>`}
    ${kind.refused?.length > 0 &&
    html`<ul class="refused">
      ${kind.refused.map(
        (/** @type {any} */ one) =>
          html`<li>
            <s>${[argsText(one.args), ...ranges(one.numbers)].filter(Boolean).join(", ") || "any"}</s>${": "}
            ${one.lacks.map((/** @type {any} */ lack, /** @type {number} */ i) => html`${i ? "; " : ""}${lack.text}${" "}<${Cites} cites=${lack.cites} />`)}
          </li>`,
      )}
    </ul>`}
  </details>`;
}

/**
 * Each event that may be played, in words. Where several are said alike, what they are given tells them apart.
 *
 * @param {any} kind
 * @returns {Map<any, string>}
 */
function sentences({ name, allowed }) {
  const count = new Map();
  for (const { text } of allowed) count.set(text, (count.get(text) ?? 0) + 1);
  const rest = (/** @type {any} */ { text, args }) => argsText(Object.fromEntries(Object.entries(args).filter(([, value]) => !text.includes(String(value)))));
  return new Map(allowed.map((/** @type {any} */ one) => [one, !one.text ? eventText(name, one.args) : count.get(one.text) > 1 ? `${one.text} (${rest(one)})` : one.text]));
}

/**
 * Numbers of an event for which it is refused.
 *
 * @param {Record<string, [number, number][]>} numbers
 */
const ranges = (numbers) =>
  Object.entries(numbers).map(([name, found]) => `${plain(name)} ${found.map(([least, most]) => (least === most ? least : `${least} to ${most}`)).join(" or ")}`);

/** @param {any} kind */
function amount({ allowed, left_out: more }) {
  if (more > MANY) return "too many to list: select a place on the board, or choose any other event";
  if (more) return `${allowed.length ? `${allowed.length}, and ` : ""}${more.toLocaleString("en")} to try as any other event`;
  return allowed.length || "";
}

/** @param {{name: string, one: any, text: string, stale: boolean, play: (name: string, args: any) => void}} given */
function Play({ name, one, text, stale, play }) {
  const open = Object.entries(one.numbers);
  const least = Object.fromEntries(open.map(([key, ranges]) => [key, /** @type {any} */ (ranges)[0][0]]));
  const [numbers, setNumbers] = useState(least);
  return html`<button type="button" class="play" disabled=${stale} onClick=${() => play(name, { ...one.args, ...numbers })}>
      ${text}
    </button>
    ${open.map(
      ([key, ranges]) =>
        html`<label class="choice"
          ><span>${plain(key)}</span
          ><input
            type="number"
            value=${numbers[key]}
            min=${/** @type {any} */ (ranges)[0][0]}
            max=${/** @type {any} */ (ranges).at(-1)[1]}
            onInput=${(/** @type {any} */ e) => setNumbers({ ...numbers, [key]: e.currentTarget.valueAsNumber || 0 })}
        /></label>`,
    )}
    ${one.beyond?.length > 0 && html`<small>${one.beyond.join("; ")}</small>`}`;
}
