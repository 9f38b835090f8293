"""Ask questions on dcs: how long a run is, which runs become blocks, which blocks are neighbours, the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ...teach.asking import LazyVerdicts, StepQuestions, cell_name, choice_question, no, numeric, right, winner_question
from ...teach.free_runs import HIT, next_run_verdicts
from ...teach.records import Question
from ...teach.steps import FreeWords, ProgramStep, PseudoCode, Trace, all_free, count, number, phrase, word
from ...types import Neighbours, Run
from .slips import lengths_slip, root_slip, squares_slip


class DCSQuestions(StepQuestions):
    """A maker of questions about the steps of dcs's program: runs, blocks and neighbours with each reference."""

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.k = 0
        self.published: bool = self.settings.overlap == "published"
        self.values: list[float] = []
        self.free = all_free(self.segment)
        self.blocks: list[Run] = []

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "match":
                return self._match_question(step)
            case "take" | "drop":
                return self._block_question(line, step)
            case "rank":
                return self._rank_question()
            case "chain" | "apart":
                return self._neighbours_question(line, step)
            case "side":
                n, m = len(self.candidate), len(self.references[self.k])
                slips: list[tuple[float, str]] = [
                    (n * m, "Take the root of it."),
                    ((n + m) / 2, "Multiply, and take the root."),
                ]
                text = "What is A, the number that everything is divided by?"
                return numeric(text, (n * m) ** 0.5, f"√({m} · {n}).", "A is √(|x| · |y|).", slips)
            case "score":
                question = self._score_question()
                self.values.append(step.score or 0.0)
                self.k, self.blocks, self.free = self.k + 1, [], all_free(self.segment)
                return question
            case "best" if step.decision:
                text = "Which reference is kept?"
                return winner_question(text, self.values, lambda value: f"dcs = {number(value)}")
        return None

    def about(self, line: str, step: ProgramStep) -> Sequence[str]:
        lines = {"match", "chain", "apart"} | ({"take", "drop"} if self.published else set())
        return [cell_name(cell) for mark in step.considered for cell in mark.cells()] if line in lines else ()

    # ---------------------------------------------------------------- blocks

    def _match_question(self, step: ProgramStep) -> Question | None:
        """Return the question that asks how long the run is that ends at the step's cell.

        None if the last question was too few steps ago."""
        assert step.table is not None and step.table.cell is not None
        row, column, length, _ = step.table.cell
        if not self.is_due(f"match {length > 1}"):
            return None
        name = word(self.candidate[row - 1])
        because = f"{name} continues the run of {count(length - 1, 'word')} before it on the diagonal."
        slips: list[tuple[float, str]] = [(1, "The words before it match too: it continues their run.")]
        slips.append((length - 1, "This word counts too."))
        if length == 1:
            because = f"No run ends in the cell before it: {name} begins one."
            slips = [(2, "The words before it do not match: it begins a run.")]
        text = f"How long is the run that ends with {name} at ({column}, {row})?"
        hint = "It continues the run that ends in the cell before it on the diagonal, if there is one."
        return numeric(text, length, because, hint, slips, step.considered)

    def _block_question(self, line: str, step: ProgramStep) -> Question | None:
        (run,) = step.considered
        assert isinstance(run, Run)
        free, earlier_blocks = self.free, tuple(self.blocks)
        if line == "take":
            self.blocks.append(run)
            self.free = free.without_marks(run)
        if not self.published:
            return self._next_run_question(run, step, free, earlier_blocks)
        rows = {cell.i for cell in run.cells()} & free.candidate
        columns = {cell.j for cell in run.cells()} & free.references[self.k]
        name = phrase(" ".join(self.candidate[run.i : run.i + int(run.length)]), 24)
        if rows and columns:
            if not earlier_blocks and not self.is_due("first block"):
                return None
            keep = right("It has a free word in both sentences.", run)
            drop = no("It has a free word in both sentences, and one in each is enough.", run)
        else:
            side = "the candidate" if not rows else "the reference"
            keep = no(f"All its words in {side} are covered by runs that are kept.", run)
            drop = right(f"All its words in {side} are covered.", run)
        choices = [("it becomes a block", keep), ("it is dropped", drop)]
        return choice_question(f"{name} at ({run.j + 1}, {run.i + 1}): does it become a block?", choices)

    def _next_run_question(
        self, run: Run, step: ProgramStep, free: FreeWords, earlier_blocks: tuple[Run, ...]
    ) -> Question:
        k = self.k
        theirs = [reference if t == k else () for t, reference in enumerate(self.references)]
        tie = "The program takes the one that ends first."
        of = f" with reference {k + 1}" if self.several else ""
        return Question(
            f"Click the run of free words{of} that becomes the next block.",
            "cell",
            cell_name(run.cells()[0]),
            LazyVerdicts(lambda: next_run_verdicts(self.candidate, theirs, free, earlier_blocks, run, tie)),
            no(HIT),
            optimal=len(step.decision.options) if step.decision else 1,
        )

    # ---------------------------------------------------------------- neighbours

    def _ranked_blocks(self) -> tuple[list[Run], dict[Run, int]]:
        """Return the blocks ordered by their ends in the candidate, and each block's rank by end in the reference."""
        ours = sorted(self.blocks, key=lambda run: run.i + run.length)
        theirs = sorted(self.blocks, key=lambda run: run.j + run.length)
        return ours, {run: rank for rank, run in enumerate(theirs, 1)}

    def _rank_question(self) -> Question | None:
        ours, ranks = self._ranked_blocks()
        if len(ours) < 2:
            return None
        last = ours[-1]
        name = phrase(" ".join(self.candidate[last.i : last.i + int(last.length)]), 24)
        return numeric(
            f"What number does the candidate's last block, {name}, have in the reference?",
            ranks[last],
            f"{ranks[last] - 1} of {len(ours)} blocks end before it there.",
            "Number the blocks by where they end in the reference, from 1.",
            [(len(ours), "That is its number in the candidate.")],
            (last,),
        )

    def _neighbours_question(self, line: str, step: ProgramStep) -> Question | None:
        (pair,) = step.considered
        assert isinstance(pair, Neighbours)
        _, ranks = self._ranked_blocks()
        a, b = ranks[pair.first], ranks[pair.second]
        if line == "chain":
            yes = right(f"Their numbers in the reference, {a} and {b}, rise by 1 too.", pair)
            nope = no(f"Their numbers rise by 1 in both sentences: {a} and {b} in the reference.", pair)
        else:
            why = "their order is reversed" if b < a else "another block lies between them"
            yes = no(f"In the reference {why}: their numbers are {a} and {b}.", pair)
            nope = right(f"In the reference {why}: their numbers are {a} and {b}.", pair)
        names = " and ".join(
            [phrase(" ".join(self.candidate[run.i : run.i + int(run.length)]), 24) for run in (pair.first, pair.second)]
        )
        return choice_question(f"Are {names} neighbours?", [("neighbours", yes), ("not neighbours", nope)])

    def _score_question(self) -> Question:
        squares, products, side = (self.known.get(name, 0.0) for name in ("Σ l²", "Σ l_1·l_2", "A"))
        slips: list[tuple[float, str]] = []
        if side:
            slips = [
                *squares_slip(squares, side),
                *root_slip(squares, products, side),
                ((squares + products) ** 0.5, "Divide it by A."),
                *lengths_slip([run.length for run in self.blocks], side),
            ]
        because = f"√({number(squares)} + {number(products)}) / {number(side)}." if side else "There are no words."
        hint = "The root of the sum of squared lengths and neighbours' products, divided by A."
        return numeric(
            "What is dcs with this reference?" if self.several else "What is dcs?",
            self.known["dcs"],
            because,
            hint,
            slips,
        )
