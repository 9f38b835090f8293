"""A reader's own chapter, as the text of its file: taken from an upload, read, put with the chapters that are here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

from ...draw.pen import theme
from ...state.memory import remembered
from ...state.toml_file import text_of
from . import chapter_files, chapter_reader
from .chapter_files import Shelf
from .chapter_reader import CheckedChapter
from .record import FILE_MOST

NAME = "The file"  # as messages call it: of its name a link knows nothing


def read_upload(data: bytes) -> str:
    """The text of an uploaded file. FileError where it is none, or too long."""
    return text_of(NAME, data, FILE_MOST)


@remembered
def checked(text: str) -> CheckedChapter:
    """The chapter in a file, as far as it is sound, and a sentence for whatever is wrong with it."""
    checked_chapter = chapter_reader.checked(NAME, text)
    if checked_chapter.chapter is None:
        return checked_chapter
    return checked_chapter._replace(chapter=replace(checked_chapter.chapter, version=f"{crc32(text.encode()):08x}"))


def shelf(text: str) -> Shelf:
    """The chapters that are here, and before them the one in a reader's own file, "" where there is none. It takes the
    place of one with the same key."""
    base_shelf = chapter_files.shelf()
    own_chapter = checked(text).chapter if text else None
    if own_chapter is None:
        return base_shelf
    others = {key: chapter for key, chapter in base_shelf.chapters.items() if key != own_chapter.key}
    return base_shelf._replace(chapters={own_chapter.key: own_chapter, **others})


def says(text: str) -> tuple[str, ...]:
    """What is wrong with a reader's own file, and what is to be known of it."""
    if not text:
        return ()
    checked_chapter, chapters = checked(text), chapter_files.shelf().chapters
    if checked_chapter.chapter is None:
        return checked_chapter.says
    out = [*checked_chapter.says]
    if strange := [key for key in checked_chapter.chapter.needs if key not in chapters]:
        out.append(
            f"{NAME}: needs names {strange[0]!r:.60}, which is no chapter here; there are {', '.join(chapters)}."
        )
    if other := chapters.get(checked_chapter.chapter.key):
        out.append(f"{NAME}: the key {other.key} is that of “{other.title}”, whose place it takes; give it its own.")
    return tuple(out)


def summary(says: Sequence[str]) -> str:
    """How many messages there are.

    >>> summary(["a", "b"])
    'The file of your chapter: 2 messages'
    """
    return f"The file of your chapter: {theme.count_text(len(says), 'message')}"
