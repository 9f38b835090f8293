// When a component may send what no one has clicked: not while the app works, and not while another page is asked for.

import { isIdle } from "./streamlit.js";

const LEAVING = 1000; // milliseconds for which the app may not yet show that another page was asked for
let left = -Infinity; // when another page or place was last asked for, in milliseconds

// A message waits some milliseconds in the browser before it is sent, so it must not be on its way at a click either. The
// pointer reaches a link before it clicks.
for (const kind of ["pointerover", "pointerdown", "click"]) {
  addEventListener(kind, ({ target }) => target instanceof Element && target.closest("a") && leave(), true);
}
addEventListener("popstate", leave, true);

function leave() {
  left = performance.now();
}

/** Call `then` when the app waits for nothing. What is sent after another page was asked for would reach the server after
 * that, and draw a part of this page into the other one. @param {() => void} then @returns what gives it up */
export function whenIdle(then) {
  const soon = setInterval(() => {
    if (!isIdle() || performance.now() < left + LEAVING) return;
    clearInterval(soon);
    then();
  }, 20);
  return () => clearInterval(soon);
}
