"""What a call of the command line asks of several systems; importing it takes no time."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..types import brief
from .agreement_options import PeopleOptions

#: Is told which part of the scoring is done and, where it is known, how many seconds the rest takes.
Tell: TypeAlias = Callable[[float, float | None], None]

#: The formats in which systems can be written.
FORMATS = ("text", "json", "tsv", "latex", "markdown")


class SystemsCall(NamedTuple):
    """What a call asks for beside metrics and texts: the files by the systems' names, the references' files, whether
    intervals and every segment are shown, the system that each other one is held against, pairs of systems whose
    difference is explained, or whose n-grams are compared, a condition that fails, how many processes may score; then
    the source's file, files and folders that hold several texts, what columns are taken for, whether inline tags stay,
    whether the references are edited outputs, the scheduler of a cluster that scores instead, the systems whose
    lines are put right where they slipped, the judgements that metrics are held against, and what is taken out of the
    texts."""

    systems: Mapping[str, str]
    references: Sequence[str]
    confidence: bool = False
    sentence: bool = False
    paired: str | None = None
    why: Sequence[tuple[str, str]] = ()
    patterns: Sequence[tuple[str, str]] = ()
    fail_if: Condition | None = None
    jobs: int = 1
    decimals: int = 4
    source: str | None = None
    corpora: Sequence[str] = ()
    roles: Mapping[str, str] = {}
    keep_tags: bool = False
    edited: bool = False
    scheduler: str | None = None
    repair: Sequence[str] = ()
    people: PeopleOptions | None = None
    clean: Sequence[str] = ()

    def unknown(self) -> str | None:
        """The sentence that says which system is asked about and is none, or None."""
        sides = [self.fail_if.minuend, self.fail_if.subtrahend] if self.fail_if else []
        pairs = [name for pair in (*self.why, *self.patterns) for name in pair]
        for name in (self.paired, *self.repair, *pairs, *[side[0] for side in sides if side]):
            if name is not None and name not in self.systems:
                return f"there is no system {name!r}; the systems are {', '.join(self.systems)}"
        return None


class Condition(NamedTuple):
    """A difference of two scores, or a score, held against a number."""

    text: str
    minuend: tuple[str, str]
    subtrahend: tuple[str, str] | None
    sign: str
    number: float

    @property
    def metrics(self) -> set[str]:
        """The metrics that it asks for."""
        return {side[1] for side in (self.minuend, self.subtrahend) if side}

    def holds(self, scores: Mapping[str, Mapping[str, float]]) -> bool:
        """Whether it holds for scores by system and metric."""
        value = scores[self.minuend[0]][self.minuend[1]]
        if self.subtrahend:
            value -= scores[self.subtrahend[0]][self.subtrahend[1]]
        return _HOLDS[self.sign](value, self.number)


class Failed(Exception):  # noqa: N818 - a condition that holds is no error
    """The condition of --fail-if holds."""


_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
# Names may have full stops, spaces and hyphens; a metric's key begins with a letter.
_KEY = re.compile(r"[A-Za-z]\w*")
_NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:e-?\d{1,3})?")
_MINUEND = re.compile(rf"(\S(?:.*?\S)??)\.({_KEY.pattern})\s*-\s*")


def condition(text: str) -> Condition:
    """A condition as it is typed. ValueError where it is none.

    >>> condition("GPT-4.1.wer - my system.wer > 0.1").minuend, condition("GPT-4.1.wer>0.1").minuend
    (('GPT-4.1', 'wer'), ('GPT-4.1', 'wer'))
    >>> condition("B.bleu - A.bleu < -0.005").holds({"A": {"bleu": 0.25}, "B": {"bleu": 0.24}})
    True
    """
    at = max(text.rfind("<"), text.rfind(">"))
    sign = text[at] + ("=" if text.startswith("=", at + 1) else "") if at >= 0 else ""
    number = _NUMBER.fullmatch(text[at + len(sign) :].strip())
    name, _, key = text[: max(at, 0)].strip().rpartition(".")
    first = _MINUEND.match(name)
    other = name[first.end() :] if first else ""
    sides = [(first[1], first[2]), (other, key)] if first and other else [(name, key)]
    held_against = float(number[0]) if number else math.inf
    valid_names = _KEY.fullmatch(key) and all(_can_be_name(each) for each, _ in sides)
    if not valid_names or not math.isfinite(held_against):
        raise ValueError(f"a condition reads like 'B.bleu - A.bleu < -0.005' or 'B.ter > 0.6', got {brief(text)}")
    return Condition(text.strip(), sides[0], sides[1] if len(sides) > 1 else None, sign, held_against)


def _can_be_name(name: str) -> bool:
    return name != "" and name == name.strip() and "\n" not in name
