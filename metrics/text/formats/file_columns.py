"""One file of any format as columns of cells, by how it begins and by the end of its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .. import printable
from ..files import BadData, decoded, file_label
from .encoded import document_text
from .markup import markup
from .objects import begins_as_json, json_file, json_lines
from .po import is_po, po
from .roles import role_of
from .sheets import Cell, ColumnRole, File, FileSheet, SheetColumn
from .tables import header_separator, is_even, table
from .transcripts import cues, is_cues, transcript
from .workbook import workbook

#: The ends of names that say how a file is written.
_TABLES = ("tsv", "tab", "csv")
_JSON = ("jsonl", "jsonlines", "ndjson", "json")
_MARKUP = ("xlf", "xliff", "mxliff", "sdlxliff", "mqxliff", "txlf", "tmx", "xml", "sgm", "sgml")
_WORKBOOKS = ("xlsx", "xlsm")
#: How workbooks begin, the roots of markup that is read, and a line that may be of other markup.
_ZIP = b"PK\x03\x04"
_ROOTS = ("<?xml", "<xliff", "<tmx", "<dataset", "<srcset", "<refset", "<tstset", "<!DOCTYPE")
_TAG = re.compile(r"<[a-zA-Z][\w:-]*(?:\s+[\w:-]+\s*=\s*[\"'][^\"'<>]*[\"'])*\s*>\s*(?:\n|$)")


def sheet_of(file: File, keep_tags: bool = False) -> FileSheet:
    """What a file holds, by how it begins and by the end of its name, however it was given. Raises BadData."""
    data, ending = file.bytes(), file.ending
    if data.startswith(_ZIP) or (ending in _WORKBOOKS and b"\0" in data):
        return workbook(file, data)
    if file.role in ("document", "score") and ending not in ("tsv", "csv", "jsonl"):
        return _of_layout(file, decoded(file.name, data))
    text = document_text(file, data)
    start = text[:1000].lstrip()
    separator = header_separator(text)
    if start.startswith(_ROOTS) or (ending in _MARKUP and start.startswith("<")):
        return markup(file, text, keep_tags)
    if begins_as_json(start):
        return (json_file if ending == "json" else json_lines)(file, text)
    if is_po(text):
        return po(file, text)
    if is_cues(text):
        return cues(file, text)
    if separator is None:  # it is what its name says, or the reader of that says what is wrong
        if ending in _MARKUP:
            return markup(file, text, keep_tags)
        if ending in _JSON:
            return (json_file if ending == "json" else json_lines)(file, text)
        if ending in _WORKBOOKS:
            return workbook(file, data)
    one = (
        ending in ("tsv", "tab") and "\t" not in text and not separator and not role_of(text.partition("\n")[0].strip())
    )
    must_be_even = not file.column and (separator != "\t" or file.role is not None)
    if (ending in _TABLES and not one) or (separator and (is_even(text) or not must_be_even)):
        return table(file, text)
    lines = decoded(file.name, data)
    if with_ids := transcript(file, lines):
        return with_ids
    notes = ["begins like markup, and is read as one segment a line"] if _TAG.match(start) else []
    return FileSheet(
        file, "one segment a line", [SheetColumn("", lines)], range(1, len(lines) + 1), notes=notes, plain=True
    )


def _of_layout(file: File, lines: Sequence[str]) -> FileSheet:
    """mt-metrics-eval's documents, `DOMAIN DOCUMENT` a line, or scores, `SYSTEM SCORE` a line, in a block a system."""
    fields = [line.split() for line in lines]
    wrong = next((number for number, each in enumerate(fields, 1) if len(each) != 2), None)
    if wrong is not None:
        what = "a domain and a document" if file.role == "document" else "a system and a score"
        raise BadData(f"{file_label(file.name)}, line {wrong} must have {what}, with white space between")
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
