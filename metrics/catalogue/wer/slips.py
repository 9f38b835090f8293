"""The slips that can be made on WER."""

from __future__ import annotations

from ...teach.mistakes import RawSlips, in_common, of_edits, of_mean_length
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats = result.stats
    s, i, d, m = (stats[k] for k in ("substitutions", "insertions", "deletions", "reference_length"))
    n, k = len(result.segment.candidate), result.decides["score"]
    yield from of_edits(metric, result, 0, m or 1)
    common = in_common(result.segment.candidate, result.segment.references[k])
    if max(n, m) - common != s + i + d:
        yield (max(n, m) - common) / (m or 1), "That is PER, which does not ask for the order."
    yield from of_mean_length(result, s + i + d)
