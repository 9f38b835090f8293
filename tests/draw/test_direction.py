"""Tests that right-to-left words do not reorder the numbers and signs next to them.

Wherever such a word is quoted, in a sentence, a hover text, a step or a table, an element or Unicode marks isolate
it."""

import re
import unicodedata

import pytest

import metrics
from metrics.analysis.error_classes import classify_segment
from metrics.analysis.sentence import difference_sentence, plain_text
from metrics.types import isolate_right_to_left, remove_isolates, replace_unprintable
from tests.helpers.cases import KEYS
from tests.helpers.effects import effects_of
from tests.helpers.fragments import drawn_result, output_pair, read, texts_of
from tests.helpers.segments import all_hits
from viz.draw.compare import comparison, worth
from viz.draw.compare.differences import GridRoom
from viz.draw.evidence import classes as class_strips
from viz.draw.evidence import ledger, several_metrics, unused_matches
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.evidence.fragment import fragment
from viz.draw.steps import player
from viz.draw.steps.steps import DrawnSteps
from viz.pages.compare import systems

A = "كتب الولد رسالة 11 طويلة الى جدته امس في البيت".split()
B = "امس كتب الولد رسالة الى صديقه في المدرسة الكبيرة".split()
REFERENCES = ["كتب الولد امس رسالة طويلة الى جدته في البيت".split(), "الولد كتب رسالة 11 الى جدته امس".split()]
ISOLATES = "\u2068[^\u2066-\u2069]*\u2069"


def unisolated_letters(text):
    """Return the right-to-left letters of `text` that are not between Unicode marks that isolate them."""
    left = re.sub(ISOLATES, "", text)
    return "".join([c for c in left if unicodedata.bidirectional(c) in ("R", "AL")])


def unisolated_texts(root):
    """Return the texts and attribute values in `root` that have right-to-left letters which nothing isolates.

    A text is also isolated if it is in a `bdi` element or in an element with a direction of its own."""
    out = [
        value for e in root for name, value in e.attributes.items() if name != "data-list" and unisolated_letters(value)
    ]

    def collect_texts(element):
        alone = element.tag == "bdi" or "dir" in element.attributes or element.get("direction") == "rtl"
        for part in element.inside:
            if isinstance(part, str):
                out.extend([part] if unisolated_letters(part) and not alone else [])
            elif not alone:
                collect_texts(part)

    collect_texts(root)
    return out


def texts(candidate):
    return texts_of(metrics.score("rouge_l", candidate, REFERENCES))


@pytest.fixture(params=KEYS)
def pair(request):
    before, after = (metrics.score(request.param, words, REFERENCES) for words in (A, B))
    return output_pair(before, after, ("قديم", "جديد"))


def test_of_a_result(pair):
    result = pair.before
    remark = metrics.METRICS[result.metric].remark
    drawn = DrawnResult(pair.a, result, all_hits(result), remark=remark(result) if remark else "")
    assert unisolated_texts(read(fragment(drawn))) == []
    against = unused_matches.unused_reason(pair.a, result)
    assert not any(unisolated_letters(against(hit)) for hit in all_hits(result))
    rows = ledger.term_rows(pair.a.candidate_words, pair.a.reference_words, result)
    assert any(remove_isolates(row.term) != row.term for row in rows)
    assert not any(unisolated_letters(row.term) for row in rows)
    assert "\u2068" not in ledger.csv_text(pair.a.candidate_words, pair.a.reference_words, result, "s")


def test_of_two_results(pair):
    hits = [all_hits(result) for result in pair.results]
    assert unisolated_texts(read(comparison.fragment(pair, hits, GridRoom(1280)))) == []
    assert unisolated_letters(plain_text(difference_sentence(metrics.METRICS[pair.before.metric], *pair.results))) == ""


def test_of_steps(pair):
    if not metrics.METRICS[pair.before.metric].plans:
        return
    trace = metrics.trace(pair.before.metric, *pair.before.segment)
    walk = DrawnSteps(pair.a, trace, all_hits(pair.before), 840)
    walk.make_steps(400)
    assert any(remove_isolates(step.text) != step.text for step in walk.steps)
    for step in walk.steps:
        assert unisolated_letters(replace_unprintable(step.text)) == ""
        assert not any(map(unisolated_letters, player.rejected_lines(step, pair.a)))


def test_of_other_tables():
    results = {key: metrics.score(key, A, REFERENCES) for key in KEYS}
    used = several_metrics.metrics_by_cell(results)
    assert unisolated_texts(read(several_metrics.divided_table(texts(A), used, results))) == []
    assert unisolated_texts(read(several_metrics.overlay_table(texts(A), results["gtm"], results["bleu"]))) == []
    assert unisolated_texts(read(class_strips.fragment(texts(A), classify_segment(texts(A).segment)))) == []
    metric = metrics.METRICS["gtm"]
    effects = effects_of("gtm", texts(A))
    assert not any(unisolated_letters(worth.tooltip_text(effect, texts(A), metric)) for effect in effects)
    assert not any(unisolated_texts(read(worth.describe_effect(effect, texts(A), metric))) for effect in effects)
    by = systems.slots_by_matched_word([results["gtm"]])
    assert unisolated_texts(read(systems.reference_words_html(texts(A), by, ["قديم 2"], 1))) == []


@pytest.mark.parametrize("text", ["cat", "11", "½", "", "我"])
def test_nothing_else_is_isolated(text):
    assert isolate_right_to_left(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u2068b", "a\ufffdb"),
        ("a\u2069b", "a\ufffdb"),
        ("\u2068b\u2069", "\ufffdb\ufffd"),
        ("\u2068ש\u202eש\u2069", "\ufffdש\ufffdש\ufffd"),
        ("\u2068ש\u2068ש\u2069", "\ufffdש\u2068ש\u2069"),
    ],
)
def test_a_mark_without_its_other_half_is_shown(text, shown):
    assert replace_unprintable(text) == shown


def test_what_is_said_of_words_stands_from_left_to_right():
    """Check that a description of words has a fixed direction, left to right.

    A browser takes the direction from the first letter and would put “moved later” first after a Hebrew word."""
    rows = read(fragment(drawn_result(metrics.score("ter", "b c d a".split(), ["a b c d".split()])))).all("td", "what")
    assert any("moved earlier" in row.text for row in rows)
    hebrew = {"a": "אחת", "b": "שתים", "c": "שלוש", "d": "ארבע"}
    given = [[hebrew[word] for word in text.split()] for text in ("b c d a", "a b c d")]
    rows = read(fragment(drawn_result(metrics.score("ter", given[0], [given[1]])))).all("td", "what")
    directions = {"moved" in row.text: row.one("bdi").get("dir") for row in rows}
    assert directions == {True: "ltr", False: ""}
    wrong = read(fragment(drawn_result(metrics.score("wer", ["אחת"], [["שתים"]])))).one("td", "what")
    assert " for " in wrong.text and wrong.one("bdi").get("dir") == "ltr"
