"""The token strips: what each word's look says is what the result holds, and a word is never markup."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from segments import (
    CASES,
    MADE,
    SEGMENTS,
    all_hits,
    case_id,
    edits,
    numbers,
    relations,
    result_of,
    used_cells,
    words_of,
)

import metrics
from metrics.types import Hit, Layer, Result, Run, Segment
from viz.draw import grid, ledger, marks, theme, words
from viz.draw.marks import Selection

every_case = pytest.mark.parametrize(("key", "name", "given"), CASES, ids=case_id)


@pytest.fixture(autouse=True)
def made_metric(monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "made", MADE)


INDEX = re.compile(r"c\d+|r\d+_\d+")


class Strips(HTMLParser):
    """Reads strips back: `words` by class name as (other classes, text, style), `lines` as (direction, label)."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.words, self.sups, self.lines, self.style, self.box = {}, {}, [], "", []
        self.badges = []
        self.open, self.name = [], ""
        self.feed(html)
        assert not self.open, "every tag is closed"

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        assert tag in ("style", "div", "span", "bdi", "sup", "b"), tag
        assert set(attrs) <= {"class", "style", "dir"}, attrs
        classes = attrs.get("class", "").split()
        self.open.append((tag, classes))
        if "tk" in classes:
            (self.name,) = [c for c in classes if INDEX.fullmatch(c)]
            assert self.name not in self.words, "each word once"
            self.words[self.name] = (set(classes) - {"tk", self.name}, "", attrs.get("style"))
        elif "ws" in classes:
            self.lines[-1][0] = attrs["dir"]
        elif "ln" in classes:
            self.lines.append(["", ""])
        elif "bx" in classes:
            self.box = classes

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        tag, classes = self.open[-1]
        if tag == "style":
            self.style += data
        elif tag == "bdi":
            others, text, style = self.words[self.name]
            self.words[self.name] = (others, text + data, style)
        elif tag == "sup":
            self.sups[self.name] = data
        elif "bd" in classes:
            self.badges.append((len(self.lines) - 1, data))
        else:
            assert any("lb" in c for _, c in self.open), f"{data!r} is outside of every word"
            self.lines[-1][1] += data


def read(result, chosen=None, rounds=None, **more):
    return Strips(words.strips(*result.segment, all_hits(result), result, chosen, rounds, **more))


def names_of(cells):
    return {name for c in cells for name in (f"c{c.i}", f"r{c.k}_{c.j}")}


def by_name(result):
    candidate, references = result.segment
    out = {f"c{i}": word for i, word in enumerate(candidate)}
    return out | {f"r{k}_{j}": word for k, r in enumerate(references) for j, word in enumerate(r)}


@every_case
def test_the_look_of_a_word_is_what_the_result_says(key, name, given):
    check(result_of(key, name, given), None)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_look_follows_the_rounds(rounds):
    check(result_of("sia", "two references"), rounds)


LOOKS = {
    "equal": {"u"},
    "stem": {"u", "st"},
    "synonym": {"u", "sy"},
    "similar": {"u", "sy"},
    "different": {"er", "es"},
}


def check(result, rounds):
    strips = read(result, rounds=rounds)
    hit = names_of(all_hits(result))
    runs = [m for x in result.layers for m in x.marks if isinstance(m, Run)]
    runs += edits(result, "match")
    joined = {name for m in runs for name in names_of(m.cells()[:-1])}
    first_round, looks = {}, {}
    for op, look in (("insertion", "ei"), ("deletion", "ed")):
        for mark in edits(result, op):
            looks |= {name: {"er", look} for name in words_of(mark)}
    in_rounds = numbers(result, rounds)
    for cell, relation in reversed(relations(result, rounds).items()):  # the first cell of a word decides
        looks |= dict.fromkeys(names_of([cell]), LOOKS[relation])
        first_round |= dict.fromkeys(names_of([cell]), in_rounds.get(cell))
    assert {name: text for name, (_, text, _) in strips.words.items()} == {
        name: theme.visible(word, 60) for name, word in by_name(result).items()
    }
    for name, (classes, _, style) in strips.words.items():
        expected = looks.get(name, {"h"} if name in hit else set())
        assert classes == expected | ({"j"} if name in joined else set()), name
        number = first_round.get(name)
        assert strips.sups.get(name) == (str(number) if number else None)
        assert style == (f"--c:{theme.round_colour(number)}" if number else None)


@every_case
def test_hovering_lights_exactly_the_partners(key, name, given):
    result = result_of(key, name, given)
    partners = {}
    for cell in {*all_hits(result), *relations(result)}:
        a, b = f"c{cell.i}", f"r{cell.k}_{cell.j}"
        partners.setdefault(a, {a}).add(b)
        partners.setdefault(b, {b}).add(a)
    style = read(result).style
    rule = r"\.bx:has\(\.(\w+):hover\) :is\(([^)]*)\)\{outline:2px solid #D55E00;outline-offset:-1px\}"
    rules = re.findall(rule, style)
    assert re.sub(rule, "", style) == ""
    assert len(rules) == len(partners)
    assert {word: {c.removeprefix(".") for c in lit.split(",")} for word, lit in rules} == partners


@every_case
def test_a_chosen_term_marks_its_words(key, name, given):
    result = result_of(key, name, given)
    assert "dim" not in read(result).box
    for term in [*marks.terms(result)][:4] + [*marks.terms(result)][-4:]:
        strips = read(result, Selection(term.layer, term.t))
        assert {name for name, (classes, _, _) in strips.words.items() if "sel" in classes} == words_of(term.mark)
        assert "dim" in strips.box


def test_a_chosen_term_of_a_hidden_round_marks_nothing():
    result = result_of("sia", "two references")
    args = (*result.segment, all_hits(result), result)
    assert words.strips(*args, Selection(2, 0), 2) == words.strips(*args, None, 2)


def test_labels_badges_and_directions():
    hebrew = tuple("הרכבת הגיעה".split())
    result = metrics.score("rouge_l", hebrew, [hebrew, ("the", "train")])
    strips = read(result, badges={0: ["decides"], 1: ["decides precision", "decides recall"]})
    assert [line[0] for line in strips.lines] == ["rtl", "rtl", "ltr"]
    assert [line[1].replace("\xa0", " ") for line in strips.lines] == ["Candidate", "Reference 1", "Reference 2"]
    assert strips.badges == [(1, "decides"), (2, "decides precision"), (2, "decides recall")]
    assert [line[1] for line in read(result_of("gtm", "one reference")).lines] == ["Candidate", "Reference"]


SIZES = [(45, [45], {"bx"}), (45, [46], {"bx", "sm"}), (130, [131], {"bx", "sm", "tall"})]


@pytest.mark.parametrize(("rows", "columns", "classes"), SIZES)
def test_long_texts_are_smaller(rows, columns, classes):
    result = metrics.score("gtm", ["a"] * rows, [["b"] * n for n in columns])
    assert set(read(result).box) == classes


def test_very_long_texts_have_no_hover_rules():
    long, short = metrics.score("gtm", ["a"] * 301, [["a"] * 300]), metrics.score("gtm", ["a"] * 300, [["b", "a"]])
    one = [Hit(0, 0, 1)]
    assert Strips(words.strips(*long.segment, one, long)).style == ""
    assert Strips(words.strips(*short.segment, one, short)).style != ""


def test_a_window_shows_its_words_only():
    candidate, reference = [f"w{n % 9}" for n in range(60)], [f"w{n % 7}" for n in range(50)]
    result = metrics.score("gtm", candidate, [["x"], reference])
    window = grid.Window(1, 5, 20, 10, 8)
    inside = [h for h in all_hits(result) if window.holds(h)]
    strips = Strips(words.strips(*result.segment, inside, result, window=window))
    assert set(strips.words) == {f"c{i}" for i in range(5, 15)} | {f"r1_{j}" for j in range(20, 28)}
    used = {c for c in used_cells(result) if window.holds(c)}
    assert {n for n, (classes, _, _) in strips.words.items() if "u" in classes} == names_of(used)
    assert len(strips.lines) == 2


# ---------------------------------------------------------------- beside the strips


@every_case
def test_matches_as_text_has_a_line_for_each_term(key, name, given):
    result = result_of(key, name, given)
    rows = ledger.rows(*result.segment, result)
    text = words.matches_as_text(rows)
    if not rows:
        assert text == "No word matches."
        return
    lines = text.split("\n")
    assert len(lines) == marks.count_terms(result)
    for line, row in zip(lines, rows, strict=True):
        assert line.startswith(f"{row.layer}: {row.term} ({row.words}), credit {row.credit} = ")
        assert float(line.rpartition(" = ")[2]) == pytest.approx(row.value, rel=1e-5)


def test_matches_as_text_says_what_it_leaves_out():
    rows = ledger.rows(*SEGMENTS["two references"], result_of("gtm", "two references"))
    assert words.matches_as_text(rows, 1).split("\n")[-1] == "and 1 more term, all of them in the CSV"
    assert "and 1,200 more terms" in words.matches_as_text(rows, 1200)


SAYS = {  # role and kind of a shape → its words in the legend
    ("block", "polygon"): "run as a block",
    ("area", "polygon"): "neighbours as two triangles",
    ("path", "line"): "path, in order",
    ("used", "diamond"): "same stem",
    ("used", "triangle"): "synonym",
    ("substituted", "cross"): "substituted word",
    ("extra", "plus"): "extra word",
    ("missing", "minus"): "missing word",
    ("arrow", "line"): "where a block is moved",
    ("unused", "ring"): "match, not used",
    ("selected", "polygon"): "selected term",
}


def runs_of(layer):
    return [mark for mark in layer.marks if isinstance(mark, Run)]


@every_case
def test_the_legend_names_exactly_what_is_drawn(key, name, given):
    result = result_of(key, name, given)
    for term in (None, *list(marks.terms(result))[:2], *list(marks.terms(result))[-2:]):
        drawn = marks.shapes(result, all_hits(result), Selection(term.layer, term.t) if term else None)
        entries = re.sub("<[^>]*>", "|", words.legend(drawn)).strip("|")
        named = [text for text in entries.split("|") if text]
        expected = {says for look, says in SAYS.items() if look in {(s.role, s.kind) for s in drawn}}
        if term:
            expected.add("selected term")
        linked = {
            x.name.split(", reference")[0]
            for x in result.layers
            if not (x.area or x.path) and any(len(m.cells()) > 1 for m in runs_of(x))
        }
        if linked:
            several = any(s.level > 1 for s in drawn if s.role == "link")
            many = "run, thicker where more n-grams hold it" if several else "run"
            expected.add(min(linked)[:-1] if len(linked) == 1 else many)
        relation = relations(result)
        plain = {r for cell, r in relation.items() if cell not in numbers(result)} - {"different"}
        if "equal" in plain:
            expected.add("match, used" if plain == {"equal"} else "same word")
        if "similar" in relation.values():
            expected.add("similar word")
        expected |= {layer.name for layer in result.layers if layer.number and layer.marks}
        assert Counter(named) == Counter(expected)


def test_names_of_looks_are_written_in_that_look():
    def looks(html):
        return {text: set(look.split()) for look, text in re.findall(r'<span class="([^"]*)">([^<]*)</span>', html)}

    seen = set()
    for key, name, given in CASES:
        result = result_of(key, name, given)
        of_grid = looks(words.legend(marks.shapes(result)))
        of_words = looks(words.word_legend(result))
        assert of_grid == of_words
        shown = {frozenset(classes - {"j", "h"}) for classes, _, _ in read(result).words.values()}
        assert {frozenset(look) for look in of_words.values()} | {frozenset(), frozenset("u")} >= shown
        seen |= set(of_words)
    assert seen == {"same stem", "synonym", "similar word", "substituted word", "extra word", "missing word"}


def test_long_lists_of_rounds_are_cut():
    layers = tuple(Layer(f"round {n + 1}", (Hit(n, 0, n),), (1.0,), number=n + 1) for n in range(12))
    words_ = tuple("abcdefghijkl")
    result = Result("made", MADE.Settings(), Segment(words_, (words_,)), 12, {}, {}, layers, {})
    assert re.findall(r"round (\d+)", words.legend(marks.shapes(result))) == [str(n) for n in range(1, 9)]
