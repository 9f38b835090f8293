"""Words to change, add and remove, where moving a whole block of words costs just one edit.

The translation edit rate. Shifts come first: as long as moving one block of candidate words lowers the edit distance
to the reference, the move that lowers it most is made. Of equally good moves the longest block goes first, then the
leftmost block, then the leftmost place. What is left is an edit script of single words: S substitutions, I insertions,
which are candidate words without a partner, and D deletions, reference words without one. The reference with the fewest
edits counts, the first one on ties; the edits are divided by the average length m of all references.

    TER = (shifts + S + I + D) / m

Only a block that equals words of the reference may move, if the script has an error in it and in those words. Limits
keep the search short: the length of a block, how far its words may be from those of the reference, how far the
script may stray from the diagonal of the grid, and how many shifts are tried. The search is greedy, so fewer edits may
be possible than it finds. It follows sacreBLEU 2.6.0, with the words as they are given. References
that are all empty count as one word.

Rewards: the reference's words in the reference's order, and phrases of it that only moved: "the gunman
police killed" needs one edit to become "police killed the gunman", where the word error rate counts four.

Cannot see: how far a block moved, or what that does to the meaning: "all birds can not fly" is one edit from "not all
birds can fly". Nor that a wrong word is nearly right: "kill" for "killed" is as wrong as "banana".

Source: Snover, Dorr, Schwartz, Micciulla and Makhoul (2006), A Study of Translation Edit Rate with Targeted Human
Annotation, AMTA; details as in sacreBLEU, which follows the authors' program tercom.

>>> from metrics import score
>>> result = score("ter", "on the old mat the cat sat".split(), ["the cat sat quietly on the old mat".split()])
>>> result.score, dict(result.parts)
(0.25, {'edits': 2, 'shifts': 1, 'reference_length': 8.0})
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, cast

from rapidfuzz.distance import Levenshtein

from ...alignment.edits import rate_composition
from ...alignment.lcs import words_as_letters
from ...formula import CreditSum, FormulaStep, Number, Quotient, Sum, Symbol, mean_of, number_of, step
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Edit,
    Layer,
    MeasuredAspect,
    Relation,
    Result,
    Score,
    Segment,
    Shift,
    StatisticRole,
    matched_words_clause,
    words_aspect,
)
from .edit_scripts import Script
from .shifts import ShiftComparison, ShiftSearch, TERSettings, Trial


def align(segment: Segment, settings: TERSettings, marks: bool) -> Alignment:
    candidate, references = segment
    k, compared, search = _reference_of_fewest_edits(segment, settings)
    n = len(candidate)
    substitutions, insertions, deletions = compared.count_edit_kinds(search)
    stats = {
        "shifts": len(search.shifts),
        "substitutions": substitutions,
        "insertions": insertions,
        "deletions": deletions,
        "hits": n - substitutions - insertions,
        "reference_length": sum(map(len, references)) / len(references),
    }
    if not marks:
        return Alignment(stats, (), {"score": k})
    script = search.script or compared.script(search.words, search.distance)
    return Alignment(stats, _layers(search.shifts, script, n, k), {"score": k})


def _reference_of_fewest_edits(segment: Segment, settings: TERSettings) -> tuple[int, ShiftComparison, ShiftSearch]:
    """Return the index of the reference that needs the fewest edits, with its comparison and its search for shifts.

    Of equal references the first is taken. The nearest reference is searched first. A search ends without a result as
    soon as it cannot have fewer edits than an earlier one."""
    candidate, references = words_as_letters(*segment)
    bag = "".join(sorted(candidate))
    comparisons = [ShiftComparison(candidate, bag, reference, settings) for reference in references]
    best: tuple[int, int, ShiftSearch] | None = None
    most: float = math.inf
    for _, k in sorted([(comparison.distance, k) for k, comparison in enumerate(comparisons)]):
        if best:
            most = best[0] - (k > best[1])
        search = comparisons[k].search(most)
        if search and search.edits() <= most:
            best = search.edits(), k, search
    assert best, "a segment has a reference"
    return best[1], comparisons[best[1]], best[2]


def _layers(shifts: list[Trial], script: Script, n: int, k: int) -> tuple[Layer, ...]:
    """Return a layer for each shift and one for each kind of edit of the script after the shifts.

    Marks have the candidate's original positions. A run of hits is one mark that counts its words. A missing word is
    placed after the word that it follows once the shifts are made."""
    layers = []
    order = list(range(n))
    for number, (negative, start, place, j) in enumerate(shifts, 1):
        end = start - negative
        to = place + negative if place > end else min(place, n + negative)
        shift = Shift(start, end, to, k, j, tuple(order[start:end]))
        order = shift.apply(order)
        layers.append(
            Layer(f"shift {number}", (shift,), (1,), 1.0, ("shifts",), number=number, k=k, kind="shifts", noun="shift")
        )
    edits: dict[str, list[Any]] = {"substitution": [], "insertion": [], "deletion": [], "match": []}
    substituted, extra, missing = script.substituted, script.extra, script.missing
    j = behind = 0
    for i in order:
        while missing & 1:
            edits["deletion"].append(("deletion", behind, behind, k, j, j + 1))
            j += 1
            missing >>= 1
        behind = i + 1
        if extra & 1:
            edits["insertion"].append(("insertion", i, behind, k, j, j))
        else:
            op = "substitution" if substituted & 1 else "match"
            edits[op].append((op, i, behind, k, j, j + 1))
            j += 1
            missing >>= 1
        extra >>= 1
        substituted >>= 1
    edits["deletion"] += [("deletion", behind, behind, k, t, t + 1) for t in range(j, j + missing.bit_length())]
    edits["match"] = _join_matches(edits["match"])
    for name, (noun, op) in _LAYERS.items():
        marks = tuple(map(tuple.__new__, repeat(Edit), edits[op]))
        credits = tuple([edit[2] - edit[1] for edit in edits[op]]) if op == "match" else (1,) * len(marks)
        relation: Relation = "different" if op == "substitution" else "equal"
        layers.append(Layer(name, marks, credits, 1.0, (name,), relation=relation, k=k, kind=name, noun=noun))
    return tuple(layers)


def _join_matches(matches: list[Any]) -> list[Any]:
    """Return the matches with neighbouring ones joined to runs, if their words follow each other in both sentences.

    A match is a tuple (op, i_start, i_end, k, j_start, j_end)."""
    out: list[Any] = []
    for op, i, i_end, k, j, j_end in matches:
        if out and out[-1][2] == i and out[-1][5] == j:
            out[-1] = (op, out[-1][1], i_end, k, out[-1][4], j_end)
        else:
            out.append((op, i, i_end, k, j, j_end))
    return out


#: The statistics that have a layer each, with the noun of one of its edits and the `op` of the edits.
_LAYERS = {
    "substitutions": ("substitution", "substitution"),
    "insertions": ("insertion", "insertion"),
    "deletions": ("deletion", "deletion"),
    "hits": ("hit", "match"),
}


#: The role of each statistic, by its name.
ROLES = {
    "shifts": StatisticRole("edit", cost=True),
    "substitutions": StatisticRole("edit", cost=True),
    "insertions": StatisticRole("edit", cost=True),
    "deletions": StatisticRole("edit", cost=True),
    "hits": StatisticRole("match"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: TERSettings) -> Score[Amount]:
    edits, length = _count_edits(stats), stats["reference_length"]
    parts = {"edits": edits, "shifts": stats["shifts"], "reference_length": length}
    return Score(ARITHMETIC[type(length)].rate(edits, length), parts)


def _count_edits(stats: Mapping[str, Amount]) -> Amount:
    return stats["shifts"] + stats["substitutions"] + stats["insertions"] + stats["deletions"]


COMPOSITION = rate_composition("edits", _count_edits)


def formula(result: Result) -> tuple[FormulaStep, ...]:
    terms = [CreditSum(t, [Number(1)] * len(layer.marks), "edit") for t, layer in enumerate(result.layers)]
    shifts, s, i, d = (
        step("shifts", Sum(*terms[:-4]) if terms[:-4] else number_of(0, "edit")),
        step("S", terms[-4], same_line=True),
        step("I", terms[-3], same_line=True),
        step("D", terms[-2], same_line=True),
    )
    m = step("m", mean_of([*map(len, result.segment.references)], "word"))
    edits = (shifts, s, i, d)
    above = Sum(*[part.symbol() for part in edits]), Sum(*[part.number() for part in edits])
    below = m.symbol() if m.value else Symbol("max(m, 1)", 1)
    return *edits, m, step("TER", Quotient(above[0], below), Quotient(above[1], number_of(m.value or 1, "word")))


def summary(result: Result) -> str:
    edits = int(result.parts["edits"])
    return f"{edits} edit{'s' * (edits != 1)}"


def remark(result: Result) -> str:
    """Return a sentence on the limit that stopped the search for shifts, or else on why the rate is above 1.

    The result is "" if neither applies. Only the search for the deciding reference is looked at."""
    segment, settings, k = result.segment, cast(TERSettings, result.settings), result.decides["score"]
    candidate, references = words_as_letters(*segment)
    search = ShiftComparison(candidate, "".join(sorted(candidate)), references[k], settings).search()
    assert search
    sentences = []
    edits, shortest = search.distance, Levenshtein.distance(search.words, references[k])
    if edits > shortest:
        sentences.append(
            f"The beam hides a shorter script: after the shifts {edits} edits are found, but {shortest} suffice."
        )
        plain_distance = Levenshtein.distance(candidate, references[k])
        if search.edits() > plain_distance:
            sentences.append(f"So there are more edits than WER's {plain_distance}, without shifts and without a beam.")
    if search.stopped:
        sentences.append(
            f"The search for shifts ended at its limit of {settings.max_candidates:,} tries, as sacreBLEU's does: "
            "more shifts might save edits."
        )
    if sentences:
        return " ".join(sentences)
    if result.score <= 1:
        return ""
    if not any(segment.references):
        return "There are no words in any reference: every word of the candidate is an edit, divided by a length of 1."
    return "The rate is above 1: there are more edits than words in a reference of average length."


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the TER.

    They say how many edits there are, how many of them move a block, and how many words match after the moves."""
    edits, shifts, hits = int(result.parts["edits"]), int(result.parts["shifts"]), int(result.stats["hits"])
    moves = f", {shifts} of them {'moves' if shifts > 1 else 'a move'} of a block" if shifts < edits else ""
    if shifts == edits:
        moves = ", a move of a block" if edits == 1 else ", all of them moves of a block"
    says = f"{edits or 'no'} edit{'s' * (edits != 1)}{moves if shifts else ''}"
    says += f"; {matched_words_clause(hits, len(result.segment.candidate))}{' then' if shifts else ''}"
    return Account(says, hits, errors=edits)


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspect that TER measures of a translation, from 0 to 1: whether words match once blocks are moved."""
    stats = result.stats
    hits, moves, n = stats["hits"], stats["shifts"], len(result.segment.candidate)
    words = words_aspect(hits, n, stats["reference_length"])
    if not moves:
        return (words,)
    after = f"once {moves:g} block{'s are' if moves > 1 else ' is'} moved"
    return (words._replace(high=f"{words.high} {after}", low=f"{words.low} {after}"),)


def sacrebleu(settings: TERSettings, tokenizer: str, lowercase: bool, sums: Mapping[str, float]) -> Sequence[str]:
    """Return the sacreBLEU settings that give the same corpus TER, written as in sacreBLEU's signature.

    The result is empty if there are none: sacreBLEU has fixed limits, which are the defaults here, and splits words
    only at white space."""
    if settings != TERSettings() or tokenizer != "whitespace":
        return ()
    return (f"case:{'lc' if lowercase else 'mixed'}|tok:tercom|norm:no|punct:yes|asian:no",)
