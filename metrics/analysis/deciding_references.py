"""Which references decide the scores of two outputs, and which tie with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..types import Edit, Metric, Result, Segment, Shift, TooHard
from ..types.work import spend_reading
from .changes import matched_count

#: Scores that differ by less are equal but for rounding.
_EQUAL = 1e-9


def tied(metric: Metric, result: Result, part: str = "score") -> tuple[int, ...]:
    """The references that alone give the score of all, or a part of it, where one of them decides that: several are
    equally good. Only the one that decides where it would take too long to find the others.

    >>> from metrics import METRICS, score
    >>> tied(METRICS["wer"], score("wer", ["a", "b"], [["a"], ["a", "c"], ["x", "b"]]))
    (1, 2)
    """
    if part not in result.decides:
        return ()
    candidate, references = result.segment
    k = result.decides[part]
    if len(references) == 1:
        return (k,)
    whole = result.score if part == "score" else result.parts[part]
    numbers = []
    try:
        for n, reference in enumerate(references):
            spend_reading((candidate, reference))
            stats = metric.statistics(Segment(candidate, (reference,)), result.settings)
            score, parts = metric.from_stats(stats, result.settings)
            if n == k or math.isclose(score if part == "score" else parts[part], whole, abs_tol=_EQUAL):
                numbers.append(n)
    except TooHard:
        return (k,)
    return tuple(numbers)


def ranked(results: Sequence[tuple[Metric, Result]], ks: Iterable[int]) -> list[int]:
    """References, those that decide a score of results before those that do not, then by what their marks contribute,
    of equal ones the first. Which one a length is compared with decides nothing here: no cell shows it.

    >>> from metrics import METRICS, score
    >>> ranked([(METRICS["gtm"], score("gtm", ["a", "b"], [["c"], ["a", "b"]]))], range(2))
    [1, 0]
    """
    ks = list(ks)
    if len(ks) < 2:
        return ks
    decide = {k for metric, result in results for part, k in result.decides.items() if part != metric.length_penalty}
    each = [result.contributions() for _, result in results]
    return sorted(ks, key=lambda k: (k not in decide, -round(math.fsum([credits[k] for credits in each]), 9), k))


def decided(metric: Metric, a: Result, b: Result, names: tuple[str, str] = ("A", "B")) -> str:
    """Which references decide the scores of A and B, how long they are and how much is counted against them, as a
    sentence without its end; "" where they are the same or none is chosen. A and B may have other names."""
    clauses = []
    for (k, m), parts in parts_by_references(metric, a, b).items():
        whole = parts == ["score"]
        ours, theirs = (_reference(metric, result, n, whole) for result, n in ((a, k), (b, m)))
        takes = "is scored" if whole else f"has its {' and '.join(parts)}"
        clauses.append(
            f"{names[0]} {takes} against {ours}, {names[1]} against {theirs}{_counts(a, b) if whole else ''}"
        )
    return "; ".join(clauses)


def parts_by_references(metric: Metric, a: Result, b: Result) -> dict[tuple[int, int], list[str]]:
    """By the references that decide for A and for B, where those are two, the parts of the score that they decide.

    A penalty for the length is measured against the reference of the next length, which counts only where the penalty
    changes.
    """
    out: dict[tuple[int, int], list[str]] = {}
    for part, k in a.decides.items():
        m = b.decides.get(part, k)
        if k != m and not (part == metric.length_penalty and a.parts[part] == b.parts[part]):
            out.setdefault((k, m), []).append(part.replace("_", " "))
    return out


def _reference(metric: Metric, result: Result, k: int, whole: bool) -> str:
    """A reference with its length, and the others that tie with it where it decides the whole score."""
    words = _count(len(result.segment.references[k]), "word")
    tied_numbers = [f"{n + 1}" for n in tied(metric, result) if n != k] if whole else []
    ties = f", tied with {' and '.join(tied_numbers)}" if tied_numbers else ""
    return f"reference {k + 1} ({words}{ties})"


def _counts(a: Result, b: Result) -> str:
    """How many edits there are, or words or letters that match."""
    ours, theirs, noun = edits_of(a), edits_of(b), "edit"
    if ours is None or theirs is None:
        (ours, theirs), noun = map(matched_count, (a, b)), f"matched {a.unit}"
    return f": {_count(ours, noun)} each" if ours == theirs else f": {_count(ours, noun)}, and {theirs}"


def edits_of(result: Result) -> int | None:
    """How many edits a result has, shifts too; None where its metric counts none."""
    marks = [mark for layer in result.layers for mark in layer.marks[:1]]
    if not any(isinstance(mark, Edit) for mark in marks):
        return None
    marks = [mark for layer in result.layers for mark in layer.marks]
    return sum([isinstance(mark, Shift) or (isinstance(mark, Edit) and mark.op != "match") for mark in marks])


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
