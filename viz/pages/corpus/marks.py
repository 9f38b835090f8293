"""Read and write the tags and notes that a visitor gives to segments, as one text for links and files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

TAG_MOST, TAGS_MOST, NOTE_MOST = 40, 12, 2_000  # characters of a tag, tags of a segment, characters of a note


class SegmentMark(NamedTuple):
    """The tags and the note of a segment."""

    tags: tuple[str, ...] = ()
    note: str = ""


@lru_cache(maxsize=32)
def read(text: str) -> Mapping[int, SegmentMark]:
    """Return the marks by segment, from 0; empty if the text is not in the format of `write_marks`.

    >>> read(write_marks({3: SegmentMark(("negation",), "lost 'not'")}))
    {3: SegmentMark(tags=('negation',), note="lost 'not'")}
    """
    try:
        body = json.loads(text) if text else {}
        if not all(number.isdecimal() and len(number) < 10 for number in body):
            return {}
        return {
            int(number): SegmentMark(tuple(map(str, tags))[:TAGS_MOST], str(note))
            for number, (tags, note) in body.items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def write_marks(marks: Mapping[int, SegmentMark]) -> str:
    """Return the marks as one text, without segments whose marks are empty; "" if none is left."""
    body = {str(number): [list(mark.tags), mark.note] for number, mark in sorted(marks.items()) if any(mark)}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")) if body else ""


def changed(text: str, number: int, tags: str, note: str) -> str:
    """Return the text with the marks of one segment replaced; `tags` are separated by commas.

    >>> changed("", 2, "order, ,  tense", "")
    '{"2":[["order","tense"],""]}'
    """
    given = [tag.strip()[:TAG_MOST] for tag in tags.split(",")]
    mark = SegmentMark(tuple(dict.fromkeys([tag for tag in given if tag]))[:TAGS_MOST], note.strip()[:NOTE_MOST])
    return write_marks({**read(text), number: mark})
