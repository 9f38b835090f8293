// Answers judged as the core judges them (`metrics.teach`), so that a saved file does too.

// ------------------------------------------------------------ as `metrics.teach.judge`

const ROUNDING = 1e-12;
const NUMBER = /^[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[+-]?[0-9]{1,3})?$/i;
const NO_NUMBER = "This is no number. Write one such as 2, 0.667 or 2/3.";

function judge(question, answer) {
  const given = canonical(answer);
  if (Object.hasOwn(question.verdicts, given)) return question.verdicts[given];
  if (question.values.length && question.step === null) return judgeNumber(question, answer);
  if (question.values.length) {
    const typed = readNumber(answer);
    if (typed === null) return no(NO_NUMBER);
    const unit = lastUnit(answer);
    const value = question.values.find(({ number, within }) => Math.abs(typed - number) <= Math.min(within, unit));
    if (value) return value.verdict;
  }
  return question.rule && given ? judgeSet(question, question.rule, given) : question.otherwise;
}

const no = (because, cells = []) => ({ how: "no", because, marks: [{ cells: cells.map(cellName), words: [] }] });
const cellName = ({ i, k, j }) => `${i},${k},${j}`;
const canonical = (answer) => [...new Set(answer.split(/\s+/).filter(Boolean))].sort().join(" ");

function readNumber(answer) {
  const parts = answer.trim().replaceAll("−", "-").split("/").map((part) => part.trim());
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) return null;
  const [over, under = 1] = parts.map((part) => Number(part.replace(",", ".")));
  return under && Number.isFinite(over / under) ? over / under : null;
}

// How far a number may be from what was typed for it: one of its last decimal, next to nothing for a fraction.
function lastUnit(answer) {
  const text = answer.trim();
  if (/^[+−-]?[0-9]+ *\/ *[0-9]+$/.test(text)) return 1e-9;
  const decimals = text.match(/^[+−-]?[0-9]*[.,]([0-9]+)$/);
  return decimals ? 1e-9 + 1.01 * 10 ** -decimals[1].length : Infinity;
}

// A set of cells by its rule: hits, no word twice, rising, as much as the best.
function judgeSet(question, rule, given) {
  const names = given.split(" ");
  if (!names.every((name) => /^[0-9]{1,6},[0-9]{1,6},[0-9]{1,6}$/.test(name))) return question.otherwise;
  const cells = names
    .map((name) => name.split(",").map(Number))
    .map(([i, k, j]) => ({ i, k, j }))
    .sort((a, b) => a.i - b.i || a.k - b.k || a.j - b.j);
  const broken = brokenRule(question, rule, cells);
  if (broken) return broken;
  const runs = new Map();
  for (const cell of cells) {
    const before = cellName({ i: cell.i - 1, k: cell.k, j: cell.j - 1 });
    const run = runs.get(before) ?? [];
    runs.delete(before);
    runs.set(cellName(cell), [...run, cell]);
  }
  const weight = rule.gaps ? gapped(rule, cells) : weighed(rule, [...runs.values()]);
  const enough = rule.size * (1 - ROUNDING);
  if (rule.chunks !== null && runs.size > rule.chunks && weight >= enough) {
    const fewer = `${rule.chunks} ${plural(rule.chunks, "chunk")}`;
    return no(`These are ${runs.size} chunks; as many words can match in ${fewer}.`, cells);
  }
  if (weight < enough) {
    const counts = rule.power === 1 && !rule.gaps && Object.values(rule.cells).every((each) => each === 1);
    return counts
      ? no(`This has ${cells.length} ${plural(cells.length, "word")}; ${printed(rule.size)} are possible.`, cells)
      : no(`This is worth ${printed(weight)}; ${printed(rule.size)} is possible.`, cells);
  }
  const marks = [{ cells: cells.map(cellName), words: [] }];
  if (given === canonical(question.shows)) return { how: "right", because: "This is what the program takes.", marks };
  return { how: "also", because: "As good as what the program takes.", marks };
}

// What runs weigh, each to the power of the rule.
function weighed(rule, runs) {
  const weights = runs.map((run) => run.reduce((sum, cell) => sum + rule.cells[cellName(cell)], 0));
  return weights.reduce((sum, each) => sum + each ** rule.power, 0);
}

// What a chain weighs, where each cell is divided by its distance from the one before.
function gapped(rule, cells) {
  const far = (a, b) => Math.sqrt((b.i - a.i) * (b.j - a.j));
  return cells.reduce((sum, cell, n) => sum + rule.cells[cellName(cell)] / far(cells[n - 1] ?? { i: -1, j: -1 }, cell), 0);
}

function brokenRule(question, rule, cells) {
  const rows = new Map();
  const columns = new Map();
  for (const cell of cells) {
    if (!Object.hasOwn(rule.cells, cellName(cell))) return no(noMatch(question, rule, cell), [cell]);
    for (const [places, name] of [[rows, cell.i], [columns, `${cell.k},${cell.j}`]]) {
      if (places.has(name)) {
        return no(`${wordOf(question, cell)} is used twice: each word matches once at the most.`, [places.get(name), cell]);
      }
      places.set(name, cell);
    }
  }
  for (let n = 1; rule.rising && n < cells.length; n++) {
    const [before, cell] = [cells[n - 1], cells[n]];
    if (before.k !== cell.k) return no("These words lie in two references; one is compared at a time.", [before, cell]);
    if (cell.j <= before.j) {
      const [a, b] = [wordOf(question, cell), wordOf(question, before)];
      return no(`${a} falls: in the reference it stands before ${b}.`, [before, cell]);
    }
  }
  return undefined;
}

const wordOf = ({ words }, { i }) => (words[0]?.[i] === undefined ? "This word" : quoted(words[0][i]));

function noMatch({ words }, rule, { i, k, j }) {
  const [ours, theirs] = [words[0]?.[i], words[k + 1]?.[j]];
  if (ours === undefined || theirs === undefined) return "There is no such cell.";
  const here = Object.keys(rule.cells).some((name) => Number(name.split(",")[1]) === k);
  if (ours === theirs && here) return `${quoted(ours)} has retired: only free words match now.`;
  if (ours === theirs) return `${quoted(ours)} is equal, but this question is about another reference.`;
  return `${quoted(ours)} and ${quoted(theirs)} do not match.`;
}

function quoted(word, room = 12) {
  const letters = [...word].map((c) => (HIDDEN.test(c) && !/[ \u200c\u200d]/.test(c) ? "\ufffd" : c));
  return letters.length <= room ? `“${letters.join("")}”` : `“${letters.slice(0, room - 1).join("")}…”`;
}

const HIDDEN = /[\p{C}\p{Z}]/u; // a space is no such letter
const plural = (count, noun) => (count === 1 ? noun : `${noun}s`);

// A number as the core prints it.
function printed(value) {
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e6)) {
    return value.toExponential(2).replace(/e([+-])(\d)$/, "e$10$2");
  }
  return (Number.isInteger(value) ? String(value) : value.toFixed(3)).replace("-", "−");
}

// ------------------------------------------------------------ as `metrics.teach.typed`

const EXAMPLES = "0.375, 3/8, 37.5 % or √14/10";
const LONGEST = 40;
const UNIT = 0.01; // of the last decimal, at the most
const EQUAL = 1e-9;
const WRITTEN = {
  ...{ "−": "-", "–": "-", "‒": "-" },
  ...{ "⁄": "/", "∕": "/", "÷": "/" },
  ...{ "*": "·", "×": "·", "⋅": "·", "∙": "·" },
};
Object.assign(WRITTEN, { "％": "%", "，": ",", "．": "." });
const DECIMAL = "(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)";
const LONELY = new RegExp(`^${DECIMAL}$`);
const FACTOR = new RegExp(`^(${DECIMAL})?(?:√(?:\\((${DECIMAL}(?:/${DECIMAL})?)\\)|(${DECIMAL})))?$`);
const GIVE = " this number. ";
const OR = " Or: ";

// A typed number as {value, unit}, where the unit is that of its last decimal, 0 for what is exact. Throws a sentence.
function readTyped(text) {
  const plain = [...text]
    .map((c) => WRITTEN[c] ?? ("０" <= c && c <= "９" ? String(c.codePointAt(0) - 0xff10) : c))
    .join("")
    .replace(/\s+/g, "")
    .replaceAll("sqrt", "√");
  if (!plain) throw `Type a number, such as ${EXAMPLES}.`;
  if ([...plain].length > LONGEST) {
    throw `A number has at most ${LONGEST} characters here; write one such as ${EXAMPLES}.`;
  }
  const percent = plain.endsWith("%");
  const body = plain.replace(/^-/, "").replace(/^\+/, "").replace(/%$/, "");
  let [value, doubt, operator] = [1, 0, "·"];
  for (const part of body.replace(/\([^()]*\)/g, (inner) => inner.replaceAll("/", "|")).split(/([/·])/)) {
    if (part === "/" || part === "·") {
      operator = part;
      continue;
    }
    const [found, share] = factor(part.replaceAll("|", "/"), text);
    if (operator === "/" && !found) throw `“${typedText(text)}” divides by 0; write a number such as ${EXAMPLES}.`;
    value = operator === "·" ? value * found : value / found;
    doubt += share;
  }
  value *= (plain[0] === "-" ? -1 : 1) * (percent ? 0.01 : 1);
  if (!Number.isFinite(value)) throw `“${typedText(text)}” is too large; write a number such as ${EXAMPLES}.`;
  if (!LONELY.test(body)) return { value, unit: 2 * doubt * Math.abs(value) };
  const places = decimals(body) + (percent ? 2 : 0);
  return { value, unit: places ? 10 ** -places : 0 };
}

// A factor's value, and the share by which its rounded numbers may be off.
function factor(part, text) {
  const found = part && part.match(FACTOR);
  if (!found) throw `“${typedText(text)}” is no number here; write one such as ${EXAMPLES}.`;
  const [, plain, inner, root] = found;
  const [value, doubt] = plain ? digitsOf(plain) : [1, 0];
  const under = inner ?? root;
  if (under === undefined) return [value, doubt];
  const [top, bottom] = under.split("/");
  let [below, share] = digitsOf(top);
  if (bottom) {
    const [divisor, more] = digitsOf(bottom);
    if (!divisor) throw `“${typedText(text)}” divides by 0; write a number such as ${EXAMPLES}.`;
    [below, share] = [below / divisor, share + more];
  }
  return [value * Math.sqrt(below), doubt + share / 2];
}

const decimals = (digits) => digits.replace(",", ".").split(".")[1]?.length ?? 0;

function digitsOf(digits) {
  const [value, places] = [Number(digits.replace(",", ".")), decimals(digits)];
  return [value, places && value ? (0.5 * 10 ** -places) / value : 0];
}

function typedText(text) {
  const seen = [...text].slice(0, LONGEST + 20).map((c) => (HIDDEN.test(c) ? " " : c));
  const letters = [...seen.join("").trim()];
  return letters.length <= LONGEST ? letters.join("") : `${letters.slice(0, LONGEST - 1).join("")}…`;
}

// Whether a typed number is the value: exactly, or rounded or cut to the decimals that were typed, two at least.
function fits({ value: typed, unit }, value) {
  const away = Math.abs(typed - value);
  if (away <= EQUAL * Math.max(1, Math.abs(value))) return true;
  if (!(unit > 0 && unit <= UNIT + EQUAL)) return false;
  const cut = Math.abs(typed) < Math.abs(value) && Math.abs(value) < Math.abs(typed) + unit && typed * value >= 0;
  return away <= unit / 2 + EQUAL || cut;
}

// Whether a typed number would be the value, had it not been rounded to fewer than two decimals.
function coarse(typed, value) {
  const unit = typed.unit || (Number.isInteger(typed.value) ? 1 : 0);
  return unit > UNIT + EQUAL && Math.abs(typed.value - value) <= unit / 2 && !fits(typed, value);
}

function judgeNumber(question, text) {
  let typed;
  try {
    typed = readTyped(text);
  } catch (sentence) {
    return no(String(sentence));
  }
  const [right, ...others] = question.values;
  if (fits(typed, right.number)) return right.verdict;
  const away = ({ number }) => Math.abs(number - typed.value);
  const near = others.filter(({ number }) => fits(typed, number)).sort((a, b) => away(a) - away(b));
  if (near.length === 1) return near[0].verdict;
  if (near.length) return no(together(near.map(({ verdict }) => verdict.because)));
  if (coarse(typed, right.number)) return no("Rounded too far: give at least two decimals.");
  const side = typed.value > right.number ? "lower" : "higher";
  return { ...question.otherwise, because: `${question.otherwise.because.replace(/\.$/, "")}: the number is ${side}.` };
}

// The sentences of slips that give one number, as one text.
function together(texts) {
  const last = (text) => (text.includes(GIVE) ? text.slice(text.lastIndexOf(GIVE) + GIVE.length) : text);
  const said = texts.flatMap((text) => last(text).split(OR));
  if (said.length === 1) return said[0];
  return `${said.length === 2 ? "Two slips give" : "Several slips give"}${GIVE}${said.slice(0, 2).join(OR)}`;
}
