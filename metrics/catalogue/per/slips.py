"""List the slips that can be made on PER: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from ...alignment.edits import nearest_reference
from ...teach.mistakes import (
    RawSlips,
    candidate_length_slips,
    divided_by_reference,
    longer_length_slips,
    mean_length_slips,
    reference_name,
    undivided_slips,
    words,
)
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats = result.stats
    common, n, m = stats["common"], stats["candidate_length"], stats["reference_length"] or 1
    longer, k = stats["longer_length"], result.decides["score"]
    reference = reference_name(result.segment.references, k)
    yield (
        common / m,
        f"That is the share of {reference}'s {words(m)} that are found: an error rate counts what is wrong.",
    )
    if n > m:
        yield from insertion_slip(n, m, common, reference)
    yield from undivided_slips(longer - common, m, divided_by_reference(reference, m))
    yield from longer_length_slips(longer - common, n, m, divided_by_reference(reference, m))
    if m > n:
        yield from deletion_slip(n, m, common, reference)
    yield from candidate_length_slips(longer - common, n, divided_by_reference(reference, m))
    if common < min(n, m):
        twice = n + m - 2 * common
        yield twice / m, "Counted a substitution as two edits: a word too many and one too few pair up."
    candidate, theirs = result.segment.candidate, result.segment.references[k]
    hits = sum([word in theirs for word in candidate])
    if hits != common:
        yield (longer - hits) / m, f"Counted a repeated word twice: it is found as often as {reference} has it."
    errors = nearest_reference(result.segment._replace(references=(theirs,)))[1]
    if errors != longer - common:
        yield errors / m, "That is WER, which asks for the order; PER does not."
    yield from mean_length_slips(result, longer - common)


def insertion_slip(n: float, m: float, common: float, reference: str) -> RawSlips:
    """Yield the slip of forgetting the insertions."""
    yield (m - common) / m, f"Forgot the insertions: the candidate has {words(n - m)} more than {reference}."


def deletion_slip(n: float, m: float, common: float, reference: str) -> RawSlips:
    """Yield the slip of forgetting the deletions."""
    yield (n - common) / m, f"Forgot the deletions: the candidate has {words(m - n)} fewer than {reference}."
