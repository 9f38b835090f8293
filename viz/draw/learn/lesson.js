// A screen of a chapter: answers are judged, and what they reveal is shown. Page and saved file run this same script;
// everything it says stands in the markup already. `fragment.js`, `judge.js`, `questions.js` and `player.js` stand before this.

// Gives a screen its life. `known` is what was answered here before, `report(name, value)` is told what is done.
function lesson(root, known, report) {
  return new Lesson(root, known, report);
}

const SAYS = { right: "Right.", also: "Also right.", no: "Not yet." };

class Lesson {
  constructor(root, known, report) {
    this.root = root;
    this.report = report ?? (() => {});
    this.lights = [...root.querySelectorAll(".bitext")].map((part) => bitext(part));
    if (root.matches(".bitext:not(.laying)")) this.lights.push(bitext(root)); // what changes has its own
    this.ask = root.querySelector(".quiz");
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    if (this.ask) {
      if (this.ask.dataset.kind === "number") this.field(signal);
      for (const button of this.ask.querySelectorAll("[data-answer]")) {
        button.addEventListener("click", () => this.answer(button.dataset.answer), { signal });
      }
      this.ask.querySelector(".show-me").addEventListener("click", () => this.show(), { signal });
    }
    root.querySelector(".show-pair")?.addEventListener("click", () => this.report("pair", true), { signal });
    root.querySelector(".to-steps")?.addEventListener("click", () => this.report("steps", true), { signal });
    if (known && this.ask) this.say(known.answer, known.shown, false);
    else if (!this.ask && !root.matches(".blind, .none, .own")) this.report("done", true); // there is nothing to answer
    if (root.matches(".blind.told")) this.report("done", true);
    this.at = 0;
    addEventListener("resize", () => this.measure(), { signal });
    this.observer = new ResizeObserver(() => this.measure()); // what stands above may still grow
    for (let e = root.firstElementChild; e && !e.matches(".frame"); e = e.nextElementSibling) this.observer.observe(e);
    for (let e = root.parentElement?.previousElementSibling; e; e = e.previousElementSibling) this.observer.observe(e);
    this.measure();
  }

  // Tells the style sheet what stands above the picture and the question, which share the rest of the window.
  measure() {
    const frame = this.root.querySelector(".frame");
    if (!this.root.matches(".exercise") || !frame?.offsetParent) return;
    const above = frame.getBoundingClientRect().top + scroller(this.root).scrollTop;
    this.root.style.setProperty("--above", `${Math.ceil(above)}px`);
  }

  stop() {
    this.listeners.abort();
    this.observer.disconnect();
    for (const light of this.lights) light.stop();
  }

  // A place for a number.
  field(signal) {
    const form = document.createElement("form");
    const input = document.createElement("input");
    const button = document.createElement("button");
    input.type = "text";
    input.inputMode = "decimal";
    input.autocomplete = "off";
    input.ariaLabel = "Your answer";
    input.placeholder = "0.375, 3/8 or √14/10";
    button.textContent = "Check";
    form.append(input, button);
    this.ask.querySelector(".answers").append(form);
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        this.answer(input.value);
      },
      { signal },
    );
    this.input = input;
  }

  answer(given) {
    this.say(given, false, true);
  }

  // The answer, without a word about what was answered.
  show() {
    this.say(this.ask.dataset.shows, true, true);
  }

  // Says what an answer is, and shows what it reveals.
  say(given, shown, tell) {
    const found = this.judge(given);
    const right = found.how !== "no";
    const head = document.createElement("b");
    const text = found.because.map((part) => part.textContent ?? part).join("").trim();
    const own = Object.values(SAYS).some((says) => text.startsWith(says.slice(0, -1))); // it says so itself
    head.textContent = shown ? `It is ${this.name(given)}. ` : own ? "" : `${SAYS[found.how]} `;
    const said = this.ask.querySelector(".said");
    said.replaceChildren(head, ...(shown && own ? [] : found.because));
    said.dataset.how = found.how;
    for (const button of this.ask.querySelectorAll("[data-answer]")) {
      const own = button.dataset.answer === given;
      button.classList.toggle("given", own);
      button.dataset.how = own ? found.how : "";
      button.ariaPressed = own;
    }
    if (this.input && shown) this.input.value = given;
    if (this.input && !shown && !tell) this.input.value = given;
    this.answered = { answer: given, shown };
    if (tell) this.report("answered", this.answered);
    if (!right && !shown) return;
    this.ask.classList.add("answered");
    if (!this.root.matches(".blind")) {
      this.root.classList.add("told");
      if (tell) this.report("done", true);
    }
    if (tell) this.root.querySelector(".part.reveal, .part.live")?.scrollIntoView({ block: "nearest" });
  }

  name(given) {
    const button = [...this.ask.querySelectorAll("[data-answer]")].find((b) => b.dataset.answer === given);
    return button ? `“${button.textContent}”` : given;
  }

  // The verdict of an answer: of itself, of the number that it is, or of all the others. Its sentence is markup.
  judge(given) {
    const said = [...this.ask.querySelectorAll(".verdicts > div")].map((e) => {
      return { e, verdict: { how: e.dataset.how, because: e.textContent } };
    });
    const { verdict: otherwise } = said.find(({ e }) => e.dataset.for === undefined && e.dataset.number === undefined);
    const values = said
      .filter(({ e }) => e.dataset.number)
      .map(({ e, verdict }) => ({ number: Number(e.dataset.number), within: Number(e.dataset.within), verdict }));
    const exact = said.find(({ e }) => e.dataset.for === given);
    const number = () => (this.input ? judgeNumber({ values, rounded: true, otherwise }, given) : otherwise);
    const found = exact ? exact.verdict : number();
    const own = said.find(({ verdict }) => verdict === found);
    return { how: found.how, because: own ? [...own.e.cloneNode(true).childNodes] : [found.because] };
  }

  // ------------------------------------------------------------ one thing at a time, for a lecture

  // What can be seen now, in its order.
  parts() {
    const told = this.root.matches(".told, .own");
    return [...this.root.querySelectorAll(".part:not(.go)")].filter((part) => told || !part.matches(".reveal, .live"));
  }

  present(at) {
    const parts = this.parts();
    this.at = Math.max(0, Math.min(at, parts.length - 1));
    for (const part of this.root.querySelectorAll(".part")) part.classList.toggle("now", part === parts[this.at]);
    this.moved?.(this.at === parts.length - 1 && this.root.matches(".told, .own, .blind"));
    this.measure();
  }

  // Goes to the next thing, to the answer first where it stands at a question. Whether there was one.
  next() {
    const parts = this.parts();
    if (parts[this.at] === this.ask && !this.ask.matches(".answered")) {
      this.show();
      return true;
    }
    if (this.at + 1 >= parts.length) return false;
    this.present(this.at + 1);
    return true;
  }

  back() {
    if (!this.at) return false;
    this.present(this.at - 1);
    return true;
  }
}

// The player of an algorithm in the place of its screen. `leave` is called by the way back to the question, and `tell` is
// told what the player tells.
class Stepping {
  constructor(place, { html, chunk }, leave, tell) {
    this.place = place;
    const back = element("button", "from-steps", "Back to the question");
    back.type = "button";
    back.addEventListener("click", leave);
    place.replaceChildren(back, ...inert(html));
    place.hidden = false;
    this.leave = leave;
    this.player = play(place.querySelector(".player"), chunk, tell);
  }

  stop() {
    this.player.stop();
    this.place.replaceChildren();
    this.place.hidden = true;
  }

  // Arrow keys go through the steps, before the first and after the last of them from screen to screen: then `on` or the
  // way back is called. Whether the key was one of these.
  key(event, on) {
    const right = event.key === "ArrowRight" || event.key === "PageDown";
    if (!right && event.key !== "ArrowLeft" && event.key !== "PageUp") return false;
    const { player } = this;
    const { target } = event;
    if (target.closest("input, select, textarea, .pointing")) return true;
    const last = player.done && player.at >= player.steps.length - 1;
    if (right && last && !player.asking) on();
    else if (!right && (player.at < 0 || (player.at === 0 && !player.asking))) this.leave();
    else if (event.key.startsWith("Arrow") && (player.root.contains(target) || target === document.body)) return true;
    else if (right) player.on();
    else player.back();
    event.preventDefault();
    return true;
  }
}

// ------------------------------------------------------------ what was done, kept in the browser

const PROGRESS = "bitext-grid:learn";

// The screens that are done, by chapter.
function progress() {
  try {
    const found = JSON.parse(localStorage.getItem(PROGRESS) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // storage is forbidden, or holds something else
  }
}

function doneIn(chapter) {
  const found = progress()[chapter];
  return new Set(Array.isArray(found) ? found : []);
}

function markDone(chapter, screen) {
  const done = doneIn(chapter);
  if (done.has(screen)) return;
  try {
    localStorage.setItem(PROGRESS, JSON.stringify({ ...progress(), [chapter]: [...done, screen].sort() }));
  } catch {
    // nothing is kept where nothing may be
  }
}

function forget() {
  try {
    localStorage.removeItem(PROGRESS);
  } catch {
    // there is nothing to forget
  }
}

// The dots of a chapter's screens, as buttons that call `go`; those that are done are filled.
function dots(chapter, names, now, go) {
  const list = document.createElement("ol");
  list.className = "dots";
  const done = doneIn(chapter);
  names.forEach((name, n) => {
    const item = document.createElement("li");
    const dot = document.createElement(go ? "button" : "span");
    if (go) {
      dot.type = "button";
      dot.addEventListener("click", () => go(n + 1));
      dot.title = name;
      if (n + 1 === now) dot.setAttribute("aria-current", "step");
    }
    dot.classList.toggle("done", done.has(n + 1));
    const said = document.createElement("span");
    said.className = "sr";
    said.textContent = `${n + 1}, ${name}${done.has(n + 1) ? ", done" : ""}`;
    dot.append(said);
    item.append(dot);
    list.append(item);
  });
  return list;
}

const HAVE_KEYS = '[role="grid"], [role="radiogroup"], [role="slider"], [role="dialog"], .player'; // of their own

// Whether a key belongs to what has the focus, and not to the lesson.
function typing(event) {
  const { target } = event;
  return (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    (target instanceof Element &&
      (target.matches("input, textarea, select, [contenteditable]") ||
        (target.closest(HAVE_KEYS) && !["f", "F", "Escape"].includes(event.key))))
  );
}
