// How a number that is typed is judged, as by the core (`metrics.teach.typed`).

import { readTyped } from "./expression.js";
import { no } from "./verdicts.js";

/** @typedef {import("./expression.js").Typed} Typed */
/** @typedef {import("./verdicts.js").Value} Value */

const UNIT = 0.01; // of the last decimal, at the most
const SHOWN = 1e-4; // that of numbers as they are shown
const EQUAL = 1e-9;
const GIVE = " this number. ";
const OR = " Or: ";
const MORE = "A common mistake gives the same rounded number: give one more decimal.";

/** Whether a typed number is the value: exactly, or rounded or cut to the decimals that were typed, two at least.
 * @param {Typed} given @param {number} value */
export function fits(given, value) {
  const { value: typed, unit } = given;
  const away = Math.abs(typed - value);
  if (away <= EQUAL * Math.max(1, Math.abs(value))) return true;
  if (!(unit > 0 && unit <= UNIT + EQUAL) || isWhole(given)) return false;
  const [ours, theirs] = [Math.abs(typed), Math.abs(value)];
  const cut = ours < theirs && theirs < ours + unit - EQUAL && typed * value >= 0;
  return away <= unit / 2 + EQUAL || cut;
}

/** Whether a typed number is a whole one, which is no rounding of any other. @param {Typed} typed */
function isWhole({ value, unit }) {
  if (unit > 0 && unit <= SHOWN * (1 + EQUAL)) return false;
  const whole = Math.abs(value - Math.round(value)) <= EQUAL;
  return whole && (Math.abs(value) <= 1 + EQUAL || unit >= 1);
}

/** Whether a typed number would be the value, had it not been rounded to fewer than two decimals, or to 0 or 1.
 * @param {Typed} typed @param {number} value */
export function coarse(typed, value) {
  if (Math.abs(typed.value - value) > typed.unit / 2 || fits(typed, value)) return false;
  return isWhole(typed) ? typed.unit < 1 : typed.unit > UNIT + EQUAL;
}

/** Whether a typed number stands for a value of a question, whose numbers may be to be `rounded`.
 * @param {Typed} typed @param {Value} value @param {boolean} rounded */
function means(typed, { number, within }, rounded) {
  const away = Math.abs(typed.value - number);
  if (isWhole(typed) && within < 0.5) return away <= EQUAL * Math.max(1, Math.abs(number));
  if (rounded) return away <= within || fits(typed, number);
  return away <= within && (typed.unit >= 1 || away <= EQUAL + 1.01 * typed.unit);
}

/** @param {import("./verdicts.js").Numbers} question @param {string} text @returns {import("./verdicts.js").Verdict} */
export function judgeNumber({ values, rounded, otherwise }, text) {
  let typed;
  try {
    typed = readTyped(text);
  } catch (sentence) {
    return { ...no(String(sentence)), free: true };
  }
  const [right] = values;
  const meant = values.filter((value) => means(typed, value, rounded));
  if (meant.length > 1 && meant[0] === right && rounded && typed.unit) return { ...no(MORE), free: true };
  if (meant.length && (meant[0] === right || meant.length === 1 || !rounded)) return meant[0].verdict;
  if (!rounded) return otherwise;
  const away = (/** @type {Value} */ { number }) => Math.abs(number - typed.value);
  if (meant.length) {
    return no(together(meant.sort((a, b) => away(a) - away(b)).map(({ verdict }) => verdict.because)));
  }
  if (coarse(typed, right.number)) {
    const much = isWhole(typed) ? "to a whole number: give more" : "too far: give at least two";
    return { ...no(`Rounded ${much} decimals.`), free: true };
  }
  let says = otherwise.because;
  if (isWhole(typed) && Math.abs(right.number - Math.round(right.number)) > EQUAL) {
    const which = Math.round(typed.value);
    const own = [0, 1].includes(which) ? `It is not ${which}; a` : "A";
    says = `${own} whole number is not accepted as rounded.`;
  }
  const side = typed.value > right.number ? "lower" : "higher";
  return { ...otherwise, because: `${says} The right number is ${side}.` };
}

/** The sentences of slips that give one number, as one text. @param {string[]} texts */
function together(texts) {
  const last = (
    /** @type {string} */ text,
  ) => (text.includes(GIVE) ? text.slice(text.lastIndexOf(GIVE) + GIVE.length) : text);
  const said = texts.flatMap((text) => last(text).split(OR));
  if (said.length === 1) return said[0];
  return `${said.length === 2 ? "Two mistakes give" : "Several mistakes give"}${GIVE}${said.slice(0, 2).join(OR)}`;
}
