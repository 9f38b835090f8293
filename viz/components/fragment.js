// A fragment on a page of the app; `fragment.js` of viz/draw stands before this. Markup enters as inert nodes, and only
// when it has changed; what was chosen in the browser is told to the server, so that links and files hold it.

const shown = new WeakMap(); // parent element → what it shows

export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  let now = shown.get(parent);
  if (!now) {
    now = { untold: { term: [], off: [] } }; // what was chosen and switched that the server has not answered yet
    shown.set(parent, now);
    now.observer = new ResizeObserver(() => {
      clearTimeout(now.timer);
      now.timer = setTimeout(() => now.measure(), now.measured ? 150 : 0);
    });
    now.observer.observe(parent);
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
    now.light?.stop();
    parent.replaceChildren(...read.childNodes);
    now.html = data.html;
    const off = now.answered("off", data.off) ? data.off : now.light.off;
    now.light = bitext(parent.querySelector(".bitext"), (name, value) => now.tell(name, value));
    now.light.switch(off, false);
    if (focused) parent.querySelector(`tr[data-term="${focused}"]`)?.focus({ preventScroll: true });
    now.untold.term = [];
    now.light.choose(data.term ?? null, false);
  } else {
    if (now.answered("term", data.term ?? null)) now.light.choose(data.term ?? null, false);
    if (now.answered("off", data.off)) now.light.switch(data.off, false);
  }
  now.tell = (name, value) => {
    now.untold[name]?.push(value);
    // What was chosen is seen before the server hears of it.
    requestAnimationFrame(() => setTimeout(() => setTriggerValue("told", [name, value])));
  };
  return () => {
    now.light?.stop();
    now.observer.disconnect();
    clearTimeout(now.timer);
    shown.delete(parent);
  };
}

const STEP = 40;
