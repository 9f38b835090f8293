"""Run GTM's matching step by step: the greedy choice, the exact search, the cap, the size and the score.

Source: Turian, Shen and Melamed (2003), section 2."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from ...teach.steps import (
    CONFLICT,
    Decision,
    FreeWords,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    add_known_values,
    all_free,
    count,
    nearly_equal,
    number,
    phrase,
    same_cells,
    unknown,
)
from ...types import Mark, Result, Run, Segment, f_measure
from ...types.work import spend
from .textbook import all_runs, greedy_tries, runs_cut_to_cap

#: Reasons why runs are not taken.
CAP = "beyond the cap on matched words"
NO_LARGER = "cannot lead to a larger matching than the best"

#: Sums that differ by less are equal but for rounding.
MARGIN = 1 + 1e-12

GREEDY = {
    "sides": "references side by side, a barrier between them",
    "runs": "R ← all runs and their parts, the longest first;",
    "tie": "    on ties: the later in the candidate, then the reference",
    "take": "for r in R:  no word of r is used:  take r",
    "lose": "    else leave r out",
}
SEARCH = {
    "bound": "best ← greedy;  U(i) ← the most that words from i on gain",
    "branch": "at word i:  each free run of two and more, or none",
    "better": "    gain > best:  best ← gain",
    "cut": "    gain + U(i) ≤ best:  go back",
    "singles": "then single hits of words that are free",
}
SIZE = {
    "cap": "several references:  min(n, mean m) words at most   (§ 2.3)",
    "size": "size ← (Σ length^e)^(1/e)   (eq. 5)",
    "P": "P ← size / n   (eq. 2)",
    "R": "R ← size / m   (eq. 3; several references: mean m)",
    "F": "F ← 2PR / (P + R)",
}


def code(settings: Any) -> PseudoCode:
    """Return the pseudo-code, with the lines of the search if the settings ask for the exact solver."""
    return PseudoCode(**GREEDY, **(SEARCH if settings.solver == "exact" else {}), **SIZE)


class MatchingProgram:
    """A run of GTM's program on a segment, step by step; it holds the matching found so far."""

    def __init__(self, segment: Segment, settings: Any) -> None:
        self.segment, self.settings, self.e = segment, settings, settings.exponent
        self.code = code(settings)
        self.candidate, self.references = segment
        self.n = len(self.candidate)
        self.m = sum(map(len, self.references)) / len(self.references)
        self.several = len(self.references) > 1
        self.best: list[Run] = []  # the matching that the current score is of
        self.scored: tuple[tuple[Run, ...], float] = ((), 0.0)  # the last matching scored, and its score: a cache
        self.freed: tuple[tuple[Mark, ...], FreeWords] = ((), all_free(segment))  # a cache for the last marks
        #: The words that the greedy choice has used, mapped to the index of the run in `best` that uses them.
        self.rows: dict[int, int] = {}
        self.columns: dict[tuple[int, int], int] = {}

    # ---------------------------------------------------------------- numbers

    def cut_to_cap(self, runs: Sequence[Run]) -> list[Run]:
        """Return the runs, of which the shortest are cut or dropped if they have more words than the cap allows.

        With a single reference there is no cap, and the runs are returned as they are."""
        if not self.several:
            return [*runs]
        cap = min(Fraction(self.n), Fraction(sum(map(len, self.references)), len(self.references)))
        return [Run(*run) for run in runs_cut_to_cap([tuple(run) for run in runs], cap)]  # type: ignore[misc]

    def matching_size(self, runs: Sequence[Run]) -> float:
        """Return the size of the matching that these runs make (equation 5)."""
        return float(math.fsum([run.length**self.e for run in runs]) ** (1 / self.e))

    def score(self, runs: Sequence[Run]) -> float:
        if self.scored[0] != (scored_runs := tuple(runs)):
            spend(len(scored_runs) * (5 if self.several else 1))
            size = self.matching_size(self.cut_to_cap(scored_runs))
            self.scored = scored_runs, f_measure(size / self.n if self.n else 0.0, size / self.m if self.m else 0.0)
        return self.scored[1]

    def free_words(self, marks: tuple[Mark, ...]) -> FreeWords:
        """Return the words of candidate and references that no mark of `marks` uses; the last result is cached."""
        if self.freed[0] != marks:
            self.freed = marks, all_free(self.segment).without_marks(*marks)
        return self.freed[1]

    def describe_run(self, run: Run, max_characters: int = 24) -> str:
        """Return a phrase with the words of a run and its length, and with its reference if there are several.

        The words are shortened to about `max_characters` characters."""
        words = self.candidate[run.i : run.i + math.ceil(run.length)]
        of = f", R{run.k + 1}" if len(self.segment.references) > 1 else ""
        return f"{phrase(' '.join(words), max_characters)} ({count(run.length, 'word')}{of})"

    def step(
        self,
        text: str,
        line: str,
        considered: Sequence[Mark] = (),
        taken_marks: Sequence[Mark] | None = None,
        rejected: Sequence[Rejected] = (),
        decision: Decision | None = None,
        known_values: dict[str, float] | None = None,
    ) -> ProgramStep:
        marks = tuple(self.best if taken_marks is None else taken_marks)
        return ProgramStep(
            text,
            self.code[line],
            tuple(considered),
            marks,
            tuple(rejected),
            free=self.free_words(marks),
            score=self.score(self.best),
            decision=decision,
            known_values=known_values or {},
        )

    # ---------------------------------------------------------------- the greedy choice

    def greedy_steps(self) -> Iterator[ProgramStep]:
        if self.several:
            yield self.step("The references stand side by side; a barrier keeps each run inside one of them.", "sides")
        spend(self._count_runs())
        tried = [(Run(*run), free) for run, free in greedy_tries(self.candidate, self.references)]
        runs = [run for run, _ in tried if not self._can_be_extended(run)]
        if not tried:
            why = "the candidate has no words" if not self.n else "no word of it is in a reference"
            yield self.step(f"Nothing can match: {why if self.m else 'the reference has no words'}.", "runs")
            return
        text = f"{count(sum(run.length == 1 for run, _ in tried), 'hit')} in {count(len(runs), 'run')}, "
        yield self.step(f"{text}the longest has {count(tried[0][0].length, 'word')}.", "runs", runs)
        lost: list[Run] = []
        for turn, (run, free) in enumerate(tried):
            if lost and (free or lost[0].length != run.length):
                yield self._conflicting_parts_step(lost)
                lost = []
            if free:
                others = self._equally_long_free_runs(tried, turn)
                self._take_run(run)
                text = f"{self.describe_run(run)} is the longest free run: it is taken."
                if len(others) > 1:
                    text = f"{self.describe_run(run)} is taken: the last of {len(others)} equally long free runs."
                decision = Decision("longest run", tuple(others)) if len(others) > 1 else None
                yield self.step(text, "tie" if decision else "take", others, decision=decision)
            elif not (run.i in self.rows and is_part_of(run, self.best[self.rows[run.i]])):
                if self._can_be_extended(run):
                    lost.append(run)
                else:
                    yield self._conflicting_run_step(run)
        if lost:
            yield self._conflicting_parts_step(lost)

    def _count_runs(self) -> int:
        """Return how many runs there are, counting every part of a longer run as a run of its own.

        The runs are counted without being listed, because long texts of few different words have too many of them."""
        spend(self.n * sum(map(len, self.references)) // 4)
        total = 0
        for reference in self.references:
            below = [0] * (len(reference) + 1)
            for word in reversed(self.candidate):
                below = [*[end + 1 if word == other else 0 for other, end in zip(reference, below[1:], strict=True)], 0]
                total += sum(below)
        return total

    def _can_be_extended(self, run: Run) -> bool:
        """Return whether the words before or after the run match too, so that the run is a part of a longer one."""
        i, k, j, length = run
        reference, end = self.references[k], int(length)
        if i and j and self.candidate[i - 1] == reference[j - 1]:
            return True
        return i + end < self.n and j + end < len(reference) and self.candidate[i + end] == reference[j + end]

    def _take_run(self, run: Run) -> None:
        """Add a run to the matching, and record its words as used."""
        for i, k, j in run.cells():
            self.rows[i] = self.columns[k, j] = len(self.best)
        self.best.append(run)

    def _equally_long_free_runs(self, tried: Sequence[tuple[Run, bool]], turn: int) -> list[Run]:
        """Return the free runs that are as long as run number `turn` of `tried`, beginning with that run.

        `tried` are all runs in the order of the greedy choice, each with whether it is taken."""
        length = tried[turn][0].length
        out = []
        for at in range(turn, len(tried)):
            other, _ = tried[at]
            if other.length != length:
                break
            spend(4 + int(length))
            if not any(i in self.rows or (k, j) in self.columns for i, k, j in other.cells()):
                out.append(other)
        return out

    def _conflicting_run_step(self, run: Run) -> ProgramStep:
        """Return the step that leaves out a run because it shares a word with a run that was taken before."""
        turns = [[self.rows.get(i), self.columns.get((k, j))] for i, k, j in run.cells()]
        winner = self.best[min([turn for turn_pair in turns for turn in turn_pair if turn is not None])]
        theirs = phrase(" ".join(self.candidate[winner.i : winner.i + int(winner.length)]), 22)
        text = f"{self.describe_run(run, 18)} shares a word with {theirs}: left out."
        return self.step(text, "lose", (run,), rejected=[Rejected(run, CONFLICT)])

    def _conflicting_parts_step(self, lost: Sequence[Run]) -> ProgramStep:
        if len(lost) == 1:
            text = f"{self.describe_run(lost[0])}, part of a run, shares a word with a taken run."
        else:
            length = count(lost[0].length, "word")
            text = f"{count(len(lost), 'part')} of runs, {length} each, share words with runs that are taken."
        return self.step(text, "lose", lost, rejected=[Rejected(run, CONFLICT) for run in lost])

    # ---------------------------------------------------------------- the search

    def search_steps(self) -> Iterator[ProgramStep]:
        """Yield the steps of the branch-and-bound search for the largest matching; it begins with the greedy matching.

        Whatever runs a matching has, single hits can be added until every word is matched as often as both sides
        have it. So a run gains length^e − length over its single hits, and only runs of two or more words are
        searched for."""
        self.options: dict[int, list[Run]] = {}
        for k, reference in enumerate(self.references):
            for length, i, j in all_runs(self.candidate, reference):
                if length > 1:
                    self.options.setdefault(i, []).append(Run(i, k, j, length))
        for options in self.options.values():
            options.sort(key=lambda run: (-run.length, run.k, run.j))
        #: `most[i]` is U(i); `later[i]` are the reference words that runs from candidate word i on can use.
        self.most = [0.0] * (self.n + 1)
        self.later: list[frozenset[tuple[int, int]]] = [frozenset()] * (self.n + 1)
        for i in range(self.n - 1, -1, -1):
            options = self.options.get(i, [])
            spend(sum([int(run.length) for run in options]) + len(self.later[i + 1]) // 20)
            self.most[i] = max(
                [self.most[i + 1], *[self.gain([run]) + self.most[i + int(run.length)] for run in options]]
            )
            self.later[i] = self.later[i + 1].union(*map(columns, options))
        self.hits = sum(run.length for run in self.best)
        self.greatest = self.gain(self.best)
        text = f"Runs gain {number(self.greatest)} over single hits; using words twice, up to {number(self.most[0])}."
        yield self.step(text, "bound", self.best)
        self.known: dict[tuple[int, frozenset[tuple[int, int]]], float] = {}
        before = [*self.best]
        yield from self._branch_steps(0, ())
        if self.best == before:
            yield self.step("The search is over: no matching is larger than the greedy one.", "better", self.best)
        else:
            long = [run for run in self.best if run.length > 1]
            text = (
                f"The search is over: {count(len(long), 'run')}, and {count(len(self.best) - len(long), 'single hit')}."
            )
            yield self.step(text, "singles", self.best)

    def gain(self, runs: Sequence[Run]) -> float:
        return math.fsum([run.length**self.e - run.length for run in runs])

    def _branch_steps(self, i: int, path: tuple[Run, ...]) -> Iterator[ProgramStep]:
        """Yield the search steps that extend the runs of `path` with runs that begin at candidate word `i` or later."""
        gain = self.gain(path)
        if gain > self.greatest * MARGIN:
            self.greatest = gain
            self.best = [*path, *self._single_hits_of_free_words(path)]
            text = f"{number(gain)} is more than the best so far: keep {count(len(path), 'run')}."
            yield self.step(text, "better", path, path)
        spend(5 + sum([int(run.length) for run in path]))
        used = frozenset().union(*map(columns, path))
        while i < self.n and not self.options.get(i):
            i += 1
        last = [Rejected(path[-1], NO_LARGER)] if path else []
        kept_path = path[:-1]
        if gain + self.most[i] <= self.greatest * MARGIN:
            text = (
                f"Gain {number(gain)}, at most {number(self.most[i])} more: not above {number(self.greatest)}, go back."
            )
            yield self.step(text, "cut", path[-1:], kept_path, last)
            return
        state = i, used & self.later[i]
        if self.known.get(state, -1.0) >= gain:
            text = f"Gain {number(gain)}: word {i + 1} was reached in this state with no less before, go back."
            yield self.step(text, "cut", path[-1:], kept_path, last)
            return
        self.known[state] = gain
        spend(2 * sum([int(run.length) for run in self.options[i]]))
        free = [run for run in self.options[i] if not columns(run) & used]
        conflicts = [Rejected(run, CONFLICT) for run in self.options[i] if columns(run) & used]
        for run in free:
            text = f"Word {i + 1}: try {self.describe_run(run)}, which gains {number(self.gain([run]))}."
            decision = Decision(f"run from word {i + 1}", tuple(free))
            yield self.step(text, "branch", free, (*path, run), conflicts, decision)
            yield from self._branch_steps(i + int(run.length), (*path, run))
        yield self.step(f"Word {i + 1}: try it without a run that begins here.", "branch", (), path, conflicts)
        yield from self._branch_steps(i + 1, path)

    def _single_hits_of_free_words(self, path: Sequence[Run]) -> list[Run]:
        """Return a matching, hit by hit, of the words that the runs of `path` leave free, later words first."""
        free = all_free(self.segment).without_marks(*path)
        spend(self._count_runs())
        out: list[Run] = []
        for run, _ in greedy_tries(self.candidate, self.references):
            i, k, j, length = run
            if length == 1 and i in free.candidate and j in free.references[k]:
                out.append(Run(i, k, j, 1))
                free = free.without_marks(out[-1])
        return out

    # ---------------------------------------------------------------- the cap, and the score

    def steps(self, score: Callable[[], Result]) -> Iterator[ProgramStep]:
        if self.settings.solver == "exact":
            score()  # raises TooHard before the search, not after it
        yield from add_known_values(self.greedy_steps(), {"n": self.n, "m": self.m, "e": self.e})
        if self.settings.solver == "exact" and self.best:
            if self.e == 1:
                text = "With e = 1 every matched word counts 1, so no matching is larger than the greedy one."
                yield self.step(text, "bound", self.best)
            else:
                yield from self.search_steps()
        yield from self._cap_steps()
        yield from self._size_steps()
        yield self._last_step(score())

    def _cap_steps(self) -> Iterator[ProgramStep]:
        cap = min(self.n, self.m)
        words = sum(run.length for run in self.best)
        if not self.several or not self.best:
            return
        if words <= cap:
            text = f"{count(words, 'word')} matched; min({self.n}, {number(self.m)}) may count, so none is cut."
            yield self.step(text, "cap", self.best)
            return
        before, self.best = self.best, self.cut_to_cap(self.best)
        places = {run[:3]: run for run in self.best}
        out = [Rejected(run, CAP) for run in before if run[:3] not in places]
        short = [run for run in before if run[:3] in places and places[run[:3]].length < run.length]
        text = f"{count(words, 'word')} matched; min({self.n}, {number(self.m)}) may count: {number(words - cap)} less."
        yield self.step(text, "cap", [*short, *[run for run, _ in out if isinstance(run, Run)]], None, out)

    def _size_steps(self) -> Iterator[ProgramStep]:
        size = self.matching_size(self.best)
        powers = " + ".join([number(run.length) for run in self.best][:8]) + (" + …" if len(self.best) > 8 else "")
        if self.e != 1:
            e = f"{self.e:g}"
            most = 4 if len(e) < 5 else 2
            powers = " + ".join([f"{number(run.length)}^{e}" for run in self.best[:most]])
            powers = f"({powers}{' + …' if len(self.best) > most else ''})^(1/{e})"
        text = (
            f"The size of the matching is {powers} = {number(size)}."
            if self.best
            else "Nothing is matched, so the size is 0."
        )
        known_values = {"Σ length^e": math.fsum([run.length**self.e for run in self.best]), "size": size}
        yield self.step(text, "size", self.best, known_values=known_values)
        mean = "the mean of the references" if self.several else "the reference"
        for letter, total, whose in (("P", self.n, "the candidate"), ("R", self.m, mean)):
            value = f"{number(size)}/{number(total)} = {number(size / total)}" if total else f"0: {whose} has no words"
            yield self.step(f"{letter} = {value}.", letter, known_values={letter: size / total if total else 0.0})

    def _last_step(self, result: Result) -> ProgramStep:
        score = self.score(self.best)
        p, r = (self.matching_size(self.best) / total if total else 0.0 for total in (self.n, self.m))
        text, known_values = "F = 0, since no word is matched.", {"F": score}
        if self.best:
            text = f"F = 2 · {number(p)} · {number(r)} / ({number(p)} + {number(r)}) = {number(score)}."
        if not nearly_equal(score, result.score):
            text = f"The result has another matching, equally large before the cap: F = {number(result.score)}."
            score = result.score
            known_values = {**unknown("P", "R", "size", "Σ length^e"), "F": score}
        elif not same_cells(self.best, result):
            text = f"F = {number(score)}; the result has an equally large matching: it keeps greedy runs where it can."
        free = self.free_words(tuple(self.best))
        return ProgramStep(
            text,
            self.code["F"],
            taken_marks=tuple(self.best),
            free=free,
            score=score,
            result=result,
            known_values=known_values,
        )


def is_part_of(run: Run, other: Run) -> bool:
    """Return whether every hit of `run` is also a hit of `other`."""
    shift = run.i - other.i
    return run.k == other.k and run.j - other.j == shift and 0 <= shift <= other.length - run.length


def columns(run: Run) -> frozenset[tuple[int, int]]:
    """Return the positions of the run's reference words, each as (k, j): reference index and word index."""
    return frozenset([(k, j) for _, k, j in run.cells()])


PROGRAM = Program(code, lambda segment, settings, score: MatchingProgram(segment, settings).steps(score))
