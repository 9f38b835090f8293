"""The check of a corpus's files before scoring: what looks wrong in them, and how repairs would change a score.

Another process can run the check as one function call, and its result is cheap to send because it holds no texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..text import TextSettings, printable
from ..text.files import BadData
from ..text.formats import File, Material, read, recognise_files
from ..text.formats.material import ColumnTexts
from ..text.processing import words
from ..types import Settings
from . import hints
from .file_warnings import (
    ComparedColumn,
    ComparedFiles,
    FileWarning,
    FileWarningKind,
    compared_files,
    find_file_warnings,
    shift_warnings,
)
from .hints import Hint
from .repairs import describe_repair, make_repair_offers
from .shifted_lines import FARTHEST, ReferenceMatcher, Repair, find_line_shifts, make_repair
from .texts import split_corpus


class PossibleRepair(NamedTuple):
    """A repair of the shifted lines of one system's file, which is possible but not made.

    Attributes:
        repair: the lines that are moved, removed or left empty.
        file: the name of the file.
        does: what the repair does, as a phrase that follows "with".
        scores: the corpus score of the file as it is, and of the repaired file; None where the file cannot be scored as
            it is or a segment is too hard.
    """

    repair: Repair
    file: str
    does: str
    scores: tuple[float, float] | None = None


#: The repairs by the names of the systems.
Repairs = Mapping[str, PossibleRepair]


def repair_sentences(repairs: Repairs) -> list[str]:
    """Return a sentence for each system, by name, on how its file is repaired."""
    return [f"{printable(name)} is repaired: it is scored with {each.does}." for name, each in repairs.items()]


class FilesCheck(NamedTuple):
    """The outcome of the check of a corpus's files.

    Attributes:
        doubts: the warnings on the files.
        offered: the possible repairs by the name of the system.
        hints: hints on what keeps words from matching.
    """

    doubts: tuple[FileWarning, ...]
    offered: Repairs
    hints: tuple[Hint, ...] = ()


def check_material(
    material: Material, text: TextSettings, metric: str, settings: Settings, repairs: Repairs
) -> FilesCheck:
    """Check the texts of a corpus and return warnings, possible repairs and hints.

    `metric` is the key of the metric whose score shows what a repair or a hint changes. `repairs` are the repairs that
    were already applied to the texts; a line that they left empty gets no warning.
    """
    from ..catalogue import METRICS

    if not material.systems or not material.references:
        return FilesCheck((), {})
    texts = split_corpus(material, text)
    files = compared_files(material, texts, text)
    file_warnings, chosen_metric = find_file_warnings(files), METRICS[metric]
    offered = {
        each.system: PossibleRepair(each.repair, each.column.file, each.does, each.scores)
        for each in make_repair_offers(files.systems, texts, file_warnings.repairs, chosen_metric, settings)
    }
    text_hints = hints.find_hints([*files.systems.values()], files.references, text, chosen_metric, settings)
    return FilesCheck(
        tuple([each for doubt in file_warnings.warnings for each in without_lines_left_empty(doubt, files, repairs)]),
        offered,
        tuple(text_hints),
    )


def without_lines_left_empty(doubt: FileWarning, files: ComparedFiles, repairs: Repairs) -> Sequence[FileWarning]:
    """Return the warning in a list, without the lines that a repair left empty; no warning if no other lines remain.

    Only warnings on empty lines of a repaired system are changed.
    """
    if doubt.kind != FileWarningKind.EMPTY or doubt.system is None or doubt.system not in repairs:
        return [doubt]
    left_empty = {*repairs[doubt.system].repair.empty_segments}
    lines = [line for line in doubt.lines if line not in left_empty]
    if not lines or len(lines) == len(doubt.lines):
        return [doubt] if lines else []
    return [files.systems[doubt.system].warning(doubt.kind, lines, doubt.says, doubt.system)]


def apply_repairs(material: Material, repairs: Repairs) -> Material:
    """Return the texts with the files of the systems in `repairs` repaired.

    Inserted lines are removed, and a segment whose line was lost gets an empty output. So a repaired file has as many
    lines as there are segments, even if it had more or fewer before.
    """
    systems = {
        name: _repaired_texts(texts, repairs[name].repair) if name in repairs else texts
        for name, texts in material.systems.items()
    }
    return replace(material, systems=systems) if repairs else material


def _repaired_texts(texts: ColumnTexts, file_repair: Repair) -> ColumnTexts:
    """Return the texts of one file after the repair `file_repair`."""
    last = len(texts.lines) - 1
    places = [min(n, last) if place is None else place for n, place in enumerate(file_repair.places)]
    return replace(
        texts, lines=tuple(file_repair.apply(texts.lines, "")), numbers=[texts.numbers[place] for place in places]
    )


def check_uneven_files(
    files: Sequence[File], roles: Mapping[str, str], text: TextSettings
) -> tuple[Material, FilesCheck] | None:
    """Return the texts and a repair for each system whose file has a few lines too many or too few.

    The returned texts are not repaired yet, so `apply_repairs` must apply all these repairs before scoring. Return None
    if the numbers of lines are not what is wrong, if a file does not show which of its lines are lost or inserted, or
    if all systems have the same number of lines, because then the references may be wrong. `roles` says what each named
    column of the files is.
    """
    materials = [_read_single_file(file, roles) for file in files]
    sizes = {len(each) for each in materials if each and each.references}
    if len(sizes) != 1:
        return None
    (size,) = sizes
    off = [n for n, each in enumerate(materials) if each and not each.references and len(each) != size]
    of_systems = [len(each) for each in materials if each and each.systems]
    if len(of_systems) > 1 and {*of_systems}.isdisjoint(sizes) and len({*of_systems}) == 1:
        return None  # the references may be what has too few or too many lines
    rest = [file for n, file in enumerate(files) if n not in off]
    try:
        base = read(
            rest, {role: kind for role, kind in roles.items() if any(_names_column_of(role, file) for file in rest)}
        )
    except (BadData, ValueError):
        return None
    sets = split_corpus(replace(base, systems={}), text).references
    matcher = ReferenceMatcher([[words for words in each if words] or [()] for each in sets])
    warnings: list[FileWarning] = []
    offered: dict[str, PossibleRepair] = {}
    for each in [materials[n] for n in off]:
        for name, texts in each.systems.items() if each else ():
            column = ComparedColumn(
                texts.file, texts.lines, [words(line, text) for line in texts.lines], texts.unit, texts.numbers
            )
            column_slips = find_line_shifts(column.words, matcher)
            of = make_repair(len(texts.lines), column_slips, size)
            if (
                not column_slips
                or len(of.taken_lines) + len(of.empty_segments) > 2 * FARTHEST
                or name in base.systems
                or name in offered
            ):
                return None
            offered[name] = PossibleRepair(of, texts.file, describe_repair(of, column))
            warnings += shift_warnings(column, column_slips, "the references", name)
    if not offered:
        return None
    system_texts = {name: texts for each in materials if each for name, texts in each.systems.items()}
    systems = {**system_texts, **base.systems}
    whole = replace(base, systems=systems, files=tuple(recognise_files(files, roles)))
    return whole, FilesCheck(tuple(warnings), offered)


def _read_single_file(file: File, roles: Mapping[str, str]) -> Material | None:
    """Read one file without the others; return None if it holds no systems or references."""
    try:
        return read([file], {role: kind for role, kind in roles.items() if _names_column_of(role, file)})
    except (BadData, ValueError):
        return None


def _names_column_of(role: str, file: File) -> bool:
    """Return whether `role`, the name of a file or of its column (FILE or FILE:COLUMN), belongs to this file."""
    return role == file.name or role.startswith(f"{file.name}:")
