"""Write a picture as a LaTeX document with a TikZ picture, or as parts for other documents.

Only `tex` writes words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from metrics.types import unisolated

from ..draw.pen import grid, theme
from ..draw.pen.layout import TICK, Label, grid_lines
from ..draw.pen.legend import DrawnEntry
from ..draw.pen.picture import CAPTION, Picture, ShapeGroup, caption_lines, placed_key, position_labels_of
from ..draw.pen.placed_shapes import Ink, PlacedShape, px

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
    # Characters of verdicts, which pdflatex has to set too.
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "’": r"\textquoteright{}",
    "…": r"\ldots{}",
    "≈": r"\ensuremath{\approx}",
    **{c: "\\" + c for c in "{}#$%&_"},
}
_ISOLATED = re.compile("(\u2068[^\u2068\u2069]*\u2069)")
_COLOURS = {
    **{colour: f"grid{name}" for name, colour in theme.PALETTE.items()},
    theme.LINES: "gridline",
    theme.INK: "gridink",
    theme.PAPER: "gridpaper",
}
#: The preamble: fonts for words of any language under LuaLaTeX, and TikZ.
FONTS = r"""\usepackage{iftex}
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
  \fallback{DejaVu Sans}
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
"""
_BEGIN = r"""\pagestyle{empty}
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


def document(picture: Picture) -> str:
    """Return a picture as a LaTeX document, with its legend, title and signature.

    lualatex sets any words, pdflatex ASCII words only. Every shape is one line, which ends in a comment with its
    kind, role and cell."""
    placed, end = placed_key(picture, picture.height)
    caption = caption_lines(picture)
    # A pixel is 3/4 pt, or less if the picture would be higher than a PDF page can be.
    unit = min(0.75, 10_000 / (end + 100))
    out = [f"% {comment(picture.says or picture.title)}", f"% {comment(picture.signature)}", r"\documentclass{article}"]
    out += [FONTS + _BEGIN.rstrip(), *colours()]
    out += [r"\begin{document}", r"\begin{lrbox}{\picturebox}%", *drawing(picture, unit), *key(placed, unit)]
    for n, (kind, line) in enumerate(caption):
        y = end + (n + 1) * (CAPTION + 4)
        text = rf"\ttfamily {_caption(line)}"
        out.append(rf"\node[caption, anchor=base west] at {_coordinates(8, y)} {{{text}}}; % {kind}")
    return "\n".join(out) + "\n" + _END


def _caption(line: str) -> str:
    """Return a left-to-right line, in which isolated words can run the other way."""
    return "".join([tex(part) for part in _ISOLATED.split(line)])


def colours() -> list[str]:
    """Return the definitions of the colours that pictures use."""
    return [rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}" for colour, name in _COLOURS.items()]


def drawing(picture: Picture, unit: float, over: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a TikZ picture up to its words, without its end; a pixel is `unit` pt.

    `over` are lines on top of its shapes."""
    options = [f"x={unit:.3f}pt", f"y=-{unit:.3f}pt", "line join=round", "line cap=round"]
    options += ["every node/.style={inner sep=0pt}"]
    options += [_font("word", picture.font or TICK, unit), _font("heading", 13, unit), _font("number", TICK, unit)]
    options += [_font("key", 12, unit), _font("caption", CAPTION - 1, unit)]
    options += [_font("digit", picture.cell * 0.48, unit)]
    yield r"\begin{tikzpicture}[" + ",\n  ".join(options) + "]"
    for box in picture.boxes:
        yield rf"\begin{{scope}}[draw=gridline, draw opacity=.28, line width={px(unit)}pt]"
        yield from (
            rf"\draw {_coordinates(a, b)} -- {_coordinates(c, d)}; % grid"
            for a, b, c, d in grid_lines(box, picture.cell)
        )
        yield r"\end{scope}"
        if picture.joined and box.k:
            x, bottom = box.x - (box.border + 0.5) * picture.cell, box.y + box.rows * picture.cell
            line = f"draw=gridline, draw opacity=.7, line width={px(2 * unit)}pt"
            top = box.y - box.border * picture.cell
            yield rf"\draw[{line}] {_coordinates(x, top)} -- {_coordinates(x, bottom)}; % barrier"
    for group in picture.groups:
        yield from scope(group, unit, [shape(placed, group.ink, picture.cell) for placed in group.members])
    yield from over
    yield from (_label(label, "word") for label in picture.labels)
    yield from (_label(label, "number") for label in position_labels_of(picture))
    yield from (_label(label, "heading") for label in picture.headings)


def scope(group: ShapeGroup, unit: float, lines: Iterable[str]) -> list[str]:
    """Return lines of shapes in the colours of `group`."""
    return [rf"\begin{{scope}}[{_ink(group.ink, group.opacity, unit)}]", *lines, r"\end{scope}"]


def key(placed: Iterable[tuple[DrawnEntry, float, float]], unit: float) -> Iterator[str]:
    """Yield the entries of a legend at their positions."""
    for entry, x, y in placed:
        for ink, sample in entry.sample_layers():
            yield rf"\begin{{scope}}[shift={{{_coordinates(x, y)}}}, {_ink(ink, 1, unit)}]"
            yield shape(sample, ink)
            yield r"\end{scope}"
        yield rf"\node[key, anchor=base west] at {_coordinates(x + 18, y + 10.5)} {{{tex(entry.text)}}}; % key"


def _font(name: str, pixels: float, unit: float) -> str:
    """Return the definition of a font style, `pixels` high."""
    size = px(pixels * unit)
    colour = "" if name == "digit" else ", text=gridink"  # digits have their group's colour
    return rf"{name}/.style={{font=\fontsize{{{size}}}{{{size}}}\selectfont{colour}}}"


def _coordinates(x: float, y: float) -> str:
    """Return a point in the notation of TikZ."""
    return f"({px(x)},{px(y)})"


def _ink(ink: Ink, opacity: float, unit: float) -> str:
    """Return the TikZ options for a colour, its fill and its line."""
    colour = _COLOURS[ink.colour]
    options = [f"text={colour}, text opacity={px(opacity)}"]
    if ink.fill:
        options.append(f"fill={colour}, fill opacity={px(ink.fill * opacity)}")
    if ink.line:
        options.append(f"draw={colour}, draw opacity={px(ink.strength * opacity)}, line width={px(ink.line * unit)}pt")
    if ink.dashed:
        options.append(f"dash pattern=on {px(5 * unit)}pt off {px(3 * unit)}pt, line cap=butt")
    if ink.dotted:
        options.append(f"dash pattern=on 0pt off {px(ink.gap * unit)}pt, line cap=round")
    return ", ".join(options)


def shape(drawn: PlacedShape, ink: Ink, cell: float = 0) -> str:
    """Return a shape as one line, which ends in a comment.

    A text is scaled from the type size of texts in cells of `cell` pixels, if that is given."""
    digit = cell * 0.48
    if drawn.kind == "digit":
        scale = f", scale={px(drawn.size / digit)}" if digit and drawn.size != digit else ""
        return rf"\node[digit{scale}] at {_coordinates(*drawn.points[0])} {{{drawn.text}}}; % {drawn.name}"
    command = r"\filldraw" if ink.fill and ink.line else r"\fill" if ink.fill else r"\draw"
    if drawn.kind == "curve":
        start, first, second, end = [_coordinates(x, y) for x, y in drawn.points]
        path = f"{start} .. controls {first} and {second} .. {end}"
    elif len(drawn.points) > 1:
        path = _path(drawn.points) + ("" if drawn.kind == "line" else " -- cycle")
    else:
        path = f"{_coordinates(*drawn.points[0])} circle[radius={px(drawn.size)}]"
        if drawn.sign:
            path = rf"{path}; \fill[gridpaper] {_path(drawn.sign)} -- cycle"
    return f"{command} {path}; % {drawn.name}"


def _path(points: Iterable[tuple[float, float]]) -> str:
    """Return points as a TikZ path."""
    return " -- ".join(_coordinates(x, y) for x, y in points)


def _label(label: Label, style: str) -> str:
    """Return a label as a TikZ node in the given style."""
    anchor = {"left": "mid west", "right": "mid east", "centre": "mid"}[label.side]
    turn = f", rotate={label.turn}" if label.turn else ""
    text = tex(theme.visible(label.text, grid.LABEL))
    return rf"\node[{style}, anchor={anchor}{turn}] at {_coordinates(label.x, label.y)} {{{text}}}; % {style}"


def tex(text: str) -> str:
    r"""Return a text for TeX, escaped. Right-to-left words are boxed, with their left-to-right runs boxed inside.

    >>> print(tex("50%_{x}"), tex("\\input"))
    50\%\_\{x\} \textbackslash{}input
    """
    text = unisolated(theme.visible(text, 2_000))
    if not any(unicodedata.bidirectional(c) in ("R", "AL") for c in text):
        return "".join([_TEX.get(c, c) for c in text])
    runs = [_tex_run(run, forwards) for forwards, run in _direction_runs(text)]
    return rf"\rtl{{{''.join(runs)}}}"


def _tex_run(run: str, forwards: bool) -> str:
    """Return a run of a right-to-left text for TeX."""
    escaped = "".join([_TEX.get(c, c) for c in run])
    return rf"\ltr{{{escaped}}}" if forwards else escaped


def _direction_runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the runs of a right-to-left text, each with whether it is left-to-right.

    Left-to-right runs are left-to-right letters and numbers (3.5, 10:30)."""
    start, before = 0, False
    for position in range(len(text)):
        forwards = _is_left_to_right(text, position, before)
        if forwards != before and position > start:
            yield before, text[start:position]
            start = position
        before = forwards
    yield before, text[start:]


def _is_left_to_right(text: str, position: int, before: bool) -> bool:
    """Return whether the character at `position` belongs to a left-to-right run; `before` says it of the last."""
    direction = unicodedata.bidirectional(text[position])
    if direction == "NSM":  # an accent belongs to the letter before it
        return before
    if before and text[position] in ".,:/":
        return unicodedata.bidirectional(text[position + 1 : position + 2] or " ") in ("EN", "AN")
    return direction in ("L", "EN", "AN")


def comment(text: str) -> str:
    """Return a text for a comment: one line, printable."""
    return theme.visible(text, 2_000).replace("\ufffd", "?")
