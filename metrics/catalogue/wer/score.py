"""The fewest words to change, add and remove to turn the candidate into the reference.

The word error rate of speech recognition. The edit script is a path through the grid: a diagonal step is a hit or a
substitution, an insertion passes a candidate word without a partner, a deletion a reference word without one. S, I
and D count these errors and H the hits; m is the length of the reference, H + S + D.

    WER = (S + I + D) / m

Often several scripts are equally short and divide their errors differently into S, I and D; the rate is the same. Of
several references the one with the lowest rate counts. An empty reference counts as one word.

Rewards: the reference's words in the reference's order.

Cannot see: that a phrase only moved. Its words count twice, as if they were missing in one place and added in another,
or spoil the words in between: "the gunman police killed" has 4 errors in 4 words against "police killed the gunman".
Nor that a wrong word is nearly right: "kill" for "killed" is as wrong as "banana".

Source: Levenshtein (1966), Binary codes capable of correcting deletions, insertions and reversals; for translation
Nießen, Och, Leusch and Ney (2000), An Evaluation Tool for Machine Translation, LREC.

>>> from metrics import score
>>> score("wer", "police kill the gunman".split(), ["police killed the gunman".split()]).score
0.25
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...alignment.edits import (
    ShortestScripts,
    edit_script,
    nearest_reference,
    rate_composition,
    script_from_cells,
    script_match_count,
)
from ...formula import CreditSum, FormulaStep, Number, Quotient, Sum, Symbol, count_with_noun, number_of, step
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Edit,
    Hit,
    Layer,
    MeasuredAspect,
    Relation,
    Result,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Ties,
    TooHard,
    errors_phrase,
    matched_words_clause,
)


@dataclass(frozen=True, slots=True)
class WERSettings(Settings):
    """The settings of WER; there are none."""


def align(segment: Segment, settings: WERSettings, marks: bool) -> Alignment:
    k, errors, candidate, reference = nearest_reference(segment)
    decides = {"score": k}
    if marks:
        layers = _layers(edit_script(candidate, k, reference), k)
        return Alignment(_statistics(layers, len(reference)), layers, decides)
    n, m, hits = len(candidate), len(reference), script_match_count(candidate, reference)
    insertions, deletions = errors - (m - hits), errors - (n - hits)
    stats = {
        "substitutions": errors - insertions - deletions,
        "insertions": insertions,
        "deletions": deletions,
        "hits": hits,
        "reference_length": m,
    }
    return Alignment(stats, (), decides)


def _layers(edits: Sequence[Edit], k: int) -> tuple[Layer, Layer, Layer, Layer]:
    """Return a layer for each kind of edit of a script; an error counts 1, and a run of hits counts its words."""
    substitutions = tuple([edit for edit in edits if edit[0] == "substitution"])
    insertions = tuple([edit for edit in edits if edit[0] == "insertion"])
    deletions = tuple([edit for edit in edits if edit[0] == "deletion"])
    hits = tuple([edit for edit in edits if edit[0] == "match"])
    ones, lengths = (1,).__mul__, tuple([edit[2] - edit[1] for edit in hits])
    return (
        _layer("substitution", substitutions, ones(len(substitutions)), k, "different"),
        _layer("insertion", insertions, ones(len(insertions)), k),
        _layer("deletion", deletions, ones(len(deletions)), k),
        _layer("hit", hits, lengths, k),
    )


def _layer(noun: str, marks: tuple[Edit, ...], credits: tuple[int, ...], k: int, relation: Relation = "equal") -> Layer:
    """Return the layer of one kind of edit, whose statistic has the same name as the layer."""
    name = f"{noun}s"
    return Layer(name, marks, credits, 1.0, (name,), relation=relation, k=k, kind=name, noun=noun)


def _statistics(layers: Sequence[Layer], m: int) -> dict[str, float]:
    """Return the statistics: the sum of each layer's credits, and `m`, the length of the reference."""
    counted: dict[str, float] = {statistic: sum(layer.credits) for layer in layers for statistic in layer.statistics}
    return counted | {"reference_length": m}


#: The role of each statistic, by its name.
ROLES = {
    "substitutions": StatisticRole("edit", cost=True),
    "insertions": StatisticRole("edit", cost=True),
    "deletions": StatisticRole("edit", cost=True),
    "hits": StatisticRole("match"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: Settings) -> Score[Amount]:
    s, i, d, m = stats["substitutions"], stats["insertions"], stats["deletions"], stats["reference_length"]
    parts = {"substitutions": s, "insertions": i, "deletions": d, "hits": stats["hits"]}
    return Score(ARITHMETIC[type(m)].rate(s + i + d, m), parts)


COMPOSITION = rate_composition("edits", lambda stats: stats["substitutions"] + stats["insertions"] + stats["deletions"])


def formula(result: Result) -> tuple[FormulaStep, ...]:
    lengths = [[Number(credit) for credit in layer.credits] for layer in result.layers]
    s, i, d, h = (
        step(name, CreditSum(layer, lengths[layer], "word" if name == "H" else "edit"), same_line=layer > 0)
        for layer, name in enumerate(("S", "I", "D", "H"))
    )
    m = step("m", Sum(h.symbol(), s.symbol(), d.symbol()), Sum(h.number(), s.number(), d.number()))
    errors = Sum(s.symbol(), i.symbol(), d.symbol()), Sum(s.number(), i.number(), d.number())
    below = m.symbol() if m.value else Symbol("max(m, 1)", 1)
    return s, i, d, h, m, step("WER", Quotient(errors[0], below), Quotient(errors[1], number_of(m.value or 1, "word")))


def summary(result: Result) -> str:
    errors = sum(len(layer.marks) for layer in result.layers[:3])
    return count_with_noun(errors, "error")


def ties(result: Result, most: int) -> Ties:
    """Return the shortest edit scripts for the deciding reference, the first `most` of them drawn as results.

    If they are too many to count, only the result itself is returned, and the number of others is unknown."""
    candidate, k = result.segment.candidate, result.decides["score"]
    reference = result.segment.references[k]
    try:
        scripts = ShortestScripts(candidate, reference)
    except TooHard:
        return Ties(1, False, (result,), frozenset(), frozenset())
    results = [result]
    for script in scripts:
        if len(results) >= min(most, scripts.count):
            break
        layers = _layers(script_from_cells(script, candidate, k, reference), k)
        if layers != result.layers:
            stats = _statistics(layers, len(reference))
            results.append(replace(result, parts=from_stats(stats, result.settings).parts, stats=stats, layers=layers))
    always, sometimes = (
        frozenset([Hit(i, k, j) for i, j in cells])
        for cells in (scripts.cells_in_all_scripts(), scripts.cells_in_some_scripts())
    )
    return Ties(scripts.count, True, tuple(results), always, sometimes)


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the WER: the errors by kind, and the hits."""
    parts = result.parts
    kinds, hits = [int(parts[name]) for name in ("substitutions", "insertions", "deletions")], int(parts["hits"])
    matched = matched_words_clause(hits, len(result.segment.candidate), ("can stay", "can stay"))
    says = f"{errors_phrase(*kinds)}; {matched}"
    return Account(says, hits, errors=sum(kinds))


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that WER measures of a translation, from 0 to 1: how many words can stay where they are.
    END"""
    hits, n, m = result.stats["hits"], len(result.segment.candidate), result.stats["reference_length"]
    whose = "words of the reference" if m > n else "words"
    value = 2 * hits / (n + m) if hits else 0.0
    stay = f"{hits:g} of {max(n, m):.4g} {whose} can stay as they are"
    return (MeasuredAspect("order", min(value, 1.0), stay, f"only {stay}"),)
