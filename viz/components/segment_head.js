// What stands above the evidence of a segment of a corpus. It is brought into sight where the server asks for that.

import { button, element } from "../draw/pen/script/elements.js";
import { back, leave } from "./script/places.js";
import { afterwards, Told } from "./script/tell.js";

/** @typedef {{title: string, about: string, ways: [string, string][], way: string, opens: string,
 *   marks: [string, string] | null, known: string[], seek: number}} Data `marks` are tags and a note */

/** Pixels at the top of the window that the page's bar takes. */
const HEAD = 60;
/** What was brought into sight last, by its number. */
let sought = 0;

/** @type {WeakMap<Element, {told: Told, shown: string, open: boolean}>} by the element that has it */
const heads = new WeakMap();

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  const first = !heads.has(parent);
  const now = heads.get(parent) ?? { told: new Told(), shown: "", open: false };
  heads.set(parent, now);
  if (first) back();
  if (data.seek > sought && !first) inSight(parent);
  sought = data.seek;
  const shown = JSON.stringify(data);
  if (shown === now.shown) return () => heads.delete(parent);
  now.shown = shown;
  const tell = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    afterwards(() => setTriggerValue("told", now.told.with(name, value)));

  const top = element("div", "top");
  const title = element("h2", "", data.title);
  const before = button("←", () => tell("go", -1), "go");
  const after = button("→", () => tell("go", 1), "go");
  before.ariaLabel = before.title = "Previous segment of the table";
  after.ariaLabel = after.title = "Next segment of the table";
  const open = button(data.opens, () => {
    leave();
    tell("open", true);
  }, "open");
  top.append(title, before, after, open);

  const ways = element("div", "ways");
  ways.setAttribute("role", "radiogroup");
  ways.setAttribute("aria-label", "How the segment is looked at");
  for (const [name, label] of data.ways) {
    const way = button(label, () => tell("way", name));
    way.setAttribute("role", "radio");
    way.ariaChecked = String(name === data.way);
    ways.append(way);
  }

  const about = element("p", "about", data.about);
  /** @type {HTMLElement[]} */
  const lines = [top, about, ways];
  if (!data.ways.length) lines.pop();
  if (data.marks) lines.push(notes(data.marks, data.known, now, tell));
  const head = element("div", "segment_head");
  head.append(...lines);
  const focused = document.activeElement instanceof HTMLElement && parent.contains(document.activeElement)
    ? document.activeElement.ariaLabel ?? document.activeElement.textContent
    : undefined;
  parent.replaceChildren(head);
  if (focused) {
    const buttons = /** @type {HTMLElement[]} */ ([...head.querySelectorAll("button")]);
    buttons.find((each) => (each.ariaLabel ?? each.textContent) === focused)?.focus({ preventScroll: true });
  }
  return () => heads.delete(parent);
}

/** Brings an element to the top of what is seen, below what stays there, unless it stands in the upper half already.
 * What takes its place later on the page is waited for. @param {Element} element */
function inSight(element) {
  const go = () => {
    const head = element.querySelector(".segment_head") ?? element;
    const { top } = head.getBoundingClientRect();
    if (top < HEAD || top > innerHeight / 2) head.scrollIntoView({ block: "start", behavior: "instant" });
  };
  requestAnimationFrame(go);
  setTimeout(go, 250);
}

/**
 * @param {[string, string]} marks @param {string[]} known @param {{open: boolean}} now
 * @param {(name: string, value: unknown) => void} tell
 */
function notes([tagged, noted], known, now, tell) {
  const box = element("details", "marks");
  box.open = now.open;
  box.ontoggle = () => (now.open = box.open);
  const said = [tagged, noted].filter(Boolean).join(" · ");
  box.append(element("summary", "", said ? `Tags and note: ${said}` : "Tags and note"));
  const tags = element("input");
  Object.assign(tags, {
    value: tagged,
    placeholder: "Tags, with commas between them",
    ariaLabel: "Tags",
    maxLength: 500,
  });
  tags.setAttribute("list", "corpus_tags");
  const list = element("datalist");
  list.id = "corpus_tags";
  for (const tag of known) {
    const option = element("option");
    option.value = tag;
    list.append(option);
  }
  const note = element("textarea");
  Object.assign(note, { value: noted, placeholder: "Note", ariaLabel: "Note", rows: 2, maxLength: 2000 });
  const keep = () => {
    if (tags.value !== tagged || note.value !== noted) tell("marks", [tags.value, note.value]);
  };
  tags.onchange = note.onchange = keep;
  box.append(tags, list, note);
  return box;
}
