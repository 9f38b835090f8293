"""The processed texts of a candidate and its references: what all drawing and scoring starts from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from metrics.text import TextSettings, Token
from metrics.types import Segment


class MarkedError(NamedTuple):
    """An error that a person marked: letters `start` to `end`, half-open and from 0, of the candidate or of the source,
    what kind of error it is, how grave, and who marked it."""

    side: Literal["target", "source"]
    start: int
    end: int
    category: str
    severity: str
    judge: str = ""


@dataclass(frozen=True, slots=True)
class ProcessedTexts:
    """A candidate and its references, ready to score: the segment of forms, and the words as they were typed. The
    source that was translated, and the errors that people `marked`, are shown where they are known; nothing is scored
    by them."""

    segment: Segment
    candidate: tuple[Token, ...]
    references: tuple[tuple[Token, ...], ...]
    settings: TextSettings
    source: str = ""
    marked: tuple[MarkedError, ...] = ()

    @property
    def candidate_words(self) -> tuple[str, ...]:
        return tuple([t.raw for t in self.candidate])

    @property
    def quoted_as(self) -> str:
        """What to say beside sentences that quote the words as they are compared, "" where that is as they were typed,
        but for capitals."""
        return "" if self.settings.stemmer == "none" else "Words are quoted as they are compared: by their stems."

    @property
    def reference_words(self) -> tuple[tuple[str, ...], ...]:
        return tuple([tuple([t.raw for t in r]) for r in self.references])
