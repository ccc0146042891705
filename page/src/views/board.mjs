// The board: the picture of the position, with places to select.
import { useAnswer } from "../answers.mjs";
import { drawable, drawn } from "../asked.mjs";
import { html } from "../html.mjs";
import { ARROWS, moved, nearest, zoomed } from "../sight.mjs";
import { described } from "../store.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { dragging } from "./dragging.mjs";
import { Faults } from "./parts.mjs";

/** @import { Props } from "../../types.js" */
/** @import { Box } from "../sight.mjs" */

/** @param {Props} props */
export function Board({ state, dispatch, backend }) {
  const { position, shown, place, marked } = state;
  const request = position && {
    ask: "board",
    moment: described(position),
    ...(shown && drawable(shown.answer) ? { show: drawn(shown.answer), ...(shown.step ? { step: shown.step } : {}) } : {}),
  };
  const { shown: picture, faults, busy } = useAnswer(backend, request);
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const whole = useRef(/** @type {Box | null} */ (null));
  const [seen, setSeen] = useState(/** @type {Box | null} */ (null));

  useEffect(() => {
    if (!frame.current) return;
    const before = whole.current;
    const size = (whole.current = picture && draw(frame.current, picture));
    if (!size) frame.current.replaceChildren();
    else if (!before || before.w !== size.w || before.h !== size.h) setSeen(size);
  }, [picture]);
  useEffect(() => mark(frame.current, place, marked), [picture, place, marked]);
  useEffect(() => {
    if (seen) frame.current?.querySelector("svg")?.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.w} ${seen.h}`);
  }, [picture, seen]);

  const zoomAt = (/** @type {number} */ factor, /** @type {{x: number, y: number} | undefined} */ at) =>
    setSeen((now) => now && whole.current && zoomed(now, whole.current, factor, at));
  const zoom = (/** @type {number} */ factor) => zoomAt(factor, undefined);
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => setSeen((now) => now && whole.current && moved(now, whole.current, dx, dy));
  const select = (/** @type {string | null} */ name) => dispatch({ do: "select", place: name });
  useEffect(() => dragging(frame.current, { zoom: zoomAt, pan, select }), []);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => keys(event, { zoom, select, all: () => setSeen(whole.current) });

  return html`<section class="board" aria-label="Board" aria-busy=${String(busy)}>
    <div class="frame" ref=${frame} onKeyDown=${onKeyDown}></div>
    <div class="zoom" hidden=${!picture}>
      <button type="button" aria-label="Closer" onClick=${() => zoom(1.5)}>+</button>
      <button type="button" aria-label="Farther" onClick=${() => zoom(1 / 1.5)}>−</button>
      <button type="button" aria-label="Show all of the board" onClick=${() => setSeen(whole.current)}>⤢</button>
    </div>
    <${Faults} faults=${faults} />
  </section>`;
}

/**
 * Put the picture into the page, without anything that could run.
 *
 * @param {HTMLElement} frame
 * @param {any} answer
 * @returns {Box} The whole picture.
 */
function draw(frame, answer) {
  const parsed = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
  for (const odd of parsed.querySelectorAll("script, foreignObject, a, use, image, style")) odd.remove();
  for (const part of [parsed, ...parsed.querySelectorAll("*")])
    for (const { name } of [...part.attributes]) if (name.startsWith("on") || name.endsWith("href")) part.removeAttribute(name);
  const says = new Map(answer.places.map((/** @type {any} */ place) => [place.name, place.says]));
  const focused = document.activeElement?.getAttribute("data-place");
  parsed.setAttribute("role", "group");
  parsed.setAttribute("aria-label", "Map: arrow keys go from place to place, Enter selects");
  parsed.removeAttribute("aria-labelledby");
  for (const spot of parsed.querySelectorAll("[data-place]")) {
    const name = spot.getAttribute("data-place") ?? "";
    spot.setAttribute("role", "button");
    spot.setAttribute("aria-label", String(says.get(name) ?? name));
    spot.setAttribute("tabindex", "-1");
  }
  frame.replaceChildren(document.importNode(parsed, true));
  const refocused = focused && frame.querySelector(`[data-place="${CSS.escape(focused)}"]`);
  if (refocused instanceof SVGElement) refocused.focus();
  const [x = 0, y = 0, w = 1, h = 1] = (parsed.getAttribute("viewBox") ?? "").split(" ").map(Number);
  return { x, y, w, h };
}

/**
 * Outline the selected and the marked places; one place can be reached by Tab.
 *
 * @param {HTMLElement | null} frame
 * @param {string | null} place
 * @param {string[]} marked
 */
function mark(frame, place, marked) {
  const spots = [...(frame?.querySelectorAll("[data-place]") ?? [])];
  const entered = spots.find((spot) => spot.getAttribute("data-place") === place) ?? spots[0];
  for (const spot of spots) {
    const name = spot.getAttribute("data-place") ?? "";
    spot.classList.toggle("selected", name === place);
    spot.classList.toggle("marked", marked.includes(name));
    spot.setAttribute("aria-pressed", String(name === place));
    spot.setAttribute("tabindex", spot === entered ? "0" : "-1");
  }
}

/**
 * Keys on the board.
 *
 * @param {KeyboardEvent} event
 * @param {{zoom: (factor: number) => void, select: (name: string | null) => void, all: () => void}} can
 */
function keys(event, can) {
  const focused = event.target instanceof SVGElement ? event.target : null;
  const name = focused?.getAttribute("data-place");
  const direction = ARROWS[event.key];
  const other = { "+": () => can.zoom(1.5), "=": () => can.zoom(1.5), "-": () => can.zoom(1 / 1.5), 0: can.all }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (other) other();
  else if (event.key === "Escape") can.select(null);
  else if (name && (event.key === "Enter" || event.key === " ")) can.select(name);
  else if (name && direction) go(focused, direction);
  else return;
  event.preventDefault();
}

/**
 * Move the focus to the nearest place in a direction.
 *
 * @param {any} focused
 * @param {[number, number]} direction
 */
function go(focused, direction) {
  const spots = [...focused.ownerSVGElement.querySelectorAll("[data-place]")].map((spot) => {
    const box = spot.getBoundingClientRect();
    return { name: spot.getAttribute("data-place"), x: box.x + box.width / 2, y: box.y + box.height / 2, spot };
  });
  const from = spots.find(({ spot }) => spot === focused);
  const next = from && /** @type {typeof from | null} */ (nearest(spots, from, direction));
  if (!next || !from) return;
  from.spot.setAttribute("tabindex", "-1");
  next.spot.setAttribute("tabindex", "0");
  next.spot.focus();
}
