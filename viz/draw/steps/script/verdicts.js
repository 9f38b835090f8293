// Questions and what is said of answers to them, as `metrics.teach.judge.question_to_dict` makes them.

/** @typedef {"right" | "also" | "no"} How */
/** @typedef {{cells: string[], words: string[]}} Marked */
/** A verdict; one that is `free` is of what was no answer yet: it could not be read, or has too few decimals.
 * @typedef {{how: How, because: string, marks?: Marked[], free?: boolean}} Verdict */
/** @typedef {{number: number, within: number, verdict: Verdict}} Value */
/**
 * Sets of cells that are right: hits with their weights, no word twice, `rising` in both sentences, worth `size`.
 * @typedef {{cells: Record<string, number>, power: number, size: number, rising: boolean, gaps: boolean,
 *   chunks: number | null}} Rule
 */
/** @typedef {{values: Value[], rounded: boolean, otherwise: Verdict}} Numbers */
/**
 * @typedef {Numbers & {text: string, kind: "choice" | "number" | "cell" | "cells" | "word", shows: string,
 *   step: number | null, choices: string[], optimal: number, words: string[][], about: string[], k: number | null,
 *   verdicts: Record<string, Verdict>, rule: Rule | null}} Question
 */
/** @typedef {{i: number, k: number, j: number}} Cell */

/** @param {Cell} cell */
export const cellName = ({ i, k, j }) => `${i},${k},${j}`;

/** An answer is not yet right. @param {string} because @param {Cell[]} [cells] @returns {Verdict} */
export const no = (because, cells = []) => ({ how: "no", because, marks: [{ cells: cells.map(cellName), words: [] }] });
