import assert from "node:assert/strict";
import test from "node:test";
import { judge } from "../../viz/draw/steps/script/judge.js";
import { readTyped } from "../../viz/draw/steps/script/expression.js";
import { fits, judgeNumber } from "../../viz/draw/steps/script/typed.js";
import { printed, quoted } from "../../viz/draw/steps/script/wording.js";

// That these say what the core says is held in tests/teach/test_script.py, over all metrics and 100,000 numbers.

const NO = { how: "no", because: "No." };

/** A question whose answer is a set of cells. @param {object} rule */
const asked = (rule) => /** @type {any} */ ({
  ...{ kind: "cells", text: "?", shows: "0,0,0 1,0,1", verdicts: {}, otherwise: NO, values: [], rounded: true },
  words: [["a", "b", "a"], ["a", "b", "c"]],
  rule: { power: 1, size: 2, rising: true, gaps: false, chunks: null, ...rule },
});
const HITS = asked({ cells: { "0,0,0": 1, "1,0,1": 1, "2,0,0": 1 } });

test("a set of cells is judged by its rule", () => {
  const table = [
    ["1,0,1  0,0,0 0,0,0", "right", "This is what the program takes."],
    ["0,0,0", "no", "This has 1 word; 2 are possible."],
    ["0,0,1", "no", "“a” and “b” do not match."],
    ["0,0,0 2,0,0", "no", "“a” is used twice: each word can match only once."],
    ["1,0,1 2,0,0", "no", "Wrong order: “a” comes before “b” in the reference."],
    ["0,0,9", "no", "There is no such cell."],
    ["zz", "no", "No."],
    ["", "no", "No."],
  ];
  for (const [answer, how, because] of table) {
    const verdict = judge(HITS, answer);
    assert.deepEqual([verdict.how, verdict.because], [how, because], answer);
  }
  assert.deepEqual(judge(HITS, "0,0,0 2,0,0").marks, [{ cells: ["0,0,0", "2,0,0"], words: [] }]);
});

test("an answer that stands among the verdicts is judged by it, in any order", () => {
  const question = { ...HITS, verdicts: { "c0 c1": { how: "right", because: "Yes." } } };
  assert.equal(judge(question, " c1 c0 c1 ").because, "Yes.");
  assert.equal(judge({ ...question, rule: null }, "constructor").because, "No.");
});

test("a number is read with its last decimal", () => {
  const { value, unit, single } = readTyped(" 0,375 ");
  assert.deepEqual([value, unit, single], [0.375, 0.001, true]);
  assert.equal(readTyped("3/8").value, 0.375);
  assert.deepEqual([readTyped("7").unit, readTyped("√16/8").value], [1, 0.5]);
  assert.throws(() => readTyped("1/0"), (sentence) => String(sentence).includes("divides by 0"));
  assert.ok(fits(readTyped("0.67"), 2 / 3) && fits(readTyped("0.66"), 2 / 3) && !fits(readTyped("0.65"), 2 / 3));
});

/** What MathML says, computed from it alone: a list of its elements, each with its name and what is in it.
 * @param {string} markup */
function computed(markup) {
  const tokens = markup.match(/<[^>]+>|[^<]+/g);
  /** @typedef {{name: string, inner: (Node | string)[]}} Node */
  /** @returns {Node} */
  const element = () => {
    const name = tokens.shift().match(/[a-z]+/)[0];
    const inner = [];
    while (!tokens[0].startsWith("</")) inner.push(tokens[0].startsWith("<") ? element() : tokens.shift());
    tokens.shift();
    return { name, inner };
  };
  const text = (/** @type {Node} */ e) => String(e.inner[0]);
  /** The text of a calculation in the signs of JavaScript. @param {any} e @returns {string} */
  const written = (e) => {
    const inner = e.inner.map((/** @type {any} */ part) => (typeof part === "string" ? part : written(part)));
    if (e.name === "mo") return { "−": "-", "·": "*", "%": "* 0.01" }[text(e)] ?? text(e);
    if (e.name === "mi") return { e: "Math.E", ln: "Math.log", exp: "Math.exp" }[text(e)] ?? text(e);
    if (e.name === "mn") return `(${text(e).replace("−", "-")})`;
    if (e.name === "mfrac") return `((${inner[0]}) / (${inner[1]}))`;
    if (e.name === "msup") return `((${inner[0]}) ** (${inner[1]}))`;
    if (e.name === "msqrt") return `Math.sqrt(${inner[0]})`;
    if (e.name === "msub") return `Math.log${inner[1].replace(/[()]/g, "")}`;
    if (e.name === "mspace") return "";
    return inner.join(" ");
  };
  return Function(`return ${written(element())}`)();
}

test("what was read is set in type as it was read", () => {
  const table = [
    ["2√34/(9+8)", (2 * Math.sqrt(34)) / 17],
    ["(√34/9+√34/8)/2", (Math.sqrt(34) / 9 + Math.sqrt(34) / 8) / 2],
    ["34^(1/2)", Math.sqrt(34)],
    ["= 3,75e-1", 0.375],
    ["5−(3−2)", 4],
    ["−(2+3)²", -25],
    ["(1+2)(3+4)", 21],
    ["2(3)", 6],
    ["2^3^2", 512],
    ["(2^3)^2", 64],
    ["(-2)^2", 4],
    ["10⁻³", 0.001],
    ["2^-(1+2)", 0.125],
    ["(3/8) %", 0.00375],
    ["(20+5)%·2", 0.5],
    ["8/(4/2)", 4],
    ["exp(1−9/8)·½", Math.exp(-1 / 8) / 2],
    ["log2(8)+log₁₀(100)−ln(e^2)", 3],
    ["(3e1)^2", 900],
    ["√√16", 2],
  ];
  for (const [text, value] of table) {
    const typed = readTyped(String(text));
    assert.ok(Math.abs(typed.value - Number(value)) < 1e-12, `${text} is ${typed.value}`);
    assert.ok(Math.abs(computed(typed.seen) - Number(value)) < 1e-12, `${text}: ${typed.seen}`);
  }
});

test("what is no answer yet is free", () => {
  const values = [{ number: 0.996, within: 0, verdict: { how: "right", because: "Yes." } }];
  const question = /** @type {any} */ ({ values, rounded: true, otherwise: NO });
  const free = (/** @type {string} */ text) => judgeNumber(question, text).free ?? false;
  assert.deepEqual(["", "(1", "1.00", "0.9x"].map(free), [true, true, true, true]);
  assert.deepEqual(["1", "0", "0.8", "0.996"].map(free), [false, false, false, false]);
});

test("numbers and words are written as the core writes them", () => {
  assert.deepEqual([2, 0.5, -1 / 3, 1e-5, 2.5e6].map(printed), ["2", "0.500", "−0.333", "1.00e-05", "2.50e+06"]);
  assert.deepEqual([quoted("word"), quoted("a\u202eb"), quoted("immeasurably")], [
    "“word”",
    "“a\ufffdb”",
    "“immeasurably”",
  ]);
  assert.equal(quoted("immeasurablyy"), "“immeasurabl…”");
});
