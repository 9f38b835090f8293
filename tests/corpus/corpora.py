"""Real systems for tests that need many segments: dozens of lines of TED talks with two references."""

from functools import cache
from pathlib import Path

from metrics.types import Segment, Tokens

FOLDER = Path(__file__).parents[1] / "data" / "ted-zh-en"
SYSTEMS = ("system.MiSS", "system.Online-W", "system.SMU")


@cache
def token_lines(name: str) -> list[Tokens]:
    return [tuple(line.split()) for line in (FOLDER / f"{name}.en.txt").read_text(encoding="utf-8").splitlines()]


def segments(name: str, references: int = 2) -> list[Segment]:
    """Return the segments of the system `name` with `references` references each.

    Every fifth segment has one reference fewer, but always at least one."""
    theirs = [token_lines(f"reference.{letter}") for letter in "AB"[:references]]
    return [
        Segment(candidate, tuple(each[: max(1, len(each) - (number % 5 == 4))]))
        for number, (candidate, *each) in enumerate(zip(token_lines(name), *theirs, strict=True))
    ]
