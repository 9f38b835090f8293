// A long text in columns: sentences that go together stand beside each other, ribbons lead from words to those that they
// are joined with, and a map of the whole grid shows what is seen of it.

import { all, element, one, rect, shape } from "../../pen/script/elements.js";
import { HIGH, scroller } from "../../pen/script/scrolling.js";
import { placeOf, runsOf } from "./names.js";
import { cellsOf, outline, ribbonsOf, rowCounts, seenOf, spanOf } from "./ribbons.js";
import { shift } from "./sight.js";

/** @typedef {import("./ribbons.js").Ribbon} Ribbon */
/** @typedef {import("./ribbons.js").Edges} Edges */

const LIT_MOST = 400; // ribbons that light at once

export class Columns {
  /** @param {HTMLElement} root with columns in it */
  constructor(root) {
    this.root = root;
    this.box = one(root, ".cols");
    this.inner = one(root, ".cols .inner");
    /** @type {Map<Element, {ribbon: Ribbon, k: number, side: string}>} by their elements */
    this.ribbons = new Map();
    for (const svg of all(root, "svg.ribbons")) this.make(svg);
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    this.sizes = new ResizeObserver(() => this.lay());
    this.sizes.observe(this.inner);
    // What scrolls is the box, or the page where all of the text stands on it.
    root.ownerDocument.addEventListener("scroll", () => this.later(), { capture: true, passive: true, signal });
    globalThis.addEventListener("resize", () => this.later(), { signal });
    this.arrange();
  }

  stop() {
    this.sizes.disconnect();
    this.listeners.abort();
  }

  /** The ribbons of a reference as elements, which lie nowhere yet. @param {Element} svg */
  make(svg) {
    const [k, side] = [Number(svg.dataset.reference), sideOf(svg)];
    for (const group of all(svg, "g")) {
      for (const ribbon of ribbonsOf(group.dataset.ribbons)) {
        const path = shape("path", { class: "ribbon" });
        this.ribbons.set(path, { ribbon, k, side });
        group.append(path);
      }
    }
  }

  /** The names of all cells that are joined. */
  get cells() {
    return [...this.ribbons.values()].flatMap(({ ribbon, k, side }) => cellsOf(ribbon, k, side));
  }

  /** The cells of the ribbon under the pointer. @param {Element} at @returns {string[] | undefined} */
  cellsAt(at) {
    const found = this.ribbons.get(at);
    return found && cellsOf(found.ribbon, found.k, found.side);
  }

  /** The reference that is shown. */
  get k() {
    return one(this.root, ".side.ref:not([hidden])")?.dataset.reference;
  }

  /** The sides that are shown: the candidate's, or A's and B's before and behind the reference's. */
  get sides() {
    const shown = [".side.c", ".side.a", `.side.ref[data-reference="${this.k}"]`, ".side.b"];
    return shown.map((side) => one(this.inner, side)).filter(Boolean);
  }

  /** Another reference is shown. */
  show() {
    this.arrange();
    this.lay();
  }

  /** Puts sentences that go together into rows. */
  arrange() {
    const { inner, sides } = this;
    const listed = sides.find((side) => side.dataset.rows)?.dataset.rows;
    inner.classList.toggle("rows", Boolean(listed));
    sides.forEach((side, n) => {
      const sentences = all(side, "p");
      if (!listed) return side.replaceChildren(...sentences);
      let at = 0;
      side.replaceChildren(
        ...rowCounts(listed).map((counts, row) => {
          const box = element("div");
          box.style.gridRow = String(row + 2); // below the names of the columns
          box.append(...sentences.slice(at, at += counts[n]));
          return box;
        }),
      );
    });
  }

  /** Lays out the ribbons of the reference that is shown. */
  lay() {
    const { k } = this;
    if (k === undefined || !this.inner.clientWidth) return;
    const place = this.measure(k);
    const drawn = [];
    for (const [path, { ribbon, k: of, side }] of this.ribbons) {
      if (String(of) === k) drawn.push(/** @type {[Element, string]} */ ([path, place(ribbon, side)]));
    }
    for (const [path, d] of drawn) path.setAttribute("d", d); // after all is measured, so that nothing is measured twice
    for (const svg of all(this.inner, `svg.ribbons[data-reference="${k}"]`)) {
      for (const light of all(svg, "[data-at]")) {
        light.setAttribute("d", place(JSON.parse(light.dataset.at), sideOf(svg)));
      }
    }
    this.see();
  }

  /** Where ribbons of a side and a reference lie. @param {string} k @returns {(ribbon: Ribbon, side: string) => string} */
  measure(k) {
    const { inner } = this;
    const { ofWord } = this.words();
    const base = inner.getBoundingClientRect();
    const edges = new Map(this.sides.map((side) => [nameOfSide(side), edgesOf(side)]));
    const theirs = edges.get("ref");
    /** @param {string} name @param {number} at @param {number} length @param {Edges} of */
    const span = (name, at, length, of) => {
      const [first, last] = [at, at + length - 1].map((n) => ofWord.get(`${name}${n}`).getBoundingClientRect());
      const { from, to } = spanOf(first, last, of);
      return { from: from - base.top, to: to - base.top };
    };
    return ({ i, j, length }, side) => {
      const ours = edges.get(side);
      const [x, end] = ours.left < theirs.left
        ? [ours.right + GAP, theirs.left - GAP]
        : [ours.left - GAP, theirs.right + GAP];
      const [a, b] = [span(side, i, length, ours), span(`r${k}_`, j, length, theirs)];
      return outline(a, b, x - base.left, end - base.left);
    };
  }

  /** The words of the columns by their names, and those of each side in their order. */
  words() {
    if (!this.known) {
      /** @type {Map<string, HTMLElement>} */
      const ofWord = new Map();
      for (const word of all(this.inner, "[data-word]")) ofWord.set(word.dataset.word, word);
      this.known = { ofWord };
    }
    return this.known;
  }

  /** Draws ribbons between the words of some cells, and frames around these on the map, of a class.
   * @param {string[]} cells @param {string} name */
  draw(cells, name) {
    const { k } = this;
    const mine = cells.filter((cell) => String(placeOf(cell).k) === k);
    if (!mine.length || !this.inner.clientWidth) return;
    const place = this.measure(k);
    const maps = this.maps();
    for (const svg of all(this.inner, `svg.ribbons[data-reference="${k}"]`)) {
      const side = sideOf(svg);
      const own = mine.filter((cell) => placeOf(cell).side === side);
      const runs = runsOf(own).slice(0, LIT_MOST).map((run) => ({ ...placeOf(run[0]), length: run.length }));
      svg.append(...runs.map(({ i, j, length }) => {
        const path = shape("path", { class: name, d: place({ i, j, length }, side) });
        path.dataset.at = JSON.stringify({ i, j, length });
        return path;
      }));
      const map = maps.find((each) => sideOf(each) === side);
      const step = Number(map?.dataset.step);
      map?.append(...runs.map(({ i, j, length }) => {
        const frame = rect(j / step - 0.5, i / step - 0.5, length / step + 1, length / step + 1, 0);
        frame.setAttribute("class", name);
        return frame;
      }));
    }
  }

  /** The maps of the reference that is shown. */
  maps() {
    return all(this.root, `svg.map[data-k="${this.k}"]`);
  }

  /** The place on the map under the pointer: the words where its square begins, and the names of the cells in it that are
   * joined. @param {MouseEvent & {target: Element}} event */
  square(event) {
    const map = /** @type {SVGSVGElement | null} */ (/** @type {unknown} */ (event.target.closest("svg.map")));
    if (!map) return undefined;
    const side = sideOf(map);
    const [step, rows, columns] = [map.dataset.step, map.dataset.rows, map.dataset.columns].map(Number);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    const [i, j] = [at.y, at.x].map((value) => Math.floor(value) * step);
    if (i < 0 || j < 0 || i >= rows || j >= columns) return undefined;
    const [last, end] = [Math.min(rows, i + step), Math.min(columns, j + step)];
    const cells = [];
    for (const { ribbon, k, side: of } of this.ribbons.values()) {
      if (String(k) !== this.k || of !== side || ribbon.i >= last || ribbon.i + ribbon.length <= i) continue;
      for (const cell of cellsOf(ribbon, k, side)) {
        const { i: row, j: column } = placeOf(cell);
        if (row >= i && row < last && column >= j && column < end) cells.push(cell);
      }
    }
    const range = (/** @type {number} */ from, /** @type {number} */ to) =>
      to - from > 1 ? `${from + 1}–${to}` : `${to}`;
    const used = cells.length === 1 ? "1 match used" : `${cells.length || "no"} matches used`;
    return { i, j, side, cells, says: `words ${range(i, last)} × ${range(j, end)}: ${used}` };
  }

  /** Frames on the map what is seen, once before the next picture. */
  later() {
    if (this.waits || !this.root.isConnected) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.see();
    });
  }

  /** Frames on the maps what is seen of the texts. */
  see() {
    const maps = this.maps();
    if (!maps.length) return;
    const box = this.box.getBoundingClientRect();
    const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
    const seen = new Map(this.sides.map((side) => {
      const words = all(side, "[data-word]");
      return [nameOfSide(side), seenOf(words, (word) => word.getBoundingClientRect(), top, bottom)];
    }));
    for (const map of maps) {
      map.querySelector(".seen")?.remove();
      const [step, rows, columns] = [Number(map.dataset.step), seen.get(sideOf(map)), seen.get("ref")];
      if (!rows || !columns) continue;
      const wide = Math.max(1, (columns[1] + 1 - columns[0]) / step);
      const high = Math.max(1, (rows[1] + 1 - rows[0]) / step);
      const frame = rect(columns[0] / step, rows[0] / step, wide, high, 0);
      frame.setAttribute("class", "seen");
      map.append(frame);
    }
  }

  /** Scrolls the texts, and the page no more than it must, until a word is seen, or one of some: nothing moves where each
   * side that has some shows one. @param {string[]} names @param {boolean} [now] */
  seek(names, now) {
    const { ofWord } = this.words();
    const words = names.map((name) => ofWord.get(name)).filter((word) => word?.getClientRects().length);
    if (!words.length) return;
    const behavior = behaviour(now);
    const spans = words.map((word) => word.getBoundingClientRect()).map(({ top, bottom }) => ({
      from: top,
      to: bottom,
    }));
    const { top, bottom } = this.box.getBoundingClientRect();
    let by = shift(spans, top + HEADING, bottom - EDGE);
    const { scrollTop, scrollHeight, clientHeight } = this.box;
    by = Math.max(-scrollTop, Math.min(by, scrollHeight - clientHeight - scrollTop));
    if (by) this.box.scrollBy({ top: by, behavior });
    // What of the words is seen in the box then is to be seen on the page.
    const seen = spans.map(({ from, to }) => ({ from: from - by, to: to - by })).filter(({ from, to }) =>
      from >= top && to <= bottom
    );
    const down = shift(seen.length ? seen : spans.slice(0, 1), HIGH, innerHeight - FOOT);
    if (down) scroller(this.root).scrollBy({ top: down, behavior });
  }

  /** Scrolls a place of both texts to the middle; that of a `side` where there is no room for both.
   * @param {number} i @param {number} j @param {{side?: string, now?: boolean}} [how] */
  go(i, j, { side = "c", now = false } = {}) {
    const names = [`${side}${i}`, `r${this.k}_${j}`];
    const [row, column] = names.map((name) => this.words().ofWord.get(name)?.getBoundingClientRect());
    if (!row) return;
    const { top, height } = this.box.getBoundingClientRect();
    const both = column && Math.abs(column.top - row.top) < height - HEADING - EDGE;
    const middle = both ? (row.top + column.bottom) / 2 : row.top;
    this.box.scrollBy({ top: middle - top - (height + HEADING) / 2, behavior: behaviour(now) });
    if (!now) return;
    const down = shift([{ from: top, to: top + height }], HIGH, innerHeight - EDGE);
    scroller(this.root).scrollBy({ top: down, behavior: "instant" });
  }
}

/** How to scroll: at once where that is wanted, or less motion is. @param {boolean} now @returns {ScrollBehavior} */
function behaviour(now) {
  return now || matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}

const GAP = 3; // pixels between a column and its ribbons
const [HEADING, EDGE] = [54, 24]; // pixels at the top of the box, whose first line stays, and at its end that words keep free
const FOOT = 60; // pixels below which the chosen term may stand

/** Whose words are joined by ribbons, or are the rows of a map: "c" the candidate's, "a" A's, "b" B's.
 * @param {Element} drawn */
const sideOf = (drawn) => drawn.dataset.side ?? "c";

/** The same of a text, "ref" of a reference's. @param {Element} side */
const nameOfSide = (side) => side.classList[1];

/** @param {HTMLElement} side @returns {Edges} */
function edgesOf(side) {
  // The rows of a side are boxes of their own, and so are the sentences of one that has none.
  const box = one(side, "div") ?? one(side, "p") ?? side;
  const { left, right } = box.getBoundingClientRect();
  return { left, right, rtl: one(side, "p")?.dir === "rtl" };
}
