// The table of scores. It shows, sorts and reports: which metric is chosen is decided on the server.
// All text enters the page as text, never as markup.

import { all, element } from "../draw/pen/script/elements.js";
import { DOWN, ledTo } from "../draw/pen/script/leading.js";
import { intoView } from "./script/table.js";

/** @typedef {{id: string, name: string, title: string, numeric: boolean, first: "up" | "down"}} Column */
/** @typedef {{text: string, tone: string, mark: string, after: string, said: string}} Cell */
/** @typedef {{key: string, label: string, title: string, cells: Cell[], order: (number | null)[]}} Row */

const WHOLE = 13; // letters of a word of a name that is never broken, also where it has a hyphen

/** @type {Map<string, {id: string, down: boolean}>} by a table's key, the column by which it is sorted */
const sortings = new Map();

/** @param {import("./script/room.js").Component<{key: string, columns: Column[], rows: Row[], selected: string, caption: string,
 *   height: number | null}>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  const { key, columns, rows } = data; // the component's own key is another one whenever the table comes back
  let { selected } = data;
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
  const old = parent.querySelector(".scores");
  const [top, left] = [old?.scrollTop ?? 0, old?.scrollLeft ?? 0];

  const box = element("div", "scores");
  if (data.height) box.style.maxHeight = `${data.height}px`;
  const table = element("table");
  table.setAttribute("role", "grid"); // its rows take the focus and can be selected
  table.style.minWidth = `${104 + 70 * (columns.length - 1)}px`;
  const [thead, tr, body] = [element("thead"), element("tr"), element("tbody")];
  const heads = columns.map(head);
  const lines = rows.map(line);
  tr.append(...heads);
  thead.append(tr);
  body.onkeydown = onKey;
  table.append(element("caption", "sr", data.caption), thead, body);
  box.append(table);
  sort();
  parent.replaceChildren(box);
  [box.scrollTop, box.scrollLeft] = [top, left];
  show();
  all(parent, "[data-name]").find((e) => e.dataset.name === focused)?.focus({ preventScroll: true });

  /** @param {Column} column */
  function head({ id, name, title, numeric }) {
    const th = element("th", numeric ? "num" : "");
    th.scope = "col";
    const button = element("button");
    button.type = "button";
    button.title = title;
    button.dataset.name = `by ${id}`;
    const arrow = element("span", "arrow");
    arrow.ariaHidden = "true";
    const named = element("bdi", ""); // it breaks between its words, and in none that is short
    named.append(
      ...name.split(" ").flatMap((
        word,
        n,
      ) => [n ? " " : "", element("span", word.length <= WHOLE ? "whole" : "", word)]),
    );
    button.append(named, arrow);
    button.onclick = () => next(id);
    th.append(button);
    return th;
  }

  /** @param {Row} row */
  function line({ key: name, label, title, cells }) {
    const tr = element("tr");
    tr.setAttribute("aria-selected", String(name === selected));
    tr.setAttribute("aria-label", label);
    tr.title = title;
    tr.dataset.name = name;
    tr.tabIndex = name === selected || (!rows.some((r) => r.key === selected) && name === rows[0].key) ? 0 : -1;
    cells.forEach(({ text, tone, mark, after, said }, n) => {
      const cell = element(n ? "td" : "th", [columns[n].numeric ? "num" : "", tone].filter(Boolean).join(" "));
      if (!n) cell.scope = "row";
      if (mark) cell.append(sign(mark), " ");
      cell.append(element("bdi", "", text));
      if (after) cell.append(" ", sign(after));
      if (said) cell.append(element("span", "sr", `, ${said}`));
      tr.append(cell);
    });
    tr.onclick = () => choose(name);
    return tr;
  }

  /** @param {string} text */
  function sign(text) {
    const e = element("span", "mark", text);
    e.ariaHidden = "true"; // the words say it
    return e;
  }

  /** @param {string} name */
  function choose(name) {
    if (name === selected) return;
    selected = name;
    lines.forEach((tr) => {
      tr.setAttribute("aria-selected", String(tr.dataset.name === name));
      tr.tabIndex = tr.dataset.name === name ? 0 : -1;
    });
    setTriggerValue("pick", name);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const to = ledTo(event.key, [...body.rows], document.activeElement, DOWN);
    if (to) {
      to.focus({ preventScroll: true });
      intoView(box, to);
      to.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (event.key === "Enter" || event.key === " ") {
      choose(document.activeElement.dataset.name);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The first click on a head sorts by it, the second turns the order round, the third restores the catalogue's.
   * @param {string} id */
  function next(id) {
    const { first } = columns.find((column) => column.id === id);
    const now = sortings.get(key);
    if (now?.id !== id) sortings.set(key, { id, down: first === "down" });
    else if (now.down === (first === "down")) sortings.set(key, { id, down: !now.down });
    else sortings.delete(key);
    sort();
    show();
  }

  function sort() {
    const by = sortings.get(key);
    const n = columns.findIndex((column) => column.id === by?.id);
    heads.forEach((th, at) => {
      th.setAttribute("aria-sort", at !== n ? "none" : by.down ? "descending" : "ascending");
      th.querySelector(".arrow").textContent = at !== n ? "" : by.down ? "↓" : "↑";
    });
    const order = [...rows.keys()]; // sorting is stable, so ties stay as in the catalogue
    if (n >= 0) {
      const value = (/** @type {number} */ row) => rows[row].order[n];
      const missing = (/** @type {number} */ row) => Number(value(row) === null); // always last
      order.sort((a, b) => missing(a) - missing(b) || (by.down ? value(b) - value(a) : value(a) - value(b)));
    }
    body.append(...order.map((row) => lines[row]));
  }

  function show() {
    const row = lines.find((tr) => tr.dataset.name === selected);
    if (row) intoView(box, row);
  }
}
