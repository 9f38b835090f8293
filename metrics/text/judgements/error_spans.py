"""Read tables of errors that people marked in texts.

The tables give the first and last letter of each error as numbers; how these count is inferred from the texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...formula import count_with_noun
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.sheets import FileSheet, join_names
from .parts import (
    JUDGE,
    SEGMENT,
    SYSTEM,
    ErrorMark,
    FileJudgements,
    Side,
    cell_string,
    cell_whole_number,
    find_column,
    judged_text_of,
    row_segments,
)

_START = ("start", "begin", "from", "start_i", "start_char", "span_start", "start_index")
_END = ("end", "stop", "to", "end_i", "end_char", "span_end", "end_index")
_TEXT = ("text", "span", "span_text", "error_text", "words", "marked")
_SIDE = ("side", "where", "on")
_CATEGORY = ("category", "error_category", "type", "error_type", "error", "label")
_SEVERITY = ("severity", "level")
_SOURCE = {"source", "src", "input", "original"}


class LetterCounting(NamedTuple):
    """A way in which a table counts letters.

    Attributes:
        first: the number of a text's first letter, 0 or 1.
        inclusive: whether the end of an error is its last letter, rather than the letter after it."""

    first: int
    inclusive: bool

    def ends(self, start: int, end: int) -> tuple[int, int]:
        """Convert the start and end of an error, counted in this way, into a half-open range that counts from 0."""
        return start - self.first, end - self.first + self.inclusive

    @property
    def description(self) -> str:
        """Return this way of counting in words."""
        ends = "the letter at the end is in the mark" if self.inclusive else "the end is the letter after the mark"
        return f"letters count from {self.first}, and {ends}"


#: The ways of counting letters, the most usual first.
COUNTINGS = (LetterCounting(0, False), LetterCounting(0, True), LetterCounting(1, True), LetterCounting(1, False))


class _ErrorRow(NamedTuple):
    """A marked error as its row in the table states it.

    Attributes:
        row: the index of the row.
        system: the name of the system.
        side: whether the error is marked in the output ("target") or the source.
        start: the number of the first letter, however the table counts.
        end: the number of the last letter or of the one after it, however the table counts.
        text: the marked text, "" if the table does not give it."""

    row: int
    system: str
    side: Side
    start: int
    end: int
    text: str


def is_error_table(sheet: FileSheet) -> bool:
    """Return whether a table has columns for the start and the end of marked errors."""
    return find_column(sheet, _START) is not None and find_column(sheet, _END) is not None


def error_table_judgements(sheet: FileSheet, material: Material) -> FileJudgements:
    """Return the marked errors of a table, placed in the texts of `material`. Raises BadData, with the line."""
    columns = {name: find_column(sheet, names) for name, names in (("segments", SEGMENT), ("systems", SYSTEM))}
    segment, system = columns.values()
    start, end, text, judge = (find_column(sheet, names) for names in (_START, _END, _TEXT, JUDGE))
    if segment is None or system is None or start is None or end is None:
        lacks = " and ".join([name for name, sheet_column in columns.items() if sheet_column is None])
        names = join_names([each.name for each in sheet.columns], 12)
        raise BadData(f"{file_label(sheet.file.name)} has no column of {lacks}; its columns are {names}")
    side = find_column(sheet, _SIDE)
    placed = [
        _ErrorRow(
            row,
            cell_string(system, row),
            "source" if cell_string(side, row).lower() in _SOURCE else "target",
            cell_whole_number(sheet, start, row),
            cell_whole_number(sheet, end, row),
            (text.cells[row] or "") if text else "",
        )
        for row in range(len(sheet))
        if cell_string(start, row) or cell_string(end, row)
    ]
    known_rows = [each for each in placed if each.system in material.systems]
    numbers = [cell_string(segment, each.row) for each in known_rows]

    def count_supporting_rows(first: int) -> int:
        texts = [
            _text_with_error(material, each, int(n) - first) if n.isdecimal() and len(n) < 10 else None
            for each, n in zip(known_rows, numbers, strict=True)
        ]
        return max([_count_matches(known_rows, texts, counting) for counting in COUNTINGS], default=0)

    places, counts = row_segments(sheet, segment, material, None, count_supporting_rows)
    texts = [_text_with_error(material, each, places[each.row]) for each in known_rows]
    counting, how = _best_counting(known_rows, texts)
    category, severity = find_column(sheet, _CATEGORY), find_column(sheet, _SEVERITY)
    out = []
    for each, whole_text in zip(known_rows, texts, strict=True):
        first, last = counting.ends(each.start, each.end)
        if first < 0 or last < first or (whole_text is not None and last > len(whole_text)):
            of = "" if whole_text is None else f" of {count_with_noun(len(whole_text), 'letter')}"
            raise BadData(f"{sheet.where(each.row)}: a mark from {each.start} to {each.end} does not fit in a text{of}")
        out.append(
            ErrorMark(
                each.system,
                places[each.row],
                cell_string(judge, each.row) or "nobody named",
                each.side,
                first,
                last,
                cell_string(category, each.row),
                cell_string(severity, each.row),
            )
        )
    notices = [f"{len(placed):,} marked {'error' if len(placed) == 1 else 'errors'}; {counts}; {how}"]
    if len(placed) < len(sheet):
        notices.append(f"{count_with_noun(len(sheet) - len(placed), 'error')} without a place in the text left out")
    wrong = _count_checkable(known_rows, texts) - _count_matches(known_rows, texts, counting)
    if wrong:
        what = "1 mark has" if wrong == 1 else f"{wrong:,} marks have"
        notices.append(f"{what} a text that differs from the file's; the numbers are used")
    if unknown := texts.count(None):  # the text of an output is always known, so this is in the source
        what = "1 mark is" if unknown == 1 else f"{unknown:,} marks are"
        notices.append(f"{what} in the source, which is not given: not checked")
    outside = {name for row in range(len(sheet)) if (name := cell_string(system, row)) not in material.systems}
    return FileJudgements(notices, (), (), out, frozenset(outside))


def _text_with_error(material: Material, row: _ErrorRow, segment: int) -> str | None:
    """Return the text of a segment in which an error is marked: the output or the source; None if it is unknown."""
    return judged_text_of(material, row.side, row.system, segment)


def _count_checkable(rows: Sequence[_ErrorRow], texts: Sequence[str | None]) -> int:
    """Return the number of marked errors of which the row gives the marked text, while the whole text is known too.

    Only these can be checked. `texts` has the whole text for each row."""
    return sum(row.text != "" and text is not None for row, text in zip(rows, texts, strict=True))


def _count_matches(rows: Sequence[_ErrorRow], texts: Sequence[str | None], counting: LetterCounting) -> int:
    """Return the number of errors whose range, counted as `counting` says, has the marked text that the row gives.

    `texts` has the whole text for each row."""
    return sum(
        row.text != ""
        and text is not None
        and row.start >= counting.first
        and text[slice(*counting.ends(row.start, row.end))] == row.text
        for row, text in zip(rows, texts, strict=True)
    )


def _best_counting(rows: Sequence[_ErrorRow], texts: Sequence[str | None]) -> tuple[LetterCounting, str]:
    """Return the most plausible way in which a table counts letters, and a sentence that says how it was found.

    `texts` has the whole text for each row. The evidence is, in this order: whether ranges have the marked text that
    the table gives, or its length; errors that end with the whole text; errors that would have no letter; and whether
    errors end where words do."""
    checked_count = _count_checkable(rows, texts)
    votes = [_count_matches(rows, texts, each) for each in COUNTINGS]
    if max(votes, default=0) > 0:
        best = COUNTINGS[votes.index(max(votes))]
        return (
            best,
            f"{best.description} (so {max(votes):,} of {checked_count:,} marks have the text that the file gives)",
        )
    longer = sum(row.text != "" and len(row.text) == row.end - row.start + 1 for row in rows)
    exact = sum(row.text != "" and len(row.text) == row.end - row.start for row in rows)
    if longer or exact:
        best = COUNTINGS[longer > exact]
        return best, f"{best.description} (so {max(longer, exact):,} marks are as long as the text that the file gives)"
    rows_with_text = [(row, text) for row, text in zip(rows, texts, strict=True) if text is not None]
    if any(row.end == len(text) for row, text in rows_with_text):
        return COUNTINGS[0], f"{COUNTINGS[0].description} (marks reach to the end of their text)"
    if any(row.start == row.end for row in rows):
        return COUNTINGS[1], f"{COUNTINGS[1].description} (otherwise some marks would be empty)"
    words = [
        sum([_is_word_end(text, row.end + each.inclusive) for row, text in rows_with_text]) for each in COUNTINGS[:2]
    ]
    best = COUNTINGS[words[1] > words[0]]
    why = (
        f"{max(words):,} of {len(rows_with_text):,} marks then end where a word does"
        if rows_with_text
        else "nothing contradicts it"
    )
    return best, f"{best.description} ({why})"


def _is_word_end(text: str, end: int) -> bool:
    """Return whether a word ends just before position `end` of a text."""
    return 0 < end <= len(text) and text[end - 1].isalnum() and not text[end : end + 1].isalnum()
