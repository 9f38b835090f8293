// What is asked about: a match that is not used, or a word that no match uses. The answer, what every metric would give if
// it matched, is somebody else's, and stands at the top of the inspector.

import { element, inert } from "../../pen/script/elements.js";
import { RING } from "./rings.js";

/** @typedef {import("./index.js").Index} Index */

/** The name of what a click asks about: of the cell that it is in, or of the word.
 * @param {Element} at @param {string | undefined} cell @param {Index} index @returns {string | undefined} */
export function askedBy(at, cell, index) {
  if (cell !== undefined) return index.ofCell.get(cell)?.some((e) => e.matches(RING)) ? cell : undefined;
  const word = /** @type {HTMLElement} */ (at.closest("[data-word]"))?.dataset.word;
  const seen = word && index.ofWord.get(word).find((e) => e.matches(".word_lines .tk"));
  return seen && !seen.classList.contains("u") ? word : undefined;
}

export class Answer {
  /** @param {Element} root @param {() => Index} index */
  constructor(root, index) {
    this.root = root;
    this.index = index;
    /** @type {HTMLElement | undefined} */
    this.box = undefined;
    this.waits = false; // whether the reader has just asked
  }

  /** The name of what was answered. @returns {string | undefined} */
  get name() {
    return /** @type {HTMLElement | undefined} */ (this.box?.firstElementChild)?.dataset.asked;
  }

  /** Shows an answer, "" for none. @param {string} html */
  show(html) {
    const { root } = this;
    const inspector = root.querySelector(".inspector");
    this.box?.remove();
    this.box = undefined;
    root.querySelectorAll(".in-question").forEach((e) => e.classList.remove("in-question"));
    if (!html || !inspector) return;
    this.box = element("div", "answer");
    this.box.setAttribute("role", "status");
    this.box.append(...inert(html));
    inspector.prepend(this.box);
    const { ofWord, ofCell } = this.index();
    for (const e of [...(ofWord.get(this.name) ?? []), ...(ofCell.get(this.name) ?? [])]) {
      e.classList.add("in-question");
    }
    if (this.waits) this.box.scrollIntoView({ block: "nearest" });
    this.waits = false;
  }
}
