"""Files of texts, one segment a line, as segments: for the command line and for uploads.

What makes files impossible to score is told with the file and, where there is one, the line.
"""

from __future__ import annotations

import gzip
import io
import shlex
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..formula import counted
from . import TextSegment, TextSettings, printable, segment_text

#: The bytes that a file may hold, also once it is unpacked.
MOST_BYTES = 50_000_000
#: The lines that a file may have.
MOST_LINES = 1_000_000
#: What files that are no text begin with, what that is called, and what makes text of them.
_PACKED = (
    (b"\xff\xfe", "UTF-16", "iconv -f UTF-16 -t UTF-8 {}"),
    (b"\xfe\xff", "UTF-16", "iconv -f UTF-16 -t UTF-8 {}"),
    (b"\x1f\x8b", "gzip", "gzip -dc {}"),
    (b"BZh", "bzip2", "bzip2 -dc {}"),
    (b"\xfd7zXZ", "xz", "xz -dc {}"),
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -dc {}"),
    (b"PK\x03\x04", "zip", "unzip -p {}"),
)


class BadData(Exception):  # noqa: N818 - its message is for the user
    """What makes the files impossible to score, as a sentence."""


class SegmentLine(NamedTuple):
    """A segment, and for each of its references the number, from 0, of the file that it stands in."""

    segment: TextSegment
    files: tuple[int, ...]


def segments(names: Sequence[str], text: TextSettings) -> list[SegmentLine]:
    """The segments of a file of candidates and files of references, in this order. Raises BadData."""
    return records(names, [lines(name) for name in names], text)


def records(names: Sequence[str], columns: Sequence[Sequence[str]], text: TextSettings) -> list[SegmentLine]:
    """The segments whose candidates are the lines of the first column, and whose references those of the others.

    An empty line in one of several references says that the segment has no such reference; where all its references
    are empty, it has one without words. BadData, with the names of the files, where the columns differ in length.

    >>> (line,) = records(["candidate", "one", "two"], [["x"], [""], ["y z"]], TextSettings())
    >>> line.segment.segment.references, line.files
    ((('y', 'z'),), (1,))
    """
    candidates, *references = columns
    sizes = [*map(len, columns)]
    usual = max(range(len(sizes)), key=lambda n: sizes.count(sizes[n]))  # so that it is another that is blamed
    for name, size in zip(names, sizes, strict=True):
        if size != sizes[usual]:
            raise BadData(
                f"{file_label(name)} has {counted(size, 'line')}, but {file_label(names[usual])} has {sizes[usual]}; "
                "both must hold the same segments, one a line"
            )
    out = []
    for candidate, *texts in zip(candidates, *references, strict=True):
        files = tuple([k for k, line in enumerate(texts) if line.strip()]) or (0,)
        out.append(SegmentLine(segment_text(candidate, [texts[k] for k in files], text), files))
    return out


def lines(name: str) -> list[str]:
    """The lines of a file, or of the standard input for "-". Raises BadData."""
    return decoded(name, contents(name))


def contents(name: str) -> bytes:
    """What a file holds, or the standard input for "-", unpacked where it is gzipped. Raises BadData."""
    if not name:
        raise BadData("a file must have a name, got ''")
    try:
        if name == "-":
            if sys.stdin is None:
                raise BadData("the standard input is closed")
            return unpacked(name, sys.stdin.buffer.read(MOST_BYTES + 1))
        with Path(name).open("rb") as file:
            return unpacked(name, file.read(MOST_BYTES + 1))
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise unreadable(name, error) from None


def unpacked(name: str, data: bytes) -> bytes:
    """What a file holds, once unpacked where it is gzipped, and never more of it than a file may hold. Raises BadData.

    >>> unpacked("a.txt.gz", gzip.compress(b"one"))
    b'one'
    """
    packed = data.startswith(b"\x1f\x8b")
    if packed and len(data) <= MOST_BYTES:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise BadData(f"{file_label(name)} is no whole gzip file: {printable(str(error))}") from None
    if len(data) > MOST_BYTES:
        how = "unpacks to" if packed else "has"
        raise BadData(
            f"{file_label(name)} {how} more than {MOST_BYTES // 1_000_000} MB, which is the most that is read"
        )
    return data


def text_of(name: str, data: bytes) -> str:
    """The text that a file holds, without a byte order mark. Raises BadData where that is nothing or no UTF-8, with the
    command that makes UTF-8 of it where there is one.

    >>> text_of("a.txt", "one".encode("utf-16"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    metrics.text.files.BadData: a.txt must be UTF-8, ... it looks like UTF-16: iconv -f UTF-16 -t UTF-8 a.txt > new.txt
    """
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        at = error.start
        number, byte = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
        hint = next((_hint(name, what, how) for first, what, how in _PACKED if data.startswith(first)), "")
        if not hint and _is_windows_1252(data):
            hint = _hint(name, "Windows-1252", "iconv -f WINDOWS-1252 -t UTF-8 {}")
        fault = f"byte {byte} of line {number} is 0x{data[at]:02X}"
        raise BadData(f"{file_label(name)} must be UTF-8, but {fault}{hint}") from None
    if not text:
        raise BadData(f"{file_label(name)} is empty; it must have at least one line")
    start = data[:1000]
    if start.count(0) * 4 > len(start):  # Latin letters in UTF-16, which are UTF-8 as well with a zero behind each
        which = "UTF-16BE" if start[0] == 0 else "UTF-16LE"
        hint = _hint(name, which, f"iconv -f {which} -t UTF-8 {{}}")
        raise BadData(f"{file_label(name)} must be UTF-8, but one byte in four is zero{hint}")
    return text


def _is_windows_1252(data: bytes) -> bool:
    """Whether bytes look like a text of Western Europe in one byte a letter: few of them are no ASCII, and nearly all
    of these are letters or typographic marks beside ASCII.

    >>> _is_windows_1252("zu spät".encode("cp1252")), _is_windows_1252("昨日".encode("gbk"))
    (True, False)
    """
    sample = data[:100_000]
    high = [at for at, byte in enumerate(sample) if byte > 127]
    if not high or any(byte < 32 and byte not in b"\t\r\n" for byte in sample) or len(high) * 4 > len(sample):
        return False
    isolated = [at for at in high if sample[max(at - 1, 0)] < 128 or sample[min(at + 1, len(sample) - 1)] < 128]
    marks = b"\x80\x82\x84\x85\x91\x92\x93\x94\x96\x97\xab\xbb"
    usual = [at for at in isolated if sample[at] >= 0xC0 or sample[at] in marks]
    return len(usual) * 10 > len(high) * 9


def _hint(name: str, what: str, how: str) -> str:
    if name == "-":
        return f"; it looks like {what}: {how.format('').strip()} would make text of it"
    return f"; it looks like {what}: {how.format(shlex.quote(printable(name)))} > new.txt"


def decoded(name: str, data: bytes) -> list[str]:
    """The lines of what a file holds. A line feed ends a line, with or without a carriage return before it; a carriage
    return alone does where there is no line feed in the whole file. Other line breaks of Unicode are white space.

    Raises BadData where that is nothing or no UTF-8, or has more lines than a file may have.

    >>> decoded("a.txt", b"one\\r\\ntwo\\n"), decoded("a.txt", b"one\\rtwo\\r")
    (['one', 'two'], ['one', 'two'])
    """
    text = text_of(name, data)
    end = "\n" if "\n" in text else "\r"
    if text.count(end) > MOST_LINES:
        raise BadData(f"{file_label(name)} has more than {MOST_LINES:,} lines, which is the most that is read")
    return [line.removesuffix("\r") for line in text.removesuffix(end).split(end)]


def file_label(name: str) -> str:
    """What a file is called in a sentence."""
    return "the standard input" if name == "-" else printable(name)


def unreadable(name: str, error: Exception) -> BadData:
    """Why a file cannot be read."""
    if isinstance(error, FileNotFoundError):
        return BadData(f"{file_label(name)} does not exist")
    if isinstance(error, IsADirectoryError):
        return BadData(f"{file_label(name)} is a directory, not a file")
    return BadData(f"{file_label(name)} cannot be read: {getattr(error, 'strerror', None) or error}")
