// Every term as a line of text, for those who do not see the grid.

import { all } from "../../pen/script/elements.js";

/** Writes the lines when they are unfolded. @param {Element} root */
export function text(root) {
  for (const details of root.querySelectorAll(".as-text")) {
    details.addEventListener("toggle", () => (details.querySelector("pre").textContent = written(root)));
  }
}

/** @param {Element} root */
function written(root) {
  const lines = [];
  let layer = "";
  for (const row of all(root, ".terms tbody tr")) {
    const said = (/** @type {string} */ of) => row.querySelector(of).textContent;
    if (row.dataset.term === undefined) layer = `${said("th")}: `;
    else lines.push(`${layer}${said(".what")} (${said(".where")}), credit ${said(".credit")} = ${said(".value")}`);
  }
  const more = root.querySelector(".inspector .more")?.textContent;
  return [...lines, ...(more ? [more] : [])].join("\n") || "No word matches.";
}
