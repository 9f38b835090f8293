"""Highlight the words that contain what a filter of segments searches for, in a segment's row and in its evidence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate

from metrics.types import Tokens

#: The CSS class of sought words.
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


def sought_names(side: str, words: Tokens, sought: Collection[str]) -> Iterator[str]:
    """Yield the names of the words of a text in which a string of `sought` occurs.

    A name is `side` followed by the word's position.

    A blank in a sought string is a word boundary. Case is ignored. A name is yielded once for each occurrence.

    >>> sorted(sought_names("c", ("The", "cat", "on", "the", "mat"), [" the ", " on the "]))
    ['c0', 'c2', 'c3', 'c3']
    >>> sorted(sought_names("c", ("talked", "naked", "keds"), ["ked "]))
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
    """Return the HTML with the words of the given names highlighted.

    >>> mark_sought('<span class="tk" data-word="c3">', {"c3"})
    '<span class="tk sought" data-word="c3">'
    """
    if not word_names:
        return markup
    name_pattern = "|".join(map(re.escape, sorted(word_names)))
    return re.sub(rf'class="([^"]*)" data-word="({name_pattern})"', rf'class="\1 {LIT}" data-word="\2"', markup)


def sought_names_of_texts(texts: Sequence[tuple[str, Tokens]], sought: Collection[str]) -> set[str]:
    """Return the names of the words of several texts in which a string of `sought` occurs.

    Each text is a pair of the prefix of its words' names and its words."""
    return {name for side, words in texts for name in sought_names(side, words, sought)}
