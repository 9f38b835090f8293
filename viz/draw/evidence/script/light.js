// The light between words, cells and terms while the pointer or the focus is on one of them.

import { element } from "../../pen/script/elements.js";
import { isolated } from "../../pen/script/isolating.js";
import { rowAt } from "../../pen/script/folding.js";
import { under } from "../../pen/script/panels.js";
import { place } from "../../pen/script/scrolling.js";
import { nameOf, placeOf, referenceOf, saidOfCell, split, wordsOf } from "./names.js";
import { frame } from "./overlay.js";

/** @typedef {{clientX: number, clientY: number}} At */

const TOLD = 4; // terms whose marks lie on each other that are said one by one

/** The terms of the marks of a mark's kind that lie under the pointer with it. @param {Element} mark @param {At} at */
export function stacked(mark, { clientX, clientY }) {
  const [kind, role] = mark.classList;
  if (kind === "polygon" || !role) return [mark.dataset.term];
  const under = /** @type {Document} */ (mark.getRootNode()).elementsFromPoint(clientX, clientY);
  const like = under.map((e) => e.closest("[data-term]")).filter((e) =>
    e?.classList.contains(kind) && e.classList.contains(role)
  );
  return [...new Set([mark, ...like].map((e) => e.dataset.term))];
}

export class Light {
  /** Where what is drawn changes, `live`, only what is seen now is lit.
   * @param {Element} root @param {() => import("./index.js").Index} index @param {boolean} live */
  constructor(root, index, live) {
    this.root = root;
    this.index = index;
    this.live = live;
    /** @type {string | undefined} the name of what is lit */
    this.lit = undefined;
    /** @type {HTMLElement | undefined} */
    this.tip = undefined;
  }

  /** What is under the pointer is lit. @param {PointerEvent & {target: Element}} event */
  over(event) {
    const at = event.target;
    const { columns } = this.index();
    const square = columns?.square(event);
    if (square) return this.square(square, event);
    const joined = columns?.cellsAt(at);
    if (joined) return this.ribbon(joined, at, event);
    const term = at.closest("tr[data-term], mrow[data-term], li[data-term]");
    if (term) return this.term(term.dataset.term);
    const word = at.closest("[data-word]");
    if (word) return this.word(word.dataset.word, word.dataset.says, event);
    const cell = this.cellAt(event);
    const mark = at.closest("[data-term]");
    if (mark && !this.index().ofCell.has(cell)) return this.terms(stacked(mark, event), event);
    const joins = at.closest("[data-words]");
    if (joins) return this.words(joins.dataset.words, event);
    if (cell) return this.cell(cell, event);
    const said = at.closest(".src [data-says]");
    if (said) return this.saying(said.dataset.says, event);
    this.dark();
  }

  /** The name of the cell under the pointer. @param {MouseEvent & {target: Element}} event */
  cellAt(event) {
    const cell = event.target.closest("[data-cell]")?.dataset.cell;
    const svg = event.target.closest("svg");
    if (cell !== undefined || !svg) return cell;
    for (const panel of this.index().panels) {
      if (!panel.svg.contains(svg)) continue;
      const { down, right } = under(panel, event);
      if (down >= 0 && right >= 0 && down < panel.rows && right < panel.columns) {
        return nameOf(panel.side + (rowAt(panel.folds, down) + panel.i), panel.k, Math.floor(right) + panel.j);
      }
    }
    return undefined;
  }

  /** @param {string} term @param {At} [at] where it is said in words */
  term(term, at) {
    const found = this.index().terms.get(term);
    if (!found || !this.begin(term)) return;
    this.glowTerm(term);
    this.shine(found.words);
    this.frames(found.cells);
    if (at) this.say(found.row.dataset.tip ?? [...found.row.cells].map((td) => td.textContent).join(", "), at);
  }

  /** Terms whose marks lie on each other. @param {string[]} names @param {At} at */
  terms(names, at) {
    const found = names.map((name) => this.index().terms.get(name)).filter(Boolean);
    if (found.length < 2) return this.term(names[0], at);
    if (!this.begin(names.join(" "))) return this.follow(at);
    names.forEach((name) => this.glowTerm(name));
    this.shine(found.flatMap(({ words }) => words));
    const said = found.map(({ row }) => [...row.cells].slice(0, 2).map((td) => td.textContent).join(", "));
    const more = said.length > TOLD ? `; and ${said.length - TOLD} more` : "";
    this.say(`${said.slice(0, TOLD).join("; ")}${more}: click for the next`, at);
  }

  /** @param {string} word @param {string} [says] why it matches one that is not the same @param {At} [at] */
  word(word, says, at) {
    if (!this.begin(word)) return at && this.follow(at);
    const { matches, byWord, terms } = this.index();
    const names = this.index().along(word);
    const cells = names.flatMap((name) => matches.get(name) ?? []);
    this.shine([...names, ...cells.flatMap(wordsOf)]);
    this.frames(cells);
    for (const term of byWord.get(word) ?? []) if (!terms.get(term).cells.length) this.glowTerm(term);
    if (this.live) { for (const e of this.joining(`~="${word}"`)) this.glow(e); }
    if (says) this.say(says, at);
  }

  /** What joins some words and stands for no one cell of theirs: an arc, the crossing of two lines.
   * @param {string} words @param {At} at */
  words(words, at) {
    if (!this.begin(words)) return this.follow(at);
    const marks = this.joining(`="${words}"`);
    marks.forEach((e) => this.glow(e));
    const sides = ["c", "r"].map((side) => split(words).filter((name) => name[0] === side)).filter((names) =>
      names.length
    );
    const named = (/** @type {(name: string) => string | number} */ write) =>
      sides.map((names) => names.map(write).join(" … ")).join(" × ");
    const reference = this.index().several && referenceOf(words);
    const which = reference ? `, R${Number(reference) + 1}` : "";
    const where = named((name) => Number(name.match(/\d+$/)[0]) + 1) + which;
    this.say(`${named((name) => isolated(this.index().text(name)))} (${where})${saidOf(marks)}`, at);
  }

  /** Words that are joined in a long text. @param {string[]} cells @param {Element} ribbon @param {At} at */
  ribbon(cells, ribbon, at) {
    if (!this.begin(`ribbon ${cells[0]}`)) return this.follow(at);
    const index = this.index();
    this.shine(cells.flatMap(wordsOf));
    this.frames(cells);
    for (const term of index.holding(cells)) {
      if (index.terms.get(term).cells.every((cell) => cells.includes(cell))) this.glowTerm(term);
    }
    const ends = [cells[0], cells.at(-1)].map((cell) => wordsOf(cell).map((word) => index.text(word)));
    const named = ends[0].map((text, side) =>
      cells.length > 1 ? `${isolated(text)} … ${isolated(ends[1][side])}` : isolated(text)
    );
    const { i, k, j } = placeOf(cells[0]);
    const range = (/** @type {number} */ from) =>
      cells.length > 1 ? `${from + 1}–${from + cells.length}` : `${from + 1}`;
    const which = index.several ? `, R${k + 1}` : "";
    this.say(`${named.join(" × ")} (${range(i)} × ${range(j)}${which})${saidOf([ribbon])}`, at);
  }

  /** A square of the map of a long text. @param {{cells: string[], says: string}} square @param {At} at */
  square({ cells, says }, at) {
    if (!this.begin(says)) return this.follow(at);
    this.shine(cells.flatMap(wordsOf));
    this.frames(cells);
    this.say(says, at);
  }

  /** What is said of a part of the source. @param {string} says @param {At} at */
  saying(says, at) {
    if (!this.begin(says)) return this.follow(at);
    this.say(says, at);
  }

  /** @param {string} cell @param {At} at */
  cell(cell, at) {
    const index = this.index();
    const [a, b] = wordsOf(cell).map((name) => index.text(name));
    if (a === undefined || b === undefined) return this.dark();
    if (!this.begin(cell)) return this.follow(at);
    const { side, i, k, j } = placeOf(cell);
    this.shine(wordsOf(cell).flatMap((word) => index.along(word)));
    for (const row of index.along(side + i)) this.frame(nameOf(row, k, j));
    for (const term of index.byCell.get(cell) ?? []) this.glowTerm(term);
    this.say(`${saidOfCell(a, b, cell, index.several)}${saidOf(this.marksOf(cell))}`, at);
  }

  dark() {
    this.tip?.remove();
    this.tip = undefined;
    if (this.lit === undefined) return;
    this.lit = undefined;
    this.root.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
    this.root.querySelectorAll(".light").forEach((e) => e.remove());
  }

  /** Whether something else is lit from now on. @param {string} name */
  begin(name) {
    if (name === this.lit) return false;
    this.dark();
    this.lit = name;
    return true;
  }

  /** What is drawn in a cell; where that changes, what is seen now. @param {string} cell */
  marksOf(cell) {
    if (!this.live) return this.index().ofCell.get(cell) ?? [];
    return [...this.root.querySelectorAll(`[data-cell="${cell}"]:not(.off)`)];
  }

  /** The marks that are seen now and join words, by a test of their names. @param {string} test */
  joining(test) {
    return [...this.root.querySelectorAll(`[data-words${test}]:not(tr, .off)`)];
  }

  /** Lights a mark that joins words, and these. @param {Element} mark */
  glow(mark) {
    mark.classList.add("lit");
    this.shine(split(mark.dataset.words));
  }

  /** @param {string} term */
  glowTerm(term) {
    for (const e of this.index().ofTerm.get(term)) e.classList.add("lit");
  }

  /** @param {string[]} words */
  shine(words) {
    for (const word of words) for (const e of this.index().ofWord.get(word) ?? []) e.classList.add("lit");
  }

  /** @param {string[]} cells */
  frames(cells) {
    for (const cell of cells) this.frame(cell);
    this.index().columns?.draw(cells, "light");
  }

  /** @param {string} cell */
  frame(cell) {
    if (this.live) { for (const e of this.marksOf(cell)) e.classList.add("lit"); }
    frame(this.index().panels, cell);
  }

  /** @param {string} text @param {At} at */
  say(text, at) {
    this.tip ??= element("div", "tip");
    this.tip.textContent = text;
    if (!this.tip.isConnected) this.root.append(this.tip);
    place(this.tip, at);
  }

  /** @param {At} at */
  follow(at) {
    if (this.tip) place(this.tip, at);
  }
}

/** What the table of looks says of marks. @param {Element[]} marks */
function saidOf(marks) {
  const says = marks.map((e) => e.closest("[data-says]")?.dataset.says).filter(Boolean);
  return says.length ? `: ${[...new Set(says)].join(", ")}` : "";
}
