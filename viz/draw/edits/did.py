"""What one edit from A to B did to a metric: what it is worth and why, what B's score would be without it, and the
cells that it gained and lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from metrics.analysis.difference import Place
from metrics.analysis.edit_sentence import edit_sentence
from metrics.analysis.sentence import Part, Shown

from ..compare.comparison import Pair, decisions, explained, why
from ..compare.differences import row_of
from ..compare.scores import MARKS, Verdict, verdict
from ..pen import theme
from ..texts import Texts
from .between import Between, Worth
from .merged import phrase
from .table import ROUNDING, Opened

SHOWN = 12  # runs of cells that are listed
TRY = "try"  # what a button opens: "try=3"


class Origin(NamedTuple):
    """Where a word of B without an edit comes from: a word of A, or one of B."""

    side: str
    at: int


def origins(between: Between, row: int) -> list[Origin]:
    """The words of B with the edits of one row taken back."""
    own, out = between.rows[row], list[Origin]()
    for number, span in between.pieces():
        if number in own:
            out += [Origin("a", i) for i in range(span.a, span.a_end)]
        else:
            out += [Origin("b", j) for j in range(span.b, span.b_end)]
    return out


def without(between: Between, row: int, a: Texts, b: Texts) -> Texts:
    """B with the edits of one row taken back."""
    tokens = tuple([(a if side == "a" else b).candidate[at] for side, at in origins(between, row)])
    segment = b.segment._replace(candidate=tuple([token.form for token in tokens]))
    return replace(b, segment=segment, candidate=tokens)


def opened(pair: Pair, between: Between, row: int, worth: Worth, back: Pair, tries: bool = True) -> Opened:
    """What belongs to a row of the edits from A to B, `pair`; `back` leads from B without it to B. A button `tries` it
    where somebody listens."""
    places = origins(between, row)
    rows = {side: row_of(pair.found.rows, side) for side in "ab"}
    b_side = {number: words.b for number, words in enumerate(back.found.rows)}
    a_side = {number: words.a for number, words in enumerate(back.found.rows)}

    def in_b(place: Place) -> Origin | None:
        at = b_side[place.row]
        return None if at is None else Origin("b", at)

    def in_back(place: Place) -> Origin | None:
        at = a_side[place.row]
        return None if at is None else places[at]

    gained = [(in_b(place), place) for place in back.found.gained]
    lost = [(in_back(place), place) for place in back.found.lost]
    moved = [found for old, new in back.found.moved for found in ((in_back(old), old), (in_b(new), new))]
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
            for span in between.spans(row)
            for side, inside in (("a", range(span.a, span.a_end)), ("b", range(span.b, span.b_end)))
            for at in inside
        ]
    )
    parts = [
        f"<p>{_sentence(pair, worth, between, row)}</p>",
        f"<p>{_had(pair, between, row, worth, tries)}</p>",
        _decides(back),
        _why(back),
        _cells(pair, gained, "better"),
        _cells(pair, lost, "worse"),
    ]
    return Opened(f'<div class="did">{"".join(parts)}</div>', [*cells], [*words])


def _sentence(pair: Pair, worth: Worth, between: Between, row: int) -> str:
    """What the edits of a row are worth and why, as HTML."""
    edits = [worth.shares[number] for number in between.rows[row]]
    shown = Shown(between.a, between.b, pair.references)
    said = edit_sentence(
        worth.metric,
        pair.a.segment,
        pair.b.segment.candidate,
        pair.before.settings,
        worth.shares,
        edits,
        shown,
        pair.decimals,
        "from A to B",
    )
    return _html(said)


def _html(parts: Sequence[Part]) -> str:
    return "".join([f"“{quoted(part.text.split(' '))}”" if part.is_words else escape(part.text) for part in parts])


def quoted(words: Sequence[str]) -> str:
    return f"<i>{phrase(words)}</i>"


def had(between: Between, row: int, name: str) -> str:
    """The condition "Had B kept “gleichen”" as HTML."""
    gone, came = between.phrases(row)
    who = f"<bdi>{theme.safe(name)}</bdi>"
    if between.moves(row):
        return f"Had {who} left “{quoted(came)}” where it stood"
    return f"Had {who} kept “{quoted(gone)}”" if gone else f"Had {who} not put in “{quoted(came)}”"


def _had(pair: Pair, between: Between, row: int, worth: Worth, tries: bool) -> str:
    """What the score would be with this edit alone taken back."""
    score = worth.back(between, row)
    change = score - pair.after.score
    found = verdict(change, worth.metric.higher_is_better, pair.decimals)
    by = "the same" if found == "same" else f"{MARKS[found]} {theme.change_text(change, pair.decimals)}, {found}"
    button = f' <button type="button" data-open="{TRY}={row}">Try it in What if</button>' if tries else ""
    return (
        f"{had(between, row, pair.names[1])}, {escape(worth.metric.label)} would be "
        f'<b>{theme.score_text(score, pair.decimals)}</b>, <b class="{found}">{by}</b>.{button}'
    )


def _decides(back: Pair) -> str:
    """That another reference decides without the edit; "" where none does."""
    same = dict(back.before.decides) == dict(back.after.decides)
    return "" if same else f"<p>{decisions(back)}</p>"


def _why(back: Pair) -> str:
    """What the ledger says of B against B without the edit; "" where that gives the same score, and where it would call
    B without the edit "A"."""
    named = any(not part.is_words and re.search(r"\bA\b", part.text) for part in explained(back))
    if abs(back.delta) < ROUNDING or named:
        return ""
    return f"<p>From there to <bdi>{theme.safe(back.names[1])}</bdi>: {why(back)}</p>"


def _cells(pair: Pair, found: Sequence[tuple[Origin | None, Place]], tone: Verdict) -> str:
    """The words of the cells that were gained, which is better, or lost; those in a row on a diagonal as one."""
    several = len(pair.references) > 1
    runs: list[tuple[list[str], int, int]] = []
    last: tuple[Origin, Place] | None = None
    for origin, place in sorted([(o, p) for o, p in found if o], key=lambda each: (each[1].k, each[1].row, each[1].j)):
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
