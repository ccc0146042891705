// The board: the picture of the position, with places to select.
import { useAnswer } from "../answers.mjs";
import { drawable, drawn } from "../asked.mjs";
import { html } from "../html.mjs";
import { draw } from "../picture.mjs";
import { ARROWS, begun, carried, enlarged, filling, moved, nearest, showing, zoomed } from "../sight.mjs";
import { described, nameOf } from "../store.mjs";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { dragging } from "./dragging.mjs";
import { Legend, Overlays, useChosen } from "./legend.mjs";
import { Faults } from "./parts.mjs";

/** @import { Props } from "../../types.js" */
/** @import { Picture } from "../picture.mjs" */
/** @import { Box } from "../sight.mjs" */

/** @typedef {{picture: Picture, game: string}} Drawing What is drawn, and of which game. */

const FAR = 7; // pixels: names of hexes that are smaller are left out

/** @param {Props & {quiet: boolean}} props Quiet: what is wrong is told elsewhere. */
export function Board({ state, dispatch, backend, quiet }) {
  const { position, shown, place, marked, looked } = state;
  const game = nameOf(position);
  const [names, choose] = useChosen(game);
  const overlays = looked ? [...names, looked] : names;
  const request = position && {
    ask: "board",
    moment: described(position),
    ...(shown && drawable(shown.answer) ? { show: drawn(shown.answer), ...(shown.step ? { step: shown.step } : {}) } : {}),
    ...(overlays.length ? { overlays } : {}),
  };
  const { shown: picture, faults, busy } = useAnswer(backend, request);
  useEffect(() => void (faults.length && choose([])), [faults]); // what the rules do not have any more cannot be switched off
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const drawing = useRef(/** @type {Drawing | null} */ (null));
  const whole = useRef(/** @type {Box | null} */ (null));
  const [seen, setSeen] = useState(/** @type {Box | null} */ (null));
  const [legend, setLegend] = useState(/** @type {Picture | null} */ (null));

  const touched = useRef(false); // whether somebody chose what is seen of this game

  const fit = (/** @type {Picture | null} */ found, /** @type {string} */ game, resized = false) => {
    if (!frame.current || !found) return;
    const { clientWidth, clientHeight } = frame.current;
    const before = whole.current;
    const full = (whole.current = filling(found.whole, Math.max(clientWidth, 1), Math.max(clientHeight, 1)));
    const same = drawing.current?.game === game && before;
    drawing.current = { picture: found, game };
    if (!same) touched.current = false;
    setSeen((now) => (same && now && (touched.current || !resized) ? carried(now, before, full) : begun(full, found.things, found.letters, clientWidth)));
  };
  useEffect(() => {
    if (!frame.current) return;
    const found = picture && draw(frame.current, picture);
    setLegend(found);
    if (found) fit(found, game);
    else frame.current.replaceChildren();
  }, [picture]);
  useEffect(() => {
    const watch = new ResizeObserver(() => drawing.current && fit(drawing.current.picture, drawing.current.game, true));
    if (frame.current) watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => mark(frame.current, place, marked), [picture, place, marked]);
  useEffect(() => {
    const svg = frame.current?.querySelector("svg");
    if (!seen || !svg || !drawing.current) return;
    svg.setAttribute("viewBox", [seen.x, seen.y, seen.w, seen.h].map((one) => one.toFixed(2)).join(" "));
    const letters = (drawing.current.picture.letters * svg.clientWidth) / seen.w;
    svg.style.setProperty("--larger", String(enlarged(letters)));
    svg.classList.toggle("far", letters * enlarged(letters) < FAR);
  }, [picture, seen]);

  const setChosen = (/** @type {(now: Box | null) => Box | null} */ change) => {
    touched.current = true;
    setSeen(change);
  };
  const zoomAt = (/** @type {number} */ factor, /** @type {{x: number, y: number} | undefined} */ at) =>
    setChosen((now) => now && whole.current && zoomed(now, whole.current, factor, at));
  const zoom = (/** @type {number} */ factor) => zoomAt(factor, undefined);
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => setChosen((now) => now && whole.current && moved(now, whole.current, dx, dy));
  const select = (/** @type {string | null} */ name) => dispatch({ do: "select", place: name });
  useEffect(() => dragging(frame.current, { zoom: zoomAt, pan, select }), []);
  const show = (/** @type {{x: number, y: number}} */ at) => setChosen((now) => now && whole.current && showing(now, whole.current, at));
  const slide = (/** @type {[number, number]} */ [dx, dy]) => setChosen((now) => now && whole.current && moved(now, whole.current, (dx * now.w) / 5, (dy * now.h) / 5));
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => keys(event, { zoom: zoomAt, show, slide, select, all: () => setChosen(() => whole.current) });

  return html`<section class="board" aria-label="Board" aria-busy=${String(busy)}>
    <div class="frame" ref=${frame} onKeyDown=${onKeyDown}></div>
    <div class="zoom" hidden=${!picture}>
      <button type="button" aria-label="Closer" onClick=${() => zoom(1.5)}>+</button>
      <button type="button" aria-label="Farther" onClick=${() => zoom(1 / 1.5)}>−</button>
      <button type="button" aria-label="Show all of the board" onClick=${() => setChosen(() => whole.current)}>⤢</button>
    </div>
    ${!quiet && html`<${Faults} faults=${faults} />`}
    ${picture?.overlays.length > 0 && html`<${Overlays} every=${picture?.overlays} names=${names} choose=${choose} />`}
    ${legend && html`<${Legend} picture=${legend} />`}
  </section>`;
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
