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
from ..texts import Texts
from . import lesson, tiles
from .chapter import Example
from .lesson import Draws

_LETTER = re.compile(r"(?<![\w-])[a-zα-ω](?![\w-])")  # the letter that a setting has in a formula


def example_of(found: Exercise) -> Example:
    """The sentence of an exercise, with its result."""
    candidate, references = found.segment
    texts = Texts(found.segment, _tokens(candidate), tuple(map(_tokens, references)), TextSettings())
    result = metrics.METRICS[found.key].score(found.segment, found.settings)
    return Example(found.code, " ".join(candidate), "\n".join([" ".join(r) for r in references]), texts, result)


def _tokens(tokens: tuple[str, ...]) -> tuple[Token, ...]:
    out, at = [], 0
    for word in tokens:
        out.append(Token(word, word, at, at + len(word)))
        at += len(word) + 1
    return tuple(out)


def settings_text(found: Exercise) -> str:
    """The settings that are not the defaults, in words; "" where all are.

    >>> settings_text(metrics.exercise("gtm", 7, 3))
    'Exponent e = 3'
    """
    rules = metrics.METRICS[found.key].Settings.rules()
    return ", ".join(
        f"{rules[name].label}{' =' if isinstance(value, int | float) else ':'} {_said(value)}"
        for name, value in found.given.items()
    )


def numbers_text(found: Exercise) -> str:
    """The numbers behind the letters of a definition, the defaults too; "" where it has none.

    >>> numbers_text(metrics.exercise("meteor", 7, 3))
    'α = 0.9, β = 3, γ = 0.25'
    """
    rules, defined = metrics.METRICS[found.key].Settings.rules(), " ".join(metrics.METRICS[found.key].about.formula)
    out = []
    for name, rule in rules.items():
        letter = _LETTER.search(rule.label)
        value = getattr(found.settings, name)
        if letter and letter[0] in defined and isinstance(value, int | float):
            out.append(f"{letter[0]} = {value:g}")
    return ", ".join(out)


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple | list):
        return " and ".join(map(str, value))
    return f"{value:g}" if isinstance(value, int | float) else str(value).replace("_", " ")


def title_of(found: Exercise) -> str:
    """What is to be done.

    >>> title_of(metrics.exercise("gtm", 7, 3))
    'Compute GTM · Exponent e = 3'
    """
    given, label = settings_text(found), metrics.METRICS[found.key].label
    made = metrics.sentence_task(found).text.removesuffix(".") if found.task == "make" else ""
    names = {"score": f"Compute {label}", "which": f"Two candidates, {label}", "make": made}
    return f"{names[found.task]}{' · ' + given if given else ''}"


def exercise_html(found: Exercise, draws: Draws, room: int | None, whole: int | None = None, hall: bool = False) -> str:
    """The screen of an exercise, which is judged in the browser: its score, which of its two candidates is better, or a
    sentence that is laid with tiles. Of the pixels that the `whole` screen has, a picture beside what is asked has
    `room`; in a lecture `hall` words are larger."""
    if found.task == "which":
        broad = hall or len(found.segment.references) > 1
        return _which_html(found, draws, whole if broad else room, broad)
    if found.task == "make":
        return _laid_html(found, draws, room)
    parts = [question for question in metrics.whole_questions(found)[1:] if question.kind == "number"]
    drawn, ask = draws(example_of(found), room), lesson.question_html(found.question, parts, once=True)
    text = f'<div class="folds">{_definition(found)}</div>'
    return lesson.asked_screen(title_of(found), drawn, text, ask, _afterwards(found), room)


def _definition(found: Exercise, outside: bool = True) -> str:
    """The metric's rules, with the numbers with which the score is computed and what other settings do: until the
    answer `outside`, since they are needed then, and afterwards among the rules."""
    metric = metrics.METRICS[found.key]
    rules, numbers = metric.Settings.rules(), numbers_text(found)
    given = [f"{rules[name].label}: {rules[name].help}" for name in found.given]
    said = "".join([f"<p>{theme.safe(text, 1_000)}</p>" for text in ([f"Here {numbers}."] if numbers else []) + given])
    defined = formula.mathml(notation.steps(metric.about.formula))
    words = "".join([f"<p>{theme.safe(text, 4_000)}</p>" for text in metric.about.text])
    outer, inner = "", said
    if said and outside:
        outer, inner = (f'<div class="{when}">{said}</div>' for when in ("before", "after"))
    folded = f'<summary>The rules</summary><div class="formula">{defined}</div>{inner}{words}'
    return f'{outer}<details class="rules">{folded}</details>'


def _which_html(found: Exercise, draws: Draws, room: int | None, broad: bool) -> str:
    """Both candidates beside each other, above the question where they are `broad`; it need not name their words."""
    asked = metrics.which_question(found)
    asked = replace(asked, text=asked.asks)
    assert found.weighed, "two candidates are drawn for this task"
    half, sides = lesson.half_of(room), []
    for name, words in zip(("Candidate A", "Candidate B"), found.weighed.candidates, strict=True):
        one = replace(found, segment=found.segment._replace(candidate=words))
        sides.append((name, draws(example_of(one), half)))
    ask = lesson.question_html(asked, once=True)
    return lesson.paired_screen(title_of(found), sides, _definition(found), ask, broad)


def _laid_html(found: Exercise, draws: Draws, room: int | None) -> str:
    """The picture before the sentence is right has a row for each word of the tiles, in the order that the script
    brings them into."""
    task = metrics.sentence_task(found)
    laid = metrics.sentence_tiles(task)
    each, shows = (
        draws(example_of(replace(found, segment=found.segment._replace(candidate=words))), room)
        for words in (laid.words(range(len(laid.tiles))), task.shows)
    )
    board, hunt = tiles.lines(task, laid), lesson.Hunt(tiles.FIRST, False, False)
    return lesson.laid_screen(title_of(found), board, each, shows, _definition(found, False), hunt)


def steps_html(found: Exercise) -> str:
    """What stands above the steps of an exercise."""
    given, label = settings_text(found), metrics.METRICS[found.key].label
    title = f"{label}, step by step{' · ' + given if given else ''}"
    says = "Every step is asked for before it is shown: answer in the picture, by a choice or a number."
    return lesson.notice(title, says)


def made_html(
    found: Exercise, made: Example, hunt: lesson.Hunt, draws: Draws, room: int | None, hall: bool = False
) -> str:
    """The screen on which a sentence is made that scores so much; `made` is the reader's, and `hunt` what became of
    it."""
    return lesson.made_screen(title_of(found), draws(made, room), _definition(found, False), hunt, room, hall)


def _afterwards(found: Exercise) -> str:
    """How many answers are optimal."""
    number, what, _ = found.optimal
    one = f"One of the {theme.many(number)} {what} that give this score is shown."
    return f"<p>{escape(one if number > 1 else found.optimal.says())}</p>"
