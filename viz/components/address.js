// The address bar and the tab's history, and the session storage. A step is made where another place is shown; going
// back is Streamlit's own, which runs the page with the address that it finds.

import { reach } from "../draw/pen/script/reaching.js";
import { whenIdle } from "./script/idle.js";
import { forgetReplaced, listen, runOnReturn, takeTyped, typeAgain } from "./script/typing.js";

const STORE = "bitext-grid:";
const MOST = 12; // texts that are kept
/** @type {string} what was last written into the address bar */
let written;
/** @type {number} how often the browser had gone somewhere by then */
let arrived;
/** @type {string | undefined} the name of the server's session */
let session;
let opened = false; // whether what the tab had kept was looked at
let asked = false; // whether it was asked for before anything was shown

/**
 * What is kept under its `name`, `wanted` from there, or written into the address bar; `beside` says that something is kept
 * beside the address. `confirm` is told back: what was sent before has arrived.
 * @typedef {{confirm?: number, wanted?: string, name?: string, keep?: string, query?: string, place?: string, arrivals?: number,
 *   session?: string, beside?: boolean, reloaded?: boolean}} Data
 */

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ data, setTriggerValue }) {
  if (data.confirm) {
    return whenIdle(() => setTriggerValue("has", data.confirm));
  } else if (data.wanted) {
    setTriggerValue("found", { document: read(data.wanted) });
  } else if (data.reloaded) {
    asked = true;
    setTriggerValue("found", { document: opening === read("at") ? read("beside") : null });
  } else if (data.name) {
    keep(data.name, data.keep);
  } else {
    const begun = data.session !== session; // by the server, and by the browser where the page was not there before
    session = data.session;
    write(data);
    const reloaded = !opened && opening === read("at");
    if (reloaded || (opened && begun)) { // or the server has begun anew under the page
      const document = read("beside");
      if (document && !(asked && reloaded)) setTriggerValue("beside", document);
    }
    if (reloaded) takeTyped(read("typed"));
    opened = true;
    drop("typed");
    if (begun) typeAgain();
    else forgetReplaced();
    store("at", location.search);
    if (!data.beside) drop("beside");
  }
}

let moved = -Infinity; // when the browser last went somewhere of which no answer knows yet
const ANSWERED = 5000; // milliseconds after which none comes any more
addEventListener("popstate", () => {
  if (location.search !== read("at")) moved = performance.now(); // else it went to another part of what is shown
}, true);

const opening = location.search;
reach(document.body);
runOnReturn();
listen((typed) => store("typed", typed));

/** Only what is new is written: this also runs when the browser has gone back and the server has not answered yet. What is
 * shown where the browser has arrived, by opening the page or going back, is no step of its own. @param {Data} data */
function write({ query, place, arrivals }) {
  const now = JSON.stringify([query, place, arrivals]);
  if (now === written) return;
  const came = arrivals !== arrived;
  // What was still on its way when the browser went back is of the place that it has left; written here, it would be a
  // step, and forward would lead nowhere.
  if (!came && performance.now() < moved + ANSWERED) return;
  moved = -Infinity;
  [written, arrived] = [now, arrivals];
  const was = history.state?.place;
  const step = came || was === undefined || was === place ? "replaceState" : "pushState";
  history[step]({ place }, "", location.pathname + query + location.hash);
}

/** @param {string} name */
function read(name) {
  try {
    return sessionStorage.getItem(STORE + name);
  } catch {
    return null; // storage is forbidden
  }
}

/** @param {string} name @param {string} text */
function store(name, text) {
  try {
    sessionStorage.setItem(STORE + name, text);
    return true;
  } catch {
    return false; // forbidden or full
  }
}

/** Keeps texts under their name, and lets go of the oldest ones. @param {string} name @param {string} text */
function keep(name, text) {
  if (name === "beside") return store(name, text);
  const names = (read("names") ?? "").split(" ").filter((other) => other && other !== name);
  names.push(name);
  while (names.length > MOST || (!store(name, text) && names.length > 1)) drop(names.shift());
  store("names", names.join(" "));
}

/** @param {string} name */
function drop(name) {
  try {
    sessionStorage.removeItem(STORE + name);
  } catch {
    // there is nothing to drop
  }
}
