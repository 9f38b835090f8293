"""Compute the edits between two texts, and what they are worth by every metric.

The search is bounded in work, takes no longer than a user waits, and is cached for all sessions."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import metrics
from metrics.analysis import edit_shares
from metrics.analysis.edit_shares import MOST, MOST_EACH, EditShare, WordEdit
from metrics.analysis.sentence import QuotedWords
from metrics.analysis.verdict import ResultVerdict
from metrics.analysis.verdict import verdict as find_verdict
from metrics.types import Result, Segment, Settings, Tokens

from ..draw.compare.comparison import OutputPair
from ..draw.edits import edit_effect
from ..draw.edits.edit_map import EditMap, MetricShares
from ..draw.edits.table import RowDetails
from ..draw.pen import theme
from ..draw.pen.marks import references_by_credit
from ..draw.texts import ProcessedTexts
from .cache import Problem, bounded, compared
from .memory import remembered

#: Steps of work for the selected metric, and for each of the others.
WORK, WORK_EACH = 1_500_000, 300_000

#: Steps of work for the effect of one edit.
OPENED_WORK = 400_000

#: Seconds after which no further metric is started, until the user asks for more.
SECONDS_MOST = 2.5


@remembered
def edits_between(first: Tokens, second: Tokens) -> tuple[WordEdit, ...] | Problem:
    """Return the edits that turn the first text into the second, or the problem."""
    return bounded("The edits", lambda: edit_shares.word_edits(first, second))


def verdict(result: Result, decimals: int = 3) -> ResultVerdict | Problem:
    """Return the verdict on a result without its edits, which is fast, or the problem."""
    metric = metrics.METRICS[result.metric]
    return bounded(metric.label, lambda: find_verdict(metric, result, decimals=decimals))


@remembered
def whole_verdict(texts: ProcessedTexts, result: Result) -> ResultVerdict | Problem:
    """Return the verdict with the edit that costs most, in the words as typed, or the problem.

    The edit leads to the first of the references that decide the score. It is left out if it takes too long to find."""
    metric = metrics.METRICS[result.metric]
    k = references_by_credit([result], range(len(texts.references)))[0]
    shares = worth_of(result.metric, texts.segment, texts.segment.references[k], result.settings, True).shares
    words = QuotedWords(texts.candidate_words, texts.reference_words[k], texts.reference_words)
    return bounded(metric.label, lambda: find_verdict(metric, result, shares, words))


def verdict_of(texts: ProcessedTexts, result: Result) -> ResultVerdict | None:
    """Return the whole verdict, for a file; None if it takes too long."""
    result_verdict = whole_verdict(texts, result)
    return None if isinstance(result_verdict, Problem) else result_verdict


@remembered
def _shares(
    key: str, segment: Segment, other: Tokens, settings: Settings, most: int, work: int
) -> tuple[EditShare, ...] | Problem:
    """Return the shares of the edits by a metric, or the problem."""
    metric = metrics.METRICS[key]
    return bounded(metric.label, lambda: edit_shares.edit_shares(metric, segment, other, settings, most), work)


def worth_of(key: str, segment: Segment, other: Tokens, settings: Settings, looked_at: bool) -> MetricShares:
    """Return what the edits are worth by a metric.

    With `looked_at`, the metric is the selected one, and all orders are tried for more edits than otherwise."""
    given = (MOST, WORK) if looked_at else (MOST_EACH, WORK_EACH)
    shares = _shares(key, segment, other, settings, *given)
    metric = metrics.METRICS[key]
    return MetricShares(metric, problem=str(shares)) if isinstance(shares, Problem) else MetricShares(metric, shares)


def worth_of_all(
    looked_at: str, segment: Segment, other: Tokens, settings: Mapping[str, Settings], seconds: float | None = None
) -> list[MetricShares]:
    """Return what the edits are worth by each metric in `settings`, the selected one first.

    `seconds`, by default SECONDS_MOST, is the time after which no further metric is started. Metrics left out so
    have neither shares nor a problem; another call continues with them."""
    start, most = perf_counter(), SECONDS_MOST if seconds is None else seconds
    out = [worth_of(looked_at, segment, other, settings[looked_at], True)]
    for key in settings:
        if key != looked_at:
            metric = metrics.METRICS[key]
            late = perf_counter() - start > most
            out.append(MetricShares(metric) if late else worth_of(key, segment, other, settings[key], False))
    return out


def find_edit_map(a: ProcessedTexts, b: ProcessedTexts) -> EditMap | Problem:
    """Return the edits from one output to another, or the problem."""
    edits = edits_between(a.segment.candidate, b.segment.candidate)
    return edits if isinstance(edits, Problem) else EditMap(a.candidate_words, b.candidate_words, edits)


def edit_effect_html(
    pair: OutputPair, edit_map: EditMap, row: int, worth: MetricShares, tries: bool = False
) -> RowDetails:
    """Return the effect of one edit from A to B on the metric of the pair, or why it cannot be computed.

    With `tries`, it has a button that tries B without this edit."""
    back = edit_effect.take_back_row(edit_map, row, pair.a, pair.b)
    outcome = compared(pair.before.metric, back.segment, pair.b.segment, pair.before.settings)
    if not isinstance(outcome, Problem):
        of = OutputPair(back, pair.b, (f"{pair.names[1]} without it", pair.names[1]), *outcome, decimals=pair.decimals)
        drawn = bounded(
            worth.metric.label, lambda: edit_effect.row_details(pair, edit_map, row, worth, of, tries), OPENED_WORK
        )
        if not isinstance(drawn, Problem):
            return drawn
        outcome = drawn
    return RowDetails(f"<p>{theme.safe(str(outcome), 400)}</p>")
