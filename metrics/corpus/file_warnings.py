"""What looks wrong about the files of a corpus, before it is scored: lines that slipped, files that were confused.

Every doubt is a value with its kind, its file and its lines, and says in a sentence what was found, or asks where that
may be as it should. Nothing is put right unasked: `Doubts.repairs` holds what can be.

Whether a system and a reference were swapped cannot be known from the texts: a file that stands apart from the others
may be a person's or a poor system's. It is asked only where the files' names say so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from ..formula import counted
from ..text import TextSettings, languages, printable
from ..text.files import file_label
from ..text.processing import forms, process
from ..types import Tokens
from .shifted_lines import LineSlip, ReferenceMatcher, Repair, repair, slips

if TYPE_CHECKING:
    from ..text.formats import Material
    from ..text.formats.material import ColumnTexts
    from .jobs import ScoringCorpus
    from .table import Array

#: Lines that a file must have for something to be said of it as a whole.
WHOLE = 20
#: The part of the lines from which on two files are nearly the same: of real systems of one year 74 in 100 lines are
#: equal at the most.
NEARLY = 0.9
#: Words of a line that are hardly twice the same by chance, and letters of scripts without spaces; lines that are equal
#: to a reference, and their part of such lines, from which on they are told: of real outputs 2 in 100 are.
LONG, DENSE, EQUAL, OFTEN = 8, 12, 10, 0.1
#: Words of a line that is no name or number, and letters of scripts without spaces.
SOME, DENSE_SOME = 4, 6
#: An overlap below which a line may be in another language, and one above which it is the same sentence.
LITTLE, MUCH = 0.1, 0.3
#: Standard errors by which lines must fit their own references better than others'.
SURE = 3.0
#: Lines between which files slipped in the same place.
NEAR = 3
#: Lines that are looked for in all of the references.
SAMPLE = 60
#: Languages that are taken for each other, in a line and in a file.
RELATED = (
    *({"danish", "norwegian", "swedish"}, {"bosnian", "croatian", "serbian", "slovene", "macedonian", "bulgarian"}),
    *({"indonesian", "malay"}, {"spanish", "galician", "portuguese", "catalan"}, {"czech", "slovak"}),
    *({"dutch", "afrikaans"}, {"russian", "ukrainian", "belarusian", "bulgarian", "serbian", "macedonian"}),
    *({"hindi", "marathi", "nepali"}, {"chinese", "japanese"}, {"german", "luxembourgish"}),
)
ALIKE = ({"danish", "norwegian"}, {"bosnian", "croatian", "serbian"}, {"indonesian", "malay"})
#: What files of systems and of references are called, among other words of their names.
SYSTEM_NAMES = frozenset(("system", "systems", "sys", "hyp", "hyps", "hypothesis", "output", "outputs", "candidate"))
REFERENCE_NAMES = frozenset(("ref", "refs", "reference", "references"))


class FileWarningKind(Enum):
    """What a doubt is about."""

    EMPTY = "empty"
    OF_REFERENCES = "of references"
    SAME = "same"
    UNTRANSLATED = "untranslated"
    SWAPPED = "swapped"
    LANGUAGE = "language"
    FOREIGN = "foreign"
    SHUFFLED = "shuffled"
    SLIPPED = "slipped"


class Doubt(NamedTuple):
    """What looks wrong about a file: the lines where it does, from 1 as its segments are numbered, none where it is the
    whole file, and the system whose file it is, None for references and source. `says` is what was found, `at` where as
    the file itself is numbered; neither has a full stop."""

    kind: FileWarningKind
    file: str
    lines: tuple[int, ...]
    says: str
    system: str | None = None
    at: str = ""

    @property
    def sentence(self) -> str:
        """What is said, with the file and its first line, without a full stop."""
        return f"{file_label(self.file)}{', ' if self.at else ''}{self.at}: {self.says}"


class ComparedColumn(NamedTuple):
    """The lines of a file as they stand in it and as they are compared; where a segment is another `unit` of the file
    than a line, or lies elsewhere, `numbers` says in which."""

    file: str
    lines: Sequence[str]
    words: Sequence[Tokens]
    unit: str = "line"
    numbers: Sequence[int] | None = None

    def number(self, line: int) -> int:
        """What the file calls a line, from 1."""
        return self.numbers[line - 1] if self.numbers else line

    def doubt(self, kind: FileWarningKind, lines: Sequence[int], says: str, system: str | None = None) -> Doubt:
        """A doubt about lines of this file, or about all of it."""
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        at = f"{self.unit} {self.number(lines[0])}{more}" if lines else ""
        return Doubt(kind, self.file, tuple(lines), says, system, at)


class Files(NamedTuple):
    """The systems' files by their names, those of the references, at least one, and the source's. A line that is empty
    in one of several references is none."""

    systems: Mapping[str, ComparedColumn]
    references: Sequence[ComparedColumn]
    source: ComparedColumn | None = None


def files_of(material: Material, texts: ScoringCorpus, settings: TextSettings) -> Files:
    """What was read and processed, file by file; one of several texts of a file has its name behind the file's."""
    source = [("source", material.source)] if material.source else []
    of = [*material.systems.items(), *material.references.items(), *source]
    times = Counter([each.file for _, each in of])

    def column(name: str, each: ColumnTexts, words: Sequence[Tokens]) -> ComparedColumn:
        file = each.file if times[each.file] == 1 else f"{each.file}:{name}"
        return ComparedColumn(file, each.lines, words, each.unit, each.numbers)

    systems = {
        name: column(name, each, words)
        for (name, each), words in zip(material.systems.items(), texts.systems, strict=True)
    }
    words = _words([each.lines for each in material.references.values()], texts.references)
    references = [column(*each, of) for each, of in zip(material.references.items(), words, strict=True)]
    theirs = [column(*each, [forms(process(line, settings)) for line in each[1].lines]) for each in source]
    return Files(systems, references, theirs[0] if theirs else None)


def _words(references: Sequence[Sequence[str]], sets: Sequence[Sequence[Tokens]]) -> list[list[Tokens]]:
    """The words of the references of each file, none where a segment has no reference there."""
    out: list[list[Tokens]] = [[] for _ in references]
    for each, words in zip(zip(*references, strict=True), sets, strict=True):
        rest = iter(words)
        for column, line in zip(out, each, strict=True):
            column.append(next(rest) if line.strip() else ())
    return out


class Doubts(NamedTuple):
    """What looks wrong, and for each system whose lines slipped what puts it right."""

    warnings: tuple[Doubt, ...]
    repairs: Mapping[str, Repair]


def doubts(files: Files) -> Doubts:
    """All that looks wrong, file by file; nothing where nothing does."""
    slipped_references = _slipped_references(files)
    references = ReferenceMatcher(
        _sets([column.words for n, column in enumerate(files.references) if n not in slipped_references])
    )
    warnings, system_slips = list[Doubt](), dict[str, tuple[LineSlip, ...]]()
    for name, column in files.systems.items():
        check = _SystemCheck(files, references, column, name)
        warnings += check.find_warnings()
        if check.slips:
            system_slips[name] = check.slips
    if common := _common(files, system_slips):
        warnings += common
    else:
        for name, of in system_slips.items():
            warnings += of_slips(files.systems[name], of, "the references", name)
    warnings += _of_references(files)
    warnings += [doubt for each in slipped_references.values() for doubt in each]
    warnings += _source(files, references, [*system_slips.values()] if common else [])
    warnings += _equal_files([*files.systems.values()], [*files.systems])
    warnings += _equal_files(files.references, [None] * len(files.references))
    repairs = {name: repair(len(files.systems[name].lines), of, references.size) for name, of in system_slips.items()}
    return Doubts(tuple(warnings), repairs)


def of_slips(
    column: ComparedColumn, file_slips: Sequence[LineSlip], theirs: str, system: str | None = None
) -> list[Doubt]:
    """What the slips of a file say, each behind its line."""
    out = []
    for slip in file_slips:
        if slip.offset:
            says = f"from here on the lines {_fit(slip, theirs)} better than their own"
        else:
            says = f"from here on the lines fit {theirs} of their own number again"
        extra = [column.number(line) for line in slip.extra]
        if len(extra) > 1:
            says = f"{says}; {column.unit}s {extra[0]} to {extra[-1]} may be too many"
        elif extra:
            says = f"{says}; {column.unit} {extra[0]} may be too many"
        else:
            says = f"{says}; {counted(slip.missing, 'line')} may be missing before it"
        out.append(column.doubt(FileWarningKind.SLIPPED, (slip.line,), says, system))
    return out


def _fit(slip: LineSlip, theirs: str) -> str:
    """Which references lines fit that slipped."""
    side = "before" if slip.offset < 0 else "after"
    return f"fit {theirs} {counted(abs(slip.offset), 'line')} {side} them"


def _sets(columns: Sequence[Sequence[Tokens]]) -> list[list[Tokens]]:
    """Of each segment the references that have words, or one without."""
    return [[line for line in each if line] or [()] for each in zip(*columns, strict=True)]


class _SystemCheck:
    """What is found of one system."""

    def __init__(self, files: Files, references: ReferenceMatcher, column: ComparedColumn, name: str) -> None:
        self.files, self.references, self.column, self.name = files, references, column, name
        self.own: Array = references.overlaps(column.words, [0])[:, 0]
        self.slips: tuple[LineSlip, ...] = ()
        self.untranslated = frozenset(_equal(column, files.source) if files.source else [])

    def _doubt(self, kind: FileWarningKind, lines: Sequence[int], says: str) -> Doubt:
        return self.column.doubt(kind, lines, says, self.name)

    def find_warnings(self) -> Iterator[Doubt]:
        """What is said of it, but slips."""
        empty = [number for number, line in enumerate(self.column.lines, 1) if not line.strip()]
        if empty:
            yield self._doubt(FileWarningKind.EMPTY, empty, f"the output of {printable(self.name)} is empty there")
        yield from self._swapped()
        confused = [*self._references(), *self._untranslated()]
        yield from confused
        if any(not each.lines for each in confused):
            return
        language = [*self._language()]
        yield from language
        if any(not each.lines for each in language):
            return
        self.slips = slips(self.column.words, self.references)
        if not self.slips:
            yield from self._foreign()

    def _swapped(self) -> Iterator[Doubt]:
        ours = _name_words(self.column.file)
        for column in self.files.references:
            theirs = _name_words(column.file)
            confused = ours & SYSTEM_NAMES or theirs & REFERENCE_NAMES
            if ours & REFERENCE_NAMES and theirs & SYSTEM_NAMES and not confused:
                says = f"it is given as a system, and {file_label(column.file)} as references; are they swapped?"
                yield self._doubt(FileWarningKind.SWAPPED, (), says)

    def _references(self) -> Iterator[Doubt]:
        lines = self.column.words
        theirs = [{column.words[n] for column in self.files.references} for n in range(len(lines))]
        equal = [number for number, line in enumerate(lines, 1) if line and line in theirs[number - 1]]
        if len(lines) >= WHOLE and len(equal) > NEARLY * len(lines):
            says = f"{len(equal)} of {len(lines)} lines are equal to a reference; is it a file of references?"
            yield self._doubt(FileWarningKind.OF_REFERENCES, (), says)
            return
        long = [number for number, line in enumerate(lines, 1) if _is_long(line, LONG, DENSE)]
        equal = sorted({*equal} & {*long})
        if len(equal) >= EQUAL and len(equal) > OFTEN * len(long):
            says = f"{len(equal)} of the {len(long)} longer lines are equal to a reference"
            yield self._doubt(FileWarningKind.OF_REFERENCES, equal, says)

    def _untranslated(self) -> Iterator[Doubt]:
        equal = sorted(self.untranslated)
        if len(equal) > NEARLY * len(self.column.lines):
            yield self._doubt(FileWarningKind.UNTRANSLATED, (), _of_source(equal, self.column))
        elif equal:
            is_ = "the line is" if len(equal) == 1 else "the lines are"
            yield self._doubt(FileWarningKind.UNTRANSLATED, equal, f"{is_} equal to the source")

    def _language(self) -> Iterator[Doubt]:
        """Languages are looked for where words in common are few: it takes time, and elsewhere there is no need."""
        unlike = [
            number
            for number, line in enumerate(self.column.words, 1)
            if self.own[number - 1] < LITTLE and _is_long(line, LONG, DENSE) and number not in self.untranslated
        ]
        if not unlike:
            return
        theirs = languages.recognised([line for column in self.files.references for line in column.lines])
        if theirs == languages.UNKNOWN:
            return
        # Where most lines have nothing in common with their references it may be the file.
        ours = languages.recognised(self.column.lines) if len(unlike) > len(self.column.lines) / 4 else theirs
        if not _are_distinct(ours, theirs, ALIKE):
            line_languages = {n: languages.recognised([self.column.lines[n - 1]]) for n in unlike}
            others = [n for n in unlike if _are_distinct(line_languages[n], theirs, RELATED)]
            if others:
                language_names = sorted({line_languages[n] for n in others})
                which = languages.title(language_names[0]) if len(language_names) == 1 else "other languages"
                seems = "the line seems" if len(others) == 1 else "the lines seem"
                says = f"{seems} to be in {which}; the references are in {languages.title(theirs)}"
                yield self._doubt(FileWarningKind.LANGUAGE, others, says)
        else:
            says = f"it seems to be in {languages.title(ours)}; the references are in {languages.title(theirs)}"
            yield self._doubt(FileWarningKind.LANGUAGE, (), says)

    def _foreign(self) -> Iterator[Doubt]:
        """Whether lines fit their own references no better than those of lines a third or two further on."""
        import numpy as np

        lines, size = self.column.words, len(self.column.words)
        if size < WHOLE or not any(lines):
            return
        others = []
        for third in (1, 2):
            start = third * size // 3
            others.append(self.references.overlaps([*lines[start:], *lines[:start]], [0])[:, 0])
        back = [np.roll(each, third * size // 3) for third, each in zip((1, 2), others, strict=True)]
        more = self.own - np.mean(back, axis=0)
        if float(more.mean()) > SURE * float(more.std()) / size**0.5:
            return
        if not self.own.any() and not any(each.any() for each in others):
            yield self._doubt(FileWarningKind.FOREIGN, (), "no line has a word in common with its references")
            return
        sample = [line for line in lines if len(line) >= SOME or self.references.unspaced]
        sample = sample[:: max(1, len(sample) // SAMPLE)]
        fit_elsewhere = sum(self.references.best(line) > MUCH for line in sample)
        if fit_elsewhere > len(sample) / 2:
            says = "the lines fit their references no better than those of other lines, but most fit one well"
            yield self._doubt(FileWarningKind.SHUFFLED, (), f"{says}; are they in another order?")
        else:
            says = "the lines fit their references no better than those of other lines; is it another text?"
            yield self._doubt(FileWarningKind.FOREIGN, (), says)


def _common(files: Files, system_slips: Mapping[str, tuple[LineSlip, ...]]) -> list[Doubt]:
    """One doubt a slip about the references, where all of several systems slipped alike; else none."""
    if len(system_slips) < max(2, len(files.systems)) or not _alike([*system_slips.values()]):
        return []
    first = next(iter(system_slips.values()))
    size = counted(len(files.systems), "system")
    out = []
    for slip in first:
        if slip.offset:
            says = f"the lines of all {size} {_fit(slip, 'the references')}, from their line {slip.line} on"
            says = f"{says}; the references may have slipped"
        else:
            says = f"the lines of all {size} fit the references of their own number again"
        out.append(files.references[0].doubt(FileWarningKind.SLIPPED, (slip.line + slip.offset,), says))
    return out


def _of_references(files: Files) -> Iterator[Doubt]:
    """Segments without a reference, and references that equal the source."""
    of_segments = zip(*[column.lines for column in files.references], strict=True)
    none = [number for number, each in enumerate(of_segments, 1) if not "".join(each).strip()]
    if none:
        yield files.references[0].doubt(FileWarningKind.EMPTY, none, "the segment has no reference")
    for column in files.references:
        equal = _equal(column, files.source) if files.source else []
        if equal and len(equal) > NEARLY * len(column.lines):
            yield column.doubt(FileWarningKind.UNTRANSLATED, (), _of_source(equal, column))


def _slipped_references(files: Files) -> dict[int, list[Doubt]]:
    """Files of references, by their numbers, that slipped against the first: systems are not held against those, which
    some would fit where they slipped. One that lacks lines, for segments without such a reference, is not looked at."""
    first, *others = files.references
    against, theirs = ReferenceMatcher(_sets([first.words])), f"those of {file_label(first.file)}"
    out = {}
    for n, column in enumerate(others, 1):
        column_slips = slips(column.words, against) if all(column.words) else ()
        if column_slips:
            out[n] = of_slips(column, column_slips, theirs)
    return out


def _source(files: Files, references: ReferenceMatcher, common_slips: Sequence[Sequence[LineSlip]]) -> Iterator[Doubt]:
    """Where the source slipped. Where it did as all systems (`common_slips`), it is the references that slipped."""
    if files.source is None:
        return
    source_slips = slips(files.source.words, references)
    if common_slips and _alike([source_slips, *common_slips]):
        return
    yield from of_slips(files.source, source_slips, "the references")


def _alike(slip_lists: Sequence[Sequence[LineSlip]]) -> bool:
    """Whether all slipped in the same places."""
    first, *others = slip_lists
    return all(
        [slip.offset for slip in other] == [slip.offset for slip in first]
        and all(abs(a.line - b.line) <= NEAR for a, b in zip(first, other, strict=True))
        for other in others
    )


def _equal_files(columns: Sequence[ComparedColumn], systems: Sequence[str | None]) -> Iterator[Doubt]:
    """Files that are equal or nearly, each with the first that it equals."""
    for n, column in enumerate(columns):
        for theirs in columns[:n]:
            size = len(column.lines)
            equal = sum(a == b for a, b in zip(column.words, theirs.words, strict=False))
            if size < WHOLE or equal <= NEARLY * size:
                continue
            what = f"all {size} lines" if equal == size else f"{equal} of {size} lines"
            says = f"{what} are equal to those of {file_label(theirs.file)}"
            yield column.doubt(FileWarningKind.SAME, (), says, systems[n])
            break


def _of_source(equal: Sequence[int], column: ComparedColumn) -> str:
    return f"{len(equal)} of {len(column.lines)} lines are equal to the source; is it a file of the source?"


def _equal(column: ComparedColumn, source: ComparedColumn) -> list[int]:
    """The lines, from 1, that are those of the source and no name or number."""
    return [
        number
        for number, (ours, theirs) in enumerate(zip(column.lines, source.lines, strict=False), 1)
        if ours.split() == theirs.split() and _is_long(ours.split(), SOME, DENSE_SOME)
    ]


def _is_long(line: Sequence[str], words: int, letters: int) -> bool:
    """Whether a line has so many words with letters, or so many letters of scripts that have no spaces."""
    if sum(any(map(str.isalpha, word)) for word in line) >= words:
        return True
    return sum(letter.isalpha() and letter > "\u2e7f" for word in line for letter in word) >= letters


def _are_distinct(language: str, other: str, alike: Sequence[set[str]]) -> bool:
    if language == languages.UNKNOWN or language == other:
        return False
    return not any({language, other} <= each for each in alike)


def _name_words(file: str) -> set[str]:
    return {*re.split(r"[^a-z]+", PurePath(file).name.lower())}
