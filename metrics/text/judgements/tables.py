"""Read tables with one judgement of an output per row: its segment, system, judge, and numbers on scales."""

from __future__ import annotations

from collections.abc import Mapping

from .. import printable
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.roles import is_numeric, role_of
from ..formats.sheets import FileSheet, SheetColumn, join_names
from .parts import (
    JUDGE,
    SEGMENT,
    SYSTEM,
    JudgementPart,
    OutputRating,
    cell_number,
    cell_string,
    find_column,
    normal_column_name,
    row_segments,
    scale_of,
)

#: Names of columns whose numbers do not say how good an output is.
_ABOUT = {
    *("start", "end", "begin", "time", "start_time", "end_time", "duration", "seconds", "date", "timestamp", "length"),
    *("words", "tokens", "page", "batch", "task", "hit", "age", "side", "year", "version"),
}
#: Names of columns that are scales whatever they hold, so that their cells must be numbers.
_SCALES = {
    *("mqm", "esa", "da", "adequacy", "fluency", "overall", "rank", "score", "rating", "quality", "accuracy", "sqm"),
    *("psqm", "likert", "raw_score", "z_score", "preference", "direct_assessment"),
}


def is_ratings(sheet: FileSheet) -> bool:
    """Return whether a table has a column of segments and a column of systems.

    A column of systems repeats few names, which tells it from a column of outputs."""
    segment, system = find_column(sheet, SEGMENT), find_column(sheet, SYSTEM)
    if system is None or segment is None:
        return False
    names, is_repeated = len({*system.cells}), len({*segment.cells}) < len(sheet)
    return names <= max(1, (0.7 if is_repeated else 0.5) * len(sheet))


def rating_table_part(sheet: FileSheet, material: Material, higher_is_better: Mapping[str, bool]) -> JudgementPart:
    """Return the ratings of a table. Raises BadData, with the line."""
    segment, system, judge = find_column(sheet, SEGMENT), find_column(sheet, SYSTEM), find_column(sheet, JUDGE)
    if segment is None or system is None:
        raise _missing_column_error(sheet, segment, system)
    document = next((each for each in sheet.columns if (role := role_of(each.name)) and role.kind == "document"), None)
    others = [each for each in sheet.columns if each not in (segment, system, judge, document)]
    scales = [each for each in others if _is_scale(each)]
    if not scales:
        names = join_names([each.name for each in others]) or "none"
        raise BadData(
            f"{file_label(sheet.file.name)} has no column of numbers that is a scale; beside segments, systems and "
            f"judges its columns are {names}"
        )
    places, counts = row_segments(sheet, segment, material, document)
    judges = _row_judges(sheet, system, judge, places)
    out: list[OutputRating] = []
    rating_scales, says = [], [counts]
    for each in scales:
        values = [cell_number(sheet, each, row) for row in range(len(sheet))]
        scale, how = scale_of(each.name.strip(), [value for value in values if value is not None], higher_is_better)
        _check_range(sheet, each, values, scale.low, scale.high)
        rating_scales.append(scale)
        says.append(how)
        out += [
            OutputRating(name, places[row], judges[row], scale.name, value)
            for row, value in enumerate(values)
            if value is not None and (name := cell_string(system, row)) in material.systems
        ]
    if judge is None:
        says.append("no column names the judges: they are numbered by the rows of each output")
    if rest := [each.name for each in others if each not in scales and each.name.strip()]:
        says.append(f"not used: {join_names(rest)}")
    outside = {name for row in range(len(sheet)) if (name := cell_string(system, row)) not in material.systems}
    what = f"{len(sheet):,} judgements on {join_names([each.name for each in rating_scales])}"
    return JudgementPart([f"{what}; {'; '.join(says)}"], rating_scales, out, (), frozenset(outside))


def _missing_column_error(sheet: FileSheet, segment: SheetColumn | None, system: SheetColumn | None) -> BadData:
    """Return the error for a table without a column of segments or of systems."""
    lacks = " and ".join(
        [what for what, sheet_column in (("segments", segment), ("systems", system)) if sheet_column is None]
    )
    names = join_names([each.name for each in sheet.columns], 12)
    return BadData(
        f"{file_label(sheet.file.name)} has no column of {lacks}, such as line or system; its columns are {names}"
    )


def _is_scale(sheet_column: SheetColumn) -> bool:
    """Return whether a column is a scale: its name is a known one, or it has numbers and no other role."""
    plain_name = normal_column_name(sheet_column.name)
    if plain_name in _SCALES:
        return True
    role = role_of(sheet_column.name)
    is_context = role is not None and role.kind in ("document", "key", "nothing", "source", "reference", "system")
    return bool(plain_name) and not is_context and plain_name not in _ABOUT and is_numeric(sheet_column)


def _row_judges(sheet: FileSheet, system: SheetColumn, judge: SheetColumn | None, places: list[int]) -> list[str]:
    """Return the judge of each row.

    Without a column of judges, the first row of an output is by judge 1, the next row of the same output by judge 2."""
    if judge is not None:
        return [cell_string(judge, row) or "nobody named" for row in range(len(sheet))]
    rating_counts: dict[tuple[str, int], int] = {}
    out = []
    for row, place in enumerate(places):
        output = cell_string(system, row), place
        rating_counts[output] = rating_counts.get(output, 0) + 1
        out.append(f"judge {rating_counts[output]}")
    return out


def _check_range(
    sheet: FileSheet, sheet_column: SheetColumn, values: list[float | None], low: float | None, high: float | None
) -> None:
    """Raise BadData for an ESA score outside 0 to 100 if most scores are within that range."""
    if normal_column_name(sheet_column.name) != "esa" or high is not None:
        return
    wrong = next((row for row, value in enumerate(values) if value is not None and not 0 <= value <= 100), None)
    if wrong is not None and sum(value is not None and 0 <= value <= 100 for value in values) * 2 > len(values):
        raise BadData(
            f"{sheet.where(wrong)}: {printable(sheet_column.name)} goes from 0 to 100, "
            f"got {cell_string(sheet_column, wrong)}"
        )
