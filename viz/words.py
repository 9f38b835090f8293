"""The token strips: candidate and references as words that show what was used and light up their partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics.types import Hit, Result

from . import theme
from .grid import Figure, Window
from .ledger import Row
from .marks import Selection, Shape, covered, neighbours_in_runs

Words = Sequence[str]
_HOVER_LIMIT = 600  # words for which hover rules are written; each rule costs the browser time


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

    Tinted and underlined: used; dotted: matches, not used; plain: matches nothing. Hovering a word outlines every word
    that it matches. Class names are made of indices only and every word is escaped. Of a long text only the words of
    a `window` are shown.
    """
    used = covered(result, rounds)
    if window:
        used = {cell: number for cell, number in used.items() if window.holds(cell)}
    joined = neighbours_in_runs(result)
    term = chosen.of(result, rounds) if chosen else None
    picked = set(term.mark.cells()) if term else set()
    partners: dict[str, set[str]] = {}
    for hit in hits:
        a, b = f"c{hit.i}", f"r{hit.k}_{hit.j}"
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    for cell in used:  # similar words are aligned without being equal
        a, b = f"c{cell.i}", f"r{cell.k}_{cell.j}"
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    role: dict[str, int] = {}
    for cell, number in used.items():
        role.setdefault(f"c{cell.i}", number)
        role.setdefault(f"r{cell.k}_{cell.j}", number)
    selected = {name for cell in picked for name in (f"c{cell.i}", f"r{cell.k}_{cell.j}")}
    joins = {name for cell in joined for name in (f"c{cell.i}", f"r{cell.k}_{cell.j}")}

    def line(label: str, words: Words, name: str, first: int = 0, count: int | None = None) -> str:
        out = []
        for position, word in enumerate(words[first : first + count if count is not None else None], first):
            word_name = f"{name}{position}"
            classes = ["tk", word_name]
            style = mark = ""
            if word_name in role:
                classes.append("u")
                if number := role[word_name]:
                    style = f' style="--c:{theme.round_colour(number)}"'
                    mark = f"<sup>{number}</sup>"
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
        marks = "".join(f'<span class="bd">{badge}</span>' for badge in (badges or {}).get(k, ()))
        label = f"Reference&nbsp;{k + 1}{marks}" if len(references) > 1 else "Reference"
        body += line(label, references[k], f"r{k}_", *columns)
    total = window.rows + window.columns if window else len(candidate) + sum(map(len, references))
    classes = "bx" + (" sm" if total > 90 else "") + (" tall" if total > 260 else "") + (" dim" if picked else "")
    return (
        f'<style>{_hover_rules(partners) if total <= _HOVER_LIMIT else ""}</style><div class="{classes}">{body}</div>'
    )


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


_SWATCHES = {  # role of a shape → how its legend looks, what it says
    "block": (
        f"background:{theme.rgba(theme.BLUE, 0.16)};border:1.6px solid {theme.BLUE}",
        "run as a block",
    ),
    "area": (
        f"background:linear-gradient(45deg,{theme.rgba(theme.OCHRE, 0.45)} 50%,transparent 50%);"
        f"border-left:1.5px solid {theme.OCHRE};border-bottom:1.5px solid {theme.OCHRE}",
        "neighbours, l·l′ as two triangles",
    ),
    "path": (f"border-top:2px solid {theme.BLUE};height:2px;vertical-align:4px", "path, in order"),
    "link": (f"border-top:2px solid {theme.BLUE};height:2px;vertical-align:4px", "run"),
    "used": (f"background:{theme.BLUE};border-radius:50%", "match, used"),
    "unused": (f"border:2px solid {theme.GREY};border-radius:50%", "match, not used"),
    "selected": (
        f"border:2.4px solid {theme.VERMILION};background:{theme.rgba(theme.VERMILION, 0.18)}",
        "selected term",
    ),
}


def legend(drawn: Iterable[Shape]) -> str:
    """The legend of a grid as HTML: an entry for each role that its shapes have."""
    roles = {shape.role for shape in drawn}
    entries = [entry for role, entry in _SWATCHES.items() if role in roles]
    for number in sorted({s.number for s in drawn if s.role == "round"})[:8]:
        entries.append((f"background:{theme.round_colour(number)}", f"round {number}"))
    return swatches(entries)


_ARC_SWATCHES = {  # name of a trace → as above
    "shared pair": (f"border-top:2px solid {theme.BLUE};height:2px;vertical-align:4px", "shared pair"),
    "not in the reference": (
        f"border-top:2px dotted {theme.GREY};height:2px;vertical-align:4px",
        "pair that the reference lacks",
    ),
    "selected": (f"border-top:3px solid {theme.VERMILION};height:3px;vertical-align:4px", "selected pair"),
}


def arcs_legend(figure: Figure) -> str:
    """The legend of a figure of arcs: an entry for each kind of pair that it has."""
    names = {trace.get("name") for trace in figure["data"]}
    return swatches([entry for name, entry in _ARC_SWATCHES.items() if name in names])


def swatches(entries: Iterable[tuple[str, str]]) -> str:
    return '<div class="lg">' + "".join(f'<span><i style="{s}"></i>{t}</span>' for s, t in entries) + "</div>"
