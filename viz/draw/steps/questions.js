// A question on a picture, which is answered in the picture, by a number or by a choice. It stands behind the scripts of
// fragments and of judging; the player asks by it before a step.

// Asks `question`, as `judge.to_dict` makes it, in the fragment `root`. `told(how, answer)` hears of every answer, and
// `done()` is called when the reader wants to go on; without it there is nothing to go on to.
function askOn(root, question, { told, done, place } = {}) {
  const own = place ?? root.querySelector(".ask") ?? root.appendChild(element("div", "ask"));
  return new Asking(root, question, told, done, own);
}

const WORDS = ".frame > .words"; // those beside a grid have the class too
const SAID = { right: "Right.", also: "Also right.", no: "Not yet." };

class Asking {
  constructor(root, question, told, done, place) {
    Object.assign(this, { root, question, told, done, place });
    this.picked = [];
    this.listeners = new AbortController();
    this.panels = [...root.querySelectorAll("path.grid")].map((path) => {
      const at = Object.fromEntries(Object.entries(path.dataset).map(([name, value]) => [name, Number(value)]));
      return { border: 0, ...at, svg: path.ownerSVGElement };
    });
    // A cell of the table and one of the grid lie in one place: the answer says which of them is asked for.
    this.ofTable = [question.shows, ...Object.keys(question.verdicts)].some((answer) => answer.startsWith("t:"));
    this.write();
    for (const name of question.about ?? []) this.mark(name, "about", question.k ?? undefined);
    if (["cell", "cells", "word"].includes(question.kind)) this.point();
  }

  stop() {
    this.listeners.abort();
    this.place.replaceChildren();
    this.root.classList.remove("asks");
    this.root.querySelectorAll(".judged, .cursor, .pick-cell, .about").forEach((e) => e.remove());
    for (const look of ["picked-word", "judged-word", "about-word"]) {
      this.root.querySelectorAll(`.${look}`).forEach((e) => e.classList.remove(look));
    }
    for (const box of this.root.querySelectorAll(".pointing")) {
      box.classList.remove("pointing");
      box.removeAttribute("tabindex");
      box.removeAttribute("aria-label");
    }
  }

  // ------------------------------------------------------------ what is asked

  write() {
    const { question } = this;
    this.root.classList.add("asks");
    const parts = [element("p", "question", question.text)];
    if (question.choices.length) {
      const row = element("div", "buttons");
      question.choices.forEach((text, n) => row.append(button(text, () => this.answer(String(n)))));
      parts.push(row);
    }
    const row = element("div", "buttons");
    if (question.kind === "number") row.append(this.field());
    if (question.kind === "cells") {
      this.check = button("Check", () => this.answer(this.picked.join(" ")));
      row.append(this.check, button("Clear", () => this.clear()));
    }
    this.show = button("Show me", () => this.reveal());
    row.append(this.show);
    this.verdict = element("p", "verdict");
    this.verdict.setAttribute("role", "status");
    this.place.replaceChildren(...parts, row, this.verdict);
    this.count();
  }

  field() {
    const form = element("form", "buttons");
    this.input = element("input");
    Object.assign(this.input, { type: "text", inputMode: "decimal", autocomplete: "off", ariaLabel: "Your number" });
    const check = button("Check", () => {});
    check.type = "submit";
    form.append(this.input, check);
    form.onsubmit = (event) => {
      event.preventDefault();
      if (this.input.value.trim()) this.answer(this.input.value);
    };
    return form;
  }

  // ------------------------------------------------------------ answering in the picture

  // Cells and words can be clicked, and reached by keys: arrows move a cursor, Enter and space take what is under it.
  point() {
    const { question } = this;
    const { signal } = this.listeners;
    const on = (target, type, handler) => target.addEventListener(type, handler, { signal });
    on(this.root, "click", (event) => {
      const word = event.target.closest("[data-word]");
      if (word && question.kind !== "cells" && !this.ofTable) return this.take(word.dataset.word);
      if (question.kind === "word") return;
      const at = this.at(event);
      if (at) this.take(this.name(at));
    });
    const [first] = this.panels;
    const box = this.root.querySelector(question.kind === "word" ? WORDS : ".drawing");
    if (!box || (question.kind !== "word" && !first)) return;
    box.classList.add("pointing");
    box.tabIndex = 0;
    box.setAttribute("aria-label", `${question.text} Arrow keys move, Enter answers.`);
    on(box, "keydown", (event) => (question.kind === "word" ? this.amongWords(event) : this.amongCells(event)));
  }

  amongCells(event) {
    const ways = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
    const [down, right] = ways[event.key] ?? [0, 0];
    if (down || right) {
      const now = this.cursor ?? { panel: 0, row: -down, column: -right };
      let { panel, row, column } = { ...now, row: now.row + down, column: now.column + right };
      const p = this.panels[panel];
      if (column >= p.columns && panel + 1 < this.panels.length) [panel, column] = [panel + 1, 0];
      else if (column < this.low(p) && panel > 0) [panel, column] = [panel - 1, this.panels[panel - 1].columns - 1];
      const q = this.panels[panel];
      row = clamp(row, this.low(q), q.rows - 1);
      column = clamp(column, this.low(q), q.columns - 1);
      this.cursor = { panel, row, column };
      this.root.querySelectorAll(".cursor").forEach((e) => e.remove());
      this.draw(q, row, column, "cursor");
      const [a, b] = [`c${row}`, `r${q.k}_${column}`].map((name) => this.text(name));
      this.verdict.textContent = a && b ? `${a} × ${b}` : "";
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      this.take(this.name({ p: this.panels[this.cursor.panel], ...this.cursor }));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  amongWords(event) {
    const all = [...this.root.querySelectorAll(`${WORDS} [data-word]`)];
    const here = all.indexOf(this.word);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
    if (all[to]) {
      this.word?.classList.remove("picked-word");
      this.word = all[to];
      this.word.classList.add("picked-word");
      this.verdict.textContent = this.word.textContent;
    } else if ((event.key === "Enter" || event.key === " ") && this.word) {
      this.take(this.word.dataset.word);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // The panel, row and column under the pointer.
  at(event) {
    const svg = event.target.closest(".drawing svg");
    for (const p of this.panels) {
      if (p.svg !== svg) continue;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const [row, column] = [Math.floor((at.y - p.y) / p.size), Math.floor((at.x - p.x) / p.size)];
      const low = this.low(p);
      if (row >= low && column >= low && row < p.rows && column < p.columns) return { p, row, column };
    }
    return undefined;
  }

  low(p) {
    return this.ofTable ? -p.border : 0;
  }

  name({ p, row, column }) {
    if (this.ofTable) return `t:${row + p.border},${column + p.border}`;
    return `${row + (p.i || 0)},${p.k},${column + (p.j || 0)}`;
  }

  take(answer) {
    if (this.over) return;
    if (this.question.kind !== "cells") return this.answer(answer);
    this.unlight();
    const others = this.picked.filter((other) => other !== answer);
    this.picked = others.length < this.picked.length ? others : [...this.picked, answer];
    this.repick();
  }

  clear() {
    this.picked = [];
    this.unlight();
    this.repick();
  }

  repick() {
    this.root.querySelectorAll(".pick-cell").forEach((e) => e.remove());
    for (const answer of this.picked) this.mark(answer, "pick-cell");
    this.count();
  }

  count() {
    if (this.question.kind !== "cells") return;
    const many = this.picked.length;
    this.verdict.textContent = many ? `${many} ${many === 1 ? "cell" : "cells"} chosen` : "Choose cells in the grid.";
  }

  // ------------------------------------------------------------ judging

  answer(answer) {
    const verdict = judge(this.question, answer);
    this.told?.(verdict.how, answer);
    this.say(SAID[verdict.how], verdict.because, verdict.how);
    this.unlight();
    this.markAll(answer, `judged ${verdict.how}`);
    this.lightUp(verdict.marks, verdict.how === "no" ? "no" : "right");
    if (verdict.how !== "no") this.finish();
  }

  // The answer, shown in the picture or in words.
  reveal() {
    if (this.over) return this.done?.();
    const { kind, shows, choices } = this.question;
    this.told?.("shown", "");
    this.unlight();
    const right = judge(this.question, shows);
    const choice = /^\d+$/.test(shows) ? choices[Number(shows)] : undefined;
    let text = "This is the answer.";
    if (kind === "number") text = `The answer is ${shows}.`;
    else if (choice !== undefined) text = `The answer is “${choice}”.`;
    this.say(text, right.because, "right");
    this.markAll(shows, "judged right");
    this.lightUp(right.marks, "right");
    this.finish();
  }

  say(first, because, how) {
    this.verdict.className = `verdict ${how}`;
    this.verdict.replaceChildren(element("b", "", first), ` ${because}`);
  }

  finish() {
    this.over = true;
    this.root.querySelectorAll(".cursor").forEach((e) => e.remove());
    const others = this.question.optimal - 1;
    const many = others === 1 ? "One other answer is" : `${others.toLocaleString("en")} other answers are`;
    if (others > 0) this.verdict.append(` ${many} as good.`);
    if (!this.done) return this.show.remove();
    const on = button("Go on", () => this.done());
    this.show.replaceWith(on);
    on.focus({ preventScroll: true });
  }

  // ------------------------------------------------------------ light

  lightUp(marks, how) {
    for (const { cells, words } of marks ?? []) {
      for (const cell of cells) this.mark(cell, `judged ${how}`);
      for (const word of words) this.mark(word, `judged ${how}`);
    }
  }

  unlight() {
    this.root.querySelectorAll(".judged").forEach((e) => e.remove());
    this.root.querySelectorAll(".judged-word").forEach((e) => e.classList.remove("judged-word"));
  }

  // Light on all places of an answer; a number has none.
  markAll(answer, look) {
    if (this.question.kind === "number") return;
    for (const part of answer.split(" ")) this.mark(part, look, this.question.k ?? undefined);
  }

  // A frame around a cell, or light on a word, by its name; a cell of a table is of one reference where that is given.
  mark(name, look, reference) {
    const numbers = (found) => found?.slice(1).map(Number);
    const table = numbers(name.match(/^t:(\d+),(\d+)$/));
    const cell = numbers(name.match(/^(\d+),(\d+),(\d+)$/));
    for (const p of this.panels) {
      if (table && p.border && (reference === undefined || p.k === reference)) {
        this.draw(p, table[0] - p.border, table[1] - p.border, look);
      }
      if (cell && p.k === cell[1]) this.draw(p, cell[0] - (p.i || 0), cell[2] - (p.j || 0), look);
    }
    if (!/^[cr]\d/.test(name)) return;
    const lit = look === "about" ? "about-word" : "judged-word";
    for (const e of this.root.querySelectorAll(`[data-word="${name}"]`)) e.classList.add(lit);
  }

  draw(p, row, column, look) {
    if (row >= p.rows || column >= p.columns) return;
    const g = shape("g", { class: look });
    g.append(rect(p.x + column * p.size, p.y + row * p.size, p.size, p.size, 2));
    p.svg.append(g);
  }

  text(name) {
    const e = this.root.querySelector(`[data-word="${name}"]`);
    return (e?.querySelector("bdi") ?? e)?.textContent;
  }
}

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
