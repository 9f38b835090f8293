"""The view of what it cost: the edits from the candidate to a reference, and what each costs every metric.

All is looked for when the view is open, by the chosen metric first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

import metrics
from metrics.analysis.edit_sentence import Explained, edit_rows, explained
from metrics.analysis.sentence import Shown
from metrics.types import Result, Settings

from ...components import fragment as component
from ...draw.edits import cost as drawing
from ...draw.edits.between import Between, Worth
from ...draw.edits.cost import Cost
from ...draw.evidence import figure
from ...draw.evidence.drawn import Look, is_long
from ...draw.evidence.fragment import header
from ...draw.pen import svg, theme
from ...draw.pen.marks import by_credit
from ...draw.texts import Texts
from ...frame import evidence
from ...save import cost_files, sentence_page, tikz
from ...save.sentence_page import Files
from ...state import cache, codec, scoring
from ...state import edits as edits_of
from ...state.cache import Problem, bounded
from ...state.memory import remembered
from .record import Sentence

NAME = "What it cost"
IDEA = (
    "The edits from the candidate to a reference: what each costs now, and in the mean over all orders of making them."
)
SAID_MOST = 12  # edits of which a sentence is made, those of the largest shares
SAID_WORK = 300_000  # steps that one sentence may take
ROWS_MOST = 150  # edits beside all metrics; of more, only the chosen metric stands
BEFORE = 10  # words before the chosen edit in the detail of a long text
EDITS_MOST = 100_000
MANY = 15  # edits from which on it takes so long that a sign says so


def draw(texts: Texts, shown: Sentence) -> None:
    """The view, of the reference that is chosen or else of the one that decides."""
    found = scoring.score(shown, shown.metric, texts)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="above"):
        st.html(header(NAME, IDEA))
        if len(texts.references) > 1:
            _reference_menu(found, texts, shown)
    if isinstance(found, Problem):
        st.warning(theme.markdown(str(found)))
        return
    k = way(found, texts, shown)
    between = _between(texts, k)
    if isinstance(between, Problem):
        st.warning(theme.markdown(str(between)))
        return
    waits = _waits(texts, found, k, shown, between)
    with st.spinner("Trying orders of the edits") if len(between.edits) > MANY else nullcontext():
        worth = worth_of(texts, found, k, shown, between, 0.0 if waits else WAIT)
        cost = cost_of(texts, found, k, shown, between, worth, component.room())
    _show(cost, shown)
    if not waits and any(not each.shares and not each.problem for each in worth) and between.rows:
        st.button("Go on", key="cost_more", on_click=lambda: st.session_state.pop("cost_of", None))
    if waits:
        # What the chosen metric says is seen before the others are looked for.
        worth_of(texts, found, k, shown, between, WAIT)
        st.session_state.cost_of = _asked(texts, found, k, shown)
        st.rerun()


WAIT = 2.5  # seconds after which no other metric is begun


def _asked(texts: Texts, found: Result, k: int, shown: Sentence) -> tuple[object, ...]:
    return texts.segment, k, tuple([shown.settings_of(key) for key in metrics.METRICS]), found.metric


def _waits(texts: Texts, found: Result, k: int, shown: Sentence, between: Between) -> bool:
    """Whether the other metrics have not been looked for; they are once."""
    if not between.rows or len(between.rows) > ROWS_MOST:
        return False
    return st.session_state.get("cost_of") != _asked(texts, found, k, shown)


def _reference_menu(found: Result | Problem, texts: Texts, shown: Sentence) -> None:
    deciding = deciding_first(found, len(texts.references))
    st.session_state.way_shown = way(found, texts, shown)

    def choose() -> None:
        st.session_state.way, st.session_state.edit = st.session_state.way_shown, None

    st.segmented_control(
        "Reference",
        deciding,
        key="way_shown",
        required=True,
        format_func=lambda k: f"Reference {k + 1}",
        label_visibility="collapsed",
        on_change=choose,
    )


def deciding_first(found: Result | Problem, count: int) -> list[int]:
    """The numbers of the references in the order in which their grids stand, those that decide the score first."""
    return [*range(count)] if isinstance(found, Problem) else by_credit([found], range(count))


def way(found: Result | Problem, texts: Texts, shown: Sentence) -> int:
    """The number of the reference that the edits lead to."""
    count = len(texts.references)
    return shown.way if shown.way is not None and shown.way < count else deciding_first(found, count)[0]


def _between(texts: Texts, k: int) -> Between | Problem:
    edits = edits_of.edits_between(texts.segment.candidate, texts.segment.references[k])
    return edits if isinstance(edits, Problem) else drawing.between_of(texts, k, edits)


def worth_of(texts: Texts, found: Result, k: int, shown: Sentence, between: Between, seconds: float) -> list[Worth]:
    """What the edits are worth to all metrics, the chosen one first, as far as there is time for the others."""
    segment, other = texts.segment, texts.segment.references[k]
    if not between.rows:
        return [Worth(metrics.METRICS[found.metric])]
    if len(between.rows) > ROWS_MOST:
        return [edits_of.worth_of(found.metric, segment, other, found.settings, True)]
    settings: Mapping[str, Settings] = {key: shown.settings_of(key) for key in metrics.METRICS}
    return edits_of.worth_of_all(found.metric, segment, other, settings, seconds)


@remembered
def _explained(found: Result, texts: Texts, k: int) -> dict[int, Explained]:
    """Of the rows with the largest shares what is said of each."""
    segment, other = texts.segment, texts.segment.references[k]
    metric = metrics.METRICS[found.metric]
    worth = edits_of.worth_of(found.metric, segment, other, found.settings, True)
    words = Shown(texts.candidate_words, texts.reference_words[k], texts.reference_words)
    rows = edit_rows(worth.shares)
    largest = sorted(range(len(rows)), key=lambda row: -abs(sum([edit.share for edit in rows[row]])))
    out: dict[int, Explained] = {}
    for row in largest[:SAID_MOST]:
        said = bounded(
            metric.label,
            lambda row=row: explained(metric, segment, other, found.settings, worth.shares, rows[row], words),  # type: ignore[misc]
            SAID_WORK,
        )
        if not isinstance(said, Problem):
            out[row] = said
    return out


def cost_of(
    texts: Texts, found: Result, k: int, shown: Sentence, between: Between, worth: Sequence[Worth], room: int
) -> Cost:
    """All that the view draws. Of a long text the detail holds the chosen edit."""
    look = replace(shown.look(found.metric, room), term=None, rounds=None, tie=0, picture="grid")
    if is_long(texts) and between.rows:
        look = _at(look, between, k, shown)
    end = cache.glance(found.metric, texts.segment._replace(candidate=texts.segment.references[k]), found.settings)
    return Cost(
        evidence.drawn(texts, found, look),
        k,
        between,
        worth,
        _explained(found, texts, k) if between.rows and worth[0].shares else {},
        None if isinstance(end, Problem) else end.score,
    )


def _at(look: Look, between: Between, k: int, shown: Sentence) -> Look:
    """The detail of a long text around the chosen edit, the first one where none is."""
    row = shown.edit if shown.edit is not None and shown.edit < len(between.rows) else 0
    span = between.spans(row)[0]
    i, j = max(1, span.a - BEFORE + 1), max(1, span.b - BEFORE + 1)
    return replace(look, detail_i=i, detail_j=j, detail_reference=k)


def _show(cost: Cost, shown: Sentence) -> None:
    between = cost.between

    def told(what: str, value: object) -> None:
        if what == "term":
            number = value.partition(":")[2] if isinstance(value, str) else ""
            st.session_state.edit = codec.number_sent(number, EDITS_MOST)

    chosen = shown.edit if shown.edit is not None and shown.edit < len(between.rows) else None
    component.show("cost", drawing.fragment(cost), None if chosen is None else between.term(chosen), told)


def files(texts: Texts, shown: Sentence) -> Files | Problem:
    """What can be saved of the view."""
    found = scoring.score(shown, shown.metric, texts)
    if isinstance(found, Problem):
        return found
    k = way(found, texts, shown)
    between = _between(texts, k)
    if isinstance(between, Problem):
        return between
    cost = cost_of(texts, found, k, shown, between, worth_of(texts, found, k, shown, between, WAIT), component.room())
    cost = replace(cost, drawn=replace(cost.drawn, verdict=edits_of.verdict_of(texts, found)))
    title = f"{NAME}: {figure.title_of(cost.drawn)}"
    return f"{shown.metric}_cost", [
        ("Page, HTML", "html", lambda: sentence_page.view_html(title, title, IDEA, drawing.fragment(cost))),
        ("Edits, CSV", "csv", lambda: cost_files.csv_text(cost)),
        ("Edits, JSON", "json", lambda: cost_files.json_text(cost)),
        ("Figure, SVG", "svg", lambda: svg.captioned(figure.picture_of(cost.drawn, saved=True))),
        ("Figure, TikZ", "tex", lambda: tikz.document(figure.picture_of(cost.drawn, saved=True))),
    ]
