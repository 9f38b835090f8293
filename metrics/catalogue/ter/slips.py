"""List the slips that can be made on TER: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

from ...alignment.edits import nearest_reference
from ...formula import format_number
from ...teach.mistakes import RawSlips, count_of_words, edit_rate_slips
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
        errors = nearest_reference(result.segment._replace(references=(reference,)))[1]
        yield errors / m, "That is without shifts, as WER counts: a block that moves is one edit."
    references = result.segment.references
    yield from edit_rate_slips(metric, result, shifts, m, mean=len(references) > 1)
    if len(references) > 1:
        yield from one_length_slip(edits, len(references[result.decides["score"]]) or 1, m)


def one_length_slip(edits: float, reference_length: int, m: float) -> RawSlips:
    """Yield the rate that comes from dividing by one reference's length instead of the mean, with an explanation.

    `m` is the mean length of the references."""
    yield (
        edits / reference_length,
        f"Divided by the {count_of_words(reference_length)} of one reference: TER divides by the mean of all, "
        f"{format_number(m)}.",
    )
