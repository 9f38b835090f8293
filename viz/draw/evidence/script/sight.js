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

/** Scrolls the page, and a picture that is broader than its room, no more than they must until the chosen term is seen,
 * before all in its cells; of what a link has chosen, `all` of it, first the formula and the table are sought. What is
 * seen already moves nothing. @param {Element} root @param {Element | undefined} row @param {boolean} [all] */
export function seek(root, row, all) {
  const found = (/** @type {string} */ selector) => [...root.querySelectorAll(selector)];
  const first = root.querySelector(".ref") ? ".ref " : ""; // grids that can be opened below it stay where they are
  const cells = root.querySelector(`${first}.pick`) ? found(`${first}.pick`) : found(`${first || ".figure "}.chosen`);
  const page = scroller(root);
  const behavior = all || matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  let by = 0;
  for (const part of all ? [found(".formula .chosen"), row ? rowsOf(row) : [], cells] : [cells]) {
    const boxes = part.map((e) => e.getBoundingClientRect()).filter((box) => box.height);
    const spans = boxes.map(({ top, bottom }) => ({ from: top - by, to: bottom - by }));
    by += shift(spans, HIGH, low(root));
    by = Math.max(-page.scrollTop, Math.min(by, page.scrollHeight - page.clientHeight - page.scrollTop));
  }
  if (by) page.scrollBy({ top: by, behavior });
  for (const drawing of new Set(cells.map((e) => e.closest(".drawing")))) {
    if (!drawing || drawing.scrollWidth <= drawing.clientWidth) continue;
    const left = drawing.getBoundingClientRect().left;
    const boxes = cells.filter((e) => drawing.contains(e)).map((e) => e.getBoundingClientRect());
    const spans = boxes.filter((box) => box.height).map((box) => ({ from: box.left - left, to: box.right - left }));
    const across = shift(spans, ROOM, drawing.clientWidth - ROOM);
    if (across) drawing.scrollBy({ left: across, behavior });
  }
}

const ROOM = 12; // pixels between a cell and the edge of its picture

/** How far what lies in some spans must move back to lie between two edges: not at all where it does, or where it is
 * longer than the room and one of the spans does; until its beginning is seen where it is longer.
 * @param {{from: number, to: number}[]} spans @param {number} least @param {number} most */
export function shift(spans, least, most) {
  if (!spans.length) return 0;
  const above = Math.min(...spans.map(({ from }) => from)) - least;
  const below = Math.max(...spans.map(({ to }) => to)) - most;
  if (above >= 0 && below <= 0) return 0;
  const fits = below - above <= 0;
  if (!fits && spans.some(({ from, to }) => from >= least && to <= most)) return 0;
  return below > 0 ? Math.min(below, above) : above;
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
