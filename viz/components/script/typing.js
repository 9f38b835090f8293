// What is typed into the page's fields. The server may not have it yet: it is sent when a field is left. When the server
// was started again under the page, or the page was loaded again, what is missing is typed once more.

const SHOWN = 100; // milliseconds in which the page shows what it was sent
const FIELDS = ".stTextArea textarea, .stTextInput input, .stNumberInput input, .typed textarea, .quiz input";

/** @type {Map<string, string>} by the names of their fields */
const typed = new Map();

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
  addEventListener("pagehide", () => leave(JSON.stringify([...typed])));
}

/** Runs the page when its server is there again, which may be another one. Streamlit alone would wait for the reader, whose
 * first click would name a part of the page that a new server does not know; its key for running a page is R. What is
 * clicked before the answer counts after it. */
export function runOnReturn() {
  const app = /** @type {HTMLElement} */ (document.querySelector(".stApp"));
  /** @type {"here" | "away" | "asking" | "running"} */
  let server = "here";
  /** @type {MouseEvent | undefined} */
  let clicked;
  const change = () => {
    const { testConnectionState: connection, testScriptState: script } = app.dataset;
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
      setTimeout(() => {
        clicked?.target.dispatchEvent(new MouseEvent("click", clicked));
        clicked = undefined;
      }, 2 * SHOWN);
    }
  };
  const attributeFilter = ["data-test-connection-state", "data-test-script-state"];
  new MutationObserver(change).observe(app, { attributeFilter });
  document.addEventListener("click", (event) => {
    if (!event.isTrusted || server === "here" || server === "away") return;
    event.stopImmediatePropagation();
    event.preventDefault();
    clicked = event;
  }, true);
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

/** Types again what a server that has just begun does not have, once the page has shown what it has. */
export function typeAgain() {
  const wanted = [...typed]; // what the server has is no reason to forget it
  setTimeout(() => {
    const now = fields();
    for (const [name, text] of wanted) {
      const field = now.get(name);
      if (field) enter(field, typed.get(name) ?? text);
    }
  }, SHOWN);
}

/** Types a text as a reader does who then leaves the field. @param {Field} field @param {string} text */
function enter(field, text) {
  // The page's own setter of the value would hide from the page that it is new.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  setTimeout(() => field.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
}
