// Rows of a long table: the browser has those that are seen and asks for others; it sorts nothing itself. Which segment is
// chosen is seen at once; what shows the segment follows.

import { element } from "../draw/pen/script/elements.js";
import { MissingText } from "./script/idle.js";
import { leave } from "./script/places.js";
import { afterwards, Told, Untold } from "./script/tell.js";

/** @typedef {{name: string, head: string, title: string, wide: boolean}} Column */
/** A number as it is printed, the length of its bar if it has one, and its tone. @typedef {[string, (number | null)?, string?]} Cell */
/** What is chosen by a row, a segment if nothing else, what its words are, and the segment where it is something else.
 * @typedef {[number, Cell[], [number, string][], number?]} Row */
/** The part of the table that the browser has. @typedef {{columns: Column[], rows: Row[], start: number, sought: string[]}} Part */
/** @typedef {{total: number, sort: string, up: boolean, order: string, chosen: number | null}} Choices */
/** `part` is missing where the server knows that it has sent what has this digest.
 * @typedef {Choices & {digest: string, part?: string}} Sent */
/** @typedef {Choices & Part & {digest: string}} Data */

const WAIT = 40; // milliseconds for which a reader scrolls no further
const KEPT = 4; // parts of tables
const TAG = 2; // the side of a tag among the words of a row

/** @type {WeakMap<Element, Segments>} by the element that has it */
const shown = new WeakMap();

/** @type {Map<string, Part>} the parts that were sent last, by their digests */
const parts = new Map();

/** @param {import("./script/room.js").Component<Sent>} component */
export default function ({ parentElement: parent, data, setStateValue, setTriggerValue }) {
  if (!shown.has(parent)) shown.set(parent, new Segments(parent));
  const now = shown.get(parent);
  now.ask = (start) => setStateValue("start", [now.data.order, start]);
  const tell = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    setTriggerValue("told", now.told.with(name, value));
  now.turn = (name) => tell("sort", name);
  now.pick = (segment) => afterwards(() => tell("segment", segment));
  now.open = (segment) => {
    leave();
    tell("open", segment);
  };
  const { part: sent, ...choices } = data;
  if (sent !== undefined) {
    parts.delete(data.digest);
    parts.set(data.digest, JSON.parse(sent));
    if (parts.size > KEPT) parts.delete(parts.keys().next().value);
  }
  const part = parts.get(data.digest);
  if (part) {
    now.missing.found();
    now.update({ ...choices, ...part });
  } else now.missing.ask(() => setTriggerValue("lost", data.digest));
  return () => {
    now.stop();
    shown.delete(parent);
  };
}

class Segments {
  /** @param {Element} parent */
  constructor(parent) {
    this.box = element("div", "segments");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "grid");
    this.box.setAttribute("aria-label", "Segments; move with the arrow keys, each shows its evidence");
    this.heads = element("div", "heads");
    this.long = element("div", "long");
    this.inner = element("div", "rows");
    this.long.append(this.inner);
    this.box.append(this.heads, this.long);
    parent.replaceChildren(this.box);
    this.missing = new MissingText();
    /** @type {(start: number) => void} */
    this.ask = () => {};
    /** @type {(name: string) => void} */
    this.turn = () => {};
    /** @type {(segment: number) => void} */
    this.pick = () => {};
    /** @type {(segment: number) => void} */
    this.open = () => {};
    this.untold = new Untold();
    this.told = new Told();
    /** @type {string | undefined} what was drawn last */
    this.drawn = undefined;
    /** @type {string | undefined} the heads that were drawn last */
    this.headed = undefined;
    /** @type {number | null} */
    this.chosen = null;
    /** @type {number | undefined} the place, in the order, of a row that keys lead to and the browser has not yet */
    this.wanted = undefined;
    /** How high a row is, in pixels: where the table is narrow its text stands below the numbers. */
    this.high = 30;
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(this.box);
    this.box.onscroll = () => this.scrolled();
    this.box.onkeydown = (event) => this.onKey(event);
  }

  stop() {
    this.missing.found();
    clearTimeout(this.timer);
    this.watch.disconnect();
  }

  resized() {
    const high = Number.parseFloat(getComputedStyle(this.box).getPropertyValue("--high")) || 30;
    if (high === this.high) return;
    const at = this.box.scrollTop / this.high;
    this.high = high;
    if (!this.data) return;
    this.place();
    this.box.scrollTop = at * high;
  }

  /** Makes room for all rows, and puts those that there are where they belong. */
  place() {
    this.long.style.height = `${this.data.total * this.high}px`;
    this.inner.style.transform = `translateY(${this.data.start * this.high}px)`;
  }

  /** @param {Data} data */
  update(data) {
    const turned = this.data?.order !== data.order;
    const drawn = `${data.digest} ${data.order}`;
    this.data = data;
    if (this.untold.answered(data.chosen)) this.chosen = data.chosen;
    if (drawn !== this.drawn) this.draw(data, turned);
    this.drawn = drawn;
    if (this.wanted !== undefined) this.lead(this.wanted);
    this.light();
  }

  /** @param {Data} data @param {boolean} turned */
  draw(data, turned) {
    const { columns, rows, start, total, sort, up } = data;
    this.box.setAttribute("aria-rowcount", String(total));
    const heads = JSON.stringify([columns, sort, up]);
    if (heads !== this.headed) {
      const widths = columns.map((column) =>
        column.wide
          ? "minmax(var(--words, 180px), 1fr)"
          : column.name === "number"
          ? "var(--first, 52px)"
          : "var(--column, 68px)"
      );
      this.box.style.setProperty("--columns", widths.join(" "));
      this.box.style.setProperty("--numbers", widths.slice(0, -1).join(" "));
      // Said as a number: asked for as the widest content, the browser measures every text to find it.
      const wide = columns.filter((column) => column.wide).length;
      this.box.style.setProperty("--narrow", String(columns.length - wide));
      this.box.style.setProperty("--wide", String(wide));
      this.heads.setAttribute("role", "row"); // before it has heads, it is none
      this.heads.replaceChildren(...columns.map((column) => this.head(column, sort, up)));
      this.headed = heads;
    }
    this.place();
    this.inner.replaceChildren(...rows.map((row, n) => this.row(row, start + n)));
    if (!turned) return;
    // With the frame that shows it, when all else has arrived too: where it is now, the browser would have to find out.
    requestAnimationFrame(() => {
      const at = this.data.rows.findIndex(([segment]) => segment === this.chosen);
      if (at < 0) this.box.scrollTop = 0;
      else this.show(this.data.start + at);
    });
  }

  /** @param {Column} column @param {string} sort @param {boolean} up */
  head({ name, head, title, wide }, sort, up) {
    const cell = element("div", wide ? "head wide" : "head");
    cell.setAttribute("role", "columnheader");
    if (wide) {
      cell.textContent = head;
      return cell;
    }
    const sorted = name === sort;
    cell.setAttribute("aria-sort", sorted ? (up ? "ascending" : "descending") : "none");
    const made = element("button", "", head);
    made.type = "button";
    made.title = title;
    made.dataset.sort = name;
    made.append(element("span", "arrow", sorted ? (up ? "↑" : "↓") : ""));
    made.onclick = () => this.turn(name);
    cell.append(made);
    return cell;
  }

  /** @param {Row} row @param {number} place */
  row([segment, cells, words, number], place) {
    const made = element("div", "row");
    made.setAttribute("role", "row");
    made.setAttribute("aria-rowindex", String(place + 1));
    made.dataset.segment = String(number ?? segment);
    for (const [text, bar, tone] of cells) {
      const cell = element("span", `cell ${tone ?? ""}`);
      cell.setAttribute("role", "gridcell");
      cell.append(element("b", "", text));
      if (typeof bar === "number") {
        const drawn = element("i");
        drawn.style.setProperty("--part", String(bar));
        cell.append(drawn);
      }
      made.append(cell);
    }
    const line = element("span", "cell words");
    line.setAttribute("role", "gridcell");
    line.dir = "auto";
    for (const [side, text] of words) {
      const part = side === TAG ? element("span", "tag") : element(side < 0 ? "del" : side > 0 ? "ins" : "bdi");
      part.append(...lit(text, this.data.sought));
      line.append(part, " ");
    }
    made.append(line);
    made.onclick = () => {
      if (getSelection().isCollapsed) this.choose(segment);
    };
    return made;
  }

  /** @param {number} segment */
  choose(segment) {
    if (segment === this.chosen) return;
    this.chosen = segment;
    this.untold.add(segment);
    this.light();
    this.pick(segment);
  }

  light() {
    [...this.inner.children].forEach((row, n) => {
      const chosen = this.data.rows[n][0] === this.chosen;
      if (row.ariaSelected === String(chosen)) return;
      row.classList.toggle("chosen", chosen);
      row.ariaSelected = String(chosen);
    });
  }

  get seen() {
    return Math.max(1, Math.floor((this.box.clientHeight - this.heads.offsetHeight) / this.high));
  }

  /** Scrolls until the row at a place of the order is seen. @param {number} place */
  show(place) {
    const [top, room] = [place * this.high, this.seen * this.high];
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.high > this.box.scrollTop + room) this.box.scrollTop = top + this.high - room;
  }

  scrolled() {
    const first = Math.floor(this.box.scrollTop / this.high);
    const { start, rows, total } = this.data;
    if (first >= start && Math.min(total, first + this.seen) <= start + rows.length) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(Math.max(0, Math.min(total - 50, first - 15))), WAIT);
  }

  /** Chooses the row at a place of the order, when it is there. @param {number} place */
  lead(place) {
    const { start, rows } = this.data;
    this.show(place);
    const row = rows[place - start];
    this.wanted = row ? undefined : place;
    if (row) this.choose(row[0]);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.target !== this.box || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && this.chosen !== null) return this.open(this.chosen);
    const { start, rows, total } = this.data;
    const at = rows.findIndex(([segment]) => segment === this.chosen);
    const here = this.wanted ?? (at < 0 ? Math.ceil(this.box.scrollTop / this.high) - 1 : start + at);
    const page = this.seen - 1;
    /** @type {Record<string, number>} */
    const keys = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + page,
      PageUp: here - page,
      Home: 0,
      End: total - 1,
    };
    const to = keys[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.lead(Math.max(0, Math.min(total - 1, to)));
  }
}

/** A text with what is sought in it. @param {string} text
 * @param {string[]} sought in small letters, a blank where a word begins or ends
 * @returns {(string | HTMLElement)[]} */
function lit(text, sought) {
  const all = ` ${text.toLowerCase()} `;
  /** @type {(string | HTMLElement)[]} */
  const made = [];
  let from = 0;
  for (const [start, end] of all.length === text.length + 2 ? places(all, sought) : []) {
    if (start < from) continue;
    made.push(text.slice(from, start), element("mark", "sought", text.slice(start, end)));
    from = end;
  }
  return [...made, text.slice(from)].filter(Boolean);
}

/** Where something that is sought stands in a text, which has a blank at both ends: from the first letter of it to the
 * one behind it, counted without the first blank, the earliest first, of equal ones the longest. @param {string} all
 * @param {string[]} sought */
function places(all, sought) {
  const found = sought.flatMap((each) => {
    const letters = each.trim();
    const before = each.indexOf(letters) - 1;
    const out = [];
    for (let at = all.indexOf(each); letters && at >= 0; at = all.indexOf(each, at + 1)) {
      out.push([at + before, at + before + letters.length]);
    }
    return out;
  });
  return found.sort(([start, end], [other, last]) => start - other || last - end);
}
