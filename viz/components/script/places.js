// Where a page was left, so that who comes back finds it there. The tab keeps it, for several scripts say and ask it.

import { pageScroller } from "./streamlit.js";

const KEY = "bitext-left";
const PATIENCE = 8000; // milliseconds within which a page that comes back is as long as it was
const STOPS = ["wheel", "touchstart", "keydown", "pointerdown"]; // who does this goes elsewhere

/** The page is left for another one. */
export function leave() {
  sessionStorage.setItem(KEY, String(pageScroller()?.scrollTop ?? 0));
}

/** Scrolls the page to where it was left, as soon as it is that long, unless its reader scrolls first. */
export function back() {
  const [at, until] = [Number(sessionStorage.getItem(KEY)), performance.now() + PATIENCE];
  sessionStorage.removeItem(KEY);
  if (!at) return;
  let over = false;
  const stop = () => (over = true);
  for (const name of STOPS) addEventListener(name, stop, { once: true, capture: true });
  const look = () => {
    const page = pageScroller();
    if (over || performance.now() > until) {
      for (const name of STOPS) removeEventListener(name, stop, { capture: true });
      return;
    }
    if (page && Math.abs(page.scrollTop - at) > 1) page.scrollTop = at;
    setTimeout(look, 60);
  };
  look();
}
