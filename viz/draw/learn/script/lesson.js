// A screen of a chapter: answers are judged, and what they reveal is shown. Page and saved file run this same script;
// everything it says stands in the markup already.

import { bitext } from "../../evidence/script/fragment.js";
import { all, one } from "../../pen/script/elements.js";
import { scroller } from "../../pen/script/scrolling.js";
import { fitScreen } from "./fitting.js";
import { Quiz } from "./quiz.js";

/** @typedef {import("./quiz.js").Answered} Answered */
/** @typedef {(name: string, value: unknown) => void} Report is told what is done */

export class Lesson {
  /** Gives a screen its life. `known` is what was answered here before.
   * @param {HTMLElement} root @param {Answered | undefined} known @param {Report} [report] */
  constructor(root, known, report = () => {}) {
    this.root = root;
    this.report = report;
    this.fragments = all(root, ".bitext").map((part) => bitext(part));
    if (root.matches(".bitext:not(.laying)")) this.fragments.push(bitext(root)); // what changes has its own
    /** @type {Answered | undefined} */
    this.answered = undefined;
    this.paired = false; // whether the pair was asked for by a key
    this.at = 0; // the part that is shown now, in a lecture
    /** @type {((first: boolean, last: boolean) => void) | undefined} hears that another part is shown, the first or last */
    this.moved = undefined;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    const ask = one(root, ".quiz");
    const again = () => this.report("another", true);
    this.quiz = ask ? new Quiz(ask, signal, (...heard) => this.hear(...heard), again) : undefined;
    root.querySelector(".show-pair")?.addEventListener("click", () => this.report("pair", true), { signal });
    root.querySelector(".to-steps")?.addEventListener("click", () => this.report("steps", true), { signal });
    if (known && this.quiz) this.quiz.say(known.answer, known.shown, false);
    else if (!this.quiz && !root.matches(".blind, .none, .own")) this.report("done", true); // there is nothing to answer
    if (root.matches(".blind.told")) this.report("done", true);
    addEventListener("resize", () => this.measure(), { signal });
    this.observer = new ResizeObserver(() => this.measure()); // what stands above may still grow
    for (let e = root.firstElementChild; e && !e.matches(".frame"); e = e.nextElementSibling) this.observer.observe(e);
    for (let e = root.parentElement?.previousElementSibling; e; e = e.previousElementSibling) this.observer.observe(e);
    this.measure();
  }

  /** Tells the style sheet what stands above the picture and the question, which share the rest of the window, and makes
   * them as large as that. */
  measure() {
    const frame = one(this.root, ".frame");
    if (!frame?.offsetParent) return;
    const above = frame.getBoundingClientRect().top + scroller(this.root).scrollTop;
    this.root.style.setProperty("--above", `${Math.ceil(above)}px`);
    fitScreen(this.root);
  }

  stop() {
    this.listeners.abort();
    this.observer.disconnect();
    for (const fragment of this.fragments) fragment.stop();
  }

  /** Shows what an answer reveals. @param {Answered} answered @param {boolean} over @param {boolean} tell */
  hear(answered, over, tell) {
    this.answered = answered;
    if (tell) this.report("answered", answered);
    if (!over) return;
    this.root.querySelector(".quiz").classList.add("answered");
    if (!this.root.matches(".blind")) {
      this.root.classList.add("told");
      if (tell) this.report("done", true);
    }
    this.measure();
    if (tell) this.root.querySelector(".part.reveal, .part.live")?.scrollIntoView({ block: "nearest" });
  }

  // ------------------------------------------------------------ one thing at a time, for a lecture

  /** What can be seen now, in its order. */
  parts() {
    const told = this.root.matches(".told, .own");
    return all(this.root, "section.part:not(.go)").filter((part) => told || !part.matches(".reveal, .live"));
  }

  /** @param {number} at */
  present(at) {
    const parts = this.parts();
    this.at = Math.max(0, Math.min(at, parts.length - 1));
    for (const part of all(this.root, "section.part")) part.classList.toggle("now", part === parts[this.at]);
    this.moved?.(this.at === 0, this.at === parts.length - 1 && this.root.matches(".told, .own, .blind"));
    this.measure();
  }

  /** Goes to the next thing, to the answer first where it stands at a question or at what is searched for, whose hints
   * are for the hall to ask for. Whether there was one. */
  next() {
    const parts = this.parts();
    if (this.quiz && parts[this.at] === this.quiz.ask && !this.quiz.over) {
      this.quiz.show();
      return true;
    }
    const hunted = parts[this.at]?.matches(".hunt") && !this.root.querySelector(".found[data-how='right']");
    if (hunted && !this.paired) {
      this.paired = true; // the pair comes in a screen of its own; where it does not come the way goes on
      this.report("pair", true);
      return true;
    }
    if (this.at + 1 >= parts.length) return false;
    this.present(this.at + 1);
    return true;
  }

  back() {
    if (!this.at) return false;
    this.present(this.at - 1);
    return true;
  }
}
