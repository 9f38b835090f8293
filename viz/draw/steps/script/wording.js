// Words and numbers as the core writes them in sentences (`metrics.teach.steps`).

import { isolated } from "../../pen/script/isolating.js";

/** Letters that nobody sees; of a word, a space is none of them. */
export const HIDDEN = /[\p{C}\p{Z}]/u;

/** @param {string} word @param {number} [room] letters that there is room for */
export function quoted(word, room = 12) {
  const letters = [...word].map((c) => (HIDDEN.test(c) && !/[ \u200c\u200d]/.test(c) ? "\ufffd" : c));
  return `“${isolated(letters.length <= room ? letters.join("") : `${letters.slice(0, room - 1).join("")}…`)}”`;
}

/** @param {number} count @param {string} noun */
export const plural = (count, noun) => (count === 1 ? noun : `${noun}s`);

/** A number as the core prints it. @param {number} value */
export function printed(value) {
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e6)) {
    const [digits, power] = value.toExponential(2).split("e");
    return `${evenly(digits, value.toExponential(99))}e${power.replace(/^(.)(.)$/, "$10$2")}`;
  }
  return (Number.isInteger(value) ? String(value) : evenly(value.toFixed(3), value.toFixed(99))).replace("-", "−");
}

/** Rounded digits where those of `whole` may end half-way between two: the core then takes the even one, scripts the upper.
 * @param {string} digits @param {string} whole */
function evenly(digits, whole) {
  const below = whole.slice(0, digits.length);
  return /^50*(e|$)/.test(whole.slice(digits.length)) && /[02468]$/.test(below) ? below : digits;
}
