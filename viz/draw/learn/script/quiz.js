// The question of a screen. What is said of every answer stands in the markup already, and which numbers are right. An
// exercise is answered once: what is wrong is named, and another one of the kind is the way to try again.

import { all, button, element, one } from "../../pen/script/elements.js";
import { Field } from "./field.js";
import { judged } from "./judged.js";
import { Work } from "./work.js";

/** @typedef {import("./judged.js").How} How */
/** An answer, whether it was shown instead of given, and whether it was the right one at once and without help.
 * @typedef {{answer: string, shown: boolean, once?: boolean}} Answered */
/** @typedef {(answered: Answered, over: boolean, tell: boolean) => void} Heard `over` if it was right or shown */

/** @type {Record<How, string>} */
const SAYS = { right: "Right.", also: "Also right.", no: "Not yet." };
const OVER = "No."; // of what takes no other answer
const SPENT = "An exercise takes only one answer, because guessing teaches nothing. See what went wrong,";

const MISSING = "“Show me” says what is missing.";

export class Quiz {
  /** @param {HTMLElement} ask @param {AbortSignal} signal @param {Heard} heard
   * @param {() => void} [again] asks for another exercise of the kind */
  constructor(ask, signal, heard, again) {
    this.ask = ask;
    this.heard = heard;
    this.again = ask.dataset.last ? undefined : again;
    const work = one(ask, ".work");
    this.work = work ? new Work(work, signal) : undefined;
    this.field = ask.dataset.kind === "number" ? this.number(signal) : undefined;
    this.first = true; // whether nothing was answered yet
    for (const choice of all(ask, "[data-answer]")) {
      choice.addEventListener("click", () => this.answer(choice.dataset.answer), { signal });
    }
    one(ask, ".show-me").addEventListener("click", () => this.show(), { signal });
  }

  /** A place for a number. @param {AbortSignal} signal */
  number(signal) {
    const field = new Field("Your answer", signal);
    field.input.placeholder = "0.375, 3/8 or 2√34/(9 + 8)";
    const form = element("form");
    form.append(field.input, element("button", "", "Check"), field.reads);
    one(this.ask, ".answers").append(form);
    const check = (/** @type {Event} */ event) => {
      event.preventDefault();
      field.read(false); // the answer is judged in a sentence of its own
      this.answer(field.text);
    };
    form.addEventListener("submit", check, { signal });
    return field;
  }

  get over() {
    return this.ask.matches(".answered");
  }

  /** @param {string} given */
  answer(given) {
    if (!this.ask.matches(".spent")) this.say(given, false, true);
  }

  /** The answer, without a word about what was answered. */
  show() {
    this.say(this.ask.dataset.shows, true, true);
  }

  /** Says what an answer is, and shows what it reveals. @param {string} given @param {boolean} shown @param {boolean} tell */
  say(given, shown, tell) {
    const found = this.judge(given);
    const head = element("b");
    const text = found.because.map((part) => (typeof part === "string" ? part : part.textContent)).join("").trim();
    const itself = Object.values(SAYS).some((says) => text.startsWith(says.slice(0, -1))); // it says so itself
    const wrong = found.how === "no" && !shown;
    const spends = wrong && !found.free && Boolean(this.ask.dataset.once);
    const says = spends ? OVER : SAYS[found.how];
    head.textContent = shown ? `It is ${this.name(given)}. ` : itself || found.free ? "" : `${says} `;
    const said = one(this.ask, ".said");
    said.replaceChildren(head, ...(shown && itself ? [] : found.because));
    said.dataset.how = found.how;
    for (const choice of all(this.ask, "[data-answer]")) {
      const own = choice.dataset.answer === given;
      choice.classList.toggle("given", own);
      choice.dataset.how = own ? found.how : "";
      choice.ariaPressed = String(own);
    }
    if (this.field && (shown || !tell)) this.field.fill(given);
    if (spends) this.spend();
    if (found.free) return;
    const once = this.first && !wrong && !shown && !this.work?.helped;
    this.first = false;
    this.heard({ answer: given, shown, once }, !wrong, tell);
  }

  /** A wrong answer: there is no other one to this exercise. */
  spend() {
    const { ask, again } = this;
    ask.classList.add("spent");
    for (const e of all(ask, ".answers :is(button, input)")) /** @type {HTMLButtonElement} */ (e).disabled = true;
    one(ask, ".again")?.remove();
    const text = element(
      "p",
      "again",
      `${SPENT} ${again ? "then try another." : "as this file has no other of this kind."} ${MISSING} `,
    );
    if (again) text.append(button("Another of this kind", again));
    one(ask, ".said").after(text);
    this.work?.look();
  }

  /** @param {string} given */
  name(given) {
    const choice = all(this.ask, "[data-answer]").find((e) => e.dataset.answer === given);
    return choice ? `“${choice.textContent}”` : given;
  }

  /** @param {string} given */
  judge(given) {
    return judged(one(this.ask, ".verdicts.whole"), given, this.ask.dataset.kind === "number");
  }
}
