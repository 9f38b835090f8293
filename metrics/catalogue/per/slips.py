"""The slips that can be made on PER."""

from __future__ import annotations

from ...alignment.edits import nearest
from ...teach.mistakes import RawSlips, by_reference, of_candidate, of_longer, of_mean_length, undivided, who, words
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats = result.stats
    common, n, m = stats["common"], stats["candidate_length"], stats["reference_length"] or 1
    longer, k = stats["longer_length"], result.decides["score"]
    reference = who(result.segment.references, k)
    yield (
        common / m,
        f"That is the share of {reference}'s {words(m)} that are found: an error rate counts what is wrong.",
    )
    if n > m:
        yield from of_insertions(n, m, common, reference)
    yield from undivided(longer - common, m, by_reference(reference, m))
    yield from of_longer(longer - common, n, m, by_reference(reference, m))
    if m > n:
        yield from of_deletions(n, m, common, reference)
    yield from of_candidate(longer - common, n, by_reference(reference, m))
    if common < min(n, m):
        twice = n + m - 2 * common
        yield twice / m, "Counted a substitution as two edits: a word too many and one too few pair up."
    candidate, theirs = result.segment.candidate, result.segment.references[k]
    hits = sum([word in theirs for word in candidate])
    if hits != common:
        yield (longer - hits) / m, f"Counted a repeated word twice: it is found as often as {reference} has it."
    errors = nearest(result.segment._replace(references=(theirs,)))[1]
    if errors != longer - common:
        yield errors / m, "That is WER, which asks for the order; PER does not."
    yield from of_mean_length(result, longer - common)


def of_insertions(n: float, m: float, common: float, reference: str) -> RawSlips:
    yield (m - common) / m, f"Forgot the insertions: the candidate has {words(n - m)} more than {reference}."


def of_deletions(n: float, m: float, common: float, reference: str) -> RawSlips:
    yield (n - common) / m, f"Forgot the deletions: the candidate has {words(m - n)} fewer than {reference}."
