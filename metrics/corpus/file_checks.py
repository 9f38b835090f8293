"""The check of a corpus's files: what looks wrong, and how repairs would change a score.

It is one function call that another process can make, because its result holds no texts.
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
    Files,
    FileWarning,
    FileWarningKind,
    compared_files,
    find_file_warnings,
    shift_warnings,
)
from .hints import Hint
from .repairs import describe_repair, offers
from .shifted_lines import FARTHEST, ReferenceMatcher, Repair, line_shifts, repair
from .texts import corpus


class PossibleRepair(NamedTuple):
    """A possible repair of a system's file.

    Attributes:
        repair: the repair.
        file: the name of the file.
        does: what it does, as a phrase that follows "with".
        scores: the corpus score as the file is and with the repair; None where the file cannot be scored as it is or a
            segment is too hard.
    """

    repair: Repair
    file: str
    does: str
    scores: tuple[float, float] | None = None


#: The repairs by the names of the systems.
Repairs = Mapping[str, PossibleRepair]


def repair_sentences(repairs: Repairs) -> list[str]:
    """Return a sentence for each repaired system."""
    return [f"{printable(name)} is repaired: it is scored with {each.does}." for name, each in repairs.items()]


class FilesCheck(NamedTuple):
    """The outcome of the check of the files: warnings, possible repairs and hints on the texts."""

    doubts: tuple[FileWarning, ...]
    offered: Repairs
    hints: tuple[Hint, ...] = ()


def check_material(
    material: Material, text: TextSettings, metric: str, settings: Settings, repairs: Repairs
) -> FilesCheck:
    """Return what looks wrong about the texts.

    `repairs` are already applied to the texts: an output that a repair left empty gets no warning. `metric` is the key
    of the metric whose scores show the effect of repairs and hints.
    """
    from ..catalogue import METRICS

    if not material.systems or not material.references:
        return FilesCheck((), {})
    texts = corpus(material, text)
    files = compared_files(material, texts, text)
    file_warnings, chosen_metric = find_file_warnings(files), METRICS[metric]
    offered = {
        each.system: PossibleRepair(each.repair, each.column.file, each.does, each.scores)
        for each in offers(files.systems, texts, file_warnings.repairs, chosen_metric, settings)
    }
    text_hints = hints.find_hints([*files.systems.values()], files.references, text, chosen_metric, settings)
    return FilesCheck(
        tuple([each for doubt in file_warnings.warnings for each in _without_left_empty(doubt, files, repairs)]),
        offered,
        tuple(text_hints),
    )


def _without_left_empty(doubt: FileWarning, files: Files, repairs: Repairs) -> Sequence[FileWarning]:
    """Return the warning without the outputs that a repair left empty, or nothing if no output is left."""
    if doubt.kind != FileWarningKind.EMPTY or doubt.system is None or doubt.system not in repairs:
        return [doubt]
    left_empty = {*repairs[doubt.system].repair.empty}
    lines = [line for line in doubt.lines if line not in left_empty]
    if not lines or len(lines) == len(doubt.lines):
        return [doubt] if lines else []
    return [files.systems[doubt.system].warning(doubt.kind, lines, doubt.says, doubt.system)]


def apply_repairs(material: Material, repairs: Repairs) -> Material:
    """Return the texts with the given systems repaired.

    Inserted lines are removed, and the output of a lost line is empty.

    A repaired file may have another number of lines than there are segments.
    """
    systems = {
        name: _repaired_texts(texts, repairs[name].repair) if name in repairs else texts
        for name, texts in material.systems.items()
    }
    return replace(material, systems=systems) if repairs else material


def _repaired_texts(texts: ColumnTexts, of: Repair) -> ColumnTexts:
    """Return a column of texts after a repair."""
    last = len(texts.lines) - 1
    places = [min(n, last) if place is None else place for n, place in enumerate(of.places)]
    return replace(texts, lines=tuple(of.apply(texts.lines, "")), numbers=[texts.numbers[place] for place in places])


def uneven_files(
    files: Sequence[File], roles: Mapping[str, str], text: TextSettings
) -> tuple[Material, FilesCheck] | None:
    """Return texts in which some systems have a few lines too many or too few, with a repair for each of them.

    The texts are not repaired yet, so `apply_repairs` must apply all repairs before scoring. Return None where that is
    not what is wrong, where a file does not show which lines are lost or inserted, or where all systems have the same
    number of lines, because then the references may be wrong."""
    materials = [_read_alone(file, roles) for file in files]
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
        base = read(rest, {role: kind for role, kind in roles.items() if any(_is_role_of(role, file) for file in rest)})
    except (BadData, ValueError):
        return None
    sets = corpus(replace(base, systems={}), text).references
    matcher = ReferenceMatcher([[words for words in each if words] or [()] for each in sets])
    warnings: list[FileWarning] = []
    offered: dict[str, PossibleRepair] = {}
    for each in [materials[n] for n in off]:
        for name, texts in each.systems.items() if each else ():
            column = ComparedColumn(
                texts.file, texts.lines, [words(line, text) for line in texts.lines], texts.unit, texts.numbers
            )
            column_slips = line_shifts(column.words, matcher)
            of = repair(len(texts.lines), column_slips, size)
            if (
                not column_slips
                or len(of.taken_lines) + len(of.empty) > 2 * FARTHEST
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


def _read_alone(file: File, roles: Mapping[str, str]) -> Material | None:
    """Return the texts of one file, or None if it holds no systems or references."""
    try:
        return read([file], {role: kind for role, kind in roles.items() if _is_role_of(role, file)})
    except (BadData, ValueError):
        return None


def _is_role_of(role: str, file: File) -> bool:
    """Return whether the name of a column's role belongs to this file."""
    return role == file.name or role.startswith(f"{file.name}:")
