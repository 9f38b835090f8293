"""Shares of the candidate's words, pairs, triples and so on that a reference has too.

Each order of n-grams has its precision: how many of the candidate's n-grams match, out of all that it has. An n-gram
counts at most as often as it occurs in any one reference. This is called clipping: without it, a candidate of nothing
but "the" could have a precision of 1. BLEU is the geometric mean of the precisions, times a penalty for a candidate of
c words that is shorter than its reference. The reference length r is the one closest to c, the shorter one if two are
equally close.

    p_n = clipped matches / all n-grams of the candidate
    BP = min(1, exp(1 − r/c))
    BLEU = BP · (p_1 · p_2 · … · p_N)^(1/N)

BLEU was made for whole corpora: matches, totals and lengths are summed over all sentences first. For one sentence, an
order without a match makes the score 0. Smoothing lifts such an order: floor counts 0.1 matches, exp counts 1/2 for the
first such order, 1/4 for the next and so on, and add_k counts one match and one n-gram more in every order but the
first. A candidate shorter than N words has no n-grams of the last orders at all; effective order leaves them out.

Clipping says how many n-grams count, not which. By our convention an n-gram is drawn inside the longest matching one
that contains it. If none does, it follows the n-gram before it, or else goes where the most words after it match too,
so that phrases stay whole. Repeated n-grams are paired from left to right with the leftmost places of the reference
that has the n-gram most often, the first of several such references.

Rewards: phrases kept whole. A word inside a long phrase that matches counts ten times for N = 4: once alone, in two
pairs, three triples and four runs of four. Each reference can add n-grams, and all of them count together.

Cannot see: where an n-gram is. For the reference "the cat sat quietly on the old mat", "on the old mat the cat sat
quietly" scores 0.691. Nor what a word means: leaving out "not" costs as much as leaving out a comma in its place, and
a synonym is as wrong as any other word.

Source: Papineni, Roukos, Ward and Zhu (2002), BLEU: A Method for Automatic Evaluation of Machine Translation, ACL.
Smoothings and their numbers are those of sacreBLEU 2.6.0, after Chen and Cherry (2014). Where nothing matches at all it
gives 0, smoothed or not, and so do we.

>>> from metrics import score
>>> r = score("bleu", "the the the the the the the".split(), ["the cat is on the mat".split()], max_order=1)
>>> round(r.score, 4), r.layers[0].credits
(0.2857, (1.0, 1.0))
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from ...alignment.ngrams import NgramOccurrences, clipped_totals, describe_clipping
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
    step,
)
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Composition,
    Layer,
    MeasuredAspect,
    Result,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Tokens,
    matched_words_clause,
    matching_clause,
    number_in_words,
    setting,
    shortness_clause,
)

FLOOR = 0.1  # Chen and Cherry's ε, with sacreBLEU's value
MOST = 12  # the highest order that a visitor may choose


@dataclass(frozen=True, slots=True)
class BLEUSettings(Settings):
    """The settings of BLEU: the longest n-grams, and what an order without a match counts."""

    max_order: int = setting(
        4, "whole", "Longest n-grams", "1 counts words, 2 words and pairs; 4 is usual.", least=1, most=MOST
    )
    smoothing: str = setting(
        "none",
        "choice",
        "Smoothing",
        "What an order without a match counts. none: 0; floor: 0.1 matches; exp: 1/2, 1/4, 1/8 … of a match; add_k: "
        "1 more match and n-gram in every order but the first.",
        options=("none", "floor", "add_k", "exp"),
    )
    effective_order: bool = setting(
        False, "flag", "Effective order", "Leaves out the orders that are longer than the candidate."
    )


def sentence_settings(settings: BLEUSettings) -> BLEUSettings:
    """Return the settings with which a single sentence of a corpus is scored: those of sacreBLEU's `sentence_bleu`.

    Without a smoothing most sentences would score 0, so they get "exp" and effective order. Settings that smooth stay
    as they are.

    >>> sentence_settings(BLEUSettings())
    BLEUSettings(max_order=4, smoothing='exp', effective_order=True)
    """
    return settings if settings.smoothing != "none" else replace(settings, smoothing="exp", effective_order=True)


class _BleuNames(NamedTuple):
    """The names used for one order of n-grams.

    Attributes:
        layer, noun: the name of the order's layer of marks, such as "2-grams", and its singular.
        match, total: the names of the statistics that count matching n-grams and all n-grams of the candidate.
        precision: the name of the order's precision among the parts of the score."""

    layer: str
    noun: str
    match: str
    total: str
    precision: str


_NAMES = tuple(
    [_BleuNames(f"{n}-grams", f"{n}-gram", f"match_{n}", f"total_{n}", f"precision_{n}") for n in range(1, MOST + 1)]
)


def closest_reference(segment: Segment) -> int:
    """Return the index of the reference whose length is closest to the candidate's.

    Of equally close lengths the shorter one is chosen, and of references with equal lengths the first.

    >>> closest_reference(Segment(("a",) * 3, (("a",) * 5, ("a",) * 4, ("a",) * 2)))
    2
    """
    n = len(segment.candidate)
    return min([(abs(len(r) - n), len(r), k) for k, r in enumerate(segment.references)])[2]


def align(segment: Segment, settings: BLEUSettings, marks: bool) -> Alignment:
    candidate, references = segment
    n, closest = len(candidate), closest_reference(segment)
    stats: dict[str, float] = {"candidate_length": n, "reference_length": len(references[closest])}
    if marks:
        drawn = NgramOccurrences(candidate, references).runs_by_order(settings.max_order)
        counts = [*map(len, drawn)]
        layers = tuple(
            [
                Layer(
                    names.layer,
                    tuple(runs),
                    (1.0,) * len(runs),
                    statistics=(names.match,),
                    kind=names.layer,
                    noun=names.noun,
                    pooled=True,
                )
                for names, runs in zip(_NAMES, drawn, strict=False)
            ]
        )
    else:
        counts, layers = clipped_totals(candidate, references, settings.max_order), ()
    for order, (names, count) in enumerate(zip(_NAMES, counts, strict=False)):
        stats[names.match] = count
        stats[names.total] = n - order if n > order else 0
    return Alignment(stats, layers, {"brevity_penalty": closest})


def _smoothed_matches_and_totals(stats: Mapping[str, Amount], settings: BLEUSettings) -> list[tuple[Amount, Amount]]:
    """Return (matches, total) of every n-gram order, smoothed as the settings say; their ratio is the precision.

    Nothing is smoothed if no word matches at all, as in sacreBLEU."""
    counts = [(stats[names.match], stats[names.total]) for names in _NAMES[: settings.max_order]]
    if settings.smoothing == "none":
        return counts
    anything = counts[0][0]
    calc = ARITHMETIC[type(anything)]
    if settings.smoothing == "add_k":
        added = calc.where(anything, 1, 0)
        return counts[:1] + [(match + added, total + added) for match, total in counts[1:]]
    halvings: Any = 1
    for n, (match, total) in enumerate(counts):
        missing = (anything > 0) & (total > 0) & (match == 0)
        if not calc.any_true(missing):
            continue
        if settings.smoothing == "floor":
            counts[n] = calc.where(missing, FLOOR, match), total
        else:
            halvings = calc.where(missing, 2 * halvings, halvings)
            counts[n] = calc.where(missing, 1, match), calc.where(missing, halvings * total, total)
    return counts


def _counted_matches_and_totals(stats: Mapping[str, float], settings: BLEUSettings) -> list[tuple[float, float]]:
    """Return (matches, total), smoothed, of the n-gram orders that enter the score.

    With effective order these are the orders of which the candidate has n-grams, otherwise all orders."""
    return [
        (top, bottom)
        for top, bottom in _smoothed_matches_and_totals(stats, settings)
        if bottom or not settings.effective_order
    ]


#: The role of each statistic, by its name.
ROLES = {
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("candidate length"),  # of the closest reference, so it follows n
    **{names.match: StatisticRole("match") for names in _NAMES},
    **{names.total: StatisticRole("candidate length") for names in _NAMES},
}


def from_stats(stats: Mapping[str, Amount], settings: BLEUSettings) -> Score[Amount]:
    c, r = stats["candidate_length"], stats["reference_length"]
    calc = ARITHMETIC[type(c)]
    penalty = calc.brevity(c, r)
    fractions = _smoothed_matches_and_totals(stats, settings)
    precisions = [calc.ratio(top, bottom) for top, bottom in fractions]
    mean = calc.geometric_mean(precisions, [total for _, total in fractions] if settings.effective_order else None)
    parts = {names.precision: precision for names, precision in zip(_NAMES, precisions, strict=False)}
    parts["brevity_penalty"] = penalty
    return Score(penalty * mean, parts)


def complete(
    stats: dict[str, float], settings: BLEUSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    N-grams match only if shorter ones match, and the candidate becomes long enough for all n-grams that match."""
    most, needed = math.inf, float(stats["total_1"])
    for order, names in enumerate(_NAMES[: settings.max_order]):
        most = stats[names.match] = stats[names.match] if most else 0.0
        needed = max(needed, most + order if most else 0.0)
    if needed > stats["total_1"]:
        for order, names in enumerate(_NAMES[: settings.max_order]):
            stats[names.total] = max(stats[names.total], needed - order)


def _score_factors(stats: Mapping[str, Amount], settings: BLEUSettings) -> dict[str, Amount]:
    one = stats["candidate_length"] * 0 + 1
    whole = from_stats({**stats, "candidate_length": one, "reference_length": one}, settings)
    return {"precision": whole.score, "brevity penalty": from_stats(stats, settings).parts["brevity_penalty"]}


COMPOSITION = Composition(_score_factors, lambda values, _: math.prod(values.values()), {"brevity penalty": "penalty"})


def formula(result: Result) -> tuple[FormulaStep, ...]:
    settings, stats = cast(BLEUSettings, result.settings), result.stats
    steps = []
    one = Number(1)
    for n, (top, bottom) in enumerate(_counted_matches_and_totals(stats, settings)):
        noun = f"{n + 1}-gram" if n else "word"
        match, total = Number(stats[_NAMES[n].match]), number_of(stats[_NAMES[n].total], noun)
        terms = CreditSum(n, [one] * len(result.layers[n].marks), noun)
        forms: tuple[Expr, ...]
        if (top, bottom) == (match.value, total.value):
            forms = (Quotient(terms, total), Quotient(match, total))
        elif settings.smoothing == "add_k":
            forms = (Quotient(Sum(terms, one), Sum(total, one)), Quotient(Sum(match, one), Sum(total, one)))
        elif settings.smoothing == "floor":
            forms = (Quotient(Number(FLOOR, 1), total),)
        else:
            forms = (Quotient(one, Product(Number(bottom / total.value), total)),)
        steps.append(step(f"p_{n + 1}", *forms))
    c, r = stats["candidate_length"], stats["reference_length"]
    shorter = Quotient(Number(r), number_of(c, "word"))
    bp = step("BP", Exp(FormulaDifference(one, shorter)) if 0 < c < r else Number(0 if c < r else 1))
    precisions = [p.symbol() for p in steps]
    if len(precisions) > 1:
        mean: Expr = Power(Product(*precisions), Quotient(one, Number(len(precisions))))
    else:
        mean = precisions[0] if precisions else Number(0)
    return *steps, bp, step("BLEU", Product(bp.symbol(), mean))


def summary(result: Result) -> str:
    return f"BP {result.parts['brevity_penalty']:.2f}"


def remark(result: Result) -> str:
    """Return sentences on why the score is 0 although words match, and on clipped n-grams; empty if neither applies."""
    settings = cast(BLEUSettings, result.settings)
    return " ".join(
        [sentence for sentence in (zero(result), describe_clipping(result.segment, settings.max_order)) if sentence]
    )


def zero(result: Result) -> str:
    """Return a sentence that names the n-gram order that makes the score 0, and the setting that would raise the score.

    Empty if the score is not 0, or if no word matches, because then no setting helps."""
    settings, stats = cast(BLEUSettings, result.settings), result.stats
    if result.score or not stats["match_1"]:
        return ""
    order = next(n for n, (top, _) in enumerate(_counted_matches_and_totals(stats, settings), 1) if not top)
    if stats[_NAMES[order - 1].total]:
        return f"No {order}-gram matches, which makes the score 0; the smoothing “exp” would count a little for it."
    return f"The candidate has no {order}-grams: the score is 0 unless effective order leaves them out."


def account(result: Result) -> Account:
    """Return the clause with which a verdict explains the BLEU score, and the number of matched words.

    The clause says how many words match, which share of longer n-grams matches, and whether the candidate is too
    short."""
    stats, matched = result.stats, int(result.stats["match_1"])
    says = matched_words_clause(matched, len(result.segment.candidate))
    shares, end, full = list[str](), "", True
    for order in range(2, len(result.layers) + 1) if matched else ():
        matches, of = stats[f"match_{order}"], stats[f"total_{order}"]
        if not matches:
            end = f"; no {_gram_in_words(order)} does" if of else ""
            if not result.score:
                end = end or f"; it has no {number_in_words(order)} words in a row"
                end += ", which makes the score zero"
            break
        shares.append(f"{matches / of:.2f} of the {_gram_in_words(order)}s")
        full &= matches == of
    if shares:
        says += ", also in a row" if full and not end else f"; {', '.join(shares)}"
    return Account(says + end + (shortness_clause(result.parts["brevity_penalty"]) if matched else ""), matched)


def _gram_in_words(order: int) -> str:
    """Return what a sentence calls an n-gram, without a digit: every number of a verdict is one of the result's."""
    return {2: "bigram", 3: "trigram"}.get(order) or f"{number_in_words(order)}-gram"


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspects that BLEU measures of a translation, from 0 to 1 each: words, long n-grams and length."""
    stats, parts = result.stats, result.parts
    match_text, brevity = matching_clause(stats["match_1"], stats["total_1"], "words"), parts["brevity_penalty"]
    words = MeasuredAspect("words", parts["precision_1"], match_text, f"only {match_text}")
    n, m = stats["candidate_length"], stats["reference_length"]
    length = MeasuredAspect("length", brevity, low=f"it has only {n:g} words, the reference {m:g}")
    most = max(int(name.removeprefix("match_")) for name in stats if name.startswith("match_"))
    if most == 1 or not (stats["match_1"] and brevity and stats[f"total_{most}"]):
        return words, length
    none = next((order for order in range(2, most + 1) if not stats[f"match_{order}"]), None)
    match_text = matching_clause(stats[f"match_{most}"], stats[f"total_{most}"], f"{most}-grams")
    low = f"no {none} words in a row match" if none else f"only {match_text}"
    return (
        words,
        MeasuredAspect("runs", min(1.0, result.score / brevity / parts["precision_1"]), match_text, low),
        length,
    )
