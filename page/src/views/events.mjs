// The events that name a place or what stands there, or none: legal ones to play, refused ones with their reasons. Those
// that lead to a target are a form that is filled in; any other one may be tried.
import { ask, faultsOf, useAnswer } from "../answers.mjs";
import { eventText } from "../asked.mjs";
import { attempt, nearestWay, targetsOf, waysOf } from "../attempt.mjs";
import { html } from "../html.mjs";
import { described, eventsOf, rulesOf } from "../store.mjs";
import { useEffect, useState } from "../vendor/hooks.mjs";
import { argsText, plain, spoken } from "../words.mjs";
import { Choice, Cites, Faults, Field } from "./parts.mjs";

/** @import { Allowed, Args, Explained, Fault, Kind as KindOf, Parameter, Position, Props, Ranges, Value, Way } from "../../types.js" */

const FEW = 6;
const FIELDS = 3; // that are seen at once
const MOST = 60;

/** @param {Props} props */
export function EventsHere(props) {
  const { state, backend } = props;
  const { position, place } = state;
  const { answer, shown, faults, busy } = useAnswer(backend, eventsOf(position, place));
  if (!shown) return busy ? LOOKING : html`<${Faults} faults=${faults} />`;
  const play = (/** @type {string} */ name, /** @type {Args} */ args) => attempt(props, Object.keys(args).length ? { [name]: args } : name, position);
  const can = (/** @type {KindOf} */ kind) => kind.allowed.length || kind.left_out;
  const now = shown.events.filter(can);
  const others = shown.events.filter((kind) => !can(kind));
  const targets = targetsOf(answer).size;
  const listed = (/** @type {KindOf[]} */ kinds) => kinds.map((kind) => html`<${Kind} key=${kind.name} kind=${kind} stale=${!answer} play=${play} />`);
  return html`<div class="events" aria-busy=${String(busy)}>
    ${state.target && html`<${Aim} key=${state.target} ...${props} />`}
    <h3>${place ? "What may happen here" : "What may happen"}</h3>
    ${busy && LOOKING}
    ${targets > 0 && html`<p role="status" class="hint">Targets on the board: ${targets}. Click one, or drag there, to play.</p>`}
    ${!now.length && html`<p>Nothing now${place ? ". What names no place, such as the end of a turn, is listed for the whole board." : ": select a place."}</p>`}
    ${listed(now)}
    ${others.length > 0 &&
    html`<details class="kind">
      <summary>Not now <small>${others.length}</small></summary>
      ${listed(others)}
    </details>`}
    <${AnyEvent} ...${props} turn=${Object.values(shown.turn).map(String)} />
  </div>`;
}

const LOOKING = html`<p role="status" class="hint">Looking for what may happen …</p>`;

const intoView = (/** @type {Element | null} */ one) => one?.scrollIntoView({ block: "nearest" });

/** @param {Props} props */
function Aim(props) {
  const { position, place, target } = props.state;
  const { answer, faults } = useAnswer(props.backend, eventsOf(position, place, target));
  const [chosen, setWay] = useState(/** @type {Way | null} */ (null));
  const [typed, setTyped] = useState(/** @type {{[name: string]: number}} */ ({}));
  if (!answer) return faults.length ? html`<${Faults} faults=${faults} />` : LOOKING;
  const ways = waysOf(answer).sort((a, b) => Number(!a.one.actor) - Number(!b.one.actor)); // what somebody decides, first
  const way = ways.find(({ one }) => one === chosen?.one) ?? ways[0];
  if (!way) return html`<div role="alert" class="faults" ref=${intoView}><p>Nothing leads to ${target} now.</p>${answer.events.map((/** @type {KindOf} */ kind) => html`${plain(kind.name)}: <${Refusals} kind=${kind} />`)}</div>`;
  const { name, one } = way;
  const numbers = Object.fromEntries(Object.entries(one.numbers).map(([key, ranges]) => [key, Math.min(typed[key] ?? Infinity, ...ranges.flat().slice(-1))])); // all of a stack goes
  const choice = (/** @type {string} */ label, /** @type {string} */ value, /** @type {string[]} */ all, /** @type {(value: string) => any} */ found) => {
    const values = [...new Set(all)];
    return values.length > 1 && html`<${Choice} label=${plain(label)} value=${value} values=${values.map((x) => ({ value: x, text: plain(x) }))} onChoose=${(/** @type {string} */ x) => setWay(found(x))} />`;
  };
  let fitting = ways.filter((other) => other.name === name); // each field offers what goes with those above it
  const keys = Object.keys(one.args).sort((a, b) => Number(/via$/.test(a)) - Number(/via$/.test(b)));
  const fields = keys.map((key) => {
    const own = fitting;
    fitting = own.filter((other) => other.one.args[key] === one.args[key]);
    return choice(key, String(one.args[key]), own.map((other) => String(other.one.args[key])), (x) => nearestWay(own, way, key, x));
  }).filter(Boolean);
  return html`<form
    class="aim"
    ref=${intoView}
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      attempt(props, { [name]: { ...one.args, ...numbers } }, position);
    }}
  >
    <h3>${plain(name)}: ${place} → ${target}</h3>
    <p>${one.text}</p>
    ${choice("what", name, ways.map((other) => other.name), (x) => ways.find((other) => other.name === x))}
    ${fields.slice(0, FIELDS)}
    ${fields.length > FIELDS && html`<details><summary>${fields.length - FIELDS} more choices</summary>${fields.slice(FIELDS)}</details>`}
    <${Numbers} one=${one} numbers=${numbers} set=${setTyped} />
    <button type="submit" class="main">Play</button>
  </form>`;
}

/** @param {{kind: KindOf, stale: boolean, play: (name: string, args: any) => void}} given Stale: it is that of another moment. */
function Kind({ kind, stale, play }) {
  const said = sentences(kind);
  return html`<details class="kind" open=${kind.allowed.length > 0 && kind.allowed.length <= FEW}>
    <summary>
      ${plain(kind.name)} <small>${amount(kind)}</small>
    </summary>
    ${kind.not_judged && kind.allowed.length > 0 && html`<p><small>The rule text does not say, so it is not checked: ${spoken(kind.not_judged)}.</small></p>`}
    <ul class="plays">
      ${kind.allowed.slice(0, MOST).map((one) => html`<li key=${JSON.stringify(one.args)}><${Play} name=${kind.name} one=${one} text=${said.get(one)} stale=${stale} play=${play} /></li>`)}
    </ul>
    ${kind.allowed.length > MOST && html`<p><small>and ${kind.allowed.length - MOST} more: choose a target on the board</small></p>`}
    <${Refusals} kind=${kind} />
  </details>`;
}

/** @param {{kind: KindOf}} given */
const Refusals = ({ kind: { refused = [] } }) =>
  refused.length > 0 &&
  html`<ul class="refused">
    ${refused.map(
      (one) =>
        html`<li>
          <s>${[argsText(one.args), ...ranges(one.numbers)].filter(Boolean).join(", ") || "any"}</s>${": "}
          ${one.lacks.map((lack, i) => html`${i ? "; " : ""}${spoken(lack.text)}${" "}<${Cites} cites=${lack.cites} />`)}
        </li>`,
    )}
  </ul>`;

/** Each event that may be played, in words. Where several are said alike, what they are given tells them apart. @type {(kind: KindOf) => Map<Allowed, string>} */
function sentences({ allowed }) {
  const count = new Map();
  for (const { text } of allowed) count.set(text, (count.get(text) ?? 0) + 1);
  const rest = (/** @type {any} */ { text, args }) => argsText(Object.fromEntries(Object.entries(args).filter(([, value]) => !text.includes(String(value)))));
  return new Map(allowed.map((one) => [one, count.get(one.text) > 1 ? `${one.text} (${rest(one)})` : one.text]));
}

/**
 * Numbers of an event for which it is refused.
 *
 * @param {Ranges} numbers
 */
const ranges = (numbers) =>
  Object.entries(numbers).map(([name, found]) => `${plain(name)} ${found.map(([least, most]) => (least === most ? least : `${least} to ${most}`)).join(" or ")}`);

/** @param {KindOf} kind */
function amount({ allowed, left_out: more }) {
  if (more) return `${allowed.length || ""} and more: choose a target on the board`;
  return allowed.length || "";
}

/** @param {{one: Allowed, numbers: {[name: string]: number}, set: (numbers: any) => void}} given */
const Numbers = ({ one, numbers, set }) =>
  Object.entries(one.numbers).map(
    ([key, ranges]) =>
      html`<${Field}
        label=${plain(key)}
        type="number"
        value=${numbers[key]}
        min=${Math.min(...ranges.flat())}
        max=${Math.max(...ranges.flat())}
        onText=${(/** @type {string} */ text) => set({ ...numbers, [key]: Number(text) })}
      />`,
  );

/** @param {{name: string, one: Allowed, text: string, stale: boolean, play: (name: string, args: any) => void}} given */
function Play({ name, one, text, stale, play }) {
  const open = Object.entries(one.numbers);
  const least = Object.fromEntries(open.map(([key, ranges]) => [key, Math.min(...ranges.flat())]));
  const [numbers, setNumbers] = useState(least);
  return html`<button class="play" disabled=${stale} onClick=${() => play(name, { ...one.args, ...numbers })}>
      ${text}
    </button>
    <${Numbers} one=${one} numbers=${numbers} set=${setNumbers} />
    ${one.beyond && one.beyond.length > 0 && html`<small>${one.beyond.join("; ")}</small>`}`;
}

/**
 * Any event with any arguments: it is played if the rules allow it, and refused with the clause if not.
 *
 * @param {Props & {turn: string[]}} props The turn: who is to move.
 */
function AnyEvent({ state, now, dispatch, backend, turn }) {
  const { position, place } = state;
  const [name, setName] = useState("");
  const [args, setArgs] = useState(/** @type {Args} */ ({}));
  const [faults, setFaults] = useState(/** @type {Fault[]} */ ([]));
  const [ruled, setRuled] = useState(/** @type {Explained | null} */ (null));
  const [asking, setAsking] = useState(false);
  const { answer: rules } = useAnswer(backend, rulesOf(position));
  useEffect(() => {
    setRuled(null);
    setFaults([]);
  }, [position]);
  if (!position || !rules) return null;
  const kind = rules.events.find((one) => one.name === name);
  const choose = (/** @type {string} */ chosen) => {
    const named = rules.events.find((one) => one.name === chosen);
    setName(chosen);
    setRuled(null);
    setArgs(usual(named?.arguments ?? [], place, turn));
  };
  const tryIt = async () => {
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
      values=${[{ value: "", text: "…" }, ...rules.events.map((one) => ({ value: one.name, text: plain(one.name) }))]}
      onChoose=${choose}
    />
    ${kind && html`<p><small>${kind.text}</small></p>`}
    ${kind?.arguments.map((one) => html`<${Argument} one=${one} value=${args[one.name]} set=${(/** @type {Value} */ value) => setArgs({ ...args, [one.name]: value })} />`)}
    ${kind && html`<button onClick=${tryIt}>Play it</button>`}
    <${Faults} faults=${faults} />
    ${ruled &&
    html`<div class="faults" role="alert">
      <p>Not allowed:</p>
      <ul>
        ${ruled.requirements
          .filter((one) => !one.value)
          .map((one) => html`<li>${spoken(one.text)} <${Cites} cites=${one.cites ?? []} /></li>`)}
      </ul>
      <${Readings} backend=${backend} dispatch=${dispatch} position=${position} question=${eventText(name, args)} />
    </div>`}
  </details>`;
}

/**
 * The Readings under which an event that is refused would be allowed, each a link to the ruling on it.
 *
 * @param {Pick<Props, "backend" | "dispatch"> & {position: Position, question: string}} given
 */
function Readings({ backend, dispatch, position, question }) {
  const { answer } = useAnswer(backend, { ask: "ask", moment: described(position), question, timeout: 20 });
  const ask = () => dispatch({ do: "question", text: question, asked: { kind: "ask" }, asking: true });
  if (!answer) return html`<p>Looking whether a Reading would change it …</p>`;
  const found = answer.readings.changing.filter(({ changes, refused }) => changes && !refused);
  return html`${found.map(({ readings, says }) => html`<p>Allowed with the Reading ${Object.entries(readings).map(([name, value]) => `${plain(name)}: ${plain(value)}`).join(", ")} (${says.join("; ")}).</p>`)}
    <p>${!found.length && (answer.readings.complete ? "No other Reading allows it. " : "No Reading that allows it was found. ")}<button onClick=${ask}>${found.length ? "Ask for the ruling" : "Why?"}</button></p>`;
}

/**
 * What an event is given at first: the selected place for the first argument that can be it, who is to move, and nobody
 * and nothing else where that is possible.
 *
 * @param {Parameter[]} asked
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

/** @param {{one: Parameter, value: any, set: (value: any) => void}} given */
function Argument({ one, value, set }) {
  if (one.names)
    return html`<${Choice} label=${plain(one.name)} value=${String(value)} values=${one.names.map((/** @type {string} */ n) => ({ value: n }))} onChoose=${set} />`;
  return html`<${Field} label=${plain(one.name)} type="number" value=${value} onText=${(/** @type {string} */ text) => set(Number(text))} />`;
}
