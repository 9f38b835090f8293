"""The chapters of the Learn page, read from their files: checked, every number in their texts computed.

A file is TOML (`viz/pages/learn/chapters/README.md`). Whatever is wrong with one is a `FileError`, whose sentence says
in which file and screen it is, what is wrong, and what would be right; the other chapters are not touched by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ...draw.evidence import arcs
from ...draw.evidence.drawn_result import DrawnResult
from ...draw.learn import lesson, lesson_steps
from ...draw.learn.chapter import Chapter, ChapterExample
from ...state import cache
from ...state.cache import Problem
from ...state.memory import remembered
from ...state.toml_file import FileError, text_of
from .chapter_reader import CheckedChapter, checked
from .minutes import lacks_steps
from .record import FILE_MOST

FOLDER = Path(__file__).parent / "chapters"


class Shelf(NamedTuple):
    """The chapters that could be read, in their order, and a sentence for each file that could not."""

    chapters: Mapping[str, Chapter]
    faults: Sequence[str]


def shelf(folder: Path = FOLDER) -> Shelf:
    """All chapters of a folder. A file is read again when it has changed."""
    chapters_by_key: dict[str, Chapter] = {}
    names: dict[str, str] = {}
    faults = []
    for path in sorted(folder.glob("*.toml")):
        try:
            stat = path.stat()
            checked_chapter = _read(path, stat.st_mtime_ns, stat.st_size)
        except FileError as fault:
            faults.append(str(fault))
            continue
        faults += checked_chapter.says
        chapter = checked_chapter.chapter
        if chapter is None or checked_chapter.faults:
            continue
        if other := names.get(chapter.key):
            # The file that is called as its key keeps it.
            keeps, gives = (path.name, other) if path.stem == chapter.key else (other, path.name)
            faults.append(f"{gives}: {keeps} has the key {chapter.key!r} already; give this one its own.")
            if keeps == other:
                continue
        chapters_by_key[chapter.key], names[chapter.key] = chapter, path.name
    chapters = dict(sorted(chapters_by_key.items(), key=lambda each: (each[1].order, each[0])))
    for n, chapter in enumerate(chapters.values()):
        before = [*chapters][:n]
        faults += [
            f"{names[chapter.key]}: needs names {key!r:.60}, which is no chapter before it."
            for key in chapter.needs
            if key not in before
        ]
    return Shelf(chapters, faults)


def of_metric(key: str) -> Chapter | None:
    """The chapter that teaches a metric: the one with the fewest metrics, of such the last, which goes furthest."""
    teaching = [chapter for chapter in [*shelf().chapters.values()][::-1] if key in chapter.metrics]
    return min(teaching, key=lambda chapter: len(chapter.metrics), default=None)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> CheckedChapter:
    return checked_file(path)


def checked_file(path: Path) -> CheckedChapter:
    """What a file holds, and what is wrong with it. Raises FileError where it cannot be read at all."""
    try:
        with path.open("rb") as file:
            data = file.read(FILE_MOST + 1)
    except OSError:
        raise FileError(f"{path.name} cannot be read; it must be a text file in UTF-8.") from None
    return checked(path.name, text_of(path.name, data, FILE_MOST))


def drawn_example(example: ChapterExample, width: int | None) -> DrawnResult:
    """What a picture of an example in so many pixels is drawn from."""
    result = example.result
    pairs = bool(arcs.picture_kind(result)) and not arcs.grid_first(result)
    scores_alone = [cache.score_alone(result, k) for k in range(len(result.segment.references))]
    return DrawnResult(
        example.texts,
        result,
        cache.hits(result.segment),
        width=width,
        picture="arcs" if pairs else "grid",
        reference_scores=scores_alone if len(scores_alone) > 1 else (),
        high=lesson.HIGH,
    )


@remembered
def played(example: ChapterExample, width: int, high: int = lesson_steps.HIGH) -> dict[str, Any] | str:
    """The steps of an example's algorithm in so many pixels, asked for before they are shown; a sentence where they are
    too many or where its metric has none."""
    if lacks := lacks_steps(example.metric):
        return f"{lacks}."
    many = cache.bounded(example.metric, lambda: lesson_steps.too_many(example))
    if many:
        return TOO_HARD if isinstance(many, Problem) else many
    player = cache.bounded(
        example.metric, lambda: lesson_steps.played(example, cache.hits(example.texts.segment), width, high)
    )
    return TOO_HARD if isinstance(player, Problem) else player


TOO_HARD = (
    "The steps of these sentences take more work than a lesson has room for. Use fewer references or shorter ones, "
    f"{lesson_steps.ELSEWHERE}"
)
