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
from metrics.corpus.explanations import across_metrics
from metrics.corpus.explanations.segments import SegmentStory, told_picks, told_torn
from metrics.corpus.explanations.significance import verdict
from metrics.corpus.explanations.why import reasons
from metrics.corpus.explanations.winners import sentence
from metrics.corpus.ledger import CorpusLedger, corpus_ledger
from metrics.corpus.pairs import SystemPair
from metrics.corpus.patterns import patterns
from metrics.corpus.resampling import Interval
from metrics.types import Segment, TooHard

from ..draw.corpus import axes, groups, histogram, kinds
from ..draw.pen import theme
from .corpus_systems import DECIMALS, SystemSelection, systems


class CorpusReportRequest(NamedTuple):
    """Some segments of systems, the number of B and the metric that is looked at, the words of A and B in these
    segments, whose `numbers` in the corpus are given, what is known of ledgers of these segments from A to B by metric,
    and by which stems, of which language, words are forms of each other."""

    selection: SystemSelection
    b: int
    metric: str
    ours: Sequence[Segment]
    theirs: Sequence[Segment]
    numbers: NDArray[np.intp]
    known_ledgers: Mapping[str, CorpusLedger]
    stems: tuple[str, str] = ("none", "english")

    @property
    def names(self) -> tuple[str, str]:
        return self.selection.names[self.selection.a], self.selection.names[self.b]


class CorpusFindings(NamedTuple):
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
    picks: Sequence[SegmentStory]
    scores: Mapping[str, Sequence[float]]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[SystemPair]
    signatures: Sequence[str]
    charts: Sequence[str]


def collect_findings(request: CorpusReportRequest) -> CorpusFindings:
    """Find what is told."""
    compared, key = systems(request.selection), request.metric
    metric, names = metrics.METRICS[key], request.names
    pairs = [
        (pair, agreed)
        for pair, agreed in zip(compared.pairs, compared.agreed, strict=True)
        if pair.b == names[1] and request.selection.a != request.b
    ]
    metric_pairs = [(pair, agreed) for pair, agreed in pairs if pair.metric.key == key]
    ledger = _ledger(request) if metric_pairs else "There is nothing to compare."
    turned = isinstance(ledger, CorpusLedger) and (ledger.delta > 0) != metric.higher_is_better and ledger.delta != 0
    picks: list[SegmentStory] = []
    why, winners = "", ""
    if isinstance(ledger, CorpusLedger):
        ledgers = [(metrics.METRICS[each], its) for each, its in {**request.known_ledgers, key: ledger}.items()]
        given_sides = request.ours, request.theirs, names, DECIMALS
        ledger, sides = (ledger.turned, _turned(given_sides)) if turned else (ledger, given_sides)
        picks = [*told_picks(metric, ledger, *sides), *told_torn(ledgers, *given_sides)]
        winners = sentence(*names, ledgers, DECIMALS)
        why = reasons(metric, ledger, DECIMALS)
    verdict_text = (
        verdict(*metric_pairs[0][:1], DECIMALS, metric_pairs[0][1], why, with_interval=True)
        if metric_pairs
        else "A and B are the same system."
    )
    return CorpusFindings(
        across_metrics.sentence(names, [across_metrics.vote(pair) for pair, _ in pairs], DECIMALS),
        verdict_text,
        turned,
        ledger,
        winners,
        _kinds(request, turned) if metric_pairs else "",
        [each._replace(segment=int(request.numbers[each.segment])) for each in picks],
        {table.metric.key: table.corpus_scores().tolist() for table in request.selection.tables},
        compared.intervals,
        compared.pairs,
        [*compared.signature_lines()],
        _charts(request) if metric_pairs else [],
    )


#: Segments of two systems with their names, and decimals.
_StorySides = tuple[Sequence[Segment], Sequence[Segment], tuple[str, str], int]


def _turned(sides: _StorySides) -> _StorySides:
    ours, theirs, (a, b), decimals = sides
    return theirs, ours, (b, a), decimals


def _kinds(request: CorpusReportRequest, turned: bool) -> str:
    """Kinds of error, words and parts of words, as markup."""
    names = request.names[::-1] if turned else request.names
    ours, theirs = ([each.candidate for each in system] for system in (request.ours, request.theirs))
    references = [each.references for each in request.ours]
    words, parts = patterns(ours, theirs, references), character_patterns(ours, theirs, references)
    words_html = kinds.words(words, parts, names, turned, lambda *_: "")
    try:
        counted = error_counts(request.ours, request.theirs, *request.stems)
    except TooHard as error:
        return f"<p>{theme.safe(f'{error}.', 400)}</p>{words_html}"
    return kinds.errors(counted, names, turned, lambda *_: "") + words_html


def _charts(request: CorpusReportRequest) -> list[str]:
    """How often which differences are there, and scores by length."""
    table = next(table for table in request.selection.tables if table.metric.key == request.metric)
    systems = request.selection.a, request.b
    a, b = (table.scores[n] for n in systems)
    numbers = np.arange(len(a))
    look = table.metric.label, table.metric.higher_is_better, request.names
    of = theme.count_text(len(numbers), "segment")
    words = np.array([len(segment.references[0]) for segment in request.ours], dtype=np.float64)
    lengths = groups.of_lengths(table, systems, words, numbers, "".format)
    drawn = histogram.draw(b - a, *look, lambda bar: "", of), groups.lengths(lengths, *look, of)
    return [axes.still(each) for each in drawn]


def _ledger(request: CorpusReportRequest) -> CorpusLedger | str:
    """Why B's score is another one in these segments, or why that is too hard to find."""
    if request.metric in request.known_ledgers:
        return request.known_ledgers[request.metric]
    table = next(table for table in request.selection.tables if table.metric.key == request.metric)
    two = table.select_systems((request.selection.a, request.b))
    try:
        return corpus_ledger(table.metric, table.settings, request.ours, request.theirs, two)
    except TooHard as error:
        return f"{error}."
