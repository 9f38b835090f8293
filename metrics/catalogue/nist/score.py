"""N-grams count by the information they carry, so rare words count more than common ones.

NIST matches the same n-grams as BLEU, clipped in the same way, but weighs each by its information: how many bits it
takes to guess its last word from the words before. This is read off the references. A last word that always follows
those before it counts 0 bits; one that follows them half of the time counts 1 and a quarter of the time 2. The
counts are those of all references of the corpus or, for one sentence alone, of its own references.

    information = log₂(count without the last word / count)
    information of a single word = log₂(number of all words / its count)
    I_n = information of the clipped matches / all n-grams of the candidate
    BP = 0.5^(d²),  d = log₁.₅(max(1, r/c))
    NIST = BP · (I_1 + I_2 + … + I_N)

Here c is the length of the candidate and r the mean length of the references; the penalty is 0.5 for a candidate with
two thirds of r words. The averages of the orders are added, not multiplied, so an order without a match takes nothing
away from the others. A score has no upper limit: it is in bits, and the longer and the more varied the references, the
higher it can be. Scores of different texts cannot be compared.

Rewards: rare words and surprising continuations, where BLEU counts an article as much as a name. Most of a score
comes from single words: longer n-grams are mostly easy to guess from their first words, and then count little.

Cannot see: where an n-gram is, nor what a word means. And for one sentence alone it cannot tell a rare word from a
common one: against "the cat sat" each of the three words counts 1.585 bits. Only a corpus tells names from articles.

Source: Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics,
HLT. The values are those of mteval-v13a.

>>> from metrics import score
>>> r = score("nist", "the cat slept".split(), ["the cat sat".split()])
>>> round(r.score, 4), [round(c, 4) for c in r.layers[0].credits]
(1.0566, [1.585, 1.585])
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from math import log2
from typing import Any, NamedTuple, cast

from ...alignment.ngrams import NgramOccurrences, describe_clipping, repeated_occurrences
from ...formula import CreditSum, Expr, FormulaStep, Log, Number, Power, Product, Quotient, Sum, number_of, step
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Composition,
    Layer,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Tokens,
    matched_words_clause,
    setting,
    shortness_clause,
)

MOST = 12  # the highest order that a visitor may choose


@dataclass(frozen=True, slots=True)
class NISTSettings(Settings):
    """The settings of NIST: the longest n-grams."""

    max_order: int = setting(
        5, "whole", "Longest n-grams", "1 counts words, 2 words and pairs; 5 is usual.", least=1, most=MOST
    )


class _NistNames(NamedTuple):
    """The names used for one order of n-grams.

    Attributes:
        layer, noun: the name of the order's layer of marks, such as "2-grams", and its singular.
        information: the name of the statistic with the information of the matches, and of the part that averages it.
        total: the name of the statistic that counts the candidate's n-grams."""

    layer: str
    noun: str
    information: str
    total: str


_NAMES = tuple([_NistNames(f"{n}-grams", f"{n}-gram", f"information_{n}", f"total_{n}") for n in range(1, MOST + 1)])


def _statistics(segment: Segment, settings: NISTSettings, information: Iterable[float]) -> dict[str, float]:
    """Return all statistics of a segment; `information` is the sum of its matches' bits for each n-gram order."""
    candidate, references = segment
    n = len(candidate)
    stats = {"candidate_length": n, "reference_length": sum(map(len, references)) / len(references)}
    for order, (names, bits) in enumerate(zip(_NAMES[: settings.max_order], information, strict=True)):
        stats[names.information] = bits
        stats[names.total] = n - order if n > order else 0
    return stats


class _ReferenceCounts(NamedTuple):
    """The counts, in the references, of the candidate's n-grams of one order, by the position where the n-gram starts.

    Attributes:
        counts: how often the references have the n-gram; 0 if it does not match.
        before: how often they have the n-gram without its last word."""

    counts: list[int]
    before: list[int]


def _reference_counts_by_order(
    segment: Segment, occurrences: NgramOccurrences, most: int
) -> Iterator[_ReferenceCounts]:
    """Yield the counts in the references for each n-gram order of which the candidate has n-grams, at most `most`."""
    candidate, references = segment
    before = [sum(map(len, references))] * len(candidate)
    for places in occurrences.place_masks_by_order(most):
        counts = [*map(int.bit_count, places)]
        yield _ReferenceCounts(counts, before)
        before = counts


def _information_by_order(occurrences: NgramOccurrences, words: int, most: int) -> list[list[float]]:
    """Return for each order the information in bits of the candidate's n-grams that match, as often as they count.

    N-grams that carry no information may be missing. `words` is the number of words of all references together."""
    repeated = {*repeated_occurrences(occurrences.words)}
    remaining: dict[tuple[int, int], int] = {}  # by (order, mask): how many more of the n-gram may count
    following = [*occurrences.words, *[0] * most]
    shares: list[list[float]] = [[] for _ in range(most)]
    orders = [*enumerate(shares, 1)]
    for i, mask in enumerate(occurrences.words):
        before, rest = words, 1
        may_repeat = mask in repeated  # whether the candidate may have the n-gram more than once
        for order, order_shares in orders:
            if not mask:
                break
            times = mask.bit_count()
            if may_repeat:
                rest = remaining.get((order, mask), -1)
                if rest < 0:
                    rest = occurrences.fullest_reference(mask).bit_count()
                remaining[order, mask] = rest and rest - 1
            if rest and times != before:
                order_shares.append(log2(before / times))
            if times == 1:  # longer n-grams occur once too, and so carry no information
                break
            before = times
            word = following[i + order]
            mask &= word >> order
            if may_repeat:
                may_repeat, rest = word in repeated, 1
    return shares


def align(segment: Segment, settings: NISTSettings, marks: bool) -> Alignment:
    occurrences, most = NgramOccurrences(*segment), settings.max_order
    if not marks:
        shares = _information_by_order(occurrences, sum(map(len, segment.references)), most)
        return Alignment(_statistics(segment, settings, map(math.fsum, shares)), (), {})
    tallies = _reference_counts_by_order(segment, occurrences, most)
    layers = []
    for names, runs in zip(_NAMES, occurrences.runs_by_order(most), strict=False):
        counts, before = next(tallies, _NOTHING)
        credits = tuple([log2(before[i] / counts[i]) for i, _, _, _ in runs])
        layers.append(
            Layer(
                names.layer,
                tuple(runs),
                credits,
                statistics=(names.information,),
                kind=names.layer,
                noun=names.noun,
                pooled=True,
            )
        )
    information = [math.fsum(layer.credits) for layer in layers]
    return Alignment(_statistics(segment, settings, information), tuple(layers), {})


_NOTHING = _ReferenceCounts([], [])


def corpus(segments: Sequence[Segment], settings: NISTSettings) -> Iterator[Mapping[str, float]]:
    """Yield the statistics of each segment of a corpus.

    The information of an n-gram depends on all references of the corpus, so that a segment alone is not enough."""
    if len(segments) == 1:
        yield align(segments[0], settings, False).stats  # the same result, without importing numpy
        return
    orders = _information_by_segment(segments, settings.max_order)
    for segment, *information in zip(segments, *orders, strict=True):
        yield _statistics(segment, settings, information)


def _information_by_segment(segments: Sequence[Segment], most: int) -> Iterator[list[float]]:
    """Yield for each order from 1 to `most` a list of the bits that the matches of each segment carry.

    The information is taken from all references of the corpus. The n-grams of all sentences are sorted, so that equal
    ones are next to each other, in the order of the corpus: in each segment the candidate's n-grams precede the
    references'. Longer n-grams are considered only where they can still match and carry information."""
    import numpy as np

    words: list[str | None] = []
    lengths = []
    ends = []  # where each segment ends in `words`
    for candidate, references in segments:
        for tokens in (candidate, *references):
            words += tokens
            words.append(None)  # keeps n-grams inside their sentences
            lengths.append(len(tokens) + 1)
        ends.append(len(words))
    numbers = defaultdict[str | None, int](count(1).__next__, {None: 0})
    word = _in_smallest_type(np.fromiter(map(numbers.__getitem__, words), np.int64, len(words)))
    sentence = np.arange(len(lengths)).repeat(lengths)
    segment = np.arange(len(segments)).repeat([1 + len(references) for _, references in segments])  # by sentence
    is_reference = ~_differs_from_row_before(segment)

    at = word.nonzero()[0]  # the positions where n-grams start
    first_words = np.zeros_like(word, shape=len(at))  # the number of each n-gram's first words
    totals = np.array([np.count_nonzero(is_reference[sentence[at]])])  # how often the references have each of these
    for order in range(1, most + 1):
        if not len(at):
            yield [0.0] * len(segments)
            continue
        last_word = word[at + order - 1]
        turn = np.lexsort((last_word, first_words))
        at, first_words = at[turn], first_words[turn]
        new = _differs_from_row_before(first_words, last_word[turn])
        # All occurrences of one n-gram in one sentence are a group.
        starts = (new | _differs_from_row_before(sentence[at])).nonzero()[0]
        size = np.diff(starts, append=len(at))
        new, where = new[starts], sentence[at[starts]]
        in_references = size * is_reference[where]
        ngram = new.cumsum() - 1
        before = totals[first_words[starts[new]]]
        totals = np.add.reduceat(in_references, new.nonzero()[0])
        # A candidate's group precedes those of its references, and the largest of these clips it.
        heads = (new | _differs_from_row_before(segment[where])).nonzero()[0]
        counted = np.zeros_like(size)
        counted[heads] = np.minimum((size - in_references)[heads], np.maximum.reduceat(in_references, heads))
        matches = np.zeros(len(totals), bool)
        matches[ngram[counted > 0]] = True
        bits = np.zeros(len(totals))
        bits[matches] = [*map(log2, (before[matches] / totals[matches]).tolist())]

        ngrams = ngram.repeat(size)
        drawn = np.arange(len(at)) < (starts + counted).repeat(size)
        information = np.zeros(len(words))
        information[at[drawn]] = bits[ngrams[drawn]]
        informative = information.nonzero()[0]
        values = information[informative].tolist()
        yield [math.fsum(values[i:j]) for i, j in pairwise([0, *informative.searchsorted(ends).tolist()])]

        # A longer n-gram matches only if this one and the one a word later match. If the references have this one
        # once, no longer one carries information.
        matching = matches[ngram] & (in_references + counted > 0)
        open_at = np.zeros(len(words), bool)
        open_at[at[matching.repeat(size)]] = True
        stay = (matching & (totals[ngram] > 1)).repeat(size) & open_at[at + 1]
        at, first_words = at[stay], _in_smallest_type(ngrams[stay])


def _differs_from_row_before(*columns: Any) -> Any:
    """Return a boolean array: whether each row differs from the row before in any column; True for the first row."""
    import numpy as np

    out = np.zeros(len(columns[0]), bool)
    out[:1] = True
    for column in columns:
        out[1:] |= column[1:] != column[:-1]
    return out


def _in_smallest_type(numbers: Any) -> Any:
    """Return the array in the smallest integer type that holds its numbers, since numpy sorts that faster."""
    import numpy as np

    return numbers.astype(np.min_scalar_type(numbers.max(initial=0)))


#: The role of each statistic, by its name.
ROLES = {
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("reference length"),
    **{names.information: StatisticRole("match") for names in _NAMES},
    **{names.total: StatisticRole("candidate length") for names in _NAMES},
}


def from_stats(stats: Mapping[str, Amount], settings: NISTSettings) -> Score[Amount]:
    c, r = stats["candidate_length"], stats["reference_length"]
    calc = ARITHMETIC[type(c)]
    parts: dict[str, Amount] = {}
    for _, _, information, total in _NAMES[: settings.max_order]:
        parts[information] = calc.ratio(stats[information], stats[total])
    bits = calc.total(parts.values())
    parts["brevity_penalty"] = penalty = calc.brevity(c, r, _brevity_penalty)
    return Score(penalty * bits, parts)


def _brevity_penalty(times: Amount) -> Amount:
    """Return the brevity penalty, where `times` is the references' mean length divided by the candidate's length.

    It is a half for a ratio of 1.5."""
    penalty: Amount = 0.5 ** (ARITHMETIC[type(times)].log(times, 1.5) ** 2)
    return penalty


def complete(
    stats: dict[str, float], settings: NISTSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    No n-gram carries more information than a word that occurs once in the references. So each order gets at least as
    many n-grams as its information needs."""
    most = log2(sum(map(len, references)) or 1)
    for names in _NAMES[: settings.max_order]:
        if not most:
            stats[names.information] = 0.0
        elif stats[names.information] > most * stats[names.total]:
            stats[names.total] = stats[names.information] / most


def _score_factors(stats: Mapping[str, Amount], settings: NISTSettings) -> dict[str, Amount]:
    parts = dict(from_stats(stats, settings).parts)
    penalty = parts.pop("brevity_penalty")
    return {"information": ARITHMETIC[type(penalty)].total(parts.values()), "brevity penalty": penalty}


COMPOSITION = Composition(_score_factors, lambda values, _: math.prod(values.values()), {"brevity penalty": "penalty"})


def formula(result: Result) -> tuple[FormulaStep, ...]:
    settings, stats, segment = cast(NISTSettings, result.settings), result.stats, result.segment
    steps: list[FormulaStep] = []
    for n, tally in enumerate(_reference_counts_by_order(segment, NgramOccurrences(*segment), settings.max_order)):
        shares = [
            Log(Quotient(Number(tally.before[run.i]), Number(tally.counts[run.i])), 2)
            for run in result.layers[n].marks
            if isinstance(run, Run)
        ]
        names = _NAMES[n]
        total = number_of(stats[names.total], f"{n + 1}-gram" if n else "word")
        information = Number(stats[names.information])
        steps.append(step(f"I_{n + 1}", Quotient(CreditSum(n, shares), total), Quotient(information, total)))
    information_of_all: Expr = Sum(*[order.symbol() for order in steps]) if steps else Number(0)
    c, r = stats["candidate_length"], stats["reference_length"]
    if 0 < c < r:
        d = step("d", Log(Quotient(Number(r), number_of(c, "word")), 1.5))
        steps += [d, step("BP", Power(Number(0.5, 1), Power(d.symbol(), Number(2))), same_line=True)]
    else:
        steps.append(step("BP", Number(0 if c < r else 1)))
    return *steps, step("NIST", Product(steps[-1].symbol(), information_of_all))


def summary(result: Result) -> str:
    return f"BP {result.parts['brevity_penalty']:.2f}"


def remark(result: Result) -> str:
    """Return a sentence on n-grams that were clipped, because the candidate repeats them too often; "" if none were."""
    settings = cast(NISTSettings, result.settings)
    return describe_clipping(result.segment, settings.max_order)


def account(result: Result) -> Account:
    """Return the clause with which a verdict explains the NIST score, and the number of matched words.

    The clause gives the information per word in bits, and says whether the candidate is too short."""
    parts, matched = result.parts, len(result.layers[0].marks)
    says = matched_words_clause(matched, len(result.segment.candidate))
    if matched:
        bits, more = parts["information_1"], parts.get("information_2", 0.0)
        it = "it" if matched == 1 else "they"
        says += f"; {it} bring{'s' * (matched == 1)} {f'{bits:.2f} bits a word' if bits else 'no information'}"
        says += f", pairs of words {more:.2f} more" if more else ""
        says += shortness_clause(parts["brevity_penalty"])
    return Account(says, matched)
