"""ROUGE: words, sequences and pairs of words shared with the reference, as precision, recall and F.

ROUGE-N counts n-grams, ROUGE-L a longest common subsequence, ROUGE-W one that favours consecutive words and ROUGE-S
pairs of words in order. They differ in what they count; precision, recall, F and the treatment of several references
are the same: P = f⁻¹(shared / candidate total), R = f⁻¹(shared / reference total), F = (1 + β²)PR / (R + β²P), where
f is the identity except in ROUGE-W.

Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
Skip-Bigram Statistics, ACL; Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries.

Several references (`multi_reference`), K of them:

- "independent": the best P and the best R, each over all references (equations 7 to 9). Where several references tie,
  one that is best for both is preferred, so that one alignment explains the score; then the lowest number.
- "best": the reference of the best F. "best_recall": the reference of the best recall, as `ROUGE-1.5.5 -f B`.
- "sum": shared counts and totals summed over the references, as `-f A`: the candidate's total counts K times.
- "jackknife": the mean, over the K sets that leave one reference out, of the score of the set's best reference (§5).
  The best reference wins in K − 1 of the sets and the second best in the one without it. One reference alone is
  scored as it is. P, R and the count are the same means.

Ties that are not mentioned go to the lowest number.

ROUGE-1.5.5, Lin's program, gives the same numbers for ROUGE-N, ROUGE-L and ROUGE-S, to its five decimals, with "sum"
for `-f A` and "best_recall" for `-f B`. For two others it does not, and is not followed: its SU leaves out the last
word of each text when it counts single words; its W looks for runs on the side of the reference alone, so that words
with others between them in the candidate can count as consecutive, and applies the weight twice.

β is a number, or by `f_measure="lin_och"` the β = P/R that Lin and Och print below equation 6, "when ∂F/∂R = ∂F/∂P".
The condition is circular, since it fixes β by the very P and R that are to be weighed; and with β held fixed it gives
β = R/P, van Rijsbergen's definition, not P/R. We put β = P/R as printed into equation 6: F = PR(P² + R²)/(P³ + R³),
which leans to the smaller of the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from ...alignment import ngrams
from ...alignment.against import Used, decided, off_path
from ...alignment.bitext import indexed
from ...alignment.edits import comparable
from ...alignment.lcs import Stretch, lcs_length, lcs_path, wlcs_limits, wlcs_optimal, wlcs_published
from ...alignment.ties import NOTHING, ROUNDING, Cells, common_subsequences, stretches, together
from ...formula import Expr, Number, Power, Product, Quotient, Step, Sum, Symbol, Terms, given, number_of, step
from ...types import (
    ARITHMETIC,
    LENGTH_MOST,
    Alignment,
    Amount,
    Deferred,
    Hit,
    Layer,
    Mark,
    Metric,
    Reason,
    Result,
    Role,
    Run,
    Score,
    Segment,
    Settings,
    SkipBigram,
    Ties,
    Tokens,
    TooHard,
    about,
    first_line,
    setting,
)
from ...types.work import limited, spend

# ---------------------------------------------------------------- settings


def _beta() -> Any:
    return setting(
        1.0,
        "number",
        "β of the F-measure",
        "How many times as much recall counts as precision; 0 is precision alone.",
        least=0,
        most=1e6,
        step=0.1,
        shown=(0, 4),
    )


def _f_measure() -> Any:
    return setting(
        "beta",
        "choice",
        "F-measure",
        "beta uses the number β; lin_och uses the paper's β = P/R, whose condition is circular: β weighs the P and R "
        "that it is made from.",
        options=("beta", "lin_och"),
    )


def _multi_reference() -> Any:
    return setting(
        "independent",
        "choice",
        "Several references",
        "independent: best P and best R, from any reference; best: the reference of the best F; sum: counts summed; "
        "best_recall: the reference of the best recall; jackknife: mean over the sets that leave one reference out.",
        options=("independent", "best", "sum", "best_recall", "jackknife"),
        several=True,
    )


@dataclass(frozen=True, slots=True)
class RougeNSettings(Settings):
    """The n-grams that both sentences have, each as often as the rarer side has it.

    An n-gram is N words in a row; n and m are the lengths of candidate and reference. An n-gram that one side repeats
    matches as often as the other side has it: repeating a good word does not pay. The counts say how many occurrences
    match, not which: the leftmost are drawn.

        P = matches / (n − N + 1),  R = matches / (m − N + 1)
        F = (1 + β²) · P · R / (R + β² · P)

    Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

    Rewards: the reference's words, and with N of 2 and more the reference's wording, wherever in the sentence it
    stands.

    Cannot see: anything beyond N words. With N = 1 the order is lost: "the gunman killed police" scores a full 1
    against "police killed the gunman". With N = 2 one wrong word in the middle breaks two n-grams, and a sentence whose
    phrases changed places loses only the seams.

    Source: Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, section 2.

    >>> from metrics import score
    >>> score("rouge_n", "police kill the gunman".split(), ["police killed the gunman".split()]).score
    0.75
    """

    order: int = setting(1, "whole", "Words in an n-gram", "1 counts words, 2 pairs.", least=1, most=100, shown=(1, 4))
    beta: float = _beta()
    f_measure: str = _f_measure()
    multi_reference: str = _multi_reference()


@dataclass(frozen=True, slots=True)
class RougeLSettings(Settings):
    """The longest sequence of words that both sentences have in the same order, gaps allowed.

    LCS is the length of that sequence, n and m are the lengths of candidate and reference. Where several sequences are
    longest, one is drawn; all give the same score.

        P = LCS / n,  R = LCS / m
        F = (1 + β²) · P · R / (R + β² · P)

    Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

    Rewards: words in the reference's order. Words inserted between them break nothing; they cost only by the lengths.

    Cannot see: what lies off the one sequence. Beside "police killed the gunman", "the gunman police killed" has all
    four words and scores 0.5, no more than "the gunman kill police". Nor does it see whether the matched words stand
    together: "A B C D H I K" and "A H B K C I D" both score 0.571 against "A B C D E F G".

    Source: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
    Skip-Bigram Statistics, section 3.1 (equations 4 to 6).

    >>> from metrics import score
    >>> score("rouge_l", "the gunman kill police".split(), ["police killed the gunman".split()]).score
    0.5
    """

    beta: float = _beta()
    f_measure: str = _f_measure()
    multi_reference: str = _multi_reference()


@dataclass(frozen=True, slots=True)
class RougeWSettings(Settings):
    """The common sequence of words in which k consecutive words count k to the power of w.

    A common sequence in the same order falls into runs of words that are consecutive in both sentences. Each run counts
    its length to the power of w, and WLCS is the sum; n and m are the lengths of candidate and reference.

        WLCS = Σ length^w
        P = (WLCS / n^w)^(1/w),  R = (WLCS / m^w)^(1/w)
        F = (1 + β²) · P · R / (R + β² · P)

    The published procedure takes every match that it meets and can so miss its own maximum, which the optimal one
    finds. Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

    Rewards: order and closeness at once. Against "A B C D E F G", "A B C D H I K" scores 0.571 and "A H B K C I D" only
    0.454, where ROUGE-L gives both 0.571.

    Cannot see: what lies off the one sequence, so that a phrase that was moved counts nothing. Nor how wide a gap is:
    one inserted word breaks a run as five do.

    Source: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
    Skip-Bigram Statistics, section 3.3 (equations 10 to 12).

    >>> from metrics import score
    >>> [score("rouge_w", ["a", "b"], [["a", "b", "b"]], weight=2.0, variant=v).parts["wlcs"]
    ...  for v in ("published", "optimal")]
    [2.0, 4.0]
    """

    weight: float = setting(
        1.2,
        "number",
        "Weight w of consecutive words",
        "k consecutive words count k to the power of w; 1 is ROUGE-L.",
        least=1,
        most=20,
        step=0.1,
        shown=(1, 3),
    )
    variant: str = setting(
        "published",
        "choice",
        "Procedure",
        "published takes every match, as printed in the paper; optimal finds the true maximum.",
        options=("published", "optimal"),
    )
    beta: float = _beta()
    f_measure: str = _f_measure()
    multi_reference: str = _multi_reference()


@dataclass(frozen=True, slots=True)
class RougeSSettings(Settings):
    """The pairs of words, in order and with any gap, that both sentences have.

    SKIP2 counts the pairs in common; a pair that one side repeats matches as often as the other side has it, and the
    leftmost occurrences are drawn. A sentence of n words has C(n, 2) = n(n − 1)/2 pairs; the reference has m words.

        P = SKIP2 / C(n, 2),  R = SKIP2 / C(m, 2)
        F = (1 + β²) · P · R / (R + β² · P)

    Where the words between the two are limited to d, only pairs within that window count, in SKIP2 and in both
    denominators. With single words (ROUGE-SU) the words in common and the lengths are added to them. Of several
    references, each of P and R takes the one that is best for it, unless the settings say otherwise.

    Rewards: every two words that keep their order, neighbours or not. Against "police killed the gunman", "police kill
    the gunman" scores 0.5, "the gunman police killed" 0.333 and "the gunman kill police" 0.167; ROUGE-L gives the last
    two the same.

    Cannot see: a word by itself, only pairs of words. "gunman the killed police" has every word and scores 0, since no
    pair keeps its order, and a sentence of one word has no pairs and scores 0 even against itself; counting single
    words too mends both. Without a window, words far apart count as much as neighbours, and in long sentences most
    pairs are far apart.

    Source: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
    Skip-Bigram Statistics, section 4 (equations 13 to 15).

    >>> from metrics import score
    >>> score("rouge_s", "police kill the gunman".split(), ["police killed the gunman".split()]).score
    0.5
    """

    max_skip: int | None = setting(
        None,
        "whole",
        "Words between the two",
        "The most words that may stand between the two of a pair; 0 gives bigrams.",
        least=0,
        most=LENGTH_MOST,
        optional=True,
        none="any number",
        shown=(0, 9),
    )
    unigrams: bool = setting(False, "flag", "Count single words too", "ROUGE-SU: single words count beside the pairs.")
    beta: float = _beta()
    f_measure: str = _f_measure()
    multi_reference: str = _multi_reference()


RougeSettings: TypeAlias = RougeNSettings | RougeLSettings | RougeWSettings | RougeSSettings


# ---------------------------------------------------------------- what candidate and one reference share


class _Drawn(NamedTuple):
    """A layer's marks before it is known whether the reference has to be named."""

    kind: str
    marks: tuple[Mark, ...] | Deferred
    credits: tuple[float, ...]
    noun: str


class _Shared(NamedTuple):
    """How much the candidate shares with each reference; `draw` makes the marks of one, for those that decide.

    An amount that takes long to find is at first only a limit that it cannot exceed; `limited` has what finds it.
    """

    amounts: list[float]
    draw: Callable[[int], list[_Drawn]]
    limited: dict[int, Callable[[], float]]

    def find(self, unsure: list[int]) -> None:
        """Put these amounts in place of their limits."""
        for k in unsure:
            self.amounts[k] = self.limited.pop(k)()


@dataclass(frozen=True, slots=True)
class _Kind:
    """What tells one ROUGE from another: the count's symbol in the papers, the part it is given as, how to count."""

    symbol: str
    part: str | None
    share: Callable[[Segment, Any], _Shared]
    total: Callable[[Any, Any], float]
    path: bool = False
    area: bool = False


def _ones(marks: Sequence[Mark]) -> tuple[float, ...]:
    return (1.0,) * len(marks)


def _share_ngrams(segment: Segment, settings: RougeNSettings) -> _Shared:
    order = settings.order
    ours, *theirs = (
        words if order == 1 else ngrams.ngrams(words, order) for words in (segment.candidate, *segment.references)
    )

    def draw(k: int) -> list[_Drawn]:
        marks = [Run(i, k, j, order) for i, j in ngrams.paired(ours, theirs[k])]
        return [_Drawn(f"{order}-grams", tuple(marks), _ones(marks), f"{order}-gram")]

    return _Shared([*ngrams.clipped_counts(ours, theirs)], draw, {})


def _share_lcs(segment: Segment, settings: RougeLSettings) -> _Shared:
    candidate, references = comparable(*segment)

    def draw(k: int) -> list[_Drawn]:
        return [_drawn_lcs(k, lcs_path(candidate, references[k]))]

    return _Shared([lcs_length(candidate, reference) for reference in references], draw, {})


def _drawn_lcs(k: int, path: Sequence[Stretch]) -> _Drawn:
    runs = tuple([Run(i, k, j, length) for i, j, length in path])
    return _Drawn("LCS", runs, tuple([length for _, _, length in path]), "run")


def _share_wlcs(segment: Segment, settings: RougeWSettings) -> _Shared:
    candidate, references = segment
    weight = settings.weight
    wlcs = wlcs_published if settings.variant == "published" else wlcs_optimal
    paths: dict[int, list[Stretch]] = {}
    worths: dict[int, list[float]] = {}

    def find(k: int) -> float:
        paths[k] = wlcs(candidate, indexed(references[k]), weight)
        worths[k] = [length**weight for _, _, length in paths[k]]
        return math.fsum(worths[k])

    def draw(k: int) -> list[_Drawn]:
        runs = tuple([Run(i, k, j, length) for i, j, length in paths[k]])
        return [_Drawn("WLCS", runs, tuple(worths[k]), "run")]

    if len(references) == 1 or settings.multi_reference in ("sum", "jackknife"):
        return _Shared([*map(find, range(len(references)))], draw, {})
    limited: dict[int, Callable[[], float]] = {k: partial(find, k) for k in range(len(references))}
    return _Shared(wlcs_limits(candidate, references, weight), draw, limited)


def _share_skip_bigrams(segment: Segment, settings: RougeSSettings) -> _Shared:
    candidate, references = segment
    longest = max(map(len, (candidate, *references)))
    reach = longest if settings.max_skip is None else min(settings.max_skip + 1, longest)
    pairs = ngrams.SkipBigramCounts(candidate, longest, reach)
    amounts: list[float] = [pairs.shared(reference) for reference in references]
    if settings.unigrams:
        words = ngrams.clipped_counts(candidate, references)
        amounts = [*map(sum, zip(amounts, words, strict=True))]

    def draw(k: int) -> list[_Drawn]:
        marks = _skip_bigrams(candidate, references[k], k, reach)
        drawn = [_Drawn("skip-bigrams", marks, _ones(marks), "skip-bigram")]
        if settings.unigrams:
            hits = tuple([Hit(i, k, j) for i, j in ngrams.paired(candidate, references[k])])
            drawn.append(_Drawn("unigrams", hits, _ones(hits), "unigram"))
        return drawn

    return _Shared(amounts, draw, {})


def _skip_bigrams(candidate: Tokens, reference: Tokens, k: int, reach: int) -> Deferred:
    """The skip-bigrams that match, of words at most `reach` apart, by first and then second candidate word.

    As with `ngrams.paired`, the t-th occurrence of a pair of words in the candidate goes with the t-th in the
    reference, both ordered by first and then second word. There can be millions, four positions each until one looks.
    """
    import numpy as np

    common = {word: t for t, word in enumerate({*candidate} & {*reference})}
    first_i, second_i, our_kinds = _pairs(candidate, common, reach)
    first_j, second_j, their_kinds = _pairs(reference, common, reach)
    spend((len(our_kinds) + len(their_kinds)) // 10)
    our_counts = np.bincount(our_kinds, minlength=len(common) ** 2)
    their_counts = np.bincount(their_kinds, minlength=len(common) ** 2)
    clipped = np.minimum(our_counts, their_counts)
    # Equally many of each kind from both sides, in the order of the kinds, so that partners meet.
    ours = _leftmost(our_kinds, our_counts, clipped)
    theirs = _leftmost(their_kinds, their_counts, clipped)
    order = ours.argsort()
    ours, theirs = ours[order], theirs[order]
    ends = [(i[ours], j[theirs]) for i, j in ((first_i, first_j), (second_i, second_j))]

    def made(start: int, stop: int) -> Iterator[SkipBigram]:
        first, second = (_hits(i[start:stop], k, j[start:stop]) for i, j in ends)
        return map(tuple.__new__, repeat(SkipBigram), zip(first, second, strict=True))

    def cells() -> list[Hit]:
        used = np.zeros((len(candidate), len(reference)), dtype=bool)
        for i, j in ends:
            used[i, j] = True
        i, j = used.nonzero()
        spend(2 * len(i))
        return [*_hits(i, k, j)]

    return Deferred(len(ours), made, cells)


def _hits(rows: Any, k: int, columns: Any) -> Iterator[Hit]:
    return map(tuple.__new__, repeat(Hit), zip(rows.tolist(), repeat(k), columns.tolist(), strict=False))


def _pairs(words: Tokens, common: Mapping[str, int], reach: int) -> tuple[Any, Any, Any]:
    """All pairs of common words within `reach`, by first and then second position: positions, and the pair's kind."""
    import numpy as np

    numbers = np.array([common.get(word, -1) for word in words], dtype=np.int64)
    positions = (numbers >= 0).nonzero()[0].astype(np.int32)
    numbers = numbers[positions]
    each = np.arange(len(positions))
    partners = positions.searchsorted(positions + reach, side="right") - each - 1
    first = each.repeat(partners)
    # The partners of a word are the next ones: count them from 1 where a first word begins.
    second = np.arange(1, len(first) + 1) + (each - partners.cumsum() + partners).repeat(partners)
    kinds = numbers[first] * len(common) + numbers[second]
    # The smallest type that holds them: numpy sorts short numbers by counting.
    return positions[first], positions[second], kinds.astype(np.min_scalar_type(len(common) ** 2))


def _leftmost(kinds: Any, counts: Any, wanted: Any) -> Any:
    """The first `wanted[kind]` places of every kind, where `counts[kind]` say how often it occurs in `kinds`."""
    import numpy as np

    order = kinds.argsort(kind="stable")
    ends = counts.cumsum() - counts + wanted
    return order[np.arange(len(kinds)) < ends.repeat(counts)]


def _ngram_total(length: int, settings: RougeNSettings) -> int:
    return max(length - settings.order + 1, 0)


def _word_total(length: int, settings: RougeLSettings) -> int:
    return length


def _weighted_total(length: float, settings: RougeWSettings) -> float:
    return float(length**settings.weight)


def _skip_bigram_total(length: int, settings: RougeSSettings) -> int:
    pairs = ngrams.skip_bigram_total(length, settings.max_skip)
    return pairs + length if settings.unigrams else pairs


def _weight(settings: RougeSettings) -> float:
    """The exponent of f: 1, so that f is the identity, in all but ROUGE-W."""
    return settings.weight if isinstance(settings, RougeWSettings) else 1.0


# ---------------------------------------------------------------- precision, recall and F


def _measures(
    ours: Amount, n: Amount, theirs: Amount, m: Amount, settings: RougeSettings
) -> tuple[Amount, Amount, Amount]:
    """P = f⁻¹(ours / n), R = f⁻¹(theirs / m) and F by equation 6; with β = P/R where the settings ask for it."""
    calc = ARITHMETIC[type(n)]
    precision, recall = calc.ratio(ours, n), calc.ratio(theirs, m)
    if isinstance(settings, RougeWSettings):
        root = 1 / settings.weight
        precision, recall = precision**root, recall**root
    beta = calc.ratio(precision, recall) if settings.f_measure == "lin_och" else settings.beta
    return precision, recall, calc.f_measure(precision, recall, beta)


# ---------------------------------------------------------------- several references


class _Used(NamedTuple):
    """A reference whose marks count: in which statistics, and with what weight."""

    k: int
    statistics: tuple[str, ...]
    weight: float = 1.0


def _align(kind: _Kind, segment: Segment, settings: RougeSettings, marks: bool) -> Alignment:
    candidate, references = segment
    shared = kind.share(segment, settings)
    n = kind.total(len(candidate), settings)
    ms = [kind.total(len(reference), settings) for reference in references]
    rule = settings.multi_reference
    decides: dict[str, int] = {}
    if rule == "sum":
        stats, used = _summed(shared.amounts, n, ms)
    elif rule == "jackknife":
        stats, used = _jackknifed(shared.amounts, n, ms, settings)
    else:
        if rule == "independent":
            p, r = _best_apart(shared, ms)
            decides = {"precision": p, "recall": r}
        else:
            p = r = _best(shared, n, ms, settings)
            decides = {"score": p}
        stats = _stats(shared.amounts[p], n, shared.amounts[r], ms[r])
        used = _chosen(p, r) if marks else []
    return Alignment(stats, _layers(kind, shared.draw, used) if marks else (), decides)


def _layers(kind: _Kind, draw: Callable[[int], list[_Drawn]], used: list[_Used]) -> tuple[Layer, ...]:
    """The layers of the references that count, with their numbers in the names where there are several."""
    return tuple(
        [
            Layer(
                f"{drawn.kind}, reference {k + 1}" if len(used) > 1 else drawn.kind,
                drawn.marks,
                drawn.credits,
                weight,
                statistics,
                kind.path,
                kind.area,
                k=k,
                kind=drawn.kind,
                noun=drawn.noun,
            )
            for k, statistics, weight in used
            for drawn in draw(k)
        ]
    )


def _stats(
    precision_match: float, candidate_total: float, recall_match: float, reference_total: float
) -> dict[str, float]:
    return {
        "precision_match": precision_match,
        "candidate_total": candidate_total,
        "recall_match": recall_match,
        "reference_total": reference_total,
    }


_MATCHES = ("precision_match", "recall_match")

#: What each statistic is; those with a number are of "jackknife".
ROLES = {
    "precision_match": Role("match", "precision"),
    "candidate_total": Role("candidate length"),
    "recall_match": Role("match", "recall"),
    "reference_total": Role("reference length"),
    **{f"match_{rank}": Role("match", f"match {rank}") for rank in (1, 2)},
    **{f"candidate_total_{rank}": Role("candidate length") for rank in (1, 2)},
    **{f"reference_total_{rank}": Role("reference length") for rank in (1, 2)},
    **{f"share_{rank}": Role("other") for rank in (1, 2)},
}


def _chosen(p: int, r: int) -> list[_Used]:
    """P from reference p and R from reference r."""
    if p == r:
        return [_Used(p, _MATCHES)]
    return [_Used(p, ("precision_match",)), _Used(r, ("recall_match",))]


def _best_apart(shared: _Shared, ms: list[float]) -> tuple[int, int]:
    """The references of the best P and the best R; one reference for both where ties allow it.

    The candidate's total is the same for all references, so the largest amount has the best P. Amounts are found until
    no limit is the best: references that cannot be the best keep their limits.
    """
    if len(ms) == 1:
        return 0, 0
    amounts = shared.amounts
    while True:
        most, complete = max(amounts), _highest(_recalls(amounts, ms))
        precise = [k for k, amount in enumerate(amounts) if amount == most]
        unsure = [k for k in shared.limited if k in precise or k in complete]
        if not unsure:
            break
        shared.find(unsure)
    both = [k for k in precise if k in complete]
    return (both[0], both[0]) if both else (precise[0], complete[0])


def _best(shared: _Shared, n: float, ms: list[float], settings: RougeSettings) -> int:
    """The reference of the best F or, where the settings say so, of the best recall: both grow with the amount."""
    amounts = shared.amounts
    while True:
        if settings.multi_reference == "best_recall":
            best = _highest(_recalls(amounts, ms))
        else:
            ranks = _f_measures(amounts, n, ms, settings)
            most = max(ranks)
            best = [k for k, rank in enumerate(ranks) if rank == most]
        unsure = [k for k in shared.limited if k in best]
        if not unsure:
            return best[0]
        shared.find(unsure)


def _highest(recalls: list[float]) -> list[int]:
    """Which recalls are the highest, but for the rounding of ROUGE-W's powers: 2^w of 4^w is as much as 1 of 2^w.

    >>> _highest([0.3, 0.1 + 0.2, 0.2])
    [0, 1]
    """
    least = max(recalls) * (1 - ROUNDING)
    return [k for k, recall in enumerate(recalls) if recall >= least]


def _recalls(amounts: list[float], ms: list[float]) -> list[float]:
    return [amount / m if m else 0.0 for amount, m in zip(amounts, ms, strict=True)]


def _f_measures(amounts: list[float], n: float, ms: list[float], settings: RougeSettings) -> list[float]:
    return [_measures(amount, n, amount, m, settings)[2] for amount, m in zip(amounts, ms, strict=True)]


def _summed(amounts: list[float], n: float, ms: list[float]) -> tuple[dict[str, float], list[_Used]]:
    amount = math.fsum(amounts)
    used = [_Used(k, _MATCHES) for k in range(len(ms))]
    return _stats(amount, n * len(ms), amount, math.fsum(ms)), used


def _jackknifed(
    amounts: list[float], n: float, ms: list[float], settings: RougeSettings
) -> tuple[dict[str, float], list[_Used]]:
    """The best and the second best reference, each with the share of the leave-one-out sets that it wins.

    Statistics and layers are weighted by that share, so that they add up to the mean over the sets.
    """
    count, ranks = len(ms), _f_measures(amounts, n, ms, settings)
    order = sorted(range(count), key=lambda k: -ranks[k])[:2]
    shares = [(count - 1) / count, 1 / count] if count > 1 else [1.0]
    stats: dict[str, float] = {}
    used = []
    for rank, (k, share) in enumerate(zip(order, shares, strict=True), 1):
        stats |= {
            f"match_{rank}": share * amounts[k],
            f"candidate_total_{rank}": share * n,
            f"reference_total_{rank}": share * ms[k],
            f"share_{rank}": share,
        }
        used.append(_Used(k, (f"match_{rank}",), share))
    return stats, used


def _from_stats(kind: _Kind, stats: Mapping[str, Amount], settings: RougeSettings) -> Score[Amount]:
    """P, R and F, and the count that P is made from; for "jackknife" their means, weighted by the shares."""
    if settings.multi_reference == "jackknife":
        score: Any = 0.0
        precision, recall, match = score, score, score
        for rank in (1, 2) if "share_2" in stats else (1,):
            share, amount = stats[f"share_{rank}"], stats[f"match_{rank}"]
            n, m = stats[f"candidate_total_{rank}"], stats[f"reference_total_{rank}"]
            p, r, f = _measures(amount, n, amount, m, settings)
            # Not +=, which would write into a column.
            score = score + share * f
            precision = precision + share * p
            recall = recall + share * r
            match = match + amount
    else:
        match = stats["precision_match"]
        n, m = stats["candidate_total"], stats["reference_total"]
        precision, recall, score = _measures(match, n, stats["recall_match"], m, settings)
    parts = {"precision": precision, "recall": recall}
    if kind.part:
        parts[kind.part] = match
    return Score(score, parts)


#: For each count of matches what it cannot exceed. The best precision may be another reference's than the total.
_LIMITS = (
    ("precision_match", "candidate_total", "", ""),
    ("recall_match", "candidate_total", "reference_total", ""),
    *[(f"match_{rank}", f"candidate_total_{rank}", f"reference_total_{rank}", f"share_{rank}") for rank in (1, 2)],
)


def _complete(
    kind: _Kind,
    stats: dict[str, float],
    settings: RougeSettings,
    words: Mapping[str, float],
    references: tuple[Tokens, ...],
) -> None:
    """No more is shared than the candidate has or the reference, nor than the shared words could be worth in a run."""
    for match, ours, theirs, part in _LIMITS:
        if match in stats:
            share = stats.get(part, 1.0)  # all amounts of a reference are multiplied by it
            most = share * kind.total(words[match] / share, settings) if match in words and share else math.inf
            stats[match] = max(0.0, min(stats[match], stats[ours], stats.get(theirs, math.inf), most))


def _why(cause: str, result: Result) -> str:
    return "of WLCS: a run of words counts its length to the power of the weight"


# ---------------------------------------------------------------- the formula


def _formula(kind: _Kind, result: Result) -> tuple[Step, ...]:
    settings: Any = result.settings
    counts = _count_steps(kind, result)
    candidate, references = result.segment
    n = _total(kind, len(candidate), settings)
    ms = [_total(kind, len(reference), settings) for reference in references]
    if settings.multi_reference == "sum":
        total = Product(Number(len(ms)), n) if len(ms) > 1 else n
        matches = [*counts.values()]
        return *matches, *_f_steps(_quotient(matches, [total], settings), _quotient(matches, ms, settings), settings)
    if settings.multi_reference == "jackknife" and len(counts) > 1:
        return _jackknife_steps(counts, n, ms, settings)
    p = result.decides.get("precision", result.decides.get("score", 0))
    r = result.decides.get("recall", p)
    precision, recall = _quotient([counts[p]], [n], settings), _quotient([counts[r]], [ms[r]], settings)
    return *counts.values(), *_f_steps(precision, recall, settings)


def _count_steps(kind: _Kind, result: Result) -> dict[int, Step]:
    """For each reference with layers the count as the sum of their credits, with its number where there are several."""
    terms: dict[int, list[Expr]] = {}
    for t, layer in enumerate(result.layers):
        # There can be millions of credits, but few different ones: these share an addend.
        settings: Any = result.settings
        kinds: dict[float, Any] = dict(
            zip(layer.credits, layer.credits if _weight(settings) == 1 else layer.marks, strict=True)
        )
        addends = {credit: _addend(mark, credit, settings) for credit, mark in kinds.items()}
        assert layer.k is not None
        noun, of = _noun(kind, layer, result)
        terms.setdefault(layer.k, []).append(Terms(t, [*map(addends.__getitem__, layer.credits)], noun, of))
    return {
        k: step(
            _indexed(kind.symbol, f"{k + 1}" if len(terms) > 1 else ""),
            *(layers if len(layers) == 1 else [Sum(*layers)]),
        )
        for k, layers in terms.items()
    }


def _noun(kind: _Kind, layer: Layer, result: Result) -> tuple[str, float | None]:
    """What a layer's credits count, and how many the candidate has of it, or the reference that decides the recall
    alone; nothing for ROUGE-W's powers."""
    settings: Any = result.settings
    recall, k = result.decides.get("recall"), layer.k or 0
    alone = recall == k and result.decides.get("precision") not in (None, k)
    length = len(result.segment.references[k] if alone else result.segment.candidate)
    if _weight(settings) != 1:
        return "", None
    if layer.kind == "skip-bigrams":
        return "pair", kind.total(length, settings) - length * settings.unigrams
    if isinstance(settings, RougeNSettings) and settings.order > 1:
        return f"{settings.order}-gram", kind.total(length, settings)
    return "word", length


def _addend(mark: Any, credit: float, settings: Any) -> Expr:
    """A credit as the formula shows it: for ROUGE-W as the power of a run's length."""
    weight = _weight(settings)
    return Power(Number(mark.length), given(weight)) if isinstance(mark, Run) and weight != 1 else Number(credit)


def _total(kind: _Kind, length: int, settings: Any) -> Expr:
    weight = _weight(settings)
    if weight != 1:
        return Power(Number(length), given(weight))
    total = kind.total(length, settings)
    if isinstance(settings, RougeSSettings):
        return Number(total, says="pairs and words") if settings.unigrams else number_of(total, "pair")
    return number_of(total, f"{settings.order}-gram" if getattr(settings, "order", 1) > 1 else "word")


def _quotient(counts: list[Step], totals: list[Expr], settings: RougeSettings) -> Expr:
    """f⁻¹(counts / totals), with numbers for whole counts and names for ROUGE-W's."""
    weight = _weight(settings)
    tops: list[Expr] = [count.number() if weight == 1 else count.symbol() for count in counts]
    quotient = Quotient(*(args[0] if len(args) == 1 else Sum(*args) for args in (tops, totals)))
    return quotient if weight == 1 else Power(quotient, Quotient(Number(1), given(weight)))


def _f_steps(precision: Expr, recall: Expr, settings: RougeSettings, number: str = "") -> tuple[Step, ...]:
    """P, R and F, and β where it is made from them."""
    p_step = step(_indexed("P", number), precision)
    r_step = step(_indexed("R", number), recall, beside=True)
    p, r = p_step.symbol(), r_step.symbol()
    name = _indexed("F", number)
    if settings.f_measure == "lin_och":
        b_step = step(_indexed("β", number), Quotient(p, r), beside=True)
        return p_step, r_step, b_step, step(name, _weighted_f(p, r, b_step.symbol()))
    if settings.beta == 1:
        return p_step, r_step, step(name, Quotient(Product(Number(2), p, r), Sum(p, r)))
    return p_step, r_step, step(name, _weighted_f(p, r, given(settings.beta)))


def _weighted_f(p: Symbol, r: Symbol, beta: Expr) -> Expr:
    square = Power(beta, Number(2))
    return Quotient(Product(Sum(Number(1), square), p, r), Sum(r, Product(square, p)))


def _jackknife_steps(counts: dict[int, Step], n: Expr, ms: list[Expr], settings: RougeSettings) -> tuple[Step, ...]:
    """F of the best reference, K − 1 times, and of the second best, over K."""
    steps: list[Step] = []
    scores: list[Expr] = []
    for k, count in counts.items():
        precision = _quotient([count], [n], settings)
        recall = _quotient([count], [ms[k]], settings)
        steps += [count, *_f_steps(precision, recall, settings, f"{k + 1}")]
        scores.append(steps[-1].symbol())
    best, second = scores
    sets = len(ms)
    often = Product(Number(sets - 1), best) if sets > 2 else best
    return *steps, step("F", Quotient(Sum(often, second), Number(sets)))


def _indexed(name: str, number: str) -> str:
    return f"{name}_{number}" if number else name


#: Steps that it may take to find out whether there is something to remark.
REMARK_WORK = 500_000


def _remark_on_variants(result: Result) -> str:
    """ROUGE-W: both values, where the published procedure misses the maximum of its own objective."""
    chosen = result.settings
    assert isinstance(chosen, RougeWSettings)
    try:
        with limited(REMARK_WORK):
            published, optimal = (
                ROUGE_W.score(result.segment, replace(chosen, variant=variant)) for variant in ("published", "optimal")
            )
    except TooHard:
        return ""
    if optimal.parts["wlcs"] <= published.parts["wlcs"] * (1 + 1e-12):
        return ""
    return (
        f"The published procedure finds a WLCS of {published.parts['wlcs']:.3f} and scores {published.score:.3f}; "
        f"the largest possible is {optimal.parts['wlcs']:.3f}, for a score of {optimal.score:.3f}."
    )


def _ties_of_lcs(result: Result, most: int) -> Ties:
    """All longest common subsequences with the references that decide; where several decide, each by itself.

    The score uses their length alone, so it is the same for all. A reference that is as good as a deciding one and was
    passed over for its number is not looked at.
    """
    candidate, references = result.segment
    parts = []
    for layer in result.layers:
        chosen = tuple([cell for mark in layer.marks for cell in mark.cells()])
        k = chosen[0].k if chosen else 0
        parts.append(common_subsequences(candidate, k, references[k], chosen, most) if chosen else NOTHING)

    def draw(pick: tuple[Cells, ...]) -> Result:
        layers = []
        for layer, cells in zip(result.layers, pick, strict=True):
            drawn = _drawn_lcs(cells[0].k, stretches(cells)) if cells else layer
            layers.append(layer._replace(marks=drawn.marks, credits=drawn.credits))
        return replace(result, layers=tuple(layers))

    return together(result, parts, most, draw)


# ---------------------------------------------------------------- the four metrics

_LIN_OCH = (
    "Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and "
    "Skip-Bigram Statistics, ACL"
)
_LIN = "Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, Text Summarization Branches Out"


# ---------------------------------------------------------------- what stands against a match

#: What stands against a hit in a reference that counts, given the layers of that reference.
_Within: TypeAlias = Callable[[Result, Sequence[Layer]], Callable[[Hit], "Reason | None"]]


def _without_ngram(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], Reason | None]:
    """That no n-gram through the hit matches, or the n-gram that has one of its words."""
    settings, used = result.settings, Used(result, layers)
    assert isinstance(settings, RougeNSettings)

    def against(hit: Hit) -> Reason | None:
        if used.run_through(hit).length < settings.order:
            return Reason(f"no {settings.order}-gram through it matches")
        return used.against(hit)

    return against


def _without_pair(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], Reason | None]:
    """That no other word in reach goes on in the same order, or that the pairs count elsewhere."""
    used = Used(result, layers)
    settings, (candidate, references) = result.settings, result.segment
    assert isinstance(settings, RougeSSettings)
    reach = max(map(len, (candidate, *references))) if settings.max_skip is None else settings.max_skip + 1

    def against(hit: Hit) -> Reason | None:
        i, k, j = hit
        if settings.unigrams:
            return used.against(hit)
        reference = references[k]
        # The words of a pair are in reach of each other in both sentences.
        before = {*candidate[max(0, i - reach) : i]} & {*reference[max(0, j - reach) : j]}
        after = {*candidate[i + 1 : i + 1 + reach]} & {*reference[j + 1 : j + 1 + reach]}
        if before or after:
            return Reason("its pairs count where the same words stand elsewhere")
        return Reason("no other match in reach is before or after it in both sentences")

    return against


def _metric(
    key: str,
    family: str,
    citation: str,
    settings: type[Settings],
    kind: _Kind,
    within: _Within,
    remark: Callable[[Result], str] | None = None,
    ties: Callable[[Result, int], Ties] | None = None,
) -> Metric:
    label = key.upper().replace("_", "-")
    return Metric(
        key=key,
        label=label,
        name=label,
        idea=first_line(settings.__doc__),
        about=about(settings.__doc__),
        family=family,
        citation=citation,
        higher_is_better=True,
        pooling="mean",
        Settings=settings,
        align=partial(_align, kind),
        from_stats=partial(_from_stats, kind),
        formula=partial(_formula, kind),
        role=ROLES.__getitem__,
        complete=partial(_complete, kind),
        why=_why,
        remark=remark,
        ties=ties,
        why_not=partial(decided, within=within),
    )


_NGRAMS = _Kind("matches", None, _share_ngrams, _ngram_total)
_LCS = _Kind("LCS", "lcs", _share_lcs, _word_total, path=True)
_WLCS = _Kind("WLCS", "wlcs", _share_wlcs, _weighted_total, path=True, area=True)
_SKIP2 = _Kind("SKIP2", "skip2", _share_skip_bigrams, _skip_bigram_total)

ROUGE_N = _metric("rouge_n", "n-grams", _LIN, RougeNSettings, _NGRAMS, _without_ngram)
ROUGE_L = _metric("rouge_l", "subsequences", _LIN_OCH, RougeLSettings, _LCS, off_path, ties=_ties_of_lcs)
ROUGE_W = _metric("rouge_w", "subsequences", _LIN_OCH, RougeWSettings, _WLCS, off_path, _remark_on_variants)
ROUGE_S = _metric("rouge_s", "skip-bigrams", _LIN_OCH, RougeSSettings, _SKIP2, _without_pair)
