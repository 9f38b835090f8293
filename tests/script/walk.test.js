import assert from "node:assert/strict";
import test from "node:test";
import { spans, Walk } from "../../viz/draw/steps/script/walk.js";

/** @param {number} from @param {any[]} steps @param {boolean} done */
const chunk = (from, steps, done) => ({
  ...{ from, steps, done, pool: [], patterns: [`<p${from}/>`], patterns_from: from, end: "end", legend: "" },
});

/** Three steps: the first shows 0 and 1, the second hides 0 and shows 2, the third shows 0 again. */
function walked(least = 0) {
  const walk = new Walk(least);
  walk.add(chunk(0, [{ text: "a", on: [0, 2], line: 1, score: "0.1", known: { P: "0.5" } }], false));
  walk.add(chunk(1, [{ text: "b", on: [2, 1], off: [-5, 1], decision: "taken", question: { text: "?" } }], false));
  walk.add(chunk(2, [{ text: "c", on: [-1, 1], known: { R: "1" }, score: null }], true));
  return walk;
}

test("spans are numbers that count on from the last one", () => {
  assert.deepEqual(spans([0, 2, 3, 1], 0), [[0, 1, 5], 6]);
  assert.deepEqual(spans([-2, 2], 6), [[4, 5], 6]);
  assert.deepEqual(spans(undefined, 6), [[], 6]);
});

test("a step has what it does not change from the step before it", () => {
  const { steps, patterns, decisions, done } = walked();
  assert.deepEqual(steps.map(({ line }) => line), [1, 1, 1]);
  assert.deepEqual(steps.map(({ score }) => score), ["0.1", "0.1", null]);
  assert.deepEqual(steps.map(({ values }) => values), [{ P: "0.5" }, { P: "0.5" }, { P: "0.5", R: "1" }]);
  assert.deepEqual(steps.map(({ on }) => on), [[0, 1], [4], [0]]);
  assert.deepEqual([patterns, decisions, done], [["<p0/>", "<p1/>", "<p2/>"], [1], true]);
});

test("only steps that follow are taken", () => {
  const walk = walked();
  assert.ok(!walk.add(chunk(0, [{ text: "again" }], true)));
  assert.equal(walk.steps.length, 3);
});

test("to go to a step changes what the steps between change, forwards and back", () => {
  const walk = new Walk();
  const [first, second] = [{ on: [0, 1] }, { on: [2], off: [0] }];
  walk.steps =
    /** @type {any[]} */ ([first, second, { on: [0] }].map((step) => ({ off: /** @type {number[]} */ ([]), ...step })));
  assert.deepEqual([...walk.move(1)], [[0, false], [1, true], [2, true]]);
  assert.equal(walk.at, 1);
  assert.deepEqual([...walk.move(2)], [[0, true]]);
  assert.deepEqual([...walk.move(0)], [[0, true], [2, false]]);
  assert.deepEqual([...walk.move(0)], []);
});

test("one stays within the steps that are there, and behind the first that is shown", () => {
  const walk = walked();
  assert.deepEqual([-1, 0, 1, 7, Infinity].map((n) => walk.to(n)), [0, 0, 1, 2, 2]);
  assert.deepEqual([0, 1, 7].map((n) => walked(1).to(n)), [1, 1, 2]);
  assert.deepEqual(walk.now, {});
});

test("a question is asked until it is done with", () => {
  const walk = walked();
  assert.deepEqual([0, 1, 9].map((n) => walk.question(n)?.text), [undefined, "?", undefined]);
  walk.asked.add(1);
  assert.equal(walk.question(1), undefined);
});

test("decisions are before and behind the step that is shown", () => {
  const walk = walked();
  assert.equal(walk.decision, 1);
  walk.move(1);
  assert.deepEqual([walk.decision, walk.before, walk.ended], [undefined, 0, false]);
  walk.move(2);
  assert.deepEqual([walk.before, walk.ended], [1, true]);
  walk.done = false;
  assert.ok(!walk.ended, "more steps are to come");
});

/** @param {number} size @param {number[]} decide */
const long = (size, decide) =>
  Array.from(
    { length: size },
    (_, n) => ({ text: `${n}`, line: n % 2, decides: decide.includes(n), question: n > 3 ? {} : undefined }),
  );

test("of many steps one goes through those that decide, and the first of each kind that asks", () => {
  const walk = new Walk();
  walk.add(chunk(0, long(150, [90, 149]), false));
  assert.ok(walk.many);
  walk.only = true;
  assert.deepEqual(walk.stops, [0, 4, 5, 90, 149]);
  walk.move(5);
  assert.deepEqual([walk.previous, walk.next, walk.stopsTo(5), walk.stopsTo(6)], [4, 90, 3, 3]);
  walk.move(149);
  assert.equal(walk.next, undefined, "more steps are to come");
  walk.add(chunk(150, long(9, []), true));
  assert.deepEqual([walk.stops.at(-1), walk.next], [158, 158]);
  walk.move(158);
  assert.equal(walk.next, 158);
  walk.only = false;
  assert.equal(walk.previous, 157);
});

test("few steps, and such as decide nearly all, are gone through one by one", () => {
  const few = new Walk();
  few.add(chunk(0, long(100, [7]), true));
  const part = new Walk(60);
  part.add(chunk(0, long(150, [7, 80]), true));
  const most = new Walk();
  most.add(chunk(0, long(150, Array.from({ length: 120 }, (_, n) => n)), true));
  assert.deepEqual([few.many, part.many, most.many], [false, false, false]);
});
