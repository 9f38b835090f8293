"""Run TER step by step: shifts, and edit scripts within a beam, by TERCOM's procedure as implemented in sacreBLEU.

The program fills its tables cell by cell and tries each shift."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ...teach.empty_texts import wordless
from ...teach.steps import (
    Decision,
    GrowingTable,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    TableCell,
    beginning,
    choose_reference,
    count,
    number,
    of_reference,
    phrase,
    same_cells,
    word,
)
from ...types import Edit, Mark, Result, Segment, Shift
from ...types.work import spend

Words = Sequence[str]


def beam_script(candidate: Words, reference: Words, width: int) -> str:
    """Return the shortest script inside the beam as letters: m(atch), s(ubstitution), i (extra word), d (missing word).

    >>> beam_script("abx", "ab", 20)
    'mmi'
    """
    return script_of(beam_cells(candidate, reference, width), candidate, reference)


def script_of(cells: Iterable[TableCell], candidate: Words, reference: Words) -> str:
    """Return the letters of the script along the way back through a table.

    >>> script_of(beam_cells("abx", "ab", 20), "abx", "ab")
    'mmi'
    """
    table = {(cell.row, cell.column): cell.came for cell in cells}
    steps, i, j = "", len(candidate), len(reference)
    while i or j:
        ((a, b),) = table[i, j]
        if a == i:
            step = "d"
        elif b == j:
            step = "i"
        else:
            step = "m" if candidate[a] == reference[b] else "s"
        steps, i, j = step + steps, a, b
    return steps


def beam_rows(candidate: Words, reference: Words, width: int) -> Iterator[list[float]]:
    """Yield the table of edit distances row by row, infinite outside the beam.

    >>> [*beam_rows("ab", "a", 20)]
    [[0, 1], [1, 0], [2, 1]]
    """
    n, m = len(candidate), len(reference)
    slope = m / n if n else 1
    if width < slope / 2:
        width = math.ceil(slope / 2 + width)
    above: list[float] = list(range(m + 1))
    yield above
    for i, x in enumerate(candidate, 1):
        middle = math.floor(i * slope)
        row = [math.inf] * (m + 1)
        columns = range(max(0, middle - width), m + 1 if i == n else min(m + 1, middle + width))
        spend(1 + len(columns) // 2 + m // 100)
        for j in columns:
            row[j] = above[j] + 1
            if j:
                row[j] = min(above[j - 1] + (x != reference[j - 1]), row[j], row[j - 1] + 1)
        yield row
        above = row


def beam_edits(candidate: Words, reference: Words, width: int) -> int:
    """Return how many edits the shortest script inside the beam has.

    >>> beam_edits("abx", "ab", 20)
    1
    """
    *_, last = beam_rows(candidate, reference, width)
    return int(last[-1])


def beam_cells(candidate: Words, reference: Words, width: int) -> Iterator[TableCell]:
    """Yield the cells of the table inside the beam, row by row.

    Each came from the diagonal cell if that is best, else from above, else from the left.

    >>> [(cell.value, cell.came) for cell in beam_cells("a", "a", 20)][-1]
    (0, ((0, 0),))
    """
    above: list[float] = []
    for i, row in enumerate(beam_rows(candidate, reference, width)):
        spend(len(row) // 8)
        for j, value in enumerate(row):
            if value == math.inf:
                continue
            if i and j and value == above[j - 1] + (candidate[i - 1] != reference[j - 1]):
                yield TableCell(i, j, value, ((i - 1, j - 1),))
            elif i and value == above[j] + 1:
                yield TableCell(i, j, value, ((i - 1, j),))
            else:
                yield TableCell(i, j, value, ((i, j - 1),) if j else ())
        above = row


class Trial(NamedTuple):
    """A shift that may be made: a block of `length` words moves from `start` to another place.

    Attributes:
        j: where the reference has the same words.
        place: where the block goes, counted in the sentence as it is.
        to: where the block goes, counted without the block.
        words: the sentence after the shift."""

    start: int
    length: int
    j: int
    place: int
    to: int
    words: list[str]


def trials(words: Sequence[str], reference: Words, script: str, size: int, distance: int) -> Iterator[Trial]:
    """Yield the shifts to be tried if the words have this script, by start, then by `j`, by length and by place.

    >>> [(trial.start, trial.length, trial.to) for trial in trials("ba", "ab", "ss", 10, 50)]
    [(0, 1, 1), (0, 1, 1), (1, 1, 0), (1, 1, 1)]
    """
    n, m = len(words), len(reference)
    partner: list[int] = []
    wrong, missed, i, j = [False] * n, [False] * m, 0, 0
    for step in script:
        if step != "d":
            wrong[i] = step != "m"
            i += 1
        if step != "i":
            missed[j] = step != "m"
            partner.append(i - 1)
            j += 1
    for start in range(n):
        spend(m // 10)
        for j in range(m):
            if abs(start - j) > distance:
                continue
            for length in range(1, min(size, n - start, m - j) + 1):
                block = list(words[start : start + length])
                if block != list(reference[j : j + length]):
                    break  # longer blocks differ too
                spend(1 + length // 20)
                if not any(wrong[start : start + length]):
                    continue
                if not any(missed[j : j + length]) or start <= partner[j] < start + length:
                    continue
                places = [partner[t] + 1 if t >= 0 else 0 for t in range(j - 1, j + length)]
                for place in dict.fromkeys(places):
                    spend(1 + n // 50)
                    rest = [*words[:start], *words[start + length :]]
                    to = min(place - length if place > start + length else place, n - length)
                    yield Trial(start, length, j, place, to, rest[:to] + block + rest[to:])


def edits_of(script: str) -> int:
    """Return how many edits a script has."""
    return sum(step != "m" for step in script)


def shifts_and_script(
    candidate: Words, reference: Words, size: int, distance: int, width: int, most: int
) -> tuple[list[tuple[int, int, int]], str]:
    """Return the shifts of the greedy search as (start, length, place), and the letters of the final script.

    Blocks have at most `size` words and move at most `distance` places; `width` is that of the beam. The search ends
    after `most` shifts were tried.

    >>> shifts_and_script("bca", "abc", 10, 50, 25, 1000)
    ([(2, 1, 0)], 'mmm')
    """
    words, tried = list(candidate), 0
    shifts: list[tuple[int, int, int]] = []
    while True:
        script = beam_script(words, reference, width)
        best: tuple[int, int, int, int, list[str]] = (0, 0, 0, 0, words)
        for trial in trials(words, reference, script, size, distance):
            gain = edits_of(script) - beam_edits(trial.words, reference, width)
            tried += 1
            best = max(best, (gain, trial.length, -trial.start, -trial.place, trial.words))
        gain, length, start, place, order = best
        if tried >= most or gain <= 0:
            return shifts, script
        words = order
        shifts.append((-start, length, -place))


# ---------------------------------------------------------------- step by step

#: Reasons why a shift is not made.
NO_GAIN = "saves no edit"
LESS = "another one saves more, or is longer, or stands further left"


def code(settings: Any) -> PseudoCode:
    return PseudoCode(
        cell="d(i, j) ← min(d(i−1, j−1) + [xᵢ ≠ yⱼ], d(i−1, j) + 1, d(i, j−1) + 1)",
        script="script ← the way back from d(n, m), within the beam:  ↖, then ↑, then ←",
        trial="each block of x that is also in y, with an error in both:",
        better="    try it beside each of those words:  the most edits saved,",
        ties="    then the longest block, the leftmost, the leftmost place",
        take="make that shift, count 1 edit, and start again",
        stop=f"until none saves an edit, or {settings.max_candidates:,} were tried",
        best="keep the reference of the fewest edits",
        back="its script:  ↖ a hit or a substitution,  ↑ an extra word,  ← a missing one",
        score="TER ← (shifts + S + I + D) / mean m",
    )


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps: each reference's tables and shifts, the choice of the best reference, and its edits."""
    comparisons = [_TracedComparison(segment, settings, k) for k in range(len(segment.references))]
    for k, one in enumerate(comparisons):
        one.before = min([other.total() for other in comparisons[:k]], default=None)
        yield from beginning(one.shift_steps(), {"m": one.mean or math.nan, "shifts": 0})
    k, text, all_marks, others, decision = choose_reference(
        [one.total() for one in comparisons], [one.taken for one in comparisons], "needs the fewest edits", min
    )
    if decision:
        table = comparisons[k].sheet.snapshot()
        yield comparisons[k].step(text, "best", considered=all_marks, rejected=others, decision=decision, table=table)
    shifts = comparisons[k].shifts
    yield from beginning(comparisons[k].edit_steps(score), {"shifts": shifts, "S": 0, "I": 0, "D": 0})


class _TracedComparison:
    """The comparison of the candidate with reference `k`, while its steps are made.

    Attributes:
        order: positions of the candidate's words in their order after the shifts so far.
        left: how many edits this order needs, None if not counted yet.
        before: the fewest edits of the earlier references, None if there are none.
        sheet: the newest table."""

    def __init__(self, segment: Segment, settings: Any, k: int) -> None:
        self.segment, self.settings, self.k, self.lines = segment, settings, k, code(settings)
        self.reference = segment.references[k]
        self.order = list(range(len(segment.candidate)))
        self.words = list(segment.candidate)
        self.script = ""
        self.left: int | None = None
        self.before: int | None = None
        self.sheet = GrowingTable("edits", len(self.order) + 1, len(self.reference) + 1, k)
        self.taken: list[Mark] = []
        self.shifts = 0  # how many of the marks taken are shifts
        self.mean = sum(map(len, segment.references)) / len(segment.references)
        self.of = of_reference(k, segment)

    def total(self) -> int:
        """Return the number of shifts and edits so far."""
        return self.shifts + (self.left or 0)

    def step(self, text: str, line: str, **more: Any) -> ProgramStep:
        edits = self.before if self.left is None else self.total()
        score = None if edits is None else edits / (self.mean or 1)
        return ProgramStep(text, self.lines[line], taken_marks=Prefix(self.taken), score=score, **more)

    def table_steps(self) -> Iterator[ProgramStep]:
        """Yield the steps that fill the table for the present order, row by row, and store its script.

        The rows of the table are in the candidate's first order, and each came from the word before it in the present
        order."""
        n, m = len(self.words), len(self.reference)
        rows, cells = [0, *[i + 1 for i in self.order]], list[TableCell]()
        self.sheet = sheet = GrowingTable("edits", n + 1, m + 1, self.k)
        new_cells = beam_cells(self.words, self.reference, self.settings.beam_width)
        for i, row in groupby(new_cells, key=lambda cell: cell.row):
            row_cells = [*row]
            cells += row_cells
            for _, j, value, came in row_cells:
                sheet.fill(TableCell(rows[i], j, value, tuple([(rows[a], b) for a, b in came])))
            spend(5 * len(row_cells))
            name = f"Row of {word(self.words[i - 1])}" if i else "The first row"
            against = f" against{self.of[3:]}" if self.of else ""
            least, last = number(min(cell.value for cell in row_cells)), number(row_cells[-1].value)
            text = f"{name}{against}: {least} at the least, {last} at its end."
            yield self.step(text, "cell", table=sheet.snapshot((rows[i], row_cells[-1].column)))
        self.script = script_of(cells, self.words, self.reference)
        self.left = edits_of(self.script)

    def shift_steps(self) -> Iterator[ProgramStep]:
        settings, tried = self.settings, 0
        while True:
            yield from self.table_steps()
            wrong = [edit for edit in self.edits() if edit.op != "match"]
            after_shifts = f"after {count(len(self.taken), 'shift')}" if self.taken else "without a shift"
            text = f"The script{self.of} has {count(len(wrong), 'edit')} {after_shifts}."
            yield self.step(text, "script", considered=wrong, table=self.sheet.snapshot(self.end()))
            best: tuple[tuple[int, int, int, int], Trial] | None = None
            offered: list[Mark] = []
            for trial in trials(
                self.words, self.reference, self.script, settings.max_shift_size, settings.max_shift_distance
            ):
                gain = len(wrong) - beam_edits(trial.words, self.reference, settings.beam_width)
                worth = gain, trial.length, -trial.start, -trial.place
                tried += 1
                better = gain > 0 and (not best or worth > best[0])
                best = (worth, trial) if better else best
                offered += [self.shift(trial)] if gain > 0 else []
                yield self._trial_step(trial, len(wrong) - gain, better, gain > 0)
                if tried >= settings.max_candidates:
                    break
            if tried >= settings.max_candidates or not best:
                none = f"{count(tried, 'shift')} tried: the search ends here"
                text = f"{none}." if tried >= settings.max_candidates else f"No shift{self.of} saves an edit."
                yield self.step(text, "stop", table=self.sheet.snapshot())
                return
            yield self._shift_step(*best, tuple(dict.fromkeys(offered)))

    def end(self) -> tuple[int, int]:
        """Return the last cell of the table."""
        return (self.order[-1] + 1 if self.order else 0), len(self.reference)

    def shift(self, trial: Trial) -> Shift:
        start, end = trial.start, trial.start + trial.length
        return Shift(start, end, trial.to, self.k, trial.j, tuple(self.order[start:end]))

    def _trial_step(self, trial: Trial, after: int, better: bool, saves: bool) -> ProgramStep:
        shift = self.shift(trial)
        edits_left = f"{count(after, 'edit')}{', the best so far' if better else ''}"
        return self.step(
            f"{_quote_block(trial)} from place {trial.start + 1} to {trial.to + 1} would leave {edits_left}.",
            "trial",
            considered=(shift,),
            rejected=() if better else (Rejected(shift, LESS if saves else NO_GAIN),),
            table=self.sheet.snapshot(),
        )

    def _shift_step(self, worth: tuple[int, int, int, int], trial: Trial, offered: tuple[Mark, ...]) -> ProgramStep:
        shift = self.shift(trial)
        self.taken.append(shift)
        self.shifts += 1
        self.order, self.words = shift.apply(self.order), trial.words
        self.left = (self.left or 0) - worth[0]
        others = tuple([Rejected(mark, LESS) for mark in offered if mark != shift])
        return self.step(
            f"{_quote_block(trial)} goes to place {trial.to + 1}: 1 edit for {worth[0]} that it saves.",
            "take",
            considered=(shift,),
            known_values={"shifts": len(self.taken)},
            rejected=others,
            decision=Decision("shift", offered) if others else None,
        )

    def edits(self) -> list[Edit]:
        """Return the script's edits in order, with the original positions of the candidate's words.

        A missing word is placed after the word that it follows."""
        out, t, j, behind = [], 0, 0, 0
        for letter in self.script:
            if letter == "d":
                out.append(Edit("deletion", behind, behind, self.k, j, j + 1))
                j += 1
                continue
            i = self.order[t]
            t, behind = t + 1, i + 1
            if letter == "i":
                out.append(Edit("insertion", i, behind, self.k, j, j))
            else:
                out.append(Edit("match" if letter == "m" else "substitution", i, behind, self.k, j, j + 1))
                j += 1
        return out

    def edit_steps(self, score: Callable[[], Result]) -> Iterator[ProgramStep]:
        """Yield the steps of the last script's edits, from the last to the first, and of the score."""
        sheet, at, kinds = self.sheet, self.end(), Counter[str]()
        for edit in reversed(self.edits()):
            before = sheet[at].came[0]
            self.taken.append(edit)
            kinds[edit.op] += 1
            known_numbers = {"S": kinds["substitution"], "I": kinds["insertion"], "D": kinds["deletion"]}
            yield self.step(
                self._edit_text(edit), "back", considered=(edit,), table=sheet.snapshot(at), known_values=known_numbers
            )
            at = before
        result = score()
        s, i, d = (kinds[op] for op in ("substitution", "insertion", "deletion"))
        below = self.mean or 1
        text = f"({self.shifts} + {s} + {i} + {d}) / {number(below)} = {number(self.total() / below)}"
        if why := wordless(self.segment, self.k):
            text += f": {why}{'' if self.mean else ', which count as one'}"
        elif not same_cells(self.taken, result):
            text += "; the result has other edits, as many"
        yield self.step(
            f"{text}.",
            "score",
            table=sheet.snapshot(self.end()),
            result=result,
            known_values={"TER": self.total() / below},
        )

    def _edit_text(self, edit: Edit) -> str:
        ours = word(self.segment.candidate[edit.i_start]) if edit.i_start < edit.i_end else ""
        theirs = word(self.reference[edit.j_start]) if edit.j_start < edit.j_end else ""
        if edit.op == "match":
            return f"{ours} is a hit and costs nothing."
        if edit.op == "substitution":
            return f"{ours} stands for {theirs}: 1 edit."
        return f"{ours} is too much: 1 edit." if ours else f"{theirs} is missing: 1 edit."


def _quote_block(trial: Trial) -> str:
    return phrase(" ".join(trial.words[trial.to : trial.to + trial.length]), 24)


PROGRAM = Program(code, steps)
