"""What each word is worth: its order, its sentences, its strip, the text to try, the search, and the view."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from conftest import PHONE, free_port, start_app
from contrast import paint
from segments import HOSTILE
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analysis import changes
from metrics.analysis.changes import Effect
from metrics.text import TextSettings, forms, process
from metrics.types import TooHard
from metrics.types.work import limited
from viz.draw import memory
from viz.draw.compare import worth
from viz.draw.compare.worth import Joint
from viz.draw.pen import theme
from viz.draw.texts import Texts
from viz.pages.compare import word_worth
from viz.state import effects as searches
from viz.state import inputs
from viz.state.cache import Problem

GTM, WER = metrics.METRICS["gtm"], metrics.METRICS["wer"]


def texts_of(candidate: str, *references: str, **settings: Any) -> Texts:
    text = TextSettings(**settings)
    (found,) = inputs.read_systems([("A", candidate), ("B", "x")], "\n".join(references), text)[:1]
    assert isinstance(found, Texts)
    return found


def effects_of(key: str, texts: Texts) -> list[Effect]:
    return [*changes.effects(metrics.METRICS[key], texts.segment, metrics.settings(key))]


def score_of(key: str, texts: Texts, without: tuple[int, ...] = ()) -> float:
    words = [word for i, word in enumerate(texts.segment.candidate) if i not in without]
    return metrics.score(key, words, texts.segment.references).score


def plain(markup: str) -> str:
    return re.sub("<.*?>", "", markup)


def delete(i: int, delta: float) -> Effect:
    return Effect("delete", i, -1, -1, 0.5 + delta, delta)


def insert(i: int, j: int, delta: float, k: int = 0) -> Effect:
    return Effect("insert", i, k, j, 0.5 + delta, delta)


def replace(i: int, j: int, delta: float, k: int = 0) -> Effect:
    return Effect("replace", i, k, j, 0.5 + delta, delta)


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
    """Of error rates what lowers them comes first; ties stand as in the sentence."""
    assert worth.ranked(SOME, GTM, show, order) == higher
    assert worth.ranked(SOME, WER, show, order) == lower
    assert worth.ranked([], GTM, show, order) == []


def test_numbers_that_differ_by_rounding_are_ties():
    effects = [insert(2, 0, 0.1 + 0.2), insert(1, 0, 0.3)]
    assert worth.ranked(effects, GTM) == [1, 0] == worth.ranked(effects, GTM, "all", "hurts")


def test_only_reference_words_that_help_stand_in_the_strip():
    assert worth.chips(SOME, GTM) == [5, 3]
    assert worth.chips(SOME, WER) == [4]
    assert worth.chips(SOME, GTM, 1) == [5]
    assert worth.chips([insert(0, 0, 0.0004)], GTM) == []
    assert len(worth.chips([insert(n, 0, 0.1) for n in range(40)], GTM)) == worth.CHIPS_MOST
    assert worth.costing(SOME, GTM) == [1]
    assert worth.costing(SOME, WER) == [0]


# ---------------------------------------------------------------- in words

CAT = texts_of("the cat sat", "the black cat sat down", "a cat")
ALONE = texts_of("the cat sat", "the black cat sat down")


@pytest.mark.parametrize(
    ("texts", "effect", "tip", "does"),
    [
        (
            CAT,
            delete(1, -0.034),
            "without it 0.466, −0.034, worse",
            "Delete cat, word 2, and the score would be 0.466, ✕ −0.034.",
        ),
        (
            CAT,
            delete(1, 0.0003),
            "without it 0.500, no change",
            "Delete cat, word 2, and the score would be 0.500, 0.",
        ),
        (
            CAT,
            insert(1, 1, 0.085),
            "with black before word 2, reference 1: 0.585, +0.085, better",
            "Put in black before word 2 (cat), from reference 1, and the score would be 0.585, ▲ +0.085.",
        ),
        (
            ALONE,
            insert(3, 4, 0.085),
            "with down at the end: 0.585, +0.085, better",
            "Put in down at the end, and the score would be 0.585, ▲ +0.085.",
        ),
        (
            CAT,
            replace(0, 0, -0.1, 1),
            "with a for word 1, reference 2: 0.400, −0.100, worse",
            "Replace the, word 1, with a of reference 2, and the score would be 0.400, ✕ −0.100.",
        ),
        (
            ALONE,
            replace(0, 1, 0.1),
            "with black for word 1: 0.600, +0.100, better",
            "Replace the, word 1, with black, and the score would be 0.600, ▲ +0.100.",
        ),
        (
            texts_of("", "a b"),
            insert(0, 1, 0.1),
            "with b as the only word: 0.600, +0.100, better",
            "Put in b as the only word, and the score would be 0.600, ▲ +0.100.",
        ),
    ],
)
def test_changes_in_words(texts, effect, tip, does):
    assert worth.tip(effect, texts, GTM) == tip
    assert plain(worth.does(effect, texts, GTM)) == does


def test_error_rates_are_better_when_lower():
    assert worth.tip(delete(1, -0.1), CAT, WER) == "without it 0.400, −0.100, better"
    assert plain(worth.does(insert(3, 4, 0.1), ALONE, WER)).endswith("0.600, ✕ +0.100.")
    assert "Lower is better." in worth.header(WER, "A", 0.5)
    assert "Lower" not in worth.header(GTM, "A", 0.5)


def test_another_word_is_not_called_missing():
    """An output in another order lacks no word: the reference's words stand in it already."""
    texts = texts_of("the gunman police killed", "police killed the gunman")
    effects = effects_of("per", texts)
    put_in = [e for e in effects if e.action != "delete"]
    assert put_in and all(worth.another(e, texts) for e in put_in)
    told = [
        worth.header(metrics.METRICS["per"], "A", 0.0),
        worth.covered(effects[:-1], len(effects), 4),
        *worth.findings(effects, texts, metrics.METRICS["per"], 0.0, None),
        *[worth.does(e, texts, metrics.METRICS["per"]) for e in put_in],
        json.dumps(worth.table_data(effects, texts, GTM, range(len(effects)), [], None)),
        *worth.SHOWN.values(),
    ]
    assert not re.search("missing|restor", " ".join(told), re.IGNORECASE)
    last = insert(4, 2, 0.1)
    assert worth.tip(last, texts, GTM).startswith("with another the at the end")
    assert plain(worth.does(last, texts, GTM)).startswith("Put in another the at the end, and")
    assert plain(worth.does(replace(0, 0, 0.1), texts, GTM)).startswith("Replace the, word 1, with another police, and")
    (row,) = worth.table_data([last], texts, GTM, [0], [], None)["rows"]
    assert row["where"] == ["another one at the end", "", ""]
    assert row["said"].startswith("put in the, another one at the end, score")
    # The output has one of two: the other one is missing.
    assert not worth.another(insert(1, 1, 0.1), texts_of("a", "a a"))


# ---------------------------------------------------------------- several words


def together(key: str, texts: Texts) -> Joint | None:
    """The words that cost most together by a search without an end."""
    search = searches.Search(metrics.METRICS[key], texts.segment, metrics.settings(key))
    search.go_on(60)
    search.together.go_on(60)
    assert search.done and search.together.done
    return search.together.found


def found_together(scores: dict[tuple[int, ...], float], metric=GTM, used=(), words=3) -> list[Joint]:
    """What is found step by step where some deletions have scores, and all others are bad."""
    bad = 0.0 if metric.higher_is_better else 1.0
    effects = [Effect("delete", i, -1, -1, scores.get((i,), bad), scores.get((i,), bad) - 0.5) for i in range(words)]
    return [*worth.together(effects, metric, used, lambda gone: scores.get(tuple(gone), bad))]


@pytest.mark.parametrize(
    ("scores", "used", "expected"),
    [
        ({}, (), None),
        ({(1,): 0.6}, (), Joint((1,), 0.6, True)),
        ({(1,): 0.6, (0, 1): 0.7}, (), Joint((0, 1), 0.7, True)),  # a word that costs nothing alone
        ({(0,): 0.6, (1,): 0.55, (2,): 0.6}, (), Joint((2,), 0.6, True)),  # the later one of two
        ({(0,): 0.6, (1,): 0.55, (2,): 0.6}, (2,), Joint((0,), 0.6, True)),  # the one that is not used
        ({(0,): 0.6, (1,): 0.58, (2,): 0.57, (0, 1, 2): 0.7}, (), Joint((0, 1, 2), 0.7, True)),  # by the ranking alone
        ({(0,): 0.6, (1,): 0.58, (0, 1): 0.6}, (), Joint((0,), 0.6, True)),  # as few as will do
        ({(0,): 0.6, (1,): 0.58, (0, 1): 0.6 + 1e-12}, (), Joint((0,), 0.6, True)),  # but for rounding
    ],
)
def test_together(scores, used, expected):
    """The word that helps most is deleted until none helps, and the costliest words are tried together."""
    found = found_together(scores, GTM, used)
    assert (found[-1] if found else None) == expected
    turned = found_together({gone: 1 - score for gone, score in scores.items()}, WER, used)
    assert [(joint.words, joint.ended) for joint in turned] == [(joint.words, joint.ended) for joint in found]


def test_the_best_so_far_gets_better_and_never_claims_too_much():
    found = found_together({(0,): 0.6, (1,): 0.58, (2,): 0.57, (0, 1): 0.65, (0, 1, 2): 0.6, (0, 2): 0.7})
    assert [joint.score for joint in found] == sorted([joint.score for joint in found])
    assert [joint.ended for joint in found] == [False] * (len(found) - 1) + [True]
    assert found[-1] == Joint((0, 2), 0.7, True)


SURPLUS = texts_of("the cat sat on the mat the cat xx yy", "the cat sat on the mat")


@pytest.mark.parametrize("key", metrics.METRICS)
def test_all_surplus_words_are_found(key):
    """Copies of repeated words each cost alone, but only the surplus ones are deleted: the reference is left."""
    joint = together(key, SURPLUS)
    assert joint and joint.words == (6, 7, 8, 9) and joint.ended
    assert joint.score == metrics.score(key, SURPLUS.segment.references[0], SURPLUS.segment.references).score
    said = plain(
        worth.findings(effects_of(key, SURPLUS), SURPLUS, metrics.METRICS[key], score_of(key, SURPLUS), joint)[0]
    )
    assert "These four words cost" in said and "together (the, word 7; cat, word 8; xx; yy)" in said


@pytest.mark.parametrize("key", ["rouge_l", "gtm"])
def test_words_are_scored_anew_after_each_deletion(key):
    """Which words are too many shows only once others are gone: no number of the costliest ones does as well."""
    texts = texts_of("x a b a c c", "a a a c")
    joint = together(key, texts)
    assert joint and joint.ended and joint.words in ((0, 2, 4), (0, 2, 5))  # either of the two words c
    assert joint.score == pytest.approx(6 / 7)


@pytest.mark.parametrize("key", [key for key in metrics.METRICS if key != "nist"])
def test_no_single_further_deletion_helps(key):
    """What the sentence says of other words holds, and no word alone does as well."""
    rng, metric = random.Random(3), metrics.METRICS[key]
    sign = 1 if metric.higher_is_better else -1
    for _ in range(12):
        texts = texts_of(" ".join(rng.choices("abcde", k=9)), " ".join(rng.choices("abcd", k=5)))
        joint = together(key, texts)
        for i in range(9):
            alone = sign * score_of(key, texts, (i,))
            if joint is None:
                assert alone < sign * score_of(key, texts) + 0.0005
                continue
            assert joint.ended and joint.score == score_of(key, texts, joint.words)
            assert alone <= sign * joint.score + 1e-9
            assert sign * score_of(key, texts, (*joint.words, i)) <= sign * joint.score + 1e-9


def test_a_search_of_several_words_stops_when_its_time_is_over(monkeypatch):
    """The best so far is told, and nothing of what was not tried."""
    monkeypatch.setattr(searches, "TOGETHER_SECONDS_MOST", 0.005)
    search = searches.Search(slow(0.01), SURPLUS.segment, metrics.settings("wer"))
    search.go_on(60)
    search.together.go_on(0)
    search.together.go_on(0)
    assert not search.together.waits and not search.together.done and search.together is search.together
    joint = search.together.found
    assert joint == Joint((8, 9), score_of("wer", SURPLUS, (8, 9)))
    said = worth.findings(search.found, SURPLUS, WER, score_of("wer", SURPLUS), joint)[0]
    assert said.endswith(" Not every further deletion was tried.")


def test_a_search_of_several_words_that_gets_too_hard_keeps_what_it_has():
    calls = 1 + len(effects_of("wer", SURPLUS)) + 1
    search = searches.Search(slow(too_hard_at=calls), SURPLUS.segment, metrics.settings("wer"))
    search.go_on(60)
    search.together.go_on(60)
    assert search.together.done and search.together.problem == Problem("WER", "there is <too> much of it.")
    assert search.together.found == Joint((8, 9), score_of("wer", SURPLUS, (8, 9)))


FINDINGS = [  # texts, effects, joint, GTM's sentences
    (
        CAT,
        [delete(0, 0.1), delete(1, -0.2), delete(2, 0.04)],
        Joint((0, 2), 0.62, ended=True),
        [
            "These two words cost 0.120 together (the, sat): without them the score would be 0.620.",
            "cat earns most: without it the score would be 0.300, ✕ −0.200.",
            "A shortest edit script to a reference has no word to put in.",
        ],
    ),
    (
        CAT,
        [delete(0, 0.1), delete(1, 0.1), delete(2, 0.1)],
        Joint((0, 1), 0.62, ended=True),
        [
            "These two words cost 0.120 together (the, cat): without them the score would be 0.620. "
            "Deleting any one other word as well would not make the score better.",
            "A shortest edit script to a reference has no word to put in.",
        ],
    ),
    (
        CAT,
        [delete(0, 0.1), delete(1, 0.04), delete(2, 0.1)],
        Joint((2,), 0.6, ended=True),
        [
            "sat costs most (one more word costs as much), 0.100: without it the score would be 0.600. "
            "Deleting any one other word as well would not make the score better.",
            "A shortest edit script to a reference has no word to put in.",
        ],
    ),
    (
        CAT,
        [delete(0, 0.1), delete(1, -0.2), delete(2, -0.2), insert(1, 1, -0.1), insert(3, 4, -0.1)],
        None,
        [
            "the costs 0.100: without it the score would be 0.600.",
            "cat earns most (one more word earns as much): without it the score would be 0.300, ✕ −0.200.",
            "No word that a shortest edit script puts in would make the score better alone.",
        ],
    ),
    (
        ALONE,
        [delete(0, 0.0), delete(1, 0.0), delete(2, 0.0), insert(1, 1, 0.1), insert(3, 4, 0.1), replace(0, 1, 0.05)],
        None,
        [
            "No word costs anything: without any one of them the score is not better.",
            "Put in black before word 2 (cat), and the score would be 0.600, ▲ +0.100. "
            "No other word that a shortest edit script puts in would help more (one would help as much).",
        ],
    ),
    (
        texts_of("", "a b"),
        [insert(0, 0, 0.1)],
        None,
        ["Put in a as the only word, and the score would be 0.600, ▲ +0.100."],
    ),
]


@pytest.mark.parametrize(("texts", "effects", "joint", "expected"), FINDINGS)
def test_findings(texts, effects, joint, expected):
    assert [plain(s) for s in worth.findings(effects, texts, GTM, 0.5, joint)] == expected


@pytest.mark.parametrize(("texts", "effects", "joint", "expected"), FINDINGS)
def test_findings_of_error_rates(texts, effects, joint, expected):
    """The same changes the other way round say the same, with the numbers that an error rate has."""

    def turned(score: float) -> float:
        return 1 - score

    other = [e._replace(score=turned(e.score), delta=-e.delta) for e in effects]
    found = worth.findings(other, texts, WER, 0.5, joint and joint._replace(score=turned(joint.score)))

    def words_only(sentence: str) -> str:
        return re.sub(r"\d\.\d+|[+−]", "#", sentence)

    assert [words_only(plain(s)) for s in found] == [words_only(s) for s in expected]


def test_nothing_is_said_of_what_was_not_tried():
    found = [delete(0, 0.0), delete(1, 0.0)]
    assert worth.findings(found, CAT, GTM, 0.5, None, complete=False) == []
    found = [delete(0, 0.1), delete(1, 0.2)]
    assert [plain(s) for s in worth.findings(found, CAT, GTM, 0.5, None, complete=False)] == [
        "cat costs most, 0.200: without it the score would be 0.700."
    ]
    assert worth.findings([insert(1, 1, 0.0)], CAT, GTM, 0.5, None, complete=False) == []
    (said,) = worth.findings([insert(1, 1, 0.1), insert(3, 4, 0.0)], CAT, GTM, 0.5, None, complete=False)
    assert "No other" not in said


def test_the_joint_cost_is_that_of_deleting_the_words():
    """The number in the sentence is scored, not added up."""
    texts = texts_of("in the end the big very cat really sat quite down", "the cat sat down")
    for key in ("gtm", "rouge_l", "rouge_s", "wer", "ter"):
        metric, effects = metrics.METRICS[key], effects_of(key, texts)
        joint = together(key, texts)
        assert joint and joint.score == score_of(key, texts, joint.words)
        singles = sum(e.delta for e in effects if e.action == "delete" and e.i in joint.words)
        if metric.higher_is_better:
            assert abs(joint.score - score_of(key, texts) - singles) > 1e-3
        (said,) = [s for s in worth.findings(effects, texts, metric, score_of(key, texts), joint) if "together" in s]
        assert theme.score_text(joint.score) in said


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
    assert worth.covered(found, total, words) == expected


# ---------------------------------------------------------------- the strip


class Tags(HTMLParser):
    """The tags of a piece of HTML with their attributes, its text, and the words in it."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(markup.replace("<br>", ""))
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "bdi":
            self.words.append(data)


def strip_of(texts: Texts, effects: list[Effect], metric=GTM, name="A", chosen=None):
    shown = worth.chips(effects, metric)
    return worth.strip(texts, name, effects, metric, shown, chosen)


def test_the_strip():
    """Words with what they are worth, and the reference words that would help in their places."""
    effects = [
        delete(0, -0.2),
        delete(1, 0.1),
        delete(2, 0.0),
        insert(1, 1, 0.1),
        insert(3, 4, 0.2),
        replace(1, 0, 0.3, 1),
        insert(0, 0, -0.3),
    ]
    shown = re.findall(r'<span class="([^"]*)"[^>]*?(?: style="--t:(.*?)%")?>(.*?)</span>', strip_of(CAT, effects))
    assert [(classes, tint, plain(text).replace("&nbsp;", " ")) for classes, tint, text in shown] == [
        ("tk e0 earns", "55", "the"),
        ("ad e3 better", "", "+black"),
        ("tk e1 costs", "34", "cat✕"),
        ("ad e5 better", "", "→ a"),
        ("tk e2", "", "sat"),
        ("ad e4 better", "", "+down"),
    ]
    assert re.findall(r'data-word="(.*?)"', strip_of(CAT, effects)) == ["c0", "c1", "c2"]
    shown = re.findall(r'<span class="(.*?)".*?>(.*?)</span>', strip_of(CAT, effects, WER, chosen=6))
    assert [(classes, plain(text)) for classes, text in shown] == [
        ("ad e6 better sel", "+the"),
        ("tk e0 costs", "the✕"),
        ("tk e1 earns", "cat"),
        ("tk e2", "sat"),
    ]


def test_the_strip_of_an_empty_output():
    texts = texts_of(" ", "a b")
    effects = effects_of("rouge_l", texts)
    markup = strip_of(texts, effects, metrics.METRICS["rouge_l"])
    assert "no words" in markup and Tags(markup).words == ["A", "a", "b"]
    assert strip_of(texts, []).count("<span") == 1


def test_a_strip_from_right_to_left():
    """Its arrows point the way in which it is read."""
    texts = texts_of("שלום עולם", "שלום לכם")
    markup = strip_of(texts, [replace(1, 1, 0.1)])
    assert 'dir="rtl"' in markup and "←&nbsp;<bdi>לכם</bdi>" in markup and "→" not in markup


def test_hostile_words_stay_words():
    """No word becomes markup, a class or a style, wherever it stands."""
    candidate = [word for word in HOSTILE if word.strip("\x00")]
    reference = [f"{word}'\"<x" for word in candidate]
    texts = texts_of(" ".join(candidate), " ".join(reference), " ".join(candidate[::-1]))
    effects = effects_of("gtm", texts)
    name = "<i onclick='x'>$n$"
    own = [theme.visible(word, 60) for word in texts.candidate_words]
    markup = strip_of(texts, effects, name=name, chosen=len(effects) - 1)
    tags = Tags(markup)
    assert {tag for tag, _ in tags.tags} <= {"div", "span", "b", "bdi", "sup"}
    for _, attributes in tags.tags:
        assert set(attributes) <= {"class", "style", "dir", "data-word"}
        assert re.fullmatch(r"(c\d+)?", attributes.get("data-word") or "")
        assert re.fullmatch(r"[a-z0-9 ]*", attributes.get("class") or "")
        assert re.fullmatch(r"(--t:\d+%)?", attributes.get("style") or "")
    assert tags.words[0] == name and [w for w in tags.words if w in own][: len(own)]
    assert "$" not in plain(markup)
    joint = Joint(tuple(range(len(candidate))), 0.9)
    told = [
        *worth.findings(effects, texts, GTM, score_of("gtm", texts), joint),
        *[worth.does(effect, texts, GTM) for effect in effects],
        *[worth.around(effect, texts) for effect in effects],
        worth.header(GTM, name, 0.5),
    ]
    for markup in told:
        assert {tag for tag, _ in Tags(markup).tags} <= {"b", "bdi", "del", "ins", "div", "span"}
        assert "$" not in markup
    data = worth.table_data(effects, texts, GTM, worth.ranked(effects, GTM), worth.chips(effects, GTM), None)
    json.dumps(data, allow_nan=False).encode()
    shown = json.dumps(data, ensure_ascii=False)
    assert "\u202e" not in shown and "\ud800" not in shown


def test_the_legend_names_what_is_there():
    assert worth.legend([], GTM, []) == ""
    assert plain(worth.legend([delete(0, 0.1)], GTM, [])).startswith("costs")
    assert plain(worth.legend([delete(0, 0.1)], WER, [])).startswith("earns")
    assert plain(worth.legend([delete(0, 0.0), insert(0, 0, 0.1)], GTM, [1])) == (
        "makes no difference+ or →: a reference word that would help"
    )


def test_the_words_around_a_change():
    texts = texts_of(" ".join(map(str, range(30))), "x")
    assert plain(worth.around(delete(12, 0), texts)) == "… 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 …"
    assert plain(worth.around(replace(0, 0, 0), texts)) == "0 +x 1 2 3 4 5 6 7 8 …"
    assert plain(worth.around(insert(30, 0, 0), texts)) == "… 22 23 24 25 26 27 28 29 +x"
    assert plain(worth.around(insert(0, 0, 0), texts_of("", "x"))) == "+x"


# ---------------------------------------------------------------- the list


def test_the_list():
    effects = [delete(0, -0.2), delete(1, 0.1), delete(2, 0.0), insert(1, 1, 0.1), replace(0, 0, 0.3, 1)]
    data = worth.table_data(effects, CAT, GTM, worth.ranked(effects, GTM), [3, 4], 0)
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
    assert set(worth.table_data(effects, CAT, GTM, [], [], None)["tips"]) == {"0", "1", "2"}


def test_a_long_list_is_cut():
    texts = texts_of(" ".join(["a"] * 400), "b")
    effects = [delete(i, i / 1000) for i in range(400)]
    data = worth.table_data(effects, texts, GTM, worth.ranked(effects, GTM), [], None)
    assert [row["n"] for row in data["rows"]] == [*range(399, 99, -1)]
    assert data["more"] == "and 100 more changes" and len(data["tips"]) == 400


# ---------------------------------------------------------------- the changed text


def split_as(texts):
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
    texts = texts_of(typed, reference, **settings)
    assert worth.changed_text(effect, texts, typed, split_as(texts)) == (expected, True)
    assert forms(process(expected, texts.settings)) == changes.applied(effect, texts.segment)


def test_a_text_that_was_typed_otherwise_is_joined():
    """Where what was typed is no longer what was scored, the words stand with spaces between them."""
    texts = texts_of("I see , now .", "x", tokenizer="13a")
    assert worth.changed_text(delete(1, 0), texts, "something else", split_as(texts)) == ("I , now .", True)


def test_a_text_that_cannot_be_exact_says_so():
    """Two of the three words of one character cannot be typed without the third, unless by other characters."""
    texts = texts_of("½ a", "x", nfkc=True, tokenizer="character")
    assert texts.segment.candidate == ("1", "⁄", "2", "a")
    changed = worth.changed_text(delete(0, 0), texts, "½ a", split_as(texts))
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
    """Whatever the tokeniser, a text called exact is split into the words that were scored; few are not."""
    rng = random.Random(7)
    exact = tried = 0
    for _ in range(25):
        typed, reference = (
            "".join([rng.choice(PARTS) + rng.choice(("", " ", "  ", " ")) for _ in range(rng.randint(1, 6))])
            for _ in "ab"
        )
        texts = texts_of(typed, reference, **settings)
        for effect in effects_of("wer", texts):
            changed = worth.changed_text(effect, texts, typed, split_as(texts))
            found = forms(process(changed.text, texts.settings)) == changes.applied(effect, texts.segment)
            assert found == changed.exact
            exact += changed.exact
            tried += 1
    assert tried > 100 and exact > 0.9 * tried


# ---------------------------------------------------------------- the search


def slow(seconds: float = 0.0, too_hard_at: int | None = None):
    """WER, but slow, and at some of its calls too hard."""
    calls = []

    def align(segment, settings, marks):
        calls.append(segment)
        time.sleep(seconds)
        if too_hard_at is not None and len(calls) > too_hard_at:
            raise TooHard("there is <too> much of it")
        return WER.align(segment, settings, marks)

    return dataclasses.replace(WER, align=align)


def test_a_search_goes_on_where_it_stopped():
    search = searches.Search(slow(0.002), CAT.segment, metrics.settings("wer"))
    counts = []
    while not search.done:
        assert search.waits
        search.go_on(0)
        counts.append(len(search.found))
    assert counts == [*range(1, search.total + 1), search.total]
    assert search.found == effects_of("wer", CAT) and not search.waits
    assert 0 < search.seconds_left < searches.SECONDS_MOST


def test_a_search_stops_when_its_time_is_over():
    search = searches.Search(slow(0.01), CAT.segment, metrics.settings("wer"))
    search.seconds_left = 0.005
    search.go_on(0)
    assert len(search.found) == 1 and not search.done and not search.waits
    search.more_time()
    search.go_on(60)
    assert search.done and search.found == effects_of("wer", CAT)


def test_a_search_that_gets_too_hard_keeps_what_it_has():
    search = searches.Search(slow(too_hard_at=3), CAT.segment, metrics.settings("wer"))
    search.go_on(60)
    assert (len(search.found), search.done, search.problem) == (2, True, Problem("WER", "there is <too> much of it."))


THIRTY = texts_of(
    "we have been able to collect dazzling and silent images of the universe with the help of modern "
    "astronomical telescopes , but until now it was a mute film .",
    "with the aid of modern astronomical telescopes we have collected dazzling , silent images of the universe ; "
    "until now the film has been mute .",
    "thanks to modern telescopes we have gathered breathtaking images of the universe , in a silent film so far .",
)


@pytest.mark.parametrize("key", metrics.METRICS)
def test_thirty_words_take_little_work(key):
    assert len(THIRTY.candidate) == 30
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    memory.forget()
    with limited(100_000):
        search = searches.Search(metric, THIRTY.segment, settings)
        search.go_on(60)
    with limited(100_000):
        search.together.go_on(60)
    assert search.done and len(search.found) == search.total > 50
    assert search.together.problem is None and search.together.found and search.together.found.ended


# ---------------------------------------------------------------- the view

APP = """
import sys
from pathlib import Path

import streamlit as st
from viz.draw.evidence.fragment import STYLE

from viz.state import controls, inputs, session, slots
from viz.pages.compare import word_worth

st.set_page_config(layout="wide")
st.html(f"<style>{STYLE}{Path('viz/frame/style.css').read_text(encoding='utf-8')}</style>")
state = st.session_state
session.start("compare")
for name in ("system_0", "system_1", "references", "metric"):
    if name in st.query_params and f"set {name}" not in state:
        state[name] = state[f"set {name}"] = st.query_params[name]


@st.fragment
def view():
    texts = inputs.read_systems(slots.systems(), state.references, session.text_settings())
    word_worth.draw(texts[0], slots.systems()[0][0], 0)
    st.text(f"view: {state.get('compare_view')}, what if: {state.whatif}")


view()
"""
OUTPUT, REFERENCES = "the gunman was shot by police dead .", "the gunman was shot to death by the police ."


class View:
    """The view on a page of its own, in Streamlit's own test runner."""

    def __init__(self, path, output=OUTPUT, references=REFERENCES, metric="gtm"):
        script = path / "page.py"
        script.write_text(APP, encoding="utf-8")
        self.at = AppTest.from_file(str(script), default_timeout=30)
        for name, value in (("system_0", output), ("system_1", "x"), ("references", references), ("metric", metric)):
            self.at.query_params[name] = value
        self.run()

    def run(self):
        self.at.run()
        assert not self.at.exception, self.at.exception[0].stack_trace
        return self

    @property
    def html(self):
        return "\n".join(element.proto.body for element in self.at.get("html"))

    @property
    def table(self):
        (component,) = self.at.get("bidi_component")
        return json.loads(component.proto.json)

    @property
    def warnings(self):
        return [warning.value for warning in self.at.warning]

    def button(self, label):
        return next((b for b in self.at.button if b.label == label), None)

    def press(self, label):
        self.button(label).click()
        return self.run()

    def choose(self, n):
        self.at.session_state["effect"] = n
        return self.run()


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_view(tmp_path, key):
    """Every metric has its score, its words with what they are worth, and its findings."""
    view = View(tmp_path, metric=key)
    texts = texts_of(OUTPUT, REFERENCES)
    metric, effects = metrics.METRICS[key], effects_of(key, texts)
    assert metric.name in view.html and f"<b>{theme.score_text(score_of(key, texts))}</b>" in view.html
    assert strip_of(texts, effects, metric) in view.html
    assert [row["n"] for row in view.table["rows"]] == worth.ranked(effects, metric)
    assert view.warnings == [] and view.button("Try it") is None and view.button("Go on") is None


def test_the_view_says_which_words_are_too_many(tmp_path):
    view = View(tmp_path, "the cat sat on the mat the cat xx yy", "the cat sat on the mat", "per")
    assert (
        "These four words cost 0.667 together (the, word 7; cat, word 8; xx; yy): without them the score would be"
        in (plain(view.html))
    )


def test_the_view_calls_no_word_missing_that_is_there(tmp_path):
    view = View(tmp_path, "the gunman police killed", "police killed the gunman", "per")
    assert "No word that a shortest edit script puts in would make the score better alone." in plain(view.html)
    assert "missing" not in view.html.partition("</style>")[2] and not re.search(
        "missing|restore", json.dumps(view.table)
    )


def test_filters_and_orders(tmp_path):
    view = View(tmp_path)
    effects = effects_of("gtm", texts_of(OUTPUT, REFERENCES))
    for show in worth.SHOWN:
        for order in worth.ORDERS:
            for key, value in (("attribution_show", show), ("attribution_order", order)):
                (switch,) = [w for w in view.at.get("button_group") if w.key == key]
                switch.set_value(value)
            view.run()
            assert [row["n"] for row in view.table["rows"]] == worth.ranked(effects, GTM, show, order)


def test_a_change_is_tried_in_the_what_if(tmp_path):
    """The choice shows the change; trying it puts the changed text into the what-if and opens that."""
    view = View(tmp_path).choose(6)
    assert "Delete <b><bdi>dead</bdi></b>, word 7" in view.html and view.table["selected"] == 6
    view.press("Try it")
    state = view.at.session_state
    assert (state.whatif_of, state.whatif, state.compare_view) == (0, "the gunman was shot by police .", "whatif")
    assert state.system_0 == OUTPUT
    view.at.session_state["metric"] = "wer"
    view.run()
    assert view.button("Try it") is None and view.table["selected"] == -1  # the choice belongs to the other metric


def test_an_empty_output_has_only_words_to_put_in(tmp_path):
    view = View(tmp_path, output=" ", references="the cat", metric="rouge_l")
    assert [row["words"] for row in view.table["rows"]] == [["the"], ["cat"]]
    assert "no words" in view.html and "as the only word" in view.html
    view.choose(1).press("Try it")
    assert view.at.session_state.whatif == "cat"


def test_a_metric_that_cannot_score_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "wer", slow(too_hard_at=0))
    view = View(tmp_path, output="no one scores this", metric="wer")
    assert view.warnings == [theme.markdown("WER: there is <too> much of it.")] and not view.at.get("bidi_component")


def test_a_search_without_end_says_what_it_covered(tmp_path, monkeypatch):
    monkeypatch.setattr(searches, "SECONDS_MOST", 0.02)
    monkeypatch.setattr(word_worth, "QUIET", 0.0)
    monkeypatch.setattr(word_worth, "STEP", 0.0)
    monkeypatch.setitem(metrics.METRICS, "wer", slow(0.012))
    view = View(tmp_path, output="a sentence that takes its time", metric="wer")
    note = re.search(r"Tried so far: the deletion of the first (\d) words?, which is \1 of 1\d changes\.", view.html)
    assert note and 1 <= int(note[1]) <= 2 and len(view.table["rows"]) == int(note[1])
    assert "together" not in view.html
    monkeypatch.setattr(searches, "SECONDS_MOST", 60)
    view.press("Go on")
    assert "Tried so far" not in view.html and len(view.table["rows"]) > 10 and view.button("Go on") is None


def test_a_search_that_gets_too_hard_shows_what_it_has(tmp_path, monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "wer", slow(too_hard_at=4))
    view = View(tmp_path, output="too hard after a while", metric="wer")
    assert view.warnings == [theme.markdown("WER: there is <too> much of it.")]
    assert "the deletion of the first 2 words" in view.html and view.button("Go on") is None


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def view_url(tmp_path_factory) -> Iterator[str]:
    """The address of an app that shows only the view."""
    script = tmp_path_factory.mktemp("words") / "page.py"
    script.write_text(APP, encoding="utf-8")
    port = free_port()
    app = start_app(port, script)
    yield f"http://127.0.0.1:{port}"
    app.terminate()
    app.wait(10)


@pytest.fixture
def visit(new_page: Callable[..., Any], view_url: str) -> Iterator[Callable[..., Any]]:
    """Opens the view; no page may have had an error or a dialog."""
    pages, faults = [], []

    def open_(output: str = OUTPUT, references: str = REFERENCES, **options: Any) -> Any:
        from urllib.parse import urlencode

        page = new_page(**options)
        pages.append(page)
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
        page.goto(f"{view_url}/?{urlencode({'system_0': output, 'system_1': 'x', 'references': references})}")
        page.wait_for_selector(".effects tbody tr")
        return page

    yield open_
    for page in pages:
        page.close()
    assert not faults


@pytest.mark.browser
def test_words_and_rows_belong_together(visit) -> None:
    """Hovering a word says its number and lights its row, choosing it chooses the row, which can be tried."""
    page = visit()
    dead = page.locator(".worth .e6")
    dead.hover()
    assert page.locator(".tip").inner_text() == worth.tip(
        effects_of("gtm", texts_of(OUTPUT, REFERENCES))[6], texts_of(OUTPUT, REFERENCES), GTM
    )
    assert page.locator(".effects .lit").get_attribute("data-n") == "6"
    page.locator(".effects tr[data-n='0']").hover()
    assert page.locator(".worth .lit").inner_text() == "the" and page.locator(".tip").count() == 0
    dead.click()
    page.wait_for_selector(".worth .e6.sel")
    assert page.locator(".effects tr[aria-selected=true]").get_attribute("data-n") == "6"
    page.locator(".effects tr[data-n='6']").focus()
    page.keyboard.press("Escape")
    page.wait_for_selector(".worth:not(:has(.sel))")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_selector(".worth .sel")
    page.get_by_role("button", name="Try it").click()
    page.wait_for_function("document.body.innerText.includes('view: whatif, what if: the gunman')")


@pytest.mark.browser
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_nothing_is_broader_than_the_page(visit, options) -> None:
    hostile = "<img src=x onerror=alert(1)> $x$ %{x} \u202eevil שלום עולם " + "w" * 300
    page = visit(hostile, hostile[::-1] + "\n" + "z" * 300, **options)
    for scheme in ("light", "dark"):
        paint(page, scheme)
        width = page.evaluate("document.documentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for place in (".worth", ".effects", ".fx"):
            box = page.locator(place).first.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (scheme, place)
