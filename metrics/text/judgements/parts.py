"""What one file of judgements holds, and how its segments and numbers are read."""

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

#: What stands where nobody rated.
_NOTHING = {"", "none", "nan", "null", "na", "n/a", "-"}
#: What columns are called.
SEGMENT = (
    *("globalsegid", "global_seg_id", "line", "line_id", "line_number", "line_no", "segment", "segment_id", "seg_id"),
    *(
        "segid",
        "seg",
        "segment_number",
        "sentence_id",
        "sent_id",
        "sid",
        "key",
        "item_id",
        "item",
        "index",
        "idx",
        "id",
    ),
)
SYSTEM = ("system", "sys", "system_id", "system_name", "sysname", "mt_system", "model", "engine")
JUDGE = (
    *("rater", "judge", "annotator", "rater_id", "judge_id", "annotator_id", "evaluator", "assessor", "worker"),
    *("worker_id", "user_id", "user", "login"),
)


class OutputRating(NamedTuple):
    """What a judge gave an output on a scale; `segment` is from 0."""

    system: str
    segment: int
    judge: str
    scale: str
    value: float


class ErrorMark(NamedTuple):
    """An error that a judge marked, as `ErrorSpan` has it, but by names."""

    system: str
    segment: int
    judge: str
    side: Side
    start: int
    end: int
    category: str
    severity: str


class JudgementPart(NamedTuple):
    """What a file holds: the scales by their names, the ratings and the marks; `notices` are sentences that do not name
    the file yet. `outside` are the systems that it judges and that are not given. Where `spare` says something, of the
    ratings, they count only where no other file has ratings."""

    notices: Sequence[str]
    scales: Sequence[RatingScale] = ()
    ratings: Sequence[OutputRating] = ()
    marks: Sequence[ErrorMark] = ()
    outside: frozenset[str] = frozenset()
    spare: str = ""


def plain(name: str) -> str:
    """A column's name as it is compared: `Seg ID` is `seg_id`."""
    return re.sub(r"[\s_.-]+", "_", unicodedata.normalize("NFKC", name).strip().lower())


def column(sheet: FileSheet, names: Sequence[str]) -> SheetColumn | None:
    """The column that is called by the first of the names that one has, None where none is."""
    by_name = {plain(each.name): each for each in reversed(sheet.columns)}
    return next((by_name[name] for name in names if name in by_name), None)


def cell(sheet_column: SheetColumn | None, row: int) -> str:
    """What a cell says, without white space around it; "" where it says nothing or there is no such column."""
    return ((sheet_column.cells[row] if sheet_column else "") or "").strip()


def number(sheet: FileSheet, sheet_column: SheetColumn, row: int) -> float | None:
    """The number in a cell, None where it has none. BadData where it holds something else, or an infinite number."""
    cell_text = cell(sheet_column, row)
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


def whole(sheet: FileSheet, sheet_column: SheetColumn, row: int) -> int:
    """The whole number, from 0, in a cell. Raises BadData."""
    cell_text = cell(sheet_column, row)
    if not re.fullmatch(r"[0-9]{1,9}(?:\.0{1,9})?", cell_text, re.ASCII):
        raise BadData(
            f"{sheet.where(row)}: {_column_label(sheet_column)} must be a whole number, "
            f"got '{printable(cell_text[:40])}'"
        )
    return int(cell_text.partition(".")[0])


def text_of(material: Material, side: Side, system: str, segment: int) -> str | None:
    """The output, or the source, as it was given; None where it is not there."""
    texts = material.source if side == "source" else material.systems.get(system)
    return texts.lines[segment] if texts and 0 <= segment < len(texts.lines) else None


# ---------------------------------------------------------------- segments

#: How many rows speak for numbers that begin with some number.
Speaks: TypeAlias = Callable[[int], int]


def segments(
    sheet: FileSheet,
    sheet_column: SheetColumn,
    material: Material,
    documents: SheetColumn | None = None,
    speaks: Speaks | None = None,
) -> tuple[list[int], str]:
    """The segment, from 0, of each row, and a sentence that says how the file counts them.

    They are keys of the texts, or numbers from 1 or from 0 in all texts or in each document: what fits them all. Where
    both fit, `speaks` decides, and 1 where it does not. BadData, with the line, for a segment that is not there.
    """
    if material.keys is not None:
        places = {key: place for place, key in enumerate(material.keys)}
        if len(places) == len(material.keys) and any(cell(sheet_column, row) in places for row in range(len(sheet))):
            by_key = [places.get(cell(sheet_column, row), -1) for row in range(len(sheet))]
            lost = next((row for row, place in enumerate(by_key) if place < 0), None)
            if lost is None:
                return by_key, f"{_column_label(sheet_column)} is the key of a segment"
            if not cell(sheet_column, lost).isdecimal():
                raise BadData(
                    f"{sheet.where(lost)}: no segment has the key '{printable(cell(sheet_column, lost)[:60])}'"
                )
    given = [whole(sheet, sheet_column, row) for row in range(len(sheet))]
    row_documents = [cell(documents, row) for row in range(len(sheet))] if documents else []
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
    if not fitting and text_documents is not None and (inside := _in_documents(given, row_documents, text_documents)):
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
        votes = {each: speaks(each) for each in fitting} if speaks else {}
        first = max(fitting, key=lambda each: votes.get(each, 0))  # the first, 1, where they speak alike
        sure = votes.get(first, 0) > votes.get(1 - first, 0)
        reason = "the texts show" if sure else "nothing speaks against it"
        how = f"{_column_label(sheet_column)} counts from {first}, as {reason}"
    return [n - first for n in given], how


def _in_documents(
    given: Sequence[int], row_documents: Sequence[str], text_documents: Sequence[str]
) -> tuple[list[int], str] | None:
    """The segments where numbers begin anew in each document, None where they do not fit so."""
    starts: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for place, name in enumerate(text_documents):
        if name in starts and text_documents[place - 1] != name:
            return None  # a document in two pieces
        starts.setdefault(name, place)
        sizes[name] = sizes.get(name, 0) + 1
    for first in (1, 0):
        if all(name in starts and 0 <= n - first < sizes[name] for n, name in zip(given, row_documents, strict=True)):
            how = f"segments count from {first} in each document"
            return [starts[name] + n - first for n, name in zip(given, row_documents, strict=True)], how
    return None


def _column_label(sheet_column: SheetColumn) -> str:
    return printable(sheet_column.name[:60])


# ---------------------------------------------------------------- scales

_RANK = re.compile(r"(?:^|_)(?:rank|ranks|ranking|place)(?:_|$)")
_ERRORS = re.compile(r"(?:^|_)(?:errors?|error_count|penalty|penalties|edits|hter|ter)(?:_|$)")
_OF_100 = re.compile(r"(?:^|_)(?:esa|da|da_sqm|direct_assessment)(?:_|$)")


def scale_of(name: str, values: Sequence[float], higher_is_better: Mapping[str, bool] = {}) -> tuple[RatingScale, str]:
    """The scale of these values, and a sentence that says which way it goes and how that is known.

    Lower is better of ranks and of counts of errors, by the name; of MQM where its numbers are penalties above 0.
    ESA and direct assessment go from 0 to 100 where all values do. `higher_is_better` says of a scale, by its name,
    whether higher is better.

    >>> scale_of("MQM", [-5.0, 0.0])[1]
    'higher is better of MQM, whose penalties are below 0'
    >>> scale_of("esa", [0.0, 77.0])[0]
    RatingScale(name='esa', higher_is_better=True, low=0.0, high=100.0)
    """
    plain_name, printed_name = plain(name), printable(name[:60])
    least, most = (min(values), max(values)) if values else (0.0, 0.0)
    bounds: tuple[float | None, float | None] = (None, None)
    if re.search(r"(?:^|_)mqm(?:_|$)", plain_name) and least * most >= 0 and (least < 0 or most > 0):
        higher = least < 0
        bounds = (None, 0.0) if higher else (0.0, None)
        side = "below" if higher else "above"
        how = f"{'higher' if higher else 'lower'} is better of {printed_name}, whose penalties are {side} 0"
    elif _RANK.search(plain_name):
        higher, how = False, f"lower is better of {printed_name}, a rank"
    elif _ERRORS.search(plain_name):
        higher, how = False, f"lower is better of {printed_name}, which counts what is wrong"
    else:
        if _OF_100.search(plain_name) and least >= 0 and most <= 100:
            bounds = (0.0, 100.0)
        higher, how = True, f"higher is better of {printed_name}" + (", from 0 to 100" if bounds[1] else "")
    stated = higher_is_better.get(name, higher_is_better.get(plain_name))
    if stated is not None:
        higher, how = stated, f"{'higher' if stated else 'lower'} is better of {printed_name}, as it was said"
    return RatingScale(name, higher, *bounds), how
