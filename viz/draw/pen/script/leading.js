// Where keys lead among things that stand in a row or below each other.

export const ACROSS = ["ArrowRight", "ArrowLeft"];
export const DOWN = ["ArrowDown", "ArrowUp"];

/**
 * The thing to which one of the arrow keys, Home or End leads from another one; none behind the last, before the first
 * and for other keys.
 * @template T @param {string} key @param {T[]} things @param {unknown} from @param {string[]} arrows @returns {T | undefined}
 */
export function ledTo(key, things, from, arrows) {
  const here = things.indexOf(/** @type {T} */ (from));
  if (key === "Home") return things[0];
  if (key === "End") return things.at(-1);
  return arrows.includes(key) ? things[here + (key === "ArrowRight" || key === "ArrowDown" ? 1 : -1)] : undefined;
}

/** Tab enters rows at one of them. @param {Element[]} rows @param {Element} row */
export function rove(rows, row) {
  for (const other of rows) other.tabIndex = other === row ? 0 : -1;
}
