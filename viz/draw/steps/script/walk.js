// The steps of a trace as far as they were sent, and where a player stands in them.

/**
 * A step: the parts of the pool that it shows and hides, the line of the pseudo-code, the score, the table's cell or
 * another place in the picture that it is about, the numbers of the formula that are known, and what it says.
 * @typedef {{on: number[], off: number[], line?: number, score?: string, cell?: [number, number, number],
 *   place?: number[], known?: Values, values: Values, text: string, decision?: string, decides?: boolean,
 *   rejected?: string[], question?: import("./verdicts.js").Question}} Step
 */
/** @typedef {Record<string, string>} Values numbers of the formula by their names */
/** @typedef {[layer: number | string, pattern: any, row: number, column: number]} Part of the pool */
/**
 * Steps as they are sent, from the number `from` on; `end` is what is shown behind the last of all.
 * @typedef {{from: number, steps: any[], pool: Part[], patterns: string[], patterns_from: number, done: boolean,
 *   end: string, legend: string, at?: number}} Chunk
 */

const MANY = 100; // steps that one goes through one by one

export class Walk {
  /** @param {number} [least] the first step that is shown */
  constructor(least = 0) {
    this.least = least;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Part[]} */
    this.pool = [];
    /** @type {string[]} */
    this.patterns = [];
    /** @type {number[]} */
    this.decisions = [];
    /** @type {number[]} the first step, all that choose, take or give up something, of all that ask the first of each kind,
     * and the last one where it is there */
    this.stops = [];
    /** @type {Set<number | undefined>} lines of the pseudo-code of which something is asked at a stop */
    this.kinds = new Set();
    this.only = false; // whether one goes from stop to stop
    /** @type {Set<number>} steps whose questions are done with */
    this.asked = new Set();
    this.at = -1;
    this.done = false; // whether all steps are there
    this.end = "";
    this.counted = 0; // where the last span of numbers ended
  }

  /** Takes steps that follow those that are there. Whether they do. @param {Chunk} data */
  add(data) {
    if (data.from !== this.steps.length) return false;
    let last = /** @type {Step} */ (this.steps.at(-1) ?? {});
    for (const { on, off, ...step } of data.steps) {
      [step.on, this.counted] = spans(on, this.counted);
      [step.off, this.counted] = spans(off, this.counted);
      step.line ??= last.line;
      if (step.score === undefined) step.score = last.score;
      step.values = step.known ? { ...last.values, ...step.known } : (last.values ?? {});
      if (step.decision) this.decisions.push(this.steps.length);
      const first = step.question && !this.kinds.has(step.line);
      if (first) this.kinds.add(step.line);
      if (step.decides || first || !this.steps.length) this.stops.push(this.steps.length);
      this.steps.push(step);
      last = step;
    }
    data.patterns.forEach((pattern, n) => (this.patterns[data.patterns_from + n] = pattern));
    this.pool.push(...data.pool);
    this.done = data.done;
    this.end = data.end;
    if (this.done && this.steps.length && this.stops.at(-1) !== this.last) this.stops.push(this.last);
    return true;
  }

  get last() {
    return this.steps.length - 1;
  }

  /** Whether the last step of all is shown. */
  get ended() {
    return this.done && this.at === this.last;
  }

  /** The step that is shown; nothing before the first. @returns {Partial<Step>} */
  get now() {
    return this.steps[this.at] ?? {};
  }

  /** The step that one comes to who wants to go to step `n`. @param {number} n */
  to(n) {
    return Math.max(0, Math.min(Math.max(n, this.least), this.last));
  }

  /** What is to be asked before a step. @param {number} n */
  question(n) {
    return this.asked.has(n) ? undefined : this.steps[n]?.question;
  }

  /** Goes to a step: the parts of the pool that change on the way, and whether they are shown there. @param {number} n */
  move(n) {
    /** @type {Map<number, boolean>} */
    const wanted = new Map();
    for (let t = this.at + 1; t <= n; t++) {
      for (const part of this.steps[t].on) wanted.set(part, true);
      for (const part of this.steps[t].off) wanted.set(part, false);
    }
    for (let t = this.at; t > n; t--) {
      for (const part of this.steps[t].on) wanted.set(part, false);
      for (const part of this.steps[t].off) wanted.set(part, true);
    }
    this.at = n;
    return wanted;
  }

  /** Whether there are so many steps, and so few stops among them, that one goes from stop to stop at first. */
  get many() {
    const { length } = this.stops.filter((n) => n >= this.least);
    return this.steps.length - this.least > MANY && length * 2 <= this.steps.length - this.least;
  }

  /** The step behind the one that is shown, undefined where none is there yet. @returns {number | undefined} */
  get next() {
    const next = this.only ? this.stops.find((n) => n > this.at) : this.at + 1;
    return next === undefined && this.done ? this.last : next;
  }

  /** The step before the one that is shown. */
  get previous() {
    return Math.max(0, this.only ? (this.stops.findLast((n) => n < this.at) ?? 0) : this.at - 1);
  }

  /** How many stops there are up to a step. @param {number} n */
  stopsTo(n) {
    const behind = this.stops.findIndex((stop) => stop > n);
    return behind < 0 ? this.stops.length : behind;
  }

  /** The decision behind the step that is shown, undefined where none is there yet. */
  get decision() {
    return this.decisions.find((n) => n > this.at);
  }

  /** The decision before it, the first step where there is none. */
  get before() {
    return this.decisions.findLast((n) => n < this.at) ?? 0;
  }
}

/** Spans as numbers, and where the last one ends: each has how far it begins from the end of the one before it, and its
 * length. @param {number[] | undefined} coded @param {number} end @returns {[number[], number]} */
export function spans(coded = [], end) {
  const out = [];
  for (let n = 0; n < coded.length; n += 2) {
    const start = end + coded[n];
    end = start + coded[n + 1];
    for (let number = start; number < end; number++) out.push(number);
  }
  return [out, end];
}
