// Ribbons between two columns of text: how they are written, and where they lie.

import { nameOf } from "./names.js";

/** Words of the candidate from `i` on, and as many of a reference from `j` on.
 * @typedef {{i: number, j: number, length: number}} Ribbon */

/** What a word takes of its column: how far the reading of the column has come where it begins and ends, in pixels from
 * above, where each line is read over its whole height. @typedef {{from: number, to: number}} Span */

/** Where a column has its words. @typedef {{left: number, right: number, rtl: boolean}} Edges */

/** @param {string | undefined} listed such as "0,3 5,7,2" @returns {Ribbon[]} */
export function ribbonsOf(listed) {
  if (!listed) return [];
  return listed.split(" ").map((one) => {
    const [i, j, length = 1] = one.split(",").map(Number);
    return { i, j, length };
  });
}

/** The cells of some words that go together, by name; of the words of a `side`.
 * @param {Ribbon} ribbon @param {number} k @param {string} [side] @returns {string[]} */
export const cellsOf = ({ i, j, length }, k, side = "c") =>
  Array.from({ length }, (_, d) => nameOf(`${side}${i + d}`, k, j + d));

/** What words from one box to another take of a column, of which each line is read from its top to its bottom: ribbons
 * from one line so keep the order of its words, and none lies on another.
 * @param {DOMRect} first @param {DOMRect} last @param {Edges} edges @returns {Span} */
export function spanOf(first, last, { left, right, rtl }) {
  const breadth = Math.max(1, right - left);
  const share = (/** @type {number} */ x) => Math.min(1, Math.max(0, (rtl ? right - x : x - left) / breadth));
  const from = first.top + share(rtl ? first.right : first.left) * first.height;
  const to = last.top + share(rtl ? last.left : last.right) * last.height;
  return { from, to: Math.max(to, from + THIN) };
}

const THIN = 1.5; // pixels of a ribbon, at least

/** The outline of a ribbon from one edge to the other. @param {Span} a @param {Span} b @param {number} x @param {number} end */
export function outline(a, b, x, end) {
  const [middle, n] = [round((x + end) / 2), round];
  return `M${n(x)} ${n(a.from)}C${middle} ${n(a.from)} ${middle} ${n(b.from)} ${n(end)} ${n(b.from)}` +
    `V${n(b.to)}C${middle} ${n(b.to)} ${middle} ${n(a.to)} ${n(x)} ${n(a.to)}Z`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** Rows in which sentences that go together stand: how many of each side there are in each.
 * @param {string} listed such as "1,1 2,1 0,1" @returns {number[][]} */
export const rowCounts = (listed) => listed.split(" ").map((row) => row.split(",").map(Number));

/** The first and the last of some things that are seen, where they stand in order; none where none is.
 * @template T @param {T[]} things @param {(thing: T) => {top: number, bottom: number}} boxOf
 * @param {number} top @param {number} bottom @returns {[number, number] | undefined} */
export function seenOf(things, boxOf, top, bottom) {
  const first = least(things.length, (n) => boxOf(things[n]).bottom > top);
  const end = least(things.length, (n) => boxOf(things[n]).top >= bottom);
  return first < end ? [first, end - 1] : undefined;
}

/** The least number below `count` of which something is true, where it stays true. @param {number} count
 * @param {(n: number) => boolean} holds */
function least(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
