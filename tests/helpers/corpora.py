"""Outputs of real MT systems on TED talks, with up to two references, for tests that need many segments."""

from functools import cache
from pathlib import Path

from metrics.types import Segment, Tokens

FOLDER = Path(__file__).parents[1] / "data" / "ted-zh-en"
SYSTEMS = ("system.MiSS", "system.Online-W", "system.SMU")


@cache
def load_lines(name: str) -> list[str]:
    """Return the lines of one text of the talks, such as "system.MiSS" or "reference.A"."""
    return (FOLDER / f"{name}.en.txt").read_text(encoding="utf-8").splitlines()


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


REAL, REFERENCE = [load_lines("system.MiSS"), load_lines("system.Online-W")], load_lines("reference.A")
