// Pictures as large as the window has room for, and in a lecture hall the words beside them too. A hall's screen is one
// design of 1280 × 720 that grows with its window.

import { all, one } from "../../pen/script/elements.js";
import { scroller } from "../../pen/script/scrolling.js";

const HALL = { wide: 1280, high: 720, least: 0.8 }; // pixels of a hall's screen; what is smaller by more than that scrolls
const LARGER = { page: 1.5, hall: 3.2 }; // times a picture can be larger than it was sent
// Pixels: the largest cells on the page, those that no window makes smaller, and those below words that are moved, where
// every move is looked for in the picture, as long as the picture is no higher than so much of the window.
const CELLS = { most: 68, least: 9, moved: 28, high: 0.75 };
const LOWEST = 160; // pixels of a picture's height that no window makes less
const BELOW = 120; // pixels at most that are kept for what stands below a screen
const TYPES = [1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1]; // how much larger words may be than they are designed, in a hall

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
  // In a hall the pictures before and after the answer have the same place, and one of them is out of sight.
  const shown = boxes.filter((box) => !phone && box.offsetParent);
  const fit = (/** @type {boolean} */ grows) => {
    for (const box of shown) fitPicture(box, keep, scale, hall, true, grows);
    if (hall || figure.querySelector(".sides")) sameCells(shown);
  };
  fit(true);
  for (let turn = hall ? 2 : 0; turn > 0; turn--) fit(false); // below a smaller picture there may be more lines of words
  if (hall && !under) fitWords(inspector, end);
}

/** Where what stands below the words of a hall's screen begins, as what can be typed. @param {Element} root
 * @param {number} end */
function floorOf(root, end) {
  const offers = [...root.closest(".present").querySelectorAll(".offers")].map((e) => e.getBoundingClientRect());
  return Math.min(innerHeight - end, ...offers.filter(({ height }) => height).map(({ top }) => top - end));
}

/** Gives grids that are compared cells of one size, where they are of as many references: otherwise the words of one would
 * be too small. @param {HTMLElement[]} boxes */
function sameCells(boxes) {
  if (new Set(boxes.map((box) => box.querySelectorAll("path.grid").length || 1)).size > 1) return;
  const grids = boxes.filter((box) => box.querySelector("path.grid")).map((box) => {
    const svg = /** @type {SVGSVGElement} */ (box.querySelector("svg"));
    return { svg, cells: svg.viewBox.baseVal.width / Number(svg.querySelector("path.grid").getAttribute("data-size")) };
  });
  const size = Math.min(...grids.map(({ svg, cells }) => svg.clientWidth / cells));
  for (const { svg, cells } of grids) svg.style.setProperty("--wide", `${Math.round(size * cells)}px`);
}

/** Makes a picture as large as there is room between what stands above it and what is to be kept below it.
 * @param {HTMLElement} box @param {number} keep @param {number} scale @param {boolean} hall
 * @param {boolean} [shrinks] whether it may be smaller than it was sent @param {boolean} [grows] or larger than it is */
export function fitPicture(box, keep, scale, hall, shrinks = true, grows = true) {
  const svg = /** @type {SVGSVGElement | null} */ (box.querySelector(":scope > svg"));
  const { width, height } = svg?.viewBox.baseVal ?? {};
  if (!width || !height) return;
  const own = box.getBoundingClientRect();
  const beside = all(/** @type {HTMLElement} */ (box.parentElement), ":scope > :not(.pin)").filter((e) =>
    e.offsetParent
  );
  const after = Math.max(...beside.map((e) => e.getBoundingClientRect().bottom)) - own.bottom;
  const free = innerHeight - keep - after - own.top - scroller(box).scrollTop - 4;
  const cell = Number(box.dataset.size ?? box.querySelector("path.grid")?.getAttribute("data-size")) || CELLS.least;
  const large = hall ? LARGER.hall * scale : Math.max(1, Math.min(LARGER.page, CELLS.most / cell));
  const most = grows ? large : svg.clientWidth / width;
  const seen = !hall && box.matches(".grid") && box.closest(".after")?.querySelector(".moving")
    ? Math.min(CELLS.moved / cell, CELLS.high * innerHeight / height)
    : 0;
  const least = shrinks ? Math.max(seen, Math.min(1, Math.max(LOWEST / height, CELLS.least / cell))) : 1;
  const times = Math.max(least, Math.min(most, free / height));
  box.classList.add("fitted");
  svg.style.setProperty("--wide", `${Math.round(width * times)}px`);
}

/** Makes words as large as all that is shown of them now has room beside the picture.
 * @param {HTMLElement} inspector @param {number} end */
function fitWords(inspector, end) {
  const hall = inspector.closest(".present");
  const { top } = inspector.getBoundingClientRect();
  const high = () => floorOf(inspector, end) - top - scroller(inspector).scrollTop;
  const lines = all(inspector, ".now .step");
  const fits = (/** @type {number} */ type) => {
    inspector.style.setProperty("--type", String(type));
    const whole = [inspector, ...lines].every((e) => e.scrollWidth <= e.clientWidth + 1);
    return whole && inspector.scrollHeight <= high();
  };
  hall.classList.remove("crowded");
  if (!TYPES.some(fits)) hall.classList.add("crowded"); // without what can be typed there is more room
  if (hall.matches(".crowded")) TYPES.some(fits);
  inspector.style.setProperty("--room-beside", `${high()}px`);
}
