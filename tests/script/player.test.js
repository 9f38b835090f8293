import assert from "node:assert/strict";
import test from "node:test";
import { moved } from "../../viz/draw/steps/script/following.js";
import { keyAction, keysOf } from "../../viz/draw/steps/script/keys.js";
import { beside } from "../../viz/draw/steps/script/pointing.js";
import { wayOf } from "../../viz/draw/steps/script/touching.js";
import { partOf } from "../../viz/save/steps_page.js";

test("a frame moves no more than it must, and shows as much of the table as it can", () => {
  /** @type {[near: [number, number], window: [number, number], whole: [number, number] | undefined, by: number][]} */
  const table = [
    [[10, 20], [0, 100], undefined, 0],
    [[90, 120], [0, 100], undefined, 20],
    [[-30, -10], [0, 100], undefined, -30],
    [[90, 120], [0, 100], [0, 150], 50],
    [[90, 120], [0, 100], [0, 500], 90], // the place stays in sight
    [[-30, -10], [0, 100], [-500, 400], -110],
  ];
  for (const [near, window, whole, by] of table) assert.equal(moved(near, window, whole), by);
});

test("a finger taps, swipes to a side, or scrolls", () => {
  const table = [[0, 0, "tap"], [9, -9, "tap"], [-40, 5, "left"], [60, 59, "right"], [39, 0, undefined], [
    50,
    51,
    undefined,
  ]];
  for (const [right, down, way] of /** @type {any[]} */ (table)) assert.equal(wayOf(right, down), way);
});

test("keys are heard by the player that has the focus, and by one alone on its page where nothing has it", () => {
  const body = { closest() {} };
  const inside = { closest() {} };
  const field = { closest: (/** @type {string} */ of) => (of.startsWith("input") ? {} : null) };
  const button = { closest: (/** @type {string} */ of) => (of.startsWith("button") ? {} : null) };
  const slider = { closest() {} };
  const own = [inside, field, button, slider];
  const root = /** @type {any} */ ({
    isConnected: true,
    ownerDocument: { body },
    contains: (/** @type {any} */ e) => own.includes(e),
  });
  const keys = keysOf("on|ArrowRight|→,back|ArrowLeft|←,first|Home|Home,decision|n|N,before|p|P,play| |Space");
  assert.deepEqual(keys.play, [" ", "Space"]);
  const hears = (/** @type {any} */ event, alone = false) =>
    keyAction(event, root, /** @type {any} */ (slider), alone, keys);
  assert.equal(hears({ key: "ArrowRight", target: body }), "on");
  assert.equal(hears({ key: "ArrowRight", target: body }, true), undefined);
  assert.equal(hears({ key: "ArrowRight", target: inside }, true), "on");
  assert.equal(hears({ key: "ArrowRight", target: { closest() {} } }), undefined, "it is another's");
  assert.equal(hears({ key: "N", target: inside }), "decision");
  assert.equal(hears({ key: "n", target: field }), undefined, "it is typed");
  assert.equal(hears({ key: " ", target: button }), undefined, "it presses the button");
  assert.equal(hears({ key: "ArrowLeft", target: button }), "back");
  assert.deepEqual(["ArrowLeft", "Home", "p"].map((key) => hears({ key, target: slider })), [
    undefined,
    undefined,
    "before",
  ]);
  for (const taken of ["defaultPrevented", "ctrlKey", "metaKey", "altKey"]) {
    assert.equal(hears({ key: "ArrowRight", target: body, [taken]: true }), undefined);
  }
  assert.equal(hears({ key: "x", target: body }), undefined);
  root.isConnected = false;
  assert.equal(hears({ key: "ArrowRight", target: body }), undefined);
});

test("arrows lead from cell to cell, and from one reference to the next", () => {
  const panels =
    /** @type {any[]} */ ([{ k: 0, rows: 2, columns: 3, border: 1 }, { k: 1, rows: 2, columns: 2, border: 1 }]);
  const [a, b] = panels;
  /** @type {(cell: any, way: any, ofTable?: boolean) => any[]} */
  const led = (cell, way, ofTable = false) => Object.values(beside(panels, cell, way, ofTable));
  const [right, left, up, down] = [[0, 1], [0, -1], [-1, 0], [1, 0]];
  assert.deepEqual(led(undefined, right), [a, 0, 0]);
  assert.deepEqual(led(undefined, down), [a, 0, 0]);
  assert.deepEqual(led({ panel: a, row: 1, column: 2 }, right), [b, 1, 0]);
  assert.deepEqual(led({ panel: b, row: 1, column: 0 }, left), [a, 1, 2]);
  assert.deepEqual(led({ panel: b, row: 1, column: 1 }, right), [b, 1, 1]);
  assert.deepEqual(led({ panel: a, row: 0, column: 0 }, up), [a, 0, 0]);
  assert.deepEqual(led({ panel: a, row: 0, column: 0 }, up, true), [a, -1, 0], "a table has a row before the words");
});

test("an address asks for a part of the steps; what is no number is as if it were not there", () => {
  const data = /** @type {any} */ ({ steps: [0, 1, 2, 3, 4], end: "all" });
  const part = (/** @type {string} */ query) => {
    const { steps, at, end, only } = partOf(data, new URLSearchParams(query));
    return [steps.length, at, end, only.least];
  };
  assert.deepEqual(part(""), [5, 0, "all", 0]);
  assert.deepEqual(part("start=2&end=4"), [4, 1, "", 1]);
  assert.deepEqual(part("start=9&end=3"), [3, 2, "", 2]);
  assert.deepEqual(part("start=0&end=99"), [5, 0, "all", 0]);
  assert.deepEqual(part("start=-1&end=1e1"), [5, 0, "all", 0]);
});
