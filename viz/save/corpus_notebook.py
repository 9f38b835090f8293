"""Show a comparison of two systems over many segments in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import metrics
from metrics.corpus.explanations.two_systems import TwoSystems
from metrics.corpus.table import score_table
from metrics.text import TextSettings
from metrics.types import reference_count, segment

from ..draw.pen.numbers import count_text
from ..draw.texts import texts_of
from . import corpus_findings, corpus_report
from .corpus_findings import CorpusReportRequest
from .corpus_report import CorpusCase, CorpusReportInfo
from .corpus_systems import SystemSelection
from .notebook import cell_output_html


class CorpusOutput:
    """A comparison of systems over the same segments, which a notebook shows as the corpus report does.

    It says which of the first two systems is better, and why, and has the scores of all systems and the segments
    that show the difference best. `systems` are the candidates of each system, by name or as a list. Raises
    ValueError for fewer than two, and if any system or `source` has another number of segments than `references`.
    Errors in settings and texts are those of `metrics.corpus_score`."""

    def __init__(
        self,
        key: str,
        systems: Mapping[str, Sequence[Sequence[str]]] | Sequence[Sequence[Sequence[str]]],
        references: Sequence[Sequence[Sequence[str]]],
        source: Sequence[str] | None = None,
        **given: Any,
    ) -> None:
        settings = metrics.settings(key, **given)
        named_systems = (
            dict(systems) if isinstance(systems, Mapping) else {_default_name(n): s for n, s in enumerate(systems)}
        )
        if len(named_systems) < 2:
            raise ValueError(f"systems must hold two systems or more, got {len(named_systems)}")
        counts = {**{f"system {name}": len(its) for name, its in named_systems.items()}, "references": len(references)}
        counts |= {"source": len(source)} if source is not None else {}
        if len({*counts.values()}) > 1 or not references:
            each = ", ".join([f"{what} has {count}" for what, count in counts.items()])
            raise ValueError(f"all must have the same segments, at least one, but {each}")
        self._segments = [[*map(segment, its, references)] for its in named_systems.values()]
        self._source, self._settings = source, settings
        scored = score_table(metrics.METRICS[key], settings, self._segments)
        number = reference_count([its.references for its in self._segments[0]])
        selection = SystemSelection([*named_systems], [scored], 0, TextSettings(), number, (), False)
        a, b = [*named_systems][:2]
        two_systems = TwoSystems((a, b), *self._segments[:2])
        self.found = corpus_findings.collect_findings(
            CorpusReportRequest(selection, 1, key, two_systems, np.arange(len(references)), {})
        )
        size = f"{count_text(len(references), 'segment')}, {count_text(len(named_systems), 'system')}."
        self._about = CorpusReportInfo([*named_systems], 0, 1, key, [size])

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return cell_output_html(corpus_report.output_html(self._about, self.found, self._case), corpus_report.RULES)

    def _case(self, number: int) -> CorpusCase:
        """Return the segment with the index `number`, with the texts and outputs of the first two systems."""
        a, b = (its[number] for its in self._segments[:2])
        source = self._source[number] if self._source is not None else ""
        plain = " ".join(a.candidate), " ".join(b.candidate)
        return CorpusCase(number, "", (texts_of(a, source), texts_of(b, source)), plain, self._settings)


def _default_name(number: int) -> str:
    """Return the default name of a system by its index: A to Z, then A1 to Z1 and so on."""
    round_, at = divmod(number, 26)
    return f"{chr(ord('A') + at)}{round_ or ''}"
