// What stands below the outcomes: remarks, why an outcome is as it is, counts, the game's tables, what all of it rests on.
import { useAnswer } from "../answers.mjs";
import { html } from "../html.mjs";
import { grouped, ofPage, plain } from "../words.mjs";
import { Cites, Faults } from "./parts.mjs";

/** @import { Answer, Backend, Request } from "../../types.js" */

/**
 * Why an outcome is met or not.
 *
 * @param {{backend: Backend, request: Request | null}} given The request is the question about the outcome; null: none.
 */
export function Why({ backend, request }) {
  const { answer, faults, busy } = useAnswer(backend, request);
  if (!request) return null;
  return html`<${Faults} faults=${faults} />
    ${busy && html`<p role="status">looking for the reasons …</p>`}
    ${answer && html`<pre tabindex="0" aria-label=${`Why: ${answer.text ?? ""}`}>${answer.report}</pre>`}`;
}

/** @param {{status: Answer}} given The answer to `status`. */
export function Standing({ status }) {
  const tables = (status.tables ?? []).filter((/** @type {any} */ table) => Object.values(table.rows).some(filled));
  const unchecked = status.not_judged.map((/** @type {string} */ what) => `not checked in the record, since the rule text does not say: ${what}`);
  return html`<${Lines} lines=${status.remarks} />
    <${Counts} observables=${status.observables} />
    ${tables.map((/** @type {any} */ table) => html`<${Table} table=${table} />`)}
    <details class="counts">
      <summary>Assumptions</summary>
      <${Lines} lines=${[...unchecked, ...status.assumptions]} />
    </details>`;
}

/** @param {{lines: string[]}} given */
const Lines = ({ lines }) => html`<ul class="remarks">${lines.map((line) => html`<li>${plain(ofPage(line))}</li>`)}</ul>`;

/** @param {{observables: any}} given */
function Counts({ observables }) {
  const names = Object.keys(observables);
  return html`<details class="counts">
    <summary>${names.length} counts</summary>
    <dl>
      ${names.map((name) => html`<div><dt>${plain(name)}</dt><dd>${String(observables[name] ?? "undefined")}</dd></div>`)}
    </dl>
  </details>`;
}

/** @param {any} cells */
const filled = (cells) => Object.values(cells).some((entries) => Object.keys(/** @type {object} */ (entries)).length > 0);

/** @param {{table: any}} given */
function Table({ table }) {
  const cell = (/** @type {any} */ entries) => grouped(entries).map((line) => html`<div>${line}</div>`);
  return html`<details class="counts">
    <summary>${table.title}</summary>
    <p><${Cites} cites=${table.cites} /></p>
    <div class="wide" tabindex="0" role="region" aria-label=${table.title}>
      <table>
        <thead>
          <tr>
            ${[table.head, ...table.columns].map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Object.entries(table.rows).map(
            ([name, cells]) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${table.columns.map((/** @type {string} */ column) => html`<td>${cell(/** @type {any} */ (cells)[column])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
