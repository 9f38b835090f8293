// The strip of metrics: radio buttons whose text can be copied. A choice is seen at once, and decided on the server.
// Tiles are known by their keys and filled anew where they stand, so that no click is lost while numbers change.

import { element, inert } from "../draw/pen/script/elements.js";
import { whenIdle } from "./script/idle.js";
import { afterwards, Untold } from "./script/tell.js";

const PAUSE = 700; // milliseconds for which nothing changed, after which the rest of what is said is asked for

/** @typedef {{text: string, said: string, tone: string}} Line */
/** `interval` lies between -1 and 1: its low end, what it is of, its high end; `between` says it.
 * @typedef {{key: string, name: string, lines: Line[], bar: number | null, tip: string, lower: boolean,
 *   interval?: [number, number, number], between?: string}} Tile */
/** `html` stands below the tiles, and what is missing in it is asked for by the name `asks`.
 * @typedef {{html: string, asks: string | null}} Verdict */
/** @typedef {{tiles: Map<string, HTMLElement>, untold: Untold, group: HTMLElement, selected?: string,
 *   choose: (key: string) => void, below: HTMLElement, html: string, giveUp: () => void}} Strip */

/** @type {WeakMap<Element, Strip>} by the element that has it */
const strips = new WeakMap();

// The words of the edit that costs most, wherever the page shows them: a rule holds for words that are drawn later too.
const costly = new CSSStyleSheet();
document.adoptedStyleSheets.push(costly);

/** Marks the words that the verdict says cost most. @param {HTMLElement} below */
function markCostly(below) {
  const names = /** @type {HTMLElement | null} */ (below.querySelector("[data-costly]"))?.dataset.costly.split(" ") ??
    [];
  const words = names.map((name) => `[data-word="${CSS.escape(name)}"]`).join(", ");
  // So weak that the light of what is chosen goes before.
  costly.replaceSync(words && `:where(.bitext .beside .ws :is(${words})) { outline: 1.5px dashed var(--mauve) }`);
}

/** @param {import("./script/room.js").Component<{tiles: Tile[], selected: string, verdict?: Verdict}>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  let strip = strips.get(parent);
  if (!strip) {
    const [group, below] = [element("div", "strip"), element("div")];
    strip = { tiles: new Map(), untold: new Untold(), group, choose: () => {}, below, html: "", giveUp: () => {} };
    strip.group.setAttribute("role", "radiogroup");
    strip.group.setAttribute("aria-label", "Metric");
    strip.group.onkeydown = (event) => onKey(strip, /** @type {any} */ (event));
    parent.replaceChildren(strip.group, strip.below);
    strips.set(parent, strip);
  }
  strip.choose = (key) => {
    if (key === strip.selected) return;
    strip.untold.add(key);
    select(strip, key);
    afterwards(() => setTriggerValue("pick", key));
  };
  for (const tile of data.tiles) {
    if (!strip.tiles.has(tile.key)) strip.tiles.set(tile.key, newTile(strip, tile.key));
    fill(strip.tiles.get(tile.key), tile);
  }
  strip.group.style.setProperty("--half", String(Math.ceil(strip.tiles.size / 2)));
  if (strip.untold.answered(data.selected)) select(strip, data.selected);
  const { html, asks } = data.verdict ?? { html: "", asks: null };
  if (strip.html !== html) {
    strip.below.replaceChildren(...inert(html));
    markCostly(strip.below);
  }
  strip.html = html;
  strip.giveUp(); // typing costs nothing more
  if (asks) {
    const timer = setTimeout(() => strip.giveUp = whenIdle(() => setTriggerValue("asked", asks)), PAUSE);
    strip.giveUp = () => clearTimeout(timer);
  }
  return () => {
    strip.giveUp();
    strips.delete(parent);
    costly.replaceSync("");
  };
}

/** @param {Strip} strip @param {string} key */
function newTile(strip, key) {
  const tile = element("div", "tile");
  tile.setAttribute("role", "radio");
  tile.dataset.key = key;
  tile.onclick = () => {
    const marked = getSelection(); // a drag over the numbers copies them and chooses nothing
    if (marked.isCollapsed || !marked.containsNode(tile, true)) strip.choose(key);
  };
  strip.group.append(tile);
  return tile;
}

/** @param {HTMLElement} tile @param {Tile} shown */
function fill(tile, { name, lines, bar, tip, lower, interval, between }) {
  const shown = JSON.stringify([name, lines, bar, tip, lower, interval]);
  if (tile.dataset.shown === shown) return;
  tile.dataset.shown = shown;
  const parts = [element("b", "", name)];
  for (const { text, said, tone } of lines) {
    const line = element("span", tone, text);
    parts.push(line);
    if (!said) continue;
    line.ariaHidden = "true"; // the words say it
    parts.push(element("span", "sr", said));
  }
  if (tip) parts.push(element("span", "sr", tip));
  tile.title = tip;
  if (bar !== null) {
    const drawn = element("i", lower ? "bar lower" : "bar");
    drawn.style.setProperty("--filled", `${100 * bar}%`);
    parts.push(drawn);
  }
  if (interval) {
    const drawn = element("i", "interval");
    ["--low", "--at", "--high"].forEach((end, n) => drawn.style.setProperty(end, String(interval[n])));
    drawn.title = between;
    parts.push(drawn);
  }
  tile.replaceChildren(...parts);
}

/** @param {Strip} strip @param {string} key */
function select(strip, key) {
  strip.selected = key;
  for (const [own, tile] of strip.tiles) {
    tile.ariaChecked = String(own === key);
    tile.tabIndex = own === key ? 0 : -1; // Tab enters at the chosen tile
  }
  // On a phone the tiles are a row that scrolls.
  const [row, chosen] = [strip.group, strip.tiles.get(key)];
  if (chosen && row.scrollWidth > row.clientWidth) {
    row.scrollLeft = chosen.offsetLeft - row.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
  }
}

/** Arrow keys walk, Enter and the space bar choose: each choice draws the page anew.
 * @param {Strip} strip @param {KeyboardEvent & {target: HTMLElement}} event */
function onKey(strip, event) {
  const tiles = [...strip.tiles.values()];
  const here = tiles.indexOf(event.target);
  const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1 };
  const to = /** @type {Record<string, number>} */ ({ ...steps, Home: 0, End: -1 })[event.key];
  if (to !== undefined) tiles.at(to % tiles.length).focus();
  else if (event.key === "Enter" || event.key === " ") strip.choose(event.target.dataset.key);
  else return;
  event.preventDefault();
}
