// Pictures as large as the window has room for, and in a lecture hall the words beside them too. A hall's screen is one
// design of 1280 × 720 that grows with its window.

import { all, one } from "../../pen/script/elements.js";
import { scroller } from "../../pen/script/scrolling.js";

// Pixels of a hall's screen and of its pictures' words; what is smaller by more than that scrolls, and pictures that are
// broader have more than half of it.
const HALL = { wide: 1280, high: 720, type: 20, least: 0.8, wider: 1.5 };
const LARGER = { page: 1.5, hall: 3.2 }; // times a picture can be larger than it was sent
const CELLS = { most: 68, least: 9 }; // pixels: the largest cells on the page, and those that no window makes smaller
const LOWEST = 160; // pixels of a picture's height that no window makes less
const BELOW = 120; // pixels at most that are kept for what stands below a screen
const TYPES = [1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1]; // how much larger words may be than they are designed, in a hall

/** How much larger a hall's screen is than it is designed; 1 on the page. @param {Element} root */
export function scaleOf(root) {
  if (!root.closest(".present")) return 1;
  return Math.max(HALL.least, Math.min(innerWidth / HALL.wide, innerHeight / HALL.high));
}

/** Makes the pictures of a screen as large as its part of the window, and in a hall its words. @param {HTMLElement} root */
export function fitScreen(root) {
  const frame = one(root, ".frame");
  if (!frame?.offsetParent) return;
  const [figure, inspector] = [one(frame, ".figure"), one(frame, ".inspector")];
  const above = figure.getBoundingClientRect();
  const beside = inspector.getBoundingClientRect();
  const under = beside.top >= above.bottom - 1; // what is asked stands below the picture
  const phone = getComputedStyle(frame).display !== "grid" && !root.matches(".broad");
  const scale = scaleOf(root);
  const hall = Boolean(root.closest(".present"));
  const page = root.closest(".stMainBlockContainer, main") ?? root.closest(".learn");
  const end = hall
    ? 12 * scale
    : Math.min(BELOW, page.getBoundingClientRect().bottom - frame.getBoundingClientRect().bottom);
  const keep = end + (under ? beside.bottom - above.bottom : 0);
  const boxes = all(figure, ".drawing");
  if (phone) { for (const box of boxes) box.classList.remove("fitted"); }
  const shown = boxes.filter((box) => !phone && box.offsetParent);
  root.classList.toggle("wide", hall && shown.some((box) => aspectOf(box) > HALL.wider));
  const type = () => Math.min(...shown.map((box) => fitPicture(box, keep, scale, hall)));
  root.classList.remove("bare");
  // In a hall a grid with small words has the room of the lines above it, which it names too.
  if (type() < HALL.type * scale && hall && shown.every((box) => box.matches(".grid"))) {
    root.classList.add("bare");
    type();
  }
  if (figure.querySelector(".sides")) sameCells(shown);
  if (hall && !under) fitWords(inspector, end);
}

/** Gives grids that are compared cells of one size. @param {HTMLElement[]} boxes */
function sameCells(boxes) {
  const grids = boxes.filter((box) => box.querySelector("path.grid")).map((box) => {
    const svg = /** @type {SVGSVGElement} */ (box.querySelector("svg"));
    return { svg, cells: svg.viewBox.baseVal.width / Number(svg.querySelector("path.grid").getAttribute("data-size")) };
  });
  const size = Math.min(...grids.map(({ svg, cells }) => svg.clientWidth / cells));
  for (const { svg, cells } of grids) svg.style.setProperty("--wide", `${Math.round(size * cells)}px`);
}

/** How many times as broad as high a picture is. @param {HTMLElement} box */
function aspectOf(box) {
  const { width, height } = /** @type {SVGSVGElement | null} */ (box.querySelector("svg"))?.viewBox.baseVal ?? {};
  return width / height;
}

/** Makes a picture as large as there is room between what stands above it and what is to be kept below it; how many pixels
 * its words have then.
 * @param {HTMLElement} box @param {number} keep @param {number} scale @param {boolean} hall @param {boolean} [shrinks] */
export function fitPicture(box, keep, scale, hall, shrinks = true) {
  const svg = /** @type {SVGSVGElement | null} */ (box.querySelector(":scope > svg"));
  const { width, height } = svg?.viewBox.baseVal ?? {};
  if (!width || !height) return Infinity;
  const own = box.getBoundingClientRect();
  const last = all(/** @type {HTMLElement} */ (box.parentElement), ":scope > :not(.pin)").findLast((e) =>
    e.offsetParent
  );
  const after = last.getBoundingClientRect().bottom - own.bottom;
  const free = innerHeight - keep - after - own.top - scroller(box).scrollTop - 2;
  const cell = Number(box.dataset.size ?? box.querySelector("path.grid")?.getAttribute("data-size")) || CELLS.least;
  const most = hall ? LARGER.hall * scale : Math.max(1, Math.min(LARGER.page, CELLS.most / cell));
  const least = shrinks ? Math.min(1, Math.max(LOWEST / height, CELLS.least / cell)) : 1;
  const times = Math.max(least, Math.min(most, free / height));
  box.classList.add("fitted");
  svg.style.setProperty("--wide", `${Math.round(width * times)}px`);
  return svg.clientWidth / width * Number(svg.querySelector(".words")?.getAttribute("font-size") ?? Infinity);
}

/** Makes words as large as all that is shown of them now has room beside the picture.
 * @param {HTMLElement} inspector @param {number} end */
function fitWords(inspector, end) {
  const high = innerHeight - end - inspector.getBoundingClientRect().top - scroller(inspector).scrollTop;
  const fits = (/** @type {number} */ type) => {
    inspector.style.setProperty("--type", String(type));
    return inspector.scrollHeight <= high && inspector.scrollWidth <= inspector.clientWidth + 1;
  };
  if (!TYPES.some(fits)) inspector.style.setProperty("--type", "1");
}
