"""The hints on the texts of a corpus before scoring: what keeps words from matching, and what helps.

A hint shows the score of the texts as they are, and with the help. A help that does not improve the score gives no
hint.
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
#: From how many segments on texts are taken for a test set, whose punctuation papers split off.
TEST_SET = 20


class HintFile(Protocol):
    """A text file for the search of hints: its lines as typed, and the words of each line.

    Where a segment has no such reference, the line has no words.
    """

    @property
    def file(self) -> str: ...
    @property
    def lines(self) -> Sequence[str]: ...
    @property
    def words(self) -> Sequence[Tokens]: ...


class SuggestedChange(NamedTuple):
    """A change of the texts, or of the text processing, that may let more words match.

    Attributes:
        clean: what is removed from the texts, as a key of `markup.CLEANED`; "" for nothing.
        settings: the changed settings of the text processing by name; empty if `clean` is given.
        does: the change as a phrase that follows "with".
        option: the option of the command line that makes the change.
        action: the label of the button that makes the change.
    """

    clean: str
    settings: Mapping[str, Any]
    does: str
    option: str
    action: str


CHARACTERS = SuggestedChange(
    "", {"tokenizer": "character"}, "characters compared", "--tokenize character", hints.UNSPACED_ACTION
)
NORMALISED = SuggestedChange("", {"nfkc": True}, "the texts normalised (NFKC)", "--normalize", hints.NORMALISE_ACTION)
#: The tokenisers that split punctuation off, by whether there is any that 13a splits off.
SPLIT = {
    True: SuggestedChange(
        "", {"tokenizer": "13a"}, "punctuation split off as papers do (13a)", "--tokenize 13a", "Split it off (13a)"
    ),
    False: SuggestedChange(
        "",
        {"tokenizer": "international"},
        "punctuation split off",
        "--tokenize international",
        "Split it off (international)",
    ),
}
CLEANED = {
    name: SuggestedChange(name, {}, of.does, f"--clean {name}", markup.KINDS[of.kinds[0]].action)
    for name, of in markup.CLEANED.items()
}


class Hint(NamedTuple):
    """A hint on the texts of a file: what keeps words from matching, and a help with its effect on the score.

    Attributes:
        file: the name of the file.
        says: what was noticed in the file.
        help: the change that helps.
        metric: the label of the metric of `scores`.
        scores: the score with the texts as they are, and with the help.
        segments: the number of segments that were scored, which are a sample.
        size: the number of all segments.
    """

    file: str
    says: str
    help: SuggestedChange
    metric: str
    scores: tuple[float, float]
    segments: int
    size: int

    def sentence(self, decimals: int = DECIMALS) -> str:
        """Return the hint as a sentence with both scores, without a full stop."""
        before, after = (f"{score:.{decimals}f}" for score in self.scores)
        of = f" (in {self.segments:,} of {self.size:,} segments)" if self.segments < self.size else ""
        scores = f"{self.metric} {before} as it is, {after} with {self.help.does}{of}"
        return f"{file_label(self.file)}: {self.says}; {scores}"

    def with_option(self, decimals: int = DECIMALS) -> str:
        """Return the hint as a sentence that ends with the command-line option that helps."""
        return f"{self.sentence(decimals)}; use {self.help.option}"


def find_hints(
    systems: Sequence[HintFile],
    references: Sequence[HintFile],
    text: TextSettings,
    metric: Metric,
    settings: Settings,
) -> list[Hint]:
    """Return the hints on the texts of systems and references, at most one of each kind.

    The scores of a hint are those of the first system for which the help works: more words match, and the score by
    `metric` is better. Words that are split into pieces, and punctuation that touches words, are reported even where
    the help makes the score worse.
    Return an empty list if there is nothing to score.
    """
    if not systems or not references:
        return []
    sample = _HintSample(systems, references, text, metric, settings)
    if not sample.scored:
        return []
    unspaced = [*sample.unspaced_script_hints()]
    touching = sample.touching_punctuation_hints() if not unspaced and sample.size >= TEST_SET else ()
    return [*sample.copied_markup_hints(), *unspaced, *touching, *sample.lookalike_hints()]


def remove_markup(material: Material, names: Sequence[str]) -> Material:
    """Return the texts with some kinds of markup removed; the result remembers which.

    `names` are keys of `markup.CLEANED`.
    """
    new = [name for name in names if name not in material.cleaned]
    if not new:
        return material

    def clean(texts: ColumnTexts) -> ColumnTexts:
        return replace(texts, lines=tuple([markup.remove_markup_groups(new, line) for line in texts.lines]))

    return replace(
        material,
        systems={name: clean(texts) for name, texts in material.systems.items()},
        references={name: clean(texts) for name, texts in material.references.items()},
        source=material.source and clean(material.source),
        cleaned=(*material.cleaned, *new),
    )


class _HintSample:
    """A sample of segments, spread evenly over the corpus, in which hints are searched."""

    def __init__(
        self,
        systems: Sequence[HintFile],
        references: Sequence[HintFile],
        text: TextSettings,
        metric: Metric,
        settings: Settings,
    ) -> None:
        self.tried, self.references = systems[:TRIED], references
        self.text, self.metric, self.settings = text, metric, settings
        self.size = min(len(column.lines) for column in (*self.tried, *references))
        self.numbers = _evenly_spaced(range(self.size), LOOKED_AT)
        self.scored = self._segments_to_score()

    def _segments_to_score(self) -> list[int]:
        """Return the indices of the sampled segments that are scored, without long ones for which there is no time."""
        out, cells = [], 0
        for n in _evenly_spaced(self.numbers, SCORED):
            ours, theirs = (max([len(each.lines[n]) for each in side]) for side in (self.tried, self.references))
            if cells + ours * theirs <= CELLS:
                cells += ours * theirs
                out.append(n)
        return out

    # ------------------------------------------------------------ what is found

    def copied_markup_hints(self) -> Iterator[Hint]:
        """Yield hints on markup that was copied with the texts and is not part of any word."""
        for name, of in markup.CLEANED.items():
            find = partial(self._find_markup_example, of.kinds if name != "unseen" else ())
            theirs = find(self.references)
            for column in self.tried:
                ours = find([column])
                example = ours or theirs
                if example and (scores := self._scores_without_and_with(column, CLEANED[name])):
                    says = markup.describe_markup(*example).removesuffix(".")
                    yield self._make_hint(column if ours else self.references[0], says, CLEANED[name], scores)
                    break

    def unspaced_script_hints(self) -> Iterator[Hint]:
        """Yield a hint if the texts are in a script without spaces between words."""
        for column in self.tried if self.text.tokenizer != "character" else ():
            lines = [each.words[n] for each in (column, *self.references) for n in self.scored]
            if hints.is_unspaced(lines) and (scores := self._scores_without_and_with(column, CHARACTERS)):
                yield self._make_hint(column, hints.UNSPACED_SAYS, CHARACTERS, scores)
                return

    def touching_punctuation_hints(self) -> Iterator[Hint]:
        """Yield a hint if punctuation touches words, so that the texts are not tokenised as papers do."""
        for column in self.tried if self.text.tokenizer == "whitespace" else ():
            marks = hints.touching_punctuation(
                [each.words[n] for each in (column, *self.references) for n in self.scored]
            )
            change = SPLIT[hints.splits_with_13a(marks)]
            if marks and (scores := self._scores_without_and_with(column, change)):
                yield self._make_hint(column, hints.TOUCHING_SAYS, change, scores)
                return

    def lookalike_hints(self) -> Iterator[Hint]:
        """Yield hints on words that look alike but differ in invisible or compatibility characters."""
        helps = {True: CLEANED["unseen"], False: NORMALISED}
        for column in self.tried:
            lookalikes: dict[bool, hints.Lookalike] = {}
            for n in self.numbers:
                if alike := hints.find_lookalike(column.words[n], [each.words[n] for each in self.references]):
                    lookalikes.setdefault(alike.unseen, alike)
            for unseen, alike in lookalikes.items():
                if unseen in helps and (scores := self._scores_without_and_with(column, helps[unseen])):
                    yield self._make_hint(column, alike.says, helps.pop(unseen), scores)

    def _find_markup_example(self, kinds: Sequence[str], columns: Sequence[HintFile]) -> tuple[str, str] | None:
        """Return the first kind of markup that a sampled line contains, and an example of it; None if there is none."""
        for n, column, kind in product(self.numbers, columns, kinds):
            if example := markup.first_occurrence(kind, column.lines[n], self.text.tokenizer):
                return kind, example
        return None

    # ------------------------------------------------------------ scores

    def _scores_without_and_with(self, column: HintFile, help_: SuggestedChange) -> tuple[float, float] | None:
        """Return the scores of a system with the texts as they are, and with the help.

        Return None if the score hardly improves or a segment is too hard. Pieces of words may match where whole words
        do not, so joining pieces is reported even where it makes the score worse; splitting punctuation off too,
        because papers print that score.
        """
        stands = self._processed_segments(column, self.text)
        helped = self._processed_segments(column, replace(self.text, **help_.settings), help_.clean)
        either_way = help_.clean == "pieces" or help_ in SPLIT.values()
        before, after = _matching_fraction(stands), _matching_fraction(helped)
        if (after < before and not either_way) or after == before:
            return None
        try:
            scores = (
                self.metric.score_corpus(stands, self.settings).score,
                self.metric.score_corpus(helped, self.settings).score,
            )
        except TooHard:
            return None
        better = (scores[1] > scores[0]) == self.metric.higher_is_better
        return scores if (better or either_way) and abs(scores[1] - scores[0]) >= LEAST else None

    def _processed_segments(self, column: HintFile, text: TextSettings, clean: str = "") -> list[Segment]:
        """Return the sampled segments of a system after the text processing `text`.

        `clean` is the kind of markup that is removed before; "" for none.
        """
        out = []
        for n in self.scored:
            theirs = [each.lines[n] for each in self.references]
            theirs = [line for line in theirs if line.strip()] or theirs[:1]
            lines = [markup.remove_markup_groups([clean] if clean else [], line) for line in (column.lines[n], *theirs)]
            ours, *rest = [words(line, text) for line in lines]
            out.append(segment(ours, rest))
        return out

    def _make_hint(self, column: HintFile, says: str, help_: SuggestedChange, scores: tuple[float, float]) -> Hint:
        """Return a hint on a file with these scores."""
        sentence = f"{says[0].lower()}{says[1:]}"  # it follows the name of the file
        return Hint(column.file, sentence, help_, self.metric.label, scores, len(self.scored), self.size)


def _matching_fraction(segments: Sequence[Segment]) -> float:
    """Return the fraction of the candidates' words that match a reference; counts are clipped as in BLEU.

    It is 0 if the candidates have no words.
    """
    matches = total = 0
    for candidate, references in segments:
        most: Counter[str] = Counter()
        for reference in references:
            most |= Counter(reference)
        matches += (Counter(candidate) & most).total()
        total += len(candidate)
    return matches / total if total else 0.0


def _evenly_spaced(numbers: Sequence[int], most: int) -> Sequence[int]:
    """Return at most `most` members of `numbers`, evenly spaced."""
    step = -(-len(numbers) // most) or 1
    return numbers[::step]
