"""Ask questions on SIA: the cell before, cells of the table, the best chain, what a round adds, which words retire."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...teach.asking import (
    LazyVerdicts,
    StepQuestions,
    TableValues,
    also,
    cell_name,
    equal_up_to_rounding,
    no,
    numeric,
    reference_question,
    right,
)
from ...teach.records import AnswerVerdict, CellSetRule, Question
from ...teach.shared import cell_set_question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number, word
from ...types import Hit
from .program import ALL_ROUNDS, round_weight
from .slips import penalty_slip

START = "none: a chain begins here"


class SIAQuestions(StepQuestions):
    """A maker of questions about the steps of SIA's program: cells, chains and rounds."""

    of_cells = frozenset(["cell", "before"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.seen = TableValues()
        self.turn = 1
        self.chains: list[float] = []  # the credit of each reference's best chain in this round
        self.gone: set[Hit] = set()  # cells of the chains taken in earlier rounds

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "cell" | "before":
                return self._cell_question(step)
            case "chain":
                return self._chain_end_question(step)
            case "take":
                return self._round_question(step)
            case "retire":
                return self._retired_question(step)
            case "penalty":
                return self._penalty_question()
            case "score" if self.candidate:
                return self._score_question()
        return None

    # ---------------------------------------------------------------- cells

    def _similarity(self, i: int, k: int, j: int) -> float:
        ours, theirs = self.candidate[i], self.references[k][j]
        similarity = self.settings.similarity
        return 1.0 if ours == theirs else float(similarity(ours, theirs)) if similarity else 0.0

    def _cell_question(self, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        (row, column, total, (before,)), k = step.table.cell, step.table.k
        s = self._similarity(row - 1, k, column - 1)
        values = self.seen.read_new_cells(step.table)
        ways = {
            (a, b): value + s / math.sqrt((row - a) * (column - b))
            for (a, b), value in values.items()
            if a < row and b < column
        }
        if step.decision or (len(ways) > 1 and self.is_due("one before")):
            return self._cell_before_question(row, column, k, total, before, ways)
        if not self.is_due("value"):
            return None
        name = word(self.candidate[row - 1])
        start_credit = s / math.sqrt(row * column)
        slips = [
            (start_credit, "This is what a chain that begins here earns. After another cell it earns more."),
            (s / (row * column), "Take the root of the distances' product."),
            (values[before], "This is what the cell before has. This cell earns something too."),
            (total - values[before], "This is what the cell adds. Add it to what the cell before has."),
        ]
        a, b = before
        because = f"{number(values[before])} + {number(s)}/√({row - a}·{column - b})."
        hint = "Take the earlier cell that gives the most: its c + s / √(distance in rows · in columns)."
        return numeric(
            f"What is c({row}, {column}), for {name}?", total, because, hint, slips, (Hit(row - 1, k, column - 1),)
        )

    def _cell_before_question(
        self,
        row: int,
        column: int,
        k: int,
        total: float,
        before: tuple[int, int],
        ways: Mapping[tuple[int, int], float],
    ) -> Question:
        """Return the question that asks which cell comes before a cell in its best chain.

        `before` is the program's answer, and `ways` has the credit by every cell that could come before. All cells with
        the largest credit are right."""
        this_cell = Hit(row - 1, k, column - 1)

        def verdicts() -> dict[str, AnswerVerdict]:
            out: dict[str, AnswerVerdict] = {}
            for at, value in ways.items():
                hit = Hit(at[0] - 1, k, at[1] - 1)
                marks = (hit, this_cell) if at != (0, 0) else (this_cell,)
                if at == before:
                    verdict = right(f"It makes {number(value)}, the most.", *marks)
                elif equal_up_to_rounding(value, total):
                    verdict = also(f"It makes {number(value)}, just as much.", *marks)
                else:
                    verdict = no(f"It makes {number(value)}; {number(total)} is possible.", *marks)
                out[cell_name(hit) if at != (0, 0) else "0"] = verdict
            return out

        def name(at: tuple[int, int]) -> str:
            return cell_name((at[0] - 1, k, at[1] - 1)) if at != (0, 0) else "0"

        return Question(
            f"Which cell comes before {word(self.candidate[row - 1])} at ({row}, {column})?",
            "cell",
            name(before),
            LazyVerdicts(verdicts),
            no("The cell before lies above and on the left, and free words match in it.", this_cell),
            choices=(START,),
            optimal=sum(equal_up_to_rounding(value, total) for value in ways.values()),
        )

    def _chain_end_question(self, step: ProgramStep) -> Question | None:
        """Return the question that asks at which cell the best chain with a reference ends.

        All cells of the largest value are right. If the chain has several cells, the reader is asked to draw it
        instead."""
        assert step.table is not None
        values, k = dict(self.seen.read_new_cells(step.table)), step.table.k
        values.pop((0, 0))
        self.chains = [*self.chains[:k], max(values.values(), default=0.0)]
        if not values or step.table.cell is None:
            return None
        row, column, best, _ = step.table.cell
        end_cell = Hit(row - 1, k, column - 1)
        chain = [mark for mark in step.considered if isinstance(mark, Hit)]
        if len(chain) > 1:
            return self._drawing_question(k, values, best, chain)

        def verdicts() -> dict[str, AnswerVerdict]:
            out: dict[str, AnswerVerdict] = {}
            for (a, b), value in values.items():
                hit = Hit(a - 1, k, b - 1)
                verdict = no(f"Here c is {number(value)}, less than {number(best)} elsewhere.", hit)
                if hit == end_cell:
                    verdict = right(f"c = {number(best)} is the largest.", hit)
                elif equal_up_to_rounding(value, best):
                    verdict = also(f"c = {number(value)} is equally large.", hit)
                out[cell_name(hit)] = verdict
            return out

        of = f" with reference {k + 1}" if self.several else ""
        optimal = sum(equal_up_to_rounding(value, best) for value in values.values())
        otherwise = no("No chain of free words ends here. Look for the largest c.")
        return Question(
            f"Click the cell where the best chain{of} ends.",
            "cell",
            cell_name(end_cell),
            LazyVerdicts(verdicts),
            otherwise,
            optimal=optimal,
        )

    def _drawing_question(
        self, k: int, values: Mapping[tuple[int, int], float], best: float, chain: Sequence[Hit]
    ) -> Question:
        """Return the question that asks for a drawing of the best chain with reference `k`.

        `values` has, by cell, the credit of the best chain that ends there. Every chain with the credit `best` is
        right."""
        weights = {at: self._similarity(at[0] - 1, k, at[1] - 1) for at in values}
        ways = {(0, 0): 1}  # how many best chains end at each cell
        cell_values = {(0, 0): 0.0, **values}
        for row, column in sorted(values):
            ways[row, column] = sum(
                [
                    count
                    for (a, b), count in ways.items()
                    if a < row
                    and b < column
                    and equal_up_to_rounding(
                        cell_values[a, b] + weights[row, column] / math.sqrt((row - a) * (column - b)),
                        values[row, column],
                    )
                ]
            )
        rule = CellSetRule(
            {cell_name((a - 1, k, b - 1)): weight for (a, b), weight in weights.items()}, best, gaps=True
        )
        of = f" with reference {k + 1}" if self.several else ""
        count = sum([ways[at] for at, value in values.items() if equal_up_to_rounding(value, best)])
        text = f"Draw the chain of round {self.turn}{of}: the free words that earn the most."
        return cell_set_question(text, rule, chain, (self.candidate, *self.references), count)

    # ---------------------------------------------------------------- rounds

    def _round_question(self, step: ProgramStep) -> Question | None:
        n = len(self.candidate)
        gain, weight = max(self.chains), round_weight(self.turn, self.settings)
        k = self.chains.index(gain)
        values = {k: value for k, value in enumerate(self.chains) if value}
        self.turn += 1
        if step.decision:
            text = f"Which reference's chain is taken in round {self.turn - 1}?"
            return reference_question(text, values, k, lambda k: f"a chain of {number(values[k])}")
        slips = [
            (gain / n, "This is not weighted: later rounds count less."),
            (weight * gain, f"Divide it by the candidate's length, {n}."),
            (gain, "This is what the chain earns. Divide it by the candidate's length, and weight it."),
        ]
        because = f"{number(gain)} / {n}, times {number(weight)}."
        hint = "What the chain earns, divided by the candidate's length, times the round's weight."
        return numeric(f"What does round {self.turn - 1} add to the score?", weight * gain / n, because, hint, slips)

    def _retired_question(self, step: ProgramStep) -> Question:
        chain_hits = [mark for mark in step.considered if isinstance(mark, Hit)]
        retired_cells = frozenset(self.gone)
        self.gone |= {*chain_hits}
        k = chain_hits[0].k

        def verdicts() -> dict[str, AnswerVerdict]:
            before = {f"c{i}" for i, _, _ in retired_cells} | {f"r{k}_{j}" for _, k, j in retired_cells}
            out = {name: no("This word has already retired.") for name in before}
            for hit in chain_hits:
                verdict = right(f"{word(self.candidate[hit.i])} is on the chain that was taken.", hit)
                out |= {f"c{hit.i}": verdict, f"r{hit.k}_{hit.j}": verdict}
            return out

        otherwise = no("This word is not on the chain that was taken: it stays free.")
        return Question(
            f"Click a word of the candidate or of reference {k + 1} that retires now.",
            "word",
            f"c{chain_hits[0].i}",
            LazyVerdicts(verdicts),
            otherwise,
            optimal=2 * len(chain_hits),
        )

    def _penalty_question(self) -> Question:
        n, mean = len(self.candidate), sum(map(len, self.references)) / len(self.references)
        slips = [(mean / n, "The fraction is upside down.")] if n else []
        because = (
            f"{n} words, {number(mean)} on average in the references: {'no penalty' if n > mean else 'n / mean m'}."
        )
        return numeric(
            "What is the length penalty?",
            self.known["penalty"],
            because,
            "It is n / mean m, or 1 if n is larger.",
            slips,
        )

    def _score_question(self) -> Question:
        penalty, total = self.known["penalty"], self.known[ALL_ROUNDS]
        n, mean = len(self.candidate), sum(map(len, self.references)) / len(self.references)
        slips = [*penalty_slip(self.known["SIA"], penalty, n, mean)] if 0 < penalty < 1 else []
        because = f"{number(penalty)} times the sum of the rounds, {number(total)}."
        if not self.settings.length_penalty:
            because = f"The rounds sum to {number(total)}."
        hint = "The sum of what the rounds add, times the length penalty where there is one."
        return numeric("What is SIA?", self.known["SIA"], because, hint, slips)
