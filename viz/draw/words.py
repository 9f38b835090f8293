"""The token strips: candidate and references as words that show what was used and light up their partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from metrics.types import Edit, Hit, Result
from viz.draw import marks, theme
from viz.draw.grid import DASHED, Figure, Window
from viz.draw.ledger import Row
from viz.draw.marks import Kind, Role, Selection, Shape, Use, gaps, neighbours_in_runs, touched, uses

Words = Sequence[str]
HOVER_LIMIT = 600  # words for which hover rules are written; each rule costs the browser time
LOOKS = {  # relation of a word's cell, or what an edit script says of a word → its classes in style.css
    "equal": ["u"],
    "stem": ["u", "st"],
    "synonym": ["u", "sy"],
    "similar": ["u", "sy"],
    "different": ["er", "es"],
    "extra": ["er", "ei"],
    "missing": ["er", "ed"],
}


def strips(
    candidate: Words,
    references: Sequence[Words],
    hits: Iterable[Hit],
    result: Result,
    chosen: Selection | None = None,
    rounds: int | None = None,
    badges: Mapping[int, Sequence[str]] | None = None,
    window: Window | None = None,
) -> str:
    """The strips as HTML with their own style rules.

    Tinted and underlined: used, with another line where the words are not equal; dotted: matches, not used; plain:
    matches nothing; what an edit script says of wrong words has looks of its own (`LOOKS`). Hovering a word outlines
    every word that it matches. Class names are made of indices only and every word is escaped. Of a long text only the
    words of a `window` are shown.
    """
    used = uses(result, rounds)
    if window:
        used = {cell: use for cell, use in used.items() if window.holds(cell)}
    joined = neighbours_in_runs(result)
    term = chosen.of(result, rounds) if chosen else None
    partners: dict[str, set[str]] = {}
    for hit in hits:
        a, b = f"c{hit.i}", f"r{hit.k}_{hit.j}"
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    for cell in used:  # similar words are aligned without being equal
        a, b = f"c{cell.i}", f"r{cell.k}_{cell.j}"
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    role: dict[str, Use] = {}
    for cell, use in used.items():
        role.setdefault(f"c{cell.i}", use)
        role.setdefault(f"r{cell.k}_{cell.j}", use)
    wrong = {
        name: "extra" if gap.mark.op == "insertion" else "missing"
        for gap in gaps(result, rounds)
        if isinstance(gap.mark, Edit)
        for name in touched(gap.mark).names()
    }
    selected = set(touched(term.mark).names()) if term else set()
    joins = {name for cell in joined for name in (f"c{cell.i}", f"r{cell.k}_{cell.j}")}

    def line(label: str, words: Words, name: str, first: int = 0, count: int | None = None) -> str:
        out = []
        for position, word in enumerate(words[first : first + count if count is not None else None], first):
            word_name = f"{name}{position}"
            classes = ["tk", word_name]
            style = mark = ""
            if use := role.get(word_name):
                classes += LOOKS[use.relation]
                if number := use.number:
                    style = f' style="--c:{theme.round_colour(number)}"'
                    mark = f"<sup>{number}</sup>"
            elif word_name in wrong:
                classes += LOOKS[wrong[word_name]]
            elif word_name in partners:
                classes.append("h")
            if word_name in selected:
                classes.append("sel")
            if word_name in joins:
                classes.append("j")
            out.append(f'<span class="{" ".join(classes)}"{style}><bdi>{theme.safe(word, 60)}</bdi>{mark}</span>')
        direction = theme.direction(words[first : first + 40])
        return (
            f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{"".join(out)}</div></div>'
        )

    shown = [window.k] if window else range(len(references))
    rows, columns = ((window.i, window.rows), (window.j, window.columns)) if window else ((0, None), (0, None))
    body = line("<b>Candidate</b>", candidate, "c", *rows)
    for k in shown:
        decides = "".join(f'<span class="bd">{badge}</span>' for badge in (badges or {}).get(k, ()))
        label = f"Reference&nbsp;{k + 1}{decides}" if len(references) > 1 else "Reference"
        body += line(label, references[k], f"r{k}_", *columns)
    total = window.rows + window.columns if window else len(candidate) + sum(map(len, references))
    classes = "bx" + (" sm" if total > 90 else "") + (" tall" if total > 260 else "") + (" dim" if term else "")
    return f'<style>{_hover_rules(partners) if total <= HOVER_LIMIT else ""}</style><div class="{classes}">{body}</div>'


def _hover_rules(partners: Mapping[str, set[str]]) -> str:
    """CSS that outlines a hovered word and all its partners, without any script."""
    return "".join(
        f".bx:has(.{name}:hover) :is(.{name},{','.join('.' + p for p in sorted(others))})"
        "{outline:2px solid #D55E00;outline-offset:-1px}"
        for name, others in partners.items()
    )


def matches_as_text(rows: Iterable[Row], more: int = 0) -> str:
    """Every term as a line of text, for those who do not see the grid."""
    lines = [f"{row.layer}: {row.term} ({row.words}), credit {row.credit} = {row.value:.6g}" for row in rows]
    if more:
        lines.append(f"and {theme.plural(more, 'more term')}, all of them in the CSV")
    return "\n".join(lines) or "No word matches."


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
    return f'<span class="{" ".join(LOOKS[look])}">{escape(says)}</span>' if look else escape(says)


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
