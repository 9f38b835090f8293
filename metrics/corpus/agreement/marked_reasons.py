"""Which of a metric's reasons agree with people: whether what it finds wrong lies where people marked errors, and how
what it counts goes with their judgements.

Of each output it is looked at which words the metric leaves unmatched, which of its edits touch words of the output,
and where a run breaks between two matched words. What lies in a marked span by chance follows from how much of the
same output is marked: were the metric's words, stretches of edits or places of breaks drawn from all of that output's
words, stretches of that length or places. Marks of the source, such as omissions, lie in no output and are left out.
"""

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
from ..resampling import Interval, counts, interval, one_thread
from ..table import Array
from . import correlation
from .correlation import Coefficient

#: What a metric may find wrong.
Fault: TypeAlias = Literal["unmatched words", "edits", "broken runs"]
FAULTS: tuple[Fault, ...] = ("unmatched words", "edits", "broken runs")
#: What is held against judgements: faults, marks of a kind, parts of the score, and the length.
What: TypeAlias = Literal["fault", "marks", "part", "length"]
#: An output by its system and its segment, from 0.
Output: TypeAlias = tuple[int, int]
#: Outputs that are named for a number, at the most.
NAMED = 200
#: Resamples of the segments.
RESAMPLES = 1000


# ---------------------------------------------------------------- what people marked


def spans_of(judged: JudgementRecord) -> dict[Output, tuple[ErrorSpan, ...]]:
    """The marked spans of each output that has some, in the order in which they stand in the record."""
    out: dict[Output, list[ErrorSpan]] = {}
    for span in judged.spans:
        if span.side == "target":
            out.setdefault((span.system, span.segment), []).append(span)
    return {output: tuple(spans) for output, spans in out.items()}


def marked_words(tokens: Sequence[Token], spans: Iterable[ErrorSpan]) -> frozenset[int]:
    """The places of the words of an output that a marked span touches.

    >>> tokens = [Token("a", "a", 0, 1), Token("cat", "cat", 2, 5), Token("sat", "sat", 6, 9)]
    >>> sorted(marked_words(tokens, [ErrorSpan(0, 0, 0, "target", 4, 7, "Accuracy", "Major")]))
    [1, 2]
    """
    ends = [(span.start, span.end) for span in spans if span.end > span.start]
    return frozenset(
        [n for n, token in enumerate(tokens) if any(token.start < end and start < token.end for start, end in ends)]
    )


def marks_of(
    judged: JudgementRecord, lines: Sequence[Sequence[str]], text: TextSettings
) -> dict[Output, frozenset[int]]:
    """The places of the words that people marked, of the outputs in which they marked some; lines are systems ×
    segments, and become words as `text` says."""
    return {
        (system, segment): marked_words(process(lines[system][segment], text), spans)
        for (system, segment), spans in spans_of(judged).items()
    }


# ---------------------------------------------------------------- what a metric finds


class OutputFindings(NamedTuple):
    """What a metric finds in an output of so many `words`: the places of unmatched words, the stretches of words that
    edits touch, half-open, and breaks, each by the matched word before it. `kinds` are its marks by what they are
    called, the credit of all of a kind, `parts` the parts of its score, and `length` how long the output is beside its
    references in the mean, None where these have no word."""

    words: int
    unmatched: tuple[int, ...]
    edits: tuple[tuple[int, int], ...]
    breaks: tuple[int, ...]
    kinds: Mapping[str, float]
    parts: Mapping[str, float] = MappingProxyType({})
    length: float | None = None


def see(metric: Metric, settings: Settings, segment: Segment) -> OutputFindings:
    """What a metric finds in a segment. Raises what the metric raises.

    >>> from metrics import METRICS, settings
    >>> segment = Segment(tuple("a b x c".split()), (tuple("a b y c".split()),))
    >>> see(METRICS["wer"], settings("wer"), segment)[:4]
    (4, (2,), ((2, 3),), ())
    >>> found = see(METRICS["gtm"], settings("gtm"), Segment(tuple("a b c".split()), (tuple("c a b".split()),)))
    >>> found.breaks, found.kinds
    ((1,), {'blocks': 5.0})
    """
    return findings_of_result(metric.score(segment, settings))


def findings_of_result(result: Result) -> OutputFindings:
    """The same of a result."""
    words = len(result.segment.candidate)
    references = sum(map(len, result.segment.references)) / len(result.segment.references)
    cells: dict[int, set[tuple[int, int]]] = {}
    edits: dict[tuple[int, int], None] = {}
    kinds: dict[str, float] = {}
    for layer in result.layers:
        kind = layer.kind or layer.name
        kinds[kind] = kinds.get(kind, 0.0) + layer.total()
        if layer.marks and (layer.relation == "different" or _is_edit(layer.marks[0])):
            for mark in layer.marks:
                if isinstance(mark, Edit) and mark.op != "match" and mark.i_end > mark.i_start:
                    edits[mark.i_start, mark.i_end] = None
                elif isinstance(mark, Shift):
                    edits[min(mark.rows), max(mark.rows) + 1] = None
            continue
        for cell in layer.cells():
            cells.setdefault(cell.i, set()).add((cell.k, cell.j))
    unmatched = tuple([i for i in range(words) if i not in cells])
    breaks = tuple([i for i in range(words - 1) if i in cells and i + 1 in cells and not _goes_on(cells, i)])
    length = words / references if references else None
    return OutputFindings(words, unmatched, tuple(sorted(edits)), breaks, kinds, dict(result.parts), length)


def see_all(metric: Metric, settings: Settings, segments: Mapping[Output, Segment]) -> dict[Output, OutputFindings]:
    """What a metric finds in several outputs; those are left out of which the work is too much."""
    out = {}
    for output, segment in segments.items():
        with suppress(TooHard):
            out[output] = see(metric, settings, segment)
    return out


def _is_edit(mark: Mark) -> bool:
    return isinstance(mark, Shift) or (isinstance(mark, Edit) and mark.op != "match")


def _goes_on(cells: Mapping[int, set[tuple[int, int]]], i: int) -> bool:
    """Whether the word behind a matched word is matched with the word behind that one's."""
    return any((k, j + 1) in cells[i + 1] for k, j in cells[i])


# ---------------------------------------------------------------- in marked spans, against chance


class Overlap(NamedTuple):
    """How much of what a metric finds wrong lies in spans that people marked.

    Of `number` faults, `marked` touch a marked span: `share` of them, where by chance it were `chance`. `difference` is
    the 95 % interval of share less chance over resamples of the segments. `outputs` are those with most faults in
    marked spans, NAMED at the most.
    """

    fault: Fault
    number: int
    marked: int
    share: float
    chance: float
    difference: Interval
    outputs: tuple[Output, ...]


def overlaps(
    findings: Mapping[Output, OutputFindings],
    marks: Mapping[Output, frozenset[int]],
    size: int,
    resamples: int = RESAMPLES,
) -> tuple[Overlap, ...]:
    """How much of each fault lies in marked spans, over the outputs that were looked at; an output that is not in
    `marks` has no marked word. `size` is how many segments there are. A fault that a metric never has is left out.

    >>> one = OutputFindings(4, (2,), ((2, 3),), (), {})
    >>> [(each.fault, each.share, each.chance) for each in overlaps({(0, 0): one}, {(0, 0): frozenset({2})}, 1)]
    [('unmatched words', 1.0, 0.25), ('edits', 1.0, 0.25)]
    """
    out = []
    for fault in FAULTS:
        sums = np.zeros((size, 3))  # of each segment faults, those in marked spans, and those expected there
        many: dict[Output, int] = {}
        for output, each in findings.items():
            of_marked = marks.get(output, frozenset())
            places = _places(each, fault)
            hit = sum([1 for start, end in places if any(i in of_marked for i in range(start, end))])
            sums[output[1]] += (
                len(places),
                hit,
                sum([_expected(end - start, each.words, of_marked) for start, end in places]),
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
                _difference(sums, resamples),
                tuple(outputs),
            )
        )
    return tuple(out)


def _places(findings: OutputFindings, fault: Fault) -> Sequence[tuple[int, int]]:
    """The stretches of words that faults touch."""
    if fault == "edits":
        return findings.edits
    if fault == "broken runs":
        return [(i, i + 2) for i in findings.breaks]
    return [(i, i + 1) for i in findings.unmatched]


def _expected(length: int, words: int, marked: frozenset[int]) -> float:
    """The part of all stretches of a length that touch a marked word."""
    if not marked:
        return 0.0
    places = words - length + 1
    return sum([1 for at in range(places) if any(i in marked for i in range(at, at + length))]) / places


def _difference(sums: Array, resamples: int) -> Interval:
    parts = []
    for drawn in counts(len(sums), resamples):
        with one_thread():
            number, marked, expected = (drawn @ sums).T
        parts.append(np.divide(marked - expected, number, out=np.zeros(len(number)), where=number > 0))
    return interval(np.concatenate(parts))


# ---------------------------------------------------------------- what is counted, and judgements


class FindingCorrelation(NamedTuple):
    """How something that a metric finds in an output goes with people's judgements: over all outputs at once
    (`pearson`, `kendall`) and within segments (`within_segments`, Pearson). Faults and the credit of marks of a kind
    are for each word of the output; parts of the score and the length beside the references stand as they are. `by`
    are outputs that speak most for a correlation of this sign, and `against` those that speak most against it, NAMED
    at the most."""

    what: What
    name: str
    pearson: Coefficient
    kendall: Coefficient
    within_segments: Coefficient
    by: tuple[Output, ...]
    against: tuple[Output, ...]


def counted(findings: Mapping[Output, OutputFindings], people: Array) -> tuple[FindingCorrelation, ...]:
    """The correlation of each fault, kind of mark and part of a score, and of the length, with people's judgements,
    systems × segments, of which higher is better. What no output has is left out, and an output without words has no
    value.

    >>> outputs = {(n, 0): OutputFindings(4, tuple(range(n)), (), (), {}) for n in range(3)}
    >>> [(each.name, round(each.pearson.value, 9)) for each in counted(outputs, np.array([[3.0], [2.0], [1.0]]))]
    [('unmatched words', -1.0)]
    """
    values_by_key: dict[tuple[What, str], Array] = {}
    for output, each in findings.items():
        if not each.words:
            continue
        faults: dict[str, float] = {fault: len(_places(each, fault)) / each.words for fault in FAULTS}
        kinds = {kind: credit / each.words for kind, credit in each.kinds.items()}
        length = {} if each.length is None else {"length": each.length}
        of: dict[What, Mapping[str, float]] = {"fault": faults, "marks": kinds, "part": each.parts, "length": length}
        for what, values in of.items():
            for name, value in values.items():
                values_by_key.setdefault((what, name), np.full(people.shape, np.nan))[output] = value
    return tuple([_counted(*key, values, people) for key, values in values_by_key.items() if np.nansum(np.abs(values))])


def _counted(what: What, name: str, values: Array, people: Array) -> FindingCorrelation:
    pearson = correlation.pearson(people, values)
    by: tuple[Output, ...] = ()
    against: tuple[Output, ...] = ()
    if isinstance(pearson, correlation.CoefficientValue):
        valid = ~(np.isnan(people) | np.isnan(values))
        x, y = (np.where(valid, each - each[valid].mean(), 0.0) for each in (people, values))
        spoken = np.sign(pearson.value) * x * y
        order = np.argsort(-spoken, axis=None, kind="stable")
        by, against = (
            tuple([_output(at, people.shape[1]) for at in positions if sign * spoken.flat[at] > 0])
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


def _output(at: int, segments: int) -> Output:
    system, segment = divmod(int(at), segments)
    return system, segment
