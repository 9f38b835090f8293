"""What every edit is worth to every metric, as one table whose rows can be chosen and open to what the edit did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from ..compare.scores import DECIMALS, MARKS, Verdict, direction, verdict
from ..pen import theme
from ..pen.placed_shapes import px
from .edit_map import EditMap, Worth
from .merged import PHRASE_MOST, change, change_text

TEXT_ORDER = ""  # the order of the texts, where no metric is sorted by
ROUNDING = 5e-13  # a smaller share is none
TIP_MOST = 60  # words of a phrase in a tip
ABOUT = "≈"  # before a share that is the mean of some orders


class Opened(NamedTuple):
    """What belongs to a row: HTML that is seen while the row is chosen, and the names of cells and of more words that
    are lit with it."""

    inside: str = ""
    cells: Sequence[str] = ()
    words: Sequence[str] = ()


class Says(NamedTuple):
    """What a table says of itself: its caption for screen readers, and the heading and the tip of the column beside the
    shares of the metric that is looked at, in which an edit alone is taken back."""

    caption: str
    back: str = "Without it"
    back_tip: str = "The score with this edit alone taken back"


def tones(edit_map: EditMap, worth: Worth, decimals: int = DECIMALS) -> list[Verdict]:
    """What each row does to the score of a metric; none where the metric has no shares."""
    if not worth.shares:
        return []
    better = worth.metric.higher_is_better
    return [verdict(worth.share(edit_map, row), better, decimals) for row in range(len(edit_map.rows))]


def ordered(edit_map: EditMap, worth: Sequence[Worth], by: str = TEXT_ORDER, worst: bool = False) -> list[int]:
    """The numbers of the rows: as in the texts, or those first that make the metric with the key `by` better, or that
    make it worse."""
    rows = [*range(len(edit_map.rows))]
    sort_worth = next((each for each in worth if each.metric.key == by and each.shares), None)
    if sort_worth:
        # Rounded, so that the same number found in two ways is a tie.
        rows.sort(key=lambda row: round(sort_worth.gain(edit_map, row), 9) * (1 if worst else -1))
    return rows


def table(
    edit_map: EditMap,
    worth: Sequence[Worth],
    says: Says,
    opened: Mapping[int, Opened] | None = None,
    by: str = TEXT_ORDER,
    worst: bool = False,
    decimals: int = DECIMALS,
) -> str:
    """A row for each edit, a column for each metric: the first is the one that is looked at, with the score beside its
    shares that taking the edit back alone would give. The head of a metric sorts. Without edits there is no table.
    """
    if not edit_map.rows:
        return ""
    first = worth[0]
    head = ['<th scope="col" class="what"><button type="button" data-sort="">Edit</button></th>']
    head += [_heading(each, by, worst, each is first) for each in worth]
    head.insert(2, f'<th scope="col" class="num back" title="{escape(says.back_tip)}">{escape(says.back)}</th>')
    largest = [
        max([abs(each.share(edit_map, row)) for row in range(len(edit_map.rows))], default=0.0) if each.shares else 0.0
        for each in worth
    ]
    body = []
    for row in ordered(edit_map, worth, by, worst):
        belongs = (opened or {}).get(row, Opened())
        whole = escape(change_text(edit_map, row, isolated=True, most=TIP_MOST))
        cells = [f'<td class="what" title="{whole}">{change(edit_map, row)}</td>']
        cells += [
            _cell(edit_map, row, each, most, decimals, "first" if each is first else "other")
            for each, most in zip(worth, largest, strict=True)
        ]
        cells.insert(2, _back(edit_map, row, first, decimals))
        names = " ".join(dict.fromkeys([*edit_map.names(row), *belongs.words]))
        body.append(
            f'<tr class="term" data-term="{edit_map.term(row)}" data-cells="{" ".join(belongs.cells)}" '
            f'data-words="{names}" data-tip="{_tip(edit_map, row, first, decimals)}" tabindex="-1" '
            f'aria-selected="false">{"".join(cells)}</tr>'
        )
        if belongs.inside:
            body.append(
                f'<tr class="pieces" data-of="{edit_map.term(row)}"><td colspan="{len(worth) + 2}">'
                f'<div class="marks">{belongs.inside}</div></td></tr>'
            )
    many = " many" if len(edit_map.rows) > ROWS_SEEN else ""
    return (
        f'<div class="terms shares{many}"><table role="grid"><caption class="sr">{escape(says.caption)}</caption>'
        f"<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


ROWS_SEEN = 10  # rows from which on a table scrolls


def _tip(edit_map: EditMap, row: int, worth: Worth, decimals: int) -> str:
    """What is said of an edit that is pointed at in the line."""
    tip = change_text(edit_map, row, isolated=True, most=PHRASE_MOST)
    if worth.shares:
        share, better = worth.share(edit_map, row), worth.metric.higher_is_better
        has_share = abs(share) >= ROUNDING
        about = f"{ABOUT} " if worth.sampled and has_share else ""
        share_text = theme.change_text(share, decimals) if has_share else "0"
        tip += f": {worth.metric.label} {about}{share_text}, {verdict(share, better, decimals)}"
    return escape(tip)


def _heading(worth: Worth, by: str, worst: bool, first: bool) -> str:
    """The head of a metric's column, which sorts by it."""
    sign, direction_text = direction(worth.metric.higher_is_better)
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


def _cell(edit_map: EditMap, row: int, worth: Worth, most: float, decimals: int, look: str) -> str:
    """A share as a number with its sign and as a bar from the middle; the largest bar of a column takes half of it."""
    if not worth.shares:
        tip = f' title="{escape(worth.problem)}"' if worth.problem else ""
        return f'<td class="num {look} none"{tip}>–</td>'
    share = worth.share(edit_map, row)
    tone = verdict(share, worth.metric.higher_is_better, decimals)
    has_share = abs(share) >= ROUNDING
    about = f'<span title="the mean of {worth.sampled} orders">{ABOUT}</span> ' if worth.sampled and has_share else ""
    mark = f'<span class="mark">{MARKS[tone]}</span> ' if MARKS[tone] else ""
    half = 50 * abs(share) / most if most else 0.0
    bar_start = 50 - half if share < 0 else 50
    bar = f'<rect class="{tone}" x="{px(bar_start)}%" width="{px(half)}%" height="100%"/>' if half else ""
    share_text = theme.change_text(share, decimals) if has_share else "0"
    data = f'data-gain="{worth.gain(edit_map, row):.9f}" data-by="{escape(worth.metric.key)}"'
    return (
        f'<td class="num {look} {tone}" {data}>'
        f'{mark}{about}{share_text}<svg class="eb" aria-hidden="true">'
        f'<line x1="50%" x2="50%" y1="0" y2="100%"/>{bar}</svg></td>'
    )


def _back(edit_map: EditMap, row: int, worth: Worth, decimals: int) -> str:
    """The score with an edit alone taken back."""
    if not worth.shares:
        return '<td class="num back none">–</td>'
    return f'<td class="num back">{theme.score_text(worth.back(edit_map, row), decimals)}</td>'
