"""Draw charts: text lengths as HTML bars, and the overview of a long bitext as a plain Plotly figure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import metrics
from metrics import formula
from metrics.types import Hit, Result

from ..pen import theme
from ..pen.grid import Window
from ..pen.numbers import count_text

# ---------------------------------------------------------------- lengths

BARS_MOST = 5  # up to so many references have a bar each; the lengths of more share one row


def lengths_html(result: Result) -> str:
    """Return bars of the candidate's and the references' lengths, and the penalty for a wrong length, as HTML.

    The result is "" where the metric has no such penalty, or where it is switched off. Bars are small SVG drawings
    whose lengths are attributes, because a fragment has no style of its own. A line marks the length that was used:
    that of the deciding reference, or the mean. The part that the candidate lacks is dotted."""
    penalty = metrics.METRICS[result.metric].length_penalty
    if not penalty or getattr(result.settings, penalty, None) is False:
        return ""
    n, others = len(result.segment.candidate), [len(r) for r in result.segment.references]
    scale = 100 / max(n, *others, 1)
    decides = result.decides.get(penalty, result.decides.get("score"))
    used = others[decides] if decides is not None else math.fsum(others) / len(others)
    short = f'<line class="short" x1="{scale * n:.2f}%" x2="{scale * used:.2f}%" y1="4" y2="4"/>' if used > n else ""
    rows = [_length_row_html("Candidate", f'<rect class="own" width="{scale * n:.2f}%" height="8"/>{short}', str(n))]
    if len(others) <= BARS_MOST:
        for k, m in enumerate(others):
            name = f"Reference {k + 1}" if len(others) > 1 else "Reference"
            rows.append(_length_row_html(name, f'<rect width="{scale * m:.2f}%" height="8"/>', str(m)))
    else:
        places = [f"{scale * m:.2f}%" for m in sorted(set(others))]
        ticks = "".join(f'<line x1="{place}" x2="{place}" y2="8"/>' for place in places)
        rows.append(_length_row_html(f"{len(others)} references", ticks, f"{min(others)}–{max(others)}"))
    length = formula.format_number(used, 2)
    if decides is None:
        against = f"{length}, the mean of the references"
    else:
        against = f"the {length} of {f'reference {decides + 1}' if len(others) > 1 else 'the reference'}"
    says = f"{penalty.replace('_', ' ')} {formula.format_number(result.parts[penalty])}".capitalize()
    why = f"{count_text(n, 'word')} against {against}"
    line = f'<svg class="used"><line x1="{scale * used:.2f}%" x2="{scale * used:.2f}%" y2="100%"/></svg>'
    return (
        f'<div class="len" role="img" aria-label="{says}: {why}"><p><b>{says}</b> {why}</p>'
        f"<div>{''.join(rows)}{line}</div></div>"
    )


def _length_row_html(name: str, bar: str, length: str) -> str:
    return f'<span>{name}</span><svg height="8">{bar}</svg><em>{length}</em>'


# ---------------------------------------------------------------- long texts

Figure = dict[str, Any]


def words_per_square(n: int, m: int) -> int:
    """Return how many words a square of the overview of a long bitext covers, so that a row has at most 90 squares.

    `n` and `m` are the lengths of the candidate and of the reference in words."""
    return max(1, math.ceil(max(n, m) / 90))


def overview_figure(
    n: int, m: int, all_: Mapping[tuple[int, int], int], used: Iterable[Hit], window: Window, room: int = 440
) -> Figure:
    """Return the overview of a long bitext: how many matches and how many used cells lie in each square of words.

    Args:
        n: length of the candidate.
        m: length of the reference.
        all_: number of matches by (row, column) of the square.
        used: used cells of the reference.
        window: part that is shown in detail; it is framed.
        room: size in pixels of the longer side.

    Every square is a marker that can be clicked; its `customdata` starts with its middle row and column."""
    size = room / max(n, m)
    return {
        "data": [_squares(n, m, all_, used, size), _frame(window)],
        "layout": _layout(n, m, max(60, int(m * size)), max(60, int(n * size))),
    }


def _squares(n: int, m: int, all_: Mapping[tuple[int, int], int], used: Iterable[Hit], size: float) -> dict[str, Any]:
    """Return the squares of the overview as Plotly markers; `size` is the pixels of a word."""
    step = words_per_square(n, m)
    used_counts = Counter((hit.i // step, hit.j // step) for hit in used)
    squares = sorted({*all_, *used_counts})
    # Used cells should be easy to find among many matches: a grey square darkens slowly, a blue one is always blue.
    colours = [
        theme.css_rgba(theme.BLUE, min(1.0, 0.45 + 0.55 * used_counts[s] / step))
        if used_counts[s]
        else theme.css_rgba(theme.UNUSED, min(0.7, 0.18 + 0.5 * all_.get(s, 0) / step**2))
        for s in squares
    ]

    def middle(square: int, words: int) -> float:
        return (square * step + min((square + 1) * step, words)) / 2  # the last square may be narrower

    mark = max(2.5, min(14.0, size * step * 0.95))
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "squares",
        "x": [middle(b, m) for _, b in squares],
        "y": [middle(a, n) for a, _ in squares],
        "marker": {"symbol": "square", "size": mark, "color": colours, "line": {"width": 0}},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "customdata": [
            [int(middle(a, n)), int(middle(b, m)), all_.get((a, b), 0), used_counts[a, b]] for a, b in squares
        ],
        "hovertemplate": "words %{customdata[0]} × %{customdata[1]}<br>%{customdata[2]} matches, "
        "%{customdata[3]} used<extra></extra>",
    }


def _frame(window: Window) -> dict[str, Any]:
    """Return the frame around the part that is shown in detail, as a Plotly line."""
    _, row, column, rows, columns = window
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [column, column + columns, column + columns, column, column],
        "y": [row, row, row + rows, row + rows, row],
        "line": {"color": theme.VERMILION, "width": 2},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _layout(n: int, m: int, wide: int, high: int) -> dict[str, Any]:
    """Return the Plotly layout of the overview of `n` × `m` words, whose plot area has `wide` × `high` pixels."""
    axis = {
        "showgrid": True,
        "gridcolor": theme.FAINT,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,
        "tickfont": {"size": 12},
    }
    return {
        "autosize": False,
        "width": wide + 62,
        "height": high + 40,
        "margin": {"l": 50, "r": 12, "t": 32, "b": 8, "autoexpand": False},
        "hovermode": "closest",
        "dragmode": False,
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "clickmode": "event+select",
        "xaxis": axis | {"side": "top", "range": [0, m]},
        "yaxis": axis | {"range": [n, 0]},
    }


def clicked_square(point: object) -> tuple[int, int] | None:
    """Return the row and column, in words, of the middle of a clicked square of the overview.

    None where the event is malformed, because a browser may send anything."""
    data = point.get("customdata") if isinstance(point, dict) else None
    if not isinstance(data, list | tuple) or len(data) != 4 or not all(isinstance(n, int | float) for n in data[:2]):
        return None
    return int(data[0]), int(data[1])
