// The term that is chosen: everything that belongs to it is marked until another one is, or none.

import { rove } from "../../pen/script/leading.js";
import { pick } from "./overlay.js";
import { foot, reveal, seek } from "./sight.js";

/** @typedef {import("./index.js").Index} Index */

export class Choosing {
  /** @param {Element} root @param {() => Index} index */
  constructor(root, index) {
    this.root = root;
    this.index = index;
    /** @type {string | null} */
    this.chosen = null;
  }

  get row() {
    return this.chosen === null ? undefined : this.index().terms.get(this.chosen).row;
  }

  get cells() {
    return this.chosen === null ? [] : this.index().terms.get(this.chosen).cells;
  }

  /** Chooses a term, or none. Whether it was not chosen before. @param {string | null} term */
  choose(term) {
    const known = term !== null && this.index().terms.has(term) ? term : null;
    if (known === this.chosen) return false;
    const { root } = this;
    root.querySelectorAll(".chosen").forEach((e) => e.classList.remove("chosen"));
    root.querySelectorAll(".pick").forEach((e) => e.remove());
    this.row?.setAttribute("aria-selected", "false");
    this.chosen = known;
    root.classList.toggle("picked", known !== null);
    if (known !== null) this.mark(known);
    foot(root, this.row);
    return true;
  }

  /** @param {string} term */
  mark(term) {
    const { terms, rows, ofTerm, ofWord, ofCell, panels, columns } = this.index();
    const { row, cells, words } = terms.get(term);
    for (const e of ofTerm.get(term)) e.classList.add("chosen");
    for (const word of words) for (const e of ofWord.get(word) ?? []) e.classList.add("chosen");
    for (const cell of cells) for (const e of ofCell.get(cell) ?? []) e.classList.add("chosen");
    row.setAttribute("aria-selected", "true");
    rove(rows, row);
    pick(panels, cells);
    columns?.draw(cells, "pick");
  }

  /** Draws what is chosen in columns that show another reference now. */
  draw() {
    const { columns } = this.index();
    this.root.querySelectorAll(".cols .pick, .map .pick").forEach((e) => e.remove());
    columns?.draw(this.cells, "pick");
  }

  /** The same term once more is none. @param {string} term */
  other(term) {
    return term === this.chosen ? null : term;
  }

  /** The next of some terms after the chosen one, so that repeated clicks visit all; none after the last.
   * @param {string[] | undefined} terms */
  next(terms) {
    if (!terms?.length) return null;
    const at = terms.indexOf(this.chosen);
    return at < 0 ? terms[0] : (terms[at + 1] ?? null);
  }

  reveal() {
    if (this.row) reveal(this.root, this.row);
  }

  /** @param {boolean} [all] */
  seek(all) {
    if (this.chosen === null) return;
    const { columns, terms } = this.index();
    if (columns) columns.seek(terms.get(this.chosen).words, all);
    else seek(this.root, this.row, all);
  }
}
