"""Read JSON: one object per line, a list of objects, the layouts of pandas, and the output of COMET.

WMT26's test sets and systems have one object per line. Nested objects become columns named by their path:
`refs.refA.ref`, `scores.A.COMET`. If a list holds several texts, each position in it becomes a column, numbered from 1.
Notes for the user say which parts of the JSON are not read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...formula import count_with_noun
from .. import printable
from ..files import MOST_LINES, BadData, file_label
from .roles import bare_file_name, role_of_column_name
from .sheets import Cell, ColumnRole, File, FileSheet, SheetColumn, check_sheet_size, join_names

#: The most letters of a line, and the most lists and objects of a file: each takes fifty times the memory of its text.
MOST_LETTERS = 5_000_000
MOST_CONTAINERS = 3_000_000
#: The most commas of a file that is one value. Most commas are inside texts, but each could separate two numbers.
MOST_COMMAS = 8_000_000
#: Up to this depth, nested objects become columns.
DEPTH = 4
#: The names of the JSON layouts in messages.
JSON_LINES, JSON_LIST, JSON_COLUMNS = "JSON lines", "a list in JSON", "columns in JSON"
_HALF = re.compile("[\ud800-\udfff]")


def json_lines(file: File, text: str) -> FileSheet:
    """Return the columns of a JSON file with one object per line. Raises BadData, with the line.

    If the first line is not a complete value, the whole file is read as one JSON value instead."""
    if text.count("\n") > MOST_LINES:
        raise BadData(f"{file_label(file.name)} has more than {MOST_LINES:,} lines, the limit")
    lines = [line for line in enumerate(text.split("\n"), 1) if line[1].strip()]
    if (lines and lines[0][1].strip() in ("[", "{", "[{")) or text.lstrip().startswith("["):
        return json_file(file, text)
    objects = [(number, parse_json(file, line, f", line {number}")) for number, line in lines]
    if len(objects) == 1:
        return _sheet_of_json_value(file, objects[0][1])
    return _sheet_of_objects(file, JSON_LINES, objects, "line")


def json_file(file: File, text: str) -> FileSheet:
    """Return the columns of a file that is one JSON value. Raises BadData.

    If the first line is a complete object and another one follows, the file is read as one object per line instead."""
    first, _, rest = text.strip().partition("\n")
    several = first.rstrip().endswith("}") and rest.lstrip().startswith("{")
    return json_lines(file, text) if several else _sheet_of_json_value(file, parse_json(file, text, "", whole=True))


def begins_as_json(text: str) -> bool:
    """Return whether a text begins as JSON: with an object, or with a list of objects, lists or texts.

    >>> begins_as_json('{"a": 1}'), begins_as_json('[ {"a"'), begins_as_json("[Laughter] {sic}"), begins_as_json("{}")
    (True, True, False, False)
    """
    return re.match(r'\s{0,100}(?:\{\s{0,100}"|\[\s{0,100}[\[{"])', text) is not None


def _sheet_of_json_value(file: File, value: Any) -> FileSheet:
    """Return the columns of a file that is one JSON value. Raises BadData.

    The value is a list of objects, one of the layouts of pandas, COMET's lists by system, or a single object."""
    left_out: list[str] = []
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        columns, rows = value.get("columns"), value["data"]
        if isinstance(columns, list) and all(isinstance(row, list) and len(row) == len(columns) for row in rows):
            rows = [dict(zip(map(str, columns), row, strict=True)) for row in rows]  # pandas' layout "split"
        if rows and all(isinstance(row, dict) for row in rows):
            left_out = [name for name in value if name not in ("data", "columns", "index")]
            value = rows
    if isinstance(value, list):
        notes = [f"{join_names(left_out)} beside the data: not read"] if left_out else []
        return _sheet_of_objects(file, JSON_LIST, [*enumerate(value, 1)], "entry", notes)
    if isinstance(value, dict) and value:
        values = [*value.values()]
        if all(isinstance(each, list) for each in values):
            if all(isinstance(entry, dict) for each in values for entry in each):
                return _comet_sheet(file, value)
            return _sheet_of_objects(file, JSON_COLUMNS, _rows_of_lists(file, value), "entry")
        if (rows := _rows_of_pandas_layout(value)) is not None:
            return _sheet_of_objects(file, JSON_COLUMNS, rows, "entry")
    return _sheet_of_objects(file, JSON_LINES, [(1, value)], "line")


def _rows_of_lists(file: File, lists: Mapping[str, Sequence[Any]]) -> list[tuple[int, Any]]:
    """Return the rows of a table that is given as one list per column, as pairs of row number (from 1) and object.

    `lists` maps the name of each column to its values. Raises BadData if the lists differ in length."""
    first = next(iter(lists))
    for name, each in lists.items():
        if len(each) != len(lists[first]):
            raise BadData(
                f"{file_label(file.name)}: {printable(name[:60])} has {count_with_noun(len(each), 'value')}, but "
                f"{printable(first[:60])} has {len(lists[first])}"
            )
    return [*enumerate([dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)], 1)]


def _rows_of_pandas_layout(objects: Mapping[str, Any]) -> list[tuple[int, Any]] | None:
    """Return the rows of a table in a JSON layout of pandas, as pairs of row number (from 1) and object.

    None means that `objects` is not such a layout: its values must be objects that all have the same names. In pandas'
    layout by columns, the inner names are the rows. In its layout by index, the inner names are the columns."""
    values = [*objects.values()]
    if not all(isinstance(each, dict) and each and each.keys() == values[0].keys() for each in values):
        return None
    outer, inner = [*objects], [*values[0]]
    if any(isinstance(cell, dict) for each in values for cell in each.values()):
        return None
    if any(map(role_of_column_name, outer)) and not all(name.isdecimal() for name in outer):
        if len(values) == 1 and not all(name.isdecimal() for name in inner):
            return None  # an ordinary object with one nested object
        return [*enumerate([{name: objects[name][row] for name in outer} for row in inner], 1)]
    if any(map(role_of_column_name, inner)) and all(name.isdecimal() for name in outer):
        return [*enumerate(values, 1)]
    return None


def parse_json(file: File, text: str, where: str, whole: bool = False) -> Any:
    """Parse a JSON text of a file and return its value.

    `where` is the position of the text in the file as messages append it to the file's name, such as ", line 3". With
    `whole`, the text is the whole file, which has other limits of size. Raises BadData, also for an object with two
    equal names."""
    place = f"{file_label(file.name)}{where}"
    if not whole and len(text) > MOST_LETTERS:
        raise BadData(f"{place} has more than {MOST_LETTERS:,} letters, the limit")
    if text.count("[") + text.count("{") > MOST_CONTAINERS:
        raise BadData(f"{place} has more than {MOST_CONTAINERS:,} lists and objects, the limit")
    if whole and text.count(",") > MOST_COMMAS:
        raise BadData(f"{place} has more than {MOST_COMMAS:,} commas, the limit")

    def unique_names(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name, count in Counter(names).items() if count > 1)
            raise BadData(f"{place}: an object has {printable(twice[:60])} twice")
        return mapping

    try:
        value = json.loads(text, object_pairs_hook=unique_names)
        halves = filter(_HALF.search, _strings_in(value)) if "\\ud" in text or "\\uD" in text else iter(())
        half = next(halves, None)
    except json.JSONDecodeError as error:
        at = f", line {error.lineno}" if whole else where
        raise BadData(
            f"{file_label(file.name)}{at} is not valid JSON: {error.msg} at character {error.colno}"
        ) from None
    except RecursionError:
        raise BadData(f"{place}: lists or objects are nested too deeply") from None
    except ValueError:  # Python refuses integers with thousands of digits
        raise BadData(f"{place}: a number has too many digits") from None
    if half is not None:
        raise BadData(f"{place}: half of a surrogate pair is not a character: {printable(half[:40])}")
    return value


def _strings_in(value: Any) -> Iterator[str]:
    """Yield all strings in a JSON value, including the names in its objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _strings_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings_in(each)


def _sheet_of_objects(
    file: File, what: str, objects: Iterable[tuple[int, Any]], unit: str, notes: Sequence[str] = ()
) -> FileSheet:
    """Return a sheet with one row per JSON object. Raises BadData if one of them is not an object.

    There is a column for each path of names that occurs in an object, and one for each position of a list with
    several texts. `objects` has each object with its number in the file, counted in `unit`; `what` is the name of
    the format."""
    numbers: list[int] = []
    columns: dict[str, dict[int, list[Cell]]] = {}  # by path, then by position in a list
    unread: dict[str, str] = {}
    for number, row_object in objects:
        if not isinstance(row_object, dict):
            raise BadData(
                f"{file_label(file.name)}, {unit} {number} is {_json_type_in_words(row_object)}, not an object"
            )
        for name, cells in _cells_by_path(row_object, unread):
            places = columns.setdefault(name, {})
            for place, cell in enumerate(cells):
                column = places.setdefault(place, [])
                if len(column) > len(numbers):
                    raise BadData(f"{file_label(file.name)}, {unit} {number}: {printable(name[:60])} occurs twice")
                column += [None] * (len(numbers) - len(column))
                column.append(cell)
        numbers.append(number)
        check_sheet_size(file, sum(map(len, columns.values())), 0)
    rows, sheet_columns = len(numbers), []
    for name, places in columns.items():
        for place, cells in places.items():
            column_name = name if len(places) == 1 else f"{name}.{place + 1}"
            sheet_columns.append(SheetColumn(column_name, [*cells, *[None] * (rows - len(cells))]))
    check_sheet_size(file, len(sheet_columns), len(sheet_columns) * rows)
    if not sheet_columns:
        raise BadData(f"{file_label(file.name)} has no objects with names")
    unread_notes = [f"{printable(name[:60])}: {why}" for name, why in unread.items()]
    return FileSheet(file, what, sheet_columns, numbers, unit, [*notes, *unread_notes[:6]], objects=True)


def _cells_by_path(
    mapping: Mapping[str, Any], unread: dict[str, str], path: str = "", depth: int = DEPTH
) -> Iterator[tuple[str, list[Cell]]]:
    """Yield each path of names in a JSON object, such as `refs.A`, with the cells there: one, or several for a list.

    `path` is the path of the object itself, and `depth` how many levels of nested objects are read. Adds to `unread`
    the paths that are not read, mapped to the reason."""
    for name, value in mapping.items():
        column_path = f"{path}{name}"
        if isinstance(value, dict):
            if depth > 1:
                yield from _cells_by_path(value, unread, f"{column_path}.", depth - 1)
            elif value:
                unread[column_path] = "objects that are nested more deeply are not read"
        elif not isinstance(value, list):
            yield column_path, [_cell_text(value)]
        else:
            if len(value) == 1 and isinstance(value[0], list):
                value = value[0]
                unread[column_path] = "a list within a list is read as one list"
            if any(isinstance(each, list | dict) for each in value):
                unread[column_path] = f"a list of {'objects' if isinstance(value[0], dict) else 'lists'} is not read"
            elif value:
                yield column_path, [_cell_text(each) for each in value]


def _cell_text(value: Any) -> Cell:
    """Return a JSON value as the text of a cell; null gives None, an empty cell."""
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _json_type_in_words(value: Any) -> str:
    """Return the type of a JSON value in words, for messages: "a list"."""
    if value is None:
        return "null"
    names = {str: "a text", list: "a list", bool: "true or false", dict: "an object"}
    return names.get(type(value), "a number")


def _comet_sheet(file: File, entries_by_file: Mapping[str, Sequence[Any]]) -> FileSheet:
    """Return the columns of a file that `comet-score --to_json` wrote.

    `entries_by_file` maps the path of each system's file to its segments, which have src, mt, ref and the score. Raises
    BadData if the systems differ in their segments."""
    names = system_names_of_paths(file, [*entries_by_file])
    columns: list[SheetColumn] = []
    first: FileSheet | None = None
    for name, entries in zip(names, entries_by_file.values(), strict=True):
        if not entries:
            raise BadData(f"{file_label(file.name)}: {printable(name)} has no entries")
        system_sheet = _sheet_of_objects(file, "", [*enumerate(entries, 1)], "entry")
        cells = {column.name: column for column in system_sheet.columns}
        if "mt" not in cells:
            raise BadData(
                f"{file_label(file.name)}: the entries of {printable(name)} have no mt; "
                f"they have {join_names([*cells])}"
            )
        if first is None:
            first = system_sheet
            for side, kind in (("src", "source"), ("ref", "reference")):
                if side in cells:
                    columns.append(
                        SheetColumn(side, cells[side].cells, ColumnRole(kind, "ref" if kind == "reference" else ""))
                    )
        elif len(system_sheet) != len(first):
            raise BadData(
                f"{file_label(file.name)}: {printable(name)} has {count_with_noun(len(system_sheet), 'segment')}, "
                f"but {printable(names[0])} has {len(first)}"
            )
        for side in ("src", "ref"):
            first_column = next((column for column in columns if column.name == side), None)
            if first_column and side in cells:
                at = next(
                    (
                        k
                        for k, pair in enumerate(zip(first_column.cells, cells[side].cells, strict=True))
                        if len({*pair}) > 1
                    ),
                    None,
                )
                if at is not None:
                    raise BadData(
                        f"{file_label(file.name)}, entry {at + 1}: {side} of {printable(name)} differs from that of "
                        f"{printable(names[0])}"
                    )
        columns.append(SheetColumn(f"{name}.mt", cells["mt"].cells, ColumnRole("system", name)))
        for column in system_sheet.columns:
            if column.name not in ("src", "mt", "ref") and any(isinstance(e.get(column.name), float) for e in entries):
                columns.append(
                    SheetColumn(f"{name}.{column.name}", column.cells, ColumnRole("score", column.name, name))
                )
    assert first is not None
    check_sheet_size(file, len(columns), len(columns) * len(first))
    return FileSheet(file, "COMET's JSON", columns, first.lines, "entry")


def system_names_of_paths(file: File, paths: Sequence[str]) -> list[str]:
    """Return a name for each system, given the paths of the systems' files.

    The names are the file names, without words such as "system" in front. If these are not distinct, the whole file
    names are used; if those are not distinct either, the paths."""
    file_names = [bare_file_name(File(path)) or path for path in paths]
    names = [re.sub(r"^(?:system|sys|hyp|mt|output)[._-](?=.)", "", name) for name in file_names]
    return next((each for each in (names, file_names) if len({*each}) == len(paths)), [*paths])
