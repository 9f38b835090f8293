import assert from "node:assert/strict";
import test from "node:test";
import { Told, Untold } from "../../viz/components/script/tell.js";

test("a message says again what was told lately, each with a later time", () => {
  const told = new Told();
  told.with("term", "0:1");
  const all = told.with("term", null, "1");
  assert.deepEqual(all.map((message) => message.slice(1)), [["term", "0:1"], ["term", null, "1"]]);
  assert.ok(all[1][0] > all[0][0]);
});

test("at most twenty messages are said again, and none that is five seconds old", (t) => {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const told = new Told();
  for (let n = 0; n < 30; n++) told.with("step", n);
  assert.equal(told.all.length, 20);
  assert.deepEqual(told.all[0].slice(1), ["step", 10]);
  now += 5001;
  assert.deepEqual(told.with("step", 30).map((message) => message.slice(1)), [["step", 30]]);
  told.forget();
  assert.equal(told.with("step", 31).length, 1);
});

test("an answer to a choice before the last one is none to the last", () => {
  const untold = new Untold();
  assert.ok(untold.answered("a"), "nothing waits");
  for (const choice of ["a", "b", "a", "c"]) untold.add(choice);
  assert.ok(!untold.answered("b"));
  assert.deepEqual(untold.waiting, ["a", "c"]);
  assert.ok(!untold.answered("x"), "that was no choice");
  assert.ok(untold.answered("c"));
  untold.add("d");
  untold.forget();
  assert.ok(untold.answered("e"));
});
