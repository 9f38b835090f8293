"""List the slips that can be made on ROUGE-L: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from ....teach.mistakes import RawSlips, count_common, count_of_words, longest_run
from ....types import Metric, Result
from ..slips import divisor_texts, f_of_counts, has_single_references, references_of_p_and_r, shared_slips


def slips(metric: Metric, result: Result) -> RawSlips:
    yield from shared_slips(metric, result, divisor_texts(result, "word"))
    if not has_single_references(result):
        return
    candidate, references = result.segment
    n, m, (p, r) = result.stats["candidate_total"], result.stats["reference_total"], references_of_p_and_r(result)
    common = [count_common(candidate, references[k]) for k in (p, r)]
    lcs = [result.stats["precision_match"], result.stats["recall_match"]]
    if common != lcs:
        common_words = f"{common[0]} and {count_of_words(common[1])}" if p != r else count_of_words(common[1])
        sentence = f"Counted all {common_words} in common: the LCS has only words in the same order."
        yield f_of_counts(result, common, (n, m)), sentence
    runs = [longest_run(candidate, references[k]) for k in (p, r)]
    if runs != lcs:
        sentence = "Counted only the longest run: the words of an LCS may have gaps between them."
        yield f_of_counts(result, runs, (n, m)), sentence
    yield f_of_counts(result, [count - 1 for count in lcs], (n, m)), "One too few: the LCS has one word more."
