// The screens that are done, kept in the browser.

const PROGRESS = "bitext-grid:learn";

/** The screens that are done, by chapter. @returns {Record<string, unknown>} */
function progress() {
  try {
    const found = JSON.parse(localStorage.getItem(PROGRESS) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // storage is forbidden, or holds something else
  }
}

/** @param {string} chapter @returns {Set<number>} */
export function doneIn(chapter) {
  const found = progress()[chapter];
  return new Set(Array.isArray(found) ? found : []);
}

/** @param {string} chapter @param {number} screen */
export function markDone(chapter, screen) {
  const done = doneIn(chapter);
  if (done.has(screen)) return;
  try {
    localStorage.setItem(PROGRESS, JSON.stringify({ ...progress(), [chapter]: [...done, screen].sort() }));
  } catch {
    // nothing is kept where nothing may be
  }
}

export function forget() {
  try {
    localStorage.removeItem(PROGRESS);
  } catch {
    // there is nothing to forget
  }
}
