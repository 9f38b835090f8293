"""Draw the figure of a result: its grids, or arcs over the candidate, with a legend, and the picture that is saved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

import metrics
from metrics.types import Shift

from ..pen import layout, picture, svg
from ..pen.grid import Window
from ..pen.layout import GridFit
from ..pen.numbers import count_text, score_text
from ..pen.picture import Picture
from ..pen.shapes import Shape
from . import arcs, error_spans, unused_matches
from .drawn_result import DrawnResult

HIGH = 730  # height of a picture in pixels, so that a window of 800 pixels holds it with its legend
SHORT = 16  # longest text on the button of a reference, in letters
LEGIBLE = 10  # smallest cells in pixels; a grid that needs smaller ones is higher than the window instead
UNKNOWN = 840  # width in pixels that a picture is drawn for while the available width is unknown


def figure(drawn: DrawnResult) -> str:
    """Return the grids, or the arcs, with their legend as HTML; a sentence where they would be too large."""
    try:
        arched = drawn.picture == "arcs"
        kind = "Pairs of words" if arched else "Matching words"
        name = f"{kind}, and those that {metrics.METRICS[drawn.result.metric].label} uses"
        few = " few" if arched and arcs.is_crowded(drawn.result) else ""
        if arched or drawn.window:
            return drawing_html(replace(picture_of(drawn), title=name), f"{drawn.picture}{few}")
        grids, first = _Grids.from_single_references(drawn), drawn.marks.references.order[0]
        grid_pictures = [replace(grids.picture((k,), headed=False), title=name) for k in range(len(grids.references))]
        if len(grid_pictures) == 1:
            return drawing_html(grid_pictures[0], "grid")
        out = [reference_buttons([_share_texts(drawn, k) for k in range(len(grid_pictures))], first)]
        for k, each in enumerate(grid_pictures):
            hidden = "" if k == first else " hidden"
            look = "ref" if k in drawn.marks.references.open else "ref unused"
            out.append(
                f'<div class="{look}" data-reference="{k}"{hidden}>{drawing_html(each, "grid", key=False)}</div>'
            )
        out.append(svg.legend_html(grid_pictures[first].key))
    except ValueError as problem:
        return f'<p class="note">{escape(str(problem))}.</p>'
    return "".join(out)


def reference_buttons(shares: Sequence[tuple[str, str]], first: int) -> str:
    """Return the buttons that choose the visible grid: one for each reference, and one for all.

    `shares` has a pair for each reference: a short text for the button and a longer one for its tooltip, on how much of
    the score the reference makes. `first` is the index of the pressed button."""
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


def _share_texts(drawn: DrawnResult, k: int) -> tuple[str, str]:
    """Return how much of the score reference `k` makes, or that it decides, as (short HTML text, longer HTML text)."""
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
    """Return a share in whole percent; a share that is not exactly 0 or 1 is never shown as 0 % or 100 %.

    >>> _percent(0.999), _percent(0.5), _percent(0.0004), _percent(1.0)
    ('> 99 %', '50 %', '< 1 %', '100 %')
    """
    if 0 < share < 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def folded_reference(k: int, matches: int, inside: str) -> str:
    """Return reference `k`, of which no match is used, as a folded line that opens to the HTML `inside`.

    `matches` is the number of its matches."""
    summary = f"{count_text(matches, 'match')}, none used" if matches else "no match"
    head = f"<summary>Reference {k + 1}: {summary}</summary>"
    return f'<details class="folded" data-reference="{k}">{head}{inside}</details>'


def picture_of(drawn: DrawnResult, saved: bool = False) -> Picture:
    """Return the chosen picture (grid or arcs) of the references that have used cells, the deciding ones first.

    With `saved`, for a file, it has title and signature and shows the selected term; on a page a script shows it.
    Raises ValueError where it would be too large, and TooHard where it has too many marks."""
    if drawn.picture == "arcs":
        words, references = drawn.texts.candidate_words, drawn.texts.reference_words
        out = arcs.picture_of(words, references, drawn.result, drawn.width or UNKNOWN)
        out = error_spans.under_words(out, drawn.texts)
        term = drawn.chosen.term_in(drawn.result) if saved and drawn.chosen else None
        out = picture.highlight_term(out, term) if term else out
    elif drawn.window:
        out = _window_picture(drawn, drawn.window, saved)
    else:
        out = _Grids.from_open_references(drawn, saved).picture(drawn.marks.references.open)
    if not saved:
        return out
    title, signature = title_of(drawn), drawn.result.signature(drawn.texts.settings.signature())
    says = drawn.verdict.text if drawn.verdict and score_so_far(drawn) is None else ""
    return replace(out, title=title, says=says, signature=signature, width=max(out.width, picture.CAPTION_ROOM))


class _Grids(NamedTuple):
    """The grids of all references before they are laid out.

    Attributes:
        rows: words of the candidate, the labels of the rows.
        references: words of each reference, the labels of the columns.
        shapes: everything to draw on the grids.
        fit: layout and size of the cells."""

    rows: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    shapes: list[Shape]
    fit: GridFit

    @classmethod
    def from_open_references(cls, drawn: DrawnResult, saved: bool = False) -> _Grids:
        """Return the grids with the largest cells that fit if all references with used cells are seen together."""
        picture.check_match_count(len(drawn.hits))
        rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
        side, width = drawn.marks.references.open, drawn.width or UNKNOWN
        fit = layout.fit_grids(rows, references, side, width, high=drawn.high)
        if drawn.high is None and fit.columns == len(side):  # all grids are in one row and can be visible as a whole
            fit = layout.fit_grids(rows, references, side, width, high=HIGH)
        return cls(rows, references, _shapes(drawn, saved), fit)

    @classmethod
    def from_single_references(cls, drawn: DrawnResult) -> _Grids:
        """Return the grids with the largest cells that fit where one reference is visible at a time."""
        picture.check_match_count(len(drawn.hits))
        rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
        width, high, reference_numbers = drawn.width or UNKNOWN, drawn.high or HIGH, range(len(references))
        fits = [layout.fit_grids(rows, references, (k,), width, high=high, readable=LEGIBLE) for k in reference_numbers]
        return cls(rows, references, _shapes(drawn, False), min(fits))

    def picture(self, shown_references: Sequence[int], headed: bool = True) -> Picture:
        """Return the picture of the grids of some references, with their names above them where `headed`."""
        return picture.lay_out_picture(
            self.rows, self.references, self.shapes, *self.fit, shown_references=shown_references, headed=headed
        )


def _window_picture(drawn: DrawnResult, window: Window, saved: bool) -> Picture:
    """Return the picture of the visible part of a long text, in cells as large as fit."""
    rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
    columns = references[window.k][window.j : window.j + window.columns]
    fit = layout.fit_grids(rows[window.i : window.i + window.rows], (columns,), (0,), drawn.width or UNKNOWN)
    return picture.lay_out_window(rows, references, _shapes(drawn, saved), window, fit.cell)


def _shapes(drawn: DrawnResult, saved: bool) -> list[Shape]:
    """Return everything to draw on the grids.

    The tint of ties is always there in a fragment, which can switch it on and off; in a `saved` picture only where
    it is on."""
    tied = drawn.ties if drawn.ties and drawn.ties.count > 1 and (drawn.tint or not saved) else None
    cells = (tied.always, tied.sometimes) if tied else None
    why = unused_matches.unused_reason(drawn.texts, drawn.result, drawn.rounds)
    mark_shapes = drawn.marks.shapes(drawn.hits, drawn.chosen if saved else None, cells, why)
    return [*mark_shapes, *error_spans.error_lines(drawn.texts)]


def title_of(drawn: DrawnResult) -> str:
    """Return the title of a picture: the metric, its score, and the score so far where rounds are hidden."""
    result = drawn.result
    so_far = score_so_far(drawn)
    after = f", {score_text(so_far)} after {rounds_text(drawn)}" if so_far is not None else ""
    return f"{metrics.METRICS[result.metric].label} {score_text(result.score)}{after}"


def rounds_text(drawn: DrawnResult) -> str:
    """Return the number of visible rounds as text, such as "2 rounds"."""
    return count_text(drawn.rounds or 0, "round")


def score_so_far(drawn: DrawnResult) -> float | None:
    """Return the score of the visible rounds alone; None where all rounds are visible, or where rounds are shifts."""
    result, rounds = drawn.result, drawn.rounds
    later_layers = [layer for layer in result.layers if rounds and (layer.number or 0) > rounds]
    if not later_layers or isinstance(later_layers[0].marks[0], Shift):
        return None
    sooner = [layer for layer in result.layers if layer not in later_layers]
    # A statistic that sums over all rounds is replaced by the sum over the visible ones.
    remaining_stats = {
        name: math.fsum([layer.total() for layer in sooner if name in layer.statistics])
        for name in {name for layer in later_layers for name in layer.statistics}
    }
    return metrics.METRICS[result.metric].from_stats({**result.stats, **remaining_stats}, result.settings).score


def drawing_html(drawn: Picture, kind: str, key: bool = True) -> str:
    """Return a picture as HTML, with its legend if `key` is set; `kind` are its CSS classes."""
    legend = svg.legend_html(drawn.key) if key else ""
    return f'<div class="drawing {kind}">{svg.svg_in_page(drawn)}</div>{legend}'
