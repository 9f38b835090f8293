"""Subtitles and transcripts: WebVTT and SRT, whose times are no words, and lines with an id before or behind the words,
as Kaldi's `text` and sclite's `trn` have them."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ...formula import counted
from .. import printable
from ..files import MOST_LINES, BadData, file_label
from .roles import role_of_file
from .sheets import Cell, ColumnRole, File, FileSheet, SheetColumn, bounded

_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMES = re.compile(rf"\s*+{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_SRT = re.compile(rf"\s{{0,100}}(?:\d{{1,9}}[ \t]*\r?(?:\n|\r))?[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
#: What stands in the text of a cue and is none of its words: tags, times within it, and the places of other programs.
_TAG = re.compile(r"</?(?:[bciusv]|lang|ruby|rt|font)(?:[\s.][^<>]{0,200})?>|<\d[\d:.]{0,20}>|\{\\[^{}]{0,200}\}", re.I)
#: Parts of WebVTT that are no cues.
_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
#: An id behind the words, in brackets, and one in front of them.
_BEHIND = re.compile(r"\A(?P<words>.*)\((?P<id>[^()\s]{1,200})\)\s*+", re.DOTALL)
_FRONT = re.compile(r"\s*+(?P<id>\S{1,200}+)(?:\s++(?P<words>.*))?", re.DOTALL)
#: What an id is made of: letters and a number behind them, parts with signs between, or letters and three digits.
_COUNTED = re.compile(r"([^\W\d_]+)\d+")
_ID = re.compile(r"[^\W_]+(?:[-_.:/][^\W_]+)+|(?=(?:\D*\d){3})\w*[^\W\d_]\w*")


def is_cues(text: str) -> bool:
    """Whether a text is WebVTT or SRT by its beginning.

    >>> is_cues("WEBVTT - a talk\\n"), is_cues("1\\n00:00:01,000 --> 00:00:02,000\\nOne\\n"), is_cues("1\\nOne\\n")
    (True, True, False)
    """
    return re.match(r"WEBVTT(?:\s|$)", text) is not None or _SRT.match(text) is not None


def cues(file: File, text: str) -> FileSheet:
    """The texts of cues, the lines of one with spaces between; their identifiers are keys where all have one. SRT's
    numbers are so too, from 1 where they count from elsewhere. Raises BadData."""
    end = "\n" if "\n" in text else "\r"
    if text.count(end) > MOST_LINES:
        raise BadData(f"{file_label(file.name)} has more than {MOST_LINES:,} lines, which is the most that is read")
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
    bounded(file, 2, 2 * len(numbers))
    columns = [SheetColumn("text", texts, role_of_file(file))]
    if all(keys) and len({*keys}) == len(keys):
        if all(map(str.isdecimal, keys)) and [*map(int, keys)] == [*range(int(keys[0]), int(keys[0]) + len(keys))]:
            keys = [f"{number}" for number in range(1, len(keys) + 1)]
        columns.insert(0, SheetColumn("id", keys, ColumnRole("key")))
    notes = [f"{counted(tags, 'tag')} in the texts left out"] if tags else []
    return FileSheet(file, "WebVTT" if vtt else "SRT", columns, numbers, notes=notes)


def _begins_cue(lines: Sequence[str], at: int, vtt: bool) -> bool:
    """Whether a cue begins in a line although none is empty before it: with its times, or in SRT with its number."""
    if _TIMES.fullmatch(lines[at]):
        return True
    return not vtt and lines[at].isdecimal() and at + 1 < len(lines) and _TIMES.fullmatch(lines[at + 1]) is not None


def transcript(file: File, lines: Sequence[str]) -> FileSheet | None:
    """The words of lines that all have an id, which is the key; None where not all have one. The names `a.trn` and
    `a.kaldi` say that there are ids; else they have to look like such, each once, and but for a file called `text` all
    in one way. Raises BadData where a line of `.trn` has none."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith(";;")]
    is_declared = file.ending in ("trn", "kaldi")
    if not numbered or (not is_declared and len(numbered) < 2):
        return None
    for ending, what, form in (
        ("trn", "a transcript with ids behind the words (trn)", _BEHIND),
        ("kaldi", "a transcript with ids in front of the words (Kaldi)", _FRONT),
    ):
        if is_declared and file.ending != ending:
            continue
        words_by_id: dict[str, Cell] = {}
        kinds: set[str] = set()
        for number, line in numbered:
            each = form.fullmatch(line)
            if each is None and is_declared:
                raise BadData(f"{file_label(file.name)}, line {number} has no id in brackets at its end")
            if each is None or not (is_declared or _is_id(each["id"], kinds)):
                break
            if each["id"] in words_by_id:
                if is_declared:
                    raise BadData(
                        f"{file_label(file.name)}, line {number}: the id {printable(each['id'])} stands twice"
                    )
                break
            words_by_id[each["id"]] = (each["words"] or "").strip()
            if len(kinds) > 1 and file.stem != "text":
                break
        else:
            columns = [
                SheetColumn("id", [*words_by_id], ColumnRole("key")),
                SheetColumn("text", [*words_by_id.values()], role_of_file(file)),
            ]
            bounded(file, 2, 2 * len(words_by_id))
            return FileSheet(file, what, columns, [number for number, _ in numbered])
    return None


def _is_id(word: str, kinds: set[str]) -> bool:
    """Whether a word looks like an id: it has letters and digits, or more digits than a date. Adds to the `kinds` what
    is left of it where all letters and all digits are alike, or of letters with a number the letters."""
    if counted_so := _COUNTED.fullmatch(word):
        kinds.add(counted_so[1])
        return True
    digits = sum(map(str.isdigit, word))
    if not digits or not _ID.fullmatch(word) or (digits < 9 and not any(map(str.isalpha, word))):
        return False
    kinds.add(re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", word)))
    return True
