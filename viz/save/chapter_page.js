// A saved chapter: one screen at a time, as the page shows them, without a server; all that is said and judged stands in
// the file.

import { taken, wishOf, writeCourse } from "../draw/learn/script/course.js";
import { Lesson } from "../draw/learn/script/lesson.js";
import { firstsIn, knownAtOnce, markDone, markFirst } from "../draw/learn/script/progress.js";
import { Stepping } from "../draw/learn/script/stepping.js";
import { Laying } from "../draw/learn/script/tiles.js";
import { all, button, element, inert, one } from "../draw/pen/script/elements.js";
import { reach } from "../draw/pen/script/reaching.js";

/** @typedef {import("../draw/learn/script/stepping.js").Played} Played */
/** @typedef {{label: string, choices: [text: string, html: string][], pair: number | null}} Others */

const learn = one(document, ".learn");
const screens = all(learn, ".screen");
/** @type {Map<HTMLElement, Lesson>} by screens, made when they are first seen */
const lessons = new Map();
let at = Math.max(0, Math.min(screens.length, Number(location.hash.slice(1)) || 1) - 1);
let present = false;
/** @type {Stepping | undefined} the player of the screen that is shown */
let stepping;
/** @type {Record<number, Played>} the steps of screens */
let players = {};
/** @type {Record<number, Others>} other sentences of screens */
let others = {};
/** @type {Record<number, string[]>} further exercises of the kind, for who has answered one wrong */
let further = {};
/** @type {Record<number, number>} which of them is shown, 0 being the first exercise */
const turns = {};

/** Shows the screens, which may have steps, other sentences and further exercises. @param {Record<number, Played>} steps
 * @param {Record<number, Others>} sentences @param {Record<number, string[]>} exercises */
export function chapterPage(steps, sentences, exercises) {
  [players, others, further] = [steps, sentences, exercises];
  addEventListener("resize", fitted);
  document.addEventListener("keydown", (event) => key(/** @type {any} */ (event)));
  screens.forEach((screen, n) => {
    if (others[n]) screen.prepend(choicesOf(others[n]));
    if (others[n]) pressed(screen, 0);
    if (players[n]) {
      const place = element("div", "stepping");
      place.hidden = true;
      screen.append(place);
    } else screen.querySelector(".go")?.remove();
  });
  learn.classList.add("alive");
  reach(document.body);
  show(at);
}

/** @param {Others} others @returns {HTMLElement} */
function choicesOf({ label, choices }) {
  const [row, group] = [element("div", "choices offers"), element("span", "group")];
  group.setAttribute("role", "group");
  group.ariaLabel = label;
  group.append(element("span", "label", label));
  choices.forEach(([text], n) => {
    const choice = button(text, () => other(n));
    choice.dir = "auto";
    group.append(choice);
  });
  row.append(group);
  return row;
}

/** Shows the player of this screen, or the screen again. One that is played from the start keeps its title.
 * @param {boolean} on */
function playSteps(on) {
  stepping?.stop();
  const screen = screens[at];
  const played = Boolean(screen.dataset.played);
  /** @type {import("../draw/steps/script/player.js").Tell} */
  const told = (name, step) => {
    if (name !== "step" || step !== players[at].chunk.steps.length) return;
    markDone(learn.dataset.key, at + 1);
    write();
  };
  const leave = () => (played ? go(-1) : playSteps(false));
  stepping = on ? new Stepping(one(screen, ".stepping"), players[at], leave, told) : undefined;
  one(screen, ".lesson").hidden = on && !played;
  fitted();
  /** @type {HTMLElement} */ (document.activeElement)?.blur(); // the keys are the player's
}

const [LEAST, VALUED] = [16, 22]; // pixels of a cell that the window makes no smaller, and of one with a number in it

/** Tells the style sheet what stands above a player, for its picture and its words share the rest of the window. */
function fitted() {
  const root = stepping?.player.root;
  if (!root) return;
  const box = one(root, ".drawing");
  const svg = box.querySelector("svg");
  root.style.setProperty("--above", `${Math.ceil(one(root, ".frame").getBoundingClientRect().top + scrollY)}px`);
  const least = svg.querySelector("[data-border]") ? VALUED : LEAST;
  svg.style.minHeight = `${svg.viewBox.baseVal.height * Math.min(1, least / Number(box.dataset.size))}px`;
}

/** @param {number} to @param {boolean} [backwards] */
function show(to, backwards = false) {
  if (stepping) playSteps(false);
  at = to;
  screens.forEach((screen, n) => (screen.hidden = n !== at));
  const screen = screens[at];
  if (!lessons.has(screen)) live(screen);
  if (screen.dataset.played) playSteps(true);
  if (present) lessons.get(screen).present(backwards ? 99 : 0);
  history.replaceState(null, "", `#${at + 1}`);
  scrollTo(0, 0);
  write();
}

/** Gives a screen its life; what was answered on it with another sentence is known.
 * @param {HTMLElement} screen @param {import("../draw/learn/script/quiz.js").Answered} [known] */
function live(screen, known) {
  const root = one(screen, ".lesson");
  const ask = one(root, ".quiz[data-once]");
  const turn = turns[at] ?? 0;
  const question = turn ? `${at + 1}.${turn}` : String(at + 1);
  const first = ask && firstsIn(learn.dataset.key)[question]; // what was answered before the page was opened
  if (ask && turn >= (further[at]?.length ?? 0)) ask.dataset.last = "1";
  const done = (/** @type {string} */ name, /** @type {any} */ value) => {
    if (name === "answered") {
      const { answer, once = false } = value;
      markFirst(learn.dataset.key, question, { answer, once, exercise: Boolean(ask) });
    }
    if (name === "another") return another();
    if (name === "done" && !screen.dataset.played) markDone(learn.dataset.key, at + 1);
    if (name === "steps") playSteps(true);
    if (name === "pair" && tiles) tiles.show();
    else if (name === "pair") other(others[at].pair);
    write();
    if (present) lessons.get(screen)?.present(lessons.get(screen).at);
  };
  const before = first && !first.once ? { answer: first.answer, shown: false } : undefined;
  const lesson = new Lesson(root, known ?? before, done);
  lesson.moved = (_, last) => learn.classList.toggle("at-end", last);
  lessons.set(screen, lesson);
  const tiles = one(screen, ".tiles") ? new Laying(root, () => done("done")) : undefined;
}

/** A further exercise of the kind takes the place of the one that was answered. */
function another() {
  const screen = screens[at];
  lessons.get(screen).stop();
  one(screen, ".lesson").replaceWith(...inert(further[at][turns[at] ?? 0]));
  turns[at] = (turns[at] ?? 0) + 1;
  live(screen);
  if (present) lessons.get(screen).present(0);
  write();
}

/** Another sentence to choose from takes the place of the one that is shown. @param {number} n */
function other(n) {
  const screen = screens[at];
  const before = lessons.get(screen);
  before.stop();
  one(screen, ".lesson").replaceWith(...inert(others[at].choices[n][1]));
  live(screen, before.answered);
  const now = lessons.get(screen);
  now.at = before.at;
  pressed(screen, n);
  if (present) now.present(before.at);
}

/** @param {HTMLElement} screen @param {number} n */
function pressed(screen, n) {
  all(screen, ".choices button").forEach((choice, m) => (choice.ariaPressed = String(m === n)));
}

function write() {
  const { key: chapter, title } = learn.dataset;
  const names = screens.map((screen) => screen.dataset.name);
  const numbers = names.map((_, n) => n + 1);
  const [first, last] = [at === 0, at === screens.length - 1];
  const known = one(screens[at], ".quiz[data-once]") || last ? knownAtOnce(chapter) : "";
  writeCourse(
    one(learn, ".course"),
    { chapter, title, names, numbers, screen: at + 1, present, onward: "Next", first, last, known },
    {
      back: () => (present && stepping && !screens[at].dataset.played ? playSteps(false) : go(-1)),
      on: () => go(1),
      go: (screen) => show(screen - 1),
      present: () => lecture(!present),
    },
  );
  lessons.get(screens[at])?.measure(); // the bar may have become higher
}

/** @param {number} by */
function go(by) {
  if (screens[at + by]) show(at + by, by < 0);
}

/** @param {boolean} on */
function lecture(on) {
  present = on;
  learn.classList.toggle("present", on);
  document.documentElement.classList.toggle("presenting", on);
  show(at);
}

/** @param {KeyboardEvent & {target: HTMLElement}} event */
function key(event) {
  if (taken(event) || stepping?.key(event, () => go(1))) return;
  const lesson = lessons.get(screens[at]);
  const wish = wishOf(event, present);
  if (wish === "on" && !(present && lesson.next())) {
    if (present && players[at] && !stepping) playSteps(true);
    else go(1);
  } else if (wish === "back" && !(present && lesson.back())) {
    go(-1);
  } else if (wish === "present") {
    lecture(!present);
  }
  if (wish) event.preventDefault();
}
