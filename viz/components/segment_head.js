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

/**
 * What is drawn once and filled anew where it stands: a button that took another's place while it is pressed would not
 * be clicked.
 * @typedef {{told: Told, tell: (name: string, value: unknown) => void, title: HTMLElement, open: HTMLElement,
 *   about: HTMLElement, ways: HTMLElement, buttons: Map<string, HTMLElement>, notes: {open: boolean, shown: string,
 *   box: HTMLElement}}} Head
 */
/** @type {WeakMap<Element, Head>} by the element that has it */
const heads = new WeakMap();

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ parentElement: parent, data, setTriggerValue }) {
  const found = heads.get(parent);
  const now = found ?? newHead(parent);
  if (!found) back();
  if (data.seek > sought && found) inSight(parent);
  sought = data.seek;
  now.tell = (name, value) => afterwards(() => setTriggerValue("told", now.told.with(name, value)));
  now.title.textContent = data.title;
  now.open.textContent = data.opens;
  now.about.textContent = data.about;
  fillWays(now, data);
  fillNotes(now, data);
  return () => heads.delete(parent);
}

/** @param {Element} parent @returns {Head} */
function newHead(parent) {
  const [head, top] = [element("div", "segment_head"), element("div", "top")];
  const before = button("←", () => now.tell("go", -1), "go");
  const after = button("→", () => now.tell("go", 1), "go");
  before.ariaLabel = before.title = "Previous segment of the table";
  after.ariaLabel = after.title = "Next segment of the table";
  const open = () => {
    leave();
    now.tell("open", true);
  };
  /** @type {Head} */
  const now = {
    told: new Told(),
    tell: () => {},
    title: element("h2"),
    open: button("", open, "open"),
    about: element("p", "about"),
    ways: element("div", "ways"),
    buttons: new Map(),
    notes: { open: false, shown: "", box: element("div") },
  };
  now.ways.setAttribute("role", "radiogroup");
  now.ways.setAttribute("aria-label", "How the segment is shown");
  top.append(now.title, before, after, now.open);
  head.append(top, now.about, now.ways, now.notes.box);
  parent.replaceChildren(head);
  heads.set(parent, now);
  return now;
}

/** @param {Head} now @param {Data} data */
function fillWays(now, { ways, way }) {
  for (const [name, gone] of now.buttons) if (!ways.some(([other]) => other === name)) gone.remove();
  const before = now.buttons;
  now.buttons = new Map();
  for (const [at, [name, label]] of ways.entries()) {
    const shown = before.get(name) ?? button("", () => now.tell("way", name));
    shown.setAttribute("role", "radio");
    if (shown.textContent !== label) shown.textContent = label;
    shown.ariaChecked = String(name === way);
    if (now.ways.children[at] !== shown) now.ways.insertBefore(shown, now.ways.children[at] ?? null);
    now.buttons.set(name, shown);
  }
  now.ways.hidden = !ways.length;
}

/** @param {Head} now @param {Data} data */
function fillNotes(now, { marks, known }) {
  const { notes } = now;
  const shown = JSON.stringify([marks, known]);
  if (shown === notes.shown) return;
  notes.shown = shown;
  const { activeElement } = document;
  const focused = notes.box.contains(activeElement) ? activeElement.ariaLabel ?? activeElement.tagName : undefined;
  notes.box.replaceChildren(...(marks ? [newNotes(marks, known, notes, (name, value) => now.tell(name, value))] : []));
  if (!focused) return;
  const fields = /** @type {HTMLElement[]} */ ([...notes.box.querySelectorAll("summary, input, textarea")]);
  fields.find((each) => (each.ariaLabel ?? each.tagName) === focused)?.focus({ preventScroll: true });
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
function newNotes([tagged, noted], known, now, tell) {
  const box = element("details", "marks");
  box.open = now.open;
  box.ontoggle = () => (now.open = box.open);
  const said = [tagged, noted].filter(Boolean).join(" · ");
  box.append(element("summary", "", said ? `Tags and note: ${said}` : "Tags and note"));
  const tags = element("input");
  Object.assign(tags, {
    value: tagged,
    placeholder: "Tags, separated by commas",
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
