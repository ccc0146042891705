// A briefing as a table: what to take and to hold, and what each of it is worth for the goal.
import { html } from "../html.mjs";

/** @import { Answer, Props } from "../../types.js" */

const MOST = 16;

/**
 * The places of what the first set that is enough takes.
 *
 * @param {Answer} answer
 * @returns {string[]}
 */
export function targetsOf({ objectives = [], winning }) {
  const takes = new Set(winning?.sets?.[0]?.takes ?? []);
  return objectives.filter((/** @type {any} */ one) => takes.has(one.name)).flatMap((/** @type {any} */ one) => one.places);
}

/** @param {{answer: Answer, dispatch: Props["dispatch"]}} given */
export function Briefing({ answer, dispatch }) {
  const sets = answer.winning?.sets ?? [];
  const taken = (/** @type {any} */ one) => sets.filter((/** @type {any} */ set) => set.takes.includes(one.name)).length;
  const wanted = answer.objectives.filter((/** @type {any} */ one) => !one.held).sort((/** @type {any} */ a, /** @type {any} */ b) => taken(b) - taken(a));
  const mark = (/** @type {string[]} */ places) => () => dispatch({ do: "mark", places });
  const all = targetsOf(answer);
  return html`<div class="wide" tabindex="0" role="region" aria-label="What to take">
      <table class="briefing">
        <thead>
          <tr>
            ${["Take", "Held by", "In sets", "If first", "If closed"].map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${wanted.slice(0, MOST).map(
            (/** @type {any} */ one) =>
              html`<tr class=${taken(one) ? "met" : ""} onMouseEnter=${mark(one.places)} onMouseLeave=${mark(all)}>
                <th scope="row">${one.name}<small> ${one.worth}</small></th>
                <td>${one.holder ?? "nobody"}</td>
                <td class="number">${sets.length ? `${taken(one)} of ${sets.length}` : ""}</td>
                <td class="number">${more(one.first)}</td>
                <td class="number">${more(one.closed)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p>
      <small
        >In sets: how many of the sets that are enough take it. If first, if closed: what it costs more to take it first, or to
        do without it.${wanted.length > MOST ? ` ${wanted.length - MOST} more stand in the answer in full.` : ""}</small
      >
    </p>`;
}

/** @param {any} cost */
function more(cost) {
  if (!cost) return "";
  if (cost.difference !== null) return `+${cost.difference}`;
  return cost.status === "impossible" ? "not at all" : "open";
}
