"""The figure of a result: its grids or its arcs with their legend, and the picture that is saved of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

import metrics
from metrics.types import Shift

from ..pen import layout, picture, svg, theme
from ..pen.grid import Window
from ..pen.layout import Fit
from ..pen.picture import Picture
from ..pen.shapes import Shape
from . import arcs, marked, unused
from .drawn import Drawn

HIGH = 730  # pixels of a picture, so that a window of 800 holds it with its legend
UNKNOWN = 840  # pixels that a picture is drawn for until its room is known


def figure(drawn: Drawn) -> str:
    """The grids, or the arcs, with their legend; or a sentence where there is no room for them."""
    try:
        arched = drawn.picture == "arcs"
        kind = "Pairs of words" if arched else "Matching words"
        name = f"{kind}, and those that {metrics.METRICS[drawn.result.metric].label} uses"
        few = " few" if arched and arcs.is_crowded(drawn.result) else ""
        if arched or drawn.window:
            return drawing(replace(picture_of(drawn), title=name), f"{drawn.picture}{few}")
        grids = _Grids.of(drawn)
        out = [drawing(replace(grids.picture(drawn.marks.references.open), title=name), "grid")]
        for k in drawn.marks.references.folded:
            inside = drawing(replace(grids.picture((k,)), title=name), "grid", key=False)
            out.append(folded(k, sum(1 for hit in drawn.hits if hit.k == k), inside))
    except ValueError as problem:
        return f'<p class="note">{escape(str(problem))}.</p>'
    return "".join(out)


def folded(k: int, matches: int, inside: str) -> str:
    """Reference `k`, of which no match is used, as a line that opens to what is `inside`."""
    said = f"{theme.count_text(matches, 'match')}, none used" if matches else "no match"
    return (
        f'<details class="folded" data-reference="{k}"><summary>Reference {k + 1}: {said}</summary>{inside}</details>'
    )


def picture_of(drawn: Drawn, saved: bool = False) -> Picture:
    """The picture that is looked at, grid or arcs, of the references that have used cells, the deciding ones first.

    One that is `saved` has its title and its signature, and shows what is chosen; in a fragment the script does. Raises
    ValueError where it would be too large, and TooHard where its marks are too many.
    """
    if drawn.picture == "arcs":
        words, references = drawn.texts.candidate_words, drawn.texts.reference_words
        out = arcs.picture_of(words, references, drawn.result, drawn.width or UNKNOWN)
        out = marked.under_words(out, drawn.texts)
        term = drawn.chosen.of(drawn.result) if saved and drawn.chosen else None
        out = picture.chosen_in(out, term) if term else out
    elif drawn.window:
        out = _window_of(drawn, drawn.window, saved)
    else:
        out = _Grids.of(drawn, saved).picture(drawn.marks.references.open)
    if not saved:
        return out
    title, signature = title_of(drawn), drawn.result.signature(drawn.texts.settings.signature())
    says = drawn.verdict.text if drawn.verdict and score_so_far(drawn) is None else ""
    return replace(out, title=title, says=says, signature=signature, width=max(out.width, picture.CAPTION_ROOM))


class _Grids(NamedTuple):
    """The grids of all references before they are laid out: their words, everything to draw on them, and how large
    cells are, which is as fits the open ones."""

    rows: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    shapes: list[Shape]
    fit: Fit

    @classmethod
    def of(cls, drawn: Drawn, saved: bool = False) -> _Grids:
        picture.check(len(drawn.hits))
        rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
        side, width = drawn.marks.references.open, drawn.width or UNKNOWN
        fit = layout.fit(rows, references, side, width, high=drawn.high)
        if drawn.high is None and fit.columns == len(side):  # nothing is below it, so that it can be seen as a whole
            fit = layout.fit(rows, references, side, width, high=HIGH)
        return cls(rows, references, _shapes(drawn, saved), fit)

    def picture(self, shown: Sequence[int]) -> Picture:
        """The picture of some references."""
        return picture.picture_on(self.rows, self.references, self.shapes, *self.fit, shown=shown)


def _window_of(drawn: Drawn, window: Window, saved: bool) -> Picture:
    """The part of a long text that is looked at, in cells as large as fit."""
    rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
    columns = references[window.k][window.j : window.j + window.columns]
    fit = layout.fit(rows[window.i : window.i + window.rows], (columns,), (0,), drawn.width or UNKNOWN)
    return picture.window_on(rows, references, _shapes(drawn, saved), window, fit.cell)


def _shapes(drawn: Drawn, saved: bool) -> list[Shape]:
    """Everything to draw on the grids; the tint of ties can be switched on in a fragment, and is there or not in a
    picture that is saved."""
    tied = drawn.ties if drawn.ties and drawn.ties.count > 1 and (drawn.tint or not saved) else None
    cells = (tied.always, tied.sometimes) if tied else None
    why = unused.why_not(drawn.texts, drawn.result, drawn.rounds)
    own = drawn.marks.shapes(drawn.hits, drawn.chosen if saved else None, cells, why)
    return [*own, *marked.shapes(drawn.texts)]


def title_of(drawn: Drawn) -> str:
    """The metric and its score, and what the score is after the rounds that are shown."""
    result = drawn.result
    so_far = score_so_far(drawn)
    after = f", {theme.score_text(so_far)} after {rounds_text(drawn)}" if so_far is not None else ""
    return f"{metrics.METRICS[result.metric].label} {theme.score_text(result.score)}{after}"


def rounds_text(drawn: Drawn) -> str:
    return theme.count_text(drawn.rounds or 0, "round")


def score_so_far(drawn: Drawn) -> float | None:
    """The score of the rounds that are shown alone; None where all are, or where they are moves and no matches."""
    result, rounds = drawn.result, drawn.rounds
    later = [layer for layer in result.layers if rounds and (layer.number or 0) > rounds]
    if not later or isinstance(later[0].marks[0], Shift):
        return None
    sooner = [layer for layer in result.layers if layer not in later]
    # A statistic of all rounds together is what the shown ones add to it.
    left = {
        name: math.fsum([layer.total() for layer in sooner if name in layer.statistics])
        for name in {name for layer in later for name in layer.statistics}
    }
    return metrics.METRICS[result.metric].from_stats({**result.stats, **left}, result.settings).score


def drawing(drawn: Picture, kind: str, key: bool = True) -> str:
    legend = svg.legend(drawn) if key else ""
    return f'<div class="drawing {kind}">{svg.inline(drawn)}</div>{legend}'
