"""Tests of the drawn worth of words: order, sentences, strip, list, and the changed text to try."""

from __future__ import annotations

import json
import random
import re

import pytest

import metrics
from metrics.analysis.worth import JointDeletion, WordChangeEffect, candidate_after
from metrics.text import forms, process
from tests.helpers.effects import (
    ALONE,
    CAT,
    GTM,
    SURPLUS,
    WER,
    delete,
    effects_of,
    find_joint,
    insert,
    replace,
    score_of,
    without_tags,
)
from tests.helpers.fragments import Element, process_texts, read
from tests.helpers.segments import HOSTILE
from viz.draw.compare import worth
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import visible
from viz.draw.texts import ProcessedTexts

# ---------------------------------------------------------------- order

SOME = [delete(0, -0.2), delete(1, 0.1), delete(2, 0.0), insert(1, 1, 0.1), replace(1, 2, -0.3), insert(3, 3, 0.2)]


@pytest.mark.parametrize(
    ("show", "order", "higher", "lower"),
    [
        ("all", "helps", [5, 3, 1, 2, 0, 4], [4, 0, 2, 3, 1, 5]),
        ("all", "hurts", [4, 0, 2, 3, 1, 5], [5, 3, 1, 2, 0, 4]),
        ("all", "sentence", [0, 3, 1, 4, 2, 5], [0, 3, 1, 4, 2, 5]),
        ("delete", "helps", [1, 2, 0], [0, 2, 1]),
        ("restore", "helps", [5, 3, 4], [4, 3, 5]),
        ("restore", "sentence", [3, 4, 5], [3, 4, 5]),
    ],
)
def test_order(show, order, higher, lower):
    """Check that for error rates the changes that lower them come first, and that equal changes keep the word order."""
    assert worth.sorted_effect_indices(SOME, GTM, show, order) == higher
    assert worth.sorted_effect_indices(SOME, WER, show, order) == lower
    assert worth.sorted_effect_indices([], GTM, show, order) == []


def test_numbers_that_differ_by_rounding_are_ties():
    effects = [insert(2, 0, 0.1 + 0.2), insert(1, 0, 0.3)]
    for order in ("helps", "hurts"):
        assert worth.sorted_effect_indices(effects, GTM, "all", order) == [1, 0]


def test_of_changes_that_help_as_much_a_word_without_a_match_is_replaced_first():
    effects = [replace(0, 0, 0.1), replace(1, 0, 0.1), insert(2, 0, 0.1), replace(2, 1, 0.2)]
    assert worth.sorted_effect_indices(effects, GTM) == [3, 0, 1, 2]
    assert worth.sorted_effect_indices(effects, GTM, used={0, 2}) == [3, 1, 2, 0]
    assert worth.chip_effects(effects, GTM, 3, used={0}) == [3, 1, 2]
    said = without_tags(worth.finding_sentences(effects[:2], CAT, GTM, 0.5, None, used={0})[-1])
    assert said.startswith("Replace cat"), said


def test_only_reference_words_that_help_stand_in_the_strip():
    assert worth.chip_effects(SOME, GTM) == [5, 3]
    assert worth.chip_effects(SOME, WER) == [4]
    assert worth.chip_effects(SOME, GTM, 1) == [5]
    assert worth.chip_effects([insert(0, 0, 0.0004)], GTM) == []
    assert len(worth.chip_effects([insert(n, 0, 0.1) for n in range(40)], GTM)) == worth.CHIPS_MOST


# ---------------------------------------------------------------- in words


TOLD_CHANGES = [
    (
        (CAT, delete(1, -0.034)),
        ("without it 0.466, −0.034, worse", "Delete cat, word 2, and the score would be 0.466, ✕ −0.034."),
    ),
    ((CAT, delete(1, 0.0003)), ("without it 0.500, no change", "Delete cat, word 2, and the score would be 0.500, 0.")),
    (
        (CAT, insert(1, 1, 0.085)),
        (
            "with black before word 2, reference 1: 0.585, +0.085, better",
            "Put in black before word 2 (cat), from reference 1, and the score would be 0.585, ▲ +0.085.",
        ),
    ),
    (
        (ALONE, insert(3, 4, 0.085)),
        (
            "with down at the end: 0.585, +0.085, better",
            "Put in down at the end, and the score would be 0.585, ▲ +0.085.",
        ),
    ),
    (
        (CAT, replace(0, 0, -0.1, 1)),
        (
            "with a for word 1, reference 2: 0.400, −0.100, worse",
            "Replace the, word 1, with a of reference 2, and the score would be 0.400, ✕ −0.100.",
        ),
    ),
    (
        (ALONE, replace(0, 1, 0.1)),
        (
            "with black for word 1: 0.600, +0.100, better",
            "Replace the, word 1, with black, and the score would be 0.600, ▲ +0.100.",
        ),
    ),
    (
        (process_texts("", "a b"), insert(0, 1, 0.1)),
        (
            "with b as the only word: 0.600, +0.100, better",
            "Put in b as the only word, and the score would be 0.600, ▲ +0.100.",
        ),
    ),
]


@pytest.mark.parametrize(("texts", "effect", "tip", "does"), [(*case, *says) for case, says in TOLD_CHANGES])
def test_changes_in_words(texts, effect, tip, does):
    assert worth.tooltip_text(effect, texts, GTM) == tip
    assert without_tags(worth.describe_effect(effect, texts, GTM)) == does


def test_error_rates_are_better_when_lower():
    assert worth.tooltip_text(delete(1, -0.1), CAT, WER) == "without it 0.400, −0.100, better"
    assert without_tags(worth.describe_effect(insert(3, 4, 0.1), ALONE, WER)).endswith("0.600, ✕ +0.100.")
    assert "Lower is better." in worth.heading_html(WER, "A", 0.5)
    assert "Lower" not in worth.heading_html(GTM, "A", 0.5)


def test_another_word_is_not_called_missing():
    """Check that no word is called missing where the output has all words of the reference in another order."""
    texts = process_texts("the gunman police killed", "police killed the gunman")
    effects = effects_of("per", texts)
    put_in = [e for e in effects if e.action != "delete"]
    assert put_in and all(worth.repeats_word(e, texts) for e in put_in)
    told = [
        worth.heading_html(metrics.METRICS["per"], "A", 0.0),
        worth.describe_progress(effects[:-1], len(effects), 4),
        *worth.finding_sentences(effects, texts, metrics.METRICS["per"], 0.0, None),
        *[worth.describe_effect(e, texts, metrics.METRICS["per"]) for e in put_in],
        json.dumps(worth.browser_data(effects, texts, GTM, range(len(effects)), [], None)),
        *worth.SHOWN.values(),
    ]
    assert not re.search("missing|restor", " ".join(told), re.IGNORECASE)
    last = insert(4, 2, 0.1)
    assert worth.tooltip_text(last, texts, GTM).startswith("with another the at the end")
    assert without_tags(worth.describe_effect(last, texts, GTM)).startswith("Put in another the at the end, and")
    assert without_tags(worth.describe_effect(replace(0, 0, 0.1), texts, GTM)).startswith(
        "Replace the, word 1, with another police, and"
    )
    (row,) = worth.browser_data([last], texts, GTM, [0], [], None)["rows"]
    assert row["where"] == ["another one at the end", "", ""]
    assert row["said"].startswith("put in the, another one at the end, score")
    # The reference has “a” twice and the output once: the second one is missing.
    assert not worth.repeats_word(insert(1, 1, 0.1), process_texts("a", "a a"))


FINDINGS = [  # texts, effects, joint effect, GTM's sentences
    (
        (CAT, [delete(0, 0.1), delete(1, -0.2), delete(2, 0.04)], JointDeletion((0, 2), 0.62, ended=True)),
        [
            "These two words cost 0.120 together (the, sat): without them the score would be 0.620.",
            "cat earns most: without it the score would be 0.300, ✕ −0.200.",
            "A shortest edit script to a reference has no word to put in.",
        ],
    ),
    (
        (CAT, [delete(0, 0.1), delete(1, 0.1), delete(2, 0.1)], JointDeletion((0, 1), 0.62, ended=True)),
        [
            "These two words cost 0.120 together (the, cat): without them the score would be 0.620. "
            "Deleting one more word would not make the score better.",
            "A shortest edit script to a reference has no word to put in.",
        ],
    ),
    (
        (CAT, [delete(0, 0.1), delete(1, 0.04), delete(2, 0.1)], JointDeletion((2,), 0.6, ended=True)),
        [
            "sat costs most (one more word costs as much), 0.100: without it the score would be 0.600. "
            "Deleting one more word would not make the score better.",
            "A shortest edit script to a reference has no word to put in.",
        ],
    ),
    (
        (CAT, [delete(0, 0.1), delete(1, -0.2), delete(2, -0.2), insert(1, 1, -0.1), insert(3, 4, -0.1)], None),
        [
            "the costs 0.100: without it the score would be 0.600.",
            "cat earns most (one more word earns as much): without it the score would be 0.300, ✕ −0.200.",
            "No single word that a shortest edit script puts in would make the score better.",
        ],
    ),
    (
        (
            ALONE,
            [delete(0, 0.0), delete(1, 0.0), delete(2, 0.0), insert(1, 1, 0.1), insert(3, 4, 0.1), replace(0, 1, 0.05)],
            None,
        ),
        [
            "No word costs anything: deleting any one word does not improve the score.",
            "Put in black before word 2 (cat), and the score would be 0.600, ▲ +0.100. "
            "No other word that a shortest edit script puts in would help more (one would help as much).",
        ],
    ),
    (
        (process_texts("", "a b"), [insert(0, 0, 0.1)], None),
        ["Put in a as the only word, and the score would be 0.600, ▲ +0.100."],
    ),
]


@pytest.mark.parametrize(("texts", "effects", "joint", "expected"), [(*case, says) for case, says in FINDINGS])
def test_findings(texts, effects, joint, expected):
    assert [without_tags(s) for s in worth.finding_sentences(effects, texts, GTM, 0.5, joint)] == expected


@pytest.mark.parametrize(("texts", "effects", "joint", "expected"), [(*case, says) for case, says in FINDINGS])
def test_findings_of_error_rates(texts, effects, joint, expected):
    """Check that an error rate gets the same sentences, apart from the numbers, where all effects are mirrored."""

    def inverted(score: float) -> float:
        return 1 - score

    other = [e._replace(score=inverted(e.score), delta=-e.delta) for e in effects]
    found = worth.finding_sentences(other, texts, WER, 0.5, joint and joint._replace(score=inverted(joint.score)))

    def words_only(sentence: str) -> str:
        return re.sub(r"\d\.\d+|[+−]", "#", sentence)

    assert [words_only(without_tags(s)) for s in found] == [words_only(s) for s in expected]


def test_words_that_cost_together_and_earn_alone_are_said_to():
    """Check that words whose joint deletion helps are listed by what each does alone, as the strip colours them."""
    effects = [delete(0, 0.1), delete(1, -0.05), delete(2, 0.0)]
    said = without_tags(worth.finding_sentences(effects, CAT, GTM, 0.5, JointDeletion((0, 1, 2), 0.8, True))[0])
    own = CAT.candidate_words
    assert said.endswith(f"would be 0.800. Taken alone, {own[1]} earns; {own[2]} makes no difference."), said
    said = without_tags(worth.finding_sentences(effects, CAT, GTM, 0.5, JointDeletion((0,), 0.6, True))[0])
    assert "Taken alone" not in said


def test_nothing_is_said_of_what_was_not_tried():
    found = [delete(0, 0.0), delete(1, 0.0)]
    assert worth.finding_sentences(found, CAT, GTM, 0.5, None, complete=False) == []
    found = [delete(0, 0.1), delete(1, 0.2)]
    assert [without_tags(s) for s in worth.finding_sentences(found, CAT, GTM, 0.5, None, complete=False)] == [
        "cat costs most, 0.200: without it the score would be 0.700."
    ]
    assert worth.finding_sentences([insert(1, 1, 0.0)], CAT, GTM, 0.5, None, complete=False) == []
    (said,) = worth.finding_sentences([insert(1, 1, 0.1), insert(3, 4, 0.0)], CAT, GTM, 0.5, None, complete=False)
    assert "No other" not in said


@pytest.mark.parametrize("key", metrics.METRICS)
def test_words_that_the_output_has_more_than_once_have_their_numbers(key):
    joint = find_joint(key, SURPLUS)
    effects, score = effects_of(key, SURPLUS), score_of(key, SURPLUS)
    said = without_tags(worth.finding_sentences(effects, SURPLUS, metrics.METRICS[key], score, joint)[0])
    assert "These four words cost" in said and "together (the, word 7; cat, word 8; xx; yy)" in said


def test_the_joint_cost_is_that_of_deleting_the_words():
    """Check that the joint cost in the sentence is scored, not summed from the costs of single words."""
    texts = process_texts("in the end the big very cat really sat quite down", "the cat sat down")
    for key in ("gtm", "rouge_l", "rouge_s", "wer", "ter"):
        metric, effects = metrics.METRICS[key], effects_of(key, texts)
        joint = find_joint(key, texts)
        assert joint and joint.score == score_of(key, texts, joint.words)
        singles = sum(e.delta for e in effects if e.action == "delete" and e.i in joint.words)
        if metric.higher_is_better:
            assert abs(joint.score - score_of(key, texts) - singles) > 1e-3
        (said,) = [
            s for s in worth.finding_sentences(effects, texts, metric, score_of(key, texts), joint) if "together" in s
        ]
        assert score_text(joint.score) in said


@pytest.mark.parametrize(
    ("found", "total", "words", "expected"),
    [
        ([delete(0, 0)], 1, 1, ""),
        ([], 0, 0, ""),
        ([], 5, 3, "Tried so far: nothing yet, which is 0 of 5 changes."),
        ([delete(0, 0)], 5, 3, "Tried so far: the deletion of the first 1 word, which is 1 of 5 changes."),
        (
            [delete(0, 0), delete(1, 0), insert(0, 0, 0)],
            1005,
            2,
            "Tried so far: the deletion of every word, and 1 of 1,003 reference words put in, "
            "which is 3 of 1,005 changes.",
        ),
        ([insert(0, 0, 0)], 2, 0, "Tried so far: 1 of 2 reference words put in, which is 1 of 2 changes."),
    ],
)
def test_what_was_covered(found, total, words, expected):
    assert worth.describe_progress(found, total, words) == expected


# ---------------------------------------------------------------- the strip


def words_in(root: Element) -> list[str]:
    return [e.text for e in root.all("bdi")]


def worth_strip(texts: ProcessedTexts, effects: list[WordChangeEffect], metric=GTM, name="A", chosen=None):
    shown = worth.chip_effects(effects, metric)
    return worth.word_line_html(texts, name, effects, metric, shown, chosen)


def test_the_strip():
    """Check that the strip shows each word's worth, and each reference word that helps where it would be put in."""
    effects = [
        *(delete(0, -0.2), delete(1, 0.1), delete(2, 0.0), insert(1, 1, 0.1), insert(3, 4, 0.2), replace(1, 0, 0.3, 1)),
        insert(0, 0, -0.3),
    ]
    shown = re.findall(r'<span class="([^"]*)"[^>]*?(?: style="--t:(.*?)%")?>(.*?)</span>', worth_strip(CAT, effects))
    assert [(classes, tint, without_tags(text).replace("&nbsp;", " ")) for classes, tint, text in shown] == [
        *(("tk e0 earns", "55", "the"), ("ad e3 better", "", "+black"), ("tk e1 costs", "34", "cat✕")),
        *(("ad e5 better", "", "→ a"), ("tk e2", "", "sat"), ("ad e4 better", "", "+down")),
    ]
    assert re.findall(r'data-word="(.*?)"', worth_strip(CAT, effects)) == ["c0", "c1", "c2"]
    shown = re.findall(r'<span class="(.*?)".*?>(.*?)</span>', worth_strip(CAT, effects, WER, chosen=6))
    assert [(classes, without_tags(text)) for classes, text in shown] == [
        ("ad e6 better sel", "+the"),
        ("tk e0 costs", "the✕"),
        ("tk e1 earns", "cat"),
        ("tk e2", "sat"),
    ]


def test_the_strip_of_an_empty_output():
    texts = process_texts(" ", "a b")
    effects = effects_of("rouge_l", texts)
    markup = worth_strip(texts, effects, metrics.METRICS["rouge_l"])
    assert "no words" in markup and words_in(read(markup)) == ["A", "a", "b"]
    assert worth_strip(texts, []).count("<span") == 1


def test_a_strip_from_right_to_left():
    """Check that the arrows of a right-to-left strip point in the reading direction."""
    texts = process_texts("שלום עולם", "שלום לכם")
    markup = worth_strip(texts, [replace(1, 1, 0.1)])
    assert 'dir="rtl"' in markup and "←&nbsp;<bdi>לכם</bdi>" in markup and "→" not in markup


def test_hostile_words_stay_words():
    """Check that no word becomes markup, a class or a style anywhere."""
    candidate = [word for word in HOSTILE if word.strip("\x00")]
    reference = [f"{word}'\"<x" for word in candidate]
    texts = process_texts(" ".join(candidate), " ".join(reference), " ".join(candidate[::-1]))
    effects = effects_of("gtm", texts)
    name = "<i onclick='x'>$n$"
    own = [visible(word, 60) for word in texts.candidate_words]
    markup = worth_strip(texts, effects, name=name, chosen=len(effects) - 1)
    root = read(markup)
    for e in root:
        assert e.tag in {"div", "span", "b", "bdi", "br", "sup"}
        assert set(e.attributes) <= {"class", "style", "dir", "data-word"}
        assert re.fullmatch(r"(c\d+)?", e.get("data-word"))
        assert re.fullmatch(r"[a-z0-9_ ]*", e.get("class"))
        assert re.fullmatch(r"(--t:\d+%)?", e.get("style"))
    assert words_in(root)[0] == name and [w for w in words_in(root) if w in own][: len(own)]
    assert "$" not in without_tags(markup)
    joint = JointDeletion(tuple(range(len(candidate))), 0.9)
    told = [
        *worth.finding_sentences(effects, texts, GTM, score_of("gtm", texts), joint),
        *[worth.describe_effect(effect, texts, GTM) for effect in effects],
        *[worth.change_context(effect, texts) for effect in effects],
        worth.heading_html(GTM, name, 0.5),
    ]
    for markup in told:
        assert {e.tag for e in read(markup)} <= {"b", "bdi", "br", "del", "ins", "div", "span"}
        assert "$" not in markup
    data = worth.browser_data(
        effects, texts, GTM, worth.sorted_effect_indices(effects, GTM), worth.chip_effects(effects, GTM), None
    )
    json.dumps(data, allow_nan=False).encode()
    shown = json.dumps(data, ensure_ascii=False)
    assert "\u202e" not in shown and "\ud800" not in shown


def test_the_legend_names_what_is_there():
    assert worth.legend([], GTM, []) == ""
    assert without_tags(worth.legend([delete(0, 0.1)], GTM, [])).startswith("costs")
    assert without_tags(worth.legend([delete(0, 0.1)], WER, [])).startswith("earns")
    assert without_tags(worth.legend([delete(0, 0.0), insert(0, 0, 0.1)], GTM, [1])) == (
        "makes no difference+ or →: a reference word that would help"
    )


def test_the_words_around_a_change():
    texts = process_texts(" ".join(map(str, range(30))), "x")
    assert (
        without_tags(worth.change_context(delete(12, 0), texts)) == "… 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 …"
    )
    assert without_tags(worth.change_context(replace(0, 0, 0), texts)) == "0 +x 1 2 3 4 5 6 7 8 …"
    assert without_tags(worth.change_context(insert(30, 0, 0), texts)) == "… 22 23 24 25 26 27 28 29 +x"
    assert without_tags(worth.change_context(insert(0, 0, 0), process_texts("", "x"))) == "+x"


# ---------------------------------------------------------------- the list


def test_the_list():
    effects = [delete(0, -0.2), delete(1, 0.1), delete(2, 0.0), insert(1, 1, 0.1), replace(0, 0, 0.3, 1)]
    data = worth.browser_data(effects, CAT, GTM, worth.sorted_effect_indices(effects, GTM), [3, 4], 0)
    assert [
        (row["n"], row["sign"], row["words"], row["where"], row["score"], f"{row['mark']}{row['change']}", row["tone"])
        for row in data["rows"]
    ] == [
        (4, "", ["the", "a"], ["word 1", "", "reference 2"], "0.800", "▲+0.300", "better"),
        (3, "+", ["black"], ["before word 2", "cat", "reference 1"], "0.600", "▲+0.100", "better"),
        (1, "−", ["cat"], ["word 2", "", ""], "0.600", "▲+0.100", "better"),
        (2, "−", ["sat"], ["word 3", "", ""], "0.500", "0", "same"),
        (0, "−", ["the"], ["word 1", "", ""], "0.300", "✕−0.200", "worse"),
    ]
    assert data["rows"][0]["said"] == "replace the by a, word 1, score 0.800, change +0.300, better"
    assert set(data["tips"]) == {"0", "1", "2", "3", "4"} and data["selected"] == 0 and data["more"] == ""
    assert set(worth.browser_data(effects, CAT, GTM, [], [], None)["tips"]) == {"0", "1", "2"}


def test_a_long_list_is_cut():
    texts = process_texts(" ".join(["a"] * 400), "b")
    effects = [delete(i, i / 1000) for i in range(400)]
    data = worth.browser_data(effects, texts, GTM, worth.sorted_effect_indices(effects, GTM), [], None)
    assert [row["n"] for row in data["rows"]] == [*range(399, 99, -1)]
    assert data["more"] == "and 100 more changes" and len(data["tips"]) == 400


# ---------------------------------------------------------------- the changed text


def tokenizer_of(texts):
    return lambda text: process(text, texts.settings)


@pytest.mark.parametrize(
    ("settings", "typed", "reference", "effect", "expected"),
    [
        ({}, "the big cat", "x", delete(1, 0), "the cat"),
        ({}, "the big cat", "x", delete(0, 0), "big cat"),
        ({}, "the big cat", "x", delete(2, 0), "the big"),
        ({}, "cat", "x", delete(0, 0), ""),
        ({}, "the  cat\n", "x", insert(1, 0, 0), "the  x cat\n"),
        ({}, "the cat ", "x", insert(2, 0, 0), "the cat x"),
        ({}, "  ", "x", insert(0, 0, 0), "x"),
        ({}, " the cat", "x", replace(0, 0, 0), " x cat"),
        ({"tokenizer": "13a"}, "I see, now.", "x", delete(2, 0), "I see now."),
        ({"tokenizer": "13a"}, "I see, now.", "x", delete(4, 0), "I see, now"),
        ({"tokenizer": "13a"}, "I see, now.", "x", delete(3, 0), "I see,."),
        ({"tokenizer": "13a"}, "I see now.", "x", insert(3, 0, 0), "I see now x."),
        ({"tokenizer": "13a"}, "I see now", "a .", insert(3, 1, 0), "I see now."),
        ({"tokenizer": "13a"}, "a,b", "x", delete(1, 0), "a b"),
        ({"tokenizer": "13a"}, "a&amp;b", "x", replace(1, 0, 0), "a x b"),
        ({"tokenizer": "chinese"}, "我爱你", "们", insert(1, 0, 0), "我们爱你"),
        ({"tokenizer": "character"}, "abc", "x", replace(1, 0, 0), "axc"),
        ({"lowercase": True}, "The CAT", "Big", insert(1, 0, 0), "The Big CAT"),
        ({"lowercase": True, "stemmer": "porter"}, "The CATS", "x", delete(0, 0), "CATS"),
    ],
)
def test_the_changed_text(settings, typed, reference, effect, expected):
    texts = process_texts(typed, reference, **settings)
    assert worth.changed_text(effect, texts, typed, tokenizer_of(texts)) == (expected, True)
    assert forms(process(expected, texts.settings)) == candidate_after(effect, texts.segment)


def test_a_text_that_was_typed_otherwise_is_joined():
    """Check that the words are joined by spaces where the typed text is no longer the scored one."""
    texts = process_texts("I see , now .", "x", tokenizer="13a")
    assert worth.changed_text(delete(1, 0), texts, "something else", tokenizer_of(texts)) == ("I , now .", True)


def test_a_text_that_cannot_be_exact_says_so():
    """Check that a text which cannot be typed exactly says so.

    NFKC makes three words of the one character “½”, and two of them cannot be typed without the third."""
    texts = process_texts("½ a", "x", nfkc=True, tokenizer="character")
    assert texts.segment.candidate == ("1", "⁄", "2", "a")
    changed = worth.changed_text(delete(0, 0), texts, "½ a", tokenizer_of(texts))
    assert not changed.exact and changed.text


PARTS = ("a", "b.", "c,d", "don't", "(e)", "1.5", "é", "我", "½", "&amp;", "ﬁ", "שלום", "👩‍👧", "-", "...")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"lowercase": True, "stemmer": "porter"},
        {"nfkc": True},
        *[{"tokenizer": name} for name in ("13a", "international", "chinese", "character")],
    ],
)
def test_changed_texts_have_the_words_of_the_change(settings):
    """Check that a text called exact splits into the scored words with any tokeniser, and that few are not exact."""
    rng = random.Random(7)
    exact = tried = 0
    for _ in range(25):
        typed, reference = (
            "".join([rng.choice(PARTS) + rng.choice(("", " ", "  ", " ")) for _ in range(rng.randint(1, 6))])
            for _ in "ab"
        )
        texts = process_texts(typed, reference, **settings)
        for effect in effects_of("wer", texts):
            changed = worth.changed_text(effect, texts, typed, tokenizer_of(texts))
            found = forms(process(changed.text, texts.settings)) == candidate_after(effect, texts.segment)
            assert found == changed.exact
            exact += changed.exact
            tried += 1
    assert tried > 100 and exact > 0.9 * tried
