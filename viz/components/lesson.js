// A chapter on the Learn page: the bar with its screens, the sentences that can be changed, and the screen itself. What is
// done is told to the server; what was answered and which screens are done stay in the browser.

import { taken, wishOf, writeCourse } from "../draw/learn/script/course.js";
import { scaleOf } from "../draw/learn/script/fitting.js";
import { Lesson } from "../draw/learn/script/lesson.js";
import { firstsIn, knownAtOnce, markDone, markFirst } from "../draw/learn/script/progress.js";
import { Moving } from "../draw/learn/script/moving.js";
import { Stepping } from "../draw/learn/script/stepping.js";
import { all, button, element, inert, one } from "../draw/pen/script/elements.js";
import { writeChoices } from "./script/choices.js";
import { Room } from "./script/room.js";
import { Sentences } from "./script/sentences.js";
import { Told } from "./script/tell.js";

/**
 * A screen: `acts` are buttons below it, `groups` what can be chosen above it, `new` the name of another exercise, `player`
 * its steps, or `unplayed`, why it has none.
 * @typedef {{chapter: string, screen: number, code?: string, title: string, names: string[], numbers: number[], next: boolean,
 *   present: boolean, html: string, player?: import("../draw/learn/script/stepping.js").Played, unplayed: string,
 *   own: import("./script/sentences.js").Own | null, acts: {name: string, label: string}[],
 *   groups: import("./script/choices.js").Group[], new: string, room: number}} Data
 */

/** @type {WeakMap<Element, Chapter>} by the element that has it */
const shown = new WeakMap();
/** @type {Map<string, import("../draw/learn/script/quiz.js").Answered>} by the name of a screen such as "gtm:1" */
const answers = new Map();
const WAIT = 2000; // milliseconds after which a screen that did not come can be asked for again

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  if (!shown.has(parent)) shown.set(parent, new Chapter(parent));
  const now = shown.get(parent);
  now.tell = (name, value) => setTriggerValue("told", now.told.with(name, value));
  now.room.update(data.room, (room) => setStateValue("room", room));
  now.update(data);
  return () => {
    now.stop();
    shown.delete(parent);
  };
}

class Chapter {
  /** @param {Element} parent */
  constructor(parent) {
    this.told = new Told();
    /** @type {(name: string, value: unknown) => void} */
    this.tell = () => {};
    this.bar = element("nav", "course");
    this.sentences = new Sentences((typed) => this.tell("own", typed));
    this.stage = element("div", "stage");
    this.root = element("div", "learn");
    this.acts = element("p", "acts");
    this.groups = element("div", "choices");
    this.steps = element("div", "stepping"); // the player, in the place of the screen
    this.steps.hidden = true;
    this.offers = element("div", "offers"); // what can be chosen and typed; in a hall it stands below the words
    this.offers.append(this.groups, this.sentences.root);
    this.root.append(this.bar, this.offers, this.stage, this.steps, this.acts);
    parent.replaceChildren(this.root);
    this.room = new Room(parent, undefined, () => scaleOf(this.root));
    this.tiles = new Moving(
      (text) => this.sentences.put("candidate", text),
      () => this.typing(),
      (board) => (this.data.present ? this.offers : board),
    );
    /** @type {Data | undefined} */
    this.data = undefined;
    /** @type {Lesson | undefined} */
    this.lesson = undefined;
    /** @type {Stepping | undefined} */
    this.stepping = undefined;
    /** @type {string | undefined} */
    this.html = undefined;
    this.name = "";
    this.backwards = false; // whether the last screen was left by its beginning
    /** @type {ReturnType<typeof setTimeout> | undefined} until a screen that was asked for is there */
    this.moving = undefined;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("keydown", (event) => this.key(/** @type {any} */ (event)), { signal });
  }

  stop() {
    this.stepping?.stop();
    this.lesson?.stop();
    this.tiles.stop();
    this.listeners.abort();
    this.room.stop();
    this.sentences.stop();
    clearTimeout(this.moving);
    document.documentElement.classList.remove("presenting");
  }

  /** Shows the player, or the screen again. @param {boolean} on */
  play(on) {
    this.stepping?.stop();
    this.stepping = on ? new Stepping(this.steps, this.data.player, () => this.play(false)) : undefined;
    this.stage.hidden = on;
    this.root.classList.toggle("plays", on);
    if (on) /** @type {HTMLElement} */ (document.activeElement)?.blur(); // the keys are the player's
  }

  /** @param {Data} data */
  update(data) {
    const before = this.data;
    const name = `${data.chapter}:${data.screen}${data.code ? `:${data.code}` : ""}`;
    const moved = Boolean(before) && name !== this.name;
    this.data = data;
    this.name = name;
    this.root.classList.toggle("present", data.present);
    document.documentElement.classList.toggle("presenting", data.present);
    if (before && before.present !== data.present) this.room.measure();
    if (moved) {
      clearTimeout(this.moving);
      this.moving = undefined;
    }
    if (this.stepping && (moved || before.player?.html !== data.player?.html)) this.play(!moved && !!data.player);
    if (this.html !== data.html || moved) this.draw(data, moved);
    if (this.lesson) {
      this.lesson.moved = (first, last) => {
        this.root.classList.toggle("at-start", first);
        this.root.classList.toggle("at-end", last);
      };
    }
    if (data.present && (moved || !before?.present)) this.lesson?.present(this.backwards ? 99 : 0);
    else if (data.present) this.lesson?.present(this.lesson.at);
    this.backwards = false;
    this.acts.replaceChildren(...data.acts.map(({ name, label }) => button(label, () => this.tell(name, true), "act")));
    writeChoices(this.groups, data.groups, data.new, (name, value) => this.tell(name, value));
    (data.new ? this.groups : this.root).append(this.acts); // an exercise needs all the room below
    this.sentences.fill(data.own, data.chapter + data.screen, moved);
    if (data.own?.says) this.tiles.fail(data.own.says);
    this.write(data);
    this.lesson?.measure();
  }

  /** Why the words of the sentence cannot be moved now: what is typed comes first, and is never written over. */
  typing() {
    const { own } = this.data;
    return own && !this.sentences.read(own.fields[0]) ? "Please wait: the typed text is read first." : "";
  }

  /** @param {Data} data @param {boolean} moved */
  draw(data, moved) {
    const { name, stage } = this;
    const at = moved ? 0 : (this.lesson?.at ?? 0);
    const open = moved ? [] : all(stage, "details[open] > summary").map((e) => e.textContent);
    this.lesson?.stop();
    stage.replaceChildren(...inert(data.html));
    for (const e of stage.querySelectorAll("details")) {
      if (open.includes(e.querySelector(":scope > summary")?.textContent)) e.open = true;
    }
    this.html = data.html;
    const root = one(stage, ".lesson");
    const report = (/** @type {string} */ what, /** @type {any} */ value) => {
      if (what === "answered") {
        answers.set(name, value);
        const { answer, once = false } = value;
        markFirst(data.chapter, data.code || String(data.screen), { answer, once, exercise: Boolean(data.code) });
        this.write(this.data);
      } else if (what === "another") this.tell("new", true);
      else if (what === "done") {
        markDone(data.chapter, data.numbers[data.screen - 1]);
        this.write(this.data);
      } else if (what === "steps") this.play(true);
      else this.tell(what, value);
      if (data.present) this.lesson?.present(this.lesson.at);
    };
    if (moved) this.tiles.forget();
    const first = data.code && firstsIn(data.chapter)[data.code]; // of an exercise that was answered before
    const known = answers.get(name) ?? (first && !first.once ? { answer: first.answer, shown: false } : undefined);
    this.lesson = root ? new Lesson(root, known, report) : undefined;
    this.tiles.attach(root);
    const way = stage.querySelector(".to-steps");
    if (way && !data.player) way.replaceWith(element("p", "unplayed", data.unplayed));
    if (this.lesson) this.lesson.at = at;
    if (moved) scrollTo(0, 0);
  }

  /** The bar. @param {Data} data */
  write(data) {
    const { present, screen, next } = data;
    const last = screen === data.names.length;
    const known = last ? knownAtOnce(data.chapter) : "";
    writeCourse(
      this.bar,
      {
        ...data,
        onward: last && next ? "Next chapter" : "Next",
        first: screen === 1 && !present,
        last: last && !next,
        known,
      },
      {
        back: () => (present && this.stepping ? this.play(false) : this.back()),
        on: () => this.on(),
        go: (screen) => this.go(screen),
        present: () => this.tell("present", !present),
      },
      button("Chapters", () => this.tell("list", true), "to-list"),
    );
  }

  /** Asks for a screen, and for no other one until it is there: keys come faster than screens. @param {number} screen */
  go(screen) {
    if (screen === this.data.screen || this.moving) return;
    this.moving = setTimeout(() => {
      this.moving = undefined;
    }, WAIT);
    this.tell("screen", screen);
  }

  on() {
    const { screen, names, next } = this.data;
    if (screen < names.length) this.go(screen + 1);
    else if (next) this.tell("next", true);
  }

  back() {
    if (this.data.screen > 1) this.go(this.data.screen - 1);
  }

  /** @param {KeyboardEvent & {target: HTMLElement}} event */
  key(event) {
    if (!this.data || taken(event) || this.stepping?.key(event, () => this.on())) return;
    const { present, player, screen, names } = this.data;
    const wish = wishOf(event, present);
    if (wish === "on" && !(present && this.lesson?.next())) {
      if (present && player && !this.stepping) this.play(true);
      else if (screen < names.length) this.on();
    } else if (wish === "back" && !(present && this.lesson?.back())) {
      this.backwards = present;
      this.back();
    } else if (wish === "present") {
      this.tell("present", !present);
    }
    if (wish) event.preventDefault();
  }
}
