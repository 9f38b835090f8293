"""Read tables of MQM as WMT publishes them: one error per row, tagged with `<v>…</v>` in the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, file_label
from ..formats.material import Material
from ..formats.sheets import FileSheet, join_names
from .judged_corpus import RatingScale
from .parts import (
    JUDGE,
    SEGMENT,
    SYSTEM,
    ErrorMark,
    FileJudgements,
    OutputRating,
    Side,
    cell_string,
    find_column,
    judged_text_of,
    row_segments,
)
from .text_places import index_texts, move_span, row_segments_by_text

_TARGET, _SOURCE = ("target", "tgt", "output", "translation", "mt"), ("source", "src")
_CATEGORY, _SEVERITY = ("category", "error_category", "type"), ("severity",)
_TAG = re.compile(r"</?v>")
#: The penalty of an error by its severity (Freitag et al., 2021). They have no critical errors; here one counts as much
#: as a segment that is not a translation.
WEIGHTS: Mapping[str, float] = {"critical": 25.0, "major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0}
PUNCTUATION, NO_TRANSLATION = 0.1, 25.0
_WEIGHTS_TEXT = "major 5, minor 1, minor punctuation 0.1, non-translation 25"


class _UntaggedText(NamedTuple):
    """A text without its `<v>` tags.

    Attributes:
        text: the text.
        spans: the half-open ranges of the letters that were between tags."""

    text: str
    spans: tuple[tuple[int, int], ...]


def is_tagged_mqm_table(sheet: FileSheet) -> bool:
    """Return whether a table has errors tagged in texts, as WMT's MQM has.

    It must have columns of systems, outputs and severities, and either tags in its texts or a column of categories."""
    target, source = find_column(sheet, _TARGET), find_column(sheet, _SOURCE)
    if target is None or find_column(sheet, _SEVERITY) is None or find_column(sheet, SYSTEM) is None:
        return False
    texts = [each for text_column in (target, source) if text_column for each in text_column.cells]
    return any(each and "<v>" in each for each in texts) or find_column(sheet, _CATEGORY) is not None


def split_tags(text: str) -> _UntaggedText:
    """Return a text without its `<v>` tags, and the tagged ranges; a tag that is never closed extends to the end.

    >>> split_tags("a <v>bc</v> d <v>e")
    _UntaggedText(text='a bc d e', spans=((2, 4), (7, 8)))
    """
    out, spans, opened, last, length = [], [], None, 0, 0
    for tag in _TAG.finditer(text):
        out.append(text[last : tag.start()])
        length += tag.start() - last
        last = tag.end()
        if tag[0] == "<v>":
            opened = length if opened is None else opened
        elif opened is not None:
            spans.append((opened, length))
            opened = None
    out.append(text[last:])
    whole = "".join(out)
    if opened is not None:
        spans.append((opened, len(whole)))
    return _UntaggedText(whole, tuple(spans))


def error_weight(category: str, severity: str) -> float | None:
    """Return how much an error counts in MQM, by its category and severity; None for an unknown severity.

    >>> cases = ("Fluency/Punctuation", "Minor"), ("Non-translation!", "Major"), ("Style", "huge")
    >>> tuple([error_weight(*case) for case in cases])
    (0.1, 25.0, None)
    """
    level, kind = severity.lower(), category.lower()
    if kind.startswith("non-translation") and level == "major":
        return NO_TRANSLATION
    if kind.startswith("fluency/punctuation") and level == "minor":
        return PUNCTUATION
    return WEIGHTS.get(level.replace("no error", "no-error"))


def tagged_mqm_judgements(sheet: FileSheet, material: Material) -> FileJudgements:
    """Return the ratings and marked errors of a table of MQM with tagged errors. Raises BadData, with the line.

    A rating is minus the sum of the weights of the errors that one judge found in one output. `material` has the judged
    texts."""
    segment, system, target = find_column(sheet, SEGMENT), find_column(sheet, SYSTEM), find_column(sheet, _TARGET)
    source, severity, judge = find_column(sheet, _SOURCE), find_column(sheet, _SEVERITY), find_column(sheet, JUDGE)
    category = find_column(sheet, _CATEGORY)
    if segment is None or system is None or target is None or severity is None:
        names = join_names([each.name for each in sheet.columns], 12)
        raise BadData(
            f"{file_label(sheet.file.name)} has no column of segments, such as seg_id; its columns are {names}"
        )
    texts = [(split_tags(cell_string(target, row)), split_tags(cell_string(source, row))) for row in range(len(sheet))]
    rows = [row for row in range(len(sheet)) if not cell_string(severity, row).lower().startswith("hotw")]
    where = index_texts(material)
    segment_sets = [
        where.find_segments(cell_string(system, row), texts[row][0].text, texts[row][1].text) for row in rows
    ]
    if any(segment_sets):
        places = dict(
            zip(
                rows,
                row_segments_by_text([cell_string(segment, row) for row in rows], segment_sets, len(material)),
                strict=True,
            )
        )
        how = "segments are found by their texts"
    else:
        numbered, how = row_segments(sheet, segment, material)
        how += ", although none of its texts is among those that are given"
        places = dict(enumerate(numbered))
    sums: dict[tuple[str, int, str], float] = {}
    marks: list[ErrorMark] = []
    lost = strange = 0
    critical = False
    for row in rows:
        level, kind = cell_string(severity, row), cell_string(category, row)
        counts = error_weight(kind, level)
        if counts is None:
            raise BadData(
                f"{sheet.where(row)}: the severity must be one of {', '.join(WEIGHTS)}, got '{printable(level[:40])}'"
            )
        name, place = cell_string(system, row), places[row]
        if name not in material.systems:
            continue
        if place is None:
            lost += 1
            continue
        critical |= level.lower() == "critical"
        by = cell_string(judge, row) or "nobody named"
        sums[name, place, by] = sums.get((name, place, by), 0.0) - counts
        sides: tuple[tuple[Side, _UntaggedText], ...] = (("target", texts[row][0]), ("source", texts[row][1]))
        for side, text in sides:
            judged_text = judged_text_of(material, side, name, place)
            for start, end in text.spans:
                ends = None if judged_text is None else move_span(start, end, text.text, judged_text)
                strange += ends is None and judged_text is not None
                if ends is not None:
                    marks.append(ErrorMark(name, place, by, side, *ends, kind, level))
    notices = [
        f"MQM with tagged errors, {len(rows):,} rows; {how}; the rating mqm is minus the sum of the error weights: "
        f"{_WEIGHTS_TEXT}{', critical 25' if critical else ''}"
    ]
    if lost:
        notices.append(f"{count_with_noun(lost, 'row')} left out: the text is not among those given")
    if strange:
        notices.append(f"{count_with_noun(strange, 'mark')} left out: the text differs from the given one")
    if len(rows) < len(sheet):
        notices.append(f"{count_with_noun(len(sheet) - len(rows), 'row')} left out: tests of the judge (HOTW)")
    ratings = [OutputRating(*output, "mqm", value + 0.0) for output, value in sums.items()]
    outside = {name for row in rows if (name := cell_string(system, row)) not in material.systems}
    return FileJudgements(notices, (RatingScale("mqm", True, None, 0.0),), ratings, marks, frozenset(outside))
