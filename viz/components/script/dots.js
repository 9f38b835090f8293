// Points in the order of x, then of y: which one is near a place, which comes next, and what is said of one.

/**
 * @typedef {{xs: number[], ys: number[], segments: number[], counts: number[], tones: string, low: [number, number],
 *   high: [number, number], labels: [string, string], whole: boolean, look: "dots" | "line", fine: number,
 *   cells: [number, number] | null, systems?: string[], size?: number}} Points `xs` and `ys` from 0 to `fine`; `counts`
 *   are empty where each is one segment. Of outputs of several systems `segments` are numbers of outputs, those of a
 *   system behind those of the one before, each with `size` segments
 */

const SQUARES = 32; // of the grid of hits, on a side

export class Dots {
  /** @param {Points} points */
  constructor(points) {
    this.points = points;
    /** @type {Map<number, number[]>} the points of each square of the grid */
    this.grid = new Map();
    points.xs.forEach((x, n) => {
      const square = this.square(x / points.fine, points.ys[n] / points.fine);
      if (!this.grid.has(square)) this.grid.set(square, []);
      this.grid.get(square).push(n);
    });
  }

  get size() {
    return this.points.xs.length;
  }

  /** @param {number} x @param {number} y from 0 to 1 */
  square(x, y) {
    return column(x) * SQUARES + column(y);
  }

  /** Where a point is, from 0 to 1, y from the foot up. @param {number} n @returns {[number, number]} */
  at(n) {
    return [this.points.xs[n] / this.points.fine, this.points.ys[n] / this.points.fine];
  }

  /** The nearest point to a place that is no farther than `reach` pixels, the first of those that are as near; -1 where
   * there is none. @param {number} x @param {number} y from 0 to 1 @param {[number, number]} size pixels of the whole
   * @param {number} reach */
  near(x, y, size, reach) {
    let [found, best] = [-1, reach * reach];
    const [right, high] = [reach / size[0], reach / size[1]];
    for (let across = column(x - right); across <= column(x + right); across++) {
      for (let up = column(y - high); up <= column(y + high); up++) {
        for (const n of this.grid.get(across * SQUARES + up) ?? []) {
          const [px, py] = this.at(n);
          const far = ((px - x) * size[0]) ** 2 + ((py - y) * size[1]) ** 2;
          if (far < best || (far === best && n < found)) [found, best] = [n, far];
        }
      }
    }
    return found;
  }

  /** The nearest point to a place across: those of a line. @param {number} x from 0 to 1; -1 where there are no points */
  nearAcross(x) {
    const wanted = x * this.points.fine;
    let found = -1;
    this.points.xs.forEach((at, n) => {
      if (found < 0 || Math.abs(at - wanted) < Math.abs(this.points.xs[found] - wanted)) found = n;
    });
    return found;
  }

  /** The point that a key leads to from another, -1 of none; undefined for other keys.
   * @param {string} key @param {number} from @returns {number | undefined} */
  walk(key, from) {
    /** @type {Record<string, number>} */
    const keys = {
      ArrowRight: from + 1,
      ArrowDown: from + 1,
      ArrowLeft: from - 1,
      ArrowUp: from - 1,
      PageDown: from + 20,
      PageUp: from - 20,
      Home: 0,
      End: this.size - 1,
    };
    const to = keys[key];
    return to === undefined || !this.size ? undefined : Math.max(0, Math.min(this.size - 1, to));
  }

  /** @param {number | null} segment @returns {number} the point that opens it, -1 where none does */
  of(segment) {
    return segment === null ? -1 : this.points.segments.indexOf(segment);
  }

  /** The number of the segment that a point opens. @param {number} n */
  segment(n) {
    return this.points.size ? this.points.segments[n] % this.points.size : this.points.segments[n];
  }

  /** Which segment a point opens, and where it is. @param {number} n */
  says(n) {
    const { low, high, labels, whole, counts, segments, systems, size } = this.points;
    const values = this.at(n).map((share, side) => low[side] + share * (high[side] - low[side]));
    const texts = values.map((value, side) => whole && !side ? String(Math.round(value)) : short(value));
    const more = counts[n] > 1 ? `, one of ${counts[n]} here` : "";
    const of = systems ? `, ${systems[Math.floor(segments[n] / size)]}` : "";
    return `Segment ${this.segment(n) + 1}${of}${more}: ${labels[0]} ${texts[0]}, ${labels[1]} ${texts[1]}`;
  }
}

/** @param {number} share from 0 to 1 */
const column = (share) => Math.max(0, Math.min(SQUARES - 1, Math.floor(share * SQUARES)));

/** @param {number} value with two digits that count */
function short(value) {
  const text = Math.abs(value) >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
  return text.replace("-", "−");
}
