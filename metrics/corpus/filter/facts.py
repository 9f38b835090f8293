"""The values of segments that a filter expression can use, by name, and an index in which words can be found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ...types import Tokens
from ..table import Array

Mask = NDArray[np.bool_]


class NotYetError(Exception):
    """The error for a name in an expression whose values are still being computed; its message says what is missing."""


class SearchableWords:
    """An index of the texts of each segment in which words in a row can be found; a segment may have several texts.

    `split` splits the words that are searched in the same way as the texts were split.
    """

    def __init__(
        self, texts: Iterable[Iterable[Tokens]], split: Callable[[str], Tokens] = lambda text: tuple(text.split())
    ) -> None:
        self._split = split
        # Every word lies between line feeds, and two of them separate texts, so only whole words of one text match.
        each = ["".join(map(_join_words, of)) for of in texts]
        self._ends = list(accumulate(map(len, each)))
        self._all = "".join(each)

    def segments_with(self, text: str) -> Mask:
        """Return a mask of the segments with a text that has the words of `text` in a row.

        The mask is all False if `text` has no word.
        """
        out, sought, at = np.zeros(len(self._ends), dtype=bool), _join_words(self._split(text)), 0
        if not sought.strip("\n"):
            return out
        while (at := self._all.find(sought, at)) >= 0:
            segment = bisect_right(self._ends, at)
            out[segment] = True
            at = self._ends[segment]
        return out


def _join_words(words: Tokens) -> str:
    """Return the words, each between line feeds, in a form that ignores case."""
    return "\n".join(["", *words, ""]).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterFacts:
    """The values of segments that a filter expression can use, by the names that it uses for them.

    Each value is a function without arguments, which raises NotYetError if the values are not known yet.

    Attributes:
        size: the number of segments.
        numbers: for each name, a function that returns one number for each segment.
        labels: for each name, a function that returns the labels of each segment, of which there may be none or
            several.
        words: for each name of a text, a function that returns its searchable words.
        lines: for each name of a text, a function that returns the lines of each segment, such as its references.
        other_names: what people may call a value that has another name here, such as "words" or "ROUGE-L", each with
            that name. They are understood by error messages alone.
    """

    size: int
    numbers: Mapping[str, Callable[[], Array]] = field(default_factory=dict)
    labels: Mapping[str, Callable[[], Sequence[Collection[str]]]] = field(default_factory=dict)
    words: Mapping[str, Callable[[], SearchableWords]] = field(default_factory=dict)
    lines: Mapping[str, Callable[[], Sequence[Sequence[str]]]] = field(default_factory=dict)
    other_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of numbers and labels."""
        return [*self.numbers, *self.labels]
