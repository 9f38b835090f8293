"""Ask questions on METEOR: the stage that matches, the match of a word in the best alignment, chunks, the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...teach.asking import (
    LazyVerdicts,
    StepQuestions,
    also,
    cell_name,
    choice_question,
    no,
    numeric,
    right,
    winner_question,
)
from ...teach.records import AnswerVerdict, CellSetRule, Question
from ...teach.shared import cell_set_question
from ...teach.steps import ProgramStep, PseudoCode, Trace, number, word
from ...types import Edit, Hit
from ...types.work import spend
from .program import KEPT_MOST, PartialMatching, chunks_of_cells, grow_matchings
from .slips import forgotten_penalty_slips, mean_slips, penalty_slips

STAGES = ("exact", "stem", "synonym")

#: For candidates of at most `SHORT` words so many matchings are searched; for longer ones as many as the program keeps.
SEARCHED_MOST, SHORT = 500, 16

#: The worth of a matching: how many words match, and how many of them continue the chunk of the word before.
Worth = tuple[int, int]


class METEORQuestions(StepQuestions):
    """A maker of questions about the steps of METEOR's program: stages, alignment and numbers of each reference."""

    of_words = frozenset(["exact", "stem", "synonym", "grow", "keep", "cut"])

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.stages: tuple[str, ...] = self.settings.used
        self.values: list[float] = []
        self._reset()

    def _reset(self) -> None:
        """Forget the matches of the last reference, before the steps of the next one."""
        self.places: dict[int, set[int]] = {}
        self.i = 0
        self.kept: list[PartialMatching] = [PartialMatching((0, 0, 0), None, 0, ())]
        self.growing: Iterator[list[PartialMatching]] | None = None
        self.cells: list[tuple[int, int]] = []
        self.chunked = self.inexact = False

    @property
    def k(self) -> int:
        return len(self.values)

    def question_at(self, line: str, step: ProgramStep) -> Question | None:
        match line:
            case "exact" | "stem" | "synonym":
                return self._stage_question(line, step)
            case "grow" | "keep" | "cut":
                return self._growth_question(step)
            case "chunk":
                already_asked, self.chunked = self.chunked, True
                return None if already_asked else self._chunks_question()
            case "means" | "f" | "fragmentation" | "penalty":
                return self._number_question(line)
            case "score":
                question = self._number_question(line)
                self.values.append(step.score or 0.0)
                self._reset()
                return question
            case "best" if step.decision:
                text = "Which reference's value is the score?"
                return winner_question(text, self.values, lambda value: f"the value {number(value)}")
        return None

    # ---------------------------------------------------------------- stages

    def _stage_question(self, stage: str, step: ProgramStep) -> Question | None:
        """Return the question that asks in which stage two words match first.

        None if the last such question was too few steps ago, or if the step finds no match."""
        hits = [mark for mark in step.considered if isinstance(mark, Hit)]
        for hit in hits:
            self.places.setdefault(hit.i, set()).add(hit.j)
        if not hits or not self.is_due(stage):
            return None
        hit = hits[0]
        ours, theirs = self.candidate[hit.i], self.references[self.k][hit.j]
        choices: list[tuple[str, AnswerVerdict]] = []
        for name in STAGES:
            if name not in self.stages:
                continue
            if name == stage:
                why = {
                    "exact": "They are equal.",
                    "stem": "They have the same stem.",
                    "synonym": "They share a synset.",
                }[name]
                verdict = right("Equal words match in the first stage." if ours == theirs else why, hit)
            elif STAGES.index(name) > STAGES.index(stage):
                verdict = no("An earlier stage already lets them match.", hit)
            else:
                verdict = no("They are not equal." if name == "exact" else "Their stems are different.", hit)
            choices.append((name, verdict))
        choices.append(("none: they do not match", no(f"The stage {stage} lets them match.", hit)))
        return choice_question(f"Which stage lets {word(ours)} match {word(theirs)}?", choices)

    # ---------------------------------------------------------------- the alignment

    def _growth_question(self, step: ProgramStep) -> Question | None:
        """Return the question that asks which word the next candidate word matches in the best matching so far.

        An answer is right if some matching with it has as many matches and as few chunks as the best. None if the last
        such question was too few steps ago, or if too many matchings were dropped to judge the answers."""
        i, before, n = self.i, self.kept, len(self.candidate)
        self.i += 1
        self.cells = [(hit.i, hit.j) for hit in step.taken_marks if isinstance(hit, Hit)]
        if self.inexact:
            return None
        places = {row: sorted(columns) for row, columns in self.places.items()}
        most = SEARCHED_MOST if n <= SHORT else KEPT_MOST
        if self.growing is None:
            self.growing = grow_matchings(n, places, most)
        self.kept = next(self.growing)
        own_worth = len(self.cells), len(self.cells) - len(chunks_of_cells(self.cells))
        # If matchings were dropped here, or too many by the program, no answer can be judged.
        self.inexact = len(self.kept) >= most or self.kept[0].worth[:2] != own_worth
        if self.inexact:
            return None
        if i == n - 1 and self.cells:
            return self._drawing_question()
        word_places = places.get(i, [])
        if not (step.decision or self.is_due(f"grow {bool(word_places)}")):
            return None
        ways = worth_by_match(before, i, word_places)
        best = max(ways.values())
        own_column = next((j for row, j in self.cells if row == i), None)
        good = [j for j, worth in ways.items() if worth == best]
        k, name = self.k, word(self.candidate[i])

        def verdicts() -> dict[str, AnswerVerdict]:
            return {
                "0" if j is None else f"{i},{k},{j}": self._verdict(i, j, worth, best, j == own_column)
                for j, worth in ways.items()
            }

        of = f" of reference {k + 1}" if self.several else ""
        is_unmatched = isinstance(step.considered[0], Edit) if step.considered else True
        hint = "This word may match nothing." if is_unmatched else "No stage allows this match."
        return Question(
            f"Which word{of} does {name}, word {i + 1}, match in the best alignment so far?",
            "cell",
            "0" if own_column is None else cell_name((i, k, own_column)),
            LazyVerdicts(verdicts),
            no(hint),
            choices=("none, in the best alignment so far",),
            optimal=len(good),
        )

    def _drawing_question(self) -> Question:
        """Return the question that asks for a drawing of the whole alignment.

        It replaces the question about the last word."""
        k = self.k
        may = {f"{i},{k},{j}": 1.0 for i, places in self.places.items() for j in places}
        rule = CellSetRule(may, len(self.cells), rising=False, chunks=len(chunks_of_cells(self.cells)))
        of = f" with reference {k + 1}" if self.several else ""
        text = f"Draw an alignment{of}: as many matches as possible, in the fewest chunks."
        count = count_best_matchings(len(self.candidate), {i: sorted(places) for i, places in self.places.items()})
        return cell_set_question(
            text, rule, [Hit(i, k, j) for i, j in self.cells], (self.candidate, *self.references), count
        )

    def _verdict(self, i: int, j: int | None, worth: Worth, best: Worth, is_program_match: bool) -> AnswerVerdict:
        (matches, joints), (most, most_joints) = worth, best
        marks = () if j is None else (Hit(i, self.k, j),)
        if worth == best:
            count_text = f"{matches} matched, in {matches - joints} {'chunk' if matches - joints == 1 else 'chunks'}"
            return (
                right(f"{count_text}: none is better.", *marks)
                if is_program_match
                else also(f"{count_text}: equally good.", *marks)
            )
        if matches < most:
            return no(f"With this at most {matches} match; the best is {most}.", *marks)
        return no(f"With this there are at least {matches - joints} chunks; the best is {most - most_joints}.", *marks)

    def _chunks_question(self) -> Question:
        matches, many = len(self.cells), len(chunks_of_cells(self.cells))
        slips = [
            (matches, "These are the matches. Those that follow each other in both sentences make one chunk."),
            (matches - many, "That is how often a match continues a chunk. Count the chunks."),
        ]
        hint = "A chunk is the longest possible run of matches that follow each other in both sentences."
        hits = [Hit(i, self.k, j) for i, j in self.cells]
        return numeric("How many chunks are there?", many, f"{matches} matches make {many} of them.", hint, slips, hits)

    # ---------------------------------------------------------------- numbers

    def _number_question(self, line: str) -> Question:
        known_values, n = self.known, len(self.candidate)
        matches, many = len(self.cells), len(chunks_of_cells(self.cells))
        alpha, beta, gamma, p, r, f = (known_values.get(name, 0.0) for name in ("α", "β", "γ", "P", "R", "F"))
        fragmentation, penalty = known_values.get("fragmentation", 0.0), known_values.get("penalty", 0.0)
        if line == "means":
            slips = [(r, "This is R: it is divided by the reference's length.")]
            return numeric("What is P?", p, f"{matches} / {n}." if n else "There are no words.", "Matches / n.", slips)
        if line == "f":
            hint = f"F is PR / (αP + (1 − α)R), with α = {alpha:g}."
            because = f"P = {number(p)}, R = {number(r)}, α = {alpha:g}." if p else "Nothing matches."
            return numeric("What is F?", f, because, hint, [*mean_slips(p, r, alpha)])
        if line == "fragmentation":
            slips = [(many, "Divide it by the matches.")]
            slips += [((many - 1) / (matches - 1), "Subtract nothing: it is chunks / matches.")] if matches > 1 else []
            slips += [(many / matches, "One chunk covers both sentences, so it is 0.")] if matches else []
            because = f"{many} / {matches}." if fragmentation else "There is no fragmentation."
            hint = "Chunks / matches, but 0 if one chunk covers both sentences or nothing matches."
            return numeric("What is the fragmentation?", fragmentation, because, hint, slips)
        if line == "penalty":
            hint = f"γ · frag^β, with γ = {gamma:g} and β = {beta:g}."
            return numeric(
                "What is the penalty?",
                penalty,
                f"{gamma:g} · {number(fragmentation)}^{beta:g}.",
                hint,
                [*penalty_slips(fragmentation, beta, gamma)],
            )
        slips = [
            *forgotten_penalty_slips(f, penalty),
            (f - penalty, "The penalty is not subtracted: F is multiplied by 1 − penalty."),
        ]
        because = f"{number(f)} · (1 − {number(penalty)})."
        text = "What is METEOR with this reference?" if self.several else "What is METEOR?"
        return numeric(text, known_values["METEOR"], because, "F · (1 − penalty).", slips)


def worth_by_match(before: Sequence[PartialMatching], i: int, places: Sequence[int]) -> dict[int | None, Worth]:
    """Return, for each reference position that word `i` may match, how good the matching can be with that match.

    The value is (number of matches, number of joints) of the best matching of the words up to `i`; a joint is a match
    that continues a chunk. The key None stands for leaving word `i` unmatched. `before` are the matchings of the words
    before `i`, and `places` the positions that word `i` may match.

    >>> worth_by_match([PartialMatching((0, 0, 0), None, 0, ())], 0, [2])
    {None: (0, 0), 2: (1, 0)}
    """
    out: dict[int | None, Worth] = {None: max(one.worth[:2] for one in before)}
    for j in places:
        free = [one for one in before if not one.used >> j & 1]
        if free:
            out[j] = max((one.worth[0] + 1, one.worth[1] + (one.last == (i - 1, j - 1))) for one in free)
    return out


def count_best_matchings(length: int, places: Mapping[int, Sequence[int]]) -> int:
    """Return the number of best matchings of `length` candidate words: most matches and, of those, fewest chunks.

    `places[i]` are the reference positions that word i may match. No matching is dropped, so time and memory can grow
    exponentially with the number of words.

    >>> count_best_matchings(2, {0: [0, 1], 1: [0, 1]}), count_best_matchings(2, {0: [0, 2], 1: [1]})
    (1, 1)
    """
    states: dict[tuple[int, int | None], tuple[tuple[int, int], int]] = {(0, None): ((0, 0), 1)}
    for i in range(length):
        later_columns = sum([1 << j for j in {j for row in range(i + 1, length) for j in places.get(row, ())}])
        after: dict[tuple[int, int | None], tuple[tuple[int, int], int]] = {}
        spend(5 * len(states))
        for (used, last), ((matches, joints), count) in states.items():
            ways: list[tuple[int | None, tuple[int, int]]] = [(None, (matches, joints))]
            for j in places.get(i, ()):
                if not used >> j & 1:
                    ways.append((j, (matches + 1, joints + (last == j - 1))))
            for at, worth in ways:
                goes_on = at is not None and at + 1 in places.get(i + 1, ())
                key = (used if at is None else used | 1 << at) & later_columns, at if goes_on else None
                most, many = after.get(key, (worth, 0))
                after[key] = (worth, count) if worth > most else (most, many + count * (worth == most))
        states = after
    best = max(worth for worth, _ in states.values())
    return sum([count for worth, count in states.values() if worth == best])
