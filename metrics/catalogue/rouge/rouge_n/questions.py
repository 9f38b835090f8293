"""Ask questions on ROUGE-N: which n-grams match, and how many."""

from __future__ import annotations

from collections import Counter

from ....teach.ngrams import ngrams
from ....teach.records import Question
from ....teach.steps import ProgramStep
from ..questions import ClippedQuestions, total_question
from .program import NGrams


class RougeNQuestions(ClippedQuestions):
    """A maker of questions about the steps of ROUGE-N's program."""

    kind = NGrams

    def counting(self, line: str, step: ProgramStep) -> Question | None:
        order: int = self.settings.order
        if line in ("match", "clip", "none"):
            return self.ngram_question(line, step, order)
        if line != "sum":
            return None
        ours, theirs = (Counter(ngrams(words, order)) for words in (self.candidate, self.references[self.k]))
        self.k, self.places = self.k + 1, None
        return total_question("n-grams" if order > 1 else "words", ours, theirs)
