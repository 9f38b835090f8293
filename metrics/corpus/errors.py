"""Which kinds of error one system makes more often than the other, over a whole corpus.

Each word has its class as in a sentence (`analysis.error_classes`). Whether a system has fewer errors of a class by
chance, the sign test says: of the segments in which the two have unequally many, in how many B has fewer; five classes
are looked at, so q is Benjamini and Hochberg's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..analysis.error_classes import ErrorClass, counted_in
from ..types import Segment
from .patterns import benjamini_hochberg, sign_test


class ErrorCount(NamedTuple):
    """How many errors of a class A and B have; in `for_b` segments B has fewer, in `for_a` A. `p` is the sign test's,
    `q` the part of false ones among the classes with this p or less.

    Missing words are counted in the reference, all others in the output. `segments` are those in which the two have
    unequally many.
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
    def turned(self) -> ErrorCount:
        """The same counted from B to A."""
        return self._replace(a=self.b, b=self.a, for_a=self.for_b, for_b=self.for_a)


def error_counts(
    a: Sequence[Segment], b: Sequence[Segment], stemmer: str = "none", language: str = "english"
) -> list[ErrorCount]:
    """The five classes, in order; each output beside the reference that is closest to it. With the stemmer "none" no
    word is an inflection of another. Raises TooHard where a segment is too long to be compared.

    >>> references = (("the", "cat", "sat"),)
    >>> a, b = ([Segment(tuple(text.split()), references)] * 6 for text in ("cat the sat", "the cat sat"))
    >>> [(each.error.label, each.a, each.b, each.for_b, round(each.p, 5)) for each in error_counts(a, b) if each.a]
    [('Word order', 6, 0, 6, 0.03125)]
    """
    class_counts = [[[*counted_in(each, stemmer, language).values()] for each in side] for side in (a, b)]
    ours, theirs = counts = np.array(class_counts, dtype=np.int64).reshape(2, len(a), len(ErrorClass))
    for_a, for_b = (ours < theirs).sum(axis=0), (theirs < ours).sum(axis=0)
    p = sign_test(for_b, for_a)
    columns = [*counts.sum(axis=1), for_a, for_b, p, benjamini_hochberg(p)]
    differing = [tuple(np.flatnonzero(each).tolist()) for each in (ours != theirs).T]
    rows = zip(ErrorClass, *[c.tolist() for c in columns], differing, strict=True)
    return [ErrorCount(error, *each) for error, *each in rows]
