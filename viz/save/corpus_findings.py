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
from metrics.corpus.characters import find_character_patterns
from metrics.corpus.errors import error_counts
from metrics.corpus.explanations import across_metrics
from metrics.corpus.explanations.segments import SegmentStory, disputed_stories, pick_stories
from metrics.corpus.explanations.significance import pair_verdict
from metrics.corpus.explanations.why import main_causes_text
from metrics.corpus.explanations.winners import winners_sentence
from metrics.corpus.ledger import CorpusLedger, corpus_ledger
from metrics.corpus.pairs import SystemPair
from metrics.corpus.patterns import find_word_patterns
from metrics.corpus.resampling import Interval
from metrics.types import Metric, Segment, TooHard

from ..draw.corpus import axes, groups, histogram, kinds
from ..draw.pen.numbers import count_text
from ..draw.pen.text import safe
from .corpus_systems import DECIMALS, SystemSelection, compared_systems


class CorpusReportRequest(NamedTuple):
    """The segments, systems and metric of a corpus for which a report is made.

    Attributes:
        selection: the systems and their scores on the segments.
        b: the index of system B; `selection` has the index of A.
        metric: the key of the metric.
        ours: the segments with A's outputs.
        theirs: the segments with B's outputs.
        numbers: the index of each segment in the whole corpus.
        known_ledgers: by metric, ledgers from A to B of these segments that are computed already.
        stems: the name of the stemmer, and its language; two words with one stem are forms of one word."""

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
    metric, names = records.get(key) or metrics.METRICS[key], request.names
    pairs = [
        (pair, agreed)
        for pair, agreed in zip(compared.pairs, compared.agreed, strict=True)
        if pair.b == names[1] and request.selection.a != request.b
    ]
    metric_pairs = [(pair, agreed) for pair, agreed in pairs if pair.metric.key == key]
    ledger = _ledger_or_reason(request) if metric_pairs else "There is nothing to compare."
    turned = isinstance(ledger, CorpusLedger) and (ledger.delta > 0) != metric.higher_is_better and ledger.delta != 0
    picks: list[SegmentStory] = []
    why, winners = "", ""
    if isinstance(ledger, CorpusLedger):
        ledgers = [(metrics.METRICS[each], its) for each, its in {**request.known_ledgers, key: ledger}.items()]
        given_sides = request.ours, request.theirs, names, DECIMALS
        ledger, sides = (ledger.swapped, _swap_sides(given_sides)) if turned else (ledger, given_sides)
        picks = [*pick_stories(metric, ledger, *sides), *disputed_stories(ledgers, *given_sides)]
        winners = winners_sentence(*names, ledgers, DECIMALS)
        why = main_causes_text(metric, ledger, DECIMALS)
    verdict_text = (
        pair_verdict(*metric_pairs[0][:1], DECIMALS, metric_pairs[0][1], why, with_interval=True)
        if metric_pairs
        else "A and B are the same system."
    )
    return CorpusFindings(
        across_metrics.verdict_across_metrics(names, [across_metrics.vote_of_pair(pair) for pair, _ in pairs]),
        verdict_text,
        turned,
        ledger,
        winners,
        _kinds_html(request, turned) if metric_pairs else "",
        [each._replace(segment=int(request.numbers[each.segment])) for each in picks],
        {table.metric.key: table.corpus_scores().tolist() for table in request.selection.tables},
        compared.intervals,
        compared.pairs,
        [*compared.signature_lines()],
        _charts_html(request) if metric_pairs else [],
        records,
    )


#: The segments of two systems, their names, and the number of decimals.
_StorySides = tuple[Sequence[Segment], Sequence[Segment], tuple[str, str], int]


def _swap_sides(sides: _StorySides) -> _StorySides:
    """Return the segments and the names of A and B in the other order."""
    ours, theirs, (a, b), decimals = sides
    return theirs, ours, (b, a), decimals


def _kinds_html(request: CorpusReportRequest, turned: bool) -> str:
    """Return, as HTML, the kinds of error, words and parts of words in which two systems differ.

    If the errors are too hard to count, a message takes their place. `turned` swaps A and B, so that the better
    system comes last."""
    names = request.names[::-1] if turned else request.names
    ours, theirs = ([each.candidate for each in system] for system in (request.ours, request.theirs))
    references = [each.references for each in request.ours]
    words, parts = find_word_patterns(ours, theirs, references), find_character_patterns(ours, theirs, references)
    words_html = kinds.right_words_html(words, parts, names, turned, lambda *_: "")
    try:
        counted = error_counts(request.ours, request.theirs, *request.stems)
    except TooHard as error:
        return f"<p>{safe(f'{error}.', 400)}</p>{words_html}"
    return kinds.rarer_errors_html(counted, names, turned, lambda *_: "") + words_html


def _charts_html(request: CorpusReportRequest) -> list[str]:
    """Return, as HTML, the chart of the score differences, and the chart of the scores by the length of segments."""
    table = next(table for table in request.selection.tables if table.metric.key == request.metric)
    systems = request.selection.a, request.b
    a, b = (table.scores[n] for n in systems)
    numbers = np.arange(len(a))
    look = table.metric.label, table.metric.higher_is_better, request.names
    of = count_text(len(numbers), "segment")
    words = np.array([len(segment.references[0]) for segment in request.ours], dtype=np.float64)
    lengths = groups.groups_by_length(table, systems, words, numbers, "".format)
    drawn = histogram.draw(b - a, *look, lambda bar: "", of), groups.scores_by_length_chart(lengths, *look, of)
    return [axes.without_events(each) for each in drawn]


def _ledger_or_reason(request: CorpusReportRequest) -> CorpusLedger | str:
    """Return the causes of the difference from A to B in these segments.

    If they are too hard to compute, return a sentence that says so."""
    if request.metric in request.known_ledgers:
        return request.known_ledgers[request.metric]
    table = next(table for table in request.selection.tables if table.metric.key == request.metric)
    if request.metric not in metrics.METRICS:
        return f"{NO_CAUSES}."
    two = table.select_systems((request.selection.a, request.b))
    try:
        return corpus_ledger(table.metric, table.settings, request.ours, request.theirs, two)
    except TooHard as error:
        return f"{error}."
