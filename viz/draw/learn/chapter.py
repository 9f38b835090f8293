"""A chapter as it is shown: its screens, its examples with their results, and what each screen asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import metrics
from metrics.types import Result, Settings, Tokens

from ..texts import ProcessedTexts

#: What a screen is for, in the order in which most chapters have them; an exercise follows.
Kind = Literal["question", "idea", "algorithm", "paper", "blind"]
KINDS: tuple[Kind, ...] = ("question", "idea", "algorithm", "paper", "blind")
#: The names of the screens, as the bar has them.
NAMES: Mapping[Kind, str] = {
    "question": "The question",
    "idea": "The idea",
    "algorithm": "Step by step",
    "paper": "The paper's example",
    "blind": "What it cannot see",
}
EXERCISE = "Exercise"
#: A screen's number, by which links and what is done know it wherever it stands: the first of each kind has its place
#: in `KINDS`, the second ten more, and so on; the exercise has the number after the kinds.
EXERCISE_NUMBER = len(KINDS) + 1
MOST_OF_A_KIND = 9
MOST_NUMBER = 10 * (MOST_OF_A_KIND - 1) + len(KINDS)


class ChapterExample(NamedTuple):
    """A named sentence of a chapter, its references as typed, and its result by the metric that the chapter names."""

    name: str
    candidate: str
    references: str
    texts: ProcessedTexts
    result: Result

    @property
    def metric(self) -> str:
        return self.result.metric

    @property
    def settings(self) -> Settings:
        return self.result.settings


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked before something is shown: one of `choices`, the number `right` of which is right, or a number if
    there are none. `because` is said of the right answer, and `wrong` of each choice, "" where there is nothing to
    say. All texts are HTML."""

    text: str
    choices: tuple[str, ...] = ()
    right: float = 0
    because: str = ""
    wrong: tuple[str, ...] = ()
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen: what it says before it is answered (`text`) and after (`reveal`), as HTML, and what it draws.

    `name` is what the bar calls it, "" where it has the name of its kind. `printed`, `where`, `ours` and `erratum` are
    a paper's number, the place in which it prints it, ours, and what is wrong with it. `other` is an example that is
    drawn beside the first one, over the same references. `pair` are two examples that the metric cannot tell apart, nor
    can those in `also`, and `hints` help to find such a pair; `others` are the candidates of which it is known that
    they say something else than the first one, by their words in small letters, each with what it says.
    """

    kind: Kind
    title: str
    text: str
    reveal: str = ""
    example: ChapterExample | None = None
    ask: Ask | None = None
    printed: str = ""
    where: str = ""
    ours: str = ""
    erratum: str = ""
    pair: tuple[ChapterExample, ChapterExample] | None = None
    hints: tuple[str, ...] = ()
    name: str = ""
    also: tuple[str, ...] = ()
    other: ChapterExample | None = None
    others: Mapping[Tokens, str] = field(default_factory=dict)

    @property
    def bar_name(self) -> str:
        """What the bar calls it."""
        return self.name or NAMES[self.kind]


def numbers(kinds: Sequence[Kind]) -> tuple[int, ...]:
    """The numbers of the screens of these kinds, and of the exercise after them.

    >>> numbers(["question", "idea", "idea", "blind"])
    (1, 2, 12, 5, 6)
    """
    of_kinds = [10 * kinds[:at].count(kind) + KINDS.index(kind) + 1 for at, kind in enumerate(kinds)]
    return (*of_kinds, EXERCISE_NUMBER)


class ExerciseRequest(NamedTuple):
    """The exercise that a chapter begins with: a metric and a task at the first of `levels`; and how many references
    all its exercises have at least."""

    metric: str
    levels: tuple[int, ...]
    task: str
    references: int


class Preset(NamedTuple):
    """A curve to begin with: two candidates of which another is better, or another alignment is, from some value of a
    metric's parameter on."""

    metric: str
    parameter: str
    a: str
    b: str
    reference: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: what metrics it teaches in about how many minutes, its screens in their order, and what it asks then.

    `needs` are the keys of the chapters that it builds on. Below its screens it may have `curves`, the `hunt` for a
    counterexample to a metric's greedy matching, "" where it has none, and the table of `orders`. A reader's own
    chapter has a `version`, by which a browser knows the answers that were given to this file from those to another.
    """

    key: str
    title: str
    metrics: tuple[str, ...]
    minutes: int
    paper: str
    examples: Mapping[str, ChapterExample]
    screens: tuple[Screen, ...]
    exercise: ExerciseRequest
    order: float = 0
    curves: tuple[Preset, ...] = ()
    hunt: str = ""
    orders: bool = False
    needs: tuple[str, ...] = ()
    version: str = ""

    @property
    def mark(self) -> str:
        """What a browser knows the chapter by."""
        return f"{self.key}-{self.version}" if self.version else self.key

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of each screen, the exercise's last."""
        return numbers([screen.kind for screen in self.screens])

    def numbered(self, number: int) -> Screen | None:
        """The screen with a number, None for the exercise; the first one where no screen has it."""
        if number == EXERCISE_NUMBER:
            return None
        screen_numbers = self.numbers
        return self.screens[screen_numbers.index(number) if number in screen_numbers else 0]

    @property
    def practised(self) -> tuple[str, ...]:
        """The metrics of which there are exercises."""
        return tuple([key for key in self.metrics if metrics.METRICS[key].plans])

    @property
    def followed(self) -> tuple[str, ...]:
        """The metrics whose steps can be followed and asked for."""
        return tuple([key for key in self.metrics if metrics.METRICS[key].program and metrics.METRICS[key].asks])
