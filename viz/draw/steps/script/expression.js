// What is typed for a number, read as by the core (`metrics.teach.expression`, which has the grammar), and set in type as
// it was read. Nothing is ever evaluated.

import { HIDDEN } from "./wording.js";

/**
 * A number, and the unit of its last digit; of a calculation what rounded numbers in it leave in doubt, 0 where it is exact.
 * `seen` is the MathML of what was read, and `single` says that it is one number without a calculation.
 * @typedef {{value: number, unit: number, seen: string, single: boolean}} Typed
 */
/**
 * What a part is worth, by how much rounded numbers in it may be off, the power of ten of the last digit of a single number,
 * its MathML, and how fast it holds together: 1 a sum, 2 a product, 3 a fraction or a power, 4 what needs no bracket.
 * @typedef {{value: number, doubt: number, last?: number, seen: string, binds: number}} Part
 */

export const EXAMPLES = "0.375, 3/8, 37.5 % or 2√34/(9 + 8)";
const [LONGEST, QUOTED, DEEPEST, LARGEST] = [100, 40, 20, 1e100];
/** @type {Record<string, string>} signs that stand for others */
const WRITTEN = { "−": "-", "–": "-", "‒": "-", "⁄": "/", "∕": "/", "÷": "/", ":": "/" };
Object.assign(WRITTEN, { "*": "·", "×": "·", "⋅": "·", "∙": "·", "％": "%", "，": ",", "．": "." });
Object.assign(WRITTEN, { "（": "(", "）": ")", "＋": "+", "＝": "=", "／": "/" });
const BLANK = "[\\t\\n\\v\\f\\r \u00a0\u2000-\u200a\u202f\u205f\u3000]";
const THOUSANDS = new RegExp(`(?<=[0-9])${BLANK}(?=[0-9]{3}(?![0-9]))`, "gu");
const ENDS = new RegExp(`^${BLANK}+|${BLANK}+$`, "gu");
/** @type {Record<string, [top: number, bottom: number]>} */
const VULGAR = {
  "½": [1, 2],
  "⅓": [1, 3],
  "⅔": [2, 3],
  "¼": [1, 4],
  "¾": [3, 4],
  "⅕": [1, 5],
  "⅖": [2, 5],
  "⅗": [3, 5],
};
Object.assign(VULGAR, { "⅘": [4, 5], "⅙": [1, 6], "⅚": [5, 6], "⅐": [1, 7], "⅛": [1, 8], "⅜": [3, 8], "⅝": [5, 8] });
Object.assign(VULGAR, { "⅞": [7, 8], "⅑": [1, 9], "⅒": [1, 10] });
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
const NUMBER = "(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:e[+-]?[0-9]{1,3}(?![0-9]))?";
const NAMES = "exp|ln|log10|log₁₀|log2|log₂|log|e";
const TOKEN = new RegExp(
  `${BLANK}*(?:(?<number>${NUMBER})|(?<vulgar>[${Object.keys(VULGAR).join("")}])|(?<raised>[⁺⁻]?[⁰¹²³⁴-⁹]+)` +
    `|(?<name>(?:${NAMES})(?![a-z₀-₉]))|(?<sign>[-+·x/%^√()]))`,
  "uy",
);

/** The number that a text says. Throws a sentence where it says none. @param {string} text @returns {Typed} */
export function readTyped(text) {
  const { value, doubt, last, seen } = new Reader(text).whole();
  const [unit, single] = [last === undefined ? 2 * doubt : Number(`1e${last}`), last !== undefined];
  return { value, unit, seen: `<math>${seen}</math>`, single };
}

/** A text for a sentence. @param {string} text */
function typedText(text) {
  const seen = [...text].slice(0, QUOTED + 20).map((c) => (HIDDEN.test(c) ? " " : c));
  const letters = [...seen.join("").trim()];
  return letters.length <= QUOTED ? letters.join("") : `${letters.slice(0, QUOTED - 1).join("")}…`;
}

const NUMBERS = `write a number such as ${EXAMPLES}`;
const row = (/** @type {string[]} */ ...inner) => `<mrow>${inner.join("")}</mrow>`;
const sign = (/** @type {string} */ text) => `<mo>${text}</mo>`;
const digits = (/** @type {string} */ text) => `<mn>${text}</mn>`;
const fraction = (/** @type {string} */ top, /** @type {string} */ bottom) => `<mfrac>${top}${bottom}</mfrac>`;
const raisedTo = (/** @type {string} */ base, /** @type {string} */ top) => `<msup>${base}${top}</msup>`;
const bracketed = (/** @type {string} */ inner) => row(sign("("), inner, sign(")"));
/** A part as it stands in one that binds so fast. @param {Part} part @param {number} binds */
const held = ({ seen, binds: own }, binds) => (own < binds ? bracketed(seen) : seen);

/** One text, read from the left; a method for each line of the grammar. */
class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.deep = 0;
    /** @type {[kind: string, token: string][]} */
    this.tokens = [];
    const letters = [...text.replaceAll("**", "^")].map((c) => {
      if ("０" <= c && c <= "９") return String(c.codePointAt(0) - 0xff10);
      return "A" <= c && c <= "Z" ? c.toLowerCase() : (WRITTEN[c] ?? c);
    });
    const plain = letters.join("").replace(THOUSANDS, "").replaceAll("sqrt", "√").replace(ENDS, "");
    if (!plain) throw `Type a number, such as ${EXAMPLES}.`;
    if ([...plain].length > LONGEST) {
      throw `A number has at most ${LONGEST} characters here; write one such as ${EXAMPLES}.`;
    }
    TOKEN.lastIndex = plain.startsWith("=") ? 1 : 0;
    let end = TOKEN.lastIndex;
    for (let found = TOKEN.exec(plain); found; found = TOKEN.exec(plain)) {
      const [kind, token] = Object.entries(found.groups).find(([, token]) => token);
      this.tokens.push([kind, token === "x" ? "·" : token]);
      end = TOKEN.lastIndex;
    }
    if (end < plain.length || !this.tokens.length) this.refuse();
  }

  /** @returns {never} */
  refuse(why = "is not a number here", then = `write one such as ${EXAMPLES}`) {
    throw `“${typedText(this.text)}” ${why}; ${then}.`;
  }

  /** The next token where it is of a kind, else "". */
  next(kind = "sign") {
    const [found, token] = this.tokens[this.at] ?? ["", ""];
    return found === kind ? token : "";
  }

  /** The next token where it is of a kind, and a sign one of these, else "". @param {string} signs */
  take(signs, kind = "sign") {
    const token = this.next(kind);
    if (!token || (kind === "sign" && !signs.includes(token))) return "";
    this.at += 1;
    return token;
  }

  /** @param {number} value @param {number} doubt @param {string} seen @param {number} binds @param {number} [last]
   * @returns {Part} */
  made(value, doubt, seen, binds, last) {
    if (!(Math.abs(value) <= LARGEST)) this.refuse("is too large", NUMBERS);
    return { value, doubt, seen, binds, last };
  }

  whole() {
    const found = this.sum();
    if (this.at < this.tokens.length) {
      if (this.next("number") || this.next("vulgar")) {
        this.refuse("has two numbers next to each other", "put a sign between them");
      }
      if (this.next() === ")") this.refuse("closes a bracket that is not open", "remove it, or open it");
      this.refuse();
    }
    return found;
  }

  /** @returns {Part} */
  sum() {
    const minus = this.take("+-") === "-";
    let found = this.product();
    if (minus) found = { ...found, value: -found.value, seen: row(sign("−"), held(found, 2)), binds: 1 };
    for (let by = this.take("+-"); by; by = this.take("+-")) {
      const other = this.product();
      const value = by === "+" ? found.value + other.value : found.value - other.value;
      const seen = row(found.seen, sign(by === "+" ? "+" : "−"), held(other, 2));
      found = this.made(value, found.doubt + other.doubt, seen, 1);
    }
    return found;
  }

  /** @returns {Part} */
  product() {
    let [found] = this.implied();
    for (let by = this.take("·/%"); by; by = this.take("·/%")) {
      if (by === "%") {
        if (this.next() === "%") this.refuse();
        const last = found.last === undefined ? undefined : found.last - 2;
        const seen = row(held(found, 3), '<mspace width="0.2em"></mspace>', sign("%"));
        found = this.made(found.value * 0.01, found.doubt * 0.01, seen, 2, last);
        continue;
      }
      const [other, factors] = this.implied();
      if (by === "/" && factors > 1) this.refuse("can be read in two ways", "put brackets around the divisor");
      found = by === "·" ? this.times(found, other) : this.over(found, other);
    }
    return found;
  }

  /** @param {Part} a @param {Part} b */
  times(a, b) {
    const doubt = Math.abs(a.value) * b.doubt + Math.abs(b.value) * a.doubt;
    return this.made(a.value * b.value, doubt, row(held(a, 2), sign("·"), held(b, 2)), 2);
  }

  /** @param {Part} a @param {Part} b */
  over(a, b) {
    if (!b.value) this.refuse("divides by 0", NUMBERS);
    const value = a.value / b.value;
    const doubt = (a.doubt + Math.abs(value) * b.doubt) / Math.abs(b.value);
    return this.made(value, doubt, fraction(row(a.seen), row(b.seen)), 3);
  }

  /** Factors without a sign between them, and how many. @returns {[found: Part, factors: number]} */
  implied() {
    let [found, factors] = [this.power(), 1];
    while (["√", "("].includes(this.next()) || this.next("name")) {
      found = this.times(found, this.power());
      factors += 1;
    }
    return [found, factors];
  }

  /** @returns {Part} */
  power() {
    const base = this.atom();
    const raised = this.take("", "raised");
    if (raised) {
      const plain = [...raised].map((c) => "0123456789+-"[RAISED.indexOf(c)]).join("");
      const value = Number(plain);
      return this.raised(base, { value, doubt: 0, seen: digits(plain.replace("-", "−").replace("+", "")), binds: 4 });
    }
    if (!this.take("^")) return base;
    const minus = this.take("+-") === "-";
    this.deeper();
    const exponent = this.power();
    this.deep -= 1;
    if (!minus) return this.raised(base, exponent);
    return this.raised(base, { ...exponent, value: -exponent.value, seen: row(sign("−"), held(exponent, 2)) });
  }

  /** @param {Part} base @param {Part} exponent */
  raised(base, exponent) {
    if (!base.value && exponent.value < 0) this.refuse("divides by 0", NUMBERS);
    if (base.value < 0 && !Number.isInteger(exponent.value)) this.refuse("takes a root of a number below 0", NUMBERS);
    const [value, size] = [base.value ** exponent.value, Math.abs(base.value)];
    const share = size ? (Math.abs(exponent.value) * base.doubt) / size + Math.abs(Math.log(size)) * exponent.doubt : 0;
    return this.made(value, Math.abs(value) * share, raisedTo(row(held(base, 4)), row(exponent.seen)), 3);
  }

  /** @returns {Part} */
  atom() {
    const number = this.take("", "number");
    if (number) return this.number(number);
    const vulgar = this.take("", "vulgar");
    if (vulgar) {
      const [top, bottom] = VULGAR[vulgar];
      return { value: top / bottom, doubt: 0, seen: fraction(digits(String(top)), digits(String(bottom))), binds: 3 };
    }
    const name = this.take("", "name");
    if (name) return this.named(name);
    if (this.take("√")) {
      this.deeper();
      const under = this.atom();
      this.deep -= 1;
      if (under.value < 0) this.refuse("takes a root of a number below 0", NUMBERS);
      const value = Math.sqrt(under.value);
      return { value, doubt: value ? under.doubt / (2 * value) : 0, seen: `<msqrt>${under.seen}</msqrt>`, binds: 4 };
    }
    return this.take("(") ? this.closed() : this.refuse();
  }

  /** What stands in a bracket that is open. */
  closed() {
    this.deeper();
    const found = this.sum();
    this.deep -= 1;
    if (!this.take(")")) {
      if (this.at === this.tokens.length) this.refuse("opens a bracket that it does not close", "close it");
      this.refuse();
    }
    return found;
  }

  deeper() {
    this.deep += 1;
    if (this.deep > DEEPEST) {
      this.refuse("has too many brackets or roots inside each other", "write it with fewer brackets and roots");
    }
  }

  /** @param {string} text */
  number(text) {
    const pointed = text.replace(",", ".");
    const [plain, power] = pointed.split("e");
    const last = Number(power ?? 0) - (plain.split(".")[1]?.length ?? 0);
    const value = Number(pointed);
    const tens = raisedTo(digits("10"), digits(String(Number(power)).replace("-", "−")));
    const seen = power === undefined ? digits(plain) : row(digits(plain), sign("·"), tens);
    const vulgar = this.next("vulgar");
    if (vulgar && /^[0-9]+$/.test(text)) {
      this.at += 1;
      const [top, bottom] = VULGAR[vulgar];
      const both = row(seen, fraction(digits(String(top)), digits(String(bottom))));
      return this.made(value + top / bottom, 0, both, 2);
    }
    const doubt = /[.,][0-9]/.test(text) && value ? 0.5 * Number(`1e${last}`) : 0;
    return this.made(value, doubt, seen, power === undefined ? 4 : 2, last);
  }

  /** @param {string} name @returns {Part} */
  named(name) {
    if (name === "e") {
      if (this.next() !== "^" && !this.next("raised")) this.refuse();
      return { value: Math.E, doubt: 0, seen: "<mi>e</mi>", binds: 4 };
    }
    if (name === "log") this.refuse("does not say the base of its logarithm", "write ln, log2 or log10");
    if (!this.take("(")) this.refuse(`has ${name} without a bracket`, `write ${name}(…)`);
    const inside = this.closed();
    const base = name.startsWith("log") ? (/2|₂/.test(name) ? 2 : 10) : Math.E;
    const called = name.startsWith("log") ? `<msub><mi>log</mi><mn>${base}</mn></msub>` : `<mi>${name}</mi>`;
    const seen = row(called, bracketed(inside.seen));
    if (name === "exp") {
      const value = Math.exp(inside.value);
      return this.made(value, value * inside.doubt, seen, 4);
    }
    if (inside.value <= 0) this.refuse("takes the logarithm of a number that is not above 0", NUMBERS);
    const value = base === 2
      ? Math.log2(inside.value)
      : base === 10
      ? Math.log10(inside.value)
      : Math.log(inside.value);
    return { value, doubt: inside.doubt / inside.value / Math.log(base), seen, binds: 4 };
  }
}
