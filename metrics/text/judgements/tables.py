"""Read tables with one judgement per row: the segment and system of the output, the judge, and numbers on scales."""

from __future__ import annotations

from collections.abc import Mapping

from .. import printable
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.roles import is_numeric_column, role_of_column_name
from ..formats.sheets import FileSheet, SheetColumn, join_names
from .parts import (
    JUDGE,
    SEGMENT,
    SYSTEM,
    FileJudgements,
    OutputRating,
    cell_number,
    cell_string,
    find_column,
    infer_scale,
    normal_column_name,
    row_segments,
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


def is_rating_table(sheet: FileSheet) -> bool:
    """Return whether a table holds ratings: it has a column of segments and a column of system names.

    A column of system names repeats a few names, which tells it from a column of outputs."""
    segment, system = find_column(sheet, SEGMENT), find_column(sheet, SYSTEM)
    if system is None or segment is None:
        return False
    names, is_repeated = len({*system.cells}), len({*segment.cells}) < len(sheet)
    return names <= max(1, (0.7 if is_repeated else 0.5) * len(sheet))


def rating_table_judgements(
    sheet: FileSheet, material: Material, higher_is_better: Mapping[str, bool]
) -> FileJudgements:
    """Return the ratings in a table with one judgement per row. Raises BadData, with the line.

    `material` has the judged texts. `higher_is_better` says for scales, by name, which direction is better."""
    segment, system, judge = find_column(sheet, SEGMENT), find_column(sheet, SYSTEM), find_column(sheet, JUDGE)
    if segment is None or system is None:
        raise _missing_column_error(sheet, segment, system)
    document = next(
        (each for each in sheet.columns if (role := role_of_column_name(each.name)) and role.kind == "document"), None
    )
    others = [each for each in sheet.columns if each not in (segment, system, judge, document)]
    scales = [each for each in others if _is_scale_column(each)]
    if not scales:
        names = join_names([each.name for each in others]) or "none"
        raise BadData(
            f"{file_label(sheet.file.name)} has no numeric column for a scale; apart from segments, systems and "
            f"judges, its columns are {names}"
        )
    places, counts = row_segments(sheet, segment, material, document)
    judges = _judge_of_each_row(sheet, system, judge, places)
    out: list[OutputRating] = []
    rating_scales, says = [], [counts]
    for each in scales:
        values = [cell_number(sheet, each, row) for row in range(len(sheet))]
        scale, how = infer_scale(each.name.strip(), [value for value in values if value is not None], higher_is_better)
        _check_esa_range(sheet, each, values, scale.low, scale.high)
        rating_scales.append(scale)
        says.append(how)
        out += [
            OutputRating(name, places[row], judges[row], scale.name, value)
            for row, value in enumerate(values)
            if value is not None and (name := cell_string(system, row)) in material.systems
        ]
    if judge is None:
        says.append("no column names the judges: they are numbered in the order of each output's rows")
    if rest := [each.name for each in others if each not in scales and each.name.strip()]:
        says.append(f"not used: {join_names(rest)}")
    outside = {name for row in range(len(sheet)) if (name := cell_string(system, row)) not in material.systems}
    what = f"{len(sheet):,} judgements on {join_names([each.name for each in rating_scales])}"
    return FileJudgements([f"{what}; {'; '.join(says)}"], rating_scales, out, (), frozenset(outside))


def _missing_column_error(sheet: FileSheet, segment: SheetColumn | None, system: SheetColumn | None) -> BadData:
    """Return the error for a table without a column of segments or of systems; the missing ones are None."""
    lacks = " and ".join(
        [what for what, sheet_column in (("segments", segment), ("systems", system)) if sheet_column is None]
    )
    names = join_names([each.name for each in sheet.columns], 12)
    return BadData(
        f"{file_label(sheet.file.name)} has no column of {lacks}, such as line or system; its columns are {names}"
    )


def _is_scale_column(sheet_column: SheetColumn) -> bool:
    """Return whether a column holds ratings on a scale.

    It does if its name is that of a scale, such as "adequacy", or if it has numbers and its name means nothing else."""
    plain_name = normal_column_name(sheet_column.name)
    if plain_name in _SCALES:
        return True
    role = role_of_column_name(sheet_column.name)
    is_context = role is not None and role.kind in ("document", "key", "nothing", "source", "reference", "system")
    return bool(plain_name) and not is_context and plain_name not in _ABOUT and is_numeric_column(sheet_column)


def _judge_of_each_row(
    sheet: FileSheet, system: SheetColumn, judge: SheetColumn | None, places: list[int]
) -> list[str]:
    """Return the name of the judge of each row.

    `judge` is the column of judges. Without one (None), the first row of an output is by judge 1, the next row of the
    same output by judge 2; `places` has the segment of each row."""
    if judge is not None:
        return [cell_string(judge, row) or "nobody named" for row in range(len(sheet))]
    rating_counts: dict[tuple[str, int], int] = {}
    out = []
    for row, place in enumerate(places):
        output = cell_string(system, row), place
        rating_counts[output] = rating_counts.get(output, 0) + 1
        out.append(f"judge {rating_counts[output]}")
    return out


def _check_esa_range(
    sheet: FileSheet, sheet_column: SheetColumn, values: list[float | None], low: float | None, high: float | None
) -> None:
    """Raise BadData if a column called ESA has a value outside 0 to 100 although most values are within that range.

    `high` is the upper bound of the column's scale; if it is not None, all values are known to be within the range."""
    if normal_column_name(sheet_column.name) != "esa" or high is not None:
        return
    wrong = next((row for row, value in enumerate(values) if value is not None and not 0 <= value <= 100), None)
    if wrong is not None and sum(value is not None and 0 <= value <= 100 for value in values) * 2 > len(values):
        raise BadData(
            f"{sheet.where(wrong)}: {printable(sheet_column.name)} goes from 0 to 100, "
            f"got {cell_string(sheet_column, wrong)}"
        )
