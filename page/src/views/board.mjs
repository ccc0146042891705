// The board: the picture of the position, with places to select; below it switches for overlays
// and the legend: whose is what, other signs, what a file has above the picture.
import { useAnswer } from "../answers.mjs";
import { drawable, drawn } from "../asked.mjs";
import { attempt, onlyStep, targetsOf } from "../attempt.mjs";
import { html } from "../html.mjs";
import { draw } from "../picture.mjs";
import { ARROWS, begun, carried, enlarged, filling, holding, nearest, panned, showing, zoomed } from "../sight.mjs";
import { boardOf, eventsOf, movedLast, nameOf, overlaysOf } from "../store.mjs";
import { useEffect, useMemo, useRef, useState } from "../vendor/hooks.mjs";
import { Faults } from "./parts.mjs";

/** @import { Box, Can, CanPoint, Drawing, Key, Picture, Point, Props, State } from "../../types.js" */

const FAR = 7; // pixels: names of hexes that are smaller are left out

/** @param {Props & {quiet: boolean}} props Quiet: what is wrong is told elsewhere. */
export function Board({ quiet, ...props }) {
  const { state, dispatch, backend } = props;
  const { position, shown, place, marked, outcome } = state;
  const game = nameOf(position);
  const names = overlaysOf(state, position);
  const { shown: picture, faults, busy } = useAnswer(backend, boardOf(position, outcome ? [...names, outcome] : names, planOf(shown)));
  const { answer: events } = useAnswer(backend, place && !state.readOnly ? eventsOf(position, place) : null);
  const targets = useMemo(() => targetsOf(events), [events]);
  useEffect(() => void (faults.length && dispatch({ do: "overlays", names: [] })), [faults]); // they are gone from the rules
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
    setSeen((now) => (same && now && (touched.current || !resized) ? carried(now, before, full) : begun(full, found.things, found.letters, clientWidth, found.room)));
  };
  useEffect(() => {
    if (!frame.current) return;
    if (!picture) frame.current.replaceChildren();
    setLegend(picture && draw(frame.current, picture));
  }, [picture]);
  useEffect(() => fit(legend, game), [legend]); // it takes height
  useEffect(() => {
    const watch = new ResizeObserver(() => drawing.current && fit(drawing.current.picture, drawing.current.game, true));
    if (frame.current) watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  const moved = useMemo(() => movedLast(state), [position, shown]);
  useEffect(() => mark(frame.current, place, marked, targets, moved), [picture, place, marked, targets, moved]);
  useEffect(() => {
    const points = shown?.moved.length ? corners(frame.current, ".spot.moved") : [];
    if (points.length) setSeen((now) => now && whole.current && holding(now, whole.current, points));
  }, [picture, shown]);
  useEffect(() => void (seen && drawing.current && lookAt(frame.current, seen, drawing.current.picture)), [picture, seen]);

  const look = (/** @type {(now: Box, all: Box) => Box} */ change) => {
    touched.current = true;
    setSeen((now) => now && whole.current && change(now, whole.current));
  };
  const zoom = (/** @type {number} */ factor, /** @type {Point | undefined} */ at = undefined) => look((now, all) => zoomed(now, all, factor, at));
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => look((now, all) => panned(now, all, dx, dy));
  const showAll = () => look((_, all) => all);
  const aim = (/** @type {string} */ target) => {
    const step = events && onlyStep(events, target);
    if (step) attempt(props, step, position);
    else dispatch({ do: "aim", target, of: position });
  };
  const select = (/** @type {string | null} */ name) => (name !== null && targets.has(name) ? aim(name) : dispatch({ do: "select", place: name }));
  const carries = (/** @type {string | null} */ name) => name !== null && name === place && targets.size > 0;
  const can = useRef(/** @type {any} */ (null)); // as things are now: pointers are listened to once
  can.current = { zoom, pan, select, carries, drop: (/** @type {string} */ name) => name !== place && aim(name) };
  useEffect(() => dragging(frame.current, () => can.current), []);
  const slide = (/** @type {[number, number]} */ [dx, dy]) => look((now, all) => panned(now, all, (dx * now.w) / 5, (dy * now.h) / 5));
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => keys(event, { zoom, show: (at) => look((now, all) => showing(now, all, at)), slide, select, all: showAll });

  return html`<section class="board" aria-label="Board" aria-busy=${String(busy)}>
    <div class="frame" ref=${frame} onKeyDown=${onKeyDown}></div>
    <div class="zoom" hidden=${!picture}>
      <button aria-label="Closer" onClick=${() => zoom(1.5)}>+</button>
      <button aria-label="Farther" onClick=${() => zoom(1 / 1.5)}>−</button>
      <button aria-label="Show all of the board" onClick=${showAll}>⤢</button>
    </div>
    ${!quiet && html`<${Faults} faults=${faults} />`}
    ${picture && picture.overlays.length > 0 && html`<${Overlays} every=${picture.overlays} names=${names} dispatch=${dispatch} />`}
    ${legend && html`<${Legend} picture=${legend} />`}
  </section>`;
}

/**
 * Show a part of the board, with labels that can be read.
 *
 * @param {HTMLElement | null} frame
 * @param {Box} seen
 * @param {Picture} picture
 */
function lookAt(frame, seen, picture) {
  const svg = frame?.querySelector("svg");
  if (!svg) return;
  svg.setAttribute("viewBox", [seen.x, seen.y, seen.w, seen.h].map((one) => one.toFixed(2)).join(" "));
  const letters = (picture.letters * svg.clientWidth) / seen.w;
  const larger = enlarged(letters, picture.room);
  svg.style.setProperty("--larger", String(larger));
  svg.classList.toggle("far", letters * larger < FAR);
}

/** The plan that is drawn, for the request. @param {State["shown"]} shown */
const planOf = (shown) => (shown && drawable(shown.answer) ? { show: drawn(shown.answer), ...(shown.step ? { step: shown.step } : {}) } : {});

/**
 * Outline the selected and the marked places, the targets and the last move; one place can be reached by Tab.
 *
 * @param {HTMLElement | null} frame
 * @param {string | null} place
 * @param {string[]} marked
 * @param {Set<string>} targets
 * @param {string[]} moved Names in the last move: of places, or parts of them.
 */
function mark(frame, place, marked, targets, moved) {
  const spots = [...(frame?.querySelectorAll("[data-place]") ?? [])];
  const entered = spots.find((spot) => spot.getAttribute("data-place") === place) ?? spots[0];
  for (const spot of spots) {
    const name = spot.getAttribute("data-place") ?? "";
    spot.classList.toggle("selected", name === place);
    spot.classList.toggle("marked", marked.includes(name));
    spot.classList.toggle("target", targets.has(name));
    spot.classList.toggle("moved", moved.some((one) => one === name || one.startsWith(`${name}/`)));
    spot.setAttribute("aria-description", targets.has(name) ? `a target of ${place}: Enter plays there` : "");
    spot.setAttribute("aria-pressed", String(name === place));
    spot.setAttribute("tabindex", spot === entered ? "0" : "-1");
  }
  outline(frame?.querySelector(".spots"));
}

/** Draw a line around all targets together, without sides between two of them. @param {Element | null} [spots] */
function outline(spots) {
  spots?.querySelector(".reach")?.remove();
  /** @type {{x: number, y: number, d: string}[]} */
  const sides = [];
  for (const hex of spots?.querySelectorAll("polygon.target") ?? []) {
    const corners = (hex.getAttribute("points") ?? "").split(" ").map((corner) => corner.split(",").map(Number));
    corners.forEach(([ax = 0, ay = 0], i) => {
      const [bx = 0, by = 0] = corners[(i + 1) % corners.length] ?? [];
      const [x, y] = [ax + bx, ay + by];
      const other = sides.findIndex((side) => Math.abs(side.x - x) < 4 && Math.abs(side.y - y) < 4);
      if (other < 0) sides.push({ x, y, d: `M${ax} ${ay}L${bx} ${by}` });
      else sides.splice(other, 1);
    });
  }
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("class", "reach");
  path.setAttribute("d", sides.map(({ d }) => d).join(""));
  spots?.append(path);
}

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
  return inPicture(spot, box.x + box.width / 2, box.y + box.height / 2);
}

/** A point of the screen, as the picture counts. @type {(spot: SVGElement, x: number, y: number) => Point} */
function inPicture(spot, left, top) {
  const { x, y } = new DOMPoint(left, top).matrixTransform((spot.ownerSVGElement?.getScreenCTM() ?? new DOMMatrix()).inverse());
  return { x, y };
}

/** The corners of some places. @type {(frame: HTMLElement | null, which: string) => Point[]} */
const corners = (frame, which) =>
  /** @type {SVGElement[]} */ ([...(frame?.querySelectorAll(which) ?? [])]).flatMap((spot) => {
    const { left, top, right, bottom } = spot.getBoundingClientRect();
    return [inPicture(spot, left, top), inPicture(spot, right, bottom)];
  });

/** @param {{picture: Picture}} given */
function Legend({ picture }) {
  const { key, notes } = picture;
  const parties = key.filter((one) => one.party);
  return html`<details class="legend">
    <summary>Legend ${parties.map((one) => html`<${Entry} one=${one} />`)}</summary>
    ${notes && html`<p>${notes}</p>`}
    <ul>
      ${key.filter((one) => !one.party).map((one) => html`<li><${Entry} one=${one} /></li>`)}
    </ul>
  </details>`;
}

/** @param {{one: Key}} given */
function Entry({ one }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.replaceChildren(...(one.sign ? [one.sign] : [])), [one]);
  return html`<span class="entry"><span class="sign" ref=${place}></span>${one.text.replace(/^• /, "")}</span>`;
}

/** @param {{every: {name: string, says: string}[], names: string[], dispatch: Props["dispatch"]}} given */
function Overlays({ every, names, dispatch }) {
  return html`<fieldset class="overlays" aria-label="Drawn over the board">
    ${every.map(({ name, says }) => {
      const change = () => dispatch({ do: "overlays", names: names.includes(name) ? names.filter((one) => one !== name) : [...names, name] });
      return html`<label title=${says}><input type="checkbox" checked=${names.includes(name)} onChange=${change} /> ${name}</label>`;
    })}
  </fieldset>`;
}

const STILL = 6; // pixels that a click may move

/**
 * Listen to mouse, touch and wheel: a drag moves the board, a pinch or the wheel zooms, a click selects. A drag that begins at
 * the selected place, if that has targets, carries what is there.
 *
 * @param {HTMLElement | null} frame
 * @param {() => CanPoint} can
 * @returns {() => void} Stops it.
 */
function dragging(frame, can) {
  if (!frame) return () => {};
  /** @type {Map<number, PointerEvent>} */
  const down = new Map();
  let far = 0;
  const carry = (/** @type {boolean} */ carried) => frame.classList.toggle("carrying", carried);
  const scale = () => {
    const matrix = frame.querySelector("svg")?.getScreenCTM();
    return matrix ?? new DOMMatrix();
  };
  const at = (/** @type {{clientX: number, clientY: number}} */ event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(DOMMatrix.fromMatrix(scale()).inverse());
  const begin = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    carry(!down.size && can().carries(placeAt(event.target)));
    if (!down.size) far = 0;
    down.set(event.pointerId, event);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    if (!event.buttons) {
      down.delete(event.pointerId); // it was let go outside of the board
      return;
    }
    const dx = event.clientX - before.clientX;
    const dy = event.clientY - before.clientY;
    const others = [...down.values()].filter((one) => one.pointerId !== event.pointerId);
    down.set(event.pointerId, event);
    far += Math.hypot(dx, dy);
    const [other] = others;
    if (other) {
      const gap = (/** @type {PointerEvent} */ one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      can().zoom(gap(event) / Math.max(gap(before), 1), at({ clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 }));
    } else if (far > STILL) {
      frame.setPointerCapture(event.pointerId);
      if (!frame.matches(".carrying")) can().pan(-dx / scale().a, -dy / scale().d);
    }
  };
  const end = (/** @type {PointerEvent} */ event) => {
    const was = down.delete(event.pointerId);
    const carried = frame.matches(".carrying");
    carry(false);
    if (!was || down.size || event.type === "pointercancel") return;
    const name = placeAt(document.elementFromPoint(event.clientX, event.clientY));
    if (name === null) return;
    if (far <= STILL) can().select(name);
    else if (carried) can().drop(name);
  };
  const wheel = (/** @type {WheelEvent} */ event) => {
    event.preventDefault();
    can().zoom(Math.exp(-event.deltaY / 400), at(event));
  };
  const listeners = /** @type {[string, any][]} */ ([["pointerdown", begin], ["pointermove", move], ["pointerup", end], ["pointercancel", end], ["wheel", wheel]]);
  for (const [name, listener] of listeners) frame.addEventListener(name, listener, { passive: false });
  return () => {
    for (const [name, listener] of listeners) frame.removeEventListener(name, listener);
  };
}

/** @param {EventTarget | null} target */
const placeAt = (target) => (target instanceof Element ? (target.closest("[data-place]")?.getAttribute("data-place") ?? null) : null);
