"""What a metric sees of a translation, in its own parts and words: so that two that disagree can say why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple


class Sight(NamedTuple):
    """One side of a translation as a score sees it.

    `of` is the side: whether the words are right, also in other `forms`, whether they stand in the right `order`,
    whether they stand together in long `runs`, and whether the `length` is right. `value` is what the metric's own
    parts make of it, from 0 to 1. `high` says in words with counts what makes it high and `low` what makes it low, ""
    where that says nothing.
    """

    of: Literal["words", "forms", "order", "runs", "length"]
    value: float
    high: str = ""
    low: str = ""


def matching(matched: float, total: float, noun: str) -> str:
    """How many of what is counted match.

    >>> matching(3, 8, "words"), matching(1, 20, "4-grams")
    ('3 of 8 words match', '1 of 20 4-grams matches')
    """
    return f"{matched:g} of {total:.4g} {noun} match{'es' * (matched == 1)}"


def words_matched(matched: float, candidate: float, reference: float) -> Sight:
    """How many of the words match; where few do, of the longer side."""
    value = 2 * matched / (candidate + reference) if matched else 0.0
    sentence = matching(matched, candidate, "words")
    lack = matching(matched, reference, "words of the reference") if reference > candidate else sentence
    return Sight("words", min(value, 1.0), sentence, f"only {lack}")


def words_in_runs(value: float, lengths: Sequence[int]) -> Sight:
    """In how many pieces the matched words are, by the length of each piece."""
    words, longest = sum(lengths), max(lengths, default=0)
    if words < 2:
        return Sight("runs", value)
    if len(lengths) == 1:
        return Sight("runs", value, f"the {words} matched words are in one piece")
    if longest == 1:
        return Sight("runs", value, low=f"no two of the {words} matched words stand together")
    among = f"the {words} matched words are in {len(lengths)} pieces, the longest of {longest} words"
    return Sight("runs", value, among, among)
