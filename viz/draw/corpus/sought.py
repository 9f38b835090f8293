"""Words that a filter looks for, lit where a segment has them: in its row and in its evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

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


def names(side: str, words: Tokens, phrases: Collection[Tokens]) -> Iterator[str]:
    """The names of the words of a text in which phrases stand: `side` and the place of each.

    >>> sorted(names("c", ("The", "cat", "on", "the", "mat"), [("the",), ("on", "the")]))
    ['c0', 'c2', 'c3', 'c3']
    """
    folded = [word.casefold() for word in words]
    for phrase in phrases:
        wanted = [word.casefold() for word in phrase]
        for at in range(len(folded) - len(wanted) + 1):
            if folded[at : at + len(wanted)] == wanted:
                yield from [f"{side}{n}" for n in range(at, at + len(wanted))]


def lit(markup: str, found: Collection[str]) -> str:
    """A fragment in which the words of these names are lit.

    >>> lit('<span class="tk" data-word="c3">', {"c3"})
    '<span class="tk sought" data-word="c3">'
    """
    if not found:
        return markup
    wanted = "|".join(map(re.escape, sorted(found)))
    return re.sub(rf'class="([^"]*)" data-word="({wanted})"', rf'class="\1 {LIT}" data-word="\2"', markup)


def of_sides(texts: Sequence[tuple[str, Tokens]], phrases: Collection[Tokens]) -> set[str]:
    """The names of the sought words of texts, each with what the names of its words begin with."""
    return {name for side, words in texts for name in names(side, words, phrases)}
