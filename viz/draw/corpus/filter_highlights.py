"""Words and parts of words that a filter looks for, lit where a segment has them: in its row and in its evidence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from metrics.types import Tokens

#: The class of words that are sought.
LIT = "sought"
RULES = f"""
.{LIT} {{
  outline: 2px solid color-mix(in srgb, currentColor 70%, transparent);
  outline-offset: -1px;
  border-radius: 3px;
}}
.segments mark {{
  background: transparent;
  color: inherit;
}}
"""


def names(side: str, words: Tokens, sought: Collection[str]) -> Iterator[str]:
    """The names of the words of a text in which something that is sought stands: `side` and the place of each. A blank
    in what is sought is where a word begins or ends.

    >>> sorted(names("c", ("The", "cat", "on", "the", "mat"), [" the ", " on the "]))
    ['c0', 'c2', 'c3', 'c3']
    >>> sorted(names("c", ("talked", "naked", "keds"), ["ked "]))
    ['c0', 'c1']
    """
    folded = [word.casefold() for word in words]
    text, ends = f" {' '.join(folded)} ", [*accumulate([len(word) + 1 for word in folded])]
    for each in map(str.casefold, sought):
        inside = len(each) - len(each.lstrip()), len(each.rstrip()) - 1
        at = text.find(each)
        while at >= 0:
            first, last = (bisect_left(ends, at + place) for place in inside)
            yield from [f"{side}{n}" for n in range(first, last + 1)]
            at = text.find(each, at + 1)


def mark_sought(markup: str, word_names: Collection[str]) -> str:
    """A fragment in which the words of these names are lit.

    >>> mark_sought('<span class="tk" data-word="c3">', {"c3"})
    '<span class="tk sought" data-word="c3">'
    """
    if not word_names:
        return markup
    name_pattern = "|".join(map(re.escape, sorted(word_names)))
    return re.sub(rf'class="([^"]*)" data-word="({name_pattern})"', rf'class="\1 {LIT}" data-word="\2"', markup)


def of_sides(texts: Sequence[tuple[str, Tokens]], sought: Collection[str]) -> set[str]:
    """The names of the sought words of texts, each with what the names of its words begin with."""
    return {name for side, words in texts for name in names(side, words, sought)}
