// Equally good alignments: buttons that step through them and to those with the lowest and the highest score, and a switch
// for the tint of their cells.

import { all, button, checkbox } from "../../pen/script/elements.js";

/** @param {HTMLElement} root @param {((name: string, value: unknown) => void) | undefined} report who can show others */
export function ties(root, report) {
  const place = root.querySelector(".ties");
  if (!place || place.querySelector("label")) return;
  const [count, at] = [Number(place.dataset.count), Number(place.dataset.at)];
  if (report && count > 1) {
    const to = (/** @type {number} */ by) => report("tie", (at + by) % count);
    for (const end of all(place, "[data-tie]")) {
      const jump = button(end.textContent, () => report("tie", Number(end.dataset.tie)), "end");
      jump.title = end.title;
      end.replaceWith(jump);
    }
    place.append(button("Previous", () => to(count - 1)), button("Next", () => to(1)));
  }
  if (!root.querySelector(".always, .sometimes")) return;
  const tint = (/** @type {boolean} */ on) => {
    root.classList.toggle("tint", on);
    report?.("tint", on);
  };
  place.append(checkbox("Tint their cells", root.classList.contains("tint"), tint));
}
