// Which reference's grid is open, where a page shows one of several at a time.

import { all } from "../../pen/script/elements.js";
import { placeOf } from "./names.js";

export class References {
  /** @param {Element} root @param {() => string[]} cells those of the chosen term
   * @param {() => void} [turned] is called when another one is shown */
  constructor(root, cells, turned = () => {}) {
    this.root = root;
    this.cells = cells;
    this.turned = turned;
    this.first = this.opens; // the one that is open at first
  }

  /** Shows the grid and the words of one reference, or of "all". @param {string | undefined} k */
  show(k) {
    if (k === (this.every ? "all" : this.opens)) return;
    this.root.toggleAttribute("data-every", k === "all");
    if (k !== "all") { for (const e of all(this.root, ".ref")) e.toggleAttribute("hidden", e.dataset.reference !== k); }
    for (const e of all(this.root, "[data-line]")) {
      e.toggleAttribute("data-folded", k !== "all" && e.dataset.line !== k);
    }
    for (const e of this.root.querySelectorAll(".refs button")) e.ariaPressed = String(e.dataset.show === k);
    this.turned();
  }

  /** The same for what may be no reference that is there. Beside arcs, which are those of one reference, its words alone
   * are shown. @param {string | undefined} k */
  open(k) {
    if ((k === "all" && this.root.querySelector(".ref")) || this.root.querySelector(`.ref[data-reference="${k}"]`)) {
      this.show(k);
    } else this.root.querySelector(`[data-line="${k}"]`)?.removeAttribute("data-folded");
  }

  /** Whether the grids of all references are shown. */
  get every() {
    return this.root.hasAttribute("data-every");
  }

  /** The reference whose grid is open; undefined where no grids can be chosen. */
  get opens() {
    return this.root.querySelector(".ref:not([hidden])")?.dataset.reference;
  }

  /** The same, null where the chosen term alone would open it. */
  get opened() {
    return this.opens === this.alone(this.first) ? null : this.opens;
  }

  /** Shows the reference with the most cells of the chosen term, unless the one that is seen has some, as where a cell is
   * clicked, or, where the `most` are wanted, as many. @param {boolean} most */
  showChosen(most) {
    if (this.every) return;
    if (this.opens !== undefined && (most || !this.counts().get(this.opens))) this.show(this.alone(this.opens));
  }

  /** The reference with the most cells of the chosen term: `seen` where it has as many, or where no reference has any.
   * @param {string | undefined} seen */
  alone(seen) {
    const counts = this.counts();
    const most = Math.max(...counts.values());
    if (!counts.size || counts.get(seen) === most) return seen;
    return [...counts].find(([, count]) => count === most)[0];
  }

  /** How many cells the chosen term has with each reference, for those with which it has some. */
  counts() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    const places = this.cells().map(placeOf);
    const rows = places.some(({ side }) => side === "d") ? "d" : "c"; // a difference has rows of its own
    for (const { side, k } of places) {
      if (side === rows) counts.set(String(k), (counts.get(String(k)) ?? 0) + 1);
    }
    return counts;
  }
}
