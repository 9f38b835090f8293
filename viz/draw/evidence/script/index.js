// Which elements of a fragment stand for a term, a word and a cell, and which words and cells belong to a term.

import { panelsOf } from "../../pen/script/panels.js";
import { group, split, wordsOf } from "./names.js";

/** @typedef {{row: HTMLTableRowElement, cells: string[], words: string[]}} Term */

export class Index {
  /** @param {Element} root @param {import("./columns.js").Columns} [columns] of a long text */
  constructor(root, columns) {
    this.columns = columns;
    const all = (/** @type {string} */ selector) => [...root.querySelectorAll(selector)];
    this.rows = /** @type {HTMLTableRowElement[]} */ (all("tr[data-term]"));
    /** @type {Map<string, Term>} by names such as "0:3" */
    this.terms = new Map();
    for (const row of this.rows) {
      this.terms.set(row.dataset.term, { row, cells: split(row.dataset.cells), words: split(row.dataset.words) });
    }
    this.ofTerm = group(all("[data-term], [data-of]"), (e) => [e.dataset.term ?? e.dataset.of]); // seen with it
    this.ofWord = group(all("[data-word]"), (e) => [e.dataset.word]);
    this.ofCell = group(all("[data-cell]"), (e) => [e.dataset.cell]);
    /** @type {Map<string, string[]>} the words of other sides that go with a word */
    this.partners = new Map();
    for (const { dataset } of all("[data-with]")) {
      this.partners.set(dataset.word, [...(this.partners.get(dataset.word) ?? []), ...split(dataset.with)]);
    }
    const names = [...this.terms.keys()];
    this.byCell = group(names, (name) => this.terms.get(name).cells);
    this.byWord = group(names, (name) => this.terms.get(name).words);
    // The cells in which a word meets another.
    this.matches = group(new Set([...this.ofCell.keys(), ...this.byCell.keys(), ...(columns?.cells ?? [])]), wordsOf);
    this.panels = panelsOf(root);
    this.several = this.ofWord.has("r1_0"); // whether there are references
  }

  /** A word and its partners. @param {string} word */
  along(word) {
    return [...new Set([word, ...(this.partners.get(word) ?? [])])];
  }

  /** The terms that have some of these cells, those before others that have most of them. @param {string[]} cells */
  holding(cells) {
    const counts = new Map();
    for (const cell of cells) {
      for (const term of this.byCell.get(cell) ?? []) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
  }

  /** @param {string} word @returns {string | undefined} */
  text(word) {
    const [first] = this.ofWord.get(word) ?? [];
    return (first?.querySelector("bdi") ?? first)?.textContent;
  }
}
