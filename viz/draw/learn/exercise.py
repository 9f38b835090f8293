"""An exercise as it is drawn: the words and their matches, the question, and what is seen afterwards."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.teach.exercises import Exercise
from metrics.text import TextSettings, Token

from ..pen import theme
from ..texts import ProcessedTexts
from . import lesson, tiles
from .chapter import ChapterExample
from .lesson import Draws

_LETTER = re.compile(r"(?<![\w-])[a-zα-ω](?![\w-])")  # the letter that a setting has in a formula


def example_of(exercise: Exercise) -> ChapterExample:
    """The sentence of an exercise, with its result."""
    candidate, references = exercise.segment
    texts = ProcessedTexts(exercise.segment, _tokens(candidate), tuple(map(_tokens, references)), TextSettings())
    result = metrics.METRICS[exercise.key].score(exercise.segment, exercise.settings)
    return ChapterExample(
        exercise.code, " ".join(candidate), "\n".join([" ".join(r) for r in references]), texts, result
    )


def _tokens(tokens: tuple[str, ...]) -> tuple[Token, ...]:
    out, at = [], 0
    for word in tokens:
        out.append(Token(word, word, at, at + len(word)))
        at += len(word) + 1
    return tuple(out)


def settings_text(exercise: Exercise) -> str:
    """The settings that are not the defaults, in words; "" where all are.

    >>> settings_text(metrics.exercise("gtm", 7, 3))
    'Exponent e = 3'
    """
    rules = metrics.METRICS[exercise.key].Settings.rules()
    return ", ".join(
        f"{rules[name].label}{' =' if isinstance(value, int | float) else ':'} {_value_text(value)}"
        for name, value in exercise.given.items()
    )


def numbers_text(exercise: Exercise) -> str:
    """The numbers behind the letters of a definition, the defaults too; "" where it has none.

    >>> numbers_text(metrics.exercise("meteor", 7, 3))
    'α = 0.9, β = 3, γ = 0.25'
    """
    metric = metrics.METRICS[exercise.key]
    rules, defined = metric.Settings.rules(), " ".join(metric.about.formula)
    out = []
    for name, rule in rules.items():
        letter = _LETTER.search(rule.label)
        value = getattr(exercise.settings, name)
        if letter and letter[0] in defined and isinstance(value, int | float):
            out.append(f"{letter[0]} = {value:g}")
    return ", ".join(out)


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple | list):
        return " and ".join(map(str, value))
    return f"{value:g}" if isinstance(value, int | float) else str(value).replace("_", " ")


def title_of(exercise: Exercise) -> str:
    """What is to be done.

    >>> title_of(metrics.exercise("gtm", 7, 3))
    'Compute GTM · Exponent e = 3'
    """
    given, label = settings_text(exercise), metrics.METRICS[exercise.key].label
    task_title = metrics.sentence_task(exercise).text.removesuffix(".") if exercise.task == "make" else ""
    names = {"score": f"Compute {label}", "which": f"Two candidates, {label}", "make": task_title}
    return f"{names[exercise.task]}{' · ' + given if given else ''}"


def exercise_html(
    exercise: Exercise, draws: Draws, room: int | None, whole: int | None = None, hall: bool = False
) -> str:
    """The screen of an exercise, which is judged in the browser: its score, which of its two candidates is better, or a
    sentence that is laid with tiles. Of the pixels that the `whole` screen has, a picture beside what is asked has
    `room`; in a lecture `hall` words are larger."""
    if exercise.task == "which":
        broad = hall or len(exercise.segment.references) > 1
        return _which_html(exercise, draws, whole if broad else room, broad)
    if exercise.task == "make":
        return _laid_html(exercise, draws, room)
    parts = [question for question in metrics.whole_questions(exercise)[1:] if question.kind == "number"]
    drawn, ask = draws(example_of(exercise), room), lesson.question_html(exercise.question, parts, single_try=True)
    text = f'<div class="folds">{_definition(exercise)}</div>'
    return lesson.asked_screen(title_of(exercise), drawn, text, ask, _afterwards(exercise), room)


def _definition(exercise: Exercise, outside: bool = True) -> str:
    """The metric's rules, with the numbers with which the score is computed and what other settings do: until the
    answer `outside`, since they are needed then, and afterwards among the rules."""
    metric = metrics.METRICS[exercise.key]
    rules, numbers = metric.Settings.rules(), numbers_text(exercise)
    given = [f"{rules[name].label}: {rules[name].help}" for name in exercise.given]
    details = "".join(
        [f"<p>{theme.safe(text, 1_000)}</p>" for text in ([f"Here {numbers}."] if numbers else []) + given]
    )
    defined = formula.mathml(notation.steps(metric.about.formula))
    words = "".join([f"<p>{theme.safe(text, 4_000)}</p>" for text in metric.about.text])
    outer, inner = "", details
    if details and outside:
        outer, inner = (f'<div class="{when}">{details}</div>' for when in ("before", "after"))
    folded = f'<summary>The rules</summary><div class="formula">{defined}</div>{inner}{words}'
    return f'{outer}<details class="rules">{folded}</details>'


def _which_html(exercise: Exercise, draws: Draws, room: int | None, broad: bool) -> str:
    """Both candidates beside each other, above the question where they are `broad`; it need not name their words."""
    question = metrics.which_question(exercise)
    question = replace(question, text=question.asks)
    assert exercise.weighed, "two candidates are drawn for this task"
    half, sides = lesson.half_of(room), []
    for name, words in zip(("Candidate A", "Candidate B"), exercise.weighed.candidates, strict=True):
        one = replace(exercise, segment=exercise.segment._replace(candidate=words))
        sides.append((name, draws(example_of(one), half)))
    ask = lesson.question_html(question, single_try=True)
    return lesson.paired_screen(title_of(exercise), sides, _definition(exercise), ask, broad)


def _laid_html(exercise: Exercise, draws: Draws, room: int | None) -> str:
    """The picture before the sentence is right has a row for each word of the tiles, in the order that the script
    brings them into."""
    task = metrics.sentence_task(exercise)
    laid_tiles = metrics.sentence_tiles(task)
    each, shows = (
        draws(example_of(replace(exercise, segment=exercise.segment._replace(candidate=words))), room)
        for words in (laid_tiles.words(range(len(laid_tiles.tiles))), task.shows)
    )
    board, hunt = tiles.lines(task, laid_tiles), lesson.Hunt(tiles.FIRST, False, False)
    return lesson.laid_screen(title_of(exercise), board, each, shows, _definition(exercise, False), hunt)


def steps_html(exercise: Exercise) -> str:
    """What stands above the steps of an exercise."""
    given, label = settings_text(exercise), metrics.METRICS[exercise.key].label
    title = f"{label}, step by step{' · ' + given if given else ''}"
    says = "Every step is asked for before it is shown: answer in the picture, by a choice or a number."
    return lesson.notice(title, says)


def made_html(
    exercise: Exercise,
    reader_example: ChapterExample,
    hunt: lesson.Hunt,
    draws: Draws,
    room: int | None,
    hall: bool = False,
) -> str:
    """The screen on which a sentence is made that scores so much; `reader_example` is the reader's, and `hunt` what
    became of it."""
    return lesson.made_screen(
        title_of(exercise), draws(reader_example, room), _definition(exercise, False), hunt, room, hall
    )


def _afterwards(exercise: Exercise) -> str:
    """How many answers are optimal."""
    number, what, _ = exercise.optimal
    one = f"One of the {theme.many(number)} {what} that give this score is shown."
    return f"<p>{escape(one if number > 1 else exercise.optimal.says())}</p>"
