// What a part of a page tells the server. Of two messages that wait for a busy server only the later one arrives, so
// that each says again what was told lately; the server hears it once.

const [AGAIN, MOST] = [5000, 20]; // milliseconds and messages for which something is said again

/** @typedef {[number, ...unknown[]]} Message its time, its name, its value */

export class Told {
  constructor() {
    /** @type {Message[]} */
    this.all = [];
  }

  /** A message and those before it, each with its time. @param {unknown[]} message */
  with(...message) {
    const at = Math.max(performance.now(), (this.all.at(-1)?.[0] ?? 0) + 0.001);
    this.all = [...this.all.filter(([then]) => then > at - AGAIN).slice(1 - MOST), [at, ...message]];
    return this.all;
  }

  /** Says nothing again. */
  forget() {
    this.all = [];
  }
}

/** Choices of one kind that the server has not answered yet. */
export class Untold {
  constructor() {
    /** @type {unknown[]} */
    this.waiting = [];
  }

  /** @param {unknown} value */
  add(value) {
    this.waiting.push(value);
  }

  /** Whether an answer is to the last choice: one to a choice before it says nothing about the last. @param {unknown} value */
  answered(value) {
    this.waiting.splice(0, this.waiting.lastIndexOf(value) + 1);
    return !this.waiting.length;
  }

  forget() {
    this.waiting = [];
  }
}

/** What was done is seen before the server hears of it. @param {() => void} tell */
export const afterwards = (tell) => requestAnimationFrame(() => setTimeout(tell));
