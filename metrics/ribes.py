"""Do the words come in the reference's order? Counts the pairs of aligned words that do.

Every candidate word is aligned with at most one reference word. A word that stands once in both sentences is clear.
For any other the context grows word by word, to the left first and then to the right, until the words so far stand
once in both sentences; where the sentence ends before, the word stays unaligned. Two words that are clear from
different contexts can be aligned with the same reference word.

The aligned words, in the candidate's order, are ranked by where they stand in the reference. Kendall's τ, brought from
−1 … 1 to 0 … 1, is the share of their pairs whose ranks rise: the concordant ones. With p the aligned share of the
candidate's n words, and m the reference length,

    kendall = concordant / (concordant + discordant)
    BP = min(1, exp(1 − m/n))
    RIBES = kendall · p^α · BP^β

A single aligned word has no order to compare: it counts as no alignment, unless it is all of the reference, where
kendall is 1. Of several references the one of the best score decides, the lowest number on ties. A corpus scores the
mean of its segments.

Rewards: the reference's word order over the whole sentence, so far moves cost more than near ones.

Cannot see: wrong or missing words, other than by their number; words that repeat without a telling context.

Source: Isozaki, Hirao, Duh, Sudoh and Tsukada (2010), Automatic Evaluation of Translation Quality for Distant Language
Pairs, EMNLP; details as in the authors' program RIBES.py, version 1.03.1.

>>> from metrics import score
>>> result = score("ribes", "Bob hit John yesterday".split(), ["John hit Bob yesterday".split()])
>>> result.score, [len(layer.marks) for layer in result.layers]
(0.5, [4, 3, 3])
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, compress, repeat, starmap
from operator import lt, not_

from .formula import Difference, Exp, Expr, Number, Power, Product, Quotient, Step, Sum, Terms, step
from .lcs import spelled
from .types import (
    Alignment,
    Hit,
    Layer,
    Metric,
    Result,
    Score,
    Segment,
    Settings,
    SkipBigram,
    about,
    first_line,
    setting,
)

#: Ranks that a page spells out.
_RANKS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class RIBESSettings(Settings):
    alpha: float = setting(
        0.25,
        "number",
        "Power α of the precision",
        "How much the share of aligned words counts; 0 leaves it out.",
        least=0,
        most=100,
        step=0.05,
        shown=(0.0, 1.0),
    )
    beta: float = setting(
        0.10,
        "number",
        "Power β of the brevity penalty",
        "How much it counts that the candidate is shorter than the reference; 0 leaves it out.",
        least=0,
        most=100,
        step=0.05,
        shown=(0.0, 1.0),
    )


# ---------------------------------------------------------------- the alignment


class Once(dict[str, bool]):
    """Whether a candidate made by `lcs.spelled` has some words once only, overlaps counted; remembered for all references.

    >>> once = Once("banana")
    >>> once["b"], once["an"], once["nan"], once["ana"]
    (True, False, True, False)
    """

    def __init__(self, candidate: str) -> None:
        super().__init__((word, count == 1) for word, count in Counter(candidate).items())
        self.candidate = candidate

    def __missing__(self, words: str) -> bool:
        find = self.candidate.find
        found = self[words] = find(words, find(words) + 1) < 0
        return found


def aligned_words(candidate: str, once: Once, reference: str) -> list[int]:
    """For each candidate word the position of its reference word, −1 for none. The sentences are made by `lcs.spelled`.

    The shorter of the two contexts that stand once in both sentences wins, the left one where they are equally long.

    >>> candidate = "tbwrBth"  # the book was read by the boy
    >>> aligned_words(candidate, Once(candidate), "thrtb")
    [3, 4, -1, 2, -1, 0, 1]
    """
    find, size = reference.find, len(candidate)
    found = [-1] * size
    unclear = []
    places = zip(candidate, map(find, candidate), map(reference.rfind, candidate), strict=True)
    for i, (word, first, last) in enumerate(places):
        if first >= 0:
            if first == last and once[word]:
                found[i] = first
            else:
                unclear.append(i)
    # A context that is long enough for a word is so for the next one, with which it has a word more: from the last word
    # back the starts of the left contexts, and from word to word the ends of the right ones, never turn round. A context
    # that the reference lacks need not grow.
    start = size
    still_unclear = []  # with the end of the first right context that has no fewer words than the left one
    for i in reversed(unclear):
        if start >= i:
            start = i - 1
        too_far = size + 1
        while start >= 0 and (j := find(context := candidate[start : i + 1])) >= 0:
            if find(context, j + 1) < 0 and once[context]:
                found[i] = j + i - start
                too_far = i + i + 1 - start
                break
            start -= 1
        if too_far > i + 2:
            still_unclear.append((i, too_far))
    end = 0
    for i, too_far in reversed(still_unclear):
        if end < i + 2:
            end = i + 2
        while end < too_far and end <= size and (j := find(context := candidate[i:end])) >= 0:
            if find(context, j + 1) < 0 and once[context]:
                found[i] = j
                break
            end += 1
    return found


def rising_pairs(positions: list[int]) -> int:
    """How many pairs rise: a later position is greater than an earlier one.

    >>> rising_pairs([2, 1, 0, 3, 3])
    6
    """
    earlier: list[int] = []
    count = 0
    for position in positions:
        smaller = bisect_left(earlier, position)
        count += smaller
        earlier.insert(smaller, position)
    return count


# ---------------------------------------------------------------- the score


def _align(segment: Segment, settings: RIBESSettings, marks: bool) -> Alignment:
    candidate, references = spelled(*segment)
    once = Once(candidate)
    best: dict[str, float] = {}
    words: list[int] = []
    decides, top = 0, -1.0
    for k, reference in enumerate(references):
        found = aligned_words(candidate, once, reference)
        order = [j for j in found if j >= 0]
        if len(order) == 1 < len(reference):
            found = order = []
        concordant = rising_pairs(order)
        stats: dict[str, float] = {
            "aligned": len(order),
            "concordant": concordant,
            "discordant": len(order) * (len(order) - 1) // 2 - concordant,
            "candidate_length": len(candidate),
            "reference_length": len(reference),
        }
        value = _from_stats(stats, settings).score
        if value > top:
            best, words, decides, top = stats, found, k, value
    return Alignment(best, _layers(words, decides) if marks else (), {"score": decides})


def _layers(words: list[int], k: int) -> tuple[Layer, ...]:
    """The aligned words, and their pairs by first and then second word. There can be many: they share their hits."""
    cells = [(i, k, j) for i, j in enumerate(words) if j >= 0]
    hits = tuple(map(tuple.__new__, repeat(Hit), cells))
    pairs = list(map(tuple.__new__, repeat(SkipBigram), combinations(hits, 2)))
    rises = list(starmap(lt, combinations([j for _, _, j in cells], 2)))
    concordant, discordant = tuple(compress(pairs, rises)), tuple(compress(pairs, map(not_, rises)))
    return (
        Layer("aligned words", hits, (1.0,) * len(hits), statistics=("aligned",)),
        Layer("concordant pairs", concordant, (1.0,) * len(concordant), statistics=("concordant",)),
        Layer("discordant pairs", discordant, (1.0,) * len(discordant), statistics=("discordant",)),
    )


def _from_stats(stats: Mapping[str, float], settings: RIBESSettings) -> Score:
    aligned, n, m = stats["aligned"], stats["candidate_length"], stats["reference_length"]
    if not n:
        return Score(0.0, {"kendall": 0.0, "precision": 0.0, "brevity_penalty": 0.0})
    pairs = stats["concordant"] + stats["discordant"]
    kendall = stats["concordant"] / pairs if pairs else float(aligned)
    precision = aligned / n
    penalty = 1.0 if n >= m else math.exp(1 - m / n)
    parts = {"kendall": kendall, "precision": precision, "brevity_penalty": penalty}
    return Score(kendall * precision**settings.alpha * penalty**settings.beta, parts)


def _formula(result: Result) -> tuple[Step, ...]:
    stats, settings = result.stats, result.settings
    assert isinstance(settings, RIBESSettings)
    one, n, m = Number(1), Number(stats["candidate_length"]), Number(stats["reference_length"])
    aligned, concordant, discordant = (
        step(layer.statistics[0], Terms(t, [one] * len(layer.marks))) for t, layer in enumerate(result.layers)
    )
    pairs = Sum(concordant.number(), discordant.number())
    kendall = step("kendall", Quotient(concordant.number(), pairs) if pairs.value else aligned.number())
    precision = step("p", Quotient(aligned.number(), n), beside=True)
    penalty = step("BP", _penalty(n, m), beside=True)
    factors: list[Expr] = [kendall.number()]
    # A power of 0 leaves its factor out.
    if settings.alpha:
        factors.append(Power(precision.number(), Number(settings.alpha, _decimals(settings.alpha))))
    if settings.beta:
        factors.append(Power(penalty.number(), Number(settings.beta, _decimals(settings.beta))))
    return aligned, concordant, discordant, kendall, precision, penalty, step("RIBES", Product(*factors))


def _penalty(n: Number, m: Number) -> Expr:
    if not n.value:
        return Number(0)
    return Number(1) if n.value >= m.value else Exp(Difference(Number(1), Quotient(m, n)))


def _decimals(value: float) -> int:
    """As many decimals as the value was given."""
    return len(f"{value:g}".partition(".")[2])


def ranks(result: Result) -> list[int]:
    """The ranks of the aligned words in the candidate's order, from 1; words that share a place share a rank."""
    places = [mark.j for mark in result.layers[0].marks if isinstance(mark, Hit)]
    number = {j: rank for rank, j in enumerate(sorted({*places}), 1)}
    return [number[j] for j in places]


def _remark(result: Result) -> str:
    """The word ranks."""
    order = ranks(result)
    if len(order) < 2:
        return ""
    shown = " ".join(map(str, order[:_RANKS_SHOWN]))
    return f"Ranks of the aligned words: {shown}{' …' if len(order) > _RANKS_SHOWN else '.'}"


def _summary(result: Result) -> str:
    concordant, pairs = result.stats["concordant"], result.stats["concordant"] + result.stats["discordant"]
    return f"{concordant:g} of {pairs:g} pairs" if pairs else "no pairs"


METRIC = Metric(
    key="ribes",
    label="RIBES",
    name="Rank-based Intuitive Bilingual Evaluation Score",
    idea=first_line(__doc__),
    family="word order",
    citation="Isozaki, Hirao, Duh, Sudoh and Tsukada (2010), Automatic Evaluation of Translation Quality for Distant "
    "Language Pairs, EMNLP",
    higher_is_better=True,
    pooling="mean",
    Settings=RIBESSettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
    summary=_summary,
    remark=_remark,
    about=about(__doc__),
)
