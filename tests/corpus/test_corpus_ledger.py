"""Tests of corpus ledgers: shares sum exactly for every metric, and prices equal a slow numerical integral."""

import dataclasses
import math
import random

import numpy as np
import pytest

import metrics
from metrics.analysis import changes
from metrics.corpus import ledger
from metrics.corpus.table import StatisticsTable, score_table
from tests.helpers.corpora import SYSTEMS, load_segments

SUMMED = [key for key, metric in metrics.METRICS.items() if metric.pooling == "sum"]


def corpus_score_of(key, system, **given):
    return metrics.corpus_score(key, [s.candidate for s in system], [s.references for s in system], **given).score


@pytest.mark.slow
@pytest.mark.parametrize("key", metrics.METRICS)
def test_causes_and_segments_sum_to_the_difference(key):
    chance = random.Random(key)
    metric = metrics.METRICS[key]
    for size in (60, 17, 3, 1, 1):
        a, b = (load_segments(name) for name in chance.sample(SYSTEMS, 2))
        part = sorted(chance.sample(range(len(a)), min(size, len(a))))
        a, b = ([system[n] for n in part] for system in (a, b))
        found = ledger.corpus_ledger(metric, metrics.settings(key), a, b)
        difference = corpus_score_of(key, b) - corpus_score_of(key, a)
        assert found.delta == pytest.approx(difference, abs=1e-12)
        assert sum(step.share for step in found.steps) == pytest.approx(difference, abs=1e-9)
        assert sum(found.worth) == pytest.approx(difference, abs=1e-9) and len(found.worth) == len(part)
        assert all(step.low <= step.high for step in found.steps)
        for same, worth in zip(
            [x.candidate == y.candidate for x, y in zip(a, b, strict=True)], found.worth, strict=True
        ):
            assert not (same and abs(worth) > 1e-12)


@pytest.mark.parametrize("smoothing", ["floor", "exp", "add_k"])
def test_a_count_that_leaves_nothing_has_the_jump(smoothing):
    """Check that the ledger is exact where a count is 0 in one system and positive in the other.

    A matches no 3-gram and no 4-gram; B matches all n-grams."""
    a = [metrics.types.Segment(("a", "b", "x", "d", "e"), (tuple("abcde"),))]
    b = [metrics.types.Segment(tuple("abcde"), (tuple("abcde"),))]
    found = metrics.corpus_ledger(
        "bleu", [s.candidate for s in a], [s.candidate for s in b], [s.references for s in a], smoothing=smoothing
    )
    assert found.delta > 0
    assert sum(found.worth) == pytest.approx(found.delta, abs=1e-9)


def randomly_edited(chance, words):
    """Return `words` with up to two random edits: a word inserted, deleted or replaced.

    `chance` is the random generator."""
    out = list(words)
    for _ in range(chance.choice((0, 1, 1, 2))):
        at = chance.randrange(len(out) + 1)
        out[at : at + chance.randint(0, 1)] = chance.choice(([], ["y"], ["z"]))
    return tuple(out)


@pytest.mark.parametrize("key", ["wer", "ter", "per"])
def test_a_worth_is_zero_where_the_errors_are_as_many(key):
    """Check that a segment's worth is exactly 0 where both systems make the same number of errors in it.

    The costs of equal errors cancel; rounding must leave no remainder that looks like a worth."""
    chance, metric, settings = random.Random(key), metrics.METRICS[key], metrics.settings(key)
    for _ in range(60):
        texts = [tuple(chance.choices("abcdefg", k=chance.randint(3, 9))) for _ in range(chance.randint(5, 40))]
        a, b = ([metrics.types.Segment(randomly_edited(chance, words), (words,)) for words in texts] for _ in "ab")
        found = ledger.corpus_ledger(metric, settings, a, b)
        errors = [[round(metric.score(s, settings).score * len(s.references[0])) for s in system] for system in (a, b)]
        assert [worth == 0 for worth in found.worth] == [ours == theirs for ours, theirs in zip(*errors, strict=True)]
        assert math.fsum(found.worth) == pytest.approx(found.delta, abs=1e-14)


#: Settings that change a metric's formula, tested in addition to the defaults.
OTHERS = [
    *(("bleu", {"smoothing": "exp"}), ("bleu", {"smoothing": "floor", "max_order": 2})),
    *(("bleu", {"smoothing": "add_k", "max_order": 5}), ("bleu", {"effective_order": True})),
    *(("nist", {"max_order": 2}), ("rouge_n", {"order": 2, "multi_reference": "jackknife"})),
    ("rouge_l", {"f_measure": "lin_och", "multi_reference": "sum"}),
    *(("rouge_s", {"max_skip": 3, "unigrams": True, "multi_reference": "best_recall"}), ("gtm", {"exponent": 1.0})),
    *(("sia", {"iterative": False, "length_penalty": False}), ("meteor", {"alpha": 0.5, "gamma": 1.0})),
    *(("ribes", {"beta": 1.0}), ("ter", {"max_shift_distance": 1})),
]


def reduced_pairs(key, given, chance):
    """Yield pairs of real systems, cut to 40 or fewer segments, with some candidates and references emptied."""
    for size in (40, 6, 2, 1, 1, 1):
        a, b = (load_segments(name) for name in chance.sample(SYSTEMS, 2))
        part = chance.sample(range(len(a)), size)
        kept = [(chance.random() < 0.8, chance.random() < 0.8, chance.random() < 0.9) for _ in part]
        yield [
            [
                s._replace(candidate=s.candidate if each[side] else (), references=s.references if each[2] else ((),))
                for s, each in zip([system[n] for n in part], kept, strict=True)
            ]
            for side, system in enumerate((a, b))
        ]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "given"), [*((key, {}) for key in metrics.METRICS), *OTHERS])
def test_back_and_forth_are_one_way_in_any_order(key, given):
    """Check that the ledger from B to A is the one from A to B with opposite signs.

    The order of the segments makes no difference either."""
    chance = random.Random(f"{key}{given}")
    metric, settings = metrics.METRICS[key], metrics.settings(key, **given)
    for a, b in reduced_pairs(key, given, chance):
        forth, back = (ledger.corpus_ledger(metric, settings, *pair) for pair in ((a, b), (b, a)))
        assert forth.delta == pytest.approx(
            corpus_score_of(key, b, **given) - corpus_score_of(key, a, **given), abs=1e-12
        )
        assert sum(step.share for step in forth.steps) == pytest.approx(forth.delta, abs=1e-9)
        assert sum(forth.worth) == pytest.approx(forth.delta, abs=1e-9)
        order = chance.sample(range(len(a)), len(a))
        mixed = ledger.corpus_ledger(metric, settings, *([each[n] for n in order] for each in (a, b)))
        shares, others, again = (
            {(step.cause, step.name): step.share for step in found.steps if abs(step.share) > 1e-12}
            for found in (forth, back, mixed)
        )
        assert shares == pytest.approx({player: -share for player, share in others.items()}, abs=1e-9)
        assert shares == pytest.approx(again, abs=1e-9)
        assert forth.worth == pytest.approx([-worth for worth in back.worth], abs=1e-9)
        assert [forth.worth[n] for n in order] == pytest.approx(mixed.worth, abs=1e-9)
        assert all(abs(worth) < 1e-12 for x, y, worth in zip(a, b, forth.worth, strict=True) if x == y)
        assert all(step.low <= step.high for step in forth.steps)
        assert all(-2 <= step.share / metric.most <= 2 for step in forth.steps if metric.most < math.inf)
        if len(a) == 1:  # every resample equals the corpus
            assert all(step.low == pytest.approx(step.share, abs=1e-9) == step.high for step in forth.steps)


def test_what_is_all_gone_is_not_divided_by():
    """Check that shares stay small where B is empty, so that a length falls to 0 between the systems.

    Rounding once left 1e-15 of that length, and dividing by it gave a share of 1e14."""
    words = "It's basically you have a chain of elements.".split()
    given = {"max_order": 6, "smoothing": "exp", "effective_order": True}
    found = metrics.corpus_ledger("bleu", [words], [[]], [[["So", *words[1:]]]], **given)
    assert all(abs(step.share) < 1 for step in found.steps)


def slow_prices(found: StatisticsTable, points=4000):
    """Return the price of each statistic: the mean slope of the corpus score by it, on the way from A's sums to B's.

    The integral is taken by the midpoint rule at `points` points, with central differences, in plain floats."""
    before, after = found.statistics.sum(axis=1)
    way = after - before
    out = np.zeros(len(way))

    def score_at(sums):
        return found.metric.from_stats(dict(zip(found.names, map(float, sums), strict=True)), found.settings).score

    for n in np.flatnonzero(found.statistics.any(axis=(0, 1))):
        for t in (np.arange(points) + 0.5) / points:
            here = before + t * way
            step = np.zeros(len(way))
            step[n] = 1e-5 * here[n]
            out[n] += (score_at(here + step) - score_at(here - step)) / (2 * step[n]) / points
    return out


@pytest.mark.slow
@pytest.mark.parametrize("key", SUMMED)
def test_prices_are_the_mean_slopes_on_the_way(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    a, b = load_segments(SYSTEMS[0]), load_segments(SYSTEMS[1])
    found = score_table(metric, settings, [a, b])
    assert ledger.statistic_prices(found) == pytest.approx(
        slow_prices(found), abs=2e-6 * max(1.0, *found.corpus_scores())
    )


@pytest.mark.slow
def test_the_way_is_divided_where_the_brevity_penalty_ends():
    """Check the prices (mean slopes of the score) where A has a brevity penalty and B has none.

    A is shorter than its references and B is longer, so the slope by candidate length jumps between them."""
    metric, settings = metrics.METRICS["bleu"], metrics.settings("bleu")
    b = [s._replace(candidate=(*s.candidate, "too", "much", "here")) for s in load_segments(SYSTEMS[1], 1)]
    a = [s._replace(candidate=s.candidate[:-1]) for s in load_segments(SYSTEMS[0], 1)]
    found = score_table(metric, settings, [a, b])
    sums = dict(zip(found.names, found.statistics.sum(axis=1).T, strict=True))
    assert sums["candidate_length"][0] < sums["reference_length"][0] < sums["candidate_length"][1]
    assert ledger.statistic_prices(found) == pytest.approx(slow_prices(found), abs=5e-6)


@pytest.mark.parametrize("key", SUMMED)
def test_a_ledger_by_roles_sums_too(key):
    found = score_table(metrics.METRICS[key], metrics.settings(key), [load_segments(name) for name in SYSTEMS[:2]])
    steps = ledger.ledger_from_roles(found)
    assert sum(step.share for step in steps.steps) == pytest.approx(steps.delta, abs=1e-12)
    assert sum(steps.worth) == pytest.approx(steps.delta, abs=1e-9)


@pytest.mark.parametrize("key", SUMMED)
def test_roles_alone_say_nearly_what_the_texts_say(key):
    """Check that the quick ledger, from the statistics alone, agrees with the full one to a tenth of the difference."""
    given = metrics.METRICS[key], metrics.settings(key)
    pair = [load_segments(name) for name in SYSTEMS[:2]]
    quick, whole = ledger.ledger_from_roles(score_table(*given, pair)), ledger.corpus_ledger(*given, *pair)

    def shares(found):
        out: dict[str, float] = {}
        for step in found.steps:  # the roles cannot tell runs from words where one statistic counts both
            cause = "matches" if step.cause == "contiguity" else step.cause
            out[cause] = out.get(cause, 0.0) + step.share
        return out

    assert shares(quick) == pytest.approx(shares(whole), abs=0.1 * abs(quick.delta))


def test_a_mean_has_the_causes_of_its_sentences():
    a, b = (load_segments(name) for name in SYSTEMS[:2])
    of_cause: dict[str, float] = {}
    for x, y in zip(a, b, strict=True):
        if x.candidate != y.candidate:
            ours, theirs = (metrics.score("rouge_w", s.candidate, s.references) for s in (x, y))
            for change in changes.ledger(metrics.METRICS["rouge_w"], ours, theirs, lengths=True):
                of_cause[change.cause] = of_cause.get(change.cause, 0.0) + change.share / len(a)
    found = ledger.corpus_ledger(metrics.METRICS["rouge_w"], metrics.settings("rouge_w"), a, b)
    assert {step.cause: step.share for step in found.steps} == pytest.approx(of_cause, abs=1e-13)


def test_the_orders_of_bleu_stand_apart_beside_its_brevity():
    a, b = (load_segments(name) for name in SYSTEMS[:2])
    shorter = [s._replace(candidate=s.candidate[:-2]) for s in b]
    found = ledger.corpus_ledger(metrics.METRICS["bleu"], metrics.settings("bleu"), a, shorter)
    assert {(step.cause, step.name) for step in found.steps} == {
        *(("matches", f"{n}-grams") for n in (1, 2, 3, 4)),
        ("length", ""),
        ("penalty", "brevity penalty"),
    }


def test_systems_need_the_same_segments():
    a = load_segments(SYSTEMS[0])
    metric, settings = metrics.METRICS["per"], metrics.settings("per")
    with pytest.raises(ValueError, match="same segments, at least one; got 60 and 59"):
        ledger.corpus_ledger(metric, settings, a, a[1:])
    with pytest.raises(ValueError, match="segment 2: both systems need the same references"):
        ledger.corpus_ledger(metric, settings, a, [a[0], a[2], *a[2:]])


@pytest.mark.slow
def test_many_orders_of_n_grams():
    """Check that a ledger stays exact with twelve n-gram orders, each a cause of its own, and the length as a cause."""
    a, b = (load_segments(name)[:2] for name in SYSTEMS[:2])
    metric = metrics.METRICS["bleu"]
    most = 12  # the highest order, which makes more causes than any real sentence has
    found = ledger.corpus_ledger(metric, metrics.settings("bleu", max_order=most, smoothing="add_k"), a, b)
    assert sum(step.share for step in found.steps) == pytest.approx(found.delta, abs=1e-12)
    assert len([step for step in found.steps if step.cause == "matches"]) > 4


PAIR = [["a", "b"], ["c"]], [["a"], ["c"]], [[["a", "b"]], [["c", "d"]]]


@pytest.mark.parametrize(
    ("at", "wrong", "error", "said"),
    [
        (0, PAIR[0][:1], ValueError, "every candidate needs its references: got 1 candidate in a and 2 sets"),
        (1, PAIR[1][:1], ValueError, "every candidate needs its references: got 1 candidate in b and 2 sets"),
        (2, PAIR[2][:1], ValueError, "every candidate needs its references: got 2 candidates in a and 1 set"),
        (0, None, TypeError, "a must be a list with an entry for each segment, got NoneType"),
        (1, "ab", TypeError, "b must be a list with an entry for each segment, got str"),
        (2, 5, TypeError, "reference_sets must be a list with an entry for each segment, got int"),
        (1, [["a"], None], TypeError, "segment 2: candidate must be a sequence of tokens, got NoneType"),
        (2, [[["a"]], []], ValueError, "segment 2: references must hold at least one reference, got none"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(at, wrong, error, said):
    given = [*PAIR]
    given[at] = wrong
    with pytest.raises(error) as found:
        metrics.corpus_ledger("bleu", *given)
    assert str(found.value) == said


def test_wrong_keys_settings_and_nothing():
    for arguments, given, said in (
        (("bleu", [], [], []), {}, "a corpus must have at least one segment, got none"),
        (("nope", *PAIR), {}, "metric must be one of bleu, "),
        (("gtm", *PAIR), {"exponent": math.nan}, "exponent must be at least 1, got nan"),
        (("gtm", *PAIR), {"power": 2}, "gtm has the settings exponent, solver; got 'power'"),
    ):
        with pytest.raises(ValueError, match=said):
            metrics.corpus_ledger(*arguments, **given)


def test_texts_may_be_read_once_only():
    each = metrics.corpus_ledger("per", *map(iter, PAIR)), metrics.corpus_ledger("per", *PAIR)
    assert each[0].worth == each[1].worth and each[0].steps == each[1].steps


@pytest.mark.parametrize("key", ["gtm", "rouge_l"])
def test_a_segment_that_is_too_hard_to_explain_is_named(key):
    """Check that the error names the segment whose marks take too much work, even where its statistics are cheap."""
    metric = metrics.METRICS[key]

    def align(segment, settings, marks):
        if marks and segment.candidate == tuple(PAIR[1][0]):
            raise metrics.types.TooHard("too many possible")
        return metric.align(segment, settings, marks)

    a, b = (metrics._segments(each, PAIR[2], "a", "a")[::-1] for each in PAIR[:2])
    hard = dataclasses.replace(metric, align=align)
    with pytest.raises(metrics.types.TooHard, match=r"^segment 2: too many possible$"):
        ledger.corpus_ledger(hard, metrics.settings(key), a, b)
