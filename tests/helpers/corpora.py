"""Outputs of real MT systems on TED talks, with up to two references, for tests that need many segments."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from metrics.corpus.patterns import LEAST
from metrics.types import Segment, Tokens

FOLDER = Path(__file__).parents[1] / "data" / "ted-zh-en"
SYSTEMS = ("system.MiSS", "system.Online-W", "system.SMU")


def load_lines(name: str, language: str = "en") -> list[str]:
    """Return the lines of one text of the talks, such as "system.MiSS" or "reference.A"."""
    return (FOLDER / f"{name}.{language}.txt").read_text(encoding="utf-8").splitlines()


@cache
def load_token_lines(name: str) -> list[Tokens]:
    return [tuple(line.split()) for line in load_lines(name)]


def load_segments(name: str, references: int = 2) -> list[Segment]:
    """Return each output of the system `name` as a segment with `references` references (1 or 2).

    Every fifth segment has one reference fewer, but always at least one, so that the counts differ between segments."""
    theirs = [load_token_lines(f"reference.{letter}") for letter in "AB"[:references]]
    return [
        Segment(candidate, tuple(each[: max(1, len(each) - (number % 5 == 4))]))
        for number, (candidate, *each) in enumerate(zip(load_token_lines(name), *theirs, strict=True))
    ]


def count_patterns_slowly(
    a: list[Tokens], b: list[Tokens], references: list[list[Tokens]], count: Callable[[Tokens], Counter[Any]]
) -> dict[Any, list[Any]]:
    """Return what is known of each pattern in two systems' outputs, such as an n-gram of words or of letters.

    It is how often the references have the pattern and each system has it right, in how many segments one has it more
    often, and in which segments they differ. Patterns that hardly differ are left out. `count` counts the patterns of a
    text."""
    out: dict[Any, list[Any]] = {}
    for number, (x, y, each) in enumerate(zip(a, b, references, strict=True)):
        most: Counter[Any] = Counter()
        for reference in each:
            most |= count(reference)
        ours, theirs = count(x) & most, count(y) & most
        for pattern, there in most.items():
            of = out.setdefault(pattern, [0, 0, 0, 0, 0, []])
            p, q = ours[pattern], theirs[pattern]
            for n, more in enumerate((there, p, q, p > q, q > p)):
                of[n] += more
            if p != q:
                of[5].append(number)
    return {pattern: of for pattern, of in out.items() if of[3] + of[4] >= LEAST}


REAL, REFERENCE = [load_lines(name) for name in SYSTEMS[:2]], load_lines("reference.A")
