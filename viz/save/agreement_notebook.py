"""What a notebook shows of how well metrics agree with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import metrics
from metrics.corpus.agreement import agree, of_table
from metrics.corpus.table import table
from metrics.text.judgements import Judged, Scale
from metrics.types import segment

from . import agreement_report
from .agreement_report import About
from .notebook import output


class Agreement:
    """Metrics beside people's ratings, which a notebook shows as a report does.

    ValueError where a system has not as many segments as there are references, for ratings of a system that is not
    given or of another number of segments, and where nothing is rated; for a metric that is none a KeyError.
    """

    def __init__(
        self,
        systems: Mapping[str, Sequence[Sequence[str]]],
        references: Sequence[Sequence[Sequence[str]]],
        human: Mapping[str, Sequence[float | None]],
        keys: Sequence[str],
        scale: str,
    ) -> None:
        size = len(references)
        for what, each in (("candidates", systems), ("ratings", human)):
            for name, its in each.items():
                if name not in systems:
                    raise ValueError(f"ratings must be of systems that are given, got {name!r}")
                if len(its) != size:
                    raise ValueError(f"{what} of {name} must be {size}, one a segment, got {len(its)}")
        ratings = np.full((len(systems), size, 1), np.nan)
        for n, name in enumerate(systems):
            for at, value in enumerate(human.get(name, ())):
                ratings[n, at, 0] = np.nan if value is None else float(value)
        if np.isnan(ratings).all():
            raise ValueError("human must hold a rating of some output, got none")
        judged = Judged(tuple(systems), size, (scale,), (Scale(scale),), {scale: ratings})
        segments = [[*map(segment, its, references)] for its in systems.values()]
        wanted = [*keys] or [*metrics.METRICS]
        tables = [table(metrics.METRICS[key], metrics.settings(key), segments) for key in wanted]
        self.table = agree([*map(of_table, tables)], judged)
        self._about = About(wanted[0], metrics.METRICS[wanted[0]].label, [])

    def _repr_html_(self) -> str:
        shown = agreement_report.top(self._about, self.table)
        return output(f'<div class="bitext">{shown}</div>', agreement_report.RULES)
