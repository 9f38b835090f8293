// The legend of words: what has met a fate is shown or not, as its button says.

import { all } from "../../pen/script/elements.js";
import { split } from "./names.js";

export class Fates {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.off = ""; // fates of words that are not shown as such, sorted
  }

  /** Shows neither the looks nor the cells of words that have met these fates, and those of all others. Whether this is
   * another choice. @param {string} off */
  switch(off) {
    if (off === this.off) return false;
    for (const fate of split(this.off)) this.root.classList.remove(`no-${fate}`);
    for (const fate of split(off)) this.root.classList.add(`no-${fate}`);
    for (const e of all(this.root, "[data-fate]")) e.ariaPressed = String(!split(off).includes(e.dataset.fate));
    this.off = off;
    return true;
  }

  /** What is off when one of the fates is turned round. @param {string} fate */
  turned(fate) {
    const off = new Set(split(this.off));
    if (!off.delete(fate)) off.add(fate);
    return [...off].sort().join(" ");
  }
}
