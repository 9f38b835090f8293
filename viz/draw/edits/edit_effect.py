"""Draw what one edit from A to B did to the score by a metric.

That is the edit's share and its reason, B's score without the edit, and the cells that the edit gained and lost. A row
is one edit of the table, or both ends of a move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from metrics.analysis.difference import DiffPlace
from metrics.analysis.edit_sentence import explain_row
from metrics.analysis.sentence import QuotedWords, SentencePart

from ..compare.comparison import OutputPair, describe_cause, describe_decisions, explanation_parts
from ..compare.differences import rows_by_position
from ..compare.scores import MARKS, Verdict, verdict
from ..pen.numbers import change_text, count_text, positions_text, score_text
from ..pen.text import safe
from ..texts import ProcessedTexts
from .edit_map import EditMap, MetricShares
from .merged import phrase_html
from .table import ROUNDING, RowDetails

SHOWN = 12  # how many runs of cells are listed
TRY = "try"  # key of the request that a button sends, such as "try=3"


class Origin(NamedTuple):
    """The origin of a word of B without an edit: side "a" or "b", and the position in that output."""

    side: str
    at: int


def word_origins(edit_map: EditMap, row: int) -> list[Origin]:
    """Return the origins of the words that B has after the edits of one row are undone, in their order."""
    row_edits, out = edit_map.rows[row], list[Origin]()
    for number, span in edit_map.pieces():
        if number in row_edits:
            out += [Origin("a", i) for i in range(span.a, span.a_end)]
        else:
            out += [Origin("b", j) for j in range(span.b, span.b_end)]
    return out


def undo_row(edit_map: EditMap, row: int, a: ProcessedTexts, b: ProcessedTexts) -> ProcessedTexts:
    """Return B with the edits of one row undone."""
    tokens = tuple([(a if side == "a" else b).candidate[at] for side, at in word_origins(edit_map, row)])
    segment = b.segment._replace(candidate=tuple([token.form for token in tokens]))
    return replace(b, segment=segment, candidate=tokens)


def row_details(
    pair: OutputPair, edit_map: EditMap, row: int, worth: MetricShares, back: OutputPair, tries: bool = True
) -> RowDetails:
    """Return what is visible and highlighted while a row of the table of edits is selected.

    Args:
        pair: A and B with their results.
        edit_map: the edits from A to B.
        row: index of the row.
        worth: the shares of the edits by the metric of the pair.
        back: B without the row's edits, compared with B.
        tries: whether there is a button that opens B without the edits in What if."""
    places = word_origins(edit_map, row)
    rows = {side: rows_by_position(pair.difference.rows, side) for side in "ab"}

    def origin_in_b(place: DiffPlace) -> Origin | None:
        """Return the origin, in B, of the word in a cell's row of `back`, or None where B has no word there."""
        at = back.difference.rows[place.row].b
        return None if at is None else Origin("b", at)

    def origin_in_undone(place: DiffPlace) -> Origin | None:
        """Return the origin of a cell's word in B without the edits, or None where it has no word in that row."""
        at = back.difference.rows[place.row].a
        return None if at is None else places[at]

    gained = [(origin_in_b(place), place) for place in back.difference.gained]
    lost = [(origin_in_undone(place), place) for place in back.difference.lost]
    moved = [
        origin_cell
        for old, new in back.difference.moved
        for origin_cell in ((origin_in_undone(old), old), (origin_in_b(new), new))
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
        f"<p>{_worth_sentence(pair, worth, edit_map, row)}</p>",
        f"<p>{_without_edit_sentence(pair, edit_map, row, worth, tries)}</p>",
        _decisions_html(back),
        _ledger_sentence(back),
        _cell_words_html(pair, gained, "better"),
        _cell_words_html(pair, lost, "worse"),
    ]
    return RowDetails(f'<div class="did">{"".join(parts)}</div>', [*cells], [*words])


def _worth_sentence(pair: OutputPair, worth: MetricShares, edit_map: EditMap, row: int) -> str:
    """Return a sentence, as HTML, on what the edits of a row add to the score and why."""
    edits = [worth.shares[number] for number in edit_map.rows[row]]
    sentence_words = QuotedWords(edit_map.a, edit_map.b, pair.references)
    explanation = explain_row(
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
    return _sentence_html(explanation.parts)


def _sentence_html(parts: Sequence[SentencePart]) -> str:
    return "".join([f"“{quoted(part.text.split(' '))}”" if part.is_words else escape(part.text) for part in parts])


def quoted(words: Sequence[str]) -> str:
    """Return words as an italic phrase of HTML."""
    return f"<i>{phrase_html(words)}</i>"


def undo_condition(edit_map: EditMap, row: int, name: str) -> str:
    """Return a clause for B without the edits of a row as HTML, such as "Had B kept “gleichen”"."""
    gone_words, came = edit_map.phrases(row)
    who = f"<bdi>{safe(name)}</bdi>"
    if edit_map.is_move(row):
        return f"If {who} had left “{quoted(came)}” where it was"
    return f"If {who} had kept “{quoted(gone_words)}”" if gone_words else f"If {who} had not put in “{quoted(came)}”"


def _without_edit_sentence(pair: OutputPair, edit_map: EditMap, row: int, worth: MetricShares, tries: bool) -> str:
    """Return a sentence on the score of B with only the edits of this row undone, as HTML.

    With `tries`, a button follows that opens this text in What if."""
    score = worth.score_without(edit_map, row)
    change = score - pair.after.score
    tone = verdict(change, worth.metric.higher_is_better, pair.decimals)
    by = "the same" if tone == "same" else f"{MARKS[tone]} {change_text(change, pair.decimals)}, {tone}"
    button = f' <button type="button" data-open="{TRY}={row}">Try it in What if</button>' if tries else ""
    return (
        f"{undo_condition(edit_map, row, pair.names[1])}, {escape(worth.metric.label)} would be "
        f'<b>{score_text(score, pair.decimals)}</b>, <b class="{tone}">{by}</b>.{button}'
    )


def _decisions_html(back: OutputPair) -> str:
    """Return which reference decides B's score with and without the edit, as HTML; "" where it is the same one.

    `back` compares B without the edit (first) with B."""
    same_decisions = dict(back.before.decides) == dict(back.after.decides)
    return "" if same_decisions else f"<p>{describe_decisions(back)}</p>"


def _ledger_sentence(back: OutputPair) -> str:
    """Return the sentence on why B without the edit and B score differently, as HTML.

    `back` compares the two. The result is "" where both have the same score, and where the sentence would call B
    without the edit "A"."""
    names_a = any(not part.is_words and re.search(r"\bA\b", part.text) for part in explanation_parts(back))
    if abs(back.delta) < ROUNDING or names_a:
        return ""
    return f"<p>From there to <bdi>{safe(back.names[1])}</bdi>: {describe_cause(back)}</p>"


def _cell_words_html(pair: OutputPair, origin_cells: Sequence[tuple[Origin | None, DiffPlace]], tone: Verdict) -> str:
    """Return the words of the cells that an edit gained (`tone` "better") or lost ("worse") as HTML.

    Each cell is given with the origin of its word. Successive cells on a diagonal form one phrase."""
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
        f"<span><i>{phrase_html(words)}</i>"
        f' <span class="at">word{"s" if len(words) > 1 else ""} {positions_text(j, len(words))} of '
        f"{f'reference {k + 1}' if several else 'the reference'}</span></span>"
        for words, k, j in runs[:SHOWN]
    ]
    more = f" and {count_text(len(runs) - SHOWN, 'more')}" if len(runs) > SHOWN else ""
    says = "gained" if tone == "better" else "lost"
    return f'<p class="cells"><b class="{tone}">{MARKS[tone]} {says}</b> {"; ".join(listed)}{more}</p>'
