"""The references that decide the scores of two outputs, and the references that tie with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..types import Edit, Metric, Result, Segment, Shift, TooHard
from ..types.work import spend_reading
from .changes import matched_count
from .small_words import count_noun

#: Scores that differ by less count as equal: the difference is rounding.
_EQUAL = 1e-9


def tied_references(metric: Metric, result: Result, part: str = "score") -> tuple[int, ...]:
    """Return the indexes of the references that each give the same score as all references together.

    `part` names a part of the score, such as "precision", to be compared instead of the score. There are several if
    references are equally good, and none unless a single reference decides. If finding the others would take too long,
    only the deciding reference is returned.

    >>> from metrics import METRICS, score
    >>> tied_references(METRICS["wer"], score("wer", ["a", "b"], [["a"], ["a", "c"], ["x", "b"]]))
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


def ranked_references(results: Sequence[tuple[Metric, Result]], ks: Iterable[int]) -> list[int]:
    """Return the reference indexes `ks`, sorted by what the references contribute to the scores.

    References that decide a score come first, then those whose marks have the largest credits. Ties keep the order of
    the references. The reference that a length penalty uses does not count as deciding here, because no cell shows it.

    >>> from metrics import METRICS, score
    >>> ranked_references([(METRICS["gtm"], score("gtm", ["a", "b"], [["c"], ["a", "b"]]))], range(2))
    [1, 0]
    """
    ks = list(ks)
    if len(ks) < 2:
        return ks
    decide = {k for metric, result in results for part, k in result.decides.items() if part != metric.length_penalty}
    each = [result.contributions() for _, result in results]
    return sorted(ks, key=lambda k: (k not in decide, -round(math.fsum([credits[k] for credits in each]), 9), k))


def describe_deciding_references(metric: Metric, a: Result, b: Result, names: tuple[str, str] = ("A", "B")) -> str:
    """Return a sentence, without its full stop, that says which references decide the scores of A and B.

    It names the lengths of the references, and how many matches or edits are counted against them. It is "" if the same
    references decide for both, or if none is chosen. `names` replaces the names A and B.
    """
    clauses = []
    for (k, m), parts in parts_by_references(metric, a, b).items():
        whole = parts == ["score"]
        ours, theirs = (_describe_reference(metric, result, n, whole) for result, n in ((a, k), (b, m)))
        takes = "is scored" if whole else f"has its {' and '.join(parts)}"
        clauses.append(
            f"{names[0]} {takes} against {ours}, {names[1]} against {theirs}{_describe_counts(a, b) if whole else ''}"
        )
    return "; ".join(clauses)


def parts_by_references(metric: Metric, a: Result, b: Result) -> dict[tuple[int, int], list[str]]:
    """Return the parts of the score, such as "precision", that different references decide in A and in B.

    They are grouped by (reference in A, reference in B). A length penalty is measured against the reference of the
    nearest length. It is only included if the penalty differs.
    """
    out: dict[tuple[int, int], list[str]] = {}
    for part, k in a.decides.items():
        m = b.decides.get(part, k)
        if k != m and not (part == metric.length_penalty and a.parts[part] == b.parts[part]):
            out.setdefault((k, m), []).append(part.replace("_", " "))
    return out


def _describe_reference(metric: Metric, result: Result, k: int, whole: bool) -> str:
    """Return a phrase for reference `k` with its length.

    If it decides the `whole` score, the phrase also names the references that tie with it.
    """
    words = count_noun(len(result.segment.references[k]), "words")
    tied_numbers = [f"{n + 1}" for n in tied_references(metric, result) if n != k] if whole else []
    ties = f", tied with {' and '.join(tied_numbers)}" if tied_numbers else ""
    return f"reference {k + 1} ({words}{ties})"


def _describe_counts(a: Result, b: Result) -> str:
    """Return a phrase that says how many edits A and B have, or how many words or letters match."""
    ours, theirs, noun = count_edits(a), count_edits(b), "edits"
    if ours is None or theirs is None:
        (ours, theirs), noun = map(matched_count, (a, b)), f"matched {a.unit}s"
    return f": {count_noun(ours, noun)} each" if ours == theirs else f": {count_noun(ours, noun)}, and {theirs}"


def count_edits(result: Result) -> int | None:
    """Return how many edits a result has, shifts included, or None if its metric counts no edits."""
    marks = [mark for layer in result.layers for mark in layer.marks[:1]]
    if not any(isinstance(mark, Edit) for mark in marks):
        return None
    marks = [mark for layer in result.layers for mark in layer.marks]
    return sum([isinstance(mark, Shift) or (isinstance(mark, Edit) and mark.op != "match") for mark in marks])
