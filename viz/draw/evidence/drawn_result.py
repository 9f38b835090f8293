"""What everything that is drawn of a result is drawn from."""

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
    """A setting that changes what a score shows: its name, its value, and in words what it would give."""

    name: str
    value: object
    says: str

    @property
    def event(self) -> str:
        """As what a click on it is told."""
        return f"{self.name}={self.value}"


@dataclass(frozen=True)
class DrawnResult:
    """A result as it is looked at: page, file and notebook draw the same of it.

    `hits` are all matches of the grid, or of a long text those in its `window`, and none where the `picture` is the
    whole text in columns; `ties` the equally good alignments, of which `tie` is the one shown; `rounds` how many of the
    numbered layers are shown, None for all. `width` is the room in pixels, None where it is not known, and a grid is no
    higher than `high` where its words stay readable. `remark` is the metric's sentence about the result,
    `reference_scores` are the scores with each reference alone, as they are printed, and `offer` is the setting that a
    page offers beside it. The `verdict` stands first, but on a page, which has it above.
    """

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
        """All that is known of the marks that are shown."""
        return ResultMarks.from_result(self.result, self.rounds)

    @cached_property
    def formula(self) -> tuple[formula.FormulaStep, ...]:
        """The steps from credits to score, as the metric writes them."""
        return metrics.METRICS[self.result.metric].formula(self.result)


def is_long(texts: ProcessedTexts) -> bool:
    """Whether texts are too long for a picture of the whole grid."""
    return max(len(texts.candidate), *map(len, texts.references)) > DIRECT


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceLook:
    """How a result is looked at: the chosen term as `LAYER:N`, how many rounds are shown (None: all), which of the
    equally good alignments, whether the cells of all of them are tinted, text, arcs or the grid (None: what is shown
    first), where a long text is looked at (words from 1, the reference from 0, None for the one that stands first), the
    pixels there are, and those that a grid may be high, None where nobody knows.
    """

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
