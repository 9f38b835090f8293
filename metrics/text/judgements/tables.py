"""Tables with a row for each judgement of an output: its segment, system, judge, and numbers on scales."""

from __future__ import annotations

from collections.abc import Mapping

from .. import printable
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.roles import numeric, role_of
from ..formats.sheets import FileSheet, SheetColumn, listed
from .parts import JUDGE, SEGMENT, SYSTEM, JudgementPart, OutputRating, cell, column, number, plain, scale_of, segments

#: Columns of numbers that say nothing of how good an output is.
_ABOUT = {
    *("start", "end", "begin", "time", "start_time", "end_time", "duration", "seconds", "date", "timestamp", "length"),
    *("words", "tokens", "page", "batch", "task", "hit", "age", "side", "year", "version"),
}
#: Columns that are scales by their name, whose cells have to be numbers.
_SCALES = {
    *("mqm", "esa", "da", "adequacy", "fluency", "overall", "rank", "score", "rating", "quality", "accuracy", "sqm"),
    *("psqm", "likert", "raw_score", "z_score", "preference", "direct_assessment"),
}


def is_ratings(sheet: FileSheet) -> bool:
    """Whether it has a column of segments and one of systems, whose names come again and again, as outputs do not."""
    segment, system = column(sheet, SEGMENT), column(sheet, SYSTEM)
    if system is None or segment is None:
        return False
    names, is_repeated = len({*system.cells}), len({*segment.cells}) < len(sheet)
    return names <= max(1, (0.7 if is_repeated else 0.5) * len(sheet))


def ratings(sheet: FileSheet, material: Material, higher_is_better: Mapping[str, bool]) -> JudgementPart:
    """The ratings of a table. Raises BadData, with the line."""
    segment, system, judge = column(sheet, SEGMENT), column(sheet, SYSTEM), column(sheet, JUDGE)
    if segment is None or system is None:
        raise _missing(sheet, segment, system)
    document = next((each for each in sheet.columns if (role := role_of(each.name)) and role.kind == "document"), None)
    others = [each for each in sheet.columns if each not in (segment, system, judge, document)]
    scales = [each for each in others if _is_scale(each)]
    if not scales:
        names = listed([each.name for each in others]) or "none"
        raise BadData(
            f"{file_label(sheet.file.name)} has no column of numbers that is a scale; beside segments, systems and "
            f"judges its columns are {names}"
        )
    places, counts = segments(sheet, segment, material, document)
    judges = _judges(sheet, system, judge, places)
    out: list[OutputRating] = []
    rating_scales, says = [], [counts]
    for each in scales:
        values = [number(sheet, each, row) for row in range(len(sheet))]
        scale, how = scale_of(each.name.strip(), [value for value in values if value is not None], higher_is_better)
        _check_range(sheet, each, values, scale.low, scale.high)
        rating_scales.append(scale)
        says.append(how)
        out += [
            OutputRating(name, places[row], judges[row], scale.name, value)
            for row, value in enumerate(values)
            if value is not None and (name := cell(system, row)) in material.systems
        ]
    if judge is None:
        says.append("no column names the judges: they are numbered by the rows of each output")
    if rest := [each.name for each in others if each not in scales and each.name.strip()]:
        says.append(f"not used: {listed(rest)}")
    outside = {name for row in range(len(sheet)) if (name := cell(system, row)) not in material.systems}
    what = f"{len(sheet):,} judgements on {listed([each.name for each in rating_scales])}"
    return JudgementPart([f"{what}; {'; '.join(says)}"], rating_scales, out, (), frozenset(outside))


def _missing(sheet: FileSheet, segment: SheetColumn | None, system: SheetColumn | None) -> BadData:
    lacks = " and ".join(
        [what for what, sheet_column in (("segments", segment), ("systems", system)) if sheet_column is None]
    )
    names = listed([each.name for each in sheet.columns], 12)
    return BadData(
        f"{file_label(sheet.file.name)} has no column of {lacks}, such as line or system; its columns are {names}"
    )


def _is_scale(sheet_column: SheetColumn) -> bool:
    plain_name = plain(sheet_column.name)
    if plain_name in _SCALES:
        return True
    role = role_of(sheet_column.name)
    is_context = role is not None and role.kind in ("document", "key", "nothing", "source", "reference", "system")
    return bool(plain_name) and not is_context and plain_name not in _ABOUT and numeric(sheet_column)


def _judges(sheet: FileSheet, system: SheetColumn, judge: SheetColumn | None, places: list[int]) -> list[str]:
    """The judge of each row; without names the first row of an output is by judge 1, the next by judge 2."""
    if judge is not None:
        return [cell(judge, row) or "nobody named" for row in range(len(sheet))]
    rating_counts: dict[tuple[str, int], int] = {}
    out = []
    for row, place in enumerate(places):
        output = cell(system, row), place
        rating_counts[output] = rating_counts.get(output, 0) + 1
        out.append(f"judge {rating_counts[output]}")
    return out


def _check_range(
    sheet: FileSheet, sheet_column: SheetColumn, values: list[float | None], low: float | None, high: float | None
) -> None:
    """BadData for an ESA score that is none, where most are from 0 to 100."""
    if plain(sheet_column.name) != "esa" or high is not None:
        return
    wrong = next((row for row, value in enumerate(values) if value is not None and not 0 <= value <= 100), None)
    if wrong is not None and sum(value is not None and 0 <= value <= 100 for value in values) * 2 > len(values):
        raise BadData(
            f"{sheet.where(wrong)}: {printable(sheet_column.name)} goes from 0 to 100, got {cell(sheet_column, wrong)}"
        )
