"""List the slips that can be made on ROUGE-N: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from typing import Any

from ....formula import format_number
from ....teach.mistakes import RawSlips, score_with_settings
from ....teach.ngrams import ngrams
from ....types import Metric, Result
from ..slips import divisor_texts, f_of_counts, has_single_references, references_of_p_and_r, shared_slips


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    order = settings.order
    noun = f"{order}-gram" if order > 1 else "word"
    yield from shared_slips(metric, result, divisor_texts(result, noun))
    if has_single_references(result):
        yield from _count_slips(result, order, noun)
    if order > 1 and "candidate_total" in result.stats:
        yield score_with_settings(metric, result, order=1), f"Counted single words: this is about {noun}s."


def _count_slips(result: Result, order: int, noun: str) -> RawSlips:
    """Yield the scores that come from a wrong number of matches or a wrong divisor, each with an explanation.

    `order` is the n-grams' length in words, and `noun` their plural noun."""
    candidate, references = result.segment
    n, m = result.stats["candidate_total"], result.stats["reference_total"]
    ours, (p, r) = ngrams(candidate, order), references_of_p_and_r(result)
    unclipped = [sum([ngram in theirs for ngram in ours]) for theirs in (ngrams(references[k], order) for k in (p, r))]
    if unclipped != [result.stats["precision_match"], result.stats["recall_match"]]:
        f = f_of_counts(result, unclipped, (n, m))
        yield f, f"Counted a {noun} twice: one that the candidate repeats counts only as often as the reference has it."
    if order > 1:
        words = len(candidate), len(references[r])
        f = f_of_counts(result, (result.stats["precision_match"], result.stats["recall_match"]), words)
        yield (
            f,
            f"Divided by the {words[0]} and {words[1]} words: there are only {format_number(n)} and "
            f"{format_number(m)} {noun}s.",
        )
