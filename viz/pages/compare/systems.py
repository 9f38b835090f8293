"""Draw all systems of a comparison: an editor, every score, and a small grid of each by the selected metric."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import metrics
from metrics.analysis import difference
from metrics.types import Result

from ...components import fragment as component
from ...components import score_table
from ...draw.compare.scores import BEST, ScoreRow
from ...draw.evidence.fragment import header, root_element
from ...draw.evidence.words import source_line
from ...draw.pen import grid, svg, theme
from ...draw.pen.numbers import count_text, score_text
from ...draw.pen.text import bdi_word, escape_markdown, isolated, safe, writing_direction
from ...draw.texts import ProcessedTexts
from ...frame import hints, notes
from ...save.systems_table import scores_csv
from ...state.results import cache, scoring
from ...state.results.cache import Problem
from ...state.results.memory import remembered
from ...state.results.scoring import rows_for_systems
from ...state.texts import inputs
from ...state.texts.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST
from ...state.visit import controls
from . import editing, session_choices
from .record import CompareState

GAP = 32  # pixels between the table and the area at its right, and between two small grids
EDITOR = (2.4, 7.6, 1.4)  # relative widths of a system's name, its text and its button
BESIDE_LEAST = 320  # pixels that the selected metric needs at the right of the table; with less it is drawn below
A_ROW = {2: 2, 3: 3, 4: 4, 5: 3, 6: 3, 7: 4, 8: 4}  # number of systems → cards in a row
CARD_LEAST = 270  # pixels that a card is wide at least


def draw(texts: Sequence[ProcessedTexts], page_state: CompareState) -> None:
    """Draw the editor, the table of all scores, and a small grid of every system by the selected metric.

    `texts` are those of the systems, in the order of their slots."""
    state = st.session_state
    state.setdefault("systems_open", len(texts) <= SYSTEMS_LEAST)  # not changed when systems are added later
    with st.expander("Edit, add and remove systems", key="systems_open", on_change="rerun") as expander:
        if expander.open:
            draw_editor(page_state)
    if len(texts) == SYSTEMS_LEAST and (side := session_choices.side_to_fill(page_state)):
        ask_for_output(side, inputs.SYSTEMS)
        return
    key, names = page_state.metric, page_state.names
    with st.spinner("Scoring"):
        glances = [scoring.glances(page_state, its) for its in texts]
    rows = rows_for_systems(glances, metrics.METRICS)
    chosen = next(row for row in rows if row.key == key)
    results = [_result_or_none(page_state, its) for its in texts]
    _draw_above_table(rows, page_state, len(texts[0].references))
    columns = score_table.system_columns(names, ordered_slots(chosen, page_state.best))
    left_column, right = _table_and_metric_areas(len(texts))
    with left_column:
        score_table.show(rows, columns, key, _choose_metric, key="systems_scores")
    with right:
        _draw_head(key, len(texts[0].references))
        _draw_sides(page_state)
        if len(strip := [result for result in results if result]) > 1 and not _any_too_long(texts[0].references):
            st.html(reference_words_html(texts[0], slots_by_matched_word(results), names, len(strip)))
    _draw_cards(texts, page_state, results, chosen)


def ask_for_output(side: str, room: inputs.TextLimits = inputs.COMPARISON) -> None:
    """Ask for the output that is missing, with a button that says that it is intended to be empty.

    `side` is "before" or "after" the change; `room` says which view's sentence is drawn."""
    says = str(inputs.untyped_output(side, room))
    notes.show_offer(says, "Score it as an empty output", "score_wordless", editing.accept_empty_outputs)


def _draw_above_table(rows: Sequence[ScoreRow], state: CompareState, references: int) -> None:
    """Draw the switch for the order of the systems, and the button that saves the table, above the table.

    `references` is the number of references."""
    signatures = scoring.signatures(state, references)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="systems_above"):
        st.toggle("Best system first, by the chosen metric", key="systems_best_first", persist_state="session")
        st.download_button(
            "Save the table, CSV",
            # The byte order mark tells spreadsheets that the file is UTF-8.
            lambda: scores_csv(rows, state.names, signatures).encode("utf-8-sig", "replace"),
            "all_systems.csv",
            "text/csv",
            on_click="ignore",
            type="tertiary",
        )


def _table_and_metric_areas(count: int) -> Sequence[DeltaGenerator]:
    """Return two areas: one for the table of `count` systems, one for the selected metric.

    The second is at the right of the first if the page is wide enough, else below it."""
    wide = 110 + 90 * count  # keeps the columns equally wide for any number of systems
    room = component.place_width() - GAP
    if room - (104 + 70 * count) < BESIDE_LEAST:
        return st.container(), st.container()
    return st.columns([wide, max(400, room - wide)], gap="medium")


def _result_or_none(state: CompareState, texts: ProcessedTexts) -> Result | None:
    """Return the result of an output by the selected metric, None if it cannot be scored."""
    result = scoring.score(state, state.metric, texts)
    return None if isinstance(result, Problem) else result


def _choose_metric(key: str) -> None:
    """Select the metric with this key; a callback."""
    st.session_state.metric = key


# ---------------------------------------------------------------- the editor


def draw_editor(state: CompareState) -> None:
    """Draw a row for each system, and controls to add more.

    A and B cannot be edited there, because their fields are at the top of the page."""
    systems, sides = state.systems, state.sides
    with st.container(key="systems_editor", gap="small"):
        for slot, (name, _) in enumerate(systems):
            left_column, middle, right = st.columns(EDITOR, gap="small", vertical_alignment="center")
            if slot in sides:
                side = "AB"[sides.index(slot)]
                left_column.html(f'<div class="lead_line"><b><bdi>{safe(name)}</bdi></b></div>')
                middle.html(f'<div class="lead_line">{side}, edited above</div>')
            else:
                with left_column:
                    _draw_name(slot)
                with middle:
                    _draw_text(slot, name)
            right.button(
                "Remove",
                key=f"systems_remove_{slot}",
                type="tertiary",
                disabled=len(systems) <= SYSTEMS_LEAST,
                on_click=editing.remove_system,
                args=(slot,),
            )
        _draw_adding(len(systems) == SYSTEMS_MOST)


def _draw_name(slot: int) -> None:
    """Draw the field for the name of the system in `slot`."""
    st.text_input(
        f"Name of system {slot + 1}",
        key=f"name_{slot}",
        label_visibility="collapsed",
        placeholder="Name",
        on_change=editing.cut_name,
        args=(slot,),
        persist_state="session",
    )


def _draw_text(slot: int, name: str) -> None:
    """Draw the field for the text of the system in `slot`."""
    st.text_area(
        f"Output of {escape_markdown(isolated(name))}",
        key=f"system_{slot}",
        height=68,
        label_visibility="collapsed",
        placeholder="Paste its output",
        persist_state="session",
    )


def _draw_adding(full: bool) -> None:
    """Draw the controls that add one system, or several at once; they are disabled if all slots are in use (`full`)."""
    left_column, middle, right = st.columns(EDITOR, gap="small", vertical_alignment="bottom")
    left_column.button(
        "Add a system",
        key="systems_add",
        disabled=full,
        help=f"At most {SYSTEMS_MOST} fit" if full else None,
        on_click=_add_empty,
    )
    middle.text_area(
        "Several at once, one output per line, as name: text or text alone",
        key="systems_paste",
        height=96,
        disabled=full,
        persist_state="session",
    )
    right.button("Add", key="systems_add_all", disabled=full, on_click=_add_pasted)
    if note := st.session_state.pop("systems_note", ""):
        st.warning(note)
    if reading_counts := editing.reading_system_counts():
        now, other = reading_counts
        action = hints.HintButton("systems_read", f"Read as {hints.count_in_words(other)}", editing.use_other_reading)
        hints.show("systems_lines", f"The lines are read as {hints.count_in_words(now, 'output')}.", action)


def _add_empty() -> None:
    """Add a system without text; a callback."""
    editing.add_system()


def _add_pasted() -> None:
    """Add the systems in the pasted lines; a callback. Lines that do not fit stay in the field."""
    state = st.session_state
    given, left_over = editing.add_pasted_systems(state.systems_paste or "")
    state.systems_paste = "\n".join(f"{name}: {text}" if name else text for name, text in left_over)
    notes = []
    if cut := [name[:NAME_MOST] for name, _ in given if len(name) > NAME_MOST]:
        notes.append(f"{count_text(len(cut), 'name')} cut to {NAME_MOST} characters, the most that fit.")
    if left_over:
        count = count_text(len(left_over), "line")
        notes.append(f"{count} did not fit: at most {SYSTEMS_MOST} systems do. Remove some to add more.")
    state.systems_note = " ".join(notes)


# ---------------------------------------------------------------- the chosen metric


def _draw_head(key: str, references: int) -> None:
    """Draw the metric's name, its idea and its settings; `references` is the number of references."""
    metric = metrics.METRICS[key]
    name, tools = st.columns([5, 2.4], vertical_alignment="top")
    name.html(header(metric.name, metric.about.idea))
    with tools.container(horizontal=True, horizontal_alignment="right"):
        controls.draw_metric_settings(key, references, 0)


def _draw_sides(state: CompareState) -> None:
    """Draw a sentence on which systems are A and B, and the button that opens their comparison."""
    sides = [(side, state.names[slot]) for side, slot in zip("AB", state.sides, strict=True)]
    sentence = ", ".join([f"{side} is <b>{bdi_word(name)}</b>" for side, name in sides if name != side])
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(f'<div class="lead_line">{sentence or "A and B"}</div>', width="content")
        st.button("Compare them", key="systems_compare", on_click=_open_comparison)


def _open_comparison() -> None:
    """Open the comparison of A and B; a callback."""
    st.session_state.compare_view = "difference"


def slots_by_matched_word(results: Sequence[Result | None]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return, by reference word (k, j), the slots of the systems that match it.

    Words that no system matches are left out."""
    out: dict[tuple[int, int], tuple[int, ...]] = {}
    for slot, result in enumerate(results):
        if result and cache.has_drawable_cells(result, None):
            for place in sorted(difference.matched_reference_words(result)):
                out[place] = (*out.get(place, ()), slot)
    return out


def reference_words_html(
    texts: ProcessedTexts,
    slots_by_word: Mapping[tuple[int, int], Sequence[int]],
    names: Sequence[str],
    system_count: int,
) -> str:
    """Return the references' words as HTML, each with the number of systems that match it and tinted by this number.

    A word that no system matches is plain. A word's tooltip names its systems.

    Args:
        by: the slots of the systems that match a word, by word (k, j).
        names: the names of the systems, by slot.
        total: the number of all systems."""
    lines = []
    for k, reference in enumerate(texts.reference_words):
        spans = [
            _matched_word_html(word, slots_by_word.get((k, j), ()), names, system_count)
            for j, word in enumerate(reference)
        ]
        label = f"Reference&nbsp;{k + 1}" if len(texts.references) > 1 else "Reference"
        lines.append(
            f'<div class="ln"><div class="lb">{label}</div>'
            f'<div class="ws" dir="{writing_direction(reference[:40])}">{"".join(spans)}</div></div>'
        )
    small = sum(map(len, texts.references)) > 45
    says = (
        f"A word's number says for how many of the {system_count} systems it counts as matched; no number means none."
    )
    return (
        f"<style>{_HOVER}</style>"
        f'<div class="word_lines reach{" sm" if small else ""}">{source_line(texts)}{"".join(lines)}</div>'
        f'<div class="lead_line">{says}</div>'
    )


def _matched_word_html(word: str, slots: Sequence[int], names: Sequence[str], total: int) -> str:
    """Return a reference word as HTML, tinted and numbered by how many systems match it.

    `slots` are those of the systems that match the word, `names` the names of all systems, and `total` their number."""
    word_html = f"<bdi>{safe(word, 60)}</bdi>"
    if not slots:
        return f'<span class="tk" title="counts for none">{word_html}</span>'
    by = " ".join(f"by{slot}" for slot in slots)
    tint = f"--tint:{10 + 8 * theme.tint_level(len(slots), total)}%"
    title = safe(", ".join(isolated(names[slot]) for slot in slots), 400)
    return (
        f'<span class="tk u {by}" style="{tint}" title="counts for {title}">{word_html}<sup>{len(slots)}</sup></span>'
    )


#: Style rules: pointing at a system highlights the words that it matches, and pointing at a word its systems.
_HOVER = "".join(
    f"body:has(.of{slot}:hover) .reach .by{slot},body:has(.reach .by{slot}:hover) .system.of{slot} b"
    f"{{outline:2px solid {theme.VERMILION};outline-offset:-1px}}"
    for slot in range(SYSTEMS_MOST)
)


# ---------------------------------------------------------------- small multiples


def _draw_cards(
    texts: Sequence[ProcessedTexts], state: CompareState, results: Sequence[Result | None], row: ScoreRow
) -> None:
    """Draw a card for every system: its small grid, its score, and the buttons that make it A or B.

    `row` has the scores of the selected metric."""
    st.html(f'<div class="gh"><b>{html.escape(row.label)} of every system</b></div>')
    longest = max(map(len, texts[0].references))
    if any(_any_too_long([its.candidate, *its.references]) for its in texts):
        st.html(f'<div class="lead_line">Grids are shown for texts of up to {grid.DIRECT} words.</div>')
    room = _card_width(len(texts), texts[0].references)
    # All grids have cells of one size, but a very long output has smaller ones, so that the others stay large.
    high = max([len(its.candidate) for its in texts if len(its.candidate) <= 2 * longest], default=0)
    with st.container(horizontal=True, gap="medium", key="systems_cards"):
        for slot in ordered_slots(row, state.best):
            with st.container(width=room, gap="small"):
                _draw_title(slot, state, row)
                picture = _small_grid_html(texts[slot], results[slot], room, high)
                component.show(
                    f"systems_grid_{slot}", root_element(row.key, picture, f"lead_line of{slot}"), fits_place=False
                )


def _card_width(count: int, references: Sequence[Sequence[object]]) -> int:
    """Return the width of a system's card in pixels.

    A row has as many cards as A_ROW says for `count` systems, if they fit. A card is no wider than its largest grid
    needs."""
    room = component.place_width()
    a_row = max(1, min(A_ROW[count], (room + GAP) // (CARD_LEAST + GAP)))
    broadest = svg.LARGEST * (sum(map(len, references)) + len(references))
    return min((room - GAP * (a_row - 1)) // a_row, max(CARD_LEAST, broadest))


def ordered_slots(row: ScoreRow, best_first: bool) -> list[int]:
    """Return the slots of the systems in their order, or with `best_first` sorted by their scores in `row`.

    Ties keep their order, and systems without a score come last."""
    slots = list(range(len(row.values)))
    if not best_first:
        return slots
    scores = [(0.0 if v is None else v, v is None) for v in row.values]
    sign = -1 if row.higher_is_better else 1
    return sorted(slots, key=lambda slot: (scores[slot][1], sign * scores[slot][0]))


def _draw_title(slot: int, state: CompareState, row: ScoreRow) -> None:
    """Draw a system's name and score, and the buttons that make it A or B.

    The button of what it is already is highlighted."""
    a, b = state.sides
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(system_title_html(state.names[slot], row, slot))
        for side, of, given in (("A", a, (slot, b)), ("B", b, (a, slot))):
            kind: Literal["primary", "secondary"] = "primary" if slot == of else "secondary"
            key = f"systems_{side.lower()}_{slot}"
            st.button(side, key=key, type=kind, on_click=editing.set_a_and_b, args=given)


def system_title_html(name: str, row: ScoreRow, slot: int) -> str:
    """Return the name and the score of the system in `slot` as HTML, with a mark if it is the best."""
    value = row.values[slot]
    score = "–" if value is None else score_text(value)
    best = f' <span class="best">{BEST} best</span>' if slot in row.best else ""
    return f'<div class="system of{slot}"><b><bdi>{safe(name)}</bdi></b> <span>{score}</span>{best}</div>'


@remembered
def _small_grid_html(texts: ProcessedTexts, result: Result | None, room: int, high: int) -> str:
    """Return the small grid of a system's matches as HTML, or why there is none.

    `room` is its width in pixels, and `high` the number of candidate words for which the cells are made small
    enough."""
    if not texts.candidate:
        return "no words"
    if result is None:
        return "This metric cannot score it."
    if _any_too_long([texts.candidate, *texts.references]):
        return count_text(len(texts.candidate), "word")
    return svg.small_grids_svg(result, {}, 1, cache.hits(texts.segment), room, high)


def _any_too_long(sides: Iterable[Sequence[object]]) -> bool:
    """Return whether any of the texts has too many words for a grid."""
    return any(len(side) > grid.DIRECT for side in sides)
