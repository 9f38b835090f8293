// What is typed into the page's fields. The server may not have it yet: it is sent when a field is left. When the server
// was started again under the page, or the page was loaded again, what is missing is typed once more.

import { app, isIdle, TYPING_FIELDS } from "./streamlit.js";

const SHOWN = 100; // milliseconds in which the page shows what it was sent
const STAYED = 1000; // milliseconds for which nothing has come that wrote over it
const LOOK = 50; // milliseconds between two looks at the fields
const PATIENCE = 20_000; // milliseconds after which a field that is missing comes no more
const CONTROLS = "button, a, label, input, select, textarea, summary, [role]"; // what takes a click
const FIELDS = `${TYPING_FIELDS}, .typed textarea, .quiz input`;

/** @type {Map<string, string>} by the names of their fields */
const typed = new Map();
/** @type {ReturnType<typeof setInterval> | undefined} what sees to that it is there again */
let seeing;
/** @type {{event: MouseEvent, control: Element} | undefined} what was clicked before the server was ready for it */
let clicked;
let acted = false; // whether the reader has done something meanwhile: what is written over then is to be

/** @typedef {HTMLTextAreaElement | HTMLInputElement} Field */

/** A field's name: the key of its part of the page and, where that has more than one, its own. @param {Field} field */
function nameOf(field) {
  const part = /** @type {HTMLElement | null} */ (field.closest('[class*="st-key-"]'));
  return `${part?.className.match(/st-key-\S+/)?.[0]} ${field.dataset.name ?? ""}`;
}

/** The fields of the page by their names. */
const fields = () =>
  new Map([...document.querySelectorAll(FIELDS)].map((found) => {
    const field = /** @type {Field} */ (found);
    return [nameOf(field), field];
  }));

/** Listens to what is typed; `leave` is called with it when the page is left. @param {(typed: string) => void} leave */
export function listen(leave) {
  document.addEventListener("input", ({ target }) => {
    if (target instanceof Element && target.matches(FIELDS)) {
      const field = /** @type {Field} */ (/** @type {unknown} */ (target));
      typed.set(nameOf(field), field.value);
    }
  }, true);
  for (const type of ["pointerdown", "keydown", "input"]) {
    addEventListener(type, (event) => (acted ||= event.isTrusted), { capture: true, passive: true });
  }
  addEventListener("pagehide", () => leave(JSON.stringify([...typed])));
}

/** Runs the page when its server is there again, which may be another one. Streamlit alone would wait for the reader, whose
 * first click would name a part of the page that a new server does not know; its key for running a page is R. What is
 * clicked before the answer counts after it. */
export function runOnReturn() {
  const streamlit = app();
  /** @type {"here" | "away" | "asking" | "running"} */
  let server = "here";
  const change = () => {
    const { testConnectionState: connection, testScriptState: script } = streamlit.dataset;
    if (connection !== "CONNECTED") {
      server = "away";
      clicked = undefined;
    } else if (server === "away") {
      server = script === "notRunning" ? "asking" : "running"; // where a run was cut off Streamlit begins another
      for (const type of ["keydown", "keyup"]) {
        document.body.dispatchEvent(new KeyboardEvent(type, { key: "r", bubbles: true }));
      }
    } else if (server === "asking" && script !== "notRunning") {
      server = "running";
    } else if (server === "running" && script === "notRunning") {
      server = "here";
      if (!seeing) setTimeout(click, 2 * SHOWN); // else what is typed again comes first
    }
  };
  const attributeFilter = ["data-test-connection-state", "data-test-script-state"];
  new MutationObserver(change).observe(streamlit, { attributeFilter });
  document.addEventListener("click", (event) => {
    if (!event.isTrusted || server === "here" || server === "away") return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const target = /** @type {Element} */ (event.target);
    clicked = { event, control: target.closest(CONTROLS) ?? target };
  }, true);
}

/** Does the click that has waited: at its target, or where that was drawn anew at what was the control around it. That
 * need not stand at the same place, and where it was drawn anew too it is known by what it says. */
function click() {
  const waited = clicked;
  clicked = undefined;
  if (!waited) return;
  const { event, control } = waited;
  const target = /** @type {Element} */ (event.target);
  const drawn = () => [...document.querySelectorAll(control.tagName)].find((one) => same(one, control));
  const now = [target, control].find((one) => one.isConnected) ?? drawn();
  now?.dispatchEvent(new MouseEvent("click", event));
}

/** Whether two elements are one control, drawn twice. @param {Element} one @param {Element} other */
function same(one, other) {
  const [own, its] = [one, other].map((control) => {
    const { dataset: { key }, ariaLabel, textContent } = /** @type {HTMLElement} */ (control);
    return JSON.stringify([control.className, control.role, ariaLabel, key ?? textContent]);
  });
  return own === its;
}

/** Forgets what has gone from its field: the server has put something else there. */
export function forgetReplaced() {
  const now = fields();
  for (const [name, text] of typed) if (now.get(name)?.value !== text) typed.delete(name);
}

/** Takes what was typed before the page was loaded again. @param {string | null} left */
export function takeTyped(left) {
  for (const [name, text] of JSON.parse(left ?? "[]")) typed.set(name, text);
}

/** Types again what a server that has just begun does not have. The page may show a field late, or what the server has after
 * what was typed again: it is seen to until all of it has stayed for a while, or the reader does something. */
export function typeAgain() {
  clearInterval(seeing);
  const wanted = new Map(typed); // what the server has is no reason to forget it
  /** @type {Set<string>} */
  const entered = new Set();
  let idle = 0; // since when, in milliseconds
  let left = PATIENCE;
  acted = false;
  seeing = setInterval(() => {
    left -= LOOK;
    idle = isIdle() ? idle + LOOK : 0;
    if (idle < SHOWN) return;
    const now = fields();
    for (const [name, text] of wanted) {
      const field = now.get(name);
      if (!field || (entered.has(name) && (acted || field.value === text))) continue;
      enter(field, entered.has(name) ? text : typed.get(name) ?? text);
      entered.add(name);
      idle = 0;
    }
    const all = entered.size === wanted.size;
    if (left < 0 || (all && idle > 2 * SHOWN)) click();
    if (left < 0 || (all && idle > (acted ? 2 * SHOWN : STAYED))) {
      clearInterval(seeing);
      seeing = undefined;
    }
  }, LOOK);
}

/** Types a text as a reader does who then leaves the field. @param {Field} field @param {string} text */
function enter(field, text) {
  // The page's own setter of the value would hide from the page that it is new.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  setTimeout(() => field.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
}
