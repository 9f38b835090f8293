"""Draw the steps of one metric's algorithm: the program in its paper on these texts, played in the browser."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

import metrics
from metrics.text import Token, forms
from metrics.types import Segment, Settings

from ...components import fragment, player
from ...draw.evidence import arcs
from ...draw.evidence.fragment import inspector_width
from ...draw.pen.grid import DIRECT
from ...draw.pen.text import escape_markdown
from ...draw.steps import player as players
from ...draw.steps.step_lines import LinesKind
from ...draw.steps.steps import DrawnSteps, example_table
from ...draw.texts import ProcessedTexts
from ...frame import evidence
from ...save import steps_beamer, steps_files, steps_page
from ...save.sentence_page import Files
from ...state.links import codec
from ...state.results import cache, scoring
from ...state.results.cache import Problem
from . import look, one_metric
from .record import WALK_MOST, SentenceState

MOST = 60  # the most words a side for algorithms that fill a table
WINDOW = 40  # words a side of a part of longer texts
ENDS = frozenset(".!?。！？…")  # characters that end a sentence


class _KeptWalk(NamedTuple):
    """The steps of an algorithm that are kept in the session while they are shown.

    Attributes:
        made_from: the texts, the metric, its settings, the width and the picture from which the steps were made.
        walk: the steps with their drawn elements.
        html: the HTML of the step player.
        name: a random name by which the browser and the server identify these steps."""

    made_from: tuple[Any, ...]
    walk: DrawnSteps
    html: str
    name: str


def draw(texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw the step player, or a message if these texts have no steps."""
    key = state.metric
    settings = state.settings_of(key)
    look.drop_stale_selections(state)
    lines = line_picture(texts, state)
    with st.container(key="part"):  # always drawn: Streamlit identifies what follows by its position
        part = choose_part(texts, key, settings, state.part)
    label = metrics.METRICS[key].label
    try:
        kept_walk = cache.bounded(label, lambda: walk_of(part, key, settings, lines))
    except ValueError as error:  # too many references to draw
        st.warning(escape_markdown(f"{error}."))
        return
    if isinstance(kept_walk, cache.Problem):
        st.warning(escape_markdown(str(kept_walk)))
        return
    chunk = cache.bounded(label, lambda: _next_steps_data(kept_walk.walk, state.step))
    if isinstance(chunk, cache.Problem):
        st.warning(escape_markdown(str(chunk)))
        return
    player.show("player", kept_walk.name, kept_walk.html, chunk, _handle_event)


def line_picture(texts: ProcessedTexts, state: SentenceState) -> LinesKind | None:
    """Return the kind of lines on which the steps are drawn, arcs or crossing lines; None if they are on the grid.

    The whole texts decide, so that every part of long texts is drawn alike."""
    result = scoring.score(state, state.metric, texts)
    if (
        isinstance(result, Problem)
        or evidence.choose_short_text_picture(result, state.picture, arcs.STEPS_MOST) == "grid"
    ):
        return None
    return arcs.picture_kind(result, arcs.STEPS_MOST)


def picture_switch(texts: ProcessedTexts, state: SentenceState) -> int:
    """Draw the menu of lines or grid, if there is a choice, and return its width in pixels; 0 if there is none."""
    result = scoring.score(state, state.metric, texts)
    if isinstance(result, Problem):
        return 0
    visible_picture = evidence.choose_short_text_picture(result, state.picture, arcs.STEPS_MOST)
    return one_metric.picture_switch(visible_picture, arcs.picture_kind(result, arcs.STEPS_MOST))


def walk_of(texts: ProcessedTexts, key: str, settings: Settings, lines: LinesKind | None) -> _KeptWalk:
    """Return the steps of the metric `key` on these texts, from the session if they are kept there.

    `lines` is the kind of lines on which the steps are drawn; None for the grid."""
    state, room = st.session_state, fragment.place_width()
    width = room - inspector_width(room)
    of = (texts, key, settings, width, lines)
    kept_walk: _KeptWalk | None = state.get("walk")
    if kept_walk is None or kept_walk.made_from != of:
        walk = _make_walk(texts, key, settings, width, lines)
        kept_walk = _KeptWalk(of, walk, players.markup(walk), secrets.token_hex(6))
        state.walk, state.walk_from = kept_walk, 0
    return kept_walk


def _make_walk(texts: ProcessedTexts, key: str, settings: Settings, width: int, lines: LinesKind | None) -> DrawnSteps:
    """Return the steps of the metric `key` on these texts, to be drawn `width` pixels wide."""
    given = {name: getattr(settings, name) for name in type(settings).rules()}
    trace = metrics.trace(key, *texts.segment, **given)
    return DrawnSteps(texts, trace, cache.hits(texts.segment), width, lines=lines)


def files(texts: ProcessedTexts, state: SentenceState) -> Files | Problem:
    """Return the files as which the steps can be saved, or the `Problem` that prevents it.

    The steps are made again for each requested file."""
    key = state.metric
    settings, room = state.settings_of(key), fragment.place_width()
    part = part_from(texts, start_of_part(texts, state.part)[0]) if needs_parts(texts, key, settings) else texts
    walk = partial(_make_walk, part, key, settings, room - inspector_width(room), line_picture(texts, state))

    try:
        walk().make_steps(1)
    except ValueError as problem:
        return Problem(metrics.METRICS[key].label, str(problem))
    return f"{key}_steps", [
        ("Web page that plays", "html", lambda: steps_page.page_html(walk())),
        ("Pictures, SVG in a zip", "zip", lambda: steps_files.pictures_zip(walk())),
        ("Slides, beamer", "tex", lambda: steps_beamer.document(walk())),
        ("List, text", "txt", lambda: steps_files.steps_text(walk())),
    ]


def _next_steps_data(walk: DrawnSteps, step: int | None) -> dict[str, Any] | None:
    """Return the data of the steps that the browser wants next, at first of those from the start on.

    `step` is the step to show, from 1. Return None once the browser has reported that it has all it needs, because
    the data can take megabytes."""
    state = st.session_state
    if state.get("walk_from") is None:
        return None
    start = max(0, min(state.walk_from, len(walk.steps)))
    return players.steps_data(walk, start, (step or 1) - 1)


def forget() -> None:
    """Drop the steps that the session keeps; they are made again when they are shown again."""
    st.session_state.pop("walk", None)


def _handle_event(what: str, value: object) -> None:
    """Keep the current step of the player, and which steps the browser has and wants; it sent `what` with `value`."""
    state = st.session_state
    kept_walk: _KeptWalk | None = state.get("walk")
    if what == "more" and (first := codec.parse_sent_number(value, WALK_MOST)) is not None:
        state.walk_from = first
    elif what == "step" and isinstance(value, list | tuple) and len(value) == 2:
        sent, name = value
        if step := codec.parse_sent_number(sent, WALK_MOST + 1):
            state.walk_step = step
        if kept_walk and name == kept_walk.name:
            state.walk_from = None


# ---------------------------------------------------------------- a part of long texts


def needs_parts(texts: ProcessedTexts, key: str, settings: Settings) -> bool:
    """Return whether these texts have too many words to show the steps on them as a whole."""
    return max(len(texts.candidate), *map(len, texts.references)) > most_words(key, settings)


def most_words(key: str, settings: Settings) -> int:
    """Return the most words of a text on which the steps of the metric `key` are shown as a whole.

    They are fewer for algorithms that fill a table."""
    return MOST if example_table(key, settings) else DIRECT


def choose_part(texts: ProcessedTexts, key: str, settings: Settings, chosen: int | None) -> ProcessedTexts:
    """Draw the buttons that choose a part of long texts, and return that part; other texts are returned unchanged.

    `chosen` is the part as in the page's state: 0 for the first sentences, else its first word, from 1."""
    if not needs_parts(texts, key, settings):
        return texts
    longest = max(len(texts.candidate), *map(len, texts.references))
    start, fits = start_of_part(texts, chosen)
    most = most_words(key, settings)
    fills = f"{metrics.METRICS[key].label} fills a table, in which" if most == MOST else "In a grid,"
    sentence = f"{fills} {longest:,} words are too many to follow; at most {most} a side fit."
    st.caption(f"{sentence} These are the steps of a part.")
    with st.container(horizontal=True, gap="small"):
        if fits:
            st.button("First sentence", key="part_sentence", on_click=_take_part, args=(0,), disabled=not start)
        before, after = max(1, start - WINDOW), (start + WINDOW if start else 1)
        st.button(f"{WINDOW} words before", key="part_before", on_click=_take_part, args=(before,), disabled=start < 2)
        name = f"Next {WINDOW} words" if start else f"First {WINDOW} words"
        st.button(name, key="part_after", on_click=_take_part, args=(after,), disabled=after > longest)
    return part_from(texts, start)


def start_of_part(texts: ProcessedTexts, chosen: int | None) -> tuple[int, bool]:
    """Return where the chosen part of long texts starts, and whether their first sentences are short enough.

    The start is a word from 1 on, or 0 for the first sentences."""
    sentence = first_sentence(texts)
    fits = max(len(sentence.candidate), *map(len, sentence.references)) <= MOST
    longest = max(len(texts.candidate), *map(len, texts.references))
    if chosen is None or (chosen == 0 and not fits) or chosen > longest:
        return (0 if fits else 1), fits
    return chosen, fits


def part_from(texts: ProcessedTexts, start: int) -> ProcessedTexts:
    """Return the part of long texts that starts at word `start`, from 1; 0 gives the first sentences."""
    return words_from(texts, start - 1) if start else first_sentence(texts)


def _take_part(start: int) -> None:
    """Choose the part of long texts that starts at word `start`, and its first step."""
    st.session_state.walk_part, st.session_state.walk_step = start, None


def first_sentence(texts: ProcessedTexts) -> ProcessedTexts:
    """Return the first sentence of each text."""

    def first(words: tuple[Token, ...]) -> tuple[Token, ...]:
        end = next((n for n, word in enumerate(words, 1) if word.raw[-1:] in ENDS), len(words))
        return words[:end]

    return _texts_of_words(texts, first(texts.candidate), tuple([first(reference) for reference in texts.references]))


def words_from(texts: ProcessedTexts, start: int) -> ProcessedTexts:
    """Return WINDOW words of each text, from the word with the index `start` on."""
    stop = start + WINDOW
    return _texts_of_words(texts, texts.candidate[start:stop], tuple([r[start:stop] for r in texts.references]))


def _texts_of_words(
    texts: ProcessedTexts, candidate: tuple[Token, ...], references: tuple[tuple[Token, ...], ...]
) -> ProcessedTexts:
    """Return processed texts with the given words of `texts`."""
    return ProcessedTexts(
        Segment(forms(candidate), tuple(map(forms, references))), candidate, references, texts.settings
    )
