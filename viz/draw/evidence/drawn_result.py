"""Define the record of a result and of how it is drawn, from which all its evidence is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import metrics
from metrics import formula
from metrics.analysis.verdict import ResultVerdict
from metrics.types import Hit, Result, Ties

from ..pen.grid import DIRECT, Window
from ..pen.marks import ResultMarks, Selection
from ..texts import ProcessedTexts

Picture = Literal["grid", "arcs", "text"]


class SettingOffer(NamedTuple):
    """A setting of a metric that a page offers to change: its name, the offered value, and the text of the offer."""

    name: str
    value: object
    says: str

    @property
    def event(self) -> str:
        """Return the event that a click on the offer sends."""
        return f"{self.name}={self.value}"


@dataclass(frozen=True)
class DrawnResult:
    """A result with all choices of how it is drawn; page, file and notebook draw the same.

    Attributes:
        texts: the texts that were scored.
        result: the result.
        hits: all matches of the grid; for a long text those in `window`, and none where `picture` is "text".
        ties: the alignments that are as good as the result's.
        tie: index, in `ties`, of the alignment that is shown.
        tint: whether the cells of all equally good alignments are tinted.
        chosen: the selected term.
        rounds: how many of the numbered layers (rounds or shifts) are shown, or None for all.
        width: available width in pixels, or None where unknown.
        picture: what is drawn: the grid, arcs, or the whole text in columns.
        window: the part of a long text that is drawn.
        remark: a sentence of the metric about the result, or "".
        reference_scores: printed scores with each reference alone.
        high: height in pixels that a grid does not exceed while its words are readable.
        offer: setting that a page offers with the result.
        verdict: sentence shown first; None on a page, which has it above."""

    texts: ProcessedTexts
    result: Result
    hits: Sequence[Hit]
    ties: Ties | None = None
    tie: int = 0
    tint: bool = True
    chosen: Selection | None = None
    rounds: int | None = None
    width: int | None = None
    picture: Picture = "grid"
    window: Window | None = None
    remark: str = ""
    reference_scores: Sequence[str] = ()
    high: int | None = None
    offer: SettingOffer | None = None
    verdict: ResultVerdict | None = None

    @cached_property
    def marks(self) -> ResultMarks:
        """Return the marks of this result in the rounds that are shown."""
        return ResultMarks.from_result(self.result, self.rounds)

    @cached_property
    def formula(self) -> tuple[formula.FormulaStep, ...]:
        """Return the steps of the metric's formula from credits to this result's score."""
        return metrics.METRICS[self.result.metric].formula(self.result)


def is_long(texts: ProcessedTexts) -> bool:
    """Return whether texts are too long for a picture of the whole grid."""
    return max(len(texts.candidate), *map(len, texts.references)) > DIRECT


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceLook:
    """The choices of a visitor on how a result is drawn.

    Attributes:
        room: width of the page in pixels.
        term: the selected term as `LAYER:N`, the indices of its layer and of its mark there.
        rounds: how many rounds are shown, or None for all.
        tie: index of the equally good alignment that is shown.
        tint: whether the cells of all equally good alignments are tinted.
        picture: "text", "arcs" or "grid", or None for the default.
        detail_i, detail_j: first visible words of a long text, counted from 1.
        detail_reference: visible reference of a long text, counted from 0, or None for the default.
        high: available height of a grid in pixels, or None where unknown."""

    room: int
    term: str | None = None
    rounds: int | None = None
    tie: int = 0
    tint: bool = False
    picture: str | None = None
    detail_i: int = 1
    detail_j: int = 1
    detail_reference: int | None = None
    high: int | None = None
