// The question of a screen. What is said of every answer stands in the markup already, and which numbers are right.

import { all, element, one } from "../../pen/script/elements.js";
import { judgeNumber } from "../../steps/script/typed.js";

/** @typedef {import("../../steps/script/verdicts.js").How} How */
/** @typedef {{answer: string, shown: boolean}} Answered an answer, and whether it was shown instead of given */
/** @typedef {(answered: Answered, over: boolean, tell: boolean) => void} Heard `over` if it was right or shown */

/** @type {Record<How, string>} */
const SAYS = { right: "Right.", also: "Also right.", no: "Not yet." };

export class Quiz {
  /** @param {HTMLElement} ask @param {AbortSignal} signal @param {Heard} heard */
  constructor(ask, signal, heard) {
    this.ask = ask;
    this.heard = heard;
    this.input = ask.dataset.kind === "number" ? this.field(signal) : undefined;
    for (const choice of all(ask, "[data-answer]")) {
      choice.addEventListener("click", () => this.answer(choice.dataset.answer), { signal });
    }
    one(ask, ".show-me").addEventListener("click", () => this.show(), { signal });
  }

  /** A place for a number. @param {AbortSignal} signal */
  field(signal) {
    const [form, input] = [element("form"), element("input")];
    Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", ariaLabel: "Your answer" });
    input.placeholder = "0.375, 3/8 or √14/10";
    form.append(input, element("button", "", "Check"));
    one(this.ask, ".answers").append(form);
    const check = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.answer(input.value);
    };
    form.addEventListener("submit", check, { signal });
    return input;
  }

  get over() {
    return this.ask.matches(".answered");
  }

  /** @param {string} given */
  answer(given) {
    this.say(given, false, true);
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
    head.textContent = shown ? `It is ${this.name(given)}. ` : itself ? "" : `${SAYS[found.how]} `;
    const said = one(this.ask, ".said");
    said.replaceChildren(head, ...(shown && itself ? [] : found.because));
    said.dataset.how = found.how;
    for (const choice of all(this.ask, "[data-answer]")) {
      const own = choice.dataset.answer === given;
      choice.classList.toggle("given", own);
      choice.dataset.how = own ? found.how : "";
      choice.ariaPressed = String(own);
    }
    if (this.input && (shown || !tell)) this.input.value = given;
    this.heard({ answer: given, shown }, found.how !== "no" || shown, tell);
  }

  /** @param {string} given */
  name(given) {
    const choice = all(this.ask, "[data-answer]").find((e) => e.dataset.answer === given);
    return choice ? `“${choice.textContent}”` : given;
  }

  /** The verdict of an answer: of itself, of the number that it is, or of all the others. Its sentence is markup.
   * @param {string} given @returns {{how: How, because: (Node | string)[]}} */
  judge(given) {
    const said = all(this.ask, ".verdicts > div").map((e) => {
      return { e, verdict: { how: /** @type {How} */ (e.dataset.how), because: e.textContent } };
    });
    const otherwise = said.find(({ e }) => e.dataset.for === undefined && e.dataset.number === undefined)?.verdict;
    const values = said
      .filter(({ e }) => e.dataset.number)
      .map(({ e, verdict }) => ({ number: Number(e.dataset.number), within: Number(e.dataset.within), verdict }));
    const exact = said.find(({ e }) => e.dataset.for === given);
    const number = () => (this.input ? judgeNumber({ values, rounded: true, otherwise }, given) : otherwise);
    const found = exact ? exact.verdict : number();
    const own = said.find(({ verdict }) => verdict === found);
    return { how: found.how, because: own ? [...own.e.cloneNode(true).childNodes] : [found.because] };
  }
}
