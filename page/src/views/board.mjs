// The board: the picture of the position, with places to select.
import { useAnswer } from "../answers.mjs";
import { drawable, drawn } from "../asked.mjs";
import { html } from "../html.mjs";
import { ARROWS, moved, nearest, showing, zoomed } from "../sight.mjs";
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
  const show = (/** @type {{x: number, y: number}} */ at) => setSeen((now) => now && whole.current && showing(now, whole.current, at));
  const slide = (/** @type {[number, number]} */ [dx, dy]) => setSeen((now) => now && whole.current && moved(now, whole.current, (dx * now.w) / 5, (dy * now.h) / 5));
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => keys(event, { zoom: zoomAt, show, slide, select, all: () => setSeen(whole.current) });

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
  parsed.setAttribute("aria-label", "Map: arrow keys go from place to place, with Shift they move the map; Enter selects");
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
 * @typedef {object} Can What keys do.
 * @property {(factor: number, at?: {x: number, y: number}) => void} zoom
 * @property {(at: {x: number, y: number}) => void} show Moves the board so that a point is seen.
 * @property {(direction: [number, number]) => void} slide
 * @property {(name: string | null) => void} select
 * @property {() => void} all
 */

/**
 * Keys on the board.
 *
 * @param {KeyboardEvent} event
 * @param {Can} can
 */
function keys(event, can) {
  const focused = event.target instanceof SVGElement ? event.target : null;
  const name = focused?.getAttribute("data-place");
  const direction = ARROWS[event.key];
  const zoom = (/** @type {number} */ factor) => () => can.zoom(factor, focused && name ? middle(focused) : undefined);
  const other = { "+": zoom(1.5), "=": zoom(1.5), "-": zoom(1 / 1.5), 0: can.all }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (other) other();
  else if (event.key === "Escape") can.select(null);
  else if (direction && event.shiftKey) can.slide(direction);
  else if (name && (event.key === "Enter" || event.key === " ")) can.select(name);
  else if (focused && name && direction) go(focused, direction, can);
  else return;
  event.preventDefault();
}

/**
 * Move the focus to the nearest place in a direction, and the board so that it is seen.
 *
 * @param {SVGElement} focused
 * @param {[number, number]} direction
 * @param {Can} can
 */
function go(focused, direction, can) {
  const all = /** @type {SVGElement[]} */ ([...(focused.ownerSVGElement?.querySelectorAll("[data-place]") ?? [])]);
  const spots = all.map((spot) => ({ name: spot.getAttribute("data-place") ?? "", ...middle(spot), spot }));
  const from = spots.find(({ spot }) => spot === focused);
  const next = from && /** @type {typeof from | null} */ (nearest(spots, from, direction));
  if (!next || !from) return;
  from.spot.setAttribute("tabindex", "-1");
  next.spot.setAttribute("tabindex", "0");
  next.spot.focus({ preventScroll: true });
  can.show(next);
}

/**
 * The middle of a place, as the picture counts.
 *
 * @param {SVGElement} spot
 */
function middle(spot) {
  const box = spot.getBoundingClientRect();
  const matrix = spot.ownerSVGElement?.getScreenCTM() ?? new DOMMatrix();
  const { x, y } = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix.inverse());
  return { x, y };
}
