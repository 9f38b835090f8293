// Answers judged as the core judges them (`metrics.teach.judge`), so that a saved file does too.

import { judgeSet } from "./sets.js";
import { judgeNumber } from "./typed.js";

/** @param {import("./verdicts.js").Question} question @param {string} answer @returns {import("./verdicts.js").Verdict} */
export function judge(question, answer) {
  const given = canonical(answer);
  if (Object.hasOwn(question.verdicts, given)) return question.verdicts[given];
  if (question.values.length) return judgeNumber(question, answer);
  return question.rule && given ? judgeSet(question, given, canonical(question.shows)) : question.otherwise;
}

/** An answer with its parts in order, each once. @param {string} answer */
const canonical = (answer) => [...new Set(answer.split(/\s+/).filter(Boolean))].sort().join(" ");
