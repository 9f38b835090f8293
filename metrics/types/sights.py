"""The aspects of a translation that a score measures, in the metric's own terms, to explain why metrics disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple


class Sight(NamedTuple):
    """An aspect of a translation, as a score measures it.

    Attributes:
        of: the aspect: whether the words are right ("words"), right also in other "forms", in the right "order",
            together in long "runs", or of the right "length".
        value: how good the metric's own parts say this aspect is, from 0 to 1.
        high: a clause, with counts, that explains why the value is high; "" where there is nothing to say.
        low: a clause that explains why it is low; "" where there is nothing to say.
    """

    of: Literal["words", "forms", "order", "runs", "length"]
    value: float
    high: str = ""
    low: str = ""


def matching(matched: float, total: float, noun: str) -> str:
    """Return a clause that says how many of `total` counted things match.

    >>> matching(3, 8, "words"), matching(1, 20, "4-grams")
    ('3 of 8 words match', '1 of 20 4-grams matches')
    """
    return f"{matched:g} of {total:.4g} {noun} match{'es' * (matched == 1)}"


def words_matched(matched: float, candidate: float, reference: float) -> Sight:
    """Return the aspect "words": how many words match.

    The clause for a low value counts the matches in the longer of the two sides.
    """
    value = 2 * matched / (candidate + reference) if matched else 0.0
    sentence = matching(matched, candidate, "words")
    lack = matching(matched, reference, "words of the reference") if reference > candidate else sentence
    return Sight("words", min(value, 1.0), sentence, f"only {lack}")


def words_in_runs(value: float, lengths: Sequence[int]) -> Sight:
    """Return the aspect "runs", with clauses on the number of pieces in which the matched words lie.

    `lengths` are the lengths of the pieces in words.
    """
    words, longest = sum(lengths), max(lengths, default=0)
    if words < 2:
        return Sight("runs", value)
    if len(lengths) == 1:
        return Sight("runs", value, f"the {words} matched words are in one piece")
    if longest == 1:
        return Sight("runs", value, low=f"no two of the {words} matched words stand together")
    among = f"the {words} matched words are in {len(lengths)} pieces, the longest of {longest} words"
    return Sight("runs", value, among, among)
