"""Read PO files, the message catalogues of gettext.

`msgid` is the source and `msgstr` the translation; the segment's key is `msgid`, with the context (`msgctxt`) in front.
This is a parser of our own, because polib and other libraries build a text by concatenating its lines, which takes
quadratic time, and open a file if the text happens to be the name of one."""

from __future__ import annotations

import re

from ...formula import count_with_noun
from .. import printable
from ..files import MOST_LINES, BadData, file_label
from .roles import role_of_file
from .sheets import Cell, ColumnRole, File, FileSheet, SheetColumn, check_sheet_size

_BEGINS = re.compile(r'(?:#[^\n]*\n|\s){0,1000}msg(?:id|ctxt)\s+"')
_FIELD = re.compile(r"(msgctxt|msgid|msgid_plural|msgstr)(?:\[(\d{1,2})\])?\s*(?=\")")
_STRINGS = re.compile(r'(?:"(?:[^"\\]++|\\.)*+"\s*+)++')
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)(?:"|\\?\Z)')
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def is_po(text: str) -> bool:
    """Return whether a text begins like a PO file.

    >>> is_po('# by hand\\nmsgid ""\\n'), is_po("msgid is a word")
    (True, False)
    """
    return _BEGINS.match(text) is not None


class _PoEntry:
    """An entry of a catalogue: the strings of each of its fields, and the line where it begins."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.fields: dict[str, list[str]] = {}

    def text(self, field: str) -> str:
        """Return the strings of a field, such as `msgid`, joined into one text; "" if the entry has no such field."""
        return "".join(self.fields.get(field, ()))

    @property
    def plural_numbers(self) -> list[int]:
        """Return the numbers of the entry's plural forms (`msgstr[0]`, …); an empty list if the entry has no plural."""
        return [int(field[6:]) for field in self.fields if field.startswith("msgstr") and field != "msgstr"]


def po_sheet(file: File, text: str) -> FileSheet:
    """Return the columns of a PO file without its header: key, source and translation; each plural form is a segment.

    Fuzzy entries are read and obsolete ones are not; notes for the user count both. Raises BadData, with the line."""
    entries, fuzzy, obsolete = _read_entries(file, text)
    keys: list[Cell] = []
    sources: list[Cell] = []
    texts: list[Cell] = []
    lines: list[int] = []
    for entry in entries:
        source, context = entry.text("msgid"), entry.text("msgctxt")
        key = f"{context}|{source}" if "msgctxt" in entry.fields else source
        for number in entry.plural_numbers or (None,):
            field = "msgstr" if number is None else f"msgstr{number}"
            keys.append(key if number is None else f"{key} [{number}]")
            sources.append(source if not number else entry.text("msgid_plural"))
            texts.append(entry.text(field))
            lines.append(entry.line)
        check_sheet_size(file, 3, 3 * len(lines))
    if not lines:
        raise BadData(f"{file_label(file.name)} is PO (gettext) without entries")
    columns = [SheetColumn("id", keys, ColumnRole("key")), SheetColumn("msgid", sources, ColumnRole("source"))]
    notes = []
    if any(texts):
        columns.append(SheetColumn("msgstr", texts, role_of_file(file)))
    elif file.role in ("system", "reference"):
        raise BadData(f"{file_label(file.name)}: no entry has a translation, every msgstr is empty")
    else:
        notes.append("no entry has a translation; the file is read as a source only")
    if fuzzy:
        notes.append(f"{count_with_noun(fuzzy, 'fuzzy entry')}, read like the others")
    if obsolete:
        notes.append(f"{count_with_noun(obsolete, 'obsolete entry')} (#~), left out")
    return FileSheet(file, "PO (gettext)", columns, lines, notes=notes)


def _read_entries(file: File, text: str) -> tuple[list[_PoEntry], int, int]:
    """Return the entries of a PO file without its header, the number of fuzzy entries, and that of obsolete entries.

    Obsolete entries are not among those returned. Raises BadData, with the line."""
    if text.count("\n") > MOST_LINES:
        raise BadData(f"{file_label(file.name)} has more than {MOST_LINES:,} lines, the limit")
    entries: list[_PoEntry] = []
    fuzzy = obsolete = 0
    flagged = False
    open_strings: list[str] | None = None  # the field that a line with only strings continues
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line.startswith("#"):
            obsolete += re.match(r"#~\s*msgid\s", line) is not None
            flagged |= re.match(r"#,(?:.*,)?\s*fuzzy\s*(?:,|$)", line) is not None
            open_strings = None
            continue
        field = _FIELD.match(line)
        if field:
            name = field[1] + (field[2] or "")
            last = entries[-1] if entries else None
            if last is None or name == "msgctxt" or (name == "msgid" and "msgid" in last.fields):
                last = _PoEntry(number)
                entries.append(last)
                last.fields["flags"] = ["fuzzy"] if flagged else []
                flagged = False
            if name in last.fields:
                raise BadData(f"{file_label(file.name)}, line {number}: the entry has {name} already")
            open_strings = last.fields[name] = []
            line = line[field.end() :]
        elif not line:
            continue
        if open_strings is None or not _STRINGS.fullmatch(line):
            raise BadData(f"{file_label(file.name)}, line {number} is not valid PO (gettext): {printable(line[:40])}")
        open_strings += [_ESCAPE.sub(_unescaped_letter, each) for each in _STRING.findall(line)]
    for entry in entries:
        missing = next(
            (each for each in ("msgid", "msgstr") if not any(f.startswith(each) for f in entry.fields)), None
        )
        if missing:
            raise BadData(f"{file_label(file.name)}, line {entry.line}: the entry has no {missing}")
    entries = [each for each in entries if each.text("msgid") or "msgctxt" in each.fields]
    fuzzy = sum(bool(each.fields["flags"]) for each in entries)
    return entries, fuzzy, obsolete


def _unescaped_letter(escape: re.Match[str]) -> str:
    """Return the character that an escape sequence encodes."""
    if escape[1] or escape[2]:
        return chr(int(escape[1], 8) if escape[1] else int(escape[2], 16))
    return _LETTERS.get(escape[3], escape[3])
