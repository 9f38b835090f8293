// A saved chapter: one screen at a time, as the page shows them, without a server. `player.js` and `lesson.js` stand
// before this, and PLAYERS; all that is said and judged stands in the file.

const learn = document.querySelector(".learn");
const bar = learn.querySelector(".course");
const screens = [...learn.querySelectorAll(".screen")];
const lessons = new Map(); // screen → its life, made when it is first seen
let at = Math.max(0, Math.min(screens.length, Number(location.hash.slice(1)) || 1) - 1);
let present = false;

let stepping; // the player of the screen that is shown

// Shows the player of this screen, or the screen again.
function steps(on) {
  stepping?.stop();
  const screen = screens[at];
  stepping = on ? new Stepping(screen.querySelector(".stepping"), PLAYERS[at], () => steps(false)) : undefined;
  screen.querySelector(".lesson").hidden = on;
  document.activeElement?.blur(); // the keys are the player's
}

function show(to, backwards = false) {
  if (stepping) steps(false);
  at = to;
  screens.forEach((screen, n) => (screen.hidden = n !== at));
  const screen = screens[at];
  if (!lessons.has(screen)) {
    const done = (name) => {
      if (name === "done") markDone(learn.dataset.key, at + 1);
      if (name === "steps") steps(true);
      write();
      if (present) lessons.get(screen)?.present(lessons.get(screen).at);
    };
    lessons.set(screen, lesson(screen.querySelector(".lesson"), undefined, done));
  }
  if (present) lessons.get(screen).present(backwards ? 99 : 0);
  history.replaceState(null, "", `#${at + 1}`);
  scrollTo(0, 0);
  write();
}

function write() {
  const names = screens.map((screen) => screen.dataset.name);
  const focused = bar.contains(document.activeElement) ? document.activeElement.className : "";
  const button = (text, name, does, off) => {
    const made = element("button", name, text);
    made.type = "button";
    made.disabled = off;
    made.addEventListener("click", does);
    return made;
  };
  bar.replaceChildren(
    element("span", "title", learn.dataset.title),
    dots(learn.dataset.key, names, at + 1, (n) => show(n - 1)),
    element("span", "where", `${at + 1} of ${names.length}: ${names[at]}`),
    button("Back", "to-back", () => go(-1), at === 0),
    button("Next", "to-on", () => go(1), at === screens.length - 1),
    button(present ? "End (Esc)" : "Present", "to-present", () => lecture(!present), false),
  );
  if (focused) bar.getElementsByClassName(focused)[0]?.focus();
}

function element(tag, name, text) {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function go(by) {
  if (screens[at + by]) show(at + by, by < 0);
}

function lecture(on) {
  present = on;
  learn.classList.toggle("present", on);
  document.documentElement.classList.toggle("presenting", on);
  show(at);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (stepping?.key(event, () => go(1)) || typing(event)) return;
  const now = lessons.get(screens[at]);
  if (event.key === "ArrowRight" || (present && (event.key === "PageDown" || event.key === " "))) {
    if (present && now.next()) event.preventDefault();
    else if (present && PLAYERS[at] && !stepping) steps(true);
    else go(1);
  } else if (event.key === "ArrowLeft" || (present && event.key === "PageUp")) {
    if (!present || !now.back()) go(-1);
  } else if (event.key === "f" || event.key === "F") lecture(!present);
  else if (event.key === "Escape" && present) lecture(false);
  else return;
  event.preventDefault();
});
screens.forEach((screen, n) => {
  if (PLAYERS[n]) {
    const place = element("div", "stepping", "");
    place.hidden = true;
    screen.append(place);
  } else screen.querySelector(".go")?.remove();
});
learn.classList.add("alive");
show(at);
