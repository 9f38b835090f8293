"""Ask questions on ROUGE-S: which pairs match, and how many."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from ....teach.places import ClippingQuota, matching_question
from ....teach.records import Question
from ....teach.steps import ProgramStep, PseudoCode, Trace, word
from ....types import Edit, Hit, SkipBigram
from ..questions import ClippedQuestions, total_question
from .program import SkipBigrams, skip_bigrams


class RougeSQuestions(ClippedQuestions):
    """A maker of questions about the steps of ROUGE-S's program."""

    kind = SkipBigrams

    def __init__(self, trace: Trace, code: PseudoCode, interval: int) -> None:
        super().__init__(trace, code, interval)
        self.quotas: dict[tuple[str, str], ClippingQuota] = {}
        self.theirs: Counter[tuple[str, ...]] | None = None  # the pairs of the current reference

    @cached_property
    def ours(self) -> Counter[tuple[str, ...]]:
        """How often the candidate has each pair of words."""
        return self._count_pairs(self.candidate)

    def _count_pairs(self, words: tuple[str, ...]) -> Counter[tuple[str, ...]]:
        return Counter([(words[i], words[j]) for i, j in skip_bigrams(len(words), self.settings.max_skip)])

    def _count_units(self, words: tuple[str, ...]) -> Counter[tuple[str, ...]]:
        """Return how often a sentence has each pair of words and, if the settings ask for it, each single word."""
        pairs = self.ours if words is self.candidate else self._count_pairs(words)
        return pairs + Counter([(word,) for word in words]) if self.settings.unigrams else pairs

    def counting(self, line: str, step: ProgramStep) -> Question | None:
        if line == "word":
            used = len([mark for mark in step.considered if isinstance(mark, Hit)])
            line = "none" if not used else "clip" if len(step.rejected) == used else "match"
            return self.ngram_question(line, step, 1)
        if line in ("match", "clip", "none"):
            return self._pair_question(line, step)
        if line != "sum":
            return None
        theirs = self._count_units(self.references[self.k])
        self.k, self.places, self.theirs, self.quotas = self.k + 1, None, None, {}
        noun = "pairs and words" if self.settings.unigrams else "pairs"
        return total_question(noun, self._count_units(self.candidate), theirs)

    def _pair_question(self, line: str, step: ProgramStep) -> Question | None:
        mark = step.considered[0]
        if isinstance(mark, SkipBigram):
            first, second = mark.first.i, mark.second.i
        else:
            places = [other.i_start for other in step.considered if isinstance(other, Edit)]
            if len(places) < 2:  # a step for all pairs whose first word is not in the reference
                return None
            first, second = places
        pair = self.candidate[first], self.candidate[second]
        if self.theirs is None:
            self.theirs = self._count_pairs(self.references[self.k])
        quota = self.quotas.setdefault(pair, ClippingQuota(self.ours[pair], self.theirs[pair]))
        question = None
        if line == "clip" or self.is_due(line):
            name = f"{word(pair[0])} … {word(pair[1])}"
            text = f"Does {name}, words {first + 1} and {second + 1}, match?"
            question = matching_question(text, quota, line == "match")
        quota.met += 1
        quota.counted += line == "match"
        return question
