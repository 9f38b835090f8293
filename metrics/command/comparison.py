"""The option --compare: two files of translations over the same references, and why their scores differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..analysis.changes import LedgerChange, ledger
from ..analysis.sentence import QuotedWords, difference_sentence, plain_text
from ..text import Token, printable
from ..text.files import SegmentLine, naming_line
from ..types import Metric, Result, Settings, signed_text
from .call import Request
from .edits import ScoredEdits, find_scored_edits
from .edits import as_json as way_as_json
from .edits import as_text as as_edits
from .output import ScoredMetric, notes_and_signatures

#: How many segments of a corpus are explained.
SEGMENTS_MOST = 5
#: A worth below this is a rounding error.
ROUNDING = 1e-12


class ChangedSegment(NamedTuple):
    """A segment that scores differently in the files A and B, with the reasons.

    Attributes:
        number: the number of the segment, from 1.
        a: the result for A's candidate.
        b: the result for B's candidate.
        steps: the ledger from A's score to B's.
        why: a sentence that explains the difference.
        way: the edits that turn A's candidate into B's, with what each contributes; None if they are not requested.
        worth: what the segment contributes to the difference of the corpus scores.
    """

    number: int
    a: Result
    b: Result
    steps: tuple[LedgerChange, ...]
    why: str
    way: ScoredEdits | None
    worth: float


class MetricComparison(NamedTuple):
    """The scores of the files A and B by one metric, and the segments that contribute most to their difference."""

    a: ScoredMetric
    b: ScoredMetric
    changed: list[ChangedSegment]


class FileComparison(NamedTuple):
    """Everything that --compare prints about two files of translations: the call, and the comparison for each metric.

    `call` names the first file as its candidate, and the second as `compare`. `size` is the number of segments."""

    call: Request
    size: int
    results: list[MetricComparison]


def compare_files(
    a: ScoredMetric,
    b: ScoredMetric,
    paths: Sequence[str],
    corpora: Sequence[Sequence[SegmentLine]],
    with_edits: bool,
) -> MetricComparison:
    """Return the scores of the files A and B by one metric, with the segments that contribute most to their difference.

    `a` and `b` hold the corpus scores with the statistics of each segment. `paths` are the paths of the two files
    and `corpora` their segments. `with_edits` says whether to find the edits between the outputs of each explained
    segment. If there is only one segment, it is explained even if its score is the same. Raises BadData, with the line,
    for a segment that is too hard to explain."""
    a_lines, b_lines = corpora
    worth = _segment_worths(a, b)
    moved = [at for at, each in enumerate(worth) if abs(each) > ROUNDING or len(worth) == 1]
    changed = []
    for at in sorted(moved, key=lambda at: -abs(worth[at]))[:SEGMENTS_MOST]:
        before, after = (
            _score_line(a.metric, a.settings, lines[at], name, at + 1)
            for name, lines in zip(paths, corpora, strict=True)
        )
        steps = ledger(a.metric, before, after)
        typed_texts = QuotedWords(
            _typed_words(a_lines[at].segment.candidate),
            _typed_words(b_lines[at].segment.candidate),
            [_typed_words(reference) for reference in a_lines[at].segment.references],
        )
        why = plain_text(difference_sentence(a.metric, before, after, steps, typed_texts))
        edit_way = None
        if with_edits:
            with naming_line(paths[0], at + 1):
                edit_way = find_scored_edits(
                    a.metric, a.settings, a_lines[at], b_lines[at].segment.candidate, before.score, "from A to B"
                )
        changed.append(ChangedSegment(at + 1, before, after, steps, why, edit_way, worth[at]))
    return MetricComparison(a, b, changed)


def _segment_worths(a: ScoredMetric, b: ScoredMetric) -> list[float]:
    """Return what each segment contributes to the difference of the corpus scores, in order.

    If there is only one segment, it contributes the whole difference.
    """
    before, after = a.corpus, b.corpus
    assert before and after
    if before.size == 1:
        return [after.score - before.score]
    from ..corpus import ledger, table

    rows = [
        [table.rows_of_statistics(a.metric, a.settings, corpus_result.segments)] for corpus_result in (before, after)
    ]
    return [float(each) for each in ledger.segment_worths(table.join_chunks(a.metric, a.settings, rows))]


def _score_line(metric: Metric, settings: Settings, line: SegmentLine, file: str, number: int) -> Result:
    """Return the metric's result for a segment. Raises BadData with `file` and line `number` if it is too hard."""
    with naming_line(file, number):
        return metric.score(line.segment.segment, settings)


def _typed_words(tokens: Sequence[Token]) -> list[str]:
    """Return each token as it was typed, with unprintable characters replaced."""
    return [printable(token.raw) for token in tokens]


def _both_corpus_scores(comparison: MetricComparison) -> tuple[float, float]:
    """Return the corpus scores of A and B."""
    assert comparison.a.corpus and comparison.b.corpus
    return comparison.a.corpus.score, comparison.b.corpus.score


def _worth_text(worth: float) -> str:
    """Return `worth` as text with its sign and 4 to 12 decimals, as many as keep it from being printed as 0."""
    return signed_text(worth, next((digits for digits in range(4, 12) if abs(worth) >= 10**-digits), 12))


def _better_file_phrase(metric: Metric, difference: float) -> str:
    """Return a phrase that says which file is better, given B's score less A's."""
    if not difference:
        return "equal"
    return "B is better" if (difference > 0) == metric.higher_is_better else "A is better"


def as_text(report: FileComparison) -> Iterator[str]:
    """Yield the comparison as text: for each metric the scores, their difference and its causes; then signatures."""
    yield report.call.text_head(report.size)
    yield f"A {printable(report.call.candidate)}, B {printable(report.call.compare or '')}"
    for comparison in report.results:
        a, b = _both_corpus_scores(comparison)
        key, verdict = comparison.a.metric.key, _better_file_phrase(comparison.a.metric, b - a)
        yield ""
        yield f"{key}  {a:.4f} → {b:.4f}  {signed_text(b - a, 4)}  {verdict}"
        for changed in comparison.changed:
            if report.size > 1:
                ends = f"{changed.a.score:.4f} → {changed.b.score:.4f}"
                yield f"  segment {changed.number}: {ends}, worth {_worth_text(changed.worth)} in all. {changed.why}"
            else:
                yield f"  {changed.why}"
            if changed.way:
                yield from as_edits(changed.way, "    ")
    yield from notes_and_signatures(report.call, [comparison.a for comparison in report.results])


def as_json(report: FileComparison) -> Iterator[str]:
    """Yield the comparison as one JSON object in ASCII, in which segments count from 0."""
    document = report.call.json_head(report.size, candidate=report.call.candidate, compare=report.call.compare)
    document["results"] = [_metric_json(comparison) for comparison in report.results]
    yield json.dumps(document, indent=2, allow_nan=False)


def _metric_json(comparison: MetricComparison) -> dict[str, Any]:
    """Return the JSON object of the comparison by one metric."""
    a, b = _both_corpus_scores(comparison)
    return {
        **comparison.a.json_head(),
        "a": a,
        "b": b,
        "difference": b - a,
        "verdict": _better_file_phrase(comparison.a.metric, b - a),
        "changed": [
            {
                "segment": changed.number - 1,
                "a": changed.a.score,
                "b": changed.b.score,
                "difference": changed.b.score - changed.a.score,
                "worth": changed.worth,
                "why": changed.why,
                "steps": [
                    {name: getattr(step, name) for name in ("cause", "name", "before", "after", "share", "why")}
                    for step in changed.steps
                ],
                **({"edits": way_as_json(changed.way)["edits"]} if changed.way else {}),
            }
            for changed in comparison.changed
        ],
    }


WRITERS = {"text": as_text, "json": as_json}
