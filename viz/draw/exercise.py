"""An exercise as it is drawn: the words and their matches, the question, and what is seen afterwards."""

from __future__ import annotations

from html import escape

import metrics
from metrics import formula, notation
from metrics.questions.exercises import Exercise
from metrics.text import TextSettings, Token
from viz.draw import lesson, theme
from viz.draw.chapter import Example
from viz.draw.lesson import Draws
from viz.draw.texts import Texts


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
    return ", ".join(f"{rules[name].label} = {_said(value)}" for name, value in found.given.items())


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple | list):
        return " and ".join(map(str, value))
    return f"{value:g}" if isinstance(value, int | float) else str(value).replace("_", " ")


def title_of(found: Exercise) -> str:
    """What is to be computed.

    >>> title_of(metrics.exercise("gtm", 7, 3))
    'Compute GTM · Exponent e = 3'
    """
    given = settings_text(found)
    return f"Compute {metrics.METRICS[found.key].label}{' · ' + given if given else ''}"


def exercise_html(found: Exercise, draws: Draws, room: int | None, task: str = "score") -> str:
    """The screen of an exercise, which `lesson.js` judges: the score is asked for, or which candidate is better."""
    drawn = draws(example_of(found), room)
    question = found.question if task == "score" else metrics.whole_questions(found)[-1]
    title = title_of(found) if task == "score" else f"Which scores higher?{_with(found)}"
    ask, after = lesson.question_html(question), _afterwards(found) if task == "score" else ""
    return lesson.asked_screen(title, drawn, _definition(found), ask, after, room)


def sentence_html(
    found: Exercise, draws: Draws, room: int | None, typed: Example | None, says: str, right: bool
) -> str:
    """The screen on which a sentence is typed; `says` is what the core says of it, and `right` whether it is right."""
    drawn = draws(typed or example_of(found), room)
    task = metrics.sentence_task(found)
    return lesson.typed_screen(f"A sentence{_with(found)}", drawn, _definition(found), task.text, says, right, room)


def _with(found: Exercise) -> str:
    given = settings_text(found)
    return f" · {metrics.METRICS[found.key].label}{', ' + given if given else ''}"


def _definition(found: Exercise) -> str:
    """The metric's formula, which can be opened."""
    defined = formula.mathml(notation.steps(metrics.METRICS[found.key].about.formula))
    return f'<details><summary>The definition</summary><div class="formula">{defined}</div></details>'


def _afterwards(found: Exercise) -> str:
    """How many answers are optimal."""
    number, what, _ = found.optimal
    one = f"One of the {theme.many(number)} {what} that give this score is shown." if number > 1 else ""
    return f"<p>{escape(one)}</p>" if one else ""
