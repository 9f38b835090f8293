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
for `-f A` and "best_recall" for `-f B`. For two other metrics it gives other numbers, and is not followed: its SU
leaves out the last word of each text when it counts single words; its W looks for runs on the side of the reference
alone, so that words with others between them in the candidate can count as consecutive, and applies the weight twice.

β is a number, or by `f_measure="lin_och"` the β = P/R that Lin and Och print below equation 6, "when ∂F/∂R = ∂F/∂P".
The condition is circular, since it fixes β by the very P and R that are to be weighed; and with β held fixed it gives
β = R/P, van Rijsbergen's definition, not P/R. We put β = P/R as printed into equation 6: F = PR(P² + R²)/(P³ + R³),
which is closer to the smaller of the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ...alignment.ties import ROUNDING
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Cause,
    Composition,
    Layer,
    Result,
    Score,
    Segment,
    StatisticRole,
    Tokens,
    matched_words_clause,
    pieces_phrase,
    uneven_lengths_clause,
)
from .kind import RougeAmounts, RougeKind, RougeLayer, RougeSettings

# ---------------------------------------------------------------- precision, recall and F


def precision_recall_f(
    ours: Amount, n: Amount, theirs: Amount, m: Amount, settings: RougeSettings, weight: float
) -> tuple[Amount, Amount, Amount]:
    """Return P = f⁻¹(ours / n), R = f⁻¹(theirs / m) and F by equation 6.

    `ours` and `theirs` are the amounts that match, in P and in R; `n` and `m` are the totals of candidate and
    reference; f(x) = x^weight. F has β = P/R if the settings say so."""
    calc = ARITHMETIC[type(n)]
    precision, recall = calc.ratio(ours, n), calc.ratio(theirs, m)
    if weight != 1:
        root = 1 / weight
        precision, recall = precision**root, recall**root
    beta = calc.ratio(precision, recall) if settings.f_measure == "lin_och" else settings.beta
    return precision, recall, calc.f_measure(precision, recall, beta)


# ---------------------------------------------------------------- several references


class _CountedReference(NamedTuple):
    """A reference whose marks count in the score.

    Attributes:
        k: the index of the reference.
        statistics: the names of the statistics that its marks add up to.
        weight: the factor of its credits; below 1 only for "jackknife", which averages references."""

    k: int
    statistics: tuple[str, ...]
    weight: float = 1.0


def align(kind: RougeKind, segment: Segment, settings: RougeSettings, marks: bool) -> Alignment:
    candidate, references = segment
    shared = kind.share(segment, settings)
    n = kind.total(len(candidate), settings)
    ms = [kind.total(len(reference), settings) for reference in references]
    rule, weight = settings.multi_reference, kind.weight(settings)
    decides: dict[str, int] = {}
    if rule == "sum":
        stats, used = _sum_statistics(shared.amounts, n, ms)
    elif rule == "jackknife":
        stats, used = _jackknife_statistics(shared.amounts, n, ms, settings, weight)
    else:
        if rule == "independent":
            p, r = _best_precision_and_recall(shared, ms)
            decides = {"precision": p, "recall": r}
        else:
            p = r = _best_reference(shared, n, ms, settings, weight)
            decides = {"score": p}
        stats = _statistics(shared.amounts[p], n, shared.amounts[r], ms[r])
        used = _deciding_references(p, r) if marks else []
    return Alignment(stats, _layers(kind, shared.draw, used) if marks else (), decides)


def _layers(
    kind: RougeKind, draw: Callable[[int], list[RougeLayer]], used: list[_CountedReference]
) -> tuple[Layer, ...]:
    """Return the layers of marks of the references that count; `draw(k)` makes those of reference `k`."""
    return tuple(
        [
            Layer(name, marks, credits, weight, statistics, kind.path, kind.area, k=k, kind=name, noun=noun)
            for k, statistics, weight in used
            for name, marks, credits, noun in draw(k)
        ]
    )


def _statistics(
    precision_match: float, candidate_total: float, recall_match: float, reference_total: float
) -> dict[str, float]:
    return {
        "precision_match": precision_match,
        "candidate_total": candidate_total,
        "recall_match": recall_match,
        "reference_total": reference_total,
    }


class MatchCounts(NamedTuple):
    """The amount that matches, the candidate's total and the reference's total: in n-grams, words or pairs."""

    matched: float
    candidate: float
    reference: float


def counts_of_one_reference(result: Result) -> MatchCounts | None:
    """Return the counts behind P and R; None if P and R come from different references or from several."""
    stats = result.stats
    if len({*result.decides.values()}) != 1:
        return None
    return MatchCounts(stats["precision_match"], stats["candidate_total"], stats["reference_total"])


_MATCHES = ("precision_match", "recall_match")

#: The role of each statistic, by its name; names with a number belong to "jackknife".
ROLES = {
    "precision_match": StatisticRole("match", "precision"),
    "candidate_total": StatisticRole("candidate length"),
    "recall_match": StatisticRole("match", "recall"),
    "reference_total": StatisticRole("reference length"),
    **{f"match_{rank}": StatisticRole("match", f"match {rank}") for rank in (1, 2)},
    **{f"candidate_total_{rank}": StatisticRole("candidate length") for rank in (1, 2)},
    **{f"reference_total_{rank}": StatisticRole("reference length") for rank in (1, 2)},
    **{f"share_{rank}": StatisticRole("other") for rank in (1, 2)},
}


def _deciding_references(p: int, r: int) -> list[_CountedReference]:
    """Return the references that count: the one with index `p` for precision, the one with index `r` for recall."""
    if p == r:
        return [_CountedReference(p, _MATCHES)]
    return [_CountedReference(p, ("precision_match",)), _CountedReference(r, ("recall_match",))]


def _best_precision_and_recall(shared: RougeAmounts, ms: list[float]) -> tuple[int, int]:
    """Return the index of the reference with the best P, and that of the reference with the best R.

    If ties allow it, both are the same reference. `ms` are the references' totals. The candidate's total is the same
    for all references, so the largest amount gives the best P. Upper limits are replaced by computed amounts until no
    limit is among the best; references that cannot be the best keep their limits, which saves time."""
    if len(ms) == 1:
        return 0, 0
    amounts = shared.amounts
    while True:
        most, complete = max(amounts), _indices_of_highest(_recalls(amounts, ms))
        precise = [k for k, amount in enumerate(amounts) if amount == most]
        unsure = [k for k in shared.limited if k in precise or k in complete]
        if not unsure:
            break
        shared.compute_limited(unsure)
    best_ks = [k for k in precise if k in complete]
    return (best_ks[0], best_ks[0]) if best_ks else (precise[0], complete[0])


def _best_reference(shared: RougeAmounts, n: float, ms: list[float], settings: RougeSettings, weight: float) -> int:
    """Return the index of the reference with the best F or, if the settings say so, the best recall.

    Upper limits of amounts are replaced by computed amounts only while they are among the best, which saves time: both
    F and recall grow with the amount."""
    amounts = shared.amounts
    while True:
        if settings.multi_reference == "best_recall":
            best = _indices_of_highest(_recalls(amounts, ms))
        else:
            ranks = _f_measures(amounts, n, ms, settings, weight)
            most = max(ranks)
            best = [k for k, rank in enumerate(ranks) if rank == most]
        unsure = [k for k in shared.limited if k in best]
        if not unsure:
            return best[0]
        shared.compute_limited(unsure)


def _indices_of_highest(recalls: list[float]) -> list[int]:
    """Return the indices of the highest recalls, among which differences from rounding do not count.

    ROUGE-W's powers are rounded: 2^w of 4^w should be as much as 1 of 2^w.

    >>> _indices_of_highest([0.3, 0.1 + 0.2, 0.2])
    [0, 1]
    """
    least = max(recalls) * (1 - ROUNDING)
    return [k for k, recall in enumerate(recalls) if recall >= least]


def _recalls(amounts: list[float], ms: list[float]) -> list[float]:
    return [amount / m if m else 0.0 for amount, m in zip(amounts, ms, strict=True)]


def _f_measures(amounts: list[float], n: float, ms: list[float], settings: RougeSettings, weight: float) -> list[float]:
    return [
        precision_recall_f(amount, n, amount, m, settings, weight)[2] for amount, m in zip(amounts, ms, strict=True)
    ]


def _sum_statistics(
    amounts: list[float], n: float, ms: list[float]
) -> tuple[dict[str, float], list[_CountedReference]]:
    amount = math.fsum(amounts)
    used = [_CountedReference(k, _MATCHES) for k in range(len(ms))]
    return _statistics(amount, n * len(ms), amount, math.fsum(ms)), used


def _jackknife_statistics(
    amounts: list[float], n: float, ms: list[float], settings: RougeSettings, weight: float
) -> tuple[dict[str, float], list[_CountedReference]]:
    """Return the statistics of the two best references, weighted for "jackknife", and these references.

    Each of the K sets leaves one reference out. The best reference wins K − 1 sets, the second best one. The weight of
    a reference is its share of the sets, so that statistics and layers add up to the mean over the sets."""
    count, ranks = len(ms), _f_measures(amounts, n, ms, settings, weight)
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
        used.append(_CountedReference(k, (f"match_{rank}",), share))
    return stats, used


def from_stats(kind: RougeKind, stats: Mapping[str, Amount], settings: RougeSettings) -> Score[Amount]:
    """Return the score with its parts: P, R and the amount that P comes from.

    For "jackknife" all are means over the sets."""
    weight = kind.weight(settings)
    if settings.multi_reference == "jackknife":
        score: Any = 0.0
        precision, recall, match = score, score, score
        for rank in (1, 2) if "share_2" in stats else (1,):
            share, amount = stats[f"share_{rank}"], stats[f"match_{rank}"]
            n, m = stats[f"candidate_total_{rank}"], stats[f"reference_total_{rank}"]
            p, r, f = precision_recall_f(amount, n, amount, m, settings, weight)
            # `+=` would change a column in place.
            score = score + share * f
            precision = precision + share * p
            recall = recall + share * r
            match = match + amount
    else:
        match = stats["precision_match"]
        n, m = stats["candidate_total"], stats["reference_total"]
        precision, recall, score = precision_recall_f(match, n, stats["recall_match"], m, settings, weight)
    parts = {"precision": precision, "recall": recall}
    if kind.part:
        parts[kind.part] = match
    return Score(score, parts)


#: For each count of matches the statistics that limit it: the candidate's total, the reference's total, the share.
#: The best precision may come from another reference than the reference total.
_LIMITS = (
    ("precision_match", "candidate_total", "", ""),
    ("recall_match", "candidate_total", "reference_total", ""),
    *[(f"match_{rank}", f"candidate_total_{rank}", f"reference_total_{rank}", f"share_{rank}") for rank in (1, 2)],
)


def complete(
    kind: RougeKind,
    stats: dict[str, float],
    settings: RougeSettings,
    words: Mapping[str, float],
    references: tuple[Tokens, ...],
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    `words` maps a statistic of matches to the number of matched words. At most as much matches as the reference has,
    and as these words could give in one run. The candidate becomes long enough for the matches."""
    for match, ours, theirs, part in _LIMITS:
        if match in stats:
            share = stats.get(part, 1.0)  # the factor of all amounts of this reference
            most = share * kind.total(words[match] / share, settings) if match in words and share else math.inf
            stats[match] = max(0.0, min(stats[match], stats.get(theirs, math.inf), most))
            stats[ours] = max(stats[ours], stats[match])


def composition_values(kind: RougeKind, stats: Mapping[str, float], settings: RougeSettings) -> dict[str, float]:
    """Return the values that the F-measure is computed from: precision and recall.

    For "jackknife" it is the mean F alone, because that is not the F of one precision and one recall."""
    score, parts = from_stats(kind, stats, settings)
    if settings.multi_reference == "jackknife":
        return {"mean F": score}
    return {name: parts[name] for name in ("precision", "recall")}


def f_of_values(values: Mapping[str, float], settings: RougeSettings) -> float:
    """Return the F-measure of the precision and recall in `values`, or the mean F if `values` has it."""
    if "mean F" in values:
        return values["mean F"]
    precision, recall = values["precision"], values["recall"]
    beta = ARITHMETIC[float].ratio(precision, recall) if settings.f_measure == "lin_och" else settings.beta
    return ARITHMETIC[float].f_measure(precision, recall, beta)


def composition(kind: RougeKind) -> Composition:
    """Return the record of how this metric's score is computed from precision and recall."""
    return Composition(partial(composition_values, kind), f_of_values)


def why(cause: str, result: Result) -> str:
    """Return why an amount in a ledger is not a whole number: "jackknife" averages over references.

    Without it counts are whole numbers in all but ROUGE-W."""
    return "in the mean: a reference counts by its share of the leave-one-out sets in which it is best"


def count_matched_words(result: Result) -> int:
    """Return how many candidate words have a match with at least one reference."""
    return len({cell.i for layer in result.layers for cell in layer.cells()})


def describe_words_in_order(result: Result, runs: bool) -> Account:
    """Return the clause and the counts with which a verdict describes a common subsequence.

    If `runs` is true, because long runs count more, the clause says in how many runs its words lie."""
    matched, marks = count_matched_words(result), result.layers[0].marks if result.layers else ()
    lengths = [len(run.cells()) for run in marks]
    says = matched_words_clause(matched, len(result.segment.candidate))
    says += " in the reference’s order" if matched > 1 else ""
    says += pieces_phrase(lengths) if runs and len(result.layers) == 1 else ""
    return Account(says + describe_precision_and_recall(result), matched, len(lengths), max(lengths, default=0))


def describe_precision_and_recall(result: Result) -> str:
    """Return the clause on precision and recall that ends a verdict's sentence; "" if there is nothing to say.

    Both are stated if different references decide them. A large difference between them is noted."""
    precision, recall = result.parts["precision"], result.parts["recall"]
    if counts_of_one_reference(result) is None and len(result.segment.references) > 1:
        of = "with one reference or another" if len(result.layers) > 1 else ""
        return f" {of}: precision {precision:.2f}, recall {recall:.2f}".replace(" :", ":")
    return uneven_lengths_clause(precision, recall)


def ordered_word_causes(settings: RougeSettings) -> Mapping[str, Cause]:
    """Return the ledger's wording of "matches" for ROUGE-L and ROUGE-W, where only words in the same order match."""
    return {"matches": Cause("more words matched in order", "fewer words matched in order", "words matched in order")}
