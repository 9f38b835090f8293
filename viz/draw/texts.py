"""The texts of a segment as tokens, from which all drawing and scoring starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from metrics.text import TextSettings, Token
from metrics.types import Segment


class MarkedError(NamedTuple):
    """An error that a person marked in the candidate or in the source.

    Attributes:
        side: where it is marked: in the candidate ("target") or in the source.
        start: the first marked letter, from 0.
        end: the position after the last marked letter.
        category: the kind of error.
        severity: how serious it is.
        judge: the name of the person."""

    side: Literal["target", "source"]
    start: int
    end: int
    category: str
    severity: str
    judge: str = ""


@dataclass(frozen=True, slots=True)
class ProcessedTexts:
    """A candidate and its references as tokens, ready to be scored.

    Attributes:
        segment: the forms of the words, which are scored.
        candidate: the tokens of the candidate, with the words as typed.
        references: the tokens of each reference.
        settings: how the texts were processed.
        source: the source text, shown if known; it does not affect scores.
        marked: errors that people marked, shown if known; they do not affect scores."""

    segment: Segment
    candidate: tuple[Token, ...]
    references: tuple[tuple[Token, ...], ...]
    settings: TextSettings
    source: str = ""
    marked: tuple[MarkedError, ...] = ()

    @property
    def candidate_words(self) -> tuple[str, ...]:
        """Return the words of the candidate as typed."""
        return tuple([t.raw for t in self.candidate])

    @property
    def quoting_note(self) -> str:
        """Return a note for the user that words in sentences are quoted as they are compared, by their stems.

        It is "" if words are not stemmed, because they are then quoted as typed, apart from capitals."""
        return "" if self.settings.stemmer == "none" else "Words are quoted as they are compared: by their stems."

    @property
    def reference_words(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of each reference as typed."""
        return tuple([tuple([t.raw for t in r]) for r in self.references])


def texts_of(segment: Segment, source: str = "") -> ProcessedTexts:
    """Return processed texts with the words of a segment, as if they had been typed with a space between them."""
    candidate, references = segment
    return ProcessedTexts(segment, _tokens(candidate), tuple([_tokens(r) for r in references]), TextSettings(), source)


def _tokens(words: tuple[str, ...]) -> tuple[Token, ...]:
    """Return words as tokens, with the positions that they have when separated by a space."""
    out, at = [], 0
    for word in words:
        out.append(Token(word, word, at, at + len(word)))
        at += len(word) + 1
    return tuple(out)
