"""The bitext grid: where panels and labels go, and the grid as a plain Plotly figure.

Rows are the candidate's words, columns a reference's words; each reference has a panel. The geometry depends on the
texts alone, so changing the metric never moves the grid. `go.Figure(figure(...))` gives library users a Plotly object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from metrics.types import Hit

from . import theme
from .marks import Shape

LABEL = 16  # longest label, in letters
BESIDE, FULL, PHONE = 724, 1190, 356  # room in pixels: beside the ledger, across the page, on a phone

Words = Sequence[str]
Figure = dict[str, Any]


class Panel(NamedTuple):
    """The part of a figure that belongs to one reference: its number and its first row and column in the figure."""

    k: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Geometry:
    """Cells of `cell` pixels; `columns` panels in a row; `beside` if the ledger has room to the right."""

    cell: int
    columns: int
    beside: bool

    @property
    def font(self) -> int:
        return int(max(8, min(14, self.cell * 0.74)))


def geometry(candidate: Words, references: Sequence[Words], phone: bool = False) -> Geometry | None:
    """The largest cells that fit, or None where only an overview does.

    Joined beside the ledger from 24 px; else joined across the page from 18; else a grid for each reference, two in a
    row, from 14; one reference goes down to 9. A phone has one grid below the other, from 13 px, and scrolls.
    """
    count = len(references)
    longest = [max(references, key=len)]
    if phone:
        if max(len(candidate), len(longest[0])) > 120:
            return None
        return Geometry(_fit(candidate, longest, PHONE, 13, 30) or 13, 1, False)
    if cell := _fit(candidate, references, BESIDE, 24, 36):
        return Geometry(cell, count, True)
    if cell := _fit(candidate, references, FULL, 18, 30):
        return Geometry(cell, count, False)
    if count > 1 and (cell := _fit(candidate, longest, FULL // 2 - 12, 14, 30)):
        return Geometry(cell, 2, False)
    if len(candidate) <= 120 and (cell := _fit(candidate, longest, FULL, 9, 30)):
        return Geometry(cell, 1, False)
    return None


def _fit(candidate: Words, references: Sequence[Words], room: int, least: int, most: int) -> int | None:
    columns = sum(map(len, references)) + len(references) - 1
    for cell in range(most, least - 1, -1):
        font = int(max(8, min(14, cell * 0.74)))
        if _left(candidate, font) + columns * cell + 44 <= room:
            return cell
    return None


def _left(candidate: Words, font: int) -> int:
    return int(14 + _longest(candidate) * font * theme.LETTER)


def _longest(words: Words) -> float:
    return max([theme.breadth(theme.visible(w, LABEL)) for w in words] or [1.0])


def _tick(word: str) -> str:
    """A tick label. Plotly reads markup in labels, hence the escaping; an isolate keeps right-to-left words whole."""
    return theme.safe(word, LABEL)


def panels(candidate: Words, references: Sequence[Words], columns: int) -> list[Panel]:
    """The panels of all references, `columns` in a row, a cell of space (the barrier) between neighbours."""
    width = max(map(len, references)) + 1
    out, column = [], 0
    for k, reference in enumerate(references):
        if columns >= len(references):  # one row: each panel as broad as its reference
            out.append(Panel(k, 0, column))
            column += len(reference) + 1
        else:
            out.append(Panel(k, (k // columns) * (len(candidate) + 1), (k % columns) * width))
    return out


def figure(
    candidate: Words,
    references: Sequence[Words],
    drawn: Sequence[Shape],
    geo: Geometry,
    *,
    clickable: bool = True,
    titles: Sequence[str] | None = None,
) -> Figure:
    """The grid as a Plotly figure: a dict of data and layout.

    With `geo.columns` smaller than the number of references the panels stand in rows; each panel has axes of its own,
    so that labels are right everywhere. `titles` stand above the panels.
    """
    placed = panels(candidate, references, geo.columns)
    rows = [p for p in placed if p.column == 0]
    joined = len(rows) == 1
    font, cell = geo.font, geo.cell
    left = _left(candidate, font)
    words_above = [w for r in references for w in r]
    level = cell >= font * theme.LETTER * _longest(words_above) + 6
    angle = 0 if level else -45 if cell >= 20 else -90
    head = _head(words_above, font, angle)
    title = 24 if len(references) > 1 else 0
    last = max([theme.breadth(theme.visible(w, LABEL)) for r in references for w in r[-3:]] or [1.0])
    right = 10 if angle != -45 else int(8 + last * font * 0.42)
    # Everything in pixels first: panels in a row share the candidate's labels only where they are joined.
    boxes, x, y, row_height = [], left, 0, 0
    for p in placed:
        if not joined and p.column == 0:
            x, y = left, y + row_height
        elif not joined:
            x += left
        wide, high = max(len(references[p.k]), 1) * cell, max(len(candidate), 1) * cell
        boxes.append((x, y + title + head, wide, high))
        x += wide + (cell if joined else right + 12)
        row_height = title + head + high + (0 if joined else 18)
    width = max(b[0] + b[2] for b in boxes) + right
    height = boxes[-1][1] + boxes[-1][3] + 6
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {
        "autosize": False,
        "width": width,
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 4, "autoexpand": False},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "hoverdistance": max(6, cell // 2),
        "dragmode": False,
        "showlegend": False,
        "uirevision": "grid",
        "clickmode": "event+select" if clickable else "event",
        "annotations": [],
        "meta": {"panels": []},  # read by evidence.js: reference, first row and column, axis
    }
    by_panel: dict[int, list[Shape]] = {p.k: [] for p in placed}
    for shape in drawn:
        if shape.k in by_panel:
            by_panel[shape.k].append(shape)
    for number, (p, box) in enumerate(zip(placed, boxes, strict=True)):
        reference, suffix = references[p.k], "" if number == 0 else str(number + 1)
        bx, by, wide, high = box
        axis = {
            "zeroline": False,
            "showgrid": False,
            "ticks": "",
            "automargin": False,
            "fixedrange": True,
            "tickfont": {"size": font},
            "showspikes": True,
            "spikemode": "across",
            "spikethickness": 1,
            "spikedash": "solid",
            "spikecolor": theme.GREY,
            "spikesnap": "hovered data",
        }
        slack = 0.03  # half a line's width, or the frame is clipped
        edge = slack * cell
        layout["xaxis" + suffix] = axis | {
            "side": "top",
            "anchor": "y" + suffix,
            "tickangle": angle,
            "range": [-0.5 - slack, max(len(reference), 1) - 0.5 + slack],
            "domain": [(bx - edge) / width, (bx + wide + edge) / width],
            "tickvals": list(range(len(reference))),
            "ticktext": [_tick(w) for w in reference],
        }
        layout["yaxis" + suffix] = axis | {
            "anchor": "x" + suffix,
            "range": [max(len(candidate), 1) - 0.5 + slack, -0.5 - slack],
            "domain": [1 - (by + high + edge) / height, 1 - (by - edge) / height],
            "tickvals": list(range(len(candidate))),
            "ticktext": [_tick(w) for w in candidate],
            "showticklabels": not joined or number == 0,
        }
        if title:
            name = titles[p.k] if titles else f"Reference {p.k + 1}"
            layout["annotations"].append(
                {
                    "text": name if wide > 84 else name.replace("Reference", "Ref."),
                    "x": bx / width,
                    "xref": "paper",
                    "xanchor": "left",
                    "y": 1 - (by - head) / height,
                    "yref": "paper",
                    "yanchor": "bottom",
                    "showarrow": False,
                    "font": {"size": 13},
                }
            )
        layout["meta"]["panels"].append([p.k, 0, 0, suffix])
        axes = {"xaxis": "x" + suffix, "yaxis": "y" + suffix}
        for trace in _traces(candidate, references, p.k, by_panel[p.k], cell, number > 0 and joined):
            data.append(trace | axes)
    return {"data": data, "layout": layout}


def _head(words: Words, font: int, angle: int) -> int:
    longest = _longest(words)
    if angle == 0:
        return font + 12
    return int(longest * font * 0.40 + font + 8) if angle == -45 else int(longest * font * theme.LETTER + 10)


def _traces(
    candidate: Words, references: Sequence[Words], k: int, drawn: Sequence[Shape], cell: int, barrier: bool
) -> list[dict[str, Any]]:
    """The traces of one panel, back to front; as few as possible, since each costs time in the browser."""
    reference = references[k]
    n, m = len(candidate), len(reference)
    out: list[dict[str, Any]] = []
    if n and m:  # transparent, but hovering it draws the cross-hair to both words
        clear = [[0, "rgba(0,0,0,0)"], [1, "rgba(0,0,0,0)"]]
        hover = "%{y} × %{x}<extra></extra>"
        out.append(
            {"type": "heatmap", "z": [[0] * m] * n, "colorscale": clear, "showscale": False, "hovertemplate": hover}
        )
    xs: list[float | None] = []
    ys: list[float | None] = []
    for i in range(n + 1):
        xs += [-0.5, m - 0.5, None]
        ys += [i - 0.5, i - 0.5, None]
    for j in range(m + 1):
        xs += [j - 0.5, j - 0.5, None]
        ys += [-0.5, n - 0.5, None]
    out.append(_line(xs, ys, theme.FAINT, 1))
    if barrier:
        out.append(_line([-1, -1], [-0.5, n - 0.5], theme.BARRIER, 2))
    groups: dict[tuple[Any, ...], list[Shape]] = {}
    for shape in drawn:
        groups.setdefault((shape.kind, shape.role, shape.number, shape.dim), []).append(shape)
    clicks: list[Hit] = []
    for (kind, role, number, dim), members in groups.items():
        opacity = 0.28 if dim else 1.0
        if kind == "polygon":
            out.append(_polygons(members, role, number, opacity))
            if role == "round":
                clicks += [s.cell for s in members if s.cell]
        elif kind == "line":
            colour = theme.VERMILION if role == "selected" else theme.round_colour(number) if number else theme.BLUE
            width = 2 if cell > 14 else 1.5
            out.append(_outline(members, close=False) | {"line": {"color": colour, "width": width}, "opacity": opacity})
        elif kind == "digit":
            if cell >= 12:
                out.append(_digits(members, role, max(9, int(cell * 0.48)), max(opacity, 0.5)))
        else:
            out.append(_dots(candidate, references, members, kind, role, cell, opacity))
    if clicks:
        out.append(_dots(candidate, references, [_click(c) for c in clicks], "dot", "round", cell, 1.0))
    return out


def _click(cell: Hit) -> Shape:
    return Shape("dot", "round", cell.k, ((cell.i + 0.5, cell.j + 0.5),), cell)


def _line(xs: Sequence[float | None], ys: Sequence[float | None], colour: str, width: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(xs),
        "y": list(ys),
        "line": {"color": colour, "width": width},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _outline(members: Sequence[Shape], close: bool) -> dict[str, Any]:
    """All outlines as one trace, None between them."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for shape in members:
        points = (*shape.points, shape.points[0]) if close else shape.points
        xs += [*(round(c - 0.5, 3) for _, c in points), None]
        ys += [*(round(r - 0.5, 3) for r, _ in points), None]
    return {"type": "scatter", "mode": "lines", "x": xs, "y": ys, "hoverinfo": "skip", "cliponaxis": False}


_POLYGONS = {  # role → colour, opacity of the filling, width of the line
    "block": (theme.BLUE, 0.16, 1.6),
    "area": (theme.OCHRE, 0.22, 1.2),
    "selected": (theme.VERMILION, 0.18, 2.2),
    "selected block": (theme.VERMILION, 0.10, 1.8),
}


def _polygons(members: Sequence[Shape], role: str, number: int, opacity: float) -> dict[str, Any]:
    colour, fill, width = _POLYGONS.get(role, (theme.round_colour(max(number, 1)), 1.0, 0))
    return _outline(members, close=True) | {
        "fill": "toself",
        "fillcolor": theme.rgba(colour, fill),
        "line": {"color": colour, "width": width},
        "opacity": opacity,
    }


def _digits(members: Sequence[Shape], role: str, size: int, opacity: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "text",
        "x": [s.points[0][1] - 0.5 for s in members],
        "y": [s.points[0][0] - 0.5 for s in members],
        "text": [str(s.number) for s in members],
        "textfont": {"color": theme.VERMILION if role == "selected" else "white", "size": size},
        "opacity": opacity,
        "hoverinfo": "skip",
    }


_DOTS = {  # role → colour, symbol, size in cells, width of the line, what it says
    "used": (theme.BLUE, "circle", 0.50, 0.0, "used"),
    "unused": (theme.GREY, "circle-open", 0.40, 1.5, "match, not used"),
    "round": ("rgba(0,0,0,0)", "square", 0.90, 0.0, "used"),
    "selected": (theme.VERMILION, "circle", 0.50, 0.0, "selected"),
}


def _dots(
    candidate: Words,
    references: Sequence[Words],
    members: Sequence[Shape],
    kind: str,
    role: str,
    cell: int,
    opacity: float,
) -> dict[str, Any]:
    """Markers, the only things on a figure that can be clicked; `customdata` ends with i, k, j."""
    colour, symbol, size, line, says = _DOTS[role]
    cells = [s.cell for s in members if s.cell is not None]
    several = "reference %{customdata[3]}<br>" if len(references) > 1 else ""
    pairs = "<b>%{customdata[0]}</b> (%{customdata[1]}) = <b>%{customdata[2]}</b> (%{customdata[6]})<br>"
    if kind == "ring":
        opacity = min(1.0, opacity * 1.4)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": says,
        "x": [c.j for c in cells],
        "y": [c.i for c in cells],
        "opacity": opacity,
        "marker": {
            "size": max(3, min(18, round(cell * size, 1))) if role != "round" else cell * size,
            "color": colour,
            "symbol": symbol,
            "line": {"width": line},
        },
        # Plotly would fade what is not selected; the server draws the selection.
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": opacity}},
        "customdata": [
            [
                theme.safe(candidate[c.i]),
                c.i + 1,
                theme.safe(references[c.k][c.j]),
                c.k + 1,
                *(c.i, c.k),
                c.j + 1,
            ]
            for c in cells
        ],
        "hovertemplate": pairs + several + says + "<extra></extra>",
    }


def clicked(point: dict[str, Any]) -> Hit | None:
    """The cell under a selected point of a figure, None if the point carries none."""
    data = point.get("customdata")
    if not isinstance(data, list | tuple) or len(data) != 7:
        return None
    return Hit(int(data[4]), int(data[5]), int(data[6]) - 1)
