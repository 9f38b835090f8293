"""The types for what is read from a file: the file, its columns of cells, and the position of each row in the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from .. import printable
from ..files import BadData, file_label, read_contents, unpack_file

#: The text of a cell, None where the file has no cell.
Cell: TypeAlias = str | None

#: The most columns and the most cells of a file.
MOST_COLUMNS = 500
MOST_CELLS = 5_000_000

#: The endings of file names, in lower case, by the family of formats that they stand for.
ENDINGS = {
    "markup": ("xlf", "xliff", "mxliff", "sdlxliff", "mqxliff", "txlf", "tmx", "xml", "sgm", "sgml"),
    "JSON": ("jsonl", "jsonlines", "ndjson", "json"),
    "workbook": ("xlsx", "xlsm"),
    "PO": ("po", "pot"),
    "subtitles": ("vtt", "srt"),
    "table": ("tsv", "tab", "csv"),
    "lines": ("txt", "trn", "kaldi", "tok", "detok", "docs"),
}

#: The kinds of columns.
KINDS = ("system", "reference", "source", "document", "key", "score", "nothing")


class File(NamedTuple):
    """A file to read: its name and its bytes, or None if the file of that name is to be opened.

    Attributes:
        name: the name or path.
        data: the contents, maybe gzipped; None to read them from disk.
        role: one of KINDS: the user says that the file holds this kind of text; None to recognise it.
        label: the name of the system or of the references in the file, "" if not given.
        column: the name of the one column that is to be used, "" if not given."""

    name: str
    data: bytes | None = None
    role: str | None = None
    label: str = ""
    column: str = ""

    def bytes(self) -> bytes:
        """Return the contents of the file, unpacked. Raises BadData."""
        return read_contents(self.name) if self.data is None else unpack_file(self.name, self.data)

    @property
    def stem(self) -> str:
        """Return the name of the file without folders and without the ending `.gz`."""
        return self.name.replace("\\", "/").rpartition("/")[2].removesuffix(".gz")

    @property
    def ending(self) -> str:
        """Return the part of the file's name after its last full stop, in lower case: `tsv` for `a.TSV.gz`."""
        head, _, ending = self.stem.rpartition(".")
        return ending.lower() if head else ""


class ColumnRole(NamedTuple):
    """The role of a column: what it holds.

    Attributes:
        kind: one of KINDS, such as "reference".
        name: the name of the system, of the references or of the score.
        of: for a score, the system whose outputs it rates.
        edited: whether the references are post-edited outputs."""

    kind: str
    name: str = ""
    of: str = ""
    edited: bool = False

    @classmethod
    def of_text(cls, text: str) -> ColumnRole:
        """Parse a role as the user types it, such as `reference:A`. Raises ValueError if it is invalid.

        >>> ColumnRole.of_text("system:A")
        ColumnRole(kind='system', name='A', of='', edited=False)
        >>> ColumnRole.of_text("score:COMET:A")
        ColumnRole(kind='score', name='COMET', of='A', edited=False)
        >>> ColumnRole.of_text("post-edited").edited
        True
        """
        kind, _, name = (part.strip() for part in text.partition(":"))
        if kind == "post-edited":
            return cls("reference", name, "", True)
        if kind not in KINDS:
            raise ValueError(
                f"a role is one of {', '.join(KINDS)} or post-edited, and may have a name after a colon, got {text!r}"
            )
        name, _, of = name.partition(":") if kind == "score" else (name, "", "")
        return cls(kind, name.strip(), of.strip())

    def describe(self) -> str:
        """Return this role in words, for messages."""
        if self.kind == "reference":
            kind = "post-edited reference" if self.edited else "reference"
            return self.name if self.name.lower().startswith(kind) else f"{kind} {self.name}".rstrip()
        if self.kind == "score":
            return f"score {self.name} of {self.of}" if self.of else f"score {self.name}"
        return self.name if self.name.lower().startswith(f"{self.kind} ") else f"{self.kind} {self.name}".rstrip()


class SheetColumn(NamedTuple):
    """A column of cells read from a file.

    Attributes:
        name: the name in the header.
        cells: one cell per row.
        role: what the column holds, if the format states it; None if the name of the column has to tell.
        lines: the position of each cell in the file, if it differs from the position of the rows."""

    name: str
    cells: Sequence[Cell]
    role: ColumnRole | None = None
    lines: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class FileSheet:
    """The contents of a file, as columns.

    Attributes:
        file: the file.
        what: the name of the format that was recognised, in words.
        columns: the columns, all of the same length.
        lines: the position of each row in the file, from 1, counted in `unit`.
        unit: what `lines` count: line, row or entry.
        notes: sentences for the user about what was done to the texts.
        plain: whether the file is plain text, one segment per line.
        objects: whether the rows are objects with named values, as in JSON.
        by_language: whether the columns are named by the codes of their languages, as in TMX."""

    file: File
    what: str
    columns: Sequence[SheetColumn]
    lines: Sequence[int]
    unit: str = "line"
    notes: Sequence[str] = field(default=())
    plain: bool = False
    objects: bool = False
    by_language: bool = False

    def __len__(self) -> int:
        return len(self.lines)

    def where(self, row: int) -> str:
        """Return where in the file the row with index `row` is, as the start of a sentence: `a.txt, line 57`."""
        return f"{file_label(self.file.name)}, {self.unit} {self.lines[row]}"

    @property
    def by_name(self) -> Mapping[str, SheetColumn]:
        """Return the columns of this sheet by name."""
        return {column.name: column for column in self.columns}


def check_sheet_size(file: File, columns: int, cells: int) -> None:
    """Raise BadData if a file has too many columns or cells, more than MOST_COLUMNS or MOST_CELLS."""
    if columns > MOST_COLUMNS:
        raise BadData(f"{file_label(file.name)} has {columns:,} columns; the limit is {MOST_COLUMNS}")
    if cells > MOST_CELLS:
        raise BadData(f"{file_label(file.name)} has more than {MOST_CELLS:,} cells, the limit")


def join_names(names: Sequence[str], most: int = 6, width: int = 60) -> str:
    """Return the first `most` names joined by commas, and how many more there are; each name is cut to `width` letters.

    >>> join_names(["a", "b", "c"]), join_names(["a", "b", "c"], 2)
    ('a, b, c', 'a, b and 1 more')
    """
    visible_names = ", ".join([printable(name[:width]) for name in names[:most]])
    return f"{visible_names} and {len(names) - most} more" if len(names) > most else visible_names
