// Mouse, touch and wheel on the board: a drag moves it, a pinch or the wheel zooms, a click selects. A drag that begins at
// the selected place, if that has targets, carries what is there.

const STILL = 6; // pixels that a click may move

/**
 * Listen to pointers.
 *
 * @param {HTMLElement | null} frame
 * @param {() => {zoom: (factor: number, at: {x: number, y: number}) => void, pan: (dx: number, dy: number) => void, select: (name: string | null) => void, carries: (name: string | null) => boolean, drop: (name: string | null) => void}} can
 * @returns {() => void} Stops it.
 */
export function dragging(frame, can) {
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
