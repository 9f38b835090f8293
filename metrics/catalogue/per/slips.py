"""List the slips that can be made on PER: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from ...alignment.edits import nearest_reference
from ...teach.mistakes import (
    RawSlips,
    candidate_length_slips,
    count_of_words,
    longer_length_slips,
    mean_length_slips,
    reference_divisor_phrase,
    reference_name,
    undivided_slips,
)
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats = result.stats
    common, n, m = stats["common"], stats["candidate_length"], stats["reference_length"] or 1
    longer, k = stats["longer_length"], result.decides["score"]
    reference = reference_name(result.segment.references, k)
    yield (
        common / m,
        f"That is the share of {reference}'s {count_of_words(m)} that are found: an error rate counts what is wrong.",
    )
    if n > m:
        yield from insertion_slip(n, m, common, reference)
    yield from undivided_slips(longer - common, m, reference_divisor_phrase(reference, m))
    yield from longer_length_slips(longer - common, n, m, reference_divisor_phrase(reference, m))
    if m > n:
        yield from deletion_slip(n, m, common, reference)
    yield from candidate_length_slips(longer - common, n, reference_divisor_phrase(reference, m))
    if common < min(n, m):
        twice = n + m - 2 * common
        yield twice / m, "Counted a substitution as two edits: a word too many and one too few pair up."
    candidate, theirs = result.segment.candidate, result.segment.references[k]
    hits = sum([word in theirs for word in candidate])
    if hits != common:
        yield (longer - hits) / m, f"Counted a repeated word twice: it is found only as often as {reference} has it."
    errors = nearest_reference(result.segment._replace(references=(theirs,)))[1]
    if errors != longer - common:
        yield errors / m, "That is WER, which depends on word order; PER does not."
    yield from mean_length_slips(result, longer - common)


def insertion_slip(n: float, m: float, common: float, reference: str) -> RawSlips:
    """Yield the rate that comes from forgetting the insertions, with the sentence that explains the mistake.

    `n` and `m` are the lengths of candidate and reference, `common` is the number of common words, and `reference`
    names the reference in the sentence."""
    yield (m - common) / m, f"Forgot the insertions: the candidate has {count_of_words(n - m)} more than {reference}."


def deletion_slip(n: float, m: float, common: float, reference: str) -> RawSlips:
    """Yield the rate that comes from forgetting the deletions, with the sentence that explains the mistake.

    `n` and `m` are the lengths of candidate and reference, `common` is the number of common words, and `reference`
    names the reference in the sentence."""
    yield (n - common) / m, f"Forgot the deletions: the candidate has {count_of_words(m - n)} fewer than {reference}."
