"""Draw the table of what every edit adds to the score by every metric; a selected row shows what its edit did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from ..compare.scores import DECIMALS, MARKS, Verdict, better_direction, verdict
from ..pen.numbers import change_text, score_text
from ..pen.placed_shapes import px
from .edit_map import EditMap, MetricShares
from .merged import PHRASE_MOST, row_html, row_text

TEXT_ORDER = ""  # the sort key for the order of the texts
ROUNDING = 5e-13  # smaller shares are rounding errors and count as 0
TIP_MOST = 60  # how many words of a phrase a tooltip shows
ABOUT = "≈"  # in front of a share that is the mean over a sample of orders


class RowDetails(NamedTuple):
    """The details that a selected row of the table shows, and what is highlighted with it.

    Attributes:
        inside: HTML that is visible while the row is selected.
        cells: names of cells that are highlighted with it.
        words: names of further words that are highlighted with it."""

    inside: str = ""
    cells: Sequence[str] = ()
    words: Sequence[str] = ()


class TableTexts(NamedTuple):
    """The texts that differ between the tables of edits of two pages.

    Attributes:
        caption: caption for screen readers.
        back: heading of the column with the score when one edit alone is undone.
        back_tip: tooltip of this heading."""

    caption: str
    back: str = "Score if undone"
    back_tip: str = "The score if only this edit is undone"


def row_tones(edit_map: EditMap, worth: MetricShares, decimals: int = DECIMALS) -> list[Verdict]:
    """Return for each row of edits whether it makes the score better or worse; empty while shares are unknown."""
    if not worth.shares:
        return []
    better = worth.metric.higher_is_better
    return [verdict(worth.share(edit_map, row), better, decimals) for row in range(len(edit_map.rows))]


def ordered_rows(
    edit_map: EditMap, worth: Sequence[MetricShares], by: str = TEXT_ORDER, worst: bool = False
) -> list[int]:
    """Return the indices of the rows of edits, sorted.

    `by` is the key of the metric by whose gain they are sorted, the largest gain first, or with `worst` the smallest.
    Without such a metric they are in the order of the texts."""
    rows = [*range(len(edit_map.rows))]
    sort_worth = next((each for each in worth if each.metric.key == by and each.shares), None)
    if sort_worth:
        # Rounded, so that equal gains tie even if they were computed in different ways.
        rows.sort(key=lambda row: round(sort_worth.gain(edit_map, row), 9) * (1 if worst else -1))
    return rows


def table(
    edit_map: EditMap,
    worth: Sequence[MetricShares],
    says: TableTexts,
    opened: Mapping[int, RowDetails] | None = None,
    by: str = TEXT_ORDER,
    worst: bool = False,
    decimals: int = DECIMALS,
) -> str:
    """Return the table as HTML, with a row for each edit and a column for each metric; "" without edits.

    The heading of a metric sorts the table.

    Args:
        worth: the shares by each metric; next to those of the first one is the score when one edit alone is undone.
        says: caption and headings.
        opened: the details that a selected row shows, by index of the row.
        by: key of the metric that rows are sorted by, or "" for the order of the texts.
        worst: whether the worst row comes first.
        decimals: decimals of shares and scores."""
    if not edit_map.rows:
        return ""
    first = worth[0]
    head = ['<th scope="col" class="what"><button type="button" data-sort="">Edit</button></th>']
    head += [_heading_html(each, by, worst, each is first) for each in worth]
    head.insert(2, f'<th scope="col" class="num back" title="{escape(says.back_tip)}">{escape(says.back)}</th>')
    largest = [
        max([abs(each.share(edit_map, row)) for row in range(len(edit_map.rows))], default=0.0) if each.shares else 0.0
        for each in worth
    ]
    body = []
    for row in ordered_rows(edit_map, worth, by, worst):
        belongs = (opened or {}).get(row, RowDetails())
        whole = escape(row_text(edit_map, row, isolated=True, most=TIP_MOST))
        cells = [f'<td class="what" title="{whole}">{row_html(edit_map, row)}</td>']
        cells += [
            _share_cell_html(edit_map, row, each, most, decimals, "first" if each is first else "other")
            for each, most in zip(worth, largest, strict=True)
        ]
        cells.insert(2, _undone_score_cell_html(edit_map, row, first, decimals))
        names = " ".join(dict.fromkeys([*edit_map.word_names(row), *belongs.words]))
        body.append(
            f'<tr class="term" data-term="{edit_map.row_name(row)}" data-cells="{" ".join(belongs.cells)}" '
            f'data-words="{names}" data-tip="{_tooltip(edit_map, row, first, decimals)}" tabindex="-1" '
            f'aria-selected="false">{"".join(cells)}</tr>'
        )
        if belongs.inside:
            body.append(
                f'<tr class="pieces" data-of="{edit_map.row_name(row)}"><td colspan="{len(worth) + 2}">'
                f'<div class="marks">{belongs.inside}</div></td></tr>'
            )
    many = " many" if len(edit_map.rows) > ROWS_SEEN else ""
    return (
        f'<div class="terms shares{many}"><table role="grid"><caption class="sr">{escape(says.caption)}</caption>'
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


ROWS_SEEN = 10  # a table with more rows scrolls


def _tooltip(edit_map: EditMap, row: int, worth: MetricShares, decimals: int) -> str:
    """Return the tooltip of a row's edit in the merged line: what it is and its share."""
    tip = row_text(edit_map, row, isolated=True, most=PHRASE_MOST)
    if worth.shares:
        share, better = worth.share(edit_map, row), worth.metric.higher_is_better
        has_share = abs(share) >= ROUNDING
        about = f"{ABOUT} " if worth.sampled and has_share else ""
        share_text = change_text(share, decimals) if has_share else "0"
        tip += f": {worth.metric.label} {about}{share_text}, {verdict(share, better, decimals)}"
    return escape(tip)


def _heading_html(worth: MetricShares, by: str, worst: bool, first: bool) -> str:
    """Return the heading of a metric's column, a button that sorts by it; `by` and `worst` are the present order."""
    sign, direction_text = better_direction(worth.metric.higher_is_better)
    lower = (
        ""
        if worth.metric.higher_is_better
        else f' <span aria-label="{direction_text}" title="{direction_text}">{sign}</span>'
    )
    sorts = ("ascending" if worst else "descending") if worth.metric.key == by else "none"
    look = "num first" if first else "num other"
    label = escape(worth.metric.label)
    return (
        f'<th scope="col" class="{look}" aria-sort="{sorts}">'
        f'<button type="button" data-sort="{escape(worth.metric.key)}">{label}{lower}</button></th>'
    )


def _share_cell_html(
    edit_map: EditMap, row: int, worth: MetricShares, largest_share: float, decimals: int, look: str
) -> str:
    """Return a cell with a row's share: a signed number, and a bar from the middle.

    The bar of `largest_share`, the largest share of the column, fills half of the cell. `look` is a CSS class."""
    if not worth.shares:
        tip = f' title="{escape(worth.problem)}"' if worth.problem else ""
        return f'<td class="num {look} none"{tip}>–</td>'
    share = worth.share(edit_map, row)
    tone = verdict(share, worth.metric.higher_is_better, decimals)
    has_share = abs(share) >= ROUNDING
    about = f'<span title="the mean of {worth.sampled} orders">{ABOUT}</span> ' if worth.sampled and has_share else ""
    mark = f'<span class="mark">{MARKS[tone]}</span> ' if MARKS[tone] else ""
    half = 50 * abs(share) / largest_share if largest_share else 0.0
    bar_start = 50 - half if share < 0 else 50
    bar = f'<rect class="{tone}" x="{px(bar_start)}%" width="{px(half)}%" height="100%"/>' if half else ""
    share_text = change_text(share, decimals) if has_share else "0"
    data = f'data-gain="{worth.gain(edit_map, row):.9f}" data-by="{escape(worth.metric.key)}"'
    return (
        f'<td class="num {look} {tone}" {data}>'
        f'{mark}{about}{share_text}<svg class="eb" aria-hidden="true">'
        f'<line x1="50%" x2="50%" y1="0" y2="100%"/>{bar}</svg></td>'
    )


def _undone_score_cell_html(edit_map: EditMap, row: int, worth: MetricShares, decimals: int) -> str:
    """Return the cell with the score when the edits of one row alone are undone."""
    if not worth.shares:
        return '<td class="num back none">–</td>'
    return f'<td class="num back">{score_text(worth.score_without(edit_map, row), decimals)}</td>'
