// A set of cells judged by its rule, as the core judges it (`metrics.teach.judge`).

import { cellName, no } from "./verdicts.js";
import { plural, printed, quoted } from "./wording.js";

/** @typedef {import("./verdicts.js").Cell} Cell */
/** @typedef {import("./verdicts.js").Question} Question */
/** @typedef {import("./verdicts.js").Rule} Rule */
/** @typedef {import("./verdicts.js").Verdict} Verdict */

const ROUNDING = 1e-12; // weights that differ by less, in proportion, are equal

/** Hits, no word twice, rising, as much as the best; `shows` is what the program takes.
 * @param {Question} question @param {string} given @param {string} shows @returns {Verdict} */
export function judgeSet(question, given, shows) {
  const { rule } = question;
  const names = given.split(" ");
  if (!names.every((name) => /^[0-9]{1,6},[0-9]{1,6},[0-9]{1,6}$/.test(name))) return question.otherwise;
  const cells = names
    .map((name) => name.split(",").map(Number))
    .map(([i, k, j]) => ({ i, k, j }))
    .sort((a, b) => a.i - b.i || a.k - b.k || a.j - b.j);
  const broken = brokenRule(question, cells);
  if (broken) return broken;
  /** @type {Map<string, Cell[]>} runs by the cell in which they end */
  const runs = new Map();
  for (const cell of cells) {
    const before = cellName({ i: cell.i - 1, k: cell.k, j: cell.j - 1 });
    const run = runs.get(before) ?? [];
    runs.delete(before);
    runs.set(cellName(cell), [...run, cell]);
  }
  const weight = rule.gaps ? gapped(rule, cells) : weighed(rule, [...runs.values()]);
  const enough = rule.size * (1 - ROUNDING);
  if (rule.chunks !== null && runs.size > rule.chunks && weight >= enough) {
    const fewer = `${rule.chunks} ${plural(rule.chunks, "chunk")}`;
    return no(`These are ${runs.size} chunks; the same number of words can match in ${fewer}.`, cells);
  }
  if (weight < enough) {
    const counts = rule.power === 1 && !rule.gaps && Object.values(rule.cells).every((each) => each === 1);
    return counts
      ? no(`This has ${cells.length} ${plural(cells.length, "word")}; ${printed(rule.size)} are possible.`, cells)
      : no(`This is worth ${printed(weight)}; ${printed(rule.size)} is possible.`, cells);
  }
  const marks = [{ cells: cells.map(cellName), words: /** @type {string[]} */ ([]) }];
  if (given === shows) return { how: "right", because: "This is what the program takes.", marks };
  return { how: "also", because: "This is as good as what the program takes.", marks };
}

/** What runs weigh, each to the power of the rule. @param {Rule} rule @param {Cell[][]} runs */
function weighed(rule, runs) {
  const weights = runs.map((run) => run.reduce((sum, cell) => sum + rule.cells[cellName(cell)], 0));
  return weights.reduce((sum, each) => sum + each ** rule.power, 0);
}

/** What a chain weighs, where each cell is divided by its distance from the one before.
 * @param {Rule} rule @param {Cell[]} cells */
function gapped(rule, cells) {
  const far = (/** @type {{i: number, j: number}} */ a, /** @type {Cell} */ b) => Math.sqrt((b.i - a.i) * (b.j - a.j));
  return cells.reduce(
    (sum, cell, n) => sum + rule.cells[cellName(cell)] / far(cells[n - 1] ?? { i: -1, j: -1 }, cell),
    0,
  );
}

/** What a set does that no set may. @param {Question} question @param {Cell[]} cells @returns {Verdict | undefined} */
function brokenRule(question, cells) {
  const { rule } = question;
  /** @type {Map<string, Cell>} cells by what they use: a word of the candidate, one of a reference */
  const used = new Map();
  for (const cell of cells) {
    if (!Object.hasOwn(rule.cells, cellName(cell))) return no(noMatch(question, cell), [cell]);
    for (const word of [`${cell.i}`, `${cell.k},${cell.j}`]) {
      const other = used.get(word);
      if (other) {
        return no(`${wordOf(question, cell)} is used twice: each word can match only once.`, [other, cell]);
      }
      used.set(word, cell);
    }
  }
  for (let n = 1; rule.rising && n < cells.length; n++) {
    const [before, cell] = [cells[n - 1], cells[n]];
    if (before.k !== cell.k) {
      return no("These words are in two references; only one is compared at a time.", [before, cell]);
    }
    if (cell.j <= before.j) {
      const [a, b] = [wordOf(question, cell), wordOf(question, before)];
      return no(`Wrong order: ${a} comes before ${b} in the reference.`, [before, cell]);
    }
  }
  return undefined;
}

/** @param {Question} question @param {Cell} cell */
const wordOf = ({ words }, { i }) => (words[0]?.[i] === undefined ? "This word" : quoted(words[0][i]));

/** @param {Question} question @param {Cell} cell */
function noMatch({ words, rule }, { i, k, j }) {
  const [ours, theirs] = [words[0]?.[i], words[k + 1]?.[j]];
  if (ours === undefined || theirs === undefined) return "There is no such cell.";
  const here = Object.keys(rule.cells).some((name) => Number(name.split(",")[1]) === k);
  if (ours === theirs && here) return `${quoted(ours)} has retired: only free words match now.`;
  if (ours === theirs) return `${quoted(ours)} is equal, but this question is about another reference.`;
  return `${quoted(ours)} and ${quoted(theirs)} do not match.`;
}
