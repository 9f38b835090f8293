"""Words aligned in order, close neighbours credited most, in rounds until none is left.

A round aligns words of the candidate with words of one reference that are in the same order, as a chain of cells. A
cell earns more the closer it follows the one before: Δi and Δj are its distances from that cell in the candidate and in
the reference, and s is 1 for equal words, else their similarity. The credits of the best chain, divided by the
candidate length n, are the round's score. Each round takes the best reference, then retires the aligned words, and
round r counts α to the power of r. A candidate shorter than m, the references' mean length, pays a penalty.

    round_r = 1/n · Σ s / √(Δi · Δj)
    penalty = min(1, n/m)
    SIA = penalty · Σ α^r · round_r

Distances count retired words too, start from just before both sentences, and end with the last cell, so that words
after it cost nothing. The paper's figures leave this open or cannot run as printed; the settings offer the other
readings. Since the first round counts α too, a candidate equal to its reference scores α, by default 0.5, and not 1.

Rewards: words that are in the reference's order and close to each other. A word inserted between two matches weakens
the second instead of breaking the match, and what is left over, such as a phrase that was moved, still counts in a
later round.

Cannot see: which words the candidate leaves out. SIA is a precision: a missing word costs through the gap it leaves,
and through the length penalty where the candidate is shorter than the references, but words missing after the last
match cost nothing else. Without a word similarity, a synonym is a gap like any other.

Source: Liu and Gildea (2006), Stochastic Iterative Alignment for Machine Translation Evaluation, section 3, Figures 4
to 6.

>>> from metrics import score
>>> r = score("sia", "the gunman kill police".split(), ["police killed the gunman".split()])
>>> [(layer.name, [tuple(hit) for hit in layer.marks]) for layer in r.layers]
[('round 1', [(0, 0, 2), (1, 0, 3)]), ('round 2', [(3, 0, 0)])]
>>> round(r.score, 4)
0.2284
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from math import sqrt
from operator import mul
from typing import cast

from ...alignment.sia_chains import Round, Similarity, rounds, rows_before_first_round
from ...alignment.sia_ties import tied_sia_alignments
from ...alignment.unused_matches import off_path_reason_finder, reason_by_reference
from ...formula import (
    CreditSum,
    Expr,
    FormulaStep,
    Number,
    Power,
    Product,
    Quotient,
    Series,
    SquareRoot,
    Sum,
    count_with_noun,
    mean_of,
    number_of,
    step,
)
from ...text.similarity import UnavailableSimilarity
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Composition,
    Hit,
    Layer,
    Relation,
    Result,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Ties,
    Tokens,
    UnusedMatchReason,
    brief_repr,
    matched_words_clause,
    pieces_phrase,
    setting,
    shortness_clause,
)
from ...types.work import spend

_SHOWN_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class SIASettings(Settings):
    """The settings of SIA; `similarity` is any symmetric function of two words that returns a number of at least 0.

    Equal words count 1 whatever it returns. If it has an attribute `signature`, this names it in the signature of the
    settings."""

    decay: float = setting(
        0.5,
        "number",
        "Decay α",
        "What each further round is multiplied by.",
        least=0,
        most=1,
        step=0.05,
        slider_range=(0.05, 1.0),
    )
    schedule: str = setting(
        "geometric",
        "choice",
        "Decay schedule",
        "geometric weighs round r by α^r; squaring squares the weight from round to round, as Figure 6 literally "
        "prints; undecayed_first counts the first round fully, so α^(r−1).",
        options=("geometric", "squaring", "undecayed_first"),
    )
    iterative: bool = setting(True, "flag", "All rounds", "Off: one round, which counts fully (the paper's WLS).")
    length_penalty: bool = setting(
        True, "flag", "Length penalty", "Multiply by n / mean reference length where the candidate is shorter."
    )
    similarity: Similarity | None = setting(  # noqa: RUF009
        None,
        "object",
        "Word similarity",
        "Lets words that are not equal align; they earn their similarity instead of 1 (the paper's PROB).",
        optional=True,
        none="equal words only",
    )

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.decay == 0:
            raise ValueError(f"decay must be greater than 0, got {self.decay!r}")
        if self.similarity is not None and not callable(self.similarity):
            raise ValueError(f"similarity must be a function of two words or None, got {brief_repr(self.similarity)}")

    @property
    def usable_similarity(self) -> Similarity | None:
        """The word similarity that is used; None, so that only equal words align, if the language has none."""
        return None if isinstance(self.similarity, UnavailableSimilarity) else self.similarity

    def exponent(self, number: int) -> float:
        """Return the exponent of the decay α in the weight of round `number`, counted from 1."""
        if not self.iterative:
            return 0
        if self.schedule == "squaring":
            return 2.0 ** min(number - 1, 1023)  # larger exponents overflow, and the weight is 0 anyway
        return number if self.schedule == "geometric" else number - 1

    def weight(self, number: int) -> float:
        """Return the weight of the credits of round `number`, counted from 1."""
        weight: float = self.decay ** self.exponent(number)
        return weight


# ---------------------------------------------------------------- the score


def align(segment: Segment, settings: SIASettings, marks: bool) -> Alignment:
    return _alignment_of_rounds(
        segment, settings, rounds(segment, settings.usable_similarity, settings.iterative), marks
    )


def _alignment_of_rounds(
    segment: Segment, settings: SIASettings, chosen_rounds: list[Round], marks: bool = True
) -> Alignment:
    """Return the alignment of the chosen rounds: its statistics and, if `marks` is true, its layers."""
    candidate, references = segment
    gains = [math.fsum([credit for _, _, credit in cells]) for _, cells in chosen_rounds]
    weights = [settings.weight(number) for number in range(1, len(chosen_rounds) + 1)]
    stats: dict[str, float] = {
        "weighted_gain": math.fsum(map(mul, weights, gains)),
        "candidate_length": len(candidate),
        "mean_reference_length": sum(map(len, references)) / len(references),
    }
    for number, gain in enumerate(gains, start=1):
        stats[f"gain_{number}"] = gain
    if not marks:
        return Alignment(stats, (), {})
    relation: Relation = "similar" if settings.usable_similarity else "equal"
    layers = []
    for number, ((k, cells), weight) in enumerate(zip(chosen_rounds, weights, strict=True), start=1):
        hits = tuple([Hit(i, k, j) for i, j, _ in cells])
        credits = tuple([credit for _, _, credit in cells])
        name = f"round {number}"
        layers.append(
            Layer(name, hits, credits, weight, ("weighted_gain",), True, False, number, relation, k, "rounds", "round")
        )
    return Alignment(stats, tuple(layers), {})


#: The role of each statistic, by its name.
ROLES = {
    "weighted_gain": StatisticRole("match"),
    "candidate_length": StatisticRole("candidate length"),
    "mean_reference_length": StatisticRole("reference length"),
}


def role(name: str) -> StatisticRole:
    """Return the role of a statistic.

    A name that is not in `ROLES` is the gain of a round, which is only a part and does not enter the score."""
    return ROLES.get(name, _GAIN)


_GAIN = StatisticRole("other")


def from_stats(stats: Mapping[str, Amount], settings: SIASettings) -> Score[Amount]:
    """Return the score by Figure 6: the weighted rounds, divided by the candidate length, times the length penalty."""
    n, m = stats["candidate_length"], stats["mean_reference_length"]
    calc = ARITHMETIC[type(n)]
    words = calc.divisor(n)
    parts: dict[str, Amount] = {"round_1": 0.0 / words}
    for r in count(1):
        if (gain := stats.get(f"gain_{r}")) is None:
            break
        parts[f"round_{r}"] = gain / words
    parts["length_penalty"] = penalty = calc.where(settings.length_penalty and n <= m, calc.ratio(n, m), 1.0)
    return Score(penalty * (stats["weighted_gain"] / words), parts)


def complete(
    stats: dict[str, float], settings: SIASettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    `words` has the number of aligned words. A word is aligned once, counts most in the first round, and is never worth
    less than nothing. The candidate becomes long enough for the aligned words."""
    gain, first = max(stats["weighted_gain"], 0.0), settings.weight(1)
    if settings.usable_similarity is None:  # a similarity may exceed 1
        gain = min(gain, words.get("weighted_gain", math.inf)) if first else 0.0
        needed = max(gain / first if first else 0.0, words.get("weighted_gain", 0.0))
        stats["candidate_length"] = max(stats["candidate_length"], needed)
    stats["weighted_gain"] = gain


def _score_factors(stats: Mapping[str, float], settings: SIASettings) -> dict[str, float]:
    gain = stats["weighted_gain"] / (stats["candidate_length"] or math.inf)
    return {"gain per word": gain, "length penalty": from_stats(stats, settings).parts["length_penalty"]}


COMPOSITION = Composition(_score_factors, lambda values, _: math.prod(values.values()), {"length penalty": "penalty"})


def formula(result: Result) -> tuple[FormulaStep, ...]:
    """Return the formula: equations 1 and 2 for each round, then the weighted sum of Figure 6."""
    settings = cast(SIASettings, result.settings)
    per_word = Quotient(Number(1), number_of(result.stats["candidate_length"], "word"))
    totals = [CreditSum(r, _credit_expressions(layer, result.segment), "word") for r, layer in enumerate(result.layers)]
    weights = [_weight_expression(settings, number) for number in range(1, len(totals) + 1)]
    steps = [step(f"round {r}", Product(per_word, total)) for r, total in enumerate(totals[:_SHOWN_ROUNDS], start=1)]
    addends: list[Expr] = [Product(w, s.number()) for w, s in zip(weights, steps, strict=False)]
    later_products = [Product(w, total) for w, total in zip(weights, totals, strict=True)][_SHOWN_ROUNDS:]
    if later_products:
        rest = step("later rounds", Product(per_word, Series(*later_products)))
        steps.append(rest)
        addends.append(rest.number())
    gain: Expr = Sum(*addends) if settings.iterative and addends else steps[0].symbol() if steps else Number(0)
    if settings.length_penalty:
        n, m = Number(result.stats["candidate_length"]), mean_of([*map(len, result.segment.references)], "word")
        penalty = step("length penalty", Number(1) if n.value > m.value else Quotient(n, m))
        steps.append(penalty)
        gain = Product(penalty.number(), gain)
    else:
        steps.append(step("length penalty", Number(1, says=", switched off")))
    return (*steps, step("SIA", gain))


def _weight_expression(settings: SIASettings, number: int) -> Expr:
    decimals = next((d for d in range(6) if round(settings.decay, d) == settings.decay), 6)
    return Power(Number(settings.decay, decimals), Number(settings.exponent(number)))


def _credit_expressions(layer: Layer, segment: Segment) -> list[Expr]:
    """Return the credit of each cell as the expression s / √(Δi·Δj); equal distances are printed without the root.

    s is the similarity of the words, and Δi and Δj are the distances to the cell before."""
    out: list[Expr] = []
    last_i = last_j = -1
    for mark, credit in zip(layer.marks, layer.credits, strict=True):
        i, k, j = cast(Hit, mark)
        down, right = i - last_i, j - last_j
        last_i, last_j = i, j
        equal = segment.candidate[i] == segment.references[k][j]
        ratio = Number(1 if equal else credit * sqrt(down * right))
        if down == right == 1:
            out.append(ratio)
        else:
            gap = Number(down) if down == right else SquareRoot(Product(Number(down), Number(right)))
            out.append(Quotient(ratio, gap))
    return out


def summary(result: Result) -> str:
    return count_with_noun(len(result.layers), "round")


def ties(result: Result, most: int) -> Ties:
    """Return the results of all choices among equally good chains, the first `most` of them drawn."""
    segment, settings = result.segment, cast(SIASettings, result.settings)

    def draw(chosen_rounds: list[Round]) -> Result:
        stats, layers, _ = _alignment_of_rounds(segment, settings, chosen_rounds)
        score, parts = from_stats(stats, settings)
        return replace(result, score=score, parts=parts, stats=stats, layers=layers)

    grids = rows_before_first_round(segment, settings.usable_similarity)
    return tied_sia_alignments(result, grids, settings.iterative, settings.weight, most, draw)


def left_out(settings: SIASettings) -> str:
    """Return a sentence if the chosen word similarity does not exist for the language of the texts; else ""."""
    return settings.similarity.says if isinstance(settings.similarity, UnavailableSimilarity) else ""


def why_not(result: Result) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not used: it names the round that used one of its words.

    If the settings allow one round only, the path of that round explains it."""
    if not cast(SIASettings, result.settings).iterative:
        return reason_by_reference(result, off_path_reason_finder)
    rows: dict[int, int] = {}
    columns: dict[tuple[int, int], int] = {}
    for layer in result.layers:
        for i, k, j in layer.cells():
            rows[i] = columns[k, j] = layer.number or 0

    def against(hit: Hit) -> UnusedMatchReason | None:
        spend(2)
        ours, theirs = rows.get(hit.i), columns.get((hit.k, hit.j))
        if ours is None and theirs is None:
            return None
        if theirs is None or (ours is not None and ours <= theirs):
            return UnusedMatchReason(f"round {ours} took the candidate's word")
        return UnusedMatchReason(f"round {theirs} took the reference's word")

    return against


def because(result: Result, hit: Hit) -> str:
    """Return the reason why the two words of a hit align: the similarity's own reason or its value; "" if equal."""
    settings = cast(SIASettings, result.settings)
    ours, theirs = result.segment.candidate[hit.i], result.segment.references[hit.k][hit.j]
    if ours == theirs or settings.similarity is None:
        return ""
    says = getattr(settings.similarity, "because", None)
    return str(says(ours, theirs)) if says else f"their similarity is {settings.similarity(ours, theirs):.3g}"


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the SIA score.

    They say how many words the rounds align, and what the first round, which counts most, scores."""
    lengths, settings = [len(layer.marks) for layer in result.layers], cast(SIASettings, result.settings)
    says = matched_words_clause(sum(lengths), len(result.segment.candidate)) + pieces_phrase(lengths, "round")
    if lengths:
        one = "it" if len(lengths) == 1 < lengths[0] else "the first" if len(lengths) > 1 else "its round"
        says += f"; {one} scores {result.parts['round_1']:.2f}"
        says += ", of which half counts" if settings.weight(1) == 0.5 else ""
        says += shortness_clause(result.parts["length_penalty"], "length penalty")
    return Account(says, sum(lengths), len(lengths), max(lengths, default=0))
