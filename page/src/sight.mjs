// What part of the board is seen: zoom, pan, and the nearest place in a direction. Pure geometry.

/** @import { Box, Point, Spot } from "../types.js" */

/** The board is shown at most so many times as large as it fits. */
const CLOSEST = 12;

/**
 * A part of the board after zooming, with one point staying where it is, the middle by default; nothing beyond the whole is shown.
 *
 * @type {(seen: Box, whole: Box, factor: number, at?: Point) => Box}
 */
export function zoomed(seen, whole, factor, at = { x: seen.x + seen.w / 2, y: seen.y + seen.h / 2 }) {
  const w = Math.min(Math.max(seen.w / factor, whole.w / CLOSEST), whole.w);
  const scale = w / seen.w;
  return within({ x: at.x - (at.x - seen.x) * scale, y: at.y - (at.y - seen.y) * scale, w, h: seen.h * scale }, whole);
}

/** A part of the board, moved. @type {(seen: Box, whole: Box, dx: number, dy: number) => Box} */
export const panned = (seen, whole, dx, dy) => within({ ...seen, x: seen.x + dx, y: seen.y + dy }, whole);

/** A part of the board, moved as little as shows a point. @type {(seen: Box, whole: Box, at: Point) => Box} */
export function showing(seen, whole, at) {
  const far = (/** @type {number} */ point, /** @type {number} */ from, /** @type {number} */ size) =>
    Math.min(point - from - size * EDGE, 0) || Math.max(point - from - size * (1 - EDGE), 0);
  return panned(seen, whole, far(at.x, seen.x, seen.w), far(at.y, seen.y, seen.h));
}
/** A part of the board, moved and made larger as little as shows some points. @type {(seen: Box, whole: Box, points: Point[]) => Box} */
export function holding(seen, whole, points) {
  const far = (/** @type {number[]} */ all) => (Math.max(...all) - Math.min(...all)) / (1 - 2 * EDGE);
  const larger = Math.max(far(points.map(({ x }) => x)) / seen.w, far(points.map(({ y }) => y)) / seen.h, 1);
  return points.reduce((/** @type {Box} */ now, at) => showing(now, whole, at), zoomed(seen, whole, 1 / larger));
}
const EDGE = 0.12; // of what is seen

const LARGEST = 1.6; // a small board is drawn so much larger than it was made
const LEAST = 9; // pixels of letters that have to be read
/** Labels are drawn so much larger than their places at the most. */
export const LARGER = 1.2;
const MOST = 14; // pixels: what is closer shows more, not larger letters

/** The whole board with as much around it as makes it fill a frame of so many pixels. @type {(whole: Box, wide: number, high: number) => Box} */
export function filling(whole, wide, high) {
  const w = Math.max(whole.w, (whole.h * wide) / high, wide / LARGEST);
  const h = (w * high) / wide;
  return { x: whole.x - (w - whole.w) / 2, y: whole.y - (h - whole.h) / 2, w, h };
}

/**
 * What is seen at first: all of it if its labels can be read then, else the part with the most things in it.
 *
 * @param {Box} full The whole board, filling the frame.
 * @param {Box[]} things
 * @param {number} letters The size of the smallest letters.
 * @param {number} wide Pixels of the frame.
 * @param {number} [room] How much larger labels may be drawn.
 */
export function begun(full, things, letters, wide, room = LARGER) {
  const w = Math.min((wide * letters * room) / LEAST, full.w);
  const h = (w * full.h) / full.w;
  if (w >= full.w || !things.length) return full;
  const around = (/** @type {Box} */ thing) => within({ x: thing.x + thing.w / 2 - w / 2, y: thing.y + thing.h / 2 - h / 2, w, h }, full);
  const held = (/** @type {Box} */ seen) => things.filter((one) => one.x >= seen.x && one.y >= seen.y && one.x + one.w <= seen.x + w && one.y + one.h <= seen.y + h).length;
  const parts = things.map(around);
  const most = Math.max(...parts.map(held));
  const fullest = parts.filter((part) => held(part) === most); // in the middle of those that hold as many
  const sum = (/** @type {"x" | "y"} */ key) => fullest.reduce((total, part) => total + part[key], 0) / fullest.length;
  const far = (/** @type {Box} */ part) => Math.hypot(part.x - sum("x"), part.y - sum("y"));
  return fullest.reduce((best, part) => (far(part) < far(best) ? part : best));
}

/** How much larger than its place a label is drawn, whose letters would have so many pixels: they can be read. @type {(letters: number, room?: number) => number} */
export const enlarged = (letters, room = LARGER) => (letters < LEAST ? Math.min(LEAST / letters, room) : letters > MOST ? MOST / letters : 1);

/** The same part of a board that is drawn anew, perhaps elsewhere or larger, or in another frame. @type {(seen: Box, before: Box, now: Box) => Box} */
export function carried(seen, before, now) {
  const wider = now.w / before.w;
  const w = Math.min(seen.w * wider, now.w);
  const h = (w * now.h) / now.w;
  const middle = (/** @type {"x" | "y"} */ at, /** @type {"w" | "h"} */ size) => now[at] + now[size] / 2 + (seen[at] + seen[size] / 2 - before[at] - before[size] / 2) * wider;
  return within({ x: middle("x", "w") - w / 2, y: middle("y", "h") - h / 2, w, h }, now);
}

/** @type {(box: Box, whole: Box) => Box} */
function within(box, whole) {
  const x = Math.min(Math.max(box.x, whole.x), whole.x + whole.w - box.w);
  const y = Math.min(Math.max(box.y, whole.y), whole.y + whole.h - box.h);
  return { ...box, x, y };
}

/** Directions of the arrow keys. @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest place in a direction: what lies aside counts as farther.
 *
 * @param {Spot[]} spots
 * @param {Spot} from
 * @param {[number, number]} direction
 * @returns {Spot | null} None: there is nothing in that direction.
 */
export function nearest(spots, from, [dx, dy]) {
  /** @type {[number, Spot] | null} */
  let best = null;
  for (const spot of spots) {
    const ahead = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const aside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    if (spot.name === from.name || ahead <= 0 || aside > 2 * ahead) continue;
    const far = ahead + 2 * aside;
    if (!best || far < best[0]) best = [far, spot];
  }
  return best && best[1];
}
