// The player of a trace, and the questions that it asks before a step. Page, saved file and notebook run this same
// script, which stands behind that of fragments. It asks no server for anything but steps that were not sent yet.

// Plays `data`, as `player.chunk` makes them, in the fragment `root`. `tell(name, value)` hears of the step that is shown
// ("step", its number from 1 on, "now" where something else is about to be told), of steps that are wanted ("more", the
// number of the first), and of questions ("answered", [number of the step, how, answer]).
function play(root, data, tell) {
  return new Player(root, data, tell);
}

const PACES = { slow: 1500, normal: 700, quick: 200, "very quick": 50 }; // milliseconds from step to step
const KEYS = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last", n: "decision", p: "before", " ": "play" };

class Player {
  constructor(root, data, tell) {
    this.root = root;
    this.tell = tell;
    this.light = bitext(root, () => {}, true);
    this.layers = [...root.querySelectorAll("g.pool")];
    this.lines = [...root.querySelectorAll(".code li")];
    this.words = group(root.querySelectorAll("[data-word]"), (e) => [e.dataset.word]);
    this.places = [...root.querySelectorAll("[data-known]")].map((e) => ({
      e,
      own: [...e.childNodes],
      value: null, // not known yet whether it is known
      whole: e.classList.contains("value") ? e.closest("math") : undefined,
    }));
    this.rows = [...root.querySelectorAll(".formula .line")].map((e) => ({ e, high: 0 }));
    this.fill(Object.fromEntries(this.places.map(({ e }) => [e.dataset.known, "0.000"]))); // as high as it will be
    this.fill({});
    const { offsetHeight } = this.find(".formula"); // which the pseudo-code leaves room for
    if (offsetHeight) root.style.setProperty("--formula", `${offsetHeight}px`);
    this.panels = Object.fromEntries([...root.querySelectorAll(".drawing path.grid")].map((e) => [e.dataset.k, e]));
    this.tables = {};
    this.size = Number(root.querySelector(".drawing").dataset.size); // of a cell, by which elements are moved
    this.patterns = [];
    this.counted = 0; // where the last span of numbers ended
    this.pool = [];
    this.elements = [];
    this.steps = [];
    this.shown = new Set(); // parts of the pool
    this.asked = new Set(); // steps whose questions are done with
    this.at = -1;
    this.listeners = new AbortController();
    this.controls();
    this.pins = ["row", "column"].map((name) => element("span", `pin ${name}`));
    for (const pin of this.pins) pin.setAttribute("aria-hidden", "true");
    this.find(".figure").append(...this.pins);
    const listen = (target, type, handler) => {
      target.addEventListener(type, handler, { signal: this.listeners.signal });
    };
    listen(root.ownerDocument, "keydown", (event) => this.key(event));
    listen(this.find(".drawing"), "scroll", () => this.pin());
    this.touches(listen);
    for (const type of ["pointerdown", "focusin"]) {
      listen(root.ownerDocument, type, ({ target }) => root.contains(target) || this.flush("now"));
    }
    this.add(data);
    const at = data.at ?? 0;
    if (at === 0 && this.steps[0]?.question) this.begin();
    else this.show(Math.min(at, this.steps.length - 1), false);
    if (at >= this.steps.length) this.more(at);
    // Where one comes to a step in the middle, its place may be out of sight; what stands above it may still grow.
    if (at > 0) setTimeout(() => this.root.isConnected && this.follow(this.steps[this.at]?.place, true), 300);
  }

  stop() {
    this.pause();
    clearTimeout(this.timer);
    this.listeners.abort();
    this.light.stop();
    this.asking?.stop();
  }

  // ------------------------------------------------------------ steps

  // Takes steps that follow those that are there.
  add(data) {
    if (data.from !== this.steps.length) return;
    let last = this.steps.at(-1) ?? {};
    for (const step of data.steps) {
      [step.on, this.counted] = spans(step.on, this.counted);
      [step.off, this.counted] = spans(step.off, this.counted);
      step.line ??= last.line;
      if (step.score === undefined) step.score = last.score;
      if (step.cell) step.place ??= this.placed(...step.cell);
      step.values = step.known ? { ...last.values, ...step.known } : (last.values ?? {});
      this.steps.push(step);
      last = step;
    }
    data.patterns.forEach((pattern, n) => (this.patterns[data.patterns_from + n] = pattern));
    this.pool.push(...data.pool);
    this.done = data.done;
    this.end = data.end;
    if (data.legend) this.find(".key").replaceChildren(...inert(data.legend));
    this.decisions = this.steps.flatMap((step, n) => (step.decision ? [n] : []));
    this.slider.max = this.steps.length;
    if (this.wanted !== undefined) {
      const wanted = this.wanted;
      this.wanted = undefined;
      if (wanted === "decision") this.decision();
      else this.go(wanted);
    }
    this.count();
  }

  // Asks about the first step, before which nothing is shown.
  begin() {
    this.find(".so-far").textContent = "–";
    this.fill({});
    this.count();
    this.go(0);
  }

  // Shows a step, from 0 on, or asks its question first.
  go(n) {
    if (n >= this.steps.length) this.more(n);
    if (n === Infinity) return this.show(this.steps.length - 1);
    const to = Math.max(0, Math.min(n, this.steps.length - 1));
    const { question } = this.steps[to] ?? {};
    if (question && !this.asked.has(to)) {
      this.pause();
      if (this.asking?.step === to) return this.asking.reveal();
      if (to > 0) this.show(to - 1);
      return this.ask(to, question);
    }
    this.show(to);
  }

  // Asks for the steps that follow, to go to one of them, to the last one (Infinity), or to the next "decision".
  more(n) {
    if (this.done) return;
    const asked = this.wanted !== undefined;
    this.wanted = n;
    clearTimeout(this.timer); // who hears where one stands takes it that nothing is wanted
    this.late = undefined;
    if (!asked) this.tell?.("more", this.steps.length);
  }

  show(n, tell = true) {
    if (!this.steps[n]) return;
    this.asking?.stop();
    this.asking = undefined;
    const wanted = new Map();
    for (let t = this.at + 1; t <= n; t++) {
      for (const part of this.steps[t].on) wanted.set(part, true);
      for (const part of this.steps[t].off) wanted.set(part, false);
    }
    for (let t = this.at; t > n; t--) {
      for (const part of this.steps[t].on) wanted.set(part, false);
      for (const part of this.steps[t].off) wanted.set(part, true);
    }
    this.make([...wanted].filter(([part, on]) => on && !this.elements[part]).map(([part]) => part));
    for (const [part, on] of wanted) {
      if (this.shown.has(part) === on) continue;
      if (on) this.shown.add(part);
      else this.shown.delete(part);
      const [look, name] = this.pool[part];
      if (typeof look === "number") this.elements[part].classList.toggle("off", !on);
      else for (const e of this.words.get(name) ?? []) e.classList.toggle(look, on);
    }
    this.at = n;
    this.write(this.steps[n]);
    this.follow(this.steps[n].place, tell);
    if (tell) this.report();
  }

  // Makes elements that are shown for the first time, those of one layer at once.
  make(parts) {
    for (const [layer, members] of group(parts, (part) => [this.pool[part][0]])) {
      if (typeof layer !== "number") continue;
      const drawn = inert(`<svg>${members.map((part) => this.element(part)).join("")}</svg>`)[0];
      [...drawn.children].forEach((e, n) => (this.elements[members[n]] = e));
      this.layers[layer].append(...drawn.children);
    }
  }

  // An element of the pool: a pattern, moved by rows and columns.
  element(part) {
    const [, pattern, row, column] = this.pool[part];
    const moved = row || column ? ` transform="translate(${column * this.size} ${row * this.size})"` : "";
    return this.patterns[pattern].replace(/^<\w+/, `$&${moved}`);
  }

  // The middle of a table's cell in the picture.
  placed(k, row, column) {
    const { x, y, border } = this.panels[k].dataset;
    const [right, down] = [column - (border ?? 0) + 0.5, row - (border ?? 0) + 0.5];
    return [Number(x) + right * this.size, Number(y) + down * this.size];
  }

  // What a step says, beside the picture.
  write(step) {
    const last = this.done && this.at === this.steps.length - 1;
    const moved = this.line !== step.line;
    this.line = step.line;
    for (const e of this.root.querySelectorAll(".says")) e.textContent = step.text;
    this.find(".so-far").textContent = step.score ?? "–";
    this.find(".state").textContent = step.decision ? `Decision: ${step.decision}` : last ? "End" : "";
    this.lines.forEach((line, n) => {
      line.classList.toggle("now", n === step.line);
      if (n === step.line) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.find(".turned-down").replaceChildren(
      ...(step.rejected ?? []).map((text, n) => element("p", "note", n ? text : `Rejected: ${text}`)),
    );
    this.find(".numbers").replaceChildren(
      ...(last && this.end ? inert(this.end) : []),
    );
    this.fill(step.values);
    this.find(".formula").hidden = last && Boolean(this.end); // which has all of it, and the terms of its sums
    this.slider.value = this.at + 1;
    this.slider.setAttribute("aria-valuetext", `Step ${this.at + 1}: ${step.text}`);
    this.count();
    if (moved) this.scroll(this.lines[step.line]);
  }

  // Scrolls the pseudo-code in itself, until a line is seen with the one before it and the one behind.
  scroll(line) {
    const code = this.find(".code");
    if (!line || code.scrollHeight <= code.clientHeight) return;
    const [before, behind] = [line.previousElementSibling ?? line, line.nextElementSibling ?? line];
    const bottom = behind.offsetTop + behind.offsetHeight - code.clientHeight;
    code.scrollTop = Math.min(before.offsetTop, Math.max(code.scrollTop, bottom));
  }

  // Fills in the numbers of the formula that are known; what is not known stays as it is written.
  fill(values) {
    let changed = false;
    for (const place of this.places) {
      const value = values[place.e.dataset.known] ?? undefined;
      if (value === place.value) continue;
      place.value = value;
      changed = true;
      place.e.classList.toggle("filled", value !== undefined);
      const now = value === undefined ? place.own : [mathml(value)];
      place.e.replaceChildren(...now);
      place.whole?.classList.toggle("off", value === undefined);
    }
    if (changed) this.hold();
  }

  // Keeps each line of the formula as high as it ever was, so that those below it stay where they are.
  hold() {
    for (const row of this.rows) {
      const high = row.e.offsetHeight;
      if (high > row.high) row.e.style.minHeight = `${(row.high = high)}px`;
    }
  }

  count() {
    const all = `${this.steps.length.toLocaleString("en")}${this.done ? "" : "+"}`;
    const coming = this.wanted === undefined ? "" : " …";
    this.label.textContent = `Step ${(this.at + 1).toLocaleString("en")} of ${all}${coming}`;
  }

  // Scrolls the picture in its frame, and the page no more than it must, until the place that the step is about is seen.
  follow(place, page) {
    const box = this.find(".drawing");
    if (!place) {
      this.pin();
      return page && this.reveal(Infinity);
    }
    const svg = box.querySelector("svg");
    const scale = svg.clientWidth / svg.viewBox.baseVal.width || 1;
    const [, , wide = 60, tall = 60] = place; // what is to be seen around it
    const across = Math.min(wide * scale, box.clientWidth / 2);
    const high = Math.min(tall * scale, box.clientHeight / 2);
    const { cell } = this.steps[this.at];
    const table = cell && this.table(cell[0]);
    for (const [side, at, size, edge, whole] of [
      ["scrollLeft", place[0] * scale, box.clientWidth, across, table && [table.left, table.right]],
      ["scrollTop", place[1] * scale, box.clientHeight, high, table ? [table.top, table.bottom] : [0, svg.clientHeight]],
    ]) {
      const near = [at - edge, at + edge];
      const seen = whole && whole[1] - whole[0] <= size ? whole : near;
      box[side] += moved([seen[0] - box[side], seen[1] - box[side]], [0, size], whole?.map((end) => end - box[side]));
    }
    this.pin();
    if (!page) return;
    const y = svg.getBoundingClientRect().top + place[1] * scale;
    const foot = this.root.ownerDocument.documentElement.clientHeight - this.find(".controls").offsetHeight;
    const { top, bottom } = box.getBoundingClientRect();
    const by = moved([Math.max(y - high, top), Math.min(y + high, bottom)], [HIGH, foot], [top, bottom]);
    if (by) scroller(this.root).scrollTop += by;
    this.reveal(y - high - HIGH - by);
  }

  // The sides of a reference's table with the words beside it, in pixels.
  table(k) {
    if (!this.tables[k]) {
      const svg = this.find(".drawing svg");
      const [corner, own] = [svg.getBoundingClientRect(), this.panels[k].getBoundingClientRect()];
      const columns = [...svg.querySelectorAll(`text[data-word^="r${k}_"]`)].map((e) => e.getBoundingClientRect());
      const rows = [...svg.querySelectorAll('text[data-word^="c"]')].map((e) => e.getBoundingClientRect());
      const parts = [own, ...columns, ...rows.filter(({ top, bottom }) => top + bottom > 2 * own.top && top < own.bottom)];
      this.tables[k] = {
        left: Math.min(...parts.map((part) => part.left)) - corner.left,
        right: Math.max(...parts.map((part) => part.right)) - corner.left,
        top: Math.min(...parts.map((part) => part.top)) - corner.top,
        bottom: Math.max(...parts.map((part) => part.bottom)) - corner.top,
      };
    }
    return this.tables[k];
  }

  // Writes the two words of the table's cell at the edges of the picture while their own places are out of sight.
  pin() {
    const { cell } = this.steps[this.at] ?? {};
    for (const pin of this.pins) pin.hidden = true;
    if (!cell) return;
    const box = this.find(".drawing");
    const [svg, frame] = [box.querySelector("svg"), box.getBoundingClientRect()];
    const [outer, corner] = [this.pins[0].parentElement, svg].map((e) => e.getBoundingClientRect());
    const scale = corner.width / svg.viewBox.baseVal.width || 1;
    const [x, y] = this.placed(...cell);
    const [right, down] = [corner.left + x * scale, corner.top + y * scale];
    const { border = 0 } = this.panels[cell[0]].dataset;
    for (const [n, pin] of this.pins.entries()) {
      const name = n ? `r${cell[0]}_${cell[2] - border}` : `c${cell[1] - border}`;
      const labels = [...svg.querySelectorAll(`text[data-word="${name}"]`)].map((e) => [e, e.getBoundingClientRect()]);
      const [label, at] = labels.find(([, { top, bottom }]) => n || (top < down && bottom > down)) ?? [];
      pin.hidden = !label || (n ? at.bottom > frame.top + 8 : at.right > frame.left + 8);
      if (pin.hidden) continue;
      pin.textContent = label.textContent;
      const middle = Math.max(frame.left, Math.min(right - pin.offsetWidth / 2, frame.right - pin.offsetWidth));
      pin.style.left = `${(n ? middle : frame.left) - outer.left}px`;
      pin.style.top = `${(n ? frame.top : down - pin.offsetHeight / 2) - outer.top}px`;
    }
  }

  // Scrolls the page, at most by so much, until the formula is seen that stands beside the picture.
  reveal(most) {
    const [side, formula, end] = [".inspector", ".inspector > .formula", ".numbers"].map((name) => this.find(name));
    if (getComputedStyle(side).position !== "sticky") return;
    const { top } = side.getBoundingClientRect();
    const { bottom } = (formula.hidden ? end : formula).getBoundingClientRect();
    const over = bottom - this.find(".controls").getBoundingClientRect().top;
    const by = Math.min(over, top - HIGH, most);
    if (by > 0) scroller(this.root).scrollTop += by;
  }

  // Tells the step that is shown, once one stays there or turns to something else.
  report() {
    clearTimeout(this.timer);
    this.late = undefined;
    if (!this.tell || this.wanted !== undefined) return;
    this.late = (...now) => this.tell("step", this.at + 1, ...now);
    this.timer = setTimeout(() => this.flush(), 600);
  }

  // Tells what is still to be told; with "now" before anything else is.
  flush(...now) {
    clearTimeout(this.timer);
    this.late?.(...now);
    this.late = undefined;
  }

  // ------------------------------------------------------------ control

  controls() {
    const bar = this.find(".controls");
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Steps");
    const said = element("p", "says again");
    said.setAttribute("aria-hidden", "true"); // the inspector says it
    const buttons = element("div", "buttons");
    const names = {
      first: ["First", "First step", "Home"],
      back: ["Back", "One step back", "←"],
      play: ["Play", "Play", "space"],
      on: ["On", "One step on", "→"],
      decision: ["Decision", "Next decision", "N"],
      last: ["Last", "Last step", "End"],
    };
    for (const [name, [text, says, key]] of Object.entries(names)) {
      const button = element("button", name, text);
      button.type = "button";
      button.setAttribute("aria-label", says);
      button.title = `Key: ${key}`;
      button.onclick = () => this[name]();
      buttons.append(button);
    }
    this.slider = element("input");
    Object.assign(this.slider, { type: "range", min: 1, max: 1, value: 1, ariaLabel: "Step" });
    this.slider.oninput = () => {
      this.pause();
      this.show(Number(this.slider.value) - 1);
    };
    this.label = element("span", "count");
    this.pace = element("select");
    this.pace.ariaLabel = "Pace";
    for (const name of Object.keys(PACES)) this.pace.append(element("option", "", name));
    this.pace.value = "normal";
    this.pace.onchange = () => {
      if (!this.timing) return;
      this.pause();
      this.play();
    };
    bar.replaceChildren(said, buttons, this.slider, this.label, this.pace);
  }

  first() {
    this.pause();
    if (this.at >= 0) this.go(0);
  }

  back() {
    this.pause();
    if (this.asking) return this.show(this.at);
    this.go(Math.max(0, this.at - 1));
  }

  on() {
    this.pause();
    this.step();
  }

  step() {
    this.go(this.asking ? this.asking.step : this.at + 1);
  }

  last() {
    this.pause();
    if (this.done) return this.show(this.steps.length - 1);
    this.go(Infinity); // however many pieces are still to come
  }

  decision() {
    this.pause();
    const next = this.decisions.find((n) => n > this.at);
    if (next === undefined && !this.done) {
      this.more("decision");
      return this.count();
    }
    this.go(next ?? this.steps.length - 1);
  }

  before() {
    this.pause();
    this.go(this.decisions.findLast((n) => n < this.at) ?? 0);
  }

  play() {
    if (this.timing) return this.pause();
    if (this.done && this.at === this.steps.length - 1) this.show(0);
    this.timing = setInterval(() => {
      if (this.asking || (this.done && this.at >= this.steps.length - 1)) this.pause();
      else this.step();
    }, PACES[this.pace.value]);
    this.playing(true);
  }

  pause() {
    clearInterval(this.timing);
    this.timing = this.wanted = undefined;
    this.playing(false);
  }

  playing(now) {
    const button = this.find(".controls .play");
    button.textContent = now ? "Pause" : "Play";
    button.setAttribute("aria-label", button.textContent);
  }

  // Plays by itself, unless the reader wants less motion.
  start() {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
  }

  // Keys of a page that has nothing else to do with them.
  key(event) {
    const { target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const inside = this.root.contains(target);
    if (!inside && target !== this.root.ownerDocument.body) return;
    const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!name || target.closest("input:not([type=range]), select, textarea, [contenteditable], .pointing")) return;
    if (event.key === " " && target.closest("button, summary")) return;
    if (target === this.slider && !["decision", "before", "play"].includes(name)) return;
    event.preventDefault();
    this[name]();
  }

  // A tap on the left or the right half of the picture goes back or on, and so does a swipe.
  touches(listen) {
    const box = this.find(".drawing");
    let start;
    listen(box, "pointerdown", (event) => {
      start = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : undefined;
    });
    listen(box, "pointercancel", () => (start = undefined));
    listen(box, "pointerup", (event) => {
      if (!start || this.asking) return;
      const [right, down] = [event.clientX - start.x, event.clientY - start.y];
      start = undefined;
      const still = Math.abs(right) < 10 && Math.abs(down) < 10;
      if (!still && (Math.abs(right) < 40 || Math.abs(down) > Math.abs(right))) return;
      const { left, width } = box.getBoundingClientRect();
      const forwards = still ? event.clientX > left + width / 2 : right < 0;
      if (forwards) this.on();
      else this.back();
    });
  }

  // ------------------------------------------------------------ questions

  ask(n, question) {
    this.find(".state").textContent = n ? "Before the next step" : "Before the first step";
    this.find(".turned-down").replaceChildren();
    this.asking = askOn(this.root, question, {
      told: (how, answer) => this.tell?.("answered", [n, how, answer]),
      done: () => {
        this.asked.add(n);
        this.show(n);
        this.find(".controls .on").focus({ preventScroll: true });
      },
    });
    this.asking.step = n;
    const { cell } = this.steps[n];
    if (question.kind === "number" && cell) this.asking.mark(`t:${cell[1]},${cell[2]}`, "cursor", cell[0]);
    for (const e of this.root.querySelectorAll(".says")) e.textContent = question.text;
  }

  find(selector) {
    return this.root.querySelector(selector);
  }
}

// By how much a window from `start` to `end` moves until what is `near` is seen: where it has to move it shows as much
// of the `whole` as it can, and so does not creep from step to step.
function moved(near, [start, end], whole = near) {
  const room = end - start;
  if (near[1] > end) return Math.max(0, Math.min(Math.max(near[1], whole[1]), near[0] + room) - end);
  if (near[0] < start) return Math.min(0, Math.max(Math.min(near[0], whole[0]), near[1] - room) - start);
  return 0;
}

// Spans as numbers: each has how far it begins from the end of the one before it, and its length.
function spans(coded, end) {
  const out = [];
  for (let n = 0; n < (coded ?? []).length; n += 2) {
    const start = end + coded[n];
    end = start + coded[n + 1];
    for (let number = start; number < end; number++) out.push(number);
  }
  return [out, end];
}

// A number in a formula.
function mathml(text) {
  const e = inert("<math><mn></mn></math>")[0].firstElementChild;
  e.textContent = text;
  return e;
}
