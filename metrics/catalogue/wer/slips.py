"""List the slips that can be made on WER: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from ...teach.mistakes import RawSlips, count_common, edit_rate_slips, mean_length_slips
from ...types import Metric, Result


def slips(metric: Metric, result: Result) -> RawSlips:
    stats = result.stats
    s, i, d, m = (stats[k] for k in ("substitutions", "insertions", "deletions", "reference_length"))
    n, k = len(result.segment.candidate), result.decides["score"]
    yield from edit_rate_slips(metric, result, 0, m or 1)
    common = count_common(result.segment.candidate, result.segment.references[k])
    if max(n, m) - common != s + i + d:
        yield (max(n, m) - common) / (m or 1), "That is PER, which ignores word order."
    yield from mean_length_slips(result, s + i + d)
