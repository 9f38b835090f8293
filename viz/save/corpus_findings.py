"""Collect what a report on a corpus says.

This is the scores and tests of all systems, why B's score differs from A's, and the segments that show it best. It
takes a while for large corpora, so it is separate from the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.characters import character_patterns
from metrics.corpus.errors import error_counts
from metrics.corpus.explanations import across_metrics
from metrics.corpus.explanations.segments import SegmentStory, disputed_stories, pick_stories
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
from .corpus_systems import DECIMALS, SystemSelection, compared_systems


class CorpusReportRequest(NamedTuple):
    """The segments, systems and metric of a report.

    Attributes:
        selection: the systems and their scores on the segments.
        b: the index of system B.
        metric: the key of the metric.
        ours: the segments of A.
        theirs: the segments of B.
        numbers: the index of each segment in the whole corpus.
        known_ledgers: by metric, ledgers from A to B of these segments that are computed already.
        stems: the stemmer, and its language, by which words are forms of each other."""

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
        """The names of A and B."""
        return self.selection.names[self.selection.a], self.selection.names[self.b]


class CorpusFindings(NamedTuple):
    """The contents of a report. The ledger and the kinds lead from the worse of the two systems to the better one.

    Attributes:
        across: the verdict across all metrics.
        verdict: the sentence on the metric.
        turned: whether B comes first, because A is the better one.
        ledger: the causes of the difference, or the reason why there are none.
        winners: what metrics that disagree about the winner say; "" if they agree.
        kinds: kinds of error, words and parts of words, as HTML, or the reason why there are none.
        picks: the segments that show the difference best, by their index in the whole corpus.
        scores: by metric, the score of each system.
        intervals: by metric, the interval of each system's score.
        pairs: the tests of A against each other system.
        signatures: the signatures of the scores.
        charts: the charts of the metric, as HTML."""

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
    """Return the contents of the report."""
    compared, key = compared_systems(request.selection), request.metric
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
        ledger, sides = (ledger.turned, _swap_sides(given_sides)) if turned else (ledger, given_sides)
        picks = [*pick_stories(metric, ledger, *sides), *disputed_stories(ledgers, *given_sides)]
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


#: The segments of two systems, their names, and the number of decimals.
_StorySides = tuple[Sequence[Segment], Sequence[Segment], tuple[str, str], int]


def _swap_sides(sides: _StorySides) -> _StorySides:
    """Return the two sides in the other order."""
    ours, theirs, (a, b), decimals = sides
    return theirs, ours, (b, a), decimals


def _kinds(request: CorpusReportRequest, turned: bool) -> str:
    """Return kinds of error, words and parts of words as HTML; a message if the errors are too hard to count."""
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
    """Return the charts of the differences, and of the scores by length."""
    table = next(table for table in request.selection.tables if table.metric.key == request.metric)
    systems = request.selection.a, request.b
    a, b = (table.scores[n] for n in systems)
    numbers = np.arange(len(a))
    look = table.metric.label, table.metric.higher_is_better, request.names
    of = theme.count_text(len(numbers), "segment")
    words = np.array([len(segment.references[0]) for segment in request.ours], dtype=np.float64)
    lengths = groups.groups_by_length(table, systems, words, numbers, "".format)
    drawn = histogram.draw(b - a, *look, lambda bar: "", of), groups.lengths(lengths, *look, of)
    return [axes.without_events(each) for each in drawn]


def _ledger(request: CorpusReportRequest) -> CorpusLedger | str:
    """Return the causes of the difference in these segments, or a message if they are too hard to compute."""
    if request.metric in request.known_ledgers:
        return request.known_ledgers[request.metric]
    table = next(table for table in request.selection.tables if table.metric.key == request.metric)
    two = table.select_systems((request.selection.a, request.b))
    try:
        return corpus_ledger(table.metric, table.settings, request.ours, request.theirs, two)
    except TooHard as error:
        return f"{error}."
