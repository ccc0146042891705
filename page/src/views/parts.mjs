// Small parts that several views use.
import { html } from "../html.mjs";

/** @import { Fault } from "../../types.js" */

/**
 * A panel that can be folded, with a heading.
 *
 * @param {{title: string, open?: boolean, children?: any}} given
 */
export function Panel({ title, open = true, children }) {
  return html`<details class="panel" open=${open}>
    <summary><h2>${title}</h2></summary>
    <div class="inside">${children}</div>
  </details>`;
}

/**
 * Faults as sentences, read aloud as they come.
 *
 * @param {{faults: Fault[]}} given
 */
export function Faults({ faults }) {
  if (!faults.length) return null;
  return html`<div class="faults" role="alert">
    ${faults.map(
      (fault) =>
        html`<p>
          ${fault.message}${fault.cites?.length ? html` <span class="cites">[${fault.cites.join(", ")}]</span>` : ""}
          ${fault.help && html`<br /><small>${fault.help}</small>`}
          ${fault.file && fault.line && html`<br /><small>${fault.file}, line ${fault.line}</small>`}
        </p>`,
    )}
  </div>`;
}

/**
 * A choice with its label.
 *
 * @param {{label: string, value: string, values: {value: string, text?: string}[], onChoose: (value: string) => void, disabled?: boolean}} given
 */
export function Choice({ label, value, values, onChoose, disabled }) {
  const choose = (/** @type {any} */ event) => onChoose(event.currentTarget.value);
  return html`<label class="choice"
    ><span>${label}</span>
    <select value=${value} onChange=${choose} disabled=${disabled}>
      ${values.map((one) => html`<option value=${one.value} selected=${one.value === value}>${one.text ?? one.value}</option>`)}
    </select></label
  >`;
}

/**
 * Clause ids, which mark the places that decide where something does.
 *
 * @param {{cites: string[], clauses?: any[]}} given
 */
export function Cites({ cites, clauses = [] }) {
  if (!cites.length) return null;
  const shown = cites.slice(0, 4);
  const text = (/** @type {string} */ id) => clauses.find((clause) => clause.name === id)?.source ?? "";
  return html`<span class="cites">[${shown.map((id, i) => html`${i ? ", " : ""}<abbr title=${text(id)}>${id}</abbr>`)}${
      cites.length > shown.length ? ` and ${cites.length - shown.length} more` : ""
    }]</span>`;
}
