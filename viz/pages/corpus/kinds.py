"""Kinds of error, words and parts of words of two systems beside the causes of a difference."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.patterns import Pattern

from ...draw.corpus import kinds
from ...draw.pen import theme
from ...frame.corpora import Scoring
from ...state import codec
from . import filters, opening
from .filters import Selected
from .record import Corpus, Part

#: What can be told, and of what it opens the segments.
NAMES = ("error", "pattern", "part")


def ask(found: Scoring, shown: Corpus) -> None:
    """Have them looked for in all segments, kinds of error first."""
    found.characters(shown.a, shown.b)
    found.patterns(shown.a, shown.b)
    found.errors(shown.a, shown.b)


def markup(found: Scoring, shown: Corpus) -> str:
    """What is known of them, told from the system that is not better by the chosen metric to the one that is."""
    both = shown.a, shown.b
    errors, words, parts = found.errors(*both), found.patterns(*both), found.characters(*both)
    sides = found.sides(shown.metric, shown.a, shown.b)
    names, turned = (found.names[sides[0]], found.names[sides[1]]), sides != (shown.a, shown.b)
    if errors is None:
        return kinds.EMPTY
    if isinstance(errors, str):
        said = f'<div class="kinds"><p>{theme.safe(errors, 400)}</p></div>'
    else:
        said = kinds.errors(errors, names, turned, "{}:{}".format)
    if words is None or parts is None:
        return said + kinds.NO_WORDS
    return said + kinds.words(words, parts, names, turned, "{}:{}".format)


def open_segments(found: Scoring, shown: Corpus, selected: Selected, name: str, value: str) -> None:
    """Show the segments of a kind of error, of words or of parts of words; what was told may be anything."""
    known: Sequence[ErrorCount] | Sequence[Pattern] | str | None
    known = {"error": found.errors, "pattern": found.patterns, "part": found.characters}[name](shown.a, shown.b)
    if not isinstance(known, list) or (number := codec.number_sent(value, len(known))) is None:
        return
    each = known[number]
    if isinstance(each, Pattern):
        opening.select(filters.of_pattern(each) if name == "pattern" else filters.of_part(each))
    else:
        opening.select(Part(f"{each.error.label}: more errors in one than in the other", "", each.segments))
