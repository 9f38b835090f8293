"""Run TER step by step as sacreBLEU, which follows TERCOM, implements it.

The program fills the tables of edit distance cell by cell, within a beam around the diagonal, and tries each shift."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    Decision,
    GrowingTable,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    TableCell,
    add_known_values,
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
    """Return the letters of the shortest edit script inside a beam of `width` words on each side of the diagonal.

    They are m (match), s (substitution), i (extra word) and d (missing word).

    >>> beam_script("abx", "ab", 20)
    'mmi'
    """
    return script_letters(beam_cells(candidate, reference, width), candidate, reference)


def script_letters(cells: Iterable[TableCell], candidate: Words, reference: Words) -> str:
    """Return the letters of the edit script that the way back through a table of edit distances gives.

    They are m (match), s (substitution), i (extra word) and d (missing word).

    >>> script_letters(beam_cells("abx", "ab", 20), "abx", "ab")
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
    """Yield the table of edit distances row by row; it is infinite outside the beam of `width` words.

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
    """Return how many edits the shortest edit script inside the beam of `width` words has.

    >>> beam_edits("abx", "ab", 20)
    1
    """
    *_, last = beam_rows(candidate, reference, width)
    return int(last[-1])


def beam_cells(candidate: Words, reference: Words, width: int) -> Iterator[TableCell]:
    """Yield the cells of the table of edit distances that are inside the beam of `width` words, row by row.

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
    """A shift that the search tries: the block of `length` words that begins at `start` moves.

    Attributes:
        j: the position in the reference where the words of the block occur.
        place: the position where the block goes, counted in the sentence before the shift.
        to: the position where the block goes, counted in the sentence without the block.
        words: the sentence after the shift."""

    start: int
    length: int
    j: int
    place: int
    to: int
    words: list[str]


def trials(words: Sequence[str], reference: Words, script: str, size: int, distance: int) -> Iterator[Trial]:
    """Yield the shifts to try for a sentence with this edit script, by start, then by `j`, by length and by place.

    `script` has the letters m, s, i and d. A block has at most `size` words and occurs at most `distance` positions
    away in the reference.

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


def count_edits(script: str) -> int:
    """Return how many edits a script has: its letters other than "m"."""
    return sum(step != "m" for step in script)


def shifts_and_script(
    candidate: Words, reference: Words, size: int, distance: int, width: int, most: int
) -> tuple[list[tuple[int, int, int]], str]:
    """Return the shifts that the greedy search makes, as (start, length, place), and the letters of the final script.

    Blocks have at most `size` words and occur at most `distance` positions away in the reference; `width` is that of
    the beam. The search ends after `most` shifts were tried.

    >>> shifts_and_script("bca", "abc", 10, 50, 25, 1000)
    ([(2, 1, 0)], 'mmm')
    """
    words, tried = list(candidate), 0
    shifts: list[tuple[int, int, int]] = []
    while True:
        script = beam_script(words, reference, width)
        best: tuple[int, int, int, int, list[str]] = (0, 0, 0, 0, words)
        for trial in trials(words, reference, script, size, distance):
            gain = count_edits(script) - beam_edits(trial.words, reference, width)
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
LESS = "another one saves more, or is longer, or is further left"


def code(settings: Any) -> PseudoCode:
    return PseudoCode(
        cell="d(i, j) ← min(d(i−1, j−1) + [xᵢ ≠ yⱼ], d(i−1, j) + 1, d(i, j−1) + 1)",
        script="script ← the way back from d(n, m), within the beam:  ↖, then ↑, then ←",
        trial="each block of x that is also in y, with an error in both:",
        better="    try it beside each of those words:  the most edits saved,",
        ties="    then the longest block, the leftmost, the leftmost place",
        take="make that shift, count 1 edit, and start again",
        stop=f"until none saves an edit, or {settings.max_candidates:,} were tried",
        best="keep the reference with the fewest edits",
        back="its script:  ↖ a hit or a substitution,  ↑ an extra word,  ← a missing one",
        score="TER ← (shifts + S + I + D) / mean m",
    )


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of TER's program: each reference's tables and shifts, the best reference, and its edits."""
    comparisons = [_TracedComparison(segment, settings, k) for k in range(len(segment.references))]
    for k, one in enumerate(comparisons):
        one.before = min([other.total() for other in comparisons[:k]], default=None)
        yield from add_known_values(one.shift_steps(), {"m": one.mean or math.nan, "shifts": 0})
    k, text, all_marks, others, decision = choose_reference(
        [one.total() for one in comparisons], [one.taken for one in comparisons], "needs the fewest edits", min
    )
    if decision:
        table = comparisons[k].sheet.snapshot()
        yield comparisons[k].step(text, "best", considered=all_marks, rejected=others, decision=decision, table=table)
    shifts = comparisons[k].shifts
    yield from add_known_values(comparisons[k].edit_steps(score), {"shifts": shifts, "S": 0, "I": 0, "D": 0})


class _TracedComparison:
    """The comparison of the candidate with reference `k`, from which the program's steps are made.

    Attributes:
        order: the original positions of the candidate's words, in the order after the shifts so far.
        left: how many edits the sentence in this order still needs; None if not counted yet.
        before: the fewest edits that an earlier reference needs; None if there is none.
        sheet: the table of edit distances that was filled last."""

    def __init__(self, segment: Segment, settings: Any, k: int) -> None:
        self.segment, self.settings, self.k, self.lines = segment, settings, k, code(settings)
        self.reference = segment.references[k]
        self.order = list(range(len(segment.candidate)))
        self.words = list(segment.candidate)
        self.script = ""
        self.edits_left: int | None = None
        self.before: int | None = None
        self.sheet = GrowingTable("edits", len(self.order) + 1, len(self.reference) + 1, k)
        self.taken: list[Mark] = []
        self.shifts = 0  # how many of the marks taken are shifts
        self.mean = sum(map(len, segment.references)) / len(segment.references)
        self.of = of_reference(k, segment)

    def total(self) -> int:
        """Return the number of shifts and edits so far."""
        return self.shifts + (self.edits_left or 0)

    def step(self, text: str, line: str, **more: Any) -> ProgramStep:
        edits = self.before if self.edits_left is None else self.total()
        score = None if edits is None else edits / (self.mean or 1)
        return ProgramStep(text, self.lines[line], taken_marks=Prefix(self.taken), score=score, **more)

    def table_steps(self) -> Iterator[ProgramStep]:
        """Yield the steps that fill the table of edit distances row by row, and store the edit script that it gives.

        A row stays with its word: rows are in the candidate's original order, also after shifts. A cell of a row came
        from the row of the word that is before it after the shifts."""
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
            text = f"{name}{against}: smallest number {least}, last number {last}."
            yield self.step(text, "cell", table=sheet.snapshot((rows[i], row_cells[-1].column)))
        self.script = script_letters(cells, self.words, self.reference)
        self.edits_left = count_edits(self.script)

    def shift_steps(self) -> Iterator[ProgramStep]:
        settings, tried = self.settings, 0
        while True:
            yield from self.table_steps()
            wrong = [edit for edit in self.edits() if edit.op != "match"]
            after_shifts = f"after {count(len(self.taken), 'shift')}" if self.taken else "without a shift"
            text = f"The script{self.of} has {count(len(wrong), 'edit')} {after_shifts}."
            yield self.step(text, "script", considered=wrong, table=self.sheet.snapshot(self.last_cell()))
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

    def last_cell(self) -> tuple[int, int]:
        """Return the last cell of the table, from which the way back starts, as (row, column)."""
        return (self.order[-1] + 1 if self.order else 0), len(self.reference)

    def shift(self, trial: Trial) -> Shift:
        start, end = trial.start, trial.start + trial.length
        return Shift(start, end, trial.to, self.k, trial.j, tuple(self.order[start:end]))

    def _trial_step(self, trial: Trial, after: int, better: bool, saves: bool) -> ProgramStep:
        shift = self.shift(trial)
        edits_left = f"{count(after, 'edit')}{', the best so far' if better else ''}"
        return self.step(
            f"Moving {_quote_block(trial)} from place {trial.start + 1} to {trial.to + 1} would leave {edits_left}.",
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
        self.edits_left = (self.edits_left or 0) - worth[0]
        others = tuple([Rejected(mark, LESS) for mark in offered if mark != shift])
        return self.step(
            f"{_quote_block(trial)} moves to place {trial.to + 1}: it costs 1 edit and saves {worth[0]}.",
            "take",
            considered=(shift,),
            known_values={"shifts": len(self.taken)},
            rejected=others,
            decision=Decision("shift", offered) if others else None,
        )

    def edits(self) -> list[Edit]:
        """Return the edits of the script in order, with the original positions of the candidate's words.

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
        """Yield the steps of the way back through the table, then the step of the score.

        The way back takes the script's edits from the last to the first."""
        sheet, at, kinds = self.sheet, self.last_cell(), Counter[str]()
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
        if why := describe_wordless_texts(self.segment, self.k):
            text += f": {why}{'' if self.mean else ', so m counts as 1'}"
        elif not same_cells(self.taken, result):
            text += "; the result has other edits, equally many"
        yield self.step(
            f"{text}.",
            "score",
            table=sheet.snapshot(self.last_cell()),
            result=result,
            known_values={"TER": self.total() / below},
        )

    def _edit_text(self, edit: Edit) -> str:
        ours = word(self.segment.candidate[edit.i_start]) if edit.i_start < edit.i_end else ""
        theirs = word(self.reference[edit.j_start]) if edit.j_start < edit.j_end else ""
        if edit.op == "match":
            return f"{ours} is a hit and costs nothing."
        if edit.op == "substitution":
            return f"{ours} replaces {theirs}: 1 edit."
        return f"{ours} is extra: 1 edit." if ours else f"{theirs} is missing: 1 edit."


def _quote_block(trial: Trial) -> str:
    return phrase(" ".join(trial.words[trial.to : trial.to + trial.length]), 24)


PROGRAM = Program(code, steps)
