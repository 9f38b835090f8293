"""Outputs of real MT systems on TED talks, with up to two references, for tests that need many segments."""

from functools import cache
from pathlib import Path

from metrics.types import Segment, Tokens

FOLDER = Path(__file__).parents[1] / "data" / "ted-zh-en"
SYSTEMS = ("system.MiSS", "system.Online-W", "system.SMU")


@cache
def load_token_lines(name: str) -> list[Tokens]:
    return [tuple(line.split()) for line in (FOLDER / f"{name}.en.txt").read_text(encoding="utf-8").splitlines()]


def load_segments(name: str, references: int = 2) -> list[Segment]:
    """Return each output of the system `name` as a segment with `references` references (1 or 2).

    Every fifth segment has one reference fewer, but always at least one, so that the counts differ between segments."""
    theirs = [load_token_lines(f"reference.{letter}") for letter in "AB"[:references]]
    return [
        Segment(candidate, tuple(each[: max(1, len(each) - (number % 5 == 4))]))
        for number, (candidate, *each) in enumerate(zip(load_token_lines(name), *theirs, strict=True))
    ]


REAL = [(FOLDER / f"{name}.en.txt").read_text("utf-8").splitlines() for name in ("system.MiSS", "system.Online-W")]


REFERENCE = (FOLDER / "reference.A.en.txt").read_text("utf-8").splitlines()
