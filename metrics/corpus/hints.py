"""Hints on the texts of a corpus before it is scored: what keeps words from matching, and what helps.

A hint has the score for the texts as they are and with the help. A hint that does not help is not given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..text import TextSettings, hints, markup
from ..text.files import file_label
from ..text.processing import words
from ..types import Metric, Segment, Settings, Tokens, TooHard, segment

if TYPE_CHECKING:
    from ..text.formats import Material
    from ..text.formats.material import ColumnTexts

#: How many segments are inspected, evenly spread, and how many of these are scored.
LOOKED_AT, SCORED = 1000, 200
#: The most cells, letters of outputs times letters of references, of all scored segments: two seconds of a metric.
CELLS = 25_000_000
#: How many systems are scored to see whether something helps.
TRIED = 3
#: By how much a score must improve for a hint: nearly all real outputs have a word or two that a hint could be about.
LEAST = 0.001
DECIMALS = 4


class HintColumn(Protocol):
    """The lines of a file as they are and as they are compared; where there is no reference, a line has no words."""

    @property
    def file(self) -> str: ...
    @property
    def lines(self) -> Sequence[str]: ...
    @property
    def words(self) -> Sequence[Tokens]: ...


class Help(NamedTuple):
    """A change of the texts or of the text processing that may improve the matching of words.

    Attributes:
        clean: a name of `markup.CLEANED` of which the texts are cleaned; "" for none.
        settings: new settings of the text processing, if `clean` is empty.
        does: the change as a phrase that follows "with".
        option: the option of the command line that makes it.
        action: the label of the button that makes it.
    """

    clean: str
    settings: Mapping[str, Any]
    does: str
    option: str
    action: str


CHARACTERS = Help("", {"tokenizer": "character"}, "characters compared", "--tokenize character", hints.UNSPACED_ACTION)
NORMALISED = Help("", {"nfkc": True}, "the texts normalised (NFKC)", "--normalize", hints.NORMALISE_ACTION)
CLEANED = {
    name: Help(name, {}, of.does, f"--clean {name}", markup.KINDS[of.kinds[0]].action)
    for name, of in markup.CLEANED.items()
}


class Hint(NamedTuple):
    """A hint on the texts of a file.

    Attributes:
        file: the name of the file.
        says: what was noticed.
        help: what helps.
        metric: the label of the metric of `scores`.
        scores: the score as the texts are, and with the help.
        segments: the number of segments that were scored.
        size: the number of all segments.
    """

    file: str
    says: str
    help: Help
    metric: str
    scores: tuple[float, float]
    segments: int
    size: int

    def sentence(self, decimals: int = DECIMALS) -> str:
        """Return what was noticed and both scores, without a full stop."""
        before, after = (f"{score:.{decimals}f}" for score in self.scores)
        of = f" (in {self.segments:,} of {self.size:,} segments)" if self.segments < self.size else ""
        scores = f"{self.metric} {before} as it stands, {after} with {self.help.does}{of}"
        return f"{file_label(self.file)}: {self.says}; {scores}"

    def with_option(self, decimals: int = DECIMALS) -> str:
        """Return the sentence with the option of the command line that helps."""
        return f"{self.sentence(decimals)}; {self.help.option} scores it so"


def find_hints(
    systems: Sequence[HintColumn],
    references: Sequence[HintColumn],
    text: TextSettings,
    metric: Metric,
    settings: Settings,
) -> list[Hint]:
    """Return the hints on systems and references over the same segments, at most one of each kind.

    A hint has the scores of the first system for which its help works: more words match, and the score is better.
    Pieces of words are reported even where the score is worse with whole words. Return no hints if there is nothing to
    score.
    """
    if not systems or not references:
        return []
    sample = _HintSample(systems, references, text, metric, settings)
    if not sample.scored:
        return []
    return [*sample.copied(), *sample.unspaced(), *sample.alike()]


def cleaned(material: Material, names: Sequence[str]) -> Material:
    """Return the texts without what `names` names (`markup.CLEANED`); the result remembers the names."""
    new = [name for name in names if name not in material.cleaned]
    if not new:
        return material

    def clean(texts: ColumnTexts) -> ColumnTexts:
        return replace(texts, lines=tuple([markup.remove_kinds(new, line) for line in texts.lines]))

    return replace(
        material,
        systems={name: clean(texts) for name, texts in material.systems.items()},
        references={name: clean(texts) for name, texts in material.references.items()},
        source=material.source and clean(material.source),
        cleaned=(*material.cleaned, *new),
    )


class _HintSample:
    """The sample of segments, evenly spread, in which hints are searched."""

    def __init__(
        self,
        systems: Sequence[HintColumn],
        references: Sequence[HintColumn],
        text: TextSettings,
        metric: Metric,
        settings: Settings,
    ) -> None:
        self.tried, self.references = systems[:TRIED], references
        self.text, self.metric, self.settings = text, metric, settings
        self.size = min(len(column.lines) for column in (*self.tried, *references))
        self.numbers = _spread(range(self.size), LOOKED_AT)
        self.scored = self._affordable()

    def _affordable(self) -> list[int]:
        """Return the indices of the segments that are scored, without long ones for which there is no time."""
        out, cells = [], 0
        for n in _spread(self.numbers, SCORED):
            ours, theirs = (max([len(each.lines[n]) for each in side]) for side in (self.tried, self.references))
            if cells + ours * theirs <= CELLS:
                cells += ours * theirs
                out.append(n)
        return out

    # ------------------------------------------------------------ what is found

    def copied(self) -> Iterator[Hint]:
        """Yield hints on markup that was copied with the texts and is not a word."""
        for name, of in markup.CLEANED.items():
            find = partial(self._example, of.kinds if name != "unseen" else ())
            theirs = find(self.references)
            for column in self.tried:
                ours = find([column])
                example = ours or theirs
                if example and (scores := self._scores(column, CLEANED[name])):
                    says = markup.describe_example(*example).removesuffix(".")
                    yield self._hint(column if ours else self.references[0], says, CLEANED[name], scores)
                    break

    def unspaced(self) -> Iterator[Hint]:
        """Yield a hint on words of scripts that have no spaces between them."""
        for column in self.tried if self.text.tokenizer != "character" else ():
            lines = [each.words[n] for each in (column, *self.references) for n in self.scored]
            if hints.is_unspaced(lines) and (scores := self._scores(column, CHARACTERS)):
                yield self._hint(column, hints.UNSPACED_SAYS, CHARACTERS, scores)
                return

    def alike(self) -> Iterator[Hint]:
        """Yield hints on words that look alike and differ in invisible or compatible characters."""
        helps = {True: CLEANED["unseen"], False: NORMALISED}
        for column in self.tried:
            lookalikes: dict[bool, hints.Lookalike] = {}
            for n in self.numbers:
                if alike := hints.find_lookalike(column.words[n], [each.words[n] for each in self.references]):
                    lookalikes.setdefault(alike.unseen, alike)
            for unseen, alike in lookalikes.items():
                if unseen in helps and (scores := self._scores(column, helps[unseen])):
                    yield self._hint(column, alike.says, helps.pop(unseen), scores)

    def _example(self, kinds: Sequence[str], columns: Sequence[HintColumn]) -> tuple[str, str] | None:
        """Return the first kind of markup found in the files, and an example of it; None if there is none."""
        for n, column, kind in product(self.numbers, columns, kinds):
            if example := markup.first_occurrence(kind, column.lines[n], self.text.tokenizer):
                return kind, example
        return None

    # ------------------------------------------------------------ scores

    def _scores(self, column: HintColumn, help_: Help) -> tuple[float, float] | None:
        """Return the scores of a system as it is and with the help.

        Return None if the score is hardly better or a segment is too hard.

        Pieces of words may match where words do not, so joining them is reported even where it makes the score worse.
        """
        stands = self._segments(column, self.text)
        helped = self._segments(column, replace(self.text, **help_.settings), help_.clean)
        either_way = help_.clean == "pieces"
        before, after = _matching_share(stands), _matching_share(helped)
        if (after < before and not either_way) or after == before:
            return None
        try:
            scores = score(self.metric, self.settings, stands), score(self.metric, self.settings, helped)
        except TooHard:
            return None
        better = (scores[1] > scores[0]) == self.metric.higher_is_better
        return scores if (better or either_way) and abs(scores[1] - scores[0]) >= LEAST else None

    def _segments(self, column: HintColumn, text: TextSettings, clean: str = "") -> list[Segment]:
        """Return the scored segments of a system after this text processing, cleaned of what `clean` names."""
        out = []
        for n in self.scored:
            theirs = [each.lines[n] for each in self.references]
            theirs = [line for line in theirs if line.strip()] or theirs[:1]
            lines = [markup.remove_kinds([clean] if clean else [], line) for line in (column.lines[n], *theirs)]
            ours, *rest = [words(line, text) for line in lines]
            out.append(segment(ours, rest))
        return out

    def _hint(self, column: HintColumn, says: str, help_: Help, scores: tuple[float, float]) -> Hint:
        """Return the hint with its scores."""
        sentence = f"{says[0].lower()}{says[1:]}"  # it follows the name of the file
        return Hint(column.file, sentence, help_, self.metric.label, scores, len(self.scored), self.size)


def score(metric: Metric, settings: Settings, segments: Sequence[Segment]) -> float:
    """Return the corpus score of segments, at least one. Raises TooHard."""
    if metric.corpus:
        return metric.pooled([*metric.corpus(segments, settings)], settings).score
    return metric.pooled([metric.statistics(each, settings) for each in segments], settings).score


def _matching_share(segments: Sequence[Segment]) -> float:
    """Return the fraction of the candidates' words that match; each counts at most as often as one reference has it."""
    matches = total = 0
    for candidate, references in segments:
        most: Counter[str] = Counter()
        for reference in references:
            most |= Counter(reference)
        matches += (Counter(candidate) & most).total()
        total += len(candidate)
    return matches / total if total else 0.0


def _spread(numbers: Sequence[int], most: int) -> Sequence[int]:
    """Return at most `most` members of a sequence, evenly spread."""
    step = -(-len(numbers) // most) or 1
    return numbers[::step]
