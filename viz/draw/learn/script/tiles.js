// A sentence that is laid with tiles, each at most once. What is said of every sentence stands in the markup already; the
// picture shows the matches of the words that are laid.

import { bitext } from "../../evidence/script/fragment.js";
import { all, one } from "../../pen/script/elements.js";

/** @typedef {{at: number, size: number, names: HTMLElement[], marks: [mark: HTMLElement, ...place: string[]][]}} Row */

export class Laying {
  /** Brings the tiles of a screen to life. `met` is called when the sentence scores what is wanted.
   * @param {HTMLElement} root @param {() => void} met */
  constructor(root, met) {
    this.root = root;
    this.met = met;
    this.found = one(root, ".found");
    this.first = this.found.textContent;
    this.line = one(root, ".laid");
    this.tiles = all(root, "[data-tile]");
    this.table = one(root, ".tiles").dataset;
    this.said = this.table.said.split("|");
    /** @type {number[]} numbers of tiles */
    this.sentence = [];
    this.tiles.forEach((tile, n) => tile.addEventListener("click", () => this.lay(n)));
    one(root, ".tiles").addEventListener("keydown", (event) => {
      if (event.key === "Backspace" && this.sentence.length) this.take(this.sentence.length - 1);
    });
    // Of references and picture before and after, one is there at a time: both have words of the same names.
    this.states = ["before", "after"].map((when) => all(root, `div.${when}`));
    for (const part of this.states[1]) part.remove();
    this.rows = this.learn();
    this.write();
  }

  /** The rows of the picture, by tile: of each the word's name, and its matches with the reference's number and the word's.
   * @returns {Row[][]} */
  learn() {
    const size = Number(one(this.root, "path.grid").dataset.size);
    const cells = all(this.root, "svg [data-cell]");
    const marks = /** @type {Row["marks"]} */ (cells.map((mark) => [mark, ...mark.dataset.cell.split(",")]));
    let row = 0;
    return this.tiles.map((tile) =>
      all(tile, ".tk").map(() => {
        const at = row++;
        const names = all(this.root, `svg [data-word="c${at}"]`);
        return { at, size, names, marks: marks.filter(([, i]) => Number(i) === at) };
      })
    );
  }

  /** @param {number} n */
  lay(n) {
    if (this.sentence.includes(n)) return;
    this.sentence.push(n);
    this.write();
  }

  /** Takes out the tile at a place of the sentence. Who does so by key finds the focus at what stands there then.
   * @param {number} at */
  take(at) {
    const focused = this.line.contains(document.activeElement);
    const [n] = this.sentence.splice(at, 1);
    this.write();
    if (focused) (this.line.children[Math.min(at, this.sentence.length - 1)] ?? this.tiles[n]).focus();
  }

  /** A sentence that is right. */
  show() {
    this.sentence = this.table.shows.split(" ").map(Number);
    this.write();
  }

  /** The sentence's score, how far it is off and on which side; nothing where it is the wanted one.
   * @returns {string[] | ""} */
  off() {
    const { places } = this.table;
    const wide = (this.said.length - 1).toString(36).length;
    const start = numberOf(this.sentence, this.tiles.length) * wide;
    const at = parseInt(places.slice(start, start + wide), 36);
    return this.said[at] === "" ? "" : [...this.said[at].split(" "), at > this.said.indexOf("") ? "high" : "low"];
  }

  write() {
    const off = this.sentence.length ? this.off() : undefined;
    const right = off === "";
    let text = this.first;
    if (right) text = this.table.met;
    else if (Array.isArray(off)) text = off.reduce((said, part) => said.replace("{}", part), this.table.missed);
    this.found.textContent = text;
    this.found.dataset.how = right ? "right" : off ? "no" : "";
    const told = right && this.sentence.join(" ") === this.table.shows;
    this.root.classList.toggle("told", told);
    const [before, after] = this.states;
    before.forEach((part, n) => (told ? part.replaceWith(after[n]) : after[n].replaceWith(part)));
    this.tiles.forEach((tile, n) => (tile.ariaDisabled = String(this.sentence.includes(n))));
    this.line.replaceChildren(
      ...this.sentence.map((n, at) => {
        const laid = /** @type {HTMLElement} */ (this.tiles[n].cloneNode(true));
        laid.ariaDisabled = null;
        laid.addEventListener("click", () => this.take(at));
        return laid;
      }),
    );
    all(this.line, ".tk").forEach((word, i) => (word.dataset.word = `c${i}`));
    this.draw();
    if (right) this.met();
  }

  /** Brings the rows of the picture into the order of the sentence; words that are not laid have none. */
  draw() {
    const laid = this.sentence.flatMap((n) => this.rows[n]);
    const met = new Set(); // words of references
    for (const row of this.rows.flat()) {
      const to = laid.indexOf(row);
      /** @type {(element: HTMLElement, hook: string, name: string) => void} */
      const put = (element, hook, name) => {
        element.style.display = to < 0 ? "none" : "";
        element.style.transform = `translateY(${(to - row.at) * row.size}px)`;
        if (to < 0) delete element.dataset[hook];
        else element.dataset[hook] = name;
        element.removeAttribute("tabindex"); // another match is now the first one
      };
      for (const name of row.names) put(name, "word", `c${to}`);
      for (const [mark, , k, j] of row.marks) {
        put(mark, "cell", `${to},${k},${j}`);
        if (to >= 0) met.add(`r${k}_${j}`);
      }
    }
    const [[references]] = this.states;
    for (const word of all(references, "[data-word]")) word.classList.toggle("h", met.has(word.dataset.word));
    this.fragment?.stop();
    this.fragment = bitext(this.root);
  }
}

/** The number of a sentence of so many tiles among all: those of fewer tiles come first, and of as many the tiles' numbers
 * decide. @param {number[]} sentence @param {number} tiles */
export function numberOf(sentence, tiles) {
  const free = Array.from({ length: tiles }, (_, n) => n);
  let before = 0;
  let many = 1;
  let at = 0;
  sentence.forEach((n, place) => {
    if (place) before += many;
    many *= free.length;
    at = at * free.length + free.indexOf(n);
    free.splice(free.indexOf(n), 1);
  });
  return before + at;
}
