"""Why the scores of two systems differ, in which segments, and in which errors and words their outputs differ.

Pages, reports, notebooks and the command line take these findings from here, so that they say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...text import printable
from ...types import Metric, Segment, Tokens, TooHard
from ..characters import find_character_patterns
from ..errors import ErrorCount, error_counts
from ..ledger import CorpusLedger, corpus_ledger
from ..patterns import Pattern, find_word_patterns
from ..table import StatisticsTable
from .segments import SegmentStory, disputed_stories, pick_stories


class TwoSystems(NamedTuple):
    """The outputs of two systems, A and B, for the same segments.

    Attributes:
        names: the names of A and B.
        a: the segments with A's outputs.
        b: the segments with B's outputs."""

    names: tuple[str, str]
    a: Sequence[Segment]
    b: Sequence[Segment]

    @property
    def swapped(self) -> TwoSystems:
        """The same systems in the other order."""
        return TwoSystems(self.names[::-1], self.b, self.a)

    def select_segments(self, numbers: Sequence[int]) -> TwoSystems:
        """Return the outputs of the segments with these indices."""
        return TwoSystems(self.names, [self.a[n] for n in numbers], [self.b[n] for n in numbers])

    @property
    def printed_names(self) -> tuple[str, str]:
        """The names of A and B with escapes in place of unprintable characters."""
        return printable(self.names[0]), printable(self.names[1])

    def explain(self, metric: Metric, table: StatisticsTable) -> SystemDifference:
        """Return why B's score differs from A's by a metric. Raises TooHard.

        `table` has the statistics of A and B, in this order."""
        return SystemDifference(self, metric, corpus_ledger(metric, table.settings, self.a, self.b, table))

    def find_patterns(self, stems: tuple[str, str]) -> OutputPatterns:
        """Return the errors and n-grams in which the outputs differ.

        `stems` are the name of the stemmer and its language; two words with one stem are forms of one word."""
        outputs = [each.candidate for each in self.a], [each.candidate for each in self.b]
        references: list[Sequence[Tokens]] = [each.references for each in self.a]
        errors: Sequence[ErrorCount] | str
        try:
            errors = error_counts(self.a, self.b, *stems)
        except TooHard as error:
            errors = str(error)
        return OutputPatterns(
            find_word_patterns(*outputs, references), find_character_patterns(*outputs, references), errors
        )


class OutputPatterns(NamedTuple):
    """The n-grams and errors in which the outputs of systems A and B differ.

    Attributes:
        words: the n-grams of words, the most significant first.
        parts: the n-grams of letters within words, the most significant first.
        errors: how many errors of each kind each system makes; a message if they are too hard to count."""

    words: Sequence[Pattern]
    parts: Sequence[Pattern]
    errors: Sequence[ErrorCount] | str


class SystemDifference(NamedTuple):
    """Why the scores of systems A and B differ by a metric.

    Attributes:
        systems: the outputs of A and B.
        metric: the metric.
        ledger: the ledger of B's score less A's."""

    systems: TwoSystems
    metric: Metric
    ledger: CorpusLedger

    @property
    def is_a_better(self) -> bool:
        """Whether A has the better score."""
        return self.ledger.delta != 0 and (self.ledger.delta > 0) != self.metric.higher_is_better

    @property
    def better_last(self) -> SystemDifference:
        """This difference with the better system as B."""
        if not self.is_a_better:
            return self
        return SystemDifference(self.systems.swapped, self.metric, self.ledger.swapped)

    def stories(self, decimals: int) -> list[SegmentStory]:
        """Return the segments that show the difference best, with what happened in each."""
        systems = self.systems
        return pick_stories(self.metric, self.ledger, systems.a, systems.b, systems.printed_names, decimals)


def find_disputed(differences: Sequence[SystemDifference], decimals: int) -> list[SegmentStory]:
    """Return the segments about which metrics disagree most, with what happened in each.

    `differences` are those of the same two systems, in the same order, by each metric."""
    if not differences:
        return []
    systems = differences[0].systems
    ledgers = [(each.metric, each.ledger) for each in differences]
    return disputed_stories(ledgers, systems.a, systems.b, systems.printed_names, decimals)
