"""Draw the last screen of a chapter: an exercise on one of its metrics, at one of three levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import metrics
from metrics.teach.exercises import LEVEL_NAMES, LEVELS, TASKS, Exercise
from metrics.teach.tiles import words_of_task

from ...draw.learn import exercise, lesson
from ...draw.learn.chapter import Chapter, ChapterExample
from ...state.links import codec
from ...state.visit import session
from . import lessons
from .record import LearnState

#: The labels of the tasks on their buttons.
_TASK_LABELS = {"score": "Score", "which": "Which is better", "make": "Make a sentence"}


def exercise_screen_data(
    chapter: Chapter, state: LearnState, draws: lesson.Draws, room: int, whole: int
) -> tuple[str, dict[str, Any]]:
    """Return the HTML of the exercise, and the JSON data of the fields and buttons that the reader can use.

    The screen is `whole` pixels wide, of which a picture next to the question gets `room`; `draws` prepares an
    example for drawing. The task “make” has a field for a sentence, which is typed or built of the offered words. If
    the link names an exercise that does not exist, the HTML says so, and only another exercise is offered."""
    current_exercise = lessons.exercise(state, chapter)
    key, level, task, _ = _exercise_choices(chapter, current_exercise)
    own_sentence, hall = None, state.present
    if isinstance(current_exercise, str):
        html = lesson.notice_screen("Exercise", current_exercise)
    elif task == "make":
        text, example, hunt = lessons.made_sentence(state, current_exercise)
        html = exercise.typed_sentence_screen(current_exercise, example, hunt, draws, room, hall)
        field = {"name": "candidate", "label": "Your sentence", "value": text.strip() and text, "rows": 1}
        offered = words_of_task(metrics.sentence_task(current_exercise))
        own_sentence = {"fields": [field], "says": "", "load": state.load, "words": offered}
    else:
        html = exercise.exercise_html(current_exercise, draws, room, whole)
    keys = chapter.exercise_metrics if key in chapter.exercise_metrics else (*chapter.exercise_metrics, key)
    levels = sorted({*chapter.exercise.levels, level})
    groups = [metric_group(keys, key)] if len(keys) > 1 else []
    if len(levels) > 1:
        groups.append(_choice_group("level", [(each, str(each), LEVEL_NAMES[each]) for each in levels], level))
    groups.append(_choice_group("task", [(each, _TASK_LABELS[each], says) for each, says in TASKS.items()], task))
    acts = (
        [] if isinstance(current_exercise, str) else [{"name": "sentence", "label": "Open this on the Sentence page"}]
    )
    return html, {"own": own_sentence, "groups": groups, "new": "New exercise", "acts": acts}


def metric_group(keys: Sequence[str], chosen: str) -> dict[str, Any]:
    """Return the JSON data of the choice among the metrics with these keys."""
    return _choice_group(
        "metric", [(key, metrics.METRICS[key].label, metrics.METRICS[key].name) for key in keys], chosen
    )


def _choice_group(name: str, options: Sequence[tuple[object, str, str]], chosen: object) -> dict[str, Any]:
    """Return the JSON data of a row of buttons; each option is a value, its label, and what it means."""
    return {"name": name, "label": name.capitalize(), "options": [*map(list, options)], "chosen": chosen}


def _exercise_choices(chapter: Chapter, current_exercise: Exercise | str) -> tuple[str, int, str, int]:
    """Return metric, level, task and seed of the exercise; the chapter's defaults if it is only a message."""
    if isinstance(current_exercise, str):
        return chapter.exercise.metric, chapter.exercise.levels[0], chapter.exercise.task, 0
    return current_exercise.key, current_exercise.level, current_exercise.task, current_exercise.seed


def handle_event(chapter: Chapter, name: str, value: object) -> None:
    """Handle the event `name` with `value`, which the browser sent from an exercise."""
    state = session.read_state(LearnState)
    current_exercise = lessons.exercise(state, chapter)
    key, level, task, seed = _exercise_choices(chapter, current_exercise)
    if name == "new":
        lessons.new_exercise(chapter, key, level, task)
    elif name == "level" and (new := codec.parse_sent_number(value, LEVELS[-1] + 1)):
        lessons.new_exercise(chapter, key, new, task)
    elif name == "metric" and value in [each for each, metric in metrics.METRICS.items() if metric.plans]:
        lessons.new_exercise(chapter, str(value), level, task)
    elif name == "task" and value in [*TASKS]:
        lessons.new_exercise(chapter, key, level, str(value), seed)
    elif isinstance(current_exercise, str):
        return
    elif name == "own" and isinstance(value, dict):
        lessons.set_made_sentence(current_exercise, str(value.get("candidate", "")))
    elif name == "pair":
        lessons.set_made_sentence(current_exercise, None)
    elif name == "sentence":
        lessons.open_example(_sentence_page_example(state, current_exercise))


def _sentence_page_example(state: LearnState, current_exercise: Exercise) -> ChapterExample:
    """Return the example that the Sentence page opens when the reader leaves the exercise for it."""
    return (
        lessons.made_sentence(state, current_exercise)[1]
        if current_exercise.task == "make"
        else exercise.example_of(current_exercise)
    )
