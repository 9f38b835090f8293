// A question on a picture, which is answered in the picture, by a number or by a choice; the player asks by it before a
// step.

import { button, element } from "../../pen/script/elements.js";
import { judge } from "./judge.js";
import { Marks } from "./marks.js";
import { Pointing } from "./pointing.js";

/** @typedef {import("./verdicts.js").Question} Question */
/** @typedef {import("./verdicts.js").How} How */
/** @typedef {{told?: (how: How | "shown", answer: string) => void, done?: () => void, place?: Element}} Hears */

/** @type {Record<How, string>} */
const SAID = { right: "Right.", also: "Also right.", no: "Not yet." };

/**
 * Asks a question in a fragment. `told(how, answer)` hears of every answer, and `done()` is called when the reader wants to
 * go on; without it there is nothing to go on to.
 * @param {Element} root @param {Question} question @param {Hears} [hears]
 */
export function askOn(root, question, { told, done, place } = {}) {
  const own = place ?? root.querySelector(".ask") ?? root.appendChild(element("div", "ask"));
  return new Asking(root, question, told, done, own);
}

export class Asking {
  /** @param {Element} root @param {Question} question @param {Hears["told"]} told @param {Hears["done"]} done
   * @param {Element} place */
  constructor(root, question, told, done, place) {
    this.root = root;
    this.question = question;
    this.told = told;
    this.done = done;
    this.place = place;
    /** @type {number | undefined} before which it is asked */
    this.step = undefined;
    /** @type {string[]} cells that are chosen */
    this.picked = [];
    this.over = false;
    this.listeners = new AbortController();
    this.marks = new Marks(root);
    this.show = button("Show me", () => this.reveal());
    this.verdict = element("p", "verdict");
    this.verdict.setAttribute("role", "status");
    this.write();
    for (const name of question.about ?? []) this.marks.put(name, "about", question.k ?? undefined);
    if (!["cell", "cells", "word"].includes(question.kind)) return;
    this.pointing = new Pointing(root, question, this.marks, {
      take: (answer) => this.take(answer),
      say: (text) => (this.verdict.textContent = text),
      signal: this.listeners.signal,
    });
  }

  stop() {
    this.listeners.abort();
    this.place.replaceChildren();
    this.root.classList.remove("asks");
    this.marks.stop();
    this.pointing?.stop();
  }

  // ------------------------------------------------------------ what is asked

  write() {
    const { question } = this;
    this.root.classList.add("asks");
    const parts = [element("p", "question", question.text)];
    if (question.choices.length) {
      const row = element("div", "buttons");
      question.choices.forEach((text, n) => row.append(button(text, () => this.answer(String(n)))));
      parts.push(row);
    }
    const row = element("div", "buttons");
    if (question.kind === "number") row.append(this.field());
    if (question.kind === "cells") {
      row.append(button("Check", () => this.answer(this.picked.join(" "))), button("Clear", () => this.pick([])));
    }
    row.append(this.show);
    this.place.replaceChildren(...parts, row, this.verdict);
    this.count();
  }

  field() {
    const form = element("form", "buttons");
    const input = element("input");
    Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", ariaLabel: "Your number" });
    const check = button("Check", () => {});
    check.type = "submit";
    form.append(input, check);
    form.onsubmit = (event) => {
      event.preventDefault();
      if (input.value.trim()) this.answer(input.value);
    };
    return form;
  }

  // ------------------------------------------------------------ answering in the picture

  /** @param {string} answer */
  take(answer) {
    if (this.over) return;
    if (this.question.kind !== "cells") return this.answer(answer);
    const others = this.picked.filter((other) => other !== answer);
    this.pick(others.length < this.picked.length ? others : [...this.picked, answer]);
  }

  /** Other cells are chosen. @param {string[]} cells */
  pick(cells) {
    this.picked = cells;
    this.marks.unlight();
    this.marks.clear(".pick-cell");
    for (const cell of cells) this.marks.put(cell, "pick-cell");
    this.count();
  }

  count() {
    if (this.question.kind !== "cells") return;
    const many = this.picked.length;
    this.verdict.textContent = many ? `${many} ${many === 1 ? "cell" : "cells"} chosen` : "Choose cells in the grid.";
  }

  // ------------------------------------------------------------ judging

  /** @param {string} answer */
  answer(answer) {
    const verdict = judge(this.question, answer);
    this.told?.(verdict.how, answer);
    this.say(SAID[verdict.how], verdict.because, verdict.how);
    this.light(answer, verdict);
    if (verdict.how !== "no") this.finish();
  }

  /** The answer, shown in the picture or in words. */
  reveal() {
    if (this.over) return this.done?.();
    const { kind, shows, choices } = this.question;
    this.told?.("shown", "");
    const right = judge(this.question, shows);
    const choice = /^\d+$/.test(shows) ? choices[Number(shows)] : undefined;
    let text = "This is the answer.";
    if (kind === "number") text = `The answer is ${shows}.`;
    else if (choice !== undefined) text = `The answer is “${choice}”.`;
    this.say(text, right.because, "right");
    this.light(shows, { ...right, how: "right" });
    this.finish();
  }

  /** @param {string} first @param {string} because @param {How} how */
  say(first, because, how) {
    this.verdict.className = `verdict ${how}`;
    this.verdict.replaceChildren(element("b", "", first), ` ${because}`);
  }

  finish() {
    this.over = true;
    this.marks.clear(".cursor");
    const others = this.question.optimal - 1;
    const many = others === 1 ? "One other answer is" : `${others.toLocaleString("en")} other answers are`;
    if (others > 0) this.verdict.append(` ${many} as good.`);
    if (!this.done) return this.show.remove();
    const on = button("Continue", () => this.done());
    this.show.replaceWith(on);
    on.focus({ preventScroll: true });
  }

  /** Light on all places of an answer, a number having none, and on those of its verdict.
   * @param {string} answer @param {import("./verdicts.js").Verdict} verdict */
  light(answer, { how, marks }) {
    this.marks.unlight();
    const places = this.question.kind === "number" ? [] : answer.split(" ");
    for (const part of places) this.marks.put(part, `judged ${how}`, this.question.k ?? undefined);
    for (const { cells, words } of marks ?? []) {
      for (const name of [...cells, ...words]) this.marks.put(name, `judged ${how === "no" ? "no" : "right"}`);
    }
  }
}
