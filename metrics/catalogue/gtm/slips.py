"""List the slips that can be made on GTM: wrong numbers, each with the sentence that names the mistake."""

from __future__ import annotations

import math
from typing import Any

from ...formula import format_number
from ...teach.mistakes import RawSlips, count_of_words, divide_or_zero, f_slips, mean_length_phrase
from ...types import Metric, Result, Run, f_measure


def slips(metric: Metric, result: Result) -> RawSlips:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    n, m, power, e = stats["candidate_length"], stats["reference_length"], stats["match_power"], settings.exponent
    lengths = [mark.length for mark in result.layers[0].marks if isinstance(mark, Run)]

    def f(size: float, m: float = m) -> float:
        return f_measure(divide_or_zero(size, n), divide_or_zero(size, m))

    if e != 1:
        root = f"{format_number(power)} to the power of 1/{e:g}"
        yield f(power), f"Forgot the root: the matching has the size {root}, not {format_number(power)}."
        yield f(sum(lengths)), f"Forgot the exponent: a run of length l counts l to the power of {e:g}, not l."
    candidate, references = result.segment
    theirs = mean_length_phrase(references, m) if len(references) > 1 else format_number(m)
    yield from f_slips(parts["precision"], parts["recall"], (f"the {count_of_words(n)} of the candidate", theirs))
    if len(lengths) > 1:
        yield f(max(lengths)), "Counted only the longest run: all runs of the matching add up."
    if (cut := result.layers[0].cut) and power:
        whole = math.fsum([length**e for length in [*lengths[:-1], cut.length]]) ** (1 / e)
        yield f(whole), "Forgot the cap: at most the smaller of the candidate's and the references' mean length counts."
    if len(references) > 1:
        total = sum(map(len, references))
        yield (
            f(parts["match_size"], total),
            f"Divided by all {total} words of the references: R divides by their mean length.",
        )
    hits = sum([reference.count(word) for word in candidate for reference in references])
    if hits > sum(lengths):
        yield f(hits ** (1 / e)), f"Counted all {hits} hits: a word is used only once."
