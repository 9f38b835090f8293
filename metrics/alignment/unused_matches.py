"""Reasons why a match is not used in a result: a mark that already uses one of its words, or a path that it crosses.

Each metric decides in its `Metric.why_not` which of these reasons apply to its matches.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from ..types import Deferred, Edit, Hit, Layer, Result, Run, UnusedMatchReason
from ..types.work import spend

#: The reason for a match in another reference than the one that decides the score.
ELSEWHERE = UnusedMatchReason("the score comes from another reference")


class UsedWords:
    """An index of the words that the marks of a result match: for each word the longest mark that uses it."""

    def __init__(
        self, result: Result, layers: Iterable[Layer] | None = None, noun: str = "", runs: bool = True
    ) -> None:
        """Index the marks of the given layers, or of all layers if `layers` is None.

        `noun` names a mark in the reasons; if it is empty, each layer's own noun is used. `runs` says whether the
        metric rewards runs, so that a longer run is a reason.
        """
        self.segment, self._runs = result.segment, runs
        self.rows: dict[int, tuple[Hit, Run, str]] = {}
        self.columns: dict[tuple[int, int], tuple[Hit, Run, str]] = {}
        steps = 0
        for layer in result.layers if layers is None else layers:
            # Deferred marks are pairs of words, up to millions, which do not use up a word.
            for mark in () if isinstance(layer.marks, Deferred) else layer.marks:
                run = as_run(mark)
                if run is None:
                    continue
                steps += 1 + int(run.length)
                for cell in run.cells():
                    entry = cell, run, noun or layer.noun
                    if cell.i not in self.rows or self.rows[cell.i][1].length < run.length:
                        self.rows[cell.i] = entry
                    if (cell.k, cell.j) not in self.columns or self.columns[cell.k, cell.j][1].length < run.length:
                        self.columns[cell.k, cell.j] = entry
        spend(steps)

    def reason_against(self, hit: Hit) -> UnusedMatchReason | None:
        """Return the reason why a hit is unused: the longer of the marks that use its candidate or reference word.

        None if no mark uses either word.
        """
        spend(3)
        row, column = self.rows.get(hit.i), self.columns.get((hit.k, hit.j))
        if row is None and column is None:
            return None
        ours = column is None or (row is not None and row[1].length >= column[1].length)
        entry = row if ours else column
        assert entry
        cell, run, noun = entry
        where = f", R{cell.k + 1}" if len(self.segment.references) > 1 else ""
        if run.length > 1 and self._runs:
            through, place = self.maximal_run_through(hit), f"at {run.i + 1} × {run.j + 1}{where}"
            longer = "longer " if run.length > through.length else ""
            # Otherwise the reason would deny that the match is in words that it is in.
            if _is_covered(run, through, ours):
                return UnusedMatchReason(f"the same {noun} is used {place}:", run)
            return UnusedMatchReason(f"the word is in the {longer}{noun} {place}:", run)
        whose = "candidate" if ours else "reference"
        return UnusedMatchReason(f"the {whose}'s word is used at {cell.i + 1} × {cell.j + 1}{where}")

    def maximal_run_through(self, hit: Hit) -> Run:
        """Return the maximal run of equal words through a hit, whether used or not."""
        candidate, reference = self.segment.candidate, self.segment.references[hit.k]
        back = ahead = 0
        while min(hit.i, hit.j) > back and candidate[hit.i - back - 1] == reference[hit.j - back - 1]:
            back += 1
        while (
            hit.i + ahead + 1 < len(candidate)
            and hit.j + ahead + 1 < len(reference)
            and candidate[hit.i + ahead + 1] == reference[hit.j + ahead + 1]
        ):
            ahead += 1
        spend((back + ahead) // 2)
        return Run(hit.i - back, hit.k, hit.j - back, back + 1 + ahead)


def _is_covered(run: Run, other: Run, in_candidate: bool) -> bool:
    """Return whether `other` covers all positions of `run`.

    The positions are those in the candidate if `in_candidate`, else those in the reference.
    """
    start, other_start = (run.i, other.i) if in_candidate else (run.j, other.j)
    return other_start <= start and start + run.length <= other_start + other.length


def as_run(mark: object) -> Run | None:
    """Return a hit, a run or a matching edit as a run, or None for any other mark."""
    if isinstance(mark, Run):
        return mark
    if isinstance(mark, Hit):
        return Run(*mark, 1)
    if isinstance(mark, Edit) and mark.op == "match":
        return Run(mark.i_start, mark.k, mark.j_start, mark.i_end - mark.i_start)
    return None


class AscendingPath:
    """A path, such as an LCS: cells that ascend in the candidate and in one reference, with the hits that cross it."""

    def __init__(self, cells: Iterable[Hit]) -> None:
        """Sort the cells of the path."""
        self.cells = sorted(cells)
        self._rows = [cell.i for cell in self.cells]

    def reason_against(self, hit: Hit) -> UnusedMatchReason | None:
        """Return the reason that a hit crosses this path, with the nearest cell that it crosses, or None.

        A hit crosses a cell if it is earlier in one sentence and later in the other.
        """
        before, after = bisect_left(self._rows, hit.i) - 1, bisect_right(self._rows, hit.i)
        if before >= 0 and self.cells[before].j > hit.j:
            return UnusedMatchReason("crosses the path at", self.cells[before])
        if after < len(self.cells) and self.cells[after].j < hit.j:
            return UnusedMatchReason("crosses the path at", self.cells[after])
        return None


def reason_by_reference(
    result: Result, reason_finder: Callable[[Result, Sequence[Layer]], Callable[[Hit], UnusedMatchReason | None]]
) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is unused, for a metric whose score comes from some references only.

    A hit in a reference without layers has the reason ELSEWHERE. For any other hit, `reason_finder` gets the result and
    the layers of the hit's reference, and returns the function that finds the reason.
    """
    finders: dict[int, Callable[[Hit], UnusedMatchReason | None]] = {}

    def find_reason(hit: Hit) -> UnusedMatchReason | None:
        """Return the reason why the hit is not used."""
        if hit.k not in finders:
            layers = [layer for layer in result.layers if layer.k == hit.k]
            finders[hit.k] = reason_finder(result, layers) if layers else lambda _: ELSEWHERE
        return finders[hit.k](hit)

    return find_reason


def used_word_finder(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is unused: by a mark that uses one of its words.

    It is the longest such mark in the given layers.
    """
    return UsedWords(result, layers).reason_against


def clipped_reason_finder(result: Result) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is unused, for n-gram metrics that pool all references.

    The reason is the longest n-gram that uses a word of the hit. If no n-gram uses the candidate word, it is
    clipped.
    """
    used = UsedWords(result)
    candidate, references = result.segment

    def find_reason(hit: Hit) -> UnusedMatchReason | None:
        """Return the reason why the hit is not used."""
        if hit.i in used.rows:
            return used.reason_against(hit)
        word = candidate[hit.i]
        spend(2 + (len(candidate) + sum(map(len, references))) // 50)
        most = max([reference.count(word) for reference in references])
        return UnusedMatchReason(f"clipped: the word counts only {most} of {candidate.count(word)} times")

    return find_reason


def off_script_reason_finder(result: Result, layers: Sequence[Layer]) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not used by an edit script, whose edits are the marks of `layers`.

    The reason is a match of the script that uses a word of the hit, or else the edit of the candidate word.
    """
    used = UsedWords(result, layers, runs=False)
    wrong: dict[int, UnusedMatchReason] = {}
    for layer in layers:
        for mark in layer.marks:
            if not isinstance(mark, Edit):
                continue
            for d in range(mark.i_end - mark.i_start):
                i, j = mark.i_start + d, mark.j_start + d
                if mark.op == "insertion":
                    wrong[i] = UnusedMatchReason("the candidate's word counts as extra")
                elif mark.op == "substitution":
                    word = Edit("substitution", i, i + 1, mark.k, j, j + 1)
                    wrong[i] = UnusedMatchReason("the candidate's word counts as substituted:", word)
    return lambda hit: used.reason_against(hit) or wrong.get(hit.i)


def off_path_reason_finder(
    result: Result, layers: Sequence[Layer], runs: bool = True
) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not on the path that the cells of `layers` form.

    The reason is the mark that uses a word of the hit, or else the cell of the path that the hit crosses. `runs` says
    whether the metric rewards runs, so that a longer run is a reason.
    """
    used = UsedWords(result, layers, runs=runs)
    path = AscendingPath({cell for layer in layers for cell in layer.cells()})
    return lambda hit: used.reason_against(hit) or path.reason_against(hit)
