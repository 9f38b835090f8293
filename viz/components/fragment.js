// A fragment on a page of the app; `fragment.js` of viz/draw stands before this. Markup enters as inert nodes, and only
// when it has changed; what was chosen in the browser is told to the server, so that links and files hold it.

const shown = new WeakMap(); // parent element → what it shows

export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  let now = shown.get(parent);
  if (!now) {
    now = { untold: [] }; // terms that were chosen and that the server has not answered yet
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
  if (now.html !== data.html) {
    const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.term : undefined;
    const read = new DOMParser().parseFromString(data.html, "text/html").body; // a document where nothing runs
    now.light?.stop();
    parent.replaceChildren(...read.childNodes);
    now.html = data.html;
    const hidden = now.light?.hidden ?? [];
    now.light = bitext(parent.querySelector(".bitext"), (name, value) => now.tell(name, value));
    for (const fate of hidden) now.light.hide(fate);
    if (focused) parent.querySelector(`tr[data-term="${focused}"]`)?.focus({ preventScroll: true });
    now.untold = [];
    now.light.choose(data.term ?? null, false);
  } else {
    // An answer to a choice before the last one says nothing about the last one.
    now.untold.splice(0, now.untold.lastIndexOf(data.term ?? null) + 1);
    if (!now.untold.length) now.light.choose(data.term ?? null, false);
  }
  now.tell = (name, value) => {
    if (name === "term") now.untold.push(value);
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
