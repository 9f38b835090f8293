"""Run BLEU step by step as Papineni, Roukos, Ward and Zhu (2002) print it.

The steps count and clip n-grams, take their precisions, the brevity penalty and the geometric mean. Smoothing and
effective order are those of Chen and Cherry (2014) as implemented in sacreBLEU."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...teach.clipping import ngram_step, subscript
from ...teach.empty_texts import describe_wordless_texts
from ...teach.ngrams import choose_match_positions, placed_ngrams
from ...teach.steps import Decision, Prefix, Program, ProgramStep, PseudoCode, count, number, same_cells, unknown
from ...types import Mark, Result, Segment

_SMOOTHED = {
    "floor": "matchₙ = 0, but match₁ > 0:  matchₙ ← 0.1",
    "add_k": "n > 1 and match₁ > 0:  add 1 to matchₙ and totalₙ",
    "exp": "matchₙ = 0, but match₁ > 0:  h ← 2h,  pₙ ← 1 / (h · totalₙ), with h = 1 at first",
}


def code(settings: Any) -> PseudoCode:
    lines = {
        "match": "each n-gram for n = 1 … N:  matchₙ ← matchₙ + 1",
        "clip": "    no more often than in the reference that has it most often (§2.1)",
        "other": "    if a reference has it at all",
        "precision": "pₙ ← matchₙ / totalₙ",
    }
    if settings.smoothing != "none":
        lines["smooth"] = f"    {_SMOOTHED[settings.smoothing]}"
    if settings.effective_order:
        lines["effective"] = "    totalₙ = 0:  leave pₙ out"
    lines |= {
        "length": "r ← the reference length closest to c, on ties the shorter",
        "brevity": "BP ← 1 if c ≥ r, else exp(1 − r/c) (§2.2.2)",
        "score": "BLEU ← BP · exp(Σ log(pₙ) / N) (§2.3)",
    }
    return PseudoCode(**lines)


def smoothed_precisions(counts: Sequence[tuple[int, int]], settings: Any) -> list[Fraction | None]:
    """Return the smoothed precision of each n-gram order.

    `counts` has (clipped matches, n-grams of the candidate) for each order. The precision is None for an order that
    effective order leaves out. Nothing is smoothed if no single word matches."""
    out: list[Fraction | None] = []
    halving = 1
    for order, (match, total) in enumerate(counts, 1):
        top = Fraction(match)
        if counts[0][0]:
            if settings.smoothing == "add_k" and order > 1:
                top, total = top + 1, total + 1
            elif settings.smoothing == "floor" and total and not match:
                top = Fraction("0.1")
            elif settings.smoothing == "exp" and total and not match:
                halving *= 2
                top = Fraction(1, halving)
        if total:
            out.append(top / total)
        else:
            out.append(None if settings.effective_order else Fraction(0))
    return out


def score_and_precisions(counts: Sequence[tuple[int, int]], settings: Any, bp: float) -> tuple[float, list[Fraction]]:
    """Return the BLEU score, and the precisions of the orders that are not left out.

    `counts` has (clipped matches, n-grams of the candidate) for each order. The score is the geometric mean of the
    precisions times the brevity penalty `bp`.

    >>> from types import SimpleNamespace
    >>> score_and_precisions([(1, 2), (1, 2)], SimpleNamespace(smoothing="none", effective_order=False), 1.0)
    (0.5, [Fraction(1, 2), Fraction(1, 2)])
    """
    precisions = [p for p in smoothed_precisions(counts, settings) if p is not None]
    mean = math.exp(sum(math.log(p) for p in precisions) / len(precisions)) if precisions and all(precisions) else 0.0
    return bp * mean, precisions


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of BLEU's program: n-grams and precision of each order, then lengths, penalty and score."""
    candidate, references = segment
    lines = code(settings)
    marks: list[Mark] = []
    c, lengths = len(candidate), [len(reference) for reference in references]
    r = min(lengths, key=lambda length: (abs(length - c), length))
    bp = 1.0 if c >= r else math.exp(1 - r / c) if c else 0.0
    counts = [(0, max(c - order + 1, 0)) for order in range(1, settings.max_order + 1)]  # so far
    drawn = choose_match_positions(candidate, references, settings.max_order)
    for order in range(1, settings.max_order + 1):
        match, total = counts[order - 1]
        counted_n = {"n": order, "all n-grams of the candidate": total, **unknown("p_n")}
        for one in placed_ngrams(candidate, references, drawn, order):
            match += one.at is not None
            counts[order - 1] = match, total
            so_far, _ = score_and_precisions(counts, settings, bp)
            known_values = {"N": settings.max_order, **counted_n, "clipped matches": match}
            yield ngram_step(one, order, f"match{subscript(order)} = {match}", marks, lines, so_far, known_values)
        precision = smoothed_precisions(counts[:order], settings)[-1]
        so_far, _ = score_and_precisions(counts, settings, bp)
        step = _precision_step(order, match, total, precision, marks, lines, counts[0][0], so_far)
        if precision is None:
            yield replace(
                step, known_values={**counted_n, **unknown("clipped matches", "all n-grams of the candidate")}
            )
            continue
        more = settings.smoothing == "add_k" and counts[0][0] and order > 1  # added to numerator and denominator
        below, p = total + bool(more), float(precision)
        parts = {"all n-grams of the candidate": below, "clipped matches": float(precision * below)}
        yield replace(step, known_values={"N": settings.max_order, **counted_n, **parts, "p_n": p, f"p_{order}": p})
    bleu, precisions = score_and_precisions(counts, settings, bp)
    text = f"c = {c}, r = {r}"
    if len(lengths) > 1:
        text = f"c = {c}; reference {lengths.index(r) + 1} of {len(lengths)} is closest: r = {r}"
    choice = Decision("reference length") if len(lengths) > 1 else None
    known_values = {"c": c or math.nan, "r": r, "N": len(precisions) or math.nan}
    yield ProgramStep(
        f"{text}.", lines["length"], taken_marks=Prefix(marks), score=bleu, decision=choice, known_values=known_values
    )
    why = "no shorter than r, so" if c >= r else f"shorter than r: exp(1 − {r}/{c}), so" if c else "empty, so"
    text = f"The candidate is {why} BP = {number(bp)}."
    yield ProgramStep(text, lines["brevity"], taken_marks=Prefix(marks), score=bleu, known_values={"BP": bp})
    mean, _ = score_and_precisions(counts, settings, 1.0)
    result = score()
    assert same_cells(marks, result)
    why = f"the geometric mean of {count(len(precisions), 'precision')} is {number(mean)}"
    if precisions and not all(precisions):
        why = "one precision is 0, so the mean is 0"
    why = describe_wordless_texts(segment) or why
    yield ProgramStep(
        f"{number(bp)} · {number(mean)} = {number(bleu)}: {why}.",
        lines["score"],
        taken_marks=Prefix(marks),
        score=bleu,
        result=result,
        known_values={"BLEU": bleu},
    )


def _precision_step(
    order: int,
    match: int,
    total: int,
    value: Fraction | None,
    marks: list[Mark],
    lines: PseudoCode,
    words: int,
    score: float,
) -> ProgramStep:
    """Return the program step that states the precision of one n-gram order.

    Args:
        match, total: the clipped matches of the order, and the candidate's n-grams of this order.
        value: the precision, smoothed if the settings say so; None if the order is left out.
        words: how many single words match.
        score: the BLEU score of the n-grams counted so far."""
    name, line = f"p{subscript(order)}", "precision"
    if value is None:
        text, line = f"The candidate has no {order}-grams: {name} is left out.", "effective"
    elif value == (Fraction(match, total) if total else 0):
        above = f"{match}/{total}" if total else f"0, since there are no {order}-grams"
        text = f"{name} = {above}{f' = {number(float(value))}' if total else ''}."
    else:
        text, line = f"{name} = {match}/{total} is smoothed to {number(float(value))}.", "smooth"
    if not words and order == 1 and total:
        text = f"{name} = 0/{total} = 0: no word matches, so nothing is smoothed."
    return ProgramStep(text, lines[line], taken_marks=Prefix(marks), score=score)


PROGRAM = Program(code, steps)
