"""Make texts on which some metric needs much work, as large as a page accepts."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import replace

from metrics import METRICS
from metrics.types import Alignment, Metric, Segment, Settings, TooHard, segment

WORDS = 1_900


def zipf_words(count: int, rng: random.Random) -> list[str]:
    """Return `count` random words whose frequencies follow Zipf's law, as in a language."""
    kinds = range(4_000)
    return [f"w{kind}" for kind in rng.choices(kinds, [1 / (kind + 2.7) for kind in kinds], k=count)]


def fibonacci_words(count: int, first: str = "a", second: str = "b") -> list[str]:
    """Return the first `count` letters of the infinite Fibonacci word over `first` and `second`, as words.

    It is not periodic, but has few different n-grams."""
    before, text = [first], [first, second]
    while len(text) < count:
        before, text = text, text + before
    return text[:count]


def hard_texts(words: int = WORDS) -> Iterator[tuple[str, Segment]]:
    """Yield (name, segment) of each hard text.

    The candidate has `words` words; one to sixteen references are about as long."""
    rng = random.Random(1)

    def random_words(kinds: str) -> list[str]:
        return rng.choices(kinds, k=words)

    yield "one word", segment(["a"] * words, [["a"] * m for m in (words + 100, words * 3 // 4, words, words // 2)])
    yield "two words in turn", segment((["a", "b"] * words)[:words], [(list("baabaa") * words)[:words]] * 4)
    yield "two words at random", segment(random_words("ab"), [random_words("ab") for _ in range(4)])
    yield (
        "Fibonacci words",
        segment(
            fibonacci_words(words),
            [
                fibonacci_words(words, "b", "a"),
                fibonacci_words(words)[::-1],
                fibonacci_words(words + 7)[7:],
                fibonacci_words(words - 99)[::-1],
            ],
        ),
    )
    yield "sixteen references", segment(zipf_words(words, rng), [zipf_words(words, rng) for _ in range(16)])
    yield "five words, sixteen references", segment(random_words("abcde"), [random_words("abcde") for _ in range(16)])
    every = [f"w{number}" for number in range(words)]
    yield "no word twice", segment(rng.sample(every, words), [rng.sample(every, words) for _ in range(4)])


def change_candidate(text: Segment) -> Segment:
    """Return the segment with a changed candidate: some words are deleted, inserted, replaced or moved."""
    rng, words = random.Random(3), list(text.candidate)
    for _ in range(60):
        i, kind = rng.randrange(len(words) - 5), rng.randrange(4)
        if kind == 0:
            del words[i]
        elif kind == 3:
            block = words[i : i + 5]
            del words[i : i + 5]
            words[i // 2 : i // 2] = block
        else:
            words[i : i + kind - 1] = [rng.choice(text.references[0])]
    return text._replace(candidate=tuple(words))


def metric_too_hard_for(key: str, candidates: Collection[tuple[str, ...]]) -> Metric:
    """Return the metric `key`, as if its search took too much work for these candidates."""
    metric = METRICS[key]

    def align(segment: Segment, settings: Settings, marks: bool) -> Alignment:
        if segment.candidate in candidates:
            raise TooHard("too many possible")
        return metric.align(segment, settings, marks)

    return replace(metric, align=align)
