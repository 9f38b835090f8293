"""Read and write the tags and notes that a visitor gives to segments, as one text for links and files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

TAG_MOST, TAGS_MOST, NOTE_MOST = 40, 12, 2_000  # characters of a tag, tags of a segment, characters of a note


class SegmentMark(NamedTuple):
    """The tags and the note that a visitor gave to a segment."""

    tags: tuple[str, ...] = ()
    note: str = ""


@lru_cache(maxsize=32)
def read_marks(text: str) -> Mapping[int, SegmentMark]:
    """Return the tags and notes by index of the segment; empty if `text` is not in the format of `write_marks`.

    >>> read_marks(write_marks({3: SegmentMark(("negation",), "lost 'not'")}))
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
    """Return the tags and notes of segments as one text; "" if there are none. Segments with neither are left out."""
    body = {str(number): [list(mark.tags), mark.note] for number, mark in sorted(marks.items()) if any(mark)}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")) if body else ""


def replace_mark(text: str, number: int, tags: str, note: str) -> str:
    """Return the text of all tags and notes with those of segment `number` replaced; `tags` has commas between tags.

    >>> replace_mark("", 2, "order, ,  tense", "")
    '{"2":[["order","tense"],""]}'
    """
    given = [tag.strip()[:TAG_MOST] for tag in tags.split(",")]
    mark = SegmentMark(tuple(dict.fromkeys([tag for tag in given if tag]))[:TAGS_MOST], note.strip()[:NOTE_MOST])
    return write_marks({**read_marks(text), number: mark})
