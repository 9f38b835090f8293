"""Make the HTML of a comparison of two outputs: what changed as words, grids and steps, or as edits and their worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import metrics
from metrics.types import Hit, Result

from ..draw.compare import comparison, differences
from ..draw.compare.comparison import OutputPair
from ..draw.compare.differences import GridRoom, Names
from ..draw.edits import edits_html
from ..draw.edits.edit_map import EditMap, MetricShares
from ..draw.evidence.drawn_result import SettingOffer
from ..draw.pen.grid import Window
from ..draw.texts import ProcessedTexts
from ..state.results import cache
from ..state.results import edits as edits_of
from ..state.results.cache import Problem
from ..state.results.memory import remembered

#: The most rows, and the most words of all texts, for which every row is explained; else only the selected row is.
ROWS_MOST, WORDS_MOST = 12, 300


def comparison_html(
    pair: OutputPair, room: GridRoom, part: Window | None, offer: SettingOffer | None = None, rows: bool = False
) -> str:
    """Return the comparison of two outputs as HTML.

    Args:
        room: the width and height in pixels that it may have.
        part: the part of a long comparison that is shown, None for the whole.
        offer: a setting that is offered with a button, for example because all scores are 0.
        rows: whether the rows of the grid that are folded by default are shown."""
    return _cached_comparison_html(pair.a, pair.b, pair.names, *pair.results, room, part, offer, rows)


@remembered
def _cached_comparison_html(
    a: ProcessedTexts, b: ProcessedTexts, names: Names, before: Result, after: Result, *display: Any
) -> str:
    """Return the comparison of two outputs as HTML; cached by its arguments.

    `display` are `comparison_html`'s parameters `room`, `part`, `offer` and `rows`."""
    changed = cache.find_changes(before, after)
    assert not isinstance(changed, Problem), "what changed was found before it is drawn"
    pair, (room, part, offer, all_rows) = OutputPair(a, b, names, before, after, *changed), display
    return comparison.fragment(pair, _hits_of_both(pair, part), room, part, offer, all_rows)


def _hits_of_both(pair: OutputPair, part: Window | None) -> list[Sequence[Hit]]:
    """Return the hits of both outputs, only those in the shown `part` of a long comparison."""
    windows = differences.output_windows(pair.difference.rows, part) if part else (None, None)
    return [
        cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
        for texts, window in zip((pair.a, pair.b), windows, strict=True)
    ]


def part_around_change(pair: OutputPair, number: int | None = None) -> Window | None:
    """Return the part of a long difference around the changed cell with index `number`, by default the first.

    None if the difference is short enough to be shown whole."""
    if not pair.is_long:
        return None
    places = comparison.changed_cells(pair.difference)
    at = places[number] if number is not None and number < len(places) else None
    return differences.window_around(pair.difference, pair.references, at)


def can_explain_every_row(pair: OutputPair, edit_map: EditMap) -> bool:
    """Return whether the texts and edits are few enough to explain every row of edits at once."""
    words = sum(map(len, (pair.a.candidate, pair.b.candidate, *pair.a.references)))
    return len(edit_map.rows) <= ROWS_MOST and words <= WORDS_MOST


def edits_section_html(
    pair: OutputPair,
    worth: Sequence[MetricShares],
    row: int | None,
    explain_all: bool,
    room: GridRoom,
    part: Window | None,
    by: str = "",
    rows: bool = False,
    tries: bool = True,
) -> str:
    """Return the edits from A to B as HTML.

    Args:
        worth: what the edits are worth to each metric.
        row: the index of the row of edits that is explained, None for none.
        explain_all: whether every row is explained.
        room: the width and height in pixels that the drawing may have.
        part: the part of a long comparison that is shown, None for the whole.
        by: the metric that edits are sorted by, with "-" before it for the reverse order; "" for the order of the
            texts.
        rows: whether the rows of the grid that are folded by default are shown.
        tries: whether edits get a button that takes them back in a copy of B."""
    worth_rows = tuple([(each.metric.key, each.shares, each.problem) for each in worth])
    return _cached_edits_html(
        pair.a, pair.b, pair.names, *pair.results, worth_rows, row, explain_all, tries, room, part, by, rows
    )


@remembered
def _cached_edits_html(
    a: ProcessedTexts,
    b: ProcessedTexts,
    names: Names,
    before: Result,
    after: Result,
    worth_rows: tuple[tuple[str, Any, str], ...],
    row: int | None,
    explain_all: bool,
    tries: bool,
    *display: Any,
) -> str:
    """Return the edits from A to B as HTML; cached by its arguments.

    `worth_rows` has the key of each metric, what the edits are worth to it, and the problem that prevents knowing it.
    `display` are `edits_section_html`'s parameters `room`, `part`, `by` and `rows`."""
    changed, edit_map = cache.find_changes(before, after), edits_of.find_edit_map(a, b)
    assert not isinstance(changed, Problem) and not isinstance(edit_map, Problem), "found before it is drawn"
    pair, (room, part, by, all_rows) = OutputPair(a, b, names, before, after, *changed), display
    worth = [MetricShares(metrics.METRICS[key], shares, problem) for key, shares, problem in worth_rows]
    hits = _hits_of_both(pair, part)
    target_rows = range(len(edit_map.rows)) if explain_all else [row] if row is not None else []
    shared = target_rows if worth[0].shares else ()
    opened = {number: edits_of.edit_effect_html(pair, edit_map, number, worth[0], tries=tries) for number in shared}
    return edits_html.fragment(
        pair, edit_map, worth, opened, hits, room, part, by.removeprefix("-"), by.startswith("-"), all_rows
    )
