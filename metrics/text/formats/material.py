"""Files joined: the texts of systems and references, segment beside segment, by key where all files have keys."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...formula import counted
from .. import printable
from ..files import BadData, file_label
from .file_columns import sheet_of
from .folders import NOTHING, of_layout
from .long_tables import by_segment
from .markup import TMX
from .roles import is_text, of_language, own_name, role_of, role_of_file, roles_of, says_edited, score_of
from .sheets import ColumnRole, File, FileSheet, SheetColumn, listed

#: References that some segments lack, of which each is named.
MISSING_MOST = 4
#: The letters of a column's name.
MOST_NAME = 500

#: What a score is for each segment, None where there is none.
Scores = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """One text for each segment, empty where there is none; the file they stand in, and where, in `unit`s from 1."""

    lines: tuple[str, ...]
    file: str
    numbers: Sequence[int]
    unit: str = "line"

    def where(self, segment: int) -> str:
        """Where a segment, from 0, stands: `a.txt, line 57`."""
        return f"{file_label(self.file)}, {self.unit} {self.numbers[segment]}"


class Recognised(NamedTuple):
    """What a file was taken for: a sentence, and what each of its columns is, so that it can be corrected. `guessed`
    where that was not plain from how the file was given."""

    file: str
    sentence: str
    columns: tuple[tuple[str, ColumnRole], ...]
    guessed: bool


@dataclass(frozen=True, slots=True)
class Material:
    """The texts of systems and references by name, over the same segments, with the source where there is one.

    An empty line of references says that the segment has no such reference. `documents` are of each segment, `keys`
    what it is called where a file says so; `scores` come from elsewhere, by name and system. `edited` are the names of
    references that are edited outputs; `notes` are sentences about what was done and what is missing, and `cleaned`
    names what was taken out of the texts.
    """

    systems: Mapping[str, ColumnTexts]
    references: Mapping[str, ColumnTexts]
    source: ColumnTexts | None
    documents: tuple[str, ...] | None
    keys: tuple[str, ...] | None
    scores: Mapping[str, Mapping[str, Scores]]
    edited: frozenset[str]
    files: tuple[Recognised, ...]
    notes: tuple[str, ...]
    cleaned: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter([*self.systems.values(), *self.references.values()])).lines)

    def references_of(self, segment: int) -> list[tuple[str, str]]:
        """The references that a segment, from 0, has, with their names; where all are empty the first."""
        each = [(name, texts.lines[segment]) for name, texts in self.references.items()]
        return [(name, line) for name, line in each if line.strip()] or each[:1]


class _SheetPart(NamedTuple):
    """A sheet and what its columns are: those that count."""

    sheet: FileSheet
    texts: list[tuple[ColumnRole, SheetColumn]]
    scores: list[tuple[ColumnRole, SheetColumn]]
    keys: Sequence[str] | None
    documents: Sequence[str] | None


def read(
    files: Sequence[File], roles: Mapping[str, str] = {}, keep_tags: bool = False, edited: bool = False
) -> Material:
    """What the files hold, joined. `roles` corrects what a column is taken for, by its name or as `FILE:COLUMN`, or a
    file of lines: `source`, `reference:A`, `post-edited`, `system:B`, `document`, `key`, `score:COMET:B`, `nothing`.
    With `keep_tags` inline tags of markup are words; with `edited` all references are edited outputs.

    Raises BadData, with file, line and reason, where they cannot be read or do not fit together, and ValueError for a
    role that is none.

    >>> found = read([File("a.txt", b"one\\ntwo\\n"), File("ref.txt", b"One\\nTwo\\n")])
    >>> found.systems["a"].lines, found.references["ref"].lines, found.systems["a"].where(1)
    (('one', 'two'), ('One', 'Two'), 'a.txt, line 2')
    """
    given = {name: ColumnRole.of_text(role) for name, role in roles.items()}
    recognised_files: list[Recognised] = []
    parts: list[_SheetPart] = []
    sheets: list[FileSheet] = []
    for file in _laid_out(files):
        sheets.append(sheet_of(file, keep_tags))
        part, recognition = _part(sheets[-1], given)
        parts.append(part)
        recognised_files.append(recognition)
    sheets += [part.sheet for part in parts]
    unknown = next((name for name in given if not any(_names(sheet, name) for sheet in sheets)), None)
    if unknown is not None:
        raise BadData(f"no file has the column {printable(unknown)}, which is said to be {given[unknown].describe()}")
    return _joined(parts, recognised_files, edited)


def recognised(files: Sequence[File], roles: Mapping[str, str] = {}) -> list[Recognised]:
    """What each of the files was taken for that can be read, whether they fit together or not; `roles` as for `read`,
    of which those are left out that are none.

    >>> [each.sentence for each in recognised([File("a.txt", b"one\\n"), File("b.csv", b"")])]
    ['a.txt: one segment a line, 1 line, system a']
    """
    given: dict[str, ColumnRole] = {}
    for name, role in roles.items():
        with suppress(BadData, ValueError):
            given[name] = ColumnRole.of_text(role)
    out = []
    for file in _laid_out(files):
        with suppress(BadData, ValueError):
            out.append(_part(sheet_of(file), given)[1])
    return out


def _laid_out(files: Sequence[File]) -> Sequence[File]:
    """The files with the roles that a known layout of folders gives them."""
    return files if any(file.role for file in files) else of_layout(files) or files


# ---------------------------------------------------------------- one file


def _names(sheet: FileSheet, name: str) -> bool:
    plain = sheet.plain and name == sheet.file.name
    return plain or any(name in (column.name, f"{sheet.file.name}:{column.name}") for column in sheet.columns)


def _part(sheet: FileSheet, given: Mapping[str, ColumnRole]) -> tuple[_SheetPart, Recognised]:
    """What counts of a file, and what is said of it. Raises BadData."""
    file, sheet = sheet.file, by_segment(sheet, given) or sheet
    roles = _named_roles(sheet, _roles(sheet, given))
    texts, scores = [], []
    keys = documents = None
    for role, column in zip(roles, sheet.columns, strict=True):
        if role.kind in ("system", "reference", "source"):
            texts.append((role, column))
        elif role.kind == "score":
            scores.append((role, column))
        elif role.kind == "document" and documents is None:
            documents = [cell or "" for cell in column.cells]
        elif role.kind == "key" and keys is None:
            keys = [cell or "" for cell in column.cells]
    pairs = tuple([(column.name, role) for column, role in zip(sheet.columns, roles, strict=True)])
    guessed = not (sheet.plain and file.role)
    return _SheetPart(sheet, texts, scores, keys, documents), Recognised(
        file.name, _describe_sheet(sheet, pairs), pairs, guessed
    )


def _roles(sheet: FileSheet, given: Mapping[str, ColumnRole]) -> list[ColumnRole]:
    """What each column is: as it was given, as the format or the name says, or by what it holds. Raises BadData."""
    file = sheet.file
    if sheet.plain:
        return [given.get(file.name) or (ColumnRole(file.role, file.label) if file.role else role_of_file(file))]
    long = next((column.name for column in sheet.columns if len(column.name) > MOST_NAME), None)
    if long is not None:
        raise BadData(
            f"{file_label(file.name)} has a column with a name of {len(long):,} letters: {printable(long[:40])}…"
        )
    corrected = [given.get(f"{file.name}:{column.name}") or given.get(column.name) for column in sheet.columns]
    known_roles = [
        column.role or role_of(column.name) or role for column, role in zip(sheet.columns, corrected, strict=True)
    ]
    if not any(known_roles) and not file.column:
        names = listed([column.name for column in sheet.columns])
        raise BadData(
            f"{file_label(file.name)}: none of the columns {names} has a name that is known, such as source, reference "
            "or hypothesis; the first row must be a header"
        )
    roles = roles_of(sheet.columns)
    for role, column in zip(roles, sheet.columns, strict=True):
        if role == ColumnRole("system") and role not in corrected:
            _a_row_a_segment(sheet, column)
    if len(texts := [at for at, role in enumerate(roles) if role.kind in ("system", "reference")]) == 1:
        (at,) = texts
        if is_text(sheet.columns[at].name):  # a column that is called "text" is what the file is called
            roles[at] = role_of_file(file)
    roles = _with_key(sheet, [role or default_role for role, default_role in zip(corrected, roles, strict=True)])
    return _picked_roles(sheet, roles) if file.role else roles


def _a_row_a_segment(sheet: FileSheet, column: SheetColumn) -> None:
    """BadData where a column of systems has their names, and so a row for each segment of each system."""
    distinct_count = len({*column.cells})
    if column.name.lower() in ("system", "sys") and distinct_count < len(sheet) and distinct_count <= len(sheet) / 2:
        raise BadData(
            f"{file_label(sheet.file.name)}: the column {printable(column.name)} names the system of each row, such as "
            f"{printable((column.cells[0] or '')[:60])}; a table must have one row for each segment, or the outputs in "
            "a column such as text"
        )


def _named_roles(sheet: FileSheet, roles: Sequence[ColumnRole]) -> list[ColumnRole]:
    """The roles with names: a system is called as it was given, else as its column where that stands beside references,
    else as its file."""
    file = sheet.file
    has_references = not sheet.plain and any(role.kind == "reference" for role in roles)
    out = []
    for role, column in zip(roles, sheet.columns, strict=True):
        name = role.name or file.label
        of_file = role_of_file(file).name or own_name(file)
        if role.kind == "system":
            name = name or (column.name if has_references else of_file)
        elif role.kind == "reference":
            name = name or column.name or of_file
        edited = role.edited or (role.kind == "reference" and says_edited(file))
        name, of = (printable(each.strip()[:100]) for each in (name, role.of))
        out.append(ColumnRole(role.kind, name if role.kind in ("system", "reference", "score") else "", of, edited))
    return out


def _with_key(sheet: FileSheet, roles: list[ColumnRole]) -> list[ColumnRole]:
    """In JSON `doc_id` is the key, unless there is another or most documents have several segments."""
    if not sheet.what.startswith(("JSON", "a list")) or any(role.kind == "key" for role in roles):
        return roles
    out = []
    for role, column in zip(roles, sheet.columns, strict=True):
        are_distinct = len({*column.cells}) > len(sheet) / 2
        out.append(ColumnRole("key") if role.kind == "document" and column.name == "doc_id" and are_distinct else role)
    return out


def _picked_roles(sheet: FileSheet, roles: list[ColumnRole]) -> list[ColumnRole]:
    """The roles where the file was given for one of its texts: that one, or for references all of them."""
    file = sheet.file
    names = [column.name for column in sheet.columns]
    kind = file.role or ""
    if file.column:
        picked = [at for at, name in enumerate(names) if name == file.column] or [
            at for at, name in enumerate(names) if name.lower() == file.column.lower()
        ]
        if not picked and sheet.what == TMX:
            picked = [names.index(name) for name in of_language(file.column, names)]
        if len(picked) != 1:
            column_names = listed(names, 12)
            raise BadData(
                f"{file_label(file.name)} has no column {printable(file.column)}; its columns are {column_names}"
            )
    else:
        picked = [at for at, role in enumerate(roles) if role.kind == kind]
        texts = [at for at, role in enumerate(roles) if role.kind in ("system", "reference")]
        picked = picked or (texts if len(texts) == 1 else [])
        if len(picked) != 1 and not (picked and kind in ("reference", "score")):
            raise BadData(
                f"{file_label(file.name)} has the columns {listed(names, 12)}; say which is meant, such as "
                f"{file_label(file.name)}:{printable(names[(picked or texts or [0])[0]])}"
            )
    side_kinds = {"key", "document", "source"} - {kind}
    out = [role if role.kind in side_kinds else ColumnRole("nothing") for role in roles]
    for at in picked:
        is_same_kind = roles[at].kind == kind
        out[at] = ColumnRole(
            kind, file.label or (roles[at].name if is_same_kind else ""), roles[at].of, roles[at].edited
        )
    return out


def _describe_sheet(sheet: FileSheet, pairs: Sequence[tuple[str, ColumnRole]]) -> str:
    """What a file was taken for, in a sentence."""
    size = counted(len(sheet), "line" if sheet.plain else "segment")
    start = f"{file_label(sheet.file.name)}: {sheet.what}, {size}"
    if sheet.plain:
        return f"{start}, {pairs[0][1].describe()}"
    used, unused = [], []
    lists = Counter(_list_of(name) for name, role in pairs if role.kind == "reference")
    for name, role in pairs:
        role_text = role.describe()
        if (path := _list_of(name)) and lists[path] > 1 and role.kind == "reference":
            if name == f"{path}.1":
                used.append(f"{path[:60]} (up to {lists[path]} references a segment)")
        elif role.kind == "nothing":
            unused.append(name)
        else:
            used.append(role_text if name.lower() in (role_text.lower(), "") else f"{name[:60]} ({role_text})")
    out = f"{start}; {listed(used, 40, 200) if used else 'nothing of it is used'}"
    return f"{out}; left out: {listed(unused)}" if unused else out


def _list_of(name: str) -> str:
    """The list whose text a column has: `refs` of `refs.2`, "" where there is none."""
    path, _, place = name.rpartition(".")
    return path if place.isdecimal() else ""


# ---------------------------------------------------------------- several


def _joined(parts: Sequence[_SheetPart], recognised: Sequence[Recognised], edited: bool) -> Material:
    """The parts side by side. Raises BadData."""
    if not any(role.kind != "source" for part in parts for role, _ in part.texts):
        raise BadData("the files hold no texts of systems or references")
    part_notes = [f"{file_label(part.sheet.file.name)}: {note}" for part in parts for note in part.sheet.notes]
    notes = list(dict.fromkeys(part_notes))  # of a file that holds several texts, once
    keyed = _keys(parts, notes)
    first = [k for k, part in enumerate(parts) if part.texts]
    with_keys = [k for k in first if keyed[k] is not None]
    base = next((k for k in with_keys if any(role.kind == "reference" for role, _ in parts[k].texts)), None)
    base = base if base is not None else with_keys[0] if with_keys else _of_usual_size(parts, first)
    size = len(parts[base].sheet)
    places = [_places(part, keyed[k], parts[base], keyed[base], size) for k, part in enumerate(parts)]
    by_order = [part for k, part in enumerate(parts) if part.texts and keyed[k] is None]
    if len(with_keys) > 1 and by_order:
        notes.append(
            f"{file_label(by_order[0].sheet.file.name)} has no keys: its segments are joined by their order to "
            f"{file_label(parts[base].sheet.file.name)}, whose keys join the other files"
        )
    systems: dict[str, ColumnTexts] = {}
    references: dict[str, ColumnTexts] = {}
    of_edited: set[str] = set()
    source = documents = None
    for part, rows in zip(parts, places, strict=True):
        for role, column in part.texts:
            if role.kind == "system":
                if role.name in systems:
                    other = file_label(systems[role.name].file)
                    raise BadData(f"{file_label(part.sheet.file.name)}: the system {role.name} is in {other} already")
                systems[role.name] = _texts(part, column, rows, f"the output of {role.name}")
            elif role.kind == "reference":
                name = _free(role.name, references)
                references[name] = _texts(part, column, rows)
                if role.edited or edited:
                    of_edited.add(name)
            elif source is None:
                source = _texts(part, column, rows)
        if documents is None and part.documents is not None:
            documents = tuple(["" if row is None else part.documents[row] for row in rows])
    scores = _scores(parts, places, [*systems], notes)
    if of_edited:
        what = "is a post-edited output" if len(of_edited) == 1 else "are post-edited outputs"
        only = "" if len(references) == 1 else " against it alone" if len(of_edited) == 1 else " against its own alone"
        names = listed(sorted(of_edited))
        notes.append(f"{names} {what}: TER{only} is the HTER of the system whose output was edited")
    notes += _missing(references)
    base_keys = keyed[base]
    keys = None if base_keys is None else tuple(base_keys)
    return Material(
        systems, references, source, documents, keys, scores, frozenset(of_edited), tuple(recognised), tuple(notes)
    )


def _of_usual_size(parts: Sequence[_SheetPart], among: Sequence[int]) -> int:
    """The first of the parts that have as many segments as most have, so that it is another that is blamed."""
    sizes = Counter([len(parts[k].sheet) for k in among])
    return max(among, key=lambda k: sizes[len(parts[k].sheet)])


def _free(name: str, used_names: Mapping[str, object]) -> str:
    number, free_name = 2, name
    while free_name in used_names:
        free_name, number = f"{name} {number}", number + 1
    return free_name


def _keys(parts: Sequence[_SheetPart], notes: list[str]) -> list[Sequence[str] | None]:
    """The keys of each part, with the document in front where they begin anew in each document. BadData where files are
    joined by keys, and one stands twice."""
    keys: list[Sequence[str] | None] = [part.keys for part in parts]
    having = [part for part in parts if part.keys is not None]
    if any(len({*part_keys}) < len(part_keys) for part_keys in keys if part_keys is not None) and all(
        part.documents for part in having
    ):
        keys = [
            None if part.keys is None else [f"{d}, {k}" for d, k in zip(part.documents or (), part.keys, strict=True)]
            for part in parts
        ]
    for at, (part, part_keys) in enumerate(zip(parts, keys, strict=True)):
        row_of_key: dict[str, int] = {}
        for row, key in enumerate(part_keys or ()):
            if key in row_of_key:
                first = f"{part.sheet.unit} {part.sheet.lines[row_of_key[key]]}"
                what = f"{part.sheet.where(row)}: the key {printable(key[:100])} stands already in {first}"
                if len(having) > 1:
                    raise BadData(what)
                notes.append(f"{what}, and keys are not used")
                keys[at] = None
                break
            row_of_key[key] = row
    return keys


def _places(
    part: _SheetPart, keys: Sequence[str] | None, base: _SheetPart, base_keys: Sequence[str] | None, size: int
) -> Sequence[int | None]:
    """The row of a part for each segment. BadData where a system has not the same segments."""
    sheet = part.sheet
    if keys is None or base_keys is None:
        if len(sheet) != size:
            lines = sheet.plain and base.sheet.plain
            count = counted(len(sheet), "line" if lines else "segment")
            each = ", one a line" if lines else ""
            raise BadData(
                f"{file_label(sheet.file.name)} has {count}, but {file_label(base.sheet.file.name)} has {size}; "
                f"all must hold the same segments{each}"
            )
        return range(size)
    if keys is base_keys:
        return range(size)
    rows = {key: row for row, key in enumerate(keys)}
    if rows.keys().isdisjoint(base_keys):
        ours, theirs = (printable(each[0][:100]) for each in (keys, base_keys))
        raise BadData(
            f"{file_label(sheet.file.name)}: none of its keys is one of {file_label(base.sheet.file.name)}: "
            f"they look like {ours} here, and like {theirs} there"
        )
    if any(role.kind == "system" for role, _ in part.texts):
        missing = [row for row, key in enumerate(base_keys) if key not in rows]
        if missing:
            others, verb = (f" and {len(missing) - 1} more", "are") if missing[1:] else ("", "is")
            first = f"{printable(base_keys[missing[0]][:100])} ({base.sheet.where(missing[0])})"
            raise BadData(f"{file_label(sheet.file.name)}: the key {first}{others} {verb} missing")
    known_keys = {*base_keys}
    more = next((row for row, key in enumerate(keys) if key not in known_keys), None)
    if more is not None:
        raise BadData(
            f"{sheet.where(more)}: the key {printable(keys[more][:100])} is not in {file_label(base.sheet.file.name)}"
        )
    places = [rows.get(key) for key in base_keys]
    return range(size) if places == [*range(size)] else places


def _texts(part: _SheetPart, column: SheetColumn, rows: Sequence[int | None], must: str = "") -> ColumnTexts:
    """A column by segment; `must` names what has to have a text, if an empty one, for each segment."""
    sheet = part.sheet if column.lines is None else replace(part.sheet, lines=column.lines)
    lines = []
    for row in rows:
        cell = None if row is None else column.cells[row]
        if cell is None and must and row is not None:
            raise BadData(f"{sheet.where(row)}: {must} is missing")
        lines.append("" if cell is None or cell == NOTHING else cell)
    numbers = sheet.lines if isinstance(rows, range) else [sheet.lines[row or 0] for row in rows]
    return ColumnTexts(tuple(lines), sheet.file.name, numbers, sheet.unit)


def _scores(
    parts: Sequence[_SheetPart], places: Sequence[Sequence[int | None]], systems: Sequence[str], notes: list[str]
) -> dict[str, dict[str, Scores]]:
    """The columns of scores by their names and systems. BadData where a cell is no number."""
    out: dict[str, dict[str, Scores]] = {}
    for part, rows in zip(parts, places, strict=True):
        part_systems = [role.name for role, _ in part.texts if role.kind == "system"] or systems
        for role, column in part.scores:
            score_key = (role.name, role.of) if role.of else score_of(column.name, systems)
            # A name that is no score's may be that of a system which is not here.
            if score_key is None and len(part_systems) == 1 and (role_of(column.name) or role.name != column.name):
                score_key = (role.name or column.name, part_systems[0])
            if score_key is None or score_key[1] not in systems:
                whose = (
                    f"of {printable(score_key[1])}, which is no system here"
                    if score_key
                    else "of no system that its name holds"
                )
                notes.append(
                    f"{file_label(part.sheet.file.name)}: the scores {printable(column.name[:60])} are left out, "
                    f"{whose}"
                )
                continue
            name, system = score_key
            if system in out.setdefault(name, {}):
                raise BadData(
                    f"{file_label(part.sheet.file.name)}: the score {printable(name)} of {printable(system)} is given "
                    "twice"
                )
            out[name][system] = tuple([None if row is None else _number(part.sheet, row, column) for row in rows])
    return {name: each for name, each in out.items() if each}


def _number(sheet: FileSheet, row: int, column: SheetColumn) -> float | None:
    cell = (column.cells[row] or "").strip()
    if cell.lower() in ("", "none", "nan", "null", "na", "n/a", "-"):
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    if math.isinf(value):
        raise BadData(f"{sheet.where(row)}: {printable(column.name[:60])} must be a number, got {printable(cell[:40])}")
    return value


def _missing(references: Mapping[str, ColumnTexts]) -> list[str]:
    """That segments have no reference with words, and that references are of a part of the segments."""
    out = []
    columns = [texts.lines for texts in references.values()]
    empty = [at for at, each in enumerate(zip(*columns, strict=True)) if not any(line.strip() for line in each)]
    if empty:
        first = next(iter(references.values()))
        more = f" and {len(empty) - 1} more" if empty[1:] else ""
        out.append(f"{first.where(empty[0])}{more}: all references are empty there")
    incomplete = [
        f"{file_label(texts.file)}: {present} of {len(texts.lines)} segments have the reference {name}"
        for name, texts in references.items()
        if len(references) > 1 and (present := sum(bool(line.strip()) for line in texts.lines)) < len(texts.lines)
    ]
    if len(incomplete) > MISSING_MOST:
        numbers = [sum(bool(line.strip()) for line in each) for each in zip(*columns, strict=True)]
        incomplete = [f"a segment has {min(numbers)} to {max(numbers)} of the {len(references)} references"]
    return out + incomplete
