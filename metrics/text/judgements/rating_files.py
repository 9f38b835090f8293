"""Read ratings in the format of mt-metrics-eval: per line the errors of one output, the segments of a system in order.

A line has a system, a tab, and a JSON object with the `errors` of the output, or None if nobody rated it. A second tab
and the name of the rater may follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, decode_lines
from ..formats.material import Material
from ..formats.objects import parse_json
from ..formats.sheets import File, FileSheet
from .judged_corpus import RatingScale
from .parts import ErrorMark, FileJudgements, OutputRating, Side, judged_text_of
from .scores import scale_name, segments_by_system_order, split_scale_and_rater

_RATED = re.compile(r"(?m)^[^\t\n]+\t[ ]*\{\s*\"errors\"\s*:")
#: Scores of errors must be smaller, so that their sum is finite.
_FAR = 1e300


def is_rating_file(file: File, text: str) -> bool:
    """Return whether a file has ratings in the format of mt-metrics-eval, by the ending of its name or by its lines."""
    return file.ending == "rating" or (file.ending in ("", "txt", "tsv") and _RATED.search(text) is not None)


def rating_file_judgements(file: File, data: bytes, material: Material) -> FileJudgements:
    """Return the marked errors of a file in the format of mt-metrics-eval, and ratings computed from them.

    Ranges of errors are half-open and count letters from 0. If every error has a score, each output gets a rating:
    minus the sum of the scores, 0 if a rater found no error. These ratings count only if no other file has ratings.
    `data` are the bytes of the file, and `material` has the judged texts. Raises BadData, with the line."""
    lines = decode_lines(file.name, data)
    fields = [line.strip().split("\t") for line in lines]
    sheet = FileSheet(file, "ratings", (), range(1, len(lines) + 1))
    wrong = next((row for row, each in enumerate(fields) if len(each) not in (2, 3)), None)
    if wrong is not None:
        raise BadData(f"{sheet.where(wrong)} must have a system, a rating and a rater, separated by tabs")
    systems = [each[0] for each in fields]
    places = segments_by_system_order(sheet, systems, material, "rating")
    default_name = scale_name(file)
    marks: list[ErrorMark] = []
    sums: dict[tuple[str, int, str], float] = {}
    placeless = unscored = errors = 0
    for row, (each, segment) in enumerate(zip(fields, places, strict=True)):
        system, rating_text = each[0], each[1].strip()
        if system not in material.systems or rating_text == "None":
            continue
        name = each[2].strip() if each[2:] else default_name
        judge = split_scale_and_rater(name)[1] or name
        output = system, segment, judge
        sums.setdefault(output, 0.0)
        for error in _error_list(sheet, row, parse_json(file, rating_text, f", line {row + 1}")):
            errors += 1
            score = error.get("score")
            if score is None:
                unscored += 1
            elif isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) < _FAR:
                raise BadData(f"{sheet.where(row)}: a score must be a number, got {printable(repr(score)[:40])}")
            else:
                sums[output] -= abs(score)
            side: Side = "source" if error.get("is_source_error") is True else "target"
            ends = _error_range(sheet, row, error, judged_text_of(material, side, system, segment))
            if ends is None:
                placeless += 1
            else:
                kind, level = (str(error.get(what) or "") for what in ("category", "severity"))
                marks.append(ErrorMark(system, segment, judge, side, *ends, kind, level))
    notices = [
        f"ratings of {count_with_noun(len({*systems}), 'system')} as in mt-metrics-eval, "
        f"{count_with_noun(len(marks), 'marked error')}; letters count from 0, and the end is the letter after the "
        "mark"
    ]
    if placeless:
        notices.append(f"{count_with_noun(placeless, 'error')} without a place in the text left out")
    outside = frozenset({*systems} - {*material.systems})
    if unscored or not errors:
        return FileJudgements(notices, (), (), marks, outside)
    ratings = [OutputRating(*output, "mqm", value + 0.0) for output, value in sums.items()]
    says = "the rating mqm is minus the sum of the scores of the errors"
    return FileJudgements(notices, (RatingScale("mqm", True, None, 0.0),), ratings, marks, outside, says)


def _error_list(sheet: FileSheet, row: int, rating: Any) -> list[Mapping[str, Any]]:
    """Return the list of errors in one rating, a JSON value. Raises BadData, naming the row, if it has none."""
    errors = rating.get("errors") if isinstance(rating, dict) else None
    if not isinstance(errors, list) or not all(isinstance(each, dict) for each in errors):
        raise BadData(f"{sheet.where(row)}: a rating must be None or an object with a list of errors")
    return errors


def _error_range(sheet: FileSheet, row: int, error: Mapping[str, Any], text: str | None) -> tuple[int, int] | None:
    """Return the half-open range of letters that an error marks; None if it has no position.

    `text` is the marked text, None if unknown. Raises BadData, naming the row, if the range is outside that text."""
    start, end = error.get("start"), error.get("end")
    if start is None or end is None:
        return None
    if any(isinstance(at, bool) or not isinstance(at, int) or abs(at) >= 10**9 for at in (start, end)):
        raise BadData(f"{sheet.where(row)}: an error must have start and end, whole numbers")
    if start < 0 or end < 0:
        return None
    if end < start or (text is not None and end > len(text)):
        of = "" if text is None else f" of {count_with_noun(len(text), 'letter')}"
        raise BadData(f"{sheet.where(row)}: a mark from {start} to {end} does not fit in a text{of}")
    return start, end
