"""A chapter: its bar, the sentences that can be changed, and one of its screens."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics

from ...components import fragment
from ...components import lesson as component
from ...draw.evidence.fragment import inspector_width
from ...draw.learn import lesson
from ...draw.learn.chapter import EXERCISE, Chapter, ChapterExample, Screen
from ...state import codec, session
from . import chapter_files, lessons
from . import exercise as learn_exercise
from .record import LearnState

WIDE, GAP, LEAST, MOST, SHARE = 860, 32, 380, 640, 0.37  # as styles/layout.css divides a screen


def draw(chapter: Chapter, state: LearnState) -> None:
    """The screen that is open."""
    following = lessons.following(state)
    screen, numbers = chapter.numbered(state.screen), chapter.numbers
    player = _player(screen, state) if screen and screen.kind == "algorithm" else None
    html, changes = (
        _screen(chapter, screen, state)
        if screen
        else learn_exercise.screen(chapter, state, _draws(state), _room(), fragment.room())
    )
    data: dict[str, Any] = {
        "chapter": chapter.mark,
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
    """Do what the reader asks for."""
    state = st.session_state
    if name == "screen" and (at := codec.number_sent(value, len(chapter.numbers) + 1)):
        lessons.go(chapter, chapter.numbers[at - 1])
    elif name == "list":
        lessons.open_chapter("")
        state.whole_page = True
    elif name == "next" and (following := lessons.following(session.read_state(LearnState))):
        lessons.open_chapter(following.key)
    elif name == "present":
        state.present = bool(value)
    elif name == "again":
        lessons.forget_own()
    elif screen := chapter.numbered(session.read_state(LearnState).screen):
        _of_screen(screen, name, value)
    else:
        learn_exercise.handle_event(chapter, name, value)


def _of_screen(screen: Screen, name: str, value: object) -> None:
    state, example = st.session_state, screen.pair[0] if screen.pair else screen.example
    assert example
    if name == "own" and isinstance(value, dict):
        given = {key: str(text) for key, text in value.items()}
        if screen.pair:
            state.twin = given.get("candidate", "") or " "
        else:
            lessons.type_own(example, given.get("candidate", ""), given.get("references", ""))
    elif name == "pair" and screen.pair:
        state.twin, state.lesson_load = screen.pair[1].candidate, state.lesson_load + 1
    elif name == "metric" and value in [*metrics.METRICS]:
        state.lesson_metric = "" if value == example.metric else value
    elif name == "sentence":
        open_sentence(_example(screen, session.read_state(LearnState)))


def open_sentence(example: ChapterExample) -> None:
    """Open an example on the Sentence page."""
    session.restore(lessons.to_sentence(example), [])
    st.session_state.whole_page = True


def _example(screen: Screen, state: LearnState) -> ChapterExample:
    """What a screen shows, as it can be opened on the Sentence page: what was typed, also where it is too long here."""
    if screen.pair:
        first = screen.pair[0]
        return first._replace(candidate=state.twin or first.candidate)
    assert screen.example
    if screen.kind not in CHANGES:
        return screen.example
    candidate, references = lessons.typed_texts(state, screen.example)
    return lessons.visible_example(state, screen.example)._replace(candidate=candidate, references=references)


CHANGES = ("idea", "algorithm")  # the screens whose sentence the reader can change


def _room() -> int:
    """The pixels that the picture of a screen has, as styles/layout.css lays it out."""
    room = fragment.room()
    return room if room < WIDE else room - GAP - int(max(LEAST, min(MOST, SHARE * room)))


def _player(screen: Screen, state: LearnState) -> dict[str, Any] | str:
    """The player of the sentence that the screen shows; a sentence where it has too many steps."""
    assert screen.example
    room = fragment.room()
    width, example = room - inspector_width(room), lessons.visible_example(state, screen.example)
    if state.present:
        return chapter_files.played(example, int(width / lesson.HALL_BROADER), lesson.HALL_HIGH)
    return chapter_files.played(example, width)


def _draws(state: LearnState) -> lesson.Draws:
    """What pictures are drawn from, for the page or for a lecture hall."""
    return lesson.for_hall(chapter_files.drawn_example) if state.present else chapter_files.drawn_example


def _screen(chapter: Chapter, screen: Screen, state: LearnState) -> tuple[str, dict[str, Any]]:
    """The markup of a screen, and what the reader can change and do on it."""
    if screen.pair:
        own_example: ChapterExample | str | None = None
        html = lesson.screen_html(screen, _draws(state), _room(), twin=lessons.twin(state, screen.pair[0]))
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
        movable = not isinstance(own_example, str)  # else another sentence is shown than the one that is typed
        html = lesson.screen_html(screen, _draws(state), _room(), mine, hall=hall, movable=movable)
    says, load = own_example if isinstance(own_example, str) else "", state.load
    acts = [{"name": "again", "label": "The chapter’s sentence again"}] if may_restore else []
    groups = []
    keys = chapter.followed if screen.kind == "algorithm" else chapter.metrics
    if screen.kind in CHANGES and len(keys) > 1:
        names = [[key, metrics.METRICS[key].label, metrics.METRICS[key].name] for key in keys]
        chosen = lessons.metric_of(state, screen.example) if screen.example else ""
        groups = [{"name": "metric", "label": "Metric", "options": names, "chosen": chosen}]
    return html, {
        "groups": groups,
        "new": "",
        "own": {"fields": fields, "says": says, "load": load} if fields else None,
        "acts": [*acts, {"name": "sentence", "label": "Open this on the Sentence page"}],
    }


def _field(name: str, label: str, value: str) -> dict[str, Any]:
    rows = min(4, max(1, value.count("\n") + 1))
    return {"name": name, "label": label, "value": value.strip() and value, "rows": rows}
