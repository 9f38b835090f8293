// The table of terms, and the light that goes between words, cells and terms. It only shows and reports: which term is
// chosen is decided on the server, which draws the result. All text enters the page as text, never as markup.

const links = new WeakMap(); // parent element → what it shows now

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  let link = links.get(parentElement);
  if (!link) {
    link = new Link(parentElement);
    links.set(parentElement, link);
  }
  link.show(data, setTriggerValue);
  return () => link.stop();
}

class Link {
  constructor(parent) {
    this.parent = parent;
    this.listeners = [];
  }

  listen(target, type, handler) {
    target.addEventListener(type, handler);
    this.listeners.push(() => target.removeEventListener(type, handler));
  }

  stop() {
    this.listeners.forEach((remove) => remove());
    this.listeners = [];
    this.dark();
    links.delete(this.parent);
  }

  show(data, report) {
    this.data = data;
    this.report = report;
    this.byWord = new Map(); // "c3" or "r0_5" → cells of its matches
    this.byCell = new Map(); // "i,k,j" → rows of the table
    this.gapsOf = new Map(); // "c3" or "r0_5" → rows of edits without cells
    for (const cell of data.hits) {
      for (const name of wordsOf(cell)) push(this.byWord, name, cell);
    }
    this.matches = new Set(data.hits.map((cell) => cell.join()));
    data.cells.forEach((cells, row) => {
      for (const cell of cells) {
        push(this.byCell, cell.join(), row);
        if (this.matches.has(cell.join())) continue;
        this.matches.add(cell.join()); // words that are not equal
        for (const name of wordsOf(cell)) push(this.byWord, name, cell);
      }
      if (data.gaps[row]) for (const name of data.words[row]) push(this.gapsOf, name, row);
    });
    this.table();
    if (!this.listeners.length) {
      this.listen(document, "pointermove", (event) => this.over(event));
      this.listen(document, "pointerleave", () => this.dark());
    }
  }

  table() {
    const { columns, numeric, rows, groups, selected, caption, more } = this.data;
    const titles = new Map(groups.map(([row, name, sum]) => [row, [name, sum]]));
    const focused = this.parent.contains(document.activeElement);
    const top = this.parent.querySelector(".terms")?.scrollTop ?? 0;
    const box = element("div", "terms");
    box.style.maxHeight = `${this.data.height}px`;
    const table = element("table");
    table.setAttribute("role", "grid"); // its rows take the focus and can be selected
    table.append(element("caption", "sr", caption));
    const head = element("tr");
    columns.forEach((name, n) => {
      const th = element("th", numeric[n] ? "num" : "", name);
      th.scope = "col";
      head.append(th);
    });
    const thead = element("thead");
    thead.append(head);
    const body = element("tbody");
    this.rows = rows.map((cells, n) => {
      if (titles.has(n)) body.append(title(...titles.get(n), columns.length));
      const tr = element("tr", "term");
      tr.setAttribute("aria-selected", n === selected);
      tr.setAttribute("aria-label", cells.join(", "));
      tr.tabIndex = n === Math.max(selected, 0) ? 0 : -1;
      cells.forEach((text, c) => {
        const td = element("td", numeric[c] ? "num" : "");
        if (!numeric[c]) td.title = text;
        if (c === 0) {
          td.dir = "auto"; // so that text written from the right is cut at its end too
          td.append(text);
        } else {
          td.append(element("bdi", "", text));
        }
        tr.append(td);
      });
      tr.onclick = () => this.choose(n);
      body.append(tr);
      return tr;
    });
    if (!rows.length) {
      const td = element("td", "", this.data.empty);
      td.colSpan = columns.length;
      const tr = element("tr");
      tr.append(td);
      body.append(tr);
    }
    body.onkeydown = (event) => this.key(event);
    table.append(thead, body);
    box.append(table);
    this.parent.replaceChildren(box);
    if (more) this.parent.append(element("div", "more", more));
    box.scrollTop = top;
    const row = this.rows[selected];
    if (row) {
      if (focused) row.focus({ preventScroll: true });
      intoView(box, row);
    }
  }

  choose(row) {
    const next = row === this.data.selected ? -1 : row;
    this.rows.forEach((tr, n) => tr.setAttribute("aria-selected", n === next));
    this.data = { ...this.data, selected: next };
    this.report("pick", next);
  }

  key(event) {
    const { rows } = this;
    const to = rowByKey(event, rows);
    if (to) {
      to.focus();
      this.lightRow(rows.indexOf(to));
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(rows.indexOf(document.activeElement));
    } else if (event.key === "Escape" && this.data.selected >= 0) {
      this.choose(this.data.selected);
    } else {
      return;
    }
    event.preventDefault();
  }

  // ------------------------------------------------------------ light

  over(event) {
    const at = event.target instanceof Element ? event.target : null;
    const row = at?.closest(".terms tr.term");
    if (row) {
      return this.lightRow(this.rows.indexOf(row));
    }
    const word = at?.closest(".bx .tk");
    if (word) {
      const name = [...word.classList].find((c) => /^(c\d+|r\d+_\d+)$/.test(c));
      const gap = this.gapsOf.get(name)?.[0];
      return gap === undefined ? this.light(this.byWord.get(name) ?? [], -1, name) : this.lightRow(gap);
    }
    const plot = at?.closest(".js-plotly-plot");
    const gap = plot ? this.data.gaps.findIndex((g) => g && near(plot, g, event)) : -1;
    if (gap >= 0) {
      this.tip?.remove();
      return this.lightRow(gap, true);
    }
    const cell = plot && cellAt(plot, event);
    if (!cell) return this.dark();
    this.light([cell], -1);
    this.whisper(cell, event);
  }

  // The words and cells of a row, or the line of an edit that has no cell; `both` lights the row itself too.
  lightRow(row, both) {
    const { cells, gaps, words } = this.data;
    if (!this.light(cells[row], row) || !gaps[row]) return;
    for (const name of words[row]) shine(name);
    for (const plot of document.querySelectorAll(".js-plotly-plot")) stroke(plot, gaps[row]);
    if (both) this.rows[row]?.classList.add("lit");
  }

  // Whether the light has changed.
  light(cells, row, word) {
    const key = `${row}|${word}|${cells.map((c) => c.join()).join(";")}`;
    if (key === this.lit) return false;
    this.dark();
    this.lit = key;
    for (const cell of cells) {
      wordsOf(cell).forEach(shine);
      for (const plot of document.querySelectorAll(".js-plotly-plot")) frame(plot, cell);
      if (row < 0 && !word) {
        for (const n of this.byCell.get(cell.join()) ?? []) this.rows[n]?.classList.add("lit");
      }
    }
    return true;
  }

  // The two words of a cell that holds no match; Plotly's own label speaks for the others.
  whisper(cell, event) {
    const [a, b] = wordsOf(cell).map((name) => document.querySelector(`.bx .${name} bdi`)?.textContent);
    if (this.matches.has(cell.join()) || a === undefined || b === undefined) return this.tip?.remove();
    this.tip ??= element("div", "tip");
    this.tip.textContent = `${a} × ${b}`;
    this.tip.style.left = `${event.clientX + 14}px`;
    this.tip.style.top = `${event.clientY + 14}px`;
    if (!this.tip.isConnected) document.body.append(this.tip);
  }

  dark() {
    this.tip?.remove();
    if (!this.lit) return;
    this.lit = undefined;
    document.querySelectorAll(".lit").forEach((e) => e.classList.remove("lit"));
    document.querySelectorAll(".lit-layer").forEach((e) => e.remove());
  }
}

function title(name, sum, columns) {
  const tr = element("tr", "title");
  const th = element("th", "", name);
  th.colSpan = columns - 1;
  th.scope = "rowgroup";
  tr.append(th, element("td", "num", sum));
  return tr;
}

const shine = (name) => document.querySelectorAll(`.bx .${name}`).forEach((e) => e.classList.add("lit"));

const wordsOf = ([i, k, j]) => [`c${i}`, `r${k}_${j}`];

function push(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}

// The panels of a grid: the reference's number and Plotly's axes. Other figures have none.
function panels(plot) {
  const layout = plot._fullLayout;
  const list = plot.layout?.meta?.panels;
  if (!layout || !list) return [];
  return list.map(([k, axis]) => ({ k, x: layout["xaxis" + axis], y: layout["yaxis" + axis] }));
}

const inside = (v, range) => v >= Math.min(...range) && v <= Math.max(...range);

function cellAt(plot, event) {
  const bounds = plot.getBoundingClientRect();
  for (const { k, x, y } of panels(plot)) {
    const j = Math.round(x.p2l(event.clientX - bounds.left - x._offset));
    const i = Math.round(y.p2l(event.clientY - bounds.top - y._offset));
    if (inside(j, x.range) && inside(i, y.range)) return [i, k, j];
  }
  return null;
}

// Pixels of the ends of an edit's line: rows and columns are counted at the corners of cells.
function ends(plot, [k, i, i2, j, j2]) {
  const panel = panels(plot).find((p) => p.k === k);
  if (!panel) return null;
  const { x, y } = panel;
  if (![j, j2].some((v) => inside(v - 0.5, x.range)) || ![i, i2].some((v) => inside(v - 0.5, y.range))) return null;
  const at = (axis, v) => axis._offset + axis.l2p(v - 0.5);
  return [at(x, j), at(y, i), at(x, j2), at(y, i2), Math.abs(x.l2p(1) - x.l2p(0))];
}

// Whether the pointer is on the marker of an edit that has no cell, which lies between cells.
function near(plot, gap, event) {
  const line = ends(plot, gap);
  if (!line) return false;
  const [x1, y1, x2, y2, cell] = line;
  const bounds = plot.getBoundingClientRect();
  const dx = event.clientX - bounds.left - (x1 + x2) / 2;
  const dy = event.clientY - bounds.top - (y1 + y2) / 2;
  return Math.hypot(dx, dy) <= Math.max(4, Math.min(8, cell * 0.23));
}

function stroke(plot, gap) {
  const line = ends(plot, gap);
  if (line) draw(plot, "line", { x1: line[0], y1: line[1], x2: line[2], y2: line[3], class: "gap" });
}

function draw(plot, tag, attributes) {
  let layer = plot.querySelector(".lit-layer");
  if (!layer) {
    layer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    layer.setAttribute("class", "lit-layer");
    plot.append(layer);
  }
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => e.setAttribute(name, value));
  layer.append(e);
}

function frame(plot, [i, k, j]) {
  for (const p of panels(plot)) {
    if (p.k !== k || !inside(j, p.x.range) || !inside(i, p.y.range)) continue;
    const [a, b] = [p.x.l2p(j - 0.5), p.x.l2p(j + 0.5)];
    const [c, d] = [p.y.l2p(i - 0.5), p.y.l2p(i + 0.5)];
    const [left, top] = [p.x._offset, p.y._offset];
    const [width, height] = [Math.max(0, b - a - 2), Math.max(0, d - c - 2)];
    draw(plot, "rect", { x: left + a + 1, y: top + c + 1, width, height });
    // To the labels of both words.
    const [x, y] = [left + (a + b) / 2, top + (c + d) / 2];
    draw(plot, "line", { x1: left, y1: y, x2: left + a, y2: y });
    draw(plot, "line", { x1: x, y1: top, x2: x, y2: top + c });
  }
}
