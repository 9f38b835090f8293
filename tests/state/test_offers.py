"""Tests that a setting is offered where scores are 0 without it, and that turning it off is offered afterwards."""

import pytest

import metrics
from metrics.types import Segment
from viz.state.offers import offer


def score_of(candidate, reference, key="bleu", **settings):
    segment = Segment(tuple(candidate.split()), (tuple(reference.split()),))
    return metrics.METRICS[key].score(segment, metrics.settings(key, **settings))


ZERO = "the old cat sat down", "the old cat lay there"


@pytest.mark.parametrize(
    ("results", "told", "says"),
    [
        ([score_of(*ZERO)], "smoothing=exp", "Use smoothing “exp”: "),
        ([score_of(*ZERO), score_of("the old cat sat", ZERO[1])], "smoothing=exp", " and "),
        ([score_of("the old cat", "the old cat lay there")], "effective_order=True", "Use effective order: "),
        ([score_of(*ZERO, smoothing="exp")], "smoothing=none", "Turn off smoothing “exp”: 0.000"),
        ([score_of(*ZERO, smoothing="floor")], "smoothing=none", "Turn off smoothing “floor”: 0.000"),
        (
            [score_of("the old cat", ZERO[1], effective_order=True)],
            "effective_order=False",
            "Turn off effective order: 0.000",
        ),
    ],
)
def test_what_is_offered(results, told, says):
    found = offer(results)
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
        [score_of("a b c d", "a b c d")],
        [score_of("x y z", "a b c")],  # no setting makes words match
        [score_of(*ZERO), score_of("the old cat lay", ZERO[1])],  # only one of both scores is 0
        [score_of("a b c d e", "a b c d e", smoothing="exp")],  # the score is as good without smoothing
        [score_of(*ZERO, max_order=2)],
        [score_of("x", "a", "gtm")],
    ],
)
def test_where_nothing_is_offered(results):
    assert offer(results) is None
