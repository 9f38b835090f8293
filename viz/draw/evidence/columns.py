"""A long text as a whole: candidate and reference beside each other, with ribbons from the words that a metric joins to
where they lie on the other side, and the grid as a map.

The texts and what joins them are drawn here. Where words lie only the browser knows, so that its script
(`script/columns.js`) lays out the ribbons, and puts sentences that go together beside each other.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from metrics.text import Token
from metrics.text.sentences import Bead, paired, sentences
from metrics.types import Edit, Hit, Segment, TooHard

from ..pen import theme
from ..pen.legend import ROUNDS_NAMED
from ..pen.marks import ResultMarks, Use, by_credit
from ..pen.placed_shapes import px
from ..pen.shapes import MARKERS
from ..pen.theme import LOOKS
from ..texts import ProcessedTexts
from . import error_spans, words
from .drawn_result import DrawnResult
from .words import WordLook

RIBBONS_MOST = 3_000  # of a reference, so that a page with all of them stays quick
SQUARES = 60  # of a map, at most in a row
LEVELS = 4  # of a map's tints
LETTERS = 200  # of a word
TOO_MANY = "More words are joined than can be drawn; the whole text and the terms of the score stand here."


class Ribbon(NamedTuple):
    """Words of the candidate from `i` on and as many of reference `k` from `j` on, which are used in the same way."""

    i: int
    k: int
    j: int
    length: int
    use: Use


def columns(drawn: DrawnResult) -> str:
    """The candidate and its references as columns of text, of which one reference is shown at a time, as HTML.

    Each word is an element with its name and its look, as in `words.strips`; words that match something and are not
    used are dotted. A reference's ribbons stand in its attributes, by their looks, and which sentences go together.
    """
    texts = drawn.texts
    looks, ribbons, note = _joined(drawn)
    open_ = _order(drawn)
    labels, several = words.reference_labels(drawn.result), len(texts.references) > 1
    rows = sentences(texts.candidate_words)
    heads, sides = ['<div class="lb c"><b>Candidate</b></div>'], []
    dotted = _matching(texts)
    sides.append(f'<div class="side c">{_text(texts.candidate, "c", rows, looks, dotted)}</div>')
    for k, reference in enumerate(texts.references):
        of = f'data-reference="{k}"{"" if k == open_[0] else " hidden"}'
        parts = sentences(texts.reference_words[k])
        beads = paired(texts.segment.candidate, texts.segment.references[k], rows, parts)
        heads.append(f'<div class="lb ref" {of}>{labels[k]}</div>')
        text = _text(reference, f"r{k}_", parts, looks, dotted)
        sides.append(f'<div class="side ref" {of}{_beads(beads)}>{text}</div>')
        longest_ribbons = longest(ribbons[k])
        sides.append(f'<svg class="ribbons ref" {of} aria-hidden="true">{_groups(drawn, longest_ribbons)}</svg>')
        if len(longest_ribbons) < len(ribbons[k]):
            note += truncation_note(of, len(longest_ribbons), len(ribbons[k]))
    source_html = words.source_line(texts) + error_spans.listed(texts)
    source = f'<div class="word_lines">{source_html}</div>' if source_html else ""
    buttons = choice(open_, labels) if several else ""
    return f"{source}{buttons}{box([*heads, *sides])}{note}"


def maps(drawn: DrawnResult) -> str:
    """The whole grid of each reference from afar, with what its colours and the looks of words mean, as HTML."""
    first, out = _order(drawn)[0], []
    try:
        used: Collection[Hit] = drawn.marks.uses
    except TooHard:
        used = ()
    for k in range(len(drawn.texts.references)):
        of = f'data-reference="{k}"{"" if k == first else " hidden"}'
        out.append(f'<div class="ref" {of}>{map_of(drawn.texts, k, [cell for cell in used if cell.k == k])}</div>')
    return "".join(out) + _legend(drawn)


# ---------------------------------------------------------------- what is joined


def longest(ribbons: Iterable[Ribbon]) -> list[Ribbon]:
    """As many ribbons as are drawn, the longest first."""
    return sorted(ribbons, key=lambda ribbon: (-ribbon.length, ribbon))[:RIBBONS_MOST]


def truncation_note(of: str, drawn: int, count: int) -> str:
    """That not all ribbons are drawn, as HTML with the attributes `of` what has them."""
    says = f"Of what is joined here the {drawn:,} longest of {count:,} ribbons are drawn"
    return f'<p class="note ref" {of}>{says}; words light each other all the same.</p>'


def listed(ribbons: Iterable[Ribbon]) -> str:
    """Ribbons as an attribute: the first word on both sides, and how many they are where it is more than one."""
    return " ".join([f"{r.i},{r.j}" + (f",{r.length}" if r.length > 1 else "") for r in sorted(ribbons)])


def _joined(drawn: DrawnResult) -> tuple[Mapping[str, WordLook], Mapping[int, list[Ribbon]], str]:
    """The looks of words, the ribbons of each reference, and a sentence where they are too many to be drawn."""
    out: defaultdict[int, list[Ribbon]] = defaultdict(list)
    try:
        looks = words.looks(drawn)
        for ribbon in ribbons_of(drawn.marks):
            out[ribbon.k].append(ribbon)
    except TooHard:
        return {}, defaultdict(list), f'<p class="note">{TOO_MANY}</p>'
    return looks, out, ""


def ribbons_of(marks: ResultMarks) -> Iterator[Ribbon]:
    """What the marks join, by where it begins: words that follow each other on both sides are one ribbon where they are
    used in the same way and one mark, or the path of all, goes on from each to the next."""
    paths = {
        cell
        for _, layer in marks.layers
        if layer.path
        for mark in layer.marks
        if not isinstance(mark, Edit)
        for cell in mark.cells()
    }
    goes_on, last = marks.joined, None
    for cell, use in sorted(marks.uses.items(), key=lambda each: (each[0].k, each[0].j - each[0].i, each[0].i)):
        if last is not None:
            i, k, j, length, before = last
            end = Hit(i + length - 1, k, j + length - 1)
            follows = cell == (end.i + 1, k, end.j + 1) and use == before
            if follows and (end in goes_on or (end in paths and cell in paths)):
                last = last._replace(length=length + 1)
                continue
            yield last
        last = Ribbon(cell.i, cell.k, cell.j, 1, use)
    if last is not None:
        yield last


def _groups(drawn: DrawnResult, ribbons: Iterable[Ribbon]) -> str:
    """Ribbons by their looks."""
    groups: defaultdict[Use, list[Ribbon]] = defaultdict(list)
    for ribbon in ribbons:
        groups[ribbon.use].append(ribbon)
    names = _names(drawn.marks) if groups else {}
    out = []
    for use, members in sorted(groups.items()):
        says = escape(_look(use).hover + (f", {names[use.number]}" if use.number in names else ""))
        out.append(f'<g class="{" ".join(_classes(use))}" data-says="{says}" data-ribbons="{listed(members)}"></g>')
    return "".join(out)


def _classes(use: Use) -> list[str]:
    """The classes of words, and of ribbons, that are used in some way."""
    colour = [theme.round_class(use.number)] if use.number else []
    return [*theme.word_classes(use.relation), *colour]


def _look(use: Use) -> theme.ShapeLook:
    """How a grid draws what is used in some way."""
    return LOOKS["substituted" if use.relation == "different" else "used", MARKERS[use.relation]]


def _names(marks: ResultMarks) -> dict[int, str]:
    """The names of the numbered layers."""
    return {layer.number: layer.name for _, layer in marks.layers if layer.number}


# ---------------------------------------------------------------- the texts


def _order(drawn: DrawnResult) -> list[int]:
    """The references in the order in which they are offered, the one that is shown at first before the others."""
    return by_credit([drawn.result], range(len(drawn.texts.references)))


def choice(order: Sequence[int], labels: Sequence[str]) -> str:
    """The choice of the reference, in the order of the texts."""
    buttons = "".join(
        f'<button type="button" data-show="{k}" aria-pressed="{str(k == order[0]).lower()}">Reference {k + 1}</button>'
        for k in sorted(order)
    )
    return f'<div class="over"><div class="refs" role="group" aria-label="Reference shown">{buttons}</div></div>'


def _matching(texts: ProcessedTexts) -> Mapping[str, frozenset[str]]:
    """The forms that match something, of the candidate and of its references together, by the letter of their side."""
    ours = frozenset(texts.segment.candidate)
    return {"c": frozenset().union(*texts.segment.references) & ours, "r": ours}


def _text(
    tokens: Sequence[Token],
    side: str,
    parts: Iterable[range],
    looks: Mapping[str, WordLook],
    matching: Mapping[str, frozenset[str]],
) -> str:
    """A text as paragraphs, with its words' looks."""
    matching_forms, out = matching[side[0]], []
    for place, token in enumerate(tokens):
        name = f"{side}{place}"
        look = looks.get(name)
        if look is None:
            classes, digit, tip = "tk h" if token.form in matching_forms else "tk", "", ""
        else:
            colour = (theme.round_class(look.number),) if look.number else ()
            # What is joined with the next word is so across the space between them, where there is one.
            tight = ("tight",) if place + 1 < len(tokens) and not _has_gap(token, tokens[place + 1]) else ()
            classes = " ".join(["tk", *look.classes, *colour, *tight])
            digit = f"<sup>{look.number}</sup>" if look.number else ""
            tip = f' data-says="{theme.safe(look.says, 600)}"' if look.says else ""
        word_text = theme.safe(token.raw, LETTERS)
        # A word is isolated by its own element, but for one with a digit, which is no part of it.
        out.append(
            f'<span class="{classes}" data-word="{name}"{tip}><bdi>{word_text}</bdi>{digit}</span>'
            if digit
            else f'<bdi class="{classes}" data-word="{name}"{tip}>{word_text}</bdi>'
        )
    return paragraphs(tokens, out, parts)


def paragraphs(tokens: Sequence[Token], html_words: Sequence[str], parts: Iterable[range]) -> str:
    """A text as paragraphs, one a sentence, with spaces where it has some; `html_words` are its words as HTML."""
    direction, out = theme.direction([token.raw for token in tokens[:40]]), []
    for part in parts:
        inner = []
        for place in part:
            if place > part.start and _has_gap(tokens[place - 1], tokens[place]):
                inner.append(" ")
            inner.append(html_words[place])
        out.append(f'<p dir="{direction}">{"".join(inner)}</p>')
    return "".join(out)


def box(inside: Iterable[str], look: str = "") -> str:
    """Columns in a box that scrolls."""
    return f'<div class="word_lines cols{look}"><div class="inner">{"".join(inside)}</div></div>'


def _has_gap(before: Token, token: Token) -> bool:
    """Whether something stands between two words of a text."""
    return token.start != before.end


def _beads(beads: Iterable[Bead] | None) -> str:
    """How many sentences of both sides go together, as an attribute; "" where their breaks do not agree."""
    return f' data-rows="{" ".join([f"{a},{b}" for a, b in beads])}"' if beads else ""


# ---------------------------------------------------------------- the map


def square_size(n: int, m: int) -> int:
    """Words a side of a square of a map: such that at most SQUARES lie in a row."""
    return max(1, math.ceil(max(n, m) / SQUARES))


def density(segment: Segment, k: int, step: int) -> Counter[tuple[int, int]]:
    """How many hits lie in each square of `step` words; counted by word types, so that no hit needs to exist."""
    candidate, reference = segment.candidate, segment.references[k]
    rows: dict[str, Counter[int]] = {}
    for i, word in enumerate(candidate):
        rows.setdefault(word, Counter())[i // step] += 1
    columns: dict[str, Counter[int]] = {}
    for j, word in enumerate(reference):
        if word in rows:
            columns.setdefault(word, Counter())[j // step] += 1
    out: Counter[tuple[int, int]] = Counter()
    for word, across in columns.items():
        for a, down in rows[word].items():
            for b, count in across.items():
                out[a, b] += down * count
    return out


def map_of(texts: ProcessedTexts, k: int, used: Iterable[Hit], side: str = "c", of: str = "all matches") -> str:
    """The grid of a reference as squares of words: grey where words match, blue where matches are used, the stronger
    the more; the browser frames what is seen of the texts. `side` are the rows' words, and `of` says what it shows."""
    n, m = len(texts.candidate), len(texts.references[k])
    step = square_size(n, m)
    used_counts = Counter((cell.i // step, cell.j // step) for cell in used)
    paths: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for square, count in density(texts.segment, k, step).items():
        if square not in used_counts:
            paths["unused", _level(count, step**2)].append(square)
    for square, count in used_counts.items():
        paths["used", _level(count, step)].append(square)
    body = "".join(
        [f'<path class="{role} l{level}" d="{_strokes(squares)}"/>' for (role, level), squares in sorted(paths.items())]
    )
    high, wide = math.ceil(n / step), math.ceil(m / step)
    return (
        f'<svg class="map" viewBox="-0.5 -0.5 {wide + 1} {high + 1}" '
        f'data-k="{k}" data-side="{side}" data-step="{step}" '
        f'data-rows="{n}" data-columns="{m}" role="img" '
        f'aria-label="Map of {of}, {n:,} × {m:,} words: a click scrolls the texts there">'
        f'<rect class="ground" width="{px(m / step)}" height="{px(n / step)}"/>{body}</svg>'
    )


def _level(count: int, most: int) -> int:
    """The strength of a tint, from 1 to LEVELS."""
    return min(LEVELS, 1 + LEVELS * count // (most + 1))


def _strokes(squares: Iterable[tuple[int, int]]) -> str:
    """Squares as lines of their height, those beside each other as one."""
    out: list[list[int]] = []
    for a, b in sorted(squares):
        if out and out[-1][0] == a and out[-1][1] + out[-1][2] == b:
            out[-1][2] += 1
        else:
            out.append([a, b, 1])
    return "".join([f"M{b} {a}.5h{length}" for a, b, length in out])


def _legend(drawn: DrawnResult) -> str:
    """What the looks of words and ribbons and the colours of the map mean."""
    try:
        uses = sorted({*drawn.marks.uses.values()})
        gaps = sorted({gap.role for gap in drawn.marks.gaps})
        names = _names(drawn.marks)
    except TooHard:
        uses, gaps, names = [], [], {}
    entries = [
        (" ".join(_classes(use)), names.get(use.number) or _look(use).legend)
        for use in uses
        if use.number <= ROUNDS_NAMED
    ]
    entries += [(" ".join(theme.word_classes(role)), f"{role} word") for role in gaps]
    entries.append(("h", LOOKS["unused", "ring"].legend))
    roles = dict.fromkeys([error_spans.role_of(mark) for mark in drawn.texts.marked])
    entries += [(LOOKS[role, "line"].word, LOOKS[role, "line"].legend) for role in roles]
    unique_entries = dict.fromkeys(entries)
    samples = [f'<span><b class="tk {look}">word</b>{escape(says)}</span>' for look, says in unique_entries]
    return f'<div class="lg said">{"".join(samples)}</div>'
