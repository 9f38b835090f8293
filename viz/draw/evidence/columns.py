"""Draw a long text as a whole: candidate and reference in columns, with ribbons between matched words, and a map.

The texts and ribbons are prepared here. Only the browser knows where words are, so its script (`script/columns.js`)
lays out the ribbons, and aligns sentences that belong together."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from metrics.text import Token
from metrics.text.sentences import Bead, align_sentences, sentences
from metrics.types import Edit, Hit, Segment, TooHard

from ..pen import theme
from ..pen.legend import ROUNDS_NAMED
from ..pen.marks import CellUse, ResultMarks, references_by_credit
from ..pen.placed_shapes import px
from ..pen.shapes import MARKERS
from ..pen.text import safe, writing_direction
from ..pen.theme import LOOKS
from ..texts import ProcessedTexts
from . import error_spans, words
from .drawn_result import DrawnResult
from .words import WordLook

RIBBONS_MOST = 3_000  # ribbons of a reference that are drawn, so that a page with all of them is fast
SQUARES = 60  # most squares in a row of a map
LEVELS = 4  # strengths of a map's tints
LETTERS = 200  # letters of a word that are shown
TOO_MANY = "Too many matches to draw; the whole text and the terms of the score are shown here."


class Ribbon(NamedTuple):
    """A band that joins `length` candidate words from position `i` on to as many words of reference `k` from `j` on.

    The metric uses all of them in the same way, `use`: in the same round, with the same relation."""

    i: int
    k: int
    j: int
    length: int
    use: CellUse


def columns(drawn: DrawnResult) -> str:
    """Return the candidate and its references as columns of text, as HTML, with one reference visible at a time.

    Each word is an element with its name and a look that says how it is used; words that match something but are not
    used are dotted. Attributes have the ribbons of each reference, grouped by look, and which sentences belong
    together."""
    texts = drawn.texts
    looks, ribbons, note = _looks_and_ribbons(drawn)
    open_ = _reference_order(drawn)
    labels, several = words.reference_labels(drawn.result), len(texts.references) > 1
    rows = sentences(texts.candidate_words)
    heads, sides = ['<div class="lb c"><b>Candidate</b></div>'], []
    dotted = _matching_forms(texts)
    sides.append(f'<div class="side c">{_text_html(texts.candidate, "c", rows, looks, dotted)}</div>')
    for k, reference in enumerate(texts.references):
        of = f'data-reference="{k}"{"" if k == open_[0] else " hidden"}'
        parts = sentences(texts.reference_words[k])
        beads = align_sentences(texts.segment.candidate, texts.segment.references[k], rows, parts)
        heads.append(f'<div class="lb ref" {of}>{labels[k]}</div>')
        text = _text_html(reference, f"r{k}_", parts, looks, dotted)
        sides.append(f'<div class="side ref" {of}{_beads_attribute(beads)}>{text}</div>')
        longest_ribbons = drawn_ribbons(ribbons[k])
        sides.append(
            f'<svg class="ribbons ref" {of} aria-hidden="true">{_ribbon_groups_svg(drawn, longest_ribbons)}</svg>'
        )
        if len(longest_ribbons) < len(ribbons[k]):
            note += truncation_note(of, len(longest_ribbons), len(ribbons[k]))
    source_html = words.source_line(texts) + error_spans.errors_list_html(texts)
    source = f'<div class="word_lines">{source_html}</div>' if source_html else ""
    buttons = reference_choice(open_, labels) if several else ""
    return f"{source}{buttons}{scroll_box([*heads, *sides])}{note}"


def maps_html(drawn: DrawnResult) -> str:
    """Return a small map of the grid with each reference, and the legend of colours and words' looks, as HTML."""
    first, out = _reference_order(drawn)[0], []
    try:
        used: Collection[Hit] = drawn.marks.uses
    except TooHard:
        used = ()
    for k in range(len(drawn.texts.references)):
        of = f'data-reference="{k}"{"" if k == first else " hidden"}'
        out.append(f'<div class="ref" {of}>{map_html(drawn.texts, k, [cell for cell in used if cell.k == k])}</div>')
    return "".join(out) + _legend_html(drawn)


# ---------------------------------------------------------------- what is joined


def drawn_ribbons(ribbons: Iterable[Ribbon]) -> list[Ribbon]:
    """Return the ribbons that are drawn: the RIBBONS_MOST longest, the longest first."""
    return sorted(ribbons, key=lambda ribbon: (-ribbon.length, ribbon))[:RIBBONS_MOST]


def truncation_note(of: str, drawn: int, count: int) -> str:
    """Return a note, as HTML, that only `drawn` of `count` ribbons are drawn.

    `of` are the HTML attributes that tie it to its reference, whose visibility it shares."""
    says = f"Only the {drawn:,} longest of {count:,} ribbons are drawn"
    return f'<p class="note ref" {of}>{says}; words still light up their matches.</p>'


def ribbons_attribute(ribbons: Iterable[Ribbon]) -> str:
    """Return ribbons as a value for an HTML attribute, which the script reads.

    A ribbon is its first positions in candidate and reference, and its length where that is not 1."""
    return " ".join([f"{r.i},{r.j}" + (f",{r.length}" if r.length > 1 else "") for r in sorted(ribbons)])


def _looks_and_ribbons(drawn: DrawnResult) -> tuple[Mapping[str, WordLook], Mapping[int, list[Ribbon]], str]:
    """Return the looks of words by name, the ribbons by reference, and a note ("" for none).

    Where they are too many to be computed, there are none, and the note says so."""
    out: defaultdict[int, list[Ribbon]] = defaultdict(list)
    try:
        looks = words.looks(drawn)
        for ribbon in ribbons_of(drawn.marks):
            out[ribbon.k].append(ribbon)
    except TooHard:
        return {}, defaultdict(list), f'<p class="note">{TOO_MANY}</p>'
    return looks, out, ""


def ribbons_of(marks: ResultMarks) -> Iterator[Ribbon]:
    """Yield the ribbons between words that the marks match, in the order of the grid's diagonals.

    Successive words on both sides form one ribbon where they are used in the same way, and where one mark, or the
    path of all marks, connects each with the next."""
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


def _ribbon_groups_svg(drawn: DrawnResult, ribbons: Iterable[Ribbon]) -> str:
    """Return ribbons as SVG groups, one for each way in which cells are used, because these look different."""
    groups: defaultdict[CellUse, list[Ribbon]] = defaultdict(list)
    for ribbon in ribbons:
        groups[ribbon.use].append(ribbon)
    names = _layer_names(drawn.marks) if groups else {}
    out = []
    for use, members in sorted(groups.items()):
        says = escape(_use_look(use).hover + (f", {names[use.number]}" if use.number in names else ""))
        classes, members_text = " ".join(_use_classes(use)), ribbons_attribute(members)
        out.append(f'<g class="{classes}" data-says="{says}" data-ribbons="{members_text}"></g>')
    return "".join(out)


def _use_classes(use: CellUse) -> list[str]:
    """Return the CSS classes of words and ribbons whose cells are used in this way."""
    colour = [theme.round_class(use.number)] if use.number else []
    return [*theme.word_classes(use.relation), *colour]


def _use_look(use: CellUse) -> theme.ShapeStyle:
    """Return the look that a grid gives cells that are used in this way."""
    return LOOKS["substituted" if use.relation == "different" else "used", MARKERS[use.relation]]


def _layer_names(marks: ResultMarks) -> dict[int, str]:
    """Return the names of numbered layers (rounds, shifts), by number."""
    return {layer.number: layer.name for _, layer in marks.layers if layer.number}


# ---------------------------------------------------------------- the texts


def _reference_order(drawn: DrawnResult) -> list[int]:
    """Return the indices of the references, those with the most credit first; the first one is visible at first."""
    return references_by_credit([drawn.result], range(len(drawn.texts.references)))


def reference_choice(order: Sequence[int], labels: Sequence[str]) -> str:
    """Return the buttons that choose the visible reference; the one of the first index in `order` is pressed."""
    buttons = "".join(
        f'<button type="button" data-show="{k}" aria-pressed="{str(k == order[0]).lower()}">Reference {k + 1}</button>'
        for k in sorted(order)
    )
    return f'<div class="over"><div class="refs" role="group" aria-label="Reference shown">{buttons}</div></div>'


def _matching_forms(texts: ProcessedTexts) -> Mapping[str, frozenset[str]]:
    """Return the word forms that match something: "c" for candidate words, "r" for reference words."""
    ours = frozenset(texts.segment.candidate)
    return {"c": frozenset().union(*texts.segment.references) & ours, "r": ours}


def _text_html(
    tokens: Sequence[Token],
    side: str,
    parts: Iterable[range],
    looks: Mapping[str, WordLook],
    matching: Mapping[str, frozenset[str]],
) -> str:
    """Return a text as HTML paragraphs, each word with its look.

    `side` is the prefix of the words' names, `parts` are the ranges of the sentences, `looks` are looks by name of the
    word, and `matching` has the forms of words that match something, by the first letter of `side`."""
    matching_forms, out = matching[side[0]], []
    for place, token in enumerate(tokens):
        name = f"{side}{place}"
        look = looks.get(name)
        if look is None:
            classes, digit, tip = "tk h" if token.form in matching_forms else "tk", "", ""
        else:
            colour = (theme.round_class(look.number),) if look.number else ()
            # Two joined words are joined across the space between them; without a space they need another look.
            tight = ("tight",) if place + 1 < len(tokens) and not _has_gap(token, tokens[place + 1]) else ()
            classes = " ".join(["tk", *look.classes, *colour, *tight])
            digit = f"<sup>{look.number}</sup>" if look.number else ""
            tip = f' data-says="{safe(look.says, 600)}"' if look.says else ""
        word_text = safe(token.raw, LETTERS)
        # <bdi> isolates a word; a word with a digit needs an outer element, because the digit is not part of it.
        out.append(
            f'<span class="{classes}" data-word="{name}"{tip}><bdi>{word_text}</bdi>{digit}</span>'
            if digit
            else f'<bdi class="{classes}" data-word="{name}"{tip}>{word_text}</bdi>'
        )
    return paragraphs(tokens, out, parts)


def paragraphs(tokens: Sequence[Token], html_words: Sequence[str], parts: Iterable[range]) -> str:
    """Return a text as HTML, one paragraph for each sentence, with spaces only where the text has them.

    `html_words` are the words of the text as HTML, and `parts` are the ranges of the sentences' words."""
    direction, out = writing_direction([token.raw for token in tokens[:40]]), []
    for part in parts:
        inner = []
        for place in part:
            if place > part.start and _has_gap(tokens[place - 1], tokens[place]):
                inner.append(" ")
            inner.append(html_words[place])
        out.append(f'<p dir="{direction}">{"".join(inner)}</p>')
    return "".join(out)


def scroll_box(inside: Iterable[str], look: str = "") -> str:
    """Return columns of text in a box that scrolls; `look` are further CSS classes."""
    return f'<div class="word_lines cols{look}"><div class="inner">{"".join(inside)}</div></div>'


def _has_gap(before: Token, token: Token) -> bool:
    """Return whether anything, such as a space, is between two words of a text."""
    return token.start != before.end


def _beads_attribute(beads: Iterable[Bead] | None) -> str:
    """Return the groups of sentences that belong together, as an HTML attribute: how many of each side.

    The result is "" where the sentence breaks of candidate and reference do not agree."""
    return f' data-rows="{" ".join([f"{a},{b}" for a, b in beads])}"' if beads else ""


# ---------------------------------------------------------------- the map


def words_per_square(n: int, m: int) -> int:
    """Return how many words a square of a map covers, such that a row has at most SQUARES squares.

    `n` and `m` are the lengths of the candidate and of the reference in words."""
    return max(1, math.ceil(max(n, m) / SQUARES))


def count_hits_by_square(segment: Segment, k: int, step: int) -> Counter[tuple[int, int]]:
    """Return the number of hits with reference `k` by (row, column) of the square of `step` × `step` words.

    They are counted by word form without building the hits, of which a long text has millions."""
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


def map_html(texts: ProcessedTexts, k: int, used: Iterable[Hit], side: str = "c", of: str = "all matches") -> str:
    """Return the grid with reference `k` as a map of squares: grey where words match, blue where matches are used.

    More matches make a stronger tint. The browser frames the visible part of the texts. `used` are the used cells.
    `side` is the prefix of the names of the rows' words, and `of` says for screen readers what the map shows."""
    n, m = len(texts.candidate), len(texts.references[k])
    step = words_per_square(n, m)
    used_counts = Counter((cell.i // step, cell.j // step) for cell in used)
    paths: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for square, count in count_hits_by_square(texts.segment, k, step).items():
        if square not in used_counts:
            paths["unused", _tint_level(count, step**2)].append(square)
    for square, count in used_counts.items():
        paths["used", _tint_level(count, step)].append(square)
    body = "".join(
        [
            f'<path class="{role} l{level}" d="{_squares_path(squares)}"/>'
            for (role, level), squares in sorted(paths.items())
        ]
    )
    high, wide = math.ceil(n / step), math.ceil(m / step)
    return (
        f'<svg class="map" viewBox="-0.5 -0.5 {wide + 1} {high + 1}" '
        f'data-k="{k}" data-side="{side}" data-step="{step}" '
        f'data-rows="{n}" data-columns="{m}" role="img" '
        f'aria-label="Map of {of}, {n:,} × {m:,} words: a click scrolls the texts there">'
        f'<rect class="ground" width="{px(m / step)}" height="{px(n / step)}"/>{body}</svg>'
    )


def _tint_level(count: int, most: int) -> int:
    """Return the strength of a square's tint, from 1 to LEVELS, for `count` cells of at most `most`."""
    return min(LEVELS, 1 + LEVELS * count // (most + 1))


def _squares_path(squares: Iterable[tuple[int, int]]) -> str:
    """Return squares, given as (row, column), as an SVG path of lines as thick as a square.

    Neighbours in a row are one line."""
    out: list[list[int]] = []
    for a, b in sorted(squares):
        if out and out[-1][0] == a and out[-1][1] + out[-1][2] == b:
            out[-1][2] += 1
        else:
            out.append([a, b, 1])
    return "".join([f"M{b} {a}.5h{length}" for a, b, length in out])


def _legend_html(drawn: DrawnResult) -> str:
    """Return the legend of the looks of words and ribbons and of the map's colours."""
    try:
        uses = sorted({*drawn.marks.uses.values()})
        gaps = sorted({gap.role for gap in drawn.marks.gaps})
        names = _layer_names(drawn.marks)
    except TooHard:
        uses, gaps, names = [], [], {}
    entries = [
        (" ".join(_use_classes(use)), names.get(use.number) or _use_look(use).legend)
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
