"""Collect what a report on a corpus says.

This is the scores and tests of all systems, why B's score differs from A's, and the segments that show it best. It
takes a while for large corpora, so it is separate from the code that writes the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.corpus.agreement.columns import NO_CAUSES
from metrics.corpus.explanations import across_metrics
from metrics.corpus.explanations.segments import SegmentStory
from metrics.corpus.explanations.significance import pair_verdict
from metrics.corpus.explanations.two_systems import OutputPatterns, SystemDifference, TwoSystems, find_disputed
from metrics.corpus.explanations.why import main_causes_text
from metrics.corpus.explanations.winners import winners_sentence
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.pairs import SystemPair
from metrics.corpus.resampling import Interval
from metrics.corpus.table import StatisticsTable
from metrics.types import Metric, TooHard

from ..draw.corpus import axes, kinds
from ..draw.corpus.pair_charts import PairCharts
from ..draw.pen.numbers import count_text
from .corpus_systems import DECIMALS, SystemSelection, compared_systems


class CorpusReportRequest(NamedTuple):
    """The segments, systems and metric of a corpus for which a report is made.

    Attributes:
        selection: the systems and their scores on the segments.
        b: the index of system B; `selection` has the index of A.
        metric: the key of the metric.
        systems: the outputs of A and B.
        numbers: the index of each segment in the whole corpus.
        known_ledgers: by metric, ledgers from A to B of these segments that are computed already.
        known_patterns: the errors and n-grams in which the outputs differ, if they are known.
        stems: the name of the stemmer, and its language; two words with one stem are forms of one word."""

    selection: SystemSelection
    b: int
    metric: str
    systems: TwoSystems
    numbers: NDArray[np.intp]
    known_ledgers: Mapping[str, CorpusLedger]
    known_patterns: OutputPatterns | None = None
    stems: tuple[str, str] = ("none", "english")


class CorpusFindings(NamedTuple):
    """The content of a report on a corpus: verdicts, causes, segments, scores and tests.

    The ledger and the kinds of error lead from the worse of A and B to the better one.

    Attributes:
        across: the sentence on which system is better across all metrics.
        verdict: the sentence on which system is better by the chosen metric.
        turned: whether the ledger leads from B to A, because A is the better one.
        ledger: the causes of the difference, or a sentence on why there are none.
        winners: a sentence on metrics that disagree about the better system; "" if they agree.
        kinds: kinds of error, words and parts of words that differ, as HTML; "" if nothing is compared.
        picks: the segments that show the difference best, by their index in the whole corpus.
        scores: by metric, the score of each system.
        intervals: by metric, the interval of each system's score.
        pairs: the tests of A against each other system by each metric.
        signatures: the signatures of the scores.
        charts: the charts of the chosen metric, as HTML.
        records: the record of each metric, by key."""

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
    records: Mapping[str, Metric]


def collect_findings(request: CorpusReportRequest) -> CorpusFindings:
    """Return all that the report on the requested segments and systems says."""
    compared, key = compared_systems(request.selection), request.metric
    records = {table.metric.key: table.metric for table in request.selection.tables}
    metric, systems = records.get(key) or metrics.METRICS[key], request.systems
    pairs = [
        (pair, agreed)
        for pair, agreed in zip(compared.pairs, compared.agreed, strict=True)
        if pair.b == systems.names[1] and request.selection.a != request.b
    ]
    metric_pairs = [(pair, agreed) for pair, agreed in pairs if pair.metric.key == key]
    found = _difference_or_reason(request, metric) if metric_pairs else "There is nothing to compare."
    turned, picks, why, winners = False, list[SegmentStory](), "", ""
    if isinstance(found, SystemDifference):
        # The table of metrics may leave out those whose ledgers are known.
        others = [(metrics.METRICS[each], its) for each, its in request.known_ledgers.items() if each != key]
        all_found = [found, *[SystemDifference(systems, *each) for each in others]]
        ledgers = [(each.metric, each.ledger) for each in all_found]
        turned, better_last = found.is_a_better, found.better_last
        picks = [*better_last.stories(DECIMALS), *find_disputed(all_found, DECIMALS)]
        winners = winners_sentence(*systems.names, ledgers, DECIMALS)
        why = main_causes_text(metric, better_last.ledger, DECIMALS)
    verdict_text = (
        pair_verdict(*metric_pairs[0][:1], DECIMALS, metric_pairs[0][1], why, with_interval=True)
        if metric_pairs
        else "A and B are the same system."
    )
    return CorpusFindings(
        across_metrics.verdict_across_metrics(systems.names, [across_metrics.vote_of_pair(pair) for pair, _ in pairs]),
        verdict_text,
        turned,
        found if isinstance(found, str) else found.better_last.ledger,
        winners,
        _kinds_html(request, turned) if metric_pairs else "",
        [each._replace(segment=int(request.numbers[each.segment])) for each in picks],
        {table.metric.key: table.corpus_scores().tolist() for table in request.selection.tables},
        compared.intervals,
        compared.pairs,
        [*compared.signature_lines()],
        _charts_html(request, turned) if metric_pairs else [],
        records,
    )


def _difference_or_reason(request: CorpusReportRequest, metric: Metric) -> SystemDifference | str:
    """Return why B's score differs from A's in these segments.

    If the causes are too hard to compute, return a sentence that says so."""
    if metric.key in request.known_ledgers:
        return SystemDifference(request.systems, metric, request.known_ledgers[metric.key])
    if metric.key not in metrics.METRICS:
        return f"{NO_CAUSES}."
    try:
        return request.systems.explain(metric, _table(request).select_systems((request.selection.a, request.b)))
    except TooHard as error:
        return f"{error}."


def _table(request: CorpusReportRequest) -> StatisticsTable:
    """Return the scores of the systems by the requested metric."""
    return next(table for table in request.selection.tables if table.metric.key == request.metric)


def _kinds_html(request: CorpusReportRequest, turned: bool) -> str:
    """Return, as HTML, the kinds of error, words and parts of words in which two systems differ.

    `turned` swaps A and B, so that the better system comes last."""
    names = request.systems.names[::-1] if turned else request.systems.names
    found = request.known_patterns or request.systems.find_patterns(request.stems)
    return kinds.findings_html(found.errors, found.words, found.parts, names, turned, lambda *_: "")


def _charts_html(request: CorpusReportRequest, turned: bool) -> list[str]:
    """Return, as HTML, the page's charts of the score differences, and of the scores by the length of segments.

    `turned` swaps A and B, so that the better system comes last."""
    table, names, sides = _table(request), request.systems.names, (request.selection.a, request.b)
    rows = np.arange(table.size)
    charts = PairCharts(
        table,
        sides[::-1] if turned else sides,
        turned,
        names[::-1] if turned else names,
        rows,
        np.array([len(segment.references[0]) for segment in request.systems.a], dtype=np.float64),
        count_text(len(rows), "segment"),
    )
    return [axes.without_events(each) for each in (charts.differences_html(), charts.lengths_html())]
