"""What a report on a corpus tells: scores and tests of all systems, why B's score is another than A's, and the segments
that tell the most. It takes a while for large corpora, so it is found apart from the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.ledger import CorpusLedger, corpus_ledger
from metrics.corpus.pairs import Pair
from metrics.corpus.resampling import Interval
from metrics.corpus.telling.segments import Told, told_picks, told_torn
from metrics.corpus.telling.significance import verdict
from metrics.corpus.telling.winners import sentence
from metrics.types import Segment, TooHard

from ..draw.corpus import axes, groups, histogram
from ..draw.pen import theme
from .corpus_systems import DECIMALS, Some, systems


class Asked(NamedTuple):
    """Some segments of systems, the number of B and the metric that is looked at, the words of A and B in these
    segments, whose `numbers` in the corpus are given, and what is known of ledgers of these segments by metric."""

    some: Some
    b: int
    metric: str
    ours: Sequence[Segment]
    theirs: Sequence[Segment]
    numbers: NDArray[np.intp]
    known: Mapping[str, CorpusLedger]

    @property
    def names(self) -> tuple[str, str]:
        return self.some.names[self.some.a], self.some.names[self.b]


class Found(NamedTuple):
    """What is told: the sentence of the metric, the `ledger` of A and B or in words why there is none, what metrics say
    that disagree about the winner, the segments that tell the most by their numbers in the corpus; of each metric the
    score of each system with its interval, and the pairs; the signatures; and charts of the metric, as markup."""

    verdict: str
    ledger: CorpusLedger | str
    winners: str
    picks: Sequence[Told]
    scores: Mapping[str, Sequence[float]]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[Pair]
    signatures: Sequence[str]
    charts: Sequence[str]


def found(asked: Asked) -> Found:
    """Find what is told."""
    compared, key = systems(asked.some), asked.metric
    both = [
        (pair, agreed)
        for pair, agreed in zip(compared.pairs, compared.agreed, strict=True)
        if pair.b == asked.names[1] and pair.metric.key == key
    ]
    said = verdict(both[0][0], DECIMALS, both[0][1]) if both else "A and B are the same system."
    ledger = _ledger(asked) if both else "There is nothing to compare."
    picks: list[Told] = []
    winners = ""
    if isinstance(ledger, CorpusLedger):
        known = [(metrics.METRICS[each], its) for each, its in {**asked.known, key: ledger}.items()]
        told = asked.ours, asked.theirs, asked.names, DECIMALS
        picks = [*told_picks(metrics.METRICS[key], ledger, *told), *told_torn(known, *told)]
        winners = sentence(*asked.names, known, DECIMALS)
    return Found(
        said,
        ledger,
        winners,
        [each._replace(segment=int(asked.numbers[each.segment])) for each in picks],
        {table.metric.key: table.corpus_scores().tolist() for table in asked.some.tables},
        compared.intervals,
        compared.pairs,
        [*compared.signature_lines()],
        _charts(asked) if both else [],
    )


def _charts(asked: Asked) -> list[str]:
    """How often which differences are there, and scores by length."""
    table = next(table for table in asked.some.tables if table.metric.key == asked.metric)
    systems = asked.some.a, asked.b
    a, b = (table.scores[n] for n in systems)
    numbers = np.arange(len(a))
    look = table.metric.label, table.metric.higher_is_better, asked.names
    of = theme.count_text(len(numbers), "segment")
    words = np.array([len(segment.references[0]) for segment in asked.ours], dtype=np.float64)
    lengths = groups.of_lengths(table, systems, words, numbers, "".format)
    drawn = histogram.draw(b - a, *look, lambda bar: "", of), groups.lengths(lengths, *look, of)
    return [axes.still(each) for each in drawn]


def _ledger(asked: Asked) -> CorpusLedger | str:
    """Why B's score is another one in these segments, or why that is too hard to find."""
    if asked.metric in asked.known:
        return asked.known[asked.metric]
    table = next(table for table in asked.some.tables if table.metric.key == asked.metric)
    two = table.of((asked.some.a, asked.b))
    try:
        return corpus_ledger(table.metric, table.settings, asked.ours, asked.theirs, two)
    except TooHard as error:
        return f"{error}."
