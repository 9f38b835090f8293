"""The token strips: candidate and references as words that show what was used and light up their partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metrics.types import Hit, Result

from . import theme
from .marks import Selection, covered, neighbours_in_runs

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
) -> str:
    """The strips as HTML with their own style rules.

    Tinted and underlined: used; dotted: matches, not used; plain: matches nothing. Hovering a word outlines every word
    that it matches. Class names are made of indices only and every word is escaped.
    """
    used = covered(result, rounds)
    joined = neighbours_in_runs(result)
    term = chosen.of(result) if chosen else None
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

    def line(label: str, words: Words, name: str) -> str:
        out = []
        for position, word in enumerate(words):
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
        return f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="auto">{"".join(out)}</div></div>'

    body = line("<b>Candidate</b>", candidate, "c")
    for k, reference in enumerate(references):
        marks = "".join(f'<span class="bd">{badge}</span>' for badge in (badges or {}).get(k, ()))
        body += line(f"Reference {k + 1}{marks}" if len(references) > 1 else "Reference", reference, f"r{k}_")
    total = len(candidate) + sum(map(len, references))
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


def matches_as_text(candidate: Words, references: Sequence[Words], result: Result) -> str:
    """Every term as a sentence, for those who do not see the grid."""
    from .ledger import rows  # here to keep drawing words free of the ledger

    lines = []
    for row in rows(candidate, references, result):
        lines.append(f"{row.layer}: {row.term} ({row.words}), credit {row.credit} = {row.value:.6g}")
    return "\n".join(lines) or "No word matches."
