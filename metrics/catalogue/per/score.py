"""The words without a partner when both sentences are treated as bags of words.

The position-independent word error rate. Here common is the number of words that both bags share, each as often as the
bag with fewer of it has it; n and m are the lengths of candidate and reference. Words left over on both sides are
substitutions, and what then remains are insertions in a longer candidate, or deletions from a longer reference.

    substitutions = min(n, m) − common
    insertions = max(n − m, 0)
    deletions = max(m − n, 0)
    PER = (substitutions + insertions + deletions) / m = (max(n, m) − common) / m

The counts say how many occurrences of a repeated word pair up, not which: the leftmost are drawn. Of several references
the one with the lowest rate counts. An empty reference counts as one word.

Rewards: the reference's words, wherever they are.

Cannot see: the order. "the gunman killed police" has no error against "police killed the gunman". PER is never higher
than WER; the difference shows how much of WER is word order. An inflected form is as wrong as any other word.

Source: Tillmann, Vogel, Ney, Zubiaga and Sawaf (1997), Accelerated DP Based Search for Statistical Translation,
Eurospeech.

>>> from metrics import score
>>> score("per", "the gunman kill police".split(), ["police killed the gunman".split()]).score
0.25
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

from ...alignment.edits import rate_composition
from ...alignment.ngrams import clipped_counts, leftmost_pairs
from ...formula import CreditSum, FormulaDifference, FormulaStep, Number, Quotient, Symbol, number_of, step
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Hit,
    Layer,
    MeasuredAspect,
    Result,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Tokens,
    errors_phrase,
    matched_words_clause,
    words_aspect,
)


@dataclass(frozen=True, slots=True)
class PERSettings(Settings):
    """The settings of PER; there are none."""


def align(segment: Segment, settings: PERSettings, marks: bool) -> Alignment:
    candidate, references = segment
    n = len(candidate)
    common = clipped_counts(candidate, references)
    rates = [(max(n, len(r)) - c) / (len(r) or 1) for c, r in zip(common, references, strict=True)]
    k = rates.index(min(rates))
    m = len(references[k])
    stats = {
        "common": common[k],
        "longer_length": max(n, m),
        "candidate_length": n,
        "reference_length": m,
    }
    if not marks:
        return Alignment(stats, (), {"score": k})
    pairs = [(i, k, j) for i, j in leftmost_pairs(candidate, references[k])]
    hits = tuple(map(tuple.__new__, repeat(Hit), pairs))
    layer = Layer("common", hits, (1,) * len(hits), 1.0, ("common",), k=k, kind="common", noun="common word")
    return Alignment(stats, (layer,), {"score": k})


#: The role of each statistic, by its name.
ROLES = {
    "common": StatisticRole("match"),
    "longer_length": StatisticRole("other", of="candidate_length"),
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: PERSettings) -> Score[Amount]:
    common, longer = stats["common"], stats["longer_length"]
    n, m = stats["candidate_length"], stats["reference_length"]
    parts = {
        "substitutions": n + m - longer - common,
        "insertions": longer - m,
        "deletions": longer - n,
        "common": common,
    }
    return Score(ARITHMETIC[type(m)].rate(longer - common, m), parts)


def complete(
    stats: dict[str, float], settings: PERSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    At most as many words are common as the reference has, and the candidate becomes long enough for them. The length of
    the longer sentence follows from the two lengths."""
    stats["common"] = min(stats["common"], stats["reference_length"])
    stats["candidate_length"] = max(stats["candidate_length"], stats["common"])
    stats["longer_length"] = max(stats["candidate_length"], stats["reference_length"])


COMPOSITION = rate_composition("errors", lambda stats: stats["longer_length"] - stats["common"])


def formula(result: Result) -> tuple[FormulaStep, ...]:
    stats = result.stats
    n, m = stats["candidate_length"], stats["reference_length"]
    common = step("common", CreditSum(0, [Number(credit) for credit in result.layers[0].credits], "word", max(n, m)))
    longer = step("max(n, m)", number_of(max(n, m), "word"), same_line=True)
    rate = step(
        "PER",
        Quotient(FormulaDifference(longer.symbol(), common.symbol()), Symbol("m", m) if m else Symbol("max(m, 1)", 1)),
        Quotient(FormulaDifference(longer.number(), common.number()), number_of(m or 1, "word")),
    )
    return common, longer, rate


def summary(result: Result) -> str:
    errors = result.stats["longer_length"] - result.stats["common"]
    return f"{errors:.0f} error" if errors == 1 else f"{errors:.0f} errors"


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the PER: errors by kind, and common words."""
    parts = result.parts
    kinds, common = [int(parts[name]) for name in ("substitutions", "insertions", "deletions")], int(parts["common"])
    says = f"{errors_phrase(*kinds)}; {matched_words_clause(common, len(result.segment.candidate))}"
    says += ", in any order" if common > 1 else ""
    return Account(says, common, errors=sum(kinds))


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that PER measures of a translation, from 0 to 1: whether the words are right, in any order."""
    stats = result.stats
    return (words_aspect(stats["common"], stats["candidate_length"], stats["reference_length"]),)
