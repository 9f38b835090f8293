"""Word order as a figure: lines from the candidate's words to the reference's, and the crossings among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from metrics.types import Hit, Relation, Result, Run, SkipBigram
from viz.draw import theme
from viz.draw.grid import Figure
from viz.draw.marks import Selection, uses

Words = Sequence[str]
DASHES: dict[Relation, str] = {"equal": "solid", "stem": "dash", "synonym": "dot", "similar": "dash"}
NAMES: dict[Relation, str] = {
    "equal": "aligned words",
    "stem": "same stem",
    "synonym": "synonyms",
    "similar": "similar words",
}
BAND = 0.3  # how far the band of a chunk reaches beyond its first and last word


class _Pair(NamedTuple):
    """A pair of hits with its term's layer and number, −1 where it is no term."""

    hits: SkipBigram
    layer: int
    t: int

    def crosses(self) -> bool:
        return self.hits.second.j <= self.hits.first.j


class _Rows:
    """Where the words stand: both sentences as broad as the longer one, the candidate at 1 and the reference at 0."""

    def __init__(self, candidate: Words, reference: Words) -> None:
        self.candidate, self.reference = candidate, reference
        self.breadth = max(len(candidate), len(reference), 2) - 1

    def place(self, position: int, sentence: Words) -> float:
        if len(sentence) < 2:
            return self.breadth / 2
        return round(self.breadth * position / (len(sentence) - 1), 3)

    def ends(self, hit: Hit) -> tuple[float, float]:
        """Where the line of a hit starts at the candidate and ends at the reference."""
        return self.place(hit.i, self.candidate), self.place(hit.j, self.reference)

    def crossing(self, pair: _Pair) -> tuple[float, float]:
        """The point in which the lines of a pair cross; they may meet in a word that both have."""
        (a, a_end), (b, b_end) = self.ends(pair.hits.first), self.ends(pair.hits.second)
        down = (b - a) / (b - a + a_end - b_end)
        return round(a + down * (a_end - a), 3), round(1 - down, 3)


def crossings(
    candidate: Words, references: Sequence[Words], result: Result, chosen: Selection | None = None, room: int = 724
) -> Figure:
    """The candidate's words above, the reference's below, a line for each aligned word: words in another order cross.

    Every crossing and every end of a line has a marker that can be clicked; its `customdata` ends with layer and index,
    −1 where there is no term. Chunks of several words lie on bands. The lines of a chosen term are vermilion, whether
    they cross or not.
    """
    used = uses(result)
    hits = sorted(used)
    rows = _Rows(candidate, references[hits[0].k] if hits else ())
    term = chosen.of(result) if chosen else None
    pairs, says = _crossing_pairs(result, hits)
    picked = [pair for pair in pairs if term and (pair.layer, pair.t) == term[:2]]
    ends = [*term.mark.cells()] if term else []
    faint = 0.28 if ends else 1.0
    own = {mark: (n, t) for n, each in enumerate(result.layers) for t, mark in enumerate(each.marks)}
    chunks = [m for each in result.layers for m in each.marks if isinstance(m, Run) and m.length > 1]
    data = _bands(rows, [chunk for chunk in chunks if not term or chunk != term.mark], "chunk", faint)
    data += _bands(rows, [chunk for chunk in chunks if term and chunk == term.mark], "selected", 1.0)
    of_relation: dict[Relation, list[Hit]] = {relation: [] for relation in DASHES}
    for hit in hits:
        of_relation[used[hit].relation].append(hit)
    for relation, each in of_relation.items():
        data += _threads(rows, [hit for hit in each if hit not in ends], relation, own, "", faint)
    data += _knots(rows, [pair for pair in pairs if pair not in picked], says, faint)
    for relation, each in of_relation.items():
        data += _threads(rows, [hit for hit in each if hit in ends], relation, own, "selected", 1.0)
    data += _knots(rows, [pair for pair in picked if pair.crosses()], "selected", 1.0)
    return {"data": data, "layout": _layout(rows, room)}


def _crossing_pairs(result: Result, hits: Sequence[Hit]) -> tuple[list[_Pair], str]:
    """The pairs of lines that cross, and what they are called; the metric's own pairs where it has any."""
    pairs = [
        _Pair(mark, layer, t)
        for layer, each in enumerate(result.layers)
        for t, mark in enumerate(each.marks)
        if isinstance(mark, SkipBigram)
    ]
    if pairs:
        return [pair for pair in pairs if pair.crosses()], "discordant pair"
    return [_Pair(SkipBigram(a, b), -1, -1) for a, b in combinations(hits, 2) if b.j < a.j], "crossing"


def _bands(rows: _Rows, chunks: Sequence[Run], says: str, opacity: float) -> list[dict[str, Any]]:
    """A band under the lines of each chunk."""
    if not chunks:
        return []
    xs: list[float | None] = []
    ys: list[float | None] = []
    for run in chunks:
        (a, a_end), (b, b_end) = (rows.ends(hit) for hit in (run.cells()[0], run.cells()[-1]))
        xs += [a - BAND, b + BAND, b_end + BAND, a_end - BAND, a - BAND, None]
        ys += [1, 1, 0, 0, 1, None]
    colour = theme.VERMILION if says == "selected" else theme.BLUE
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": says,
            "x": xs,
            "y": ys,
            "fill": "toself",
            "fillcolor": theme.rgba(colour, 0.14),
            "line": {"width": 1, "color": theme.rgba(colour, 0.4)},
            "opacity": opacity,
            "cliponaxis": False,
            "hoverinfo": "skip",
        }
    ]


def _threads(
    rows: _Rows, hits: Sequence[Hit], relation: Relation, own: Mapping[Any, tuple[int, int]], says: str, opacity: float
) -> list[dict[str, Any]]:
    """The lines of aligned words, and the dots at their ends; `own` are the terms that are one aligned word each."""
    if not hits:
        return []
    colour = theme.VERMILION if says == "selected" else theme.BLUE
    places = [rows.ends(hit) for hit in hits]
    words = [
        [theme.safe(rows.candidate[hit.i]), hit.i + 1, theme.safe(rows.reference[hit.j]), *own.get(hit, (-1, -1))]
        for hit in hits
    ]
    lines = {
        "type": "scatter",
        "mode": "lines",
        "name": says or NAMES[relation],
        "x": [x for a, b in places for x in (a, b, None)],
        "y": [1, 0, None] * len(hits),
        "line": {"color": colour, "width": 3.2 if says == "selected" else 2.0, "dash": DASHES[relation]},
        "opacity": opacity,
        "hoverinfo": "skip",
    }
    dots = {
        "type": "scatter",
        "mode": "markers",
        "x": [x for place in places for x in place],
        "y": [1, 0] * len(hits),
        "xaxis": "x2",
        "opacity": opacity,
        "marker": {"size": 8, "color": colour},
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": opacity}},
        "cliponaxis": False,
        "customdata": [data for data in words for _ in range(2)],
        "hovertemplate": "<b>%{customdata[0]}</b> (%{customdata[1]}) "
        f"{'=' if relation == 'equal' else '≈'} <b>%{{customdata[2]}}</b><extra></extra>",
    }
    return [lines, dots]


def _knots(rows: _Rows, pairs: Iterable[_Pair], says: str, opacity: float) -> list[dict[str, Any]]:
    """The markers on crossings."""
    points = [(rows.crossing(pair), pair) for pair in pairs]
    if not points:
        return []
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": says,
            "x": [x for (x, _), _ in points],
            "y": [y for (_, y), _ in points],
            "opacity": opacity,
            "marker": {"size": 10, "symbol": "x", "color": theme.VERMILION if says == "selected" else theme.MAUVE},
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": opacity}},
            "cliponaxis": False,
            "customdata": [
                [theme.safe(rows.candidate[a.i]), theme.safe(rows.candidate[b.i]), b.i - a.i - 1, layer, t]
                for _, ((a, b), layer, t) in points
            ],
            "hovertemplate": "<b>%{customdata[0]} … %{customdata[1]}</b><br>the other way round in the reference"
            "<extra></extra>",
        }
    ]


def _layout(rows: _Rows, room: int) -> dict[str, Any]:
    unit = min(96.0, max(24.0, (room - 110) / rows.breadth))
    head, head_level = _labels(rows.candidate, unit)
    foot, foot_level = _labels(rows.reference, unit)
    side = 55
    axis = {
        "range": [-0.06, rows.breadth + 0.06],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,
        "ticks": "",
        "tickfont": {"size": 14 if unit > 36 else 11},
        "ticklabeloverflow": "allow",
    }
    high = min(260, 90 + 14 * rows.breadth)
    return {
        "autosize": False,
        "width": int(unit * rows.breadth + 2 * side),
        "height": int(head + high + foot),
        "margin": {"l": side, "r": side, "t": head, "b": foot, "autoexpand": False},
        "hovermode": "closest",
        "dragmode": False,
        "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "clickmode": "event+select",
        "xaxis": axis | _ticks(rows, rows.reference) | {"tickangle": 0 if foot_level else -45},
        "xaxis2": axis
        | _ticks(rows, rows.candidate)
        | {"tickangle": 0 if head_level else -45, "side": "top", "overlaying": "x"},
        "yaxis": {"visible": False, "range": [-0.06, 1.06], "fixedrange": True},
    }


def _ticks(rows: _Rows, sentence: Words) -> dict[str, Any]:
    return {
        "tickvals": [rows.place(position, sentence) for position in range(len(sentence))],
        "ticktext": [theme.safe(word, 16) for word in sentence],
    }


def _labels(sentence: Words, unit: float) -> tuple[int, bool]:
    """The height that labels need, and whether they stand level."""
    broadest = max([theme.breadth(theme.visible(word, 16)) for word in sentence] or [1.0])
    level = unit > 9 + theme.LETTER * 14 * broadest
    return (30 if level else 18 + int(0.45 * 14 * broadest)), level
