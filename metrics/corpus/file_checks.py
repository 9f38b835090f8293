"""What looks wrong about files that were read, and what repairs would do to a score, found by one call that another
process can make: what it gives holds no texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..text import TextSettings, printable
from ..text.files import BadData
from ..text.formats import File, Material, read, recognised
from ..text.formats.material import ColumnTexts
from ..text.processing import words
from ..types import Settings
from . import hints
from .file_warnings import ComparedColumn, Doubt, Files, FileWarningKind, doubts, files_of, of_slips
from .hints import Hint
from .repairs import offers, repaired
from .shifted_lines import FARTHEST, ReferenceMatcher, Repair, repair, slips
from .texts import corpus


class Offered(NamedTuple):
    """A repair of a system's file: what it `does`, as it stands behind "with", and the corpus score of a metric as the
    file stands and with the repair, None where it cannot be scored as it stands or a segment is too hard."""

    repair: Repair
    file: str
    does: str
    scores: tuple[float, float] | None = None


#: The repairs of systems by their names.
Repairs = Mapping[str, Offered]


def repair_sentences(repairs: Repairs) -> list[str]:
    """That systems are repaired, a sentence each."""
    return [f"{printable(name)} is repaired: it is scored with {each.does}." for name, each in repairs.items()]


class FilesCheck(NamedTuple):
    """What looks wrong, what would put systems right, and hints on the texts."""

    doubts: tuple[Doubt, ...]
    offered: Repairs
    hints: tuple[Hint, ...] = ()


def checked(material: Material, text: TextSettings, metric: str, settings: Settings, repairs: Repairs) -> FilesCheck:
    """What looks wrong about the texts, in which `repairs` were made already: outputs that those left empty are not
    said to be empty."""
    from ..catalogue import METRICS

    if not material.systems or not material.references:
        return FilesCheck((), {})
    texts = corpus(material, text)
    files = files_of(material, texts, text)
    file_warnings, chosen_metric = doubts(files), METRICS[metric]
    offered = {
        each.system: Offered(each.repair, each.column.file, each.does, each.scores)
        for each in offers(files.systems, texts, file_warnings.repairs, chosen_metric, settings)
    }
    text_hints = hints.find_hints([*files.systems.values()], files.references, text, chosen_metric, settings)
    return FilesCheck(
        tuple([each for doubt in file_warnings.warnings for each in _unsaid(doubt, files, repairs)]),
        offered,
        tuple(text_hints),
    )


def _unsaid(doubt: Doubt, files: Files, repairs: Repairs) -> Sequence[Doubt]:
    """The doubt without the outputs that a repair left empty, none where nothing is left of it."""
    if doubt.kind != FileWarningKind.EMPTY or doubt.system is None or doubt.system not in repairs:
        return [doubt]
    left_empty = {*repairs[doubt.system].repair.empty}
    lines = [line for line in doubt.lines if line not in left_empty]
    if not lines or len(lines) == len(doubt.lines):
        return [doubt] if lines else []
    return [files.systems[doubt.system].doubt(doubt.kind, lines, doubt.says, doubt.system)]


def put_right(material: Material, repairs: Repairs) -> Material:
    """The texts with these systems repaired: lines that were put in are out, and where one was lost the output is
    empty. A file may have another number of lines than there are segments if it is repaired."""
    systems = {
        name: _right(texts, repairs[name].repair) if name in repairs else texts
        for name, texts in material.systems.items()
    }
    return replace(material, systems=systems) if repairs else material


def _right(texts: ColumnTexts, of: Repair) -> ColumnTexts:
    last = len(texts.lines) - 1
    places = [min(n, last) if place is None else place for n, place in enumerate(of.places)]
    return replace(texts, lines=tuple(of.apply(texts.lines, "")), numbers=[texts.numbers[place] for place in places])


def uneven(files: Sequence[File], roles: Mapping[str, str], text: TextSettings) -> tuple[Material, FilesCheck] | None:
    """What the files hold where those of systems have some lines more or fewer than the references, with a repair of
    each; None where that is not what is wrong, a file does not show where lines are lost or too many, or all systems
    have the same number of lines. The systems are as they stand, so that all repairs have to be made (`put_right`)
    before there is anything to score."""
    materials = [_read_alone(file, roles) for file in files]
    sizes = {len(each) for each in materials if each and each.references}
    if len(sizes) != 1:
        return None
    (size,) = sizes
    off = [n for n, each in enumerate(materials) if each and not each.references and len(each) != size]
    of_systems = [len(each) for each in materials if each and each.systems]
    if len(of_systems) > 1 and {*of_systems}.isdisjoint(sizes) and len({*of_systems}) == 1:
        return None  # the references may be what has lines too few or too many
    rest = [file for n, file in enumerate(files) if n not in off]
    try:
        base = read(rest, {role: kind for role, kind in roles.items() if any(_is_role_of(role, file) for file in rest)})
    except (BadData, ValueError):
        return None
    sets = corpus(replace(base, systems={}), text).references
    matcher = ReferenceMatcher([[words for words in each if words] or [()] for each in sets])
    warnings: list[Doubt] = []
    offered: dict[str, Offered] = {}
    for each in [materials[n] for n in off]:
        for name, texts in each.systems.items() if each else ():
            column = ComparedColumn(
                texts.file, texts.lines, [words(line, text) for line in texts.lines], texts.unit, texts.numbers
            )
            column_slips = slips(column.words, matcher)
            of = repair(len(texts.lines), column_slips, size)
            if (
                not column_slips
                or len(of.taken_lines) + len(of.empty) > 2 * FARTHEST
                or name in base.systems
                or name in offered
            ):
                return None
            offered[name] = Offered(of, texts.file, repaired(of, column))
            warnings += of_slips(column, column_slips, "the references", name)
    if not offered:
        return None
    system_texts = {name: texts for each in materials if each for name, texts in each.systems.items()}
    systems = {**system_texts, **base.systems}
    whole = replace(base, systems=systems, files=tuple(recognised(files, roles)))
    return whole, FilesCheck(tuple(warnings), offered)


def _read_alone(file: File, roles: Mapping[str, str]) -> Material | None:
    """What one file holds, None where it holds no systems or references."""
    try:
        return read([file], {role: kind for role, kind in roles.items() if _is_role_of(role, file)})
    except (BadData, ValueError):
        return None


def _is_role_of(role: str, file: File) -> bool:
    return role == file.name or role.startswith(f"{file.name}:")
