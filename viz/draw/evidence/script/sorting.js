// A table of edits in the order of what a metric gives for them: its best rows first, then its worst, then as in the
// texts. A row takes along what it opens.

import { all } from "../../pen/script/elements.js";

/** Sorts the table of a heading, and says by which order: the key of a metric, after "-" the worst first, "" as in the
 * texts. @param {Element} button @returns {string} */
export function sorted(button) {
  const table = button.closest("table");
  const head = button.closest("th");
  const next = { none: "descending", descending: "ascending", ascending: "none" };
  const key = /** @type {HTMLElement} */ (button).dataset.sort;
  const way = key ? next[/** @type {keyof next} */ (head.getAttribute("aria-sort"))] : "none";
  for (const th of all(table, "th[aria-sort]")) th.setAttribute("aria-sort", th === head ? way : "none");
  const sign = way === "ascending" ? 1 : -1;
  /** @param {HTMLElement} row */
  const number = (row) => Number(row.dataset.term.split(":").at(-1));
  /** @param {HTMLElement} row */
  const gain = (row) => Number(all(row, "td[data-by]").find((td) => td.dataset.by === key)?.dataset.gain ?? 0);
  const rows = all(table, "tbody tr.term");
  const opened = new Map(all(table, "tbody tr[data-of]").map((row) => [row.dataset.of, row]));
  rows.sort((a, b) => (way === "none" ? 0 : sign * (gain(a) - gain(b))) || number(a) - number(b));
  for (const row of rows) {
    table.tBodies[0].append(row, ...(opened.has(row.dataset.term) ? [opened.get(row.dataset.term)] : []));
  }
  if (way === "none") return "";
  return way === "ascending" ? `-${key}` : key;
}
