// The player in files, without a server behind it: on a page of its own, or as one of several in a notebook.

import { one } from "../draw/pen/script/elements.js";
import { reach } from "../draw/pen/script/reaching.js";
import { play } from "../draw/steps/script/player.js";

/** @typedef {import("../draw/steps/script/walk.js").Chunk} Chunk */

/** Plays the part of the steps that the page's address asks for. @param {Chunk} data */
export function stepsPage(data) {
  const address = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  if (self !== top) document.documentElement.classList.add("framed");
  const { only, ...part } = partOf(data, address);
  const player = play(one(document, ".bitext"), { ...data, ...part }, undefined, only);
  reach(document.body);
  if (address.get("play") === "1") player.start();
  addEventListener("hashchange", () => location.reload());
}

/** Plays all steps before the script that calls it. @param {Chunk} data */
export function stepsOutput(data) {
  const root = one(document.currentScript.previousElementSibling, ".bitext");
  play(root, { ...data, at: 0, done: true }, undefined, { alone: true });
  reach(root);
}

/** The part of the steps from `start` to `end`. What is no number is as if it were not there.
 * @param {Chunk} data @param {URLSearchParams} address */
export function partOf(data, address) {
  const whole = (
    /** @type {string} */ name,
  ) => (/^\d+$/.test(address.get(name) ?? "") ? Number(address.get(name)) : undefined);
  const last = Math.max(1, Math.min(whole("end") ?? data.steps.length, data.steps.length));
  const first = Math.max(1, Math.min(whole("start") ?? 1, last));
  const end = last < data.steps.length ? "" : data.end;
  return { steps: data.steps.slice(0, last), at: first - 1, done: true, end, only: { least: first - 1 } };
}
