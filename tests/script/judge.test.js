import assert from "node:assert/strict";
import test from "node:test";
import { judge } from "../../viz/draw/steps/script/judge.js";
import { fits, readTyped } from "../../viz/draw/steps/script/typed.js";
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
    ["0,0,0 2,0,0", "no", "“a” is used twice: each word matches once at the most."],
    ["1,0,1 2,0,0", "no", "“a” falls: in the reference it stands before “b”."],
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
  assert.deepEqual(readTyped(" 0,375 "), { value: 0.375, unit: 0.001 });
  assert.equal(readTyped("3/8").value, 0.375);
  assert.deepEqual([readTyped("7").unit, readTyped("√16/8").value], [1, 0.5]);
  assert.throws(() => readTyped("1/0"), (sentence) => String(sentence).includes("divides by 0"));
  assert.ok(fits(readTyped("0.67"), 2 / 3) && fits(readTyped("0.66"), 2 / 3) && !fits(readTyped("0.65"), 2 / 3));
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
