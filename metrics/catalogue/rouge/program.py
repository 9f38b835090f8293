"""Run ROUGE step by step as Lin and Och (2004) and Lin (2004) print it: P, R, F, and several references.

Each kind of ROUGE adds in its own folder what is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from ...teach.steps import (
    NO_BETTER,
    Decision,
    Free,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    StepTable,
    all_free,
    beginning,
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
MATCHED = "an equal one before has matched it"


class RougeOutcome(NamedTuple):
    """The precision, recall and score, and the references whose marks count."""

    precision: float
    recall: float
    score: float
    used: tuple[int, ...]


class RougeMatches:
    """The matches of the candidate with reference `k`: their amount, and the marks that show them.

    The steps of `count` find both and store them in `amount` and `marks`. Each kind of ROUGE is a subclass.

    Attributes:
        symbol: the symbol of the amount.
        lines: the lines of the pseudo-code by name.
        totals: how the totals of candidate and reference are written.
        equations: the numbers of the paper's equations for P, R and F.
        other: the last step's clause if the result draws other marks."""

    symbol: ClassVar[str]
    lines: ClassVar[dict[str, str]]
    totals: ClassVar[tuple[str, str]]
    equations: ClassVar[tuple[str, str, str]]
    other: ClassVar[str] = "the result draws other matches, as many"

    def __init__(self, rouge: Rouge, k: int) -> None:
        self.rouge, self.k, self.code, self.settings = rouge, k, rouge.code, rouge.settings
        self.candidate, self.reference = rouge.segment.candidate, rouge.segment.references[k]
        self.amount = 0.0
        self.marks: list[Mark] = []
        self.free = all_free(rouge.segment)
        #: The name of the reference in sentences.
        self.named = f"reference {k + 1}" if len(rouge.segment.references) > 1 else "the reference"

    @classmethod
    def variant(cls, settings: Any) -> type[RougeMatches]:
        """Return the class that counts by these settings."""
        return cls

    @staticmethod
    def total(length: int, settings: Any) -> float:
        """Return how many countable units a sentence of this length has."""
        return length

    def totals_known(self) -> dict[str, float]:
        """Return the numbers that make the totals, by their names in the formula."""
        return {"n": len(self.candidate), "m": len(self.reference)}

    def known_amounts(self) -> dict[str, float]:
        """Return the amount by its name in the formula."""
        return {self.symbol: self.amount}

    def count(self) -> Iterator[ProgramStep]:
        raise NotImplementedError

    def take(self, mark: Mark) -> None:
        """Take a mark, and mark its words as used."""
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
        """Return a step with the marks taken, the free words, and the score for the amount so far."""
        score = self.rouge.outcome().score
        taken_marks = Prefix(self.marks)
        table = table or self.table()
        parts = (text, self.code[line], considered, taken_marks, rejected, table, self.free, score, decision)
        return ProgramStep(*parts, known_values=known_numbers or {})

    def table(self) -> StepTable | None:
        """Return the table as it is now; None if this kind fills no table."""
        return None

    def empty(self) -> str:
        """Return a clause that names the side without words; "" if both have words."""
        if self.candidate and self.reference:
            return ""
        sides = [
            *(["the candidate"] if not self.candidate else []),
            *([self.named] if not self.reference else []),
        ]
        return f"{' and '.join(sides)} {'has' if len(sides) == 1 else 'have'} no words"


class ClippedMatches(RougeMatches):
    """A kind of ROUGE that matches the candidate's occurrences with the reference's, leftmost with leftmost."""

    def size_sentence(self, ours: Sequence[Any], theirs: Sequence[Any], noun: str) -> str:
        """Return a sentence on how many countable units both sentences have, or on why nothing can match."""
        if why := self.empty():
            return f"No {noun} can match: {why}."
        return f"The candidate has {count(len(ours), noun)}, {self.named} has {number(len(theirs))}."

    def match_steps(
        self,
        ours: Sequence[tuple[str, ...]],
        theirs: Sequence[tuple[str, ...]],
        make_mark: Callable[[int, int], Mark],
        lines: tuple[str, str, str],
    ) -> Iterator[ProgramStep]:
        """Yield a step for each occurrence in the candidate.

        `lines` are the names of the pseudo-code's lines for: one is taken, all are used, the reference has none."""
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


class Rouge:
    """The part of the program that all kinds share: precision, recall, F, and the rules for several references."""

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
        """Return F by equation 6; 0 if precision or recall is 0."""
        if not precision or not recall:
            return 0.0
        beta = precision / recall if self.settings.f_measure == "lin_och" else self.settings.beta
        return float((1 + beta**2) * precision * recall / (recall + beta**2 * precision))

    def score_against(self, k: int) -> RougeOutcome:
        """Return the score against reference `k` alone."""
        amount = self.each[k].amount
        p, r = self.ratio(amount, self.n), self.ratio(amount, self.ms[k])
        return RougeOutcome(p, r, self.f(p, r), (k,))

    def outcome(self) -> RougeOutcome:
        """Return the score of the amounts found so far, by the rule for several references."""
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
        """Return the share of reference `k` that matches, before f⁻¹."""
        return self.each[k].amount / self.ms[k] if self.ms[k] else 0.0

    def leave_one_out(self) -> Iterator[list[RougeOutcome]]:
        """Yield, for each reference, the scores against all other references."""
        each = [self.score_against(k) for k in range(len(self.each))]
        spend(len(each) * (3 + len(each) // 5))
        for k in range(len(each)):
            yield each[:k] + each[k + 1 :]

    # ---------------------------------------------------------------- steps

    def steps(self, score: Callable[[], Result]) -> Iterator[ProgramStep]:
        several = len(self.each) > 1
        rule = self.settings.multi_reference
        for one in self.each:
            yield from beginning(one.count(), self.at_first(one))
            if rule != "sum" or not several:
                yield from self.ratios(one)
        if several:
            yield from self.choose_references(rule)
        yield self.last(score())

    def ratios(self, one: RougeMatches) -> Iterator[ProgramStep]:
        """Yield the steps for precision and recall against one reference, and for F if references are chosen by it."""
        which = f"Reference {one.k + 1}: " if len(self.each) > 1 else ""
        for letter, total in (("P", self.n), ("R", self.ms[one.k])):
            known_numbers = {**one.known_amounts(), letter: self.ratio(one.amount, total)}
            yield one.step(f"{which}{self.ratio_text(letter, one.amount, total)}.", letter, known_numbers=known_numbers)
        if which and self.settings.multi_reference in ("best", "jackknife"):
            p, r, f, _ = self.score_against(one.k)
            text = f"{which}P = {number(p)} and R = {number(r)}, so F = {number(f)}."
            yield one.step(text, "F", known_numbers={**self.beta_of(p, r), "F": f})

    def at_first(self, one: RougeMatches) -> dict[str, float]:
        """Return the numbers of the formula that are known before anything is counted against a reference."""
        beta = {} if self.settings.f_measure == "lin_och" else {"β": self.settings.beta}
        return {**unknown("P", "R", "F", *one.known_amounts()), **beta, **one.totals_known()}

    def beta_of(self, p: float, r: float) -> dict[str, float]:
        """Return β as known number if it is P/R; empty otherwise."""
        return {"β": p / r} if self.settings.f_measure == "lin_och" and p and r else {}

    def known_of_formula(self, used: Sequence[int]) -> dict[str, float]:
        """Return the numbers of the formula that are known if these references count.

        Amount and totals are known only for a single reference."""
        one = self.each[used[0]]
        if len(used) == 1:
            return {**one.totals_known(), **one.known_amounts()}
        return unknown(*one.totals_known(), *one.known_amounts())

    def ratio_text(self, letter: str, amount: float, total: float) -> str:
        """Return the text of P or R with its numbers."""
        if not total:
            return f"{letter} = 0, there is nothing to divide by"
        value = number(self.ratio(amount, total))
        if self.weight == 1:
            return f"{letter} = {number(amount)}/{number(total)} = {value}"
        return f"{letter} = ({number(amount)}/{number(total)})^(1/{self.weight:g}) = {value}"

    def choose_references(self, rule: str) -> Iterator[ProgramStep]:
        """Yield the steps that choose the references that count."""
        ks = range(len(self.each))
        outcome = self.outcome()
        if rule == "sum":
            amount = sum(one.amount for one in self.each)
            yield self.choice(f"All {len(ks)} references count: {self.kind.symbol} = {number(amount)} in all.", ks, ks)
            for letter, total in (("P", self.n * len(ks)), ("R", sum(self.ms))):
                known_numbers = {
                    **self.known_of_formula(ks),
                    self.kind.symbol: amount,
                    letter: self.ratio(amount, total),
                }
                yield self.choice(
                    f"{self.ratio_text(letter, amount, total)}.", ks, ks, line=letter, known_numbers=known_numbers
                )
        elif rule == "independent":
            p, r = outcome.used[0], outcome.used[-1]
            yield self.choice(
                f"Reference {p + 1} has the best P, {number(outcome.precision)}.", ks, [p], "best precision"
            )
            text = f"Reference {r + 1} has the best R, {number(outcome.recall)}."
            yield self.choice(text, ks, outcome.used, "best recall")
        elif rule == "jackknife":
            for k, remaining in enumerate(self.leave_one_out()):
                best = max(remaining, key=lambda one: one.score)
                text = f"Without reference {k + 1}, reference {best.used[0] + 1} is best: F = {number(best.score)}."
                yield self.choice(text, ks, best.used, "best of a set", k)
        else:
            letter, value = ("R", outcome.recall) if rule == "best_recall" else ("F", outcome.score)
            text = f"Reference {outcome.used[0] + 1} has the best {letter}, {number(value)}."
            yield self.choice(text, ks, outcome.used, f"best {'recall' if letter == 'R' else 'F'}")

    def choice(
        self,
        text: str,
        among: Sequence[int],
        used: Sequence[int],
        name: str = "",
        out: int | None = None,
        line: str = "several",
        known_numbers: dict[str, float] | None = None,
    ) -> ProgramStep:
        """Return a step that considers the references `among` and takes the references `used`.

        If `out` is given, this reference is left out first."""
        taken_marks = self.marks(used)
        return ProgramStep(
            text,
            self.code[line],
            self.marks([k for k in among if k != out]) if name else (),
            taken_marks,
            [
                Rejected(mark, LEFT_OUT if k == out else NO_BETTER)
                for k in among
                if k not in used
                for mark in self.each[k].marks
            ],
            table=self.each[used[0]].table(),
            free=all_free(self.segment).without_marks(*taken_marks),
            score=self.outcome().score,
            decision=Decision(name, self.marks([k for k in among if k != out])) if name else None,
            known_values={**unknown("P", "R", "F"), **self.known_of_formula(used)}
            if known_numbers is None
            else known_numbers,
        )

    def marks(self, ks: Sequence[int]) -> tuple[Mark, ...]:
        return tuple([mark for k in ks for mark in self.each[k].marks])

    def last(self, result: Result) -> ProgramStep:
        p, r, f, used = self.outcome()
        taken_marks = self.marks(used)
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
                text = f"P = {number(p)} and R = {number(r)}, so with β = {self.settings.beta:g} F = {score}."
        free: Free = all_free(self.segment).without_marks(*taken_marks)
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
    """Return the pseudo-code: the lines of the kind, then those that all kinds of ROUGE share."""
    p, r, f = kind.equations
    several = {
        "independent": "several references: the best P, the best R   (eqs. 7–9)",
        "best": "several references: the one of the best F",
        "best_recall": "several references: the one of the best R",
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
    """Return the program of one kind of ROUGE."""
    return Program(
        lambda settings: code(kind.variant(settings), settings),
        lambda segment, settings, score: Rouge(kind.variant(settings), segment, settings).steps(score),
    )
