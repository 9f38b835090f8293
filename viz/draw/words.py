"""The token strips: candidate and references as words that show what was used and light up their partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from metrics.types import Edit, Hit, Result
from viz.draw import marks, theme
from viz.draw.drawn import Drawn
from viz.draw.grid import DASHED, Figure
from viz.draw.marks import Shape, gaps, neighbours_in_runs, touched, uses
from viz.draw.theme import Kind, Role

Words = Sequence[str]


def strips(drawn: Drawn) -> str:
    """The candidate and its references as lines of words, as HTML.

    Tinted and underlined: used, with another line where the words are not equal; dotted: matches, not used; plain:
    matches nothing; what an edit script says of wrong words has looks of its own. Each word is an element
    with its name (`data-word="c3"`, `data-word="r0_4"`) and is escaped. Of a long text only the words of its window are
    there.
    """
    look = _looks(drawn)
    window, texts = drawn.window, drawn.texts
    shown = [window.k] if window else range(len(texts.references))
    rows, columns = (
        (range(window.i, window.i + window.rows), range(window.j, window.j + window.columns))
        if window
        else (range(len(texts.candidate)), None)
    )
    lines = [_line("<b>Candidate</b>", texts.candidate_words, "c", rows, look)]
    for k in shown:
        words = texts.reference_words[k]
        lines.append(_line(reference_label(drawn.result, k), words, f"r{k}_", columns or range(len(words)), look))
    total = len(rows) + (len(columns) if columns else sum(map(len, texts.references)))
    size = (" sm" if total > 90 else "") + (" tall" if total > 260 else "")
    return f'<div class="bx{size}">{"".join(lines)}</div>'


def reference_label(result: Result, k: int) -> str:
    """A reference's name with its badges, as HTML."""
    badges = "".join(f'<span class="bd">{badge}</span>' for badge in marks.badges(result).get(k, ()))
    return f"Reference&nbsp;{k + 1}{badges}" if len(result.segment.references) > 1 else "Reference"


class _Word(NamedTuple):
    """How a word looks: its classes, and the number of its round."""

    classes: tuple[str, ...]
    number: int = 0


def _looks(drawn: Drawn) -> Mapping[str, _Word]:
    """The looks of the words that match something or are wrong, by their names."""
    result, rounds, window = drawn.result, drawn.rounds, drawn.window
    out: dict[str, _Word] = {name: _Word(("h",)) for hit in drawn.hits for name in _names(hit)}
    for gap in gaps(result, rounds):
        if isinstance(gap.mark, Edit):
            wrong = "extra" if gap.mark.op == "insertion" else "missing"
            out.update((name, _Word(theme.word_classes(wrong))) for name in touched(gap.mark).names())
    joined = neighbours_in_runs(result)
    # The first use of a word says how it looks, so that the others are written before it.
    for cell, use in reversed([(c, u) for c, u in uses(result, rounds).items() if not window or window.holds(c)]):
        for name in _names(cell):
            out[name] = _Word(theme.word_classes(use.relation), use.number)
    joins = {name for cell in joined for name in _names(cell)}
    return {name: word._replace(classes=(*word.classes, "j")) if name in joins else word for name, word in out.items()}


def _names(cell: Hit) -> tuple[str, str]:
    return f"c{cell.i}", f"r{cell.k}_{cell.j}"


def _line(label: str, words: Words, side: str, places: Sequence[int], looks: Mapping[str, _Word]) -> str:
    """A line of a strip: the words at `places` of one sentence, whose names begin with `side`."""
    out = []
    for place in places:
        name = f"{side}{place}"
        classes, number = looks.get(name, _Word(()))
        digit = f"<sup>{number}</sup>" if number else ""
        colour = (theme.round_class(number),) if number else ()
        out.append(
            f'<span class="{" ".join(["tk", *classes, *colour])}" data-word="{name}">'
            f"<bdi>{theme.safe(words[place], 60)}</bdi>{digit}</span>"
        )
    direction = theme.direction([words[place] for place in places[:40]])
    # Spaces between the elements, so that what is copied has them too.
    return f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{" ".join(out)}</div></div>'


def _line_swatch(colour: str, width: int = 2, style: str = "solid") -> str:
    return f"border-top:{width}px {style} {colour};height:{width}px;vertical-align:4px"


def _cut(points: str, colour: str = theme.BLUE) -> str:
    """A swatch, cut to a polygon."""
    return f"background:{colour};clip-path:polygon({points})"


_PLUS = "linear-gradient(#fff,#fff) 50%/7px 1.6px no-repeat"
_BAR = "linear-gradient(#fff,#fff) 50%/1.6px 7px no-repeat"
_CROSS = "0 18%,18% 0,50% 32%,82% 0,100% 18%,68% 50%,100% 82%,82% 100%,50% 68%,18% 100%,0 82%,32% 50%"
_HEXAGON = "28% 7%,72% 7%,97% 50%,72% 93%,28% 93%,3% 50%"
_SWATCHES = {  # role and kind of a shape → how its legend looks; other shapes have the colour of their role
    ("block", "polygon"): f"background:{theme.rgba(theme.BLUE, 0.16)};border:1.6px solid {theme.BLUE}",
    ("area", "polygon"): f"background:linear-gradient(45deg,{theme.rgba(theme.OCHRE, 0.45)} 50%,transparent 50%);"
    f"border-left:1.5px solid {theme.OCHRE};border-bottom:1.5px solid {theme.OCHRE}",
    ("path", "line"): _line_swatch(theme.BLUE),
    ("link", "line"): _line_swatch(theme.BLUE),
    ("used", "dot"): f"background:{theme.BLUE};border-radius:50%",
    ("used", "diamond"): _cut("50% 0,100% 50%,50% 100%,0 50%"),
    ("used", "triangle"): _cut("50% 6%,100% 92%,0 92%"),
    ("used", "hexagon"): _cut(_HEXAGON),
    ("first", "polygon"): f"background:{theme.BLUE};width:6.5px;border-radius:7px 0 0 7px",
    ("second", "polygon"): f"background:{theme.OCHRE};width:6.5px;border-radius:0 7px 7px 0",
    ("kept", "dot"): f"background:{theme.BLUE};border-radius:50%",
    ("gained", "triangle"): _cut("50% 6%,100% 92%,0 92%", theme.GREEN),
    ("lost", "cross"): _cut(_CROSS, theme.MAUVE),
    ("moved", "diamond"): _cut("50% 0,100% 50%,50% 100%,0 50%", theme.VIOLET),
    ("moved", "hollow"): f"border:2px solid {theme.VIOLET};transform:rotate(45deg) scale(.72)",
    ("both", "ring"): f"background:linear-gradient(90deg,{theme.BLUE} 47%,transparent 47% 53%,{theme.OCHRE} 53%);"
    "border-radius:50%",
    ("substituted", "cross"): _cut(_CROSS, theme.MAUVE),
    ("extra", "plus"): f"background:{_PLUS},{_BAR},{theme.MAUVE};border-radius:50%",
    ("missing", "minus"): f"background:{_PLUS},{theme.MAUVE};border-radius:50%",
    ("unused", "ring"): f"border:2px solid {theme.GREY};border-radius:50%",
    ("always", "ring"): f"border:2px solid {theme.VIOLET};border-radius:50%",
    ("always", "polygon"): f"border:2px solid {theme.VIOLET}",
    ("sometimes", "polygon"): f"background:{theme.rgba(theme.VIOLET, 0.3)}",
    ("selected", "polygon"): f"border:2.4px solid {theme.VERMILION};background:{theme.rgba(theme.VERMILION, 0.18)}",
}
_WORD_LOOKS: dict[tuple[Role, Kind], str] = {  # the same look as in the strips, so that one legend explains both
    ("used", "diamond"): "stem",
    ("used", "triangle"): "synonym",
    ("used", "hexagon"): "similar",
    ("substituted", "cross"): "different",
    ("extra", "plus"): "extra",
    ("missing", "minus"): "missing",
}


def legend(drawn: Iterable[Shape]) -> str:
    """The legend of a grid as HTML. Names of words' looks are written in that look."""
    return swatches([(_swatch(shape), _named(says, shape)) for says, shape in marks.legend(drawn)])


def _named(says: str, shape: Shape) -> str:
    look = _WORD_LOOKS.get((shape.role, shape.kind), "similar" if shape.role == "round" and shape.level else "")
    return _looking(look, says)


def _looking(look: str, says: str) -> str:
    return f'<span class="{" ".join(theme.word_classes(look))}">{escape(says)}</span>' if look else escape(says)


def word_legend(result: Result, rounds: int | None = None) -> str:
    """The looks that words of a result have beside those of equal words, as HTML; "" where there are none."""
    found = {use.relation for use in uses(result, rounds).values()}
    wrong = {gap.mark.op for gap in gaps(result, rounds) if isinstance(gap.mark, Edit)}
    names = [
        ("stem", "same stem", "stem" in found),
        ("synonym", "synonym", "synonym" in found),
        ("similar", "similar word", "similar" in found),
        ("different", "substituted word", "different" in found),
        ("extra", "extra word", "insertion" in wrong),
        ("missing", "missing word", "deletion" in wrong),
    ]
    entries = "".join([f"<span>{_looking(look, says)}</span>" for look, says, there in names if there])
    return f'<div class="lg">{entries}</div>' if entries else ""


def _swatch(shape: Shape) -> str:
    if found := _SWATCHES.get((shape.role, shape.kind)):
        return found
    colour = theme.role_colour(shape.role, shape.number)
    if shape.kind == "line":
        return _line_swatch(colour, style="dashed" if shape.role in DASHED else "solid")
    if shape.role == "shared":
        return f"background:{theme.rgba(theme.BLUE, theme.tint_alpha(shape.level, marks.LEVELS))}"
    hexagon = f";clip-path:polygon({_HEXAGON})" if shape.level else ""
    return f"background:{theme.GREY if hexagon else colour}{hexagon}"


_ARC_SWATCHES = {  # name of a trace → as above
    "shared pair": (_line_swatch(theme.BLUE), "shared pair"),
    "not in the reference": (_line_swatch(theme.GREY, style="dotted"), "pair that the reference lacks"),
    "aligned words": (_line_swatch(theme.BLUE), "aligned words"),
    "same stem": (_line_swatch(theme.BLUE, style="dashed"), "same stem"),
    "synonyms": (_line_swatch(theme.BLUE, style="dotted"), "synonyms"),
    "similar words": (_line_swatch(theme.BLUE, style="dashed"), "similar words"),
    "chunk": (f"background:{theme.rgba(theme.BLUE, 0.2)}", "chunk of several words"),
    "crossing": (_SWATCHES["substituted", "cross"], "crossing: two words whose order is reversed"),
    "discordant pair": (_SWATCHES["substituted", "cross"], "discordant pair: two words whose order is reversed"),
    "selected": (_line_swatch(theme.VERMILION, 3), "selected"),
}


def arcs_legend(figure: Figure) -> str:
    """The legend of a figure of arcs: an entry for each kind of pair that it has."""
    names = {trace.get("name") for trace in figure["data"]}
    return swatches([entry for name, entry in _ARC_SWATCHES.items() if name in names])


def swatches(entries: Iterable[tuple[str, str]]) -> str:
    return '<div class="lg">' + "".join(f'<span><i style="{s}"></i>{t}</span>' for s, t in entries) + "</div>"
