"""A reader's own counterexample to the greedy matching judged in words, and how often greedy was right on real data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from metrics.catalogue.gtm import greedy
from metrics.catalogue.gtm.greedy import Judged
from metrics.text import TextSettings
from metrics.types import TooHard

from ...state import inputs
from ...state.inputs import Missing, Room
from ...state.memory import remembered

SOLVERS = ("greedy", "exact")  # what are compared, as a metric's setting names them
ROOM = Room(
    words=16,
    ask="Write a candidate and a reference; letters with spaces between will do.",
    then="",
    fit="fit the hunt",
    shorten="",
)
MEASURED = Path(__file__).parent / "chapters" / "greedy.json"
PAPER = 0.99  # the share that Turian, Shen and Melamed (2003) report in section 2.2
PAPER_LEAST = 0.8  # and the least share of the largest size


class Verdict(NamedTuple):
    """Whether the reader's sentences are a counterexample, said in a sentence, and what both solvers find; None where
    they could not be judged."""

    right: bool
    says: str
    found: Judged | None = None


class Figure(NamedTuple):
    """How often greedy found the largest matching, and on which data: its name, what it is, and its numbers."""

    name: str
    statement: str
    exponent: float
    pairs: int
    largest: int
    unknown: int
    least: float


def judge(candidate: str, reference: str, exponent: float = 2.0) -> Verdict:
    """Whether two sentences of words are a counterexample, and how far from the smallest one."""
    texts = inputs.read(candidate, " ".join(reference.split()), TextSettings(), ROOM)
    if isinstance(texts, Missing):
        return Verdict(False, str(texts))
    try:
        found = greedy.judged(texts.segment.candidate, texts.segment.references[0], exponent)
    except TooHard as error:
        return Verdict(False, f"This cannot be judged: {error}.")
    if not found.best:
        return Verdict(False, "No word is in both sentences, so there is nothing to match.", found)
    if not found.missed:
        return Verdict(False, f"No: the greedy matching adds up to {found.best:g}, and none adds up to more.", found)
    best = smallest(exponent)
    least = best[0].words if best else 0
    size = f"It has {found.words} words"
    compared = f"{size}; the smallest has {least}." if found.words > least else f"{size}, and none has fewer."
    return Verdict(True, f"Yes: greedy adds up to {found.greedy:g}, and {found.best:g} is possible. {compared}", found)


@remembered
def smallest(exponent: float = 2.0) -> tuple[Judged, ...]:
    """The smallest counterexamples, found once."""
    return greedy.smallest(exponent)


def measured() -> tuple[Figure, ...]:
    """The figures that `make greedy` computed, the sample that the tests have first."""
    return tuple([Figure(**each) for each in json.loads(MEASURED.read_text(encoding="utf-8"))])
