// Where a page was left, so that who comes back finds it there.

const PATIENCE = 4000; // milliseconds within which a page that comes back is as long as it was

/** @type {number | undefined} how far the page was scrolled when it was left */
let left;

/** @param {Element} element */
const scroller = (element) => /** @type {HTMLElement | null} */ (element.closest(".stMain, [data-testid=stMain]"));

/** The page of an element is left for another one. @param {Element} element */
export function leave(element) {
  left = scroller(element)?.scrollTop;
}

/** Scrolls the page of an element to where it was left, as soon as it is that long, unless its reader scrolls first.
 * @param {Element} element */
export function back(element) {
  const [page, at, until] = [scroller(element), left, performance.now() + PATIENCE];
  left = undefined;
  if (!page || !at) return;
  const stop = () => (over = true);
  let over = false;
  const events = ["wheel", "touchstart", "keydown", "pointerdown"];
  for (const name of events) addEventListener(name, stop, { once: true, capture: true });
  const look = () => {
    if (over || performance.now() > until) {
      for (const name of events) removeEventListener(name, stop, { capture: true });
      return;
    }
    if (Math.abs(page.scrollTop - at) > 1) page.scrollTop = at;
    setTimeout(look, 60);
  };
  look();
}
