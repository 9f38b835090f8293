"""What is looked at on the Sentence page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import metrics

from ...draw.evidence.drawn_result import EvidenceLook
from ...state.cache import TIES_MOST
from ...state.codec import Like, OneOf, Whole, session_field, url_field
from ...state.inputs import MAX_WORDS
from ...state.marked_errors import MarksKind, TextMarks
from ...state.pages import FIRST_METRIC, PageState

#: The views of a sentence by the names that links use.
VIEWS = {
    "metric": "Metric",
    "steps": "Steps",
    "cost": "What it cost",
    "all": "All metrics",
    "two": "Two metrics",
    "errors": "Error classes",
}
FIRST_OTHER = "rouge_l"  # what the view of two metrics compares with
PICTURES = ("text", "arcs", "grid")
#: Pixels that a grid has at least, and those of a window that stand above it.
GRID_LEAST, ABOVE_GRID = 420, 250
WALK_MOST = 10_000_000  # steps of an algorithm
_TERM = re.compile("(0|[1-9][0-9]{0,6}):(0|[1-9][0-9]{0,6})")
ASKED = re.compile("c[0-9]{1,4}|r[0-9]{1,2}_[0-9]{1,4}|[0-9]{1,4},[0-9]{1,2},[0-9]{1,4}")
_DETAIL = "the detail of long texts"


@dataclass(frozen=True, kw_only=True)
class SentenceState(PageState):
    """One candidate, and where they are known the source that it was translated from and the errors that people
    `marked`, which are shown and scored by nothing. `view` is one of VIEWS, `other` the second metric of the view of
    two.

    What is shown of the result belongs to these texts and settings: `term` is the chosen term as `LAYER:N`, `rounds`
    how many rounds are shown (None: as many as there are), `tie` which of the equally good alignments, from 0, and
    `picture` one of PICTURES (None: what the metric shows first). `step` is the step of the algorithm, from 1, and
    `part` which part of long texts it goes through: 0 their first sentences, else a window from this word on. Of a long
    text the place from word `detail_i` of the candidate and word `detail_j` of a reference on is looked at, which is
    `detail_reference` (None: the one whose grid stands first). `way` is the reference, from 0, that the edits of the
    view of costs lead to (None: the one that decides), and `edit` the chosen one of these edits. `asked` is the name of
    the word or the cell of which is asked what would be if it matched. No link says whether the cells of ties are
    tinted (`tint`), and which `example` was taken.
    """

    page: ClassVar[str] = "sentence"
    field_labels: ClassVar[Mapping[str, str]] = {
        "candidate": "the candidate",
        **PageState.field_labels,
        "source": "the source",
        "marked": "the errors that people marked",
        "view": "the view",
        "other": "the second metric",
        "term": "the chosen term",
        "step": "the chosen step",
        "part": "the part that is stepped through",
        "rounds": "the rounds shown",
        "detail_i": _DETAIL,
        "detail_j": _DETAIL,
        "detail_reference": _DETAIL,
        "tie": "the alignment stepped to",
        "picture": "arcs or grid",
        "way": "the reference that the edits lead to",
        "edit": "the chosen edit",
        "asked": "the match that is asked about",
    }
    always: ClassVar[tuple[str, ...]] = ("candidate", "references", "metric", "view")

    candidate: str = url_field("", of="texts", telling=True, widget=True)
    source: str = url_field("", of="texts", widget=True)
    marked: tuple[TextMarks, ...] = url_field((), MarksKind(), of="texts")
    view: str = url_field("metric", OneOf(VIEWS), widget=True)
    other: str = url_field(FIRST_OTHER, OneOf(metrics.METRICS))
    term: str | None = url_field(
        None, Like(_TERM, "the numbers of a layer and of one of its terms, such as 0:2"), of="look"
    )
    rounds: int | None = url_field(None, Whole(1, MAX_WORDS), of="look")
    tie: int = url_field(0, Whole(0, TIES_MOST - 1), of="look")
    picture: str | None = url_field(None, OneOf(PICTURES), key="picture_chosen", of="look")
    step: int | None = url_field(None, Whole(1, WALK_MOST), key="walk_step", of="look")
    part: int | None = url_field(None, Whole(0, MAX_WORDS), key="walk_part", of="look")
    way: int | None = url_field(None, Whole(0, MAX_WORDS), of="look")
    edit: int | None = url_field(None, Whole(0, MAX_WORDS), of="look")
    asked: str | None = url_field(None, Like(ASKED, "the name of a word or of a cell, such as c3 or 3,0,5"), of="look")
    detail_i: int = url_field(1, Whole(1, MAX_WORDS), "detail.candidate", of="look")
    detail_j: int = url_field(1, Whole(1, MAX_WORDS), "detail.word", of="look")
    detail_reference: int | None = url_field(
        None, Whole(0, MAX_WORDS), "detail.reference", key="detail_reference_chosen", of="look"
    )
    tint: bool = session_field(False, "tint")
    example: str | None = session_field(None, "example")

    def look(self, metric: str, room: int, high: int | None = None) -> EvidenceLook:
        """How a metric's result is looked at in a `room` so many pixels broad and a window so many `high`; what is
        chosen belongs to that of the chosen metric."""
        chosen = {"term": self.term, "rounds": self.rounds, "tie": self.tie} if metric == self.metric else {}
        where = {"detail_i": self.detail_i, "detail_j": self.detail_j, "detail_reference": self.detail_reference}
        given: dict[str, Any] = {**chosen, **where}
        grid_height = None if high is None else max(GRID_LEAST, high - ABOVE_GRID)
        return EvidenceLook(**given, tint=self.tint, picture=self.picture, room=room, high=grid_height)

    @property
    def metric_pair(self) -> tuple[str, str]:
        """The chosen metric, and another that it is compared with."""
        first = FIRST_OTHER if self.metric != FIRST_OTHER else FIRST_METRIC
        return self.metric, self.other if self.other != self.metric else first

    @property
    def typed_texts(self) -> tuple[object, ...]:
        """What the texts are read from."""
        return self.candidate, self.references, self.text, self.source, self.marked

    @property
    def result_of(self) -> tuple[object, ...]:
        """What the result that is shown follows from."""
        return self.candidate, self.references, self.text, self.metric, self.settings_of(self.metric)

    def says(self, name: str) -> bool:
        return super().says(name) and (name != "other" or self.view == "two")
