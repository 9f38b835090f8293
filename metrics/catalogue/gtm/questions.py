"""Ask questions on GTM: the next run, the cap, a run that the search tries, the largest matching, the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ...alignment.gtm_matching import exact_matching
from ...alignment.gtm_ties import count_largest_matchings
from ...teach.asking import LazyVerdicts, StepQuestions, also, cell_name, choice_question, no, numeric, right
from ...teach.free_runs import HIT, next_run_verdicts
from ...teach.records import AnswerVerdict, CellSetRule, Question
from ...teach.shared import cell_set_question, cells_of_equal_words, f_question, ratio_question
from ...teach.steps import ProgramStep, PseudoCode, Trace, all_free, count, number, phrase
from ...types import Run, Segment


class MatchingQuestions(StepQuestions):
    """A maker of questions about the steps of GTM's program: the greedy choice, the search, the cap and the score."""

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.e: float = self.settings.exponent
        self.n, self.m = len(self.candidate), sum(map(len, self.references)) / len(self.references)
        self.taken: list[Run] = []  # runs that the greedy choice has taken
        self.free = all_free(self.segment)
        self.tried: dict[tuple[tuple[Run, ...], int], set[Run]] = {}

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "take" | "tie":
                return self._next_run_question(step)
            case "bound":
                return self._drawing_question()
            case "branch":
                return self._branch_question(step)
            case "cap":
                return self._cap_question()
            case "size":
                return self._size_question([run.length for run in step.taken_marks if isinstance(run, Run)])
            case "P" | "R":
                return self._ratio_question(line)
            case "F":
                return f_question(self.known["P"], self.known["R"], self.known["F"])
        return None

    # ---------------------------------------------------------------- the greedy choice

    def _next_run_question(self, step: ProgramStep) -> Question | None:
        run = step.taken_marks[-1]
        if not isinstance(run, Run):
            return None
        earlier_runs, free = tuple(self.taken), self.free
        self.taken.append(run)
        self.free = free.without_marks(run)
        longest = [mark for mark in step.considered if isinstance(mark, Run)]
        return Question(
            "Click the run that GTM takes next." if earlier_runs else "Click the run that GTM takes first.",
            "cell",
            cell_name(run.cells()[0]),
            LazyVerdicts(lambda: next_run_verdicts(self.candidate, self.references, free, earlier_runs, run)),
            no(HIT),
            optimal=len(longest),
        )

    # ---------------------------------------------------------------- the search

    def _drawing_question(self) -> Question | None:
        best = largest_rule(self.candidate, self.references, self.e)
        return best and cell_set_question(
            f"Draw a matching with the largest Σ length^e{' before the cap' if self.several else ''}, e = {self.e:g}.",
            best[0],
            best[1],
            (self.candidate, *self.references),
            count_largest_matchings(self.segment, self.e) or 0,
        )

    def _branch_question(self, step: ProgramStep) -> Question | None:
        """Return the question that asks which run the search tries next.

        None if there is nothing to choose from: all runs at this word can be tried."""
        if step.decision is None:
            return None
        free = [run for run in step.decision.options if isinstance(run, Run)]
        *path, run = [mark for mark in step.taken_marks if isinstance(mark, Run)]
        before = self.tried.setdefault((tuple(path), free[0].i), set())
        choices: list[tuple[str, AnswerVerdict]] = []
        for option in free:
            gain = number(option.length**self.e - option.length)
            if option == run:
                verdict = right(f"It is free and gains {gain} over single hits.", option)
            elif option in before:
                verdict = no(f"{self._quote_run(option)} was tried here before.", option)
            else:
                verdict = also("It is free too: the search tries it here later.", option)
            choices.append((self._describe_run_with_place(option), verdict))
        for lost in [mark for mark, _ in step.rejected if isinstance(mark, Run)]:
            clash = [other for other in path if share_a_word(lost, other)][:1]
            text = f"{self._quote_run(lost)} shares a word of the reference with a run of this branch."
            choices.append((self._describe_run_with_place(lost), no(text, lost, *clash)))
        before.add(run)
        if all(verdict.how != "no" for _, verdict in choices):
            return None
        return choice_question(f"Which run does the search try next from word {free[0].i + 1} on?", choices)

    def _quote_run(self, run: Run) -> str:
        return phrase(" ".join(self.candidate[run.i : run.i + math.ceil(run.length)]), 24)

    def _describe_run_with_place(self, run: Run) -> str:
        where = f" of reference {run.k + 1}" if self.several else ""
        return f"{self._quote_run(run)}, {count(run.length, 'word')}, at place {run.j + 1}{where}"

    # ---------------------------------------------------------------- numbers

    def _cap_question(self) -> Question:
        cap = float(min(Fraction(self.n), Fraction(sum(map(len, self.references)), len(self.references))))
        total, mean = sum(map(len, self.references)), number(self.m)
        return numeric(
            "How many matched words may count at most?",
            cap,
            f"The smaller of the candidate's {self.n} and the references' mean, {mean}.",
            "It is the smaller of the candidate's length and the mean length of the references.",
            [
                (total, "This is the total length of all references. Take their mean length."),
                (max(self.n, self.m), "That is the larger of the two lengths. The smaller one is the cap."),
            ],
        )

    def _size_question(self, lengths: Sequence[float]) -> Question:
        e = f"{self.e:g}"
        return numeric(
            f"What is the size of this matching, with e = {e}?",
            self.known["size"],
            f"The root of the sum of the runs' lengths to the power {e}.",
            f"Take each run's length to the power {e}, add them up, and take the root.",
            [
                (self.known["Σ length^e"], "This is the sum before the root. Take the root of it."),
                (
                    sum(lengths),
                    "This is the number of matched words. Longer runs count more: take powers and the root.",
                ),
                (len(lengths), "This is the number of runs. Their lengths count."),
            ],
        )

    def _ratio_question(self, letter: str) -> Question:
        total, other = (self.n, self.m) if letter == "P" else (self.m, self.n)
        whose = "the references' mean length" if self.several else "the reference's length"
        whose = "the candidate's length" if letter == "P" else whose
        return ratio_question(letter, self.known[letter], self.known["size"], total, other, whose, "the size")


def share_a_word(run: Run, other: Run) -> bool:
    """Return whether two runs share a word, so that a matching cannot have both."""
    rows, columns = {cell.i for cell in other.cells()}, {cell[1:] for cell in other.cells()}
    return any(cell.i in rows or cell[1:] in columns for cell in run.cells())


# ---------------------------------------------------------------- the largest matching


def largest_rule(
    candidate: Sequence[str], references: Sequence[Sequence[str]], exponent: float
) -> tuple[CellSetRule, list[Run]] | None:
    """Return a rule that accepts every largest matching as an answer, and one such matching; None if nothing matches.

    The matching is the largest before any cap. Raises TooHard if the exact solver gives up."""
    best = exact_matching(Segment(tuple(candidate), tuple(map(tuple, references))), exponent)
    if not best:
        return None
    cells = cells_of_equal_words(candidate, dict(enumerate(references)))
    size = math.fsum([run.length**exponent for run in best])
    return CellSetRule(cells, size, rising=False, power=exponent), best
