// The focus stays where it was: where what had it goes, what held it takes it.

/**
 * Watch the page. What is pressed may vanish, such as an event that was played; a browser then begins again at the top.
 *
 * @returns {() => void} Stops it.
 */
export function keepFocus() {
  /** @type {Element[]} */
  let around = []; // what has the focus, and what that is in, the nearest first
  const onFocus = (/** @type {FocusEvent} */ event) => {
    around = [];
    for (let one = event.target instanceof Element ? event.target : null; one && one !== document.body; one = one.parentElement) around.push(one);
  };
  const onPointer = (/** @type {PointerEvent} */ event) => {
    if (event.target instanceof Element && !event.target.closest("button, summary, a, input, select, textarea, [tabindex]")) around = []; // somebody left it
  };
  const watch = new MutationObserver(() => {
    const [last] = around;
    if (!last || document.activeElement !== document.body) return;
    if (last instanceof HTMLElement && last.isConnected && !last.matches(":disabled")) return last.focus({ preventScroll: true }); // it was disabled for a while
    const next = around.find((one) => one !== last && one.isConnected && one.matches("li, section, details, .events, .inside, main, #page"));
    if (!(next instanceof HTMLElement)) return;
    const [first] = next.matches("details") ? next.children : [];
    const taken = first instanceof HTMLElement ? first : next;
    if (!first) taken.setAttribute("tabindex", "-1");
    taken.focus({ preventScroll: true });
  });
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  document.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", onPointer);
  return () => {
    watch.disconnect();
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", onPointer);
  };
}
