"""List the slips that can be made on ROUGE-S: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ....teach.mistakes import RawSlips, count_common, count_of_words, score_with_settings
from ....types import Metric, Result
from ..slips import divisor_texts, f_of_counts, has_single_references, references_of_p_and_r, shared_slips


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    yield from shared_slips(metric, result, divisor_texts(result, "pair", " and words" if settings.unigrams else ""))
    if "candidate_total" not in result.stats:
        return
    stats, (candidate, references) = result.stats, result.segment
    ours, theirs = stats["precision_match"], stats["recall_match"]
    n, m, (p, r) = len(candidate), len(references[references_of_p_and_r(result)[1]]), references_of_p_and_r(result)
    if settings.max_skip is None and not settings.unigrams and has_single_references(result):
        yield (
            f_of_counts(result, (ours, theirs), (n, m)),
            f"Divided by {n} and {m} words: n words have n(n − 1)/2 pairs.",
        )
        twice = f_of_counts(result, (ours, theirs), (n * (n - 1), m * (m - 1)))
        yield twice, "Divided by n(n − 1): a pair has one order, so there are half as many."
        bags = [[tuple(sorted(pair)) for pair in combinations(words, 2)] for words in (candidate, *references)]
        unordered = [count_common(bags[0], bags[k + 1]) for k in (p, r)]
        if unordered != [ours, theirs]:
            f = f_of_counts(result, unordered, (stats["candidate_total"], stats["reference_total"]))
            yield f, "Counted pairs in either order: both words must be in the reference's order."
    if settings.max_skip is None and not settings.unigrams:
        yield score_with_settings(metric, result, unigrams=True), "Counted single words too: that is ROUGE-SU."
    if settings.max_skip is not None:
        d = settings.max_skip
        yield (
            score_with_settings(metric, result, max_skip=None),
            f"Forgot the window: at most {count_of_words(d)} may be between the two.",
        )
        clause = f"a pair may have {count_of_words(d)} between its two"
        if d < max(n, m):  # else the window is as wide as the sentences
            yield score_with_settings(metric, result, max_skip=d + 1), f"Window too wide by one: {clause}."
        if d:
            yield score_with_settings(metric, result, max_skip=d - 1), f"Window too narrow by one: {clause}."
    if settings.unigrams:
        yield (
            score_with_settings(metric, result, unigrams=False),
            "Forgot the single words, which count as well as the pairs.",
        )
    yield (
        score_with_settings(metric, result, max_skip=0, unigrams=False),
        "Counted only pairs of neighbours: there may be words between the two.",
    )
