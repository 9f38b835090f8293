"""Write a picture as a LaTeX document with a TikZ picture, or as lines for other LaTeX documents.

Words are only written by `tex`, which escapes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from metrics.types import remove_isolates

from ..draw.pen import grid, theme
from ..draw.pen.layout import TICK, Label, grid_lines
from ..draw.pen.legend import DrawnEntry
from ..draw.pen.picture import CAPTION, Picture, ShapeGroup, caption_lines, lay_out_legend, picture_position_labels
from ..draw.pen.placed_shapes import Ink, PlacedShape, px
from ..draw.pen.text import visible

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

    lualatex can typeset any words, pdflatex ASCII words only. Every shape is one line, which ends in a comment with
    its kind, role and cell."""
    placed, end = lay_out_legend(picture, picture.height)
    caption = caption_lines(picture)
    # A pixel is 3/4 pt, or less if the picture would be higher than a PDF page can be.
    unit = min(0.75, 10_000 / (end + 100))
    out = [
        f"% {comment_text(picture.says or picture.title)}",
        f"% {comment_text(picture.signature)}",
        r"\documentclass{article}",
    ]
    out += [FONTS + _BEGIN.rstrip(), *colours()]
    out += [
        r"\begin{document}",
        r"\begin{lrbox}{\picturebox}%",
        *picture_lines(picture, unit),
        *legend_lines(placed, unit),
    ]
    for n, (kind, line) in enumerate(caption):
        y = end + (n + 1) * (CAPTION + 4)
        text = rf"\ttfamily {_caption_tex(line)}"
        out.append(rf"\node[caption, anchor=base west] at {_tikz_point(8, y)} {{{text}}}; % {kind}")
    return "\n".join(out) + "\n" + _END


def _caption_tex(line: str) -> str:
    """Return a line of the caption escaped for TeX; its isolated words can run from right to left."""
    return "".join([tex(part) for part in _ISOLATED.split(line)])


def colours() -> list[str]:
    """Return the LaTeX definitions of the colours that pictures use, one per line."""
    return [rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}" for colour, name in _COLOURS.items()]


def picture_lines(picture: Picture, unit: float, over: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a TikZ picture with its shapes and words, but without its end; a pixel is `unit` pt.

    `over` are lines of TikZ that are drawn on top of the shapes."""
    options = [f"x={unit:.3f}pt", f"y=-{unit:.3f}pt", "line join=round", "line cap=round"]
    options += ["every node/.style={inner sep=0pt}"]
    options += [
        _font_style("word", picture.font or TICK, unit),
        _font_style("heading", 13, unit),
        _font_style("number", TICK, unit),
    ]
    options += [_font_style("key", 12, unit), _font_style("caption", CAPTION - 1, unit)]
    options += [_font_style("digit", picture.cell * 0.48, unit)]
    yield r"\begin{tikzpicture}[" + ",\n  ".join(options) + "]"
    for box in picture.boxes:
        yield rf"\begin{{scope}}[draw=gridline, draw opacity=.28, line width={px(unit)}pt]"
        yield from (
            rf"\draw {_tikz_point(a, b)} -- {_tikz_point(c, d)}; % grid" for a, b, c, d in grid_lines(box, picture.cell)
        )
        yield r"\end{scope}"
        if picture.joined and box.k:
            x, bottom = box.x - (box.border + 0.5) * picture.cell, box.y + box.rows * picture.cell
            line = f"draw=gridline, draw opacity=.7, line width={px(2 * unit)}pt"
            top = box.y - box.border * picture.cell
            yield rf"\draw[{line}] {_tikz_point(x, top)} -- {_tikz_point(x, bottom)}; % barrier"
    for group in picture.groups:
        yield from scope_lines(group, unit, [shape_line(placed, group.ink, picture.cell) for placed in group.members])
    yield from over
    yield from (_label_node(label, "word") for label in picture.labels)
    yield from (_label_node(label, "number") for label in picture_position_labels(picture))
    yield from (_label_node(label, "heading") for label in picture.headings)


def scope_lines(group: ShapeGroup, unit: float, lines: Iterable[str]) -> list[str]:
    """Return the TikZ lines of shapes, set in the colours of `group`; a pixel is `unit` pt."""
    return [rf"\begin{{scope}}[{_ink_options(group.ink, group.opacity, unit)}]", *lines, r"\end{scope}"]


def legend_lines(placed: Iterable[tuple[DrawnEntry, float, float]], unit: float) -> Iterator[str]:
    """Yield the TikZ lines of a legend; `placed` has each entry with its x and y in pixels."""
    for entry, x, y in placed:
        for ink, sample in entry.sample_layers():
            yield rf"\begin{{scope}}[shift={{{_tikz_point(x, y)}}}, {_ink_options(ink, 1, unit)}]"
            yield shape_line(sample, ink)
            yield r"\end{scope}"
        yield rf"\node[key, anchor=base west] at {_tikz_point(x + 18, y + 10.5)} {{{tex(entry.text)}}}; % key"


def _font_style(name: str, pixels: float, unit: float) -> str:
    """Return the TikZ style `name`, which sets a font that is `pixels` high; a pixel is `unit` pt."""
    size = px(pixels * unit)
    colour = "" if name == "digit" else ", text=gridink"  # digits have their group's colour
    return rf"{name}/.style={{font=\fontsize{{{size}}}{{{size}}}\selectfont{colour}}}"


def _tikz_point(x: float, y: float) -> str:
    """Return a point, given in pixels, in the notation of TikZ."""
    return f"({px(x)},{px(y)})"


def _ink_options(ink: Ink, opacity: float, unit: float) -> str:
    """Return the TikZ options for the colour, the fill and the outline of a shape; a pixel is `unit` pt."""
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


def shape_line(drawn: PlacedShape, ink: Ink, cell: float = 0) -> str:
    """Return the TikZ line of a shape, which ends in a comment.

    `cell` is the width of a grid cell in pixels. A digit is scaled if it is larger or smaller than usual in such a
    cell; 0 leaves it unscaled."""
    digit = cell * 0.48
    if drawn.kind == "digit":
        scale = f", scale={px(drawn.size / digit)}" if digit and drawn.size != digit else ""
        return rf"\node[digit{scale}] at {_tikz_point(*drawn.points[0])} {{{drawn.text}}}; % {drawn.name}"
    command = r"\filldraw" if ink.fill and ink.line else r"\fill" if ink.fill else r"\draw"
    if drawn.kind == "curve":
        start, first, second, end = [_tikz_point(x, y) for x, y in drawn.points]
        path = f"{start} .. controls {first} and {second} .. {end}"
    elif len(drawn.points) > 1:
        path = _straight_path(drawn.points) + ("" if drawn.kind == "line" else " -- cycle")
    else:
        path = f"{_tikz_point(*drawn.points[0])} circle[radius={px(drawn.size)}]"
        if drawn.sign:
            path = rf"{path}; \fill[gridpaper] {_straight_path(drawn.sign)} -- cycle"
    return f"{command} {path}; % {drawn.name}"


def _straight_path(points: Iterable[tuple[float, float]]) -> str:
    """Return points, given in pixels, as a TikZ path of straight lines."""
    return " -- ".join(_tikz_point(x, y) for x, y in points)


def _label_node(label: Label, style: str) -> str:
    """Return the TikZ node of a label in the given style."""
    anchor = {"left": "mid west", "right": "mid east", "centre": "mid"}[label.side]
    turn = f", rotate={label.turn}" if label.turn else ""
    text = tex(visible(label.text, grid.LABEL))
    return rf"\node[{style}, anchor={anchor}{turn}] at {_tikz_point(label.x, label.y)} {{{text}}}; % {style}"


def tex(text: str) -> str:
    r"""Return a text escaped for TeX, with right-to-left words and the left-to-right runs inside them boxed.

    >>> print(tex("50%_{x}"), tex("\\input"))
    50\%\_\{x\} \textbackslash{}input
    """
    text = remove_isolates(visible(text, 2_000))
    if not any(unicodedata.bidirectional(c) in ("R", "AL") for c in text):
        return "".join([_TEX.get(c, c) for c in text])
    runs = [_tex_run(run, forwards) for forwards, run in _direction_runs(text)]
    return rf"\rtl{{{''.join(runs)}}}"


def _tex_run(run: str, forwards: bool) -> str:
    """Return a run of a right-to-left text escaped for TeX; `forwards` says that it runs from left to right."""
    escaped = "".join([_TEX.get(c, c) for c in run])
    return rf"\ltr{{{escaped}}}" if forwards else escaped


def _direction_runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield (whether it runs from left to right, run) for each run of a right-to-left text.

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
    """Return whether the character at `position` belongs to a left-to-right run.

    `before` says whether the character before it does."""
    direction = unicodedata.bidirectional(text[position])
    if direction == "NSM":  # an accent belongs to the letter before it
        return before
    if before and text[position] in ".,:/":
        return unicodedata.bidirectional(text[position + 1 : position + 2] or " ") in ("EN", "AN")
    return direction in ("L", "EN", "AN")


def comment_text(text: str) -> str:
    """Return a text for a comment in LaTeX: one line of printable characters."""
    return visible(text, 2_000).replace("\ufffd", "?")
