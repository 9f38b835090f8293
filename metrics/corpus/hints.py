"""Hints on the texts of a corpus, before it is scored: what keeps words from matching or is no word, and what helps,
with the score as the texts stand and with that. What does not help is not said."""

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

#: Segments that are looked at, evenly spread, and of those so many that are scored.
LOOKED_AT, SCORED = 1000, 200
#: Letters of outputs by letters of references, of all segments that are scored: what takes a metric two seconds.
CELLS = 25_000_000
#: Systems of which each is scored to see whether something helps.
TRIED = 3
#: By how much a score must become better for something to be said: of real outputs nearly all have a word or two of the
#: kinds that are looked for.
LEAST = 0.001
DECIMALS = 4


class HintColumn(Protocol):
    """The lines of a file as they stand in it and as they are compared; no words where there is no reference."""

    @property
    def file(self) -> str: ...
    @property
    def lines(self) -> Sequence[str]: ...
    @property
    def words(self) -> Sequence[Tokens]: ...


class Help(NamedTuple):
    """What helps: a name of `markup.CLEANED` to `clean` the texts of, or else settings of the text processing. `does`
    is that as it stands behind "with", `option` as the command line has it, and `action` as a click does."""

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
    """What is noticed, in which file, and what helps. `scores` are those of a metric, by its label, as the texts stand
    and with what helps, of so many `segments` of `size`."""

    file: str
    says: str
    help: Help
    metric: str
    scores: tuple[float, float]
    segments: int
    size: int

    def sentence(self, decimals: int = DECIMALS) -> str:
        """What is noticed, and both scores, without a full stop."""
        before, after = (f"{score:.{decimals}f}" for score in self.scores)
        of = f" (in {self.segments:,} of {self.size:,} segments)" if self.segments < self.size else ""
        scores = f"{self.metric} {before} as it stands, {after} with {self.help.does}{of}"
        return f"{file_label(self.file)}: {self.says}; {scores}"

    def with_option(self, decimals: int = DECIMALS) -> str:
        """The same, with the option of the command line that does it."""
        return f"{self.sentence(decimals)}; {self.help.option} scores it so"


def find_hints(
    systems: Sequence[HintColumn],
    references: Sequence[HintColumn],
    text: TextSettings,
    metric: Metric,
    settings: Settings,
) -> list[Hint]:
    """The hints on systems and references over the same segments, at most one of each kind, with the scores of the
    first system for which what it says helps: more words match, and the score is better. Pieces of words are told where
    the score is worse with words, too. None where there is nothing to score."""
    if not systems or not references:
        return []
    sample = _HintSample(systems, references, text, metric, settings)
    if not sample.scored:
        return []
    return [*sample.copied(), *sample.unspaced(), *sample.alike()]


def cleaned(material: Material, names: Sequence[str]) -> Material:
    """The texts without what is named (`markup.CLEANED`), which they remember."""
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
    """Some segments of the files, evenly spread."""

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
        """The segments that are scored, but long ones for which there is no time."""
        out, cells = [], 0
        for n in _spread(self.numbers, SCORED):
            ours, theirs = (max([len(each.lines[n]) for each in side]) for side in (self.tried, self.references))
            if cells + ours * theirs <= CELLS:
                cells += ours * theirs
                out.append(n)
        return out

    # ------------------------------------------------------------ what is found

    def copied(self) -> Iterator[Hint]:
        """What was copied with the texts and is no word."""
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
        """Words of scripts that have no spaces between them."""
        for column in self.tried if self.text.tokenizer != "character" else ():
            lines = [each.words[n] for each in (column, *self.references) for n in self.scored]
            if hints.unspaced(lines) and (scores := self._scores(column, CHARACTERS)):
                yield self._hint(column, hints.UNSPACED_SAYS, CHARACTERS, scores)
                return

    def alike(self) -> Iterator[Hint]:
        """Words that look alike and differ, by what is not seen or by what normalising makes equal."""
        helps = {True: CLEANED["unseen"], False: NORMALISED}
        for column in self.tried:
            lookalikes: dict[bool, hints.Lookalike] = {}
            for n in self.numbers:
                if alike := hints.lookalike(column.words[n], [each.words[n] for each in self.references]):
                    lookalikes.setdefault(alike.unseen, alike)
            for unseen, alike in lookalikes.items():
                if unseen in helps and (scores := self._scores(column, helps[unseen])):
                    yield self._hint(column, alike.says, helps.pop(unseen), scores)

    def _example(self, kinds: Sequence[str], columns: Sequence[HintColumn]) -> tuple[str, str] | None:
        """The first of some kinds of markup in files, and what it is there."""
        for n, column, kind in product(self.numbers, columns, kinds):
            if example := markup.example(kind, column.lines[n], self.text.tokenizer):
                return kind, example
        return None

    # ------------------------------------------------------------ scores

    def _scores(self, column: HintColumn, help_: Help) -> tuple[float, float] | None:
        """The scores of a system as it stands and with what helps, None where that is hardly better or a segment is too
        hard. Pieces of words match where words do not, so that joining them is told where it makes a score worse,
        too."""
        stands = self._segments(column, self.text)
        helped = self._segments(column, replace(self.text, **help_.settings), help_.clean)
        either_way = help_.clean == "pieces"
        before, after = _matching(stands), _matching(helped)
        if (after < before and not either_way) or after == before:
            return None
        try:
            scores = score(self.metric, self.settings, stands), score(self.metric, self.settings, helped)
        except TooHard:
            return None
        better = (scores[1] > scores[0]) == self.metric.higher_is_better
        return scores if (better or either_way) and abs(scores[1] - scores[0]) >= LEAST else None

    def _segments(self, column: HintColumn, text: TextSettings, clean: str = "") -> list[Segment]:
        out = []
        for n in self.scored:
            theirs = [each.lines[n] for each in self.references]
            theirs = [line for line in theirs if line.strip()] or theirs[:1]
            lines = [markup.remove_kinds([clean] if clean else [], line) for line in (column.lines[n], *theirs)]
            ours, *rest = [words(line, text) for line in lines]
            out.append(segment(ours, rest))
        return out

    def _hint(self, column: HintColumn, says: str, help_: Help, scores: tuple[float, float]) -> Hint:
        sentence = f"{says[0].lower()}{says[1:]}"  # behind the name of the file
        return Hint(column.file, sentence, help_, self.metric.label, scores, len(self.scored), self.size)


def score(metric: Metric, settings: Settings, segments: Sequence[Segment]) -> float:
    """The corpus score of segments, at least one. Raises TooHard."""
    if metric.corpus:
        return metric.pooled([*metric.corpus(segments, settings)], settings).score
    return metric.pooled([metric.statistics(each, settings) for each in segments], settings).score


def _matching(segments: Sequence[Segment]) -> float:
    """The part of the words of candidates that their references have as often, any of them."""
    matches = total = 0
    for candidate, references in segments:
        most: Counter[str] = Counter()
        for reference in references:
            most |= Counter(reference)
        matches += (Counter(candidate) & most).total()
        total += len(candidate)
    return matches / total if total else 0.0


def _spread(numbers: Sequence[int], most: int) -> Sequence[int]:
    """At most so many numbers of a sequence, evenly spread."""
    step = -(-len(numbers) // most) or 1
    return numbers[::step]
