// The sentences of a screen that a reader can change, and words that can be put in instead of being typed.

import { button, element, one } from "../../draw/pen/script/elements.js";
import { Untold } from "./tell.js";

/** @typedef {{name: string, label: string, rows: number, value: string}} Field */
/** @typedef {{fields: Field[], words?: string[], load: unknown, says: string}} Own `load` is new when another text is wanted */

const PAUSE = 350; // milliseconds after a key until the sentence is sent

export class Sentences {
  /** @param {(typed: Record<string, string>) => void} send */
  constructor(send) {
    this.tell = send;
    this.root = element("div", "typed");
    this.bank = element("div", "bank");
    this.bank.setAttribute("role", "group");
    this.bank.ariaLabel = "Words for your sentence";
    this.made = ""; // the fields that are there, and for which screen
    this.offered = "";
    /** @type {unknown} */
    this.load = undefined;
    /** @type {Map<string, Untold>} by the names of fields what the server has not answered */
    this.untold = new Map();
  }

  stop() {
    clearTimeout(this.typed);
  }

  /** Writes the sentences; what is being typed, or was and is not answered yet, is not written over, but where one has
   * `moved` to another screen.
   * @param {Own | null} own @param {string} screen @param {boolean} moved */
  fill(own, screen, moved) {
    this.root.hidden = !own;
    const made = own ? own.fields.map((field) => field.name).join() + screen : "";
    if (own && this.made !== made) {
      this.root.replaceChildren(...own.fields.map((field) => this.field(field)), element("p", "warns"));
    }
    this.made = made;
    if (!own) return;
    this.offer(own);
    for (const field of own.fields) {
      const input = /** @type {HTMLTextAreaElement} */ (one(this.root, `[data-name="${field.name}"]`));
      const untold = this.untold.get(field.name);
      const kept = !untold.answered(field.value) || document.activeElement === input;
      if (moved || own.load !== this.load || !kept) {
        input.value = field.value;
        untold.forget();
      }
      grow(input);
    }
    this.load = own.load;
    const says = one(this.root, ".warns");
    says.textContent = own.says;
    says.hidden = !own.says;
  }

  /** @param {Field} field */
  field(field) {
    const label = element("label", field.name, "");
    const input = element("textarea");
    Object.assign(input, { rows: field.rows, dir: "auto", spellcheck: false });
    input.dataset.name = field.name;
    const untold = new Untold();
    this.untold.set(field.name, untold);
    input.addEventListener("input", () => {
      grow(input);
      untold.add(input.value.trim() && input.value); // as the server answers it
      clearTimeout(this.typed);
      this.typed = setTimeout(() => this.send(), PAUSE);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || field.name === "references") return;
      event.preventDefault();
      this.send();
    });
    label.append(element("span", "", field.label), input);
    return label;
  }

  /** Words that a click puts at the end of the sentence, for typing is slow on a phone; and a way to take the last one out.
   * @param {Own} own */
  offer({ words = [], fields }) {
    if (this.offered === words.join(" ") && (this.bank.isConnected || !words.length)) return;
    this.offered = words.join(" ");
    const choice = (/** @type {string} */ text, /** @type {(typed: string[]) => string[]} */ change) =>
      button(text, () => {
        const input = this.root.querySelector("textarea");
        input.value = change(input.value.split(/\s+/).filter(Boolean)).join(" ");
        input.dispatchEvent(new Event("input"));
      });
    const last = choice("Remove last word", (typed) => typed.slice(0, -1));
    const label = element("span", "label", fields[0].label);
    this.bank.replaceChildren(label, ...words.map((word) => choice(word, (typed) => [...typed, word])), last);
    if (words.length) this.root.prepend(this.bank);
    else this.bank.remove();
  }

  /** Puts a text in a field, as if it were typed. @param {string} name @param {string} text */
  put(name, text) {
    const input = /** @type {HTMLTextAreaElement} */ (one(this.root, `[data-name="${name}"]`));
    input.value = text;
    grow(input);
    this.untold.get(name).add(text);
    this.send();
  }

  /** Whether a field has what the server has read in it. @param {Field} field */
  read({ name, value }) {
    const input = /** @type {HTMLTextAreaElement} */ (one(this.root, `[data-name="${name}"]`));
    return input.value.trim() === value.trim();
  }

  send() {
    clearTimeout(this.typed);
    const typed = [...this.root.querySelectorAll("textarea")].map((input) => [input.dataset.name, input.value]);
    this.tell(Object.fromEntries(typed));
  }
}

/** As high as its text, where the style sheet's `field-sizing` is not known. @param {HTMLTextAreaElement} input */
function grow(input) {
  if (CSS.supports("field-sizing", "content") || !input.scrollHeight) return;
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight + 2}px`;
}
