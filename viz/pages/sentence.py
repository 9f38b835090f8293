"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

import metrics
from metrics.text import TextSettings
from metrics.types import Result, Settings
from viz import cache, charts, controls, evidence_table, grid, inputs, ledger, marks, share, theme, words
from viz.examples import BY_NAME, EXAMPLES, Example
from viz.inputs import Texts
from viz.marks import Selection

CONFIG = {"displayModeBar": False, "displaylogo": False, "scrollZoom": False, "doubleClick": False, "responsive": False}
DETAIL = 40  # words a side of the detail window of a long bitext


# ---------------------------------------------------------------- inputs


def page() -> None:
    """Ask for input, score, draw, and caption with the signature."""
    _start()
    session = st.session_state
    left, middle, right = st.columns([4.3, 5.2, 2.9], gap="medium")
    candidate = left.text_area(
        "Candidate", key="candidate", height=116, placeholder="Paste a machine translation", persist_state="session"
    )
    references = middle.text_area(
        "References, one per line",
        key="references",
        height=116,
        placeholder="Paste one or more human translations, each on its own line",
        persist_state="session",
    )
    with right:
        st.selectbox(
            "Example", list(BY_NAME), key="example", index=None, placeholder="Choose one", on_change=_take_example
        )
        with st.container(horizontal=True, gap="small", horizontal_alignment="distribute"):
            with st.popover("Text"):
                controls.text_settings(TextSettings)
            _share()
            _save()
    for problem in session.pop("problems", []):
        st.warning(problem)
    settings = controls.read("text", TextSettings)
    assert isinstance(settings, TextSettings)
    texts = inputs.read(candidate or "", references or "", settings)
    if isinstance(texts, str):
        _sync(settings)
        (st.info if texts.startswith("Paste") else st.warning)(theme.visible(texts, 400))
        return
    view(texts)


def _start() -> None:
    """Once a session: take over the state in the link, or the first example."""
    session = st.session_state
    if "started" in session:
        return
    session.started = True
    query = {name: st.query_params[name] for name in st.query_params}
    if share.known(query):
        workspace, problems = share.from_query(query)
        _restore(workspace, problems)
    else:
        _load(EXAMPLES[0])
        session.example = EXAMPLES[0].name


def _restore(workspace: share.Workspace, problems: list[str]) -> None:
    session = st.session_state
    session.candidate, session.references = workspace.candidate, workspace.references
    session.metric = workspace.metric
    session.problems = problems
    controls.restore(workspace)


def _load(example: Example) -> None:
    settings = {key: dict(values) for key, values in [(example.metric, example.settings)] if values}
    workspace = share.Workspace(
        example.candidate, example.references, TextSettings(**example.text), example.metric, settings
    )
    _restore(workspace, [])


def _take_example() -> None:
    if name := st.session_state.example:
        _load(BY_NAME[name])


def _workspace() -> share.Workspace:
    session = st.session_state
    text = controls.read("text", TextSettings)
    assert isinstance(text, TextSettings)
    settings = {key: share.changed(_settings(key)) for key in metrics.METRICS}
    return share.Workspace(
        session.get("candidate") or "",
        session.get("references") or "",
        text,
        session.get("metric") or "gtm",
        {key: values for key, values in settings.items() if values},
    )


def _settings(key: str) -> Settings:
    return controls.read(key, metrics.METRICS[key].Settings)


def _sync(text: TextSettings) -> None:
    """Keep the address bar at the page's state, so that a reload or a copied address brings it back."""
    workspace = _workspace()
    query = share.to_query(workspace) if share.link(workspace) else {}
    if dict(st.query_params) != query:
        st.query_params.from_dict(query)


@st.fragment
def _share() -> None:
    with st.popover("Share", on_change="rerun", key="share") as popover:
        if not popover.open:
            return
        workspace = _workspace()
        link = share.link(workspace)
        if link:
            base = (st.context.url or "").split("?")[0]
            st.caption("The link holds the texts and every setting.")
            st.code(base + link, wrap_lines=True, language=None)
        else:
            st.caption("The texts are too long for a link. Send the workspace file instead.")
        st.download_button(
            "Workspace file", share.to_json(workspace), "bitext-grid.json", "application/json", on_click="ignore"
        )
        st.file_uploader("Open a workspace file", type="json", key="workspace", on_change=_open_workspace)


def _open_workspace() -> None:
    uploaded = st.session_state.workspace
    if uploaded is None:
        return
    try:
        workspace, problems, _ = share.from_json(uploaded.getvalue())
    except ValueError as error:
        st.session_state.problems = [str(error)]
        return
    _restore(workspace, problems)


@st.fragment
def _save() -> None:
    with st.popover("Save", on_change="rerun", key="save") as popover:
        if popover.open:
            st.caption("to come")


# ---------------------------------------------------------------- scores


@st.fragment
def view(texts: Texts) -> None:
    """The score strip, the chosen metric's settings, and its evidence."""
    results: dict[str, Result] = {}
    for key in metrics.METRICS:
        results[key] = cache.score(key, texts.segment, _settings(key))
    _strip(results)
    key = st.session_state.metric
    metric, result = metrics.METRICS[key], results[key]
    left, right = st.columns([6, 6], gap="medium", vertical_alignment="bottom")
    left.html(f'<div class="vh"><b>{html.escape(metric.name)}</b><br><span>{html.escape(metric.idea)}</span></div>')
    with right.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium"):
        if charts.has_arcs(result):
            st.segmented_control("Picture", ["Arcs", "Grid"], key="picture", default="Arcs", required=True)
        controls.metric_settings(key, len(texts.references))
    _printed(texts)
    evidence(texts, key)
    _sync(texts.settings)


def _strip(results: Mapping[str, Result]) -> None:
    rules = []
    for position, (key, result) in enumerate(results.items()):
        share_ = 100 * min(1.0, result.score)
        colour = theme.BLUE if metrics.METRICS[key].higher_is_better else theme.OCHRE
        rules.append(
            f".st-key-metric button:nth-of-type({position + 1})::after{{background:linear-gradient(90deg,{colour} "
            f"{share_:.1f}%,rgba(128,128,128,.25) {share_:.1f}%)}}"
        )
    st.html(f"<style>{''.join(rules)}</style>")
    st.segmented_control(
        "Metric",
        list(results),
        key="metric",
        required=True,
        format_func=lambda key: _tile(results[key]),
        label_visibility="collapsed",
        width="stretch",
        wrap=True,
        persist_state="session",
    )


def _tile(result: Result) -> str:
    metric = metrics.METRICS[result.metric]
    if metric.summary:
        below = metric.summary(result)
    elif "precision" in result.parts:
        p, r = result.parts["precision"], result.parts["recall"]
        below = f"P {theme.fraction_text(p)} R {theme.fraction_text(r)}"
    else:
        below = "" if metric.higher_is_better else "↓ is better"
    return f"{metric.label} **{theme.score_text(result.score)}** *{below}*"


def _printed(texts: Texts) -> None:
    """What the paper prints for an example, beside our number."""
    session = st.session_state
    example = BY_NAME.get(session.get("example") or "")
    if not example or not example.printed:
        return
    if (session.candidate, session.references) != (example.candidate, example.references):
        return
    notes = []
    for printed in example.printed:
        result = cache.score(printed.metric, texts.segment, metrics.settings(printed.metric, **printed.settings))
        ours = result.score if printed.part == "score" else result.parts[printed.part]
        setting = ", ".join(f"{n.replace('_', ' ')} {v}" for n, v in printed.settings.items())
        name = metrics.METRICS[printed.metric].label + (f" ({setting})" if setting else "")
        note = f"<b>{name}</b>: {printed.where} prints {printed.value}, here <b>{ours:.3f}</b>."
        notes.append(note + (f' <span class="er">Erratum: {printed.erratum}.</span>' if printed.erratum else ""))
    st.html('<div class="pr">' + "<br>".join(notes) + "</div>")


# ---------------------------------------------------------------- evidence


@st.fragment
def evidence(texts: Texts, key: str) -> None:
    """Words, grid and ledger of one result; a selected term redraws only this."""
    session = st.session_state
    result = cache.score(key, texts.segment, _settings(key))
    chosen = _chosen(result)
    rounds = None
    st.html(
        words.strips(
            texts.candidate_words,
            texts.reference_words,
            cache.hits(texts.segment),
            result,
            chosen,
            rounds,
            _badges(result),
        )
    )
    phone = "Mobi" in (st.context.headers.get("User-Agent") or "")
    geo = grid.geometry(texts.candidate_words, texts.reference_words, phone)
    assert geo
    arcs = session.get("picture", "Arcs") == "Arcs" and charts.has_arcs(result)
    if geo.beside:
        row = st.container(horizontal=True, gap="large")
        with row.container(width=grid.BESIDE if not arcs else grid.BESIDE):
            _picture(texts, result, chosen, rounds, geo, arcs)
        with row.container(width="stretch", key="ledger"):
            _formula(result, chosen)
            _table(texts, result, chosen, rounds, 9)
    else:
        left, right = st.columns([1, 1], gap="large")
        with left:
            _formula(result, chosen, phone)
        with right:
            _table(texts, result, chosen, rounds, 5)
        _picture(texts, result, chosen, rounds, geo, arcs)
    with st.expander("Matches as text"):
        st.text(words.matches_as_text(texts.candidate_words, texts.reference_words, result))


def _identity(result: Result) -> tuple[Any, ...]:
    return (result.metric, result.settings, result.segment)


def _chosen(result: Result) -> Selection | None:
    pick = st.session_state.get("pick")
    return pick[1] if pick and pick[0] == _identity(result) and pick[1].of(result) else None


def _choose(result: Result, selection: Selection | None) -> None:
    st.session_state.pick = (_identity(result), selection) if selection else None


def _badges(result: Result) -> dict[int, list[str]]:
    if len(result.segment.references) < 2:
        return {}
    out: dict[int, list[str]] = {}
    if len(set(result.decides.values())) == 1:
        return {next(iter(result.decides.values())): ["decides"]}
    for part, k in result.decides.items():
        out.setdefault(k, []).append(f"decides {part}")
    return out


def _picture(
    texts: Texts, result: Result, chosen: Selection | None, rounds: int | None, geo: grid.Geometry, arcs: bool
) -> None:
    if arcs:
        max_skip = getattr(result.settings, "max_skip", None)
        figure = charts.arcs(texts.candidate_words, result, chosen, grid.BESIDE, max_skip)
        alt = "Shared word pairs as arcs over the candidate"
    else:
        drawn = marks.shapes(result, cache.hits(texts.segment), chosen, rounds)
        figure = grid.figure(texts.candidate_words, texts.reference_words, drawn, geo)
        alt = "Bitext grid: the candidate's words down, the references' words across"

    def select() -> None:
        points = st.session_state.grid.selection.points
        point = points[0] if points else {}
        if arcs:
            _choose(result, charts.clicked_arc(point))
        else:
            cell = grid.clicked(point)
            _choose(result, marks.term_at(result, cell, chosen) if cell else None)

    with st.container(key="scroll"):
        st.html(f"<style>.st-key-scroll .stPlotlyChart{{min-width:{figure['layout']['width']}px}}</style>")
        st.plotly_chart(
            figure, key="grid", width="content", config=CONFIG, alt=alt, on_select=select, selection_mode="points"
        )


def _formula(result: Result, chosen: Selection | None, narrow: bool = False) -> None:
    st.latex(ledger.latex(result, chosen, narrow))


def _table(texts: Texts, result: Result, chosen: Selection | None, rounds: int | None, most: int) -> None:
    def pick(row: int) -> None:
        _choose(result, ledger.selection_of(result, row, rounds))

    evidence_table.show(texts, result, chosen, rounds, most, pick)
    st.html(f'<div class="sig">{html.escape(result.signature(texts.settings.signature())).replace("|", "|<wbr>")}</div>')


page()
