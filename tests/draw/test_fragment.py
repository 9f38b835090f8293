"""Tests of fragments: texts and hooks are those of the result, and a word is never markup."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache as once
from typing import Any

import pytest

import metrics
from metrics import formula
from metrics.analysis import error_classes
from metrics.analysis.error_classes import ErrorClass
from metrics.text import TextSettings
from metrics.types import Edit, Hit, Letters, Neighbours, Result, Run, Segment, Shift, SkipBigram, Ties
from tests.helpers.fragments import Element, drawn_result, process_texts, read, texts_of
from tests.helpers.markup import WORDS, check_allowed
from tests.helpers.segments import (
    MADE_RESULTS,
    all_hits,
    cell_relations,
    edits,
    every_case,
    first_rounds,
    marks_by_term,
    matching_letters,
    result_of,
    shapes_by_term,
    used_cells,
    words_of,
)
from viz.draw.evidence import classes, fragment, ledger, several_metrics, unused_matches
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.evidence.figure import score_so_far, title_of
from viz.draw.evidence.inspector import round_text, ties_text
from viz.draw.evidence.terms_table import ROWS_MOST
from viz.draw.evidence.words import word_lines_html
from viz.draw.pen import theme
from viz.draw.pen.grid import Window
from viz.draw.pen.marks import Selection, badges_by_reference, describe_letters
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import visible
from viz.draw.pen.theme import LOOKS
from viz.frame.examples import EXAMPLES
from viz.state.results import cache

pytestmark = pytest.mark.usefixtures("made_metric")


def drawn_with_remarks(result: Result, **more: Any) -> DrawnResult:
    """Return a result as a page draws it: with its remark, its ties and its score against each reference alone."""
    several = result.metric != "made" and len(result.segment.references) > 1
    alone = [cache.score_alone(result, k) for k in range(len(result.segment.references))] if several else ()
    said: dict[str, Any] = {"remark": cache.remark(result), "ties": cache.ties(result), "reference_scores": alone}
    return drawn_result(result, **{**said, **more})


def fragment_tree(drawn: DrawnResult) -> Element:
    return read(fragment.fragment(drawn))


@once
def case_tree(key: str, name: str, given: tuple[tuple[str, Any], ...]) -> Element:
    return fragment_tree(drawn_with_remarks(result_of(key, name, dict(given))))


def test_a_picture_that_takes_too_much_work_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    grid, result = '<path class="grid"', metrics.score("gtm", ["a"] * 40, [["a"] * 41])
    assert grid in fragment.fragment(drawn_with_remarks(result))
    monkeypatch.setattr(fragment, "WORK", 500)
    without = fragment.fragment(drawn_with_remarks(result))
    assert "more work than 500 steps" in without and 'class="score"' in without and grid not in without


def result_and_tree(key: str, name: str, given: dict[str, Any]) -> tuple[Result, Element]:
    return result_of(key, name, given), case_tree(key, name, tuple(given.items()))


def parse_cell_names(cells: str) -> set[Hit]:
    return {Hit(*map(int, cell.split(","))) for cell in cells.split()}


def cell_name(cell: Hit) -> str:
    return f"{cell.i},{cell.k},{cell.j}"


# ---------------------------------------------------------------- terms


def mark_in_words(result: Result, mark: Any) -> str:
    """Return the words by which a page should describe `mark`, derived independently of the code under test."""
    candidate, references = result.segment

    def first_words(words: tuple[str, ...]) -> str:
        return " ".join(map(visible, words[:12])) + (" …" if len(words) > 12 else "")

    if isinstance(mark, Hit | Run):
        ours, theirs = (
            tuple(words) for words in zip(*[(candidate[i], references[k][j]) for i, k, j in mark.cells()], strict=True)
        )
        return first_words(ours) + (f" ~ {first_words(theirs)}" if ours != theirs else "")
    if isinstance(mark, Letters):
        words = {piece.i: "" for piece in mark.pieces}
        for i, _, at, _, length in mark.pieces:
            words[i] += visible(candidate[i][at : at + length])
        return " ".join(words.values())
    if isinstance(mark, SkipBigram):
        return " … ".join(visible(candidate[hit.i]) for hit in mark)
    if isinstance(mark, Neighbours):
        return " → ".join(mark_in_words(result, run) for run in mark)
    if isinstance(mark, Shift):
        where = "earlier" if mark.to < mark.start else "later"
        return f"{first_words(tuple(candidate[i] for i in mark.rows))}, moved {where}"
    assert isinstance(mark, Edit)
    ours = first_words(candidate[mark.i_start : mark.i_end])
    theirs = first_words(references[mark.k][mark.j_start : mark.j_end])
    ways = {"substitution": f"“{ours}” for “{theirs}”", "insertion": f"extra: {ours}", "deletion": f"missing: {theirs}"}
    return ways.get(mark.op, ours)


def why_matched(result: Result, mark: Any) -> str:
    """Return the metric's reason why two different words match, or an empty string."""
    because = metrics.METRICS[result.metric].because
    return because(result, mark) if because and isinstance(mark, Hit) else ""


@every_case
def test_every_term_has_one_row_and_it_is_the_terms(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    order = sorted(enumerate(result.layers), key=lambda each: each[1].name != "discordant pairs")
    terms = [(n, t, mark) for n, layer in order for t, mark in enumerate(layer.marks)]
    rows = root.all("tr", "term")
    assert [row.get("data-term") for row in rows] == [f"{n}:{t}" for n, t, _ in terms[:ROWS_MOST]]
    if not terms:
        assert f"No match is used, so the score is {formula.format_number(result.score)}." in root.text
    table = ledger.term_rows(*result.segment, result)
    for row, (n, t, mark), about in zip(rows, terms, table, strict=False):
        what, where, credit, value = [cell.text for cell in row.children]
        assert row.one("td", "what").get("title") == mark_in_words(result, mark)
        assert what == mark_in_words(result, mark) + (f" ({about.note})" if about.note else "")
        cut = result.layers[n].cut
        assert about.note == (cut.why if cut and cut.t == t else why_matched(result, mark))
        assert (where, credit) == (about.words, about.credit)
        assert value == formula.format_number(result.layers[n].credits[t])
        assert parse_cell_names(row.get("data-cells")) == set(mark.cells())
        assert Counter(row.get("data-words").split()) == Counter(words_of(mark))
        assert (row.get("aria-selected"), row.get("tabindex")) == ("false", "-1")


@every_case
def test_layers_have_titles_with_their_sums(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    titled = zip(result.layer_titles(), result.layers, strict=True)
    filled = [(title, layer) for title, layer in titled if layer.marks] if len(result.layers) > 1 else []
    filled.sort(key=lambda each: each[1].name != "discordant pairs")
    titles = [[cell.text for cell in row.children] for row in root.all("tr", "title")]
    assert titles == [
        [
            title + (f", weight {layer.weight:.4g}" if layer.weight != 1 else ""),
            formula.format_number(math.fsum(layer.credits)),
        ]
        for title, layer in filled
    ]


def test_a_table_ends_where_the_csv_goes_on() -> None:
    words = tuple(f"w{n}" for n in range(40))
    result = metrics.score("rouge_s", words, [words])
    root = fragment_tree(drawn_result(result))
    assert len(root.all("tr", "term")) == ROWS_MOST < len(result.layers[0].marks)
    assert root.one("p", "more").text == "and 280 more terms, all of them in the CSV"


def test_pairs_that_break_the_order_of_words_are_all_in_the_table() -> None:
    """Check that all discordant pairs are in the table, even if they are too many to be drawn.

    Of 60 words the first 40 are in reverse order, which makes 780 pairs."""
    words = tuple(f"w{n}" for n in range(60))
    result = metrics.score("ribes", (*words[39::-1], *words[40:]), [words])
    (at,) = [n for n, layer in enumerate(result.layers) if layer.name == "discordant pairs"]
    rows = [row.get("data-term") for row in fragment_tree(drawn_result(result)).all("tr", "term")]
    assert rows[:780] == [f"{at}:{t}" for t in range(780)] and len(result.layers[at].marks) == 780


@pytest.mark.parametrize(("key", "words"), [("ribes", 36), ("rouge_s", 36)])
def test_every_mark_that_is_drawn_has_a_row_by_which_it_can_be_chosen(key: str, words: int) -> None:
    """Check that every drawn pair has a row in the table of terms, even 630 pairs, more rows than other tables have."""
    candidate = [str(n) for n in range(words)]
    result = metrics.score(key, candidate, [candidate[::-1] if key == "ribes" else candidate])
    root = fragment_tree(drawn_with_remarks(result, picture="arcs"))
    rows = {row.get("data-term") for row in root.all("tr", "term")}
    drawn = {e.get("data-term") for e in root.one("div", "figure").having("data-term")}
    assert len(drawn) > ROWS_MOST and drawn <= rows


def test_two_words_on_one_reference_word_are_said_to_be_that() -> None:
    result = metrics.score("ribes", "c a c".split(), ["a c a".split()])
    said = {
        row.one("td", "where").text: row.one("td", "what").text
        for row in fragment_tree(drawn_result(result)).all("tr", "term")
    }
    assert said["1, 3 × 2, 2"] == "c … c (both on the same reference word)"
    assert said["2, 3 × 3, 2"] == "a … c"


def test_terms_of_hidden_rounds_have_no_rows() -> None:
    result = result_of("sia", "two references")
    for rounds in (1, 2, 3):
        rows = fragment_tree(drawn_result(result, rounds=rounds)).all("tr", "term")
        assert {int(row.get("data-term").split(":")[0]) for row in rows} == set(range(rounds))


@every_case
def test_the_formula_is_the_scores_and_its_addends_are_the_terms(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    text = root.one("div", "formula")
    assert text.one("mn", "score").text == formula.format_number(result.score)
    addends = Counter(e.get("data-term") for e in text.having("data-term"))
    assert set(addends.values()) <= {1} and set(addends) <= {*marks_by_term(result)}
    if result.score and any(layer.marks for layer in result.layers):
        assert addends, "a score has addends"
    score, label = root.one("div", "score"), metrics.METRICS[key].label
    assert score.one("p").text == f"{label} {score_text(result.score)}"
    parts = {e.one("dt").text: e.one("dd").text for e in score.one("dl").children}
    assert parts == {part.replace("_", " "): formula.format_number(value) for part, value in result.parts.items()}
    assert root.one("p", "sig").text == result.signature(TextSettings().signature())
    remark = metrics.METRICS[key].remark
    said = remark(result).replace("`", "") if remark else ""
    assert (said in root.text) and (bool(said) == any(said == note.text for note in root.all("p", "note")))


# ---------------------------------------------------------------- cells and words

SAYS = {
    "equal": "used",
    "stem": "used, same stem",
    "synonym": "used, synonym",
    "similar": "used, similar word",
    "different": "substituted",
}


def hover_texts(element: Element, inherited: str = "") -> Iterator[tuple[Element, str]]:
    """Yield every descendant of `element` with its hover text, its own or else that of the nearest element around it.

    `inherited` is the hover text of `element` itself."""
    for child in element.children:
        own = child.get("data-says") or inherited
        yield child, own
        yield from hover_texts(child, own)


@every_case
def test_a_cell_says_how_the_result_uses_it(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    found: dict[Hit, set[str]] = {}
    for figure in root.all("div", "figure"):
        for e, said in hover_texts(figure):
            if "data-cell" in e.attributes and said:
                found.setdefault(*parse_cell_names(e.get("data-cell")), set()).add(said)
    in_rounds = first_rounds(result)
    why = unused_matches.unused_reason(texts_of(result), result)
    expected = {hit: {f"match, not used: {why(hit)}"} for hit in all_hits(result) if hit not in cell_relations(result)}
    if result.metric == "made":
        expected = {hit: {"match, not used"} for hit in expected}
    for cell, relation in cell_relations(result).items():
        matched = relation != "different" and why_matched(result, cell)
        expected[cell] = {("used" if cell in in_rounds else SAYS[relation]) + (f": {matched}" if matched else "")}
    for cell, (ours, theirs) in matching_letters(result).items():
        words = result.segment.candidate[cell.i], result.segment.references[cell.k][cell.j]
        expected[cell] = {f"letters that match: {describe_letters(words, ours, theirs)}"}
    for layer in result.layers:
        if layer.cut:
            expected[layer.marks[layer.cut.t].cells()[-1]] = {f"used, {layer.cut.why}"}
    assert found == expected
    rows = set().union(*[parse_cell_names(row.get("data-cells")) for row in root.all("tr", "term")])
    assert {cell for cell, said in found.items() if not said.pop().startswith("match, not used")} == rows


@every_case
def test_what_stands_for_a_term_without_a_cell_has_its_name(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    assert Counter(e.get("data-term") for e in root.one("div", "figure").having("data-term")) == shapes_by_term(result)
    wrong = {op: len(edits(result, op)) for op in ("insertion", "deletion")}
    signs = Counter(said for e, said in hover_texts(root) if e.tag == "g" and "data-term" in e.attributes)
    assert signs == Counter({"extra word": wrong["insertion"], "missing word": wrong["deletion"]})


@every_case
def test_words_are_those_of_the_strips(key: str, name: str, given: dict[str, Any]) -> None:
    """Check that a fragment has the strips of words, whose looks `test_words.py` checks."""
    drawn = drawn_result(result_of(key, name, given))
    assert word_lines_html(drawn) in fragment.fragment(drawn)


# ---------------------------------------------------------------- references


@pytest.mark.parametrize("key", metrics.METRICS)
@pytest.mark.parametrize("name", ["two references", "precision and recall from two references", "no match", "hostile"])
def test_each_reference_says_the_score_with_it_alone_and_its_part_of_a_sum(key: str, name: str) -> None:
    result, root = result_and_tree(key, name, {})
    candidate, references = result.segment
    rows = root.one("table", "rf").one("tbody").children
    assert len(rows) == len(references)
    of_a_sum = len({layer.statistics for layer in result.layers if layer.marks}) == 1
    for k, row in enumerate(rows):
        label, alone, *credit = [cell.text for cell in row.children]
        assert label.replace("\xa0", " ").startswith(f"Reference {k + 1}")
        assert alone == f"{metrics.score(key, candidate, [references[k]]).score:.3f}"
        each = [
            (mark.first.k if isinstance(mark, SkipBigram | Neighbours) else mark.k, layer.weight * credit)
            for layer in result.layers
            for mark, credit in zip(layer.marks, layer.credits, strict=True)
        ]
        assert len(credit) == of_a_sum
        if credit:
            part, total = map(float, credit[0].split(" of "))
            assert part == pytest.approx(math.fsum([c for other, c in each if other == k]), rel=1e-3)
            assert total == pytest.approx(math.fsum([c for _, c in each]), rel=1e-3)


def test_matches_and_chunks_are_not_added() -> None:
    """Check that credits are summed only where all layers count the same thing.

    Matches and chunks differ, and so do edits and hits, words and pairs, pairs and triples."""
    segment = ("a b x c a".split(), ["a b c d".split(), "a b c".split()])
    adding = {key for key in metrics.METRICS if metrics.score(key, *segment).adds_up()}
    assert adding == {"rouge_n", "rouge_l", "rouge_w", "rouge_s", "gtm", "sia", "per"}


@every_case
def test_badges_stand_at_the_references_that_decide(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    several = len(result.segment.references) > 1
    found = badges_by_reference(result)
    assert bool(found) == (several and bool(result.decides)) and (not found or {*result.decides.values()} <= {*found})
    expected: dict[int, list[str]] = {k: found.get(k, []) for k in range(len(result.segment.references))}
    labels = root.all("div", "lb")
    assert [label.text.replace("\xa0", " ").split(" ")[0] for label in labels[:1]] == ["Candidate"]
    assert {k: [b.text for b in label.all("span", "bd")] for k, label in enumerate(labels[1:])} == expected
    for k, row in enumerate(root.one("table", "rf").one("tbody").children if several and key != "made" else ()):
        assert [badge.text for badge in row.all("span", "bd")] == expected[k]


def test_one_reference_is_seen_at_a_time_and_the_others_fold() -> None:
    """Check that one reference is open and the others are folded.

    Each grid is behind a button, and each reference's words are behind a line that summarises them."""
    result = metrics.score("gtm", "a b c".split(), ["x y".split(), "a x".split(), "c b a".split(), "a b c".split()])
    root = fragment_tree(drawn_with_remarks(result))
    figure, words = root.one("div", "figure"), root.one("div", "words")
    grids = figure.all("div", "ref")
    assert [e.get("data-reference") for e in grids] == ["0", "1", "2", "3"]
    assert [int(e.one("path", "grid").get("data-k")) for e in grids] == [0, 1, 2, 3]
    seen = [e for e in grids if "hidden" not in e.attributes]
    (deciding,) = {c.k for c in used_cells(result)}
    assert [int(e.get("data-reference")) for e in seen] == [deciding] == [3]
    buttons = figure.one("div", "refs").all("button")
    assert [e.get("data-show") for e in buttons] == ["0", "1", "2", "3", "all"]
    assert [e.get("aria-pressed") for e in buttons] == ["false", "false", "false", "true", "false"]
    assert [e.text for e in buttons] == ["Reference 1", "2", "3", "4 · 100 %", "All"]
    assert [e.get("title") for e in buttons[:2]] == ["Reference 1: not used", "Reference 2: not used"]
    assert buttons[3].get("title") == "Reference 4: 100 % of the credit"
    lines = [e for e in words.all("div", "ln") if e.get("data-line")]
    assert [e.get("data-line") for e in lines if "data-folded" not in e.attributes] == ["3"]
    said = {e.get("data-line"): e.one("button", "unfold").text for e in lines}
    assert said == {
        "0": "2 words, 0 match, none used",
        "1": "2 words, 1 match, none used",
        "2": "3 words, 3 match, none used",
        "3": "3 words, 3 match, 3 used",
    }


@pytest.mark.parametrize(
    ("key", "candidate", "references", "expected"),
    [
        ("gtm", "a b", ["b x", "a b"], 1),
        ("nist", "a b c d e f x", ["g x", "a b q", "h c d e f"], 2),  # runs of 4, 2 and 1 words
        ("bleu", "a b c d", ["a b", "x", "c d"], 0),  # of equal credits the first reference wins
        ("sia", "a b c d e", ["e", "a b c d"], 1),
        ("ter", "a b c d", ["a x y z", "a b c x", "q"], 1),
        # Reference 1 decides by its length, which no cell shows; reference 3 has seven of the eight words.
        ("bleu", "a b c d e f g h", ["a x x x x x x x", "y y", "b c d e f g h p p p p"], 2),
    ],
)
def test_the_reference_that_matters_most_is_seen_first(
    key: str, candidate: str, references: list[str], expected: int
) -> None:
    """Check that the deciding reference is open, or else the one with the most credit.

    Grids and words keep the order of the texts."""
    root = fragment_tree(
        drawn_with_remarks(metrics.score(key, candidate.split(), [reference.split() for reference in references]))
    )
    grids = root.one("div", "figure").all("div", "ref")
    assert [int(e.get("data-reference")) for e in grids] == [*range(len(references))]
    assert [n for n, e in enumerate(grids) if "hidden" not in e.attributes] == [expected]
    labels = [e.text for e in root.one("div", "words").all("div", "lb")][1:]
    assert [label[:11] for label in labels] == [f"Reference\xa0{k + 1}" for k in range(len(references))]


# ---------------------------------------------------------------- ties and rounds

SENTENCE = metrics.score("rouge_l", "x a b y".split(), ["x b a y".split()])


def tied_cell(element: Any) -> str:
    """Return the cell, as "i,k,j", on which a sign of tied alignments is drawn.

    It is read from a class: the sign has no `data-cell`, because a click on it opens nothing."""
    assert element.get("data-cell") == ""
    (name,) = [each for each in element.classes if re.fullmatch(r"x\d+_\d+_\d+", each)]
    return name[1:].replace("_", ",")


def test_cells_of_every_and_of_some_best_alignments() -> None:
    """Check the signs of ties: x and y are on both longest common subsequences, a and b on one each."""
    root = fragment_tree(drawn_with_remarks(SENTENCE))

    def cells(of_class: str) -> list[str]:
        return sorted(tied_cell(e) for e in root.one("div", "figure").all(of=of_class))

    assert (cells("always"), cells("sometimes")) == (["0,0,0", "3,0,3"], ["1,0,2", "2,0,1"])
    assert legend_entries(root)["on every best alignment"] == ("circle", "none", theme.VIOLET)
    assert legend_entries(root)["on some best alignments"] == ("polygon", theme.VIOLET, "")
    note = root.one("div", "ties")
    assert note.text == f"2 {GOOD}; number 1 is shown. The score is the same for all."
    assert (note.get("data-count"), note.get("data-at")) == ("2", "0")
    found = cache.ties(SENTENCE)
    assert found
    second = fragment_tree(drawn_with_remarks(found.results[1], ties=found, tie=1))
    assert second.one("div", "ties").text.startswith(f"2 {GOOD}; number 2 is shown.")
    assert {e.get("data-cell") for e in second.all(of="used")} == {"0,0,0", "2,0,1", "3,0,3"}


def test_a_ring_around_a_dot_is_larger_than_the_dot() -> None:
    for words in (4, 30, 100):  # these lengths give cells of different sizes
        sentence = [f"w{n}" for n in range(words)]
        turned = [sentence[0], sentence[2], sentence[1], *sentence[3:]]
        root = fragment_tree(drawn_with_remarks(metrics.score("rouge_l", sentence, [turned])))
        dot, ring = (next(e for e in root.all("circle", of) if "x0_0_0" in e.classes) for of in ("used", "always"))
        assert float(ring.get("r")) >= 1.25 * float(dot.get("r")) > 1


@every_case
def test_tied_cells_are_those_of_all_and_of_some_results(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    ties = cache.ties(result)
    some = ties if ties and ties.count > 1 else None
    for role, cells in (("always", some.always if some else ()), ("sometimes", some.sometimes if some else ())):
        found = [tied_cell(e) for e in root.all(of=role)]
        assert Counter(found) == Counter(map(cell_name, cells))
    if some and some.exact and some.count == len(some.results):
        each = [set(cell_relations(other)) for other in some.results]
        assert some.always == set.intersection(*each)
        assert some.sometimes == set.union(*each) - set.intersection(*each)
    assert bool(root.all("div", "ties")) == (some is not None or bool(ties and not ties.exact))


def test_the_ends_of_the_scores_of_ties_lead_to_those_that_have_them() -> None:
    """Check that the best and worst scores of tied alignments link to alignments that have them.

    The score that is shown has no link. Which score is best depends on the metric."""
    result = metrics.score("gtm", "a d a b c a".split(), ["c a c a d b c".split()])
    ties = cache.ties(result)
    assert ties and ties.depends
    scores = [each.score for each in ties.results]
    for at, shown in enumerate(ties.results):
        line = fragment_tree(drawn_with_remarks(shown, ties=ties, tie=at)).one("div", "ties")
        assert f"from {min(scores):.3f} to {max(scores):.3f}, here {scores[at]:.3f}" in line.text
        (end,) = line.having("data-tie")
        best = scores[at] == min(scores)
        assert scores[int(end.get("data-tie"))] == (max(scores) if best else min(scores))
        assert end.text == f"{scores[int(end.get('data-tie'))]:.3f}"
        assert end.get("title") == f"Show one with the {'best' if best else 'worst'} score"
    assert not fragment_tree(drawn_with_remarks(SENTENCE)).having("data-tie"), "where all have one score"
    middle = replace(result, score=sum(scores) / len(scores))
    both = fragment_tree(drawn_with_remarks(middle, ties=replace(ties, results=(middle, *ties.results))))
    assert [end.get("title").split()[-2] for end in both.having("data-tie")] == ["worst", "best"]


def make_ties(count: int, exact: bool, scores: list[float], depends: bool = False) -> Ties:
    results = tuple([Result("made", None, Segment((), ()), s, {}, {}, (), {}) for s in scores])  # type: ignore[arg-type]
    return Ties(count, exact, results, frozenset(), frozenset(), depends)


GOOD = "alignments are equally good, and the metric could take any of them"
TIES = [
    ((make_ties(2, True, [1, 1]), 1), f"2 {GOOD}; number 2 is shown. The score is the same for all."),
    (
        (make_ties(900, True, [1, 1, 1]), 2),
        f"900 {GOOD}; number 3 of the first 3 is shown. The score is the same for all.",
    ),
    (
        (make_ties(10**30, False, [1, 1]), 0),
        f"At least about 1.0 × 10³⁰ {GOOD}; number 1 of the first 2 is shown. "
        "The score is the same for all that were found.",
    ),
    (
        (make_ties(2, True, [0.25, 0.5], True), 0),
        f"2 {GOOD}; number 1 is shown. The score depends on the choice: from 0.250 to 0.500, here 0.250.",
    ),
    (
        (make_ties(3, True, [0.55904, 0.55901, 0.55901 + 1e-15], True), 1),
        f"3 {GOOD}; number 2 is shown. The score depends on the choice: from 0.55901 to 0.55904, here 0.55901.",
    ),
    (
        (make_ties(2, True, [0.5, 0.5 + 3e-8], True), 1),
        f"2 {GOOD}; number 2 is shown. The score depends on the choice: by less than 0.000001.",
    ),
    (
        (make_ties(3, True, [0.5, 0.6, 0.6 + 3e-9], True), 0),
        f"3 {GOOD}; number 1 is shown. The score depends on the choice: from 0.500 to 0.600, here 0.500.",
    ),
    ((make_ties(5, True, [0.5], True), 0), f"5 {GOOD}; number 1 is shown. The score may depend on the choice."),
    (
        (make_ties(1, False, [1]), 0),
        "Other equally good alignments were not searched for: this sentence has too many possible ones.",
    ),
]


@pytest.mark.parametrize(("ties", "at", "says"), [(*case, says) for case, says in TIES])
def test_ties_in_words(ties: Ties, at: int, says: str) -> None:
    assert ties_text(ties, at) == says
    root = fragment_tree(drawn_result(SENTENCE, ties=ties, tie=at))
    assert root.one("div", "ties").text == says


def test_the_words_whose_matches_differ_are_named() -> None:
    """Check that the words whose matches differ are named once each, in the order of the text.

    Words that every alignment matches the same way are not named."""
    ties = replace(
        make_ties(2, True, [0.25, 0.5], True), sometimes=frozenset([Hit(2, 0, 0), Hit(0, 0, 5), Hit(2, 0, 3)])
    )
    says = ties_text(ties, 0, ["the", "cat", "a"])
    assert "depends on the choice of what matches “the”, “a”: from 0.250 to 0.500" in says
    many = replace(ties, sometimes=frozenset([Hit(i, 0, i) for i in range(9)]))
    assert "“w5” and 3 more: from" in ties_text(many, 0, [f"w{i}" for i in range(9)])


ROUNDS = [  # case, rounds, sentence, score of the shown rounds
    (
        ("sia", "two references"),
        1,
        "Round 1 takes 6 words with reference 2: its credits sum to 5.000 and weigh 0.5. "
        "0 candidate words retired before.",
        0.25,  # 0.8 · 0.5 · 5/8
    ),
    (
        ("sia", "two references"),
        2,
        "Round 2 takes 1 word with reference 1: its credits sum to 0.224 and weigh 0.25. "
        "6 candidate words retired before.",
        0.8 * (0.5 * 5 + 0.25 / math.sqrt(20)) / 8,
    ),
    (
        ("sia", "two references"),
        3,
        "Round 3 takes 1 word with reference 1: its credits sum to 0.183 and weigh 0.125. "
        "7 candidate words retired before.",
        None,
    ),
    (("made", "shifts"), 1, "Shift 1 moves “in London” to the end.", None),
    (("made", "shifts"), 2, "Shift 2 moves “and France” before “yesterday”.", None),
    (("made", "a block of words from apart"), 2, "Shift 2 moves “d b” before “a”.", None),
]


@pytest.mark.parametrize(("case", "rounds", "says", "so_far"), ROUNDS)
def test_rounds_in_words(case: tuple[str, str], rounds: int, says: str, so_far: float | None) -> None:
    result = result_of(*case)
    drawn = drawn_result(result, rounds=rounds)
    root = fragment_tree(drawn)
    assert round_text(drawn) == says == root.one("p", "round").text
    assert score_so_far(drawn) == (None if so_far is None else pytest.approx(so_far))
    name = f"{metrics.METRICS[result.metric].label} {score_text(result.score)}"
    after = f"after {rounds} round{'s' * (rounds != 1)}"
    if so_far is None:
        assert title_of(drawn) == name and after not in root.text
    else:
        assert title_of(drawn) == f"{name}, {so_far:.3f} {after}"
        parts = {e.one("dt").text: e.one("dd").text for e in root.one("div", "score").one("dl").children}
        assert parts[after] == formula.format_number(so_far)


def test_all_rounds_say_nothing_of_rounds() -> None:
    drawn = drawn_result(result_of("sia", "two references"))
    assert round_text(drawn) == "" and score_so_far(drawn) is None and not fragment_tree(drawn).all("p", "round")


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_only_shown_rounds_are_used(rounds: int) -> None:
    result = result_of("sia", "two references")
    root = fragment_tree(drawn_result(result, rounds=rounds))
    digits = {parse_cell_names(e.get("data-cell")).pop(): int(e.text) for e in root.all("text", "digit")}
    assert digits == first_rounds(result, rounds) and set(digits.values()) == set(range(1, rounds + 1))
    colours = {e.text: g.get("fill") for g in root.all("g") for e in g.children if "digit" in e.classes}
    assert set(colours.values()) == {theme.PAPER}
    sups = {e.get("data-word"): int(e.one("sup").text) for e in root.all("span", "tk") if e.all("sup")}
    first: dict[str, int] = {}
    for cell, number in sorted(first_rounds(result, rounds).items(), key=lambda item: item[1]):
        first.setdefault(f"c{cell.i}", number)
        first.setdefault(f"r{cell.k}_{cell.j}", number)
    assert sups == first
    for e in root.all("span", "tk"):
        number = first.get(e.get("data-word"))
        assert {c for c in e.classes if re.fullmatch(r"n\d", c)} == ({f"n{number}"} if number else set())


# ---------------------------------------------------------------- the legend


def legend_entries(root: Element) -> dict[str, tuple[str, str, str]]:
    """Return the legend: the text of each entry mapped to the (tag, fill, stroke) of its sample."""
    out = {}
    for entry in root.one("div", "lg").children:
        drawing, text = entry.children
        (ink,) = drawing.children
        (sample,) = ink.children
        assert text.text not in out, "each meaning once"
        out[text.text] = (sample.tag, ink.get("fill"), ink.get("stroke"))
    return out


B, M, G, V = theme.BLUE, theme.MAUVE, theme.GREY, theme.VIOLET
MEANINGS = {  # text in the legend → tag, fill and stroke of the sample
    "run as a block": ("polygon", B, B),
    "neighbours as two triangles": ("polygon", theme.OCHRE, theme.OCHRE),
    "path, in order": ("polyline", "none", B),
    "run": ("polyline", "none", B),
    "chunk": ("polyline", "none", B),
    "run, thicker where more n-grams contain it": ("polyline", "none", B),
    "match, used": ("circle", B, ""),
    LOOKS["letters", "polygon"].legend: ("polygon", B, ""),
    LOOKS["letters", "digit"].legend: ("text", theme.INK, ""),
    "same word": ("circle", B, ""),
    "same stem": ("polygon", B, ""),
    "synonym": ("polygon", B, ""),
    "similar word": ("polygon", B, ""),
    **{
        f"{noun} {n}": ("polygon", colour, "")
        for noun in ("round", "shift")
        for n, colour in enumerate(theme.ROUNDS, 1)
    },
    "substituted word": ("polygon", M, ""),
    "extra word": ("g", M, ""),
    "missing word": ("g", M, ""),
    "run that was cut": ("polygon", "none", G),
    "where a block is moved": ("polyline", "none", B),
    "match, not used": ("circle", "none", G),
    "on every best alignment": ("circle", "none", V),
    "on some best alignments": ("polygon", V, ""),
}


@every_case
def test_the_legend_says_what_is_drawn_in_its_colour(key: str, name: str, given: dict[str, Any]) -> None:
    result, root = result_and_tree(key, name, given)
    found = legend_entries(root) if root.all("div", "lg") else {}
    used, first = cell_relations(result), first_rounds(result)
    lettered = matching_letters(result)
    plain = {relation for cell, relation in used.items() if cell not in first and cell not in lettered}
    expected = {layer.name for layer in result.layers if layer.number and layer.marks}
    others = plain - {"equal", "different"}
    names = {"stem": "same stem", "synonym": "synonym", "similar": "similar word", "different": "substituted word"}
    expected |= {says for relation, says in names.items() if relation in plain}
    runs = [layer for layer in result.layers if any(isinstance(m, Run) for m in layer.marks)]
    path = any(
        len([c for m in x.marks for c in m.cells() if c.k == k]) > 1 for x in result.layers if x.path for k in (0, 1)
    )
    drawn = {
        "where a block is moved": marks_by_term(result, Shift),
        "match, used": "equal" in plain and not others,
        "same word": "equal" in plain and others,
        "similar word": any(used[cell] != "equal" for cell in first),
        "match, not used": set(all_hits(result)) - set(used),
        **{LOOKS["letters", kind].legend: lettered for kind in ("polygon", "digit")},
        "extra word": edits(result, "insertion"),
        "missing word": edits(result, "deletion"),
        "run that was cut": any(layer.cut for layer in runs),
        "run as a block": any(layer.area for layer in runs),
        "neighbours as two triangles": marks_by_term(result, Neighbours),
        "path, in order": path or edits(result, "match", "substitution", "insertion", "deletion"),
    }
    expected |= {says for says, there in drawn.items() if there}
    steps: Counter[Hit] = Counter()
    nouns = set()
    for layer in runs:
        if not (layer.area or layer.path):
            found_steps = {cell for m in layer.marks for cell in m.cells()[:-1]}
            steps.update(found_steps)
            nouns |= {layer.noun} if found_steps else set()
    if steps:
        many = max(steps.values()) > 1
        expected.add(
            "run, thicker where more n-grams contain it" if many else nouns.pop() if len(nouns) == 1 else "run"
        )
    ties = cache.ties(result)
    if ties and ties.count > 1:
        expected |= {"on every best alignment"} if ties.always else set()
        expected |= {"on some best alignments"} if ties.sometimes else set()
    assert set(found) == expected
    for says, look in found.items():
        shape, fill, line = MEANINGS.get(says, MEANINGS["run"])  # links are named after their layer
        if says == "on every best alignment" and set(ties.always if ties else ()) <= set(first):
            shape, fill = "polygon", "none"
        assert look == (shape, fill, line), says
    # Words in the legend have the look that they have in the strips.
    looks = {span.text: span.classes for span in root.all("span") if span.text in names.values() and span.classes}
    assert set(looks) == set(found) & {"same stem", "synonym", "similar word", "substituted word"}
    strips = [e.classes for e in root.all("span", "tk")]
    for says, look in looks.items():
        assert any(look <= classes for classes in strips), f"no word looks like {says}"


SHAPES = {  # text in the legend → number of corners of its sample
    "same stem": 4,
    "synonym": 3,
    "similar word": 6,
    "substituted word": 12,
}


@pytest.mark.parametrize("name", ["stages and chunks", "rounds of similar words", "shifts"])
def test_samples_have_the_form_of_what_they_stand_for(name: str) -> None:
    root = fragment_tree(drawn_result(MADE_RESULTS[name]))
    seen = 0
    for entry in root.one("div", "lg").children:
        if entry.text in SHAPES:
            (sample,) = entry.all("polygon")
            assert len(sample.get("points").split()) == SHAPES[entry.text]
            seen += 1
    assert seen


# ---------------------------------------------------------------- arcs


PAIRS = [("rouge_s", {}), ("rouge_s", {"max_skip": 0}), ("ribes", {}), ("meteor", {})]


@pytest.mark.parametrize(("key", "settings"), PAIRS)
def test_arcs_carry_the_same_names(key: str, settings: dict[str, Any]) -> None:
    result = metrics.score(key, "the cat sat on a mat".split(), ["on a mat the cats sat".split()], **settings)
    root = fragment_tree(drawn_with_remarks(result, picture="arcs"))
    figure = root.one("div", "figure")
    assert figure.all("div", "arcs") and not figure.all("path", "grid")
    terms = {row.get("data-term") for row in root.all("tr", "term")}
    named = {e.get("data-term") for e in figure.having("data-term")}
    assert named and named <= terms
    counted = {n for n, layer in enumerate(result.layers) if key == "rouge_s" or "discordant" in layer.statistics}
    assert {term for term in marks_by_term(result, SkipBigram) if int(term.split(":")[0]) in counted} <= named
    words = {e.get("data-word") for e in figure.having("data-word")}
    assert words == {f"c{i}" for i in range(6)} | ({f"r0_{j}" for j in range(6)} if key != "rouge_s" else set())


# ---------------------------------------------------------------- the parts together


def test_the_root_says_what_is_drawn_and_what_is_chosen() -> None:
    result = result_of("gtm", "two references")
    (root,) = fragment_tree(drawn_result(result)).children
    assert (root.get("data-metric"), root.classes) == ("gtm", {"bitext", "tint", "unsized"})
    assert "data-chosen" not in root.attributes
    (root,) = fragment_tree(drawn_result(result, chosen=Selection(0, 1), tint=False, width=700)).children
    assert (root.get("data-chosen"), root.classes) == ("0:1", {"bitext"})
    plain = fragment.fragment(drawn_result(result))
    assert fragment.fragment(drawn_result(result, chosen=Selection(0, 1))).replace(' data-chosen="0:1"', "") == plain


def test_a_window_shows_its_words_and_cells_by_their_place_in_the_texts() -> None:
    candidate, reference = [f"w{n % 7}" for n in range(200)], [f"w{n % 7 if n % 5 else 9}" for n in range(190)]
    for key in ("gtm", "rouge_l", "dcs"):
        result = metrics.score(key, candidate, [["x"], reference])
        own = sorted(cell for cell in used_cells(result) if cell.k == 1)
        at = own[len(own) // 2]
        window = Window(1, at.i - 3, at.j - 3, 15, 18)
        inside = [h for h in all_hits(result) if window.holds(h)]
        root = fragment_tree(drawn_result(result, hits=inside, window=window))
        figure = root.one("div", "figure")
        found = {
            e.get("data-cell"): said.partition(":")[0] for e, said in hover_texts(figure) if "data-cell" in e.attributes
        }
        expected = {cell_name(h): "match, not used" for h in inside}
        expected |= {cell_name(h): "used" for h in used_cells(result) if window.holds(h)}
        assert found == expected and "used" in found.values() and "match, not used" in found.values()
        names = {f"c{i}": candidate[i] for i in range(at.i - 3, at.i + 12)}
        names |= {f"r1_{j}": reference[j] for j in range(at.j - 3, at.j + 15)}
        assert {e.get("data-word"): e.one("bdi").text for e in root.all("span", "tk")} == names
        assert {e.get("data-word"): e.text for e in figure.having("data-word")} == names
        panel = figure.one("path", "grid")
        place = [panel.get(f"data-{name}") for name in ("k", "i", "j", "rows", "columns")]
        assert place == list(map(str, window))


def test_too_much_for_a_picture_is_said() -> None:
    words = ["a"] * 250
    result = metrics.score("rouge_n", words, [words])
    text = fragment_tree(drawn_result(result)).one("div", "figure").text
    assert text.startswith("The grid has 62,500 matches, 22,500 more than the 40,000 that a picture can hold")


# ---------------------------------------------------------------- several metrics and error classes


def test_metrics_side_by_side_say_which_cells_they_use() -> None:
    a, b = result_of("gtm", "two references"), result_of("rouge_l", "two references")
    texts, hits = texts_of(a), all_hits(a)
    root = read(several_metrics.two_metrics(texts, a, b, hits, 800))
    ours, theirs = used_cells(a), used_cells(b)
    found: dict[str, set[str]] = {}
    for e, said in hover_texts(root.one("div", "figure")):
        if "data-cell" in e.attributes:
            found.setdefault(e.get("data-cell"), set()).add(said)
    for cell in {*hits, *ours, *theirs}:
        expected = {"used by GTM"} if cell in ours else set()
        expected |= {"used by ROUGE-L"} if cell in theirs else set()
        expected |= {"used by both"} if cell in ours & theirs else set()
        assert found[cell_name(cell)] == (expected or {"match, not used"})
    counts = [row.children[1].text for row in root.one("table", "divided").all("tr")[1:]]
    assert list(map(int, counts)) == [len(ours - theirs), len(theirs - ours), len(ours & theirs)]
    assert min(map(int, counts)) >= 0 and ours != theirs


def test_all_metrics_are_counted_on_every_cell() -> None:
    results = {key: result_of(key, "two references") for key in ("rouge_n", "rouge_l", "gtm", "sia", "dcs")}
    first = results["gtm"]
    root = read(several_metrics.all_metrics(texts_of(first), results, all_hits(first), 800))
    counts = Counter(cell for result in results.values() for cell in used_cells(result))
    figure = root.one("div", "figure")
    digits = {parse_cell_names(e.get("data-cell")).pop(): int(e.text) for e in figure.all("text", "digit")}
    assert digits == counts and len(set(counts.values())) > 2
    said = {e.get("data-cell"): s for e, s in hover_texts(root.one("div", "figure")) if e.tag == "polygon" and s}
    every = {cell: [key for key, r in results.items() if cell in used_cells(r)] for cell in counts}
    labels = {key: metrics.METRICS[key].label for key in results}
    for cell, users in every.items():
        count, who = said[cell_name(cell)].partition(": ")[::2]
        assert count == f"used by {len(users)} of 5"
        named = (
            [labels[key] for key in users] if len(users) < 3 else [labels[key] for key in results if key not in users]
        )
        assert who.removeprefix("not ") == ", ".join(named) and who.startswith("not ") == (3 <= len(users) < 5)
    assert [e.get("data-open") for e in root.all("button")] == list(results)
    for e, (key, result) in zip(root.all("button"), results.items(), strict=True):
        assert e.text.startswith(f"{metrics.METRICS[key].label} {score_text(result.score)}")
    legend = legend_entries(root)
    assert set(legend) == {f"used by {count}" for count in counts.values()} | {"match, not used"}
    for row in root.one("table", "divided").all("tr")[1:]:
        words, places, count, which = [cell.text for cell in row.children]
        for place in re.findall(r"\d+ × \d+, R\d", places):
            i, j, k = map(int, re.findall(r"\d+", place))
            keys = [labels[key] for key, r in results.items() if Hit(i - 1, k - 1, j - 1) in used_cells(r)]
            rest = [label for label in labels.values() if label not in keys]
            assert count == f"{len(keys)} of 5" and which in (", ".join(keys), "not " + ", ".join(rest))
            assert first.segment.candidate[i - 1] in words
    whiches = [row.children[3].text for row in root.one("table", "divided").all("tr")[1:]]
    assert len(whiches) == len({*whiches}), "one row for the cells of the same metrics"


LETTERS = {"INFLECTION": "I", "ORDER": "O", "MISSING": "M", "EXTRA": "E", "LEXICAL": "L"}


def test_every_wrong_word_has_the_letter_of_its_class() -> None:
    assert {error.name: classes.letter(error) for error in ErrorClass} == LETTERS
    seen = set()
    for candidate, references in [
        ("the house blue runs very quick away", ["the blue house ran away now then"]),
        ("a b x c d", ["z y", "b a c d e"]),
        ("the dogs bark", ["the dog barks"]),
    ]:
        texts = process_texts(candidate, *references)
        found = error_classes.classify_segment(texts.segment)
        root = read(classes.fragment(texts, found, "source"))
        k = found.k
        for side, words in (("c", found.candidate), (f"r{k}_", found.reference)):
            for place, word in enumerate(words):
                e = root.one("span", "tk", data_word=f"{side}{place}")
                assert [s.text for s in e.all("sup")] == ([LETTERS[word.error.name]] if word.error else [])
                assert {c for c in e.classes if c.startswith("error-")} == (
                    {f"error-{word.error.name.lower()}"} if word.error else set()
                )
                assert e.get("title") == word.reason
                assert e.get("data-cell") == (cell_name(word.partner) if word.partner else "")
                seen |= {word.error.name} if word.error else set()
        counts, reasons = root.all("table", "classes")[1], root.all("table", "classes")[0]
        for row, count in zip(counts.one("tbody").children[:-1], found.counts(), strict=True):
            assert row.one("i").text == LETTERS[count.error.name] and row.one("b").text == count.error.label
            assert row.children[1].text.split(",")[0] == str(count.candidate)
            assert row.children[2].text.split(",")[0] == str(count.reference)
        wrong = [word.error.name for words in (found.candidate, found.reference) for word in words if word.error]
        assert [row.one("i").text for row in reasons.one("tbody").children] == [LETTERS[name] for name in wrong]
    assert seen == set(LETTERS)


# ---------------------------------------------------------------- markup

DRAWN = [(key, "grid") for key in metrics.METRICS] + [(key, "arcs") for key in ("rouge_s", "meteor", "ribes")]


@pytest.mark.parametrize(("key", "picture"), DRAWN)
def test_hostile_words_stand_as_words_in_inert_markup(key: str, picture: str) -> None:
    result = metrics.score(key, WORDS, [WORDS[::-1], WORDS[4:]])
    root = fragment_tree(drawn_with_remarks(result, picture=picture))
    check_allowed(root)
    typed = [e.one("bdi").text for e in root.all("span", "tk")]
    references = [*WORDS[::-1], *WORDS[4:]]
    assert typed == [visible(word, 60) for word in [*WORDS, *references]]
    labels = {e.get("data-word"): e.text for e in root.one("div", "figure").having("data-word")}
    assert labels["c2"] == "%{x}" and labels["c4"] == "<script>alert(1…" and len(labels) >= len(WORDS)
    rows = " ".join(row.one("td", "what").text for row in root.all("tr", "term"))
    assert "</bdi></span><script>" in rows or not root.all("tr", "term")
    html = fragment.fragment(drawn_with_remarks(result, picture=picture))
    html.encode()
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", html)


@every_case
def test_every_fragment_is_inert(key: str, name: str, given: dict[str, Any]) -> None:
    _, root = result_and_tree(key, name, given)
    check_allowed(root)
    assert root.all("tr") or root.all("p", "note")


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_of_the_page(example: Any) -> None:
    """Check the fragments of the page's own examples, with capitals, punctuation, scripts and up to four references."""
    texts = process_texts(example.candidate, *example.references.split("\n"), **example.text)
    for key in metrics.METRICS:
        result = cache.score(key, texts.segment, metrics.settings(key))
        assert isinstance(result, Result)
        root = fragment_tree(
            DrawnResult(texts, result, cache.hits(texts.segment), cache.ties(result), remark=cache.remark(result))
        )
        check_allowed(root)
        typed = [t.raw for side in (texts.candidate, *texts.references) for t in side]
        assert [e.one("bdi").text for e in root.all("span", "tk")] == typed
        found = {
            e.get("data-cell") for e, said in hover_texts(root) if said.startswith(("used", "substituted", "letters"))
        }
        assert found - {""} == {cell_name(cell) for cell in cell_relations(result)}
        rows = root.all("tr", "term")
        assert len(rows) == min(ROWS_MOST, sum(len(layer.marks) for layer in result.layers))
        assert root.one("mn", "score").text == formula.format_number(result.score)


def test_error_classes_and_several_metrics_are_inert_too() -> None:
    texts = texts_of(metrics.score("gtm", WORDS, [WORDS[::-1]]))
    check_allowed(read(classes.fragment(texts, error_classes.classify_segment(texts.segment), "<source>")))
    results = {key: metrics.score(key, WORDS, [WORDS[::-1]]) for key in metrics.METRICS}
    hits = all_hits(results["gtm"])
    for html in (
        several_metrics.all_metrics(texts, results, hits, 800),
        several_metrics.two_metrics(texts, results["gtm"], results["wer"], hits, 800),
    ):
        root = read(html)
        check_allowed(root)
        assert any("<script>" in e.text for e in root.all("text"))


@pytest.mark.parametrize(
    "bad",
    [
        *('<p onclick="x">a</p>', '<p style="color:red">a</p>', '<a href="x">a</a>', "<script>a</script>"),
        *('<svg><image src="x"/></svg>', '<path d="url(x)"/>'),
    ],
)
def test_the_list_lets_nothing_else_pass(bad: str) -> None:
    with pytest.raises(AssertionError):
        check_allowed(read(bad))
