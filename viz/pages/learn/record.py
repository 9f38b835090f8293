"""What is looked at on the Learn page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import metrics

from ...draw.learn.chapter import MOST_NUMBER
from ...state.codec import Like, OneOf, OnOff, Packed, Whole, session_field, url_field
from ...state.pages import LANGUAGE, SIMILARITIES, PageState

KEY = re.compile("[a-z0-9_]{1,40}")
FILE_MOST = 40_000  # bytes of a chapter's file


@dataclass(frozen=True, kw_only=True)
class LearnState(PageState):
    """A screen of a chapter, by its number (`draw.learn.chapter.numbers`); no `chapter` is the list. `candidate` and
    `references` are the reader's own sentence, "" where it is the chapter's, and `twin` what the reader made of a
    candidate that the metric should not tell from it.

    `metric` is that of the reader's sentence ("" for the chapter's), `exercise` the exercise that is shown ("" for a
    first one), `made` the sentence that it asks for as far as it is typed, and `present` whether the page is shown to a
    lecture hall. `file` is the text of the file of a chapter of the reader's own, "" where there is none. `load` counts
    what the page itself has put into the place of the reader's sentences.
    """

    page: ClassVar[str] = "learn"
    field_labels: ClassVar[Mapping[str, str]] = {
        "candidate": "the candidate",
        **PageState.field_labels,
        "chapter": "the chapter",
        "screen": "the screen",
        "twin": "the second candidate",
        "made": "the sentence that is made",
        "exercise": "the exercise",
        "present": "that it is presented",
        "file": "the file of your own chapter",
    }
    always: ClassVar[tuple[str, ...]] = ("chapter", "screen")

    references: str = url_field("", key="lesson_references", of="texts", telling=True)
    metric: str = url_field("", OneOf(metrics.METRICS), key="lesson_metric", telling=True)
    similarity: str = url_field("none", OneOf(SIMILARITIES), "sia.similarity", "lesson_similarity")
    language: str = url_field("english", LANGUAGE, key="lesson_language", of="texts")
    chapter: str = url_field("", Like(KEY, "the key of a chapter, such as gtm"))
    screen: int = url_field(1, Whole(1, MOST_NUMBER))
    candidate: str = url_field("", key="lesson_candidate", of="texts", telling=True)
    twin: str = url_field("", of="texts")
    exercise: str = url_field("")
    made: str = url_field("", of="texts")
    present: bool = url_field(False, OnOff())
    file: str = url_field("", Packed(FILE_MOST), key="own_file", of="texts")
    load: int = session_field(0, "lesson_load")
