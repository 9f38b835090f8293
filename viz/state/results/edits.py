"""Compute the edits between two texts, and what each edit is worth by every metric.

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

from ...draw.compare.comparison import OutputPair
from ...draw.edits import edit_effect
from ...draw.edits.edit_map import EditMap, MetricShares
from ...draw.edits.table import RowDetails
from ...draw.pen.marks import references_by_credit
from ...draw.pen.text import safe
from ...draw.texts import ProcessedTexts
from .cache import Problem, bounded, compare_segments
from .memory import remembered

#: Steps of work for the selected metric, and for each of the others.
WORK, WORK_EACH = 1_500_000, 300_000

#: Steps of work for the effect of one edit.
OPENED_WORK = 400_000

#: Seconds after which no further metric is started, until the user asks for more.
SECONDS_MOST = 2.5


@remembered
def edits_between(first: Tokens, second: Tokens) -> tuple[WordEdit, ...] | Problem:
    """Return the edits that turn the words `first` into the words `second`, or a `Problem` if there are too many."""
    return bounded("The edits", lambda: edit_shares.word_edits(first, second))


def quick_verdict(result: Result, decimals: int = 3) -> ResultVerdict | Problem:
    """Return the verdict on a result without naming the edit that costs most, which is fast; or a `Problem`."""
    metric = metrics.METRICS[result.metric]
    return bounded(metric.label, lambda: find_verdict(metric, result, decimals=decimals))


@remembered
def verdict_with_edit(texts: ProcessedTexts, result: Result) -> ResultVerdict | Problem:
    """Return the verdict on a result, with the edit that costs most quoted in the words as typed; or a `Problem`.

    The edit leads to the first of the references that decide the score. It is left out if it takes too long to find."""
    metric = metrics.METRICS[result.metric]
    k = references_by_credit([result], range(len(texts.references)))[0]
    shares = worth_of(result.metric, texts.segment, texts.segment.references[k], result.settings, True).shares
    words = QuotedWords(texts.candidate_words, texts.reference_words[k], texts.reference_words)
    return bounded(metric.label, lambda: find_verdict(metric, result, shares, words))


def verdict_for_file(texts: ProcessedTexts, result: Result) -> ResultVerdict | None:
    """Return the verdict with the edit that costs most, for a file to save; None if it takes too long."""
    result_verdict = verdict_with_edit(texts, result)
    return None if isinstance(result_verdict, Problem) else result_verdict


@remembered
def _edit_shares(
    key: str, segment: Segment, other: Tokens, settings: Settings, most: int, work: int
) -> tuple[EditShare, ...] | Problem:
    """Return the share of every edit from the segment's candidate to the words `other` by the metric `key`.

    All orders of up to `most` edits are tried, and samples of the orders of more. Return a `Problem` after `work`
    steps."""
    metric = metrics.METRICS[key]
    return bounded(metric.label, lambda: edit_shares.edit_shares(metric, segment, other, settings, most), work)


def worth_of(key: str, segment: Segment, other: Tokens, settings: Settings, is_selected: bool) -> MetricShares:
    """Return what the edits from the segment's candidate to the words `other` are worth by the metric `key`.

    `is_selected` says whether the metric is the selected one; for it, all orders are tried for more edits, with more
    work."""
    given = (MOST, WORK) if is_selected else (MOST_EACH, WORK_EACH)
    shares = _edit_shares(key, segment, other, settings, *given)
    metric = metrics.METRICS[key]
    return MetricShares(metric, problem=str(shares)) if isinstance(shares, Problem) else MetricShares(metric, shares)


def worth_of_all(
    selected: str, segment: Segment, other: Tokens, settings: Mapping[str, Settings], seconds: float | None = None
) -> list[MetricShares]:
    """Return what the edits to the words `other` are worth by each metric in `settings`, the metric `selected` first.

    After `seconds`, by default SECONDS_MOST, no further metric is started. The metrics left out have neither shares
    nor a problem; another call goes on with them, because the others are cached."""
    start, most = perf_counter(), SECONDS_MOST if seconds is None else seconds
    out = [worth_of(selected, segment, other, settings[selected], True)]
    for key in settings:
        if key != selected:
            metric = metrics.METRICS[key]
            late = perf_counter() - start > most
            out.append(MetricShares(metric) if late else worth_of(key, segment, other, settings[key], False))
    return out


def find_edit_map(a: ProcessedTexts, b: ProcessedTexts) -> EditMap | Problem:
    """Return the edits from the candidate of `a` to the one of `b`, or a `Problem` if they are too hard to find."""
    edits = edits_between(a.segment.candidate, b.segment.candidate)
    return edits if isinstance(edits, Problem) else EditMap(a.candidate_words, b.candidate_words, edits)


def edit_effect_html(
    pair: OutputPair, edit_map: EditMap, row: int, worth: MetricShares, tries: bool = False
) -> RowDetails:
    """Return what one edit from A to B changes by the metric of `pair`, as HTML; or why it cannot be computed.

    `row` is the index of the edit in the table of `edit_map`, and `worth` has the shares by this metric. `tries`
    adds a button that shows B without this edit."""
    back = edit_effect.undo_row(edit_map, row, pair.a, pair.b)
    outcome = compare_segments(pair.before.metric, back.segment, pair.b.segment, pair.before.settings)
    if not isinstance(outcome, Problem):
        of = OutputPair(back, pair.b, (f"{pair.names[1]} without it", pair.names[1]), *outcome, decimals=pair.decimals)
        drawn = bounded(
            worth.metric.label, lambda: edit_effect.row_details(pair, edit_map, row, worth, of, tries), OPENED_WORK
        )
        if not isinstance(drawn, Problem):
            return drawn
        outcome = drawn
    return RowDetails(f"<p>{safe(str(outcome), 400)}</p>")
