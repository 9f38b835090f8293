"""Tags and notes that a reader gives to segments, as one text that links and files hold."""

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
    """The marks by the numbers of their segments, from 0; none where the text is nothing that `write_marks` gives.

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
    """Marks as one text, without segments that have none; "" for none."""
    body = {str(number): [list(mark.tags), mark.note] for number, mark in sorted(marks.items()) if any(mark)}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")) if body else ""


def changed(text: str, number: int, tags: str, note: str) -> str:
    """The marks with those of one segment; tags are typed with commas between them.

    >>> changed("", 2, "order, ,  tense", "")
    '{"2":[["order","tense"],""]}'
    """
    given = [tag.strip()[:TAG_MOST] for tag in tags.split(",")]
    mark = SegmentMark(tuple(dict.fromkeys([tag for tag in given if tag]))[:TAGS_MOST], note.strip()[:NOTE_MOST])
    return write_marks({**read(text), number: mark})
