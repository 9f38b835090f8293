"""What exercises of TER are made of, and in how many ways shifts can save as much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from ...alignment.edits import ShortestScripts
from ...teach.mistakes import longest_run
from ...teach.optimal import deciding
from ...teach.plans import EDITS, ExercisePlan, Plans
from ...types import Result, Tokens
from .program import beam_script, trials


def _of_shifts(result: Result) -> tuple[int, bool]:
    """The ways of every reference that is as near as the one that decides; all must need as many edits."""
    count, totals = 0, set[int]()
    settings: Any = result.settings
    for reference in deciding(result):
        for total, ways in shifted(result.segment.candidate, reference, settings.max_shift_size):
            totals.add(total)
            count += ways
    return count, totals == {int(result.parts["edits"])}


def shifted(candidate: Tokens, reference: Tokens, size: int) -> Iterator[tuple[int, int]]:
    """Edits and numbers of shortest scripts, for every series of shifts each of which saves most of all.

    >>> list(shifted(("b", "a"), ("a", "b"), 10))
    [(1, 1), (1, 1)]
    """
    distance = Levenshtein.distance(candidate, reference)
    moves: dict[tuple[int, ...], Tokens] = {}
    most = 0
    script = beam_script(candidate, reference, 25)
    longest = min(size, longest_run(candidate, reference))  # no longer block equals words of the reference
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
        for total, ways in shifted(words, reference, size):
            yield total + 1, ways


PLANS = Plans(
    ([ExercisePlan({})], [ExercisePlan({})], [ExercisePlan({}, 2), ExercisePlan({"max_shift_size": 1})]),
    "ways to shift and edit",
    _of_shifts,
    shows=lambda result: result.stats["shifts"] > 0,
    part_questions=EDITS,
    rivals=False,
)
