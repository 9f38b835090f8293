// Work shown: a line for each part of a score, judged as it is typed. The first one that is not right is named.

import { all, button, element, one } from "../../pen/script/elements.js";
import { Field } from "./field.js";
import { judged } from "./judged.js";

/** @typedef {{root: HTMLElement, field: Field, mark: HTMLElement}} Line */
/** What a line is: right, wrong or not judged yet. */
const MARKS = { right: ["✓", "right"], no: ["✗", "not right"], "": ["", ""] };

export class Work {
  /** @param {HTMLElement} root @param {AbortSignal} signal */
  constructor(root, signal) {
    this.root = root;
    this.helped = false; // whether a part was shown
    this.lines = all(root, ".line").map((line) => this.line(line, signal));
  }

  /** @param {HTMLElement} root @param {AbortSignal} signal @returns {Line} */
  line(root, signal) {
    const mark = element("span", "mark");
    const field = new Field(one(root, ".asks").textContent, signal, () => this.look());
    field.input.addEventListener("input", () => this.marked({ root, field, mark }, ""), { signal });
    root.append(field.input, mark, button("Show", () => this.show({ root, field, mark }), "show-part"), field.reads);
    return { root, field, mark };
  }

  /** Judges all lines, and names the first one that is not right with its slip. */
  look() {
    const said = one(this.root, ".first-wrong");
    said.replaceChildren();
    for (const line of this.lines) {
      const { root, field } = line;
      if (!field.text.trim()) {
        this.marked(line, "");
        continue;
      }
      const found = judged(one(root, ".verdicts"), field.text, true);
      this.marked(line, found.free ? "" : found.how === "no" ? "no" : "right");
      if (found.how !== "no" || said.firstChild || field.reads.matches(".unread")) continue;
      said.replaceChildren(element("b", "", one(root, ".asks").textContent), " ", ...found.because);
    }
  }

  /** The answer to a line, with how it is computed. @param {Line} line */
  show(line) {
    this.helped = true;
    const { root, field } = line;
    field.fill(root.dataset.shows);
    field.reads.replaceChildren(...judged(one(root, ".verdicts"), root.dataset.shows, true).because);
    field.reads.classList.remove("unread");
    this.look();
  }

  /** @param {Line} line @param {keyof typeof MARKS} how */
  marked({ root, mark }, how) {
    root.dataset.how = how;
    mark.textContent = MARKS[how][0];
    mark.title = MARKS[how][1];
    mark.ariaLabel = MARKS[how][1];
  }
}
