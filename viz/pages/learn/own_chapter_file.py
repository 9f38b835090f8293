"""Read a reader's own chapter from the text of its file, and add it to the chapters of the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

from ...draw.pen.numbers import count_text
from ...state.files.toml_file import decode_file
from ...state.results.memory import remembered
from . import chapter_files, chapter_reader
from .chapter_files import Shelf
from .chapter_reader import CheckedChapter
from .record import FILE_MOST

NAME = "The file"  # what messages call it, because a link does not hold its name


def read_upload(data: bytes) -> str:
    """Return the text of an uploaded file. Raises FileError if it is not text, or too long."""
    return decode_file(NAME, data, FILE_MOST)


@remembered
def checked(text: str) -> CheckedChapter:
    """Return the valid parts of the chapter in `text`, the content of the reader's own file, and all messages on it."""
    checked_chapter = chapter_reader.checked(NAME, text)
    if checked_chapter.chapter is None:
        return checked_chapter
    return checked_chapter._replace(chapter=replace(checked_chapter.chapter, version=f"{crc32(text.encode()):08x}"))


def shelf(text: str) -> Shelf:
    """Return the chapters of the app after the chapter in `text`, the content of the reader's own file.

    The reader's own takes the place of a chapter with the same key. An empty `text` means that there is no own file."""
    base_shelf = chapter_files.shelf()
    own_chapter = checked(text).chapter if text else None
    if own_chapter is None:
        return base_shelf
    others = {key: chapter for key, chapter in base_shelf.chapters.items() if key != own_chapter.key}
    return base_shelf._replace(chapters={own_chapter.key: own_chapter, **others})


def messages(text: str) -> tuple[str, ...]:
    """Return all messages on the reader's own file, whose content is `text`; none if it is empty."""
    if not text:
        return ()
    checked_chapter, chapters = checked(text), chapter_files.shelf().chapters
    if checked_chapter.chapter is None:
        return checked_chapter.messages
    out = [*checked_chapter.messages]
    if strange := [key for key in checked_chapter.chapter.needs if key not in chapters]:
        out.append(
            f"{NAME}: needs names {strange[0]!r:.60}, which is not a chapter here; there are {', '.join(chapters)}."
        )
    if other := chapters.get(checked_chapter.chapter.key):
        out.append(f"{NAME}: the key {other.key} is that of “{other.title}”, whose place it takes; give it its own.")
    return tuple(out)


def messages_heading(says: Sequence[str]) -> str:
    """Return the heading of the list of messages `says`, with their number.

    >>> messages_heading(["a", "b"])
    'The file of your chapter: 2 messages'
    """
    return f"The file of your chapter: {count_text(len(says), 'message')}"
