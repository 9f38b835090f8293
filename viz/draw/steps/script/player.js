// The player of a trace, which asks a question before a step where there is one. Page, saved file and notebook run this
// same script. It asks no server for anything but steps that were not sent yet.

import { bitext } from "../../evidence/script/fragment.js";
import { inert, one } from "../../pen/script/elements.js";
import { Bar } from "./bar.js";
import { Following } from "./following.js";
import { Formula } from "./formula.js";
import { Inspector } from "./inspector.js";
import { keyAction, keysOf } from "./keys.js";
import { Pool } from "./pool.js";
import { askOn } from "./questions.js";
import { touching } from "./touching.js";
import { Walk } from "./walk.js";

/** @typedef {import("./walk.js").Chunk} Chunk */
/**
 * Hears of the step that is shown ("step", its number from 1 on, "now" where something else is about to be told), of
 * steps that are wanted ("more", the number of the first), and of questions ("answered", [step, how, answer]).
 * @typedef {(name: string, value: unknown, now?: "now") => void} Tell
 */
/** @typedef {{least?: number, alone?: boolean}} Only the first step that is shown, and whether others are on the page */

/** Plays steps in a fragment. @param {HTMLElement} root @param {Chunk} data @param {Tell} [tell] @param {Only} [only] */
export function play(root, data, tell, only) {
  return new Player(root, data, tell, only);
}

export class Player {
  /** @param {HTMLElement} root @param {Chunk} data @param {Tell} [tell] @param {Only} [only] */
  constructor(root, data, tell, { least = 0, alone = false } = {}) {
    this.root = root;
    this.tell = tell;
    this.fragment = bitext(root, () => {}, true);
    this.walk = new Walk(least);
    this.pool = new Pool(root);
    this.formula = new Formula(root);
    this.inspector = new Inspector(root);
    const bar = one(root, ".controls");
    this.keys = keysOf(bar.dataset.keys);
    this.bar = new Bar(bar, this.keys, {
      act: (name) => this[name](),
      slide: (n) => {
        this.pause();
        this.show(this.walk.only ? this.walk.stops[n] : n);
      },
      only: (on) => this.decisionsOnly(on),
      pace: () => {
        if (!this.timing) return;
        this.pause();
        this.play();
      },
    });
    this.following = new Following(root, this.pool);
    /** @type {number | "decision" | "next" | undefined} where one wants to go when more steps are there; Infinity is the
     * last one, "next" the next of those that one goes through */
    this.wanted = undefined;
    /** @type {import("./questions.js").Asking | undefined} the question that is asked now */
    this.asking = undefined;
    this.listeners = new AbortController();
    this.listen(alone);
    this.add(data);
    const at = data.at ?? 0;
    this.decisionsOnly(this.walk.many && (at <= least || this.walk.stops.includes(at)));
    if (at === 0 && this.walk.question(0)) this.begin();
    else this.show(Math.min(at, this.walk.last), false);
    if (at >= this.walk.steps.length) this.more(at);
    // Where one comes to a step in the middle, its place may be out of sight; what stands above it may still grow.
    if (at > 0) setTimeout(() => this.root.isConnected && this.following.follow(this.walk.now, true), 300);
  }

  /** @param {boolean} alone */
  listen(alone) {
    const { root, listeners: { signal } } = this;
    /** @type {(target: EventTarget, type: string, does: (event: any) => void) => void} */
    const on = (target, type, does) => target.addEventListener(type, does, { signal });
    on(root.ownerDocument, "keydown", (event) => {
      const name = keyAction(event, root, this.bar.slider, alone, this.keys);
      if (!name) return;
      event.preventDefault();
      this[name]();
    });
    on(this.pool.box, "scroll", () => this.following.pin(this.walk.now));
    touching(this.pool.box, signal, (forwards) => {
      if (!this.asking) this[forwards ? "on" : "back"]();
    });
    for (const type of ["pointerdown", "focusin"]) {
      on(root.ownerDocument, type, ({ target }) => root.contains(target) || this.flush("now"));
    }
    if (!alone) return;
    root.tabIndex = -1;
    root.addEventListener("pointerdown", ({ target }) => {
      const own = /** @type {Element} */ (target).closest("button, input, select, summary");
      if (!own) root.focus({ preventScroll: true });
    });
  }

  stop() {
    this.pause();
    clearTimeout(this.timer);
    this.listeners.abort();
    this.fragment.stop();
    this.asking?.stop();
  }

  get at() {
    return this.walk.at;
  }

  // ------------------------------------------------------------ steps

  /** Takes steps that follow those that are there. @param {Chunk} data */
  add(data) {
    if (!this.walk.add(data)) return;
    if (data.legend) one(this.root, ".key").replaceChildren(...inert(data.legend));
    this.bar.count(this.walk, this.wanted !== undefined);
    const { wanted } = this;
    if (wanted !== undefined) {
      this.wanted = undefined;
      if (wanted === "decision") this.decision();
      else if (wanted === "next") this.step();
      else this.go(wanted);
    }
    this.count();
  }

  /** Asks about the first step, before which nothing is shown. */
  begin() {
    this.inspector.score(undefined);
    this.formula.fill({});
    this.count();
    this.go(0);
  }

  /** Shows a step, from 0 on, or asks its question first. @param {number} n */
  go(n) {
    const { walk } = this;
    if (n >= walk.steps.length) this.more(n);
    if (n === Infinity) return this.show(walk.last);
    const to = walk.to(n);
    const question = walk.question(to);
    if (!question) return this.show(to);
    this.pause();
    if (this.asking?.step === to) return this.asking.reveal();
    if (to > 0) this.show(to - 1);
    this.ask(to, question);
  }

  /** Asks for the steps that follow, to go to one of them, to the last one (Infinity), to the next "decision", or to
   * the "next" that one goes through. @param {number | "decision" | "next"} n */
  more(n) {
    if (this.walk.done) return;
    const already = this.wanted !== undefined;
    this.wanted = n;
    clearTimeout(this.timer); // who hears where one stands takes it that nothing is wanted
    this.late = undefined;
    if (!already) this.tell?.("more", this.walk.steps.length);
  }

  /** @param {number} n @param {boolean} [tell] */
  show(n, tell = true) {
    const { walk } = this;
    if (!walk.steps[n]) return; // as before the first one
    const to = Math.max(n, walk.least);
    this.asking?.stop();
    this.asking = undefined;
    this.pool.change(walk.move(to), walk);
    this.write(walk.steps[to]);
    this.following.follow(walk.now, tell);
    if (tell) this.report();
  }

  /** What a step says, beside the picture. @param {import("./walk.js").Step} step */
  write(step) {
    const { ended, end } = this.walk;
    this.inspector.write(step, ended, end);
    this.formula.fill(step.values);
    this.formula.hide(ended && Boolean(end));
    this.bar.move(this.walk);
    this.count();
    this.inspector.follow(step.line);
  }

  count() {
    this.bar.count(this.walk, this.wanted !== undefined);
  }

  /** Tells the step that is shown, once one stays there or turns to something else. */
  report() {
    clearTimeout(this.timer);
    this.late = undefined;
    if (!this.tell || this.wanted !== undefined) return;
    this.late = (/** @type {["now"?]} */ ...now) => this.tell("step", this.at + 1, ...now);
    this.timer = setTimeout(() => this.flush(), 600);
  }

  /** Tells what is still to be told; with "now" before anything else is. @param {["now"?]} now */
  flush(...now) {
    clearTimeout(this.timer);
    this.late?.(...now);
    this.late = undefined;
  }

  // ------------------------------------------------------------ what buttons and keys ask for

  first() {
    this.pause();
    if (this.at >= 0) this.go(0);
  }

  back() {
    this.pause();
    if (this.asking) return this.show(this.at);
    this.go(this.walk.previous);
  }

  on() {
    this.pause();
    this.step();
  }

  step() {
    const next = this.asking ? this.asking.step : this.walk.next;
    if (next === undefined) {
      this.more("next");
      return this.count();
    }
    this.go(next);
  }

  /** Goes from decision to decision from now on, or through every step. @param {boolean} on */
  decisionsOnly(on) {
    this.walk.only = on;
    this.bar.only(on);
    this.bar.move(this.walk);
    this.count();
  }

  last() {
    this.pause();
    if (this.walk.done) return this.show(this.walk.last);
    this.go(Infinity); // however many pieces are still to come
  }

  decision() {
    this.pause();
    const next = this.walk.decision;
    if (next === undefined && !this.walk.done) {
      this.more("decision");
      return this.count();
    }
    this.go(next ?? this.walk.last);
  }

  before() {
    this.pause();
    this.go(this.walk.before);
  }

  play() {
    if (this.timing) return this.pause();
    if (this.walk.ended) this.show(0);
    this.timing = setInterval(() => {
      if (this.asking || this.walk.ended) this.pause();
      else this.step();
    }, this.bar.pace);
    this.bar.playing(true);
  }

  pause() {
    clearInterval(this.timing);
    this.timing = this.wanted = undefined;
    this.bar.playing(false);
  }

  /** Plays by itself, unless the reader wants less motion. */
  start() {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  // ------------------------------------------------------------ questions

  /** @param {number} n @param {import("./verdicts.js").Question} question */
  ask(n, question) {
    this.inspector.state(n ? "Before the next step" : "Before the first step");
    this.inspector.reject();
    this.asking = askOn(this.root, question, {
      told: (how, answer) => this.tell?.("answered", [n, how, answer]),
      done: () => {
        this.walk.asked.add(n);
        this.show(n);
        this.bar.on.focus({ preventScroll: true });
      },
    });
    this.asking.step = n;
    const { cell } = this.walk.steps[n];
    if (question.kind === "number" && cell) this.asking.marks.put(`t:${cell[1]},${cell[2]}`, "cursor", cell[0]);
    this.inspector.say(question.text);
  }
}
