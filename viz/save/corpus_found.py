"""What a report on a corpus tells: scores and tests of all systems, why B's score is another than A's, and the segments
that tell the most. It takes a while for large corpora, so it is found apart from the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.characters import character_patterns
from metrics.corpus.errors import error_counts
from metrics.corpus.ledger import CorpusLedger, corpus_ledger
from metrics.corpus.pairs import Pair
from metrics.corpus.patterns import patterns
from metrics.corpus.resampling import Interval
from metrics.corpus.telling import across
from metrics.corpus.telling.segments import Told, told_picks, told_torn
from metrics.corpus.telling.significance import verdict
from metrics.corpus.telling.why import reasons
from metrics.corpus.telling.winners import sentence
from metrics.types import Segment, TooHard

from ..draw.corpus import axes, groups, histogram, kinds
from ..draw.pen import theme
from .corpus_systems import DECIMALS, Some, systems


class Asked(NamedTuple):
    """Some segments of systems, the number of B and the metric that is looked at, the words of A and B in these
    segments, whose `numbers` in the corpus are given, what is known of ledgers of these segments from A to B by metric,
    and by which stems, of which language, words are forms of each other."""

    some: Some
    b: int
    metric: str
    ours: Sequence[Segment]
    theirs: Sequence[Segment]
    numbers: NDArray[np.intp]
    known: Mapping[str, CorpusLedger]
    stems: tuple[str, str] = ("none", "english")

    @property
    def names(self) -> tuple[str, str]:
        return self.some.names[self.some.a], self.some.names[self.b]


class Found(NamedTuple):
    """What is told: the verdict `across` all metrics, the sentence of the metric, and from the worse of the two systems
    by it to the better one, in which order A and B are `turned` or not, the `ledger` or in words why there is none,
    what metrics say that disagree about the winner, kinds of error, words and parts of words or in words why there are
    none, and the segments that tell the most by their numbers in the corpus; of each metric the score of each system
    with its interval, and the pairs; the signatures; and charts of the metric, as markup."""

    across: str
    verdict: str
    turned: bool
    ledger: CorpusLedger | str
    winners: str
    kinds: str
    picks: Sequence[Told]
    scores: Mapping[str, Sequence[float]]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[Pair]
    signatures: Sequence[str]
    charts: Sequence[str]


def found(asked: Asked) -> Found:
    """Find what is told."""
    compared, key = systems(asked.some), asked.metric
    metric, names = metrics.METRICS[key], asked.names
    pairs = [
        (pair, agreed)
        for pair, agreed in zip(compared.pairs, compared.agreed, strict=True)
        if pair.b == names[1] and asked.some.a != asked.b
    ]
    both = [(pair, agreed) for pair, agreed in pairs if pair.metric.key == key]
    ledger = _ledger(asked) if both else "There is nothing to compare."
    turned = isinstance(ledger, CorpusLedger) and (ledger.delta > 0) != metric.higher_is_better and ledger.delta != 0
    picks: list[Told] = []
    why, winners = "", ""
    if isinstance(ledger, CorpusLedger):
        known = [(metrics.METRICS[each], its) for each, its in {**asked.known, key: ledger}.items()]
        told = asked.ours, asked.theirs, names, DECIMALS
        ledger, sides = (ledger.turned, _turned(told)) if turned else (ledger, told)
        picks = [*told_picks(metric, ledger, *sides), *told_torn(known, *told)]
        winners = sentence(*names, known, DECIMALS)
        why = reasons(metric, ledger, DECIMALS)
    said = verdict(*both[0][:1], DECIMALS, both[0][1], why, between=True) if both else "A and B are the same system."
    return Found(
        across.sentence(names, [across.vote(pair) for pair, _ in pairs], DECIMALS),
        said,
        turned,
        ledger,
        winners,
        _kinds(asked, turned) if both else "",
        [each._replace(segment=int(asked.numbers[each.segment])) for each in picks],
        {table.metric.key: table.corpus_scores().tolist() for table in asked.some.tables},
        compared.intervals,
        compared.pairs,
        [*compared.signature_lines()],
        _charts(asked) if both else [],
    )


#: Segments of two systems with their names, and decimals.
_Told = tuple[Sequence[Segment], Sequence[Segment], tuple[str, str], int]


def _turned(told: _Told) -> _Told:
    ours, theirs, (a, b), decimals = told
    return theirs, ours, (b, a), decimals


def _kinds(asked: Asked, turned: bool) -> str:
    """Kinds of error, words and parts of words, as markup."""
    names = asked.names[::-1] if turned else asked.names
    ours, theirs = ([each.candidate for each in system] for system in (asked.ours, asked.theirs))
    references = [each.references for each in asked.ours]
    words, parts = patterns(ours, theirs, references), character_patterns(ours, theirs, references)
    said = kinds.words(words, parts, names, turned, lambda *_: "")
    try:
        counted = error_counts(asked.ours, asked.theirs, *asked.stems)
    except TooHard as error:
        return f"<p>{theme.safe(f'{error}.', 400)}</p>{said}"
    return kinds.errors(counted, names, turned, lambda *_: "") + said


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
