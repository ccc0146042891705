// For designers: Readings and options as switches, whether another value changes anything here, and the findings of `check` beside the
// board, each with its witness one click away.
import { ask, faultsOf, useAnswer, useSearch, whole } from "../answers.mjs";
import { attemptSetting } from "../attempt.mjs";
import { html } from "../html.mjs";
import { described, rulesOf, start } from "../store.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { differences, plain } from "../words.mjs";
import { Choice, Cites, Faults, Panel } from "./parts.mjs";

/** @import { Fault, Finding, Props, Reading, Rules, Switched } from "../../types.js" */

const MOST_TRIED = 12;

/** @param {Props} props */
export function Switches(props) {
  const { state, backend } = props;
  const { position } = state;
  const { answer: rules, faults } = useAnswer(backend, rulesOf(position));
  const [matters, setMatters] = useState(/** @type {Record<string, string[]>} */ ({}));
  const [looking, setLooking] = useState("");
  const [looked, setLooked] = useState(false); // at all of them
  const run = useRef(0);
  const at = position && JSON.stringify(described(position));
  useEffect(() => {
    run.current += 1;
    setMatters({});
    setLooking("");
    setLooked(false);
  }, [at]);
  if (!position) return null;
  const switches = rules ? [...rules.readings.map(reading), ...rules.options.map(option)] : [];

  const look = async (/** @type {Switched[]} */ some) => {
    const mine = (run.current += 1);
    setLooked(false);
    const moment = described(position);
    const now = await ask(backend, { ask: "status", moment }).catch(() => null);
    if (!now) return; // why, is said where the standing would be
    for (const one of some) {
      setLooking(plain(one.name));
      /** @type {string[]} */
      const found = [];
      for (const { value } of others(one)) {
        if (run.current !== mine) return;
        const other = { ...moment, settings: { ...moment.settings, [one.name]: value } };
        const said = await ask(backend, { ask: "status", moment: other }).then(
          (status) => differences(now, status).join("; "),
          (error) => `the record is refused: ${faultsOf(error)[0]?.message ?? ""}`,
        );
        if (said) found.push(`${value}: ${said}`);
      }
      if (run.current !== mine) return;
      setMatters((known) => ({ ...known, [one.name]: found }));
    }
    setLooking("");
    setLooked(some.length > 1);
  };
  const changed = Object.keys(position.settings);
  const hits = switches.filter((one) => matters[one.name]?.length);
  const listed = (/** @type {Switched[]} */ some) => some.map((one) => html`<${Switch} key=${one.name} one=${one} found=${matters[one.name]} fixed=${state.readOnly} look=${() => look([one])} choose=${(/** @type {string} */ value) => attemptSetting(props, one.name, value)} />`);
  return html`<${Panel} title="Readings and options" open=${false}>
    <${Faults} faults=${faults} />
    <p class="buttons">
      <button disabled=${Boolean(looking) || !rules} onClick=${() => look(switches)}>Does any change the standing here?</button>
      ${looking && html`<button onClick=${() => ((run.current += 1), setLooking(""))}>Stop</button>`}
    </p>
    <div role="status">
      ${looking && html`<p>looking at ${looking} …</p>`}
      ${looked && html`<p>${hits.length ? "These would change the standing here:" : "None of them changes an outcome or a count here."}</p>`}
      ${looked && hits.length > 0 && html`<ul class="matters">${hits.map((one) => html`<li>${plain(one.name)}: ${matters[one.name]?.join(" — ")}</li>`)}</ul>`}
    </div>
    ${changed.length > 0 && html`<p><small>Set here: ${changed.map((name) => `${plain(name)} = ${position.settings[name]}`).join(", ")}. Undo takes it back.</small></p>`}
    <h3>Readings, where the rule text is silent</h3>
    ${listed(rules?.readings.map(reading) ?? [])}
    <h3>Options</h3>
    ${listed(rules?.options.map(option) ?? [])}
  <//>`;
}

/**
 * @param {{one: Switched, found: string[] | undefined, fixed: boolean, look: () => void, choose: (value: string) => void}} given What
 *   was found out about other values, if anything was.
 */
function Switch({ one, found, fixed, look, choose }) {
  return html`<div class=${one.value === one.default ? "switch" : "switch changed"}>
    <${Choice} label=${plain(one.name)} value=${one.value} values=${one.values} disabled=${fixed} onChoose=${choose} />
    <details>
      <summary>why</summary>
      ${one.values.some((v) => v.text) && html`<ul>${one.values.map((v) => html`<li>${v.text ?? v.value}</li>`)}</ul>`}
      <p>${one.text} <${Cites} cites=${one.cites} /></p>
      <button onClick=${look}>Does it change the standing here?</button>
    </details>
    ${found && html`<p class="matters" role="status">${found.length ? found.join(" — ") : "changes no outcome and no count here"}</p>`}
    ${found && one.values.length > MOST_TRIED && html`<small>Only the next lower and higher number were tried.</small>`}
  </div>`;
}

/**
 * The other values that are tried: all of a few, of many numbers those next to the one that is set.
 *
 * @param {Switched} one
 */
function others({ value, values }) {
  const at = values.findIndex((v) => v.value === value);
  const near = values.length <= MOST_TRIED ? values : values.slice(Math.max(at - 1, 0), at + 2);
  return near.filter((v) => v.value !== value);
}

/** @type {(one: Reading) => Switched} */
function reading({ name, value, default: usual, values, reason, cites }) {
  const listed = Object.entries(values).map(([key, text]) => ({ value: key, text: `${key}: ${text}` }));
  return { name, value, default: usual, values: listed, text: `By default ${usual}: ${reason}.`, cites };
}

/** @type {(one: Rules["options"][number]) => Switched} */
function option({ name, value, default: usual, values, text, cites }) {
  const known = Array.isArray(values) ? values.map(String) : numbers(values);
  const listed = known.includes(String(value)) ? known : [String(value), ...known];
  return { name, value: String(value), default: String(usual), values: listed.map((key) => ({ value: key })), text, cites };
}

/** @param {{least: number, most: number, step: number}} range */
const numbers = ({ least, most, step }) => Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, i) => String(least + i * step));

/** @param {Props} props */
export function Findings({ state, dispatch, backend }) {
  const { position } = state;
  const { running, stop, found, run } = useSearch(backend, position && JSON.stringify(start(position)));
  const [faults, setFaults] = useState(/** @type {Fault[]} */ ([]));
  if (!position) return null;
  const { findings = [], checked = [] } = found.answer ?? {};
  const look = () => {
    setFaults([]);
    run({ ask: "check", moment: described(position), timeout: 120 });
  };
  const witness = async (/** @type {Finding} */ finding) => {
    try {
      dispatch({ do: "open", position: { ...(await whole(backend, { text: finding.witness?.position ?? "" })), settings: position.settings } });
    } catch (error) {
      setFaults(faultsOf(error));
    }
  };
  return html`<${Panel} title="Check the rules" open=${false}>
    <p class="buttons">
      <button disabled=${running} onClick=${look}>Look for faults</button>
      ${running && html`<button onClick=${stop}>Stop</button>`}
    </p>
    ${running && html`<p role="status">looking for contradictions, dead rules, draws that nobody meant …</p>`}
    <${Faults} faults=${[...found.faults, ...faults]} />
    ${found.stopped && html`<p role="status">${found.stopped}</p>`}
    ${found.answer &&
    html`<p role="status">${findings.length} ${findings.length === 1 ? "finding" : "findings"}; ${checked.length} kinds of fault were looked for.</p>
      <ul class="findings">
        ${findings.map(
          (one) =>
            html`<li class=${one.severity}>
              <strong>${one.code}</strong> ${one.message} <${Cites} cites=${one.cites} />
              ${one.suppressed && html`<br /><small>accepted: ${one.suppressed}</small>`}
              ${one.witness?.position && html`<br /><button onClick=${() => witness(one)}>Show it on the board</button>`}
            </li>`,
        )}
      </ul>`}
  <//>`;
}
