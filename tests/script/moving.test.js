import assert from "node:assert/strict";
import test from "node:test";
import { gapAt } from "../../viz/draw/learn/script/moving.js";
import { outcome } from "../../viz/draw/learn/script/outcome.js";

/** @param {number} score @param {string} said @param {[string, string][]} [parts] */
const scored = (score, said, parts = []) => ({ label: "GTM", score, said, parts });

test("a prediction is right or not, and what changed is said with the numbers of both results", () => {
  const [low, high] = [
    scored(0.5, "0.500", [["P", "0.5"], ["R", "1"]]),
    scored(0.75, "0.750", [["P", "0.6"], ["R", "1"]]),
  ];
  assert.deepEqual(outcome(low, high, "up"), {
    right: true,
    head: "Right: GTM goes up, from 0.500 to 0.750.",
    rest: "Also changed: P 0.5 → 0.6.",
  });
  assert.equal(outcome(high, low, "same").head, "You said the same: GTM goes down, from 0.750 to 0.500.");
  assert.deepEqual(outcome(low, low, "same"), {
    right: true,
    head: "Right: GTM stays the same, 0.500.",
    rest: "So do P and R.",
  });
  assert.equal(outcome(low, scored(0.5 + 1e-12, "0.500"), "up").right, false, "no more than rounding");
  const tiny = outcome(low, scored(0.50004, "0.500", low.parts), "up");
  assert.equal(tiny.head, "Right: GTM goes up, from 0.50000 to 0.50004.");
  assert.equal(tiny.rest, "As printed, P and R stay the same.");
});

test("a word goes before the one in whose first half it is let go, in the line that is nearest", () => {
  const rect = (/** @type {number} */ left, /** @type {number} */ top) => (/** @type {any} */ ({
    ...{ left, top, right: left + 40, bottom: top + 30 },
  }));
  const rects = [rect(0, 0), rect(50, 0), rect(0, 40)];
  const at = (/** @type {number} */ x, /** @type {number} */ y, turned = false) => gapAt(rects, x, y, turned);
  assert.deepEqual([at(5, 10), at(30, 10), at(95, 10), at(5, 60), at(70, 200), at(0, -50)], [0, 1, 2, 2, 3, 0]);
  const turned = [rect(50, 0), rect(0, 0)];
  assert.deepEqual([95, 45, 1].map((x) => gapAt(turned, x, 10, true)), [0, 1, 2]);
  assert.equal(gapAt([], 3, 3, false), 0);
});
