// What is drawn over the cells of the panels: frames and lines that come and go.

import { rect, shape } from "../../pen/script/elements.js";
import { level } from "../../pen/script/folding.js";
import { placeOf, runsOf } from "./names.js";

/** @typedef {import("../../pen/script/panels.js").Panel} Panel */

/**
 * Draws over the panels that show a cell; `make` gets the panel, the cell's corner and how high so many rows are.
 * @param {Panel[]} panels @param {string} cell @param {string} name
 * @param {(panel: Panel, x: number, y: number, high: number) => SVGElement[]} make @param {number} [rows]
 */
function put(panels, cell, name, make, rows = 1) {
  const { side, i, k, j } = placeOf(cell);
  for (const panel of panels) {
    const [row, column] = [level(panel.folds, i - panel.i), j - panel.j];
    const inside = row >= 0 && column >= 0 && row < panel.rows && column < panel.columns;
    if (panel.side !== side || panel.k !== k || !inside) continue;
    const drawn = shape("g", { class: name });
    const high = (level(panel.folds, i - panel.i + rows) - row) * panel.size;
    drawn.append(...make(panel, panel.x + column * panel.size, panel.y + row * panel.size, high));
    panel.svg.append(drawn);
  }
}

/** A frame around a cell, with lines to the labels of its words. @param {Panel[]} panels @param {string} cell */
export function frame(panels, cell) {
  put(panels, cell, "light", (panel, x, y, high) => [
    rect(x, y, panel.size, high, 1),
    shape("path", { d: `M${panel.x} ${y + high / 2}H${x}M${x + panel.size / 2} ${panel.y}V${y}` }),
  ]);
}

/** Frames around the cells of a term and around its runs. @param {Panel[]} panels @param {string[]} cells */
export function pick(panels, cells) {
  for (const cell of cells) put(panels, cell, "pick", (panel, x, y, high) => [rect(x, y, panel.size, high, 1)]);
  const runs = runsOf(cells);
  for (const run of runs.filter((run) => run.length > 1)) {
    put(panels, run[0], "pick", (panel, x, y, high) => [rect(x, y, panel.size * run.length, high, 2)], run.length);
  }
  if (cells.length === 2 && runs.length === 2) {
    put(panels, cells[0], "pick", (panel, x, y) => [join(panel, x, y, cells[1])]);
  }
}

/** A line from the middle of a cell to that of another one in the same panel.
 * @param {Panel} panel @param {number} x @param {number} y @param {string} cell */
function join({ i, j, ...panel }, x, y, cell) {
  const to = placeOf(cell);
  const half = panel.size / 2;
  const end = [panel.x + (to.j - j) * panel.size + half, panel.y + level(panel.folds, to.i - i) * panel.size + half];
  return shape("path", { d: `M${x + half} ${y + half}L${end.join(" ")}` });
}
