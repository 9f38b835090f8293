"""Define the state of the Sentence page: its texts, the open view, and what is selected in the result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import metrics

from ...draw.evidence.drawn_result import EvidenceLook
from ...state.links.codec import OneOf, PatternText, WholeNumber, session_field, url_field
from ...state.links.pages import FIRST_METRIC, PageState
from ...state.results.cache import TIES_MOST
from ...state.texts.inputs import MAX_WORDS
from ...state.texts.marked_errors import MarksKind, TextMarks

#: The views of a sentence by the names that links use.
VIEWS = {
    "metric": "Metric",
    "steps": "Steps",
    "cost": "What it cost",
    "all": "All metrics",
    "two": "Two metrics",
    "errors": "Error classes",
}
FIRST_OTHER = "rouge_l"  # the initial second metric of the view of two metrics
PICTURES = ("text", "arcs", "grid")
#: The least height of a grid in pixels, and the height of what is above it in a window.
GRID_LEAST, ABOVE_GRID = 420, 250
WALK_MOST = 10_000_000  # the most steps of an algorithm
_TERM = re.compile("(0|[1-9][0-9]{0,6}):(0|[1-9][0-9]{0,6})")
ASKED = re.compile("c[0-9]{1,4}|r[0-9]{1,2}_[0-9]{1,4}|[0-9]{1,4},[0-9]{1,2},[0-9]{1,4}")
_DETAIL = "the detail of long texts"


@dataclass(frozen=True, kw_only=True)
class SentenceState(PageState):
    """The texts of the Sentence page, the open view, and the selections in its result.

    Attributes:
        candidate: the candidate as typed.
        source: the text that was translated, if known; it is shown and not scored.
        marked: the errors that people marked, if known; they are shown and not scored.
        view: the name of the open view, one of VIEWS.
        other: the second metric of the view of two metrics.
        term: the selected term as `LAYER:N`, the index of a layer and of a term in it.
        rounds: how many rounds are shown; None shows all.
        tie: the index of the shown alignment among the equally good ones.
        picture: one of PICTURES; None is the metric's default.
        step: the shown step of the algorithm, from 1.
        part: the part of long texts whose steps are shown: 0 for their first sentences, else a window that starts at
            this word, from 1.
        way: the index of the reference to which the edits lead; None is the reference that decides the score.
        edit: the index of the selected edit.
        asked: the name of the word or cell that the user asks about: what would the scores be if it matched?
        detail_i, detail_j: the first word of the candidate and of the reference in the detail of a long text, from 1.
        detail_reference: the index of the reference in the detail; None is the one whose grid comes first.
        tint: whether the cells are tinted by how many equally good alignments use them. No link holds it.
        example: the name of the loaded example. No link holds it.

    The fields from `term` to `detail_reference` are only valid for the result of these texts and settings."""

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
        None, PatternText(_TERM, "the numbers of a layer and of one of its terms, such as 0:2"), of="look"
    )
    rounds: int | None = url_field(None, WholeNumber(1, MAX_WORDS), of="look")
    tie: int = url_field(0, WholeNumber(0, TIES_MOST - 1), of="look")
    picture: str | None = url_field(None, OneOf(PICTURES), key="picture_chosen", of="look")
    step: int | None = url_field(None, WholeNumber(1, WALK_MOST), key="walk_step", of="look")
    part: int | None = url_field(None, WholeNumber(0, MAX_WORDS), key="walk_part", of="look")
    way: int | None = url_field(None, WholeNumber(0, MAX_WORDS), of="look")
    edit: int | None = url_field(None, WholeNumber(0, MAX_WORDS), of="look")
    asked: str | None = url_field(
        None, PatternText(ASKED, "the name of a word or of a cell, such as c3 or 3,0,5"), of="look"
    )
    detail_i: int = url_field(1, WholeNumber(1, MAX_WORDS), "detail.candidate", of="look")
    detail_j: int = url_field(1, WholeNumber(1, MAX_WORDS), "detail.word", of="look")
    detail_reference: int | None = url_field(
        None, WholeNumber(0, MAX_WORDS), "detail.reference", key="detail_reference_chosen", of="look"
    )
    tint: bool = session_field(False, "tint")
    example: str | None = session_field(None, "example")

    def look(self, metric: str, room: int, high: int | None = None) -> EvidenceLook:
        """Return the selections and sizes with which the result of `metric` is drawn.

        It is `room` pixels wide, in a window `high` pixels high; None if that is unknown. The selections of term,
        rounds and tie are left out for other metrics than the chosen one."""
        chosen = {"term": self.term, "rounds": self.rounds, "tie": self.tie} if metric == self.metric else {}
        where = {"detail_i": self.detail_i, "detail_j": self.detail_j, "detail_reference": self.detail_reference}
        given: dict[str, Any] = {**chosen, **where}
        grid_height = None if high is None else max(GRID_LEAST, high - ABOVE_GRID)
        return EvidenceLook(**given, tint=self.tint, picture=self.picture, room=room, high=grid_height)

    @property
    def metric_pair(self) -> tuple[str, str]:
        """The keys of the chosen metric and of the second metric of the view of two metrics."""
        first = FIRST_OTHER if self.metric != FIRST_OTHER else FIRST_METRIC
        return self.metric, self.other if self.other != self.metric else first

    @property
    def typed_texts(self) -> tuple[object, ...]:
        """The values of the fields from which the texts are read."""
        return self.candidate, self.references, self.text, self.source, self.marked

    @property
    def result_of(self) -> tuple[object, ...]:
        """The values on which the shown result depends: texts, text processing, metric and settings."""
        return self.candidate, self.references, self.text, self.metric, self.settings_of(self.metric)

    def is_in_link(self, name: str) -> bool:
        """Return whether a link has to hold the field `name`; it holds `other` only in the view of two metrics."""
        return super().is_in_link(name) and (name != "other" or self.view == "two")
