// The light between words, cells and terms of a fragment, and the term that is chosen. Page, saved file and notebook run
// this same script. It reads the names in the markup and the numbers of each panel, and asks no server for anything.

// Gives a fragment its light. `report(name, value)` is told what was chosen and asked for, where somebody listens.
function bitext(root, report) {
  const light = new Light(root, report);
  light.choose(root.dataset.chosen ?? null, false);
  return light;
}

const SVG = "http://www.w3.org/2000/svg";

class Light {
  constructor(root, report) {
    this.root = root;
    this.report = report;
    this.chosen = null;
    this.off = ""; // fates of words that are not shown as such, sorted
    this.first = this.opens; // the reference whose grid is open at first
    this.listeners = new AbortController();
    const on = (target, type, handler) => {
      const handle = (event) => handler.call(this.index(), event);
      target.addEventListener(type, handle, { signal: this.listeners.signal });
    };
    on(root, "pointermove", this.over);
    on(root, "pointerleave", this.dark);
    on(root, "click", this.click);
    on(root, "keydown", this.key);
    on(root, "focusin", this.focus);
    on(root, "focusout", this.leave);
    for (const text of root.querySelectorAll(".as-text")) text.addEventListener("toggle", () => this.write(text));
    on(root.ownerDocument, "keydown", (event) => event.key === "Escape" && this.choose(null));
    root.querySelector("tr[data-term]")?.setAttribute("tabindex", "0");
    const ring = root.querySelector(RING);
    if (ring) heard(ring);
    this.controls();
    this.arcs();
  }

  stop() {
    this.listeners.abort();
  }

  // Which elements stand for a term, a word and a cell, and which words and cells belong to a term; learnt when it is first
  // asked for, so that a fragment is seen sooner.
  index() {
    if (this.terms) return this;
    this.terms = new Map(); // "0:3" → {row, cells, words}
    this.rows = [...this.root.querySelectorAll("tr[data-term]")];
    const named = this.root.querySelectorAll("[data-term], [data-of]"); // what is of a term is seen with it
    this.ofTerm = group(named, (e) => [e.dataset.term ?? e.dataset.of]);
    this.ofWord = group(this.root.querySelectorAll("[data-word]"), (e) => [e.dataset.word]);
    this.partners = new Map(); // word → the words of other sides that go with it
    for (const e of this.root.querySelectorAll("[data-with]")) {
      this.partners.set(e.dataset.word, [...(this.partners.get(e.dataset.word) ?? []), ...split(e.dataset.with)]);
    }
    this.ofCell = group(this.root.querySelectorAll("[data-cell]"), (e) => [e.dataset.cell]);
    for (const row of this.rows) {
      this.terms.set(row.dataset.term, { row, cells: split(row.dataset.cells), words: split(row.dataset.words) });
    }
    const names = [...this.terms.keys()];
    this.byCell = group(names, (name) => this.terms.get(name).cells);
    this.byWord = group(names, (name) => this.terms.get(name).words);
    const cells = new Set([...this.ofCell.keys(), ...this.byCell.keys()]);
    this.matches = group(cells, wordsOf); // word → the cells in which it meets another
    this.panels = [...this.root.querySelectorAll("path.grid")].map((path) => {
      const place = Object.fromEntries(Object.entries(path.dataset).map(([name, value]) => [name, Number(value)]));
      const folds = split(path.dataset.folds).map((fold) => fold.split("-").map(Number));
      return { ...place, side: path.dataset.side ?? "c", svg: path.closest("svg"), folds };
    });
    return this;
  }

  // ------------------------------------------------------------ choosing

  choose(term, tell = true) {
    if (term === this.chosen) return;
    if (term !== null && !this.index().terms.has(term)) return this.choose(null, tell);
    const { root } = this;
    root.querySelectorAll(".chosen").forEach((e) => e.classList.remove("chosen"));
    root.querySelectorAll(".pick").forEach((e) => e.remove());
    if (this.chosen) this.terms.get(this.chosen).row.setAttribute("aria-selected", "false");
    this.chosen = term;
    root.classList.toggle("picked", term !== null);
    if (term !== null) this.mark(term);
    this.line(term);
    if (term !== null) {
      this.showChosen(!tell);
      this.reveal();
    }
    if (tell) this.report?.("term", term);
  }

  mark(term) {
    const { row, cells, words } = this.terms.get(term);
    for (const e of this.ofTerm.get(term)) e.classList.add("chosen");
    for (const word of words) for (const e of this.ofWord.get(word) ?? []) e.classList.add("chosen");
    for (const cell of cells) for (const e of this.ofCell.get(cell) ?? []) e.classList.add("chosen");
    row.setAttribute("aria-selected", "true");
    this.rove(row);
    for (const cell of cells) this.put(cell, "pick", (p, x, y, high) => [box(x, y, p.size, high, 1)]);
    const runs = runsOf(cells);
    for (const run of runs.filter((r) => r.length > 1)) {
      this.put(run[0], "pick", (p, x, y, high) => [box(x, y, p.size * run.length, high, 2)], run.length);
    }
    if (cells.length === 2 && runs.length === 2) this.put(cells[0], "pick", (p, x, y) => [this.join(p, x, y, cells[1])]);
  }

  // Shows the grid of one reference, where a page shows one of several at a time.
  show(k) {
    for (const e of this.root.querySelectorAll(".ref")) e.hidden = e.dataset.reference !== k;
    for (const e of this.root.querySelectorAll(".refs button")) e.ariaPressed = e.dataset.show === k;
  }

  // The same for what may be no reference that is there.
  open(k) {
    if (this.root.querySelector(`.ref[data-reference="${k}"]`)) this.show(k);
  }

  // The reference whose grid is open; undefined where no grids can be chosen.
  get opens() {
    return this.root.querySelector(".ref:not([hidden])")?.dataset.reference;
  }

  // The same, null where the chosen term alone would open it.
  get opened() {
    return this.opens === this.alone(this.first) ? null : this.opens;
  }

  // Shows neither the looks nor the cells of words that have met these fates, and those of all others.
  switch(off, tell = true) {
    if (off === this.off) return;
    for (const fate of split(this.off)) this.root.classList.remove(`no-${fate}`);
    for (const fate of split(off)) this.root.classList.add(`no-${fate}`);
    for (const e of this.root.querySelectorAll("[data-fate]")) e.ariaPressed = String(!split(off).includes(e.dataset.fate));
    this.off = off;
    if (tell) this.report?.("off", off);
  }

  // Shows the reference with the most cells of the chosen term, unless the one that is seen has some, as where a cell is
  // clicked, or, where the `most` are wanted, as many.
  showChosen(most) {
    if (this.opens !== undefined && (most || !this.counts().get(this.opens))) this.show(this.alone(this.opens));
  }

  // The reference with the most cells of the chosen term: `seen` where it has as many, or where no reference has any.
  alone(seen) {
    const counts = this.counts();
    const most = Math.max(...counts.values());
    if (!counts.size || counts.get(seen) === most) return seen;
    return [...counts].find(([, count]) => count === most)[0];
  }

  // How many cells the chosen term has with each reference, for those with which it has some.
  counts() {
    const counts = new Map();
    for (const cell of this.terms?.get(this.chosen)?.cells ?? []) {
      const { side, k } = placeOf(cell);
      if (side === "d") counts.set(String(k), (counts.get(String(k)) ?? 0) + 1);
    }
    return counts;
  }

  // The chosen row, what is opened below it, and the row that follows.
  rowsOf() {
    const { row } = this.terms.get(this.chosen);
    const below = row.nextElementSibling;
    return below?.dataset.of ? [row, below, below.nextElementSibling ?? below] : [row];
  }

  // Scrolls the table and the inspector, and not the page, until the chosen row and what it opens are seen.
  reveal() {
    const [row, ...below] = this.rowsOf();
    const high = (below.at(-1) ?? row).getBoundingClientRect().bottom - row.getBoundingClientRect().top;
    for (const box of [row.closest(".terms"), row.closest(".inspector")]) {
      if (!box) continue;
      const head = box.matches(".terms") ? 36 : 0;
      // Only a part of the box may be in the window.
      const room = Math.min(box.clientHeight, this.low() - box.getBoundingClientRect().top - box.clientTop);
      const top = row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientTop;
      const past = top + high - Math.max(room, head + high);
      if (past > 0) box.scrollTop += past;
      else if (top < head) box.scrollTop -= head - top;
    }
  }

  // Scrolls the page no more than it must until the chosen term is seen: in the formula, in the table and, before all,
  // in its cells. The reference that is open may `stay`.
  seek(stay = false) {
    if (this.chosen && !stay) this.showChosen(true);
    const found = (selector) => [...this.root.querySelectorAll(selector)];
    const first = this.root.querySelector(".ref") ? ".ref " : ""; // grids that can be opened below it stay where they are
    const cells = this.root.querySelector(`${first}.pick`) ? found(`${first}.pick`) : found(`${first || ".figure "}.chosen`);
    for (const part of [found(".formula .chosen"), this.chosen ? this.rowsOf() : [], cells]) {
      const boxes = part.map((e) => e.getBoundingClientRect()).filter((box) => box.height);
      if (!boxes.length) continue;
      const above = Math.min(...boxes.map((box) => box.top)) - HIGH;
      const below = Math.max(...boxes.map((box) => box.bottom)) - this.low();
      if (above < 0 || below > 0) scroller(this.root).scrollTop += below > 0 ? Math.min(below, above) : above;
    }
  }

  // Where the window ends, or what stands at its end begins.
  low() {
    const foot = this.root.querySelector(".foot")?.offsetHeight ?? 0;
    return this.root.ownerDocument.documentElement.clientHeight - foot - 12;
  }

  // The chosen term in words, for windows so narrow that its row may be out of sight.
  line(term) {
    this.root.querySelector(".foot")?.remove();
    if (term === null) return;
    const { row } = this.terms.get(term);
    const line = element("div", "foot");
    for (const td of row.cells) line.append(element("span", td.className, td.textContent));
    this.root.append(line);
  }

  // The next of some terms after the chosen one, so that repeated clicks visit all; none after the last.
  next(terms) {
    if (!terms?.length) return null;
    const at = terms.indexOf(this.chosen);
    return at < 0 ? terms[0] : (terms[at + 1] ?? null);
  }

  click(event) {
    const at = event.target;
    const opens = at.closest("[data-open]");
    if (opens) this.report?.("open", opens.dataset.open);
    const shows = at.closest("[data-show]");
    if (shows) {
      this.open(shows.dataset.show);
      this.report?.("reference", this.opened);
    }
    const fate = at.closest("[data-fate]")?.dataset.fate;
    if (fate) {
      const off = new Set(split(this.off));
      if (!off.delete(fate)) off.add(fate);
      this.switch([...off].sort().join(" "));
    }
    if (at.closest("button, label, input, summary, a")) return;
    if (at.matches(RING)) this.lightCell(at.dataset.cell, event); // where nothing hovers
    const named = at.closest("[data-term]");
    const cell = at.closest("[data-cell]")?.dataset.cell ?? this.cellAt(event);
    const word = at.closest("[data-word]");
    if (named && (named.matches("tr, mrow") || !this.byCell.has(cell))) {
      const { term } = named.dataset;
      this.choose(term === this.chosen ? null : term);
      if (named.matches("tr, mrow")) this.seek();
    } else if (word) {
      const { chosen, opens } = this;
      this.near(word.dataset.word);
      this.choose(this.next(this.byWord.get(word.dataset.word)));
      const [, reference] = word.dataset.word.match(/^r(\d+)_/) ?? [];
      this.open(reference);
      if (this.chosen === chosen && this.opens !== opens) this.report?.("reference", this.opened); // else told with the term
    } else if (cell && this.byCell.has(cell)) {
      this.choose(this.next(this.byCell.get(cell)));
    } else if (at.closest(".words, .figure")) {
      this.choose(null);
    }
  }

  key(event) {
    if (event.target.matches(RING)) return this.toRing(event);
    const here = this.rows.indexOf(event.target);
    if (here < 0) return;
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: this.rows.length - 1 }[event.key];
    if (this.rows[to]) {
      this.rove(this.rows[to]);
      this.rows[to].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      const { term } = event.target.dataset;
      this.choose(term === this.chosen ? null : term);
      this.seek();
    } else {
      return;
    }
    event.preventDefault();
  }

  // From a match that is not used to the next one: Tab enters the first of them only.
  toRing(event) {
    const rings = [...this.root.querySelectorAll(RING)].filter((ring) => ring.getClientRects().length);
    const here = rings.indexOf(event.target);
    const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1 };
    const to = { ...steps, Home: 0, End: rings.length - 1 }[event.key];
    if (!rings[to]) return;
    event.target.tabIndex = -1;
    heard(rings[to]);
    rings[to].focus();
    event.preventDefault();
  }

  rove(row) {
    for (const other of this.rows) other.tabIndex = other === row ? 0 : -1;
  }

  focus(event) {
    const row = event.target.closest?.("tr[data-term]");
    if (row) this.lightTerm(row.dataset.term);
    if (!event.target.matches?.(RING)) return;
    const { right, bottom } = event.target.getBoundingClientRect();
    this.lightCell(event.target.dataset.cell, { clientX: right, clientY: bottom });
  }

  leave(event) {
    const { term, cell } = event.target.dataset;
    if ([term, cell].includes(this.lit)) this.dark();
  }

  // ------------------------------------------------------------ light

  over(event) {
    const at = event.target;
    const term = at.closest("tr[data-term], mrow[data-term]");
    if (term) return this.lightTerm(term.dataset.term);
    const word = at.closest("[data-word]");
    if (word) return this.lightWord(word.dataset.word);
    const cell = at.closest("[data-cell]")?.dataset.cell ?? this.cellAt(event);
    const mark = at.closest("[data-term]");
    if (mark && !this.ofCell.has(cell)) return this.lightTerm(mark.dataset.term, event);
    const joins = at.closest("[data-words]");
    if (joins) return this.lightWords(joins.dataset.words, event);
    if (cell) return this.lightCell(cell, event);
    this.dark();
  }

  lightTerm(term, event) {
    const found = this.terms.get(term);
    if (!found || !this.begin(term)) return;
    for (const e of this.ofTerm.get(term)) e.classList.add("lit");
    this.shine(found.words);
    found.cells.forEach((cell) => this.frame(cell));
    if (event) this.say([...found.row.cells].map((td) => td.textContent).join(", "), event);
  }

  lightWord(word) {
    if (!this.begin(word)) return;
    const names = this.along(word);
    const cells = names.flatMap((name) => this.matches.get(name) ?? []);
    this.shine([...names, ...cells.flatMap(wordsOf)]);
    cells.forEach((cell) => this.frame(cell));
    for (const term of this.byWord.get(word) ?? []) {
      if (!this.terms.get(term).cells.length) for (const e of this.ofTerm.get(term)) e.classList.add("lit");
    }
    if (this.live) for (const e of this.joining(`~="${word}"`)) this.glow(e);
  }

  // What joins some words and stands for no one cell of theirs: an arc, the crossing of two lines.
  lightWords(words, event) {
    if (!this.begin(words)) return this.tip && place(this.tip, event);
    const marks = this.joining(`="${words}"`);
    marks.forEach((e) => this.glow(e));
    const sides = ["c", "r"].map((side) => split(words).filter((name) => name[0] === side)).filter((names) => names.length);
    const named = (write) => sides.map((names) => names.map(write).join(" … ")).join(" × ");
    const reference = this.several && words.match(/r(\d+)_/);
    const where = named((name) => Number(name.match(/\d+$/)[0]) + 1) + (reference ? `, R${Number(reference[1]) + 1}` : "");
    const says = new Set(marks.map((e) => e.closest("[data-says]")?.dataset.says).filter(Boolean));
    this.say(`${named((name) => this.text(name))} (${where})${says.size ? `: ${[...says].join(", ")}` : ""}`, event);
  }

  // The marks that are seen now and join words, by a test of their names.
  joining(test) {
    return [...this.root.querySelectorAll(`[data-words${test}]:not(tr, .off)`)];
  }

  // Lights a mark that joins words, and these.
  glow(mark) {
    mark.classList.add("lit");
    this.shine(split(mark.dataset.words));
  }

  lightCell(cell, event) {
    const [a, b] = wordsOf(cell).map((name) => this.text(name));
    if (a === undefined || b === undefined) return this.dark();
    if (!this.begin(cell)) return this.tip && place(this.tip, event);
    const { side, i, k, j } = placeOf(cell);
    this.shine(wordsOf(cell).flatMap((word) => this.along(word)));
    for (const row of this.along(side + i)) this.frame(nameOf(row, k, j));
    for (const term of this.byCell.get(cell) ?? []) for (const e of this.ofTerm.get(term)) e.classList.add("lit");
    const marks = this.marksOf(cell);
    const says = marks.map((e) => e.dataset.says ?? e.closest("[data-says]")?.dataset.says).filter(Boolean);
    const row = side === "d" ? "row " : ""; // rows of a difference are no positions of words
    const where = `${row}${i + 1} × ${j + 1}${this.several ? `, R${k + 1}` : ""}`;
    this.say(`${a} × ${b} (${where})${says.length ? `: ${[...new Set(says)].join(", ")}` : ""}`, event);
  }

  // What is drawn in a cell; where that changes, what is seen now (`live`).
  marksOf(cell) {
    if (!this.live) return this.ofCell.get(cell) ?? [];
    return [...this.root.querySelectorAll(`[data-cell="${cell}"]:not(.off)`)];
  }

  get several() {
    return this.ofWord.has("r1_0");
  }

  // A word and its partners.
  along(word) {
    return [...new Set([word, ...(this.partners.get(word) ?? [])])];
  }

  text(name) {
    const [first] = this.ofWord.get(name) ?? [];
    return (first?.querySelector("bdi") ?? first)?.textContent;
  }

  shine(words) {
    for (const word of words) for (const e of this.ofWord.get(word) ?? []) e.classList.add("lit");
  }

  // A frame around a cell, with lines to the labels of its words.
  frame(cell) {
    if (this.live) for (const e of this.marksOf(cell)) e.classList.add("lit");
    this.put(cell, "light", (p, x, y, high) => [
      box(x, y, p.size, high, 1),
      shape("path", { d: `M${p.x} ${y + high / 2}H${x}M${x + p.size / 2} ${p.y}V${y}` }),
    ]);
  }

  // Whether something else is lit from now on.
  begin(name) {
    if (name === this.lit) return false;
    this.dark();
    this.lit = name;
    return true;
  }

  dark() {
    this.tip?.remove();
    this.tip = undefined;
    if (this.lit === undefined) return;
    this.lit = undefined;
    this.root.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
    this.root.querySelectorAll(".light").forEach((e) => e.remove());
  }

  say(text, event) {
    this.tip ??= element("div", "tip");
    this.tip.textContent = text;
    if (!this.tip.isConnected) this.root.append(this.tip);
    place(this.tip, event);
  }

  // ------------------------------------------------------------ places

  // Draws over the panels that show a cell; `make` gets the panel, the cell's corner and how high so many rows are.
  put(cell, name, make, rows = 1) {
    const { side, i, k, j } = placeOf(cell);
    for (const p of this.panels) {
      const row = level(p, i - p.i);
      const column = j - p.j;
      if (p.side !== side || p.k !== k || row < 0 || column < 0 || row >= p.rows || column >= p.columns) continue;
      const g = shape("g", { class: name });
      const high = (level(p, i - p.i + rows) - row) * p.size;
      g.append(...make(p, p.x + column * p.size, p.y + row * p.size, high));
      p.svg.append(g);
    }
  }

  // A line from the middle of a cell to that of another one in the same panel.
  join(p, x, y, cell) {
    const { i, j } = placeOf(cell);
    const half = p.size / 2;
    const end = `${p.x + (j - p.j) * p.size + half} ${p.y + level(p, i - p.i) * p.size + half}`;
    return shape("path", { d: `M${x + half} ${y + half}L${end}` });
  }

  cellAt(event) {
    const svg = event.target.closest("svg");
    for (const p of this.panels) {
      if (!svg || !p.svg.contains(svg)) continue;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(p.svg.getScreenCTM().inverse());
      const [row, column] = [(at.y - p.y) / p.size, Math.floor((at.x - p.x) / p.size)];
      if (row >= 0 && column >= 0 && row < p.rows && column < p.columns) {
        return nameOf(p.side + (rowAt(p, row) + p.i), p.k, column + p.j);
      }
    }
    return undefined;
  }

  // ------------------------------------------------------------ arcs

  // Where arcs are many, those of one word are seen first, and all of them on demand.
  arcs() {
    const crowded = this.root.querySelector(".few");
    if (!crowded) return;
    const label = element("label", "all-arcs", "All arcs; else those of the word that is clicked");
    const box = element("input");
    box.type = "checkbox";
    box.onchange = () => crowded.classList.toggle("few", !box.checked);
    label.prepend(box);
    crowded.after(label);
    const first = [...crowded.querySelectorAll("[data-word]")].find((e) => this.arcsOf(e.dataset.word).length);
    if (first) this.near(first.dataset.word);
  }

  arcsOf(word) {
    return [...this.root.querySelectorAll(`.curve.pair.w${word.replace(/^c/, "")}`)];
  }

  near(word) {
    if (!word.startsWith("c") || !this.root.querySelector(".all-arcs, .few")) return;
    this.root.querySelectorAll(".near").forEach((e) => e.classList.remove("near"));
    for (const e of [...this.arcsOf(word), ...this.root.querySelectorAll(`.arcs text[data-word=${word}]`)]) {
      e.classList.add("near");
    }
  }

  // ------------------------------------------------------------ text

  // Every term as a line of text, for those who do not see the grid.
  write(details) {
    const lines = [];
    let layer = "";
    for (const row of this.root.querySelectorAll(".terms tbody tr")) {
      const said = (of) => row.querySelector(of).textContent;
      if (row.dataset.term === undefined) layer = `${said("th")}: `;
      else lines.push(`${layer}${said(".what")} (${said(".where")}), credit ${said(".credit")} = ${said(".value")}`);
    }
    const more = this.root.querySelector(".inspector .more")?.textContent;
    details.querySelector("pre").textContent = [...lines, ...(more ? [more] : [])].join("\n") || "No word matches.";
  }

  // ------------------------------------------------------------ ties

  // Steps through equally good alignments, where somebody can show them, and a switch for the tint of their cells.
  controls() {
    const ties = this.root.querySelector(".ties");
    if (!ties || ties.querySelector("label")) return;
    const { count, at } = ties.dataset;
    if (this.report && count > 1) {
      for (const [name, by] of [["Previous", count - 1], ["Next", 1]]) {
        const button = element("button", "", name);
        button.type = "button";
        button.onclick = () => this.report("tie", (Number(at) + Number(by)) % count);
        ties.append(button);
      }
    }
    if (!this.root.querySelector(".always, .sometimes")) return;
    const label = element("label", "", "Tint their cells");
    const box = element("input");
    box.type = "checkbox";
    box.checked = this.root.classList.contains("tint");
    box.onchange = () => {
      this.root.classList.toggle("tint", box.checked);
      this.report?.("tint", box.checked);
    };
    label.prepend(box);
    ties.append(label);
  }
}

const RING = ".ring.unused[data-cell]";

// Makes a match that is not used one that can be focused, and says why it is not used.
function heard(ring) {
  // An image hides what is in it from those who hear the page.
  const image = ring.closest("svg[role=img]");
  image?.setAttribute("role", "group");
  image?.querySelectorAll(".words").forEach((words) => words.setAttribute("aria-hidden", "true"));
  ring.setAttribute("tabindex", "0");
  ring.setAttribute("role", "img");
  ring.setAttribute("aria-label", ring.closest("[data-says]").dataset.says);
}

const split = (names) => (names ? names.split(" ") : []);

// Cells are named "3,0,5" where their rows are the candidate's words, and "b3,0,5" where they are those of another side:
// on one page the outputs A and B (a, b) and the rows of their difference (d) have grids of the same references.
function placeOf(cell) {
  const [row, k, j] = cell.split(",");
  const side = /^\d/.test(row) ? "c" : row[0];
  return { side, i: Number(row.replace(/^\D/, "")), k: Number(k), j: Number(j) };
}

const nameOf = (word, k, j) => `${word.replace(/^c/, "")},${k},${j}`;

function wordsOf(cell) {
  const { side, i, k, j } = placeOf(cell);
  return [`${side}${i}`, `r${k}_${j}`];
}

// Things by the names that `namesOf` gives them.
function group(things, namesOf) {
  const out = new Map();
  for (const thing of things) {
    for (const name of namesOf(thing)) {
      if (out.has(name)) out.get(name).push(thing);
      else out.set(name, [thing]);
    }
  }
  return out;
}

// Cells as runs: each follows the one before it on a diagonal of one reference.
function runsOf(cells) {
  const out = [];
  let last;
  for (const cell of cells) {
    const { side, i, k, j } = placeOf(cell);
    if (last && last.side === side && last.i + 1 === i && last.k === k && last.j + 1 === j) out.at(-1).push(cell);
    else out.push([cell]);
    last = { side, i, k, j };
  }
  return out;
}

function element(tag, className = "", text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

function shape(tag, attributes) {
  const e = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  return e;
}

const box = (x, y, width, height, inset) =>
  shape("rect", { x: x + inset / 2, y: y + inset / 2, width: width - inset, height: Math.max(1, height - inset) });

// Where a row of a panel begins, counted in rows as they are drawn: those that are folded share the height of one.
function level(p, row) {
  let less = 0;
  for (const [start, end] of p.folds) {
    if (row <= start) break;
    if (row < end) return start - less + (row - start) / (end - start);
    less += end - start - 1;
  }
  return row - less;
}

// Which row of a panel is drawn at a height.
function rowAt(p, height) {
  let row = 0;
  while (level(p, row + 1) <= height) row++;
  return row;
}

function place(tip, event) {
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
}

const HIGH = 72; // pixels at the top of a window in which a page may have its bar

// What scrolls when the page does.
function scroller(root) {
  for (let e = root.parentElement; e; e = e.parentElement) {
    if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
  }
  return root.ownerDocument.scrollingElement;
}
