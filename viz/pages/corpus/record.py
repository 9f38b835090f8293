"""Define the state of the Corpus page: what the visitor looks at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, ClassVar, NamedTuple

import metrics

from ...state.codec import FieldKind, OneOf, OnOff, Packed, Whole, session_field, url_field
from ...state.pages import LANGUAGE, PageState
from .marks import read

#: The orders of the segments, each with its description.
SORTS = {
    "worth": "what the segment gives",
    "delta": "B's score less A's",
    "a": "A's score",
    "b": "B's score",
    "length": "the words of the reference",
    "number": "the place in the files",
    "apart": "how far the metric and the one beside it disagree: the distance of the segment's places by the Δ of each",
}
#: The most optional columns, and the form of their names.
COLUMNS_MOST = 12
_COLUMN = re.compile(r"length|document|tag|(?:a|b|delta)\.\w{1,80}")
#: The ways to show the selected segment.
SEEN = {"difference": "Difference", "edits": "Edits", "a": "A", "b": "B"}
#: The views: the table of segments, or drawings that open some of them.
VIEWS = {"segments": "Segments", "charts": "Charts", "patterns": "Patterns", "all": "All systems"}
SYSTEMS_MOST = 64
MARKS_MOST = 200_000  # most characters of all tags and notes together
SEGMENTS_MOST = 10_000_000
#: Most letters of a filter as text; it may be too long for a link.
WHERE_MOST = 1_000_000
PARTS_MOST, LABEL_MOST = 20, 200


class FilterPart(NamedTuple):
    """A part of a filter, as an expression (`metrics.corpus.filter`) or as a list of segments.

    Attributes:
        label: what the part selects, in words; "" for an expression that the visitor typed.
        expression: the expression, "" for a list of segments.
        segments: the indices of the listed segments.
        words: the words for which the segments were listed; they are highlighted.
        letters: the part of a word for which they were listed, with a space for the end of a word; it is
            highlighted."""

    label: str
    expression: str = ""
    segments: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    letters: str = ""

    @property
    def is_user_typed(self) -> bool:
        """Whether the visitor typed the expression."""
        return not self.label


def write_parts(parts: Sequence[FilterPart]) -> str:
    """Return the parts of a filter as one text, "" for none.

    Each part selects from the segments left by those before it.

    >>> write_parts([FilterPart("", "gtm < 0.3"), FilterPart("two of them", "", (3, 7))])
    '[["","gtm < 0.3"],["two of them",[3,4]]]'
    >>> parts(write_parts([FilterPart("two of them", "", (3, 7))]))
    (FilterPart(label='two of them', expression='', segments=(3, 7), words=(), letters=''),)
    """
    out = [
        [part.label, part.expression or _steps(sorted({*part.segments})), *filter(None, [part.words or part.letters])]
        for part in parts
    ]
    return json.dumps(out, separators=(",", ":"), ensure_ascii=False) if out else ""


def _steps(numbers: Sequence[int]) -> list[int]:
    """Return the differences between neighbours in ascending numbers, beginning from 0."""
    return [after - before for before, after in pairwise([0, *numbers])]


@lru_cache(maxsize=16)
def parts(where: str) -> tuple[FilterPart, ...]:
    """Return the parts of a filter from its text. Raises ValueError if it is not a filter."""
    return tuple(_parts(where)) if where else ()


def _parts(where: str) -> Iterator[FilterPart]:
    """Yield the parts of a filter from its text. Raises ValueError if it is not a filter."""
    try:
        entries = json.loads(where)
    except (ValueError, RecursionError):  # Python raises ValueError also for numbers with thousands of digits
        raise ValueError("this is no filter") from None
    if not isinstance(entries, list) or len(entries) > PARTS_MOST:
        raise ValueError("this is no filter")
    for each in entries:
        match each:
            case [str(label), str(expression)] if expression and len(label) <= LABEL_MOST:
                yield FilterPart(label, expression)
            case [str(label), list(steps)] if label and len(label) <= LABEL_MOST:
                yield FilterPart(label, "", _segments(steps))
            case [str(label), list(steps), list(words)] if label and len(label) <= LABEL_MOST and _are_words(words):
                yield FilterPart(label, "", _segments(steps), tuple(words))
            case [str(label), list(steps), str(letters)] if (
                label and len(label) <= LABEL_MOST and _are_words([letters])
            ):
                yield FilterPart(label, "", _segments(steps), letters=letters)
            case _:
                raise ValueError("this is no filter")


def _segments(steps: list[Any]) -> tuple[int, ...]:
    """Return the segments from the differences between neighbours. Raises ValueError if these are invalid."""
    if not all(type(step) is int and 0 <= step < SEGMENTS_MOST for step in steps):
        raise ValueError("this is no filter")
    return tuple(accumulate(steps))


def _are_words(words: list[object]) -> bool:
    """Return whether `words` are at most eight strings of allowed length."""
    return len(words) <= 8 and all(isinstance(word, str) and len(word) <= LABEL_MOST for word in words)


class FilterKind(Packed):
    """A link field for the parts of a filter."""

    def value(self, name: str, text: str) -> str:
        filter_text = super().value(name, text)
        parts(filter_text)
        return filter_text


class SegmentMarksKind(FieldKind):
    """A link field for the tags and notes of segments, in the format of `marks.write_marks`."""

    def value(self, name: str, text: str) -> str:
        if len(text) > MARKS_MOST or (text and not read(text)):
            raise ValueError("marks must be tags and notes by the numbers of segments, as a workspace file holds them")
        return text


class SegmentColumnsKind(FieldKind):
    """A link field for names of columns, separated by commas."""

    def value(self, name: str, text: str) -> str:
        names = columns_of(text)
        if len(names) > COLUMNS_MOST or not all(_COLUMN.fullmatch(each) for each in names):
            raise ValueError(f"{name} must be names of columns such as length,delta.bleu, got {text[:80]!r}")
        return ",".join(names)


def columns_of(text: str) -> tuple[str, ...]:
    """Return the distinct names of columns in a text, in their order."""
    return tuple(dict.fromkeys([each for each in text.split(",") if each]))


class Sort(FieldKind):
    """A link field for the order of the segments: one of SORTS, or a column."""

    def value(self, name: str, text: str) -> str:
        if text not in SORTS and not _COLUMN.fullmatch(text):
            raise ValueError(
                f"{name} must be one of {', '.join(SORTS)} or a column such as delta.bleu, got {text[:80]!r}"
            )
        return text


@dataclass(frozen=True, kw_only=True)
class CorpusState(PageState):
    """The state of the Corpus page.

    The corpus itself stays in the server's memory and is in no link.

    Attributes:
        a, b: the indices of the two systems that are compared.
        sort, up: the order of the segments, one of SORTS or a column, and whether it is reversed.
        where: the parts of the filter, as `write_parts` writes them.
        segment: the selected segment, from 0; None for the first in the order.
        view: the view, one of VIEWS.
        columns: the optional columns of the table.
        against: the metric that the selected one is compared with in the charts, "" for another scored one.
        seen: how the selected segment is shown, one of SEEN.
        marks: the tags and notes of segments, as `marks.write_marks` writes them."""

    page: ClassVar[str] = "corpus"
    field_labels: ClassVar[Mapping[str, str]] = {
        **{name: label for name, label in PageState.field_labels.items() if name != "references"},
        "a": "the first system",
        "b": "the second system",
        "sort": "the order of the segments",
        "up": "that the order is turned round",
        "where": "the filter",
        "segment": "the chosen segment",
        "view": "the view",
        "columns": "the columns of the table",
        "against": "the metric that the chosen one is held against",
        "seen": "how the chosen segment is looked at",
        "marks": "tags and notes",
    }
    always: ClassVar[tuple[str, ...]] = ("metric",)
    long: ClassVar[str] = "The filter, tags and notes"
    unlinked_content: ClassVar[str] = (
        "The texts are in no link. The workspace file holds those of the corpus; who opens it has them scored again."
    )

    references: str = session_field("", "corpus_references")  # not in links: references come from files
    language: str = url_field("english", LANGUAGE, key="corpus_language", of="texts")
    a: int = url_field(0, Whole(0, SYSTEMS_MOST - 1), "first", "corpus_a")
    b: int = url_field(1, Whole(0, SYSTEMS_MOST - 1), "second", "corpus_b")
    sort: str = url_field("worth", Sort(), key="corpus_sort", of="look")
    up: bool = url_field(False, OnOff(), key="corpus_up", of="look")
    where: str = url_field("", FilterKind(WHERE_MOST), key="corpus_where", of="texts")
    segment: int | None = url_field(None, Whole(0, SEGMENTS_MOST), key="corpus_segment", of="look")
    view: str = url_field("segments", OneOf(VIEWS), key="corpus_view", widget=True)
    columns: str = url_field("", SegmentColumnsKind(), key="corpus_columns", of="look")
    against: str = url_field("", OneOf(("", *metrics.METRICS)), key="corpus_against", of="look")
    seen: str = url_field("difference", OneOf(SEEN), key="corpus_seen", of="look")
    marks: str = url_field("", SegmentMarksKind(), key="corpus_marks", of="texts")
