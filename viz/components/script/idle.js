// When a component may send what no one has clicked: not while the app works, and not while another page is asked for.

import { isIdle } from "./streamlit.js";

const LEAVING = 1000; // milliseconds for which the app may not yet show that another page was asked for
let left = -Infinity; // when another page or place was last asked for, in milliseconds

// A message waits some milliseconds in the browser before it is sent, so it must not be on its way at a click either. The
// pointer reaches a link before it clicks.
for (const kind of ["pointerover", "pointerdown", "click"]) {
  addEventListener(kind, ({ target }) => target instanceof Element && target.closest("a") && noteLeaving(), true);
}
addEventListener("popstate", noteLeaving, true);

function noteLeaving() {
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

const ASK_AGAIN = 1000; // milliseconds after which what was asked for is asked for again

/** Asks the server for a text that it has left out, because it has sent it before, and that the browser does not have. The
 * question may be lost, where another message takes its place, and the answer too, where another run takes the place of
 * its run; the server then leaves the text out again, which changes nothing here. So it is asked until the text is here. */
export class MissingText {
  /** @param {() => void} ask */
  ask(ask) {
    this.found();
    ask();
    this.timer = setTimeout(() => this.giveUp = whenIdle(() => this.ask(ask)), ASK_AGAIN);
  }

  found() {
    clearTimeout(this.timer);
    this.giveUp?.();
  }
}
