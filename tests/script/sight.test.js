import assert from "node:assert/strict";
import test from "node:test";
import { shift } from "../../viz/draw/evidence/script/sight.js";

const spans = (/** @type {[number, number][]} */ ...all) => all.map(([from, to]) => ({ from, to }));

test("what is seen moves nothing, what is not no more than it must", () => {
  assert.equal(shift([], 100, 500), 0);
  assert.equal(shift(spans([100, 120], [480, 500]), 100, 500), 0);
  assert.equal(shift(spans([600, 620]), 100, 500), 120);
  assert.equal(shift(spans([300, 320], [600, 620]), 100, 500), 120);
  assert.equal(shift(spans([40, 60]), 100, 500), -60);
  assert.equal(shift(spans([40, 60], [400, 420]), 100, 500), -60);
});

test("of what is longer than its room the beginning is shown, unless some of it is seen", () => {
  assert.equal(shift(spans([600, 1200]), 100, 500), 500);
  assert.equal(shift(spans([-900, -100]), 100, 500), -1000);
  assert.equal(shift(spans([-900, -880], [200, 220], [1200, 1220]), 100, 500), 0);
});
