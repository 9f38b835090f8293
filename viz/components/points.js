// A chart of a corpus: what leads somewhere in its markup tells where (`data-tell="filter:…"`), and the points on its
// canvas open segments. All charts of a page show the chosen segment; which one it is, a component without a chart hears.

import { element, inert, one } from "../draw/pen/script/elements.js";
import { Dots } from "./script/dots.js";
import { afterwards, Told } from "./script/tell.js";

/** @typedef {{markup: string, points: import("./script/dots.js").Points | null, chosen?: number | null}} Data */

const REACH = 14; // pixels from a point at which it is still meant
const [RADIUS, FULL] = [3, 2 * Math.PI];
/** @type {Record<string, string>} by what a point is for */
const TONES = { "+": "--green", "-": "--mauve", "0": "--grey", "*": "--blue" };

/** @type {Map<Element, Chart>} by the element that has it */
const charts = new Map();
/** @type {number | null} the segment that all charts show */
let chosen = null;

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  if (data.chosen !== undefined) {
    chosen = data.chosen;
    for (const each of charts.values()) each.light();
    return;
  }
  if (!charts.has(parent)) charts.set(parent, new Chart(parent));
  const now = charts.get(parent);
  now.tell = (name, value) => afterwards(() => setTriggerValue("told", now.told.with(name, value)));
  now.update(data);
  return () => {
    now.stop();
    charts.delete(parent);
  };
}

class Chart {
  /** @param {Element} parent */
  constructor(parent) {
    this.parent = /** @type {HTMLElement} */ (parent);
    this.told = new Told();
    this.drawn = "";
    this.spot = element("i", "spot near");
    this.mark = element("i", "spot chosen");
    this.near = -1; // the point that is pointed at, or where keys have led
    /** @type {(name: string, value: string) => void} */
    this.tell = () => {};
    this.parent.onclick = (event) => this.lead(/** @type {Element} */ (event.target));
    this.parent.onkeydown = (event) => this.onKey(event);
    this.watcher = new ResizeObserver(() => this.paint());
  }

  stop() {
    this.watcher.disconnect();
  }

  /** @param {Data} data */
  update({ markup, points }) {
    const drawn = JSON.stringify([markup, points]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.watcher.disconnect();
    this.parent.replaceChildren(...inert(markup));
    this.box = one(this.parent, ".dots");
    this.dots = points && this.box ? new Dots(points) : null;
    this.near = -1;
    if (!this.dots) return;
    this.says = one(this.parent, ".under");
    this.rest = this.says.textContent;
    this.says.setAttribute("aria-live", "polite");
    this.box.append(this.spot, this.mark);
    this.box.onpointermove = (event) => this.point(this.under(event));
    this.box.onpointerleave = () => this.point(-1);
    this.box.onpointerdown = (event) => this.point(this.under(event));
    this.box.onblur = () => this.point(-1);
    this.watcher.observe(this.box);
    this.light();
  }

  /** The point under the pointer, of a line the one nearest across; -1 where there is none. @param {PointerEvent} event */
  under(event) {
    const room = this.box.getBoundingClientRect();
    const [x, y] = [(event.clientX - room.x) / room.width, 1 - (event.clientY - room.y) / room.height];
    if (this.dots.points.look === "line") return this.dots.nearAcross(x);
    return this.dots.near(x, y, [room.width, room.height], REACH);
  }

  /** Shows which point is meant, and says what it is. @param {number} n */
  point(n) {
    if (n === this.near) return;
    this.near = n;
    this.place(this.spot, n);
    if (this.says.querySelector("button")) return this.box.setAttribute("title", n < 0 ? "" : this.dots.says(n));
    this.says.textContent = n < 0 ? this.rest : this.dots.says(n);
  }

  /** @param {HTMLElement} spot @param {number} n */
  place(spot, n) {
    spot.hidden = n < 0;
    if (n < 0) return spot.removeAttribute("data-segment");
    const [x, y] = this.dots.at(n);
    Object.assign(spot.style, { left: `${100 * x}%`, top: `${100 * (1 - y)}%` });
    spot.dataset.segment = String(this.dots.segment(n));
  }

  /** Shows the chosen segment. */
  light() {
    if (!this.dots) return;
    this.place(this.mark, this.dots.of(chosen));
    this.place(this.spot, this.near);
  }

  /** @param {Element} target what was clicked */
  lead(target) {
    const link = /** @type {HTMLElement | null} */ (target.closest("[data-tell]"));
    if (link) {
      const [name, ...value] = link.dataset.tell.split(":");
      this.tell(name, value.join(":"));
    } else if (this.dots && this.box.contains(target) && this.near >= 0) this.choose(this.near);
  }

  /** @param {number} n */
  choose(n) {
    chosen = this.dots.points.segments[n];
    for (const each of charts.values()) each.light();
    this.tell("segment", String(chosen));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    const enter = event.key === "Enter" || event.key === " ";
    if (enter && target.matches("g[data-tell]")) {
      event.preventDefault();
      this.lead(target);
    }
    if (!this.dots || target !== this.box) return;
    if (enter && this.near >= 0) {
      event.preventDefault();
      return this.choose(this.near);
    }
    const to = this.dots.walk(event.key, this.near < 0 ? this.dots.of(chosen) : this.near);
    if (to === undefined) return;
    event.preventDefault();
    this.point(to);
  }

  /** Draws the points for the room they have. */
  paint() {
    const { clientWidth: width, clientHeight: height } = this.box;
    const canvas = /** @type {HTMLCanvasElement} */ (one(this.box, "canvas"));
    const scale = devicePixelRatio || 1;
    if (this.dots.points.look === "line" || !width || !height) return;
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(this.box);
    const { tones, counts, cells } = this.dots.points;
    const most = Math.log1p(Math.max(1, ...counts));
    const alone = Math.max(0.35, Math.min(0.8, 12 / Math.sqrt(this.dots.size + 1)));
    for (let n = 0; n < this.dots.size; n++) {
      const [x, y] = this.dots.at(n);
      pen.fillStyle = style.getPropertyValue(TONES[tones[n]]);
      pen.globalAlpha = cells ? 0.25 + 0.75 * Math.log1p(counts[n]) / most : alone;
      pen.beginPath();
      if (cells) {
        const [wide, high] = [width / cells[0], height / cells[1]];
        pen.rect(x * width - wide / 2, (1 - y) * height - high / 2, wide, high);
      } else pen.arc(x * width, (1 - y) * height, RADIUS, 0, FULL);
      pen.fill();
    }
  }
}
