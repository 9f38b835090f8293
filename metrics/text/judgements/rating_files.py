"""mt-metrics-eval's ratings: the errors of an output a line, the segments of each system in their order.

A line has a system, JSON with the output's `errors`, or None where nobody rated it, and after another tab the rater.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...formula import counted
from .. import printable
from ..files import BadData, decoded
from ..formats.material import Material
from ..formats.objects import loaded
from ..formats.sheets import File, FileSheet
from .judged_corpus import RatingScale
from .parts import ErrorMark, JudgementPart, OutputRating, Side, text_of
from .scores import in_blocks, of_rater, without_pair

_RATED = re.compile(r"(?m)^[^\t\n]+\t[ ]*\{\s*\"errors\"\s*:")
#: Scores of errors from which on their sum might be no number.
_FAR = 1e300


def is_rated(file: File, text: str) -> bool:
    """Whether it is such a file, by the end of its name or its lines."""
    return file.ending == "rating" or (file.ending in ("", "txt", "tsv") and _RATED.search(text) is not None)


def rated(file: File, data: bytes, material: Material) -> JudgementPart:
    """The marks of a file, whose ends are half-open and count from 0. Where each error has a score, the ratings too,
    which count where no other file has ratings: minus the sum of the scores, 0 where a rater found no error. Raises
    BadData, with the line."""
    lines = decoded(file.name, data)
    fields = [line.strip().split("\t") for line in lines]
    sheet = FileSheet(file, "ratings", (), range(1, len(lines) + 1))
    wrong = next((row for row, each in enumerate(fields) if len(each) not in (2, 3)), None)
    if wrong is not None:
        raise BadData(f"{sheet.where(wrong)} must have a system, a rating and a rater, with tabs between")
    systems = [each[0] for each in fields]
    places = in_blocks(sheet, systems, material, "rating")
    default_name = without_pair(file)
    marks: list[ErrorMark] = []
    sums: dict[tuple[str, int, str], float] = {}
    placeless = unscored = errors = 0
    for row, (each, segment) in enumerate(zip(fields, places, strict=True)):
        system, rating_text = each[0], each[1].strip()
        if system not in material.systems or rating_text == "None":
            continue
        name = each[2].strip() if each[2:] else default_name
        judge = of_rater(name)[1] or name
        output = system, segment, judge
        sums.setdefault(output, 0.0)
        for error in _errors(sheet, row, loaded(file, rating_text, f", line {row + 1}")):
            errors += 1
            score = error.get("score")
            if score is None:
                unscored += 1
            elif isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) < _FAR:
                raise BadData(f"{sheet.where(row)}: a score must be a number, got {printable(repr(score)[:40])}")
            else:
                sums[output] -= abs(score)
            side: Side = "source" if error.get("is_source_error") is True else "target"
            ends = _ends(sheet, row, error, text_of(material, side, system, segment))
            if ends is None:
                placeless += 1
            else:
                kind, level = (str(error.get(what) or "") for what in ("category", "severity"))
                marks.append(ErrorMark(system, segment, judge, side, *ends, kind, level))
    notices = [
        f"ratings of {counted(len({*systems}), 'system')} as mt-metrics-eval has them, "
        f"{counted(len(marks), 'marked error')}; letters count from 0, and the end is the letter behind the mark"
    ]
    if placeless:
        notices.append(f"{counted(placeless, 'error')} without a place in the text left out")
    outside = frozenset({*systems} - {*material.systems})
    if unscored or not errors:
        return JudgementPart(notices, (), (), marks, outside)
    ratings = [OutputRating(*output, "mqm", value + 0.0) for output, value in sums.items()]
    says = "a rating mqm is minus the sum of the scores that the errors have"
    return JudgementPart(notices, (RatingScale("mqm", True, None, 0.0),), ratings, marks, outside, says)


def _errors(sheet: FileSheet, row: int, rating: Any) -> list[Mapping[str, Any]]:
    """The errors of an output. BadData where it has none that can be read."""
    errors = rating.get("errors") if isinstance(rating, dict) else None
    if not isinstance(errors, list) or not all(isinstance(each, dict) for each in errors):
        raise BadData(f"{sheet.where(row)}: a rating must be None or an object with a list of errors")
    return errors


def _ends(sheet: FileSheet, row: int, error: Mapping[str, Any], text: str | None) -> tuple[int, int] | None:
    """Where an error begins and ends, None where it has no place. BadData where it does not fit in its text."""
    start, end = error.get("start"), error.get("end")
    if start is None or end is None:
        return None
    if any(isinstance(at, bool) or not isinstance(at, int) or abs(at) >= 10**9 for at in (start, end)):
        raise BadData(f"{sheet.where(row)}: an error must have start and end, whole numbers")
    if start < 0 or end < 0:
        return None
    if end < start or (text is not None and end > len(text)):
        of = "" if text is None else f" of {counted(len(text), 'letter')}"
        raise BadData(f"{sheet.where(row)}: a mark from {start} to {end} does not fit in a text{of}")
    return start, end
