"""Draw the segments that tell most about two systems as cards, with source, outputs and references in full.

The words that decide which output is better are highlighted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from metrics.corpus.explanations.deciding_words import find_deciding_words
from metrics.text import Token

from ..pen.stylesheets import read_sheets
from ..pen.text import safe

RULES = read_sheets(Path(__file__).parent, "cards")
#: How many letters are shown of a text, of a name, and of the reason for a card.
TEXT_MOST, NAME_MOST, SAID_MOST = 1_200, 60, 400

#: The (start, end) positions of highlighted letters in a text, half-open.
Spans = Sequence[tuple[int, int]]


class CardLine(NamedTuple):
    """A text of a segment with its label `name`, and the spans of letters that are highlighted.

    `how` is "right" or "wrong": whether the highlighted words are right or wrong."""

    name: str
    text: str
    lit_spans: Spans = ()
    tone: str = "right"


class Card(NamedTuple):
    """A segment with its texts; `segment` is its index from 0, and `why` says why it was chosen."""

    segment: int
    why: str
    lines: Sequence[CardLine]


class CardGroup(NamedTuple):
    """A group of cards under a heading."""

    head: str
    cards: Sequence[Card]


def draw(card_groups: Sequence[CardGroup], more: str = "") -> str:
    """Return the groups of cards side by side as HTML, and below them, folded, the HTML of `more` segments."""
    groups_html = "".join([_group_html(side) for side in card_groups if side.cards])
    if not groups_html and not more:
        return ""
    rest = f'<details class="telling"><summary>More telling segments</summary>{more}</details>' if more else ""
    return f'<div class="cards">{groups_html}</div><div class="story more">{rest}</div>'


def _group_html(side: CardGroup) -> str:
    return f"<section><h2>{safe(side.head, 200)}</h2>{''.join([_card_html(each) for each in side.cards])}</section>"


def _card_html(card: Card) -> str:
    tell = f'data-tell="segment:{card.segment}"'
    head = f'<button type="button" {tell}>Segment {card.segment + 1:,}</button>'
    why = f'<span class="why">{safe(card.why, SAID_MOST)}</span>'
    lines = "".join([f"<dt>{safe(line.name, NAME_MOST)}</dt>{text(line)}" for line in card.lines])
    return f'<article class="card" {tell}><p class="top">{head} {why}</p><dl>{lines}</dl></article>'


def text(line: CardLine) -> str:
    """Return a text as HTML with its highlighted spans; very long texts are cut.

    >>> text(CardLine("A", "a <b> c", ((2, 5),)))
    '<dd dir="auto">a <mark class="right">&lt;b&gt;</mark> c</dd>'
    """
    if not line.text.strip():
        return '<dd class="none">no words</dd>'
    whole, out, at = line.text[:TEXT_MOST], list[str](), 0
    for start, end in line.lit_spans:
        start, end = max(start, at), min(end, len(whole))
        if start >= end:
            continue
        out += [_escaped(whole[at:start]), f'<mark class="{line.tone}">{_escaped(whole[start:end])}</mark>']
        at = end
    out += [_escaped(whole[at:]), "…" if len(line.text) > TEXT_MOST else ""]
    return f'<dd dir="auto">{"".join(out)}</dd>'


def _escaped(part: str) -> str:
    return safe(part, TEXT_MOST) if part else ""


#: A label, the words of a text, and the text as it was given.
GivenText = tuple[str, Sequence[Token], str]


def card_lines(
    source: str | None, outputs: Sequence[GivenText], references: Sequence[GivenText], cause: str, for_second: bool
) -> list[CardLine]:
    """Return the texts of a segment with the words highlighted that make one output better.

    Args:
        source: the source, or None for none.
        outputs: the outputs of the two systems.
        references: the references.
        cause: the cause of the difference, such as "order", by which the words are chosen.
        for_second: whether the second output is the better one."""
    better, worse = outputs[::-1] if for_second else outputs
    forms = [tuple([token.form for token in words]) for _, words, _ in (better, worse, *references)]
    deciding_words = find_deciding_words(forms[0], forms[1], forms[2:], cause)

    def line(given: GivenText, places: Collection[int], how: str = "right") -> CardLine:
        """Return a text in which the words at the positions `places` are highlighted, as "right" or "wrong"."""
        name, words, text = given
        return CardLine(name, text, merged_spans([(words[n].start, words[n].end) for n in places], text), how)

    two = [line(better, deciding_words.better), line(worse, deciding_words.worse, "wrong")]
    out = [CardLine("Source", source)] if source is not None else []
    out += two[::-1] if for_second else two
    several = len(references) > 1
    for number, (each, places) in enumerate(zip(references, deciding_words.references, strict=True), 1):
        out.append(line((f"Reference {number}" if several else "Reference", *each[1:]), places))
    return out


def merged_spans(spans: Spans, text: str) -> list[tuple[int, int]]:
    """Return the spans in order, merged where only whitespace is between them.

    >>> merged_spans([(3, 5), (0, 2), (8, 9)], "ab cd xx e")
    [(0, 5), (8, 9)]
    """
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and not text[out[-1][1] : start].strip():
            out[-1] = out[-1][0], max(end, out[-1][1])
        else:
            out.append((start, end))
    return out
