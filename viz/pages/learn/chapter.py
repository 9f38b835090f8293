"""Draw an open chapter of the Learn page: its bar, one screen, and the sentences that the reader can change."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics

from ...components import fragment
from ...components import lesson as component
from ...draw.evidence.fragment import inspector_width
from ...draw.learn import lesson
from ...draw.learn.chapter import EXERCISE, Chapter, ChapterExample, Screen
from ...state.links import codec
from ...state.visit import session
from . import chapter_files, lessons
from . import exercise as learn_exercise
from .record import LearnState

WIDE, GAP, LEAST, MOST, SHARE = 860, 32, 380, 640, 0.37  # as in styles/layout.css


def draw(chapter: Chapter, state: LearnState) -> None:
    """Draw the open screen of `chapter`, or its exercise."""
    following = lessons.next_chapter(state)
    screen, numbers = chapter.screen_numbered(state.screen), chapter.numbers_of_kinds
    player = _player_data(screen, state) if screen and screen.kind == "algorithm" else None
    html, changes = (
        _screen_data(chapter, screen, state)
        if screen
        else learn_exercise.exercise_screen_data(
            chapter, state, _draw_function(state), _picture_width(), fragment.place_width()
        )
    )
    data: dict[str, Any] = {
        "chapter": chapter.storage_name,
        "title": chapter.title,
        "names": [*[each.bar_name for each in chapter.screens], EXERCISE],
        "numbers": numbers,
        "screen": numbers.index(state.screen) + 1 if state.screen in numbers else 1,
        "next": following.key if following else None,
        "present": state.present,
        "html": html,
        "code": state.exercise if screen is None else "",
        "player": None if isinstance(player, str) else player,
        "unplayed": player if isinstance(player, str) else "",
        **changes,
    }
    component.show(data, lambda name, value: handle_event(chapter, name, value))


def handle_event(chapter: Chapter, name: str, value: object) -> None:
    """Handle the event `name` with `value`, which the browser sent from an open chapter."""
    state = st.session_state
    if name == "screen" and (at := codec.parse_sent_number(value, len(chapter.numbers_of_kinds) + 1)):
        lessons.go_to_screen(chapter, chapter.numbers_of_kinds[at - 1])
    elif name == "list":
        lessons.open_chapter("")
        state.whole_page = True
    elif name == "next" and (following := lessons.next_chapter(session.read_state(LearnState))):
        lessons.open_chapter(following.key)
    elif name == "present":
        state.present = bool(value)
    elif name == "again":
        lessons.reset_own_sentences()
    elif screen := chapter.screen_numbered(session.read_state(LearnState).screen):
        _handle_screen_event(screen, name, value)
    else:
        learn_exercise.handle_event(chapter, name, value)


def _handle_screen_event(screen: Screen, name: str, value: object) -> None:
    """Handle an event from `screen`: a typed sentence, another metric, or the button to the Sentence page."""
    state, example = st.session_state, screen.pair[0] if screen.pair else screen.example
    assert example
    if name == "own" and isinstance(value, dict):
        given = {key: str(text) for key, text in value.items()}
        if screen.pair:
            state.twin = given.get("candidate", "") or " "
        else:
            lessons.keep_typed_texts(example, given.get("candidate", ""), given.get("references", ""))
    elif name == "pair" and screen.pair:
        state.twin, state.lesson_load = screen.pair[1].candidate, state.lesson_load + 1
    elif name == "metric" and value in [*metrics.METRICS]:
        state.lesson_metric = "" if value == example.metric else value
    elif name == "sentence":
        lessons.open_example(_sentence_page_example(screen, session.read_state(LearnState)))


def _sentence_page_example(screen: Screen, state: LearnState) -> ChapterExample:
    """Return the example that the Sentence page opens when the reader leaves `screen` for it.

    It holds the sentences as typed, even if they are too long for a lesson."""
    if screen.pair:
        first = screen.pair[0]
        return first._replace(candidate=state.twin or first.candidate)
    assert screen.example
    if screen.kind not in CHANGES:
        return screen.example
    candidate, references = lessons.typed_texts(state, screen.example)
    return lessons.visible_example(state, screen.example)._replace(candidate=candidate, references=references)


CHANGES = ("idea", "algorithm")  # the screens whose sentence the reader can change


def _picture_width() -> int:
    """Return the width in pixels of the picture on a screen, which depends on the width of the window."""
    room = fragment.place_width()
    return room if room < WIDE else room - GAP - int(max(LEAST, min(MOST, SHARE * room)))


def _player_data(screen: Screen, state: LearnState) -> dict[str, Any] | str:
    """Return the data of the step player for the sentence that `screen` shows.

    If the sentence cannot be played, such as when it has too many steps, return a message that says why."""
    assert screen.example
    room = fragment.place_width()
    width, example = room - inspector_width(room), lessons.visible_example(state, screen.example)
    if state.present:
        return chapter_files.step_player(example, int(width / lesson.HALL_BROADER), lesson.HALL_HIGH)
    return chapter_files.step_player(example, width)


def _draw_function(state: LearnState) -> lesson.Draws:
    """Return the function that prepares an example for drawing, in the size of the page or of a lecture hall."""
    return lesson.hall_drawing(chapter_files.drawn_example) if state.present else chapter_files.drawn_example


def _screen_data(chapter: Chapter, screen: Screen, state: LearnState) -> tuple[str, dict[str, Any]]:
    """Return the HTML of `screen`, and the JSON data of the fields and buttons that the reader can use on it."""
    if screen.pair:
        own_example: ChapterExample | str | None = None
        html = lesson.screen_html(
            screen, _draw_function(state), _picture_width(), twin=lessons.own_second_candidate(state, screen.pair[0])
        )
        changed = state.twin or screen.pair[0].candidate
        fields = [_field("candidate", "The second candidate", changed)]
        may_restore = changed != screen.pair[0].candidate
    else:
        assert screen.example
        fields, may_restore = [], False
        own_example, mine = None, None
        if screen.kind in CHANGES:
            own_example, mine = (
                lessons.own_example(state, screen.example),
                lessons.visible_example(state, screen.example),
            )
            candidate, references = lessons.typed_texts(state, screen.example)
            one_a_line = _field("references", "Reference, or several, one per line", references)
            fields = [_field("candidate", "Candidate", candidate), one_a_line]
            may_restore = own_example is not None
        mine, hall = None if mine is screen.example else mine, state.present
        movable = not isinstance(own_example, str)  # else the shown sentence is not the typed one
        html = lesson.screen_html(screen, _draw_function(state), _picture_width(), mine, hall=hall, movable=movable)
    says, load = own_example if isinstance(own_example, str) else "", state.load
    acts = [{"name": "again", "label": "The chapter’s sentence again"}] if may_restore else []
    groups = []
    keys = chapter.step_metrics if screen.kind == "algorithm" else chapter.metrics
    if screen.kind in CHANGES and len(keys) > 1:
        groups = [learn_exercise.metric_group(keys, lessons.metric_of(state, screen.example) if screen.example else "")]
    return html, {
        "groups": groups,
        "new": "",
        "own": {"fields": fields, "says": says, "load": load} if fields else None,
        "acts": [*acts, {"name": "sentence", "label": "Open this on the Sentence page"}],
    }


def _field(name: str, label: str, value: str) -> dict[str, Any]:
    """Return the JSON data of a text field, with one to four rows by the number of lines in `value`."""
    rows = min(4, max(1, value.count("\n") + 1))
    return {"name": name, "label": label, "value": value.strip() and value, "rows": rows}
