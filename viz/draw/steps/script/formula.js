// The formula beside a trace, in which numbers are filled in as soon as they are known.

import { all, inert, one } from "../../pen/script/elements.js";

/** @typedef {{e: HTMLElement, own: ChildNode[], value: string | null | undefined, whole?: Element}} Place */

export class Formula {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.box = one(root, ".formula");
    /** @type {Place[]} */
    this.places = all(root, "[data-known]").map((e) => ({
      e,
      own: [...e.childNodes],
      value: /** @type {null} */ (null), // not known yet whether it is known
      whole: e.classList.contains("value") ? e.closest("math") : undefined,
    }));
    this.rows = all(root, ".formula .line").map((e) => ({ e, high: 0 }));
    this.fill(Object.fromEntries(this.places.map(({ e }) => [e.dataset.known, "0.000"]))); // as high as it will be
    this.fill({});
    const { offsetHeight } = this.box; // which the pseudo-code leaves room for
    if (offsetHeight) root.style.setProperty("--formula", `${offsetHeight}px`);
  }

  /** Fills in the numbers that are known; what is not known stays as it is written.
   * @param {import("./walk.js").Values} values */
  fill(values) {
    let changed = false;
    for (const place of this.places) {
      const value = values[place.e.dataset.known] ?? undefined;
      if (value === place.value) continue;
      place.value = value;
      changed = true;
      place.e.classList.toggle("filled", value !== undefined);
      place.e.replaceChildren(...(value === undefined ? place.own : [mathml(value)]));
      place.whole?.classList.toggle("off", value === undefined);
    }
    if (changed) this.hold();
  }

  /** Hides it behind the last step, which has all of it and the terms of its sums. @param {boolean} hidden */
  hide(hidden) {
    this.box.hidden = hidden;
  }

  /** Keeps each line as high as it ever was, so that those below it stay where they are. */
  hold() {
    for (const row of this.rows) {
      const high = row.e.offsetHeight;
      if (high > row.high) row.e.style.minHeight = `${(row.high = high)}px`;
    }
  }
}

/** A number in a formula. @param {string} text */
function mathml(text) {
  const e = inert("<math><mn></mn></math>")[0].firstElementChild;
  e.textContent = text;
  return e;
}
