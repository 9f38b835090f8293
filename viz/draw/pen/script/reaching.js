// The keyboard reaches what scrolls by itself. Where nothing in a box takes the focus, the box does, while there is more
// in it than is seen.

import { all } from "./elements.js";

/** What style sheets let scroll, from the inside out, and what a screen reader calls it. */
const SCROLLING = {
  ".step": "Step",
  ".formula": "Formula",
  ".drawing": "Picture",
  ".word_lines": "Words",
  ":is(.terms, .scores)": "Table",
  ".code": "Steps of the algorithm",
  ".as-text pre": "Matches as text",
  ".numbers": "Numbers",
  ".reads": "What was typed, as it is read",
  ".text": "Text",
  ".inspector": "Beside the picture",
  ".side": "Words and terms",
  ".st-key-link": "Link",
  ".faults": "What is wrong with the file",
  ".wide": "Table",
  ".pointed": "What you typed, with the place of the mistake",
};
const SLACK = 2; // pixels that nobody misses
const FOCUSED = "a[href], button:enabled, input:enabled, select, textarea, summary, [tabindex='0']";

/** Lets the keyboard scroll everything in `root`, what is drawn there later too. @param {HTMLElement} root */
export function reach(root) {
  const boxes = () => Object.entries(SCROLLING).flatMap(([box, name]) => all(root, box).map((e) => ({ box: e, name })));
  const review = () => {
    // All is looked at before anything is changed: a look after a change would have the browser find sizes again.
    const found = boxes().map(({ box, name }) => ({ box, name, wanted: wants(box) }));
    for (const { box, name, wanted } of found) offer(box, name, wanted);
  };
  // A size is read when the browser has found it anyway, and behind the frame that a reader waits for.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;
  const sizes = new ResizeObserver(() => {
    clearTimeout(soon);
    soon = setTimeout(review);
  });
  const look = () => {
    sizes.disconnect();
    for (const { box } of boxes()) for (const e of [box, ...box.children]) sizes.observe(e);
  };
  new MutationObserver(look).observe(root, { childList: true, subtree: true, attributeFilter: ["tabindex"] });
  look();
}

/** Whether a box scrolls and nothing in it takes the focus. @param {HTMLElement} box */
const wants = (box) => scrolls(box) && !all(box, FOCUSED).some((e) => e.getClientRects().length);

/** Gives a box the focus or takes it away again. @param {HTMLElement} box @param {string} name @param {boolean} wanted */
function offer(box, name, wanted) {
  const given = box.dataset.reached !== undefined;
  if (wanted && !box.hasAttribute("tabindex")) {
    box.dataset.reached = "";
    box.tabIndex = 0;
    box.ariaLabel ??= name;
    if (box.matches("div")) box.role ??= "group";
  } else if (given && !wanted && !box.matches(".pointing")) {
    for (const own of ["data-reached", "tabindex", "aria-label", "role"]) box.removeAttribute(own);
  }
}

/** Whether there is more in a box than is seen of it. @param {HTMLElement} box */
function scrolls(box) {
  const [high, broad] = [box.scrollHeight > box.clientHeight + SLACK, box.scrollWidth > box.clientWidth + SLACK];
  if (!high && !broad) return false;
  const { overflowX, overflowY } = getComputedStyle(box);
  return (high && /auto|scroll/.test(overflowY)) || (broad && /auto|scroll/.test(overflowX));
}
