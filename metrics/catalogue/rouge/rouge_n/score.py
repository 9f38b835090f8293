"""The n-grams that both sentences have, each as often as the side with fewer of it has it.

An n-gram is N words in a row; n and m are the lengths of candidate and reference. An n-gram that one side repeats
matches as often as the other side has it: repeating a good word does not pay. The counts say how many occurrences
match, not which: the leftmost are drawn.

    P = matches / (n − N + 1),  R = matches / (m − N + 1)
    F = (1 + β²) · P · R / (R + β² · P)

Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

Rewards: the reference's words, and if N is 2 or more the reference's wording, wherever it is in the
sentence.

Cannot see: anything beyond N words. With N = 1 the order is lost: "the gunman killed police" scores a full 1
against "police killed the gunman". With N = 2 one wrong word in the middle breaks two n-grams, and a sentence whose
phrases changed places loses only the n-grams where they meet.

Source: Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, section 2.

>>> from metrics import score
>>> score("rouge_n", "police kill the gunman".split(), ["police killed the gunman".split()]).score
0.75
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ....alignment import ngrams
from ....alignment.unused_matches import UsedWords
from ....formula import Expr, number_of
from ....types import (
    Account,
    Cause,
    Hit,
    Layer,
    MeasuredAspect,
    Result,
    Run,
    Segment,
    Settings,
    UnusedMatchReason,
    matched_words_clause,
    ngram_in_words,
    setting,
    words_aspect,
)
from ..kind import (
    RougeAmounts,
    RougeKind,
    RougeLayer,
    beta_setting,
    f_measure_setting,
    multi_reference_setting,
    unit_credits,
)
from ..score import count_matched_words, counts_of_one_reference, describe_precision_and_recall


@dataclass(frozen=True, slots=True)
class RougeNSettings(Settings):
    """The settings of ROUGE-N: the length of the n-grams, and how P, R and F are computed."""

    order: int = setting(
        1, "whole", "Words in an n-gram", "1 counts words, 2 pairs of words.", least=1, most=100, slider_range=(1, 4)
    )
    beta: float = beta_setting()
    f_measure: str = f_measure_setting()
    multi_reference: str = multi_reference_setting()


def _ngram_amounts(segment: Segment, settings: RougeNSettings) -> RougeAmounts:
    order = settings.order
    ours, *theirs = (
        words if order == 1 else ngrams.ngrams(words, order) for words in (segment.candidate, *segment.references)
    )

    def draw(k: int) -> list[RougeLayer]:
        marks = [Run(i, k, j, order) for i, j in ngrams.leftmost_pairs(ours, theirs[k])]
        return [RougeLayer(f"{order}-grams", tuple(marks), unit_credits(marks), f"{order}-gram")]

    return RougeAmounts([*ngrams.clipped_counts(ours, theirs)], draw, {})


def _ngram_total(length: int, settings: RougeNSettings) -> int:
    return max(length - settings.order + 1, 0)


def _noun_and_total(layer: Layer, length: int, settings: RougeNSettings) -> tuple[str, float | None]:
    return (f"{settings.order}-gram", _ngram_total(length, settings)) if settings.order > 1 else ("word", length)


def _total_expression(length: int, settings: RougeNSettings) -> Expr:
    return number_of(_ngram_total(length, settings), f"{settings.order}-gram" if settings.order > 1 else "word")


KIND = RougeKind("matches", None, _ngram_amounts, _ngram_total, _total_expression, _noun_and_total)


def without_ngram(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not used.

    Either no n-gram through the hit matches, or another match uses one of its words."""
    settings, used = cast(RougeNSettings, result.settings), UsedWords(result, layers)

    def against(hit: Hit) -> UnusedMatchReason | None:
        if used.maximal_run_through(hit).length < settings.order:
            return UnusedMatchReason(f"no {settings.order}-gram through it matches")
        return used.reason_against(hit)

    return against


def account(result: Result) -> Account:
    """Return the clause and the count with which a verdict explains ROUGE-N.

    For single words it is the number of matched words, for longer n-grams the share of each side's n-grams that
    match."""
    order, parts, n = result.settings.to_dict()["order"], result.parts, len(result.segment.candidate)
    matched = count_matched_words(result)
    if order == 1:
        return Account(matched_words_clause(matched, n) + describe_precision_and_recall(result), matched)
    grams = ngram_in_words(order)
    if not matched:
        return Account(f"no {grams} match", 0)
    return Account(f"{parts['precision']:.2f} of its {grams} match, {parts['recall']:.2f} of the reference’s", matched)


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that ROUGE-N measures of a translation, from 0 to 1: its words or its runs.

    It is the words for single words, and the runs for longer n-grams."""
    counts, order = counts_of_one_reference(result), result.settings.to_dict()["order"]
    if counts is None:
        return ()
    if order == 1:
        return (words_aspect(*counts),)
    description = f"{counts.matched:g} of {counts.candidate:g} {order}-grams match"
    return (MeasuredAspect("runs", result.score, description, f"only {description}" if counts.candidate else ""),)


def causes(settings: RougeNSettings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "matches"; empty for single words, which need none."""
    if settings.order == 1:
        return {}
    noun = f"matching {settings.order}-grams"
    return {"matches": Cause(f"more {noun}", f"fewer {noun}", noun)}
