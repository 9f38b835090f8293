// Markup in which some elements lead somewhere (`data-tell="segment:12"`): a click, or Enter, tells the server which.

import { all, inert } from "../draw/pen/script/elements.js";
import { afterwards, Told } from "./script/tell.js";

/** @type {WeakMap<Element, {html: string, told: Told}>} by the element that has it */
const shown = new WeakMap();

/** @param {import("./script/room.js").Component<{html: string}>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  const now = shown.get(parent) ?? { html: "", told: new Told() };
  shown.set(parent, now);
  if (now.html !== data.html) {
    const opened = all(parent, "details[open]").map((each) => each.className);
    parent.replaceChildren(...inert(data.html));
    for (const each of all(parent, "details")) {
      /** @type {HTMLDetailsElement} */ (each).open ||= opened.includes(each.className);
    }
    now.html = data.html;
  }
  const root = /** @type {HTMLElement} */ (parent);
  root.onclick = (event) => {
    const link = /** @type {Element} */ (event.target).closest("[data-tell]");
    if (!link) return;
    const marked = getSelection(); // a drag over a text copies it and opens nothing
    if (!marked.isCollapsed && marked.containsNode(link, true)) return;
    const [name, ...value] = /** @type {HTMLElement} */ (link).dataset.tell.split(":");
    afterwards(() => setTriggerValue("told", now.told.with(name, value.join(":"))));
  };
  return () => shown.delete(parent);
}
