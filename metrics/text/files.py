"""Read text files with one segment per line, given on the command line or uploaded, into segments.

Where files cannot be scored, the error message names the file and, where there is one, the line."""

from __future__ import annotations

import contextlib
import gzip
import io
import shlex
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from ..formula import count_with_noun
from ..types import TooHard
from . import TextSegment, TextSettings, printable, segment_text

#: The largest size of a file in bytes, packed or unpacked.
MOST_BYTES = 50_000_000
#: The largest number of lines in a file.
MOST_LINES = 1_000_000
#: The first bytes of files that are not plain text, the name of the format, and a command that makes text of it.
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
    """An error that says, in one sentence for the user, why files cannot be scored."""


class SegmentLine(NamedTuple):
    """A segment with the file index of each of its references.

    Attributes:
        segment: the candidate with those references that are not empty.
        files: for each reference of the segment, the index of its file among the reference files, from 0."""

    segment: TextSegment
    files: tuple[int, ...]


@contextlib.contextmanager
def naming_line(name: str, number: int) -> Iterator[None]:
    """Raise BadData, which names the line `number` of the file `name`, if the body finds its segment too hard."""
    try:
        yield
    except TooHard as error:
        raise BadData(f"{file_label(name)}, line {number}: {error}") from None


def segment_lines(names: Sequence[str], columns: Sequence[Sequence[str]], text: TextSettings) -> list[SegmentLine]:
    """Return one segment per line, given the lines of all files.

    `columns` has the lines of the candidates first, then the lines of each reference; `names` has the names of the
    files, for messages. `text` says how the texts are tokenised.

    An empty line in one of several files of references means that the segment has no reference there. Where all
    references of a segment are empty, the segment has one reference without words. Raises BadData, with the names of
    the files, if they differ in their number of lines.

    >>> (line,) = segment_lines(["candidate", "one", "two"], [["x"], [""], ["y z"]], TextSettings())
    >>> line.segment.segment.references, line.files
    ((('y', 'z'),), (1,))
    """
    candidates, *references = columns
    sizes = [*map(len, columns)]
    # The most frequent size, so that the error blames a file of another size.
    usual = max(range(len(sizes)), key=lambda n: sizes.count(sizes[n]))
    for name, size in zip(names, sizes, strict=True):
        if size != sizes[usual]:
            raise BadData(
                f"{file_label(name)} has {count_with_noun(size, 'line')}, but {file_label(names[usual])} has "
                f"{sizes[usual]}; both must hold the same segments, one per line"
            )
    out = []
    for candidate, *texts in zip(candidates, *references, strict=True):
        files = tuple([k for k, line in enumerate(texts) if line.strip()]) or (0,)
        out.append(SegmentLine(segment_text(candidate, [texts[k] for k in files], text), files))
    return out


def read_text_lines(name: str) -> list[str]:
    """Read the file `name`, or the standard input for "-", and return its lines. Raises BadData."""
    return decode_lines(name, read_contents(name))


def read_long_lines(name: str) -> Iterator[str]:
    """Yield the lines of a file of any size, of which only one is in memory; "-" is the standard input.

    The file may be gzipped. Raises BadData if it cannot be read, or if a line is no UTF-8 or larger than MOST_BYTES."""
    number = 0
    try:
        with contextlib.ExitStack() as stack:
            file = _open_input(name, stack)
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            unpacked = stack.enter_context(gzip.GzipFile(fileobj=file)) if packed else file
            while line := unpacked.readline(MOST_BYTES + 1):
                number += 1
                if len(line) > MOST_BYTES:
                    raise BadData(f"{file_label(name)}, line {number} has more than {MOST_BYTES // 1_000_000} MB")
                yield line.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise BadData(f"{file_label(name)}, line {number} is no UTF-8") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadData(f"{file_label(name)} is not a valid gzip file: {printable(str(error))}") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise unreadable_file_error(name, error) from None


def _open_input(name: str, stack: contextlib.ExitStack) -> io.BufferedReader:
    """Return the file `name`, open until `stack` is closed, or the standard input for "-".

    Raises BadData where there is no name or no standard input, and OSError."""
    if not name:
        raise BadData("a file must have a name, got ''")
    if name != "-":
        return stack.enter_context(Path(name).open("rb"))
    if sys.stdin is None:
        raise BadData("the standard input is closed")
    return cast(io.BufferedReader, sys.stdin.buffer)


def read_contents(name: str) -> bytes:
    """Return the bytes of the file `name`, unpacked if gzipped; "-" is the standard input.

    Raises BadData if the file cannot be read or is too large."""
    try:
        with contextlib.ExitStack() as stack:
            return unpack_file(name, _open_input(name, stack).read(MOST_BYTES + 1))
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise unreadable_file_error(name, error) from None


def unpack_file(name: str, data: bytes) -> bytes:
    """Return the bytes `data` of the file `name`, unpacked if they are gzipped.

    Raises BadData if the gzip data are broken, or if there are more than MOST_BYTES, packed or unpacked. Unpacking
    stops at that limit, so a small file cannot fill the memory.

    >>> unpack_file("a.txt.gz", gzip.compress(b"one"))
    b'one'
    """
    packed = data.startswith(b"\x1f\x8b")
    if packed and len(data) <= MOST_BYTES:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise BadData(f"{file_label(name)} is not a valid gzip file: {printable(str(error))}") from None
    if len(data) > MOST_BYTES:
        how = "unpacks to" if packed else "has"
        raise BadData(f"{file_label(name)} {how} more than {MOST_BYTES // 1_000_000} MB, the limit")
    return data


def decode_utf8(name: str, data: bytes) -> str:
    """Decode the bytes `data` of the file `name` as UTF-8, and return the text without a byte order mark.

    Raises BadData if the file is empty or not UTF-8. If the bytes look like another known encoding or a packed file,
    the message names a shell command that converts it to UTF-8.

    >>> decode_utf8("a.txt", "one".encode("utf-16"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    metrics.text.files.BadData: a.txt must be UTF-8, ... it looks like UTF-16: iconv -f UTF-16 -t UTF-8 a.txt > new.txt
    """
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        at = error.start
        number, byte = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
        hint = next((_conversion_hint(name, what, how) for first, what, how in _PACKED if data.startswith(first)), "")
        if not hint and _is_windows_1252(data):
            hint = _conversion_hint(name, "Windows-1252", "iconv -f WINDOWS-1252 -t UTF-8 {}")
        fault = f"byte {byte} of line {number} is 0x{data[at]:02X}"
        raise BadData(f"{file_label(name)} must be UTF-8, but {fault}{hint}") from None
    if not text:
        raise BadData(f"{file_label(name)} is empty; it must have at least one line")
    start = data[:1000]
    if start.count(0) * 4 > len(start):  # Latin letters in UTF-16: each letter and its zero byte are also valid UTF-8
        which = "UTF-16BE" if start[0] == 0 else "UTF-16LE"
        hint = _conversion_hint(name, which, f"iconv -f {which} -t UTF-8 {{}}")
        raise BadData(f"{file_label(name)} must be UTF-8, but one byte in four is zero{hint}")
    return text


def _is_windows_1252(data: bytes) -> bool:
    """Return whether bytes look like a Western European text in Windows-1252, which has one byte per letter.

    That is so where at most one byte in four is outside ASCII, and more than nine in ten of those are letters or
    typographic marks with an ASCII byte next to them.

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


def _conversion_hint(name: str, format_name: str, command: str) -> str:
    """Return the end of an error message, which says what the file `name` looks like and how to convert it.

    `format_name` is what it looks like, such as "UTF-16", and `command` the shell command that makes UTF-8 text of
    it."""
    if name == "-":
        return f"; it looks like {format_name}: {command.format('').strip()} would convert it"
    return f"; it looks like {format_name}: {command.format(shlex.quote(printable(name)))} > new.txt"


def decode_lines(name: str, data: bytes) -> list[str]:
    """Return the lines of the file `name`, whose bytes are `data`.

    A line feed ends a line, with or without a carriage return before it. In a file without any line feed, a carriage
    return ends a line. Other line breaks of Unicode count as white space.

    Raises BadData if the file is empty, not UTF-8, or has more than MOST_LINES lines.

    >>> decode_lines("a.txt", b"one\\r\\ntwo\\n"), decode_lines("a.txt", b"one\\rtwo\\r")
    (['one', 'two'], ['one', 'two'])
    """
    text = decode_utf8(name, data)
    end = "\n" if "\n" in text else "\r"
    if text.count(end) > MOST_LINES:
        raise BadData(f"{file_label(name)} has more than {MOST_LINES:,} lines, the limit")
    return [line.removesuffix("\r") for line in text.removesuffix(end).split(end)]


def file_label(name: str) -> str:
    """Return the name of a file as error messages write it: "the standard input" for "-"."""
    return "the standard input" if name == "-" else printable(name)


def unreadable_file_error(name: str, error: Exception) -> BadData:
    """Return the BadData error for a file `name` that cannot be read, given the operating system's `error`."""
    if isinstance(error, FileNotFoundError):
        return BadData(f"{file_label(name)} does not exist")
    if isinstance(error, IsADirectoryError):
        return BadData(f"{file_label(name)} is a directory, not a file")
    return BadData(f"{file_label(name)} cannot be read: {getattr(error, 'strerror', None) or error}")
