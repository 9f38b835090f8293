"""The Learn page's state in Streamlit's session: the chapter and its screen, the sentences of the reader, the exercise.

It has texts and settings of its own, so that a lesson changes nothing on the other pages. Of the reader's sentences
`lesson_candidate` and `lesson_references` stand in the place of an example's where they are not "", and `twin` is what
was made of the first one of a pair; `made` is the sentence that an exercise asks for. `lesson_load` counts what was put
in their place by the page itself.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import streamlit as st

import metrics
from metrics.teach.exercises import MOST_SEED, Exercise, references
from metrics.text import TextSettings, languages
from metrics.types import Settings

from ...draw.learn import exercise as exercises
from ...draw.learn.chapter import EXERCISE_NUMBER, Chapter, Example
from ...draw.learn.lesson import Hunt
from ...state import cache, codec, inputs, session
from ...state.cache import Problem
from ...state.inputs import Missing, Room
from ...state.pages import Chosen
from ..sentence.record import Sentence
from . import chapter_files, own_file
from .chapter_files import Shelf
from .record import Learn

#: What a screen has room for of a sentence of the reader's.
SCREEN = Room(
    words=40,
    references=4,
    ask="Paste {} here.",
    then="",
    fit="fit a lesson",
    shorten="Shorten it, or open it on the Sentence page; your text is kept.",
    remove="Remove lines, or open them on the Sentence page; your text is kept.",
)


def put(shown: Learn, chosen: Chosen) -> Learn:
    """Put what is no plain value of the session into it. An exercise without a chapter is its metric's."""
    state = st.session_state
    if shown.exercise and not shown.chapter:
        known = chapter_files.shelf().chapters
        key = shown.exercise.strip().lower().partition("-")[0]
        found = chapter_files.of_metric(key) or next(iter(known.values()), None)
        shown = replace(shown, chapter=found.key if found else "", screen=EXERCISE_NUMBER)
    state.lesson_text, state.lesson_settings = shown.text, shown.settings
    state.lesson_load = state.get("lesson_load", 0) + 1
    return shown


def read(shown: Learn) -> Learn:
    """The record with the settings of the lesson."""
    state = st.session_state
    text, settings = state.get("lesson_text") or shown.text, state.get("lesson_settings") or {}
    return replace(shown, text=text, settings=settings)


def held(shown: Learn) -> Learn | None:
    """The chapter for a reload, where one is open, and the reader's own."""
    return replace(shown, present=False) if shown.chapter or shown.file else None


# ---------------------------------------------------------------- where one is


def shelf(shown: Learn) -> Shelf:
    """All chapters, the reader's own first."""
    return own_file.shelf(shown.file)


def chapter(shown: Learn) -> Chapter | None:
    """The chapter that is open; None where the list is shown."""
    return shelf(shown).chapters.get(shown.chapter)


def open_chapter(key: str, at: int = 1) -> None:
    """Open a chapter at one of its screens, without sentences of the reader's; "" is the list."""
    state = st.session_state
    present = bool(state.get("present")) and bool(key)
    session.put(Learn(chapter=key, screen=at, present=present, file=state.get("own_file") or ""))


def open_file(text: str) -> None:
    """Keep the file of a chapter of the reader's own, "" for none, and open it where something of it can be shown."""
    st.session_state.own_file = text
    found = own_file.checked(text).chapter if text else None
    open_chapter(found.key if found else "")


def go(of: Chapter, at: int) -> None:
    """Go to the screen with a number in a chapter, the one that is open. What was made of one screen's candidate is not
    another's, and another idea begins with its own sentence."""
    state = st.session_state
    before, after = of.numbered(state.get("screen", 1)), of.numbered(at)
    if before and after and before is not after and before.kind == after.kind == "idea":
        forget_own()
    several = len([screen for screen in of.screens if screen.pair]) > 1
    if not (before and after) or (several and after.pair and before is not after):
        state.twin, state.made, state.lesson_load = "", "", state.lesson_load + 1
    state.screen = at


def following(shown: Learn) -> Chapter | None:
    """The chapter after the one that is open."""
    here = chapter_files.shelf().chapters
    keys = list(here)
    at = keys.index(shown.chapter) if shown.chapter in keys else len(keys)
    return here[keys[at + 1]] if at + 1 < len(keys) else None


# ---------------------------------------------------------------- the reader's sentences


def forget_own() -> None:
    """The chapter's own sentences again."""
    state = st.session_state
    state.lesson_candidate = state.lesson_references = state.twin = ""
    state.lesson_text, state.lesson_settings, state.lesson_metric = TextSettings(), {}, ""
    state.lesson_language = "english"
    state.lesson_load += 1


def metric_of(shown: Learn, example: Example) -> str:
    """The metric with which the reader looks at an example."""
    return shown.metric or example.metric


def own(shown: Learn, example: Example) -> Example | str | None:
    """The reader's sentence in the place of an example, by its metric and settings or those that came with the
    sentence; None where it is the example's, and a sentence where it cannot be shown."""
    return _by_reader(shown, example, *typed(shown, example))


def looked_at(shown: Learn, example: Example) -> Example:
    """What is shown of an example: the reader's sentence, or where it cannot be shown the example's, by the reader's
    metric."""
    found = own(shown, example)
    if isinstance(found, str):
        found = _by_reader(shown, example, example.candidate, example.references)
    return found if isinstance(found, Example) else example


def _by_reader(shown: Learn, example: Example, candidate: str, references: str) -> Example | str | None:
    key = metric_of(shown, example)
    settings = shown.settings_of(key) if shown.settings.get(key) or key != example.metric else example.settings
    settings = settings.of_texts(languages.treated_as(shown.language))
    text = shown.text if shown.text != TextSettings() else example.texts.settings
    same = (candidate, references) == (example.candidate, example.references)
    if same and (key, settings) == (example.metric, example.settings):
        return None
    return scored("yours", candidate, references, key, settings, text)


def typed(shown: Learn, example: Example) -> tuple[str, str]:
    """The candidate and the references as the reader has them."""
    return shown.candidate or example.candidate, shown.references or example.references


def type_own(example: Example, candidate: str, references: str) -> None:
    """Take what the reader has typed in the place of an example."""
    state = st.session_state
    state.lesson_candidate = "" if candidate == example.candidate else candidate or " "
    state.lesson_references = "" if references == example.references else references or " "


def twin(shown: Learn, first: Example) -> Example | str:
    """What the reader has made of the first one of a pair; a sentence where it cannot be scored."""
    candidate = shown.twin or first.candidate
    return scored("yours", candidate, first.references, first.metric, first.settings, first.texts.settings)


def scored(
    name: str, candidate: str, references: str, key: str, settings: Settings, text: TextSettings
) -> Example | str:
    """A sentence with its result, or what is missing or too long, by how much."""
    texts = inputs.read(candidate, references, text, SCREEN)
    if isinstance(texts, Missing):
        return str(texts)
    result = cache.score(key, texts.segment, settings)
    if isinstance(result, Problem):
        return str(result)
    return Example(name, candidate, references, texts, result)


# ---------------------------------------------------------------- from and to the Sentence page


def of_sentence(shown: Sentence) -> Learn:
    """The chapter of the metric on what the Sentence page shows."""
    found, changed = chapter_files.of_metric(shown.metric), shown.settings.get(shown.metric)
    return Learn(
        chapter=found.key if found else "",
        screen=2,
        candidate=shown.candidate,
        references=shown.references,
        metric=shown.metric,
        text=shown.text,
        settings={shown.metric: changed} if changed else {},
        language=shown.language,
        file=st.session_state.get("own_file") or "",
    )


def to_sentence(example: Example) -> Sentence:
    """A sentence of a chapter as the Sentence page shows it."""
    changed = codec.changed(example.settings)
    return Sentence(
        candidate=example.candidate,
        references=example.references,
        text=example.texts.settings,
        metric=example.metric,
        settings={example.metric: changed} if changed else {},
    )


# ---------------------------------------------------------------- exercises


def exercise(shown: Learn, of: Chapter) -> Exercise | str:
    """The exercise that is shown, a first one of the chapter where none is named; a sentence where the one that is
    named is not known."""
    code = shown.exercise or first_code(of)
    found = cache.bounded(code, lambda: _exercise(code))
    return str(found) if isinstance(found, Problem) else found


def first_code(of: Chapter) -> str:
    """The exercise with which a chapter begins."""
    wanted = of.exercise
    level = wanted.levels[0]
    metric = metrics.METRICS[wanted.metric]
    seed = next(n for n in range(1, MOST_SEED) if references(metric, level, n) >= wanted.references)
    return _code(wanted.metric, level, seed, wanted.task)


def _code(key: str, level: int, seed: int, task: str) -> str:
    return f"{key}-{level}-{seed}{'' if task == 'score' else f'-{task}'}"


@lru_cache(maxsize=256)
def _exercise(code: str) -> Exercise | str:
    try:
        return metrics.exercise_of(code)
    except ValueError as error:
        return f"{str(error).removesuffix('.')}."


def new_exercise(of: Chapter, key: str, level: int, task: str = "score", seed: int = 0) -> None:
    """Take another exercise of a metric, a level and a task, or the one of a seed. One of a metric and level that the
    chapter has, has as many references as the chapter wants."""
    least = of.exercise.references if key in of.metrics and level in of.exercise.levels else 1
    while not seed or references(metrics.METRICS[key], level, seed) < least:
        seed = random.randint(1, MOST_SEED)
    st.session_state.exercise = _code(key, level, seed, task)
    st.session_state.made = ""
    st.session_state.lesson_load += 1


def made(shown: Learn, found: Exercise) -> tuple[str, Example, Hunt]:
    """The sentence that the reader makes, at first a reference, so that it does not show what the exercise's candidate
    scores: as it is typed, with its result, and whether it scores what is wanted. One that cannot be judged is said,
    and the reference stands in its place."""
    first = exercises.example_of(replace(found, segment=found.segment._replace(candidate=found.segment.references[0])))
    text = shown.made or first.candidate
    task = metrics.sentence_task(found)
    try:
        verdict = metrics.judge_sentence(task, text)
    except ValueError as error:
        return text, first, Hunt(str(error), False)
    mine = scored("yours", text, first.references, first.metric, first.settings, first.texts.settings)
    if isinstance(mine, str):
        return text, first, Hunt(mine, False)
    return text, mine, Hunt(verdict.because, verdict.how != "no")


def make(found: Exercise, text: str | None) -> None:
    """Take a sentence that was typed, or where there is None one that is right."""
    state = st.session_state
    if text is None:
        state.made = " ".join(metrics.sentence_task(found).shows)
        state.lesson_load += 1
    else:
        state.made = text or " "
