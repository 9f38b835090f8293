"""Texts in: what a user pasted becomes a segment to score, or one clear sentence about what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metrics.text import TextSettings, forms
from metrics.types import Segment

from ..draw.pen import theme
from ..draw.texts import Texts
from . import cache

APPEARS = "Scores and the grid appear here."
MAX_WORDS, MAX_REFERENCES, MAX_CHARACTERS = 2_000, 16, 200_000
NAME_WORDS, NAME_READ = 3, 120  # words and characters of a pasted line's beginning that is taken for a name
SYSTEMS_LEAST, SYSTEMS_MOST, NAME_MOST = 2, 8, 40  # systems of a comparison, characters of a name


def lines(text: str) -> list[str]:
    """The references in a text: its lines that are not white space."""
    return [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]


def pasted(text: str) -> list[tuple[str, str]]:
    """The systems of pasted lines as pairs of name and text; the name is "" where a line has none.

    A name is at most three words right before a colon and a space, or before a tab; where some line has such a name and
    all have words before a colon or a tab, names may be longer.

    >>> pasted("Online-W: It is red.\\n\\nHe said : go .\\nnew\\tIt was 5:30 .")
    [('Online-W', 'It is red.'), ('', 'He said : go .'), ('new', 'It was 5:30 .')]
    """
    given = [line.strip() for line in lines(text)]
    found = [re.match(r"([^\s:](?:[^:\t]*[^\s:])?)(?::\s+|\t\s*)(\S.*)", line) for line in given]
    words = [len(each[1].split()) if each and len(each[1]) <= NAME_READ else NAME_READ for each in found]
    most = NAME_READ - 1 if min(words, default=0) <= NAME_WORDS and max(words, default=0) < NAME_READ else NAME_WORDS
    return [
        (each[1], each[2]) if each and count <= most else ("", line)
        for line, each, count in zip(given, found, words, strict=True)
    ]


def read(candidate: str, references: str, settings: TextSettings) -> Texts | str:
    """The texts, or a sentence that says what is missing or too long, by how much, and that nothing is lost."""
    if not candidate.strip() or not lines(references):
        missing = (
            "a reference"
            if candidate.strip()
            else "a candidate"
            if lines(references)
            else "a candidate and at least one reference"
        )
        return f"Paste {missing} above, or choose an example. {APPEARS}"
    texts = _read([("The candidate", candidate)], references, settings)
    if isinstance(texts, str):
        return texts
    if not texts[0].candidate:
        return _empty("The candidate")
    return texts[0]


def one_sided(candidate: str, references: str, settings: TextSettings) -> Texts | None:
    """Texts of which one side has no words, an empty candidate or nothing but empty references;
    None where both sides have none, where `read` has texts, and where they are too long."""
    given = lines(references) or [""]
    fits = len(given) <= MAX_REFERENCES and max(map(len, (candidate, *given))) <= MAX_CHARACTERS
    if not fits:
        return None
    ours, *theirs = [cache.tokens(text, settings) for text in (candidate, *given)]
    if bool(ours) == any(theirs) or (not all(theirs) and any(theirs)) or max(map(len, (ours, *theirs))) > MAX_WORDS:
        return None
    return Texts(Segment(forms(ours), tuple(map(forms, theirs))), ours, tuple(theirs), settings)


def read_systems(systems: Sequence[tuple[str, str]], references: str, settings: TextSettings) -> list[Texts] | str:
    """The texts of several systems, each a name and its output, over the same references; or what is wrong, as above.

    An output may be empty, as where a system gave up, but not all of them.
    """
    if not any(text.strip() for _, text in systems) or not lines(references):
        missing = "a reference" if any(text.strip() for _, text in systems) else "an output"
        return f"Paste {missing} above, or choose an example. What changed appears here."
    return _read([(name or "An output", text) for name, text in systems], references, settings)


def _read(candidates: Sequence[tuple[str, str]], references: str, settings: TextSettings) -> list[Texts] | str:
    given = lines(references)
    if len(given) > MAX_REFERENCES:
        more = len(given) - MAX_REFERENCES
        return (
            f"{len(given)} references are {more} more than the {MAX_REFERENCES} that fit. "
            "Remove lines to see scores; your text is kept."
        )
    named = [*candidates, *((f"Reference {k + 1}", r) for k, r in enumerate(given))]
    for name, text in named:
        if len(text) > MAX_CHARACTERS:
            return _too_long(name, len(text), MAX_CHARACTERS, "character")
    processed = [cache.tokens(text, settings) for _, text in named]
    for (name, _), tokens in zip(named, processed, strict=True):
        if len(tokens) > MAX_WORDS:
            return _too_long(name, len(tokens), MAX_WORDS, "word")
    theirs = tuple(processed[len(candidates) :])
    for k, tokens in enumerate(theirs):
        if not tokens:
            return _empty(f"Reference {k + 1}")
    of_references = tuple(map(forms, theirs))
    return [Texts(Segment(forms(ours), of_references), ours, theirs, settings) for ours in processed[: len(candidates)]]


def _empty(name: str) -> str:
    return f"{name} has no words left after tokenising. Choose another tokeniser under Text, or change the text."


def _too_long(name: str, count: int, most: int, noun: str) -> str:
    return (
        f"{name} has {theme.plural(count, noun)}, {count - most:,} more than the {most:,} that fit. "
        "Shorten it to see scores; your text is kept."
    )
