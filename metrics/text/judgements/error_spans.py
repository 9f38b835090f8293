"""Tables of errors that people marked: where each begins and ends, counted in letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...formula import counted
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.sheets import FileSheet, listed
from .parts import JUDGE, SEGMENT, SYSTEM, ErrorMark, JudgementPart, Side, cell, column, segments, text_of, whole

_START = ("start", "begin", "from", "start_i", "start_char", "span_start", "start_index")
_END = ("end", "stop", "to", "end_i", "end_char", "span_end", "end_index")
_TEXT = ("text", "span", "span_text", "error_text", "words", "marked")
_SIDE = ("side", "where", "on")
_CATEGORY = ("category", "error_category", "type", "error_type", "error", "label")
_SEVERITY = ("severity", "level")
_SOURCE = {"source", "src", "input", "original"}


class Counting(NamedTuple):
    """How a file counts letters: from `first`, and whether the letter at the end is one of the marked."""

    first: int
    inclusive: bool

    def ends(self, start: int, end: int) -> tuple[int, int]:
        """The same half-open and from 0."""
        return start - self.first, end - self.first + self.inclusive

    @property
    def description(self) -> str:
        ends = "the letter at the end is in the mark" if self.inclusive else "the end is the letter behind the mark"
        return f"letters count from {self.first}, and {ends}"


#: How letters are counted, the most usual first.
COUNTINGS = (Counting(0, False), Counting(0, True), Counting(1, True), Counting(1, False))


class _Row(NamedTuple):
    row: int
    system: str
    side: Side
    start: int
    end: int
    text: str


def is_marks(sheet: FileSheet) -> bool:
    """Whether it has columns for the start and the end of marks."""
    return column(sheet, _START) is not None and column(sheet, _END) is not None


def marks(sheet: FileSheet, material: Material) -> JudgementPart:
    """The marks of a table. Raises BadData, with the line."""
    columns = {name: column(sheet, names) for name, names in (("segments", SEGMENT), ("systems", SYSTEM))}
    segment, system = columns.values()
    start, end, text, judge = (column(sheet, names) for names in (_START, _END, _TEXT, JUDGE))
    if segment is None or system is None or start is None or end is None:
        lacks = " and ".join([name for name, sheet_column in columns.items() if sheet_column is None])
        names = listed([each.name for each in sheet.columns], 12)
        raise BadData(f"{file_label(sheet.file.name)} has no column of {lacks}; its columns are {names}")
    side = column(sheet, _SIDE)
    placed = [
        _Row(
            row,
            cell(system, row),
            "source" if cell(side, row).lower() in _SOURCE else "target",
            whole(sheet, start, row),
            whole(sheet, end, row),
            (text.cells[row] or "") if text else "",
        )
        for row in range(len(sheet))
        if cell(start, row) or cell(end, row)
    ]
    known_rows = [each for each in placed if each.system in material.systems]
    numbers = [cell(segment, each.row) for each in known_rows]

    def speaks(first: int) -> int:
        texts = [
            _text(material, each, int(n) - first) if n.isdecimal() and len(n) < 10 else None
            for each, n in zip(known_rows, numbers, strict=True)
        ]
        return max([_matches(known_rows, texts, counting) for counting in COUNTINGS], default=0)

    places, counts = segments(sheet, segment, material, None, speaks)
    texts = [_text(material, each, places[each.row]) for each in known_rows]
    counting, how = _counting(known_rows, texts)
    category, severity = column(sheet, _CATEGORY), column(sheet, _SEVERITY)
    out = []
    for each, whole_text in zip(known_rows, texts, strict=True):
        first, last = counting.ends(each.start, each.end)
        if first < 0 or last < first or (whole_text is not None and last > len(whole_text)):
            of = "" if whole_text is None else f" of {counted(len(whole_text), 'letter')}"
            raise BadData(f"{sheet.where(each.row)}: a mark from {each.start} to {each.end} does not fit in a text{of}")
        out.append(
            ErrorMark(
                each.system,
                places[each.row],
                cell(judge, each.row) or "nobody named",
                each.side,
                first,
                last,
                cell(category, each.row),
                cell(severity, each.row),
            )
        )
    notices = [f"{len(placed):,} marked {'error' if len(placed) == 1 else 'errors'}; {counts}; {how}"]
    if len(placed) < len(sheet):
        notices.append(f"{counted(len(sheet) - len(placed), 'error')} without a place in the text left out")
    wrong = _checked(known_rows, texts) - _matches(known_rows, texts, counting)
    if wrong:
        what = "1 mark is" if wrong == 1 else f"{wrong:,} marks are"
        notices.append(f"{what} of another text than the file gives beside the numbers; the numbers count")
    if unknown := texts.count(None):  # of a system's output the text is always known
        what = "1 mark is" if unknown == 1 else f"{unknown:,} marks are"
        notices.append(f"{what} in the source, which is not given, and not checked")
    outside = {name for row in range(len(sheet)) if (name := cell(system, row)) not in material.systems}
    return JudgementPart(notices, (), (), out, frozenset(outside))


def _text(material: Material, row: _Row, segment: int) -> str | None:
    return text_of(material, row.side, row.system, segment)


def _checked(rows: Sequence[_Row], texts: Sequence[str | None]) -> int:
    """How many marks have a text beside them in the file, and stand in a text that is given."""
    return sum(row.text != "" and text is not None for row, text in zip(rows, texts, strict=True))


def _matches(rows: Sequence[_Row], texts: Sequence[str | None], counting: Counting) -> int:
    """How many marks have the text that the file gives."""
    return sum(
        row.text != ""
        and text is not None
        and row.start >= counting.first
        and text[slice(*counting.ends(row.start, row.end))] == row.text
        for row, text in zip(rows, texts, strict=True)
    )


def _counting(rows: Sequence[_Row], texts: Sequence[str | None]) -> tuple[Counting, str]:
    """How the letters are counted, and how that is known: by the texts of the marks, by their lengths, by marks at the
    ends of texts, or by whether marks end where words do."""
    checked_count = _checked(rows, texts)
    votes = [_matches(rows, texts, each) for each in COUNTINGS]
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
        return COUNTINGS[1], f"{COUNTINGS[1].description} (else some marks had no letter)"
    words = [
        sum([_ends_word(text, row.end + each.inclusive) for row, text in rows_with_text]) for each in COUNTINGS[:2]
    ]
    best = COUNTINGS[words[1] > words[0]]
    why = (
        f"{max(words):,} of {len(rows_with_text):,} marks then end where a word does"
        if rows_with_text
        else "nothing speaks against it"
    )
    return best, f"{best.description} ({why})"


def _ends_word(text: str, end: int) -> bool:
    return 0 < end <= len(text) and text[end - 1].isalnum() and not text[end : end + 1].isalnum()
