"""Ask questions on TER: how many edits there are, which shift is best, the rows of the table, the way back."""

from __future__ import annotations

import math

from ...teach.asking import StepQuestions, TableValues, also, choice_question, no, numeric, right, winner_question
from ...teach.mistakes import (
    candidate_length_slips,
    longer_length_slips,
    mean_length_phrase,
    reference_divisor_phrase,
    reference_name,
)
from ...teach.records import AnswerVerdict, Question
from ...teach.steps import ProgramStep, PseudoCode, Trace, count, number, phrase, word
from ...teach.tables import way_back_question
from ...types import Edit, Shift
from .program import beam_edits, beam_rows
from .slips import one_length_slip

#: The most shifts offered as choices; the best ones come first.
OFFERED_MOST = 6


class TERQuestions(StepQuestions):
    """A maker of questions about the steps of TER's program: shifts against every reference, then edits and score."""

    of_cells = frozenset(["cell", "back"])
    of_words = frozenset(["trial"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.width: int = self.settings.beam_width
        self.most: int = self.settings.max_candidates
        self.seen = TableValues()
        self.orders: list[list[int]] = []  # the final order of the words, by finished reference
        self.totals: list[int] = []
        self._reset()

    def _reset(self) -> None:
        self.within = ""  # added to questions if the beam leaves cells out
        if self.k < len(self.references):
            rows = beam_rows(self.candidate, self.references[self.k], self.width)
            self.within = " within the beam" if any(math.inf in row for row in rows) else ""
        self.order = list(range(len(self.candidate)))
        self.tried, self.shifts, self.edits = 0, 0, 0
        self.trials: dict[tuple[int, int, int], tuple[Shift, int]] = {}

    @property
    def k(self) -> int:
        return len(self.orders)

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "script":
                self.edits, self.trials = len(step.considered), {}
                return self._script_question()
            case "trial":
                return self._trial_question(step)
            case "take":
                return self._best_shift_question(step)
            case "stop":
                return self._stop_question()
            case "best":
                text = "Which reference is kept?"
                return winner_question(text, self.totals, lambda total: count(total, "edit"), lowest_wins=True)
            case "cell":
                return self._row_question(step)
            case "back":
                return self._back_question(step)
            case "score":
                return self._score_question()
        return None

    def _words_in_order(self, order: list[int]) -> list[str]:
        return [self.candidate[i] for i in order]

    # ---------------------------------------------------------------- shifts

    def _script_question(self) -> Question:
        after_shifts = f" after {count(self.shifts, 'shift')}" if self.shifts else " without a shift"
        of = f" for reference {self.k + 1}" if self.several else ""
        hint = (
            "The fewest insertions, deletions and substitutions that turn the words, in this order, into the reference."
        )
        return numeric(
            f"How many edits{of} does the script have{after_shifts}{self.within}?",
            self.edits,
            "No script has fewer.",
            hint,
        )

    def _trial_question(self, step: ProgramStep) -> Question | None:
        (shift,) = step.considered
        assert isinstance(shift, Shift)
        self.tried += 1
        edits_left = beam_edits(self._words_in_order(shift.apply(self.order)), self.references[self.k], self.width)
        self.trials.setdefault((shift.start, shift.end, shift.to), (shift, edits_left))
        if not self.is_due("trial"):
            return None
        slips = [(self.edits, "That is the number now. Count again with the block at its new place.")]
        if edits_left == self.edits:
            slips = [(edits_left - 1, "Count again: this shift saves nothing.")]
        text = f"{self._shift_name(shift)}: how many edits would be left{self.within}?"
        return numeric(
            text,
            edits_left,
            f"{self.edits} now, and {edits_left} after the shift.",
            "Move the block, and count the edits.",
            slips,
            (shift,),
        )

    def _shift_name(self, shift: Shift) -> str:
        words = phrase(" ".join([self.candidate[i] for i in shift.rows]), 24)
        return f"{words} from place {shift.start + 1} to {shift.to + 1}"

    def _best_shift_question(self, step: ProgramStep) -> Question | None:
        """Return the question that asks which tried shift is best; all shifts that save as many edits are right."""
        (chosen_shift,) = step.considered
        assert isinstance(chosen_shift, Shift)
        least = min(edits_left for _, edits_left in self.trials.values())
        chosen_key = chosen_shift.start, chosen_shift.end, chosen_shift.to
        ordered = sorted(self.trials, key=lambda key: (key != chosen_key, self.trials[key][1]))[:OFFERED_MOST]
        choices: list[tuple[str, AnswerVerdict]] = []
        for key in sorted(ordered):
            shift, edits_left = self.trials[key]
            saves = f"saves {count(self.edits - edits_left, 'edit')}" if edits_left < self.edits else "saves no edit"
            if key == chosen_key:
                verdict = right(f"It {saves}: none saves more.", shift)
            elif edits_left == least:
                verdict = also(f"It {saves} too. The program takes the longer block, then the one further left.", shift)
            else:
                verdict = no(f"It {saves}; {self.edits - least} can be saved.", shift)
            choices.append((self._shift_name(shift), verdict))
        saves = f"It does: {count(self.edits - least, 'edit')} can be saved."
        choices.append(("none saves an edit", no(saves, chosen_shift)))
        self.order, self.shifts = chosen_shift.apply(self.order), self.shifts + 1
        return choice_question(f"Which shift is best{self.within}?", choices)

    def _stop_question(self) -> Question | None:
        trials, edits = self.trials, self.edits
        self.orders.append(self.order)
        self.totals.append(self.shifts + edits)
        stopped, beam_note = self.tried >= self.most, self.within
        self._reset()
        if stopped:
            return None
        least = min([edits_left for _, edits_left in trials.values()], default=edits)
        yes = no(f"{count(len(trials), 'shift')} tried, and none saves an edit: at least {least} are left.")
        if not trials:
            yes = no("No block with an error matches words with an error elsewhere in the reference.")
        choices = [("yes", yes), ("no", right("None saves one: the search is over."))]
        return choice_question(f"Is there a shift that saves an edit{beam_note}?", choices)

    # ---------------------------------------------------------------- edits

    def _kept_reference(self) -> tuple[int, list[int]]:
        """Return the index of the deciding reference, and the order of the candidate's words after its shifts."""
        k = self.totals.index(min(self.totals))
        return k, self.orders[k]

    def _row_question(self, step: ProgramStep) -> Question | None:
        assert step.table is not None
        cell = step.table.filled[-1]
        self.seen.read_new_cells(step.table)
        if not cell.row or not self.is_due("row"):
            return None
        name, m = word(self.candidate[cell.row - 1]), len(self.references[self.k])
        read = self.order.index(cell.row - 1) + 1
        if cell.column < m:  # the beam ends before the last column
            return None
        first = "word" if read == 1 else f"{read} words"
        because = f"This many edits turn the first {first}, in this order, into the whole reference."
        hint = "Each cell is 1 more than its smallest neighbour, but a hit adds nothing to the corner."
        return numeric(f"What is the last number in the row of {name}{self.within}?", cell.value, because, hint)

    def _back_question(self, step: ProgramStep) -> Question | None:
        assert step.table is not None and step.table.cell is not None
        (edit,), (k, order) = step.considered, self._kept_reference()
        assert isinstance(edit, Edit)
        row, column = step.table.cell[:2]
        rows = {0: 0, **{i + 1: place for place, i in enumerate(order, 1)}}
        values = {(rows[r], c): value for (r, c), value in self.seen.read_new_cells(step.table).items()}
        ours, theirs = tuple(self._words_in_order(order[: rows[row]])), self.references[k][:column]
        question, ways = way_back_question(values, ours, theirs, edit)
        return question if question and (ways > 1 or self.is_due("back")) else None

    def _score_question(self) -> Question:
        k, _ = self._kept_reference()
        total, mean = self.totals[k], sum(map(len, self.references)) / len(self.references)
        n, below = len(self.candidate), mean or 1
        slips: list[tuple[float, str]] = [(total, "These are the edits. Divide them by the reference's length.")]
        length = mean_length_phrase(self.references, below)
        by = (
            f"TER divides by {length}"
            if self.several
            else reference_divisor_phrase(reference_name(self.references, k), below)
        )
        slips += [*candidate_length_slips(total, n, by), *longer_length_slips(total, n, below, by)]
        if self.several:
            slips += one_length_slip(total, len(self.references[k]) or 1, below)
        whose = "the mean length of the references" if self.several else "the reference's length"
        because = f"{count(total, 'shift and edit')} / {number(below)}." if total != 1 else f"1 / {number(below)}."
        if not mean:
            because = "There are no words in the references, so they count as 1 word."
        return numeric("What is TER?", self.known["TER"], because, f"Shifts and edits, divided by {whose}.", slips)
