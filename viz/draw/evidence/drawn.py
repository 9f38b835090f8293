"""What everything that is drawn of a result is drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metrics.types import Hit, Result, Ties

from ..pen.grid import Window
from ..pen.marks import Selection
from ..texts import Texts

Picture = Literal["grid", "arcs"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A result as it is looked at: page, file and notebook draw the same of it.

    `hits` are all matches of the grid, or of a long text those in its `window`; `ties` the equally good alignments, of
    which `tie` is the one shown; `rounds` how many of the numbered layers are shown, None for all. `width` is the room
    in pixels, None where it is not known, and a grid is no higher than `high` where its words stay readable. `remark`
    is the metric's sentence about the result, and `alone` the score with each reference alone, as they are printed.
    """

    texts: Texts
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
    alone: Sequence[str] = ()
    high: int | None = None
