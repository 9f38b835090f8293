// The screens that are done, and what was answered first, kept in the browser.

const [PROGRESS, FIRSTS] = ["bitext-grid:learn", "bitext-grid:learn-firsts"];

/** @typedef {{answer: string, once: boolean, exercise: boolean}} First the first answer to a question, and whether it was
 * right at once and without help */

/** What is kept under a name, by chapter. @param {string} name @returns {Record<string, any>} */
function kept(name) {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // storage is forbidden, or holds something else
  }
}

/** @param {string} name @param {string} chapter @param {unknown} value */
function keep(name, chapter, value) {
  try {
    localStorage.setItem(name, JSON.stringify({ ...kept(name), [chapter]: value }));
  } catch {
    // nothing is kept where nothing may be
  }
}

/** @param {string} chapter @returns {Set<number>} */
export function doneIn(chapter) {
  const found = kept(PROGRESS)[chapter];
  return new Set(Array.isArray(found) ? found : []);
}

/** @param {string} chapter @param {number} screen */
export function markDone(chapter, screen) {
  const done = doneIn(chapter);
  if (done.has(screen)) return;
  keep(PROGRESS, chapter, [...done, screen].sort());
}

/** What was answered first, by the questions of a chapter. @param {string} chapter @returns {Record<string, First>} */
export function firstsIn(chapter) {
  const found = kept(FIRSTS)[chapter];
  const named = Object.entries(found && typeof found === "object" ? found : {});
  return Object.fromEntries(named.filter(([, first]) => typeof first?.answer === "string"));
}

/** Keeps the first answer to a question, not those after it. @param {string} chapter @param {string} question
 * @param {First} first */
export function markFirst(chapter, question, first) {
  const before = firstsIn(chapter);
  if (!Object.hasOwn(before, question)) keep(FIRSTS, chapter, { ...before, [question]: first });
}

/** What was known at once in a chapter, of what was answered; "" where nothing was. @param {string} chapter */
export function knownAtOnce(chapter) {
  const firsts = Object.values(firstsIn(chapter));
  const counted = (/** @type {boolean} */ exercise, /** @type {string} */ noun) => {
    const of = firsts.filter((first) => Boolean(first.exercise) === exercise);
    const once = of.filter((first) => first.once === true).length;
    return of.length ? [`${once} of ${of.length} ${noun}${of.length === 1 ? "" : "s"}`] : [];
  };
  const both = [...counted(false, "question"), ...counted(true, "exercise")];
  return both.length ? `Right first time: ${both.join(", ")}` : "";
}

export function forget() {
  try {
    for (const name of [PROGRESS, FIRSTS]) localStorage.removeItem(name);
  } catch {
    // there is nothing to forget
  }
}
