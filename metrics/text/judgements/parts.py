"""The judgements that one file holds, and functions that read segments, numbers and scales from its tables."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from .. import printable
from ..files import BadData
from ..formats.material import Material
from ..formats.sheets import FileSheet, SheetColumn
from .judged_corpus import RatingScale

Side: TypeAlias = Literal["target", "source"]

#: Cells that mean that nobody rated.
_NOTHING = {"", "none", "nan", "null", "na", "n/a", "-"}
#: Names of columns of segments, systems and judges, in the order in which they are preferred.
SEGMENT = (
    *("globalsegid", "global_seg_id", "line", "line_id", "line_number", "line_no", "segment", "segment_id", "seg_id"),
    *("segid", "seg", "segment_number", "sentence_id", "sent_id", "sid"),
    *("key", "item_id", "item", "index", "idx", "id"),
)
SYSTEM = ("system", "sys", "system_id", "system_name", "sysname", "mt_system", "model", "engine")
JUDGE = (
    *("rater", "judge", "annotator", "rater_id", "judge_id", "annotator_id", "evaluator", "assessor", "worker"),
    *("worker_id", "user_id", "user", "login"),
)


class OutputRating(NamedTuple):
    """A judge's rating of one output on a scale; `segment` is the index of the segment."""

    system: str
    segment: int
    judge: str
    scale: str
    value: float


class ErrorMark(NamedTuple):
    """An error that a judge marked in an output or a source text.

    It is like `ErrorSpan`, but has the names of system and judge, because their indices are known only once all files
    are read. `segment` is an index; `start` and `end` are the half-open range of the marked letters."""

    system: str
    segment: int
    judge: str
    side: Side
    start: int
    end: int
    category: str
    severity: str


class FileJudgements(NamedTuple):
    """The judgements of one file, before those of all files are joined.

    Attributes:
        notices: sentences for the user about what was read, without the name of the file.
        scales: the scales of the ratings.
        ratings: the ratings of outputs.
        marks: the marked errors.
        outside: the systems that the file judges but of which no output is given.
        spare: if not empty, the ratings were computed from marked errors and count only if no other file has ratings;
            this notice then says so."""

    notices: Sequence[str]
    scales: Sequence[RatingScale] = ()
    ratings: Sequence[OutputRating] = ()
    marks: Sequence[ErrorMark] = ()
    unknown_systems: frozenset[str] = frozenset()
    fallback_notice: str = ""


def normal_column_name(name: str) -> str:
    """Return the name of a column in the form in which column names are compared: `seg_id` for `Seg ID`."""
    return re.sub(r"[\s_.-]+", "_", unicodedata.normalize("NFKC", name).strip().lower())


def find_column(sheet: FileSheet, names: Sequence[str]) -> SheetColumn | None:
    """Return the sheet's column for the first of `names` that it has, None if it has none of them.

    The names must be in the form of `normal_column_name`: lower case, with underscores."""
    by_name = {normal_column_name(each.name): each for each in reversed(sheet.columns)}
    return next((by_name[name] for name in names if name in by_name), None)


def cell_string(sheet_column: SheetColumn | None, row: int) -> str:
    """Return the text of the column's cell in a row, stripped; "" if the cell is empty or the column is None."""
    return ((sheet_column.cells[row] if sheet_column else "") or "").strip()


def cell_number(sheet: FileSheet, sheet_column: SheetColumn, row: int) -> float | None:
    """Return the number in the column's cell in a row; None if the cell is empty or has a word such as "n/a".

    Raises BadData if it is not a finite number."""
    cell_text = cell_string(sheet_column, row)
    if cell_text.lower() in _NOTHING:
        return None
    try:
        value = float(cell_text) if len(cell_text) < 100 and "_" not in cell_text else math.inf
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise BadData(
            f"{sheet.where(row)}: {_column_label(sheet_column)} must be a number, or empty, "
            f"got '{printable(cell_text[:40])}'"
        )
    return value


def cell_whole_number(sheet: FileSheet, sheet_column: SheetColumn, row: int) -> int:
    """Return the non-negative whole number in the column's cell in a row. Raises BadData if it holds something else."""
    cell_text = cell_string(sheet_column, row)
    if not re.fullmatch(r"[0-9]{1,9}(?:\.0{1,9})?", cell_text, re.ASCII):
        raise BadData(
            f"{sheet.where(row)}: {_column_label(sheet_column)} must be a whole number, "
            f"got '{printable(cell_text[:40])}'"
        )
    return int(cell_text.partition(".")[0])


def judged_text_of(material: Material, side: Side, system: str, segment: int) -> str | None:
    """Return the text that was judged in a segment: the output of `system`, or the source if `side` is "source".

    None means that the text is not given."""
    texts = material.source if side == "source" else material.systems.get(system)
    return texts.lines[segment] if texts and 0 <= segment < len(texts.lines) else None


# ---------------------------------------------------------------- segments

#: A function that returns how many rows support a numbering that starts with the given number.
CountSupport: TypeAlias = Callable[[int], int]


def row_segments(
    sheet: FileSheet,
    sheet_column: SheetColumn,
    material: Material,
    documents: SheetColumn | None = None,
    count_support: CountSupport | None = None,
) -> tuple[list[int], str]:
    """Return the index of the segment that each row is about, and a sentence that says how the file numbers segments.

    The cells of `sheet_column` are keys of the texts, or numbers from 1 or from 0, in the whole corpus or in each
    document (named in the column `documents`): whatever fits all rows. If both 1 and 0 fit, the one for which
    `count_support` returns more wins, and 1 in a tie. Raises BadData, with the line, for a segment that does not
    exist."""
    if material.keys is not None:
        places = {key: place for place, key in enumerate(material.keys)}
        if len(places) == len(material.keys) and any(
            cell_string(sheet_column, row) in places for row in range(len(sheet))
        ):
            by_key = [places.get(cell_string(sheet_column, row), -1) for row in range(len(sheet))]
            lost = next((row for row, place in enumerate(by_key) if place < 0), None)
            if lost is None:
                return by_key, f"{_column_label(sheet_column)} is the key of a segment"
            if not cell_string(sheet_column, lost).isdecimal():
                raise BadData(
                    f"{sheet.where(lost)}: no segment has the key '{printable(cell_string(sheet_column, lost)[:60])}'"
                )
    given = [cell_whole_number(sheet, sheet_column, row) for row in range(len(sheet))]
    row_documents = [cell_string(documents, row) for row in range(len(sheet))] if documents else []
    text_documents = (
        material.documents if row_documents and set(row_documents) & {*(material.documents or ())} else None
    )
    least, most = min(given), max(given)
    fitting = [
        first
        for first in (1, 0)
        if first <= least
        and most - first < len(material)
        and (
            text_documents is None
            or all(text_documents[n - first] == name for n, name in zip(given, row_documents, strict=True))
        )
    ]
    if (
        not fitting
        and text_documents is not None
        and (inside := _segments_by_document(given, row_documents, text_documents))
    ):
        return inside
    if not fitting:
        wrong = next((row for row, n in enumerate(given) if n > len(material)), None)
        if wrong is None:
            wrong = given.index(most) if most == len(material) else 0
            why = (
                "fits neither numbers from 1 nor numbers from 0" if text_documents is None else "is of another document"
            )
        else:
            why = f"is none of the {len(material):,} segments"
        raise BadData(f"{sheet.where(wrong)}: {_column_label(sheet_column)} {given[wrong]} {why}")
    first, how = fitting[0], f"{_column_label(sheet_column)} counts from {fitting[0]}"
    if len(fitting) == 2:
        votes = {each: count_support(each) for each in fitting} if count_support else {}
        first = max(fitting, key=lambda each: votes.get(each, 0))  # the first, 1, in a tie
        sure = votes.get(first, 0) > votes.get(1 - first, 0)
        reason = "the texts show" if sure else "nothing contradicts it"
        how = f"{_column_label(sheet_column)} counts from {first}, as {reason}"
    return [n - first for n in given], how


def _segments_by_document(
    given: Sequence[int], row_documents: Sequence[str], text_documents: Sequence[str]
) -> tuple[list[int], str] | None:
    """Return the segment of each row, if the numbers of segments restart in each document, and a sentence about that.

    `given` has the number in each row, `row_documents` the document of each row, and `text_documents` that of each
    segment of the texts. None means that the numbers do not fit."""
    starts: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for place, name in enumerate(text_documents):
        if name in starts and text_documents[place - 1] != name:
            return None  # the document is not contiguous
        starts.setdefault(name, place)
        sizes[name] = sizes.get(name, 0) + 1
    for first in (1, 0):
        if all(name in starts and 0 <= n - first < sizes[name] for n, name in zip(given, row_documents, strict=True)):
            how = f"segments count from {first} in each document"
            return [starts[name] + n - first for n, name in zip(given, row_documents, strict=True)], how
    return None


def _column_label(sheet_column: SheetColumn) -> str:
    """Return the name of a column as messages write it, cut to 60 letters."""
    return printable(sheet_column.name[:60])


# ---------------------------------------------------------------- scales

_RANK = re.compile(r"(?:^|_)(?:rank|ranks|ranking|place)(?:_|$)")
_ERRORS = re.compile(r"(?:^|_)(?:errors?|error_count|penalty|penalties|edits|hter|ter)(?:_|$)")
_OF_100 = re.compile(r"(?:^|_)(?:esa|da|da_sqm|direct_assessment)(?:_|$)")


def infer_scale(
    name: str, values: Sequence[float], higher_is_better: Mapping[str, bool] = {}
) -> tuple[RatingScale, str]:
    """Return the scale of a column of ratings, and a sentence that says which direction is better and why.

    `name` is the name of the column and `values` its ratings. The name decides: lower is better for ranks and counts of
    errors. For MQM the values decide: lower is better if the penalties are above 0. ESA and direct assessment have the
    bounds 0 and 100 if all values are within them. `higher_is_better` maps names of scales to a direction that the user
    stated, which overrides all this.

    >>> infer_scale("MQM", [-5.0, 0.0])[1]
    'higher is better for MQM, whose penalties are below 0'
    >>> infer_scale("esa", [0.0, 77.0])[0]
    RatingScale(name='esa', higher_is_better=True, low=0.0, high=100.0)
    """
    plain_name, printed_name = normal_column_name(name), printable(name[:60])
    least, most = (min(values), max(values)) if values else (0.0, 0.0)
    bounds: tuple[float | None, float | None] = (None, None)
    if re.search(r"(?:^|_)mqm(?:_|$)", plain_name) and least * most >= 0 and (least < 0 or most > 0):
        higher = least < 0
        bounds = (None, 0.0) if higher else (0.0, None)
        side = "below" if higher else "above"
        how = f"{'higher' if higher else 'lower'} is better for {printed_name}, whose penalties are {side} 0"
    elif _RANK.search(plain_name):
        higher, how = False, f"lower is better for {printed_name}, a rank"
    elif _ERRORS.search(plain_name):
        higher, how = False, f"lower is better for {printed_name}, which counts errors"
    else:
        if _OF_100.search(plain_name) and least >= 0 and most <= 100:
            bounds = (0.0, 100.0)
        higher, how = True, f"higher is better for {printed_name}" + (", from 0 to 100" if bounds[1] else "")
    stated = higher_is_better.get(name, higher_is_better.get(plain_name))
    if stated is not None:
        higher, how = stated, f"{'higher' if stated else 'lower'} is better for {printed_name}, as specified"
    return RatingScale(name, higher, *bounds), how
