"""What a file of any format is read as: columns of cells, and where each row stands in the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from .. import printable
from ..files import BadData, contents, file_label, unpacked

#: A cell: a text, or None where the file has none at that place.
Cell: TypeAlias = str | None

#: The columns and the cells that a file may have.
MOST_COLUMNS = 500
MOST_CELLS = 5_000_000

#: What a column can be.
KINDS = ("system", "reference", "source", "document", "key", "score", "nothing")


class File(NamedTuple):
    """A file to be read: its name and what it holds, or None where the file of that name is to be opened.

    `role`, one of KINDS, says which of its texts is meant, `label` what the system or the references are called, and
    `column` which column; without a role everything counts that is recognised.
    """

    name: str
    data: bytes | None = None
    role: str | None = None
    label: str = ""
    column: str = ""

    def bytes(self) -> bytes:
        """What it holds, unpacked. Raises BadData."""
        return contents(self.name) if self.data is None else unpacked(self.name, self.data)

    @property
    def stem(self) -> str:
        """The name without folders, and without the end that says how it is packed."""
        return self.name.replace("\\", "/").rpartition("/")[2].removesuffix(".gz")

    @property
    def ending(self) -> str:
        """What stands behind the last full stop of the name, in lower case: `tsv` of `a.TSV.gz`."""
        head, _, ending = self.stem.rpartition(".")
        return ending.lower() if head else ""


class ColumnRole(NamedTuple):
    """What a column is: its kind, one of KINDS; the name of the system, of the references or of the score; whose output
    the score is of; whether the references are edited outputs."""

    kind: str
    name: str = ""
    of: str = ""
    edited: bool = False

    @classmethod
    def of_text(cls, text: str) -> ColumnRole:
        """A role as it is typed. ValueError where it is none.

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
                f"a role is one of {', '.join(KINDS)} or post-edited, with a name behind a colon, got {text!r}"
            )
        name, _, of = name.partition(":") if kind == "score" else (name, "", "")
        return cls(kind, name.strip(), of.strip())

    def describe(self) -> str:
        """What the column is, in words."""
        if self.kind == "reference":
            kind = "post-edited reference" if self.edited else "reference"
            return self.name if self.name.lower().startswith(kind) else f"{kind} {self.name}".rstrip()
        if self.kind == "score":
            return f"score {self.name} of {self.of}" if self.of else f"score {self.name}"
        return self.name if self.name.lower().startswith(f"{self.kind} ") else f"{self.kind} {self.name}".rstrip()


class SheetColumn(NamedTuple):
    """A column as the file has it; `role` where the format itself says it, None where the name is to be read; `lines`
    where its cells stand, if not where the rows of the sheet do."""

    name: str
    cells: Sequence[Cell]
    role: ColumnRole | None = None
    lines: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class FileSheet:
    """What a file holds. `lines` are where its rows stand, from 1, counted in `unit`s (line, row, entry); `what` says
    what it was recognised as; `notes` are sentences about what was done to the texts; `plain` where it was lines only.
    """

    file: File
    what: str
    columns: Sequence[SheetColumn]
    lines: Sequence[int]
    unit: str = "line"
    notes: Sequence[str] = field(default=())
    plain: bool = False

    def __len__(self) -> int:
        return len(self.lines)

    def where(self, row: int) -> str:
        """Where a row stands, as a sentence begins."""
        return f"{file_label(self.file.name)}, {self.unit} {self.lines[row]}"

    @property
    def by_name(self) -> Mapping[str, SheetColumn]:
        return {column.name: column for column in self.columns}


def bounded(file: File, columns: int, cells: int) -> None:
    """BadData where a file has more columns or cells than a file may have."""
    if columns > MOST_COLUMNS:
        raise BadData(f"{file_label(file.name)} has {columns:,} columns; {MOST_COLUMNS} is the most that is read")
    if cells > MOST_CELLS:
        raise BadData(f"{file_label(file.name)} has more than {MOST_CELLS:,} cells, which is the most that is read")


def listed(names: Sequence[str], most: int = 6, width: int = 60) -> str:
    """Names one after the other, the first few where there are many, each cut to a width.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], 2)
    ('a, b, c', 'a, b and 1 more')
    """
    visible_names = ", ".join([printable(name[:width]) for name in names[:most]])
    return f"{visible_names} and {len(names) - most} more" if len(names) > most else visible_names
