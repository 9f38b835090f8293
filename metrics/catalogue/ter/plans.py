"""Define the exercises on TER, and count the series of shifts that lead to equally few edits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from ...alignment.edits import ShortestScripts
from ...teach.mistakes import longest_run
from ...teach.optimal import deciding_references
from ...teach.plans import EDITS, ExercisePlan, Plans
from ...types import Result, Tokens
from .program import beam_script, trials


def _count_shift_choices(result: Result) -> tuple[int, bool]:
    """Return the number of ways to choose shifts and edits, and whether all need as many edits as the result.

    All references that are as near as the deciding one are included."""
    count, totals = 0, set[int]()
    settings: Any = result.settings
    for reference in deciding_references(result):
        for total, ways in shift_series(result.segment.candidate, reference, settings.max_shift_size):
            totals.add(total)
            count += ways
    return count, totals == {int(result.parts["edits"])}


def shift_series(candidate: Tokens, reference: Tokens, size: int) -> Iterator[tuple[int, int]]:
    """Yield (edits, number of shortest scripts after the shifts) for each series of best shifts.

    In a series each shift saves the most edits; blocks have at most `size` words.

    >>> list(shift_series(("b", "a"), ("a", "b"), 10))
    [(1, 1), (1, 1)]
    """
    distance = Levenshtein.distance(candidate, reference)
    moves: dict[tuple[int, ...], Tokens] = {}
    most = 0
    script = beam_script(candidate, reference, 25)
    longest = min(size, longest_run(candidate, reference))  # longer blocks do not occur in the reference
    for trial in trials(candidate, reference, script, longest, 50):
        saved = distance - Levenshtein.distance(trial.words, reference)
        if saved >= max(most, 1):
            moves = moves if saved == most else {}
            most = saved
            moves[trial.start, trial.length, trial.to] = tuple(trial.words)
    if not moves:
        yield distance, ShortestScripts(candidate, reference).count
        return
    for words in moves.values():
        for total, ways in shift_series(words, reference, size):
            yield total + 1, ways


PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"max_shift_size": 1})]),
    "ways to shift and edit",
    _count_shift_choices,
    shows=lambda result: result.stats["shifts"] > 0,
    part_questions=EDITS,
    rivals=False,
)
