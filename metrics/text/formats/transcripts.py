"""Read subtitles (WebVTT and SRT) and transcripts whose lines have an id.

The ids are in front of the words, as in Kaldi's file `text`, or behind them, as in sclite's `trn` files. Times of
subtitles are not part of the texts."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ...formula import count_with_noun
from .. import printable
from ..files import MOST_LINES, BadData, file_label
from .roles import role_of_file
from .sheets import Cell, ColumnRole, File, FileSheet, SheetColumn, check_sheet_size

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMES = re.compile(rf"\s*+{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_SRT = re.compile(rf"\s{{0,100}}(?:\d{{1,9}}[ \t]*\r?(?:\n|\r))?[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
#: Parts of a cue that are not words: tags, times within the cue, and position codes of other programs.
_TAG = re.compile(r"</?(?:[bciusv]|lang|ruby|rt|font)(?:[\s.][^<>]{0,200})?>|<\d[\d:.]{0,20}>|\{\\[^{}]{0,200}\}", re.I)
#: The first words of blocks of WebVTT that are not cues.
_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
#: A line with an id in brackets behind the words, and a line with an id in front of them.
_BEHIND = re.compile(r"\A(?P<words>.*)\((?P<id>[^()\s]{1,200})\)\s*+", re.DOTALL)
_FRONT = re.compile(r"\s*+(?P<id>\S{1,200}+)(?:\s++(?P<words>.*))?", re.DOTALL)
#: Patterns of ids: letters and then a number; or parts joined by signs, or a word with letters and three digits.
_COUNTED = re.compile(r"([^\W\d_]+)\d+")
_ID = re.compile(r"[^\W_]+(?:[-_.:/][^\W_]+)+|(?=(?:\D*\d){3})\w*[^\W\d_]\w*")


def begins_as_subtitles(text: str) -> bool:
    """Return whether a text begins like subtitles in WebVTT or SRT.

    >>> begins_as_subtitles("WEBVTT - a talk\\n"), begins_as_subtitles("1\\n00:00:01,000 --> 00:00:02,000\\nOne\\n")
    (True, True)
    >>> begins_as_subtitles("1\\nOne\\n")
    False
    """
    return re.match(r"WEBVTT(?:\s|$)", text) is not None or _SRT.match(text) is not None


def subtitle_sheet(file: File, text: str) -> FileSheet:
    """Return the texts of the cues (single subtitles) of a WebVTT or SRT file; a cue's lines are joined by spaces.

    If all cues have distinct identifiers, these become the keys of the segments. Numbers that count up from any number,
    as in SRT, are renumbered from 1. Raises BadData."""
    end = "\n" if "\n" in text else "\r"
    if text.count(end) > MOST_LINES:
        raise BadData(f"{file_label(file.name)} has more than {MOST_LINES:,} lines, the limit")
    lines = [line.strip() for line in text.split(end)]
    vtt = text.startswith("WEBVTT")
    texts: list[Cell] = []
    keys: list[str] = []
    numbers: list[int] = []
    tags, at = 0, 1 if vtt else 0
    aside = False
    while at < len(lines):
        line = lines[at]
        if not line:
            aside = False
        elif vtt and _ASIDE.match(line) and not lines[at - 1]:
            aside = True
        elif not aside and _TIMES.fullmatch(line):
            before = lines[at - 1] if at > (1 if vtt else 0) else ""
            keys.append(before if vtt or before.isdecimal() else "")
            times_line, at = at, at + 1
            while at < len(lines) and lines[at] and not _begins_cue(lines, at, vtt):
                at += 1
            words = " ".join(lines[times_line + 1 : at])
            words, count = _TAG.subn("", words)
            tags += count
            texts.append(" ".join((html.unescape(words) if vtt else words).split()))
            numbers.append(times_line + 1)
            continue
        at += 1
    if not numbers:
        raise BadData(
            f"{file_label(file.name)} has no cues, which begin with a line such as 00:00:01.000 --> 00:00:02.000"
        )
    check_sheet_size(file, 2, 2 * len(numbers))
    columns = [SheetColumn("text", texts, role_of_file(file))]
    if all(keys) and len({*keys}) == len(keys):
        if all(map(str.isdecimal, keys)) and [*map(int, keys)] == [*range(int(keys[0]), int(keys[0]) + len(keys))]:
            keys = [f"{number}" for number in range(1, len(keys) + 1)]
        columns.insert(0, SheetColumn("id", keys, ColumnRole("key")))
    notes = [f"{count_with_noun(tags, 'tag')} in the texts left out"] if tags else []
    return FileSheet(file, "WebVTT" if vtt else "SRT", columns, numbers, notes=notes)


def _begins_cue(lines: Sequence[str], at: int, vtt: bool) -> bool:
    """Return whether a cue begins at the line with index `at`, which has no empty line before it.

    It does if the line has times, or, in SRT, if it has a number and the next line has times. `vtt` tells WebVTT from
    SRT."""
    if _TIMES.fullmatch(lines[at]):
        return True
    return not vtt and lines[at].isdecimal() and at + 1 < len(lines) and _TIMES.fullmatch(lines[at + 1]) is not None


def transcript_sheet(file: File, lines: Sequence[str]) -> FileSheet | None:
    """Return the words of a transcript, with the ids of its lines as keys; None if not all lines have an id.

    An ending such as `.trn` or `.kaldi` declares that there are ids. For other files, the ids must look like ids and be
    distinct, and, except in a file called `text`, all be of one pattern. Raises BadData for a line of a declared
    transcript that has no id, or has the id of another line."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith(";;")]
    is_declared = file.ending in ("trn", "kaldi")
    if not numbered or (not is_declared and len(numbered) < 2):
        return None
    for ending, what, form in (
        ("trn", "a transcript with ids after the words (trn)", _BEHIND),
        ("kaldi", "a transcript with ids before the words (Kaldi)", _FRONT),
    ):
        if is_declared and file.ending != ending:
            continue
        words_by_id: dict[str, Cell] = {}
        id_patterns: set[str] = set()
        for number, line in numbered:
            each = form.fullmatch(line)
            if each is None and is_declared:
                raise BadData(f"{file_label(file.name)}, line {number} has no id in brackets at its end")
            if each is None or not (is_declared or _looks_like_id(each["id"], id_patterns)):
                break
            if each["id"] in words_by_id:
                if is_declared:
                    raise BadData(
                        f"{file_label(file.name)}, line {number}: the id {printable(each['id'])} occurs twice"
                    )
                break
            words_by_id[each["id"]] = (each["words"] or "").strip()
            if len(id_patterns) > 1 and file.stem != "text":
                break
        else:
            columns = [
                SheetColumn("id", [*words_by_id], ColumnRole("key")),
                SheetColumn("text", [*words_by_id.values()], role_of_file(file)),
            ]
            check_sheet_size(file, 2, 2 * len(words_by_id))
            return FileSheet(file, what, columns, [number for number, _ in numbered])
    return None


def _looks_like_id(word: str, patterns: set[str]) -> bool:
    """Return whether a word looks like an id: it has letters and digits, or more digits than a date.

    Adds to `patterns` what the word looks like, so that the caller sees whether all ids look alike: its letters if a
    number follows them, else the word with each run of letters or digits replaced by a single one."""
    if counted_so := _COUNTED.fullmatch(word):
        patterns.add(counted_so[1])
        return True
    digits = sum(map(str.isdigit, word))
    if not digits or not _ID.fullmatch(word) or (digits < 9 and not any(map(str.isalpha, word))):
        return False
    patterns.add(re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", word)))
    return True
