"""Real systems for the tests of many segments: TED talks, some dozens of lines with two references."""

from functools import cache
from pathlib import Path

from metrics.types import Segment, Tokens

FOLDER = Path(__file__).parents[1] / "data" / "ted-zh-en"
SYSTEMS = ("system.MiSS", "system.Online-W", "system.SMU")


@cache
def lines(name: str) -> list[Tokens]:
    return [tuple(line.split()) for line in (FOLDER / f"{name}.en.txt").read_text(encoding="utf-8").splitlines()]


def segments(name: str, references: int = 2) -> list[Segment]:
    """The segments of a system with so many references; every fifth has one reference less, if that leaves one."""
    theirs = [lines(f"reference.{letter}") for letter in "AB"[:references]]
    return [
        Segment(candidate, tuple(each[: max(1, len(each) - (number % 5 == 4))]))
        for number, (candidate, *each) in enumerate(zip(lines(name), *theirs, strict=True))
    ]
