// Rows of a panel, of which those that are folded share the height of one.

/** @typedef {number[][]} Folds first row and last but one of each fold */

/** Where a row begins, counted in rows as they are drawn. @param {Folds} folds @param {number} row */
export function level(folds, row) {
  let less = 0;
  for (const [start, end] of folds) {
    if (row <= start) break;
    if (row < end) return start - less + (row - start) / (end - start);
    less += end - start - 1;
  }
  return row - less;
}

/** Which row is drawn at a height. @param {Folds} folds @param {number} height */
export function rowAt(folds, height) {
  let row = 0;
  while (level(folds, row + 1) <= height) row++;
  return row;
}
