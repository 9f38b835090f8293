// Picture, page and pseudo-code scroll no more than they must, until what a step is about is seen.

import { all, element, one } from "../../pen/script/elements.js";
import { HIGH, scroller } from "../../pen/script/scrolling.js";

/** @typedef {import("./pool.js").Pool} Pool */
/** @typedef {Partial<import("./walk.js").Step>} Step */
/** @typedef {[start: number, end: number]} Span */

export class Following {
  /** @param {HTMLElement} root @param {Pool} pool */
  constructor(root, pool) {
    this.root = root;
    this.pool = pool;
    this.pins = ["row", "column"].map((name) => element("span", `pin ${name}`));
    for (const pin of this.pins) pin.setAttribute("aria-hidden", "true");
    one(root, ".figure").append(...this.pins);
    /** @type {Record<number, {left: number, right: number, top: number, bottom: number}>} */
    this.tables = {};
  }

  /** Scrolls the picture in its frame, and where so the `page`, until the place that a step is about is seen.
   * @param {Step} step @param {boolean} page */
  follow(step, page) {
    const { box, svg } = this.pool;
    const place = this.pool.placeOf(step);
    if (!place) {
      this.pin(step);
      if (page) this.reveal(Infinity);
      return;
    }
    const scale = svg.clientWidth / svg.viewBox.baseVal.width || 1;
    const [, , wide = 60, tall = 60] = place; // what is to be seen around it
    const across = Math.min(wide * scale, box.clientWidth / 2);
    const high = Math.min(tall * scale, box.clientHeight / 2);
    const table = step.cell && this.table(step.cell[0]);
    box.scrollLeft += along(
      place[0] * scale,
      box.scrollLeft,
      box.clientWidth,
      across,
      table && [table.left, table.right],
    );
    const whole = /** @type {Span} */ (table ? [table.top, table.bottom] : [0, svg.clientHeight]);
    box.scrollTop += along(place[1] * scale, box.scrollTop, box.clientHeight, high, whole);
    this.pin(step);
    if (!page) return;
    const y = svg.getBoundingClientRect().top + place[1] * scale;
    const foot = this.root.ownerDocument.documentElement.clientHeight - one(this.root, ".controls").offsetHeight;
    const { top, bottom } = box.getBoundingClientRect();
    const by = moved([Math.max(y - high, top), Math.min(y + high, bottom)], [HIGH, foot], [top, bottom]);
    if (by) scroller(this.root).scrollTop += by;
    this.reveal(y - high - HIGH - by);
  }

  /** The sides of a reference's table with the words beside it, in pixels. @param {number} k */
  table(k) {
    if (!this.tables[k]) {
      const { svg, panels } = this.pool;
      const [corner, own] = [svg.getBoundingClientRect(), panels.get(k).path.getBoundingClientRect()];
      const columns = all(svg, `text[data-word^="r${k}_"]`).map((e) => e.getBoundingClientRect());
      const rows = all(svg, 'text[data-word^="c"]').map((e) => e.getBoundingClientRect());
      const parts = [
        own,
        ...columns,
        ...rows.filter(({ top, bottom }) => top + bottom > 2 * own.top && top < own.bottom),
      ];
      this.tables[k] = {
        left: Math.min(...parts.map((part) => part.left)) - corner.left,
        right: Math.max(...parts.map((part) => part.right)) - corner.left,
        top: Math.min(...parts.map((part) => part.top)) - corner.top,
        bottom: Math.max(...parts.map((part) => part.bottom)) - corner.top,
      };
    }
    return this.tables[k];
  }

  /** Writes the two words of the table's cell at the edges of the picture while their own places are out of sight, a row's
   * also where it is cut.
   * @param {Step} step */
  pin({ cell }) {
    for (const pin of this.pins) pin.hidden = true;
    if (!cell) return;
    const { box, svg, panels } = this.pool;
    const frame = box.getBoundingClientRect();
    const [outer, corner] = [this.pins[0].parentElement, svg].map((e) => e.getBoundingClientRect());
    const scale = corner.width / svg.viewBox.baseVal.width || 1;
    const [x, y] = this.pool.middle(...cell);
    const [right, down] = [corner.left + x * scale, corner.top + y * scale];
    const { border } = panels.get(cell[0]);
    for (const [n, pin] of this.pins.entries()) {
      const name = n ? `r${cell[0]}_${cell[2] - border}` : `c${cell[1] - border}`;
      const labels = all(svg, `text[data-word="${name}"]`).map((e) => ({ e, at: e.getBoundingClientRect() }));
      const found = labels.find(({ at }) => n || (at.top < down && at.bottom > down));
      // A row's name is written anew as soon as its first letter is cut off; a column's stands aslant.
      pin.hidden = !found || (n ? found.at.bottom > frame.top + 8 : found.at.left >= frame.left - 1);
      if (pin.hidden) continue;
      pin.textContent = found.e.textContent;
      const middle = Math.max(frame.left, Math.min(right - pin.offsetWidth / 2, frame.right - pin.offsetWidth));
      pin.style.left = `${(n ? middle : frame.left) - outer.left}px`;
      pin.style.top = `${(n ? frame.top : down - pin.offsetHeight / 2) - outer.top}px`;
    }
  }

  /** Scrolls the page, at most by so much, until the formula is seen that stands beside the picture. @param {number} most */
  reveal(most) {
    const [side, formula, end] = [".inspector", ".inspector > .formula", ".numbers"].map((name) =>
      one(this.root, name)
    );
    if (getComputedStyle(side).position !== "sticky") return;
    const { top } = side.getBoundingClientRect();
    const { bottom } = (formula.hidden ? end : formula).getBoundingClientRect();
    const over = bottom - one(this.root, ".controls").getBoundingClientRect().top;
    const by = Math.min(over, top - HIGH, most);
    if (by > 0) scroller(this.root).scrollTop += by;
  }
}

/** Scrolls the pseudo-code in itself, until a line is seen with the one before it and the one behind.
 * @param {HTMLElement} code @param {HTMLElement | undefined} line */
export function scrollCode(code, line) {
  if (!line || code.scrollHeight <= code.clientHeight) return;
  const [before, behind] = /** @type {HTMLElement[]} */ ([
    line.previousElementSibling ?? line,
    line.nextElementSibling ?? line,
  ]);
  const bottom = behind.offsetTop + behind.offsetHeight - code.clientHeight;
  code.scrollTop = Math.min(before.offsetTop, Math.max(code.scrollTop, bottom));
}

/** By how much a frame scrolls that shows `size` from `start` on, until a place is seen with so much around it, and all
 * of the table that it is in where there is room. @param {number} at @param {number} start @param {number} size
 * @param {number} edge @param {Span | undefined} whole */
function along(at, start, size, edge, whole) {
  const seen = whole && whole[1] - whole[0] <= size ? whole : [at - edge, at + edge];
  const within = /** @type {Span | undefined} */ (whole?.map((end) => end - start));
  return moved([seen[0] - start, seen[1] - start], [0, size], within);
}

/** By how much a window from `start` to `end` moves until what is `near` is seen: where it has to move it shows as much of
 * the `whole` as it can, and so does not creep from step to step.
 * @param {Span} near @param {Span} window @param {Span} [whole] */
export function moved(near, [start, end], whole = near) {
  const room = end - start;
  if (near[1] > end) return Math.max(0, Math.min(Math.max(near[1], whole[1]), near[0] + room) - end);
  if (near[0] < start) return Math.min(0, Math.max(Math.min(near[0], whole[0]), near[1] - room) - start);
  return 0;
}
