"""NIST as Doddington (2002) prints it: n-grams that count by what their last word tells, averages, brevity, the sum."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...teach.clipping import counted, subscript
from ...teach.empty import wordless
from ...teach.ngrams import Words, ngrams, placed, placings
from ...teach.steps import Code, Prefix, Program, Step, number, phrase, same_cells, unknown
from ...types import Mark, Result, Segment

CODE = Code(
    words="count all n-grams of all references",
    tells="each n-gram that matches:  a, b ← how often they have it, and all but its last word",
    match="    bitsₙ ← bitsₙ + log₂(b / a)",
    clip="    no more often than in the reference that has most of it",
    other="    if a reference has it at all",
    average="Iₙ ← bitsₙ / totalₙ",
    length="r ← mean length of the references",
    brevity="BP ← 1 if c ≥ r, else exp(β · log(c/r)²),  BP = 0.5 for c/r = 2/3",
    score="NIST ← BP · Σ Iₙ",
)

#: What makes the penalty one half where c/r is two thirds.
BETA = math.log(0.5) / math.log(2 / 3) ** 2


def reference_counts(references: Sequence[Words], most: int) -> Counter[tuple[str, ...]]:
    """How often references have each n-gram of the orders up to `most`; the empty one as often as there are words.

    >>> reference_counts(["ab", "a"], 1)[("a",)], reference_counts(["ab", "a"], 1)[()]
    (2, 3)
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        counts[()] += len(reference)
        for order in range(1, most + 1):
            counts.update(ngrams(reference, order))
    return counts


def penalty(c: float, r: float) -> float:
    """The brevity penalty, 0 for an empty candidate."""
    return math.exp(BETA * math.log(min(c / r, 1)) ** 2) if c and r else 0.0


def nist(segments: Sequence[tuple[Words, Sequence[Words]]], most: int) -> float:
    """Doddington's formulas over a corpus of candidates with their references, with all counts written out.

    >>> round(nist([("ab", ["ab"])], 2), 3)
    1.0
    """
    counts = reference_counts([reference for _, references in segments for reference in references], most)
    n, m = 0, 0.0
    information, totals = [0.0] * most, [0] * most
    for candidate, references in segments:
        n += len(candidate)
        m += sum(map(len, references)) / len(references)
        drawn = placed(candidate, references, most)
        for order in range(1, most + 1):
            for one in placings(candidate, references, drawn, order):
                totals[order - 1] += 1
                if one.at:
                    information[order - 1] += math.log2(counts[one.ngram[:-1]] / counts[one.ngram])
    return penalty(n, m) * sum(a / max(b, 1) for a, b in zip(information, totals, strict=True))


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[Step]:
    """Order by order what the n-grams tell and their average, then the length and the sum."""
    candidate, references = segment
    counts = reference_counts(references, settings.max_order)
    taken: list[Mark] = []
    averages: list[float] = []
    c, r = len(candidate), sum(map(len, references)) / len(references)
    bp = penalty(c, r) if c < r else 1.0
    drawn = placed(candidate, references, settings.max_order)
    text = f"The references have {counts[()]} words in all: what is rare among them tells most."
    yield Step(text, CODE["words"], known={"number of all words": counts[()]})
    for order in range(1, settings.max_order + 1):
        bits, total, of = 0.0, 0, max(c - order + 1, 1)
        so_far = bp * sum(averages)
        n = subscript(order)
        of_order = {"n": order, "all n-grams of the candidate": max(c - order + 1, 0), **unknown("I_n")}
        for one in placings(candidate, references, drawn, order):
            total += 1
            a, b = counts[one.ngram], counts[one.ngram[:-1]]
            if one.at:
                bits += math.log2(b / a)
                name = phrase(" ".join(one.ngram), 28)
                tells = f"{name} tells log₂({b}/{a}) = {number(math.log2(b / a))}"
                found: dict[str, float] = unknown("count", "count without the last word", "information")
                if order == 1:
                    found |= {"its count": a, "information of a single word": math.log2(b / a)}
                else:
                    found = {"count": a, "count without the last word": b, "information": math.log2(b / a)}
                    found |= unknown("its count", "information of a single word")
                yield Step(f"{tells} bits.", CODE["tells"], taken=Prefix(taken), score=so_far, known=found)
            so_far = bp * (sum(averages) + bits / of)
            known = {**of_order, "information of the clipped matches": bits}
            yield counted(one, order, f"bits{n} = {number(bits)}", taken, CODE, so_far, known)
        averages.append(bits / total if total else 0.0)
        text = f"I{n} = {number(bits)} / {total} = {number(averages[-1])}."
        if not total:
            text = f"I{n} = 0, since there are no {order}-grams."
        known = {
            **of_order,
            "information of the clipped matches": bits,
            "I_n": averages[-1],
            f"I_{order}": averages[-1],
        }
        yield Step(text, CODE["average"], taken=Prefix(taken), score=bp * sum(averages), known=known)
    yield Step(
        f"c = {c}, r = {number(r)}.",
        CODE["length"],
        taken=Prefix(taken),
        score=bp * sum(averages),
        known={"c": c or math.nan, "r": r or math.nan},
    )
    why = "no shorter than r" if c >= r else f"{number(c / r)} of r" if c else "empty"
    known = {"BP": bp, **({"d": math.log(max(1, r / c), 1.5)} if c and r else {})}
    value = bp * sum(averages)
    text = f"The candidate is {why}, so BP = {number(bp)}."
    yield Step(text, CODE["brevity"], taken=Prefix(taken), score=value, known=known)
    result = score()
    assert same_cells(taken, result)
    why = wordless(segment)
    text = f"{number(bp)} · {number(sum(averages))} = {number(value)} bits{why and f': {why}'}."
    yield Step(text, CODE["score"], taken=Prefix(taken), score=value, result=result, known={"NIST": value})


PROGRAM = Program(lambda settings: CODE, steps)
