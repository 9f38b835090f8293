import assert from "node:assert/strict";
import test from "node:test";
import { wishOf } from "../../viz/draw/learn/script/course.js";
import { doneIn, forget, markDone } from "../../viz/draw/learn/script/progress.js";
import { numberOf } from "../../viz/draw/learn/script/tiles.js";

/** What the browser keeps. @param {Record<string, string>} kept */
function storage(kept) {
  const put = (/** @type {string} */ name, /** @type {string} */ text) => (kept[name] = text);
  const drop = (/** @type {string} */ name) => delete kept[name];
  const value = { getItem: (/** @type {string} */ name) => kept[name] ?? null, setItem: put, removeItem: drop };
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value });
}

test("screens that are done are kept by chapter, in their order and once", () => {
  storage({});
  assert.deepEqual([...doneIn("gtm")], []);
  for (const screen of [3, 1, 3]) markDone("gtm", screen);
  markDone("bleu", 2);
  assert.deepEqual([...doneIn("gtm")], [1, 3]);
  assert.deepEqual([...doneIn("bleu")], [2]);
  forget();
  assert.deepEqual([...doneIn("gtm")], []);
});

test("what a browser keeps of others, or forbids, is nothing", () => {
  for (const text of ["{", "null", "3", '{"gtm": 5}']) {
    storage({ "bitext-grid:learn": text });
    assert.deepEqual([...doneIn("gtm")], []);
  }
  const forbidden = () => {
    throw new Error("forbidden");
  };
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: forbidden });
  markDone("gtm", 1);
  forget();
  assert.deepEqual([...doneIn("gtm")], []);
});

test("sentences of tiles are counted: those of fewer tiles first, then by the tiles' numbers", () => {
  const sentences = [[0], [1], [2], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [0, 1, 2], [0, 2, 1], [1, 0, 2]];
  assert.deepEqual(sentences.map((sentence) => numberOf(sentence, 3)), sentences.map((_, n) => n));
});

test("keys go through screens, in a lecture more of them, where nothing else has them", () => {
  class Target {
    /** @param {string} is */
    constructor(is = "") {
      this.is = is;
    }
    /** @param {string} selector */
    matches(selector) {
      return this.is !== "" && selector.includes(this.is);
    }
    /** @param {string} selector */
    closest(selector) {
      return this.matches(selector) ? this : null;
    }
  }
  Object.assign(globalThis, { Element: Target });
  const wish = (/** @type {string} */ key, present = false, target = new Target(), held = {}) =>
    wishOf(/** @type {any} */ ({ key, target, ...held }), present);
  assert.deepEqual(["ArrowRight", "ArrowLeft", "f", "F"].map((key) => wish(key)), ["on", "back", "present", "present"]);
  assert.deepEqual(["PageDown", " ", "PageUp", "Escape", "x"].map((key) => wish(key)), Array(5).fill(undefined));
  const lecture = ["PageDown", " ", "PageUp", "Escape", "x"].map((key) => wish(key, true));
  assert.deepEqual(lecture, ["on", "on", "back", "present", undefined]);
  assert.equal(wish("ArrowRight", true, new Target("textarea")), undefined);
  assert.equal(wish("ArrowRight", true, new Target(".player")), undefined);
  assert.equal(wish("f", true, new Target(".player")), "present");
  assert.equal(wish("ArrowRight", true, new Target(), { ctrlKey: true }), undefined);
});
