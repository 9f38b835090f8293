// The list of changes, and the light between its rows and the words of the strip. It only shows and reports: which
// change is chosen is decided on the server. All text enters the page as text, never as markup.

import { element } from "../draw/pen/script/elements.js";
import { DOWN, ledTo } from "../draw/pen/script/leading.js";
import { intoView } from "./script/table.js";

/** @typedef {{n: number, sign: string, words: string[], where: [string, string, string], score: string, change: string,
 *   mark: string, tone: string, said: string}} Change */

/** @type {WeakMap<Element, () => void>} what ends the listeners of an element */
const running = new WeakMap();

/** @param {import("./script/room.js").Component<{rows: Change[], selected: number, columns: {name: string, look: string}[], caption: string,
 *   empty: string, more: string, height: number, tips: Record<number, string>}>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  running.get(parent)?.();
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.n : undefined;
  const top = parent.querySelector(".terms")?.scrollTop ?? 0;
  let { selected } = data;
  /** @type {number | undefined} the change that is lit */
  let lit;
  const tip = element("div", "tip");

  const box = element("div", "terms effects");
  box.style.maxHeight = `${data.height}px`;
  const table = element("table");
  table.setAttribute("role", "grid"); // its rows take the focus and can be selected
  const [head, thead, body] = [element("tr"), element("thead"), element("tbody")];
  data.columns.forEach(({ name, look }) => {
    const th = element("th", look, name);
    th.scope = "col";
    head.append(th);
  });
  thead.append(head);
  const first = data.rows.some((row) => row.n === selected) ? selected : data.rows[0]?.n;
  const lines = data.rows.map(line);
  body.append(...lines);
  if (!lines.length) {
    const [tr, td] = [element("tr"), element("td", "", data.empty)];
    td.colSpan = data.columns.length;
    tr.append(td);
    body.append(tr);
  }
  body.onkeydown = onKey;
  table.append(element("caption", "sr", data.caption), thead, body);
  box.append(table);
  parent.replaceChildren(box);
  if (data.more) parent.append(element("div", "more", data.more));
  box.scrollTop = top;
  const row = lineOf(selected);
  if (row) intoView(box, row);
  if (focused !== undefined) lineOf(Number(focused))?.focus({ preventScroll: true });

  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("pointermove", over, { signal });
  document.addEventListener("pointerleave", dark, { signal });
  document.addEventListener("click", click, { signal });
  const stop = () => {
    listening.abort();
    dark();
    running.delete(parent);
  };
  running.set(parent, stop);
  return stop;

  /** @param {Change} change */
  function line({ n, sign, words, where, score, change, mark, tone, said }) {
    const tr = element("tr", "term");
    tr.dataset.n = String(n);
    tr.setAttribute("aria-selected", String(n === selected));
    tr.setAttribute("aria-label", said);
    tr.tabIndex = n === first ? 0 : -1;
    const [what, place] = [element("td", "what"), element("td", "where")];
    const [then, by] = [element("td", "num score", score), element("td", `num by ${tone}`)];
    what.title = words.join(" → ");
    if (sign) what.append(element("span", "sign", sign), " ");
    words.forEach((word, at) => what.append(...(at ? [" → "] : []), element("bdi", "", word)));
    const [at, beside, source] = where;
    place.append(at, ...(beside ? [" (", element("bdi", "", beside), ")"] : []), source ? `, ${source}` : "");
    place.title = place.textContent;
    by.append(mark ? `${mark} ` : "", change);
    tr.append(what, place, then, by);
    tr.onclick = () => choose(n);
    return tr;
  }

  /** @param {number} n */
  function lineOf(n) {
    return lines.find((tr) => Number(tr.dataset.n) === n);
  }

  /** @param {number} n */
  function choose(n) {
    selected = n === selected ? -1 : n;
    lines.forEach((tr) => tr.setAttribute("aria-selected", String(Number(tr.dataset.n) === selected)));
    const row = lineOf(selected);
    if (row) intoView(box, row);
    setTriggerValue("pick", selected);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const to = ledTo(event.key, lines, document.activeElement, DOWN);
    if (to) {
      to.focus({ preventScroll: true });
      intoView(box, to);
      light(Number(to.dataset.n));
    } else if (event.key === "Enter" || event.key === " ") {
      choose(Number(document.activeElement.dataset.n));
    } else if (event.key === "Escape" && selected >= 0) {
      choose(selected);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The number of the change that a word of the strip shows; none for other places. @param {EventTarget} target */
  function changeAt(target) {
    const word = target instanceof Element ? target.closest(".worth :is(.tk, .ad)") : null;
    const name = word && [...word.classList].find((c) => /^e\d+$/.test(c));
    return name ? Number(name.slice(1)) : undefined;
  }

  /** @param {MouseEvent} event */
  function click(event) {
    const n = changeAt(event.target);
    if (n !== undefined) choose(n);
  }

  /** @param {PointerEvent} event */
  function over(event) {
    const n = changeAt(event.target);
    if (n === undefined) {
      const row = event.target instanceof Element ? event.target.closest(".effects tr.term") : null;
      return row ? light(Number(row.dataset.n)) : dark();
    }
    light(n);
    tip.textContent = data.tips[n] ?? "";
    if (!tip.isConnected) document.body.append(tip);
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, room))}px`;
    tip.style.top = `${event.clientY + 18}px`;
  }

  /** @param {number} n */
  function light(n) {
    if (n === lit) return;
    dark();
    lit = n;
    document.querySelectorAll(`.worth .e${n}`).forEach((e) => e.classList.add("lit"));
    lineOf(n)?.classList.add("lit");
  }

  function dark() {
    tip.remove();
    if (lit === undefined) return;
    lit = undefined;
    document.querySelectorAll(".worth .lit, .effects .lit").forEach((e) => e.classList.remove("lit"));
  }
}
