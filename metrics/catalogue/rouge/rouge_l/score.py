"""The longest sequence of words that both sentences have in the same order, gaps allowed.

LCS is the length of that sequence, n and m are the lengths of candidate and reference. Where several sequences are
longest, one is drawn; all give the same score.

    P = LCS / n,  R = LCS / m
    F = (1 + β²) · P · R / (R + β² · P)

Of several references, each of P and R takes the one that is best for it, unless the settings say otherwise.

Rewards: words in the reference's order. Words inserted between them break nothing; they only make the sentence longer.

Cannot see: what is outside the one sequence. Against "police killed the gunman", "the gunman police killed" has all
four words and scores 0.5, no more than "the gunman kill police". Nor does it see whether the matched words are
together: "A B C D H I K" and "A H B K C I D" both score 0.571 against "A B C D E F G".

Source: Lin and Och (2004), Automatic Evaluation of Machine Translation Quality Using Longest Common Subsequence and
Skip-Bigram Statistics, section 3.1 (equations 4 to 6).

>>> from metrics import score
>>> score("rouge_l", "the gunman kill police".split(), ["police killed the gunman".split()]).score
0.5
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....alignment.edits import make_comparable
from ....alignment.lcs import Stretch, lcs_length, lcs_path
from ....alignment.ties import NOTHING, Cells, combined_ties, common_subsequences, diagonal_stretches
from ....formula import number_of
from ....types import Account, MeasuredAspect, Result, Run, Segment, Settings, Ties
from ..kind import RougeAmounts, RougeKind, RougeLayer, beta_setting, f_measure_setting, multi_reference_setting
from ..score import counts_of_one_reference, describe_words_in_order


@dataclass(frozen=True, slots=True)
class RougeLSettings(Settings):
    """The settings of ROUGE-L: how P, R and F are computed from the subsequence."""

    beta: float = beta_setting()
    f_measure: str = f_measure_setting()
    multi_reference: str = multi_reference_setting()


def _lcs_amounts(segment: Segment, settings: RougeLSettings) -> RougeAmounts:
    candidate, references = make_comparable(*segment)

    def draw(k: int) -> list[RougeLayer]:
        return [_lcs_layer(k, lcs_path(candidate, references[k]))]

    return RougeAmounts([lcs_length(candidate, reference) for reference in references], draw, {})


def _lcs_layer(k: int, path: Sequence[Stretch]) -> RougeLayer:
    runs = tuple([Run(i, k, j, length) for i, j, length in path])
    return RougeLayer("LCS", runs, tuple([length for _, _, length in path]), "run")


KIND = RougeKind(
    "LCS",
    "lcs",
    _lcs_amounts,
    total=lambda length, settings: length,
    written=lambda length, settings: number_of(length, "word"),
    noun=lambda layer, length, settings: ("word", length),
    path=True,
)


def ties(result: Result, most: int) -> Ties:
    """Return the longest common subsequences with the deciding references, the first `most` drawn as results.

    All have the same score, because only their length counts. References that tie with a deciding one but come after it
    are not considered."""
    candidate, references = result.segment
    parts = []
    for layer in result.layers:
        chosen = tuple([cell for mark in layer.marks for cell in mark.cells()])
        k = chosen[0].k if chosen else 0
        parts.append(common_subsequences(candidate, k, references[k], chosen, most) if chosen else NOTHING)

    def draw(pick: tuple[Cells, ...]) -> Result:
        layers = []
        for layer, cells in zip(result.layers, pick, strict=True):
            drawn = _lcs_layer(cells[0].k, diagonal_stretches(cells)) if cells else layer
            layers.append(layer._replace(marks=drawn.marks, credits=drawn.credits))
        return replace(result, layers=tuple(layers))

    return combined_ties(result, parts, most, draw)


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains ROUGE-L, from its longest common subsequence."""
    return describe_words_in_order(result, False)


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that ROUGE-L measures of a translation, from 0 to 1: matched words in the reference's order."""
    if (counts := counts_of_one_reference(result)) is None:
        return ()
    longest, n, m = counts
    whose = "words of the reference" if m > n else "words"
    description = f"{longest:g} of {max(n, m):g} {whose} can be read in the same order"
    return (MeasuredAspect("order", 2 * longest / (n + m) if longest else 0.0, description, f"only {description}"),)
