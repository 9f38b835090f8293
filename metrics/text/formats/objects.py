"""JSON: an object a line (WMT26's test sets and systems among them), a list of objects, and what COMET writes.

Objects within objects are columns by the path of their names: `refs.refA.ref`, `scores.A.COMET`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...formula import counted
from .. import printable
from ..files import MOST_LINES, BadData, named
from .roles import own_name
from .sheets import Cell, Column, File, Role, Sheet, bounded, listed

#: The letters of a line, and the lists and objects of a file: each takes fifty times its letters.
MOST_LETTERS = 5_000_000
MOST_CONTAINERS = 3_000_000
#: The commas of a file that is read as a whole, most of them of texts: a number may stand behind each.
MOST_COMMAS = 8_000_000
#: How deep objects within an object are columns.
DEPTH = 4
_HALF = re.compile("[\ud800-\udfff]")


def json_lines(file: File, text: str) -> Sheet:
    """An object a line. Raises BadData, with the line."""
    if text.count("\n") > MOST_LINES:
        raise BadData(f"{named(file.name)} has more than {MOST_LINES:,} lines, which is the most that is read")
    lines = [line for line in enumerate(text.split("\n"), 1) if line[1].strip()]
    objects = [(number, loaded(file, line, f", line {number}")) for number, line in lines]
    return _sheet(file, "JSON lines", objects, "line")


def json_file(file: File, text: str) -> Sheet:
    """A list of objects, or COMET's lists of objects by the files of the systems; else an object a line."""
    first, _, rest = text.strip().partition("\n")
    several = first.rstrip().endswith("}") and rest.lstrip().startswith("{")
    if several:
        return json_lines(file, text)
    found = loaded(file, text, "", whole=True)
    if isinstance(found, list):
        return _sheet(file, "a list in JSON", [*enumerate(found, 1)], "entry")
    if isinstance(found, dict) and found and all(isinstance(each, list) for each in found.values()):
        return _comet(file, found)
    return _sheet(file, "JSON lines", [(1, found)], "line")


def loaded(file: File, text: str, where: str, whole: bool = False) -> Any:
    """What a text of JSON says. Raises BadData."""
    place = f"{named(file.name)}{where}"
    if not whole and len(text) > MOST_LETTERS:
        raise BadData(f"{place} has more than {MOST_LETTERS:,} letters, which is the most that is read")
    if text.count("[") + text.count("{") > MOST_CONTAINERS:
        raise BadData(f"{place} has more than {MOST_CONTAINERS:,} lists and objects, which is the most that is read")
    if whole and text.count(",") > MOST_COMMAS:
        raise BadData(f"{place} has more than {MOST_COMMAS:,} commas, which is the most that is read")

    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise BadData(f"{place}: an object has {printable(twice[:60])} twice")
        return found

    try:
        found = json.loads(text, object_pairs_hook=once)
        halves = filter(_HALF.search, _texts(found)) if "\\ud" in text or "\\uD" in text else iter(())
        half = next(halves, None)
    except json.JSONDecodeError as error:
        at = f", line {error.lineno}" if whole else where
        raise BadData(f"{named(file.name)}{at} is no JSON: {error.msg} at character {error.colno}") from None
    except RecursionError:
        raise BadData(f"{place}: lists or objects are nested too deeply") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise BadData(f"{place} is no JSON: {printable(str(error)[:100])}") from None
    if half is not None:
        raise BadData(f"{place}: half of a surrogate pair stands alone, which is no character: {printable(half[:40])}")
    return found


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        for name, each in found.items():
            yield name
            yield from _texts(each)
    elif isinstance(found, list):
        for each in found:
            yield from _texts(each)


def _sheet(file: File, what: str, objects: Iterable[tuple[int, Any]], unit: str) -> Sheet:
    """The objects as rows: a column for each path of names that one of them has."""
    numbers: list[int] = []
    columns: dict[str, list[Cell]] = {}
    for number, found in objects:
        if not isinstance(found, dict):
            raise BadData(f"{named(file.name)}, {unit} {number} is {_kind(found)}, not an object")
        for name, cell in _cells(found):
            column = columns.setdefault(name, [])
            if len(column) > len(numbers):
                raise BadData(f"{named(file.name)}, {unit} {number}: {printable(name[:60])} stands twice")
            column += [None] * (len(numbers) - len(column))
            column.append(cell)
        numbers.append(number)
        bounded(file, len(columns), 0)
    bounded(file, len(columns), len(columns) * len(numbers))
    if not columns:
        raise BadData(f"{named(file.name)} has no objects with names")
    rows = len(numbers)
    return Sheet(
        file,
        what,
        [Column(name, [*cells, *[None] * (rows - len(cells))]) for name, cells in columns.items()],
        numbers,
        unit,
    )


def _cells(found: Mapping[str, Any], path: str = "", depth: int = DEPTH) -> Iterator[tuple[str, Cell]]:
    """The paths of names in an object, and what stands there; lists of texts are numbered from 1."""
    for name, value in found.items():
        own = f"{path}{name}"
        if isinstance(value, list) and value and len(value) < 100 and all(isinstance(each, str) for each in value):
            value = {str(number): each for number, each in enumerate(value, 1)} if len(value) > 1 else value[0]
        if isinstance(value, dict):
            if depth > 1:
                yield from _cells(value, f"{own}.", depth - 1)
        elif not isinstance(value, list):
            yield own, _cell(value)


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {str: "a text", list: "a list", bool: "true or false", dict: "an object"}
    return names.get(type(value), "a number")


def _comet(file: File, found: Mapping[str, Sequence[Any]]) -> Sheet:
    """What `comet-score --to_json` writes: for each system's file its segments, with src, mt, ref and the score."""
    names = system_names(file, [*found])
    columns: list[Column] = []
    first: Sheet | None = None
    for name, entries in zip(names, found.values(), strict=True):
        if not entries:
            raise BadData(f"{named(file.name)}: {printable(name)} has no entries")
        own = _sheet(file, "", [*enumerate(entries, 1)], "entry")
        cells = {column.name: column for column in own.columns}
        if "mt" not in cells:
            raise BadData(
                f"{named(file.name)}: the entries of {printable(name)} have no mt; they have {listed([*cells])}"
            )
        if first is None:
            first = own
            for side, kind in (("src", "source"), ("ref", "reference")):
                if side in cells:
                    columns.append(Column(side, cells[side].cells, Role(kind, "ref" if kind == "reference" else "")))
        elif len(own) != len(first):
            raise BadData(
                f"{named(file.name)}: {printable(name)} has {counted(len(own), 'segment')}, "
                f"but {printable(names[0])} has {len(first)}"
            )
        for side in ("src", "ref"):
            same = next((column for column in columns if column.name == side), None)
            if same and side in cells:
                at = next(
                    (k for k, pair in enumerate(zip(same.cells, cells[side].cells, strict=True)) if len({*pair}) > 1),
                    None,
                )
                if at is not None:
                    raise BadData(
                        f"{named(file.name)}, entry {at + 1}: {side} of {printable(name)} differs from that of "
                        f"{printable(names[0])}"
                    )
        columns.append(Column(f"{name}.mt", cells["mt"].cells, Role("system", name)))
        for column in own.columns:
            if column.name not in ("src", "mt", "ref") and any(isinstance(e.get(column.name), float) for e in entries):
                columns.append(Column(f"{name}.{column.name}", column.cells, Role("score", column.name, name)))
    assert first is not None
    bounded(file, len(columns), len(columns) * len(first))
    return Sheet(file, "COMET's JSON", columns, first.lines, "entry")


def system_names(file: File, paths: Sequence[str]) -> list[str]:
    """What the systems are called: their files' names, or whole paths where those are not apart."""
    own = [own_name(File(path)) or path for path in paths]
    names = [re.sub(r"^(?:system|sys|hyp|mt|output)[._-](?=.)", "", name) for name in own]
    return next((each for each in (names, own) if len({*each}) == len(paths)), [*paths])
