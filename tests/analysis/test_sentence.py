"""The sentence that says why B is better: its numbers are the ledger's, its words the texts', it leaves little out."""

import math
import re

import pytest
from cases import CASES, KEYS, all_pairs, pairs, results
from tables import every_row

import metrics
from metrics.analysis.sentence import Shown, groups, plain, sentence
from metrics.types import signed

NUMBER = re.compile(r"(?<![\w.])[+−]\d+\.\d+")


def said(before, after, **given):
    return sentence(metrics.METRICS[before.metric], before, after, **given)


def check(before, after):
    """The sentence of a pair, whose numbers and words are compared with the ledger and the texts."""
    steps = metrics.ledger(before, after)
    parts = said(before, after, steps=steps)
    told = "".join(part.text for part in parts if not part.is_words)
    assert plain(parts) == metrics.explain(before, after) and told.endswith(".") and ".." not in told
    change = after.score - before.score
    numbers = NUMBER.findall(told)
    if abs(change) >= 1e-9:
        digits = len(numbers[0].partition(".")[2])
        assert numbers.pop(0) == signed(change, digits)
        if told.startswith("All of"):
            numbers = [signed(change, digits)]
    else:
        digits = len(numbers[0].partition(".")[2]) if numbers else 3
    shares = [group.share for group in groups(steps)]
    assert math.isclose(math.fsum(shares), change, abs_tol=1e-12)
    named, rest = shares[: len(numbers)], shares[len(numbers) :]
    assert numbers == [signed(share, digits) for share in named], "the largest shares, in their order"
    left = math.fsum(map(abs, rest))
    assert left < math.fsum(map(abs, named)) or left < 1e-9
    texts = [
        " ".join(words) for words in (before.segment.candidate, after.segment.candidate, *before.segment.references)
    ]
    for part in parts:
        if part.is_words:
            assert all(any(piece in text for text in texts) for piece in part.text.split(" … "))
    return plain(parts)


@pytest.mark.parametrize("key", KEYS)
def test_its_numbers_are_the_ledgers_and_it_leaves_little_out(key):
    told = {check(*results(key, *pair)).split(" ")[0] for pair in all_pairs()}
    assert {"Of", "All", "Both"} - told <= {"Both", "Of"} and "All" in told


@every_row(("key", "given"), CASES)
def test_it_does_so_with_every_setting(key, given):
    for a, b, references in pairs(12, 5):
        check(*results(key, a, b, references, **given))


POLICE = "police killed the gunman"
AS_BEFORE = "what has changed counts as much as before"
SENTENCES = [  # metric, A, B, settings, the sentence
    (
        "gtm",
        "the gunman kill police",
        "police killed the big gunman",
        {},
        "Of +0.144, +0.174 is longer runs: “police killed the”; one extra word costs −0.075 (new without a "
        "match: “big”); +0.044 is more matched words: “killed”.",
    ),
    ("gtm", "the gunman kill police", "police kill the gunman", {}, f"Both score 0.559: {AS_BEFORE}."),
    ("rouge_l", POLICE, POLICE, {}, "A and B are the same, word for word."),
    ("rouge_n", "x", "y", {}, "Both score 0.000: no word of either is matched."),
    ("rouge_n", "police x", "police y", {}, "Both score 0.333: nothing that counts has changed."),
    (
        "rouge_n",
        "police x",
        "police killed x y",
        {},
        "Of +0.167, +0.292 is more matched words: “killed”; two extra words cost −0.125 (new without a match: “y”).",
    ),
    (
        "rouge_n",
        "police x x",
        "police",
        {},
        "All of +0.114 is what two words fewer give (gone without a match: “x x”).",
    ),
    ("wer", POLICE, "police kill the", {}, "All of +0.500, which is worse, is two edits more: “kill” and “gunman”."),
    ("wer", "police kill the", POLICE, {}, "All of −0.500, which is better, is two edits fewer: “kill” and “gunman”."),
    ("wer", "police kill the gunman", "police slew the gunman", {}, f"Both score 0.250: {AS_BEFORE}."),
    (
        "meteor",
        "killed the gunman police",
        POLICE,
        {"stages": ("exact",)},
        "All of +0.062 is fewer chunks, mainly “police”.",
    ),
    (
        "ribes",
        "the gunman killed police",
        POLICE,
        {},
        "All of +0.833 is fewer discordant pairs, mainly “killed police”.",
    ),
    (
        "bleu",
        "the gunman x",
        "police killed x",
        {},
        "Both score 0.000: no 3-gram matches, which makes the score 0; the smoothing “exp” counts a little for it.",
    ),
    (
        "per",
        "police killed",
        "police killed the x y",
        {},
        "Both score 0.500, for the changes cancel: −0.125 is more matched words: “the”; three extra words cost +0.125 "
        "(new without a match: “x y”).",
    ),
    (  # what has only moved is neither lost nor gained
        "per",
        "the x killed police",
        "police killed the gunman",
        {},
        "All of −0.250, which is better, is more matched words: “gunman”.",
    ),
    (
        "rouge_n",
        "x killed police",
        "police killed x gunman",
        {},
        "Of +0.179, +0.268 is more matched words: “gunman”; one extra word costs −0.089.",
    ),
    (
        "meteor",
        "police x",
        "y police killed the gunman",
        {},
        "Of +0.836, +0.604 is more matched words: “killed the gunman”; three extra words give +0.232 (room for more "
        "words that match).",
    ),
]


@pytest.mark.parametrize(("key", "a", "b", "given", "expected"), SENTENCES)
def test_sentences(key, a, b, given, expected):
    pair = results(key, a.split(), b.split(), [POLICE.split()], **given)
    assert metrics.explain(*pair) == expected == check(*pair)


def test_of_a_word_that_moved_and_came_once_more_one_is_named():
    a, b = "cat on cat on on mat sat".split(), "cat sat sat on mat cat on".split()
    pair = results("per", a, b, ["on mat sat big the".split(), "the the on sat big sat mat".split()])
    assert check(*pair) == "All of −0.143, which is better, is more matched words: “sat”."


def test_the_words_shown_are_quoted():
    pair = results("rouge_l", ["police", "x"], ["police", "kill"], [["police", "kill", "men"]])
    shown = Shown(["Police", "X"], ["Police", "Killed"], [["Police", "killed", "men"]])
    quoted = [part.text for part in said(*pair, shown=shown) if part.is_words]
    assert quoted == ["Killed"] and metrics.explain(*pair).endswith("more matched words: “kill”.")


def test_what_cannot_be_printed_is_replaced():
    before, after = results("gtm", ["a"], ["a", "\x1b[2J\n", "b"], [["a", "\x1b[2J\n", "b"]])
    assert "“a �[2J� b”" in metrics.explain(before, after)


def test_all_of_a_difference_is_what_the_ledger_shows_for_it():
    reference = list("edefffbffeeecaeddbac")
    before, after = results("meteor", ["e", "a", *reference[2:]], reference, [reference])
    assert check(before, after) == "Of +0.051, +0.050 is more matched words: “d”."


def test_a_missing_word_is_quoted_from_the_reference():
    pair = results("wer", ["a", "b"], ["a"], [["a", "b"]])
    shown = Shown(["A", "B"], ["A"], [["A", "Bee"]])
    assert [part.text for part in said(*pair, shown=shown) if part.is_words] == ["Bee"]


def test_a_long_phrase_is_shortened():
    words = [f"w{n}" for n in range(12)]
    assert "“w0 w1 w2 w3 … w8 w9 w10 w11”" in metrics.explain(*results("gtm", [], words, [words]))


def test_a_small_difference_has_the_decimals_that_it_needs():
    words = [f"w{n}" for n in range(2000)]
    told = check(*results("rouge_l", ["x", *words], words, [words]))
    assert told.startswith("All of +0.0002 is what one word fewer gives")


def test_results_that_cannot_be_compared():
    with pytest.raises(ValueError, match="one metric"):
        metrics.explain(metrics.score("gtm", ["a"], [["a"]]), metrics.score("wer", ["a"], [["a"]]))
