"""The pairs of words, in order and with any gap, that both sentences have.

SKIP2 counts the pairs in common; a pair that one side repeats matches as often as the other side has it, and the
leftmost occurrences are drawn. A sentence of n words has C(n, 2) = n(n − 1)/2 pairs; the reference has m words.

    P = SKIP2 / C(n, 2),  R = SKIP2 / C(m, 2)
    F = (1 + β²) · P · R / (R + β² · P)

Where the words between the two are limited to d, only pairs within that window count, in SKIP2 and in both
denominators. With single words (ROUGE-SU), the words in common are added to SKIP2 and the lengths to the denominators.
Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

Rewards: every two words that keep their order, neighbours or not. Against "police killed the gunman", "police kill
the gunman" scores 0.5, "the gunman police killed" 0.333 and "the gunman kill police" 0.167; ROUGE-L gives the last
two the same.

Cannot see: a word by itself, only pairs of words. "gunman the killed police" has every word and scores 0, since no
pair keeps its order, and a sentence of one word has no pairs and scores 0 even against itself; counting single
words too solves both. Without a window, words far apart count as much as neighbours, and in long sentences most
pairs are far apart.

Source: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
Skip-Bigram Statistics, section 4 (equations 13 to 15).

>>> from metrics import score
>>> score("rouge_s", "police kill the gunman".split(), ["police killed the gunman".split()]).score
0.5
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, cast

from ....alignment import ngrams
from ....alignment.unused_matches import UsedWords
from ....formula import Expr, Number, number_of
from ....types import (
    LENGTH_MOST,
    Account,
    Deferred,
    Hit,
    Layer,
    Result,
    Segment,
    Settings,
    SkipBigram,
    Tokens,
    UnusedMatchReason,
    setting,
)
from ....types.work import spend
from ..kind import (
    RougeAmounts,
    RougeKind,
    RougeLayer,
    beta_setting,
    f_measure_setting,
    multi_reference_setting,
    unit_credits,
)
from ..score import count_matched_words


@dataclass(frozen=True, slots=True)
class RougeSSettings(Settings):
    """The settings of ROUGE-S: which pairs count, and how P, R and F are computed from them."""

    max_skip: int | None = setting(
        None,
        "whole",
        "Words between the two",
        "The most words allowed between the two words of a pair; 0 gives bigrams.",
        least=0,
        most=LENGTH_MOST,
        optional=True,
        none="any number",
        slider_range=(0, 9),
    )
    unigrams: bool = setting(False, "flag", "Count single words too", "ROUGE-SU: single words count as well as pairs.")
    beta: float = beta_setting()
    f_measure: str = f_measure_setting()
    multi_reference: str = multi_reference_setting()


def _skip_bigram_amounts(segment: Segment, settings: RougeSSettings) -> RougeAmounts:
    candidate, references = segment
    longest = max(map(len, (candidate, *references)))
    reach = longest if settings.max_skip is None else min(settings.max_skip + 1, longest)
    pairs = ngrams.SkipBigramCounts(candidate, longest, reach)
    amounts: list[float] = [pairs.shared_count(reference) for reference in references]
    if settings.unigrams:
        words = ngrams.clipped_counts(candidate, references)
        amounts = [*map(sum, zip(amounts, words, strict=True))]

    def draw(k: int) -> list[RougeLayer]:
        marks = _matching_skip_bigrams(candidate, references[k], k, reach)
        drawn = [RougeLayer("skip-bigrams", marks, unit_credits(marks), "skip-bigram")]
        if settings.unigrams:
            hits = tuple([Hit(i, k, j) for i, j in ngrams.leftmost_pairs(candidate, references[k])])
            drawn.append(RougeLayer("unigrams", hits, unit_credits(hits), "unigram"))
        return drawn

    return RougeAmounts(amounts, draw, {})


def _matching_skip_bigrams(candidate: Tokens, reference: Tokens, k: int, reach: int) -> Deferred:
    """Return the matching skip-bigrams whose words are at most `reach` positions apart.

    The t-th occurrence of a pair of words in the candidate is matched with the t-th in the reference; both are ordered
    by first and then second word. There can be millions, so the marks are made only when they are read, from arrays of
    four positions for each."""
    import numpy as np

    common = {word: t for t, word in enumerate({*candidate} & {*reference})}
    first_i, second_i, our_kinds = _pairs_of_common_words(candidate, common, reach)
    first_j, second_j, their_kinds = _pairs_of_common_words(reference, common, reach)
    spend((len(our_kinds) + len(their_kinds)) // 10)
    our_counts = np.bincount(our_kinds, minlength=len(common) ** 2)
    their_counts = np.bincount(their_kinds, minlength=len(common) ** 2)
    clipped = np.minimum(our_counts, their_counts)
    # Take equally many pairs of each kind from both sides, in the order of the kinds: so partners have equal indices.
    ours = _leftmost_of_each_kind(our_kinds, our_counts, clipped)
    theirs = _leftmost_of_each_kind(their_kinds, their_counts, clipped)
    order = ours.argsort()
    ours, theirs = ours[order], theirs[order]
    ends = [(i[ours], j[theirs]) for i, j in ((first_i, first_j), (second_i, second_j))]

    def make_pairs(start: int, stop: int) -> Iterator[SkipBigram]:
        first, second = (_make_hits(i[start:stop], k, j[start:stop]) for i, j in ends)
        return map(tuple.__new__, repeat(SkipBigram), zip(first, second, strict=True))

    def cells() -> list[Hit]:
        used = np.zeros((len(candidate), len(reference)), dtype=bool)
        for i, j in ends:
            used[i, j] = True
        i, j = used.nonzero()
        spend(2 * len(i))
        return [*_make_hits(i, k, j)]

    return Deferred(len(ours), make_pairs, cells)


def _make_hits(rows: Any, k: int, columns: Any) -> Iterator[Hit]:
    return map(tuple.__new__, repeat(Hit), zip(rows.tolist(), repeat(k), columns.tolist(), strict=False))


def _pairs_of_common_words(words: Tokens, common: Mapping[str, int], reach: int) -> tuple[Any, Any, Any]:
    """Return the pairs of common words at most `reach` positions apart, by first and then second position.

    The result is three numpy arrays: first positions, second positions, and a number for each pair that is the same for
    equal pairs. `common` numbers the words that both sentences have."""
    import numpy as np

    numbers = np.array([common.get(word, -1) for word in words], dtype=np.int64)
    positions = (numbers >= 0).nonzero()[0].astype(np.int32)
    numbers = numbers[positions]
    each = np.arange(len(positions))
    partners = positions.searchsorted(positions + reach, side="right") - each - 1
    first = each.repeat(partners)
    # The partners of a word are the words after it, so number them from 1 for each first word.
    second = np.arange(1, len(first) + 1) + (each - partners.cumsum() + partners).repeat(partners)
    kinds = numbers[first] * len(common) + numbers[second]
    # Use the smallest type, because numpy sorts short integers by counting.
    return positions[first], positions[second], kinds.astype(np.min_scalar_type(len(common) ** 2))


def _leftmost_of_each_kind(kinds: Any, counts: Any, quotas: Any) -> Any:
    """Return, for each kind of pair, the indices of its first `quotas[kind]` occurrences in `kinds`.

    `kinds` has the kind of each pair as a number; `counts[kind]` is how often it occurs. All are numpy arrays."""
    import numpy as np

    order = kinds.argsort(kind="stable")
    ends = counts.cumsum() - counts + quotas
    return order[np.arange(len(kinds)) < ends.repeat(counts)]


def _skip_bigram_total(length: int, settings: RougeSSettings) -> int:
    pairs = ngrams.skip_bigram_total(length, settings.max_skip)
    return pairs + length if settings.unigrams else pairs


def _noun_and_total(layer: Layer, length: int, settings: RougeSSettings) -> tuple[str, float | None]:
    if layer.kind == "skip-bigrams":
        return "pair", _skip_bigram_total(length, settings) - length * settings.unigrams
    return "word", length


def _total_expression(length: int, settings: RougeSSettings) -> Expr:
    total = _skip_bigram_total(length, settings)
    return Number(total, says="pairs and words") if settings.unigrams else number_of(total, "pair")


KIND = RougeKind("SKIP2", "skip2", _skip_bigram_amounts, _skip_bigram_total, _total_expression, _noun_and_total)


def without_pair(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not used.

    Either it makes no matching pair with another hit within the largest gap, or its pairs are matched elsewhere."""
    used = UsedWords(result, layers)
    settings, (candidate, references) = cast(RougeSSettings, result.settings), result.segment
    reach = max(map(len, (candidate, *references))) if settings.max_skip is None else settings.max_skip + 1

    def against(hit: Hit) -> UnusedMatchReason | None:
        i, k, j = hit
        if settings.unigrams:
            return used.reason_against(hit)
        reference = references[k]
        # The words of a pair must be in reach of each other in both sentences.
        before = {*candidate[max(0, i - reach) : i]} & {*reference[max(0, j - reach) : j]}
        after = {*candidate[i + 1 : i + 1 + reach]} & {*reference[j + 1 : j + 1 + reach]}
        if before or after:
            return UnusedMatchReason("its pairs count at another place with the same words")
        return UnusedMatchReason("no other match in reach is before or after it in both sentences")

    return against


def account(result: Result) -> Account:
    """Return the clause with which a verdict explains ROUGE-S, and the number of matched words.

    The clause says which share of each side's pairs of words matches."""
    settings, parts, matched = cast(RougeSSettings, result.settings), result.parts, count_matched_words(result)
    if len(result.segment.candidate) == 1 and not settings.unigrams:
        return Account("one word makes no pair of words", matched)
    what = "pairs of words" + (" and single words" if settings.unigrams else "")
    if not matched:
        return Account(f"none of its {what} matches" if settings.unigrams else f"no {what} match in order", matched)
    if result.score == 1:
        return Account(f"all of its {what} match in order", matched)
    return Account(
        f"{parts['precision']:.2f} of its {what} match in order, {parts['recall']:.2f} of the reference’s", matched
    )
