"""Draw the edits between two outputs as one piece of HTML.

It has the two outputs merged into one line, the table of what each edit adds to the score, and below them the words,
the grid of the difference, and on demand the grids of A and B. A selected edit is highlighted in all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import metrics
from metrics.types import Hit, join_words

from ..compare import comparison
from ..compare.comparison import OutputPair
from ..compare.differences import GridRoom
from ..evidence.fragment import root_element
from ..pen.grid import Window
from ..pen.text import safe
from . import merged, table
from .edit_map import EditMap, MetricShares
from .table import RowDetails, TableTexts

SAYS = TableTexts(
    "Edits from A to B and what each is worth to every metric; choose one to see what it did",
    "Score if undone",
    "B's score if only this edit is undone. This is not a share: a share is the mean over all orders of the edits",
)
METRICS = "metrics"  # key of the request that a button sends: "metrics=all" or "metrics=few"
NO_EDIT = "There is no edit: both outputs have the same words."


def fragment(
    pair: OutputPair,
    edit_map: EditMap,
    worth: Sequence[MetricShares],
    opened: Mapping[int, RowDetails],
    hits: Sequence[Sequence[Hit]],
    room: GridRoom,
    part: Window | None = None,
    by: str = "",
    worst: bool = False,
    all_rows: bool | None = None,
) -> str:
    """Return the whole view as HTML for a page with the given `room`.

    Args:
        worth, opened, by, worst: as in `edits_html`.
        hits: all matches of A's and of B's grid; for long texts only those in `part`.
        part: for long texts, the window of the difference that is drawn.
        all_rows: whether the visitor wants all rows of the grid, or None where nobody can be asked."""
    fit, button = comparison.layout_with_button(pair, room, part, all_rows)
    strips = f'<div class="words">{comparison.word_lines_html(pair, hits, part)}</div>'
    figure = f'<div class="figure">{comparison.difference_grids_html(pair, hits, fit, part, button)}</div>'
    grids_html = f'<div class="own">{comparison.own_grids(pair, hits, fit, part)}</div>'
    if part:  # the columns of long texts need the full width
        frame = f'{strips}<div class="frame pair">{figure}</div>{grids_html}'
    else:
        frame = f'<div class="frame pair beside">{figure}<div class="side">{strips}</div></div>{grids_html}'
    return root_element(
        pair.before.metric, edits_html(pair, edit_map, worth, opened, by, worst, all_rows is not None) + frame
    )


def edits_html(
    pair: OutputPair,
    edit_map: EditMap,
    worth: Sequence[MetricShares],
    opened: Mapping[int, RowDetails] | None = None,
    by: str = "",
    worst: bool = False,
    asks: bool = False,
) -> str:
    """Return the merged line and the table of edits as HTML.

    Args:
        worth: the shares of the edits by each metric, the metric of the pair first.
        opened: the details that a selected row shows, by index of the row.
        by: key of the metric that rows are sorted by.
        worst: whether the worst row comes first.
        asks: whether there is a button that asks for more or fewer metrics."""
    a, b = (f"<bdi>{safe(name)}</bdi>" for name in pair.names)
    label = f"<b><del>{a}</del> <ins>{b}</ins></b>"
    line = merged.merged_line_html(edit_map, label, table.row_tones(edit_map, worth[0], pair.decimals))
    if not edit_map.rows:
        return f'<div class="edits">{line}<p class="note">{NO_EDIT}</p></div>'
    shares = table.table(edit_map, worth, SAYS, opened, by, worst, pair.decimals)
    more = _metrics_button(worth) if asks else ""
    return f'<div class="edits">{line}{shares}{more}<p class="note">{shares_note(edit_map, worth)}</p></div>'


def _metrics_button(worth: Sequence[MetricShares]) -> str:
    """Return the button that asks for all metrics, or for few of them where the table shows all."""
    shows_all = len(worth) == len(metrics.METRICS)
    says = "Show fewer metrics" if shows_all else f"Show all {len(metrics.METRICS)} metrics"
    value = f"{METRICS}={'few' if shows_all else 'all'}"
    return f'<p class="over"><button type="button" data-open="{value}">{says}</button></p>'


def shares_note(edit_map: EditMap, worth: Sequence[MetricShares]) -> str:
    """Return sentences on what a share is, which metrics have sampled shares, and which ones have none."""
    sentences = [
        "A share is what an edit adds to the score, the mean over all orders in which the edits can be made; the "
        "shares of a metric sum to the difference of the scores."
    ]
    if sampled := [each for each in worth if each.sampled]:
        orders = sorted({each.sampled for each in sampled})
        counts = " to ".join([str(n) for n in dict.fromkeys((orders[0], orders[-1]))])
        fewest = [each.metric.label for each in sampled if each.sampled < orders[-1]]
        sentences.append(f"{table.ABOUT} is the mean over {counts} random orders of {len(edit_map.edits)} edits.")
        if fewest:
            sentences.append(f"For {join_words(fewest)} fewer orders were tried, since each takes much work.")
    if waiting := [each.metric.label for each in worth if not each.shares and not each.problem]:
        sentences.append(f"Not computed yet: {join_words(waiting)}.")
    reasons: dict[str, list[str]] = {}
    for each in worth:
        if each.problem:
            reasons.setdefault(each.problem.removeprefix(f"{each.metric.label}: "), []).append(each.metric.label)
    sentences += [f"No shares for {join_words(labels)}: {safe(reason, 300)}" for reason, labels in reasons.items()]
    return " ".join(sentences)
