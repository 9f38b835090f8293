"""Compares what a metric finds in outputs with the errors that people marked and with their judgements.

For each output it collects the words that the metric leaves unmatched, its edits that touch words of the output, and
the breaks of a run between two matched words. How many of these lie in a marked span by chance follows from how much of
the output is marked: chance draws the metric's words from all words of the output, its stretches of edits from all
stretches of the same length, and its breaks from all positions between words. Marks in the source, such as omissions,
lie in no output and are ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ...text import TextSettings, process
from ...text.judgements import ErrorSpan, JudgementRecord
from ...text.processing import Token
from ...types import Edit, Mark, Metric, Result, Segment, Settings, Shift, TooHard
from ...types.columns import ratio
from ..resampling import Interval, interval, resample_counts, single_core_products
from ..table import Array
from . import correlation
from .correlation import Coefficient

#: The kinds of fault that a metric may find.
Fault: TypeAlias = Literal["unmatched words", "edits", "broken runs"]
FAULTS: tuple[Fault, ...] = ("unmatched words", "edits", "broken runs")
#: The types of property that are correlated with judgements: faults, marks of a kind, parts of the score, length.
PropertyType: TypeAlias = Literal["fault", "marks", "part", "length"]
#: The indices of an output's system and segment.
OutputIndices: TypeAlias = tuple[int, int]
#: Maximum number of outputs that are listed for a number.
NAMED = 200
#: Number of resamples of the segments.
RESAMPLES = 1000


# ---------------------------------------------------------------- what people marked


def spans_by_output(judged: JudgementRecord) -> dict[OutputIndices, tuple[ErrorSpan, ...]]:
    """Return the error spans that people marked in each output, in the order of the record.

    Outputs without a span have no entry."""
    out: dict[OutputIndices, list[ErrorSpan]] = {}
    for span in judged.spans:
        if span.side == "target":
            out.setdefault((span.system, span.segment), []).append(span)
    return {output: tuple(spans) for output, spans in out.items()}


def marked_words(tokens: Sequence[Token], spans: Iterable[ErrorSpan]) -> frozenset[int]:
    """Return the positions of the words of an output that overlap one of the marked spans.

    >>> tokens = [Token("a", "a", 0, 1), Token("cat", "cat", 2, 5), Token("sat", "sat", 6, 9)]
    >>> sorted(marked_words(tokens, [ErrorSpan(0, 0, 0, "target", 4, 7, "Accuracy", "Major")]))
    [1, 2]
    """
    ends = [(span.start, span.end) for span in spans if span.end > span.start]
    return frozenset(
        [n for n, token in enumerate(tokens) if any(token.start < end and start < token.end for start, end in ends)]
    )


def marked_words_by_output(
    judged: JudgementRecord, lines: Sequence[Sequence[str]], text: TextSettings
) -> dict[OutputIndices, frozenset[int]]:
    """Return for each output with a marked span the positions of the words that people marked.

    `lines` are the outputs, systems × segments; `text` says how lines are split into words."""
    return {
        (system, segment): marked_words(process(lines[system][segment], text), spans)
        for (system, segment), spans in spans_by_output(judged).items()
    }


# ---------------------------------------------------------------- what a metric finds


class OutputFindings(NamedTuple):
    """What a metric finds wrong in one output, and what its score is made of.

    Attributes:
        words: number of words of the output.
        unmatched: positions of unmatched words.
        edits: half-open ranges of the words that edits touch.
        breaks: positions of the matched words after which a run breaks.
        kinds: total credit of the marks of each kind, by the name of the kind.
        parts: the parts of the score.
        length: length of the output divided by the mean length of its references; None if these have no word."""

    words: int
    unmatched: tuple[int, ...]
    edits: tuple[tuple[int, int], ...]
    breaks: tuple[int, ...]
    kinds: Mapping[str, float]
    parts: Mapping[str, float] = MappingProxyType({})
    length: float | None = None


def find_in_segment(metric: Metric, settings: Settings, segment: Segment) -> OutputFindings:
    """Return what a metric finds wrong in the output of a segment, and what its score is made of.

    Raises whatever scoring the segment raises.

    >>> from metrics import METRICS, settings
    >>> segment = Segment(tuple("a b x c".split()), (tuple("a b y c".split()),))
    >>> found = find_in_segment(METRICS["wer"], settings("wer"), segment)
    >>> found.words, found.unmatched, found.edits, found.breaks
    (4, (2,), ((2, 3),), ())
    >>> segment = Segment(("a", "b", "c"), (("c", "a", "b"),))
    >>> found = find_in_segment(METRICS["gtm"], settings("gtm"), segment)
    >>> found.breaks, found.kinds
    ((1,), {'blocks': 5.0})
    """
    return findings_of_result(metric.score(segment, settings))


def findings_of_result(result: Result) -> OutputFindings:
    """Return the faults, marks and parts of the score in a result of one segment."""
    words = len(result.segment.candidate)
    references = sum(map(len, result.segment.references)) / len(result.segment.references)
    cells: dict[int, set[tuple[int, int]]] = {}
    edits: dict[tuple[int, int], None] = {}
    kinds: dict[str, float] = {}
    for layer in result.layers:
        kind = layer.kind or layer.name
        kinds[kind] = kinds.get(kind, 0.0) + layer.total()
        if layer.marks and (layer.relation == "different" or _is_error(layer.marks[0])):
            for mark in layer.marks:
                if isinstance(mark, Edit) and mark.op != "match" and mark.i_end > mark.i_start:
                    edits[mark.i_start, mark.i_end] = None
                elif isinstance(mark, Shift):
                    edits[min(mark.rows), max(mark.rows) + 1] = None
            continue
        for cell in layer.cells():
            cells.setdefault(cell.i, set()).add((cell.k, cell.j))
    unmatched = tuple([i for i in range(words) if i not in cells])
    breaks = tuple([i for i in range(words - 1) if i in cells and i + 1 in cells and not _continues_run(cells, i)])
    length = words / references if references else None
    return OutputFindings(words, unmatched, tuple(sorted(edits)), breaks, kinds, dict(result.parts), length)


def find_in_segments(
    metric: Metric, settings: Settings, segments: Mapping[OutputIndices, Segment]
) -> dict[OutputIndices, OutputFindings]:
    """Return the faults, marks and parts of the score that a metric finds in each output, by its indices.

    Segments that are too hard to compute are left out."""
    out = {}
    for output, segment in segments.items():
        with suppress(TooHard):
            out[output] = find_in_segment(metric, settings, segment)
    return out


def _is_error(mark: Mark) -> bool:
    """Return whether a mark is a shift, or an edit that is not a match."""
    return isinstance(mark, Shift) or (isinstance(mark, Edit) and mark.op != "match")


def _continues_run(cells: Mapping[int, set[tuple[int, int]]], i: int) -> bool:
    """Return whether words `i` and `i + 1` match adjacent words of a reference.

    `cells` maps a candidate position to its matches, as (reference, position)."""
    return any((k, j + 1) in cells[i + 1] for k, j in cells[i])


# ---------------------------------------------------------------- faults in marked spans, compared with chance


class Overlap(NamedTuple):
    """The overlap of one kind of fault that a metric finds with the spans that people marked as errors.

    Attributes:
        fault: the kind of fault.
        number: number of faults.
        marked: number of faults that touch a marked span.
        share: `marked` divided by `number`.
        chance: the share expected by chance.
        difference: 95 % interval of `share` minus `chance`, over resamples of the segments.
        outputs: the outputs with most faults in marked spans, at most NAMED."""

    fault: Fault
    number: int
    marked: int
    share: float
    chance: float
    difference: Interval
    outputs: tuple[OutputIndices, ...]


def overlap_by_fault(
    findings: Mapping[OutputIndices, OutputFindings],
    marks: Mapping[OutputIndices, frozenset[int]],
    segment_count: int,
    resamples: int = RESAMPLES,
) -> tuple[Overlap, ...]:
    """Return how many of a metric's faults touch words that people marked, by kind of fault, over all outputs.

    `marks` has the positions of the marked words; an output that it lacks has none. `segment_count` is the number of
    segments. Kinds of fault that never occur are left out.

    >>> one = OutputFindings(4, (2,), ((2, 3),), (), {})
    >>> [(each.fault, each.share, each.chance) for each in overlap_by_fault({(0, 0): one}, {(0, 0): frozenset({2})}, 1)]
    [('unmatched words', 1.0, 0.25), ('edits', 1.0, 0.25)]
    """
    out = []
    for fault in FAULTS:
        sums = np.zeros(
            (segment_count, 3)
        )  # per segment: faults, faults in marked spans, and faults expected there by chance
        many: dict[OutputIndices, int] = {}
        for output, each in findings.items():
            of_marked = marks.get(output, frozenset())
            places = _fault_ranges(each, fault)
            hit = sum([1 for start, end in places if any(i in of_marked for i in range(start, end))])
            sums[output[1]] += (
                len(places),
                hit,
                sum([_chance_share(end - start, each.words, of_marked) for start, end in places]),
            )
            if hit:
                many[output] = hit
        number, marked, by_chance = sums.sum(axis=0)
        if not number:
            continue
        outputs = sorted(many, key=lambda output: (-many[output], output))[:NAMED]
        out.append(
            Overlap(
                fault,
                int(number),
                int(marked),
                float(marked / number),
                float(by_chance / number),
                _difference_interval(sums, resamples),
                tuple(outputs),
            )
        )
    return tuple(out)


def _fault_ranges(findings: OutputFindings, fault: Fault) -> Sequence[tuple[int, int]]:
    """Return the half-open ranges of the words that the faults of one kind touch."""
    if fault == "edits":
        return findings.edits
    if fault == "broken runs":
        return [(i, i + 2) for i in findings.breaks]
    return [(i, i + 1) for i in findings.unmatched]


def _chance_share(length: int, words: int, marked: frozenset[int]) -> float:
    """Return the share of all stretches of `length` words in an output of `words` words that touch a marked word."""
    if not marked:
        return 0.0
    places = words - length + 1
    return sum([1 for at in range(places) if any(i in marked for i in range(at, at + length))]) / places


def _difference_interval(sums: Array, resamples: int) -> Interval:
    """Return the 95 % interval of the share of faults in marked spans minus the share expected by chance.

    `sums` has for each segment the number of faults, of those in marked spans, and the number expected there."""
    parts = []
    for drawn in resample_counts(len(sums), resamples):
        with single_core_products():
            number, marked, expected = (drawn @ sums).T
        parts.append(ratio(marked - expected, number))
    return interval(np.concatenate(parts))


# ---------------------------------------------------------------- correlations with judgements


class FindingCorrelation(NamedTuple):
    """The correlation of one property of outputs with human judgements.

    Faults, and the credit of marks of a kind, are divided by the number of words of the output. Parts of the score, and
    the length relative to the references, are used as they are.

    Attributes:
        what: the type of the property.
        name: its name.
        pearson: Pearson over all outputs at once.
        kendall: Kendall over all outputs at once.
        within_segments: Pearson within segments, averaged over them.
        supporting: outputs that contribute most to the correlation, at most NAMED.
        against: outputs that contribute most against it, at most NAMED."""

    what: PropertyType
    name: str
    pearson: Coefficient
    kendall: Coefficient
    within_segments: Coefficient
    supporting: tuple[OutputIndices, ...]
    opposing: tuple[OutputIndices, ...]


def correlate_findings(
    findings: Mapping[OutputIndices, OutputFindings], people: Array
) -> tuple[FindingCorrelation, ...]:
    """Return how each property that a metric finds in outputs correlates with human judgements.

    The properties are faults, marks by kind, parts of the score, and the length. `people` is systems × segments, and
    higher is better. Properties that no output has are left out, and outputs without words have no value.

    >>> outputs = {(n, 0): OutputFindings(4, tuple(range(n)), (), (), {}) for n in range(3)}
    >>> ratings = np.array([[3.0], [2.0], [1.0]])
    >>> [(each.name, round(each.pearson.value, 9)) for each in correlate_findings(outputs, ratings)]
    [('unmatched words', -1.0)]
    """
    values_by_key: dict[tuple[PropertyType, str], Array] = {}
    for output, each in findings.items():
        if not each.words:
            continue
        faults: dict[str, float] = {fault: len(_fault_ranges(each, fault)) / each.words for fault in FAULTS}
        kinds = {kind: credit / each.words for kind, credit in each.kinds.items()}
        length = {} if each.length is None else {"length": each.length}
        of: dict[PropertyType, Mapping[str, float]] = {
            "fault": faults,
            "marks": kinds,
            "part": each.parts,
            "length": length,
        }
        for what, values in of.items():
            for name, value in values.items():
                values_by_key.setdefault((what, name), np.full(people.shape, np.nan))[output] = value
    return tuple(
        [_correlate(*key, values, people) for key, values in values_by_key.items() if np.nansum(np.abs(values))]
    )


def _correlate(what: PropertyType, name: str, values: Array, people: Array) -> FindingCorrelation:
    """Return the correlation of one property, whose `values` are systems × segments, with human judgements."""
    pearson = correlation.pearson(people, values)
    by: tuple[OutputIndices, ...] = ()
    against: tuple[OutputIndices, ...] = ()
    if isinstance(pearson, correlation.CoefficientValue):
        valid = ~(np.isnan(people) | np.isnan(values))
        x, y = (np.where(valid, each - each[valid].mean(), 0.0) for each in (people, values))
        spoken = np.sign(pearson.value) * x * y
        order = np.argsort(-spoken, axis=None, kind="stable")
        by, against = (
            tuple([_output_at(at, people.shape[1]) for at in positions if sign * spoken.flat[at] > 0])
            for sign, positions in ((1, order[:NAMED]), (-1, order[::-1][:NAMED]))
        )
    return FindingCorrelation(
        what,
        name,
        pearson,
        correlation.kendall(people, values),
        correlation.pearson(people, values, "item"),
        by,
        against,
    )


def _output_at(at: int, segments: int) -> OutputIndices:
    """Return the output at the index `at` of a flattened array of systems × segments; `segments` is their number."""
    system, segment = divmod(int(at), segments)
    return system, segment
