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
from . import arcs, error_spans, unused_matches
from .drawn_result import DrawnResult

HIGH = 730  # pixels of a picture, so that a window of 800 holds it with its legend
SHORT = 16  # letters of what is said of a reference on the button that shows it
LEGIBLE = 10  # pixels of the least cells of a grid that is higher than its room
UNKNOWN = 840  # pixels that a picture is drawn for until its room is known


def figure(drawn: DrawnResult) -> str:
    """The grids, or the arcs, with their legend; or a sentence where there is no room for them."""
    try:
        arched = drawn.picture == "arcs"
        kind = "Pairs of words" if arched else "Matching words"
        name = f"{kind}, and those that {metrics.METRICS[drawn.result.metric].label} uses"
        few = " few" if arched and arcs.is_crowded(drawn.result) else ""
        if arched or drawn.window:
            return drawing(replace(picture_of(drawn), title=name), f"{drawn.picture}{few}")
        grids, first = _Grids.from_single_references(drawn), drawn.marks.references.order[0]
        grid_pictures = [replace(grids.picture((k,), headed=False), title=name) for k in range(len(grids.references))]
        if len(grid_pictures) == 1:
            return drawing(grid_pictures[0], "grid")
        out = [reference_buttons([_share_of(drawn, k) for k in range(len(grid_pictures))], first)]
        for k, each in enumerate(grid_pictures):
            hidden = "" if k == first else " hidden"
            look = "ref" if k in drawn.marks.references.open else "ref unused"
            out.append(f'<div class="{look}" data-reference="{k}"{hidden}>{drawing(each, "grid", key=False)}</div>')
        out.append(svg.legend(grid_pictures[first]))
    except ValueError as problem:
        return f'<p class="note">{escape(str(problem))}.</p>'
    return "".join(out)


def reference_buttons(shares: Sequence[tuple[str, str]], first: int) -> str:
    """The choice of the reference whose grid is seen, each with what of the score it makes, in few words and in a tip,
    and of all grids."""
    buttons = []
    for k, (share, tip) in enumerate(shares):
        pressed, name = str(k == first).lower(), f"{'Reference ' if k == 0 else ''}{k + 1}"
        label = f"{name} · {share}" if share else name
        title = f"Reference {k + 1}: {tip}" if tip else f"Reference {k + 1}"
        buttons.append(
            f'<button type="button" data-show="{k}" aria-pressed="{pressed}" title="{title}" '
            f'aria-label="{title}">{label}</button>'
        )
    buttons.append('<button type="button" data-show="all" aria-pressed="false" title="All grids">All</button>')
    return f'<div class="over"><div class="refs" role="group" aria-label="Reference">{"".join(buttons)}</div></div>'


def _share_of(drawn: DrawnResult, k: int) -> tuple[str, str]:
    """What of the score a reference makes or decides, in few words and in more, as HTML."""
    if badges := drawn.marks.badges.get(k):
        badge_text = escape(", ".join(badges))
        return badge_text if len(badge_text) < SHORT else "", badge_text
    result = drawn.result
    parts = result.contributions() if result.adds_up() else ()
    total = math.fsum(parts)
    if total > 0 and parts[k]:
        share = _percent(parts[k] / total)
        return share, f"{share} of the credit"
    return "", "" if k in drawn.marks.references.open and not total else "not used"


def _percent(share: float) -> str:
    """A share in whole percent, none of which is said to be all or nothing where it is not.

    >>> _percent(0.999), _percent(0.5), _percent(0.0004), _percent(1.0)
    ('> 99 %', '50 %', '< 1 %', '100 %')
    """
    if 0 < share < 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def folded(k: int, matches: int, inside: str) -> str:
    """Reference `k`, of which no match is used, as a line that opens to what is `inside`."""
    summary = f"{theme.count_text(matches, 'match')}, none used" if matches else "no match"
    head = f"<summary>Reference {k + 1}: {summary}</summary>"
    return f'<details class="folded" data-reference="{k}">{head}{inside}</details>'


def picture_of(drawn: DrawnResult, saved: bool = False) -> Picture:
    """The picture that is looked at, grid or arcs, of the references that have used cells, the deciding ones first.

    One that is `saved` has its title and its signature, and shows what is chosen; in a fragment the script does. Raises
    ValueError where it would be too large, and TooHard where its marks are too many.
    """
    if drawn.picture == "arcs":
        words, references = drawn.texts.candidate_words, drawn.texts.reference_words
        out = arcs.picture_of(words, references, drawn.result, drawn.width or UNKNOWN)
        out = error_spans.under_words(out, drawn.texts)
        term = drawn.chosen.term_in(drawn.result) if saved and drawn.chosen else None
        out = picture.highlight_term(out, term) if term else out
    elif drawn.window:
        out = _window_of(drawn, drawn.window, saved)
    else:
        out = _Grids.from_open_references(drawn, saved).picture(drawn.marks.references.open)
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
    def from_open_references(cls, drawn: DrawnResult, saved: bool = False) -> _Grids:
        picture.check(len(drawn.hits))
        rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
        side, width = drawn.marks.references.open, drawn.width or UNKNOWN
        fit = layout.fit(rows, references, side, width, high=drawn.high)
        if drawn.high is None and fit.columns == len(side):  # nothing is below it, so that it can be seen as a whole
            fit = layout.fit(rows, references, side, width, high=HIGH)
        return cls(rows, references, _shapes(drawn, saved), fit)

    @classmethod
    def from_single_references(cls, drawn: DrawnResult) -> _Grids:
        """The grids of which one is seen at a time, with cells as large as fit the largest of them."""
        picture.check(len(drawn.hits))
        rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
        width, high, reference_numbers = drawn.width or UNKNOWN, drawn.high or HIGH, range(len(references))
        fits = [layout.fit(rows, references, (k,), width, high=high, readable=LEGIBLE) for k in reference_numbers]
        return cls(rows, references, _shapes(drawn, False), min(fits))

    def picture(self, shown_references: Sequence[int], headed: bool = True) -> Picture:
        """The picture of some references, with their names above where it is `headed`."""
        return picture.picture_on(
            self.rows, self.references, self.shapes, *self.fit, shown_references=shown_references, headed=headed
        )


def _window_of(drawn: DrawnResult, window: Window, saved: bool) -> Picture:
    """The part of a long text that is looked at, in cells as large as fit."""
    rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
    columns = references[window.k][window.j : window.j + window.columns]
    fit = layout.fit(rows[window.i : window.i + window.rows], (columns,), (0,), drawn.width or UNKNOWN)
    return picture.window_on(rows, references, _shapes(drawn, saved), window, fit.cell)


def _shapes(drawn: DrawnResult, saved: bool) -> list[Shape]:
    """Everything to draw on the grids; the tint of ties can be switched on in a fragment, and is there or not in a
    picture that is saved."""
    tied = drawn.ties if drawn.ties and drawn.ties.count > 1 and (drawn.tint or not saved) else None
    cells = (tied.always, tied.sometimes) if tied else None
    why = unused_matches.why_not(drawn.texts, drawn.result, drawn.rounds)
    mark_shapes = drawn.marks.shapes(drawn.hits, drawn.chosen if saved else None, cells, why)
    return [*mark_shapes, *error_spans.shapes(drawn.texts)]


def title_of(drawn: DrawnResult) -> str:
    """The metric and its score, and what the score is after the rounds that are shown."""
    result = drawn.result
    so_far = score_so_far(drawn)
    after = f", {theme.score_text(so_far)} after {rounds_text(drawn)}" if so_far is not None else ""
    return f"{metrics.METRICS[result.metric].label} {theme.score_text(result.score)}{after}"


def rounds_text(drawn: DrawnResult) -> str:
    return theme.count_text(drawn.rounds or 0, "round")


def score_so_far(drawn: DrawnResult) -> float | None:
    """The score of the rounds that are shown alone; None where all are, or where they are moves and no matches."""
    result, rounds = drawn.result, drawn.rounds
    later_layers = [layer for layer in result.layers if rounds and (layer.number or 0) > rounds]
    if not later_layers or isinstance(later_layers[0].marks[0], Shift):
        return None
    sooner = [layer for layer in result.layers if layer not in later_layers]
    # A statistic of all rounds together is what the shown ones add to it.
    remaining_stats = {
        name: math.fsum([layer.total() for layer in sooner if name in layer.statistics])
        for name in {name for layer in later_layers for name in layer.statistics}
    }
    return metrics.METRICS[result.metric].from_stats({**result.stats, **remaining_stats}, result.settings).score


def drawing(drawn: Picture, kind: str, key: bool = True) -> str:
    legend = svg.legend(drawn) if key else ""
    return f'<div class="drawing {kind}">{svg.inline(drawn)}</div>{legend}'
