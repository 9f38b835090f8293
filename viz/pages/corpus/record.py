"""What is looked at on the Corpus page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...state.codec import Kind, OneOf, OnOff, Whole, kept, unkept
from ...state.pages import LANGUAGE, Looked
from .marks import read

#: By what segments are sorted, and what that is.
SORTS = {
    "worth": "what the segment gives",
    "delta": "B's score less A's",
    "a": "A's score",
    "b": "B's score",
    "length": "the words of the reference",
    "number": "the place in the files",
}
#: How the chosen segment is looked at.
SEEN = {"difference": "Difference", "edits": "Edits", "a": "A", "b": "B"}
SYSTEMS_MOST = 64
MARKS_MOST = 200_000  # characters of all tags and notes
SEGMENTS_MOST = 10_000_000


class Marked(Kind):
    """Tags and notes of segments, as `marks` writes them."""

    def value(self, name: str, text: str) -> str:
        if len(text) > MARKS_MOST or (text and not read(text)):
            raise ValueError("marks must be tags and notes by the numbers of segments, as a workspace file holds them")
        return text


@dataclass(frozen=True, kw_only=True)
class Corpus(Looked):
    """Two of a corpus's systems, `a` and `b` by their places from 0, the order of the segments and the chosen one,
    from 0 (None: the first of the order), which is `seen` in one of the ways of SEEN. `marks` are the tags and notes of
    segments (`marks.read`). The corpus itself, which the server's memory has, is part of no link."""

    page: ClassVar[str] = "corpus"
    said: ClassVar[Mapping[str, str]] = {
        **{name: said for name, said in Looked.said.items() if name != "references"},
        "a": "the first system",
        "b": "the second system",
        "sort": "the order of the segments",
        "up": "that the order is turned round",
        "segment": "the chosen segment",
        "seen": "how the chosen segment is looked at",
        "marks": "tags and notes",
    }
    always: ClassVar[tuple[str, ...]] = ("metric",)

    references: str = unkept("", "corpus_references")  # they are in files
    language: str = kept("english", LANGUAGE, key="corpus_language", of="texts")
    a: int = kept(0, Whole(0, SYSTEMS_MOST - 1), "first", "corpus_a")
    b: int = kept(1, Whole(0, SYSTEMS_MOST - 1), "second", "corpus_b")
    sort: str = kept("worth", OneOf(SORTS), key="corpus_sort", of="look")
    up: bool = kept(False, OnOff(), key="corpus_up", of="look")
    segment: int | None = kept(None, Whole(0, SEGMENTS_MOST), key="corpus_segment", of="look")
    seen: str = kept("difference", OneOf(SEEN), key="corpus_seen", of="look")
    marks: str = kept("", Marked(), key="corpus_marks", of="texts")
