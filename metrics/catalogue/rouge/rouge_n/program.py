"""ROUGE-N (Lin 2004, section 2): the candidate's n-grams one by one, each matched as often as the reference has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ....teach.ngrams import ngrams
from ....teach.steps import Rejected, Step, alone, count, number, phrase, unknown
from ....types import Mark, Run
from ..program import Shared, program

#: Why an occurrence in the reference does not match again.
MATCHED = "an equal one before has matched it"


class Clipped(Shared):
    """Anything of which the candidate's occurrences are matched with the reference's, leftmost with leftmost."""

    def size(self, ours: Sequence[Any], theirs: Sequence[Any], noun: str) -> str:
        """How many of what is counted both sentences have, and why nothing can match."""
        if why := self.empty():
            return f"No {noun} can match: {why}."
        return f"The candidate has {count(len(ours), noun)}, {self.named} has {number(len(theirs))}."

    def matched(
        self,
        ours: Sequence[tuple[str, ...]],
        theirs: Sequence[tuple[str, ...]],
        made: Callable[[int, int], Mark],
        lines: tuple[str, str, str],
    ) -> Iterator[Step]:
        """A step for each occurrence in the candidate; `lines` are those where one is taken, all are used, none is."""
        used: set[int] = set()
        for i, ngram in enumerate(ours):
            places = [j for j, other in enumerate(theirs) if other == ngram]
            marks = [made(i, j) for j in places]
            gone = [Rejected(mark, MATCHED) for mark, j in zip(marks, places, strict=True) if j in used]
            name = f"{phrase(' '.join(ngram), 24)}, place {i + 1}"
            if not places:
                yield self.step(f"{name}: not in {self.named}.", lines[2], (alone(i, i + len(ngram), self.k),))
            elif len(gone) == len(places):
                often = "once" if len(places) == 1 else f"{len(places)} times"
                yield self.step(f"{name}: {self.named} has it {often}, and all are used.", lines[1], marks, gone)
            else:
                j = places[len(gone)]  # the leftmost are used first
                used.add(j)
                self.amount += 1
                self.take(marks[len(gone)])
                text = f"{name}: matches place {j + 1} of {self.named}, {number(self.amount)} so far."
                yield self.step(text, lines[0], marks, gone, known=self.known())


class NGrams(Clipped):
    """The n-grams that match."""

    symbol = "matches"
    lines = {
        "each": "for each N-gram g of the candidate:",
        "match": "    free in the reference: take the leftmost",
        "clip": "    all g of the reference used: none   (clipping)",
        "none": "    not in the reference: none",
        "sum": "matches ← Σ Count_match(g)",
    }
    totals = ("(n − N + 1)", "(m − N + 1)")
    equations = ("", "   (eq. 1)", "")

    @staticmethod
    def total(length: int, settings: Any) -> float:
        return float(max(length - settings.order + 1, 0))

    def totals_known(self) -> dict[str, float]:
        found = {"N": self.settings.order, **super().totals_known()}
        return found if min(found["n"], found["m"]) >= found["N"] else unknown("N", "n", "m")

    def empty(self) -> str:
        short = min(len(self.candidate), len(self.reference))
        return super().empty() or (f"{count(short, 'word')} are too few" if short < self.settings.order else "")

    def count(self) -> Iterator[Step]:
        order = self.settings.order
        noun = f"{order}-gram" if order > 1 else "word"
        ours, theirs = (ngrams(words, order) for words in (self.candidate, self.reference))
        yield self.step(self.size(ours, theirs, noun), "each")
        yield from self.matched(ours, theirs, lambda i, j: Run(i, self.k, j, order), ("match", "clip", "none"))
        yield self.step(
            f"{number(self.amount)} of {count(len(ours), noun)} match {self.named}.", "sum", known=self.known()
        )


PROGRAM = program(NGrams)
