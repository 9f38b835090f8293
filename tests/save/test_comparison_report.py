"""Tests of the files of a comparison: well-formed and self-contained, with every number from the results."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from html import unescape
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import metrics
from metrics.alignment import bitext
from metrics.analysis import changes
from metrics.analysis.difference import match_difference
from metrics.analysis.sentence import difference_sentence as sentence_of
from metrics.analysis.sentence import plain_text, printed_steps
from metrics.text import TextSettings
from metrics.types import Settings
from tests.helpers.comparisons import (
    ASCII_HOSTILE,
    GUNMAN,
    HOSTILE,
    REFERENCES,
    TWO_SYSTEMS,
    example_pair,
    score_both,
    texts_of,
)
from tests.helpers.fragments import Element, read_page
from tests.helpers.markup import check_self_contained
from tests.helpers.tables import every_row
from viz.draw.compare import changes_table, comparison, differences, scores
from viz.draw.pen import marks
from viz.draw.pen.numbers import change_text, score_text
from viz.draw.pen.text import safe
from viz.frame import menus
from viz.frame.examples import PAIR_BY_NAME, PAIRS
from viz.pages.compare.record import CompareState
from viz.save import comparison_report
from viz.save.comparison_report import ComparisonReport, difference_svg, edits_csv, ledger_csv, page_html, report_json
from viz.save.sentence_page import SCRIPT
from viz.state.results import cache
from viz.state.results import edits as edits_of
from viz.state.results.cache import Problem
from viz.state.texts import inputs

KEYS = list(metrics.METRICS)
SVG = "{http://www.w3.org/2000/svg}"


def table_rows(page: Element, look: str = "") -> list[list[str]]:
    """Return the cells of each row of the page's tables, or of the rows that have the CSS class `look`."""
    return [[cell.text for cell in row.children] for row in page.all("tr", look)]


def page_pictures(html: str) -> list[ElementTree.Element]:
    """Return the pictures of a page in order, without the samples of legends."""
    found = re.findall(r'<svg[^>]*role="img".*?</svg>', html, re.DOTALL)
    return [ElementTree.fromstring(drawing) for drawing in found]


# ---------------------------------------------------------------- the page


@pytest.mark.slow
@every_row(("key", "name"), [(key, name) for key in KEYS for name in PAIR_BY_NAME])
def test_every_number_of_the_page_is_the_results(name: str, key: str) -> None:
    a, b, names = example_pair(name)
    for one, other in ((a, b), (b, a)):
        before, after = score_both(one, other, key)
        html = page_html(one, other, names, key)
        page, found = read_page(html), metrics.ledger(before, after)

        shown = {cells[0][:-2]: cells[1:] for cells in table_rows(page)[1 : 1 + len(KEYS)]}
        assert list(shown) == [metrics.METRICS[each].label for each in KEYS]
        label = metrics.METRICS[key].label
        delta = after.score - before.score
        verdict = scores.verdict(delta, metrics.METRICS[key].higher_is_better)
        assert shown[label][:3] == [score_text(before.score), score_text(after.score), scores.delta_text(delta)]
        assert shown[label][3].split()[-1] == verdict
        assert [cells[0][: len(label)] for cells in table_rows(page, "sel")] == [label]

        items = table_rows(page, "item")
        assert [cells[0] for cells in items] == [changes_table.describe_step(step)[0] for step in found]
        digits, units = printed_steps(found, scores.DECIMALS)
        shown = [changes_table.printed_share(unit, digits, step.share) for unit, step in zip(units, found, strict=True)]
        assert [cells[-1] for cells in items] == shown
        causes = [cause for cause, _, _ in changes_table.group_steps_by_cause(found)]
        assert [cells[0] for cells in table_rows(page, "cause")] == causes
        rows = [row for step in found for row in changes.group_alike_pieces(step.pieces, before, after)]
        assert sorted(cells[0].split()[1] for cells in table_rows(page, "piece")) == sorted(row[0].word for row in rows)
        totals = [float(cells[-1].replace("−", "-")) for cells in table_rows(page, "total")]
        assert totals == [pytest.approx(delta, abs=6e-4)] * bool(found)
        for shown_of, step in zip(_step_shares(html), found, strict=True):
            if step.pieces:
                assert math.fsum(shown_of) == pytest.approx(step.share, abs=1e-12 * (1 + len(shown_of)))

        counts = dict(re.findall(r'<dt>(kept|gained|lost|moved)</dt><dd class="">([\d,]+)</dd>', html))
        fates = differences.count_cells_by_fate(match_difference(before, after))
        assert counts == {fate: str(count) for fate, count in fates.items()}
        for texts, result in ((one, before), (other, after)):
            assert result.signature(texts.settings.signature()) in page.text


def _step_shares(html: str) -> list[list[float]]:
    """Return the exact shares of the marks of each step of the ledger, which its cells give as titles."""
    out: list[list[float]] = []
    rows = re.findall(r'<tr class="(item|piece [^"]*)">(?:(?!</tr>).)*<td class="share" title="([^"]+)"', html)
    for kind, share in rows:
        if kind == "item":
            out.append([])
        else:
            out[-1].append(float(share))
    return out


def test_shares_are_printed_as_the_scores_are() -> None:
    a, b, names = example_pair(next(iter(PAIR_BY_NAME)))
    for decimals in (3, 5):
        page = read_page(page_html(a, b, names, "gtm", report=ComparisonReport(decimals=decimals)))
        steps = metrics.ledger(*score_both(a, b, "gtm"))
        assert (
            [cells[-1] for cells in table_rows(page, "item")]
            == [change_text(step.share, decimals) for step in steps]
            != []
        )


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("a", "b", "references"),
    [(HOSTILE, "x " + HOSTILE, HOSTILE + "\nx =1+1"), ("x " + ASCII_HOSTILE, "y", ASCII_HOSTILE), ("", HOSTILE, "x")],
)
def test_the_page_runs_its_own_script_alone_loads_nothing_and_hostile_words_are_words(
    key: str, a: str, b: str, references: str
) -> None:
    hostile = ("<script>\u202e$x$", "\"'></title>\ud800=שלום")
    html = page_html(*texts_of(a, b, references), hostile, key)
    assert check_self_contained(html) == SCRIPT
    page = read_page(html)
    html = re.sub("\u2068[^\u2066-\u2069]+\u2069", "", html)  # removes isolated right-to-left words
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", html)
    for word in ("<script>\ufffd$x$", "\"'></title>\ufffd=שלום", *ASCII_HOSTILE.split()):
        assert word[:15] in page.text
    assert page_pictures(html)


def test_the_page_has_the_texts_and_everything_that_the_page_of_the_app_shows() -> None:
    a, b = texts_of("Don't  stop, now .", "Don't go, now .", "Do not stop, now .", tokenizer="13a")
    page = page_html(a, b, ("old", "new"), "gtm")
    for text in ("Don't stop, now .", "Don't go, now .", "Do not stop, now ."):
        assert f'<dd dir="ltr">{safe(text)}</dd>' in page
    before, after = score_both(a, b, "gtm")
    view = comparison.OutputPair(
        a, b, ("old", "new"), before, after, match_difference(before, after), metrics.ledger(before, after)
    )
    hits = [bitext.hits(*texts.segment) for texts in (a, b)]
    assert comparison.evidence(view, hits, comparison_report.ROOM, folds=False) in page
    assert re.search(r'class="tk[^"]* went" data-word="a\d"', page) and re.search(r'class="tk[^"]* came"', page)


def test_both_outputs_have_their_verdict() -> None:
    a, b = texts_of("the cow sat", "the cat sat", "the cat sat")
    html = page_html(a, b, ("<old>", "new"), "gtm", report=ComparisonReport(decimals=2))
    verdicts = re.findall(r'<p class="verdict" data-verdict>(.*?)</p>', html)
    assert [re.sub("<[^>]*>", "", verdict) for verdict in verdicts] == [
        "&lt;old&gt;: GTM 0.47: 2 of 3 words match, in 2 pieces of one word.",
        "new: GTM 1.00: all 3 words match, in one piece.",
    ]
    for side, result in json.loads(report_json(a, b, ("old", "new"), "gtm"))["results"].items():
        assert next(iter(result)) == "verdict" and result["verdict"]["matched"] == {"a": 2, "b": 3}[side]


def test_the_grids_have_equal_cells_and_every_mark() -> None:
    a, b, names = example_pair(GUNMAN)
    before, after = score_both(a, b, "gtm")
    wanted = {side: marks.ResultMarks.from_result(of).shapes() for side, of in (("a", before), ("b", after))}
    wanted["d"] = differences.cell_shapes(match_difference(before, after))
    drawn: dict[str, set[str]] = {side: set() for side in wanted}
    sizes = set()
    for drawing in page_pictures(page_html(a, b, names, "gtm")):
        panel = next(e for e in drawing.iter() if e.get("class") == "grid")
        drawn[panel.get("data-side", "")] |= {e.get("class", "") for e in drawing.iter()}
        sizes.add(panel.get("data-size"))
    for side, shapes in wanted.items():
        cells = [shape for shape in shapes if shape.cell]
        assert cells and len(sizes) == 1
        for shape in cells:
            assert f"{shape.kind} {shape.role} x{'_'.join(map(str, shape.cell or ()))}" in drawn[side]


SCORES = ("0.555 to 0.646", "0.5555 to 0.6465")


@pytest.mark.parametrize("decimals", [3, 4])
def test_the_conclusion_comes_first_and_everything_can_be_traced_back(decimals: int) -> None:
    a, b, names = example_pair(GUNMAN)
    link = "http://localhost:8501/compare?page=compare&system.1=%22a"
    page = page_html(a, b, names, "gtm", report=ComparisonReport(decimals=decimals, date="1 March 2026", link=link))
    said = read_page(page).text
    why = plain_text(sentence_of(metrics.METRICS["gtm"], *score_both(a, b, "gtm"), decimals=decimals))
    assert {len(number) for number in re.findall(r"[+−]\d\.(\d+)", why)} == {decimals}
    change = (metrics.METRICS["gtm"].name, SCORES[decimals - 3], "▲ better", why)
    body = said[said.index("A and B1 March") :]  # the title contains the scores too
    order = [body.index(part) for part in ("A and B", "1 March 2026", *change, "All metrics", "Texts")]
    assert order == sorted(order)
    assert [e.get("href") for e in read_page(page).all("a")] == [link]
    # A step has three cells, an edit more.
    shares = [cells[-1] for cells in table_rows(read_page(page), "term") if len(cells) == 3]
    assert shares and {len(share.partition(".")[2]) for share in shares if float(share.replace("−", "-"))} == {decimals}
    digits = {len(cell.partition(".")[2]) for cells in table_rows(read_page(page))[1:15] for cell in cells[1:3]}
    assert digits == {decimals}
    for key in KEYS:
        assert score_both(a, b, key)[0].signature(a.settings.signature()) in said
    assert "<a" not in page_html(a, b, names, "gtm")


def test_a_report_shows_one_metric_several_or_all(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, names = example_pair(GUNMAN)
    for chosen in (["bleu"], ["wer", "gtm"], KEYS):
        html = page_html(a, b, names, "wer", report=ComparisonReport(chosen))
        page = read_page(html)
        heads = re.findall(r'<section class="why"><h2>(.*?) <span', html)
        assert [head.split(",")[0] for head in heads] == [metrics.METRICS[key].label for key in chosen], "as tables do"
        assert "GTM, General Text Matcher" in heads or "gtm" not in chosen
        assert re.findall(r'<div class="bitext" data-metric="(.*?)"', html) == ["wer", *chosen]
        steps = [step.name for key in chosen for step in metrics.ledger(*score_both(a, b, key))]
        assert [cells[0] for cells in table_rows(page, "item")] == steps
    compared = comparison_report.cache.compare_segments

    def problem_for_one_metric(key: str, *rest: Any) -> Any:
        return comparison_report.Problem("SIA", "SIA has <b> too many") if key == "sia" else compared(key, *rest)

    monkeypatch.setattr(comparison_report.cache, "compare_segments", problem_for_one_metric)
    html = page_html(a, b, names, "gtm", report=ComparisonReport(KEYS))
    assert "SIA has &lt;b&gt; too many." in html and html.count('<header class="of">') == len(KEYS) - 1
    with pytest.raises(ValueError, match="SIA has"):
        page_html(a, b, names, "sia", report=ComparisonReport(KEYS))


def test_all_systems_stand_in_the_report() -> None:
    pair = PAIR_BY_NAME["German–English: eight systems"]
    texts = inputs.read_systems(pair.systems, pair.references, TextSettings(**pair.text))
    assert not isinstance(texts, str)
    systems = [(name, its) for (name, _), its in zip(pair.systems, texts, strict=True)]
    html = page_html(texts[0], texts[1], pair.names, "gtm", report=ComparisonReport(systems=systems))
    page = read_page(html)
    listed = re.findall(r"<dt><bdi>(.*?)</bdi><small>.*?</small></dt><dd[^>]*>(.*?)</dd>", html)
    words = [(unescape(name), unescape(text).split()) for name, text in listed]
    assert words == [(name, typed.split()) for name, typed in pair.systems], "the words of every system"
    assert html.count('<span class="whole">Online-A</span>') == 1, "short words of names are not broken"
    head, *rows = table_rows(page)[1 + len(KEYS) : 2 * (1 + len(KEYS))]
    assert head == ["Metric", *[name for name, _ in pair.systems]]
    for key, cells in zip(KEYS, rows, strict=True):
        shown = [cell.removeprefix(f"{scores.BEST} ") for cell in cells[1:]]
        assert shown == [score_text(metrics.score(key, *its.segment).score) for its in texts]


def test_each_score_stands_under_its_own_name() -> None:
    a, b, _ = example_pair(GUNMAN)
    before, after = [score_text(result.score) for result in score_both(a, b, "gtm")]
    numbers = re.search(r'<dl class="numbers">(.*?)</dl>', page_html(a, b, ("old", "new"), "gtm"))
    assert numbers and before != after
    told = re.findall(r"<dt><bdi>(.*?)</bdi></dt><dd[^>]*>(.*?)</dd>", numbers[1])
    assert told == [("old", before), ("new", after)]


def test_which_reference_decides_and_when_that_moves() -> None:
    a, b, names = example_pair(GUNMAN)
    page = page_html(a, b, names, "wer")
    assert "<bdi>A</bdi> is scored against reference 2, <bdi>B</bdi> against reference 1." in page
    badges = re.findall(r'Reference&nbsp;(\d)<span class="bd"><bdi>(.)</bdi>: decides</span>', page)
    assert badges == [("1", "B"), ("2", "A")]
    one = texts_of("a b", "b a", "a b c")
    assert "against reference" not in read_page(page_html(*one, names, "wer")).text


def test_the_scheme_has_its_name_and_lower_scores_may_be_better() -> None:
    a, b, names = example_pair(GUNMAN)
    page = read_page(page_html(a, b, names, "wer")).text
    assert "Shapley value" in page and "the shares add up to it" in page and page.count("Lower is better here.") == 1
    assert "▲ better" in page and "Lower is better here." not in read_page(page_html(a, b, names, "gtm")).text


def test_identical_outputs_say_so() -> None:
    for words in ("the cat sat", "THE Cat sat"):
        a, b = texts_of("the cat sat", words, "the cat sat down\na cat", lowercase=True)
        for key in KEYS:
            page = page_html(a, b, ("old", "new"), key)
            said = read_page(page).text
            assert "old and new are the same words, so every score is equal." in said
            assert "Shapley" not in said and len(page_pictures(page)) == 2 + 1  # each reference, and the difference
            assert {cells[-1] for cells in table_rows(read_page(page))[1 : 1 + len(KEYS)]} == {"same"}


def test_a_change_that_does_not_count_says_so() -> None:
    a, b = texts_of("x a", "y a", "a b")
    page = read_page(page_html(a, b, ("A", "B"), "rouge_l"))
    assert page.text.count("was replaced by") == 1 and not table_rows(page, "item")


@pytest.mark.parametrize("key", KEYS)
def test_an_output_may_be_empty(key: str) -> None:
    for a, b in (("the cat sat", ""), ("", "the cat sat")):
        texts = texts_of(a, b, "the cat sat down\na cat")
        page = read_page(page_html(*texts, ("A", "B"), key))
        assert "No words, so there is no grid." in page.text and "no words" in page.text
        steps = json.loads(report_json(*texts, ("A", "B"), key))["ledger"]["steps"]
        assert steps and len(table_rows(page, "item")) == len(steps)
        ElementTree.fromstring(difference_svg(*texts, ("A", "B"), key))


def test_settings_change_the_numbers_and_the_signatures() -> None:
    a, b, names = example_pair(GUNMAN)
    given: dict[str, Settings] = {"gtm": metrics.settings("gtm", exponent=1.0)}
    before, after = score_both(a, b, "gtm", exponent=1.0)
    said = json.loads(report_json(a, b, names, "gtm", given))
    assert [said["score"][side] for side in "ab"] == [before.score, after.score]
    assert "exponent:1.0" in said["signature"]
    assert "exponent:1.0" in read_page(page_html(a, b, names, "gtm", given)).text
    assert "exponent:1.0" in page_html(a, b, names, "bleu", given)  # in the signatures of all metrics
    assert "exponent:2.0" in page_html(a, b, names, "bleu")


# ---------------------------------------------------------------- long texts


def numbered_words(count: int, kinds: int = 10_000) -> str:
    return " ".join(f"w{n % kinds}" for n in range(count))


def test_long_texts_have_everything_but_the_grids() -> None:
    a, b = texts_of(numbered_words(251), numbered_words(240) + " x", numbered_words(250))
    page = read_page(page_html(a, b, ("old", "new"), "gtm"))
    assert "old has 251 words, 1 more than the 250 that a picture can hold" in page.text
    assert len(table_rows(page, "item")) == len(metrics.ledger(*score_both(a, b, "gtm"))) > 0 and "w239" in page.text
    with pytest.raises(ValueError, match=r"^old has 251 words"):
        difference_svg(a, b, ("old", "new"), "gtm")
    a, b = texts_of(numbered_words(250), numbered_words(240), numbered_words(250))
    assert len(page_pictures(page_html(a, b, ("A", "B"), "gtm"))) == 3


def test_most_marks_of_a_step_are_in_the_csv_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_report, "MOST_PIECES", 3)
    a, b = texts_of("x", numbered_words(9), numbered_words(9))
    pieces = table_rows(read_page(page_html(a, b, ("A", "B"), "rouge_l")), "piece")
    assert [cells[0] for cells in pieces] == ["▲ gained"] * 3 + ["and 6 more marks, all of them in the CSV"]
    assert ledger_csv(a, b, ("A", "B"), "rouge_l").count(",gained,") == 9


@pytest.mark.slow
def test_the_json_leaves_out_the_marks_of_very_large_results() -> None:
    a, b = texts_of(numbered_words(400), numbered_words(300), numbered_words(400))
    body = json.loads(report_json(a, b, ("A", "B"), "rouge_s"))["results"]
    assert body["a"]["marks_left_out"] == 400 * 399 // 2 and body["a"]["layers"] == []
    assert "marks_left_out" not in body["b"] and len(body["b"]["layers"][0]["marks"]) == 300 * 299 // 2


def test_a_metric_that_is_too_hard_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    glance = cache.glance

    def problem_for_one_metric(key: str, *rest: Any) -> Any:
        return Problem("TER", "TER cannot <b> do it") if key == "ter" else glance(key, *rest)

    monkeypatch.setattr(cache, "glance", problem_for_one_metric)
    a, b, names = example_pair(GUNMAN)
    page = page_html(a, b, names, "gtm")
    row = next(cells for cells in table_rows(read_page(page)) if cells[0] == "TER ↓")
    assert row[1:] == ["–", "–", "–", "TER cannot <b> do it."] and "<b> do" not in page
    body = json.loads(report_json(a, b, names, "gtm"))
    assert body["scores"][-1]["problem"] == "TER cannot <b> do it." and body["scores"][-1]["a"] is None


# ---------------------------------------------------------------- CSV and JSON


@pytest.mark.parametrize("key", KEYS)
def test_each_side_of_the_json_has_its_own_numbers(key: str) -> None:
    a, b = texts_of("a b c d", "x y z", "a b c d e\nx y z w v u")
    before, after = score_both(a, b, key)
    body = json.loads(report_json(a, b, ("old", "new"), key))
    for side, result in (("a", before), ("b", after)):
        assert body["score"][side] == body["results"][side]["score"] == result.score
        assert body["decides"][side] == dict(result.decides)
    (row,) = [row for row in body["scores"] if row["metric"] == key]
    assert (row["a"], row["b"], row["delta"]) == (before.score, after.score, after.score - before.score)
    assert before.decides != after.decides or key not in ("wer", "ter"), "else nothing tells them apart"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("pair", PAIRS[:4], ids=lambda pair: pair.name)
def test_csv_and_json_hold_every_step_with_every_digit(pair: Any, key: str) -> None:
    a, b, names = example_pair(pair.name)
    before, after = score_both(a, b, key)
    steps = metrics.ledger(before, after)

    first, second, *rest = ledger_csv(a, b, names, key).splitlines()
    for line, side, name, result in ((first, "A", names[0], before), (second, "B", names[1], after)):
        assert next(csv.reader([line])) == [f"# {side}, {name}: {result.signature(a.settings.signature())}"]
    rows = list(csv.DictReader(rest))
    total = rows.pop(0)
    delta = after.score - before.score
    assert [float(total[n]) for n in ("before", "after", "share")] == [before.score, after.score, delta]
    for row in (total, *[row for row in rows if row["before"]]):  # a step's values, like the score's, go from A to B
        assert float(row["change"]) == float(row["after"]) - float(row["before"])
    told = [
        (r["cause"], r["step"], float(r["before"]), float(r["after"]), float(r["share"])) for r in rows if r["before"]
    ]
    assert told == [step[:5] for step in steps]
    pieces = [(r["what"], float(r["change"]), float(r["share"])) for r in rows if not r["before"]]
    assert pieces == [(p.word, p.credit, p.share) for step in steps for p in step.pieces]

    text = report_json(a, b, names, key)
    assert text.isascii()
    body = json.loads(text)
    assert body["score"]["delta"] == delta
    assert body["names"] == {"a": names[0], "b": names[1]}
    names_of_step = ("cause", "name", "before", "after", "share")
    assert [tuple(s[n] for n in names_of_step) for s in body["ledger"]["steps"]] == [step[:5] for step in steps]
    for said, step in zip(body["ledger"]["steps"], steps, strict=True):
        for told_piece, piece in zip(said["pieces"], step.pieces, strict=True):
            assert told_piece["mark"] == json.loads(json.dumps(piece.mark))
            assert told_piece["cells"] == [list(cell) for cell in piece.mark.cells()]
            assert (told_piece["kind"], told_piece["share"]) == (piece.kind, piece.share)
    found = match_difference(before, after)
    assert body["difference"] == json.loads(json.dumps(difference_to_dict(found)))
    assert [row["metric"] for row in body["scores"]] == KEYS
    for side, texts, result in (("a", a, before), ("b", b, after)):
        said = body["results"][side]
        assert said["score"] == result.score and said["signature"] == result.signature(texts.settings.signature())
        assert len(said["layers"]) == len(result.layers)


def difference_to_dict(found: Any) -> dict[str, Any]:
    cells = {name: getattr(found, name) for name in ("gained", "lost", "moved")}
    return {"rows": found.rows, "kept": found.kept_places, **cells}


@pytest.mark.parametrize("pair", PAIRS[:3], ids=lambda pair: pair.name)
def test_report_csv_and_json_hold_what_every_edit_is_worth(pair: Any) -> None:
    """Check that all files hold every share with every digit, and that a metric's shares sum to its difference."""
    a, b, names = example_pair(pair.name)
    body = json.loads(report_json(a, b, names, "gtm"))
    lines = [line for line in edits_csv(a, b, names, "gtm").splitlines() if not line.startswith(("#", '"#'))]
    rows = list(csv.DictReader(lines))
    page = read_page(page_html(a, b, names, "gtm"))
    for key in KEYS:
        before, after = score_both(a, b, key)
        own = [edit["worth"][key] for edit in body["edits"]]
        assert abs(math.fsum(edit["share"] for edit in own) - (after.score - before.score)) < 1e-12
        mine = [row for row in rows if row["metric"] == key]
        worths = [(float(row["share"]), float(row["back"]), int(row["orders"])) for row in mine]
        assert worths == [(edit["share"], edit["back"], edit["orders"]) for edit in own]
        words = [(row["gone"].split(), row["came"].split()) for row in mine]
        assert words == [(edit["gone"], edit["came"]) for edit in body["edits"]]
    rows_of_edits = [e for e in page.having("data-tip") if e.tag == "tr"]
    moves = {edit["move"] for edit in body["edits"] if edit["move"] is not None}
    assert len(rows_of_edits) == len(body["edits"]) - len(moves)
    assert f"If {names[1]} had " in page.text and "Try it" not in page.text


def test_edits_that_take_too_much_work_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, names = example_pair(GUNMAN)
    monkeypatch.setattr(edits_of, "edits_between", lambda *given: Problem("The edits", "too <hard>"))
    assert "The edits: too <hard>." in read_page(page_html(a, b, names, "gtm")).text
    body = json.loads(report_json(a, b, names, "gtm"))
    assert (body["edits"], body["edits_problems"]) == ([], ["The edits: too <hard>."])
    assert "# The edits: too <hard>." in edits_csv(a, b, names, "gtm")


def test_csv_runs_nothing_in_a_spreadsheet() -> None:
    a, b = texts_of("=1+1 +a x", '-b @c a,b "q" =1+1', '=1+1 +a -b @c a,b "q"')
    text = ledger_csv(a, b, ("=cmd()", "b\n=x"), "rouge_n")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][0].startswith("# A, =cmd(): ") and rows[1][0].startswith("# B, b\ufffd=x: ")
    for row in rows[3:]:
        assert not [cell for cell in row[:5] if cell.startswith(("=", "+", "-", "@"))]
    assert {row[3] for row in rows[3:]} == {"", "'+a", "'-b", "'@c", "a,b", '"q"'}


# ---------------------------------------------------------------- SVG and a browser


def test_the_difference_as_svg_has_its_words_cells_and_signature() -> None:
    a, b, names = example_pair(GUNMAN)
    drawing = difference_svg(a, b, names, "gtm")
    root = ElementTree.fromstring(drawing)
    text = " ".join("".join(e.itertext()) for e in root.iter(SVG + "text"))
    signature = score_both(a, b, "gtm")[0].signature(a.settings.signature())
    assert "A to B: GTM 0.555 to 0.646" in text and signature in text.replace("| ", "|")
    assert "+ dead" in text and "− dead" in text
    kinds = [(e.get("class") or "").partition(" ")[0] for e in root.iter()]
    assert (kinds.count("triangle"), kinds.count("hollow"), kinds.count("diamond")) == (1, 3, 3)


def test_the_menu_gives_a_report_the_address_that_others_can_open(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = CompareState(metric="gtm", systems=TWO_SYSTEMS, references=REFERENCES)
    for base, leads in (
        ("https://grid.example.org/compare?x=1", True),
        ("http://192.168.1.20:8501/compare", True),
        ("http://localhost:8501/compare", False),
        ("http://app.localhost/compare", False),
        ("http://127.0.0.1:8501/compare", False),
        ("http://127.5.0.1/compare", False),
        ("http://[::1]:8501/compare", False),
        ("http://0.0.0.0:8501/", False),
        (None, False),
    ):
        monkeypatch.setattr(menus.st, "context", SimpleNamespace(url=base))
        found = menus.address_for_saved_file(shown)
        assert bool(found) == leads, base
        assert not leads or found == menus.page_address(shown)
