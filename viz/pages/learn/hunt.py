"""A reader's own counterexample to the greedy matching judged in words, and how often greedy was right on real data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from metrics.catalogue.gtm import greedy
from metrics.catalogue.gtm.greedy import GreedyCase
from metrics.text import TextSettings
from metrics.types import TooHard

from ...state import inputs
from ...state.inputs import MissingText, TextRoom
from ...state.memory import remembered

SOLVERS = ("greedy", "exact")  # what are compared, as a metric's setting names them
ROOM = TextRoom(
    words=16,
    ask="Write a candidate and a reference; letters with spaces between will do.",
    advice="",
    fit="fit the hunt",
    shorten="",
)
MEASURED = Path(__file__).parent / "chapters" / "greedy.json"
PAPER = 0.99  # the share that Turian, Shen and Melamed (2003) report in section 2.2
PAPER_LEAST = 0.8  # and the least share of the largest size


class HuntVerdict(NamedTuple):
    """Whether the reader's sentences are a counterexample, said in a sentence, and what both solvers find; None where
    they could not be judged."""

    right: bool
    says: str
    judged_pair: GreedyCase | None = None


class Figure(NamedTuple):
    """How often greedy found the largest matching, and on which data: its name, what it is, and its numbers."""

    name: str
    statement: str
    exponent: float
    pairs: int
    largest: int
    unknown: int
    least: float


def judge(candidate: str, reference: str, exponent: float = 2.0) -> HuntVerdict:
    """Whether two sentences of words are a counterexample, and how far from the smallest one."""
    texts = inputs.read(candidate, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(texts, MissingText):
        return HuntVerdict(False, str(texts))
    try:
        judged_pair = greedy.judged(texts.segment.candidate, texts.segment.references[0], exponent)
    except TooHard as error:
        return HuntVerdict(False, f"This cannot be judged: {error}.")
    if not judged_pair.best:
        return HuntVerdict(False, "No word is in both sentences, so there is nothing to match.", judged_pair)
    if not judged_pair.missed:
        return HuntVerdict(
            False, f"No: the greedy matching adds up to {judged_pair.best:g}, and none adds up to more.", judged_pair
        )
    best = smallest(exponent)
    least = best[0].words if best else 0
    size = f"It has {judged_pair.words} words"
    compared = f"{size}; the smallest has {least}." if judged_pair.words > least else f"{size}, and none has fewer."
    return HuntVerdict(
        True,
        f"Yes: greedy adds up to {judged_pair.greedy:g}, and {judged_pair.best:g} is possible. {compared}",
        judged_pair,
    )


@remembered
def smallest(exponent: float = 2.0) -> tuple[GreedyCase, ...]:
    """The smallest counterexamples, found once."""
    return greedy.smallest(exponent)


def measured() -> tuple[Figure, ...]:
    """The figures that `make greedy` computed, the sample that the tests have first."""
    return tuple([Figure(**each) for each in json.loads(MEASURED.read_text(encoding="utf-8"))])
