"""The warnings on the files of a corpus before scoring: shifted lines, confused files and other likely mistakes.

Each warning is a record with its kind, its file and its lines. Its sentence says what was found, or asks whether
something is as it should be. Nothing is repaired unless that is requested; `FileWarnings.repairs` holds the possible
repairs.

The texts alone cannot tell whether a system and a reference were swapped: a file that differs from the others may come
from a person or from a poor system. So the warning that asks about it needs file names that suggest it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from ..formula import count_with_noun
from ..text import TextSettings, languages, printable
from ..text.files import file_label
from ..text.processing import forms, process
from ..types import Tokens
from .shifted_lines import LineShift, ReferenceMatcher, Repair, find_line_shifts, make_repair

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
    """A warning on one file of a corpus.

    Attributes:
        kind: what the warning is about.
        file: the name of the file.
        lines: the numbers, from 1, of the segments in question; empty if the warning is on the whole file.
        says: what was found, without a full stop.
        system: the name of the system that made the file; None for references and the source.
        at: the place of the first such segment in the words of the file, such as "line 3", without a full stop.
    """

    kind: FileWarningKind
    file: str
    lines: tuple[int, ...]
    says: str
    system: str | None = None
    at: str = ""

    @property
    def sentence(self) -> str:
        """Return the warning as a sentence with the file and the first line in question, without a full stop."""
        return f"{file_label(self.file)}{', ' if self.at else ''}{self.at}: {self.says}"


def sentences_by_system(warnings: Iterable[FileWarning]) -> dict[str, list[str]]:
    """Return the sentences of warnings by the name of their system, "" for those on references and the source.

    >>> sentences_by_system([FileWarning(FileWarningKind.EMPTY, "a.txt", (3,), "empty", "A", "line 3")])
    {'A': ['a.txt, line 3: empty.']}
    """
    out: dict[str, list[str]] = {}
    for each in warnings:
        end = "" if each.says.endswith("?") else "."
        out.setdefault(each.system or "", []).append(f"{each.sentence}{end}")
    return out


class ComparedColumn(NamedTuple):
    """The lines of one text file, both as typed and split into the words that are compared.

    Attributes:
        file: the name of the file.
        lines: the lines as they are in the file.
        words: the words of each line, after text processing.
        unit: what the file calls a segment, such as "line".
        numbers: for each segment its number in the file; None where that is the index plus 1.
    """

    file: str
    lines: Sequence[str]
    words: Sequence[Tokens]
    unit: str = "line"
    numbers: Sequence[int] | None = None

    def number(self, line: int) -> int:
        """Return the number that the file itself gives a segment; `line` counts from 1."""
        return self.numbers[line - 1] if self.numbers else line

    def warning(self, kind: FileWarningKind, lines: Sequence[int], says: str, system: str | None = None) -> FileWarning:
        """Return a warning on lines of this file, which count from 1, or on the whole file if `lines` is empty."""
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        at = f"{self.unit} {self.number(lines[0])}{more}" if lines else ""
        return FileWarning(kind, self.file, tuple(lines), says, system, at)


class ComparedFiles(NamedTuple):
    """The text files of a corpus as they are compared.

    A line that is empty in one of several references means that the segment has no such reference.

    Attributes:
        systems: the outputs of each system by name.
        references: the references, at least one.
        source: the source texts; None if they are not given.
    """

    systems: Mapping[str, ComparedColumn]
    references: Sequence[ComparedColumn]
    source: ComparedColumn | None = None


def compared_files(material: Material, texts: ScoringCorpus, settings: TextSettings) -> ComparedFiles:
    """Return the files of a corpus, with the words of `texts` for each line of `material`.

    The name of a text becomes part of the file's name (FILE:NAME) if the file holds several texts.
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
    return ComparedFiles(systems, references, theirs[0] if theirs else None)


def _words_by_file(references: Sequence[Sequence[str]], sets: Sequence[Sequence[Tokens]]) -> list[list[Tokens]]:
    """Return the words of each line, for each file of references.

    `references` are the lines of each file. `sets` are the words of the references of each segment, which skip empty
    lines because they mean that there is no such reference; an empty line gets no words.
    """
    out: list[list[Tokens]] = [[] for _ in references]
    for each, words in zip(zip(*references, strict=True), sets, strict=True):
        rest = iter(words)
        for column, line in zip(out, each, strict=True):
            column.append(next(rest) if line.strip() else ())
    return out


class FileWarnings(NamedTuple):
    """The warnings on all files of a corpus, and a repair for each system with shifted lines, by the system's name."""

    warnings: tuple[FileWarning, ...]
    repairs: Mapping[str, Repair]


def find_file_warnings(files: ComparedFiles) -> FileWarnings:
    """Check all files of a corpus and return the warnings, file by file, with the possible repairs."""
    slipped_references = _shifted_reference_warnings(files)
    references = ReferenceMatcher(
        _nonempty_references([column.words for n, column in enumerate(files.references) if n not in slipped_references])
    )
    warnings, system_slips = list[FileWarning](), dict[str, tuple[LineShift, ...]]()
    for name, column in files.systems.items():
        check = _SystemCheck(files, references, column, name)
        warnings += check.find_warnings()
        if check.shifts:
            system_slips[name] = check.shifts
    if common := _common_shift_warnings(files, system_slips):
        warnings += common
    else:
        for name, of in system_slips.items():
            warnings += shift_warnings(files.systems[name], of, "the references", name)
    warnings += _reference_warnings(files)
    warnings += [doubt for each in slipped_references.values() for doubt in each]
    warnings += _source_shift_warnings(files, references, [*system_slips.values()] if common else [])
    warnings += _equal_file_warnings([*files.systems.values()], [*files.systems])
    warnings += _equal_file_warnings(files.references, [None] * len(files.references))
    repairs = {
        name: make_repair(len(files.systems[name].lines), of, references.size) for name, of in system_slips.items()
    }
    return FileWarnings(tuple(warnings), repairs)


def shift_warnings(
    column: ComparedColumn, shifts: Sequence[LineShift], other_lines_name: str, system: str | None = None
) -> list[FileWarning]:
    """Return a warning for each position from which on the lines of a file are shifted.

    `other_lines_name` names the lines that the file is compared with, such as "the references". `system` is the name of
    the system whose file it is."""
    out = []
    for slip in shifts:
        if slip.offset:
            says = f"from here on the lines {_fit_phrase(slip, other_lines_name)} better than their own"
        else:
            says = f"from here on the lines fit {other_lines_name} with the same number again"
        extra = [column.number(line) for line in slip.extra_lines]
        if len(extra) > 1:
            says = f"{says}; {column.unit}s {extra[0]} to {extra[-1]} may be extra"
        elif extra:
            says = f"{says}; {column.unit} {extra[0]} may be extra"
        else:
            says = f"{says}; {count_with_noun(slip.missing_line_count, 'line')} may be missing before it"
        out.append(column.warning(FileWarningKind.SLIPPED, (slip.line,), says, system))
    return out


def _fit_phrase(shift: LineShift, other_lines_name: str) -> str:
    """Return a clause such as "fit the references 2 lines after them"; `other_lines_name` is "the references" in it."""
    side = "before" if shift.offset < 0 else "after"
    return f"fit {other_lines_name} {count_with_noun(abs(shift.offset), 'line')} {side} them"


def _nonempty_references(columns: Sequence[Sequence[Tokens]]) -> list[list[Tokens]]:
    """Return, for each segment, its references that have words; one empty reference if none has words.

    `columns` are the words of each line for each file of references.
    """
    return [[line for line in each if line] or [()] for each in zip(*columns, strict=True)]


class _SystemCheck:
    """The check of one system's file for likely mistakes."""

    def __init__(self, files: ComparedFiles, references: ReferenceMatcher, column: ComparedColumn, name: str) -> None:
        self.files, self.references, self.column, self.name = files, references, column, name
        self.own: Array = references.word_overlaps(column.words, [0])[:, 0]
        self.shifts: tuple[LineShift, ...] = ()
        self.untranslated = frozenset(_lines_equal_to_source(column, files.source) if files.source else [])

    def _warning(self, kind: FileWarningKind, lines: Sequence[int], says: str) -> FileWarning:
        """Return a warning on these lines of the checked file."""
        return self.column.warning(kind, lines, says, self.name)

    def find_warnings(self) -> Iterator[FileWarning]:
        """Yield the warnings on the checked file, except those on shifted lines; the shifts are stored in `shifts`."""
        empty = [number for number, line in enumerate(self.column.lines, 1) if not line.strip()]
        if empty:
            yield self._warning(FileWarningKind.EMPTY, empty, f"the output of {printable(self.name)} is empty there")
        yield from self._swap_warnings()
        confused = [*self._reference_copy_warnings(), *self._untranslated_warnings()]
        yield from confused
        if any(not each.lines for each in confused):
            return
        language = [*self._language_warnings()]
        yield from language
        if any(not each.lines for each in language):
            return
        self.shifts = find_line_shifts(self.column.words, self.references)
        if not self.shifts:
            yield from self._misplaced_warnings()

    def _swap_warnings(self) -> Iterator[FileWarning]:
        """Yield a warning if the file names suggest that this system's file and a reference are swapped."""
        ours = _file_name_words(self.column.file)
        for column in self.files.references:
            theirs = _file_name_words(column.file)
            confused = ours & SYSTEM_NAMES or theirs & REFERENCE_NAMES
            if ours & REFERENCE_NAMES and theirs & SYSTEM_NAMES and not confused:
                says = f"it is given as a system, and {file_label(column.file)} as references; are they swapped?"
                yield self._warning(FileWarningKind.SWAPPED, (), says)

    def _reference_copy_warnings(self) -> Iterator[FileWarning]:
        """Yield a warning if many lines of the checked file are equal to their reference."""
        lines = self.column.words
        theirs = [{column.words[n] for column in self.files.references} for n in range(len(lines))]
        equal = [number for number, line in enumerate(lines, 1) if line and line in theirs[number - 1]]
        if len(lines) >= WHOLE and len(equal) > NEARLY * len(lines):
            says = f"{len(equal):,} of {len(lines):,} lines are equal to a reference; is it a file of references?"
            yield self._warning(FileWarningKind.OF_REFERENCES, (), says)
            return
        long = [number for number, line in enumerate(lines, 1) if _is_long_enough(line, LONG, DENSE)]
        equal = sorted({*equal} & {*long})
        if len(equal) >= EQUAL and len(equal) > OFTEN * len(long):
            says = f"{len(equal)} of the {len(long)} longer lines are equal to a reference"
            yield self._warning(FileWarningKind.OF_REFERENCES, equal, says)

    def _untranslated_warnings(self) -> Iterator[FileWarning]:
        """Yield a warning if lines of the checked file are equal to the source."""
        equal = sorted(self.untranslated)
        if len(equal) > NEARLY * len(self.column.lines):
            yield self._warning(FileWarningKind.UNTRANSLATED, (), _equal_to_source_clause(equal, self.column))
        elif equal:
            is_ = "the line is" if len(equal) == 1 else "the lines are"
            yield self._warning(FileWarningKind.UNTRANSLATED, equal, f"{is_} equal to the source")

    def _language_warnings(self) -> Iterator[FileWarning]:
        """Yield a warning if lines of the checked file, or the whole file, are in another language than the references.

        The language is recognised only for lines that have few words in common with their references, because that
        takes time.
        """
        unlike = [
            number
            for number, line in enumerate(self.column.words, 1)
            if self.own[number - 1] < LITTLE and _is_long_enough(line, LONG, DENSE) and number not in self.untranslated
        ]
        if not unlike:
            return
        theirs = languages.recognise_language([line for column in self.files.references for line in column.lines])
        if theirs == languages.UNKNOWN:
            return
        # Where many lines have little in common with their references, the whole file may be in another language.
        ours = languages.recognise_language(self.column.lines) if len(unlike) > len(self.column.lines) / 4 else theirs
        if not _are_distinct_languages(ours, theirs, ALIKE):
            line_languages = {n: languages.recognise_language([self.column.lines[n - 1]]) for n in unlike}
            others = [n for n in unlike if _are_distinct_languages(line_languages[n], theirs, RELATED)]
            if others:
                language_names = sorted({line_languages[n] for n in others})
                which = languages.language_title(language_names[0]) if len(language_names) == 1 else "other languages"
                seems = "the line seems" if len(others) == 1 else "the lines seem"
                says = f"{seems} to be in {which}; the references are in {languages.language_title(theirs)}"
                yield self._warning(FileWarningKind.LANGUAGE, others, says)
        else:
            own, other = languages.language_title(ours), languages.language_title(theirs)
            says = f"it seems to be in {own}; the references are in {other}"
            yield self._warning(FileWarningKind.LANGUAGE, (), says)

    def _misplaced_warnings(self) -> Iterator[FileWarning]:
        """Yield a warning if the lines of the checked file fit their own references no better than references far away.

        Each line is compared with the references a third and two thirds of the file further on. The warning says
        whether the lines seem to be in another order or to be another text.
        """
        import numpy as np

        lines, size = self.column.words, len(self.column.words)
        if size < WHOLE or not any(lines):
            return
        others = []
        for third in (1, 2):
            start = third * size // 3
            others.append(self.references.word_overlaps([*lines[start:], *lines[:start]], [0])[:, 0])
        back = [np.roll(each, third * size // 3) for third, each in zip((1, 2), others, strict=True)]
        more = self.own - np.mean(back, axis=0)
        if float(more.mean()) > SURE * float(more.std()) / size**0.5:
            return
        if not self.own.any() and not any(each.any() for each in others):
            yield self._warning(FileWarningKind.FOREIGN, (), "no line has a word in common with its references")
            return
        sample = [line for line in lines if len(line) >= SOME or self.references.unspaced]
        sample = sample[:: max(1, len(sample) // SAMPLE)]
        fit_elsewhere = sum(self.references.best_overlap(line) > MUCH for line in sample)
        if fit_elsewhere > len(sample) / 2:
            says = (
                "the lines fit their references no better than those of other lines, but most fit some reference well"
            )
            yield self._warning(FileWarningKind.SHUFFLED, (), f"{says}; are they in another order?")
        else:
            says = "the lines fit their references no better than those of other lines; is it another text?"
            yield self._warning(FileWarningKind.FOREIGN, (), says)


def _common_shift_warnings(
    files: ComparedFiles, shifts_by_system: Mapping[str, tuple[LineShift, ...]]
) -> list[FileWarning]:
    """Return a warning on the references for each shift, if all of at least two systems are shifted in the same way.

    Then the references are probably what is shifted. Return no warnings if the shifts differ or a system has none.
    """
    if len(shifts_by_system) < max(2, len(files.systems)) or not _are_shifted_alike([*shifts_by_system.values()]):
        return []
    first = next(iter(shifts_by_system.values()))
    size = count_with_noun(len(files.systems), "system")
    out = []
    for slip in first:
        if slip.offset:
            says = f"the lines of all {size} {_fit_phrase(slip, 'the references')}, from their line {slip.line} on"
            says = f"{says}; the references may be shifted"
        else:
            says = f"the lines of all {size} fit the references with the same number again"
        out.append(files.references[0].warning(FileWarningKind.SLIPPED, (slip.line + slip.offset,), says))
    return out


def _reference_warnings(files: ComparedFiles) -> Iterator[FileWarning]:
    """Yield a warning on segments without a reference, and on each file of references that mostly equals the source."""
    of_segments = zip(*[column.lines for column in files.references], strict=True)
    none = [number for number, each in enumerate(of_segments, 1) if not "".join(each).strip()]
    if none:
        yield files.references[0].warning(FileWarningKind.EMPTY, none, "the segment has no reference")
    for column in files.references:
        equal = _lines_equal_to_source(column, files.source) if files.source else []
        if equal and len(equal) > NEARLY * len(column.lines):
            yield column.warning(FileWarningKind.UNTRANSLATED, (), _equal_to_source_clause(equal, column))


def _shifted_reference_warnings(files: ComparedFiles) -> dict[int, list[FileWarning]]:
    """Return the warnings on each file of references that is shifted against the first one, by the index of the file.

    Systems are not compared with these files, because some would fit where both are shifted. A file with empty lines,
    for segments without such a reference, is not checked.
    """
    first, *others = files.references
    against, theirs = ReferenceMatcher(_nonempty_references([first.words])), f"those of {file_label(first.file)}"
    out = {}
    for n, column in enumerate(others, 1):
        column_slips = find_line_shifts(column.words, against) if all(column.words) else ()
        if column_slips:
            out[n] = shift_warnings(column, column_slips, theirs)
    return out


def _source_shift_warnings(
    files: ComparedFiles, references: ReferenceMatcher, common_shifts: Sequence[Sequence[LineShift]]
) -> Iterator[FileWarning]:
    """Yield a warning for each shift of the source against the references.

    `common_shifts` are the shifts of all systems, if they are shifted alike. If the source is shifted in the same way,
    there is no warning, because then the references are shifted instead.
    """
    if files.source is None:
        return
    source_slips = find_line_shifts(files.source.words, references)
    if common_shifts and _are_shifted_alike([source_slips, *common_shifts]):
        return
    yield from shift_warnings(files.source, source_slips, "the references")


def _are_shifted_alike(shifts_by_file: Sequence[Sequence[LineShift]]) -> bool:
    """Return whether all files, each given by its shifts, are shifted by the same offsets at nearly the same lines."""
    first, *others = shifts_by_file
    return all(
        [slip.offset for slip in other] == [slip.offset for slip in first]
        and all(abs(a.line - b.line) <= NEAR for a, b in zip(first, other, strict=True))
        for other in others
    )


def _equal_file_warnings(columns: Sequence[ComparedColumn], systems: Sequence[str | None]) -> Iterator[FileWarning]:
    """Yield a warning on each file that equals, or nearly equals, an earlier file, which the warning names.

    `systems` are the systems' names, None for a reference.
    """
    for n, column in enumerate(columns):
        for theirs in columns[:n]:
            size = len(column.lines)
            equal = sum(a == b for a, b in zip(column.words, theirs.words, strict=False))
            if size < WHOLE or equal <= NEARLY * size:
                continue
            what = f"all {size:,} lines" if equal == size else f"{equal:,} of {size:,} lines"
            says = f"{what} are equal to those of {file_label(theirs.file)}"
            yield column.warning(FileWarningKind.SAME, (), says, systems[n])
            break


def _equal_to_source_clause(equal: Sequence[int], column: ComparedColumn) -> str:
    """Return a clause that says how many lines of a file equal the source; `equal` are their numbers."""
    return f"{len(equal):,} of {len(column.lines):,} lines are equal to the source; is it a file of the source?"


def _lines_equal_to_source(column: ComparedColumn, source: ComparedColumn) -> list[int]:
    """Return the numbers, from 1, of the lines that equal the source's line and are more than a name or a number."""
    return [
        number
        for number, (ours, theirs) in enumerate(zip(column.lines, source.lines, strict=False), 1)
        if ours.split() == theirs.split() and _is_long_enough(ours.split(), SOME, DENSE_SOME)
    ]


def _is_long_enough(line: Sequence[str], words: int, letters: int) -> bool:
    """Return whether a line has at least `words` words with letters, or `letters` letters of scripts without spaces."""
    if sum(any(map(str.isalpha, word)) for word in line) >= words:
        return True
    return sum(letter.isalpha() and letter > "\u2e7f" for word in line for letter in word) >= letters


def _are_distinct_languages(language: str, other: str, alike: Sequence[set[str]]) -> bool:
    """Return whether `language` is known, differs from `other`, and is not in one group of similar languages with it.

    `alike` are the groups of languages that are easily confused.
    """
    if language == languages.UNKNOWN or language == other:
        return False
    return not any({language, other} <= each for each in alike)


def _file_name_words(file: str) -> set[str]:
    """Return the words in the name of a file, without its folder, in lower case."""
    return {*re.split(r"[^a-z]+", PurePath(file).name.lower())}
