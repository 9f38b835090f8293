import assert from "node:assert/strict";
import test from "node:test";
import { group, nameOf, placeOf, referenceOf, runsOf, split, wordsOf } from "../../viz/draw/evidence/script/names.js";

test("a cell is named by its row, its reference and its column", () => {
  assert.deepEqual(placeOf("3,0,5"), { side: "c", i: 3, k: 0, j: 5 });
  assert.deepEqual(placeOf("b12,1,0"), { side: "b", i: 12, k: 1, j: 0 });
  assert.deepEqual(wordsOf("3,0,5"), ["c3", "r0_5"]);
  assert.deepEqual(wordsOf("d3,2,5"), ["d3", "r2_5"]);
  for (const cell of ["3,0,5", "a0,1,2", "d10,0,11"]) {
    const { side, i, k, j } = placeOf(cell);
    assert.equal(nameOf(side + i, k, j), cell);
  }
});

test("no attribute has no names", () => {
  assert.deepEqual(split("c0 r0_1"), ["c0", "r0_1"]);
  assert.deepEqual([split(""), split(undefined)], [[], []]);
});

test("words of a reference say which", () => {
  assert.deepEqual(["r0_3", "c1 r2_0", "c1 c4"].map(referenceOf), ["0", "2", undefined]);
});

test("things are grouped by all their names, in their order", () => {
  const groups = group(["ab", "b", "ca"], (word) => [...word]);
  assert.deepEqual([...groups], [["a", ["ab", "ca"]], ["b", ["ab", "b"]], ["c", ["ca"]]]);
});

test("a run follows a diagonal of one reference and one side", () => {
  const table = [
    [[], []],
    [["0,0,0"], [["0,0,0"]]],
    [["0,0,1", "1,0,2", "2,0,3"], [["0,0,1", "1,0,2", "2,0,3"]]],
    [["0,0,1", "1,0,3"], [["0,0,1"], ["1,0,3"]]],
    [["0,0,1", "1,1,2"], [["0,0,1"], ["1,1,2"]]],
    [["0,0,1", "b1,0,2"], [["0,0,1"], ["b1,0,2"]]],
    [["1,0,2", "0,0,1"], [["1,0,2"], ["0,0,1"]]],
  ];
  for (const [cells, runs] of table) assert.deepEqual(runsOf(/** @type {string[]} */ (cells)), runs);
});
