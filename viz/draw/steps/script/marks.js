// Light on the cells and words of an answer, by their names: "3,0,5" is a cell of the grid, "t:4,6" one of a table, "c3" a
// word.

import { all, rect, shape } from "../../pen/script/elements.js";
import { panelsOf } from "../../pen/script/panels.js";

/** @typedef {import("../../pen/script/panels.js").Panel} Panel */

const FRAMES = [".judged", ".cursor", ".pick-cell", ".about"];
const LOOKS = ["picked-word", "judged-word", "about-word"];

export class Marks {
  /** @param {Element} root */
  constructor(root) {
    this.root = root;
    this.panels = panelsOf(root);
  }

  /** A frame around a cell, or light on a word; a cell of a table is of one reference where that is given.
   * @param {string} name @param {string} look @param {number} [reference] */
  put(name, look, reference) {
    const table = numbers(name.match(/^t:(\d+),(\d+)$/));
    const cell = numbers(name.match(/^(\d+),(\d+),(\d+)$/));
    for (const panel of this.panels) {
      if (table && panel.border && (reference === undefined || panel.k === reference)) {
        this.draw(panel, table[0] - panel.border, table[1] - panel.border, look);
      }
      if (cell && panel.k === cell[1]) this.draw(panel, cell[0] - panel.i, cell[2] - panel.j, look);
    }
    if (!/^[cr]\d/.test(name)) return;
    const lit = look === "about" ? "about-word" : "judged-word";
    for (const e of this.root.querySelectorAll(`[data-word="${name}"]`)) e.classList.add(lit);
  }

  /** @param {Panel} panel @param {number} row @param {number} column @param {string} look */
  draw(panel, row, column, look) {
    if (row >= panel.rows || column >= panel.columns) return;
    const { x, y, size } = panel;
    const frame = shape("g", { class: look });
    frame.append(rect(x + column * size, y + row * size, size, size, 2));
    panel.svg.append(frame);
  }

  /** Takes frames away. @param {string} look */
  clear(look) {
    for (const e of all(this.root, look)) e.remove();
  }

  /** Takes the light of an answer away. */
  unlight() {
    this.clear(".judged");
    for (const e of all(this.root, ".judged-word")) e.classList.remove("judged-word");
  }

  stop() {
    for (const look of FRAMES) this.clear(look);
    for (const look of LOOKS) for (const e of all(this.root, `.${look}`)) e.classList.remove(look);
  }

  /** @param {string} word @returns {string | undefined} */
  text(word) {
    const e = this.root.querySelector(`[data-word="${word}"]`);
    return (e?.querySelector("bdi") ?? e)?.textContent;
  }
}

/** @param {RegExpMatchArray | null} found */
const numbers = (found) => found?.slice(1).map(Number);
