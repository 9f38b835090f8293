"""Define a chapter of the course as it is shown: screens, examples with their results, and the questions of screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import metrics
from metrics.types import Result, Settings, Tokens

from ..texts import ProcessedTexts

#: The kinds of screens, in the order of most chapters; an exercise follows.
Kind = Literal["question", "idea", "algorithm", "paper", "blind"]
KINDS: tuple[Kind, ...] = ("question", "idea", "algorithm", "paper", "blind")
#: The names of the screens in the bar.
NAMES: Mapping[Kind, str] = {
    "question": "The question",
    "idea": "The idea",
    "algorithm": "Step by step",
    "paper": "The paper's example",
    "blind": "What it cannot see",
}
EXERCISE = "Exercise"
#: Links and stored answers know a screen by its number, wherever the screen is in the chapter. The first of each kind
#: has its place in `KINDS` (from 1), the second one ten more, and so on; the exercise has the number after the kinds.
EXERCISE_NUMBER = len(KINDS) + 1
MOST_OF_A_KIND = 9
MOST_NUMBER = 10 * (MOST_OF_A_KIND - 1) + len(KINDS)


class ChapterExample(NamedTuple):
    """An example of a chapter: a named candidate and references as typed, with their result by the example's metric."""

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
class ScreenQuestion:
    """A question that is asked before something is shown. All texts are HTML.

    Attributes:
        text: the question.
        choices: the answers to choose from; empty where the answer is a number.
        right: index of the right choice, or the right number.
        because: explanation that follows the right answer.
        wrong: explanation that follows each wrong choice, by index; "" for none.
        tolerance: greatest difference from the right number that still counts as right."""

    text: str
    choices: tuple[str, ...] = ()
    right: float = 0
    because: str = ""
    wrong: tuple[str, ...] = ()
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen of a chapter. Texts are HTML.

    Attributes:
        kind: purpose of the screen, such as "question" or "idea".
        title: heading of the screen.
        text: text before the answer.
        reveal: text after the answer.
        example: example that is drawn.
        ask: question of the screen.
        printed: number that a paper prints.
        where: place where the paper prints it.
        ours: number that is computed here.
        erratum: what is wrong with the printed number.
        pair: two examples that the metric cannot tell apart.
        hints: hints on how to find such a pair.
        name: name in the bar of screens, or "" for the name of the kind.
        also: keys of other metrics that cannot tell the pair apart.
        other: example drawn next to `example`, over the same references.
        others: candidates that are known to differ in meaning from the first of the pair, as lower-case words, mapped
            to a sentence on what they mean."""

    kind: Kind
    title: str
    text: str
    reveal: str = ""
    example: ChapterExample | None = None
    ask: ScreenQuestion | None = None
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
        """Return the name of this screen in the bar that lists a chapter's screens."""
        return self.name or NAMES[self.kind]


def numbers_of_kinds(kinds: Sequence[Kind]) -> tuple[int, ...]:
    """Return the numbers by which links and stored answers know screens of these kinds, and last that of the exercise.

    They do not depend on where a screen is in its chapter: the first screen of each kind has the kind's place in KINDS
    from 1 on, the second one ten more, and so on.

    >>> numbers_of_kinds(["question", "idea", "idea", "blind"])
    (1, 2, 12, 5, 6)
    """
    of_kinds = [10 * kinds[:at].count(kind) + KINDS.index(kind) + 1 for at, kind in enumerate(kinds)]
    return (*of_kinds, EXERCISE_NUMBER)


class ExerciseRequest(NamedTuple):
    """The exercise that a chapter begins with.

    Attributes:
        metric: key of the metric.
        levels: levels of difficulty; the chapter begins at the first one.
        task: kind of the task: "score", "which" or "make".
        references: least number of references of all exercises of the chapter."""

    metric: str
    levels: tuple[int, ...]
    task: str
    references: int


class CurvePreset(NamedTuple):
    """The texts and the parameter with which a chart of scores over a parameter of a metric starts.

    They are chosen so that from some value of `parameter` on another candidate (`a` or `b`) is better, or a candidate
    has another alignment. `settings` are those of the metric's other parameters."""

    metric: str
    parameter: str
    a: str
    b: str
    reference: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the course.

    Attributes:
        key: name of the chapter's file.
        title: title of the chapter.
        metrics: keys of the metrics that it teaches.
        minutes: approximate duration.
        paper: the paper that it is about.
        examples: examples by name.
        screens: screens in their order.
        exercise: exercise after the screens.
        order: number by which the list of chapters is sorted.
        curves: charts of scores over a parameter, below the screens.
        hunt: metric whose greedy matching the reader may find a counterexample to, or "".
        orders: whether the table of word orders is below the screens.
        needs: keys of the chapters that it builds on.
        version: version of a reader's own chapter, or ""; a browser keeps the answers to each version apart."""

    key: str
    title: str
    metrics: tuple[str, ...]
    minutes: int
    paper: str
    examples: Mapping[str, ChapterExample]
    screens: tuple[Screen, ...]
    exercise: ExerciseRequest
    order: float = 0
    curves: tuple[CurvePreset, ...] = ()
    hunt: str = ""
    orders: bool = False
    needs: tuple[str, ...] = ()
    version: str = ""

    @property
    def storage_name(self) -> str:
        """Return the name by which a browser stores the reader's answers to this chapter."""
        return f"{self.key}-{self.version}" if self.version else self.key

    @property
    def numbers_of_kinds(self) -> tuple[int, ...]:
        """Return the numbers by which links know the screens of this chapter, and last that of the exercise."""
        return numbers_of_kinds([screen.kind for screen in self.screens])

    def screen_numbered(self, number: int) -> Screen | None:
        """Return the screen that links know by `number`, or None for the exercise.

        A number that no screen has gives the first screen, because a link may be old."""
        if number == EXERCISE_NUMBER:
            return None
        screen_numbers = self.numbers_of_kinds
        return self.screens[screen_numbers.index(number) if number in screen_numbers else 0]

    @property
    def exercise_metrics(self) -> tuple[str, ...]:
        """Return the keys of this chapter's metrics that have exercises."""
        return tuple([key for key in self.metrics if metrics.METRICS[key].plans])

    @property
    def step_metrics(self) -> tuple[str, ...]:
        """Return the keys of this chapter's metrics whose algorithm can be followed step by step, with questions."""
        return tuple([key for key in self.metrics if metrics.METRICS[key].program and metrics.METRICS[key].asks])
