"""Read one file of any supported format into columns of cells.

The first characters of the file and the ending of its name decide the format."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .. import printable
from ..files import BadData, decode_lines, file_label
from .encoded import decode_file_text
from .markup import markup_sheet
from .objects import begins_as_json, json_file, json_lines
from .po import is_po, po_sheet
from .roles import role_of_column_name
from .sheets import ENDINGS, Cell, ColumnRole, File, FileSheet, SheetColumn
from .tables import header_separator, is_even_table, text_table_sheet
from .transcripts import begins_as_subtitles, subtitle_sheet, transcript_sheet
from .workbook import workbook_sheet

#: The first bytes of workbooks, the starts of supported markup, and a line that looks like other markup.
_ZIP = b"PK\x03\x04"
_ROOTS = ("<?xml", "<xliff", "<tmx", "<dataset", "<srcset", "<refset", "<tstset", "<!DOCTYPE")
_TAG = re.compile(r"<[a-zA-Z][\w:-]*(?:\s+[\w:-]+\s*=\s*[\"'][^\"'<>]*[\"'])*\s*>\s*(?:\n|$)")


@dataclass(frozen=True)
class FileFormat:
    """A format of files that hold texts.

    Attributes:
        words: its name in lists for users.
        family: the key of its endings in ENDINGS.
        begins: returns whether a file is of this format, from its ending, the start of its text without white space,
            and the whole text.
        read: returns the columns of a file, from its text; the flag says whether inline tags stay. Raises BadData.
        trusted: whether the ending is enough where nothing else is recognised; `read` then says what is wrong."""

    words: str
    family: str
    begins: Callable[[str, str, str], bool]
    read: Callable[[File, str, bool], FileSheet]
    trusted: bool = False


def _is_table(file: File, text: str) -> bool:
    """Return whether a text is a table with a header, because of its ending or because its rows are even."""
    separator = header_separator(text)
    is_one_column = (
        file.ending in ("tsv", "tab")
        and "\t" not in text
        and not separator
        and not role_of_column_name(text.partition("\n")[0].strip())
    )
    must_be_even = not file.column and (separator != "\t" or file.role is not None)
    return (file.ending in ENDINGS["table"] and not is_one_column) or bool(
        separator and (is_even_table(text) or not must_be_even)
    )


#: The formats that a text can have, in the order in which they are tried. Workbooks come before them, because they are
#: no texts; tables, transcripts and lines follow, which have no marks of their own.
FORMATS = (
    FileFormat(
        "XLIFF, TMX, WMT's XML or mteval's SGML",
        "markup",
        lambda ending, start, text: start.startswith(_ROOTS) or (ending in ENDINGS["markup"] and start.startswith("<")),
        markup_sheet,
        trusted=True,
    ),
    FileFormat(
        "JSON or JSONL",
        "JSON",
        lambda ending, start, text: begins_as_json(start),
        lambda file, text, keep_tags: (json_file if file.ending == "json" else json_lines)(file, text),
        trusted=True,
    ),
    FileFormat("PO", "PO", lambda ending, start, text: is_po(text), lambda file, text, keep_tags: po_sheet(file, text)),
    FileFormat(
        "WebVTT or SRT",
        "subtitles",
        lambda ending, start, text: begins_as_subtitles(text),
        lambda file, text, keep_tags: subtitle_sheet(file, text),
    ),
)
#: All formats in words, for users.
FORMAT_WORDS = (
    "a segment a line",
    "TSV, CSV or XLSX with a header",
    *[each.words for each in FORMATS],
    "transcripts with ids",
)


def read_sheet(file: File, keep_tags: bool = False) -> FileSheet:
    """Read one file of any supported format into columns of cells.

    The format is recognised by the first characters of the file and by the ending of its name. With `keep_tags`, inline
    tags of markup are kept in the texts as words; otherwise they are removed. Raises BadData if the file cannot be
    read."""
    data, ending = file.bytes(), file.ending
    if data.startswith(_ZIP) or (ending in ENDINGS["workbook"] and b"\0" in data):
        return workbook_sheet(file, data)
    if file.role in ("document", "score") and ending not in ("tsv", "csv", "jsonl"):
        return _mt_metrics_eval_sheet(file, decode_lines(file.name, data))
    text = decode_file_text(file, data)
    start = text[:1000].lstrip()
    found = next((each for each in FORMATS if each.begins(ending, start, text)), None)
    if found is None and header_separator(text) is None:
        found = next((each for each in FORMATS if each.trusted and ending in ENDINGS[each.family]), None)
        if ending in ENDINGS["workbook"]:
            return workbook_sheet(file, data)
    if found:
        return found.read(file, text, keep_tags)
    if _is_table(file, text):
        return text_table_sheet(file, text)
    lines = decode_lines(file.name, data)
    if with_ids := transcript_sheet(file, lines):
        return with_ids
    notes = ["begins like markup, but is read as one segment per line"] if _TAG.match(start) else []
    return FileSheet(
        file, "one segment per line", [SheetColumn("", lines)], range(1, len(lines) + 1), notes=notes, plain=True
    )


def _mt_metrics_eval_sheet(file: File, lines: Sequence[str]) -> FileSheet:
    """Return the columns of a file in which mt-metrics-eval lists documents or scores.

    The role of the file says which: a list of documents has lines `DOMAIN DOCUMENT`, one per segment. A list of scores
    has lines `SYSTEM SCORE`, the segments of each system in order, and gives a column per system. Raises BadData."""
    fields = [line.split() for line in lines]
    wrong = next((number for number, each in enumerate(fields, 1) if len(each) != 2), None)
    if wrong is not None:
        what = "a domain and a document" if file.role == "document" else "a system and a score"
        raise BadData(f"{file_label(file.name)}, line {wrong} must have {what}, separated by white space")
    if file.role == "document":
        column = SheetColumn("document", [name for _, name in fields], ColumnRole("document"))
        return FileSheet(file, "documents", [column], range(1, len(lines) + 1))
    blocks: dict[str, list[Cell]] = {}
    for system, score in fields:
        blocks.setdefault(system, []).append(score)
    size = max(map(len, blocks.values()))
    short = next((name for name, block in blocks.items() if len(block) != size), None)
    if short is not None:
        raise BadData(
            f"{file_label(file.name)} has {len(blocks[short])} scores of {printable(short)}, but {size} of others"
        )
    columns = [SheetColumn(name, block, ColumnRole("score", file.label, name)) for name, block in blocks.items()]
    return FileSheet(file, f"scores {printable(file.label)}", columns, range(1, size + 1))
