// Answers judged as the core judges them (`metrics.teach`), so that a saved file does too.

// ------------------------------------------------------------ as `metrics.teach.judge`

const ROUNDING = 1e-12;

function judge(question, answer) {
  const given = canonical(answer);
  if (Object.hasOwn(question.verdicts, given)) return question.verdicts[given];
  if (question.values.length) return judgeNumber(question, answer);
  return question.rule && given ? judgeSet(question, question.rule, given) : question.otherwise;
}

const no = (because, cells = []) => ({ how: "no", because, marks: [{ cells: cells.map(cellName), words: [] }] });
const cellName = ({ i, k, j }) => `${i},${k},${j}`;
const canonical = (answer) => [...new Set(answer.split(/\s+/).filter(Boolean))].sort().join(" ");

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
    const [digits, power] = value.toExponential(2).split("e");
    return `${evenly(digits, value.toExponential(99))}e${power.replace(/^(.)(.)$/, "$10$2")}`;
  }
  return (Number.isInteger(value) ? String(value) : evenly(value.toFixed(3), value.toFixed(99))).replace("-", "−");
}

// Rounded digits where those of `whole` may end half-way between two: the core then takes the even one, scripts the upper.
function evenly(digits, whole) {
  const below = whole.slice(0, digits.length);
  return /^50*(e|$)/.test(whole.slice(digits.length)) && /[02468]$/.test(below) ? below : digits;
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
const DECIMAL = "(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?";
const LONELY = new RegExp(`^${DECIMAL}$`);
const FACTOR = new RegExp(`^(${DECIMAL})?(?:√(?:\\((${DECIMAL}(?:/${DECIMAL})?)\\)|(${DECIMAL})))?$`);
const GIVE = " this number. ";
const OR = " Or: ";

// A typed number as {value, unit}, where the unit is that of its last digit, 0 for what is exact. Throws a sentence.
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
  return { value, unit: LONELY.test(body) ? unitOf(body, percent ? 2 : 0) : 2 * doubt * Math.abs(value) };
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

function digitsOf(digits) {
  const value = Number(digits.replace(",", "."));
  return [value, /[.,][0-9]/.test(digits) && value ? (0.5 * unitOf(digits)) / value : 0];
}

// What 1 in the last digit is worth, which stands so many places `further` behind the point.
function unitOf(digits, further = 0) {
  const [plain, power = 0] = digits.replace(",", ".").toLowerCase().split("e");
  return Number(`1e${power - (plain.split(".")[1]?.length ?? 0) - further}`);
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
  return typed.unit > UNIT + EQUAL && Math.abs(typed.value - value) <= typed.unit / 2 && !fits(typed, value);
}

// Whether a typed number stands for a value of a question, whose numbers may be to be `rounded`.
function means(typed, { number, within }, rounded) {
  const away = Math.abs(typed.value - number);
  if (rounded) return away <= within || fits(typed, number);
  return away <= within && (typed.unit >= 1 || away <= EQUAL + 1.01 * typed.unit);
}

function judgeNumber({ values, rounded, otherwise }, text) {
  let typed;
  try {
    typed = readTyped(text);
  } catch (sentence) {
    return no(String(sentence));
  }
  const [right] = values;
  const meant = values.filter((value) => means(typed, value, rounded));
  if (meant.length && (meant[0] === right || meant.length === 1 || !rounded)) return meant[0].verdict;
  if (!rounded) return otherwise;
  const away = ({ number }) => Math.abs(number - typed.value);
  if (meant.length) {
    return no(together(meant.sort((a, b) => away(a) - away(b)).map(({ verdict }) => verdict.because)));
  }
  if (coarse(typed, right.number)) return no("Rounded too far: give at least two decimals.");
  const side = typed.value > right.number ? "lower" : "higher";
  return { ...otherwise, because: `${otherwise.because} The number is ${side}.` };
}

// The sentences of slips that give one number, as one text.
function together(texts) {
  const last = (text) => (text.includes(GIVE) ? text.slice(text.lastIndexOf(GIVE) + GIVE.length) : text);
  const said = texts.flatMap((text) => last(text).split(OR));
  if (said.length === 1) return said[0];
  return `${said.length === 2 ? "Two slips give" : "Several slips give"}${GIVE}${said.slice(0, 2).join(OR)}`;
}
