"""Define the state of the Agreement page: what the visitor looks at, and how a link holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from metrics import METRICS
from metrics.corpus.agreement import GROUPS, LEVELS, TAUS

from ...state.links.codec import SHOWN, FieldKind, OneOf, OnOff, SubsetOf, WholeNumber, session_field, url_field
from ...state.links.pages import LANGUAGE, PageState

#: The views, which are drawn at the left, by their names in links.
VIEWS = {
    "table": "Table",
    "scatter": "Points",
    "wrong": "Where it is wrong",
    "reasons": "Reasons",
    "judges": "Judges",
    "experiments": "Experiments",
}
#: The ways to show the selected pair of outputs.
SEEN = {"difference": "Difference", "edits": "Edits", "better": "People's choice", "worse": "The metric's choice"}
#: The orders of the pairs that a metric ranks against people, each with its description.
SORTS = {
    "size": "how clear both people and the metric are",
    "people": "how much people prefer their choice",
    "metric": "how much the metric prefers its choice",
    "number": "the place in the files",
}
#: The vertical axis of the charts of points: the selected scores, one judge against the others, or chance.
POINTS = ("scores", "judge", "chance")
#: The numbers of resamples or pseudo-documents that can be selected instead of as many as the paper has.
DRAWS = (100, 300, 3_000)
SYSTEMS_MOST = 64
SEGMENTS_MOST = 10_000_000
NAME_MOST = 200  # letters of the name of a scale or a column, and of the selection in a view


class NameKind(FieldKind):
    """A kind of link field: a name from a file, such as that of a scale, with at most NAME_MOST letters."""

    def value(self, name: str, text: str) -> str:
        if len(text) > NAME_MOST:
            raise ValueError(f"{name} must have at most {NAME_MOST} letters, got {len(text):,}")
        return text


class DrawCountKind(FieldKind):
    """A kind of link field: how many resamples or pseudo-documents an experiment draws, one of DRAWS."""

    def value(self, name: str, text: str) -> int:
        if text not in map(str, DRAWS):
            raise ValueError(f"{name} must be one of {', '.join(map(str, DRAWS))}, got {text!r:.{SHOWN}}")
        return int(text)


@dataclass(frozen=True, kw_only=True)
class AgreementState(PageState):
    """The state of the Agreement page.

    The corpus itself stays in the server's memory. It is in no link, nor are the files that an experiment takes.

    Attributes:
        scale: the name of the scale of judgements, "" for the first one.
        group: within what coefficients over segments are computed: all outputs, each segment or each system.
        tau: the variant of Kendall's coefficient.
        level, sort: whether the table is sorted by a coefficient over segments or over systems, and which coefficient.
        column: the other program's score that is shown instead of the metric's, "" for none.
        system, segment: the selected output, from 0; None for the first in the list.
        other: where a pair of outputs is selected, the system of its second output, which the metric prefers.
        seen: how the pair is shown, one of SEEN.
        by, up: the order of the pairs, one of SORTS, and whether it is reversed.
        choice: the selected row or point of a view as "KIND:VALUE", for example a system, a reason or a pair of judges.
        points: the scores on the vertical axis of the charts of points, one of POINTS.
        experiment: the key of the experiment that is shown, "" for none.
        draws: how many resamples or pseudo-documents it draws, None for as many as its paper has.
        every_scale: whether it is repeated on all scales or on the selected one.
        with_metrics: metrics in addition to those of its paper."""

    page: ClassVar[str] = "agreement"
    field_labels: ClassVar[Mapping[str, str]] = {
        **{name: said for name, said in PageState.field_labels.items() if name != "references"},
        "view": "the view",
        "scale": "the scale of judgements",
        "group": "what coefficients are computed over",
        "tau": "the kind of Kendall's τ",
        "level": "the level of the table's order",
        "sort": "the order of the table",
        "column": "the selected scores",
        "system": "the chosen system",
        "segment": "the chosen segment",
        "other": "the system that it is compared with",
        "seen": "how the chosen pair is shown",
        "by": "the order of the pairs",
        "up": "that the order is reversed",
        "choice": "what is selected in the view",
        "experiment": "the experiment",
        "points": "the vertical axis of the charts of points",
        "draws": "how many draws the experiment has",
        "every_scale": "whether the experiment is repeated on all scales",
        "with_metrics": "the metrics besides those of the experiment's paper",
    }
    always: ClassVar[tuple[str, ...]] = ("metric",)
    unlinked_content: ClassVar[str] = (
        "A link does not hold texts and judgements. A workspace file holds those of the corpus; when it is opened, "
        "they are scored again."
    )

    references: str = session_field("", "agreement_references")  # not in links: references come from files
    language: str = url_field("english", LANGUAGE, key="agreement_language", of="texts")
    view: str = url_field("table", OneOf(VIEWS), key="agreement_view", widget=True)
    scale: str = url_field("", NameKind(), key="agreement_scale")
    group: str = url_field("none", OneOf(GROUPS), key="agreement_group", widget=True)
    tau: str = url_field("b", OneOf(TAUS), key="agreement_tau", widget=True)
    level: str = url_field("segment", OneOf(LEVELS), key="agreement_level", of="look")
    sort: str = url_field("pearson", OneOf(LEVELS["system"]), key="agreement_sort", of="look")
    column: str = url_field("", NameKind(), key="agreement_column")
    system: int | None = url_field(None, WholeNumber(0, SYSTEMS_MOST - 1), key="agreement_system", of="look")
    segment: int | None = url_field(None, WholeNumber(0, SEGMENTS_MOST), key="agreement_segment", of="look")
    other: int | None = url_field(None, WholeNumber(0, SYSTEMS_MOST - 1), "against", "agreement_other", of="look")
    seen: str = url_field("difference", OneOf(SEEN), key="agreement_seen", of="look")
    by: str = url_field("size", OneOf(SORTS), key="agreement_by", of="look")
    up: bool = url_field(False, OnOff(), key="agreement_up", of="look")
    choice: str = url_field("", NameKind(), key="agreement_choice", of="look")
    experiment: str = url_field("", NameKind(), key="agreement_experiment")
    points: str = url_field("scores", OneOf(POINTS), key="agreement_points", widget=True)
    draws: int | None = url_field(None, DrawCountKind(), key="agreement_draws", widget=True)
    every_scale: bool = url_field(True, OnOff(), key="agreement_every_scale", widget=True)
    with_metrics: tuple[str, ...] = url_field((), SubsetOf(METRICS), "with", "agreement_with")
