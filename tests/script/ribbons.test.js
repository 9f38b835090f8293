import assert from "node:assert/strict";
import test from "node:test";
import { cellsOf, outline, ribbonsOf, rowCounts, seenOf, spanOf } from "../../viz/draw/evidence/script/ribbons.js";

/** @param {number} left @param {number} top @param {number} right @param {number} bottom */
const box = (left, top, right, bottom) => /** @type {DOMRect} */ ({ left, top, right, bottom, height: bottom - top });

test("ribbons are read as they are listed", () => {
  assert.deepEqual(ribbonsOf(undefined), []);
  assert.deepEqual(ribbonsOf(""), []);
  assert.deepEqual(ribbonsOf("0,3 5,7,2"), [{ i: 0, j: 3, length: 1 }, { i: 5, j: 7, length: 2 }]);
  assert.deepEqual(cellsOf({ i: 5, j: 7, length: 2 }, 1), ["5,1,7", "6,1,8"]);
});

test("a ribbon takes of its line what its words do, so that ribbons of a line keep its order", () => {
  const edges = { left: 100, right: 300, rtl: false };
  const first = spanOf(box(100, 0, 150, 20), box(100, 0, 150, 20), edges);
  const second = spanOf(box(150, 0, 300, 20), box(150, 0, 300, 20), edges);
  assert.deepEqual([first, second], [{ from: 0, to: 5 }, { from: 5, to: 20 }]);
  const lines = spanOf(box(200, 0, 300, 20), box(100, 40, 200, 60), edges);
  assert.deepEqual(lines, { from: 10, to: 50 });
  const turned = spanOf(box(250, 0, 300, 20), box(250, 0, 300, 20), { ...edges, rtl: true });
  assert.deepEqual(turned, { from: 0, to: 5 });
});

test("no ribbon is thinner than can be seen, and none leaves its line", () => {
  const edges = { left: 0, right: 100, rtl: false };
  const { from, to } = spanOf(box(50, 0, 50, 10), box(50, 0, 50, 10), edges);
  assert.ok(to - from >= 1.5);
  assert.deepEqual(spanOf(box(-20, 0, 130, 10), box(-20, 0, 130, 10), edges), { from: 0, to: 10 });
  const nothing = spanOf(box(0, 0, 0, 0), box(0, 0, 0, 0), { left: 0, right: 0, rtl: false });
  assert.ok([nothing.from, nothing.to].every(Number.isFinite));
});

test("an outline leads from one edge to the other and back", () => {
  assert.equal(
    outline({ from: 0, to: 5 }, { from: 10.04, to: 16 }, 100, 140),
    "M100 0C120 0 120 10 140 10V16C120 16 120 5 100 5Z",
  );
});

test("rows say how many sentences of each side go together", () => {
  assert.deepEqual(rowCounts("1,1 2,1 0,1"), [[1, 1], [2, 1], [0, 1]]);
  assert.deepEqual(rowCounts("12,1,3"), [[12, 1, 3]]);
});

test("cells are those of A and of B as well", () => {
  assert.deepEqual(cellsOf({ i: 5, j: 7, length: 2 }, 1, "b"), ["b5,1,7", "b6,1,8"]);
});

test("what is seen is found without a look at each", () => {
  const words = Array.from({ length: 1000 }, (_, n) => n);
  let looks = 0;
  const boxOf = (/** @type {number} */ n) => {
    looks++;
    return { top: Math.floor(n / 10) * 20, bottom: Math.floor(n / 10) * 20 + 20 }; // ten in a line
  };
  assert.deepEqual(seenOf(words, boxOf, 100, 160), [50, 79]);
  assert.ok(looks < 50);
  assert.deepEqual(seenOf(words, boxOf, -50, 5), [0, 9]);
  assert.equal(seenOf(words, boxOf, 3000, 4000), undefined);
  assert.equal(seenOf([], boxOf, 0, 10), undefined);
});
