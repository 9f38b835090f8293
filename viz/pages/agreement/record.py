"""What is looked at on the Agreement page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from metrics import METRICS
from metrics.corpus.agreement import GROUPS, LEVELS, TAUS

from ...state.codec import SHOWN, FieldKind, OneOf, OnOff, SomeOf, Whole, session_field, url_field
from ...state.pages import LANGUAGE, PageState

#: What stands at the left.
VIEWS = {
    "table": "Table",
    "scatter": "Points",
    "wrong": "Where it is wrong",
    "reasons": "Reasons",
    "judges": "Judges",
    "experiments": "Experiments",
}
#: How the chosen pair of outputs is looked at.
SEEN = {"difference": "Difference", "edits": "Edits", "better": "People's choice", "worse": "The metric's choice"}
#: By what the pairs that a metric ranks against people are sorted, and what that is.
SORTS = {
    "size": "how clear both people and the metric are",
    "people": "how much people prefer the one",
    "metric": "how much the metric prefers the other",
    "number": "the place in the files",
}
#: What stands up in the charts of points: the scores that are looked at, one judge beside the others, or chance.
POINTS = ("scores", "judge", "chance")
#: Of how many resamples or pseudo-documents an experiment can be, where that is not as many as its paper has.
DRAWS = (100, 300, 3_000)
SYSTEMS_MOST = 64
SEGMENTS_MOST = 10_000_000
NAME_MOST = 200  # letters of a scale, of a column of scores, and of what is looked at of a view


class NameKind(FieldKind):
    """A name that files give."""

    def value(self, name: str, text: str) -> str:
        if len(text) > NAME_MOST:
            raise ValueError(f"{name} must have at most {NAME_MOST} letters, got {len(text):,}")
        return text


class DrawCountKind(FieldKind):
    """How many draws an experiment has."""

    def value(self, name: str, text: str) -> int:
        if text not in map(str, DRAWS):
            raise ValueError(f"{name} must be one of {', '.join(map(str, DRAWS))}, got {text!r:.{SHOWN}}")
        return int(text)


@dataclass(frozen=True, kw_only=True)
class AgreementState(PageState):
    """How metrics agree with people. `scale` is the name of the scale of judgements ("": the first one), `group` over
    what coefficients of segments are taken, `tau` which of Kendall's they are; `level` and `sort` say by which
    coefficient the table is sorted. `column` names scores of another program that are looked at in the place of the
    metric's ("": none).

    The chosen output is that of a `system` in a `segment`, both from 0 (None: the first of what is shown); with
    another, `other`, it is a pair that people and the metric rank otherwise, which is `seen` in one of the ways of
    SEEN, and pairs are sorted `by` one of SORTS, turned round where `up`. `choice` is what of a view is looked at, as
    "KIND:VALUE": a system, a reason, judges. `points` is what stands up in the charts of points.

    `experiment` is the key of the experiment that is shown ("": none): of so many `draws` (None: as many as its paper
    has), on `every_scale` or on the chosen one, `with_metrics` beside those of the paper. The corpus itself, which the
    server's memory has, is part of no link, nor are the files that an experiment takes."""

    page: ClassVar[str] = "agreement"
    field_labels: ClassVar[Mapping[str, str]] = {
        **{name: said for name, said in PageState.field_labels.items() if name != "references"},
        "view": "the view",
        "scale": "the scale of judgements",
        "group": "over what coefficients are taken",
        "tau": "the kind of Kendall's τ",
        "level": "the level of the table's order",
        "sort": "the order of the table",
        "column": "the scores that are looked at",
        "system": "the chosen system",
        "segment": "the chosen segment",
        "other": "the system that it is held against",
        "seen": "how the chosen pair is looked at",
        "by": "the order of the pairs",
        "up": "that the order is turned round",
        "choice": "what is looked at in the view",
        "experiment": "the experiment",
        "points": "what stands up in the charts of points",
        "draws": "how many draws the experiment has",
        "every_scale": "whether the experiment is repeated on all scales",
        "with_metrics": "the metrics beside those of the experiment's paper",
    }
    always: ClassVar[tuple[str, ...]] = ("metric",)
    unlinked_content: ClassVar[str] = (
        "Texts and judgements are in no link. The workspace file holds those of the corpus; who opens it has them "
        "scored again."
    )

    references: str = session_field("", "agreement_references")  # they are in files
    language: str = url_field("english", LANGUAGE, key="agreement_language", of="texts")
    view: str = url_field("table", OneOf(VIEWS), key="agreement_view", widget=True)
    scale: str = url_field("", NameKind(), key="agreement_scale")
    group: str = url_field("none", OneOf(GROUPS), key="agreement_group", widget=True)
    tau: str = url_field("b", OneOf(TAUS), key="agreement_tau", widget=True)
    level: str = url_field("segment", OneOf(LEVELS), key="agreement_level", of="look")
    sort: str = url_field("pearson", OneOf(LEVELS["system"]), key="agreement_sort", of="look")
    column: str = url_field("", NameKind(), key="agreement_column")
    system: int | None = url_field(None, Whole(0, SYSTEMS_MOST - 1), key="agreement_system", of="look")
    segment: int | None = url_field(None, Whole(0, SEGMENTS_MOST), key="agreement_segment", of="look")
    other: int | None = url_field(None, Whole(0, SYSTEMS_MOST - 1), "against", "agreement_other", of="look")
    seen: str = url_field("difference", OneOf(SEEN), key="agreement_seen", of="look")
    by: str = url_field("size", OneOf(SORTS), key="agreement_by", of="look")
    up: bool = url_field(False, OnOff(), key="agreement_up", of="look")
    choice: str = url_field("", NameKind(), key="agreement_choice", of="look")
    experiment: str = url_field("", NameKind(), key="agreement_experiment")
    points: str = url_field("scores", OneOf(POINTS), key="agreement_points", widget=True)
    draws: int | None = url_field(None, DrawCountKind(), key="agreement_draws", widget=True)
    every_scale: bool = url_field(True, OnOff(), key="agreement_every_scale", widget=True)
    with_metrics: tuple[str, ...] = url_field((), SomeOf(METRICS), "with", "agreement_with")
