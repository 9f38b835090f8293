// A number that is typed, read and judged as by the core (`metrics.teach.typed`).

import { no } from "./verdicts.js";
import { HIDDEN } from "./wording.js";

/** @typedef {{value: number, unit: number}} Typed the unit is that of the last digit, 0 for what is exact */
/** @typedef {import("./verdicts.js").Value} Value */

const EXAMPLES = "0.375, 3/8, 37.5 % or √14/10";
const LONGEST = 40;
const UNIT = 0.01; // of the last decimal, at the most
const EQUAL = 1e-9;
/** @type {Record<string, string>} signs that stand for others */
const WRITTEN = {
  ...{ "−": "-", "–": "-", "‒": "-" },
  ...{ "⁄": "/", "∕": "/", "÷": "/" },
  ...{ "*": "·", "×": "·", "⋅": "·", "∙": "·" },
};
Object.assign(WRITTEN, { "％": "%", "，": ",", "．": "." });
const DECIMAL = "(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?";
const LONELY = new RegExp(`^${DECIMAL}$`);
const FACTOR = new RegExp(`^(${DECIMAL})?(?:√(?:\\((${DECIMAL}(?:/${DECIMAL})?)\\)|(${DECIMAL})))?$`);
const GIVE = " this number. ";
const OR = " Or: ";

/** A typed number. Throws a sentence where it is none. @param {string} text @returns {Typed} */
export function readTyped(text) {
  const plain = [...text]
    .map((c) => WRITTEN[c] ?? ("０" <= c && c <= "９" ? String(c.codePointAt(0) - 0xff10) : c))
    .join("")
    .replace(/\s+/g, "")
    .replaceAll("sqrt", "√");
  if (!plain) throw `Type a number, such as ${EXAMPLES}.`;
  if ([...plain].length > LONGEST) {
    throw `A number has at most ${LONGEST} characters here; write one such as ${EXAMPLES}.`;
  }
  const percent = plain.endsWith("%");
  const body = plain.replace(/^-/, "").replace(/^\+/, "").replace(/%$/, "");
  let [value, doubt, operator] = [1, 0, "·"];
  for (const part of body.replace(/\([^()]*\)/g, (inner) => inner.replaceAll("/", "|")).split(/([/·])/)) {
    if (part === "/" || part === "·") {
      operator = part;
      continue;
    }
    const [found, share] = factor(part.replaceAll("|", "/"), text);
    if (operator === "/" && !found) throw `“${typedText(text)}” divides by 0; write a number such as ${EXAMPLES}.`;
    value = operator === "·" ? value * found : value / found;
    doubt += share;
  }
  value *= (plain[0] === "-" ? -1 : 1) * (percent ? 0.01 : 1);
  if (!Number.isFinite(value)) throw `“${typedText(text)}” is too large; write a number such as ${EXAMPLES}.`;
  return { value, unit: LONELY.test(body) ? unitOf(body, percent ? 2 : 0) : 2 * doubt * Math.abs(value) };
}

/** A factor's value, and the share by which its rounded numbers may be off.
 * @param {string} part @param {string} text @returns {[value: number, share: number]} */
function factor(part, text) {
  const found = part && part.match(FACTOR);
  if (!found) throw `“${typedText(text)}” is no number here; write one such as ${EXAMPLES}.`;
  const [, plain, inner, root] = found;
  const [value, doubt] = plain ? digitsOf(plain) : [1, 0];
  const under = inner ?? root;
  if (under === undefined) return [value, doubt];
  const [top, bottom] = under.split("/");
  let [below, share] = digitsOf(top);
  if (bottom) {
    const [divisor, more] = digitsOf(bottom);
    if (!divisor) throw `“${typedText(text)}” divides by 0; write a number such as ${EXAMPLES}.`;
    [below, share] = [below / divisor, share + more];
  }
  return [value * Math.sqrt(below), doubt + share / 2];
}

/** @param {string} digits @returns {[value: number, share: number]} */
function digitsOf(digits) {
  const value = Number(digits.replace(",", "."));
  return [value, /[.,][0-9]/.test(digits) && value ? (0.5 * unitOf(digits)) / value : 0];
}

/** What 1 in the last digit is worth, which stands so many places `further` behind the point.
 * @param {string} digits @param {number} [further] */
function unitOf(digits, further = 0) {
  const [plain, power = "0"] = digits.replace(",", ".").toLowerCase().split("e");
  return Number(`1e${Number(power) - (plain.split(".")[1]?.length ?? 0) - further}`);
}

/** @param {string} text */
function typedText(text) {
  const seen = [...text].slice(0, LONGEST + 20).map((c) => (HIDDEN.test(c) ? " " : c));
  const letters = [...seen.join("").trim()];
  return letters.length <= LONGEST ? letters.join("") : `${letters.slice(0, LONGEST - 1).join("")}…`;
}

/** Whether a typed number is the value: exactly, or rounded or cut to the decimals that were typed, two at least.
 * @param {Typed} typed @param {number} value */
export function fits({ value: typed, unit }, value) {
  const away = Math.abs(typed - value);
  if (away <= EQUAL * Math.max(1, Math.abs(value))) return true;
  if (!(unit > 0 && unit <= UNIT + EQUAL)) return false;
  const cut = Math.abs(typed) < Math.abs(value) && Math.abs(value) < Math.abs(typed) + unit && typed * value >= 0;
  return away <= unit / 2 + EQUAL || cut;
}

/** Whether a typed number would be the value, had it not been rounded to fewer than two decimals.
 * @param {Typed} typed @param {number} value */
export function coarse(typed, value) {
  return typed.unit > UNIT + EQUAL && Math.abs(typed.value - value) <= typed.unit / 2 && !fits(typed, value);
}

/** Whether a typed number stands for a value of a question, whose numbers may be to be `rounded`.
 * @param {Typed} typed @param {Value} value @param {boolean} rounded */
function means(typed, { number, within }, rounded) {
  const away = Math.abs(typed.value - number);
  if (rounded) return away <= within || fits(typed, number);
  return away <= within && (typed.unit >= 1 || away <= EQUAL + 1.01 * typed.unit);
}

/** @param {import("./verdicts.js").Numbers} question @param {string} text @returns {import("./verdicts.js").Verdict} */
export function judgeNumber({ values, rounded, otherwise }, text) {
  let typed;
  try {
    typed = readTyped(text);
  } catch (sentence) {
    return no(String(sentence));
  }
  const [right] = values;
  const meant = values.filter((value) => means(typed, value, rounded));
  if (meant.length && (meant[0] === right || meant.length === 1 || !rounded)) return meant[0].verdict;
  if (!rounded) return otherwise;
  const away = (/** @type {Value} */ { number }) => Math.abs(number - typed.value);
  if (meant.length) {
    return no(together(meant.sort((a, b) => away(a) - away(b)).map(({ verdict }) => verdict.because)));
  }
  if (coarse(typed, right.number)) return no("Rounded too far: give at least two decimals.");
  const side = typed.value > right.number ? "lower" : "higher";
  return { ...otherwise, because: `${otherwise.because} The number is ${side}.` };
}

/** The sentences of slips that give one number, as one text. @param {string[]} texts */
function together(texts) {
  const last = (
    /** @type {string} */ text,
  ) => (text.includes(GIVE) ? text.slice(text.lastIndexOf(GIVE) + GIVE.length) : text);
  const said = texts.flatMap((text) => last(text).split(OR));
  if (said.length === 1) return said[0];
  return `${said.length === 2 ? "Two slips give" : "Several slips give"}${GIVE}${said.slice(0, 2).join(OR)}`;
}
