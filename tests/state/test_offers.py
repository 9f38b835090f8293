"""Tests of the offer of a setting, such as smoothing, with which a score of 0 becomes larger.

Once the setting is on, turning it off is offered."""

import pytest

import metrics
from metrics.types import Segment
from viz.state.results.offers import find_offer


def result_of(candidate, reference, key="bleu", **settings):
    segment = Segment(tuple(candidate.split()), (tuple(reference.split()),))
    return metrics.METRICS[key].score(segment, metrics.settings(key, **settings))


ZERO = "the old cat sat down", "the old cat lay there"


@pytest.mark.parametrize(
    ("results", "told", "says"),
    [
        ([result_of(*ZERO)], "smoothing=exp", "Use smoothing “exp”: "),
        ([result_of(*ZERO), result_of("the old cat sat", ZERO[1])], "smoothing=exp", " and "),
        ([result_of("the old cat", "the old cat lay there")], "effective_order=True", "Use effective order: "),
        ([result_of(*ZERO, smoothing="exp")], "smoothing=none", "Turn off smoothing “exp”: 0.000"),
        ([result_of(*ZERO, smoothing="floor")], "smoothing=none", "Turn off smoothing “floor”: 0.000"),
        (
            [result_of("the old cat", ZERO[1], effective_order=True)],
            "effective_order=False",
            "Turn off effective order: 0.000",
        ),
    ],
)
def test_what_is_offered(results, told, says):
    found = find_offer(results)
    assert found and found.event == told and says in found.says
    lifted = [
        metrics.METRICS["bleu"].score(each.segment, metrics.settings("bleu", **{found.name: found.value})).score
        for each in results
    ]
    written = found.says.rpartition(": ")[2].split(" and ")
    assert written == [f"{score:.3f}" for score in lifted], "it says what it gives"
    assert all(bool(score) != bool(each.score) for score, each in zip(lifted, results, strict=True))


@pytest.mark.parametrize(
    "results",
    [
        [result_of("a b c d", "a b c d")],
        [result_of("x y z", "a b c")],  # no setting makes words match
        [result_of(*ZERO), result_of("the old cat lay", ZERO[1])],  # only one of both scores is 0
        [result_of("a b c d e", "a b c d e", smoothing="exp")],  # the score is as good without smoothing
        [result_of(*ZERO, max_order=2)],
        [result_of("x", "a", "gtm")],
    ],
)
def test_where_nothing_is_offered(results):
    assert find_offer(results) is None
