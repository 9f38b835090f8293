// The chosen term comes into sight: its row in the table, and on the page its addend, its row and its cells.

import { element } from "../../pen/script/elements.js";
import { HIGH, scroller } from "../../pen/script/scrolling.js";

/** A row, what is opened below it, and the row that follows. @param {Element} row */
function rowsOf(row) {
  const below = row.nextElementSibling;
  return below?.dataset.of ? [row, below, below.nextElementSibling ?? below] : [row];
}

/** Where the window ends, or what stands at its end begins. @param {Element} root */
function low(root) {
  const foot = /** @type {HTMLElement} */ (root.querySelector(".foot"))?.offsetHeight ?? 0;
  return root.ownerDocument.documentElement.clientHeight - foot - 12;
}

/** Scrolls the table and the inspector, and not the page, until a row and what it opens are seen.
 * @param {Element} root @param {Element} row */
export function reveal(root, row) {
  const end = rowsOf(row).at(-1);
  const high = end.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
  for (const box of [row.closest(".terms"), row.closest(".inspector")]) {
    if (!box) continue;
    const head = box.matches(".terms") ? 36 : 0;
    // Only a part of the box may be in the window.
    const room = Math.min(box.clientHeight, low(root) - box.getBoundingClientRect().top - box.clientTop);
    const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop;
    const past = top + high - Math.max(room, head + high);
    if (past > 0) box.scrollTop += past;
    else if (top < head) box.scrollTop -= head - top;
  }
}

/** Scrolls the page no more than it must until the chosen term is seen: in the formula, in the table and, before all, in
 * its cells. @param {Element} root @param {Element | undefined} row */
export function seek(root, row) {
  const found = (/** @type {string} */ selector) => [...root.querySelectorAll(selector)];
  const first = root.querySelector(".ref") ? ".ref " : ""; // grids that can be opened below it stay where they are
  const cells = root.querySelector(`${first}.pick`) ? found(`${first}.pick`) : found(`${first || ".figure "}.chosen`);
  for (const part of [found(".formula .chosen"), row ? rowsOf(row) : [], cells]) {
    const boxes = part.map((e) => e.getBoundingClientRect()).filter((box) => box.height);
    if (!boxes.length) continue;
    const above = Math.min(...boxes.map((box) => box.top)) - HIGH;
    const below = Math.max(...boxes.map((box) => box.bottom)) - low(root);
    if (above < 0 || below > 0) scroller(root).scrollTop += below > 0 ? Math.min(below, above) : above;
  }
}

/** The chosen term in words, for windows so narrow that its row may be out of sight.
 * @param {Element} root @param {HTMLTableRowElement | undefined} row */
export function foot(root, row) {
  root.querySelector(".foot")?.remove();
  if (!row) return;
  const line = element("div", "foot");
  if (row.dataset.tip) line.append(element("span", "what", row.dataset.tip));
  else for (const td of row.cells) line.append(element("span", td.className, td.textContent));
  root.append(line);
}
