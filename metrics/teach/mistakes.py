"""Finds slips that several metrics share, and names the numbers that metrics divide by.

A slip is a number with the sentence that names the mistake. The slips of a single metric are in its folder, the most
common first. A slip that is impossible for a result, such as a forgotten penalty where there is none, is left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from ..formula import count_with_noun
from ..types import Metric, Result, f_measure

#: A number and the sentence that names the slip that gives it.
RawSlips: TypeAlias = "Iterator[tuple[float, str]]"
#: A function that finds a metric's own slips on a result.
Slips: TypeAlias = "Callable[[Metric, Result], RawSlips]"


def count_of_words(count: float) -> str:
    """Return a number of words as a phrase, such as “3 words”."""
    return count_with_noun(count, "word")


def count_common(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return how many items two sequences have in common, in any order; repeated items count as often as both have."""
    return (Counter(a) & Counter(b)).total()


def longest_run(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest contiguous sequence of words that both texts contain.

    >>> longest_run("abcd", "xbcy")
    2
    """
    return SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size


def reference_name(references: Sequence[Any], k: int) -> str:
    """Return the name of reference `k` in sentences: “reference 2”, or “the reference” if it is the only one."""
    return f"reference {k + 1}" if len(references) > 1 else "the reference"


def mean_length_phrase(references: Sequence[Any], mean: float) -> str:
    """Return a phrase for the mean length `mean` of the references, or for the length of the only reference."""
    whose = "the references' mean of" if len(references) > 1 else "the reference's"
    return f"{whose} {count_of_words(mean)}"


def score_with_settings(metric: Metric, result: Result, **changed: Any) -> float:
    """Return the score of a result's segment by its settings with some of them `changed`."""
    settings: Any = result.settings
    return metric.score(result.segment, replace(settings, **changed)).score


def divide_or_zero(top: float, bottom: float) -> float:
    """Return `top` / `bottom`, 0 if `bottom` is not positive."""
    return top / bottom if bottom > 0 else 0.0


# ---------------------------------------------------------------- F


def f_slips(p: float, r: float, per: tuple[str, str], beta: float = 1.0, given: str = "") -> RawSlips:
    """Yield the numbers that common mistakes give for F, each with its sentence.

    `per` has phrases for what P and R are divided by. `given` describes β if it is not a plain number."""
    if not p or not r:
        return
    if not beta:
        yield r, f"That is R alone, which divides by {per[1]}: with β = 0, F is P, which divides by {per[0]}."
        return
    square = beta * beta
    factor, top, below, f = "2", "2PR", "P + R", "the harmonic mean 2PR/(P + R)"
    if beta != 1:
        factor, top, below = f"1 + β² = {1 + square:.4g}", f"{1 + square:.4g}PR", f"R + {square:.4g}P"
        f = f"(1 + β²)PR/(R + β²P); for β = {given or f'{beta:g}'} this is {top}/({below})"
    yield p, f"That is P alone, which divides by {per[0]}; F also needs R, which divides by {per[1]}."
    yield r, f"That is R alone, which divides by {per[1]}; F also needs P, which divides by {per[0]}."
    yield (p + r) / 2, f"That is the arithmetic mean (P + R)/2: F is {f}."
    yield p * r / (r + square * p), f"Forgot the factor {factor} of F = {top}/({below})."
    yield math.sqrt(p * r), f"That is the geometric mean √(P·R): F is {f}."
    yield p * r, f"That is P·R: F divides {top} by {below}."


def beta_slips(p: float, r: float, beta: float) -> RawSlips:
    """Yield the numbers that mistakes with β give for F, each with its sentence; nothing if β is 1."""
    if beta != 1:
        yield f_measure(p, r), f"Forgot β: recall counts {beta:g} times as much as precision here."
        if beta:
            yield f_measure(p, r, 1 / beta), "Applied β to precision: β says how much more recall counts."


# ---------------------------------------------------------------- edits


def edit_rate_slips(metric: Metric, result: Result, shifts: float, m: float, mean: bool = False) -> RawSlips:
    """Yield the numbers that common mistakes give for an edit rate, each with its sentence.

    `shifts` is the number of shifts. `m` is the length that the rate is divided by: that of one reference, or with
    `mean` the mean of all."""
    s, i, d = (result.stats[k] for k in ("substitutions", "insertions", "deletions"))
    references = result.segment.references
    n, reference = len(result.segment.candidate), reference_name(references, result.decides["score"])
    by = (
        f"{metric.label} divides by {mean_length_phrase(references, m)}"
        if mean
        else reference_divisor_phrase(reference, m)
    )
    total = s + i + d + shifts
    yield from undivided_slips(total, m, by)
    yield from candidate_length_slips(total, n, by)
    if s:
        yield (total + s) / m, "Counted a substitution as two edits: one word changed is one edit."
        yield (total - s) / m, "Forgot the substitutions: a word that is changed is an edit."
    if i:
        yield (total - i) / m, f"Forgot the insertions: the candidate has {count_of_words(i)} too many."
    if d:
        yield (total - d) / m, f"Forgot the deletions: the candidate lacks {count_of_words(d)} of {reference}."
    yield 1 - total / m, "That is 1 minus the rate: an error rate counts what is wrong."
    yield from longer_length_slips(total, n, m, by)


def reference_divisor_phrase(reference: str, m: float) -> str:
    """Return the phrase that an error rate is divided by the `m` words of a reference, which is called `reference`."""
    return f"an error rate divides by {reference}'s {count_of_words(m)}"


def undivided_slips(edits: float, m: float, by: str) -> RawSlips:
    """Yield the slip of not dividing `edits` by the `m` reference words; `by` says what the rate divides by."""
    if m != 1:
        yield edits, f"That is the number of edits: {by}."


def candidate_length_slips(edits: float, n: float, by: str) -> RawSlips:
    """Yield the slip of dividing `edits` by the `n` candidate words; `by` says what the rate divides by."""
    if n:
        yield edits / n, f"Divided by the candidate's {count_of_words(n)}: {by}."


def longer_length_slips(edits: float, n: float, m: float, by: str) -> RawSlips:
    """Yield the slip of dividing `edits` by the longer sentence's length, if that is the candidate's (`n` > `m`).

    `by` says what the rate divides by."""
    if n > m:
        yield edits / n, f"Divided by the longer sentence: {by}."


def mean_length_slips(result: Result, edits: float) -> RawSlips:
    """Yield the slip of dividing `edits` by the mean length of the references, if there are several."""
    lengths = [*map(len, result.segment.references)]
    if len(lengths) > 1:
        mean = math.fsum(lengths) / len(lengths) or 1
        yield (
            edits / mean,
            f"Divided by the references' mean of {count_of_words(mean)}: use the length of the reference that counts.",
        )
