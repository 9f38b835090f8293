// The texts of a page fold to a line while nobody is in them. They stay in the page, so that Tab leads into them, which
// opens them; a click on the line does it too. They fold when the focus has left them: never under a typing hand, nor
// while a pointer is down, since what was pressed would move away.

import { button, inert } from "../draw/pen/script/elements.js";
import { TEXT_FIELDS } from "./script/streamlit.js";

/** @type {WeakMap<Element, {line: HTMLElement, html: string, stop: () => void}>} by the element that has it */
const shown = new WeakMap();

/** @param {import("./script/room.js").Component<{line: string}>} component */
export default function ({ parentElement: parent, data }) {
  const box = /** @type {HTMLElement | null} */ (parent.closest(".st-key-inputs"));
  if (!box) return () => {};
  let now = shown.get(parent);
  if (!now) {
    const line = button("", () => {}, "inputs_line");
    line.dataset.inputs = "";
    parent.replaceChildren(line);
    now = { line, html: "", stop: watch(box, line) };
    shown.set(parent, now);
  }
  if (now.html !== data.line) now.line.replaceChildren(...inert(data.line));
  now.html = data.line;
  return () => {
    now.stop();
    shown.delete(parent);
  };
}

/** Opens and folds the inputs; what is returned ends it. @param {HTMLElement} box @param {HTMLElement} line */
function watch(box, line) {
  let [pressed, left] = [false, false];
  /** @param {boolean} open */
  const turn = (open) => {
    box.toggleAttribute("data-open", open);
    line.ariaExpanded = String(open);
    left = false;
  };
  const inText = () => document.activeElement?.matches(TEXT_FIELDS) && box.contains(document.activeElement);
  const leave = () => {
    left = true;
    // Another window may have the focus: who comes back goes on typing.
    if (!pressed) requestAnimationFrame(() => left && document.hasFocus() && !inText() && turn(false));
  };
  const listeners = /** @type {[EventTarget, string, (event: any) => void][]} */ ([
    [box, "focusin", (event) => event.target.matches(TEXT_FIELDS) && turn(true)],
    [box, "focusout", (event) => event.target.matches(TEXT_FIELDS) && leave()],
    [document, "pointerdown", () => (pressed = true)],
    [document, "pointercancel", () => (pressed = false)],
    // What was pressed is clicked before anything moves.
    [document, "pointerup", () => setTimeout(() => ((pressed = false), left && leave()))],
    [line, "click", () => (turn(true), box.querySelector("textarea")?.focus())],
  ]);
  for (const [on, type, does] of listeners) on.addEventListener(type, does, { capture: true });
  turn(Boolean(inText()));
  return () => {
    for (const [on, type, does] of listeners) on.removeEventListener(type, does, { capture: true });
    box.removeAttribute("data-open");
  };
}
