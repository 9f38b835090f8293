// A saved chapter: one screen at a time, as the page shows them, without a server. `player.js`, `lesson.js`
// and `tiles.js` stand before this, PLAYERS, the steps of screens, and OTHERS, their other sentences; all that is said and
// judged stands in the file.

const learn = document.querySelector(".learn");
const bar = learn.querySelector(".course");
const screens = [...learn.querySelectorAll(".screen")];
const lessons = new Map(); // screen → its life, made when it is first seen
let at = Math.max(0, Math.min(screens.length, Number(location.hash.slice(1)) || 1) - 1);
let present = false;

let stepping; // the player of the screen that is shown

// Shows the player of this screen, or the screen again. One that is played from the start keeps its title.
function steps(on) {
  stepping?.stop();
  const screen = screens[at];
  const { played } = screen.dataset;
  const done = (name, step) => name === "step" && step === PLAYERS[at].chunk.steps.length && mark();
  const leave = () => (played ? go(-1) : steps(false));
  stepping = on ? new Stepping(screen.querySelector(".stepping"), PLAYERS[at], leave, done) : undefined;
  screen.querySelector(".lesson").hidden = on && !played;
  fitted();
  document.activeElement?.blur(); // the keys are the player's
}

const [LEAST, VALUED] = [16, 22]; // pixels of a cell that the window makes no smaller, and of one with a number in it

// Tells the style sheet what stands above a player, for its picture and its words share the rest of the window.
function fitted() {
  const root = stepping?.player.root;
  if (!root) return;
  const box = root.querySelector(".drawing");
  const svg = box.querySelector("svg");
  root.style.setProperty("--above", `${Math.ceil(root.querySelector(".frame").getBoundingClientRect().top + scrollY)}px`);
  const least = svg.querySelector("[data-border]") ? VALUED : LEAST;
  svg.style.minHeight = `${svg.viewBox.baseVal.height * Math.min(1, least / Number(box.dataset.size))}px`;
}
addEventListener("resize", fitted);

function mark() {
  markDone(learn.dataset.key, at + 1);
  write();
}

function show(to, backwards = false) {
  if (stepping) steps(false);
  at = to;
  screens.forEach((screen, n) => (screen.hidden = n !== at));
  const screen = screens[at];
  if (!lessons.has(screen)) live(screen);
  if (screen.dataset.played) steps(true);
  if (present) lessons.get(screen).present(backwards ? 99 : 0);
  history.replaceState(null, "", `#${at + 1}`);
  scrollTo(0, 0);
  write();
}

// Gives a screen its life; what was answered on it with another sentence is known.
function live(screen, known) {
  const done = (name) => {
    if (name === "done" && !screen.dataset.played) markDone(learn.dataset.key, at + 1);
    if (name === "steps") steps(true);
    if (name === "pair" && tiles) tiles.show();
    else if (name === "pair") other(OTHERS[at].pair);
    write();
    if (present) lessons.get(screen)?.present(lessons.get(screen).at);
  };
  lessons.set(screen, lesson(screen.querySelector(".lesson"), known, done));
  const tiles = screen.querySelector(".tiles") && new Laying(screen.querySelector(".lesson"), () => done("done"));
}

// Another sentence to choose from takes the place of the one that is shown.
function other(n) {
  const screen = screens[at];
  const before = lessons.get(screen);
  before.stop();
  screen.querySelector(".lesson").replaceWith(...inert(OTHERS[at].choices[n][1]));
  live(screen, before.answered);
  lessons.get(screen).at = before.at;
  pressed(screen, n);
  if (present) lessons.get(screen).present(before.at);
}

function pressed(screen, n) {
  screen.querySelectorAll(".choices button").forEach((choice, m) => (choice.ariaPressed = m === n));
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
  const ways = element("span", "ways");
  ways.append(
    button("Back", "to-back", () => go(-1), at === 0),
    button("Next", "to-on", () => go(1), at === screens.length - 1),
    button(present ? "End (Esc)" : "Present", "to-present", () => lecture(!present), false),
  );
  bar.replaceChildren(
    element("span", "title", learn.dataset.title),
    dots(learn.dataset.key, names, at + 1, (n) => show(n - 1)),
    element("span", "where", `${at + 1} of ${names.length}: ${names[at]}`),
    ways,
  );
  if (focused) bar.getElementsByClassName(focused)[0]?.focus();
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
  if (OTHERS[n]) {
    const group = element("span", "group", "");
    group.setAttribute("role", "group");
    group.ariaLabel = OTHERS[n].label;
    group.append(element("span", "label", OTHERS[n].label));
    OTHERS[n].choices.forEach(([text], m) => {
      const choice = element("button", "", text);
      choice.type = "button";
      choice.dir = "auto";
      choice.addEventListener("click", () => other(m));
      group.append(choice);
    });
    const row = element("div", "choices", "");
    row.append(group);
    screen.prepend(row);
    pressed(screen, 0);
  }
  if (PLAYERS[n]) {
    const place = element("div", "stepping", "");
    place.hidden = true;
    screen.append(place);
  } else screen.querySelector(".go")?.remove();
});
learn.classList.add("alive");
show(at);
