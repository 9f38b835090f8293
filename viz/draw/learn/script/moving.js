// The words of a candidate as tiles: one that is moved, taken out or doubled is held until it is said whether the score
// goes up, down or stays the same; then the change is made. By mouse, by touch, by buttons and by keys.

import { all, button, element, one } from "../../pen/script/elements.js";
import { outcome } from "./outcome.js";

/** @typedef {import("./outcome.js").Way} Way */
/** @typedef {import("./outcome.js").Scored & {words: string[], between: string, text: string, better: string, most: number}} Facts */
/** @typedef {{kind: "move" | "out" | "double", at: number, to: number}} Plan `to` is its place in the sentence without it */
/** @typedef {{text: string, guess: Way | undefined, before: Facts, to: number}} Asked a sentence that is waited for */

const FAR = 6; // pixels that a pointer goes before a word is dragged
const HINT = "Drag a word, or choose it to move it, double it or take it out.";

export class Moving {
  /** `carry` shows another sentence, and says why it cannot where it cannot.
   * @param {(text: string) => string | void} carry @param {() => string} busy why the sentence cannot be changed now
   * @param {(board: HTMLElement) => HTMLElement} home where the buttons of some tiles stand */
  constructor(carry, busy, home) {
    this.carry = carry;
    this.busy = busy;
    this.home = home;
    /** @type {HTMLElement[]} */
    this.tiles = [];
    /** @type {Plan | undefined} */
    this.plan = undefined;
    /** @type {Asked | undefined} */
    this.waits = undefined;
    /** @type {Facts | undefined} */
    this.facts = undefined;
    /** @type {string | undefined} the sentence before the last change */
    this.back = undefined;
    this.asking = false;
    this.dragged = false; // whether a pointer has just let go of a word, of which the browser makes a click
    this.byKeys = false;
    this.listeners = new AbortController();
    this.make();
  }

  /** Buttons, the question, and what is said: they stay when the sentence is drawn anew. */
  make() {
    /** @type {(text: string, name: string, act: () => void, key?: string) => HTMLButtonElement} */
    const tool = (text, name, act, key = "") => {
      const made = button(text, act, name);
      made.title = key;
      this.tools.append(made);
      return made;
    };
    this.panel = element("div", "handling");
    this.tools = element("div", "tools");
    this.tools.setAttribute("role", "group");
    this.tools.ariaLabel = "The chosen word";
    this.now = element("span", "now");
    this.hint = element("span", "note", HINT);
    this.tools.append(this.hint);
    this.earlier = tool("Earlier", "earlier", () => this.shift(-1), "or an arrow key");
    this.later = tool("Later", "later", () => this.shift(1), "or an arrow key");
    this.put = tool("Put it here", "put", () => this.ask(), "or Enter");
    this.double = tool("Double", "double", () => this.propose("double"), "or the key D");
    this.out = tool("Take out", "out", () => this.propose("out"), "or the key Delete");
    this.undo = tool("Put it back", "back", () => this.putBack());
    this.tools.append(this.now);
    this.question = element("div", "predict");
    this.question.setAttribute("role", "group");
    this.question.hidden = true;
    this.said = element("p", "said");
    this.said.setAttribute("role", "status");
    this.panel.append(this.tools, this.question, this.said);
    this.panel.addEventListener("keydown", (event) => event.key === "Escape" && this.leave(event));
  }

  stop() {
    this.listeners.abort();
  }

  /** Brings the tiles of a screen to life, where it has some. @param {ParentNode | null} root */
  attach(root) {
    this.listeners.abort();
    this.listeners = new AbortController();
    this.board = root && one(root, ".moving");
    if (!this.board) {
      this.panel.remove();
      [this.facts, this.plan, this.asking] = [undefined, undefined, false];
      return;
    }
    const before = this.facts;
    this.facts = factsOf(this.board);
    this.line = one(this.board, ".ws");
    this.tiles = all(this.board, ".tile");
    const home = this.home(this.board);
    if (this.panel.parentElement !== home) home.prepend(this.panel);
    if (home === this.board) home.append(this.panel);
    const { text, label, said } = this.facts;
    this.now.replaceChildren(`${label} `, element("b", "", said));
    const { signal } = this.listeners;
    this.tiles.forEach((tile, n) => this.live(tile, n, signal));
    this.line.addEventListener("keydown", (event) => this.key(event), { signal });
    if (this.waits && this.waits.text === text) this.judge();
    else if (before?.text !== text || before.label !== label) this.forget();
    if (!this.plan) this.reach(this.reached ?? 0);
    this.write();
  }

  /** Another sentence is here, which was not made with tiles. */
  forget() {
    [this.plan, this.waits, this.back, this.reached] = [undefined, undefined, undefined, undefined];
    this.asking = false;
    this.said.replaceChildren();
  }

  /** Why a sentence that was asked for did not come. @param {string} says */
  fail(says) {
    if (!this.waits) return;
    this.waits = undefined;
    this.tell(says);
  }

  // ------------------------------------------------------------ one word

  /** @param {HTMLElement} tile @param {number} n @param {AbortSignal} signal */
  live(tile, n, signal) {
    /** @type {(type: string, does: (event: any) => void) => void} */
    const on = (type, does) => tile.addEventListener(type, does, { signal });
    /** @type {{x: number, y: number, id: number} | undefined} */
    let start;
    on("pointerdown", (event) => {
      this.dragged = false;
      if (event.button || this.asking || this.waits) return;
      start = { x: event.clientX, y: event.clientY, id: event.pointerId };
      tile.setPointerCapture(start.id); // a quick pointer is elsewhere before it is heard of again
    });
    on("pointermove", (event) => {
      if (!start || event.pointerId !== start.id) return;
      const [right, down] = [event.clientX - start.x, event.clientY - start.y];
      if (!this.dragged) {
        if (Math.hypot(right, down) < FAR || !this.free()) return;
        this.dragged = true;
        this.hold(n);
        tile.classList.add("dragged");
        this.board.classList.add("drags");
      }
      tile.style.transform = `translate(${right}px, ${down}px)`;
      this.mark(this.target(n, event));
    });
    const end = (/** @type {PointerEvent} */ event, /** @type {boolean} */ drops) => {
      if (!start || event.pointerId !== start.id) return;
      start = undefined;
      if (!this.dragged) return;
      tile.style.transform = "";
      tile.classList.remove("dragged");
      this.board.classList.remove("drags");
      this.mark();
      const plan = drops ? this.target(n, event) : undefined;
      if (plan) {
        this.plan = plan;
        this.ask();
      } else this.leave();
    };
    on("pointerup", (event) => end(event, true));
    on("pointercancel", (event) => end(event, false));
    on("click", (event) => {
      if (this.dragged || this.asking || this.waits) return void (this.dragged = false);
      this.byKeys = event.detail === 0;
      if (this.plan && this.at === n) this.plan.kind === "move" && this.plan.to !== n ? this.ask() : this.leave();
      else if (this.free()) this.hold(n);
    });
    on("focus", () => this.plan || this.reach(n));
  }

  /** Whether the sentence can be changed now. */
  free() {
    const says = this.waits ? "The score is being computed." : this.busy();
    if (says) this.tell(says);
    return !says;
  }

  /** Takes a word in hand. @param {number} n */
  hold(n) {
    this.plan = { kind: "move", at: n, to: n };
    this.tell();
    this.reach(n);
    this.write();
  }

  /** The number of the word in hand. */
  get at() {
    return this.plan?.at;
  }

  /** Moves the word in hand. @param {number} by */
  shift(by) {
    if (!this.plan || this.asking) return;
    this.plan.kind = "move";
    this.plan.to = Math.max(0, Math.min(this.tiles.length - 1, this.plan.to + by));
    this.write();
    const { to } = this.plan;
    this.tell(`Place ${to + 1} of ${this.tiles.length}`);
    if (this.byKeys && this.line.contains(document.activeElement)) this.tiles[this.at].focus();
  }

  /** @param {"double" | "out"} kind */
  propose(kind) {
    if (!this.plan || this.asking) return;
    this.plan = { kind, at: this.at, to: this.at };
    this.ask();
  }

  /** Lets go of the word in hand: nothing is changed. @param {Event} [event] */
  leave(event) {
    if (!this.plan) return;
    event?.preventDefault();
    event?.stopPropagation();
    const { at } = this;
    const within = [this.board, this.panel].some((part) => part.contains(document.activeElement));
    [this.plan, this.asking] = [undefined, false];
    this.tell();
    this.write();
    if (within) this.tiles[at].focus({ preventScroll: true });
  }

  /** Where a word would go that is let go of here; nothing where that is nowhere.
   * @param {number} n @param {PointerEvent} event @returns {Plan | undefined} */
  target(n, { clientX: x, clientY: y }) {
    const over = (/** @type {Element} */ e) => {
      const { left, right, top, bottom } = e.getBoundingClientRect();
      return x >= left - 4 && x <= right + 4 && y >= top - 4 && y <= bottom + 4;
    };
    if (over(this.double)) return { kind: "double", at: n, to: n };
    if (over(this.out)) return { kind: "out", at: n, to: n };
    const { top, bottom } = this.line.getBoundingClientRect();
    if (y < top - 40 || y > bottom + 40) return undefined;
    const others = this.tiles.filter((_, m) => m !== n).map((tile) => tile.getBoundingClientRect());
    return { kind: "move", at: n, to: gapAt(others, x, y, this.turned) };
  }

  get turned() {
    return getComputedStyle(this.line).direction === "rtl";
  }

  /** Shows where a word would go. @param {Plan} [plan] */
  mark(plan) {
    this.double.classList.toggle("here", plan?.kind === "double");
    this.out.classList.toggle("here", plan?.kind === "out");
    const others = this.tiles.filter((_, n) => n !== this.at);
    const to = plan?.kind === "move" ? plan.to : undefined;
    others.forEach((tile, n) => {
      tile.classList.toggle("before-it", n === to);
      tile.classList.toggle("behind-it", n === to - 1 && to === others.length);
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.asking) return;
    const n = this.tiles.indexOf(/** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest(".tile")));
    if (n < 0) return;
    this.byKeys = true;
    const by = { ArrowLeft: this.turned ? 1 : -1, ArrowRight: this.turned ? -1 : 1 }[event.key];
    if (event.key === "Escape") return this.leave(event);
    if (by && this.plan) this.shift(by);
    else if (by) this.reach(n + by, true);
    else if (event.key === "Home" || event.key === "End") this.reach(event.key === "Home" ? 0 : Infinity, true);
    else if (["Delete", "Backspace", "d", "D"].includes(event.key)) {
      if (!this.free()) return event.preventDefault();
      this.hold(n);
      this.propose(event.key.toLowerCase() === "d" ? "double" : "out");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** One word can be reached by Tab, the others from it. @param {number} n @param {boolean} [focus] */
  reach(n, focus = false) {
    this.reached = Math.max(0, Math.min(n, this.tiles.length - 1));
    this.tiles.forEach((tile, m) => (tile.tabIndex = m === this.reached ? 0 : -1));
    if (focus) this.tiles[this.reached].focus();
  }

  // ------------------------------------------------------------ the prediction

  /** The words as the plan would have them. */
  planned() {
    const { words } = this.facts;
    const { kind, at, to } = this.plan;
    const rest = words.toSpliced(at, 1);
    if (kind === "out") return rest;
    return kind === "double" ? words.toSpliced(at, 0, words[at]) : rest.toSpliced(to, 0, words[at]);
  }

  /** Asks what the change will do, before it is made. */
  ask() {
    const words = this.planned();
    const { facts, plan } = this;
    const text = words.join(facts.between);
    let says = "";
    if (!words.length) says = "The last word must stay. Type another sentence instead.";
    else if (words.length > facts.most) says = `There is room for ${facts.most} words.`;
    else if (text === facts.text) says = "That is the same sentence.";
    if (says) {
      this.leave();
      return this.tell(says);
    }
    this.asking = true;
    this.tell();
    const word = () => element("bdi", "", this.tiles[plan.at].textContent);
    const asks = element("p");
    const next = this.tiles.filter((_, n) => n !== plan.at)[plan.to];
    const where = next ? [" before “", element("bdi", "", next.textContent), "”"] : [" to the end"];
    const does = { move: "Move", out: "Take out", double: "Double" }[plan.kind];
    const will = `: will ${facts.label} go up, down or stay the same?`;
    const lower = facts.better ? ` A ${facts.better} ${facts.label} is better.` : "";
    asks.append(`${does} “`, word(), "”", ...(plan.kind === "move" ? where : []), will, lower);
    const answers = element("div", "answers");
    for (const [way, label] of Object.entries({ up: "Up", down: "Down", same: "The same" })) {
      answers.append(button(label, () => this.predict(/** @type {Way} */ (way)), way));
    }
    answers.append(button("Leave it as it was", () => this.leave(), "leave"));
    this.question.ariaLabel = asks.textContent;
    this.question.replaceChildren(asks, answers);
    this.write();
    one(answers, ".up").focus({ preventScroll: true });
    this.question.scrollIntoView({ block: "nearest" });
  }

  /** Makes the change. @param {Way} guess */
  predict(guess) {
    const says = this.busy();
    if (says) {
      this.leave();
      return this.tell(says);
    }
    const text = this.planned().join(this.facts.between);
    const { at, to, kind } = this.plan;
    const keyed = this.question.contains(document.activeElement);
    this.waits = { text, guess, before: this.facts, to: kind === "move" ? to : Math.min(at, this.tiles.length - 2) };
    [this.plan, this.asking] = [undefined, false];
    this.keyed = keyed;
    this.write();
    this.send(text);
  }

  putBack() {
    if (this.waits || !this.free()) return;
    const text = this.back;
    this.waits = { text, guess: undefined, before: this.facts, to: 0 };
    this.keyed = this.undo === document.activeElement;
    this.send(text);
  }

  /** @param {string} text */
  send(text) {
    const says = this.carry(text);
    if (says) this.fail(says);
  }

  /** Says what the change has done. */
  judge() {
    const { guess, before, to } = this.waits;
    this.waits = undefined;
    this.back = guess && before.text;
    this.said.replaceChildren();
    if (guess) {
      const { right, head, rest } = outcome(before, this.facts, guess);
      this.said.dataset.how = right ? "right" : "no";
      this.said.append(element("b", "", head), rest ? ` ${rest}` : "");
    }
    this.reach(to);
    if (this.keyed) this.tiles[this.reached].focus({ preventScroll: true });
    this.keyed = false;
  }

  /** @param {string} [says] */
  tell(says = "") {
    this.said.dataset.how = "";
    this.said.textContent = says;
    this.writeTools();
  }

  /** Shows the words as they would stand, and which buttons there are. */
  write() {
    const { plan, asking, waits } = this;
    const moves = plan && plan.kind === "move" && plan.to !== plan.at;
    one(this.line, ".tile.copy")?.remove();
    const order = this.tiles.map((_, n) => n);
    if (moves) order.splice(plan.to, 0, ...order.splice(plan.at, 1));
    if (order.some((n, place) => this.line.children[place] !== this.tiles[n])) {
      const focused = document.activeElement;
      this.line.append(...order.map((n) => this.tiles[n]));
      if (this.line.contains(focused)) /** @type {HTMLElement} */ (focused).focus();
    }
    this.tiles.forEach((tile, n) => {
      const held = plan?.at === n;
      tile.ariaPressed = String(held);
      tile.classList.toggle("held", held);
      tile.classList.toggle("leaves", held && asking && plan.kind === "out");
    });
    if (asking && plan.kind === "double") {
      const copy = /** @type {HTMLElement} */ (this.tiles[plan.at].cloneNode(true));
      copy.classList.add("copy");
      copy.inert = true;
      this.tiles[plan.at].after(copy);
    }
    this.question.hidden = !asking;
    this.board.classList.toggle("waits", Boolean(waits));
    this.put.hidden = !moves || asking;
    this.writeTools();
  }

  /** Shows the buttons of a chosen word, or how to choose one: the picture below has the room of what is not needed. */
  writeTools() {
    const { plan, asking, waits } = this;
    for (const tool of [this.earlier, this.later, this.double, this.out]) tool.hidden = !plan || asking;
    this.undo.hidden = this.back === undefined || Boolean(plan);
    this.hint.hidden = Boolean(plan || waits || this.said.textContent);
    this.panel.classList.toggle("busy", Boolean(plan || waits || this.said.textContent));
  }
}

/** @param {HTMLElement} board @returns {Facts} */
function factsOf(board) {
  const { between, score, said, label, better, parts, most } = board.dataset;
  const words = all(board, ".tile").map((tile) => tile.dataset.tile);
  const text = words.join(between);
  return {
    words,
    between,
    text,
    label,
    better,
    said,
    score: Number(score),
    parts: JSON.parse(parts),
    most: Number(most),
  };
}

/** Before which of some words in lines a point is, from the one whose line is nearest. @param {DOMRect[]} rects
 * @param {number} x @param {number} y @param {boolean} turned whether they are written from right to left */
export function gapAt(rects, x, y, turned) {
  const away = (/** @type {DOMRect} */ { top, bottom }) => Math.max(top - y, y - bottom, 0);
  const nearest = Math.min(...rects.map(away));
  const line = rects.map((rect, n) => ({ rect, n })).filter(({ rect }) => away(rect) === nearest);
  const before = line.find(({ rect: { left, right } }) => (turned ? x > (left + right) / 2 : x < (left + right) / 2));
  return before ? before.n : line.length ? line.at(-1).n + 1 : 0;
}
