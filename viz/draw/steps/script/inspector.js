// What is said of a step beside the picture: its text, the score so far, the line of the pseudo-code, what was rejected.

import { all, element, inert, one } from "../../pen/script/elements.js";
import { scrollCode } from "./following.js";

export class Inspector {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.lines = all(root, ".code li");
    /** @type {number | undefined} */
    this.line = undefined;
  }

  /** Writes what a step says; `end` is what is shown behind the last one.
   * @param {import("./walk.js").Step} step @param {boolean} last @param {string} end */
  write(step, last, end) {
    this.say(step.text);
    this.score(step.score);
    this.state(step.decision ? `Decision: ${step.decision}` : last ? "End" : "");
    this.lines.forEach((line, n) => {
      line.classList.toggle("now", n === step.line);
      if (n === step.line) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.reject(step.rejected);
    one(this.root, ".numbers").replaceChildren(...(last && end ? inert(end) : []));
  }

  /** Scrolls the pseudo-code to a line that was not the step's before. @param {number | undefined} line */
  follow(line) {
    if (this.line !== line) scrollCode(one(this.root, ".code"), this.lines[line]);
    this.line = line;
  }

  /** @param {string} text */
  say(text) {
    for (const e of all(this.root, ".says")) e.textContent = text;
  }

  /** @param {string | undefined} score */
  score(score) {
    for (const e of all(this.root, ".so-far")) e.textContent = score ?? "–";
  }

  /** @param {string} text */
  state(text) {
    one(this.root, ".state").textContent = text;
  }

  /** @param {string[] | undefined} texts */
  reject(texts = []) {
    const notes = texts.map((text, n) => element("p", "note", n ? text : `Rejected: ${text}`));
    one(this.root, ".turned-down").replaceChildren(...notes);
  }
}
