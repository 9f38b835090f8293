// A fragment on a page of the app. Markup enters as inert nodes, and only when it has changed; what was chosen in the
// browser is told to the server, so that links and files hold it.

import { bitext } from "../draw/evidence/script/fragment.js";
import { inert } from "../draw/pen/script/elements.js";
import { MissingText } from "./script/idle.js";
import { Room } from "./script/room.js";
import { PAGE_OF } from "./script/streamlit.js";
import { afterwards, Told, Untold } from "./script/tell.js";

/** `answer` is missing where nobody answers what would be if something matched; `html` where the server knows that it
 * has sent what has this digest.
 * @typedef {{html?: string, digest?: string, term: string | null, off: string, reference: string | null, room: number | null,
 *   high: number | null, spot: [number, number] | null, answer?: string}} Data */

/** @type {WeakMap<Element, Shown>} by the element that has it */
const shown = new WeakMap();
/** @type {{digest?: string, html?: string}} what was sent last of what is not sent again, which outlives its element */
let kept = {};
let seeks = 20; // of what a link has chosen, until the reader does something: what comes late moves it
for (const type of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(type, () => (seeks = 0), { once: true, capture: true, passive: true });
}

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  if (!shown.has(parent)) shown.set(parent, new Shown(parent));
  const now = shown.get(parent);
  now.send = (messages) => setTriggerValue("told", messages);
  now.room.update(
    data.room,
    (room, high) => setStateValue("room", data.high === null ? room : [room, high]),
    data.high,
  );
  if (data.digest && data.html !== undefined) kept = data;
  if (data.html !== undefined || kept.digest === data.digest) {
    now.missing.found();
    now.update({ ...data, html: data.html ?? kept.html });
  } else now.missing.ask(() => setTriggerValue("lost", data.digest));
  return () => {
    now.stop();
    shown.delete(parent);
  };
}

class Shown {
  /** @param {Element} parent */
  constructor(parent) {
    this.parent = parent;
    this.told = new Told();
    this.missing = new MissingText();
    this.untold = { term: new Untold(), off: new Untold(), reference: new Untold() };
    this.room = new Room(parent, () => this.find());
    /** @type {string | undefined} */
    this.metric = undefined;
    /** @type {(messages: unknown[]) => void} */
    this.send = () => {};
    const page = parent.closest(PAGE_OF);
    if (seeks && page) this.room.observer.observe(page);
    /** @type {unknown} the term that was chosen last, until the server has answered: it may show another part of texts */
    this.sought = null;
    /** @type {string} what is answered now */
    this.answered = "";
    this.scrolled = () => this.find(); // by no reader
    if (seeks) addEventListener("scroll", this.scrolled, { capture: true, passive: true });
  }

  stop() {
    this.missing.found();
    this.fragment?.stop();
    this.room.stop();
    removeEventListener("scroll", this.scrolled, { capture: true });
  }

  /** @param {Data & {html: string}} data */
  update(data) {
    const { untold, fragment } = this;
    this.data = data;
    const [term, off] = [data.term ?? null, data.off];
    if (this.html !== data.html) {
      const [seenOff, seenReference] = [fragment?.fates.off, fragment?.references.opened];
      const every = fragment?.references.every;
      this.draw(data.html);
      this.fragment.switch(untold.off.answered(off) ? off : seenOff, false);
      const opened = untold.reference.answered(data.reference) ? data.reference : seenReference;
      untold.term.forget();
      const { metric } = this.fragment.root.dataset;
      if (metric !== this.metric) this.told.forget(); // nothing of what was told speaks of this one
      this.metric = metric;
      this.fragment.choose(term, false);
      if (opened) this.fragment.references.open(opened);
      if (every) this.fragment.references.open("all");
      if (data.spot && seeks) this.fragment.columns?.go(data.spot[0], data.spot[1], { now: true });
      if (term !== null && term === this.sought) this.fragment.choosing.seek();
    } else {
      if (untold.term.answered(term)) fragment.choose(term, false);
      if (untold.off.answered(off)) fragment.switch(off, false);
      untold.reference.answered(data.reference);
    }
    if (term === this.sought) this.sought = null;
    this.answer(data.answer ?? "");
    this.find();
  }

  /** @param {string} html */
  answer(html) {
    const { answer } = this.fragment;
    if (html === this.answered && answer.box?.isConnected === Boolean(html)) return;
    this.answered = html;
    answer.show(html);
  }

  /** @param {string} html */
  draw(html) {
    const { parent } = this;
    const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.term : undefined;
    this.fragment?.stop();
    parent.replaceChildren(...inert(html));
    for (const e of parent.querySelectorAll("details")) {
      if (turned.has(foldOf(e))) e.open = turned.get(foldOf(e));
      e.addEventListener("toggle", () => keepFold(e));
    }
    this.html = html;
    this.fragment = bitext(parent.querySelector(".bitext"), (name, value) => this.tell(name, value));
    if (focused) parent.querySelector(`tr[data-term="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** Shows what a link has chosen as if it had been clicked. */
  find() {
    if (!seeks || !this.data?.term) return;
    requestAnimationFrame(() => seeks && seeks-- && this.fragment.seek(Boolean(this.data.reference)));
  }

  /** @param {string} name @param {unknown} value */
  tell(name, value) {
    if (name === "match" && this.data.answer === undefined) return;
    if (name === "term") this.sought = value;
    if (name in this.untold) this.untold[/** @type {"term" | "off" | "reference"} */ (name)].add(value);
    afterwards(() => {
      const { references } = this.fragment;
      const also = name === "term" && references.opens !== undefined ? [references.opened] : []; // which it may change
      this.send(this.told.with(name, value, ...also));
    });
  }
}

/** What a reader has opened or closed, by `foldOf`, in this tab: also in another view, and with other texts.
 * @type {Map<string, boolean>} */
const turned = new Map();
const FOLDS = "bitext folds"; // where the browser keeps it, which may allow no keeping
try {
  for (const [fold, open] of JSON.parse(sessionStorage.getItem(FOLDS) ?? "[]")) turned.set(fold, open);
} catch { /* as if there was nothing */ }

/** @param {HTMLDetailsElement} details */
function keepFold(details) {
  turned.set(foldOf(details), details.open);
  try {
    sessionStorage.setItem(FOLDS, JSON.stringify([...turned]));
  } catch { /* it is forgotten with the page */ }
}

/** By which something that folds is known when it is drawn anew. @param {HTMLElement} folds */
function foldOf(folds) {
  return `${folds.className} ${folds.dataset.side ?? folds.dataset.reference ?? ""}`;
}
