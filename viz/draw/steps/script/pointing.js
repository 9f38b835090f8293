// Cells and words of a picture are answers: they can be clicked, and reached by keys. Arrows move a cursor, Enter and
// space take what is under it.

import { all } from "../../pen/script/elements.js";
import { isolated } from "../../pen/script/isolating.js";
import { ACROSS, ledTo } from "../../pen/script/leading.js";
import { under } from "../../pen/script/panels.js";

/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {import("../../pen/script/panels.js").Panel} Panel */
/** @typedef {{panel: Panel, row: number, column: number}} Cell */

const WORDS = ".frame > .words"; // those beside a grid have the class too
/** @type {Record<string, [down: number, right: number]>} */
const WAYS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

export class Pointing {
  /** @param {Element} root @param {import("./verdicts.js").Question} question @param {Marks} marks
   * @param {{take: (answer: string) => void, say: (text: string) => void, signal: AbortSignal}} does */
  constructor(root, question, marks, { take, say, signal }) {
    this.root = root;
    this.marks = marks;
    this.take = take;
    this.say = say;
    /** @type {Cell | undefined} */
    this.cursor = undefined;
    /** @type {HTMLElement | undefined} the word to which keys have led */
    this.word = undefined;
    const words = question.kind === "word";
    // A cell of the table and one of the grid lie in one place: the answer says which of them is asked for.
    this.ofTable = [question.shows, ...Object.keys(question.verdicts)].some((answer) => answer.startsWith("t:"));
    /** @type {(target: Element, type: string, does: (event: any) => void) => void} */
    const on = (target, type, does) => target.addEventListener(type, does, { signal });
    on(root, "click", (event) => {
      const word = event.target.closest("[data-word]");
      if (word && question.kind !== "cells" && !this.ofTable) return take(word.dataset.word);
      const cell = !words && this.at(event);
      if (cell) take(this.name(cell));
    });
    const box = root.querySelector(words ? WORDS : ".drawing");
    if (!box || (!words && !marks.panels.length)) return;
    box.classList.add("pointing");
    box.tabIndex = 0;
    box.setAttribute("aria-label", `${question.text} Arrow keys move, Enter answers.`);
    on(box, "keydown", (event) => (words ? this.amongWords(event) : this.amongCells(event)));
  }

  stop() {
    for (const box of all(this.root, ".pointing")) {
      box.classList.remove("pointing");
      box.removeAttribute("tabindex");
      box.removeAttribute("aria-label");
    }
  }

  /** @param {KeyboardEvent} event */
  amongCells(event) {
    if (WAYS[event.key]) {
      this.cursor = beside(this.marks.panels, this.cursor, WAYS[event.key], this.ofTable);
      const { panel, row, column } = this.cursor;
      this.marks.clear(".cursor");
      this.marks.draw(panel, row, column, "cursor");
      const [a, b] = [`c${row}`, `r${panel.k}_${column}`].map((name) => isolated(this.marks.text(name)));
      this.say(a && b ? `${a} × ${b}` : "");
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      this.take(this.name(this.cursor));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  amongWords(event) {
    const to = ledTo(event.key, all(this.root, `${WORDS} [data-word]`), this.word, ACROSS);
    if (to) {
      this.word?.classList.remove("picked-word");
      this.word = to;
      to.classList.add("picked-word");
      this.say(to.textContent);
    } else if ((event.key === "Enter" || event.key === " ") && this.word) {
      this.take(this.word.dataset.word);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The cell under the pointer. @param {MouseEvent & {target: Element}} event @returns {Cell | undefined} */
  at(event) {
    const svg = event.target.closest(".drawing svg");
    for (const panel of this.marks.panels) {
      if (panel.svg !== svg) continue;
      const { down, right } = under(panel, event);
      const [row, column] = [Math.floor(down), Math.floor(right)];
      const low = lowest(panel, this.ofTable);
      if (row >= low && column >= low && row < panel.rows && column < panel.columns) return { panel, row, column };
    }
    return undefined;
  }

  /** The name of a cell. @param {Cell} cell */
  name({ panel, row, column }) {
    if (this.ofTable) return `t:${row + panel.border},${column + panel.border}`;
    return `${row + panel.i},${panel.k},${column + panel.j}`;
  }
}

/** The first row and column of a panel; that of a table lies before the first word. @param {Panel} panel @param {boolean} ofTable */
const lowest = (panel, ofTable) => (ofTable ? -panel.border : 0);

/** The cell beside one, in the panel beside where a row ends; the first cell where there was none.
 * @param {Panel[]} panels @param {Cell | undefined} cell @param {[down: number, right: number]} way @param {boolean} ofTable
 * @returns {Cell} */
export function beside(panels, cell, [down, right], ofTable) {
  const now = cell ?? { panel: panels[0], row: -down, column: -right };
  let [at, row, column] = [panels.indexOf(now.panel), now.row + down, now.column + right];
  if (column >= panels[at].columns && at + 1 < panels.length) [at, column] = [at + 1, 0];
  else if (column < lowest(panels[at], ofTable) && at > 0) [at, column] = [at - 1, panels[at - 1].columns - 1];
  const panel = panels[at];
  const low = lowest(panel, ofTable);
  row = Math.max(low, Math.min(panel.rows - 1, row));
  column = Math.max(low, Math.min(panel.columns - 1, column));
  return { panel, row, column };
}
