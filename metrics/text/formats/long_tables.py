"""Turn tables with a row for each system and segment ("long" tables) into tables with a row for each segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from .. import printable
from ..files import BadData
from .roles import is_numeric_column, is_text_column_name, role_of_column_name
from .sheets import Cell, ColumnRole, FileSheet, SheetColumn, check_sheet_size

#: The names of columns that hold names of systems.
_SYSTEM = {"system", "sys", "system_id", "system_name", "sysname", "mt_system", "model", "engine"}
#: Columns that occur in tables of errors, which have a row for each error and are not read here.
_ERRORS = {"severity", "category", "start", "end"}


def table_by_segment(sheet: FileSheet, given: Mapping[str, ColumnRole]) -> FileSheet | None:
    """Return a long table, which has a row for each system and segment, as a table with one row per segment.

    None means that the sheet is not a long table: it has no column of outputs next to a column of system names.

    The new table has one column for the outputs of each system and one for each of its scores; several scores of the
    same output are averaged. Rows with the same key and document belong to the same segment. Without keys, the rows of
    each system are the segments in order. `given` maps column names to roles that the user corrected.

    Raises BadData, with the line, if one segment has two different outputs of a system or two different references."""
    names = [column.name.strip().lower().replace(" ", "_") for column in sheet.columns]
    roles = [
        given.get(f"{sheet.file.name}:{each.name}")
        or given.get(each.name)
        or each.role
        or role_of_column_name(each.name)
        for each in sheet.columns
    ]
    at = next((n for n, name in enumerate(names) if name in _SYSTEM and sheet.columns[n].role is None), None)
    if sheet.plain or at is None or _ERRORS & {*names} or sheet.columns[at].name in given:
        return None
    systems = [(cell or "").strip() for cell in sheet.columns[at].cells]
    keys = _first_column_of_kind(sheet, roles, at, "key")
    documents = _first_column_of_kind(sheet, roles, at, "document")
    outputs = _output_column(sheet, roles, at)
    places = _segment_of_each_row(systems, keys, documents)
    size = len({*places})
    is_repeated = len({*systems}) <= len(sheet) / 2 or (keys is not None and size < len(sheet))
    if outputs is None or not all(systems) or not is_repeated:
        return None
    rows: dict[str, dict[int, list[int]]] = {}  # by system and segment
    first: dict[int, int] = {}
    for row, (system, place) in enumerate(zip(systems, places, strict=True)):
        rows.setdefault(system, {}).setdefault(place, []).append(row)
        first.setdefault(place, row)
    columns: list[SheetColumn] = []
    scores: list[SheetColumn] = []
    for n, (column, role) in enumerate(zip(sheet.columns, roles, strict=True)):
        kind = role.kind if role else "score" if is_numeric_column(column) else "nothing"
        if kind == "score" and n != at:
            scores.append(column)
        elif kind in ("key", "document", "source", "reference") and n != at:
            if kind == "reference":
                _check_rows_agree(sheet, column, [[*each] for each in _rows_by_segment(places, size)])
            columns.append(SheetColumn(column.name, [column.cells[first[place]] for place in range(size)], role))
    check_sheet_size(sheet.file, len(columns) + len(rows) * (1 + len(scores)), 0)
    check_sheet_size(sheet.file, 0, size * (len(columns) + len(rows) * (1 + len(scores))))
    for system, system_rows in rows.items():
        _check_rows_agree(sheet, outputs, [*system_rows.values()], f" of {printable(system[:60])}")
        cells = [outputs.cells[system_rows[place][0]] if place in system_rows else None for place in range(size)]
        lines = [sheet.lines[system_rows[place][0] if place in system_rows else first[place]] for place in range(size)]
        columns.append(SheetColumn(system, cells, ColumnRole("system", system), lines))
        for score in scores:
            cells = [_mean_cell([score.cells[row] for row in system_rows.get(place, ())]) for place in range(size)]
            columns.append(SheetColumn(f"{system}.{score.name}", cells, ColumnRole("score", score.name, system), lines))
    what = f"{sheet.what}, a row for each system and segment"
    lines = [sheet.lines[first[place]] for place in range(size)]
    return FileSheet(sheet.file, what, columns, lines, sheet.unit, sheet.notes, objects=sheet.objects)


def _first_column_of_kind(
    sheet: FileSheet, roles: Sequence[ColumnRole | None], systems_at: int, kind: str
) -> SheetColumn | None:
    """Return the first column whose role is of the given kind, such as "key"; None if there is none.

    `roles` has the role of each column. The column of system names, at index `systems_at`, is skipped."""
    for n, (each, role) in enumerate(zip(sheet.columns, roles, strict=True)):
        if n != systems_at and role and role.kind == kind:
            return each
    return None


def _output_column(sheet: FileSheet, roles: Sequence[ColumnRole | None], systems_at: int) -> SheetColumn | None:
    """Return the column of a long table that holds the outputs, or None if it is not clear which one does.

    The first of these that occurs must be a single column: columns with the role of a system, a target, columns named
    like a text, other columns of texts. `roles` has the role of each column, and `systems_at` is the index of the
    column of system names."""
    others = [(each, role) for n, (each, role) in enumerate(zip(sheet.columns, roles, strict=True)) if n != systems_at]
    for matching_columns in (
        [each for each, role in others if role and role.kind == "system"],
        [each for each, role in others if role and role.kind == "target"],
        [each for each, role in others if role is None and is_text_column_name(each.name)],
        [each for each, role in others if role is None and each.name.strip() and not is_numeric_column(each)],
    ):
        if matching_columns:
            return matching_columns[0] if len(matching_columns) == 1 else None
    return None


def _segment_of_each_row(systems: Sequence[str], keys: SheetColumn | None, documents: SheetColumn | None) -> list[int]:
    """Return the number of the segment, from 0, to which each row of a long table belongs.

    Rows with the same key and document belong together. Without keys (None), the n-th rows of all systems within a
    document do."""
    segment_numbers: dict[tuple[Cell, Cell, int], int] = {}
    counts: dict[tuple[str, Cell], int] = {}
    out = []
    for row, system in enumerate(systems):
        document = documents.cells[row] if documents else None
        number = 0
        if keys is None:
            number = counts[system, document] = counts.get((system, document), 0) + 1
        out.append(
            segment_numbers.setdefault((document, keys.cells[row] if keys else None, number), len(segment_numbers))
        )
    return out


def _rows_by_segment(row_segments: Sequence[int], segment_count: int) -> list[list[int]]:
    """Return for each segment the indices of its rows; `row_segments` has the number of each row's segment."""
    out: list[list[int]] = [[] for _ in range(segment_count)]
    for row, place in enumerate(row_segments):
        out[place].append(row)
    return out


def _check_rows_agree(sheet: FileSheet, column: SheetColumn, groups: Sequence[Sequence[int]], whose: str = "") -> None:
    """Raise BadData if the rows of one segment have different cells in `column`.

    Each group in `groups` has the indices of the rows of one segment. `whose` is added to the column's name in the
    message, such as " of system A"."""
    for rows in groups:
        other = next((row for row in rows if column.cells[row] != column.cells[rows[0]]), None)
        if other is not None:
            raise BadData(
                f"{sheet.where(other)}: {printable(column.name[:60])}{whose} differs from that of {sheet.unit} "
                f"{sheet.lines[rows[0]]}, of the same segment"
            )


def _mean_cell(cells: Sequence[Cell]) -> Cell:
    """Return the mean of several cells with numbers, as the text of a cell.

    A single cell is returned unchanged, and no cell gives None. If a cell is not a number, it is returned, so that the
    reader of scores reports it."""
    if len(cells) < 2:
        return cells[0] if cells else None
    try:
        return repr(fmean([float(cell) for cell in cells if cell and cell.strip()]))
    except ValueError:  # a cell that is not a number; the code that reads scores reports it
        return next(cell for cell in cells if cell)
