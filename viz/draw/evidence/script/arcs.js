// Where arcs are many, those of one word are seen first, and all of them on demand.

import { all, checkbox } from "../../pen/script/elements.js";

/** @param {Element} root */
export function arcs(root) {
  const crowded = root.querySelector(".few");
  if (!crowded) return;
  const says = "All arcs; otherwise those of the clicked word";
  crowded.after(checkbox(says, false, (on) => crowded.classList.toggle("few", !on), "all-arcs"));
  const first = all(crowded, "[data-word]").find((e) => arcsOf(root, e.dataset.word).length);
  if (first) near(root, first.dataset.word);
}

/** @param {Element} root @param {string} word */
const arcsOf = (root, word) => all(root, `.curve.pair.w${word.replace(/^c/, "")}`);

/** Shows the arcs of a word of the candidate. @param {Element} root @param {string} word */
export function near(root, word) {
  if (!word.startsWith("c") || !root.querySelector(".all-arcs, .few")) return;
  root.querySelectorAll(".near").forEach((e) => e.classList.remove("near"));
  for (const e of [...arcsOf(root, word), ...all(root, `.arcs text[data-word=${word}]`)]) e.classList.add("near");
}
