"""Define the state of the Learn page: the open chapter and screen, and what the reader typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import metrics

from ...draw.learn.chapter import MOST_NUMBER
from ...state.links.codec import OneOf, OnOff, PackedText, PatternText, WholeNumber, session_field, url_field
from ...state.links.pages import LANGUAGE, SIMILARITIES, PageState

KEY = re.compile("[a-z0-9_]{1,40}")
FILE_MOST = 40_000  # the largest size in bytes of a chapter's file


@dataclass(frozen=True, kw_only=True)
class LearnState(PageState):
    """The open chapter, its screen, and the reader's own sentences on the Learn page.

    Attributes:
        chapter: the key of the open chapter; "" shows the list of chapters.
        screen: the number of the screen, which combines its kind with the count of earlier screens of that kind
            (`draw.learn.chapter.numbers_of_kinds`).
        candidate, references: the reader's own sentences; "" where the chapter's are shown.
        twin: the reader's version of a candidate, which should score the same and mean something else.
        metric: the metric of the reader's sentence; "" for the chapter's.
        exercise: the code of the exercise that is shown; "" for the first one.
        made: the sentence that the exercise asks for, as far as it is typed.
        present: whether the page is drawn larger, for a lecture hall.
        file: the text of the file of the reader's own chapter; "" for none.
        load: a counter, raised when the page itself replaces the reader's sentences."""

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
    chapter: str = url_field("", PatternText(KEY, "the key of a chapter, such as gtm"))
    screen: int = url_field(1, WholeNumber(1, MOST_NUMBER))
    candidate: str = url_field("", key="lesson_candidate", of="texts", telling=True)
    twin: str = url_field("", of="texts")
    exercise: str = url_field("")
    made: str = url_field("", of="texts")
    present: bool = url_field(False, OnOff())
    file: str = url_field("", PackedText(FILE_MOST), key="own_file", of="texts")
    load: int = session_field(0, "lesson_load")
