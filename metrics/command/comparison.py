"""The option --compare: two files of translations over the same references, and why their scores differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..analysis.changes import LedgerChange, ledger
from ..analysis.sentence import QuotedWords, difference_sentence, plain_text
from ..formula import count_with_noun
from ..text import TextSettings, Token, printable
from ..text.files import BadData, SegmentLine, file_label
from ..types import Metric, Result, Settings, TooHard, __version__, signed_text
from .edits import ScoredEdits, find_scored_edits
from .edits import as_json as way_as_json
from .edits import as_text as as_edits
from .language import TextLanguage
from .output import ScoredMetric

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
    """Everything that --compare prints about two files of translations.

    Attributes:
        a: the path of the first file.
        b: the path of the second file.
        references: the paths of the references.
        text: the text processing.
        size: the number of segments.
        results: the comparison for each metric.
        spoken: the language of the texts; None where no score depends on it.
        notes: sentences about the language.
    """

    a: str
    b: str
    references: list[str]
    text: TextSettings
    size: int
    results: list[MetricComparison]
    spoken: TextLanguage | None = None
    notes: Sequence[str] = ()


def compare_files(
    a: ScoredMetric,
    b: ScoredMetric,
    paths: Sequence[str],
    a_lines: Sequence[SegmentLine],
    b_lines: Sequence[SegmentLine],
    with_edits: bool,
) -> MetricComparison:
    """Return the scores of the files A and B by one metric, with the segments that contribute most to their difference.

    `a` and `b` hold the corpus scores with the statistics of each segment. `paths` are the paths of the two files,
    `a_lines` the segments of A and `b_lines` those of B. `with_edits` says whether to find the edits between the
    outputs of each explained segment. If there is only one segment, it is explained even if its score is the same.
    Raises BadData, with the line, for a segment that is too hard to explain."""
    worth = _segment_worths(a, b)
    moved = [at for at, each in enumerate(worth) if abs(each) > ROUNDING or len(worth) == 1]
    changed = []
    for at in sorted(moved, key=lambda at: -abs(worth[at]))[:SEGMENTS_MOST]:
        before, after = (
            _score_line(a.metric, a.settings, lines[at], f"{file_label(name)}, line {at + 1}")
            for name, lines in zip(paths, (a_lines, b_lines), strict=True)
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
            try:
                edit_way = find_scored_edits(
                    a.metric, a.settings, a_lines[at], b_lines[at].segment.candidate, before.score, "from A to B"
                )
            except TooHard as error:
                raise BadData(f"{file_label(paths[0])}, line {at + 1}: {error}") from None
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


def _score_line(metric: Metric, settings: Settings, line: SegmentLine, where: str) -> Result:
    """Return the metric's result for a segment.

    Raises BadData if the segment is too hard; its message begins with `where`, the name of the file and its line.
    """
    try:
        return metric.score(line.segment.segment, settings)
    except TooHard as error:
        raise BadData(f"{where}: {error}") from None


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
    yield f"{count_with_noun(report.size, 'segment')}, {count_with_noun(len(report.references), 'reference')}"
    yield f"A {printable(report.a)}, B {printable(report.b)}"
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
    yield ""
    yield from [*report.notes, ""] if report.notes else []
    yield from [printable(comparison.a.signature) for comparison in report.results]


def as_json(report: FileComparison) -> Iterator[str]:
    """Yield the comparison as one JSON object in ASCII, in which segments count from 0."""
    document = {
        "version": __version__,
        "candidate": report.a,
        "compare": report.b,
        "references": report.references,
        "segments": report.size,
        "text": report.text.to_dict(),
        "language": report.spoken.to_dict() if report.spoken else None,
        "results": [_metric_json(comparison) for comparison in report.results],
    }
    yield json.dumps(document, indent=2, allow_nan=False)


def _metric_json(comparison: MetricComparison) -> dict[str, Any]:
    """Return the JSON object of the comparison by one metric."""
    a, b = _both_corpus_scores(comparison)
    return {
        "metric": comparison.a.metric.key,
        "signature": comparison.a.signature,
        "settings": comparison.a.settings.to_dict(),
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
