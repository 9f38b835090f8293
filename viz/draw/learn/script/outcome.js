// What a change of a sentence makes of its score, in words; the numbers are those of the two results.

/** @typedef {"up" | "down" | "same"} Way */
/** @typedef {{label: string, score: number, said: string, parts: [name: string, text: string][]}} Scored */

/** Which way a score went. @param {Scored} before @param {Scored} after @returns {Way} */
export function wayOfScore(before, after) {
  const by = after.score - before.score;
  return Math.abs(by) <= 1e-9 ? "same" : by > 0 ? "up" : "down";
}

/** Whether a prediction was right, what became of the score, and which parts of it changed.
 * @param {Scored} before @param {Scored} after @param {Way} guess @returns {{right: boolean, head: string, rest: string}} */
export function outcome(before, after, guess) {
  const way = wayOfScore(before, after);
  const right = way === guess;
  const [from, to] = apart(before, after);
  const went = way === "same"
    ? `${after.label} stays the same, ${to}.`
    : `${after.label} goes ${way}, from ${from} to ${to}.`;
  const named = guess === "same" ? "the same" : guess;
  return { right, head: `${right ? "Right" : `You said ${named}`}: ${went}`, rest: partsSaid(before, after, way) };
}

/** The parts of a score that are printed with other numbers now. @param {Scored} before @param {Scored} after @param {Way} way */
function partsSaid({ parts }, after, way) {
  const were = new Map(parts);
  const changed = after.parts.filter(([name, text]) => were.get(name) !== text);
  if (changed.length) {
    return `Also changed: ${changed.map(([name, text]) => `${name} ${were.get(name)} → ${text}`).join(", ")}.`;
  }
  if (!after.parts.length) return "";
  const names = listed(after.parts.map(([name]) => name));
  return way === "same" ? `So do ${names}.` : `As printed, ${names} stay the same.`;
}

/** Both scores with as many decimals as tell them apart. @param {Scored} before @param {Scored} after */
function apart(before, after) {
  if (before.said !== after.said || wayOfScore(before, after) === "same") return [before.said, after.said];
  for (let n = 4; n < 10; n++) {
    const [from, to] = [before, after].map(({ score }) => score.toFixed(n));
    if (from !== to) return [from, to];
  }
  return [String(before.score), String(after.score)];
}

/** @param {string[]} names */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);
