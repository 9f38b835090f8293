"""The comparison of two systems by their errors: which classes of error one makes more often, over a whole corpus.

Each wrong word gets a class of error, as on the page of a sentence (`analysis.error_classes`). The sign test says
whether the difference in a class may be chance: of the segments in which A and B have unequally many errors of the
class, it counts those in which B has fewer. Five classes are tested, so q is p corrected by Benjamini and Hochberg.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..analysis.error_classes import ErrorClass, count_classes
from ..types import Segment
from .patterns import benjamini_hochberg, sign_test


class ErrorCount(NamedTuple):
    """The number of errors of one class in the outputs of A and B, with a significance test.

    Missing words are counted in the reference, all others in the output.

    Attributes:
        error: the class of error.
        a: the number of errors of A.
        b: the number of errors of B.
        for_a: the number of segments in which A has fewer errors.
        for_b: the number of segments in which B has fewer errors.
        p: the p value of the sign test.
        q: the false discovery rate among the classes with this p or less.
        segments: the indices of the segments in which A and B have unequally many errors.
    """

    error: ErrorClass
    a: int
    b: int
    for_a: int
    for_b: int
    p: float
    q: float
    segments: tuple[int, ...] = ()

    @property
    def swapped(self) -> ErrorCount:
        """Return the error count with A and B swapped."""
        return self._replace(a=self.b, b=self.a, for_a=self.for_b, for_b=self.for_a)


def error_counts(
    a: Sequence[Segment], b: Sequence[Segment], stemmer: str = "none", language: str = "english"
) -> list[ErrorCount]:
    """Return the number of errors of A and B in each of the five classes, in order.

    `a` and `b` are the same segments with the outputs of A and B; each output is compared with its closest reference.
    `stemmer` and `language` say how inflections of a word are recognised; with "none" no word is an inflection of
    another. Raises TooHard if a segment is too long to be compared.

    >>> references = (("the", "cat", "sat"),)
    >>> a, b = ([Segment(tuple(text.split()), references)] * 6 for text in ("cat the sat", "the cat sat"))
    >>> [(each.error.label, each.a, each.b, each.for_b, round(each.p, 5)) for each in error_counts(a, b) if each.a]
    [('Word order', 6, 0, 6, 0.03125)]
    """
    class_counts = [[[*count_classes(each, stemmer, language).values()] for each in side] for side in (a, b)]
    ours, theirs = counts = np.array(class_counts, dtype=np.int64).reshape(2, len(a), len(ErrorClass))
    for_a, for_b = (ours < theirs).sum(axis=0), (theirs < ours).sum(axis=0)
    p = sign_test(for_b, for_a)
    columns = [*counts.sum(axis=1), for_a, for_b, p, benjamini_hochberg(p)]
    differing = [tuple(np.flatnonzero(each).tolist()) for each in (ours != theirs).T]
    rows = zip(ErrorClass, *[c.tolist() for c in columns], differing, strict=True)
    return [ErrorCount(error, *each) for error, *each in rows]
