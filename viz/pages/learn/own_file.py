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
from .chapter_reader import Checked
from .record import FILE_MOST

NAME = "The file"  # as messages call it: of its name a link knows nothing


def taken(data: bytes) -> str:
    """The text of an uploaded file. FileError where it is none, or too long."""
    return text_of(NAME, data, FILE_MOST)


@remembered
def checked(text: str) -> Checked:
    """The chapter in a file, as far as it is sound, and a sentence for whatever is wrong with it."""
    found = chapter_reader.checked(NAME, text)
    if found.chapter is None:
        return found
    return found._replace(chapter=replace(found.chapter, version=f"{crc32(text.encode()):08x}"))


def shelf(text: str) -> Shelf:
    """The chapters that are here, and before them the one in a reader's own file, "" where there is none. It takes the
    place of one with the same key."""
    here = chapter_files.shelf()
    own = checked(text).chapter if text else None
    if own is None:
        return here
    others = {key: chapter for key, chapter in here.chapters.items() if key != own.key}
    return here._replace(chapters={own.key: own, **others})


def says(text: str) -> tuple[str, ...]:
    """What is wrong with a reader's own file, and what is to be known of it."""
    if not text:
        return ()
    found, here = checked(text), chapter_files.shelf().chapters
    if found.chapter is None:
        return found.says
    out = [*found.says]
    if strange := [key for key in found.chapter.needs if key not in here]:
        out.append(f"{NAME}: needs names {strange[0]!r:.60}, which is no chapter here; there are {', '.join(here)}.")
    if other := here.get(found.chapter.key):
        out.append(f"{NAME}: the key {other.key} is that of “{other.title}”, whose place it takes; give it its own.")
    return tuple(out)


def summary(says: Sequence[str]) -> str:
    """How many messages there are.

    >>> summary(["a", "b"])
    'The file of your chapter: 2 messages'
    """
    return f"The file of your chapter: {theme.count_text(len(says), 'message')}"
