// Equally good alignments: buttons that step through them, and a switch for the tint of their cells.

import { button, checkbox } from "../../pen/script/elements.js";

/** @param {HTMLElement} root @param {((name: string, value: unknown) => void) | undefined} report who can show others */
export function ties(root, report) {
  const place = root.querySelector(".ties");
  if (!place || place.querySelector("label")) return;
  const [count, at] = [Number(place.dataset.count), Number(place.dataset.at)];
  if (report && count > 1) {
    const to = (/** @type {number} */ by) => report("tie", (at + by) % count);
    place.append(button("Previous", () => to(count - 1)), button("Next", () => to(1)));
  }
  if (!root.querySelector(".always, .sometimes")) return;
  const tint = (/** @type {boolean} */ on) => {
    root.classList.toggle("tint", on);
    report?.("tint", on);
  };
  place.append(checkbox("Tint their cells", root.classList.contains("tint"), tint));
}
