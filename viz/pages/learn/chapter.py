"""A chapter: its bar, the sentences that can be changed, and one of its screens."""

from __future__ import annotations

from typing import Any

import streamlit as st

import metrics

from ...components import fragment
from ...components import lesson as component
from ...draw.evidence.fragment import inspector_width
from ...draw.learn import lesson
from ...draw.learn.chapter import EXERCISE, Chapter, Example, Screen
from ...state import codec, session
from . import chapter_files, lessons
from . import exercise as learn_exercise
from .record import Learn

WIDE, GAP, LEAST, MOST, SHARE = 860, 32, 380, 640, 0.37  # as lesson.css divides a screen


def draw(chapter: Chapter, shown: Learn) -> None:
    """The screen that is open."""
    following = lessons.following(shown)
    screen, numbers = chapter.numbered(shown.screen), chapter.numbers
    player = _player(screen, shown) if screen and screen.kind == "algorithm" else None
    html, changes = (
        _screen(chapter, screen, shown)
        if screen
        else learn_exercise.screen(chapter, shown, _draws(shown), _room(), fragment.room())
    )
    data: dict[str, Any] = {
        "chapter": chapter.mark,
        "title": chapter.title,
        "names": [*[each.called for each in chapter.screens], EXERCISE],
        "numbers": numbers,
        "screen": numbers.index(shown.screen) + 1 if shown.screen in numbers else 1,
        "next": following.key if following else None,
        "present": shown.present,
        "html": html,
        "code": shown.exercise if screen is None else "",
        "player": None if isinstance(player, str) else player,
        "unplayed": player if isinstance(player, str) else "",
        **changes,
    }
    component.show(data, lambda name, value: told(chapter, name, value))


def told(chapter: Chapter, name: str, value: object) -> None:
    """Do what the reader asks for."""
    state = st.session_state
    if name == "screen" and (at := codec.number_sent(value, len(chapter.numbers) + 1)):
        lessons.go(chapter, chapter.numbers[at - 1])
    elif name == "list":
        lessons.open_chapter("")
        state.whole_page = True
    elif name == "next" and (following := lessons.following(session.looked(Learn))):
        lessons.open_chapter(following.key)
    elif name == "present":
        state.present = bool(value)
    elif name == "again":
        lessons.forget_own()
    elif screen := chapter.numbered(session.looked(Learn).screen):
        _of_screen(screen, name, value)
    else:
        learn_exercise.told(chapter, name, value)


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
        open_sentence(_example(screen, session.looked(Learn)))


def open_sentence(example: Example) -> None:
    """Open an example on the Sentence page."""
    session.restore(lessons.to_sentence(example), [])
    st.session_state.whole_page = True


def _example(screen: Screen, shown: Learn) -> Example:
    """What a screen shows, as it can be opened on the Sentence page: what was typed, also where it is too long here."""
    if screen.pair:
        first = screen.pair[0]
        return first._replace(candidate=shown.twin or first.candidate)
    assert screen.example
    if screen.kind not in CHANGES:
        return screen.example
    candidate, references = lessons.typed(shown, screen.example)
    return lessons.looked_at(shown, screen.example)._replace(candidate=candidate, references=references)


CHANGES = ("idea", "algorithm")  # the screens whose sentence the reader can change


def _room() -> int:
    """The pixels that the picture of a screen has, as lesson.css lays it out."""
    room = fragment.room()
    return room if room < WIDE else room - GAP - int(max(LEAST, min(MOST, SHARE * room)))


def _player(screen: Screen, shown: Learn) -> dict[str, Any] | str:
    """The player of the sentence that the screen shows; a sentence where it has too many steps."""
    assert screen.example
    room = fragment.room()
    width, example = room - inspector_width(room), lessons.looked_at(shown, screen.example)
    if shown.present:
        return chapter_files.played(example, int(width / lesson.HALL_BROADER), lesson.HALL_HIGH)
    return chapter_files.played(example, width)


def _draws(shown: Learn) -> lesson.Draws:
    """What pictures are drawn from, for the page or for a lecture hall."""
    return lesson.for_hall(chapter_files.drawn) if shown.present else chapter_files.drawn


def _screen(chapter: Chapter, screen: Screen, shown: Learn) -> tuple[str, dict[str, Any]]:
    """The markup of a screen, and what the reader can change and do on it."""
    if screen.pair:
        own: Example | str | None = None
        html = lesson.screen_html(screen, _draws(shown), _room(), twin=lessons.twin(shown, screen.pair[0]))
        changed = shown.twin or screen.pair[0].candidate
        fields = [_field("candidate", "The second candidate", changed)]
        again = changed != screen.pair[0].candidate
    else:
        assert screen.example
        fields, again = [], False
        own, mine = None, None
        if screen.kind in CHANGES:
            own, mine = lessons.own(shown, screen.example), lessons.looked_at(shown, screen.example)
            candidate, references = lessons.typed(shown, screen.example)
            one_a_line = _field("references", "Reference, or several, one per line", references)
            fields = [_field("candidate", "Candidate", candidate), one_a_line]
            again = own is not None
        mine, hall = None if mine is screen.example else mine, shown.present
        movable = not isinstance(own, str)  # else another sentence is shown than the one that is typed
        html = lesson.screen_html(screen, _draws(shown), _room(), mine, hall=hall, movable=movable)
    says, load = own if isinstance(own, str) else "", shown.load
    acts = [{"name": "again", "label": "The chapter’s sentence again"}] if again else []
    groups = []
    keys = chapter.followed if screen.kind == "algorithm" else chapter.metrics
    if screen.kind in CHANGES and len(keys) > 1:
        names = [[key, metrics.METRICS[key].label, metrics.METRICS[key].name] for key in keys]
        chosen = lessons.metric_of(shown, screen.example) if screen.example else ""
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
