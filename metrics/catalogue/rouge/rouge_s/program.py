"""Run ROUGE-S step by step (Lin and Och 2004, section 4), which matches pairs of words in order.

Between the two words there may be any gap, or a gap up to the maximum that is set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ....teach.steps import ProgramStep, Rejected, count, number, unmatched_mark, word
from ....types import Hit, SkipBigram
from ....types.work import spend
from ..program import MATCHED, ClippedMatches, RougeMatches, program


def skip_bigrams(length: int, max_skip: int | None) -> list[tuple[int, int]]:
    """Return the pairs of positions (first, second) with at most `max_skip` positions between, for any gap if None.

    They are ordered by first and then second position. `length` is the number of words.

    >>> skip_bigrams(4, 1)
    [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    """
    reach = length if max_skip is None else max_skip + 1
    return [(i, j) for i in range(length) for j in range(i + 1, min(length, i + reach + 1))]


class SkipBigrams(ClippedMatches):
    """The matches of ROUGE-S: the common pairs of words, and single words too if the settings ask for them."""

    symbol = "SKIP2"
    lines = {
        "each": "for each pair (a, b) of the candidate:",
        "match": "    free in the reference: take the leftmost",
        "clip": "    all of them used: none   (clipping)",
        "none": "    not in the reference: none",
        "sum": "SKIP2 ← pairs that match",
    }
    totals = ("C(n, 2)", "C(m, 2)")
    equations = ("   (eq. 14)", "   (eq. 13)", "   (eq. 15)")

    @classmethod
    def class_for(cls, settings: Any) -> type[RougeMatches]:
        if settings.unigrams:
            return PairsAndWords if settings.max_skip is None else LimitedGapPairsAndWords
        return cls if settings.max_skip is None else NearPairs

    @staticmethod
    def total(length: int, settings: Any) -> float:
        reach = length if settings.max_skip is None else settings.max_skip + 1
        pairs = sum([min(reach, length - i - 1) for i in range(length)])
        return float(pairs + length * settings.unigrams)

    def totals_known(self) -> dict[str, float]:
        return {"C(n, 2)": self.rouge.n, "C(m, 2)": self.rouge.ms[self.k]}

    def wordless_clause(self) -> str:
        return super().wordless_clause() or (
            "one word makes no pair" if min(len(self.candidate), len(self.reference)) < 2 else ""
        )

    def count(self) -> Iterator[ProgramStep]:
        d = self.settings.max_skip
        spend(int(self.rouge.n + self.rouge.ms[self.k]))
        ours, theirs = (skip_bigrams(len(words), d) for words in (self.candidate, self.reference))
        yield self.step(self.size_sentence(ours, theirs, "pair"), "each")
        yield from self._pair_steps(ours, theirs)
        text = f"{number(self.amount)} of {count(len(ours), 'pair')}"
        if self.settings.unigrams:
            pairs = self.amount
            words, others = ([(w,) for w in sentence] for sentence in (self.candidate, self.reference))
            yield from self.match_steps(words, others, lambda i, j: Hit(i, self.k, j), ("word", "word", "word"))
            text += f" and {number(self.amount - pairs)} of {count(len(words), 'word')}"
        yield self.step(f"{text} match {self.named}.", "sum", known_numbers=self.known_amounts())

    def _pair_steps(self, ours: list[tuple[int, int]], theirs: list[tuple[int, int]]) -> Iterator[ProgramStep]:
        a, b = self.candidate, self.reference
        places: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for first, second in theirs:
            places.setdefault((b[first], b[second]), []).append((first, second))
        used: dict[tuple[str, str], int] = {}
        words, begin = {*b}, Counter([first for first, _ in ours])
        reported_first = -1
        for first, second in ours:
            if a[first] not in words:
                if first != reported_first:  # only one step for all pairs that begin here
                    reported_first = first
                    pairs = count(begin[first], "pair")
                    yield self.step(
                        f"{word(a[first])} is not in {self.named}: {pairs} cannot match.",
                        "none",
                        (unmatched_mark(first, first + 1, self.k),),
                    )
                continue
            pair = (a[first], a[second])
            reference_pairs, used_count = places.get(pair, []), used.get(pair, 0)
            name = f"{word(pair[0])} … {word(pair[1])}"
            if not reference_pairs:
                single_words = tuple([unmatched_mark(i, i + 1, self.k) for i in (first, second)])
                yield self.step(f"{name}: not in {self.named}.", "none", single_words)
            elif used_count == len(reference_pairs):
                mark = self._mark(first, second, reference_pairs[-1])
                often = "once" if used_count == 1 else f"{used_count} times"
                text = f"{name}: {self.named} has it {often}, and all are used."
                yield self.step(text, "clip", (mark,), (Rejected(mark, MATCHED),))
            else:
                mark = self._mark(first, second, reference_pairs[used_count])
                used[pair] = used_count + 1
                self.amount += 1
                self.take(mark)
                text = f"{name}: matches places {mark.first.j + 1} and {mark.second.j + 1}, "
                yield self.step(
                    f"{text}{number(self.amount)} so far.", "match", (mark,), known_numbers=self.known_amounts()
                )

    def _mark(self, first: int, second: int, reference_pair: tuple[int, int]) -> SkipBigram:
        return SkipBigram(Hit(first, self.k, reference_pair[0]), Hit(second, self.k, reference_pair[1]))


class NearPairs(SkipBigrams):
    """The matches of ROUGE-S with a largest gap between the two words of a pair."""

    totals = ("pairs in n words", "pairs in m words")


class PairsAndWords(SkipBigrams):
    """The matches of ROUGE-SU: common pairs of words, and common single words."""

    lines = {
        **{name: line for name, line in SkipBigrams.lines.items() if name != "sum"},
        "word": "then each word, in the same way",
        "sum": "SKIP2 ← pairs and words that match",
    }
    totals = ("(C(n, 2) + n)", "(C(m, 2) + m)")


class LimitedGapPairsAndWords(PairsAndWords):
    """The matches of ROUGE-SU where only a limited number of words may stand between the two words of a pair."""

    totals = ("(pairs in n words + n)", "(pairs in m words + m)")


PROGRAM = program(SkipBigrams)
