// Panels of a picture: grids of cells, of one reference each.

/**
 * `k` is the reference, `i` and `j` are the first row and column, `x` and `y` the corner, and `size` is a cell's; a table
 * has a `border` of rows and columns before the first word, and `side` is that of the words beside the rows.
 * @typedef {{k: number, i: number, j: number, rows: number, columns: number, x: number, y: number, size: number,
 *   border: number, side: string, folds: import("./folding.js").Folds, path: SVGElement, svg: SVGSVGElement}} Panel
 */

/** The panels of a fragment, in their order. @param {Element} root @returns {Panel[]} */
export function panelsOf(root) {
  return [...root.querySelectorAll("path.grid")].map((path) => {
    const { side = "c", folds, ...numbers } = path.dataset;
    const place = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
    const folded = folds ? folds.split(" ").map((fold) => fold.split("-").map(Number)) : [];
    return /** @type {any} */ ({ border: 0, ...place, side, folds: folded, path, svg: path.closest("svg") });
  });
}

/** How far the pointer is below the first row of a panel, as rows are drawn, and to the right of its first column, in
 * cells. @param {Panel} panel @param {MouseEvent} event */
export function under(panel, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(panel.svg.getScreenCTM().inverse());
  return { down: (at.y - panel.y) / panel.size, right: (at.x - panel.x) / panel.size };
}
