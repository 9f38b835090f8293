// Names of words, such as "c3" and "r0_5", and of cells. Cells are named "3,0,5" where their rows are the candidate's
// words, and "b3,0,5" where they are those of another side: on one page the outputs A and B (a, b) and the rows of their
// difference (d) have grids of the same references.

import { isolated } from "../../pen/script/isolating.js";

/** @typedef {{side: string, i: number, k: number, j: number}} Place */

/** Names that stand in an attribute. @param {string | undefined} names @returns {string[]} */
export const split = (names) => (names ? names.split(" ") : []);

/** @param {string} cell @returns {Place} */
export function placeOf(cell) {
  const [row, k, j] = cell.split(",");
  const side = /^\d/.test(row) ? "c" : row[0];
  return { side, i: Number(row.replace(/^\D/, "")), k: Number(k), j: Number(j) };
}

/** The cell in the row of a word. @param {string} word @param {number} k @param {number} j */
export const nameOf = (word, k, j) => `${word.replace(/^c/, "")},${k},${j}`;

/** The two words that meet in a cell. @param {string} cell */
export function wordsOf(cell) {
  const { side, i, k, j } = placeOf(cell);
  return [`${side}${i}`, `r${k}_${j}`];
}

/** A cell's words and where they stand, as it is said. @param {string | undefined} a @param {string | undefined} b
 * @param {string} cell @param {boolean} several whether there are references */
export function saidOfCell(a, b, cell, several) {
  const { side, i, k, j } = placeOf(cell);
  const row = side === "d" ? "row " : ""; // rows of a difference are no positions of words
  return `${isolated(a)} × ${isolated(b)} (${row}${i + 1} × ${j + 1}${several ? `, R${k + 1}` : ""})`;
}

/** The reference of a word, undefined where it is the candidate's. @param {string} words @returns {string | undefined} */
export const referenceOf = (words) => words.match(/r(\d+)_/)?.[1];

/**
 * Things by the names that `namesOf` gives them.
 * @template T, N @param {Iterable<T>} things @param {(thing: T) => N[]} namesOf @returns {Map<N, T[]>}
 */
export function group(things, namesOf) {
  const out = new Map();
  for (const thing of things) {
    for (const name of namesOf(thing)) {
      if (out.has(name)) out.get(name).push(thing);
      else out.set(name, [thing]);
    }
  }
  return out;
}

/** Cells as runs: each follows the one before it on a diagonal of one reference. @param {string[]} cells */
export function runsOf(cells) {
  /** @type {string[][]} */
  const out = [];
  /** @type {Place | undefined} */
  let last;
  for (const cell of cells) {
    const { side, i, k, j } = placeOf(cell);
    if (last && last.side === side && last.i + 1 === i && last.k === k && last.j + 1 === j) out.at(-1).push(cell);
    else out.push([cell]);
    last = { side, i, k, j };
  }
  return out;
}
