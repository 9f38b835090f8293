"""Draw an exercise of a chapter: the words and their matches, the question, and what is shown after the answer."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.teach.exercises import Exercise

from ..pen.numbers import large_count_text
from ..pen.text import safe
from ..texts import texts_of
from . import lesson, tiles
from .chapter import ChapterExample
from .lesson import Draws

_LETTER = re.compile(r"(?<![\w-])[a-zα-ω](?![\w-])")  # the letter of a setting in a formula


def example_of(exercise: Exercise) -> ChapterExample:
    """Return the sentence of an exercise with its result."""
    candidate, references = exercise.segment
    result = metrics.METRICS[exercise.key].score(exercise.segment, exercise.settings)
    typed_references = "\n".join([" ".join(r) for r in references])
    return ChapterExample(exercise.code, " ".join(candidate), typed_references, texts_of(exercise.segment), result)


def settings_text(exercise: Exercise) -> str:
    """Return the settings of an exercise that differ from the metric's defaults, as text; "" for none.

    >>> settings_text(metrics.exercise("gtm", 7, 3))
    'Exponent e = 3'
    """
    rules = metrics.METRICS[exercise.key].Settings.rules()
    return ", ".join(
        f"{rules[name].label}{' =' if isinstance(value, int | float) else ':'} {_value_text(value)}"
        for name, value in exercise.given.items()
    )


def numbers_text(exercise: Exercise) -> str:
    """Return the values of the settings that are letters in the metric's formula, as text; "" where there are none.

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
    """Return the title of an exercise, which says the task and the settings.

    >>> title_of(metrics.exercise("gtm", 7, 3))
    'Compute GTM · Exponent e = 3'
    """
    given, label = settings_text(exercise), metrics.METRICS[exercise.key].label
    task_title = metrics.sentence_task(exercise).text.removesuffix(".") if exercise.task == "make" else ""
    names = {"score": f"Compute {label}", "which": f"Two candidates, {label}", "make": task_title}
    return f"{names[exercise.task]}{' · ' + given if given else ''}"


def exercise_html(exercise: Exercise, draws: Draws, room: int | None, whole: int | None = None) -> str:
    """Return the screen of an exercise as HTML; the browser checks the answer.

    The task is to compute a score, to choose the better of two candidates, or to make a sentence from tiles. `draws`
    draws a sentence with its result. `whole` is the width of the screen in pixels, and `room` the width of a picture
    next to the question."""
    if exercise.task == "which":
        broad = len(exercise.segment.references) > 1
        return _two_candidates_screen_html(exercise, draws, whole if broad else room, broad)
    if exercise.task == "make":
        return _tiles_screen_html(exercise, draws, room)
    parts = [question for question in metrics.whole_questions(exercise)[1:] if question.kind == "number"]
    drawn, ask = draws(example_of(exercise), room), lesson.question_html(exercise.question, parts, single_try=True)
    text = f'<div class="folds">{_rules_html(exercise)}</div>'
    return lesson.asked_screen(title_of(exercise), drawn, text, ask, _optimal_answers_html(exercise), room)


def _rules_html(exercise: Exercise, outside: bool = True) -> str:
    """Return the metric's rules, folded, with the settings of this exercise and what they do, as HTML.

    With `outside`, the settings are outside the folded rules until the answer, because they are needed for it, and
    inside afterwards."""
    metric = metrics.METRICS[exercise.key]
    rules, numbers = metric.Settings.rules(), numbers_text(exercise)
    given = [f"{rules[name].label}: {rules[name].help}" for name in exercise.given]
    details = "".join([f"<p>{safe(text, 1_000)}</p>" for text in ([f"Here {numbers}."] if numbers else []) + given])
    defined = formula.mathml(notation.parse_definitions(metric.about.formula))
    words = "".join([f"<p>{safe(text, 4_000)}</p>" for text in metric.about.text])
    outer, inner = "", details
    if details and outside:
        outer, inner = (f'<div class="{when}">{details}</div>' for when in ("before", "after"))
    folded = f'<summary>The rules</summary><div class="formula">{defined}</div>{inner}{words}'
    return f'{outer}<details class="rules">{folded}</details>'


def _two_candidates_screen_html(exercise: Exercise, draws: Draws, room: int | None, broad: bool) -> str:
    """Return the screen that asks which of two candidates is better; where `broad`, the question is below them."""
    question = metrics.which_question(exercise)
    question = replace(question, text=question.asks)
    assert exercise.weighed, "two candidates are drawn for this task"
    half, sides = lesson.half_width(room), []
    for name, words in zip(("Candidate A", "Candidate B"), exercise.weighed.candidates, strict=True):
        one = replace(exercise, segment=exercise.segment._replace(candidate=words))
        sides.append((name, draws(example_of(one), half)))
    ask = lesson.question_html(question, single_try=True)
    return lesson.paired_screen(title_of(exercise), sides, _rules_html(exercise), ask, broad)


def _tiles_screen_html(exercise: Exercise, draws: Draws, room: int | None) -> str:
    """Return the screen on which the reader makes a sentence from tiles with words.

    Until the sentence is right, the picture has a row for each word of the tiles; the script sorts the rows."""
    task = metrics.sentence_task(exercise)
    laid_tiles = metrics.sentence_tiles(task)
    each, shows = (
        draws(example_of(replace(exercise, segment=exercise.segment._replace(candidate=words))), room)
        for words in (laid_tiles.words_of_sentence(range(len(laid_tiles.tiles))), task.shows)
    )
    board, hunt = tiles.tiles_html(task, laid_tiles), lesson.SearchState(tiles.FIRST, False, False)
    return lesson.tiles_screen(title_of(exercise), board, each, shows, _rules_html(exercise, False), hunt)


def steps_html(exercise: Exercise) -> str:
    """Return the screen with the title and instructions above an exercise's steps, each of which is asked for."""
    given, label = settings_text(exercise), metrics.METRICS[exercise.key].label
    title = f"{label}, step by step{' · ' + given if given else ''}"
    says = "You are asked for each step before it is shown: answer in the picture, by a choice or with a number."
    return lesson.notice_screen(title, says)


def typed_sentence_screen(
    exercise: Exercise,
    reader_example: ChapterExample,
    hunt: lesson.SearchState,
    draws: Draws,
    room: int | None,
    hall: bool = False,
) -> str:
    """Return the screen on which the reader types a sentence that shall have a given score.

    `reader_example` is the reader's sentence with its result, and `hunt` says whether it has that score. `draws` draws
    it, `room` pixels wide; in a lecture `hall` words are larger."""
    return lesson.typed_sentence_screen(
        title_of(exercise), draws(reader_example, room), _rules_html(exercise, False), hunt, room, hall
    )


def _optimal_answers_html(exercise: Exercise) -> str:
    """Return a sentence, as HTML, on how many optimal alignments give the score of the exercise."""
    number, what, _ = exercise.optimal
    one = f"One of the {large_count_text(number)} {what} that give this score is shown."
    return f"<p>{escape(one if number > 1 else exercise.optimal.says())}</p>"
