// The bar of a chapter: its name, its screens, and the ways back and on; and the keys that do the same.

import { button, element } from "../../pen/script/elements.js";
import { doneIn } from "./progress.js";

/**
 * Where one is: the screen's place from 1 on. By its number, that of each screen in `numbers`, it is known to be done. `onward` is the last way's name; `first` and `last` say that there is none.
 * @typedef {{chapter: string, title: string, names: string[], numbers: number[], screen: number, present: boolean, onward: string,
 *   first: boolean, last: boolean, known: string}} Now `known` says what was known at once, or nothing
 */
/** @typedef {{back: () => void, on: () => void, go: (screen: number) => void, present: () => void}} Ways */

/** Writes the bar. What has the focus keeps it. @param {HTMLElement} bar @param {Now} now @param {Ways} ways
 * @param {...HTMLElement} before what stands first in it */
export function writeCourse(bar, now, ways, ...before) {
  const focused = bar.contains(document.activeElement) ? document.activeElement.className : "";
  const places = element("span", "ways");
  const way = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => void} */ act, off = false) => {
    const made = button(text, act, name);
    made.disabled = off;
    places.append(made);
  };
  way("Back", "to-back", ways.back, now.first);
  way(now.onward, "to-on", ways.on, now.last);
  way(now.present ? "End (Esc)" : "Present", "to-present", ways.present);
  bar.replaceChildren(
    ...before,
    element("span", "title", now.title),
    dots(now, ways.go),
    element("span", "where", `${now.screen} of ${now.names.length}: ${now.names[now.screen - 1]}`),
    ...(now.known ? [element("span", "known", now.known)] : []),
    places,
  );
  if (focused) /** @type {HTMLElement} */ (bar.getElementsByClassName(focused)[0])?.focus();
}

/** The dots of a chapter's screens, as buttons; those that are done are filled. @param {Now} now @param {Ways["go"]} go */
function dots({ chapter, names, numbers, screen }, go) {
  const list = element("ol", "dots");
  const done = doneIn(chapter);
  names.forEach((name, n) => {
    const dot = button("", () => go(n + 1));
    dot.title = name;
    if (n + 1 === screen) dot.setAttribute("aria-current", "step");
    const isDone = done.has(numbers[n]);
    dot.classList.toggle("done", isDone);
    dot.append(element("span", "sr", `${n + 1}, ${name}${isDone ? ", done" : ""}`));
    const item = element("li");
    item.append(dot);
    list.append(item);
  });
  return list;
}

const HAVE_KEYS = '[role="grid"], [role="radiogroup"], [role="slider"], [role="dialog"], .player, .moving'; // of their own

/** Whether a key is another's: it was heard, or is pressed with others. @param {KeyboardEvent} event */
export const taken = (event) => event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;

/** What a key asks of a chapter, where it does not belong to what has the focus.
 * @param {KeyboardEvent} event @param {boolean} present @returns {"on" | "back" | "present" | undefined} */
export function wishOf(event, present) {
  const { key, target } = event;
  const presents = key === "f" || key === "F" || (key === "Escape" && present);
  if (taken(event)) return undefined;
  if (target instanceof Element) {
    if (target.matches("input, textarea, select, [contenteditable]")) return undefined;
    if (target.closest(HAVE_KEYS) && !["f", "F", "Escape"].includes(key)) return undefined;
  }
  if (key === "ArrowRight" || (present && (key === "PageDown" || key === " "))) return "on";
  if (key === "ArrowLeft" || (present && key === "PageUp")) return "back";
  return presents ? "present" : undefined;
}
