// A player on a page of the app; the scripts of viz/draw and `tell.js` stand before this. Markup enters as inert nodes,
// and only when it has changed; steps that follow join those that are there.

const shown = new WeakMap(); // parent element → what it shows

export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  let now = shown.get(parent);
  if (!now) {
    now = { told: new Told() };
    shown.set(parent, now);
    now.observer = new ResizeObserver(() => {
      clearTimeout(now.timer);
      now.timer = setTimeout(() => now.measure(), now.measured ? 150 : 0);
    });
    now.observer.observe(parent);
  }
  now.measure = () => {
    const room = Math.floor(parent.clientWidth / STEP) * STEP;
    now.measured = true;
    const enough = parent.clientWidth >= data.room && parent.clientWidth < data.room + 2 * STEP;
    if (!room || enough || room === now.room) return;
    now.room = room;
    setStateValue("room", room);
  };
  // What was done is seen before the server hears of it, but where there is a hurry.
  now.tell = (name, value, hurry) => {
    const tell = () => setTriggerValue("told", now.told.with(name, value));
    if (hurry) tell();
    else requestAnimationFrame(() => setTimeout(tell));
  };
  if (now.name === data.name) {
    if (data.chunk) now.player.add(data.chunk);
  } else if (data.html === null) {
    now.tell("more", 0); // what was sent before is not here any more
  } else {
    const focused = parent.contains(document.activeElement) ? document.activeElement.className : undefined;
    now.player?.stop();
    parent.replaceChildren(...inert(data.html));
    now.name = data.name;
    const tell = (name, value, hurry) => now.tell(name, name === "step" ? [value, data.name] : value, hurry);
    now.player = play(parent.querySelector(".bitext"), data.chunk, tell);
    giveBack(parent);
    if (focused) parent.querySelector(`.controls .${CSS.escape(focused)}`)?.focus({ preventScroll: true });
  }
  return () => {
    now.player?.stop();
    now.observer.disconnect();
    clearTimeout(now.timer);
    shown.delete(parent);
  };
}

const STEP = 40;

// A button that was chosen by mouse or touch gives the focus back, so that the player hears keys. Who uses a keyboard is
// still where they were, and the button's own arrow keys are its own.
function giveBack(parent) {
  const active = document.activeElement;
  if (!active || parent.contains(active) || active.matches(":focus-visible")) return;
  if (active.closest(".st-key-view, .st-key-metric")) active.blur();
}
