// A place for a number: what is typed there is shown as it is read, set in type, and what cannot be read in a sentence as
// soon as one stops to type.

import { element, inert } from "../../pen/script/elements.js";
import { readTyped } from "../../steps/script/expression.js";

const STOPPED = 700; // milliseconds without a key after which something is said of what was typed
const LEFT = 300; // and after it was left: a button that is just being pressed must not move away

export class Field {
  /** @param {string} label @param {AbortSignal} signal @param {(text: string) => void} [paused] hears what stands there
   * when one has stopped to type, or leaves it */
  constructor(label, signal, paused = () => {}) {
    this.input = element("input");
    Object.assign(this.input, { type: "text", autocomplete: "off", spellcheck: false, ariaLabel: label });
    this.reads = element("p", "reads");
    this.paused = paused;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waits = undefined;
    this.input.addEventListener("input", () => this.typed(), { signal });
    this.input.addEventListener("change", () => this.wait(LEFT), { signal });
    signal?.addEventListener("abort", () => clearTimeout(this.waits));
  }

  get text() {
    return this.input.value;
  }

  /** @param {string} text */
  fill(text) {
    this.input.value = text;
    this.read(false);
  }

  typed() {
    this.read(false);
    this.wait(STOPPED);
  }

  /** @param {number} time */
  wait(time) {
    clearTimeout(this.waits);
    this.waits = setTimeout(() => this.rest(), time);
  }

  /** Says what it thinks of what stands there. */
  rest() {
    clearTimeout(this.waits);
    this.read(true);
    this.paused(this.text);
  }

  /** Shows how the text is read, and where it is to say so, why it cannot be. @param {boolean} says */
  read(says) {
    if (/^\s*([0-9]+([.][0-9]+)?)?\s*$/.test(this.text)) return this.reads.replaceChildren(); // as it stands
    try {
      const { seen, single, value } = readTyped(this.text);
      const is = single ? [] : [` = ${valued(value)}`];
      this.reads.replaceChildren(element("span", "sr", "Read as "), ...inert(seen), ...is);
      this.reads.classList.remove("unread");
    } catch (sentence) {
      this.reads.replaceChildren(says ? String(sentence) : "");
      this.reads.classList.add("unread");
    }
  }
}

/** The value of a calculation, with four digits. @param {number} value */
function valued(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  const small = value && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6);
  return (small ? value.toExponential(3) : value.toFixed(4)).replaceAll("-", "−");
}
