// A fragment on a page of the app; `fragment.js` of viz/draw and `tell.js` stand before this. Markup enters as inert
// nodes, and only when it has changed; what was chosen in the browser is told to the server, so that links and files
// hold it.

const shown = new WeakMap(); // parent element → what it shows
let seeks = 20; // of what a link has chosen, until the reader does something: what comes late moves it
for (const type of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(type, () => (seeks = 0), { once: true, capture: true, passive: true });
}

export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  let now = shown.get(parent);
  if (!now) {
    now = { told: new Told(), untold: { term: [], off: [], reference: [] } }; // what the server has not answered yet
    shown.set(parent, now);
    now.observer = new ResizeObserver(() => {
      now.find?.();
      clearTimeout(now.timer);
      now.timer = setTimeout(() => now.measure(), now.measured ? 150 : 0);
    });
    now.observer.observe(parent);
    const page = parent.closest(".stMain > *");
    if (seeks && page) now.observer.observe(page);
    now.scrolled = () => now.find(); // by no reader
    if (seeks) addEventListener("scroll", now.scrolled, { capture: true, passive: true });
  }
  now.measure = () => {
    if (data.room === null) return; // it stands in a part of the page
    const room = Math.floor(parent.clientWidth / STEP) * STEP;
    now.measured = true;
    // A little more room than is drawn for is left empty, so that most windows need no second drawing.
    const enough = parent.clientWidth >= data.room && parent.clientWidth < data.room + 2 * STEP;
    if (!room || enough || room === now.room) return;
    now.room = room;
    setStateValue("room", room);
  };
  // An answer to a choice before the last one says nothing about the last one.
  now.answered = (name, value) => {
    const waiting = now.untold[name];
    waiting.splice(0, waiting.lastIndexOf(value) + 1);
    return !waiting.length;
  };
  if (now.html !== data.html) {
    const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.term : undefined;
    const read = new DOMParser().parseFromString(data.html, "text/html").body; // a document where nothing runs
    const unfolded = new Set([...parent.querySelectorAll("details[open]")].map(foldOf));
    now.light?.stop();
    parent.replaceChildren(...read.childNodes);
    for (const e of parent.querySelectorAll("details")) if (unfolded.has(foldOf(e))) e.open = true;
    now.html = data.html;
    const off = now.answered("off", data.off) ? data.off : now.light.off;
    const opened = now.answered("reference", data.reference) ? data.reference : now.light.opened;
    now.light = bitext(parent.querySelector(".bitext"), (name, value) => now.tell(name, value));
    now.light.switch(off, false);
    if (focused) parent.querySelector(`tr[data-term="${focused}"]`)?.focus({ preventScroll: true });
    now.untold.term = [];
    const { metric } = parent.querySelector(".bitext").dataset;
    if (metric !== now.metric) now.told.forget(); // nothing of what was told speaks of this one
    now.metric = metric;
    now.light.choose(data.term ?? null, false);
    if (opened) now.light.open(opened);
  } else {
    if (now.answered("term", data.term ?? null)) now.light.choose(data.term ?? null, false);
    if (now.answered("off", data.off)) now.light.switch(data.off, false);
    now.answered("reference", data.reference);
  }
  // Shows what a link has chosen as if it had been clicked.
  now.find = () => {
    if (!seeks || !data.term) return;
    requestAnimationFrame(() => seeks && seeks-- && now.light.seek(Boolean(data.reference)));
  };
  now.find();
  now.tell = (name, value) => {
    now.untold[name]?.push(value);
    // What was chosen is seen before the server hears of it.
    const also = () => (name === "term" && now.light.opens !== undefined ? [now.light.opened] : []); // which it may change
    requestAnimationFrame(() => setTimeout(() => setTriggerValue("told", now.told.with(name, value, ...also()))));
  };
  return () => {
    now.light?.stop();
    now.observer.disconnect();
    removeEventListener("scroll", now.scrolled, { capture: true });
    clearTimeout(now.timer);
    shown.delete(parent);
  };
}

const STEP = 40;

// By which something that folds is known when it is drawn anew.
function foldOf(folds) {
  return `${folds.className} ${folds.dataset.side ?? folds.dataset.reference ?? ""}`;
}
