import assert from "node:assert/strict";
import test from "node:test";
import { level, rowAt } from "../../viz/draw/pen/script/folding.js";
import { ACROSS, DOWN, ledTo, rove } from "../../viz/draw/pen/script/leading.js";

test("rows that are folded share the height of one", () => {
  const folds = [[2, 5], [7, 9]]; // rows 2 to 5 and 7 to 9
  const drawn = [0, 1, 2, 2 + 1 / 3, 2 + 2 / 3, 3, 4, 5, 5.5, 6];
  drawn.forEach((at, row) => assert.ok(Math.abs(level(folds, row) - at) < 1e-12, `row ${row} at ${level(folds, row)}`));
  for (let row = 0; row < 10; row++) assert.equal(rowAt(folds, level(folds, row) + 1e-9), row);
  assert.equal(level([], 4), 4);
  assert.equal(rowAt([], 4.9), 4);
});

test("arrow keys lead to what stands beside, and not beyond the ends", () => {
  const things = ["a", "b", "c"];
  const table = [
    ["ArrowDown", "a", DOWN, "b"],
    ["ArrowDown", "c", DOWN, undefined],
    ["ArrowUp", "b", DOWN, "a"],
    ["ArrowUp", "a", DOWN, undefined],
    ["ArrowRight", "a", DOWN, undefined],
    ["ArrowRight", "a", ACROSS, "b"],
    ["ArrowLeft", "b", [...ACROSS, ...DOWN], "a"],
    ["Home", "c", DOWN, "a"],
    ["End", "a", ACROSS, "c"],
    ["Enter", "a", DOWN, undefined],
    ["ArrowDown", null, DOWN, "a"], // none has the focus yet
    ["ArrowUp", null, DOWN, undefined],
  ];
  for (const [key, from, arrows, to] of /** @type {any[]} */ (table)) {
    assert.equal(ledTo(key, things, from, arrows), to);
  }
  assert.equal(ledTo("Home", [], null, DOWN), undefined);
});

test("Tab enters rows at one of them", () => {
  const rows = /** @type {any[]} */ ([{ tabIndex: 0 }, { tabIndex: -1 }, { tabIndex: -1 }]);
  rove(rows, rows[1]);
  assert.deepEqual(rows.map((row) => row.tabIndex), [-1, 0, -1]);
});
