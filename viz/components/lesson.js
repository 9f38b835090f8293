// A chapter on the Learn page: the bar with its screens, the sentences that can be changed, and the screen itself.
// `fragment.js` and `lesson.js` of viz/draw and `tell.js` stand before this. What is done is told to the server; what
// was answered and which screens are done stay in the browser.

const shown = new WeakMap(); // parent element → what it shows
const answers = new Map(); // "gtm:1" → what was answered
const STEP = 40; // pixels in which widths are told
const WAIT = 2000; // milliseconds after which a screen that did not come can be asked for again
const PAUSE = 350; // milliseconds after a key until the sentence is sent

export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  let now = shown.get(parent);
  if (!now) {
    now = new Chapter(parent);
    shown.set(parent, now);
  }
  now.tell = (name, value) => setTriggerValue("told", now.told.with(name, value));
  now.measured = (room) => setStateValue("room", room);
  now.update(data);
  return () => {
    now.stop();
    shown.delete(parent);
  };
}

class Chapter {
  constructor(parent) {
    this.parent = parent;
    this.told = new Told();
    this.bar = make("nav", "course");
    this.own = make("div", "typed");
    this.bank = make("div", "bank");
    this.bank.setAttribute("role", "group");
    this.bank.ariaLabel = "Words for your sentence";
    this.stage = make("div", "stage");
    this.root = make("div", "learn");
    this.acts = make("p", "acts");
    this.groups = make("div", "choices");
    this.steps = make("div", "stepping"); // the player, in the place of the screen
    this.steps.hidden = true;
    this.root.append(this.bar, this.groups, this.own, this.stage, this.steps, this.acts);
    parent.replaceChildren(this.root);
    this.observer = new ResizeObserver(() => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.measure(), this.room ? 150 : 0);
    });
    this.observer.observe(parent);
    this.listeners = new AbortController();
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.listeners.signal });
  }

  // Shows the player, or the screen again.
  play(on) {
    this.stepping?.stop();
    this.stepping = on ? new Stepping(this.steps, this.data.player, () => this.play(false)) : undefined;
    this.stage.hidden = on;
    this.root.classList.toggle("plays", on);
    if (on) document.activeElement?.blur(); // the keys are the player's
  }

  stop() {
    this.stepping?.stop();
    this.lesson?.stop();
    this.listeners.abort();
    this.observer.disconnect();
    for (const timer of [this.timer, this.typed, this.moving]) clearTimeout(timer);
    document.documentElement.classList.remove("presenting");
  }

  measure() {
    const room = Math.floor(this.parent.clientWidth / STEP) * STEP;
    const enough = this.parent.clientWidth >= this.data.room && this.parent.clientWidth < this.data.room + 2 * STEP;
    if (!room || enough || room === this.room) return;
    this.room = room;
    this.measured(room);
  }

  update(data) {
    const before = this.data;
    this.data = data;
    this.root.classList.toggle("present", data.present);
    document.documentElement.classList.toggle("presenting", data.present);
    this.name = `${data.chapter}:${data.screen}${data.code ? `:${data.code}` : ""}`;
    const moved = before && this.name !== this.before;
    if (moved) {
      clearTimeout(this.moving);
      this.moving = undefined;
    }
    this.before = this.name;
    if (this.stepping && (moved || before.player?.html !== data.player?.html)) this.play(!moved && !!data.player);
    if (this.html !== data.html || moved) this.draw(data, moved);
    if (this.lesson) this.lesson.moved = (last) => this.root.classList.toggle("at-end", last);
    if (data.present && (moved || !before?.present)) this.lesson?.present(this.backwards ? 99 : 0);
    else if (data.present) this.lesson?.present(this.lesson.at);
    this.backwards = false;
    this.fill(data, moved);
    this.write(data);
    this.lesson?.measure();
  }

  draw(data, moved) {
    const at = moved ? 0 : (this.lesson?.at ?? 0);
    const read = new DOMParser().parseFromString(data.html, "text/html").body; // a document where nothing runs
    const open = moved ? [] : [...this.stage.querySelectorAll("details[open] > summary")].map((e) => e.textContent);
    this.lesson?.stop();
    this.stage.replaceChildren(...read.childNodes);
    for (const e of this.stage.querySelectorAll("summary")) if (open.includes(e.textContent)) e.parentElement.open = true;
    this.html = data.html;
    const name = this.name;
    const root = this.stage.querySelector(".lesson");
    this.lesson = root && lesson(root, answers.get(name), (what, value) => {
      if (what === "answered") answers.set(name, value);
      else if (what === "done") {
        markDone(data.chapter, data.screen);
        this.write(this.data);
      } else if (what === "steps") this.play(true);
      else this.tell(what, value);
      if (data.present) this.lesson?.present(this.lesson.at);
    });
    const way = this.stage.querySelector(".to-steps");
    if (way && !data.player) way.replaceWith(make("p", "unplayed", data.unplayed));
    if (this.lesson) this.lesson.at = at;
    if (moved) scrollTo(0, 0);
  }

  // The bar: the chapter's name, its screens, and the ways back and on.
  write(data) {
    const focused = this.bar.contains(document.activeElement) ? document.activeElement.className : "";
    const button = (text, name, does, off = false) => {
      const made = make("button", name, text);
      made.type = "button";
      made.disabled = off;
      made.addEventListener("click", does);
      return made;
    };
    const title = make("span", "title", data.title);
    const last = data.screen === data.names.length;
    const ways = make("span", "ways");
    ways.append(
      button("Back", "to-back", () => this.back(), data.screen === 1 && !data.present),
      button(last && data.next ? "Next chapter" : "Next", "to-on", () => this.on(), last && !data.next),
      button(data.present ? "End (Esc)" : "Present", "to-present", () => this.tell("present", !data.present)),
    );
    this.bar.replaceChildren(
      button("Chapters", "to-list", () => this.tell("list", true)),
      title,
      dots(data.chapter, data.names, data.screen, (n) => this.go(n)),
      make("span", "where", `${data.screen} of ${data.names.length}: ${data.names[data.screen - 1]}`),
      ways,
    );
    if (focused) this.bar.getElementsByClassName(focused)[0]?.focus();
  }

  // The sentences that can be changed; what is being typed is not written over.
  fill(data, moved) {
    const { own } = data;
    this.acts.replaceChildren(
      ...data.acts.map(({ name, label }) => {
        const act = make("button", "act", label);
        act.type = "button";
        act.addEventListener("click", () => this.tell(name, true));
        return act;
      }),
    );
    this.choose(data);
    (data.new ? this.groups : this.root).append(this.acts); // an exercise needs all the room below
    this.own.hidden = !own;
    const made = own ? own.fields.map((f) => f.name).join() + data.chapter + data.screen : "";
    if (own && this.fields !== made) {
      this.own.replaceChildren(
        ...own.fields.map((field) => {
          const label = make("label", field.name, "");
          const input = document.createElement("textarea");
          input.rows = field.rows;
          input.dir = "auto";
          input.spellcheck = false;
          input.dataset.name = field.name;
          input.addEventListener("input", () => {
            grow(input);
            clearTimeout(this.typed);
            this.typed = setTimeout(() => this.send(), PAUSE);
          });
          input.addEventListener("keydown", (event) => {
            if (event.key === "Enter" && field.name !== "references") {
              event.preventDefault();
              this.send();
            }
          });
          label.append(make("span", "", field.label), input);
          return label;
        }),
        make("p", "warns"),
      );
    }
    this.fields = made;
    if (!own) return;
    this.offer(own);
    for (const field of own.fields) {
      const input = this.own.querySelector(`[data-name="${field.name}"]`);
      const kept = document.activeElement === input || this.chosen;
      if (moved || own.load !== this.load || !kept) input.value = field.value;
      if (input.value === field.value) this.chosen = false;
      grow(input);
    }
    this.load = own.load;
    const says = this.own.querySelector(".warns");
    says.textContent = own.says;
    says.hidden = !own.says;
  }

  // Words that a click puts at the end of the sentence, for typing is slow on a phone; and a way to take the last one out.
  offer({ words = [], fields }) {
    if (this.offered === words.join(" ") && (this.bank.isConnected || !words.length)) return;
    this.offered = words.join(" ");
    const choice = (text, change) => {
      const made = make("button", "", text);
      made.type = "button";
      made.addEventListener("click", () => {
        const input = this.own.querySelector("textarea");
        input.value = change(input.value.split(/\s+/).filter(Boolean)).join(" ");
        this.chosen = true; // what the server answers to the words before is not written over it
        input.dispatchEvent(new Event("input"));
      });
      return made;
    };
    const last = choice("Last word out", (typed) => typed.slice(0, -1));
    const label = make("span", "label", fields[0].label);
    this.bank.replaceChildren(label, ...words.map((word) => choice(word, (typed) => [...typed, word])), last);
    if (words.length) this.own.prepend(this.bank);
    else this.bank.remove();
  }

  // Levels and metrics to choose from, and another exercise.
  choose({ groups, new: another }) {
    this.groups.hidden = !groups.length && !another;
    const focused = this.groups.contains(document.activeElement) ? document.activeElement.dataset.choice : undefined;
    const parts = groups.map(({ name, label, options, chosen }) => {
      const group = make("span", "group");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", label);
      group.append(make("span", "label", label));
      for (const [value, text, says] of options) {
        const choice = make("button", "", text);
        choice.type = "button";
        choice.title = says;
        choice.dataset.choice = `${name}:${value}`;
        choice.ariaPressed = value === chosen;
        choice.addEventListener("click", () => value !== chosen && this.tell(name, value));
        group.append(choice);
      }
      return group;
    });
    if (another) {
      const made = make("button", "another", another);
      made.type = "button";
      made.dataset.choice = "new";
      made.addEventListener("click", () => this.tell("new", Date.now()));
      parts.push(made);
    }
    this.groups.replaceChildren(...parts);
    if (focused) this.groups.querySelector(`[data-choice="${focused}"]`)?.focus();
  }

  send() {
    clearTimeout(this.typed);
    const typed = [...this.own.querySelectorAll("textarea")].map((input) => [input.dataset.name, input.value]);
    this.tell("own", Object.fromEntries(typed));
  }

  // Asks for a screen, and for no other one until it is there: keys come faster than screens.
  go(screen) {
    if (screen === this.data.screen || this.moving) return;
    this.moving = setTimeout(() => (this.moving = undefined), WAIT);
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

  key(event) {
    if (!this.data || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.stepping?.key(event, () => this.on()) || typing(event)) return;
    const { present } = this.data;
    if (event.key === "ArrowRight" || (present && (event.key === "PageDown" || event.key === " "))) {
      if (present && this.lesson?.next()) event.preventDefault();
      else if (present && this.data.player && !this.stepping) this.play(true);
      else if (this.data.screen < this.data.names.length) this.on();
    } else if (event.key === "ArrowLeft" || (present && event.key === "PageUp")) {
      if (!present || !this.lesson?.back()) {
        this.backwards = present;
        this.back();
      }
    } else if (event.key === "f" || event.key === "F") this.tell("present", !present);
    else if (event.key === "Escape" && present) this.tell("present", false);
    else return;
    event.preventDefault();
  }
}

// As high as its text, where the style sheet's `field-sizing` is not known.
function grow(input) {
  if (CSS.supports("field-sizing", "content") || !input.scrollHeight) return;
  input.style.height = "auto";
  input.style.height = `${input.scrollHeight + 2}px`;
}

function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}
