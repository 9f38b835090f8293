"""Run ROUGE step by step as Lin and Och (2004) and Lin (2004) print it: P, R, F, and several references.

The folder of each ROUGE metric adds a class that finds what matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from ...teach.steps import (
    NO_BETTER,
    Decision,
    FreeWords,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    StepTable,
    add_known_values,
    all_free,
    count,
    number,
    phrase,
    same_cells,
    unknown,
    unmatched_mark,
)
from ...types import Mark, Result, Segment
from ...types.work import spend

#: The reason why the marks of a reference do not count.
LEFT_OUT = "its reference is left out of this set"
#: The reason why an occurrence in the reference does not match again.
MATCHED = "an earlier equal one has matched it"


class RougeOutcome(NamedTuple):
    """A ROUGE score with its precision and recall.

    `used` are the indices of the references that decide it."""

    precision: float
    recall: float
    score: float
    used: tuple[int, ...]


class RougeMatches:
    """The matches of the candidate with reference `k`; each ROUGE metric is a subclass.

    The steps of `count` find the matches, and store their amount in `amount` and their marks in `marks`.

    Attributes:
        symbol: the symbol of the amount, such as "LCS".
        lines: the lines of the pseudo-code by name.
        totals: the symbols of the candidate's and the reference's total, by which P and R divide.
        equations: the numbers of the paper's equations for P, R and F.
        other: the clause of the last step for a result that draws other matches than the steps."""

    symbol: ClassVar[str]
    lines: ClassVar[dict[str, str]]
    totals: ClassVar[tuple[str, str]]
    equations: ClassVar[tuple[str, str, str]]
    other: ClassVar[str] = "the result draws other matches, equally many"

    def __init__(self, rouge: RougeProgram, k: int) -> None:
        self.rouge, self.k, self.code, self.settings = rouge, k, rouge.code, rouge.settings
        self.candidate, self.reference = rouge.segment.candidate, rouge.segment.references[k]
        self.amount = 0.0
        self.marks: list[Mark] = []
        self.free = all_free(rouge.segment)
        #: The name of the reference in sentences.
        self.named = f"reference {k + 1}" if len(rouge.segment.references) > 1 else "the reference"

    @classmethod
    def class_for(cls, settings: Any) -> type[RougeMatches]:
        """Return the class that finds the matches with these settings: this class or a subclass."""
        return cls

    @staticmethod
    def total(length: int, settings: Any) -> float:
        """Return how many units (n-grams, words, pairs) a sentence of this length has, by which P or R divides."""
        return length

    def totals_known(self) -> dict[str, float]:
        """Return the values of the formula's symbols from which the totals are computed, such as n and m."""
        return {"n": len(self.candidate), "m": len(self.reference)}

    def known_amounts(self) -> dict[str, float]:
        """Return the number (or weight) of the matches so far, under its symbol in the formula."""
        return {self.symbol: self.amount}

    def count(self) -> Iterator[ProgramStep]:
        raise NotImplementedError

    def take(self, mark: Mark) -> None:
        """Add a mark to the matches, and record its words as used."""
        self.marks.append(mark)
        self.free = self.free.without_marks(mark)

    def step(
        self,
        text: str,
        line: str,
        considered: Sequence[Mark] = (),
        rejected: Sequence[Rejected] = (),
        table: StepTable | None = None,
        decision: Decision | None = None,
        known_numbers: dict[str, float] | None = None,
    ) -> ProgramStep:
        """Return a program step that shows the marks taken so far, the free words, and the score for these matches.

        `line` is the name of its line of pseudo-code."""
        score = self.rouge.outcome().score
        taken_marks = Prefix(self.marks)
        table = table or self.table()
        parts = (text, self.code[line], considered, taken_marks, rejected, table, self.free, score, decision)
        return ProgramStep(*parts, known_values=known_numbers or {})

    def table(self) -> StepTable | None:
        """Return a snapshot of the table that the steps fill; None if this ROUGE metric fills no table."""
        return None

    def wordless_clause(self) -> str:
        """Return a clause that says which sentences have no words; "" if both have words."""
        if self.candidate and self.reference:
            return ""
        sides = [
            *(["the candidate"] if not self.candidate else []),
            *([self.named] if not self.reference else []),
        ]
        return f"{' and '.join(sides)} {'has' if len(sides) == 1 else 'have'} no words"


class ClippedMatches(RougeMatches):
    """The matches of a ROUGE metric that counts each n-gram or pair as often as both sentences have it.

    The first occurrence in the candidate is matched with the first in the reference, and so on."""

    def size_sentence(self, ours: Sequence[Any], theirs: Sequence[Any], noun: str) -> str:
        """Return a sentence on how many units both sentences have, or on why none can match.

        `ours` and `theirs` are the units of candidate and reference, and `noun` is their noun."""
        if why := self.wordless_clause():
            return f"No {noun} can match: {why}."
        return f"The candidate has {count(len(ours), noun)}, {self.named} has {number(len(theirs))}."

    def match_steps(
        self,
        ours: Sequence[tuple[str, ...]],
        theirs: Sequence[tuple[str, ...]],
        make_mark: Callable[[int, int], Mark],
        lines: tuple[str, str, str],
    ) -> Iterator[ProgramStep]:
        """Yield a step for each n-gram or pair of the candidate: it is matched, or the reason why not.

        `ours` and `theirs` are those of candidate and reference in order; `make_mark(i, j)` makes the mark of a match.
        `lines` are three names of lines of pseudo-code: a match, all occurrences in the reference are used, it has
        none."""
        used: set[int] = set()
        for i, ngram in enumerate(ours):
            spend(len(theirs) // 20)
            places = [j for j, other in enumerate(theirs) if other == ngram]
            marks = [make_mark(i, j) for j in places]
            rejected = [Rejected(mark, MATCHED) for mark, j in zip(marks, places, strict=True) if j in used]
            name = f"{phrase(' '.join(ngram), 24)}, place {i + 1}"
            if not places:
                yield self.step(f"{name}: not in {self.named}.", lines[2], (unmatched_mark(i, i + len(ngram), self.k),))
            elif len(rejected) == len(places):
                often = "once" if len(places) == 1 else f"{len(places)} times"
                yield self.step(f"{name}: {self.named} has it {often}, and all are used.", lines[1], marks, rejected)
            else:
                j = places[len(rejected)]  # the leftmost ones are used first
                used.add(j)
                self.amount += 1
                self.take(marks[len(rejected)])
                text = f"{name}: matches place {j + 1} of {self.named}, {number(self.amount)} so far."
                yield self.step(text, lines[0], marks, rejected, known_numbers=self.known_amounts())


class RougeProgram:
    """The steps that all ROUGE metrics share: precision, recall, F, and the rules for several references."""

    def __init__(self, kind: type[RougeMatches], segment: Segment, settings: Any) -> None:
        self.segment, self.settings, self.kind = segment, settings, kind
        self.code = code(kind, settings)
        candidate, references = segment
        self.n = kind.total(len(candidate), settings)
        self.ms = [kind.total(len(reference), settings) for reference in references]
        self.weight = getattr(settings, "weight", 1.0)
        self.each = [kind(self, k) for k in range(len(references))]

    def ratio(self, amount: float, total: float) -> float:
        """Return f⁻¹(amount / total); 0 for a total of 0."""
        return float((amount / total) ** (1 / self.weight)) if total else 0.0

    def f(self, precision: float, recall: float) -> float:
        """Return F of a precision and a recall, by equation 6; 0 if one of them is 0."""
        if not precision or not recall:
            return 0.0
        beta = precision / recall if self.settings.f_measure == "lin_och" else self.settings.beta
        return float((1 + beta**2) * precision * recall / (recall + beta**2 * precision))

    def score_against(self, k: int) -> RougeOutcome:
        """Return precision, recall and F against reference `k` alone, for the matches found so far."""
        amount = self.each[k].amount
        p, r = self.ratio(amount, self.n), self.ratio(amount, self.ms[k])
        return RougeOutcome(p, r, self.f(p, r), (k,))

    def outcome(self) -> RougeOutcome:
        """Return the score of the matches found so far, by the settings' rule for several references."""
        ks = range(len(self.each))
        spend(3 * len(ks))
        each = [self.score_against(k) for k in ks]
        rule = self.settings.multi_reference
        if rule == "sum":
            amount = sum(one.amount for one in self.each)
            p, r = self.ratio(amount, self.n * len(ks)), self.ratio(amount, sum(self.ms))
            return RougeOutcome(p, r, self.f(p, r), tuple(ks))
        if rule == "jackknife" and len(ks) > 1:
            winners = [max(remaining, key=lambda one: one.score) for remaining in self.leave_one_out()]
            p, r, f = (sum(column) / len(winners) for column in list(zip(*winners, strict=True))[:3])
            return RougeOutcome(p, r, f, tuple(dict.fromkeys([one.used[0] for one in winners])))
        if rule == "independent":
            amounts = [one.amount for one in self.each]
            recalls = [self.share(k) for k in ks]
            best_ks = [k for k in ks if amounts[k] == max(amounts) and recalls[k] == max(recalls)]
            by_p, by_r = (best_ks[0],) * 2 if best_ks else (amounts.index(max(amounts)), recalls.index(max(recalls)))
            p, r = each[by_p].precision, each[by_r].recall
            return RougeOutcome(p, r, self.f(p, r), tuple(dict.fromkeys([by_p, by_r])))
        if rule == "best_recall":
            return max(each, key=lambda one: self.share(one.used[0]))
        return max(each, key=lambda one: one.score)

    def share(self, k: int) -> float:
        """Return the amount that matches reference `k`, divided by the reference's total."""
        return self.each[k].amount / self.ms[k] if self.ms[k] else 0.0

    def leave_one_out(self) -> Iterator[list[RougeOutcome]]:
        """Yield, for each reference that is left out, the scores against every other reference."""
        each = [self.score_against(k) for k in range(len(self.each))]
        spend(len(each) * (3 + len(each) // 5))
        for k in range(len(each)):
            yield each[:k] + each[k + 1 :]

    # ---------------------------------------------------------------- steps

    def steps(self, score: Callable[[], Result]) -> Iterator[ProgramStep]:
        several = len(self.each) > 1
        rule = self.settings.multi_reference
        for one in self.each:
            yield from add_known_values(one.count(), self.initial_formula_values(one))
            if rule != "sum" or not several:
                yield from self.ratios(one)
        if several:
            yield from self.choose_references(rule)
        yield self.last_step(score())

    def ratios(self, one: RougeMatches) -> Iterator[ProgramStep]:
        """Yield the steps that state precision and recall against one reference.

        A step for F follows if the rule for several references compares F."""
        which = f"Reference {one.k + 1}: " if len(self.each) > 1 else ""
        for letter, total in (("P", self.n), ("R", self.ms[one.k])):
            known_numbers = {**one.known_amounts(), letter: self.ratio(one.amount, total)}
            yield one.step(f"{which}{self.ratio_text(letter, one.amount, total)}.", letter, known_numbers=known_numbers)
        if which and self.settings.multi_reference in ("best", "jackknife"):
            p, r, f, _ = self.score_against(one.k)
            text = f"{which}P = {number(p)} and R = {number(r)}, so F = {number(f)}."
            yield one.step(text, "F", known_numbers={**self.beta_of(p, r), "F": f})

    def initial_formula_values(self, one: RougeMatches) -> dict[str, float]:
        """Return the values of the formula's symbols before anything is matched; symbols not known yet are NaN."""
        beta = {} if self.settings.f_measure == "lin_och" else {"β": self.settings.beta}
        return {**unknown("P", "R", "F", *one.known_amounts()), **beta, **one.totals_known()}

    def beta_of(self, p: float, r: float) -> dict[str, float]:
        """Return {"β": P/R} if the settings compute β so and neither is 0; otherwise an empty dict."""
        return {"β": p / r} if self.settings.f_measure == "lin_och" and p and r else {}

    def known_of_formula(self, used: Sequence[int]) -> dict[str, float]:
        """Return the values of the formula's symbols if the references with the indices `used` decide the score.

        With several references amount and totals are NaN, because they have no single value."""
        one = self.each[used[0]]
        if len(used) == 1:
            return {**one.totals_known(), **one.known_amounts()}
        return unknown(*one.totals_known(), *one.known_amounts())

    def ratio_text(self, letter: str, amount: float, total: float) -> str:
        """Return the text that states P or R (`letter`) as the quotient of amount and total."""
        if not total:
            return f"{letter} = 0, because there is nothing to divide by"
        value = number(self.ratio(amount, total))
        if self.weight == 1:
            return f"{letter} = {number(amount)}/{number(total)} = {value}"
        return f"{letter} = ({number(amount)}/{number(total)})^(1/{self.weight:g}) = {value}"

    def choose_references(self, rule: str) -> Iterator[ProgramStep]:
        """Yield the steps that choose the deciding references by `rule`, a value of the setting `multi_reference`."""
        ks = range(len(self.each))
        outcome = self.outcome()
        if rule == "sum":
            amount = sum(one.amount for one in self.each)
            yield self.choice_step(
                f"All {len(ks)} references count: {self.kind.symbol} = {number(amount)} in all.", ks, ks
            )
            for letter, total in (("P", self.n * len(ks)), ("R", sum(self.ms))):
                known_numbers = {
                    **self.known_of_formula(ks),
                    self.kind.symbol: amount,
                    letter: self.ratio(amount, total),
                }
                yield self.choice_step(
                    f"{self.ratio_text(letter, amount, total)}.", ks, ks, line=letter, known_numbers=known_numbers
                )
        elif rule == "independent":
            p, r = outcome.used[0], outcome.used[-1]
            yield self.choice_step(
                f"Reference {p + 1} has the best P, {number(outcome.precision)}.", ks, [p], "best precision"
            )
            text = f"Reference {r + 1} has the best R, {number(outcome.recall)}."
            yield self.choice_step(text, ks, outcome.used, "best recall")
        elif rule == "jackknife":
            for k, remaining in enumerate(self.leave_one_out()):
                best = max(remaining, key=lambda one: one.score)
                text = f"Without reference {k + 1}, reference {best.used[0] + 1} is best: F = {number(best.score)}."
                yield self.choice_step(text, ks, best.used, "best of a set", k)
        else:
            letter, value = ("R", outcome.recall) if rule == "best_recall" else ("F", outcome.score)
            text = f"Reference {outcome.used[0] + 1} has the best {letter}, {number(value)}."
            yield self.choice_step(text, ks, outcome.used, f"best {'recall' if letter == 'R' else 'F'}")

    def choice_step(
        self,
        text: str,
        among: Sequence[int],
        used: Sequence[int],
        name: str = "",
        left_out_k: int | None = None,
        line: str = "several",
        known_numbers: dict[str, float] | None = None,
    ) -> ProgramStep:
        """Return a step that compares the references with indices `among`, and chooses those with indices `used`.

        Args:
            name: what is decided, such as "best recall"; "" if nothing is.
            left_out_k: the index of the reference that "jackknife" leaves out of this set.
            line: the name of the line of pseudo-code.
            known_numbers: the values of the formula's symbols, None to compute them."""
        taken_marks = self.marks_of_references(used)
        return ProgramStep(
            text,
            self.code[line],
            self.marks_of_references([k for k in among if k != left_out_k]) if name else (),
            taken_marks,
            [
                Rejected(mark, LEFT_OUT if k == left_out_k else NO_BETTER)
                for k in among
                if k not in used
                for mark in self.each[k].marks
            ],
            table=self.each[used[0]].table(),
            free=all_free(self.segment).without_marks(*taken_marks),
            score=self.outcome().score,
            decision=Decision(name, self.marks_of_references([k for k in among if k != left_out_k])) if name else None,
            known_values={**unknown("P", "R", "F"), **self.known_of_formula(used)}
            if known_numbers is None
            else known_numbers,
        )

    def marks_of_references(self, ks: Sequence[int]) -> tuple[Mark, ...]:
        return tuple([mark for k in ks for mark in self.each[k].marks])

    def last_step(self, result: Result) -> ProgramStep:
        p, r, f, used = self.outcome()
        taken_marks = self.marks_of_references(used)
        score = number(f)
        if not same_cells(taken_marks, result):
            text = f"F = {score}; {self.kind.other}."
        elif self.settings.multi_reference == "jackknife" and len(self.each) > 1:
            text = f"The mean of the {len(self.each)} sets is F = {score}."
        else:
            text = f"P = {number(p)} and R = {number(r)}, so F = {score}."
            if self.settings.f_measure == "lin_och" and p and r:
                text = f"β = P/R = {number(p)}/{number(r)} = {number(p / r)}, so F = {score}."
            elif self.settings.beta != 1 and p and r:
                text = f"P = {number(p)} and R = {number(r)}, so with β = {self.settings.beta:g}, F = {score}."
        free: FreeWords = all_free(self.segment).without_marks(*taken_marks)
        table = self.each[used[0]].table()
        known_numbers = {**self.beta_of(p, r), "P": p, "R": r, "F": f}
        if self.settings.multi_reference == "jackknife" and len(self.each) > 1:
            known_numbers |= unknown("P", "R", *self.known_of_formula(used))  # each set has its own numbers
        return ProgramStep(
            text,
            self.code["F"],
            taken_marks=taken_marks,
            table=table,
            free=free,
            score=f,
            result=result,
            known_values=known_numbers,
        )


def code(kind: type[RougeMatches], settings: Any) -> PseudoCode:
    """Return the pseudo-code of a ROUGE metric: its own lines, then the lines that all four share."""
    p, r, f = kind.equations
    several = {
        "independent": "several references: the best P, the best R   (eqs. 7–9)",
        "best": "several references: the one with the best F",
        "best_recall": "several references: the one with the best R",
        "sum": f"several references: sums of {kind.symbol} and totals",
        "jackknife": "several references: each set without one   (§ 5)",
    }
    power = "^(1/w)" if getattr(settings, "weight", 1.0) != 1 else ""
    beta = "β ← P/R,  " if settings.f_measure == "lin_och" else ""
    n, m = kind.totals
    bracket = f"({kind.symbol} / {{}}){power}" if power else f"{kind.symbol} / {{}}"
    return PseudoCode(
        **kind.lines,
        P=f"P ← {bracket.format(n)}{p}",
        R=f"R ← {bracket.format(m)}{r}",
        several=several[settings.multi_reference],
        F=f"{beta}F ← (1 + β²)PR / (R + β²P){f}",
    )


def program(kind: type[RougeMatches]) -> Program:
    """Return the program of one ROUGE metric, given the class of its matches."""
    return Program(
        lambda settings: code(kind.class_for(settings), settings),
        lambda segment, settings, score: RougeProgram(kind.class_for(settings), segment, settings).steps(score),
    )
