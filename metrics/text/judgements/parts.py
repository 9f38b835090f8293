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
from ..formats.sheets import Column, Sheet
from .judged import Scale

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


class Rating(NamedTuple):
    """What a judge gave an output on a scale; `segment` is from 0."""

    system: str
    segment: int
    judge: str
    scale: str
    value: float


class Mark(NamedTuple):
    """An error that a judge marked, as `Span` has it, but by names."""

    system: str
    segment: int
    judge: str
    side: Side
    start: int
    end: int
    category: str
    severity: str


class Part(NamedTuple):
    """What a file holds: the scales by their names, the ratings and the marks; `notices` are sentences that do not name
    the file yet. `outside` are the systems that it judges and that are not given. Where `spare` says something, of the
    ratings, they count only where no other file has ratings."""

    notices: Sequence[str]
    scales: Sequence[Scale] = ()
    ratings: Sequence[Rating] = ()
    marks: Sequence[Mark] = ()
    outside: frozenset[str] = frozenset()
    spare: str = ""


def plain(name: str) -> str:
    """A column's name as it is compared: `Seg ID` is `seg_id`."""
    return re.sub(r"[\s_.-]+", "_", unicodedata.normalize("NFKC", name).strip().lower())


def column(sheet: Sheet, names: Sequence[str]) -> Column | None:
    """The column that is called by the first of the names that one has, None where none is."""
    by_name = {plain(each.name): each for each in reversed(sheet.columns)}
    return next((by_name[name] for name in names if name in by_name), None)


def cell(found: Column | None, row: int) -> str:
    """What a cell says, without white space around it; "" where it says nothing or there is no such column."""
    return ((found.cells[row] if found else "") or "").strip()


def number(sheet: Sheet, found: Column, row: int) -> float | None:
    """The number in a cell, None where it has none. BadData where it holds something else, or an infinite number."""
    said = cell(found, row)
    if said.lower() in _NOTHING:
        return None
    try:
        value = float(said) if len(said) < 100 and "_" not in said else math.inf
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise BadData(
            f"{sheet.where(row)}: {printable(found.name[:60])} must be a number, or empty, got '{printable(said[:40])}'"
        )
    return value


def whole(sheet: Sheet, found: Column, row: int) -> int:
    """The whole number, from 0, in a cell. Raises BadData."""
    said = cell(found, row)
    if not re.fullmatch(r"[0-9]{1,9}(?:\.0{1,9})?", said, re.ASCII):
        raise BadData(
            f"{sheet.where(row)}: {printable(found.name[:60])} must be a whole number, got '{printable(said[:40])}'"
        )
    return int(said.partition(".")[0])


def text_of(material: Material, side: Side, system: str, segment: int) -> str | None:
    """The output, or the source, as it was given; None where it is not there."""
    texts = material.source if side == "source" else material.systems.get(system)
    return texts.lines[segment] if texts and 0 <= segment < len(texts.lines) else None


# ---------------------------------------------------------------- segments

#: How many rows speak for numbers that begin with some number.
Speaks: TypeAlias = Callable[[int], int]


def segments(
    sheet: Sheet, found: Column, material: Material, documents: Column | None = None, speaks: Speaks | None = None
) -> tuple[list[int], str]:
    """The segment, from 0, of each row, and a sentence that says how the file counts them.

    They are keys of the texts, or numbers from 1 or from 0 in all texts or in each document: what fits them all. Where
    both fit, `speaks` decides, and 1 where it does not. BadData, with the line, for a segment that is not there.
    """
    if material.keys is not None:
        places = {key: place for place, key in enumerate(material.keys)}
        if len(places) == len(material.keys) and any(cell(found, row) in places for row in range(len(sheet))):
            by_key = [places.get(cell(found, row), -1) for row in range(len(sheet))]
            lost = next((row for row, place in enumerate(by_key) if place < 0), None)
            if lost is None:
                return by_key, f"{_called(found)} is the key of a segment"
            if not cell(found, lost).isdecimal():
                raise BadData(f"{sheet.where(lost)}: no segment has the key '{printable(cell(found, lost)[:60])}'")
    given = [whole(sheet, found, row) for row in range(len(sheet))]
    said = [cell(documents, row) for row in range(len(sheet))] if documents else []
    own = material.documents if said and set(said) & {*(material.documents or ())} else None
    least, most = min(given), max(given)
    fitting = [
        first
        for first in (1, 0)
        if first <= least
        and most - first < len(material)
        and (own is None or all(own[n - first] == name for n, name in zip(given, said, strict=True)))
    ]
    if not fitting and own is not None and (inside := _in_documents(given, said, own)):
        return inside
    if not fitting:
        wrong = next((row for row, n in enumerate(given) if n > len(material)), None)
        if wrong is None:
            wrong = given.index(most) if most == len(material) else 0
            why = "fits neither numbers from 1 nor numbers from 0" if own is None else "is of another document"
        else:
            why = f"is none of the {len(material):,} segments"
        raise BadData(f"{sheet.where(wrong)}: {_called(found)} {given[wrong]} {why}")
    first, how = fitting[0], f"{_called(found)} counts from {fitting[0]}"
    if len(fitting) == 2:
        votes = {each: speaks(each) for each in fitting} if speaks else {}
        first = max(fitting, key=lambda each: votes.get(each, 0))  # the first, 1, where they speak alike
        sure = votes.get(first, 0) > votes.get(1 - first, 0)
        how = f"{_called(found)} counts from {first}, as {'the texts show' if sure else 'nothing speaks against it'}"
    return [n - first for n in given], how


def _in_documents(given: Sequence[int], said: Sequence[str], own: Sequence[str]) -> tuple[list[int], str] | None:
    """The segments where numbers begin anew in each document, None where they do not fit so."""
    starts: dict[str, int] = {}
    sizes: dict[str, int] = {}
    for place, name in enumerate(own):
        if name in starts and own[place - 1] != name:
            return None  # a document in two pieces
        starts.setdefault(name, place)
        sizes[name] = sizes.get(name, 0) + 1
    for first in (1, 0):
        if all(name in starts and 0 <= n - first < sizes[name] for n, name in zip(given, said, strict=True)):
            how = f"segments count from {first} in each document"
            return [starts[name] + n - first for n, name in zip(given, said, strict=True)], how
    return None


def _called(found: Column) -> str:
    return printable(found.name[:60])


# ---------------------------------------------------------------- scales

_RANK = re.compile(r"(?:^|_)(?:rank|ranks|ranking|place)(?:_|$)")
_ERRORS = re.compile(r"(?:^|_)(?:errors?|error_count|penalty|penalties|edits|hter|ter)(?:_|$)")
_OF_100 = re.compile(r"(?:^|_)(?:esa|da|da_sqm|direct_assessment)(?:_|$)")


def scale_of(name: str, values: Sequence[float], told: Mapping[str, bool] = {}) -> tuple[Scale, str]:
    """The scale of these values, and a sentence that says which way it goes and how that is known.

    Lower is better of ranks and of counts of errors, by the name; of MQM where its numbers are penalties above 0.
    ESA and direct assessment go from 0 to 100 where all values do. `told` says of a scale, by its name, whether higher
    is better.

    >>> scale_of("MQM", [-5.0, 0.0])[1]
    'higher is better of MQM, whose penalties are below 0'
    >>> scale_of("esa", [0.0, 77.0])[0]
    Scale(name='esa', higher_is_better=True, low=0.0, high=100.0)
    """
    own, shown = plain(name), printable(name[:60])
    least, most = (min(values), max(values)) if values else (0.0, 0.0)
    bounds: tuple[float | None, float | None] = (None, None)
    if re.search(r"(?:^|_)mqm(?:_|$)", own) and least * most >= 0 and (least < 0 or most > 0):
        higher = least < 0
        bounds = (None, 0.0) if higher else (0.0, None)
        side = "below" if higher else "above"
        how = f"{'higher' if higher else 'lower'} is better of {shown}, whose penalties are {side} 0"
    elif _RANK.search(own):
        higher, how = False, f"lower is better of {shown}, a rank"
    elif _ERRORS.search(own):
        higher, how = False, f"lower is better of {shown}, which counts what is wrong"
    else:
        if _OF_100.search(own) and least >= 0 and most <= 100:
            bounds = (0.0, 100.0)
        higher, how = True, f"higher is better of {shown}" + (", from 0 to 100" if bounds[1] else "")
    stated = told.get(name, told.get(own))
    if stated is not None:
        higher, how = stated, f"{'higher' if stated else 'lower'} is better of {shown}, as it was said"
    return Scale(name, higher, *bounds), how
