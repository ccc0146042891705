// The picture of a board in the page: nothing in it can run, its labels keep a size that can be read, its key is HTML.

import { LARGER } from "./sight.mjs";

/** @import { BoardShown, Box, Key, Picture } from "../types.js" */

const CARDS = ".site, .land, .sea, .closed";
const COUNTERS = "rect.unit, rect.more";
const MARGIN = 14; // around the places
const ELEMENT = "http://www.w3.org/2000/svg";

/**
 * Put the picture into the page.
 *
 * @param {HTMLElement} frame
 * @param {BoardShown} answer
 * @returns {Picture} The part with places, the smallest letters of labels that are needed, where things are, how
 *   much larger labels may be, the legend.
 */
export function draw(frame, answer) {
  const parsed = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
  for (const odd of parsed.querySelectorAll("script, foreignObject, a, use, image, style")) odd.remove();
  for (const part of [parsed, ...parsed.querySelectorAll("*")])
    for (const { name } of [...part.attributes]) if (name.startsWith("on") || name.endsWith("href")) part.removeAttribute(name);
  const focused = document.activeElement?.getAttribute("data-place");
  parsed.setAttribute("role", "group");
  parsed.setAttribute("aria-label", "Map: arrow keys go from place to place, with Shift they move the map; Enter selects");
  parsed.removeAttribute("aria-labelledby");
  const says = new Map(answer.places.map((place) => [place.name, place.says]));
  for (const spot of parsed.querySelectorAll("[data-place]")) {
    const name = spot.getAttribute("data-place") ?? "";
    spot.setAttribute("role", "button");
    spot.setAttribute("aria-label", String(says.get(name) ?? name));
    spot.setAttribute("tabindex", "-1");
  }
  frame.replaceChildren(document.importNode(parsed, true));
  const svg = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
  const notes = [...svg.children].filter((one) => one.localName === "text" && one.getAttribute("font-size") !== "20");
  const key = keyOf(svg);
  const said = notes.map((note) => note.textContent).join(" ");
  for (const part of svg.querySelectorAll(":scope > text, :scope > rect, .key, .captions, .legend")) part.remove();
  tag(svg);
  const refocused = focused && frame.querySelector(`[data-place="${CSS.escape(focused)}"]`);
  if (refocused instanceof SVGElement) refocused.focus({ preventScroll: true });
  const labels = [...svg.querySelectorAll(".tag:not(.aside)")];
  const letters = [...svg.querySelectorAll(".tag:not(.aside) text")].map((text) => Number(text.getAttribute("font-size")) * matrixOf(svg, text).d);
  const things = labels.filter((label) => label.querySelector(".unit, .plate, .more") || label.matches(".site"));
  return { whole: wholeOf(svg), letters: Math.min(...letters, 20), things: things.map((thing) => boxOf(svg, thing)), room: svg.querySelector(".land") ? 1 : LARGER, key, notes: said };
}

/**
 * Make groups of what is one label, so that it can be given another size: cards of areas, names of places, the counters of a hex.
 *
 * @param {SVGSVGElement} svg
 */
function tag(svg) {
  for (const card of svg.querySelectorAll(CARDS)) card.classList.add("tag");
  for (const spot of svg.querySelectorAll("rect.spot")) spot.classList.add("tag", "aside");
  for (const hex of svg.querySelectorAll("g.hex")) {
    let group = document.createElementNS(ELEMENT, "g");
    group.setAttribute("class", "tag aside name");
    for (const part of [...hex.children]) {
      if (part.localName === "title") continue;
      if (part.matches(COUNTERS) && group.classList.contains("aside")) {
        hex.append(group); // the counters of a hex are one label: they do not grow over each other
        group = document.createElementNS(ELEMENT, "g");
        group.setAttribute("class", "tag");
      }
      group.append(part);
    }
    hex.append(group);
  }
}

/** The part of the picture with the places. @type {(svg: SVGSVGElement) => Box} */
function wholeOf(svg) {
  const spots = svg.querySelector(".spots");
  const ground = spots && spots.parentElement !== /** @type {any} */ (svg) ? spots.parentElement?.querySelector("rect") : null; // areas lie on a sheet
  const { x, y, w, h } = boxOf(svg, ground ?? spots ?? svg);
  return { x: x - MARGIN, y: y - MARGIN, w: w + 2 * MARGIN, h: h + 2 * MARGIN };
}

/** Where a part of the picture is, as the picture counts. @type {(svg: SVGSVGElement, part: Element) => Box} */
function boxOf(svg, part) {
  const own = /** @type {SVGGraphicsElement} */ (part);
  const { x, y, width, height } = own.getBBox();
  const matrix = matrixOf(svg, own);
  return { x: matrix.a * x + matrix.e, y: matrix.d * y + matrix.f, w: matrix.a * width, h: matrix.d * height };
}

/** How a part of the picture is scaled. @type {(svg: SVGSVGElement, part: any) => DOMMatrix} */
const matrixOf = (svg, part) => svg.getScreenCTM()?.inverse().multiply(part.getScreenCTM() ?? new DOMMatrix()) ?? new DOMMatrix();

/** The key of the picture: signs with what they mean, and sentences, of which further lines hang. @type {(svg: SVGSVGElement) => Key[]} */
function keyOf(svg) {
  /** @type {Key[]} */
  const found = [];
  /** @type {Element[]} */
  let signs = [];
  let begin = 0;
  for (const part of svg.querySelectorAll(":scope > .key > :not(g), .legend > *, :scope > .key > g:not(.legend)")) {
    if (part.localName !== "text" || part.getAttribute("text-anchor") !== "start") {
      signs.push(part);
      continue;
    }
    const x = Number(part.getAttribute("x"));
    const text = part.textContent ?? "";
    const last = found.at(-1);
    if (signs.length) {
      const plate = signs[0]?.matches(".plate") ? signs[0] : null;
      plate?.setAttribute("width", String(x - Number(plate.getAttribute("x")) - 2));
      found.push({ text, sign: cut(svg, signs), party: Boolean(plate) });
    } else if (last && !last.sign && x - begin === 12) last.text += ` ${text}`;
    else {
      begin = x;
      found.push({ text, sign: null, party: false });
    }
    signs = [];
  }
  return found;
}

/**
 * Some parts of a picture as a picture of their own.
 *
 * @param {SVGSVGElement} svg
 * @param {Element[]} parts
 */
function cut(svg, parts) {
  const boxes = parts.map((part) => boxOf(svg, part));
  const x = Math.min(...boxes.map((box) => box.x)) - 2;
  const y = Math.min(...boxes.map((box) => box.y)) - 2;
  const w = Math.max(...boxes.map((box) => box.x + box.w)) + 2 - x;
  const h = Math.max(...boxes.map((box) => box.y + box.h)) + 2 - y;
  const sign = document.createElementNS(ELEMENT, "svg");
  for (const [name, value] of Object.entries({ viewBox: `${x} ${y} ${w} ${h}`, width: w, height: h, "aria-hidden": "true", "font-family": "sans-serif" })) sign.setAttribute(name, String(value));
  sign.append(...parts.map((part) => part.cloneNode(true)));
  return sign;
}
