"""List the slips that can be made on ROUGE-W: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from typing import Any

from ....teach.mistakes import RawSlips, reference_name
from ....types import Metric, Result, Run
from ..slips import f_of_counts, f_of_p_and_r, has_single_references, references_of_p_and_r, shared_slips


def slips(metric: Metric, result: Result) -> RawSlips:
    settings: Any = result.settings
    w, (candidate, references) = settings.weight, result.segment
    p, r = references_of_p_and_r(result)
    n, m = len(candidate), len(references[r])
    other = f"{reference_name(result.segment.references, r)}'s {m}" if result.decides else "the references' lengths"
    per = f"the candidate's {n} to the power of {w:g}", f"{other} to that power"
    if "candidate_total" not in result.stats or w == 1:
        yield from shared_slips(metric, result, per)
        return
    ours, theirs = result.stats["precision_match"], result.stats["recall_match"]
    totals = result.stats["candidate_total"], result.stats["reference_total"]
    yield f_of_counts(result, (ours, theirs), totals), f"Forgot the root: P and R are taken to the power of 1/{w:g}."
    if not has_single_references(result):
        yield from shared_slips(metric, result, per)
        return
    yield (
        f_of_counts(result, (ours, theirs), (n, m)),
        f"Divided by the lengths {n} and {m}, not by their powers, and took no root.",
    )
    rooted = f_of_p_and_r(result, (ours / n) ** (1 / w), (theirs / m) ** (1 / w)) if n and m else 0.0
    yield rooted, f"Divided by the lengths {n} and {m}, not by their powers of {w:g}."
    yield from shared_slips(metric, result, per)
    lcs = [
        sum([run.length for x in result.layers if x.k == k for run in x.marks if isinstance(run, Run)]) for k in (p, r)
    ]
    f = f_of_counts(result, lcs, (n, m))
    yield f, f"Counted the words of the sequence as one run, as ROUGE-L does: each run counts its own length to {w:g}."
