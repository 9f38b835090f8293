"""The slips that can be made on TER."""

from __future__ import annotations

from ...alignment.edits import nearest
from ...formula import format_number
from ...teach.mistakes import RawSlips, of_edits, words
from ...types import Metric, Result, Shift


def slips(metric: Metric, result: Result) -> RawSlips:
    stats = result.stats
    shifts, m, edits = stats["shifts"], stats["reference_length"] or 1, result.parts["edits"]
    if shifts:
        yield (edits - shifts) / m, "Counted shifts as 0: a block that moves is one edit."
        moved = sum([len(mark.rows) for layer in result.layers for mark in layer.marks if isinstance(mark, Shift)])
        if moved > shifts:
            yield (edits - shifts + moved) / m, "Counted every word that moves: a whole block moves in one edit."
        k = result.decides["score"]
        reference = result.segment.references[k]
        errors = nearest(result.segment._replace(references=(reference,)))[1]
        yield errors / m, "That is without shifts, as WER counts: a block that moves is one edit."
    references = result.segment.references
    yield from of_edits(metric, result, shifts, m, mean=len(references) > 1)
    if len(references) > 1:
        yield from of_one_length(edits, len(references[result.decides["score"]]) or 1, m)


def of_one_length(edits: float, reference_length: int, m: float) -> RawSlips:
    yield (
        edits / reference_length,
        f"Divided by the {words(reference_length)} of one reference: TER divides by the mean of all, "
        f"{format_number(m)}.",
    )
