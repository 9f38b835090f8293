import assert from "node:assert/strict";
import test from "node:test";
import { Choosing } from "../../viz/draw/evidence/script/choosing.js";
import { Fates } from "../../viz/draw/evidence/script/fates.js";
import { References } from "../../viz/draw/evidence/script/references.js";

/** An element in which nothing is found. @type {any} */
const EMPTY = {
  querySelector() {},
  querySelectorAll: () => /** @type {Element[]} */ ([]),
  classList: { add() {}, remove() {} },
};

test("repeated clicks visit all terms of a word and then none", () => {
  const choosing = new Choosing(EMPTY, () => undefined);
  const visited = [];
  for (let n = 0; n < 4; n++) visited.push(choosing.chosen = choosing.next(["0:1", "1:0", "1:3"]));
  assert.deepEqual(visited, ["0:1", "1:0", "1:3", null]);
  assert.equal(choosing.next([]), null);
  assert.equal(choosing.next(undefined), null);
});

test("the term that is chosen is chosen off", () => {
  const choosing = new Choosing(EMPTY, () => undefined);
  assert.equal(choosing.other("0:1"), "0:1");
  choosing.chosen = "0:1";
  assert.equal(choosing.other("0:1"), null);
  assert.equal(choosing.other("0:2"), "0:2");
});

test("fates are turned off and on, and told sorted", () => {
  const fates = new Fates(EMPTY);
  assert.equal(fates.turned("moved"), "moved");
  assert.ok(fates.switch("moved"));
  assert.ok(!fates.switch("moved"));
  assert.equal(fates.turned("gained"), "gained moved");
  assert.equal(fates.turned("moved"), "");
});

test("the reference with the most cells of the chosen term is shown, the seen one where it has as many", () => {
  /** @type {string[]} */
  let cells = [];
  const references = new References(EMPTY, () => cells);
  assert.equal(references.alone("1"), "1");
  cells = ["d0,0,0", "d1,0,1", "d1,2,1", "d2,2,2", "d3,1,1", "3,1,1"];
  assert.deepEqual([...references.counts()], [["0", 2], ["2", 2], ["1", 1]]);
  assert.equal(references.alone("2"), "2");
  assert.equal(references.alone("1"), "0");
});
