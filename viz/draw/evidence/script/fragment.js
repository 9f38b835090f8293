// A fragment comes to life: words, cells and terms light each other, and a term can be chosen. Page, saved file and
// notebook run this same script. It reads the names in the markup and the numbers of each panel, and asks no server.

import { arcs, near } from "./arcs.js";
import { Answer, askedBy } from "./asking.js";
import { Choosing } from "./choosing.js";
import { Columns } from "./columns.js";
import { Fates } from "./fates.js";
import { Index } from "./index.js";
import { darken, lightFocused, ringKey, rowKey } from "./keys.js";
import { Light, stacked } from "./light.js";
import { referenceOf } from "./names.js";
import { References } from "./references.js";
import { RING, rings } from "./rings.js";
import { sorted } from "./sorting.js";
import { text } from "./text.js";
import { ties } from "./ties.js";

/** @typedef {(name: string, value: unknown) => void} Report what was chosen and asked for, where somebody listens */

/**
 * Gives a fragment its light. Where what is drawn changes, it is `live`.
 * @param {HTMLElement} root @param {Report} [report] @param {boolean} [live]
 */
export function bitext(root, report, live) {
  const fragment = new Fragment(root, report, live);
  fragment.choose(root.dataset.chosen ?? null, false);
  return fragment;
}

export class Fragment {
  /** @param {HTMLElement} root @param {Report} [report] @param {boolean} [live] */
  constructor(root, report, live = false) {
    this.root = root;
    this.report = report;
    /** @type {Index} */
    let learnt;
    this.index = () => (learnt ??= new Index(root, this.columns)); // when it is first asked for: seen sooner
    this.columns = root.querySelector(".cols") ? new Columns(root) : undefined;
    this.light = new Light(root, this.index, live);
    this.choosing = new Choosing(root, this.index);
    this.references = new References(root, () => this.choosing.cells, () => this.turned());
    this.fates = new Fates(root);
    this.answer = new Answer(root, this.index);
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    /** @type {(target: EventTarget, type: string, does: (event: any) => void) => void} */
    const on = (target, type, does) => target.addEventListener(type, does, { signal });
    on(root, "pointermove", (event) => this.light.over(event));
    on(root, "pointerleave", () => this.light.dark());
    on(root, "click", (event) => this.click(event));
    on(root, "keydown", (event) => this.key(event));
    on(root, "focusin", (event) => lightFocused(event, this.light));
    on(root, "focusout", (event) => darken(event, this.light));
    on(root.ownerDocument, "keydown", (event) => event.key === "Escape" && this.leave());
    root.querySelector("tr[data-term]")?.setAttribute("tabindex", "0");
    text(root);
    rings(root);
    ties(root, report);
    arcs(root);
  }

  stop() {
    this.listeners.abort();
    this.columns?.stop();
  }

  /** @param {string | null} term @param {boolean} [tell] whether somebody is to hear of it */
  choose(term, tell = true) {
    if (!this.choosing.choose(term)) return;
    if (this.choosing.chosen !== null) {
      this.references.showChosen(!tell);
      this.choosing.reveal();
    }
    if (tell) this.report?.("term", this.choosing.chosen);
  }

  /** Another reference is shown: of a long text what is drawn of the chosen term is drawn there. */
  turned() {
    rings(this.root);
    if (!this.columns) return;
    this.light.dark();
    this.columns.show();
    this.choosing.draw();
  }

  /** Nothing is chosen, and nothing asked about. */
  leave() {
    this.choose(null);
    if (this.answer.name) this.ask(null);
  }

  /** Asks what would be if this matched. @param {string | null} name */
  ask(name) {
    this.answer.waits = name !== null;
    this.report?.("match", name);
  }

  /** Scrolls until the cells of the chosen term are seen, with the reference that has the most of them. */
  bring() {
    if (this.choosing.chosen !== null) this.references.showChosen(true);
    this.choosing.seek();
  }

  /** Scrolls the page until all of the chosen term is seen, as a link has chosen it. The reference that is open may
   * `stay`. @param {boolean} [stay] */
  seek(stay = false) {
    if (this.choosing.chosen !== null && !stay) this.references.showChosen(true);
    this.choosing.seek(true);
  }

  /** Does not show words that have met these fates as such. @param {string} off @param {boolean} [tell] */
  switch(off, tell = true) {
    if (this.fates.switch(off) && tell) this.report?.("off", off);
  }

  /** @param {MouseEvent & {target: HTMLElement}} event */
  click(event) {
    const { references, report } = this;
    const at = event.target;
    const opens = at.closest("[data-open]");
    if (opens) report?.("open", opens.dataset.open);
    const shows = at.closest("[data-show]");
    if (shows) {
      references.open(shows.dataset.show);
      if (!references.every) report?.("reference", references.opened);
    }
    const sorts = at.closest("[data-sort]");
    if (sorts) {
      report?.("sort", sorted(sorts));
      this.index().rows.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    }
    if (at.closest("[data-leave]")) this.ask(null);
    const fate = at.closest("[data-fate]")?.dataset.fate;
    if (fate) this.switch(this.fates.turned(fate));
    if (at.closest("button, label, input, summary, a")) return;
    const square = this.columns?.square(event);
    if (square) {
      this.columns.go(square.i, square.j, square);
      report?.("spot", [square.i, square.j]);
      return;
    }
    if (at.matches(RING)) this.light.cell(at.dataset.cell, event); // where nothing hovers
    this.take(event);
    const asked = askedBy(at, this.light.cellAt(event), this.index());
    if (asked !== undefined) this.ask(asked === this.answer.name ? null : asked);
  }

  /** Chooses by what is clicked. @param {MouseEvent & {target: HTMLElement}} event */
  take(event) {
    const { choosing, references } = this;
    const { byCell, byWord } = this.index();
    const at = event.target;
    const named = at.closest("[data-term]");
    const row = named?.matches("tr, mrow");
    const cell = this.light.cellAt(event);
    const word = at.closest("[data-word]")?.dataset.word;
    const joined = this.columns?.cellsAt(at);
    if (joined) return this.choose(choosing.next(this.index().holding(joined)));
    if (named && (row || !byCell.has(cell))) {
      const terms = row ? [] : stacked(named, event);
      this.choose(terms.length > 1 ? choosing.next(terms) : choosing.other(named.dataset.term));
      if (row) this.bring();
    } else if (word) {
      const [chosen, opens] = [choosing.chosen, references.opens];
      near(this.root, word);
      this.choose(choosing.next(byWord.get(word)));
      references.open(referenceOf(word));
      choosing.seek();
      const moved = choosing.chosen === chosen && references.opens !== opens; // else it is told with the term
      if (moved) this.report?.("reference", references.opened);
    } else if (byCell.has(cell)) {
      this.choose(choosing.next(byCell.get(cell)));
    } else if (at.closest(".words, .figure")) {
      this.choose(null);
    }
  }

  /** @param {KeyboardEvent & {target: HTMLElement}} event */
  key(event) {
    if (event.target.matches(RING)) {
      if (event.key !== "Enter" && event.key !== " ") return ringKey(event, this.root);
      event.preventDefault();
      return this.ask(event.target.dataset.cell);
    }
    rowKey(event, this.index().rows, (term) => {
      this.choose(this.choosing.other(term));
      this.bring();
    });
  }
}
