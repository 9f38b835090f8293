"""Join files into one record: the texts of systems and references, segment by segment.

The segments are matched by their keys if the files have keys, else by their order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, file_label
from .file_columns import read_sheet
from .folders import NOTHING, mt_metrics_eval_files
from .long_tables import table_by_segment
from .roles import (
    bare_file_name,
    is_text_column_name,
    matching_language_codes,
    role_of_column_name,
    role_of_file,
    roles_of,
    says_post_edited,
    split_score_column_name,
)
from .sheets import ColumnRole, File, FileSheet, SheetColumn, join_names

#: Up to this many incomplete references, each is named in a note.
MISSING_MOST = 4
#: The longest name of a column.
MOST_NAME = 500

#: One score per segment, None where a segment has none.
Scores = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ColumnTexts:
    """The texts of one column of a file, one per segment.

    Attributes:
        lines: the text of each segment, "" where the file has none.
        file: the name of the file.
        numbers: the position of each text in the file, from 1, counted in `unit`.
        unit: what `numbers` count, such as "line" or "row"."""

    lines: tuple[str, ...]
    file: str
    numbers: Sequence[int]
    unit: str = "line"

    def where(self, segment: int) -> str:
        """Return where in the file the text of a segment is, for messages: `a.txt, line 57`. `segment` is its index."""
        return f"{file_label(self.file)}, {self.unit} {self.numbers[segment]}"


class RecognisedFile(NamedTuple):
    """The interpretation of one file, shown to the user so that it can be corrected.

    Attributes:
        file: the name of the file.
        sentence: the interpretation in words.
        columns: the name and role of each column.
        guessed: whether the file was interpreted by its contents or names; False if the user stated its role."""

    file: str
    sentence: str
    columns: tuple[tuple[str, ColumnRole], ...]
    guessed: bool


@dataclass(frozen=True, slots=True)
class Material:
    """The texts of systems and references over the same segments, with everything else that the files hold.

    Attributes:
        systems: the outputs by name of the system.
        references: the references by name; an empty line means that the segment has no such reference.
        source: the source texts, None if no file has them.
        documents: the name of each segment's document, None if no file names documents.
        keys: the key that identifies each segment in the files, None if no file has keys.
        scores: scores of other programs: by name of the score, then by system, one per segment.
        edited: the names of the references that are post-edited outputs.
        files: the interpretation of each file.
        notes: sentences for the user that say what was done and what is missing.
        cleaned: the names of the kinds of markup that were removed from the texts."""

    systems: Mapping[str, ColumnTexts]
    references: Mapping[str, ColumnTexts]
    source: ColumnTexts | None
    documents: tuple[str, ...] | None
    keys: tuple[str, ...] | None
    scores: Mapping[str, Mapping[str, Scores]]
    edited: frozenset[str]
    files: tuple[RecognisedFile, ...]
    notes: tuple[str, ...]
    cleaned: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter([*self.systems.values(), *self.references.values()])).lines)

    def references_of(self, segment: int) -> list[tuple[str, str]]:
        """Return the name and text of each reference that a segment has; `segment` counts from 0.

        If all of them are empty, the first one is returned, because a segment needs a reference."""
        each = [(name, texts.lines[segment]) for name, texts in self.references.items()]
        return [(name, line) for name, line in each if line.strip()] or each[:1]


class _SortedSheet(NamedTuple):
    """A sheet (the columns of one file) with those of its columns that are used, sorted by their roles.

    Attributes:
        sheet: the sheet.
        texts: the columns of outputs, references and sources, with their roles.
        scores: the columns of scores, with their roles.
        keys: the key of each row, None without a column of keys.
        documents: the document of each row, None without a column of documents."""

    sheet: FileSheet
    texts: list[tuple[ColumnRole, SheetColumn]]
    scores: list[tuple[ColumnRole, SheetColumn]]
    keys: Sequence[str] | None
    documents: Sequence[str] | None


def read(
    files: Sequence[File], roles: Mapping[str, str] = {}, keep_tags: bool = False, edited: bool = False
) -> Material:
    """Read files and join their texts, segment by segment, into one record.

    Args:
        files: the files, of any supported formats.
        roles: corrections of what columns hold: a role for the name of a column or `FILE:COLUMN`, or for the name of a
            file of lines. Roles are `source`, `reference:A`, `post-edited`, `system:B`, `document`, `key`,
            `score:COMET:B` and `nothing`.
        keep_tags: whether inline tags of markup are kept as words.
        edited: whether all references are post-edited outputs.

    Raises BadData, with file, line and reason, if the files cannot be read or do not fit together, and ValueError for
    an invalid role.

    >>> found = read([File("a.txt", b"one\\ntwo\\n"), File("ref.txt", b"One\\nTwo\\n")])
    >>> found.systems["a"].lines, found.references["ref"].lines, found.systems["a"].where(1)
    (('one', 'two'), ('One', 'Two'), 'a.txt, line 2')
    """
    given = {name: ColumnRole.of_text(role) for name, role in roles.items()}
    recognised_files: list[RecognisedFile] = []
    parts: list[_SortedSheet] = []
    sheets: list[FileSheet] = []
    for file in _with_layout_roles(files):
        sheets.append(read_sheet(file, keep_tags))
        part, recognition = _sort_sheet(sheets[-1], given)
        parts.append(part)
        recognised_files.append(recognition)
    sheets += [part.sheet for part in parts]
    unknown = next((name for name in given if not any(_is_name_of(sheet, name) for sheet in sheets)), None)
    if unknown is not None:
        raise BadData(f"no file has the column {printable(unknown)}, which was given as {given[unknown].describe()}")
    return _join_sheets(parts, recognised_files, edited)


def recognise_files(files: Sequence[File], roles: Mapping[str, str] = {}) -> list[RecognisedFile]:
    """Return how each file is interpreted, whether or not the files fit together.

    Files that cannot be read are left out. `roles` maps names of columns or files to corrected roles, such as
    `reference:A`; invalid roles are ignored.

    >>> [each.sentence for each in recognise_files([File("a.txt", b"one\\n"), File("b.csv", b"")])]
    ['a.txt: one segment per line, 1 line, system a']
    """
    given: dict[str, ColumnRole] = {}
    for name, role in roles.items():
        with suppress(BadData, ValueError):
            given[name] = ColumnRole.of_text(role)
    out = []
    for file in _with_layout_roles(files):
        with suppress(BadData, ValueError):
            out.append(_sort_sheet(read_sheet(file), given)[1])
    return out


def _with_layout_roles(files: Sequence[File]) -> Sequence[File]:
    """Return the files with the roles that their folders give them, if they are in the layout of mt-metrics-eval.

    The files are returned unchanged if one has a role already, or if they are in another layout."""
    return files if any(file.role for file in files) else mt_metrics_eval_files(files) or files


# ---------------------------------------------------------------- one file


def _is_name_of(sheet: FileSheet, name: str) -> bool:
    """Return whether `name` is the name of one of the sheet's columns.

    For a file with one segment per line, the name of the file is meant too."""
    plain = sheet.plain and name == sheet.file.name
    return plain or any(name in (column.name, f"{sheet.file.name}:{column.name}") for column in sheet.columns)


def _sort_sheet(sheet: FileSheet, given: Mapping[str, ColumnRole]) -> tuple[_SortedSheet, RecognisedFile]:
    """Sort the columns of a file by their roles; return them, and how the file was interpreted. Raises BadData.

    `given` maps names of columns to roles that the user corrected."""
    file, sheet = sheet.file, table_by_segment(sheet, given) or sheet
    roles = _with_names(sheet, _column_roles(sheet, given))
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
    return _SortedSheet(sheet, texts, scores, keys, documents), RecognisedFile(
        file.name, _describe_sheet(sheet, pairs), pairs, guessed
    )


def _column_roles(sheet: FileSheet, given: Mapping[str, ColumnRole]) -> list[ColumnRole]:
    """Return the role of each column: as the user corrected it, else by its format or its name, else by its cells.

    `given` maps names of columns to corrected roles. Raises BadData if no column has a known name."""
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
        column.role or role_of_column_name(column.name) or role
        for column, role in zip(sheet.columns, corrected, strict=True)
    ]
    if not any(known_roles) and not file.column:
        names = join_names([column.name for column in sheet.columns])
        raise BadData(
            f"{file_label(file.name)}: none of the columns {names} has a known name, such as source, reference or "
            "hypothesis; the first row must be a header"
        )
    roles = roles_of(sheet.columns)
    for role, column in zip(roles, sheet.columns, strict=True):
        if role == ColumnRole("system") and role not in corrected:
            _refuse_system_names(sheet, column)
    if len(texts := [at for at, role in enumerate(roles) if role.kind in ("system", "reference")]) == 1:
        (at,) = texts
        if is_text_column_name(sheet.columns[at].name):  # the column "text" says nothing, so the file name decides
            roles[at] = role_of_file(file)
    roles = _with_doc_id_as_key(
        sheet, [role or default_role for role, default_role in zip(corrected, roles, strict=True)]
    )
    return _roles_of_asked_kind(sheet, roles) if file.role else roles


def _refuse_system_names(sheet: FileSheet, column: SheetColumn) -> None:
    """Raise BadData if a column holds names of systems instead of outputs.

    Such a table has a row for each system and segment, but no column in which the outputs could be recognised."""
    distinct_count = len({*column.cells})
    if column.name.lower() in ("system", "sys") and distinct_count < len(sheet) and distinct_count <= len(sheet) / 2:
        raise BadData(
            f"{file_label(sheet.file.name)}: the column {printable(column.name)} names the system of each row, such as "
            f"{printable((column.cells[0] or '')[:60])}; a table must have one row for each segment, or the outputs in "
            "a column such as text"
        )


def _with_names(sheet: FileSheet, roles: Sequence[ColumnRole]) -> list[ColumnRole]:
    """Return the roles with the names of systems, references and scores filled in.

    A system gets the name that was given with the file, else the name of its column if the table also has references,
    else the name of its file."""
    file = sheet.file
    has_references = not sheet.plain and any(role.kind == "reference" for role in roles)
    out = []
    for role, column in zip(roles, sheet.columns, strict=True):
        name = role.name or file.label
        of_file = role_of_file(file).name or bare_file_name(file)
        if role.kind == "system":
            name = name or (column.name if has_references else of_file)
        elif role.kind == "reference":
            name = name or column.name or of_file
        edited = role.edited or (role.kind == "reference" and says_post_edited(file))
        name, of = (printable(each.strip()[:100]) for each in (name, role.of))
        out.append(ColumnRole(role.kind, name if role.kind in ("system", "reference", "score") else "", of, edited))
    return out


def _with_doc_id_as_key(sheet: FileSheet, roles: list[ColumnRole]) -> list[ColumnRole]:
    """Return the roles with the JSON column `doc_id` as the key of segments, unless another column is the key.

    If most documents have several segments, `doc_id` cannot be a key and keeps its role "document"."""
    if not sheet.objects or any(role.kind == "key" for role in roles):
        return roles
    out = []
    for role, column in zip(roles, sheet.columns, strict=True):
        are_distinct = len({*column.cells}) > len(sheet) / 2
        out.append(ColumnRole("key") if role.kind == "document" and column.name == "doc_id" and are_distinct else role)
    return out


def _roles_of_asked_kind(sheet: FileSheet, roles: list[ColumnRole]) -> list[ColumnRole]:
    """Return the roles of the columns of a file from which the user wants one kind of text only, such as references.

    Columns of that kind keep their role: all of them for references and scores, exactly one for other kinds. Keys,
    documents and sources are kept too, and the rest gets the role "nothing". Raises BadData if no column or several
    fit."""
    file = sheet.file
    names = [column.name for column in sheet.columns]
    kind = file.role or ""
    if file.column:
        picked = [at for at, name in enumerate(names) if name == file.column] or [
            at for at, name in enumerate(names) if name.lower() == file.column.lower()
        ]
        if not picked and sheet.by_language:
            picked = [names.index(name) for name in matching_language_codes(file.column, names)]
        if len(picked) != 1:
            column_names = join_names(names, 12)
            raise BadData(
                f"{file_label(file.name)} has no column {printable(file.column)}; its columns are {column_names}"
            )
    else:
        picked = [at for at, role in enumerate(roles) if role.kind == kind]
        texts = [at for at, role in enumerate(roles) if role.kind in ("system", "reference")]
        picked = picked or (texts if len(texts) == 1 else [])
        if len(picked) != 1 and not (picked and kind in ("reference", "score")):
            raise BadData(
                f"{file_label(file.name)} has the columns {join_names(names, 12)}; say which is meant, such as "
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
    """Return a sentence that says how a file was interpreted; `pairs` has the name and role of each column."""
    size = count_with_noun(len(sheet), "line" if sheet.plain else "segment")
    start = f"{file_label(sheet.file.name)}: {sheet.what}, {size}"
    if sheet.plain:
        return f"{start}, {pairs[0][1].describe()}"
    used, unused = [], []
    lists = Counter(_list_name(name) for name, role in pairs if role.kind == "reference")
    for name, role in pairs:
        role_text = role.describe()
        if (path := _list_name(name)) and lists[path] > 1 and role.kind == "reference":
            if name == f"{path}.1":
                used.append(f"{path[:60]} (up to {lists[path]} references a segment)")
        elif role.kind == "nothing":
            unused.append(name)
        else:
            used.append(role_text if name.lower() in (role_text.lower(), "") else f"{name[:60]} ({role_text})")
    out = f"{start}; {join_names(used, 40, 200) if used else 'nothing of it is used'}"
    return f"{out}; left out: {join_names(unused)}" if unused else out


def _list_name(name: str) -> str:
    """Return the name of the JSON list that a column was read from: `refs` for `refs.2`; "" if there is none."""
    path, _, place = name.rpartition(".")
    return path if place.isdecimal() else ""


# ---------------------------------------------------------------- several


def _join_sheets(parts: Sequence[_SortedSheet], recognised: Sequence[RecognisedFile], edited: bool) -> Material:
    """Join the sheets of all files into one record, segment by segment. Raises BadData if they do not fit together.

    `recognised` has the interpretation of each file. With `edited`, all references count as post-edited outputs."""
    if not any(role.kind != "source" for part in parts for role, _ in part.texts):
        raise BadData("the files hold no texts of systems or references")
    part_notes = [f"{file_label(part.sheet.file.name)}: {note}" for part in parts for note in part.sheet.notes]
    notes = list(dict.fromkeys(part_notes))  # a file with several texts repeats its notes
    keyed = _unique_keys(parts, notes)
    first = [k for k, part in enumerate(parts) if part.texts]
    with_keys = [k for k in first if keyed[k] is not None]
    base = next((k for k in with_keys if any(role.kind == "reference" for role, _ in parts[k].texts)), None)
    base = base if base is not None else with_keys[0] if with_keys else _first_of_usual_length(parts, first)
    size = len(parts[base].sheet)
    places = [_rows_by_segment(part, keyed[k], parts[base], keyed[base], size) for k, part in enumerate(parts)]
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
                systems[role.name] = _column_texts(part, column, rows, f"the output of {role.name}")
            elif role.kind == "reference":
                name = _unused_name(role.name, references)
                references[name] = _column_texts(part, column, rows)
                if role.edited or edited:
                    of_edited.add(name)
            elif source is None:
                source = _column_texts(part, column, rows)
        if documents is None and part.documents is not None:
            documents = tuple(["" if row is None else part.documents[row] for row in rows])
    scores = _scores_by_name(parts, places, [*systems], notes)
    if of_edited:
        what = "is a post-edited output" if len(of_edited) == 1 else "are post-edited outputs"
        edited_reference = "it" if len(of_edited) == 1 else "its own reference"
        only = f" against {edited_reference} alone" if len(references) > 1 else ""
        names = join_names(sorted(of_edited))
        notes.append(f"{names} {what}: TER{only} is the HTER of the system whose output was edited")
    notes += _missing_reference_notes(references)
    base_keys = keyed[base]
    keys = None if base_keys is None else tuple(base_keys)
    return Material(
        systems, references, source, documents, keys, scores, frozenset(of_edited), tuple(recognised), tuple(notes)
    )


def _first_of_usual_length(parts: Sequence[_SortedSheet], candidates: Sequence[int]) -> int:
    """Return the first index in `candidates` of a sheet with the most frequent number of segments.

    Other files are compared with that sheet, so an error about different lengths blames a file with an unusual
    length."""
    sizes = Counter([len(parts[k].sheet) for k in candidates])
    return max(candidates, key=lambda k: sizes[len(parts[k].sheet)])


def _unused_name(name: str, used_names: Mapping[str, object]) -> str:
    """Return `name`, or if it is in use already `name` with the first free number from 2 appended."""
    number, free_name = 2, name
    while free_name in used_names:
        free_name, number = f"{name} {number}", number + 1
    return free_name


def _unique_keys(parts: Sequence[_SortedSheet], notes: list[str]) -> list[Sequence[str] | None]:
    """Return the keys of each sheet's rows, made distinct; None for a sheet without keys.

    If keys repeat and all sheets with keys have documents, each key gets the name of its document as a prefix. If a key
    still occurs twice, BadData is raised where several files have keys; a single file's keys are not used then, and a
    note about that is added to `notes`."""
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
                what = f"{part.sheet.where(row)}: the key {printable(key[:100])} is already in {first}"
                if len(having) > 1:
                    raise BadData(what)
                notes.append(f"{what}, and keys are not used")
                keys[at] = None
                break
            row_of_key[key] = row
    return keys


def _rows_by_segment(
    part: _SortedSheet, keys: Sequence[str] | None, base: _SortedSheet, base_keys: Sequence[str] | None, size: int
) -> Sequence[int | None]:
    """Return for each segment the index of its row in a sheet, None where the sheet lacks the segment.

    The segments are the rows of the sheet `base`, of which there are `size`. `keys` and `base_keys` are the keys of the
    two sheets' rows; if one of them is None, rows are matched by their order. Raises BadData if the sheet has segments
    that the base lacks, or lacks an output."""
    sheet = part.sheet
    if keys is None or base_keys is None:
        if len(sheet) != size:
            lines = sheet.plain and base.sheet.plain
            count = count_with_noun(len(sheet), "line" if lines else "segment")
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
            f"{file_label(sheet.file.name)}: none of its keys is in {file_label(base.sheet.file.name)}: "
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


def _column_texts(
    part: _SortedSheet, column: SheetColumn, rows: Sequence[int | None], required: str = ""
) -> ColumnTexts:
    """Return the texts of a column by segment, "" where there is none; `rows` has the row of each segment.

    `required`, if not empty, says in words what the column holds and that each row must have a cell, though maybe an
    empty one. Raises BadData if one is missing."""
    sheet = part.sheet if column.lines is None else replace(part.sheet, lines=column.lines)
    lines = []
    for row in rows:
        cell = None if row is None else column.cells[row]
        if cell is None and required and row is not None:
            raise BadData(f"{sheet.where(row)}: {required} is missing")
        lines.append("" if cell is None or cell == NOTHING else cell)
    numbers = sheet.lines if isinstance(rows, range) else [sheet.lines[row or 0] for row in rows]
    return ColumnTexts(tuple(lines), sheet.file.name, numbers, sheet.unit)


def _scores_by_name(
    parts: Sequence[_SortedSheet], places: Sequence[Sequence[int | None]], systems: Sequence[str], notes: list[str]
) -> dict[str, dict[str, Scores]]:
    """Return the scores of other programs, by name of the score and then by system; one number or None per segment.

    `places` has for each sheet the row of each segment, and `systems` all names of systems. Adds a note to `notes` for
    each column that is left out because its system is unknown. Raises BadData for a cell that is not a number."""
    out: dict[str, dict[str, Scores]] = {}
    for part, rows in zip(parts, places, strict=True):
        part_systems = [role.name for role, _ in part.texts if role.kind == "system"] or systems
        for role, column in part.scores:
            score_key = (role.name, role.of) if role.of else split_score_column_name(column.name, systems)
            # A name that is not known as a score may be a system that was not given, so it is not assigned.
            if (
                score_key is None
                and len(part_systems) == 1
                and (role_of_column_name(column.name) or role.name != column.name)
            ):
                score_key = (role.name or column.name, part_systems[0])
            if score_key is None or score_key[1] not in systems:
                whose = "because the column's name contains no system"
                if score_key:
                    whose = f"of {printable(score_key[1])}, which is not a system here"
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
            out[name][system] = tuple([None if row is None else _score_value(part.sheet, row, column) for row in rows])
    return {name: each for name, each in out.items() if each}


def _score_value(sheet: FileSheet, row: int, column: SheetColumn) -> float | None:
    """Return the number in a cell; None if the cell is empty or has a word for nothing, such as "None" or "n/a".

    Raises BadData if it is not a number."""
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


def _missing_reference_notes(references: Mapping[str, ColumnTexts]) -> list[str]:
    """Return notes for the user about segments without any reference, and about references that some segments lack."""
    out = []
    columns = [texts.lines for texts in references.values()]
    empty = [at for at, each in enumerate(zip(*columns, strict=True)) if not any(line.strip() for line in each)]
    if empty:
        first = next(iter(references.values()))
        more = f" and {len(empty) - 1} more" if empty[1:] else ""
        out.append(f"{first.where(empty[0])}{more}: all references are empty there")
    incomplete = [
        f"{file_label(texts.file)}: {present:,} of {len(texts.lines):,} segments have the reference {name}"
        for name, texts in references.items()
        if len(references) > 1 and (present := sum(bool(line.strip()) for line in texts.lines)) < len(texts.lines)
    ]
    if len(incomplete) > MISSING_MOST:
        numbers = [sum(bool(line.strip()) for line in each) for each in zip(*columns, strict=True)]
        incomplete = [f"a segment has {min(numbers)} to {max(numbers)} of the {len(references)} references"]
    return out + incomplete
