"""The warnings on the files of a corpus before it is scored: shifted lines, confused files and other mistakes.

Every warning is a value with its kind, its file and its lines. Its sentence says what was found, or asks whether
something is as it should be. Nothing is repaired unless it is requested: `Doubts.repairs` holds the possible repairs.

The texts alone cannot tell whether a system and a reference were swapped: a file that differs from the others may come
from a person or from a poor system. So that is asked only where the names of the files suggest it.
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
from .shifted_lines import LineShift, ReferenceMatcher, Repair, line_shifts, repair

if TYPE_CHECKING:
    from ..text.formats import Material
    from ..text.formats.material import ColumnTexts
    from .jobs import ScoringCorpus
    from .table import Array

#: The least lines of a file about which a warning can be made as a whole.
WHOLE = 20
#: Two files are nearly the same if more than this fraction of their lines are equal: of real systems of one year at
#: most 74 in 100 lines are equal.
NEARLY = 0.9
#: The words of a line that is hardly ever equal to another by chance, and its letters in scripts without spaces; the
#: number of such lines that equal a reference, and their fraction, from which on they are reported: of real outputs 2
#: in 100 are equal.
LONG, DENSE, EQUAL, OFTEN = 8, 12, 10, 0.1
#: The words of a line that is more than a name or a number, and its letters in scripts without spaces.
SOME, DENSE_SOME = 4, 6
#: The overlap below which a line may be in another language, and the overlap above which it is the same sentence.
LITTLE, MUCH = 0.1, 0.3
#: By how many standard errors the lines must fit their own references better than other references.
SURE = 3.0
#: The largest distance in lines at which two files count as shifted in the same place.
NEAR = 3
#: How many lines are searched in all references.
SAMPLE = 60
#: Groups of languages that are easily confused in a line (RELATED), and in a whole file (ALIKE).
RELATED = (
    *({"danish", "norwegian", "swedish"}, {"bosnian", "croatian", "serbian", "slovene", "macedonian", "bulgarian"}),
    *({"indonesian", "malay"}, {"spanish", "galician", "portuguese", "catalan"}, {"czech", "slovak"}),
    *({"dutch", "afrikaans"}, {"russian", "ukrainian", "belarusian", "bulgarian", "serbian", "macedonian"}),
    *({"hindi", "marathi", "nepali"}, {"chinese", "japanese"}, {"german", "luxembourgish"}),
)
ALIKE = ({"danish", "norwegian"}, {"bosnian", "croatian", "serbian"}, {"indonesian", "malay"})
#: Words in the names of system files and of reference files.
SYSTEM_NAMES = frozenset(("system", "systems", "sys", "hyp", "hyps", "hypothesis", "output", "outputs", "candidate"))
REFERENCE_NAMES = frozenset(("ref", "refs", "reference", "references"))


class FileWarningKind(Enum):
    """The kind of a warning on a file."""

    EMPTY = "empty"
    OF_REFERENCES = "of references"
    SAME = "same"
    UNTRANSLATED = "untranslated"
    SWAPPED = "swapped"
    LANGUAGE = "language"
    FOREIGN = "foreign"
    SHUFFLED = "shuffled"
    SLIPPED = "slipped"


class FileWarning(NamedTuple):
    """A warning on a file.

    Attributes:
        kind: what the warning is about.
        file: the name of the file.
        lines: the lines in question, from 1 as its segments are numbered; empty for the whole file.
        says: what was found, without a full stop.
        system: the system whose file it is; None for references and the source.
        at: the place as the file itself numbers it, without a full stop.
    """

    kind: FileWarningKind
    file: str
    lines: tuple[int, ...]
    says: str
    system: str | None = None
    at: str = ""

    @property
    def sentence(self) -> str:
        """Return the warning with the file and its first line, without a full stop."""
        return f"{file_label(self.file)}{', ' if self.at else ''}{self.at}: {self.says}"


class ComparedColumn(NamedTuple):
    """The lines of a file as they are in it and as they are compared.

    Attributes:
        file: the name of the file.
        lines: the lines as they are.
        words: the words of each line.
        unit: what a segment is in the file, such as "line".
        numbers: the number of each segment in the file, where it is not its index plus 1.
    """

    file: str
    lines: Sequence[str]
    words: Sequence[Tokens]
    unit: str = "line"
    numbers: Sequence[int] | None = None

    def number(self, line: int) -> int:
        """Return the number that the file gives a line, which is counted from 1."""
        return self.numbers[line - 1] if self.numbers else line

    def warning(self, kind: FileWarningKind, lines: Sequence[int], says: str, system: str | None = None) -> FileWarning:
        """Return a warning on lines of this file, or on the whole file if `lines` is empty."""
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        at = f"{self.unit} {self.number(lines[0])}{more}" if lines else ""
        return FileWarning(kind, self.file, tuple(lines), says, system, at)


class Files(NamedTuple):
    """The files of the systems by name, of the references, at least one, and of the source.

    A line that is empty in one of several references counts as no reference.
    """

    systems: Mapping[str, ComparedColumn]
    references: Sequence[ComparedColumn]
    source: ComparedColumn | None = None


def compared_files(material: Material, texts: ScoringCorpus, settings: TextSettings) -> Files:
    """Return the texts file by file.

    A file that holds several texts is named with the name of the text behind its own.
    """
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
    words = _words_by_file([each.lines for each in material.references.values()], texts.references)
    references = [column(*each, of) for each, of in zip(material.references.items(), words, strict=True)]
    theirs = [column(*each, [forms(process(line, settings)) for line in each[1].lines]) for each in source]
    return Files(systems, references, theirs[0] if theirs else None)


def _words_by_file(references: Sequence[Sequence[str]], sets: Sequence[Sequence[Tokens]]) -> list[list[Tokens]]:
    """Return the words of each file of references; an empty line means no reference and has no words."""
    out: list[list[Tokens]] = [[] for _ in references]
    for each, words in zip(zip(*references, strict=True), sets, strict=True):
        rest = iter(words)
        for column, line in zip(out, each, strict=True):
            column.append(next(rest) if line.strip() else ())
    return out


class FileWarnings(NamedTuple):
    """The warnings on the files, and a repair for each system with shifted lines."""

    warnings: tuple[FileWarning, ...]
    repairs: Mapping[str, Repair]


def find_file_warnings(files: Files) -> FileWarnings:
    """Return all warnings, file by file."""
    slipped_references = _slipped_references(files)
    references = ReferenceMatcher(
        _reference_sets([column.words for n, column in enumerate(files.references) if n not in slipped_references])
    )
    warnings, system_slips = list[FileWarning](), dict[str, tuple[LineShift, ...]]()
    for name, column in files.systems.items():
        check = _SystemCheck(files, references, column, name)
        warnings += check.find_warnings()
        if check.slips:
            system_slips[name] = check.slips
    if common := _common_warnings(files, system_slips):
        warnings += common
    else:
        for name, of in system_slips.items():
            warnings += shift_warnings(files.systems[name], of, "the references", name)
    warnings += _reference_warnings(files)
    warnings += [doubt for each in slipped_references.values() for doubt in each]
    warnings += _source_warnings(files, references, [*system_slips.values()] if common else [])
    warnings += _equal_files([*files.systems.values()], [*files.systems])
    warnings += _equal_files(files.references, [None] * len(files.references))
    repairs = {name: repair(len(files.systems[name].lines), of, references.size) for name, of in system_slips.items()}
    return FileWarnings(tuple(warnings), repairs)


def shift_warnings(
    column: ComparedColumn, file_slips: Sequence[LineShift], theirs: str, system: str | None = None
) -> list[FileWarning]:
    """Return a warning for each shift of a file's lines; `theirs` names the lines with which the file is compared."""
    out = []
    for slip in file_slips:
        if slip.offset:
            says = f"from here on the lines {_fit_clause(slip, theirs)} better than their own"
        else:
            says = f"from here on the lines fit {theirs} of their own number again"
        extra = [column.number(line) for line in slip.extra]
        if len(extra) > 1:
            says = f"{says}; {column.unit}s {extra[0]} to {extra[-1]} may be too many"
        elif extra:
            says = f"{says}; {column.unit} {extra[0]} may be too many"
        else:
            says = f"{says}; {counted(slip.missing, 'line')} may be missing before it"
        out.append(column.warning(FileWarningKind.SLIPPED, (slip.line,), says, system))
    return out


def _fit_clause(slip: LineShift, theirs: str) -> str:
    """Return a clause that says which references the shifted lines fit."""
    side = "before" if slip.offset < 0 else "after"
    return f"fit {theirs} {counted(abs(slip.offset), 'line')} {side} them"


def _reference_sets(columns: Sequence[Sequence[Tokens]]) -> list[list[Tokens]]:
    """Return, for each segment, the references that have words, or one empty reference if none has."""
    return [[line for line in each if line] or [()] for each in zip(*columns, strict=True)]


class _SystemCheck:
    """The check of one system's file."""

    def __init__(self, files: Files, references: ReferenceMatcher, column: ComparedColumn, name: str) -> None:
        self.files, self.references, self.column, self.name = files, references, column, name
        self.own: Array = references.overlaps(column.words, [0])[:, 0]
        self.slips: tuple[LineShift, ...] = ()
        self.untranslated = frozenset(_lines_equal_to_source(column, files.source) if files.source else [])

    def _doubt(self, kind: FileWarningKind, lines: Sequence[int], says: str) -> FileWarning:
        """Return a warning on lines of this system's file."""
        return self.column.warning(kind, lines, says, self.name)

    def find_warnings(self) -> Iterator[FileWarning]:
        """Yield the warnings on the system, except those on shifted lines, which are kept in `slips`."""
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
        self.slips = line_shifts(self.column.words, self.references)
        if not self.slips:
            yield from self._foreign()

    def _swapped(self) -> Iterator[FileWarning]:
        """Yield a warning if the names of the files suggest that a system and a reference are swapped."""
        ours = _name_words(self.column.file)
        for column in self.files.references:
            theirs = _name_words(column.file)
            confused = ours & SYSTEM_NAMES or theirs & REFERENCE_NAMES
            if ours & REFERENCE_NAMES and theirs & SYSTEM_NAMES and not confused:
                says = f"it is given as a system, and {file_label(column.file)} as references; are they swapped?"
                yield self._doubt(FileWarningKind.SWAPPED, (), says)

    def _references(self) -> Iterator[FileWarning]:
        """Yield a warning if many lines are equal to a reference."""
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

    def _untranslated(self) -> Iterator[FileWarning]:
        """Yield a warning on lines that are equal to the source."""
        equal = sorted(self.untranslated)
        if len(equal) > NEARLY * len(self.column.lines):
            yield self._doubt(FileWarningKind.UNTRANSLATED, (), _source_clause(equal, self.column))
        elif equal:
            is_ = "the line is" if len(equal) == 1 else "the lines are"
            yield self._doubt(FileWarningKind.UNTRANSLATED, equal, f"{is_} equal to the source")

    def _language(self) -> Iterator[FileWarning]:
        """Yield a warning on lines, or on a whole file, in another language than the references.

        Languages are recognised only where a line has few words in common with its references, because that takes time.
        """
        unlike = [
            number
            for number, line in enumerate(self.column.words, 1)
            if self.own[number - 1] < LITTLE and _is_long(line, LONG, DENSE) and number not in self.untranslated
        ]
        if not unlike:
            return
        theirs = languages.recognise_language([line for column in self.files.references for line in column.lines])
        if theirs == languages.UNKNOWN:
            return
        # Where many lines have little in common with their references, the whole file may be in another language.
        ours = languages.recognise_language(self.column.lines) if len(unlike) > len(self.column.lines) / 4 else theirs
        if not _are_distinct(ours, theirs, ALIKE):
            line_languages = {n: languages.recognise_language([self.column.lines[n - 1]]) for n in unlike}
            others = [n for n in unlike if _are_distinct(line_languages[n], theirs, RELATED)]
            if others:
                language_names = sorted({line_languages[n] for n in others})
                which = languages.language_title(language_names[0]) if len(language_names) == 1 else "other languages"
                seems = "the line seems" if len(others) == 1 else "the lines seem"
                says = f"{seems} to be in {which}; the references are in {languages.language_title(theirs)}"
                yield self._doubt(FileWarningKind.LANGUAGE, others, says)
        else:
            own, other = languages.language_title(ours), languages.language_title(theirs)
            says = f"it seems to be in {own}; the references are in {other}"
            yield self._doubt(FileWarningKind.LANGUAGE, (), says)

    def _foreign(self) -> Iterator[FileWarning]:
        """Yield a warning if lines fit their own references no better than those of lines far away.

        They are compared with the references of lines a third and two thirds of the file further on.
        """
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


def _common_warnings(files: Files, system_slips: Mapping[str, tuple[LineShift, ...]]) -> list[FileWarning]:
    """Return a warning on the references for each shift, if all of several systems are shifted alike."""
    if len(system_slips) < max(2, len(files.systems)) or not _are_alike([*system_slips.values()]):
        return []
    first = next(iter(system_slips.values()))
    size = counted(len(files.systems), "system")
    out = []
    for slip in first:
        if slip.offset:
            says = f"the lines of all {size} {_fit_clause(slip, 'the references')}, from their line {slip.line} on"
            says = f"{says}; the references may have slipped"
        else:
            says = f"the lines of all {size} fit the references of their own number again"
        out.append(files.references[0].warning(FileWarningKind.SLIPPED, (slip.line + slip.offset,), says))
    return out


def _reference_warnings(files: Files) -> Iterator[FileWarning]:
    """Yield warnings on segments without a reference, and on references that equal the source."""
    of_segments = zip(*[column.lines for column in files.references], strict=True)
    none = [number for number, each in enumerate(of_segments, 1) if not "".join(each).strip()]
    if none:
        yield files.references[0].warning(FileWarningKind.EMPTY, none, "the segment has no reference")
    for column in files.references:
        equal = _lines_equal_to_source(column, files.source) if files.source else []
        if equal and len(equal) > NEARLY * len(column.lines):
            yield column.warning(FileWarningKind.UNTRANSLATED, (), _source_clause(equal, column))


def _slipped_references(files: Files) -> dict[int, list[FileWarning]]:
    """Return warnings on the files of references that are shifted against the first one, by their index.

    Systems are not compared with these files, because some would fit where both are shifted. A file with empty lines,
    for segments without such a reference, is not checked.
    """
    first, *others = files.references
    against, theirs = ReferenceMatcher(_reference_sets([first.words])), f"those of {file_label(first.file)}"
    out = {}
    for n, column in enumerate(others, 1):
        column_slips = line_shifts(column.words, against) if all(column.words) else ()
        if column_slips:
            out[n] = shift_warnings(column, column_slips, theirs)
    return out


def _source_warnings(
    files: Files, references: ReferenceMatcher, common_slips: Sequence[Sequence[LineShift]]
) -> Iterator[FileWarning]:
    """Yield warnings on the shifts of the source.

    Where it is shifted against the references as all systems are (`common_slips`), the references are shifted instead.
    """
    if files.source is None:
        return
    source_slips = line_shifts(files.source.words, references)
    if common_slips and _are_alike([source_slips, *common_slips]):
        return
    yield from shift_warnings(files.source, source_slips, "the references")


def _are_alike(slip_lists: Sequence[Sequence[LineShift]]) -> bool:
    """Return whether all files are shifted by the same offsets in the same places."""
    first, *others = slip_lists
    return all(
        [slip.offset for slip in other] == [slip.offset for slip in first]
        and all(abs(a.line - b.line) <= NEAR for a, b in zip(first, other, strict=True))
        for other in others
    )


def _equal_files(columns: Sequence[ComparedColumn], systems: Sequence[str | None]) -> Iterator[FileWarning]:
    """Yield a warning on each file that is equal or nearly equal to an earlier one, with the first such file."""
    for n, column in enumerate(columns):
        for theirs in columns[:n]:
            size = len(column.lines)
            equal = sum(a == b for a, b in zip(column.words, theirs.words, strict=False))
            if size < WHOLE or equal <= NEARLY * size:
                continue
            what = f"all {size} lines" if equal == size else f"{equal} of {size} lines"
            says = f"{what} are equal to those of {file_label(theirs.file)}"
            yield column.warning(FileWarningKind.SAME, (), says, systems[n])
            break


def _source_clause(equal: Sequence[int], column: ComparedColumn) -> str:
    """Return a clause that says how many lines are equal to the source."""
    return f"{len(equal)} of {len(column.lines)} lines are equal to the source; is it a file of the source?"


def _lines_equal_to_source(column: ComparedColumn, source: ComparedColumn) -> list[int]:
    """Return the numbers, from 1, of the lines that equal the source's and are more than a name or a number."""
    return [
        number
        for number, (ours, theirs) in enumerate(zip(column.lines, source.lines, strict=False), 1)
        if ours.split() == theirs.split() and _is_long(ours.split(), SOME, DENSE_SOME)
    ]


def _is_long(line: Sequence[str], words: int, letters: int) -> bool:
    """Return whether a line has so many words with letters, or so many letters of scripts without spaces."""
    if sum(any(map(str.isalpha, word)) for word in line) >= words:
        return True
    return sum(letter.isalpha() and letter > "\u2e7f" for word in line for letter in word) >= letters


def _are_distinct(language: str, other: str, alike: Sequence[set[str]]) -> bool:
    """Return whether a language is known and differs from another one, where no group in `alike` has both."""
    if language == languages.UNKNOWN or language == other:
        return False
    return not any({language, other} <= each for each in alike)


def _name_words(file: str) -> set[str]:
    """Return the words in the name of a file, in lower case."""
    return {*re.split(r"[^a-z]+", PurePath(file).name.lower())}
