// What part of the board is seen: zoom, pan, and the nearest place in a direction. Pure geometry.

/** @typedef {{x: number, y: number, w: number, h: number}} Box */
/** @typedef {{name: string, x: number, y: number}} Spot */

/** The board is shown at most so many times as large as it fits. */
export const CLOSEST = 12;

/**
 * A part of the board after zooming, with one point staying where it is.
 *
 * @param {Box} seen
 * @param {Box} whole The whole picture; nothing beyond it is shown.
 * @param {number} factor Above 1: closer.
 * @param {{x: number, y: number}} [at] The point that stays; the middle by default.
 * @returns {Box}
 */
export function zoomed(seen, whole, factor, at = { x: seen.x + seen.w / 2, y: seen.y + seen.h / 2 }) {
  const w = Math.min(Math.max(seen.w / factor, whole.w / CLOSEST), whole.w);
  const scale = w / seen.w;
  return within({ x: at.x - (at.x - seen.x) * scale, y: at.y - (at.y - seen.y) * scale, w, h: seen.h * scale }, whole);
}

/**
 * A part of the board, moved.
 *
 * @param {Box} seen
 * @param {Box} whole
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
export const moved = (seen, whole, dx, dy) => within({ ...seen, x: seen.x + dx, y: seen.y + dy }, whole);

/**
 * A part of the board, moved as little as shows a point.
 *
 * @param {Box} seen
 * @param {Box} whole
 * @param {{x: number, y: number}} at
 * @returns {Box}
 */
export function showing(seen, whole, at) {
  const far = (/** @type {number} */ point, /** @type {number} */ from, /** @type {number} */ size) =>
    Math.min(point - from - size * EDGE, 0) || Math.max(point - from - size * (1 - EDGE), 0);
  return moved(seen, whole, far(at.x, seen.x, seen.w), far(at.y, seen.y, seen.h));
}
const EDGE = 0.12; // of what is seen

/**
 * @param {Box} box
 * @param {Box} whole
 * @returns {Box}
 */
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
