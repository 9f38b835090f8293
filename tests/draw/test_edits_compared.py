"""Tests of the view of edits from A to B: the effect of one edit, the verdict of all metrics, and B without an edit."""

from __future__ import annotations

import random

import pytest

import metrics
from metrics.analysis.edit_shares import apply_edits
from metrics.analysis.equal_scores import EqualScoreReason
from metrics.text import TextSettings, forms, process
from tests.helpers.effects import without_tags
from tests.helpers.fragments import process_texts
from tests.helpers.segments import HOSTILE
from viz.draw.compare.comparison import OutputPair
from viz.draw.compare.scores import ScoreRow
from viz.draw.edits import edit_effect, edits_html, typed, verdict
from viz.draw.edits.edit_map import MetricShares
from viz.state.results import cache
from viz.state.results import edits as edits_of


def output_pair(a, b, references, key="bleu", **settings):
    a, b = (process_texts(text, *references, **settings) for text in (a, b))
    found = cache.compare_segments(key, a.segment, b.segment, metrics.settings(key))
    return OutputPair(a, b, ("old", "new"), *found)


# ---------------------------------------------------------------- the effect of one edit


def explain_row(pair, row):
    edit_map = edits_of.find_edit_map(pair.a, pair.b)
    worth = edits_of.worth_of(pair.before.metric, pair.a.segment, pair.b.segment.candidate, pair.before.settings, True)
    return edit_map, worth, edits_of.edit_effect_html(pair, edit_map, row, worth, tries=True)


def test_an_edit_says_what_it_did_and_what_the_score_would_be_without_it():
    pair = output_pair("the old cat sat down", "the old dog sat down", ["the old dog sat down"], "gtm")
    _, worth, found = explain_row(pair, 0)
    without = metrics.score("gtm", "the old cat sat down".split(), ["the old dog sat down".split()]).score
    assert worth.shares[0].back == without
    said = without_tags(found.inside)
    assert f"If new had kept “cat”, GTM would be {without:.3f}, ✕ −{1 - without:.3f}, worse." in said
    assert "“dog” for “cat” changes GTM by" in said and 'data-open="try=0"' in found.inside
    assert "▲ gained dog word 3 of the reference" in said


def test_an_edit_that_moves_the_decision_to_another_reference_says_so():
    pair = output_pair("a b c d", "a b x y", ["a b c d", "a b x y z"], "wer")
    _, _, found = explain_row(pair, 0)
    assert "new without it is scored against reference 1, new against reference 2." in without_tags(found.inside)
    one = output_pair("a b c d", "a b x d", ["a b c d", "z"], "wer")
    assert "is scored against" not in without_tags(explain_row(one, 0)[2].inside)


def test_cells_are_those_of_b_with_and_without_the_edit():
    """Check that an edit highlights the cells that the metric uses with it or without it, but not both.

    Each cell is on the row of its word."""
    rng = random.Random(8)
    for _ in range(60):
        a, b, r = (" ".join(rng.sample("abcdefghij", k=rng.randrange(3, 9))) for _ in range(3))
        pair = output_pair(a, b, [r], "rouge_l")
        edit_map = edits_of.find_edit_map(pair.a, pair.b)
        if not edit_map.rows:
            continue
        row = rng.randrange(len(edit_map.rows))
        _, _, found = explain_row(pair, row)
        back = edit_effect.undo_row(edit_map, row, pair.a, pair.b)
        both = [metrics.score("rouge_l", t.segment.candidate, [r.split()]) for t in (back, pair.b)]
        used = [{cell for layer in result.layers for cell in layer.cells()} for result in both]
        origins = edit_effect.word_origins(edit_map, row)
        ours = {(*origins[i], j) for i, _, j in used[0]}
        theirs = {("b", i, j) for i, _, j in used[1]}
        named = {(c[0], int(c[1:].split(",")[0]), int(c.split(",")[2])) for c in found.cells if c[0] in "ab"}
        assert named == ours ^ theirs
        rows = {f"d{n}" for n in range(len(pair.difference.rows))}
        assert {c.split(",")[0] for c in found.cells if c[0] == "d"} <= rows and {*found.words} <= rows


def test_without_is_the_text_after_all_other_edits():
    rng = random.Random(2)
    for _ in range(200):
        a, b = (" ".join(rng.choices(["a", "b", "word", "other", "words"], k=rng.randrange(9))) for _ in "ab")
        one, other = (process_texts(text, "a") for text in (a, b))
        edit_map = edits_of.find_edit_map(one, other)
        for row, numbers in enumerate(edit_map.rows):
            rest = [edit for n, edit in enumerate(edit_map.edits) if n not in numbers]
            back = edit_effect.undo_row(edit_map, row, one, other)
            assert back.segment.candidate == apply_edits(one.segment.candidate, rest) == forms(back.candidate)


def test_hostile_words_stay_words():
    words = [word for word in HOSTILE if word.strip()]
    pair = output_pair(" ".join(words), " ".join(words[::-1]), [" ".join(words[2:])], "wer")
    edit_map = edits_of.find_edit_map(pair.a, pair.b)
    settings = {key: metrics.settings(key) for key in metrics.METRICS}
    worth = edits_of.worth_of_all("wer", pair.a.segment, pair.b.segment.candidate, settings)
    parts = {row: edits_of.edit_effect_html(pair, edit_map, row, worth[0]) for row in range(len(edit_map.rows))}
    markup = edits_html.edits_html(pair, edit_map, worth, parts)
    assert "<script" not in markup and "\u202e" not in markup and "<b>\\" not in markup
    assert "alert(1)" in markup


def test_no_edit_and_no_words():
    same = output_pair("a b", "a b", ["a c"])
    assert edits_html.NO_EDIT in edits_html.edits_html(
        same, edits_of.find_edit_map(same.a, same.b), [MetricShares(metrics.METRICS["bleu"])]
    )
    for a, b in (("", "a b"), ("a b", "")):
        pair = output_pair(a, b, ["a c"], "rouge_l")
        edit_map, worth, found = explain_row(pair, 0)
        assert "ROUGE-L would be" in without_tags(found.inside)
        assert 'data-term="edit:0"' in edits_html.edits_html(pair, edit_map, [worth], {0: found})


def test_sampled_and_missing_shares_are_said():
    a = [f"{side}{n}" for n in range(10) for side in "au"]
    b = [word.replace("u", "v") for word in a]
    pair = output_pair(" ".join(a), " ".join(b), [" ".join(b)])
    edit_map = edits_of.find_edit_map(pair.a, pair.b)
    settings = {key: metrics.settings(key) for key in metrics.METRICS}
    late = edits_of.worth_of_all("bleu", pair.a.segment, pair.b.segment.candidate, settings, seconds=-1.0)
    said = edits_html.shares_note(edit_map, late)
    assert "Not computed yet: chrF, NIST" in said and [bool(each.shares) for each in late] == [True] + [False] * 14
    gtm = edits_of.worth_of("gtm", pair.a.segment, pair.b.segment.candidate, settings["gtm"], False)
    assert gtm.sampled == 48
    assert not edits_of.worth_of("gtm", pair.a.segment, pair.b.segment.candidate, settings["gtm"], True).sampled
    few = gtm._replace(shares=tuple(share._replace(orders=6) for share in gtm.shares), metric=metrics.METRICS["ter"])
    said = edits_html.shares_note(edit_map, [gtm, few])
    assert "the mean over 6 to 48 random orders of 10 edits" in said and "For TER fewer orders" in said


# ---------------------------------------------------------------- the verdict of all metrics


def score_row(key, delta):
    metric = metrics.METRICS[key]
    return ScoreRow(
        key, metric.label, metric.higher_is_better, (0.5, None if delta is None else 0.5 + delta), "too hard"
    )


@pytest.mark.parametrize(
    ("deltas", "why", "says"),
    [
        ({"bleu": 0.1, "gtm": 0.1, "wer": -0.1}, {}, "All 3 metrics ▲ better."),
        ({"bleu": 0.1, "gtm": -0.1, "nist": 0.2}, {}, "2 metrics ▲ better, 1 ✕ worse (GTM)."),
        (
            {"bleu": 0.1, "wer": 0, "per": 0, "ter": 0},
            {
                "wer": EqualScoreReason("errors", 5),
                "per": EqualScoreReason("errors", 4),
                "ter": EqualScoreReason("errors", 5),
            },
            "1 metric ▲ better (BLEU), 3 the same: the error rates see no change, because both have the same number of "
            "errors (5 by WER, 4 by PER, 5 by TER).",
        ),
        (
            {"bleu": 0, "gtm": 0, "wer": 0},
            {"bleu": EqualScoreReason("zero"), "gtm": EqualScoreReason("counts"), "wer": EqualScoreReason("errors", 1)},
            "All 3 metrics the same: WER sees no change, because both have the same number of errors, 1; GTM counts "
            "the same in both; BLEU is 0 for both.",
        ),
        (
            {"bleu": 0.0001, "wer": 0, "gtm": None},
            {"bleu": EqualScoreReason("less"), "wer": EqualScoreReason("errors", 0)},
            "2 metrics the same: WER finds no error in either; BLEU changes by less than 0.0005. GTM cannot score one "
            "of them.",
        ),
    ],
)
def test_verdict(deltas, why, says):
    assert without_tags(verdict.sentence([score_row(key, delta) for key, delta in deltas.items()], why)) == says


# ---------------------------------------------------------------- B as typed, without an edit


@pytest.mark.parametrize(
    ("a", "b", "edit", "text"),
    [
        ("the old cat", "the new cat", 0, "the old cat"),
        ("the  cat, sat", "the cat,  slept", 0, "the cat,  sat"),
        ("the cat sat", "the cat sat down", 0, "the cat sat"),
        ("the old  cat sat", "the sat", 0, "the old  cat sat"),
        ("cat", "the cat", 0, "cat"),
        ("a b x y z", "x y z a b", 0, "a b x y z"),
        ("alpha beta c d e", "c  d e alpha beta", 0, "alpha beta c  d e"),
        ("He said: no.", "He said: yes.", 0, "He said: no."),
    ],
)
def test_what_was_typed_is_kept(a, b, edit, text):
    one, other = (process_texts(text, "x", tokenizer="13a") for text in (a, b))
    edit_map = edits_of.find_edit_map(one, other)
    found = typed.text_without_row(edit_map, edit, one, other, (a, b), lambda t: process(t, one.settings))
    assert found == (text, True)


@pytest.mark.parametrize("tokenizer", ["whitespace", "13a", "character"])
def test_the_text_has_the_right_words_or_says_that_it_has_not(tokenizer):
    rng = random.Random(4)
    settings = TextSettings(tokenizer=tokenizer, lowercase=True)
    for _ in range(100):
        a, b = (
            " ".join(rng.choices(["The", "old", "cat,", "sat.", "don't", "(x)"], k=rng.randrange(1, 7))) for _ in "ab"
        )
        one, other = (process_texts(text, "x", tokenizer=tokenizer, lowercase=True) for text in (a, b))
        edit_map = edits_of.find_edit_map(one, other)
        for number in range(len(edit_map.rows)):
            found = typed.text_without_row(edit_map, number, one, other, (a, b), lambda t: process(t, settings))
            wanted = edit_effect.undo_row(edit_map, number, one, other).segment.candidate
            assert (forms(process(found.text, settings)) == wanted) == found.exact
