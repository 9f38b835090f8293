// Keys and the focus: along the rows of terms, and along the matches that are not used.

import { ACROSS, DOWN, ledTo, rove } from "../../pen/script/leading.js";
import { heard, RING, seen } from "./rings.js";

/** @typedef {import("./light.js").Light} Light */
/** @typedef {{target: HTMLElement, key: string, preventDefault: () => void}} Key */

/** Leads from row to row; Enter and the space bar choose.
 * @param {Key} event @param {HTMLElement[]} rows @param {(term: string) => void} choose */
export function rowKey(event, rows, choose) {
  if (!rows.includes(event.target)) return;
  const to = ledTo(event.key, rows, event.target, DOWN);
  if (to) {
    rove(rows, to);
    to.focus();
  } else if (event.key === "Enter" || event.key === " ") {
    choose(event.target.dataset.term);
  } else {
    return;
  }
  event.preventDefault();
}

/** Leads from a match that is not used to the next one. @param {Key} event @param {Element} root */
export function ringKey(event, root) {
  const to = ledTo(event.key, seen(root), event.target, [...ACROSS, ...DOWN]);
  if (!to) return;
  event.target.tabIndex = -1;
  heard(to);
  to.focus();
  event.preventDefault();
}

/** What has the focus is lit. @param {{target: Element}} event @param {Light} light */
export function lightFocused({ target }, light) {
  const row = target.closest?.("tr[data-term]");
  if (row) light.term(row.dataset.term);
  if (!target.matches?.(RING)) return;
  const { right, bottom } = target.getBoundingClientRect();
  light.cell(target.dataset.cell, { clientX: right, clientY: bottom });
}

/** @param {{target: Element}} event @param {Light} light */
export function darken({ target }, light) {
  const { term, cell } = target.dataset;
  if ([term, cell].includes(light.lit)) light.dark();
}
