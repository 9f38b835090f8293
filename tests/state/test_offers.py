"""A click on a setting is offered where scores are 0 for want of it, and where they would be without it."""

import pytest

import metrics
from metrics.types import Segment
from viz.state.offers import offer


def of(candidate, reference, key="bleu", **settings):
    segment = Segment(tuple(candidate.split()), (tuple(reference.split()),))
    return metrics.METRICS[key].score(segment, metrics.settings(key, **settings))


ZERO = "the old cat sat down", "the old cat lay there"


@pytest.mark.parametrize(
    ("results", "told", "says"),
    [
        ([of(*ZERO)], "smoothing=exp", "Use smoothing “exp”: "),
        ([of(*ZERO), of("the old cat sat", ZERO[1])], "smoothing=exp", " and "),
        ([of("the old cat", "the old cat lay there")], "effective_order=True", "Use effective order: "),
        ([of(*ZERO, smoothing="exp")], "smoothing=none", "Turn off smoothing “exp”: 0.000"),
        ([of(*ZERO, smoothing="floor")], "smoothing=none", "Turn off smoothing “floor”: 0.000"),
        (
            [of("the old cat", ZERO[1], effective_order=True)],
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
        [of("a b c d", "a b c d")],
        [of("x y z", "a b c")],  # no setting gives words that match
        [of(*ZERO), of("the old cat lay", ZERO[1])],  # only one of both is 0
        [of("a b c d e", "a b c d e", smoothing="exp")],  # as good without it
        [of(*ZERO, max_order=2)],
        [of("x", "a", "gtm")],
    ],
)
def test_where_nothing_is_offered(results):
    assert offer(results) is None
