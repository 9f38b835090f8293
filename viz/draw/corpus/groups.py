"""Draw the scores of groups of segments, by length or by document, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.groups import score_group
from metrics.corpus.resampling import Interval
from metrics.corpus.table import StatisticsTable

from ..pen.numbers import count_text
from ..pen.text import LETTER, label_width, visible
from . import axes

#: Number of groups by length.
LENGTHS = 6
#: How many documents have a line of their own.
DOCUMENTS_MOST = 24
DECIMALS = 4
ROW = 22  # height of a document's line


class SegmentGroup(NamedTuple):
    """Segments with something in common, and the scores of A and B on them.

    Attributes:
        name: what the segments have in common: a range of lengths, or a document.
        tell: event that a click sends to open the segments.
        size: number of segments.
        scores: corpus scores of A and of B on the segments.
        intervals: intervals of the two scores.
        delta: interval of B's score minus A's."""

    name: str
    tell: str
    size: int
    scores: tuple[float, float]
    intervals: tuple[Interval, Interval]
    delta: Interval

    @property
    def excludes_zero(self) -> bool:
        """Return whether this group's interval of the difference excludes 0; False for a single segment."""
        return self.size > 1 and (self.delta.low > 0 or self.delta.high < 0)


def length_ranges(lengths: NDArray[np.float64], groups: int = LENGTHS) -> list[tuple[int, int]]:
    """Return the smallest and the largest length of each of `groups` groups with about as many segments each.

    Segments of the same length are in the same group.

    >>> length_ranges(np.array([1.0, 2.0, 3.0, 4.0, 4.0, 9.0]), 3)
    [(1, 2), (3, 4), (9, 9)]
    """
    ordered = np.sort(lengths).astype(int)
    if not len(ordered):
        return []
    out: list[tuple[int, int]] = []
    start = 0
    while start < len(ordered):
        size = max(1, round((len(ordered) - start) / max(1, groups - len(out))))
        end = int(np.searchsorted(ordered, ordered[min(len(ordered), start + size) - 1], side="right"))
        out.append((int(ordered[start]), int(ordered[end - 1])))
        start = end
    return out


def groups_by_length(
    table: StatisticsTable,
    systems: tuple[int, int],
    lengths: NDArray[np.float64],
    numbers: NDArray[np.intp],
    tell: Callable[..., str],
) -> list[SegmentGroup]:
    """Return the segments with the indices `numbers`, grouped by length, with the scores of two systems on each group.

    `lengths` has the length of every segment of the table, in words. `tell` makes the event that opens a group from its
    shortest and longest length (`low` and `high`)."""
    of_each = lengths[numbers]
    length_groups = []
    for low, high in length_ranges(of_each):
        inside = numbers[(of_each >= low) & (of_each <= high)]
        name = f"{low}" if low == high else f"{low}–{high}"
        length_groups.append(
            SegmentGroup(name, tell(low=low, high=high), len(inside), *score_group(table, *systems, inside))
        )
    return length_groups


def scores_by_length_chart(
    groups: Sequence[SegmentGroup], metric: str, higher_is_better: bool, names: tuple[str, str], of: str
) -> str:
    """Return the chart of A's and B's scores by the length of the reference, as HTML; a group opens its segments.

    `metric` is the label of the metric, `names` are those of A and B, and `of` says which segments these are."""
    ends = [end for group in groups for each in group.intervals for end in each]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = (high - low) * 0.08 or 0.1
    scale = axes.y_scale(low - room, high + room)
    out = [axes.y_axis(scale, metric)]
    broad = (axes.WIDE - axes.RIGHT - axes.LEFT) / max(1, len(groups))
    foot = axes.HIGH - axes.BOTTOM
    for n, group in enumerate(groups):
        x = axes.LEFT + (n + 0.5) * broad
        inside = axes.rect(x - broad / 2, axes.TOP, broad, foot - axes.TOP, "reach")
        for side, kind in enumerate(("first", "second")):
            at = x + (side - 0.5) * min(24.0, broad / 3)
            low_end, high_end = map(scale.position, group.intervals[side])
            inside += axes.line(at, low_end, at, high_end, f"whisker {kind}")
            inside += _score_mark_svg(at, scale.position(group.scores[side]), kind)
        out.append(axes.clickable(group.tell, f"{_describe_group(group, names)}{axes.OPENS}", inside))
        out.append(axes.text(x, foot + 15, group.name, "tick"))
        out.append(axes.text(x, foot + 31, f"{group.size:,}", "tick faint"))
    out.append(axes.text((axes.LEFT + axes.WIDE - axes.RIGHT) / 2, axes.HIGH + 12, "Words of the reference", "axis"))
    out.append(_legend_svg(names))
    clear = [group for group in groups if group.excludes_zero]
    title = f"{metric} by length"
    if len(groups) > 1:
        title += ": " + _clear_groups_text(clear, len(groups), higher_is_better, names)
    note = "Lines: 95 % intervals. Below each group: its lengths and number of segments. Click a group to open them."
    return axes.chart("lengths", title, of, "".join(out), note, high=axes.HIGH + 18)


def _clear_groups_text(
    clear: Sequence[SegmentGroup], groups: int, higher_is_better: bool, names: tuple[str, str]
) -> str:
    """Return as text in how many groups each system is better by more than chance.

    `clear` are the groups whose interval of the difference excludes 0, and `groups` is the number of all groups."""
    if not clear:
        return "no interval of Δ excludes 0"
    better = [sum((group.delta.low > 0) == (higher_is_better == bool(side)) for group in clear) for side in (0, 1)]
    phrases = [f"{names[side]} better in {better[side]}" for side in (1, 0) if better[side]]
    return f"{' and '.join(phrases)} of {groups} groups, by intervals of Δ that exclude 0"


def differences_by_document_chart(
    groups: Sequence[SegmentGroup], metric: str, higher_is_better: bool, names: tuple[str, str], of: str
) -> str:
    """Return the chart of B's score minus A's in each document as HTML, the best for B first.

    A line opens the segments of its document.

    Where there are many documents, only those at both ends are drawn. `metric` is the label of the metric, `names` are
    those of A and B, and `of` says which segments these are."""
    ordered = sorted(groups, key=lambda group: group.scores[0] - group.scores[1])
    if not higher_is_better:
        ordered.reverse()
    half = DOCUMENTS_MOST // 2
    shown_groups = ordered if len(ordered) <= DOCUMENTS_MOST else [*ordered[:half], *ordered[-half:]]
    most = max([abs(end) for group in shown_groups for end in group.delta], default=0.0) * 1.05 or 1.0
    left_edge, right = 168.0, axes.WIDE - axes.RIGHT
    scale = axes.AxisScale(-most, most, left_edge, right)
    high = 34 + ROW * len(shown_groups)
    out = []
    for value in axes.ticks(-most, most, 4):
        out.append(axes.line(scale.position(value), 24, scale.position(value), high, "zero" if value == 0 else "grid"))
        out.append(axes.text(scale.position(value), 16, axes.signed_tick_text(value), "tick"))
    for n, group in enumerate(shown_groups):
        y = 34 + (n + 0.5) * ROW
        delta = group.scores[1] - group.scores[0]
        tone = "same" if delta == 0 else "better" if (delta > 0) == higher_is_better else "worse"
        sure = "" if group.excludes_zero else " open"
        inside = axes.rect(0, y - ROW / 2, axes.WIDE, ROW, "reach")
        inside += axes.text(left_edge - 8, y + 4, f"{visible(group.name, 18)} ({group.size:,})", "tick", "end")
        inside += axes.line(scale.position(group.delta.low), y, scale.position(group.delta.high), y, f"whisker {tone}")
        inside += f'<circle cx="{scale.position(delta):.1f}" cy="{y:.1f}" r="4.5" class="spot {tone}{sure}"/>'
        out.append(axes.clickable(group.tell, f"{_describe_group(group, names)}{axes.OPENS}", inside))
    title = f"Δ {metric} by document, {names[1]} minus {names[0]}"
    note = "Lines: 95 % intervals; hollow unless they exclude 0. Click a document to open its segments."
    if len(shown_groups) < len(groups):
        note = f"The {half} best and the {half} worst of {len(groups):,} documents. {note}"
    return axes.chart("documents", title, of, "".join(out), note, high=high + 6)


def _describe_group(group: SegmentGroup, names: tuple[str, str]) -> str:
    ends = [f" ({low:.3f} to {high:.3f})" if group.size > 1 else "" for low, high in group.intervals]
    scores = ", ".join([f"{name} {score:.3f}{end}" for name, score, end in zip(names, group.scores, ends, strict=True)])
    return f"{group.name}: {count_text(group.size, 'segment')}, {scores}"


def _score_mark_svg(x: float, y: float, kind: str) -> str:
    if kind == "first":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="spot first open"/>'
    return f'<rect x="{x - 4.2:.1f}" y="{y - 4.2:.1f}" width="8.4" height="8.4" class="spot second"/>'


def _legend_svg(names: tuple[str, str]) -> str:
    out, x = "", float(axes.WIDE - axes.RIGHT)
    for kind, name in (("second", names[1]), ("first", names[0])):
        visible_name = visible(name, 22)
        out += axes.text(x, 12, visible_name, "said", "end")
        x -= label_width(visible_name) * 12.5 * LETTER + 12
        out += _score_mark_svg(x, 8, kind)
        x -= 18
    return out
