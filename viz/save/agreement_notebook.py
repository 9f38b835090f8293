"""Show in a notebook how well metrics agree with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import metrics
from metrics.corpus.agreement import (
    GROUPS,
    Group,
    Overlap,
    agreement_table,
    external_columns,
    find_in_segments,
    marked_words_by_output,
    metric_column,
    overlap_by_fault,
)
from metrics.corpus.table import score_table
from metrics.text import TextSettings
from metrics.text.judgements import JudgementRecord, RatingScale
from metrics.types import Segment, segment

from ..draw.agreement import reasons
from . import agreement_report
from .agreement_report import AgreementReportInfo
from .notebook import cell_output_html

#: The default name of the scale of ratings.
SCALE = "people"
Numbers = Mapping[str, Sequence[float | None]]


class AgreementOutput:
    """The agreement of metrics with people's ratings, which a notebook shows as a table.

    Attributes:
        table: the coefficients.
        marked: by metric, how much of what it finds wrong lies in words that people marked; empty if they marked
            nothing.

    Raises ValueError if a system has another number of segments than there are references, if ratings or scores are
    of an unknown system or of another number of segments, if judgements are of other systems, if the scale or the
    group is unknown, or if nothing is rated. Raises KeyError for an unknown metric."""

    def __init__(
        self,
        systems: Mapping[str, Sequence[Sequence[str]]],
        references: Sequence[Sequence[Sequence[str]]],
        human: Numbers | JudgementRecord,
        keys: Sequence[str] = (),
        scale: str = "",
        group: Group = "none",
        scores: Mapping[str, Numbers] = {},
    ) -> None:
        size = len(references)
        given: list[tuple[str, Mapping[str, Sequence[object]]]] = [("candidates", systems)]
        given += [(f"scores of {name}", each) for name, each in scores.items()]
        if not isinstance(human, JudgementRecord):
            given.append(("ratings", human))
        for what, each in given:
            for name, its in each.items():
                if name not in systems:
                    raise ValueError(f"{what} must be of systems that are given, got {name!r}")
                if len(its) != size:
                    raise ValueError(f"{what} of {name} must be {size}, one a segment, got {len(its)}")
        if group not in GROUPS:
            raise ValueError(f"group must be one of {', '.join(GROUPS)}, got {group!r}")
        judged = (
            human if isinstance(human, JudgementRecord) else _judgements_of(human, tuple(systems), size, scale or SCALE)
        )
        if (judged.systems, judged.size) != (tuple(systems), size):
            raise ValueError(
                f"human must be of {', '.join(systems)} and {size} segments, in this order, "
                f"got {', '.join(judged.systems)} and {judged.size}"
            )
        scale_names = [each.name for each in judged.scales]
        if scale and scale not in scale_names:
            raise ValueError(f"scale must be one of {', '.join(scale_names)}, got {scale!r}")
        if not scale_names or np.isnan(judged.ratings[scale or scale_names[0]]).all():
            raise ValueError("human must hold a rating of some output, got none")

        segments = [[*map(segment, its, references)] for its in systems.values()]
        chosen_keys = [*keys] or [*metrics.METRICS]
        tables = [score_table(metrics.METRICS[key], metrics.settings(key), segments) for key in chosen_keys]
        others = [each for each in external_columns(scores, judged.systems, size) if each.key not in chosen_keys]
        self.table = agreement_table([*map(metric_column, tables), *others], judged, scale or scale_names[0], group)
        lines = [[" ".join(words) for words in its] for its in systems.values()]
        self.marked = (
            _overlaps_by_metric(chosen_keys, segments, judged, lines, ~np.isnan(self.table.people))
            if judged.spans
            else {}
        )
        self._about = AgreementReportInfo(chosen_keys[0], metrics.METRICS[chosen_keys[0]].label, [])

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows: the best metric, the table of coefficients, and the marked words."""
        html = agreement_report.agreement_summary(self._about, self.table) + reasons.marked_table(
            self.table, self.marked
        )
        return cell_output_html(f'<div class="bitext">{html}</div>', agreement_report.RULES)


def _judgements_of(human: Numbers, systems: tuple[str, ...], size: int, scale: str) -> JudgementRecord:
    """Return ratings, one number or None for each output of each system, as the judgements of a single judge."""
    ratings = np.full((len(systems), size, 1), np.nan)
    for n, name in enumerate(systems):
        for at, value in enumerate(human.get(name, ())):
            ratings[n, at, 0] = np.nan if value is None else float(value)
    return JudgementRecord(systems, size, (scale,), (RatingScale(scale),), {scale: ratings})


def _overlaps_by_metric(
    keys: Sequence[str],
    segments: Sequence[Sequence[Segment]],
    judged: JudgementRecord,
    lines: Sequence[Sequence[str]],
    rated: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> dict[str, tuple[Overlap, ...]]:
    """Return, by metric, how much of what it finds wrong in the rated outputs lies in words that people marked.

    `lines` are the outputs of each system as text, in which the marks have their positions. `rated` says of each
    system and segment whether people rated the output."""
    marks = marked_words_by_output(judged, lines, TextSettings())
    each = {(int(n), int(at)): segments[n][at] for n, at in np.argwhere(rated)}
    return {
        key: overlap_by_fault(find_in_segments(metrics.METRICS[key], metrics.settings(key), each), marks, judged.size)
        for key in keys
    }
