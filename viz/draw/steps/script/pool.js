// The picture of a trace: elements and looks of words that steps show and hide.

import { all, inert, one } from "../../pen/script/elements.js";
import { panelsOf } from "../../pen/script/panels.js";
import { group } from "../../evidence/script/names.js";

/** @typedef {import("./walk.js").Walk} Walk */

export class Pool {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.box = one(root, ".drawing");
    this.svg = this.box.querySelector("svg");
    this.layers = all(root, "g.pool");
    this.words = group(all(root, "[data-word]"), (e) => [e.dataset.word]);
    this.panels = new Map(panelsOf(this.box).map((panel) => [panel.k, panel]));
    this.size = Number(this.box.dataset.size); // of a cell, by which elements are moved
    /** @type {Element[]} by their numbers in the pool, made when they are first shown */
    this.elements = [];
    /** @type {Set<number>} */
    this.shown = new Set();
  }

  /** Shows and hides parts. @param {Map<number, boolean>} wanted @param {Walk} walk */
  change(wanted, walk) {
    this.make([...wanted].filter(([part, on]) => on && !this.elements[part]).map(([part]) => part), walk);
    for (const [part, on] of wanted) {
      if (this.shown.has(part) === on) continue;
      if (on) this.shown.add(part);
      else this.shown.delete(part);
      const [look, name] = walk.pool[part];
      if (typeof look === "number") this.elements[part].classList.toggle("off", !on);
      else for (const e of this.words.get(name) ?? []) e.classList.toggle(look, on);
    }
  }

  /** Makes elements that are shown for the first time, those of one layer at once.
   * @param {number[]} parts @param {Walk} walk */
  make(parts, walk) {
    for (const [layer, members] of group(parts, (part) => [walk.pool[part][0]])) {
      if (typeof layer !== "number") continue;
      const drawn = inert(`<svg>${members.map((part) => this.markup(part, walk)).join("")}</svg>`)[0];
      [...drawn.children].forEach((e, n) => (this.elements[members[n]] = e));
      this.layers[layer].append(...drawn.children);
    }
  }

  /** An element of the pool: a pattern, moved by rows and columns. @param {number} part @param {Walk} walk */
  markup(part, walk) {
    const [, pattern, row, column] = walk.pool[part];
    const moved = row || column ? ` transform="translate(${column * this.size} ${row * this.size})"` : "";
    return walk.patterns[pattern].replace(/^<\w+/, `$&${moved}`);
  }

  /** What a step is about: a place that it names, else the middle of its table's cell.
   * @param {Partial<import("./walk.js").Step>} step @returns {number[] | undefined} */
  placeOf({ place, cell }) {
    return place ?? (cell && this.middle(...cell));
  }

  /** The middle of a table's cell in the picture. @param {number} k @param {number} row @param {number} column */
  middle(k, row, column) {
    const { x, y, border } = this.panels.get(k);
    return [x + (column - border + 0.5) * this.size, y + (row - border + 0.5) * this.size];
  }
}
