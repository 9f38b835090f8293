"""Run NIST step by step as Doddington (2002) prints it.

Each matching n-gram counts the information of its last word, in bits. Then come the average of each order, the brevity
penalty and the score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...teach.clipping import ngram_step, subscript
from ...teach.empty_texts import describe_wordless_texts
from ...teach.ngrams import Words, choose_match_positions, ngrams, placed_ngrams
from ...teach.steps import Prefix, Program, ProgramStep, PseudoCode, number, phrase, same_cells, unknown
from ...types import Mark, Result, Segment

CODE = PseudoCode(
    words="count all n-grams of all references",
    tells="each n-gram that matches:  a, b ← count of it, count of all but its last word",
    match="    bitsₙ ← bitsₙ + log₂(b / a)",
    clip="    no more often than in the reference that has it most often",
    other="    if a reference has it at all",
    average="Iₙ ← bitsₙ / totalₙ",
    length="r ← mean length of the references",
    brevity="BP ← 1 if c ≥ r, else exp(β · log(c/r)²),  BP = 0.5 for c/r = 2/3",
    score="NIST ← BP · Σ Iₙ",
)

#: The factor β with which the penalty is one half if c/r is two thirds.
BETA = math.log(0.5) / math.log(2 / 3) ** 2


def reference_counts(references: Sequence[Words], most: int) -> Counter[tuple[str, ...]]:
    """Return how often the references together have each n-gram of the orders 0 to `most`.

    The empty n-gram counts as often as there are words, as the information of single words needs it.

    >>> reference_counts(["ab", "a"], 1)[("a",)], reference_counts(["ab", "a"], 1)[()]
    (2, 3)
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        counts[()] += len(reference)
        for order in range(1, most + 1):
            counts.update(ngrams(reference, order))
    return counts


def brevity_penalty(c: float, r: float) -> float:
    """Return the brevity penalty for `c` candidate words and `r` reference words; 0 for an empty candidate."""
    return math.exp(BETA * math.log(min(c / r, 1)) ** 2) if c and r else 0.0


def nist_score(segments: Sequence[tuple[Words, Sequence[Words]]], most: int) -> float:
    """Return the NIST score of a corpus by the formulas, each count written out; segments are (candidate, references).

    `most` is the longest order of n-grams.

    >>> round(nist_score([("ab", ["ab"])], 2), 3)
    1.0
    """
    counts = reference_counts([reference for _, references in segments for reference in references], most)
    n, m = 0, 0.0
    information, totals = [0.0] * most, [0] * most
    for candidate, references in segments:
        n += len(candidate)
        m += sum(map(len, references)) / len(references)
        drawn = choose_match_positions(candidate, references, most)
        for order in range(1, most + 1):
            for one in placed_ngrams(candidate, references, drawn, order):
                totals[order - 1] += 1
                if one.at:
                    information[order - 1] += math.log2(counts[one.ngram[:-1]] / counts[one.ngram])
    return brevity_penalty(n, m) * sum(a / max(b, 1) for a, b in zip(information, totals, strict=True))


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of NIST's program: each order's information and average, then the penalty and the sum."""
    candidate, references = segment
    counts = reference_counts(references, settings.max_order)
    taken_marks: list[Mark] = []
    averages: list[float] = []
    c, r = len(candidate), sum(map(len, references)) / len(references)
    bp = brevity_penalty(c, r) if c < r else 1.0
    drawn = choose_match_positions(candidate, references, settings.max_order)
    text = f"The references have {counts[()]} words in all: a rare n-gram tells most."
    yield ProgramStep(text, CODE["words"], known_values={"number of all words": counts[()]})
    for order in range(1, settings.max_order + 1):
        bits, total, of = 0.0, 0, max(c - order + 1, 1)
        so_far = bp * sum(averages)
        n = subscript(order)
        of_order = {"n": order, "all n-grams of the candidate": max(c - order + 1, 0), **unknown("I_n")}
        for one in placed_ngrams(candidate, references, drawn, order):
            total += 1
            a, b = counts[one.ngram], counts[one.ngram[:-1]]
            if one.at:
                bits += math.log2(b / a)
                name = phrase(" ".join(one.ngram), 28)
                tells = f"{name} tells log₂({b}/{a}) = {number(math.log2(b / a))}"
                ngram_numbers: dict[str, float] = unknown("count", "count without the last word", "information")
                if order == 1:
                    ngram_numbers |= {"its count": a, "information of a single word": math.log2(b / a)}
                else:
                    ngram_numbers = {"count": a, "count without the last word": b, "information": math.log2(b / a)}
                    ngram_numbers |= unknown("its count", "information of a single word")
                yield ProgramStep(
                    f"{tells} bits.",
                    CODE["tells"],
                    taken_marks=Prefix(taken_marks),
                    score=so_far,
                    known_values=ngram_numbers,
                )
            so_far = bp * (sum(averages) + bits / of)
            known_numbers = {**of_order, "information of the clipped matches": bits}
            yield ngram_step(one, order, f"bits{n} = {number(bits)}", taken_marks, CODE, so_far, known_numbers)
        averages.append(bits / total if total else 0.0)
        text = f"I{n} = {number(bits)} / {total} = {number(averages[-1])}."
        if not total:
            text = f"I{n} = 0, since there are no {order}-grams."
        known_numbers = {
            **of_order,
            "information of the clipped matches": bits,
            "I_n": averages[-1],
            f"I_{order}": averages[-1],
        }
        yield ProgramStep(
            text, CODE["average"], taken_marks=Prefix(taken_marks), score=bp * sum(averages), known_values=known_numbers
        )
    yield ProgramStep(
        f"c = {c}, r = {number(r)}.",
        CODE["length"],
        taken_marks=Prefix(taken_marks),
        score=bp * sum(averages),
        known_values={"c": c or math.nan, "r": r or math.nan},
    )
    why = "no shorter than r" if c >= r else f"{number(c / r)} · r words long" if c else "empty"
    known_numbers = {"BP": bp, **({"d": math.log(max(1, r / c), 1.5)} if c and r else {})}
    value = bp * sum(averages)
    text = f"The candidate is {why}, so BP = {number(bp)}."
    yield ProgramStep(text, CODE["brevity"], taken_marks=Prefix(taken_marks), score=value, known_values=known_numbers)
    result = score()
    assert same_cells(taken_marks, result)
    why = describe_wordless_texts(segment)
    text = f"{number(bp)} · {number(sum(averages))} = {number(value)} bits{why and f': {why}'}."
    yield ProgramStep(
        text, CODE["score"], taken_marks=Prefix(taken_marks), score=value, result=result, known_values={"NIST": value}
    )


PROGRAM = Program(lambda settings: CODE, steps)
