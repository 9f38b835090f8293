// Matches that are not used: rings in the grid, which say why.

import { all } from "../../pen/script/elements.js";
import { saidOfCell, wordsOf } from "./names.js";

export const RING = ".ring.unused[data-cell]";

/** Tab enters the first of those that are seen only. @param {Element} root */
export function rings(root) {
  const ring = seen(root)[0] ?? root.querySelector(RING);
  if (ring) heard(ring);
}

/** Those that are seen. @param {Element} root */
export const seen = (root) => all(root, RING).filter((ring) => ring.getClientRects().length);

/** Makes a ring one that can be focused, which says its words, where they stand and why the match is not used.
 * @param {Element} ring */
export function heard(ring) {
  // An image hides what is in it from those who hear the page.
  const image = ring.closest("svg[role=img]");
  image?.setAttribute("role", "group");
  image?.querySelectorAll(".words").forEach((words) => words.setAttribute("aria-hidden", "true"));
  ring.setAttribute("tabindex", "0");
  ring.setAttribute("role", "img");
  const root = ring.closest(".bitext") ?? ring.ownerDocument;
  const [a, b] = wordsOf(ring.dataset.cell).map((name) => {
    const word = root.querySelector(`[data-word="${name}"]`);
    return (word?.querySelector("bdi") ?? word)?.textContent;
  });
  const where = saidOfCell(a, b, ring.dataset.cell, Boolean(root.querySelector('[data-word="r1_0"]')));
  ring.setAttribute("aria-label", `${where}: ${ring.closest("[data-says]").dataset.says}`);
}
