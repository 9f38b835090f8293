// What of a page is in sight.

export const HIGH = 72; // pixels at the top of a window in which a page may have its bar

/** What scrolls when the page does. @param {Element} root */
export function scroller(root) {
  for (let e = root.parentElement; e; e = e.parentElement) {
    if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
  }
  return root.ownerDocument.scrollingElement;
}

/** Puts what is said of a place beside the pointer. @param {HTMLElement} tip @param {{clientX: number, clientY: number}} at */
export function place(tip, at) {
  tip.style.left = `${Math.min(at.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(at.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
}
