"""The evidence of one result: words, grid and ledger, and the selection that they share."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from metrics.types import Hit, Result, Shift, Ties
from viz.components import evidence_table
from viz.draw import charts, grid, ledger, marks, theme, words
from viz.draw.marks import Selection
from viz.draw.texts import Texts
from viz.state import cache, session
from viz.state.cache import Problem

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
DETAIL = 40  # words a side of the detail window of a long text


class View(NamedTuple):
    """What the parts of the evidence draw from. Of a long text, which has no `geo`, a `window` is drawn."""

    texts: Texts
    result: Result
    chosen: Selection | None
    rounds: int | None
    hits: Sequence[Hit]
    geo: grid.Geometry | None
    window: grid.Window | None
    phone: bool
    ties: Ties | None


def draw(texts: Texts, key: str) -> None:
    """Words, grid and ledger of one result; a selected term or another round redraws only this."""
    session.keep_look()
    found = session.score(key, texts)
    if isinstance(found, Problem):
        st.warning(theme.markdown(str(found)))
        return
    ties, result = cache.ties(found), shown(found)
    phone = on_phone()
    geo = grid.geometry(texts.candidate_words, texts.reference_words, phone)
    window = None if geo else _window(texts)
    hits = cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
    view = View(texts, result, chosen_term(result), _rounds(result), hits, geo, window, phone, ties)
    if not cache.drawable(result, view.rounds):
        st.info("Too many words match for a picture; the score and its terms stand here.")
        _formula(view)
        _table(view, 12)
        return
    if geo is None:
        _draw_long(view)
    elif geo.beside:
        _words(view)
        row = st.container(horizontal=True, gap="large")
        with row.container(width=grid.BESIDE):
            _picture(view)
        with row.container(width="stretch", key="ledger"):
            _formula(view)
            _table(view, 9)
            _references(view)
    else:
        # The ledger stands above the grid, so that a selection is seen.
        _words(view)
        left, right = (st.container(), st.container()) if phone else st.columns([1, 1], gap="large")
        with left:
            _formula(view)
            _references(view)
        with right:
            _table(view, 5)
        _picture(view)


def on_phone() -> bool:
    """Whether the browser says that it is a phone's."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def _draw_long(view: View) -> None:
    left, right = st.columns([1, 1], gap="large")
    with left:
        _overview(view)
    with right:
        _formula(view)
        _table(view, 5)
        _references(view)
    _words(view)
    _picture(view)


def identity(result: Result) -> tuple[Any, ...]:
    """What a result follows from; a selection belongs to it."""
    return (result.metric, result.settings, result.segment)


def chosen_term(result: Result) -> Selection | None:
    """The selected term, None if the selection belongs to another result."""
    term = st.session_state.get("term") if session.has_look(result.metric) else None
    chosen = Selection(*map(int, term.split(":"))) if term else None
    return chosen if chosen and chosen.of(result) else None


def choose(selection: Selection | None) -> None:
    """Select a term of the result that is shown, or none."""
    st.session_state.term = f"{selection.layer}:{selection.index}" if selection else None


def _words(view: View) -> None:
    texts, result = view.texts, view.result
    badges = marks.badges(result)
    st.html(
        words.strips(
            texts.candidate_words,
            texts.reference_words,
            view.hits,
            result,
            view.chosen,
            view.rounds,
            badges,
            view.window,
        )
    )


def _picture(view: View) -> None:
    texts, result, chosen = view.texts, view.result, view.chosen
    candidate, references = texts.candidate_words, texts.reference_words
    arcs = _wants_arcs(result)
    if arcs:
        max_skip = getattr(result.settings, "max_skip", None)
        room = grid.PHONE if view.phone else grid.BESIDE if view.geo and view.geo.beside else grid.FULL
        figure = charts.arcs(candidate, result, chosen, room, max_skip, references)
        legend = words.arcs_legend(figure)
        alt = (
            "Lines from the candidate's words to those of the reference"
            if charts.has_crossings(result)
            else "Shared word pairs as arcs over the candidate"
        )
    else:
        tied = cache.tie_cells(result) if _tints_ties(view) else None
        drawn = marks.shapes(result, view.hits, chosen, view.rounds, tied)
        geo = view.geo or grid.Geometry(22, 1, False)
        figure = grid.figure(candidate, references, drawn, geo, window=view.window)
        legend = words.legend(drawn)
        alt = "Bitext grid: the candidate's words down, the references' words across"

    def select() -> None:
        points = st.session_state.grid.selection.points
        point = points[0] if points else {}
        if arcs:
            choose(charts.clicked_arc(point))
        else:
            cell = grid.clicked(point)
            choose(marks.term_at(result, cell, chosen, view.rounds) if cell else None)

    with st.container(key="scroll"):
        st.html(f"<style>.st-key-scroll .stPlotlyChart{{min-width:{figure['layout']['width']}px}}</style>")
        st.plotly_chart(
            figure, key="grid", width="content", config=CONFIG, alt=alt, on_select=select, selection_mode="points"
        )
    st.html(legend)
    _tie_controls(view)
    if lengths := charts.lengths(result):
        st.html(lengths)


def picture_choice(result: Result) -> tuple[str, str]:
    """The key of the switch between arcs or lines and the grid, and how it stands at first."""
    first = charts.drawn_first(result)
    return f"picture_{first.lower()}_first", first


def _wants_arcs(result: Result) -> bool:
    return charts.has_arcs(result) and st.session_state.get(*picture_choice(result)) == "Arcs"


# ---------------------------------------------------------------- long texts


def _window(texts: Texts) -> grid.Window:
    """The part of a long text that is shown in detail, kept inside the text."""
    state = st.session_state
    k = min(state.get("detail_reference", 0), len(texts.references) - 1)
    n, m = len(texts.candidate), len(texts.references[k])
    i = min(state.get("detail_i", 1) - 1, max(0, n - DETAIL))
    j = min(state.get("detail_j", 1) - 1, max(0, m - DETAIL))
    return grid.Window(k, i, j, min(DETAIL, n), min(DETAIL, m))


def _overview(view: View) -> None:
    """The whole bitext from afar and the controls of the detail window."""
    texts, window = view.texts, view.window
    assert window
    state = st.session_state
    n, m = len(texts.candidate), len(texts.references[window.k])
    state.detail_i, state.detail_j = window.i + 1, window.j + 1
    used = [cell for cell in marks.covered(view.result, view.rounds) if cell.k == window.k]
    all_ = cache.density(texts.segment, window.k, charts.overview_step(n, m))
    figure = charts.overview(n, m, all_, used, window, grid.PHONE - 70 if view.phone else 440)

    def move() -> None:
        points = state.overview.selection.points
        middle = charts.clicked_square(points[0]) if points else None
        if middle:
            state.detail_i = max(1, middle[0] - DETAIL // 2 + 1)
            state.detail_j = max(1, middle[1] - DETAIL // 2 + 1)

    if len(texts.references) > 1:
        st.selectbox(
            "Reference",
            range(len(texts.references)),
            key="detail_reference",
            format_func=lambda k: f"Reference {k + 1}",
            persist_state="session",
        )
    st.plotly_chart(
        figure,
        key="overview",
        width="content",
        config=CONFIG,
        alt="Overview of all matches; the frame is the part shown below",
        on_select=move,
        selection_mode="points",
    )
    st.caption(f"{n:,} × {m:,} words. The frame is shown below in detail; click the overview or move the sliders.")
    with st.container(horizontal=True, gap="medium"):
        if n > DETAIL:
            st.slider("Candidate words from", 1, n - DETAIL + 1, key="detail_i")
        if m > DETAIL:
            st.slider("Reference words from", 1, m - DETAIL + 1, key="detail_j")


# ---------------------------------------------------------------- ties


def shown(result: Result) -> Result:
    """The alignment that the user has stepped to among those that are as good; the result itself at first."""
    ties = cache.ties(result)
    return ties.results[_step(result, ties)] if ties and ties.results else result


def _step(result: Result, ties: Ties) -> int:
    """Which of the equally good alignments is shown."""
    step = st.session_state.get("tie") or 0
    return int(step) if session.has_look(result.metric) and step < len(ties.results) else 0


def _tie_tint(view: View) -> tuple[str, bool]:
    """The key of the switch that tints the cells of ties, and whether it is on at first: where the grid is small,
    because every tint in every reference's grid takes the browser time."""
    small = view.geo is not None and view.geo.beside
    return ("tie_tint" if small else "tie_tint_large"), small


def _tints_ties(view: View) -> bool:
    key, at_first = _tie_tint(view)
    return bool(st.session_state.get(key, at_first))


def _tie_controls(view: View) -> None:
    """How many alignments are as good as the one shown, steps through them, and whether the score depends on it."""
    ties = view.ties
    if not ties or (ties.count < 2 and ties.exact):
        return
    state, result = st.session_state, view.result
    at = _step(result, ties)

    def to(number: int) -> None:
        state.tie, state.term = number, None

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ties"):
        st.html(f'<div class="rd">{html.escape(ties_text(ties, at))}</div>', width="content")
        if len(ties.results) > 1:
            last = len(ties.results) - 1
            st.button("Previous", key="tie_back", on_click=to, args=(at - 1 if at else last,), type="tertiary")
            st.button("Next", key="tie_on", on_click=to, args=(0 if at == last else at + 1,), type="tertiary")
        if ties.count > 1 and not _wants_arcs(result):
            key, at_first = _tie_tint(view)
            st.session_state.setdefault(key, at_first)
            st.toggle("Tint their cells", key=key, persist_state="session")


def ties_text(ties: Ties, at: int) -> str:
    """In words how many alignments are equally good, which one is shown, and what that means for the score."""
    if ties.count < 2:
        return "Whether other alignments are as good was not searched: there are too many ways through this sentence."
    count = theme.many(ties.count) if ties.exact else f"At least {theme.many(ties.count)}"
    few = f" of the first {len(ties.results)}" if 1 < len(ties.results) < ties.count else ""
    scores = [result.score for result in ties.results]
    if not ties.depends:
        means = "the score is the same for all" + ("" if ties.exact else " that were found")
    elif max(scores) - min(scores) > 1e-12:
        means = f"the score depends on the choice: from {min(scores):.3f} to {max(scores):.3f}"
    else:
        means = "the score may depend on the choice"
    return f"{count} alignments are equally good. This is number {at + 1}{few}; {means}."


# ---------------------------------------------------------------- rounds


def last_round(result: Result) -> int:
    return max([layer.number or 0 for layer in result.layers], default=0)


def _rounds(result: Result) -> int | None:
    """How many rounds to show; None where the result has none or one."""
    last, state = last_round(result), st.session_state
    if last < 2:
        return None
    state.rounds_first = last
    # Another result starts with all its rounds; the slider's value is gone once it has not been drawn.
    if not state.get("rounds") or state.rounds > last:
        state.rounds, state.playing = last, False
    elif state.pop("replay", False):
        state.rounds = 1
    elif state.get("playing"):
        if state.rounds < last:
            state.rounds += 1
        else:
            state.playing = False
            st.rerun()
    return int(state.rounds)


def _round_controls(view: View) -> None:
    """The slider through the rounds, and in words what the last one shown took."""
    result, rounds = view.result, view.rounds
    assert rounds is not None
    state = st.session_state
    layer = next(x for x in result.layers if x.number == rounds)
    noun = layer.name.partition(" ")[0]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.slider(f"{noun.capitalize()}s shown", 1, last_round(result), key="rounds", width=260)
        if st.button("Pause" if state.get("playing") else "Play"):
            state.playing = not state.get("playing")
            if state.playing:
                state.replay = True
            st.rerun()  # the whole page, since its clock starts or stops
    st.html(f'<div class="rd">{html.escape(_round_text(view, noun.capitalize()))}</div>')


def _round_text(view: View, noun: str) -> str:
    """What the last of the shown rounds took, or the last of the shown shifts moved."""
    result, rounds = view.result, view.rounds
    assert rounds is not None
    layer = next(x for x in result.layers if x.number == rounds)
    if isinstance(layer.marks[0], Shift):
        return _shift_text(view, layer.marks[0])
    taken = {cell.i for mark in layer.marks for cell in mark.cells()}
    before = {c.i for c, number in marks.covered(result, rounds - 1).items() if number}
    where = f" with reference {layer.marks[0].cells()[0].k + 1}" if len(view.texts.references) > 1 else ""
    return (
        f"{noun} {rounds} takes {theme.plural(len(taken), 'word')}{where}: its credits sum to "
        f"{sum(layer.credits):.3f} and weigh {layer.weight:.4g}. "
        f"{theme.plural(len(before), 'candidate word')} retired before."
    )


def _shift_text(view: View, shift: Shift) -> str:
    """Which words a shift moves, and where they then stand."""
    words, result, number = view.texts.candidate_words, view.result, view.rounds
    order = list(range(len(words)))
    for layer in result.layers:
        mark = layer.marks[0] if layer.number else None
        if isinstance(mark, Shift) and mark != shift:
            order = mark.apply(order)
        elif mark == shift:
            break
    rest = [*order[: shift.start], *order[shift.end :]]
    moved = " ".join(theme.visible(words[i]) for i in shift.rows[:12]) + (" …" if len(shift.rows) > 12 else "")
    where = f"before “{theme.visible(words[rest[shift.to]])}”" if shift.to < len(rest) else "to the end"
    return f"Shift {number} moves “{moved}” {where}."


# ---------------------------------------------------------------- ledger


def _formula(view: View) -> None:
    if view.rounds is not None:
        _round_controls(view)
    st.latex(ledger.latex(view.result, view.chosen, 44 if view.phone else 60 if view.geo and view.geo.beside else 80))
    if sentence := cache.remark(view.result):
        written = re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(sentence))  # a command to type
        st.html(f'<div class="rd">{written}</div>')


def _table(view: View, most: int) -> None:
    texts, result = view.texts, view.result

    def pick(row: int) -> None:
        choose(ledger.selection_of(result, row, view.rounds))

    evidence_table.show(texts, result, view.chosen, view.rounds, most, view.hits, pick)
    st.html(f'<div class="sig">{html.escape(signature(texts, result)).replace("|", "|<wbr>")}</div>')


def signature(texts: Texts, result: Result) -> str:
    return result.signature(texts.settings.signature())


def _references(view: View) -> None:
    """What each reference contributed, and the score with it alone."""
    result = view.result
    if len(result.segment.references) < 2:
        return
    badges, rows = marks.badges(result), []
    for k, credit in enumerate(result.contributions()):
        badge = "".join(f'<span class="bd">{b}</span>' for b in badges.get(k, ()))
        name = f"Reference {k + 1} {badge}"
        rows.append(f"<tr><td>{name}</td><td>{credit:.4g}</td><td>{cache.alone(result, k)}</td></tr>")
    head = "<tr><th>Reference</th><th>Credit used here</th><th>Score with it alone</th></tr>"
    st.html(f'<table class="rf">{head}{"".join(rows)}</table>')
