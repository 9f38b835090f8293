"""The aspects of a translation, such as word order, that a score measures; they explain why metrics disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple


class MeasuredAspect(NamedTuple):
    """An aspect of a translation as a metric measures it, with clauses that explain the value.

    Attributes:
        of: the aspect: whether the words are right ("words"), right also in other "forms", in the right "order",
            together in long "runs", or of the right "length".
        value: how good this aspect is, from 0 to 1, by the metric's own parts.
        high: a clause, with counts, that explains why the value is high; "" where there is nothing to say.
        low: a clause that explains why it is low; "" where there is nothing to say.
    """

    of: Literal["words", "forms", "order", "runs", "length"]
    value: float
    high: str = ""
    low: str = ""


def matching_clause(matched: float, total: float, noun: str) -> str:
    """Return a clause that says how many of `total` things, such as words or 4-grams, match.

    >>> matching_clause(3, 8, "words"), matching_clause(1, 20, "4-grams")
    ('3 of 8 words match', '1 of 20 4-grams matches')
    """
    return f"{matched:g} of {total:.4g} {noun} match{'es' * (matched == 1)}"


def words_aspect(matched: float, candidate: float, reference: float) -> MeasuredAspect:
    """Return the aspect "words" of a translation: how many words match, given both lengths in words.

    The clause for a low value counts the matches in the longer of candidate and reference.
    """
    value = 2 * matched / (candidate + reference) if matched else 0.0
    sentence = matching_clause(matched, candidate, "words")
    lack = matching_clause(matched, reference, "words of the reference") if reference > candidate else sentence
    return MeasuredAspect("words", min(value, 1.0), sentence, f"only {lack}")


def runs_aspect(value: float, lengths: Sequence[int]) -> MeasuredAspect:
    """Return the aspect "runs" of a translation, with clauses on how many pieces the matched words form.

    `value` is how good this aspect is, from 0 to 1, and `lengths` are the lengths of the pieces in words.
    """
    words, longest = sum(lengths), max(lengths, default=0)
    if words < 2:
        return MeasuredAspect("runs", value)
    if len(lengths) == 1:
        return MeasuredAspect("runs", value, f"the {words} matched words are in one piece")
    if longest == 1:
        return MeasuredAspect("runs", value, low=f"no two of the {words} matched words are adjacent")
    among = f"the {words} matched words are in {len(lengths)} pieces, the longest of {longest} words"
    return MeasuredAspect("runs", value, among, among)
