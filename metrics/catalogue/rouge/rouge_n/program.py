"""Run ROUGE-N step by step (Lin 2004, section 2): each n-gram of the candidate matches as often as in the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....teach.ngrams import ngrams
from ....teach.steps import ProgramStep, count, number, unknown
from ....types import Run
from ..program import ClippedMatches, program


class NGrams(ClippedMatches):
    """The matches of ROUGE-N: the n-grams that candidate and reference have in common."""

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
        known_totals = {"N": self.settings.order, **super().totals_known()}
        return (
            known_totals if min(known_totals["n"], known_totals["m"]) >= known_totals["N"] else unknown("N", "n", "m")
        )

    def wordless_clause(self) -> str:
        short = min(len(self.candidate), len(self.reference))
        return super().wordless_clause() or (
            f"{count(short, 'word')} are too few" if short < self.settings.order else ""
        )

    def count(self) -> Iterator[ProgramStep]:
        order = self.settings.order
        noun = f"{order}-gram" if order > 1 else "word"
        ours, theirs = (ngrams(words, order) for words in (self.candidate, self.reference))
        yield self.step(self.size_sentence(ours, theirs, noun), "each")
        yield from self.match_steps(ours, theirs, lambda i, j: Run(i, self.k, j, order), ("match", "clip", "none"))
        yield self.step(
            f"{number(self.amount)} of {count(len(ours), noun)} match {self.named}.",
            "sum",
            known_numbers=self.known_amounts(),
        )


PROGRAM = program(NGrams)
