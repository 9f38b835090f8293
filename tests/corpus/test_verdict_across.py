"""Tests of the verdict across metrics, the deciding words and the rarer errors, against slow counts."""

import random
from itertools import combinations

import pytest

import metrics
from metrics import METRICS
from metrics.analysis.error_classes import ErrorClass
from metrics.corpus.errors import ErrorCount
from metrics.corpus.explanations import across_metrics, deciding_words, why
from metrics.corpus.explanations.across_metrics import Vote
from metrics.corpus.explanations.patterns import error_difference_sentence
from metrics.corpus.explanations.segments import pick_stories
from metrics.corpus.ledger import corpus_ledger
from tests.helpers.corpora import SYSTEMS, load_segments


def make_votes(**given):
    return [Vote(METRICS[key], *each) for key, each in given.items()]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"bleu": (0.02, 0.001), "nist": (-0.1, 0.2), "chrf": (0.01, 0.01), "ter": (-0.01, 0.3)},
            "chrF and BLEU prefer B, beyond chance. 3 of 4 metrics prefer B, 2 beyond chance; 1 prefers A, which may "
            "be chance: NIST.",
        ),
        (
            {"bleu": (0.02, 0.2), "chrf": (-0.01, 0.01), "ter": (0.01, 0.04)},
            "chrF prefers A, beyond chance; BLEU prefers B, which may be chance. 2 of 3 metrics prefer A, all beyond "
            "chance; 1 prefers B, which may be chance: BLEU.",
        ),
        # A difference that rounds to 0.0000 names a system all the same; only equal scores name none.
        (
            {"ter": (0.02, 0.001), "wer": (-0.02, 0.9), "per": (0.00004, 0.001)},
            "2 of 3 metrics prefer A, all beyond chance; 1 prefers B, which may be chance: WER.",
        ),
        # Equal camps: the one with more metrics beyond chance comes first.
        (
            {"ter": (0.02, 0.001), "wer": (-0.02, 0.9), "per": (0.0, 1.0)},
            "1 of 3 metrics prefers A, beyond chance; 1 prefers B, which may be chance: WER; 1 sees no difference: "
            "PER.",
        ),
        ({"bleu": (0.02, None), "ter": (-0.01, None)}, "BLEU prefers B. 2 of 2 metrics prefer B."),
        ({"bleu": (0.0, 1.0)}, "BLEU prefers neither. 1 of 1 metric sees no difference."),
        ({}, ""),
    ],
)
def test_the_verdict_across_metrics(given, says):
    assert across_metrics.verdict_across_metrics(("A", "B"), make_votes(**given)) == says


def test_it_is_the_same_in_whatever_order_metrics_come():
    given = make_votes(bleu=(0.02, 0.001), nist=(-0.1, 0.2), chrf=(0.01, 0.01), ter=(-0.01, 0.3), per=(0.1, 0.001))
    first = across_metrics.verdict_across_metrics(("A", "B"), given)
    for seed in range(5):
        shuffled = random.Random(seed).sample(given, len(given))
        clauses = [across_metrics.main_metrics_clause(("A", "B"), votes) for votes in (shuffled, given)]
        assert clauses[0] == clauses[1] and first.startswith(clauses[0])
        assert camp_metrics(shuffled) == camp_metrics(given)


def camp_metrics(given):
    camps = across_metrics.group_into_camps(("A", "B"), given)
    return [(camp.name, {vote.metric.key for vote in camp.votes}) for camp in camps]


@pytest.mark.parametrize("key", METRICS)
@pytest.mark.parametrize("names", [*combinations(SYSTEMS, 2)])
def test_a_turned_ledger_is_that_from_b_to_a(key, names):
    a, b = ([*load_segments(name)[20:50]] for name in names)
    there, back = (corpus_ledger(METRICS[key], metrics.settings(key), *way).swapped for way in ((a, b), (b, a)))
    other = back.swapped
    assert other.delta == pytest.approx(there.delta, abs=1e-12) and other.scores == there.scores
    assert list(there.worth) == pytest.approx(list(other.worth), abs=1e-9)
    for name in ("share", "change"):
        ours, theirs = ({(s.cause, s.name): getattr(s, name) for s in found.steps} for found in (there, other))
        assert ours == pytest.approx(theirs, abs=1e-9)
    assert (there.low, there.high) == pytest.approx((other.low, other.high), abs=1e-9)
    assert there.edits == other.edits and there.is_beyond_chance == other.is_beyond_chance
    for cause, part in there.parts.items():
        assert part == pytest.approx(other.parts[cause], abs=1e-9)
    assert why.main_causes_text(METRICS[key], there, 4) == why.main_causes_text(METRICS[key], other, 4)


def occurs_in(words, text):
    return any(text[at : at + len(words)] == words for at in range(len(text) - len(words) + 1))


@pytest.mark.parametrize("seed", range(60))
def test_the_longest_new_run_is_that_of_a_slow_search(seed):
    chance = random.Random(seed)
    better, worse, *references = (tuple(chance.choices("abcd", k=chance.randrange(8))) for _ in range(4))
    found = deciding_words.longest_new_run(better, worse, references)
    # All runs of `better` that a reference has and `worse` has not: the search must find one of the longest.
    whole = [
        better[i:j]
        for i in range(len(better))
        for j in range(i + 1, len(better) + 1)
        if any(occurs_in(better[i:j], reference) for reference in references) and not occurs_in(better[i:j], worse)
    ]
    assert (found is None) == (not whole)
    if found:
        words = better[found.start : found.end]
        assert words == references[found.reference][found.reference_start : found.reference_start + found.length]
        assert len(words) == max(map(len, whole)) and not occurs_in(words, worse)


def test_words_that_decide():
    better, worse, references = (tuple(text.split()) for text in ("he was not there", "he is there", "he was not here"))
    long, nothing = ("w",) * (deciding_words.MOST + 1), frozenset()
    for ours, theirs, others, cause, expected in (
        (better, worse, [references], "matches", ({1, 2}, {1}, ({1, 2},))),
        (better, worse, [references], "contiguity", ({0, 1, 2}, {1}, ({0, 1, 2},))),
        (better, better, [references], "contiguity", (nothing, nothing, (nothing,))),
        (long, worse, [references, ()], "matches", (nothing, nothing, (nothing,) * 2)),
    ):
        assert deciding_words.find_deciding_words(ours, theirs, others, cause) == expected


def test_a_segment_of_longer_runs_quotes_the_longest_that_is_new():
    a, b = ["x the cat y sat on z mat".split()], ["w the cat sat on the mat v".split()]
    references = [["the cat sat on the mat".split()]]
    ledger = metrics.corpus_ledger("gtm", a, b, references, exponent=3.0)
    systems = [[metrics.types.Segment(tuple(each[0]), (tuple(references[0][0]),))] for each in (a, b)]
    (first, *_) = pick_stories(METRICS["gtm"], ledger, *systems, ("A", "B"), 4)
    assert first.cause == "contiguity" and first.says.startswith(first.why)
    assert "The longest run that only B has is “the cat sat on the mat”" in first.says


def test_errors_that_are_fewer_by_more_than_chance_are_named():
    def count(error, a, b, for_a, for_b, q):
        return ErrorCount(error, a, b, for_a, for_b, q, q)

    found = [
        count(ErrorClass.INFLECTION, 1796, 1379, 200, 400, 0.001),
        count(ErrorClass.ORDER, 30, 20, 3, 9, 0.2),
        count(ErrorClass.MISSING, 90, 120, 60, 30, 0.01),
        count(ErrorClass.EXTRA, 90, 91, 30, 60, 0.01),  # rarer in more segments, but more frequent in total
        count(ErrorClass.LEXICAL, 10, 5, 0, 12, 0.02),
    ]
    assert error_difference_sentence(("A", "B"), found) == (
        "B has fewer errors of inflection (1,796 → 1,379) and wrong words (10 → 5), but more missing words (90 → 120), "
        "beyond chance."
    )
    assert error_difference_sentence(("A", "B"), found[1:2]).startswith("No kind of error is rarer in B or in A")
