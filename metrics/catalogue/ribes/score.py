"""The share of word pairs that are in the reference's order, however far apart the words are.

Each candidate word is aligned with at most one reference word. A word that occurs once in each sentence is aligned at
once. For any other word, the context grows word by word, first to the left and then to the right, until the words so
far occur once in each; if no context decides, the word stays unaligned.

The aligned words are ranked by their places in the reference. A pair of them is concordant if the ranks rise and
discordant if not; Kendall's τ, brought from −1 … 1 to 0 … 1, is the share of the concordant ones. p is the share of
the candidate's n words that are aligned, and BP punishes a candidate that is shorter than the m words of the reference.

    kendall = concordant / (concordant + discordant)
    p = aligned / n
    BP = min(1, exp(1 − m/n))
    RIBES = kendall · p^α · BP^β

A single aligned word has no order: it counts as none, unless it is the whole reference, where kendall is 1. Of several
references the one with the best score decides. The score of a corpus is the mean of its segments' scores.

Rewards: the order of the whole sentence. "Bob hit John yesterday" has every word of "John hit Bob yesterday" and
scores 0.5, since half of its pairs are reversed; a word that moved far reverses more pairs than one that moved a
little.

Cannot see: which words are wrong or missing, only how many: α makes their share count little. With α = 0.25 a
candidate of which half the words are aligned in order still scores 0.841. A repeated word without a distinctive
context counts as missing.

Source: Isozaki, Hirao, Duh, Sudoh and Tsukada (2010), Automatic Evaluation of Translation Quality for Distant Language
Pairs, EMNLP. What the paper leaves open is as in the authors' program RIBES.py, version 1.03.1.

>>> from metrics import score
>>> result = score("ribes", "Bob hit John yesterday".split(), ["John hit Bob yesterday".split()])
>>> result.score, [len(layer.marks) for layer in result.layers]
(0.5, [4, 3, 3])
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, combinations, compress, islice, repeat, starmap
from operator import ge, lt
from typing import NamedTuple, cast

from ...alignment.bitext import indexed
from ...alignment.references import best_reference
from ...alignment.unused_matches import UsedWords
from ...formula import (
    CreditSum,
    Exp,
    Expr,
    FormulaDifference,
    FormulaStep,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    number_of,
    setting_number,
    step,
)
from ...types import (
    ARITHMETIC,
    UNEVEN,
    Account,
    Alignment,
    Amount,
    Composition,
    Deferred,
    Hit,
    Layer,
    MeasuredAspect,
    Result,
    Score,
    Segment,
    Settings,
    SkipBigram,
    StatisticRole,
    Tokens,
    UnusedMatchReason,
    brevity,
    matched_words_clause,
    setting,
)
from ...types.work import spend

#: The number of ranks that the remark lists.
_RANKS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class RIBESSettings(Settings):
    """The settings of RIBES: how much precision and length count besides order; defaults as in RIBES.py."""

    alpha: float = setting(
        0.25,
        "number",
        "Power α of the precision",
        "How much the share of aligned words counts; 0 leaves it out.",
        least=0,
        most=100,
        step=0.05,
        slider_range=(0.0, 1.0),
    )
    beta: float = setting(
        0.10,
        "number",
        "Power β of the brevity penalty",
        "How much a candidate that is shorter than the reference is penalised; 0 leaves it out.",
        least=0,
        most=100,
        step=0.05,
        slider_range=(0.0, 1.0),
    )


# ---------------------------------------------------------------- the alignment
#
# The positions of a word are the set bits of a number; with neighbours, the positions where it occurs beside them.
# If at most one bit is set, which is `not places & (places - 1)`, the word occurs at most once.


class Contexts(NamedTuple):
    """The numbers of neighbours, left or right, that make each candidate word unique within the candidate.

    A word that is not repeated needs 0. If no number of neighbours on a side is enough, the number is the candidate's
    length."""

    lefts: list[int]
    rights: list[int]


def unique_contexts(words: list[int]) -> Contexts:
    """Return how many neighbours make each candidate word unique; `words[i]` is a bit mask of where word i occurs.

    >>> unique_contexts([0b0101, 0b0010, 0b0101, 0b1000])  # a b a c
    Contexts(lefts=[4, 0, 1, 0], rights=[1, 0, 1, 0])
    """
    size = len(words)
    lefts, rights = [0] * size, [0] * size
    first, last = _unique_range(words)
    for i, places in enumerate(words):
        if places & (places - 1):
            lefts[i] = rights[i] = size
            if i >= first:
                context_places, n = places, 0
                while context_places & (context_places - 1):
                    n += 1
                    context_places &= words[i - n] << n
                lefts[i] = n
                _record_work(n)
            if i <= last:
                context_places, n = places, 0
                while context_places & (context_places - 1):
                    n += 1
                    context_places &= words[i + n] >> n
                rights[i] = n
                _record_work(n)
    return Contexts(lefts, rights)


def _record_work(neighbours: int) -> None:
    """Record the work of counting up to this many neighbours of a word, against the limit of work."""
    if neighbours > 8:
        spend(neighbours // 4)


def _unique_range(words: list[int]) -> tuple[int, int]:
    """Return the first word that left neighbours can make unique, and the last word that right neighbours can.

    `words[i]` is a bit mask of the positions of word i."""
    first, last = 0, len(words) - 1
    context_places = words[first] if words else 0
    while context_places & (context_places - 1):
        first += 1
        context_places = context_places << 1 & words[first] if first < len(words) else 0
    context_places = words[last] if words else 0
    while context_places & (context_places - 1):
        last -= 1
        context_places = context_places >> 1 & words[last] if last >= 0 else 0
    return first, last


def aligned_words(telling: Contexts, words: list[int]) -> list[int]:
    """Return for each candidate word the position of the reference word that it is aligned with; −1 for none.

    `telling` has the neighbours that make each word unique in the candidate; `words[i]` is a bit mask of the positions
    of candidate word i in the reference. A word is aligned by the shorter of its left and right contexts that occur
    once in both sentences, the left one if they are equally long. Two candidate words can be aligned with the same
    reference word.

    >>> aligned_words(unique_contexts([0b0101, 0b0010, 0b0101, 0b1000]), [0b001, 0b010, 0b001, 0b100])  # a b a c, a b c
    [0, 1, -1, 2]
    """
    size = len(words)
    spend(size)
    positions = [-1] * size
    first, last = _unique_range(words)
    for i, (places, least) in enumerate(zip(words, telling.lefts, strict=True)):
        if not places:
            continue
        if not least and not places & (places - 1):
            positions[i] = places.bit_length() - 1
            continue
        too_many = size  # the right context must have fewer neighbours
        if first <= i and least <= i:
            context_places, n = places, 0
            while (context_places and n < least) or context_places & (context_places - 1):
                n += 1
                context_places &= words[i - n] << n
            _record_work(n)
            if context_places:
                positions[i] = context_places.bit_length() - 1
                too_many = n
        least = telling.rights[i]
        if i <= last and least < too_many > 1:
            context_places, n = places, 0
            while (context_places and n < least) or context_places & (context_places - 1):
                n += 1
                context_places &= words[i + n] >> n
            _record_work(n)
            if context_places and n < too_many:
                positions[i] = context_places.bit_length() - 1
    return positions


def count_rising_pairs(positions: list[int]) -> int:
    """Return how many pairs of positions rise, so that the later one in the list is the greater one.

    >>> count_rising_pairs([2, 1, 0, 3, 3])
    6
    """
    if all(map(lt, positions, positions[1:])):
        return len(positions) * (len(positions) - 1) // 2
    earlier: list[int] = []
    count = 0
    for position in positions:
        smaller = bisect_left(earlier, position)
        count += smaller
        earlier.insert(smaller, position)
    return count


# ---------------------------------------------------------------- the score


def align(segment: Segment, settings: RIBESSettings, marks: bool) -> Alignment:
    candidate, references = segment
    n = len(candidate)
    telling = unique_contexts(_position_masks(candidate, candidate))

    def limit(reference: Tokens) -> float:
        """Return an upper limit of the score with a reference: the score if all common words were aligned in order."""
        common = sum(map({*reference}.__contains__, candidate))
        return _score_of_factors(1.0, common / n, brevity(n, len(reference)), settings) if n else 0.0

    def align_reference(k: int) -> tuple[float, tuple[dict[str, float], list[int]]]:
        words = aligned_words(telling, _position_masks(candidate, references[k]))
        order = [j for j in words if j >= 0]
        if len(order) == 1 < len(references[k]):
            words = order = []
        stats = _statistics(len(order), count_rising_pairs(order), len(order) * (len(order) - 1) // 2, segment, k)
        return from_stats(stats, settings).score, (stats, words)

    limits = [*map(limit, references)] if len(references) > 1 else [1.0]
    k, (stats, words) = best_reference(limits, align_reference)
    return Alignment(stats, _layers(words, k, stats) if marks else (), {"score": k})


def _position_masks(candidate: Tokens, words: Tokens) -> list[int]:
    """Return for each candidate word a bit mask of its positions in `words`."""
    return [*map(indexed(words).position_mask_by_word.get, candidate, repeat(0))]


def _statistics(aligned: int, concordant: int, pairs: int, segment: Segment, k: int) -> dict[str, float]:
    return {
        "aligned": aligned,
        "concordant": concordant,
        "discordant": pairs - concordant,
        "candidate_length": len(segment.candidate),
        "reference_length": len(segment.references[k]),
    }


def _layers(words: list[int], k: int, stats: Mapping[str, float]) -> tuple[Layer, ...]:
    """Return the layers of aligned words, of concordant pairs and of discordant pairs.

    `words[i]` is the reference position of word i, −1 for none. Pairs are ordered by first and then second word. There
    can be many, so they are made only when they are read."""
    cells = [(i, k, j) for i, j in enumerate(words) if j >= 0]
    hits = tuple(map(tuple.__new__, repeat(Hit), cells))
    layers = [
        Layer(
            "aligned words", hits, (1.0,) * len(hits), 1.0, ("aligned",), k=k, kind="aligned words", noun="aligned word"
        )
    ]
    for name, compares in (("concordant", lt), ("discordant", ge)):
        size = int(stats[name])
        pairs = Deferred(size, partial(_make_pairs, hits, compares), partial(_hits_in_pairs, hits, compares))
        kind, noun = f"{name} pairs", f"{name} pair"
        layers.append(Layer(kind, pairs, (1.0,) * size, 1.0, (name,), k=k, kind=kind, noun=noun))
    return tuple(layers)


def _make_pairs(
    hits: Sequence[Hit], compares: Callable[[int, int], bool], start: int, stop: int
) -> Iterator[SkipBigram]:
    """Return an iterator over the pairs of hits whose reference positions satisfy `compares`.

    Only the pairs with index `start` up to `stop` (exclusive) are made."""
    keep = starmap(compares, combinations([j for _, _, j in hits], 2))
    pairs = islice(compress(combinations(hits, 2), keep), start, stop)
    return map(tuple.__new__, repeat(SkipBigram), pairs)


def _hits_in_pairs(hits: Sequence[Hit], compares: Callable[[int, int], bool]) -> tuple[Hit, ...]:
    """Return the hits that are in at least one pair whose reference positions satisfy `compares`."""
    if not hits:
        return ()
    places = [j for _, _, j in hits]
    # Some earlier word satisfies `compares` if the one with the lowest (or highest) position does; so for later words.
    first, last = (min, max) if compares is lt else (max, min)
    before = [*accumulate(places, first)]
    behind = [*accumulate(reversed(places), last)][::-1]
    return tuple(
        [
            hit
            for t, hit in enumerate(hits)
            if (t and compares(before[t - 1], hit.j)) or (t + 1 < len(hits) and compares(hit.j, behind[t + 1]))
        ]
    )


#: The role of each statistic, by its name.
ROLES = {
    "aligned": StatisticRole("match"),
    "concordant": StatisticRole("other"),  # follows from `aligned` and `discordant`
    "discordant": StatisticRole("order", cost=True),
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: RIBESSettings) -> Score[Amount]:
    aligned, n, m = stats["aligned"], stats["candidate_length"], stats["reference_length"]
    calc, concordant = ARITHMETIC[type(n)], stats["concordant"]
    # A single aligned word, which is in no pair, counts as in order.
    kendall = calc.ratio(concordant, concordant + stats["discordant"], calc.minimum(aligned, 1.0))
    precision = calc.ratio(aligned, n)
    penalty = calc.where(n, calc.brevity(n, m), 0.0)
    parts = {"kendall": calc.where(n, kendall, 0.0), "precision": precision, "brevity_penalty": penalty}
    return Score(_score_of_factors(kendall, precision, penalty, settings), parts)


def _score_of_factors(kendall: Amount, precision: Amount, penalty: Amount, settings: RIBESSettings) -> Amount:
    score: Amount = kendall * precision**settings.alpha * penalty**settings.beta
    return score


def complete(
    stats: dict[str, float], settings: RIBESSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    The candidate becomes long enough for the aligned words, and a single aligned word does not count. Pairs that are
    not discordant are concordant. So an aligned word is worth what it adds to the precision and, in order, to the rank
    correlation."""
    aligned = stats["aligned"]
    if aligned == 1 < stats["reference_length"]:
        aligned = 0
    stats["candidate_length"] = max(stats["candidate_length"], aligned)
    pairs = aligned * (aligned - 1) / 2
    stats["aligned"] = aligned
    stats["discordant"] = min(stats["discordant"], pairs)
    stats["concordant"] = pairs - stats["discordant"]


def _composition_values(stats: Mapping[str, float], settings: RIBESSettings) -> dict[str, float]:
    parts = from_stats(stats, settings).parts
    return {name: parts[part] for name, part in _PARTS.items()}


#: The parts of the score by their names in sentences.
_PARTS = {"word order": "kendall", "precision": "precision", "brevity penalty": "brevity_penalty"}


def _score_of_values(values: Mapping[str, float], settings: RIBESSettings) -> float:
    kendall, precision, penalty = (values[name] for name in _PARTS)
    return _score_of_factors(kendall, precision, penalty, settings)


COMPOSITION = Composition(_composition_values, _score_of_values, {"brevity penalty": "penalty"})


def formula(result: Result) -> tuple[FormulaStep, ...]:
    stats, settings = result.stats, cast(RIBESSettings, result.settings)
    one, m = Number(1), Number(stats["reference_length"])
    n = number_of(stats["candidate_length"], "word")
    counts = [len(layer.marks) for layer in result.layers]
    noun_totals = (("word", n.value), ("pair", sum(counts[1:])), ("pair", sum(counts[1:])))
    aligned, concordant, discordant = (
        step(layer.statistics[0], CreditSum(t, [one] * count, *what))
        for t, (layer, count, what) in enumerate(zip(result.layers, counts, noun_totals, strict=True))
    )
    pairs = Sum(concordant.number(), discordant.number())
    kendall = step("kendall", Quotient(concordant.number(), pairs) if pairs.value else aligned.number())
    precision = step("p", Quotient(aligned.number(), n), same_line=True)
    penalty = step("BP", _penalty_expression(n, m), same_line=True)
    factors: list[Expr] = [kendall.number()]
    # With a power of 0 the factor is 1, and is not shown.
    if settings.alpha:
        factors.append(Power(precision.number(), setting_number(settings.alpha)))
    if settings.beta:
        factors.append(Power(penalty.number(), setting_number(settings.beta)))
    return aligned, concordant, discordant, kendall, precision, penalty, step("RIBES", Product(*factors))


def _penalty_expression(n: Number, m: Number) -> Expr:
    if not n.value:
        return Number(0)
    return Number(1) if n.value >= m.value else Exp(FormulaDifference(Number(1), Quotient(m, n)))


def ranks(result: Result) -> list[int]:
    """Return the rank of each aligned word by its reference position, in the candidate's order, from 1.

    Words aligned with the same reference word have the same rank."""
    places = [mark.j for mark in result.layers[0].marks if isinstance(mark, Hit)]
    number = {j: rank for rank, j in enumerate(sorted({*places}), 1)}
    return [number[j] for j in places]


def remark(result: Result) -> str:
    """Return a sentence that lists the ranks of the aligned words; "" if there are fewer than two."""
    order = ranks(result)
    if len(order) < 2:
        return ""
    rank_text = " ".join(map(str, order[:_RANKS_SHOWN]))
    return f"Ranks of the aligned words: {rank_text}{' …' if len(order) > _RANKS_SHOWN else '.'}"


def summary(result: Result) -> str:
    return f"kendall {result.parts['kendall']:.2f}"


def explain_unaligned(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not used.

    Either its candidate word is aligned with another reference word, or it is not aligned, for a reason that is
    given."""
    used = UsedWords(result, layers)
    candidate, k = result.segment.candidate, result.decides["score"]
    words: list[int] = []
    if not result.stats["aligned"]:
        reference = result.segment.references[k]
        words = aligned_words(
            unique_contexts(_position_masks(candidate, candidate)), _position_masks(candidate, reference)
        )

    def against(hit: Hit) -> UnusedMatchReason | None:
        if hit.i in used.rows:
            return used.reason_against(hit)
        if words and words[hit.i] >= 0:
            return UnusedMatchReason("a single aligned word has no order, so it does not count")
        return UnusedMatchReason("its neighbours do not distinguish it from the same word elsewhere")

    return against


ALIGNED_LEAST = 5  # the fewest aligned words whose order `sights` reports


def account(result: Result) -> Account:
    """Return the clause and the count with which a verdict explains the RIBES score.

    They say how many words are aligned, and which share of their pairs is in the reference's order."""
    stats, parts, aligned = result.stats, result.parts, int(result.stats["aligned"])
    says = matched_words_clause(aligned, len(result.segment.candidate), ("can be aligned", "can be aligned"))
    if aligned > 1:
        if not stats["discordant"]:
            says += ", all in the right order"
        elif not stats["concordant"]:
            says += ", all in the wrong order"
        else:
            share = f"{parts['kendall']:.2f}"
            says += f"; {'almost all' if share == '1.00' else share} of their pairs are in the right order"
    if aligned and parts["brevity_penalty"] < UNEVEN:
        says += "; it is short compared with the reference"
    return Account(says, aligned)


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that RIBES measures of a translation, from 0 to 1: the order of its aligned words.

    The share of aligned words is no aspect here, since it counts only by a small power."""
    stats, tau = result.stats, 2 * result.parts["kendall"] - 1
    aligned, right, wrong = stats["aligned"], stats["concordant"], stats["discordant"]
    if aligned < ALIGNED_LEAST:
        return ()
    pairs = right + wrong
    words = f"{aligned:g} of {stats['candidate_length']:g} words are aligned and in the right order"
    high = words + (f" in {right:g} of {pairs:g} pairs" if wrong else "")
    low = f"{wrong:g} of the {pairs:g} pairs of its aligned words are in the wrong order"
    return (MeasuredAspect("order", max(0.0, tau), high, low),)
