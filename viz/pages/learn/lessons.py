"""Read and write the Learn page's part of Streamlit's session: chapter, screen, the reader's sentences, the exercise.

The page has texts and settings of its own, so that a lesson changes nothing on the other pages. Its session keys:

- `lesson_candidate`, `lesson_references`: the reader's sentences; "" where the example's own are shown.
- `twin`: the reader's version of the first candidate of a pair, which should keep its score and change its meaning.
- `made`: the sentence that the reader makes for an exercise.
- `lesson_load`: a counter, raised whenever the page itself replaces one of these sentences."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

import metrics
from metrics.teach.exercises import MOST_SEED, Exercise, count_references
from metrics.text import TextSettings, languages
from metrics.types import Settings

from ...draw.learn import exercise as exercises
from ...draw.learn.chapter import EXERCISE_NUMBER, Chapter, ChapterExample
from ...draw.learn.lesson import SearchState
from ...state.links import codec, pages
from ...state.links.pages import FieldFilter
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts import inputs
from ...state.texts.inputs import MissingText, TextLimits
from ...state.visit import session
from . import chapter_files, own_chapter_file
from .chapter_files import Shelf
from .record import LearnState

#: The size limits of a reader's sentence on a screen.
SCREEN = TextLimits(
    words=40,
    references=4,
    ask="Paste {} here.",
    advice="",
    fit="fit a lesson",
    shorten="Shorten it, or open it on the Sentence page; your text is kept.",
    remove="Remove lines, or open them on the Sentence page; your text is kept.",
)


def store_state(page_state: LearnState, chosen: FieldFilter) -> LearnState:
    """Write the text processing and settings of `page_state` into the session, and return the state to go on with.

    They are not plain values, so the session does not write them itself. An exercise without a chapter opens in the
    chapter of its metric. `chosen` is ignored."""
    state = st.session_state
    if page_state.exercise and not page_state.chapter:
        chapters = chapter_files.shelf().chapters
        key = page_state.exercise.strip().lower().partition("-")[0]
        metric_chapter = chapter_files.chapter_of_metric(key) or next(iter(chapters.values()), None)
        page_state = replace(page_state, chapter=metric_chapter.key if metric_chapter else "", screen=EXERCISE_NUMBER)
    state.lesson_text, state.lesson_settings = page_state.text, page_state.settings
    state.lesson_load = state.get("lesson_load", 0) + 1
    return page_state


def read(page_state: LearnState) -> LearnState:
    """Return the state completed with the text processing and settings of the lesson."""
    state = st.session_state
    text, settings = state.get("lesson_text") or page_state.text, state.get("lesson_settings") or {}
    return replace(page_state, text=text, settings=settings)


def reload_state(state: LearnState) -> LearnState | None:
    """Return the state to keep for a reload; None if neither a chapter nor a file of the reader's own is open."""
    return replace(state, present=False) if state.chapter or state.file else None


# ---------------------------------------------------------------- the open chapter and screen


def shelf(state: LearnState) -> Shelf:
    """Return all chapters, the reader's own first, and the messages on their files."""
    return own_chapter_file.shelf(state.file)


def chapter(state: LearnState) -> Chapter | None:
    """Return the open chapter; None if the list of chapters is shown."""
    return shelf(state).chapters.get(state.chapter)


def open_chapter(key: str, at: int = 1) -> None:
    """Open the chapter `key` at screen number `at`, without the reader's sentences; "" opens the list of chapters."""
    state = st.session_state
    present = bool(state.get("present")) and bool(key)
    session.store_state(LearnState(chapter=key, screen=at, present=present, file=state.get("own_file") or ""))


def open_file(text: str) -> None:
    """Keep `text` as the file of the reader's own chapter, and open that chapter as far as it is valid.

    "" removes the file."""
    st.session_state.own_file = text
    own_chapter = own_chapter_file.checked(text).chapter if text else None
    open_chapter(own_chapter.key if own_chapter else "")


def go_to_screen(chapter_to_show: Chapter, at: int) -> None:
    """Go to screen number `at` of the open chapter `chapter_to_show`.

    Another screen of the kind “idea” starts with its own sentence. What the reader made of one screen's candidate is
    dropped where it does not belong to the new screen."""
    state = st.session_state
    before, after = chapter_to_show.screen_numbered(state.get("screen", 1)), chapter_to_show.screen_numbered(at)
    if before and after and before is not after and before.kind == after.kind == "idea":
        reset_own_sentences()
    several = len([screen for screen in chapter_to_show.screens if screen.pair]) > 1
    if not (before and after) or (several and after.pair and before is not after):
        state.twin, state.made, state.lesson_load = "", "", state.lesson_load + 1
    state.screen = at


def next_chapter(state: LearnState) -> Chapter | None:
    """Return the chapter after the open one; None after the last one."""
    chapters = chapter_files.shelf().chapters
    keys = list(chapters)
    at = keys.index(state.chapter) if state.chapter in keys else len(keys)
    return chapters[keys[at + 1]] if at + 1 < len(keys) else None


# ---------------------------------------------------------------- the reader's sentences


def reset_own_sentences() -> None:
    """Show the chapter's own sentences, metric and settings again, in place of the reader's."""
    state = st.session_state
    state.lesson_candidate = state.lesson_references = state.twin = ""
    state.lesson_text, state.lesson_settings, state.lesson_metric = TextSettings(), {}, ""
    state.lesson_language = "english"
    state.lesson_load += 1


def metric_of(state: LearnState, example: ChapterExample) -> str:
    """Return the key of the metric that scores `example` for the reader: the chosen one, else the example's own."""
    return state.metric or example.metric


def own_example(state: LearnState, example: ChapterExample) -> ChapterExample | str | None:
    """Return the reader's version of `example`, scored by the reader's metric and settings.

    Return None if the reader has changed nothing, and a message if the texts cannot be scored."""
    return _scored_by_reader(state, example, *typed_texts(state, example))


def visible_example(state: LearnState, example: ChapterExample) -> ChapterExample:
    """Return the example to show: the reader's version of `example` if it can be scored.

    Otherwise return the example's own sentences by the reader's metric, or `example` itself."""
    own_or_problem = own_example(state, example)
    if isinstance(own_or_problem, str):
        own_or_problem = _scored_by_reader(state, example, example.candidate, example.references)
    return own_or_problem if isinstance(own_or_problem, ChapterExample) else example


def _scored_by_reader(
    state: LearnState, example: ChapterExample, candidate: str, references: str
) -> ChapterExample | str | None:
    """Return the given texts scored by the metric and the settings that the reader has chosen.

    Return None if nothing differs from `example`, and a message if the texts cannot be scored."""
    key = metric_of(state, example)
    settings = state.settings_of(key) if state.settings.get(key) or key != example.metric else example.settings
    settings = settings.of_texts(languages.language_for_stems(state.language))
    text = state.text if state.text != TextSettings() else example.texts.settings
    texts_unchanged = (candidate, references) == (example.candidate, example.references)
    if texts_unchanged and (key, settings) == (example.metric, example.settings):
        return None
    return scored("yours", candidate, references, key, settings, text)


def typed_texts(state: LearnState, example: ChapterExample) -> tuple[str, str]:
    """Return the candidate and the references as the reader has typed them; where nothing was typed, the example's."""
    return state.candidate or example.candidate, state.references or example.references


def keep_typed_texts(example: ChapterExample, candidate: str, references: str) -> None:
    """Keep the candidate and the references that the reader typed in place of the example's in the session."""
    state = st.session_state
    state.lesson_candidate = "" if candidate == example.candidate else candidate or " "
    state.lesson_references = "" if references == example.references else references or " "


def own_second_candidate(state: LearnState, first: ChapterExample) -> ChapterExample | str:
    """Return the reader's version of the first candidate of a pair, scored; a message if it cannot be scored."""
    candidate = state.twin or first.candidate
    return scored("yours", candidate, first.references, first.metric, first.settings, first.texts.settings)


def scored(
    name: str, candidate: str, references: str, key: str, settings: Settings, text: TextSettings
) -> ChapterExample | str:
    """Return an example of two typed texts with the result of the metric `key`.

    Return a message if a text is missing, too long or too hard to score."""
    texts = inputs.read_texts(candidate, references, text, SCREEN)
    if isinstance(texts, MissingText):
        return str(texts)
    result = cache.score(key, texts.segment, settings)
    if isinstance(result, Problem):
        return str(result)
    return ChapterExample(name, candidate, references, texts, result)


# ---------------------------------------------------------------- from and to the Sentence page


def state_from_sentence(state: Any) -> LearnState | None:
    """Return the Learn page's state that shows another page's candidate in the chapter of its metric.

    `state` is that page's state; None if no chapter explains its metric."""
    metric_chapter, changed = chapter_files.chapter_of_metric(state.metric), state.settings.get(state.metric)
    if not metric_chapter:
        return None
    return LearnState(
        chapter=metric_chapter.key,
        screen=2,
        candidate=state.candidate,
        references=state.references,
        metric=state.metric,
        text=state.text,
        settings={state.metric: changed} if changed else {},
        language=state.language,
        file=st.session_state.get("own_file") or "",
    )


def open_example(example: ChapterExample) -> None:
    """Open the page for one candidate with the texts of an example."""
    changed = codec.changed_settings(example.settings)
    shared = {
        "references": example.references,
        "text": example.texts.settings,
        "metric": example.metric,
        "settings": {example.metric: changed} if changed else {},
    }
    if to := pages.state_with_outputs([("", example.candidate)], shared):
        session.restore(to, [])
        st.session_state.whole_page = True


# ---------------------------------------------------------------- exercises


def exercise(state: LearnState, of: Chapter) -> Exercise | str:
    """Return the exercise that is shown, by default the first one of the chapter `of`.

    Return a message if the state names an exercise that does not exist."""
    code = state.exercise or first_code(of)
    result = cache.bounded(code, lambda: _exercise_of_code(code))
    return str(result) if isinstance(result, Problem) else result


def first_code(of: Chapter) -> str:
    """Return the code of the exercise with which the chapter `of` begins; a code names an exercise in links."""
    request = of.exercise
    level = request.levels[0]
    metric = metrics.METRICS[request.metric]
    seed = next(n for n in range(1, MOST_SEED) if count_references(metric, level, n) >= request.references)
    return _exercise_code(request.metric, level, seed, request.task)


def _exercise_code(key: str, level: int, seed: int, task: str) -> str:
    """Return the code that names an exercise in links: metric, level and seed, and the task unless it is “score”."""
    return f"{key}-{level}-{seed}{'' if task == 'score' else f'-{task}'}"


@lru_cache(maxsize=256)
def _exercise_of_code(code: str) -> Exercise | str:
    """Return the exercise that a code names, or a message if there is none."""
    try:
        return metrics.exercise_of(code)
    except ValueError as error:
        return f"{str(error).removesuffix('.')}."


def new_exercise(of: Chapter, key: str, level: int, task: str = "score", seed: int = 0) -> None:
    """Choose an exercise with a metric, a level, a task and a seed; the seed 0 stands for a random one.

    At a metric and level of the chapter `of`, the exercise has at least as many references as the chapter asks for."""
    least = of.exercise.references if key in of.metrics and level in of.exercise.levels else 1
    while not seed or count_references(metrics.METRICS[key], level, seed) < least:
        seed = random.randint(1, MOST_SEED)
    st.session_state.exercise = _exercise_code(key, level, seed, task)
    st.session_state.made = ""
    st.session_state.lesson_load += 1


def made_sentence(state: LearnState, current_exercise: Exercise) -> tuple[str, ChapterExample, SearchState]:
    """Return the sentence that the reader makes for an exercise: as typed, with its result, and whether it is right.

    It starts as a reference, so that it does not give away the score of the exercise's candidate. If the typed
    sentence cannot be scored, the verdict says why, and the result is that of the reference."""
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
        return text, first, SearchState(str(error), False)
    mine = scored("yours", text, first.references, first.metric, first.settings, first.texts.settings)
    if isinstance(mine, str):
        return text, first, SearchState(mine, False)
    return text, mine, SearchState(verdict.because, verdict.how != "no")


def set_made_sentence(current_exercise: Exercise, text: str | None) -> None:
    """Keep the sentence that the reader typed for an exercise; None stands for “show me” and keeps a right one."""
    state = st.session_state
    if text is None:
        state.made = " ".join(metrics.sentence_task(current_exercise).shows)
        state.lesson_load += 1
    else:
        state.made = text or " "
