"""Define the state of the Corpus page: what the visitor looks at, and how a link holds it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, ClassVar, NamedTuple

import metrics

from ...state.links.codec import (
    FieldKind,
    OneOf,
    OnOff,
    PackedText,
    PatternText,
    SubsetOf,
    WholeNumber,
    session_field,
    url_field,
)
from ...state.links.pages import LANGUAGE, PageState
from .link_texts import read_texts
from .marks import read_marks

#: The orders of the segments, each with its description.
SORTS = {
    "worth": "what the segment gives",
    "delta": "B's score minus A's",
    "a": "A's score",
    "b": "B's score",
    "length": "the words of the reference",
    "number": "the place in the files",
    "apart": "how far the two metrics disagree: the distance between the segment's ranks by the Δ of each",
}
#: The most optional columns, and the form of their names.
COLUMNS_MOST = 12


class PlainColumn(NamedTuple):
    """An optional column that is of no metric. Its values are the facts of that name in `filter.filters.filter_facts`.

    Attributes:
        label: what stands above it.
        meaning: what its values are, for the list of the filter's names.
        other_names: what people call it elsewhere, separated by commas; the filter proposes its name for them.
        is_text: whether its values are texts; else they are numbers.
        is_fair: whether it depends on neither outputs nor scores, so that what is selected by it may be tested.
        is_whole: whether its values are whole numbers.
        needs: the texts that a corpus needs to have it, an attribute of `Material`; "" if it is always there.
        orders: the order by this column and its reverse in the words of the menu of orders; None for "By …"."""

    label: str
    meaning: str
    other_names: str
    is_text: bool = False
    is_fair: bool = False
    is_whole: bool = False
    needs: str = ""
    orders: tuple[str, str] | None = None


PLAIN = {
    "length": PlainColumn(
        "Length",
        "the number of words of the first reference",
        "words, word count, number of words, tokens, token count, size, len",
        is_fair=True,
        is_whole=True,
        orders=("Longest", "Shortest"),
    ),
    "document": PlainColumn(
        "Document", "the name of the document", "doc, document name", is_text=True, is_fair=True, needs="documents"
    ),
    "tag": PlainColumn("Tags", "a tag that you gave", "label, mark, category", is_text=True),
}
_COLUMN = re.compile(rf"{'|'.join(PLAIN)}|(?:a|b|delta)\.\w{{1,80}}")
#: The ways to show the selected segment.
SEEN = {"difference": "Difference", "edits": "Edits", "a": "A", "b": "B"}
#: The views: the table of segments, or drawings that open some of them.
VIEWS = {"segments": "Segments", "charts": "Charts", "patterns": "Patterns", "all": "All systems"}
SYSTEMS_MOST = 64
MARKS_MOST = 200_000  # most characters of all tags and notes together
SEGMENTS_MOST = 10_000_000
TEXTS_MOST = 40_000  # most bytes of the names of all texts
#: Most letters of a filter as text; it may be too long for a link.
WHERE_MOST = 1_000_000
PARTS_MOST, LABEL_MOST = 20, 200


class FilterPart(NamedTuple):
    """A part of the filter: an expression, or a list of segments.

    Attributes:
        label: what the part selects, in words; "" for an expression that the visitor typed.
        expression: the expression (`metrics.corpus.filter`), "" for a list of segments.
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
        """Whether the visitor typed the expression of this part."""
        return not self.label


def write_parts(parts: Sequence[FilterPart]) -> str:
    """Return the parts of the filter as one JSON text, "" for none; the inverse of `parts`.

    Indices of segments are written as differences, which are shorter.

    >>> write_parts([FilterPart("", "gtm < 0.3"), FilterPart("two of them", "", (3, 7))])
    '[["","gtm < 0.3"],["two of them",[3,4]]]'
    >>> parse_filter(write_parts([FilterPart("two of them", "", (3, 7))]))
    (FilterPart(label='two of them', expression='', segments=(3, 7), words=(), letters=''),)
    """
    out = [
        [
            part.label,
            part.expression or _neighbour_differences(sorted({*part.segments})),
            *filter(None, [part.words or part.letters]),
        ]
        for part in parts
    ]
    return json.dumps(out, separators=(",", ":"), ensure_ascii=False) if out else ""


def _neighbour_differences(numbers: Sequence[int]) -> list[int]:
    """Return the differences between neighbours in ascending numbers; the first is the difference from 0."""
    return [after - before for before, after in pairwise([0, *numbers])]


@lru_cache(maxsize=16)
def parse_filter(filter_text: str) -> tuple[FilterPart, ...]:
    """Return the parts of the filter from their JSON text.

    Raises ValueError if the text is not in the format of `write_parts`."""
    return tuple(_yield_parts(filter_text)) if filter_text else ()


def _yield_parts(filter_text: str) -> Iterator[FilterPart]:
    """Yield the parts of the filter from their JSON text.

    Raises ValueError if the text is not in the format of `write_parts`."""
    try:
        entries = json.loads(filter_text)
    except (ValueError, RecursionError):  # Python raises ValueError also for numbers with thousands of digits
        raise ValueError("this is no filter") from None
    if not isinstance(entries, list) or len(entries) > PARTS_MOST:
        raise ValueError("this is no filter")
    for each in entries:
        match each:
            case [str(label), str(expression)] if expression and len(label) <= LABEL_MOST:
                yield FilterPart(label, expression)
            case [str(label), list(steps)] if label and len(label) <= LABEL_MOST:
                yield FilterPart(label, "", _indices_from_differences(steps))
            case [str(label), list(steps), list(words)] if label and len(label) <= LABEL_MOST and _are_words(words):
                yield FilterPart(label, "", _indices_from_differences(steps), tuple(words))
            case [str(label), list(steps), str(letters)] if (
                label and len(label) <= LABEL_MOST and _are_words([letters])
            ):
                yield FilterPart(label, "", _indices_from_differences(steps), letters=letters)
            case _:
                raise ValueError("this is no filter")


def _indices_from_differences(differences: list[Any]) -> tuple[int, ...]:
    """Return the indices of segments whose differences between neighbours are `differences`.

    Raises ValueError if these are no valid numbers."""
    if not all(type(step) is int and 0 <= step < SEGMENTS_MOST for step in differences):
        raise ValueError("this is no filter")
    return tuple(accumulate(differences))


def _are_words(words: list[object]) -> bool:
    """Return whether `words` are at most eight strings of at most LABEL_MOST letters."""
    return len(words) <= 8 and all(isinstance(word, str) and len(word) <= LABEL_MOST for word in words)


@dataclass(frozen=True)
class CheckedText(PackedText):
    """A kind of link field: a compressed text that `read` can read; it raises ValueError for any other."""

    read: Callable[[str], object]

    def value(self, name: str, text: str) -> str:
        unpacked = super().value(name, text)
        self.read(unpacked)
        return unpacked


class SegmentMarksKind(FieldKind):
    """A kind of link field: the tags and notes of segments, as the text of `marks.write_marks`."""

    def value(self, name: str, text: str) -> str:
        if len(text) > MARKS_MOST or (text and not read_marks(text)):
            raise ValueError("marks must be tags and notes by the numbers of segments, as a workspace file holds them")
        return text


class SegmentColumnsKind(FieldKind):
    """A kind of link field: names of optional columns, separated by commas."""

    def value(self, name: str, text: str) -> str:
        names = parse_columns(text)
        if len(names) > COLUMNS_MOST or not all(_COLUMN.fullmatch(each) for each in names):
            raise ValueError(f"{name} must be names of columns such as length,delta.bleu, got {text[:80]!r}")
        return ",".join(names)


def parse_columns(text: str) -> tuple[str, ...]:
    """Return the distinct names of columns in a text that has commas between them, in their order."""
    return tuple(dict.fromkeys([each for each in text.split(",") if each]))


class SortKind(FieldKind):
    """A kind of link field: the order of the segments, one of SORTS or the name of an optional column."""

    def value(self, name: str, text: str) -> str:
        if text not in SORTS and not _COLUMN.fullmatch(text):
            raise ValueError(
                f"{name} must be one of {', '.join(SORTS)} or a column such as delta.bleu, got {text[:80]!r}"
            )
        return text


@dataclass(frozen=True, kw_only=True)
class CorpusState(PageState):
    """The state of the Corpus page.

    The corpus itself stays in the server's memory and is in no link; a link names its texts.

    Attributes:
        a, b: the indices of the two systems that are compared.
        sort, up: the order of the segments, one of SORTS or a column, and whether it is reversed.
        where: the parts of the filter, as the text of `write_parts`.
        segment: the index of the selected segment; None for the first in the order.
        view: the view, one of VIEWS.
        columns: the names of the optional columns of the table, separated by commas.
        against: the metric that the selected one is compared with in the charts, "" for the first other scored one.
        seen: how the selected segment is shown, one of SEEN.
        marks: the tags and notes of segments, as the text of `marks.write_marks`.
        given: the key of the scores in the files that are looked at instead of those of `metric`; "" for none.
        scored: the keys of the metrics that the next corpus is scored by; empty for the default
            (`scoring.chosen_metrics`).
        texts: the names of the texts, as the text of `link_texts.write_texts`."""

    page: ClassVar[str] = "corpus"
    field_labels: ClassVar[Mapping[str, str]] = {
        **{name: label for name, label in PageState.field_labels.items() if name != "references"},
        "a": "the first system",
        "b": "the second system",
        "sort": "the order of the segments",
        "up": "that the order is reversed",
        "where": "the filter",
        "segment": "the chosen segment",
        "view": "the view",
        "columns": "the columns of the table",
        "against": "the metric that the chosen one is compared with",
        "seen": "how the chosen segment is shown",
        "marks": "tags and notes",
        "scored": "the metrics to score",
        "texts": "the names of the texts",
        "given": "the scores of the files",
    }
    always: ClassVar[tuple[str, ...]] = ("metric",)
    long: ClassVar[str] = "The filter, tags and notes"
    unlinked_content: ClassVar[str] = (
        "The link only names the texts; when opened elsewhere, it asks for their files. A workspace file holds the "
        "texts themselves; when it is opened, they are scored again."
    )

    references: str = session_field("", "corpus_references")  # not in links: references come from files
    language: str = url_field("english", LANGUAGE, key="corpus_language", of="texts")
    a: int = url_field(0, WholeNumber(0, SYSTEMS_MOST - 1), "first", "corpus_a")
    b: int = url_field(1, WholeNumber(0, SYSTEMS_MOST - 1), "second", "corpus_b")
    sort: str = url_field("worth", SortKind(), key="corpus_sort", of="look")
    up: bool = url_field(False, OnOff(), key="corpus_up", of="look")
    where: str = url_field("", CheckedText(WHERE_MOST, parse_filter), key="corpus_where", of="texts")
    segment: int | None = url_field(None, WholeNumber(0, SEGMENTS_MOST), key="corpus_segment", of="look")
    view: str = url_field("segments", OneOf(VIEWS), key="corpus_view", widget=True)
    columns: str = url_field("", SegmentColumnsKind(), key="corpus_columns", of="look")
    against: str = url_field("", OneOf(("", *metrics.METRICS)), key="corpus_against", of="look")
    seen: str = url_field("difference", OneOf(SEEN), key="corpus_seen", of="look")
    marks: str = url_field("", SegmentMarksKind(), key="corpus_marks", of="texts")
    scored: tuple[str, ...] = url_field((), SubsetOf(metrics.METRICS), key="corpus_scored", of="texts")
    texts: str = url_field("", CheckedText(TEXTS_MOST, read_texts), key="corpus_texts", of="texts")
    given: str = url_field(
        "",
        PatternText(re.compile(r"\w{0,80}"), "the key of scores in the files, such as comet"),
        key="corpus_given",
        of="look",
    )

    @property
    def score_key(self) -> str:
        """The key of the scores that are looked at: of the metric, or of scores that came with the files."""
        return self.given or self.metric
