"""Figures that are not grids: lengths as bars, skip-bigrams as arcs over the candidate, the overview of a bitext."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import metrics
from metrics import formula
from metrics.alignment.meteor_chunks import crossings as count_crossings
from metrics.types import Hit, Result, SkipBigram
from viz.draw import theme
from viz.draw.crossings import crossings
from viz.draw.grid import Figure, Window
from viz.draw.marks import Selection

ARCS_MOST = 700  # arcs and crossings beyond which they are only a blot
LINES_MOST = 130  # aligned words likewise
Words = Sequence[str]


# ---------------------------------------------------------------- lengths

BARS_MOST = 5  # references that have a bar of their own; the lengths of more stand in one row


def lengths(result: Result) -> str:
    """The candidate's length beside the references' and what the penalty on it takes, as HTML; "" without a penalty.

    Bars are small drawings, whose lengths are attributes: a fragment has no style of its own. A line marks the length
    that was used: that of the reference that decides, or the mean. What the candidate is short of it is dotted.
    """
    metric = metrics.METRICS[result.metric]
    penalty = metric.length_penalty
    if not penalty:
        return ""
    used = next(value for name, value in result.stats.items() if metric.role(name).kind == "reference length")
    n, others = len(result.segment.candidate), [len(r) for r in result.segment.references]
    scale = 100 / max(n, *others, 1)
    decides = result.decides.get(penalty, result.decides.get("score"))
    short = f'<line class="short" x1="{scale * n:.2f}%" x2="{scale * used:.2f}%" y1="4" y2="4"/>' if used > n else ""
    rows = [_length_row("Candidate", f'<rect class="own" width="{scale * n:.2f}%" height="8"/>{short}', str(n))]
    if len(others) <= BARS_MOST:
        for k, m in enumerate(others):
            name = f"Reference {k + 1}" if len(others) > 1 else "Reference"
            rows.append(_length_row(name, f'<rect width="{scale * m:.2f}%" height="8"/>', str(m)))
    else:
        places = [f"{scale * m:.2f}%" for m in sorted(set(others))]
        ticks = "".join(f'<line x1="{place}" x2="{place}" y2="8"/>' for place in places)
        rows.append(_length_row(f"{len(others)} references", ticks, f"{min(others)}–{max(others)}"))
    length = formula.shown(used, 2)
    if decides is None or others[decides] != used:
        against = f"{length}, the mean of the references"
    else:
        against = f"the {length} of {f'reference {decides + 1}' if len(others) > 1 else 'the reference'}"
    says = f"{penalty.replace('_', ' ')} {formula.shown(result.parts[penalty])}".capitalize()
    why = f"{theme.plural(n, 'word')} against {against}"
    line = f'<svg class="used"><line x1="{scale * used:.2f}%" x2="{scale * used:.2f}%" y2="100%"/></svg>'
    return (
        f'<div class="len" role="img" aria-label="{says}: {why}"><p><b>{says}</b> {why}</p>'
        f"<div>{''.join(rows)}{line}</div></div>"
    )


def _length_row(name: str, bar: str, length: str) -> str:
    return f'<span>{name}</span><svg height="8">{bar}</svg><em>{length}</em>'


# ---------------------------------------------------------------- skip-bigrams


def has_arcs(result: Result) -> bool:
    """Whether a result has pairs of words, few enough to be drawn as arcs or as crossings."""
    if _has_chunks(result):
        hits = [(hit.i, hit.j) for hit in result.cells()]
        return 1 < len(hits) <= LINES_MOST and count_crossings(hits) <= ARCS_MOST
    pairs = sum(len(layer.marks) for layer in result.layers if layer.marks and isinstance(layer.marks[0], SkipBigram))
    return 0 < pairs <= ARCS_MOST


def has_crossings(result: Result) -> bool:
    """Whether a result is about word order, so that crossing lines show it better than arcs."""
    return _has_chunks(result) or any("discordant" in layer.statistics for layer in result.layers)


def _has_chunks(result: Result) -> bool:
    return any("chunks" in layer.statistics for layer in result.layers)


def drawn_first(result: Result) -> str:
    """Which picture of a result comes first: chunks and the stages of matches are easier to see on a grid."""
    return "Grid" if _has_chunks(result) else "Arcs"


def arcs(
    candidate: Words,
    result: Result,
    chosen: Selection | None = None,
    room: int = 724,
    max_skip: int | None = None,
    references: Sequence[Words] | None = None,
) -> Figure:
    """Skip-bigrams as arcs over the candidate's words: shared pairs solid, pairs that the reference lacks dotted.

    `max_skip` limits the dotted pairs to the window of the metric; they are left out where they would be too many.
    A marker on top of each arc can be clicked; its `customdata` ends with layer and index. Pairs that are about word
    order are drawn as `crossings`, which has the words of `references` too.
    """
    if has_crossings(result):
        return crossings(candidate, references or result.segment.references, result, chosen, room)
    n = len(candidate)
    shared: dict[tuple[int, int], tuple[int, int]] = {}
    for number, layer in enumerate(result.layers):
        for t, mark in enumerate(layer.marks):
            if isinstance(mark, SkipBigram):
                shared.setdefault((mark.first.i, mark.second.i), (number, t))
    reach = n if max_skip is None else max_skip + 1
    others = [p for p in combinations(range(n), 2) if p not in shared and p[1] - p[0] <= reach]
    if len(others) + len(shared) > ARCS_MOST // 2:
        others = []
    # A pair that several references share is one arc, whichever of its terms is chosen.
    term = chosen.of(result) if chosen else None
    picked = [(term.mark.first.i, term.mark.second.i)] if term and isinstance(term.mark, SkipBigram) else []
    rest = [p for p in shared if p not in picked]
    unit = min(96.0, max(24.0, (room - 60) / max(1, n - 1)))
    span = max([b - a for a, b in (*shared, *others)] or [1])
    high = min(230, 40 + 24 * span)
    level = unit > 9 + theme.LETTER * 14 * max([theme.breadth(theme.visible(w, 16)) for w in candidate] or [1])
    foot = 30 if level else 18 + int(0.45 * 14 * max(theme.breadth(theme.visible(w, 16)) for w in candidate))
    data: list[dict[str, Any]] = []
    for pairs, says, colour, width, dash in (
        (others, "not in the reference", theme.GREY, 1.0, "dot"),
        (rest, "shared pair", theme.BLUE, 2.0, "solid"),
        (picked, "selected", theme.VERMILION, 3.2, "solid"),
    ):
        if not pairs:
            continue
        opacity = 0.28 if picked and pairs is not picked else 1.0
        xs: list[float | None] = []
        ys: list[float | None] = []
        for a, b in pairs:
            for s in range(33):
                angle = math.pi * s / 32
                xs.append(round((a + b) / 2 - (b - a) / 2 * math.cos(angle), 3))
                ys.append(round((b - a) / span * math.sin(angle), 3))
            xs.append(None)
            ys.append(None)
        line = {"color": colour, "width": width, "dash": dash}
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": xs,
                "y": ys,
                "line": line,
                "opacity": opacity,
                "hoverinfo": "skip",
            }
        )
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": says,
                "x": [(a + b) / 2 for a, b in pairs],
                "y": [(b - a) / span for a, b in pairs],
                "opacity": opacity,
                "marker": {"size": 9 if pairs is not others else 4, "color": colour},
                "selected": {"marker": {"opacity": 1}},
                "unselected": {"marker": {"opacity": opacity}},
                "customdata": [
                    [theme.safe(candidate[a]), theme.safe(candidate[b]), b - a - 1, *shared.get((a, b), (-1, -1))]
                    for a, b in pairs
                ],
                "hovertemplate": "<b>%{customdata[0]} … %{customdata[1]}</b><br>%{customdata[2]} between, "
                + says
                + "<extra></extra>",
            }
        )
    return {
        "data": data,
        "layout": {
            "autosize": False,
            "width": int(unit * max(n - 1, 1) + 110),
            "height": int(high + foot + 14),
            "margin": {"l": 55, "r": 55, "t": 14, "b": foot, "autoexpand": False},
            "hovermode": "closest",
            "dragmode": False,
            "showlegend": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "clickmode": "event+select",
            "xaxis": {
                "tickvals": list(range(n)),
                "ticktext": [theme.safe(w, 16) for w in candidate],
                "range": [-0.06, max(n - 1, 1) + 0.06],
                "showgrid": False,
                "zeroline": False,
                "fixedrange": True,
                "automargin": False,
                "ticks": "",
                "tickangle": 0 if level else -45,
                "tickfont": {"size": 14 if unit > 36 else 11},
                "ticklabeloverflow": "allow",
            },
            "yaxis": {"visible": False, "range": [-0.01, 1.06], "fixedrange": True},
        },
    }


def clicked_arc(point: dict[str, Any]) -> Selection | None:
    """The term under a selected point of `arcs`, None for a pair that the reference lacks and for a word."""
    data = point.get("customdata")
    if not isinstance(data, list | tuple) or len(data) != 5 or data[3] < 0:
        return None
    return Selection(int(data[3]), int(data[4]))


def overview_step(n: int, m: int) -> int:
    """Words a side of a square of `overview`: such that at most 90 squares lie in a row."""
    return max(1, math.ceil(max(n, m) / 90))


def overview(
    n: int, m: int, all_: Mapping[tuple[int, int], int], used: Iterable[Hit], window: Window, room: int = 440
) -> Figure:
    """A long bitext seen from afar: how many matches and how many used cells lie in each square of words.

    `n` and `m` are the lengths of the candidate and of the reference shown, `all_` counts the matches by square,
    `used` are cells of that reference; `window` is the part shown in detail, framed. Every square is a marker that can
    be clicked; `customdata` starts with its middle row and column.
    """
    step = overview_step(n, m)
    taken = Counter((hit.i // step, hit.j // step) for hit in used)
    squares = sorted({*all_, *taken})
    size = room / max(n, m)
    mark = max(2.5, min(14.0, size * step * 0.95))
    # The eye should find the used cells among many matches: a grey square darkens slowly, a blue one is always blue.
    colours = [
        theme.rgba(theme.BLUE, min(1.0, 0.45 + 0.55 * taken[s] / step))
        if taken[s]
        else theme.rgba(theme.GREY, min(0.7, 0.18 + 0.5 * all_.get(s, 0) / step**2))
        for s in squares
    ]

    def middle(square: int, words: int) -> float:
        return (square * step + min((square + 1) * step, words)) / 2  # the last square may be narrower

    _, row, column, rows, columns = window
    frame = {
        "type": "scatter",
        "mode": "lines",
        "x": [column, column + columns, column + columns, column, column],
        "y": [row, row, row + rows, row + rows, row],
        "line": {"color": theme.VERMILION, "width": 2},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "squares",
            "x": [middle(b, m) for _, b in squares],
            "y": [middle(a, n) for a, _ in squares],
            "marker": {"symbol": "square", "size": mark, "color": colours, "line": {"width": 0}},
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
            "customdata": [
                [int(middle(a, n)), int(middle(b, m)), all_.get((a, b), 0), taken[a, b]] for a, b in squares
            ],
            "hovertemplate": "words %{customdata[0]} × %{customdata[1]}<br>%{customdata[2]} matches, "
            "%{customdata[3]} used<extra></extra>",
        },
        frame,
    ]
    axis = {
        "showgrid": True,
        "gridcolor": theme.FAINT,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,
        "tickfont": {"size": 12},
    }
    wide, high = max(60, int(m * size)), max(60, int(n * size))
    return {
        "data": data,
        "layout": {
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
        },
    }


def clicked_square(point: dict[str, Any]) -> tuple[int, int] | None:
    """The middle row and column of a clicked square of `overview`."""
    data = point.get("customdata")
    return (int(data[0]), int(data[1])) if isinstance(data, list | tuple) and len(data) == 4 else None
