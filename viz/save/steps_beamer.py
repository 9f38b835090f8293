"""Write the steps of an algorithm as LaTeX slides with beamer: one frame, with an overlay for each step.

The shapes are those of the page. Each shape is written once, with the numbers of the steps that show it. Words are
only written by `tikz.tex`, which escapes them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import metrics
from metrics.formula import APPLIED
from metrics.types import remove_isolates

from ..draw.pen import picture
from ..draw.pen.picture import lay_out_legend
from ..draw.pen.placed_shapes import px
from ..draw.pen.shapes import Shape
from ..draw.pen.text import visible
from ..draw.pen.typeset import FillingTypesetter
from ..draw.steps.step_formula import Formula, numbers_at_steps
from ..draw.steps.steps import DrawnSteps
from . import tikz
from .steps_files import legend, remainder_note, visible_elements

#: The most steps that become overlays, and the most shapes of all of them: TeX draws these in a minute or two.
OVERLAYS_MOST, SHAPES_MOST = 200, 20_000
#: The space for the picture in pt, on paper of 16 by 9 cm.
WIDTH, HEIGHT = 268.0, 196.0
LEAST = 300.0  # the least width in pixels, for the legend

_CLASS = r"""\documentclass[aspectratio=169,10pt]{beamer}
\usefonttheme{serif}
"""
_SET = r"""\setbeamertemplate{navigation symbols}{}
\setbeamersize{text margin left=8pt,text margin right=8pt}
\newsavebox\grid
% A line of the pseudo-code, indented, with a sign on the overlays that run it.
\newcommand<>\codeline[2]{\par\noindent\hangindent=\dimexpr#1em+1.4em\relax\hangafter=1
  \makebox[1em][l]{\only#3{\textcolor{gridvermilion}{$\triangleright$}}}\hspace*{#1em}%
  \alt#3{\textcolor{gridblue}{#2}}{#2}\par}
% A line of the formula with its numbers on each overlay, as high as the highest of them.
\newsavebox\highest
\newcommand\formulaline[2]{\sbox\highest{\parbox[t]{\linewidth}{\raggedright#1}}\par\noindent
  \parbox[t][\dimexpr\ht\highest+\dp\highest\relax][t]{\linewidth}{\raggedright\rule{0pt}{\ht\highest}#2}\par\vskip1.5pt}
% What stands beside the picture: broader and made smaller where it is higher than that may be.
\newsavebox\side
\newcommand\beside[2]{\sbox\side{\begin{minipage}[t]{\linewidth}#2\end{minipage}}%
  \ifdim\dimexpr\ht\side+\dp\side\relax>#1\relax
    \sbox\side{\begin{minipage}[t]{\dimexpr\linewidth*\number\dimexpr\ht\side+\dp\side\relax/\number\dimexpr#1\relax\relax}%
      #2\end{minipage}}%
    \makebox[\linewidth]{\resizebox{\linewidth}{!}{\usebox\side}}%
  \else\usebox\side\fi}
"""
#: The width in pixels of a line of the formula; it is used to find the highest line.
FORMULA_WIDTH = 280.0


def document(walk: DrawnSteps) -> str:
    """Return the first steps of an algorithm as a LaTeX document for lualatex."""
    most = count_overlays(walk)
    name = metrics.METRICS[walk.trace.metric].name
    more = remainder_note(walk, most, "shown")
    out = [
        f"% {tikz.comment_text(name)}, step by step: compile with lualatex",
        f"% {tikz.comment_text(walk.signature())}",
    ]
    out += [_CLASS + tikz.FONTS.rstrip(), *tikz.colours(), _SET.rstrip()]
    under, over = _shared_and_overlay_pictures(walk, most)
    out += [r"\begin{document}", r"\begin{lrbox}{\grid}%", *under, r"\end{lrbox}"]
    out += [r"\begin{frame}[t]", r"\raggedright\fontsize{9}{11}\selectfont"]
    cut = rf"\hfill\fontsize{{6.5}}{{8}}\selectfont {sentence(more)}" if more else ""
    out.append(rf"{{\textbf{{{sentence(name)}}}, step \insertoverlaynumber\ of {most:,}{cut}\par}}")
    out += [r"\begin{minipage}[t][2.6em][t]{\linewidth}"]
    out += [rf"\only<{number}>{{{sentence(step.text)}}}%" for number, step in enumerate(walk.steps[:most], 1)]
    out += [r"\end{minipage}\par\smallskip", r"\begin{columns}[T,onlytextwidth]", r"\begin{column}{.63\textwidth}"]
    out += [r"\makebox[0pt][l]{\usebox\grid}%", *over, r"\end{column}", r"\begin{column}{.35\textwidth}"]
    out += [rf"\beside{{{HEIGHT:g}pt}}{{\raggedright\fontsize{{6.5}}{{8.5}}\selectfont", *_code_lines(walk, most)]
    out += [r"\medskip", *_formula_lines(walk, most), "}", r"\end{column}", r"\end{columns}"]
    out += [r"\vfill\fontsize{4.5}{5.5}\selectfont", sentence(walk.signature().replace("|", " | "))]
    out += [r"\end{frame}", r"\end{document}"]
    return "\n".join(out) + "\n"


def count_overlays(walk: DrawnSteps) -> int:
    """Return how many of the first steps become overlays, so that a document has at most SHAPES_MOST shapes."""
    many = 0
    for most, numbers in enumerate(visible_elements(walk, OVERLAYS_MOST), 1):
        many += len(numbers)
        if many > SHAPES_MOST:
            return max(1, most - 1)
    return min(OVERLAYS_MOST, len(walk.steps))


def _shared_and_overlay_pictures(walk: DrawnSteps, most: int) -> tuple[list[str], list[str]]:
    """Return the lines of two TikZ pictures of one size: what all steps share, and what is drawn over it by step.

    `most` is the number of steps that become overlays."""
    base = replace(walk.base, width=max(walk.base.width, LEAST), key=legend(walk))
    placed, end = lay_out_legend(base, base.height)
    unit = min(0.75, WIDTH / base.width, HEIGHT / end)
    ends = [
        rf"\useasboundingbox (0,0) rectangle ({px(base.width)},{px(end)});",
        r"\end{tikzpicture}%",
    ]
    under = [*tikz.picture_lines(base, unit), *tikz.legend_lines(placed, unit), *ends]
    bare = replace(base, boxes=[], groups=[], labels=[], headings=[])
    return under, [*tikz.picture_lines(bare, unit, _overlay_shapes(walk, most, unit)), *ends]


def _overlay_shapes(walk: DrawnSteps, most: int, unit: float) -> Iterator[str]:
    """Yield the lines of TikZ for the shapes of the first `most` steps, layer by layer; a pixel is `unit` pt.

    Shapes that the same steps show share one overlay command."""
    when = steps_by_element(walk, most)
    alike: dict[tuple[int, str], list[Shape]] = {}
    for number, part in enumerate(walk.pool):
        if isinstance(part, Shape) and number in when:
            alike.setdefault((walk.layer_of(part), overlay_ranges(when[number], most)), []).append(part)
    for (_, steps), shapes in sorted(alike.items(), key=lambda item: item[0][0]):
        for group in picture.group_shapes_by_look(shapes, walk.boxes, walk.base.cell):
            lines = [tikz.shape_line(placed, group.ink, walk.base.cell) for placed in group.members]
            yield f"\\only<{steps}>{{%"
            yield from tikz.scope_lines(group, unit, lines)
            yield "}"


def steps_by_element(walk: DrawnSteps, most: int) -> dict[int, list[int]]:
    """Return, for each drawn element, the steps that show it.

    The keys are indices of elements in the walk's pool, and the steps are numbered from 1; the first `most` count."""
    when: dict[int, list[int]] = {}
    for step, numbers in enumerate(visible_elements(walk, most), 1):
        for number in numbers:
            when.setdefault(number, []).append(step)
    return when


def overlay_ranges(steps: Sequence[int], most: int) -> str:
    """Return the numbers of overlays in beamer's notation; `most` is the last overlay of the frame.

    >>> overlay_ranges([1, 2, 3, 5, 8, 9], 9), overlay_ranges([2], 9)
    ('1-3,5,8-', '2')
    """
    out = []
    for _, group in groupby(enumerate(steps), key=lambda pair: pair[1] - pair[0]):
        run = [step for _, step in group]
        end = "" if run[-1] == most else str(run[-1])
        out.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{end}")
    return ",".join(out)


def _code_lines(walk: DrawnSteps, most: int) -> Iterator[str]:
    """Yield the lines of LaTeX for the pseudo-code, each highlighted at the steps that run it."""
    for number, line in enumerate(walk.trace.lines):
        words = line.lstrip(" ")
        deep = (len(line) - len(words)) // 4
        at = [step for step, one in enumerate(walk.steps[:most], 1) if one.line == number]
        yield rf"\codeline<{overlay_ranges(at, most) or 0}>{{{deep}}}{{{sentence(re.sub(' +', ' ', words))}}}"


def _formula_lines(walk: DrawnSteps, most: int) -> Iterator[str]:
    """Yield the lines of LaTeX for the formula, with the numbers that are known at each step."""
    one, when = Formula(walk.trace), dict[int, dict[str, list[int]]]()
    high: dict[int, tuple[float, float, str]] = {}  # by line number: the greatest height of the line, and its text then
    for step, known_numbers in enumerate(numbers_at_steps(walk.steps[:most]), 1):
        for number, (line, drawn) in enumerate(
            zip(one.write_lines(Tex, known_numbers), one.typeset(known_numbers), strict=True)
        ):
            text = r"\quad ".join([" ".join([f"${side}$" for side in sides]) for sides in line])
            when.setdefault(number, {}).setdefault(text, []).append(step)
            size = (math.ceil(drawn.width / FORMULA_WIDTH), drawn.up + drawn.down, text)
            high[number] = max(size, high.get(number, size))
    for number, texts in when.items():
        lines = "".join([rf"\only<{overlay_ranges(steps, most)}>{{{text}}}" for text, steps in texts.items()])
        yield rf"\formulaline{{{high[number][-1]}}}{{{lines}}}"


_SIGNS = {
    "−": "-",
    "·": r"\cdot ",
    "⋯": r"\cdots ",
    "∑": r"\textstyle\sum ",
    APPLIED: "",
    "Δ": r"\Delta ",
    **{letter: rf"\{name} " for letter, name in zip("αβγδ", ("alpha", "beta", "gamma", "delta"), strict=True)},
}


class Tex(FillingTypesetter[str]):
    """A typesetter that writes a formula for the math mode of TeX."""

    def number(self, digits: str) -> str:
        return "".join([_SIGNS.get(letter, letter) for letter in digits])

    def name(self, letters: str) -> str:
        plain = len(letters) < 2 or letters[0] in _SIGNS
        return self.number(letters) if plain else rf"\operatorname{{{letters}}}"

    def sign(self, sign: str, infix: bool = False) -> str:
        return self.number(sign)

    def row(self, pieces: Sequence[str]) -> str:
        return "".join(pieces)

    def fraction(self, top: str, bottom: str) -> str:
        return rf"\dfrac{{{top}}}{{{bottom}}}"

    def raised(self, base: str, exponent: str) -> str:
        return f"{{{base}}}^{{{exponent}}}"

    def lowered(self, base: str, index: str) -> str:
        return f"{{{base}}}_{{{index}}}"

    def root(self, inner: str) -> str:
        return rf"\sqrt{{{inner}}}"

    def fenced(self, inner: str, tall: bool) -> str:
        return rf"\left({inner}\right)" if tall else f"({inner})"

    def rows(self, rows: Sequence[str]) -> str:
        lines = r" \\ ".join(rows)
        return rf"\begin{{array}}{{@{{}}l@{{}}}}{lines}\end{{array}}"


def sentence(text: str) -> str:
    r"""Return a text escaped for TeX, which can break between its words; only right-to-left words are boxed.

    >>> print(sentence("50% of “שלום”"))
    50\% of \rtl{\textquotedblleft{}שלום\textquotedblright{}}
    """

    def backwards(word: str) -> bool:
        return any(unicodedata.bidirectional(c) in ("R", "AL") for c in word)

    words = remove_isolates(visible(text, 2_000)).split(" ")
    return " ".join([tikz.tex(" ".join(each)) for _, each in groupby(words, backwards)])
