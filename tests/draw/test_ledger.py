"""Tests of the ledger table: one row for each term with the result's credit, and a CSV that is safe to open."""

import csv
import io
import math
import re

import pytest

import metrics
from metrics import formula
from metrics.types import Edit, Hit, Letters, Neighbours, Run, Shift, SkipBigram
from tests.helpers.segments import MADE_RESULTS, SEGMENTS, every_case, result_of, words_of
from viz.draw.evidence import ledger
from viz.draw.pen import marks
from viz.draw.pen.text import visible

pytestmark = pytest.mark.usefixtures("made_metric")


def test_discordant_pairs_come_first():
    """Check that discordant pairs come first and are all shown.

    Forty words in reverse order make 780 pairs, more rows than a table has of anything else."""
    words = tuple([f"w{n}" for n in range(60)])
    result = metrics.score("ribes", (*words[39::-1], *words[40:]), [words])
    (layer,) = [n for n, layer in enumerate(result.layers) if layer.name == "discordant pairs"]
    shown = [row.of.layer for row in ledger.term_rows(*result.segment, result, most=800)]
    assert len(result.layers[layer].marks) == 780 and shown[:780] == [layer] * 780 and layer not in shown[780:]


@every_case
def test_rows_are_the_terms_one_to_one(key, name, given):
    result = result_of(key, name, given)
    rows = ledger.term_rows(*result.segment, result)
    order = sorted(result.layers, key=lambda layer: layer.name != "discordant pairs")  # what breaks the order first
    marked = [(layer, t) for layer in order for t in range(len(layer.marks))]
    assert [(row.layer, row.value) for row in rows] == [(layer.name, layer.credits[t]) for layer, t in marked]
    credits = {
        inner.layer: inner.credits
        for step in ledger.formula_steps_of(result)
        for form in step.forms
        for inner in formula.credit_sums(form)
    }
    for row, term in zip(rows, marks.terms(result), strict=True):
        if term.layer in credits:
            credit = credits[term.layer][term.t]
            assert row.credit == metrics.formula.text(credit)
            assert math.isclose(credit.value, row.value, rel_tol=1e-12)
        else:
            assert row.credit == formula.format_number(row.value)
    assert ledger.term_rows(*result.segment, result, most=2) == rows[:2]


@every_case
def test_positions_are_those_of_the_mark_counted_from_one(key, name, given):
    result = result_of(key, name, given)
    candidate, references = result.segment
    for row, term in zip(ledger.term_rows(candidate, references, result), marks.terms(result), strict=True):
        where, _, reference = row.words.partition(", R") if len(references) > 1 else (row.words, "", "1")
        rows, columns = [], []
        for block in where.split(" → "):
            left, right = block.split(" × ")
            rows += parse_positions(left)
            columns += parse_positions(right)
        names = [f"c{i - 1}" for i in rows] + [f"r{int(reference) - 1}_{j - 1}" for j in columns]
        assert set(names) == words_of(term.mark)
        if isinstance(term.mark, Letters):  # several cells of a row, and the letters themselves
            letters = [visible(candidate[i][at : at + length]) for i, _, at, _, length in term.mark.pieces]
            assert row.term.replace(" ", "") == "".join(letters)
            continue
        if not isinstance(term.mark, Edit):
            assert list(zip(rows, columns, strict=True)) == [(c.i + 1, c.j + 1) for c in term.mark.cells()]
        if not isinstance(term.mark, Edit | Shift):
            used = [visible(candidate[c.i]) for c in term.mark.cells()]
            assert re.split(" → | … | ", row.term.partition(" ~ ")[0]) == used


def parse_positions(text):
    """Return the numbers that a text such as `5–8`, `1, 3`, `7, 3–4` or `none` lists."""
    out = []
    for part in text.split(", ") if text != "none" else ():
        first, _, last = part.partition("–")
        out += range(int(first), int(last or first) + 1)
    return out


TEXTS = [  # mark, its words, its positions
    (Hit(0, 1, 2), "a", "1 × 3"),
    (Run(1, 0, 0, 1), "b", "2 × 1"),
    (Run(1, 0, 0, 2), "b c", "2–3 × 1–2"),
    (Run(0, 0, 3, 1.5), "a b", "1–2 × 4–5"),  # half of the second cell is credited
    (Run(0, 0, 0, 13), "a b c d e f g h i j k l …", "1–13 × 1–13"),
    (SkipBigram(Hit(0, 0, 0), Hit(3, 0, 2)), "a … d", "1, 4 × 1, 3"),
    (Neighbours(Run(0, 0, 0, 1), Run(2, 0, 2, 2)), "a → c d", "1 × 1 → 3–4 × 3–4"),
    (Edit("match", 1, 2, 0, 3, 4), "b", "2 × 4"),
    (Edit("match", 1, 3, 0, 3, 5), "b c", "2–3 × 4–5"),
    (Edit("substitution", 1, 2, 0, 3, 4), "“b” for “s”", "2 × 4"),
    (Edit("substitution", 1, 3, 0, 3, 5), "“b c” for “s t”", "2–3 × 4–5"),
    (Edit("insertion", 1, 2, 0, 3, 3), "extra: b", "2 × none"),
    (Edit("insertion", 0, 13, 0, 3, 3), "extra: a b c d e f g h i j k l …", "1–13 × none"),
    (Edit("deletion", 1, 1, 0, 3, 4), "missing: s", "none × 4"),
    (Edit("deletion", 1, 1, 0, 3, 5), "missing: s t", "none × 4–5"),
    (Shift(2, 4, 0, 0, 6, (2, 3)), "c d, moved earlier", "3–4 × 7–8"),
    (Shift(2, 4, 3, 0, 6, (2, 3)), "c d, moved later", "3–4 × 7–8"),
    (Shift(0, 3, 1, 0, 6, (6, 2, 3)), "g c d, moved later", "7, 3–4 × 7–9"),
    (Shift(0, 2, 1, 0, 6, (1, 3)), "b d, moved later", "2, 4 × 7–8"),
    (Shift(0, 13, 1, 0, 0, tuple(range(13))), "a b c d e f g h i j k l …, moved later", "1–13 × 1–13"),
]


@pytest.mark.parametrize(("mark", "words", "positions"), TEXTS, ids=str)
def test_marks_in_words(mark, words, positions):
    assert ledger.term_text("abcdefghijklmnop", ["pqrstuvwxyz"], mark) == words
    assert ledger.positions_text(mark, False) == positions
    k = 1 if isinstance(mark, Hit) else 0
    assert ledger.positions_text(mark, True) == f"{positions}, R{k + 1}"


def parsed_csv(result, signature="sig"):
    text = ledger.csv_text(*result.segment, result, signature)
    first, rest = text.split("\n", 1)
    return first, list(csv.reader(io.StringIO(rest), strict=True))


@every_case
def test_the_csv_holds_the_rows_the_steps_and_the_signature(key, name, given):
    result = result_of(key, name, given)
    first, (head, *table) = parsed_csv(result, result.signature("tok:none"))
    assert first == f"# {result.signature('tok:none')}" and "tok:none" in first
    assert head == ["layer", "term", "words", "credit", "value", "weight"]
    assert all(len(row) == 6 for row in table)
    count = marks.count_terms(result)
    for line, row, term in zip(table, ledger.term_rows(*result.segment, result), marks.terms(result), strict=False):
        layer, text, *others = row[:4]
        texts = [layer, f"{text} ({row.note})" if row.note else text, *others]
        assert [cell.removeprefix("'") for cell in line[:4]] == [cell.removeprefix("'") for cell in texts]
        assert (float(line[4]), float(line[5])) == (row.value, result.layers[term.layer].weight)
    steps = table[count:]
    assert [row[0] for row in steps] == ["formula"] * len(ledger.formula_steps_of(result))
    assert float(steps[-1][4]) == pytest.approx(result.score, abs=1e-12)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_no_cell_of_the_csv_is_a_spreadsheets_formula(start):
    word = f'{start}cmd|" /C calc"!A0'
    _, table = parsed_csv(metrics.score("gtm", [word], [[word]]))
    cells = [cell for row in table for cell in row]
    assert f"'{word}" in cells
    assert not [cell for cell in cells if cell[:1] == start]


def test_words_with_quotes_commas_and_lines_stay_in_their_cell():
    words = ('a,"b"', "c;d", "e\nf", "g\rh")
    _, (_, *table) = parsed_csv(metrics.score("rouge_n", words, [words]))
    assert [row[1] for row in table[:4]] == ['a,"b"', "c;d", "e\ufffdf", "g\ufffdh"]


def test_a_signature_with_the_name_of_a_file_is_one_cell():
    text = ledger.csv_text(*SEGMENTS["one word"], result_of("sia", "one word"), "sia|similarity:table(a\nb,=1)|v:1")
    assert next(csv.reader(io.StringIO(text))) == ["# sia|similarity:table(a\ufffdb,=1)|v:1"]


def test_the_words_shown_are_those_typed():
    result = metrics.score("rouge_l", ["police", "kill"], [["police", "kill"]])
    rows = ledger.term_rows(["Police", "killed"], [["Police", "kills"]], result)
    assert [row.term for row in rows] == ["Police killed"]
    upper = MADE_RESULTS["edits of several words"]
    rows = ledger.term_rows(["A", "B", "C", "X"], [["W"], list("ABPQDRSE")], upper, most=4)
    assert [row.term for row in rows][::3] == ["A B", "“C X” for “P Q”"]
