"""Measure whether long texts and hostile files take time in proportion to their size.

    python -m tests.benchmarks.bench_growth

For twice the size, work in proportion takes twice as long, and quadratic work four times. Each size is measured three
times in turn, by processor time, and the best counts. Exits with 1 if something takes more than three times as long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from metrics.text import TextSettings, markup, process
from metrics.text.files import BadData
from metrics.text.formats import File, read
from tests.state import test_own_chapter
from tests.text import test_formats_hostile
from viz.draw.pen.text import safe, visible
from viz.pages.learn import chapter_reader
from viz.state.texts import inputs, reading

MOST, LEAST = 3.0, 0.02  # the most growth for twice the size; the seconds below which times are too short to compare
LONGEST = 2.0  # seconds for a hostile file
SIZE = 500_000

Work = Callable[[int], object]


def text_work_by_name() -> Iterator[tuple[str, Work]]:
    """Yield (name, work) for each way of processing a text.

    Calling `work(size)` processes a text of about `size` letters."""
    words = {
        "a word": ("x", TextSettings()),
        "a word, 13a and stems": ("x", TextSettings(tokenizer="13a", stemmer="porter")),
        "entities, 13a": ("&amp;", TextSettings(tokenizer="13a")),
        "words": (" ab", TextSettings()),
        "flags, characters": ("🇩🇪", TextSettings(tokenizer="character")),
        "accents, characters": ("\u0301", TextSettings(tokenizer="character", lowercase=True)),
        "marks, NFKC": ("\u0f73\u0301", TextSettings(nfkc=True)),
        "jamo, NFKC": ("ㄱㅏ", TextSettings(nfkc=True)),
    }
    for name, (piece, chosen) in words.items():
        yield f"text: {name}", lambda size, piece=piece, chosen=chosen: process("a" + piece * (size // 8), chosen)
    for name, piece in {"words": "a b ", "lines": "ab\n", "signs": "字"}.items():
        yield f"what it rather is: {name}", lambda size, piece=piece: reading.suggest_joining(piece * (size // 8))
    for name, piece in {"tags": "<b ", "escapes": "&#39", "pieces": "@@ ", "brackets": "<", "quotes": "'a "}.items():
        yield f"markup: {name}", lambda size, piece=piece: search_markup(piece * (size // 4))
    yield "pasted systems", lambda size: inputs.pasted_systems(("a " * (size // 10) + "\n") * 4 + "a:" * (size // 10))
    yield "a word shown", lambda size: safe(visible("a" * size))


def search_markup(text: str) -> None:
    """Search `text` for each kind of markup, such as tags and escapes, and remove it."""
    markup.find_first_markup([text], "whitespace")
    for kind in markup.KINDS:
        markup.remove_markup_kind(kind, text)


def processor_seconds(work: Work, size: int) -> float:
    begun = time.process_time()
    work(size)
    return time.process_time() - begun


def seconds_and_growth(work: Work) -> tuple[float, float]:
    """Return the seconds of `work` for twice the size, and their ratio to the seconds for the size itself."""
    pairs = [(processor_seconds(work, SIZE), processor_seconds(work, 2 * SIZE)) for _ in range(3)]
    small, large = (min(each) for each in zip(*pairs, strict=True))
    return large, large / max(small, LEAST)


def hostile_reads() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield (name, call) for each hostile file and chapter of the tests; the call reads it."""
    for name, (file, data, _) in test_formats_hostile.HOSTILE.items():
        yield f"file: {name}", lambda file=file, data=data: read([File(file, data)])
    for name, (text, *_) in test_own_chapter.HOSTILE.items():
        yield f"chapter: {name}", lambda text=text: chapter_reader.checked("my.toml", text)


def main() -> int:
    missed = 0
    for name, work in text_work_by_name():
        large, times = seconds_and_growth(work)
        missed += times > MOST
        print(f"{name:32} {large:6.3f} s  {times:4.1f} times half of it (bound {MOST:g}){' MISSED' * (times > MOST)}")
    for name, read_it in hostile_reads():
        begun = time.process_time()
        with suppress(BadData):
            read_it()
        took = time.process_time() - begun
        missed += took > LONGEST
        print(f"{name:32} {took:6.3f} s (bound {LONGEST:g}){' MISSED' * (took > LONGEST)}")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
