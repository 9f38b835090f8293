// What is said of an answer, from the verdicts that stand in the markup of what is asked.

import { all } from "../../pen/script/elements.js";
import { judgeNumber } from "../../steps/script/typed.js";

/** @typedef {import("../../steps/script/verdicts.js").How} How */
/** @typedef {{how: How, because: (Node | string)[], free: boolean}} Judged `free` where it was no answer yet */

/** The verdict of an answer: of itself, of the number that it is, or of all the others. Its sentence is markup.
 * @param {HTMLElement} verdicts @param {string} given @param {boolean} typed whether it is a number @returns {Judged} */
export function judged(verdicts, given, typed) {
  const said = all(verdicts, "div").map((e) => {
    return { e, verdict: { how: /** @type {How} */ (e.dataset.how), because: e.textContent, free: false } };
  });
  const otherwise = said.find(({ e }) => e.dataset.for === undefined && e.dataset.number === undefined)?.verdict;
  const values = said
    .filter(({ e }) => e.dataset.number)
    .map(({ e, verdict }) => ({ number: Number(e.dataset.number), within: Number(e.dataset.within), verdict }));
  const exact = said.find(({ e }) => e.dataset.for === given);
  const number = () => (typed ? judgeNumber({ values, rounded: true, otherwise }, given) : otherwise);
  const found = exact ? exact.verdict : number();
  const own = said.find(({ verdict }) => verdict === found);
  const because = own ? [...own.e.cloneNode(true).childNodes] : [found.because];
  return { how: found.how, because, free: found.free ?? false };
}
