"""One result as files: SVG, TikZ, a web page, JSON. CSV is `ledger.csv_text`.

The pictures are written from `marks.shapes`, as the figure on screen is, so a saved picture shows the same evidence.
Every file carries the signature. Words are written by two functions only, `theme.safe` for XML and `_tex` for TeX.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

import metrics
from metrics import formula
from metrics.text import Token
from metrics.types import Hit, Result

from . import cache, grid, ledger, marks, theme, words
from .inputs import Texts
from .marks import Kind, Point, Selection, Shape

MOST_WORDS, MOST_HITS = 250, 40_000  # what a picture can hold: words of a sentence, and matches
HOVER_LIMIT, MOST_ROWS = 600, 5_000  # what a page can hold: words with hover rules, and rows of its table
MOST_HEIGHT = 16_000  # pixels; TeX counts no further
ROOM, NARROW = 1400, 780  # pixels: across a picture, and up to which a page has the formula at its right
LEAST_FONT = 7  # pixels; smaller labels are left out and positions take their place
TICK, CAPTION = 9, 11  # pixels: positions, and the signature
PAPER, INK, LINES = "#FFFFFF", "#1F1E1C", "#808080"

Words = Sequence[str]
Side = Literal["left", "right", "centre"]


# ---------------------------------------------------------------- the picture, in pixels


class Box(NamedTuple):
    """The cells of reference `k`: the top left corner in pixels, and how many rows and columns there are."""

    k: int
    x: float
    y: float
    rows: int
    columns: int


class Label(NamedTuple):
    """A word beside the grid, `turn` degrees anticlockwise. `side` of the text is at (x, y), centred in height.

    `name` is the word's class, `c3` or `r0_4`.
    """

    text: str
    x: float
    y: float
    side: Side
    turn: int = 0
    name: str = ""


class Ink(NamedTuple):
    """How a shape is coloured: the opacity of its filling (0: none) and the width of its line (0: none)."""

    colour: str
    fill: float
    line: float


class Drawn(NamedTuple):
    """A shape in pixels; `size` is a radius or a type size, `text` what a digit says, `name` its classes."""

    kind: Kind
    points: tuple[Point, ...]
    size: float
    text: str
    name: str


class Group(NamedTuple):
    """Shapes of one look."""

    ink: Ink
    opacity: float
    members: list[Drawn]


class Key(NamedTuple):
    """An entry of the legend."""

    ink: Ink
    sample: Drawn
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn, in pixels, for a writer to put into its format."""

    title: str
    signature: str
    width: float
    height: float  # without the caption
    cell: int
    font: int
    joined: bool
    boxes: list[Box]
    labels: list[Label]
    headings: list[Label]
    groups: list[Group]
    key: list[Key]


_INKS = {
    "block": Ink(theme.BLUE, 0.16, 1.6),
    "area": Ink(theme.OCHRE, 0.22, 1.2),
    "link": Ink(theme.BLUE, 0, 2),
    "path": Ink(theme.BLUE, 0, 2),
    "used": Ink(theme.BLUE, 1, 0),
    "unused": Ink(theme.GREY, 0, 1.5),
    "selected block": Ink(theme.VERMILION, 0.10, 1.8),
}
_SELECTED: dict[Kind, Ink] = {
    "polygon": Ink(theme.VERMILION, 0.18, 2.2),
    "line": Ink(theme.VERMILION, 0, 2),
    "dot": Ink(theme.VERMILION, 1, 0),
}
_KEYS = {
    "block": "run as a block",
    "area": "neighbours as two triangles",
    "link": "run",
    "path": "path, in order",
    "used": "match, used",
    "round": "round",
    "unused": "match, not used",
    "selected": "selected term",
}


def _ink(shape: Shape) -> Ink:
    if shape.kind == "digit":
        return Ink(INK if shape.dim else PAPER, 1, 0)
    if shape.role == "selected":
        # A round's cell is filled, so that its digit is read on vermilion and not on the round's faint colour.
        return _SELECTED["dot" if shape.number and shape.kind == "polygon" else shape.kind]
    if shape.role == "round":
        return Ink(theme.round_colour(shape.number), 1, 0)
    ink = _INKS[shape.role]
    return ink._replace(colour=theme.round_colour(shape.number)) if shape.number else ink


def _picture(texts: Texts, result: Result, chosen: Selection | None, rounds: int | None) -> Picture:
    """The picture of a result. Raises ValueError with one sentence for the user where it would be too large."""
    candidate, references = texts.candidate_words, texts.reference_words
    _check(texts)
    shapes = marks.shapes(result, cache.hits(texts.segment), chosen, rounds)
    geo = grid.geometry(candidate, references)
    longest = max(len(candidate), *map(len, references))
    cell = geo.cell if geo else max(4, min(8, ROOM // longest))
    columns = geo.columns if geo else 1
    font = geo.font if geo else int(cell * 0.74)
    if font < LEAST_FONT:
        font = 0
    layout = _Layout(candidate, references, cell, columns, font)
    if layout.height > MOST_HEIGHT:
        raise ValueError(
            f"The picture would be {layout.height:,.0f} pixels high, more than the {MOST_HEIGHT:,} that fit; "
            "choose a part of the texts"
        )
    boxes = {box.k: box for box in layout.boxes}
    groups: dict[tuple[Any, ...], Group] = {}
    for shape in shapes:
        look = (shape.kind, shape.role, shape.number, shape.dim)
        if look not in groups:
            faint = 0.5 if shape.kind == "digit" else 0.28  # digits stay readable
            groups[look] = Group(_thin(_ink(shape), cell), faint if shape.dim else 1, [])
        groups[look].members.append(_drawn(shape, boxes[shape.k], cell))
    metric = metrics.METRICS[result.metric]
    key = _key(shapes)
    return Picture(
        f"{metric.label} {theme.score_text(result.score)}",
        result.signature(texts.settings.signature()),
        max(layout.width, 420),
        layout.height,
        cell,
        font,
        layout.joined,
        layout.boxes,
        layout.labels,
        layout.headings,
        list(groups.values()),
        key,
    )


def _check(texts: Texts) -> None:
    """ValueError if a picture cannot hold the texts."""
    named = [("The candidate", texts.candidate), *((f"Reference {k + 1}", r) for k, r in enumerate(texts.references))]
    for name, sentence in named:
        if len(sentence) > MOST_WORDS:
            raise ValueError(
                f"{name} has {len(sentence):,} words, {len(sentence) - MOST_WORDS:,} more than the {MOST_WORDS} that "
                "a picture can hold; choose a part of the texts"
            )
    candidate = Counter(texts.segment.candidate)
    count = sum(candidate[form] for reference in texts.segment.references for form in reference)
    if count > MOST_HITS:
        raise ValueError(
            f"The grid has {count:,} matches, {count - MOST_HITS:,} more than the {MOST_HITS:,} that a picture can "
            "hold; choose a part of the texts"
        )


def _thin(ink: Ink, cell: float) -> Ink:
    """Thinner lines for small cells."""
    return ink._replace(line=round(ink.line * max(0.4, min(1.0, cell / 14)), 2))


def _drawn(shape: Shape, box: Box, cell: float) -> Drawn:
    points = tuple([(box.x + column * cell, box.y + row * cell) for row, column in shape.points])
    name = f"{shape.kind} {shape.role.replace(' ', '-')}"
    if shape.cell:
        name += f" x{shape.cell.i}_{shape.cell.k}_{shape.cell.j}"
    size = {"dot": min(9.0, cell * 0.25), "ring": min(7.5, cell * 0.2), "digit": cell * 0.48}.get(shape.kind, 0.0)
    return Drawn(shape.kind, points, size, str(shape.number) if shape.kind == "digit" else "", name)


def _key(shapes: Sequence[Shape]) -> list[Key]:
    """The legend: an entry for each look among the shapes; samples lie in a square of 12 pixels.

    A round's path has the round's colour, and needs no entry.
    """
    present: dict[tuple[str, int], Shape] = {}
    for shape in shapes:
        number = shape.number if shape.role == "round" else 0
        of_round = shape.role == "path" and shape.number
        if shape.role in _KEYS and shape.kind != "digit" and not of_round:
            present.setdefault((shape.role, number), shape)
    order = list(_KEYS)
    samples: dict[Kind, tuple[Point, ...]] = {
        "polygon": ((0, 0), (12, 0), (12, 12), (0, 12)),
        "line": ((0, 6), (12, 6)),
    }
    out = []
    for (role, number), shape in sorted(present.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        if role == "selected":
            shape = shape._replace(kind="polygon")
        points = ((0.0, 0.0), (12.0, 12.0), (0.0, 12.0)) if role == "area" else samples.get(shape.kind, ((6, 6),))
        text = f"{_KEYS[role]} {number}" if number else _KEYS[role]
        out.append(Key(_ink(shape), Drawn(shape.kind, points, 5, "", "key"), text))
    return out


class _Layout:
    """Where boxes and labels go. Panels in one row are joined: they share the candidate's words at the left.

    Without a `font` words have no room, and every tenth position is written instead.
    """

    def __init__(self, candidate: Words, references: Sequence[Words], cell: int, columns: int, font: int) -> None:
        self.cell, self.font = cell, font
        self.joined = columns >= len(references)
        self.boxes: list[Box] = []
        self.labels: list[Label] = []
        self.headings: list[Label] = []
        above = max([_room(r, font) for r in references])
        self.turn = 0 if not font or above + 6 <= cell else 45 if cell >= 20 else 90
        head = {0: (font or TICK) + 10, 45: above * 0.72 + font * 0.6 + 10, 90: above + 12}[self.turn]
        left = _room(candidate, font) + 12
        title = 22 if len(references) > 1 else 0
        broad = [len(r) * cell + (_over(r, cell, font) if self.turn == 45 else 0) for r in references]
        y = 6.0
        for first in range(0, len(references), columns):
            x, y = left, y + title + head
            for k in range(first, min(first + columns, len(references))):
                box = Box(k, x, y, len(candidate), len(references[k]))
                self.boxes.append(box)
                if title:
                    self.headings.append(Label(f"Reference {k + 1}", x, y - head - 10, "left"))
                self._write_above(box, references[k])
                if k == first or not self.joined:
                    self._write_beside(box, candidate)
                x += (len(references[k]) + 1) * cell if self.joined else max(broad) + 20 + left
            y += len(candidate) * cell + 14
        self.width = max(box.x + broad[box.k] for box in self.boxes) + 8
        self.height = y

    def _write_above(self, box: Box, reference: Words) -> None:
        y = box.y - (7 if self.turn else 5 + (self.font or TICK) / 2)
        for j, text in _written(reference, self.font):
            x = box.x + (j + 0.5) * self.cell
            name = f"r{box.k}_{j}" if self.font else ""
            self.labels.append(Label(text, x, y, "left" if self.turn else "centre", self.turn, name))

    def _write_beside(self, box: Box, candidate: Words) -> None:
        for i, text in _written(candidate, self.font):
            y = box.y + (i + 0.5) * self.cell
            self.labels.append(Label(text, box.x - 6, y, "right", 0, f"c{i}" if self.font else ""))


def _written(sentence: Words, font: int) -> list[tuple[int, str]]:
    """What stands beside the grid: positions from 0 with words, or every tenth with its number."""
    if font:
        return list(enumerate(sentence))
    return [(n, str(n + 1)) for n in range(9, len(sentence), 10)]


def _room(sentence: Words, font: int) -> float:
    """Pixels that the broadest label of a sentence needs."""
    return max([_ems(theme.visible(text, grid.LABEL)) for _, text in _written(sentence, font)] or [0.5]) * (
        font or TICK
    )


def _over(reference: Words, cell: int, font: int) -> float:
    """How far slanted words reach beyond the last column."""
    reach = [
        _ems(theme.visible(word, grid.LABEL)) * font * 0.72 - (len(reference) - j - 0.5) * cell
        for j, word in enumerate(reference)
    ]
    return max([0.0, *reach]) + font * 0.3


def _ems(text: str) -> float:
    """The breadth of a text in type sizes, rather too large than too small."""
    out = 0.0
    for c in text:
        if unicodedata.category(c) in ("Mn", "Me", "Cf"):
            continue
        if unicodedata.east_asian_width(c) in "WF":
            out += 1.25 if unicodedata.category(c) == "So" else 1.0
        elif c in "ijlI.,:;'|![]()ftr ":
            out += 0.36
        else:
            out += 0.92 if c in "mwMW@%…" else 0.7 if c.isupper() else 0.59
    return out


def _grid_lines(box: Box, cell: int) -> Iterator[tuple[float, float, float, float]]:
    """The lines of a panel, x1 y1 x2 y2; every tenth where cells are tiny."""
    step = 1 if cell >= 9 else 10
    right, bottom = box.x + box.columns * cell, box.y + box.rows * cell
    for i in {*range(0, box.rows, step), box.rows}:
        yield box.x, box.y + i * cell, right, box.y + i * cell
    for j in {*range(0, box.columns, step), box.columns}:
        yield box.x + j * cell, box.y, box.x + j * cell, bottom


def _number(value: float) -> str:
    """A coordinate, at most two decimals.

    >>> _number(-1.7999999999999998), _number(3.0), _number(-0.001)
    ('-1.8', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _placed_key(picture: Picture, y: float) -> tuple[list[tuple[Key, float, float]], float]:
    """Each entry of the legend with its top left corner, wrapped to the picture's width, and where the legend ends."""
    out, x = [], 8.0
    for entry in picture.key:
        room = 12 + 6 + _ems(entry.text) * 12 + 18
        if x > 8 and x + room - 18 > picture.width:
            x, y = 8.0, y + 20
        out.append((entry, x, y))
        x += room
    return out, y + (22 if picture.key else 0)


def _caption(picture: Picture) -> list[str]:
    """The score, and the signature in lines that fit the picture, cut after its bars."""
    most = max(40, int((picture.width - 16) / (CAPTION * 0.61)))
    lines = [""]
    for part in re.findall(r"[^|]*\|?", theme.visible(picture.signature, 2_000)):
        if lines[-1] and len(lines[-1]) + len(part) > most:
            lines.append("")
        lines[-1] += part
    return [picture.title, *lines]


# ---------------------------------------------------------------- SVG


def svg(texts: Texts, result: Result, chosen: Selection | None = None, rounds: int | None = None) -> str:
    """The bitext grids as a self-contained SVG document, with words, legend and signature.

    Every shape of `marks.shapes` is one element whose class names its kind, its role and its cell (`x3_0_4`).
    Raises ValueError with one sentence for the user where the texts are too long.
    """
    picture = _picture(texts, result, chosen, rounds)
    body, y = _svg_body(picture)
    for n, line in enumerate(_caption(picture)):
        y += CAPTION + 4
        body.append(
            f'<text class="{"signature" if n else "score"}" x="8" y="{_number(y)}" fill="{INK}" fill-opacity=".75" '
            f'font-family="ui-monospace, monospace" font-size="{CAPTION}">{theme.safe(line, 2_000)}</text>'
        )
    return _svg_document(picture, body, y + 8)


def _svg_document(picture: Picture, body: Sequence[str], height: float) -> str:
    size = f'width="{_number(picture.width)}" height="{_number(height)}"'
    # Colours are attributes, which a page's style sheet overrides; every program that reads SVG knows them.
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_number(picture.width)} {_number(height)}" '
            "font-family=\"system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\" role=\"img\">",
            f"<title>{theme.safe(picture.title, 200)}</title>",
            f"<desc>{theme.safe(picture.signature, 2_000)}</desc>",
            f'<rect class="paper" {size} fill="{PAPER}"/>',
            *body,
            "</svg>\n",
        ]
    )


def _svg_body(picture: Picture, over: Sequence[str] = ()) -> tuple[list[str], float]:
    """Grid, shapes, words and legend as elements, with `over` on top of the shapes; and where they end."""
    out: list[str] = []
    for box in picture.boxes:
        lines = "".join(
            f"M{_number(a)} {_number(b)}L{_number(c)} {_number(d)}" for a, b, c, d in _grid_lines(box, picture.cell)
        )
        out.append(f'<path class="grid" d="{lines}" stroke="{LINES}" stroke-opacity=".28" fill="none"/>')
        if picture.joined and box.k:
            line = f"M{_number(box.x - picture.cell / 2)} {_number(box.y)}v{_number(box.rows * picture.cell)}"
            out.append(f'<path class="barrier" d="{line}" stroke="{LINES}" stroke-opacity=".7" stroke-width="2"/>')
    for group in picture.groups:
        out.append(f"<g{_svg_opacity(group.opacity)}{_svg_ink(group.ink)}>")
        out += [_svg_shape(d) for d in group.members]
        out.append("</g>")
    out += over
    out.append(f'<g class="words" font-size="{picture.font or TICK}" fill="{INK}">')
    out += [_svg_label(label, picture.font or TICK) for label in picture.labels]
    out.append("</g>")
    out.append(f'<g class="words" font-size="13" fill="{INK}">')
    out += [_svg_label(label, 13) for label in picture.headings]
    placed, y = _placed_key(picture, picture.height)
    out.append(f'</g><g class="words" font-size="12" fill="{INK}">')
    for entry, x, top in placed:
        ink = _svg_ink(entry.ink)
        out.append(
            f'<g transform="translate({_number(x)} {_number(top)})"><g{ink}>{_svg_shape(entry.sample)}</g>'
            f'<text x="18" y="10.5">{escape(entry.text)}</text></g>'
        )
    out.append("</g>")
    return out, y


def _svg_ink(ink: Ink) -> str:
    fill = f' fill="{ink.colour}"' if ink.fill else ' fill="none"'
    if 0 < ink.fill < 1:
        fill += f' fill-opacity="{_number(ink.fill)}"'
    line = f' stroke="{ink.colour}" stroke-width="{_number(ink.line)}" stroke-linejoin="round"' if ink.line else ""
    return fill + line


def _svg_opacity(opacity: float) -> str:
    return f' class="dim" opacity="{_number(opacity)}"' if opacity < 1 else ""


def _svg_shape(drawn: Drawn) -> str:
    x, y = drawn.points[0]
    if drawn.kind in ("polygon", "line"):
        tag = "polygon" if drawn.kind == "polygon" else "polyline"
        points = " ".join(f"{_number(a)},{_number(b)}" for a, b in drawn.points)
        return f'<{tag} class="{drawn.name}" points="{points}"/>'
    if drawn.kind == "digit":
        where = f'x="{_number(x)}" y="{_number(y + drawn.size * 0.35)}" text-anchor="middle"'
        return f'<text class="{drawn.name}" {where} font-size="{_number(drawn.size)}">{drawn.text}</text>'
    return f'<circle class="{drawn.name}" cx="{_number(x)}" cy="{_number(y)}" r="{_number(drawn.size)}"/>'


def _svg_label(label: Label, font: float) -> str:
    word = theme.visible(label.text, grid.LABEL)
    backwards = theme.direction([word]) == "rtl"
    # The anchor is named from where reading starts, so it changes sides with the direction.
    anchor = {"left": "end" if backwards else "start", "right": "start" if backwards else "end", "centre": "middle"}
    attributes = f' class="{label.name}"' if label.name else ""
    attributes += f' text-anchor="{anchor[label.side]}"' + (' direction="rtl"' if backwards else "")
    down = font * 0.35  # from the centre to the base line
    if label.turn:
        turned = f"translate({_number(label.x)} {_number(label.y)})rotate({-label.turn})"
        where = f'transform="{turned}" y="{_number(down)}"'
    else:
        where = f'x="{_number(label.x)}" y="{_number(label.y + down)}"'
    return f"<text{attributes} {where}>{theme.safe(label.text, grid.LABEL)}</text>"


# ---------------------------------------------------------------- TikZ

_TEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "-{}",
    "\ufffd": r"\nochar{}",
    **{c: "\\" + c for c in "{}#$%&_"},
}
_COLOURS = {
    theme.BLUE: "gridblue",
    theme.OCHRE: "gridochre",
    theme.GREEN: "gridgreen",
    theme.MAUVE: "gridmauve",
    theme.VERMILION: "gridvermilion",
    theme.VIOLET: "gridviolet",
    theme.GREY: "gridgrey",
    LINES: "gridline",
    INK: "gridink",
    PAPER: "gridpaper",
}
_PREAMBLE = r"""\documentclass{article}
\usepackage{iftex}
\ifluatex
  \usepackage{fontspec}
  % A missing font in the list is fatal, so only fonts that exist are named.
  \newcommand\fallbacks{}
  \newcommand\fallback[2][]{\IfFontExistsTF{#2}{\edef\fallbacks{\fallbacks"#2:mode=harf;#1",}}{}}
  \fallback[script=arab;]{Noto Sans Arabic}
  \fallback[script=hebr;]{Noto Sans Hebrew}
  \fallback[script=dev2;]{Noto Sans Devanagari}
  \fallback[script=thai;]{Noto Sans Thai}
  \fallback[script=arab;]{DejaVu Sans}
  \fallback{Noto Sans CJK SC}
  \fallback{Droid Sans Fallback}
  \fallback{Noto Color Emoji}
  \directlua{luaotfload.add_fallback("words", {\fallbacks})}
  \setmainfont{Latin Modern Sans}[Renderer=HarfBuzz,Ligatures=TeXOff,RawFeature={fallback=words}]
  \newcommand\rtl[1]{\hbox dir TRT{#1}}
  \newcommand\ltr[1]{\hbox dir TLT{#1}}
\else
  \usepackage[T1]{fontenc}
  \usepackage{lmodern,textcomp}
  \renewcommand\familydefault{\sfdefault}
  \newcommand\rtl[1]{#1}
  \newcommand\ltr[1]{#1}
\fi
% A character that cannot be shown.
\newcommand\nochar{\begingroup\fboxsep=0pt\raisebox{.1ex}{\fbox{\rule{0pt}{1.2ex}\rule{.9ex}{0pt}}}\endgroup}
\usepackage{tikz}
\pagestyle{empty}
\newsavebox\picturebox
"""
_END = r"""\end{tikzpicture}%
\end{lrbox}
% The page is the picture with a border of 4 pt, without the standalone class.
\ifluatex
  \pagewidth=\dimexpr\wd\picturebox+8pt\relax
  \pageheight=\dimexpr\ht\picturebox+\dp\picturebox+8pt\relax
\else
  \pdfpagewidth=\dimexpr\wd\picturebox+8pt\relax
  \pdfpageheight=\dimexpr\ht\picturebox+\dp\picturebox+8pt\relax
\fi
\hoffset=\dimexpr4pt-1in\relax
\voffset=\dimexpr4pt-1in\relax
\shipout\vbox{\box\picturebox}
\end{document}
"""


def tikz(texts: Texts, result: Result, chosen: Selection | None = None, rounds: int | None = None) -> str:
    """The bitext grids as a LaTeX document: any words with lualatex, ASCII words with pdflatex too.

    Every shape of `marks.shapes` is one line, which ends in a comment with its kind, role and cell. Raises ValueError
    with one sentence for the user where the texts are too long.
    """
    picture = _picture(texts, result, chosen, rounds)
    placed, end = _placed_key(picture, picture.height)
    caption = _caption(picture)
    # A pixel is 3/4 pt, less where the picture would be higher than a page of PDF can be.
    unit = min(0.75, 10_000 / (end + 100))
    out = [f"% {_comment(picture.title)}", f"% {_comment(picture.signature)}", _PREAMBLE.rstrip()]
    out += [rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}" for colour, name in _COLOURS.items()]
    out += [r"\begin{document}", r"\begin{lrbox}{\picturebox}%"]
    options = [f"x={unit:.3f}pt", f"y=-{unit:.3f}pt", "line join=round", "line cap=round"]
    options += ["every node/.style={inner sep=0pt}"]
    options += [_tex_font("word", picture.font or TICK, unit), _tex_font("heading", 13, unit)]
    options += [_tex_font("key", 12, unit), _tex_font("caption", CAPTION - 1, unit)]
    options += [_tex_font("digit", picture.cell * 0.48, unit)]
    out.append(r"\begin{tikzpicture}[" + ",\n  ".join(options) + "]")
    for box in picture.boxes:
        out.append(rf"\begin{{scope}}[draw=gridline, draw opacity=.28, line width={_number(unit)}pt]")
        out += [rf"\draw {_at(a, b)} -- {_at(c, d)}; % grid" for a, b, c, d in _grid_lines(box, picture.cell)]
        out.append(r"\end{scope}")
        if picture.joined and box.k:
            x, bottom = box.x - picture.cell / 2, box.y + box.rows * picture.cell
            line = f"draw=gridline, draw opacity=.7, line width={_number(2 * unit)}pt"
            out.append(rf"\draw[{line}] {_at(x, box.y)} -- {_at(x, bottom)}; % barrier")
    for group in picture.groups:
        out.append(rf"\begin{{scope}}[{_tex_ink(group.ink, group.opacity, unit)}]")
        out += [_tex_shape(d, group.ink) for d in group.members]
        out.append(r"\end{scope}")
    out += [_tex_label(label, "word") for label in picture.labels]
    out += [_tex_label(label, "heading") for label in picture.headings]
    for entry, x, y in placed:
        out.append(rf"\begin{{scope}}[shift={{{_at(x, y)}}}, {_tex_ink(entry.ink, 1, unit)}]")
        out.append(_tex_shape(entry.sample, entry.ink))
        out.append(r"\end{scope}")
        out.append(rf"\node[key, anchor=base west] at {_at(x + 18, y + 10.5)} {{{_tex(entry.text)}}}; % key")
    for n, line in enumerate(caption):
        y = end + (n + 1) * (CAPTION + 4)
        text = rf"\ttfamily {_tex(line)}"
        out.append(rf"\node[caption, anchor=base west] at {_at(8, y)} {{{text}}}; % {'signature' if n else 'score'}")
    return "\n".join(out) + "\n" + _END


def _tex_font(name: str, pixels: float, unit: float) -> str:
    size = _number(pixels * unit)
    colour = "" if name == "digit" else ", text=gridink"  # digits have their group's colour
    return rf"{name}/.style={{font=\fontsize{{{size}}}{{{size}}}\selectfont{colour}}}"


def _at(x: float, y: float) -> str:
    return f"({_number(x)},{_number(y)})"


def _tex_ink(ink: Ink, opacity: float, unit: float) -> str:
    colour = _COLOURS[ink.colour]
    options = [f"text={colour}, text opacity={_number(opacity)}"]
    if ink.fill:
        options.append(f"fill={colour}, fill opacity={_number(ink.fill * opacity)}")
    if ink.line:
        options.append(f"draw={colour}, draw opacity={_number(opacity)}, line width={_number(ink.line * unit)}pt")
    return ", ".join(options)


def _tex_shape(drawn: Drawn, ink: Ink) -> str:
    if drawn.kind == "digit":
        return rf"\node[digit] at {_at(*drawn.points[0])} {{{drawn.text}}}; % {drawn.name}"
    command = r"\filldraw" if ink.fill and ink.line else r"\fill" if ink.fill else r"\draw"
    if drawn.kind in ("polygon", "line"):
        path = " -- ".join(_at(x, y) for x, y in drawn.points) + (" -- cycle" if drawn.kind == "polygon" else "")
    else:
        path = f"{_at(*drawn.points[0])} circle[radius={_number(drawn.size)}]"
    return f"{command} {path}; % {drawn.name}"


def _tex_label(label: Label, style: str) -> str:
    anchor = {"left": "mid west", "right": "mid east", "centre": "mid"}[label.side]
    turn = f", rotate={label.turn}" if label.turn else ""
    text = _tex(theme.visible(label.text, grid.LABEL))
    return rf"\node[{style}, anchor={anchor}{turn}] at {_at(label.x, label.y)} {{{text}}}; % {style}"


def _tex(text: str) -> str:
    r"""A text for TeX, each character escaped once. Right-to-left words are boxed, their left-to-right runs within.

    >>> print(_tex("50%_{x}"), _tex("\\input"))
    50\%\_\{x\} \textbackslash{}input
    """
    text = theme.visible(text, 2_000)
    if not any(unicodedata.bidirectional(c) in ("R", "AL") for c in text):
        return "".join([_TEX.get(c, c) for c in text])
    runs = [_tex_run(run, forwards) for forwards, run in _runs(text)]
    return rf"\rtl{{{''.join(runs)}}}"


def _tex_run(run: str, forwards: bool) -> str:
    escaped = "".join([_TEX.get(c, c) for c in run])
    return rf"\ltr{{{escaped}}}" if forwards else escaped


def _runs(text: str) -> Iterator[tuple[bool, str]]:
    """A right-to-left text cut into runs: True for those of left-to-right letters and of digits (3.5, 10:30)."""
    start, before = 0, False
    for position in range(len(text)):
        forwards = _forwards(text, position, before)
        if forwards != before and position > start:
            yield before, text[start:position]
            start = position
        before = forwards
    yield before, text[start:]


def _forwards(text: str, position: int, before: bool) -> bool:
    direction = unicodedata.bidirectional(text[position])
    if direction == "NSM":  # an accent goes with its letter
        return before
    if before and text[position] in ".,:/":
        return unicodedata.bidirectional(text[position + 1 : position + 2] or " ") in ("EN", "AN")
    return direction in ("L", "EN", "AN")


def _comment(text: str) -> str:
    """A text for a comment: one line, printable."""
    return theme.visible(text, 2_000).replace("\ufffd", "?")


# ---------------------------------------------------------------- a web page

_STYLE = """
:root { color-scheme: light dark; --ink: #1f1e1c; --paper: #ffffff; --soft: #f6f6f4; --line: rgba(128,128,128,.3);
  --blue: #1B7FC2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #efedea; --paper: #171614; --soft: #23211e; --blue: #5AAEE6; } .bx { --tint: 30% !important; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1460px; margin: 0 auto; padding: 28px 32px 40px; }
header { display: flex; flex-wrap: wrap; gap: 6px 48px; align-items: end; justify-content: space-between;
  padding-bottom: 14px; margin-bottom: 14px; border-bottom: 1px solid var(--line); }
h1 { font-size: 26px; font-weight: 600; line-height: 1.2; margin: 0 0 2px; }
h2 { font-size: 15px; font-weight: 600; margin: 26px 0 8px; }
.idea { margin: 0; max-width: 46em; opacity: .85; }
.numbers { display: flex; flex-wrap: wrap; gap: 4px 26px; align-items: end; margin: 0; }
.numbers div { display: flex; flex-direction: column-reverse; }
.numbers dt { font-size: 13px; opacity: .8; }
.numbers dd { margin: 0; font-size: 20px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.numbers .score dd { font-size: 40px; font-weight: 600; line-height: 1; color: var(--blue); }
.evidence > * { min-width: 0; }
.picture { overflow-x: auto; padding-top: 18px; }
.picture svg { display: block; }
.picture .paper { fill: none; }
.picture .dim text { fill: var(--ink); }
.picture .words text { fill: var(--lit, var(--ink)); }
.ledger { display: flex; flex-wrap: wrap; gap: 0 64px; }
.ledger > div { min-width: 0; max-width: 100%; }
.terms { max-width: 900px; }
@media (min-width: 1180px) {
  .narrow { display: grid; gap: 0 48px;
    grid-template: "picture ledger" auto "terms ledger" 1fr / minmax(600px, auto) 1fr; }
  .narrow .picture { grid-area: picture; }
  .narrow .ledger { grid-area: ledger; display: block; }
  .narrow .terms { grid-area: terms; }
}
.step { margin: 0 0 .55em; overflow-x: auto; overflow-y: hidden; padding: 1px 0; }
math { font-size: 1.14em; }
math mn[style] { font-weight: 700 !important; }
.scroll { overflow: auto; max-height: 1600px; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 14.5px; }
th { position: sticky; top: 0; background: var(--soft); font-weight: 500; text-align: start; padding: 7px 12px; }
td { padding: 5px 12px; border-top: 1px solid var(--line); vertical-align: top; }
td:not(.words) { white-space: nowrap; }
th.num, td.num { text-align: end; font-variant-numeric: tabular-nums; }
tr.sel td { background: color-mix(in srgb, #D55E00 20%, transparent); }
.sig { font: 13px/1.4 ui-monospace, monospace; opacity: .8; overflow-wrap: anywhere; margin: 30px 0 0; }
.at { fill: none; stroke: var(--lit, none); stroke-width: 2.5; pointer-events: all; }
.at:hover { --lit: #D55E00; }
.bx .tk { outline: 2px solid var(--lit, transparent); outline-offset: -1px; }
.bx { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 18px; }
.bx .ln { display: contents; }
@media (max-width: 640px) { main { padding: 16px; } .bx { grid-template-columns: minmax(0, 1fr); } }
@media print { .scroll, .bx.tall { max-height: none; overflow: visible; } th { position: static; } }
"""


def page_html(texts: Texts, result: Result, chosen: Selection | None = None, rounds: int | None = None) -> str:
    """The whole evidence as one HTML document that needs no server, runs no script and loads nothing.

    Score and parts, words, grid, formula, terms and signature. Hovering a word lights its partners and the cells where
    they meet; hovering a cell lights its words. Where the texts are too long for a grid a sentence says so.
    """
    metric = metrics.METRICS[result.metric]
    candidate, references = texts.candidate_words, texts.reference_words
    strips = words.strips(candidate, references, _hits(texts), result, chosen, rounds, marks.badges(result))
    figure, narrow = _figure(texts, result, chosen, rounds)
    title = f"{metric.label} {theme.score_text(result.score)}"
    signature = theme.safe(result.signature(texts.settings.signature()), 2_000).replace("|", "|<wbr>")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{_strip_style()}{_STYLE}{_hover_rules(texts)}</style>",
            "</head>\n<body>\n<main>",
            f'<header><div><h1>{escape(metric.name)}</h1><p class="idea">{escape(metric.idea)}</p></div>',
            _numbers(result),
            f"</header>\n{strips}",
            f'<div class="evidence{" narrow" if narrow else ""}">\n<div class="picture">\n{figure}</div>',
            f'<div class="ledger">\n<div><h2>Formula</h2>\n{_mathml(result, chosen, rounds)}</div>',
            f'{_references(result)}</div>\n<div class="terms">{_terms(texts, result, chosen, rounds)}</div>\n</div>',
            f'<p class="sig">{signature}</p>\n</main>\n</body>\n</html>\n',
        ]
    )


def _strip_style() -> str:
    """The app's own rules for token strips."""
    sheet = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
    found = re.search(r"^/\* Token strips \*/\n(.*?)(?=^/\*|\Z)", sheet, re.MULTILINE | re.DOTALL)
    assert found, "style.css has no section headed Token strips"
    return found[1]


def _hits(texts: Texts) -> Sequence[Hit]:
    """The hits, or where there is no hovering one for each word that matches, which is all that strips need then."""
    if _hovers(texts):
        return cache.hits(texts.segment)
    candidate, references = texts.segment
    row = {form: i for i, form in enumerate(candidate)}
    column = {form: (k, j) for k, reference in enumerate(references) for j, form in enumerate(reference)}
    hits = [Hit(i, *column[form]) for i, form in enumerate(candidate) if form in column]
    hits += [Hit(row[w], k, j) for k, reference in enumerate(references) for j, w in enumerate(reference) if w in row]
    return hits


def _hovers(texts: Texts) -> bool:
    return len(texts.candidate) + sum(map(len, texts.references)) <= HOVER_LIMIT


def _hover_rules(texts: Texts) -> str:
    """Two rules a word: the word lights its cells and its label, and each of its cells lights the word.

    A cell carries its row and column as classes (`i3`, `j0_4`), so that rules grow with the words and not with the
    matches. `words.strips` lights the words' partners.
    """
    if not _hovers(texts):
        return ""
    names = [(f"c{i}", f"i{i}") for i in range(len(texts.candidate))]
    names += [(f"r{k}_{j}", f"j{k}_{j}") for k, r in enumerate(texts.references) for j in range(len(r))]
    return "".join(
        f"main:has(.{word}:hover) :is(.{word},.{line}),main:has(.{line}:hover) .{word}{{--lit:{theme.VERMILION}}}\n"
        for word, line in names
    )


def _numbers(result: Result) -> str:
    """The score and its parts."""
    named = [("score", result.score), *result.parts.items()]
    out = [
        f"<div{' class=score' if n == 0 else ''}><dt>{escape(name.replace('_', ' '))}</dt>"
        f"<dd>{_value(value)}</dd></div>"
        for n, (name, value) in enumerate(named)
    ]
    return f'<dl class="numbers">{"".join(out)}</dl>'


def _value(value: float) -> str:
    """A number with three decimals, or whole."""
    return formula.shown(value) if value else "0"


def _figure(texts: Texts, result: Result, chosen: Selection | None, rounds: int | None) -> tuple[str, bool]:
    """The grid, or a sentence where it is too large, and whether the formula has room at its right."""
    try:
        picture = _picture(texts, result, chosen, rounds)
    except ValueError as too_large:
        return f"<p>{escape(str(too_large))}.</p>", False
    body, end = _svg_body(picture, _targets(texts, result, picture) if _hovers(texts) else ())
    return _svg_document(picture, body, end), picture.width <= NARROW


def _targets(texts: Texts, result: Result, picture: Picture) -> list[str]:
    """A cell to point at for each match: it says which words meet, and it is framed when lit."""
    out = []
    boxes = {box.k: box for box in picture.boxes}
    size = picture.cell
    used = marks.covered(result)
    for i, k, j in sorted({*cache.hits(texts.segment), *used}):
        box = boxes[k]
        where = f'x="{_number(box.x + j * size)}" y="{_number(box.y + i * size)}" width="{size}" height="{size}"'
        a, b = theme.safe(texts.candidate[i].raw), theme.safe(texts.references[k][j].raw)
        says = "used" if Hit(i, k, j) in used else "match, not used"
        out.append(
            f'<rect class="at i{i} j{k}_{j}" {where} fill="none"><title>{a} ({i + 1}) = {b} ({j + 1}), {says}</title>'
            "</rect>"
        )
    return out


def _mathml(result: Result, chosen: Selection | None, rounds: int | None) -> str:
    picked = (chosen.layer, chosen.index) if chosen and chosen.of(result, rounds) else None
    return formula.mathml(ledger.steps(result), formula.Look(picked))


def _references(result: Result) -> str:
    """What each reference's marks add and the score with it alone, where there are several references."""
    segment = result.segment
    if len(segment.references) < 2:
        return ""
    badges = marks.badges(result)
    lines = []
    for k, (reference, credit) in enumerate(zip(segment.references, result.contributions(), strict=True)):
        alone = cache.score(result.metric, segment._replace(references=(reference,)), result.settings)
        badge = "".join(f'<span class="bd">{b}</span>' for b in badges.get(k, ()))
        lines.append(
            f'<tr><td>Reference {k + 1}{badge}</td><td class="num">{credit:.4g}</td>'
            f'<td class="num">{alone.score:.3f}</td></tr>\n'
        )
    return (
        '<div><h2>References</h2>\n<div class="scroll"><table><thead><tr><th>Reference</th>'
        '<th class="num">Credit used here</th><th class="num">Score with it alone</th></tr></thead><tbody>\n'
        f"{''.join(lines)}</tbody></table></div></div>"
    )


def _terms(texts: Texts, result: Result, chosen: Selection | None, rounds: int | None) -> str:
    """The table of all terms."""
    rows = ledger.rows(texts.candidate_words, texts.reference_words, result, rounds, MOST_ROWS)
    count = marks.count_terms(result, rounds)
    if not rows:
        return "<h2>Terms</h2>\n<p>No word matches.</p>"
    layered = len(result.layers) > 1
    picked = ledger.row_of(result, chosen, rounds) if chosen else None
    head = ("<th>Layer</th>" if layered else "") + "<th>Term</th><th>Words</th><th>Credit</th>"
    body = "".join(
        f"<tr{' class=sel' if n == picked else ''}>{f'<td>{escape(row.layer)}</td>' if layered else ''}"
        f'<td class="words"><bdi>{theme.safe(row.term, 2_000)}</bdi></td><td>{escape(row.words)}</td>'
        f'<td>{escape(row.credit)}</td><td class="num">{_value(row.value)}</td></tr>\n'
        for n, row in enumerate(rows)
    )
    more = f"<p>{theme.plural(count - len(rows), 'more term')} in the CSV.</p>" if count > len(rows) else ""
    return (
        f'<h2>{theme.plural(count, "term")}</h2>\n<div class="scroll"><table><thead><tr>{head}'
        f'<th class="num">Value</th></tr></thead><tbody>\n{body}</tbody></table></div>{more}'
    )


# ---------------------------------------------------------------- JSON


def result_json(texts: Texts, result: Result) -> str:
    """The whole result as JSON in ASCII, with the words as typed, where they stood, and how they were processed."""
    body = result.to_dict()
    body["signature"] = result.signature(texts.settings.signature())
    text = {
        "settings": texts.settings.to_dict(),
        "candidate": _typed(texts.candidate),
        "references": [_typed(r) for r in texts.references],
    }
    first = {name: body.pop(name) for name in ("metric", "signature", "score", "parts", "settings")}
    return _json({**first, "text": text, **body}) + "\n"


def _typed(tokens: Iterable[Token]) -> list[dict[str, Any]]:
    return [{"raw": t.raw, "form": t.form, "start": t.start, "end": t.end} for t in tokens]


def _json(value: Any, depth: int = 0) -> str:
    """JSON, indented, but on one line what fits there."""
    line = json.dumps(value)  # ASCII, so that unpaired surrogates survive too
    if len(line) + depth <= 110 or not isinstance(value, dict | list):
        return line
    inner = "\n" + " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_json(part, depth + 1)}" for name, part in value.items()]
        return "{" + inner + ("," + inner).join(parts) + "\n" + " " * depth + "}"
    parts = [_json(part, depth + 1) for part in value]
    return "[" + inner + ("," + inner).join(parts) + "\n" + " " * depth + "]"
