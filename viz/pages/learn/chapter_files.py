"""Read the chapters of the Learn page from their files, check them, and compute every number in their texts.

A file is TOML (`viz/pages/learn/chapters/README.md`). A mistake in one file raises a `FileError`, whose sentence
says in which file and screen it is, what is wrong, and what would be right. The other chapters are still shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ...draw.evidence import arcs
from ...draw.evidence.drawn_result import DrawnResult
from ...draw.learn import lesson, lesson_steps
from ...draw.learn.chapter import Chapter, ChapterExample
from ...state.files.toml_file import FileError, decode_file
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.results.memory import remembered
from .chapter_reader import CheckedChapter, checked
from .minutes import lacks_steps
from .record import FILE_MOST

FOLDER = Path(__file__).parent / "chapters"


class Shelf(NamedTuple):
    """The chapters that could be read, by key and in order, and a message on each mistake in their files."""

    chapters: Mapping[str, Chapter]
    faults: Sequence[str]


def shelf(folder: Path = FOLDER) -> Shelf:
    """Return all chapters whose files are in `folder`. A file is read again when it has changed."""
    chapters_by_key: dict[str, Chapter] = {}
    names: dict[str, str] = {}
    faults = []
    for path in sorted(folder.glob("*.toml")):
        try:
            stat = path.stat()
            checked_chapter = _read_cached(path, stat.st_mtime_ns, stat.st_size)
        except FileError as fault:
            faults.append(str(fault))
            continue
        faults += checked_chapter.messages
        chapter = checked_chapter.chapter
        if chapter is None or checked_chapter.faults:
            continue
        if other := names.get(chapter.key):
            # Of two files with one key, the file whose name is the key keeps it.
            keeps, gives = (path.name, other) if path.stem == chapter.key else (other, path.name)
            faults.append(f"{gives}: {keeps} has the key {chapter.key!r} already; give this one its own.")
            if keeps == other:
                continue
        chapters_by_key[chapter.key], names[chapter.key] = chapter, path.name
    chapters = dict(sorted(chapters_by_key.items(), key=lambda each: (each[1].order, each[0])))
    for n, chapter in enumerate(chapters.values()):
        before = [*chapters][:n]
        faults += [
            f"{names[chapter.key]}: needs names {key!r:.60}, which is not a chapter before it."
            for key in chapter.needs
            if key not in before
        ]
    return Shelf(chapters, faults)


def chapter_of_metric(key: str) -> Chapter | None:
    """Return the chapter that teaches the metric `key`; None if no chapter does.

    Of several, this is the chapter with the fewest metrics; of those, the last one, because it goes furthest."""
    teaching = [chapter for chapter in [*shelf().chapters.values()][::-1] if key in chapter.metrics]
    return min(teaching, key=lambda chapter: len(chapter.metrics), default=None)


@lru_cache(maxsize=64)
def _read_cached(path: Path, changed: int, size: int) -> CheckedChapter:
    """Return the checked chapter of a file, cached by path, time of change in nanoseconds, and size in bytes."""
    return checked_file(path)


def checked_file(path: Path) -> CheckedChapter:
    """Return the chapter in a file with all messages on it. Raises FileError if the file cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(FILE_MOST + 1)
    except OSError:
        raise FileError(f"{path.name} cannot be read; it must be a text file in UTF-8.") from None
    return checked(path.name, decode_file(path.name, data, FILE_MOST))


def drawn_example(example: ChapterExample, width: int | None) -> DrawnResult:
    """Return the data from which a picture of `example` is drawn, `width` pixels wide; None is the natural width."""
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
def step_player(example: ChapterExample, width: int, high: int = lesson_steps.HIGH) -> dict[str, Any] | str:
    """Return the data of the player that shows the steps of `example`, in a picture of `width` by `high` pixels.

    If there are too many steps, or if the metric has no steps, return a message that says so. The number of steps is
    estimated before they are made."""
    if lacks := lacks_steps(example.metric):
        return f"{lacks}."
    many = cache.bounded(example.metric, lambda: lesson_steps.describe_too_many_steps(example))
    if many:
        return TOO_HARD if isinstance(many, Problem) else many
    player = cache.bounded(
        example.metric, lambda: lesson_steps.player_data(example, cache.hits(example.texts.segment), width, high)
    )
    return TOO_HARD if isinstance(player, Problem) else player


TOO_HARD = (
    "The steps of these sentences take more work than a lesson has room for. Use fewer references or shorter ones, "
    f"{lesson_steps.ELSEWHERE}"
)
