"""The edits between two outputs as one piece of HTML: the merged line, the table of what each edit is worth, and below
them the words, the grid of the difference and on demand those of A and B, in which a chosen edit is lit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import metrics
from metrics.types import Hit

from ..compare import comparison
from ..compare.comparison import OutputPair
from ..compare.differences import GridRoom
from ..evidence.fragment import root
from ..pen import theme
from ..pen.grid import Window
from . import merged, table
from .edit_map import EditMap, Worth
from .table import Opened, Says
from .verdict import listed

SAYS = Says(
    "Edits from A to B and what each is worth to every metric; choose one to see what it did",
    "Without it",
    "B's score with this edit alone taken back, which is no share: a share is the mean over all orders of the edits",
)
METRICS = "metrics"  # what a button asks for: "metrics=all", or "metrics=few"
NO_EDIT = "There is no edit: both outputs have the same words."


def fragment(
    pair: OutputPair,
    edit_map: EditMap,
    worth: Sequence[Worth],
    opened: Mapping[int, Opened],
    hits: Sequence[Sequence[Hit]],
    room: GridRoom,
    part: Window | None = None,
    by: str = "",
    worst: bool = False,
    all_rows: bool | None = None,
) -> str:
    """The view for a page with so much room; `worth` begins with the metric of the pair, `opened` is what belongs to
    rows. `hits` are all matches of A's and of B's grid, of long texts those in the window of the difference, `part`."""
    fit = comparison.layout(pair, room, part, all_rows is False)
    could = comparison.layout(pair, room, part, True) if all_rows else fit
    button = comparison.rows_button(pair, could, all_rows is True)
    strips = f'<div class="words">{comparison.words(pair, hits, part)}</div>'
    figure = f'<div class="figure">{comparison.difference(pair, hits, fit, part, button)}</div>'
    grids_html = f'<div class="own">{comparison.own_grids(pair, hits, fit, part)}</div>'
    if part:  # columns take all the room
        frame = f'{strips}<div class="frame pair">{figure}</div>{grids_html}'
    else:
        frame = f'<div class="frame pair beside">{figure}<div class="side">{strips}</div></div>{grids_html}'
    return root(pair.before.metric, edits(pair, edit_map, worth, opened, by, worst, all_rows is not None) + frame)


def edits(
    pair: OutputPair,
    edit_map: EditMap,
    worth: Sequence[Worth],
    opened: Mapping[int, Opened] | None = None,
    by: str = "",
    worst: bool = False,
    asks: bool = False,
) -> str:
    """The merged line and the table, and where somebody listens the button that `asks` for other metrics."""
    a, b = (f"<bdi>{theme.safe(name)}</bdi>" for name in pair.names)
    label = f"<b><del>{a}</del> <ins>{b}</ins></b>"
    line = merged.line(edit_map, label, table.tones(edit_map, worth[0], pair.decimals))
    if not edit_map.rows:
        return f'<div class="edits">{line}<p class="note">{NO_EDIT}</p></div>'
    shares = table.table(edit_map, worth, SAYS, opened, by, worst, pair.decimals)
    more = _metrics_button(worth) if asks else ""
    return f'<div class="edits">{line}{shares}{more}<p class="note">{note(edit_map, worth)}</p></div>'


def _metrics_button(worth: Sequence[Worth]) -> str:
    """The button that asks for all metrics, or for few of them where all are there."""
    shows_all = len(worth) == len(metrics.METRICS)
    says = "Show fewer metrics" if shows_all else f"Show all {len(metrics.METRICS)} metrics"
    value = f"{METRICS}={'few' if shows_all else 'all'}"
    return f'<p class="over"><button type="button" data-open="{value}">{says}</button></p>'


def note(edit_map: EditMap, worth: Sequence[Worth]) -> str:
    """What a share is, which of them are sampled, and what is missing, in plain words."""
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
            sentences.append(f"Of {listed(fewest)} fewer orders were made, since each takes much work.")
    if waiting := [each.metric.label for each in worth if not each.shares and not each.problem]:
        sentences.append(f"Not looked for yet: {listed(waiting)}.")
    reasons: dict[str, list[str]] = {}
    for each in worth:
        if each.problem:
            reasons.setdefault(each.problem.removeprefix(f"{each.metric.label}: "), []).append(each.metric.label)
    sentences += [f"{listed(labels)} cannot say it: {theme.safe(reason, 300)}" for reason, labels in reasons.items()]
    return " ".join(sentences)
