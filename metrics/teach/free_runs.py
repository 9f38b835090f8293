"""Finds the longest run of free words, which GTM and dcs take next; words are free until a run uses them."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import Hit, Run
from ..types.work import spend
from .asking import also, cell_name, no, right
from .records import AnswerVerdict
from .steps import FreeWords, count, phrase, word

#: The hint for a cell without a hit.
HIT = "There is no run of equal words here. Click a cell where equal words meet."


def longest_free_run(
    candidate: Sequence[str], reference: Sequence[str], k: int, free: FreeWords, cell: tuple[int, int]
) -> Run | None:
    """Return the longest run of free words through a cell, which is given as its row and column.

    `k` is the index of the reference, `free` the words that no run uses yet. Returns None if the cell is not a hit of
    free words.

    >>> from metrics.types import Segment
    >>> from metrics.teach.steps import all_free
    >>> longest_free_run("ab", "ab", 0, all_free(Segment(("a", "b"), (("a", "b"),))), (1, 1))
    Run(i=0, k=0, j=0, length=2)
    """

    def is_free(i: int, j: int) -> bool:
        inside = 0 <= i < len(candidate) and 0 <= j < len(reference) and candidate[i] == reference[j]
        return inside and i in free.candidate and j in free.references[k]

    i, j = cell
    if not is_free(i, j):
        return None
    back = ahead = 0
    while is_free(i - back - 1, j - back - 1):
        back += 1
    while is_free(i + ahead + 1, j + ahead + 1):
        ahead += 1
    spend(back + ahead)
    return Run(i - back, k, j - back, back + ahead + 1)


def next_run_verdicts(
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    free: FreeWords,
    taken_runs: Sequence[Run],
    run: Run,
    tie: str = "GTM takes the one that begins last.",
) -> dict[str, AnswerVerdict]:
    """Return the verdict on each hit as an answer to the question which run is taken next, by cell name.

    An answer is right if the run of free words through the hit is `run`, which the program takes next. Other runs of
    the same length are as good, and `tie` says why the program does not take them. `taken_runs` are already taken."""
    spend(len(candidate) * sum(map(len, references)) // 10 + 2 * sum([int(other.length) for other in taken_runs]))
    run_of_cell = {cell: other for other in taken_runs for cell in other.cells()}
    by_row = {cell.i: other for cell, other in run_of_cell.items()}
    by_column = {cell[1:]: other for cell, other in run_of_cell.items()}
    most = count(run.length, "word")
    verdicts: dict[str, AnswerVerdict] = {}
    for k, reference in enumerate(references):
        for i, ours in enumerate(candidate):
            for j, theirs in enumerate(reference):
                if ours != theirs:
                    continue
                cell = Hit(i, k, j)
                if cell in run_of_cell:
                    verdict = no(f"{word(ours)} is part of a run that is already taken.", run_of_cell[cell])
                elif i in by_row or (k, j) in by_column:
                    other = by_row.get(i) or by_column[k, j]
                    verdict = no(f"It shares {word(ours)} with a run that is already taken.", cell, other)
                else:
                    cell_run = longest_free_run(candidate, reference, k, free, (i, j))
                    assert cell_run is not None
                    verdict = _run_verdict(candidate, cell_run, run, most, tie)
                verdicts[cell_name(cell)] = verdict
    return verdicts


def _run_verdict(candidate: Sequence[str], cell_run: Run, run: Run, most: str, tie: str) -> AnswerVerdict:
    """Return the verdict on `cell_run`, the run of free words that a student chose; the program takes `run`.

    `most` is the length of `run` as a phrase; `tie` says why the program does not take another run of that length."""
    name = phrase(" ".join(candidate[cell_run.i : cell_run.i + int(cell_run.length)]), 24)
    if cell_run == run:
        return right(f"{name} is a longest run of free words: {most}.", run)
    if cell_run.length == run.length:
        return also(f"{name} is equally long: {most}. {tie}", cell_run, run)
    return no(f"{name} is shorter than a free run of {most}.", cell_run)
