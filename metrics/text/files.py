"""Files of texts, one segment a line, as segments: for the command line and for uploads.

What makes files impossible to score is told with the file and, where there is one, the line.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..formula import counted
from . import TextSegment, TextSettings, printable, segment_text


class BadData(Exception):  # noqa: N818 - its message is for the user
    """What makes the files impossible to score, as a sentence."""


class Line(NamedTuple):
    """A segment, and for each of its references the number, from 0, of the file that it stands in."""

    segment: TextSegment
    files: tuple[int, ...]


def segments(names: Sequence[str], text: TextSettings) -> list[Line]:
    """The segments of a file of candidates and files of references, in this order. Raises BadData."""
    return records(names, [lines(name) for name in names], text)


def records(names: Sequence[str], columns: Sequence[Sequence[str]], text: TextSettings) -> list[Line]:
    """The segments whose candidates are the lines of the first column, and whose references those of the others.

    An empty line in one of several references says that the segment has no such reference; where all its references
    are empty, it has one without words. BadData, with the names of the files, where the columns differ in length.

    >>> (line,) = records(["candidate", "one", "two"], [["x"], [""], ["y z"]], TextSettings())
    >>> line.segment.segment.references, line.files
    ((('y', 'z'),), (1,))
    """
    candidates, *references = columns
    for name, column in zip(names[1:], references, strict=True):
        if len(column) != len(candidates):
            raise BadData(
                f"{named(name)} has {counted(len(column), 'line')}, but {named(names[0])} has "
                f"{len(candidates)}; both must hold the same segments, one a line"
            )
    out = []
    for candidate, *texts in zip(candidates, *references, strict=True):
        files = tuple([k for k, line in enumerate(texts) if line.strip()]) or (0,)
        out.append(Line(segment_text(candidate, [texts[k] for k in files], text), files))
    return out


def lines(name: str) -> list[str]:
    """The lines of a file, or of the standard input for "-". Raises BadData."""
    if not name:
        raise BadData("a file must have a name, got ''")
    try:
        if name == "-":
            if sys.stdin is None:
                raise BadData("the standard input is closed")
            data = sys.stdin.buffer.read()
        else:
            data = Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise unreadable(name, error) from None
    return decoded(name, data)


def decoded(name: str, data: bytes) -> list[str]:
    """The lines of what a file holds. Only a line feed ends a line: other line breaks of Unicode are white space in it.

    Raises BadData where that is nothing or no UTF-8.

    >>> decoded("a.txt", b"one\\r\\ntwo\\n")
    ['one', 'two']
    """
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        at = error.start
        number, byte = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
        hint = "; it looks like UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ""
        found = f"byte {byte} of line {number} is 0x{data[at]:02X}"
        raise BadData(f"{named(name)} must be UTF-8, but {found}{hint}") from None
    if not text:
        raise BadData(f"{named(name)} is empty; it must have at least one line")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def named(name: str) -> str:
    """What a file is called in a sentence."""
    return "the standard input" if name == "-" else printable(name)


def unreadable(name: str, error: Exception) -> BadData:
    """Why a file cannot be read."""
    if isinstance(error, FileNotFoundError):
        return BadData(f"{named(name)} does not exist")
    if isinstance(error, IsADirectoryError):
        return BadData(f"{named(name)} is a directory, not a file")
    return BadData(f"{named(name)} cannot be read: {getattr(error, 'strerror', None) or error}")
