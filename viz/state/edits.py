"""The edits between two texts and what they are worth to every metric: searched for with a bound on work and for no
longer than somebody waits, and remembered for all sessions."""

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
from ..draw.edits.edit_map import EditMap, Worth
from ..draw.edits.table import Opened
from ..draw.pen import theme
from ..draw.pen.marks import by_credit
from ..draw.texts import ProcessedTexts
from .cache import Problem, bounded, compared
from .memory import remembered

#: Steps of work for the metric that is looked at, and for each of the others.
WORK, WORK_EACH = 1_500_000, 300_000

#: Steps that finding what one edit did may take.
OPENED_WORK = 400_000

#: Seconds after which no other metric is begun, until somebody asks for more.
SECONDS_MOST = 2.5


@remembered
def edits_between(first: Tokens, second: Tokens) -> tuple[WordEdit, ...] | Problem:
    """The edits that make the second text of the first."""
    return bounded("The edits", lambda: edit_shares.word_edits(first, second))


def verdict(result: Result, decimals: int = 3) -> ResultVerdict | Problem:
    """The verdict on a result without its edits, which is soon found."""
    metric = metrics.METRICS[result.metric]
    return bounded(metric.label, lambda: find_verdict(metric, result, decimals=decimals))


@remembered
def whole_verdict(texts: ProcessedTexts, result: Result) -> ResultVerdict | Problem:
    """The verdict with the edit to the first reference that costs most, in the words that were typed; without it where
    it takes too long."""
    metric = metrics.METRICS[result.metric]
    k = by_credit([result], range(len(texts.references)))[0]
    shares = worth_of(result.metric, texts.segment, texts.segment.references[k], result.settings, True).shares
    words = QuotedWords(texts.candidate_words, texts.reference_words[k], texts.reference_words)
    return bounded(metric.label, lambda: find_verdict(metric, result, shares, words))


def verdict_of(texts: ProcessedTexts, result: Result) -> ResultVerdict | None:
    """The whole verdict, for a file; None where it takes too long."""
    result_verdict = whole_verdict(texts, result)
    return None if isinstance(result_verdict, Problem) else result_verdict


@remembered
def _shares(
    key: str, segment: Segment, other: Tokens, settings: Settings, most: int, work: int
) -> tuple[EditShare, ...] | Problem:
    metric = metrics.METRICS[key]
    return bounded(metric.label, lambda: edit_shares.edit_shares(metric, segment, other, settings, most), work)


def worth_of(key: str, segment: Segment, other: Tokens, settings: Settings, looked_at: bool) -> Worth:
    """What the edits are worth to a metric; of one that is looked at all orders of more edits count."""
    given = (MOST, WORK) if looked_at else (MOST_EACH, WORK_EACH)
    shares = _shares(key, segment, other, settings, *given)
    metric = metrics.METRICS[key]
    return Worth(metric, problem=str(shares)) if isinstance(shares, Problem) else Worth(metric, shares)


def worth_of_all(
    looked_at: str, segment: Segment, other: Tokens, settings: Mapping[str, Settings], seconds: float | None = None
) -> list[Worth]:
    """What the edits are worth to the metrics that have `settings`, first to the one that is looked at, the others in
    their order.

    When the seconds are over, `SECONDS_MOST` if none are given, the metrics that have not been looked at have neither
    shares nor a problem; asked again it goes on from there."""
    start, most = perf_counter(), SECONDS_MOST if seconds is None else seconds
    out = [worth_of(looked_at, segment, other, settings[looked_at], True)]
    for key in settings:
        if key != looked_at:
            metric = metrics.METRICS[key]
            late = perf_counter() - start > most
            out.append(Worth(metric) if late else worth_of(key, segment, other, settings[key], False))
    return out


def find_edit_map(a: ProcessedTexts, b: ProcessedTexts) -> EditMap | Problem:
    """The edits from one output to another, or why they cannot be found."""
    edits = edits_between(a.segment.candidate, b.segment.candidate)
    return edits if isinstance(edits, Problem) else EditMap(a.candidate_words, b.candidate_words, edits)


def opened(pair: OutputPair, edit_map: EditMap, row: int, worth: Worth, tries: bool = False) -> Opened:
    """What one edit from A to B did to the metric of the pair, or why it cannot be found; a button `tries` B without it
    where somebody listens."""
    back = edit_effect.take_back_row(edit_map, row, pair.a, pair.b)
    outcome = compared(pair.before.metric, back.segment, pair.b.segment, pair.before.settings)
    if not isinstance(outcome, Problem):
        of = OutputPair(back, pair.b, (f"{pair.names[1]} without it", pair.names[1]), *outcome, decimals=pair.decimals)
        drawn = bounded(
            worth.metric.label, lambda: edit_effect.opened(pair, edit_map, row, worth, of, tries), OPENED_WORK
        )
        if not isinstance(drawn, Problem):
            return drawn
        outcome = drawn
    return Opened(f"<p>{theme.safe(str(outcome), 400)}</p>")
