"""What the files of a call hold: the systems' outputs beside their references, and what looks wrong about them."""

from __future__ import annotations

from collections.abc import Iterator

from ...corpus import jobs
from ...corpus.slipped import Slip, slips
from ...formula import counted
from ...text import TextSettings, printable
from ...text.files import BadData, lines, named
from ...text.processing import forms, process
from ..call import Call


def read(call: Call) -> tuple[list[list[str]], list[list[str]]]:
    """The lines of the systems and of the references. Raises BadData."""
    systems = [lines(file) for file in call.systems.values()]
    references = [lines(file) for file in call.references]
    files = [*call.systems.values(), *call.references]
    for file, column in zip(files[1:], [*systems[1:], *references], strict=True):
        if len(column) != len(systems[0]):
            raise BadData(
                f"{named(file)} has {counted(len(column), 'line')}, but {named(files[0])} has {len(systems[0])}; "
                "all must hold the same segments, one a line"
            )
    return systems, references


def corpus(call: Call, systems: list[list[str]], references: list[list[str]], text: TextSettings) -> jobs.Corpus:
    """The texts processed, each line once. An empty line in one of several references says that the segment has no such
    reference; where all are empty it has one without words."""
    seen: dict[str, tuple[str, ...]] = {}
    same: dict[str, str] = {}  # a word of a corpus stands in memory once

    def words(line: str) -> tuple[str, ...]:
        if line not in seen:
            seen[line] = tuple([same.setdefault(word, word) for word in forms(process(line, text))])
        return seen[line]

    of_segments = []
    for each in zip(*references, strict=True):
        there = [line for line in each if line.strip()] or [each[0]]
        of_segments.append(tuple([words(line) for line in there]))
    outputs = tuple([tuple([words(line) for line in column]) for column in systems])
    return jobs.Corpus(tuple(call.systems), outputs, tuple(of_segments))


def warnings(call: Call, texts: jobs.Corpus, columns: list[list[str]]) -> Iterator[str]:
    """What looks wrong about the files, each in a sentence with its file and line."""
    for (name, file), output, column in zip(call.systems.items(), texts.systems, columns, strict=True):
        empty = [number for number, line in enumerate(column, 1) if not line.strip()]
        if empty:
            more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
            yield f"{named(file)}, line {empty[0]}{more}: the output of {printable(name)} is empty there"
        equal = sum(line in each for line, each in zip(output, texts.references, strict=True) if line)
        if equal > 0.9 * len(output) and len(output) > 10:
            yield f"{named(file)}: {equal} of {len(output)} lines are equal to a reference; is it a file of references?"
        for slip in slips(output, texts.references):
            yield f"{named(file)}, line {slip.line}: {_slipped(slip)}"


def _slipped(slip: Slip) -> str:
    if not slip.offset:
        return "from here on each line stands beside its own references again"
    side = "before" if slip.offset < 0 else "after"
    what = "too many" if slip.offset < 0 else "missing"
    number = abs(slip.offset)
    return (
        f"from here on each line fits the references {counted(number, 'line')} {side} it better than its own; "
        f"{counted(number, 'line')} may be {what}"
    )
