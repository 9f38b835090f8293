"""What one edit from A to B did to a metric: what it is worth and why, what B's score would be without it, and the
cells that it gained and lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from metrics.analysis.difference import DiffPlace
from metrics.analysis.edit_sentence import edit_sentence
from metrics.analysis.sentence import QuotedWords, SentencePart

from ..compare.comparison import OutputPair, decisions, explained, why
from ..compare.differences import row_of
from ..compare.scores import MARKS, Verdict, verdict
from ..pen import theme
from ..texts import ProcessedTexts
from .edit_map import EditMap, Worth
from .merged import phrase
from .table import ROUNDING, Opened

SHOWN = 12  # runs of cells that are listed
TRY = "try"  # what a button opens: "try=3"


class Origin(NamedTuple):
    """Where a word of B without an edit comes from: a word of A, or one of B."""

    side: str
    at: int


def origins(edit_map: EditMap, row: int) -> list[Origin]:
    """The words of B with the edits of one row taken back."""
    row_edits, out = edit_map.rows[row], list[Origin]()
    for number, span in edit_map.pieces():
        if number in row_edits:
            out += [Origin("a", i) for i in range(span.a, span.a_end)]
        else:
            out += [Origin("b", j) for j in range(span.b, span.b_end)]
    return out


def take_back_row(edit_map: EditMap, row: int, a: ProcessedTexts, b: ProcessedTexts) -> ProcessedTexts:
    """B with the edits of one row taken back."""
    tokens = tuple([(a if side == "a" else b).candidate[at] for side, at in origins(edit_map, row)])
    segment = b.segment._replace(candidate=tuple([token.form for token in tokens]))
    return replace(b, segment=segment, candidate=tokens)


def opened(pair: OutputPair, edit_map: EditMap, row: int, worth: Worth, back: OutputPair, tries: bool = True) -> Opened:
    """What belongs to a row of the edits from A to B, `pair`; `back` leads from B without it to B. A button `tries` it
    where somebody listens."""
    places = origins(edit_map, row)
    rows = {side: row_of(pair.difference.rows, side) for side in "ab"}
    b_side = {number: words.b for number, words in enumerate(back.difference.rows)}
    a_side = {number: words.a for number, words in enumerate(back.difference.rows)}

    def in_b(place: DiffPlace) -> Origin | None:
        at = b_side[place.row]
        return None if at is None else Origin("b", at)

    def in_back(place: DiffPlace) -> Origin | None:
        at = a_side[place.row]
        return None if at is None else places[at]

    gained = [(in_b(place), place) for place in back.difference.gained]
    lost = [(in_back(place), place) for place in back.difference.lost]
    moved = [
        origin_cell for old, new in back.difference.moved for origin_cell in ((in_back(old), old), (in_b(new), new))
    ]
    cells = dict.fromkeys(
        [
            f"{prefix},{place.k},{place.j}"
            for origin, place in [*gained, *lost, *moved]
            if origin
            for prefix in (f"d{rows[origin.side][origin.at]}", f"{origin.side}{origin.at}")
        ]
    )
    words = dict.fromkeys(
        [
            f"d{rows[side][at]}"
            for span in edit_map.spans(row)
            for side, inside in (("a", range(span.a, span.a_end)), ("b", range(span.b, span.b_end)))
            for at in inside
        ]
    )
    parts = [
        f"<p>{_sentence(pair, worth, edit_map, row)}</p>",
        f"<p>{_had(pair, edit_map, row, worth, tries)}</p>",
        _decides(back),
        _why(back),
        _cells(pair, gained, "better"),
        _cells(pair, lost, "worse"),
    ]
    return Opened(f'<div class="did">{"".join(parts)}</div>', [*cells], [*words])


def _sentence(pair: OutputPair, worth: Worth, edit_map: EditMap, row: int) -> str:
    """What the edits of a row are worth and why, as HTML."""
    edits = [worth.shares[number] for number in edit_map.rows[row]]
    sentence_words = QuotedWords(edit_map.a, edit_map.b, pair.references)
    sentence_parts = edit_sentence(
        worth.metric,
        pair.a.segment,
        pair.b.segment.candidate,
        pair.before.settings,
        worth.shares,
        edits,
        sentence_words,
        pair.decimals,
        "from A to B",
    )
    return _html(sentence_parts)


def _html(parts: Sequence[SentencePart]) -> str:
    return "".join([f"“{quoted(part.text.split(' '))}”" if part.is_words else escape(part.text) for part in parts])


def quoted(words: Sequence[str]) -> str:
    return f"<i>{phrase(words)}</i>"


def had(edit_map: EditMap, row: int, name: str) -> str:
    """The condition "Had B kept “gleichen”" as HTML."""
    gone_words, came = edit_map.phrases(row)
    who = f"<bdi>{theme.safe(name)}</bdi>"
    if edit_map.moves(row):
        return f"Had {who} left “{quoted(came)}” where it stood"
    return f"Had {who} kept “{quoted(gone_words)}”" if gone_words else f"Had {who} not put in “{quoted(came)}”"


def _had(pair: OutputPair, edit_map: EditMap, row: int, worth: Worth, tries: bool) -> str:
    """What the score would be with this edit alone taken back."""
    score = worth.back(edit_map, row)
    change = score - pair.after.score
    tone = verdict(change, worth.metric.higher_is_better, pair.decimals)
    by = "the same" if tone == "same" else f"{MARKS[tone]} {theme.change_text(change, pair.decimals)}, {tone}"
    button = f' <button type="button" data-open="{TRY}={row}">Try it in What if</button>' if tries else ""
    return (
        f"{had(edit_map, row, pair.names[1])}, {escape(worth.metric.label)} would be "
        f'<b>{theme.score_text(score, pair.decimals)}</b>, <b class="{tone}">{by}</b>.{button}'
    )


def _decides(back: OutputPair) -> str:
    """That another reference decides without the edit; "" where none does."""
    same_decisions = dict(back.before.decides) == dict(back.after.decides)
    return "" if same_decisions else f"<p>{decisions(back)}</p>"


def _why(back: OutputPair) -> str:
    """What the ledger says of B against B without the edit; "" where that gives the same score, and where it would call
    B without the edit "A"."""
    names_a = any(not part.is_words and re.search(r"\bA\b", part.text) for part in explained(back))
    if abs(back.delta) < ROUNDING or names_a:
        return ""
    return f"<p>From there to <bdi>{theme.safe(back.names[1])}</bdi>: {why(back)}</p>"


def _cells(pair: OutputPair, origin_cells: Sequence[tuple[Origin | None, DiffPlace]], tone: Verdict) -> str:
    """The words of the cells that were gained, which is better, or lost; those in a row on a diagonal as one."""
    several = len(pair.references) > 1
    runs: list[tuple[list[str], int, int]] = []
    last: tuple[Origin, DiffPlace] | None = None
    for origin, place in sorted(
        [(o, p) for o, p in origin_cells if o], key=lambda each: (each[1].k, each[1].row, each[1].j)
    ):
        word = (pair.a if origin.side == "a" else pair.b).candidate_words[origin.at]
        follows = last and (last[1].row + 1, last[1].k, last[1].j + 1) == place
        if follows:
            runs[-1][0].append(word)
        else:
            runs.append(([word], place.k, place.j))
        last = origin, place
    if not runs:
        return ""
    listed = [
        f"<span><i>{phrase(words)}</i>"
        f' <span class="at">word{"s" if len(words) > 1 else ""} {theme.positions_text(j, len(words))} of '
        f"{f'reference {k + 1}' if several else 'the reference'}</span></span>"
        for words, k, j in runs[:SHOWN]
    ]
    more = f" and {theme.count_text(len(runs) - SHOWN, 'more')}" if len(runs) > SHOWN else ""
    says = "gained" if tone == "better" else "lost"
    return f'<p class="cells"><b class="{tone}">{MARKS[tone]} {says}</b> {"; ".join(listed)}{more}</p>'
