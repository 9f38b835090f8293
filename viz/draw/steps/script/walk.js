// The steps of a trace as far as they were sent, and where a player stands in them.

/**
 * A step: the parts of the pool that it shows and hides, the line of the pseudo-code, the score, the table's cell or
 * another place in the picture that it is about, the numbers of the formula that are known, and what it says.
 * @typedef {{on: number[], off: number[], line?: number, score?: string, cell?: [number, number, number],
 *   place?: number[], known?: Values, values: Values, text: string, decision?: string, rejected?: string[],
 *   question?: import("./verdicts.js").Question}} Step
 */
/** @typedef {Record<string, string>} Values numbers of the formula by their names */
/** @typedef {[layer: number | string, pattern: any, row: number, column: number]} Part of the pool */
/**
 * Steps as they are sent, from the number `from` on; `end` is what is shown behind the last of all.
 * @typedef {{from: number, steps: any[], pool: Part[], patterns: string[], patterns_from: number, done: boolean,
 *   end: string, legend: string, at?: number}} Chunk
 */

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
      this.steps.push(step);
      last = step;
    }
    data.patterns.forEach((pattern, n) => (this.patterns[data.patterns_from + n] = pattern));
    this.pool.push(...data.pool);
    this.done = data.done;
    this.end = data.end;
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
