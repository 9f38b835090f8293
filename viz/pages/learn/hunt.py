"""Check a reader's counterexample to greedy matching, and read how often greedy matching was right on real data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from metrics.catalogue.gtm import greedy
from metrics.catalogue.gtm.greedy import GreedyCase
from metrics.text import TextSettings
from metrics.types import TooHard

from ...state.results.memory import remembered
from ...state.texts import inputs
from ...state.texts.inputs import MissingText, TextLimits

SOLVERS = ("greedy", "exact")  # the compared values of the setting `solver`
ROOM = TextLimits(
    words=16,
    ask="Write a candidate and a reference; letters with spaces between will do.",
    advice="",
    fit="fit the hunt",
    shorten="",
)
MEASURED = Path(__file__).parent / "chapters" / "greedy.json"
PAPER_SHARE = 0.99  # the share that Turian, Shen and Melamed (2003) report in section 2.2
PAPER_LEAST = 0.8  # the least ratio of greedy's size to the largest size, from the same section


class HuntVerdict(NamedTuple):
    """The verdict on sentences that a reader tries as a counterexample to greedy matching.

    Attributes:
        is_counterexample: whether greedy matching misses the largest matching of the sentences.
        says: the verdict in words.
        judged_pair: the sizes of the matchings by both solvers; None if the sentences could not be matched."""

    is_counterexample: bool
    says: str
    judged_pair: GreedyCase | None = None


class GreedyFigure(NamedTuple):
    """A measurement of how often greedy matching finds the largest matching.

    Attributes:
        name: the name of the data.
        statement: what the data are.
        exponent: GTM's exponent in the measurement.
        pairs: the number of measured pairs.
        largest: the number of pairs for which greedy finds the largest matching.
        unknown: the number of pairs for which the exact solver gave up.
        least: the least ratio of greedy's size to the largest size."""

    name: str
    statement: str
    exponent: float
    pairs: int
    largest: int
    unknown: int
    least: float


def judge_counterexample(candidate: str, reference: str, exponent: float = 2.0) -> HuntVerdict:
    """Return whether two typed sentences are a counterexample to greedy matching with GTM's `exponent`.

    The verdict also says how far they are from the smallest counterexample."""
    texts = inputs.read_texts(candidate, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(texts, MissingText):
        return HuntVerdict(False, str(texts))
    try:
        judged_pair = greedy.compare_with_largest(texts.segment.candidate, texts.segment.references[0], exponent)
    except TooHard as error:
        return HuntVerdict(False, f"This cannot be judged: {error}.")
    if not judged_pair.best:
        return HuntVerdict(False, "No word is in both sentences, so there is nothing to match.", judged_pair)
    if not judged_pair.greedy_is_smaller:
        return HuntVerdict(
            False, f"No: the greedy matching adds up to {judged_pair.best:g}, and none adds up to more.", judged_pair
        )
    best = smallest_counterexamples(exponent)
    least = best[0].word_count if best else 0
    size = f"It has {judged_pair.word_count} words"
    compared = (
        f"{size}; the smallest has {least}." if judged_pair.word_count > least else f"{size}, and none has fewer."
    )
    return HuntVerdict(
        True,
        f"Yes: greedy adds up to {judged_pair.greedy:g}, and {judged_pair.best:g} is possible. {compared}",
        judged_pair,
    )


@remembered
def smallest_counterexamples(exponent: float = 2.0) -> tuple[GreedyCase, ...]:
    """Return the counterexamples with the fewest words for GTM's `exponent`; cached."""
    return greedy.smallest_counterexamples(exponent)


def read_measurements() -> tuple[GreedyFigure, ...]:
    """Return the measurements that `make greedy` has written to a file, the one on the tests' sample first."""
    return tuple([GreedyFigure(**each) for each in json.loads(MEASURED.read_text(encoding="utf-8"))])
