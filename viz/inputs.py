"""Texts in: what a user pasted becomes a segment to score, or one clear sentence about what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.text import TextSettings, Token, forms
from metrics.types import Segment

from . import cache, theme

MAX_WORDS, MAX_REFERENCES, MAX_CHARACTERS = 2_000, 16, 200_000


@dataclass(frozen=True, slots=True)
class Texts:
    """A candidate and its references, ready to score: the segment of forms, and the words as they were typed."""

    segment: Segment
    candidate: tuple[Token, ...]
    references: tuple[tuple[Token, ...], ...]
    settings: TextSettings

    @property
    def candidate_words(self) -> tuple[str, ...]:
        return tuple([t.raw for t in self.candidate])

    @property
    def reference_words(self) -> tuple[tuple[str, ...], ...]:
        return tuple([tuple([t.raw for t in r]) for r in self.references])


def lines(text: str) -> list[str]:
    """The references in a text: its lines that are not white space."""
    return [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]


def read(candidate: str, references: str, settings: TextSettings) -> Texts | str:
    """The texts, or a sentence that says what is missing or too long, by how much, and that nothing is lost."""
    given = lines(references)
    has_candidate = bool(candidate.strip())
    if not has_candidate or not given:
        missing = (
            "a reference" if has_candidate else "a candidate" if given else "a candidate and at least one reference"
        )
        return f"Paste {missing} above, or choose an example. Scores and the grid appear here."
    if len(given) > MAX_REFERENCES:
        more = len(given) - MAX_REFERENCES
        return (
            f"{len(given)} references are {more} more than the {MAX_REFERENCES} that fit. "
            "Remove lines to see scores; your text is kept."
        )
    named = [("The candidate", candidate), *((f"Reference {k + 1}", r) for k, r in enumerate(given))]
    for name, text in named:
        if len(text) > MAX_CHARACTERS:
            return _too_long(name, len(text), MAX_CHARACTERS, "character")
    processed = [cache.tokens(text, settings) for _, text in named]
    for (name, _), tokens in zip(named, processed, strict=True):
        if len(tokens) > MAX_WORDS:
            return _too_long(name, len(tokens), MAX_WORDS, "word")
    if not processed[0] or not all(processed[1:]):
        empty = next(name for (name, _), tokens in zip(named, processed, strict=True) if not tokens)
        return f"{empty} has no words left after tokenising. Choose another tokeniser under Text, or change the text."
    segment = Segment(forms(processed[0]), tuple(map(forms, processed[1:])))
    return Texts(segment, processed[0], tuple(processed[1:]), settings)


def _too_long(name: str, count: int, most: int, noun: str) -> str:
    return (
        f"{name} has {theme.plural(count, noun)}, {count - most:,} more than the {most:,} that fit. "
        "Shorten it to see scores; your text is kept."
    )
