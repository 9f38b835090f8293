"""The bitext grid: where panels and labels go, and the grid as a plain Plotly figure.

Rows are the candidate's words, columns a reference's words; each reference has a panel. The geometry depends on the
texts alone, so changing the metric never moves the grid. `go.Figure(figure(...))` gives library users a Plotly object.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from metrics.types import Edit, Hit
from viz.draw import theme
from viz.draw.marks import CHANGES, LEVELS, Selection, Shape

LABEL = 16  # longest label, in letters
BESIDE, FULL, PHONE = 724, 1190, 356  # room in pixels: beside the ledger, across the page, on a phone

DIRECT = 130  # words a side up to which a grid is drawn whole

Words = Sequence[str]
Figure = dict[str, Any]


class Window(NamedTuple):
    """A part of one reference's grid: from row `i` and column `j` on, so many rows and columns."""

    k: int
    i: int
    j: int
    rows: int
    columns: int

    def holds(self, cell: Hit) -> bool:
        return cell.k == self.k and 0 <= cell.i - self.i < self.rows and 0 <= cell.j - self.j < self.columns

    def touches(self, shape: Shape) -> bool:
        """Whether some part of a shape's bounding box lies in the window; for what is flat, on its border too."""
        rows, columns = [r for r, _ in shape.points], [c for _, c in shape.points]
        return (
            shape.k == self.k
            and _overlap(min(rows), max(rows), self.i, self.i + self.rows)
            and _overlap(min(columns), max(columns), self.j, self.j + self.columns)
        )


def _overlap(low: float, high: float, start: int, end: int) -> bool:
    return (high > start and low < end) or (low == high and start <= low <= end)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Cells of `cell` pixels; `columns` panels in a row; `beside` if the ledger has room to the right."""

    cell: int
    columns: int
    beside: bool

    @property
    def font(self) -> int:
        return _font(self.cell)


def geometry(candidate: Words, references: Sequence[Words], phone: bool = False) -> Geometry | None:
    """The largest cells that fit, or None where only an overview does.

    Joined beside the ledger from 24 px; else joined across the page from 18; else a grid for each reference, two in a
    row, from 14; else one below the other, down to 9. A phone has one grid below the other, from 13 px, and scrolls.
    """
    count, longest = len(references), max(map(len, references))
    if max(len(candidate), longest) > DIRECT:
        return None
    labels = _Labels.of([candidate], references)
    joined = sum(map(len, references)) + count - 1
    if phone:
        return Geometry(_fit(labels, longest, PHONE, 13, 30) or 13, 1, False)
    if cell := _fit(labels, joined, BESIDE, 24, 36):
        return Geometry(cell, count, True)
    if cell := _fit(labels, joined, FULL, 18, 30):
        return Geometry(cell, count, False)
    if count > 1 and (cell := _fit(labels, longest, FULL // 2 - 12, 14, 30)):
        return Geometry(cell, 2, False)
    # The last few columns of the longest may have to be scrolled to.
    return Geometry(_fit(labels, longest, FULL, 9, 30) or 9, 1, False)


def fit(
    rows: Iterable[Words], references: Sequence[Words], columns: int, room: int, least: int, most: int
) -> int | None:
    """The largest cell from `most` down to `least` pixels with which `columns` columns and the labels fit into `room`.

    `rows` are all the words that may stand at the left, so that several grids can share one size of cells.
    """
    return _fit(_Labels.of(rows, references), columns, room, least, most)


def _fit(labels: _Labels, columns: int, room: int, least: int, most: int) -> int | None:
    for cell in range(most, least - 1, -1):
        if labels.left(cell) + columns * cell + labels.right(cell) <= room:
            return cell
    return None


class _Labels(NamedTuple):
    """How broad the labels are, in narrow letters: the broadest at the left and above, and of the last columns."""

    rows: float
    columns: float
    last: float

    @classmethod
    def of(cls, rows: Iterable[Words], columns: Sequence[Words]) -> _Labels:
        return cls(_broadest(rows), _broadest(columns), _broadest([words[-3:] for words in columns]))

    def angle(self, cell: int) -> int:
        """Labels above stand level if they fit, else at −45° from cells of 20 px, else at −90°."""
        if cell >= _font(cell) * theme.LETTER * self.columns + 6:
            return 0
        return -45 if cell >= 20 else -90

    def left(self, cell: int) -> int:
        return int(14 + self.rows * _font(cell) * theme.LETTER)

    def right(self, cell: int) -> int:
        """Slanted labels of the last columns reach beyond them."""
        return int(8 + self.last * _font(cell) * 0.42) if self.angle(cell) == -45 else 10

    def head(self, cell: int) -> int:
        font, angle = _font(cell), self.angle(cell)
        if angle == 0:
            return font + 12
        return int(self.columns * font * 0.40 + font + 8 if angle == -45 else self.columns * font * theme.LETTER + 10)


def _broadest(lines: Iterable[Words]) -> float:
    return max([theme.breadth(theme.visible(word, LABEL)) for words in lines for word in words] or [1.0])


def _font(cell: int) -> int:
    return int(max(8, min(14, cell * 0.74)))


def _tick(word: str) -> str:
    """A tick label. Plotly reads markup in labels, hence the escaping."""
    return theme.safe(word, LABEL)


def figure(
    candidate: Words,
    references: Sequence[Words],
    drawn: Sequence[Shape],
    geo: Geometry,
    titles: Sequence[str] | None = None,
    window: Window | None = None,
) -> Figure:
    """The grid as a Plotly figure: a dict of data and layout.

    Each reference has a panel with axes of its own, `geo.columns` panels in a row; panels of a single row share the
    candidate's labels and have barriers between them. `titles` stand above the panels. With a `window` only that part
    of one reference's grid is drawn, at the same coordinates.
    """
    whole = [Window(k, 0, 0, len(candidate), len(r)) for k, r in enumerate(references)]
    panels = [window] if window else whole
    joined = len(panels) <= geo.columns
    font, cell = geo.font, geo.cell
    rows = [candidate[p.i : p.i + p.rows] for p in panels]
    columns = [references[p.k][p.j : p.j + p.columns] for p in panels]
    labels = _Labels.of(rows, columns)
    left, right, head, angle = labels.left(cell), labels.right(cell), labels.head(cell), labels.angle(cell)
    title = 24 if len(panels) > 1 else 0
    # Where each panel's cells lie, in pixels: joined side by side, or in columns as broad as their broadest panel.
    boxes: list[tuple[int, int, int, int]] = []
    high = max(panels[0].rows, 1) * cell
    x, y, broadest = left, title + head, max(p.columns for p in panels) * cell
    for number, p in enumerate(panels):
        boxes.append((x, y, max(p.columns, 1) * cell, high))
        if joined:
            x += (p.columns + 1) * cell
        elif (number + 1) % geo.columns:
            x += broadest + right + 12 + left
        else:
            x, y = left, y + high + 18 + title + head
    width = max(b[0] + b[2] for b in boxes) + right
    height = boxes[-1][1] + boxes[-1][3] + 10  # the markers of missing words stand half below the last row
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
        "clickmode": "event+select",
        "annotations": [],
        "shapes": [],
        "meta": {"panels": []},  # read by evidence.js: the reference and the suffix of its axes
    }
    by_panel: dict[int, list[Shape]] = {p.k: [] for p in panels}
    for shape in drawn:
        if shape.k in by_panel and (window is None or window.touches(shape)):
            by_panel[shape.k].append(shape)
    for number, (p, box) in enumerate(zip(panels, boxes, strict=True)):
        suffix = "" if number == 0 else str(number + 1)
        bx, by, wide, high = box
        axis = {
            "zeroline": False,
            "showgrid": False,
            "ticks": "",
            "automargin": False,
            "fixedrange": True,
            "tickfont": {"size": font},
            "ticklabeloverflow": "allow",  # measuring 240 labels, to hide some, took two thirds of the drawing
        }
        slack = 0.03  # half a line's width, or the frame is clipped
        edge = slack * cell
        layout["xaxis" + suffix] = axis | {
            "side": "top",
            "anchor": "y" + suffix,
            "tickangle": angle,
            "range": [p.j - 0.5 - slack, p.j + max(p.columns, 1) - 0.5 + slack],
            "domain": [(bx - edge) / width, (bx + wide + edge) / width],
            "tickvals": list(range(p.j, p.j + len(columns[number]))),
            "ticktext": [_tick(w) for w in columns[number]],
        }
        layout["yaxis" + suffix] = axis | {
            "anchor": "x" + suffix,
            "range": [p.i + max(p.rows, 1) - 0.5 + slack, p.i - 0.5 - slack],
            "domain": [1 - (by + high + edge) / height, 1 - (by - edge) / height],
            "tickvals": list(range(p.i, p.i + len(rows[number]))),
            "ticktext": [_tick(w) for w in rows[number]],
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
        if joined and number:
            layout["shapes"].append(_barrier((bx - cell / 2) / width, 1 - (by + high) / height, 1 - by / height))
        layout["meta"]["panels"].append([p.k, suffix])
        axes = {"xaxis": "x" + suffix, "yaxis": "y" + suffix}
        traces = _lattice(p) + _traces(candidate, references, by_panel[p.k], cell, window)
        data += [trace | axes for trace in traces]
    return {"data": data, "layout": layout}


def _barrier(x: float, bottom: float, top: float) -> dict[str, Any]:
    """The line before a panel that stands beside another: no run goes from one reference into the next."""
    paper = {"xref": "paper", "yref": "paper", "x0": x, "x1": x, "y0": bottom, "y1": top}
    return {"type": "line", "line": {"color": theme.BARRIER, "width": 2}, **paper}


def _lattice(p: Window) -> list[dict[str, Any]]:
    """The lines between cells."""
    top, bottom, start, end = p.i - 0.5, p.i + p.rows - 0.5, p.j - 0.5, p.j + p.columns - 0.5
    xs: list[float | None] = []
    ys: list[float | None] = []
    for row in range(p.rows + 1):
        xs += [start, end, None]
        ys += [top + row, top + row, None]
    for column in range(p.columns + 1):
        xs += [start + column, start + column, None]
        ys += [top, bottom, None]
    return [_line(xs, ys, theme.FAINT, 1)]


def _traces(
    candidate: Words, references: Sequence[Words], drawn: Sequence[Shape], cell: int, window: Window | None
) -> list[dict[str, Any]]:
    """The traces of one panel's shapes, back to front; as few as possible, since each costs time in the browser."""
    out: list[dict[str, Any]] = []
    groups: dict[tuple[Any, ...], list[Shape]] = {}
    for shape in drawn:
        level = shape.level if shape.kind == "line" or shape.role == "shared" else 0
        number = 0 if shape.role == "shared" else shape.number
        groups.setdefault((shape.kind, shape.role, number, shape.dim, level), []).append(shape)
    for (kind, role, number, dim, level), members in groups.items():
        opacity = 0.28 if dim else 1.0
        if kind == "polygon":
            out.append(_polygons(members, role, number, level, opacity))
        elif kind == "line":
            style = {"color": theme.role_colour(role, number), "width": line_width(role, level, cell)}
            if role in DASHED:
                style["dash"] = "5px,3px"
            out.append(_outline(members, close=False) | {"line": style, "opacity": opacity})
        elif kind == "digit":
            if cell >= 12:
                out.append(_digits(members, role, level, max(9, int(cell * 0.48)), max(opacity, 0.5)))
        elif kind in ("plus", "minus"):
            out.append(_signs(candidate, references, members, kind, role, cell, opacity))
        else:
            out.append(_dots(candidate, references, members, kind, role, cell, opacity))
    # Cells that are filled are polygons; only markers can be clicked, so they get clear ones.
    filled = [s for s in drawn if s.kind == "polygon" and s.role in _FILLED]
    if filled:
        out.append(_clear(candidate, references, filled, cell))
    if window:
        for trace in out:
            trace["cliponaxis"] = True
    return out


DASHED = ("arrow", "selected arrow")  # so that a move is not taken for a path


def line_width(role: str, level: int, cell: float) -> float:
    """How thick a line is, in pixels; a thicker one, of the next level, is half as thick again."""
    base = {"extra": 4.0, "missing": 4.0, "selected": 2.5, "moved": 1.2}.get(role, 2.0) * (1 if cell > 14 else 0.75)
    return base + 1.5 * max(0, level - 1) * min(1.0, cell / 20)


_FILLED = ("round", "first", "second", "shared")


def _clear(candidate: Words, references: Sequence[Words], filled: Sequence[Shape], cell: int) -> dict[str, Any]:
    """Clear markers over filled cells, one a cell."""
    says: dict[Hit, str] = {}
    for shape in filled:
        assert shape.cell
        both = shape.role == "second" and shape.cell in says
        says[shape.cell] = "used by both" if both else "used" if shape.role == "round" else shape.says
    look = _Look("rgba(0,0,0,0)", "square", 0.90, 0.0, "used")
    out = _markers(candidate, references, list(says), look, cell, 1.0)
    out["text"] = list(says.values())
    out["hovertemplate"] = out["hovertemplate"].replace("used<extra>", "%{text}<extra>")
    return out


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


class _Look(NamedTuple):
    """A marker's colour, Plotly's name of its symbol, its size in cells, the width of its line, and what it says."""

    colour: str
    symbol: str
    size: float
    line: float
    says: str


_POLYGONS = {  # role → opacity of the filling, width of the line
    "block": (0.16, 1.6),
    "area": (0.22, 1.2),
    "always": (0.0, 1.6),
    "sometimes": (0.3, 0),
    "selected": (0.18, 2.2),
    "selected block": (0.10, 1.8),
}


def _polygons(members: Sequence[Shape], role: str, number: int, level: int, opacity: float) -> dict[str, Any]:
    fill, width = _POLYGONS.get(role, (theme.tint_alpha(level, LEVELS) if level else 1.0, 0))
    colour = theme.role_colour(role, number)
    return _outline(members, close=True) | {
        "fill": "toself",
        "fillcolor": theme.rgba(colour, fill),
        "line": {"color": colour, "width": width},
        "opacity": opacity,
    }


def _digits(members: Sequence[Shape], role: str, level: int, size: int, opacity: float) -> dict[str, Any]:
    # On a pale tint they are written in the page's ink, which is Plotly's own colour there.
    colour = {} if 0 < level < 4 else {"color": theme.VERMILION if role == "selected" else "white"}
    return {
        "type": "scatter",
        "mode": "text",
        "x": [s.points[0][1] - 0.5 for s in members],
        "y": [s.points[0][0] - 0.5 for s in members],
        "text": [str(s.number) for s in members],
        "textfont": {**colour, "size": size},
        "opacity": opacity,
        "hoverinfo": "skip",
    }


# Symbols of one size, so that all look equally large: a diamond and a triangle fill less of their square.
_SYMBOLS = {
    "dot": ("circle", 0.50),
    "diamond": ("diamond", 0.56),
    "hollow": ("diamond-open", 0.56),
    "triangle": ("triangle-up", 0.58),
    "hexagon": ("hexagon", 0.54),
    "cross": ("x", 0.46),
    "ring": ("circle-open", 0.40),
}
_LINES = {("unused", "ring"): 1.5, ("always", "ring"): 1.8, ("both", "ring"): 1.5, ("moved", "hollow"): 1.6}
_SIZES = {("always", "ring"): 0.76, ("both", "ring"): 0.78}
_SAYS = {
    ("used", "dot"): "used",
    ("used", "diamond"): "same stem",
    ("used", "triangle"): "synonym",
    ("used", "hexagon"): "similar word",
    ("substituted", "cross"): "substituted",
    ("unused", "ring"): "match, not used",
    ("always", "ring"): "used, on every best alignment",
    ("both", "ring"): "used by both",
    ("moved", "hollow"): "moved from here",
    ("moved", "diamond"): "moved to here",
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
    """Markers in the middle of cells."""
    symbol, size = _SYMBOLS[kind]
    look = _Look(
        theme.role_colour(role),
        symbol,
        _SIZES.get((role, kind), size),
        _LINES.get((role, kind), 0.0),
        _SAYS.get((role, kind), role),
    )
    cells = [s.cell for s in members if s.cell is not None]
    if kind == "ring":
        opacity = min(1.0, opacity * 1.4)
    out = _markers(candidate, references, cells, look, cell, opacity)
    if role in CHANGES:  # rows are of two candidates, so each cell says itself which words of theirs it has
        several = "reference %{customdata[3]}<br>" if len(references) > 1 else ""
        out["text"] = [s.says for s in members]
        words = "<b>%{customdata[0]}</b> and <b>%{customdata[2]}</b> (%{customdata[6]})<br>"
        out["hovertemplate"] = f"{words}{several}{look.says}<br>%{{text}}<extra></extra>"
    return out


def _markers(
    candidate: Words, references: Sequence[Words], cells: Sequence[Hit], look: _Look, cell: int, opacity: float
) -> dict[str, Any]:
    """Markers, the only things on a figure that can be clicked; `customdata` holds i, k and j + 1 at 4, 5 and 6."""
    several = "reference %{customdata[3]}<br>" if len(references) > 1 else ""
    pairs = "<b>%{customdata[0]}</b> (%{customdata[1]}) %{customdata[7]} <b>%{customdata[2]}</b> (%{customdata[6]})<br>"
    sign = "≠" if look.symbol == "x" else "≈"
    size = cell * look.size
    return {
        "type": "scatter",
        "mode": "markers",
        "name": look.says,
        "x": [c.j for c in cells],
        "y": [c.i for c in cells],
        "opacity": opacity,
        "marker": {
            "size": size if look.symbol == "square" else max(3, min(36 * look.size, round(size, 1))),
            "color": look.colour,
            "symbol": look.symbol,
            "line": {"width": look.line},
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
                "=" if candidate[c.i] == references[c.k][c.j] else sign,
            ]
            for c in cells
        ],
        "hovertemplate": pairs + several + look.says + "<extra></extra>",
    }


def _signs(
    candidate: Words,
    references: Sequence[Words],
    members: Sequence[Shape],
    kind: str,
    role: str,
    cell: int,
    opacity: float,
) -> dict[str, Any]:
    """The markers of words that are extra or missing; `customdata` holds layer and number of the term at 4 and 5."""
    sign = "+" if kind == "plus" else "−"
    says = "extra word" if kind == "plus" else "missing word"
    several = "reference %{customdata[3]}<br>" if len(references) > 1 and kind == "minus" else ""
    size = max(5, min(16, round(cell * 0.46, 1)))
    found = []
    for shape in members:
        assert shape.term
        layer, t, mark = shape.term
        assert isinstance(mark, Edit)
        words = candidate[mark.i_start : mark.i_end] or references[mark.k][mark.j_start : mark.j_end]
        first, count = (mark.i_start, len(words)) if mark.i_end > mark.i_start else (mark.j_start, len(words))
        text, where = theme.safe(" ".join(words[:12]), 80), theme.positions_text(first, count)
        found.append([text, where, says, mark.k + 1, layer, t, 0, sign])
    return {
        "type": "scatter",
        "mode": "markers+text" if cell >= 16 else "markers",
        "name": "selected" if role == "selected" else says,
        "x": [s.points[0][1] - 0.5 for s in members],
        "y": [s.points[0][0] - 0.5 for s in members],
        "text": [sign] * len(members),
        "textfont": {"color": "white", "size": int(size)},
        "opacity": opacity,
        "marker": {"size": size, "color": theme.role_colour(role), "line": {"width": 0}},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": opacity}},
        "cliponaxis": False,
        "customdata": found,
        "hovertemplate": "<b>%{customdata[0]}</b> (%{customdata[1]})<br>" + several + says + "<extra></extra>",
    }


def clicked(point: dict[str, Any]) -> Hit | Selection | None:
    """The cell under a selected point of a figure, or the term of an edit that has no cell; None if there is neither.

    `marks.term_at` takes both.
    """
    data = point.get("customdata")
    if not isinstance(data, list | tuple) or len(data) != 8:
        return None
    if data[7] in ("+", "−"):
        return Selection(int(data[4]), int(data[5]))
    return Hit(int(data[4]), int(data[5]), int(data[6]) - 1)
