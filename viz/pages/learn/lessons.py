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
from ...draw.learn.chapter import EXERCISE_NUMBER, Chapter, ChapterExample
from ...draw.learn.lesson import Hunt
from ...state import cache, codec, inputs, session
from ...state.cache import Problem
from ...state.inputs import MissingText, TextRoom
from ...state.pages import FieldFilter
from ..sentence.record import SentenceState
from . import chapter_files, own_chapter_file
from .chapter_files import Shelf
from .record import LearnState

#: What a screen has room for of a sentence of the reader's.
SCREEN = TextRoom(
    words=40,
    references=4,
    ask="Paste {} here.",
    advice="",
    fit="fit a lesson",
    shorten="Shorten it, or open it on the Sentence page; your text is kept.",
    remove="Remove lines, or open them on the Sentence page; your text is kept.",
)


def store_state(page_state: LearnState, chosen: FieldFilter) -> LearnState:
    """Put what is no plain value of the session into it. An exercise without a chapter is its metric's."""
    state = st.session_state
    if page_state.exercise and not page_state.chapter:
        chapters = chapter_files.shelf().chapters
        key = page_state.exercise.strip().lower().partition("-")[0]
        metric_chapter = chapter_files.of_metric(key) or next(iter(chapters.values()), None)
        page_state = replace(page_state, chapter=metric_chapter.key if metric_chapter else "", screen=EXERCISE_NUMBER)
    state.lesson_text, state.lesson_settings = page_state.text, page_state.settings
    state.lesson_load = state.get("lesson_load", 0) + 1
    return page_state


def read(page_state: LearnState) -> LearnState:
    """The record with the settings of the lesson."""
    state = st.session_state
    text, settings = state.get("lesson_text") or page_state.text, state.get("lesson_settings") or {}
    return replace(page_state, text=text, settings=settings)


def reload_state(state: LearnState) -> LearnState | None:
    """The chapter for a reload, where one is open, and the reader's own."""
    return replace(state, present=False) if state.chapter or state.file else None


# ---------------------------------------------------------------- where one is


def shelf(state: LearnState) -> Shelf:
    """All chapters, the reader's own first."""
    return own_chapter_file.shelf(state.file)


def chapter(state: LearnState) -> Chapter | None:
    """The chapter that is open; None where the list is shown."""
    return shelf(state).chapters.get(state.chapter)


def open_chapter(key: str, at: int = 1) -> None:
    """Open a chapter at one of its screens, without sentences of the reader's; "" is the list."""
    state = st.session_state
    present = bool(state.get("present")) and bool(key)
    session.store_state(LearnState(chapter=key, screen=at, present=present, file=state.get("own_file") or ""))


def open_file(text: str) -> None:
    """Keep the file of a chapter of the reader's own, "" for none, and open it where something of it can be shown."""
    st.session_state.own_file = text
    own_chapter = own_chapter_file.checked(text).chapter if text else None
    open_chapter(own_chapter.key if own_chapter else "")


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


def following(state: LearnState) -> Chapter | None:
    """The chapter after the one that is open."""
    chapters = chapter_files.shelf().chapters
    keys = list(chapters)
    at = keys.index(state.chapter) if state.chapter in keys else len(keys)
    return chapters[keys[at + 1]] if at + 1 < len(keys) else None


# ---------------------------------------------------------------- the reader's sentences


def forget_own() -> None:
    """The chapter's own sentences again."""
    state = st.session_state
    state.lesson_candidate = state.lesson_references = state.twin = ""
    state.lesson_text, state.lesson_settings, state.lesson_metric = TextSettings(), {}, ""
    state.lesson_language = "english"
    state.lesson_load += 1


def metric_of(state: LearnState, example: ChapterExample) -> str:
    """The metric with which the reader looks at an example."""
    return state.metric or example.metric


def own_example(state: LearnState, example: ChapterExample) -> ChapterExample | str | None:
    """The reader's sentence in the place of an example, by its metric and settings or those that came with the
    sentence; None where it is the example's, and a sentence where it cannot be shown."""
    return _by_reader(state, example, *typed_texts(state, example))


def visible_example(state: LearnState, example: ChapterExample) -> ChapterExample:
    """What is shown of an example: the reader's sentence, or where it cannot be shown the example's, by the reader's
    metric."""
    own_or_problem = own_example(state, example)
    if isinstance(own_or_problem, str):
        own_or_problem = _by_reader(state, example, example.candidate, example.references)
    return own_or_problem if isinstance(own_or_problem, ChapterExample) else example


def _by_reader(
    state: LearnState, example: ChapterExample, candidate: str, references: str
) -> ChapterExample | str | None:
    key = metric_of(state, example)
    settings = state.settings_of(key) if state.settings.get(key) or key != example.metric else example.settings
    settings = settings.of_texts(languages.treated_as(state.language))
    text = state.text if state.text != TextSettings() else example.texts.settings
    texts_unchanged = (candidate, references) == (example.candidate, example.references)
    if texts_unchanged and (key, settings) == (example.metric, example.settings):
        return None
    return scored("yours", candidate, references, key, settings, text)


def typed_texts(state: LearnState, example: ChapterExample) -> tuple[str, str]:
    """The candidate and the references as the reader has them."""
    return state.candidate or example.candidate, state.references or example.references


def type_own(example: ChapterExample, candidate: str, references: str) -> None:
    """Take what the reader has typed in the place of an example."""
    state = st.session_state
    state.lesson_candidate = "" if candidate == example.candidate else candidate or " "
    state.lesson_references = "" if references == example.references else references or " "


def twin(state: LearnState, first: ChapterExample) -> ChapterExample | str:
    """What the reader has made of the first one of a pair; a sentence where it cannot be scored."""
    candidate = state.twin or first.candidate
    return scored("yours", candidate, first.references, first.metric, first.settings, first.texts.settings)


def scored(
    name: str, candidate: str, references: str, key: str, settings: Settings, text: TextSettings
) -> ChapterExample | str:
    """A sentence with its result, or what is missing or too long, by how much."""
    texts = inputs.read(candidate, references, text, SCREEN)
    if isinstance(texts, MissingText):
        return str(texts)
    result = cache.score(key, texts.segment, settings)
    if isinstance(result, Problem):
        return str(result)
    return ChapterExample(name, candidate, references, texts, result)


# ---------------------------------------------------------------- from and to the Sentence page


def of_sentence(state: SentenceState) -> LearnState:
    """The chapter of the metric on what the Sentence page shows."""
    metric_chapter, changed = chapter_files.of_metric(state.metric), state.settings.get(state.metric)
    return LearnState(
        chapter=metric_chapter.key if metric_chapter else "",
        screen=2,
        candidate=state.candidate,
        references=state.references,
        metric=state.metric,
        text=state.text,
        settings={state.metric: changed} if changed else {},
        language=state.language,
        file=st.session_state.get("own_file") or "",
    )


def to_sentence(example: ChapterExample) -> SentenceState:
    """A sentence of a chapter as the Sentence page shows it."""
    changed = codec.changed(example.settings)
    return SentenceState(
        candidate=example.candidate,
        references=example.references,
        text=example.texts.settings,
        metric=example.metric,
        settings={example.metric: changed} if changed else {},
    )


# ---------------------------------------------------------------- exercises


def exercise(state: LearnState, of: Chapter) -> Exercise | str:
    """The exercise that is shown, a first one of the chapter where none is named; a sentence where the one that is
    named is not known."""
    code = state.exercise or first_code(of)
    result = cache.bounded(code, lambda: _exercise(code))
    return str(result) if isinstance(result, Problem) else result


def first_code(of: Chapter) -> str:
    """The exercise with which a chapter begins."""
    request = of.exercise
    level = request.levels[0]
    metric = metrics.METRICS[request.metric]
    seed = next(n for n in range(1, MOST_SEED) if references(metric, level, n) >= request.references)
    return _code(request.metric, level, seed, request.task)


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


def made_sentence(state: LearnState, current_exercise: Exercise) -> tuple[str, ChapterExample, Hunt]:
    """The sentence that the reader makes, at first a reference, so that it does not show what the exercise's candidate
    scores: as it is typed, with its result, and whether it scores what is wanted. One that cannot be judged is said,
    and the reference stands in its place."""
    first = exercises.example_of(
        replace(
            current_exercise,
            segment=current_exercise.segment._replace(candidate=current_exercise.segment.references[0]),
        )
    )
    text = state.made or first.candidate
    task = metrics.sentence_task(current_exercise)
    try:
        verdict = metrics.judge_sentence(task, text)
    except ValueError as error:
        return text, first, Hunt(str(error), False)
    mine = scored("yours", text, first.references, first.metric, first.settings, first.texts.settings)
    if isinstance(mine, str):
        return text, first, Hunt(mine, False)
    return text, mine, Hunt(verdict.because, verdict.how != "no")


def make(current_exercise: Exercise, text: str | None) -> None:
    """Take a sentence that was typed, or where there is None one that is right."""
    state = st.session_state
    if text is None:
        state.made = " ".join(metrics.sentence_task(current_exercise).shows)
        state.lesson_load += 1
    else:
        state.made = text or " "
