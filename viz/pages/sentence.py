"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

import metrics
from metrics.similarity import TranslationTable
from metrics.text import TextSettings
from metrics.types import Hit, Result, Settings
from viz import cache, charts, controls, evidence_table, grid, inputs, ledger, marks, share, similarity, theme, words
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
        with st.container(key="tools"):
            text, share_, save = st.columns(3, gap="small")
            with text.popover("Text", width="stretch"):
                controls.text_settings(TextSettings)
            with share_:
                _share()
            with save:
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


def _restore(workspace: share.Workspace, problems: list[str], table: Mapping[str, Any] | None = None) -> None:
    session = st.session_state
    session.candidate, session.references = workspace.candidate, workspace.references
    session.metric = workspace.metric
    controls.restore(workspace)
    try:
        similarity.restore(workspace.similarity, table)
    except ValueError as error:
        problems = [*problems, f"The word similarity is not used: {error}."]
    session.problems = problems


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
        similarity.current()[0],
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
    with st.popover("Share", width="stretch", on_change="rerun", key="share") as popover:
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
        table = similarity.current()[1]
        extra = {}
        if isinstance(table, TranslationTable):
            extra["table"] = {"name": table.name, "lines": list(table.lines())}
            st.caption("The translation table does not fit into a link; the workspace file holds it.")
        st.download_button(
            "Workspace file", share.to_json(workspace, extra), "bitext-grid.json", "application/json", on_click="ignore"
        )
        st.file_uploader("Open a workspace file", type="json", key="workspace", on_change=_open_workspace)


def _open_workspace() -> None:
    uploaded = st.session_state.workspace
    if uploaded is None:
        return
    try:
        workspace, problems, extra = share.from_json(uploaded.getvalue())
    except ValueError as error:
        st.session_state.problems = [str(error)]
        return
    _restore(workspace, problems, extra.get("table"))


@st.fragment
def _save() -> None:
    with st.popover("Save", width="stretch", on_change="rerun", key="save") as popover:
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
    with right.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="bottom", gap="medium", key="settings"
    ):
        room = 590
        if charts.has_arcs(result):
            st.segmented_control("Picture", ["Arcs", "Grid"], key="picture", default="Arcs", required=True)
            room -= 150
        controls.metric_settings(key, len(texts.references), room)
    _printed(texts)
    # Rounds are played by the fragment's own clock; it runs only while they are.
    st.fragment(_evidence, run_every=1.2 if st.session_state.get("playing") else None)(texts, key)
    _as_text(texts, result)
    _sync(texts.settings)


def _as_text(texts: Texts, result: Result) -> None:
    with st.expander("Matches as text", on_change="rerun", key="as_text") as expander:
        if expander.open:
            table = ledger.rows(texts.candidate_words, texts.reference_words, result, most=evidence_table.ROWS_MOST)
            more = marks.count_terms(result) - len(table)
            st.code(words.matches_as_text(table, more), language=None, wrap_lines=True)


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


def _evidence(texts: Texts, key: str) -> None:
    """Words, grid and ledger of one result; a selected term or another round redraws only this."""
    result = cache.score(key, texts.segment, _settings(key))
    candidate, references = texts.candidate_words, texts.reference_words
    phone = "Mobi" in (st.context.headers.get("User-Agent") or "")
    geo = grid.geometry(candidate, references, phone)
    window = _window(texts) if geo is None else None
    hits = cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
    rounds = _rounds(result)
    chosen = _chosen(result)
    view = View(texts, result, chosen, rounds, hits, geo, window, phone)
    if not window:
        st.html(words.strips(candidate, references, hits, result, chosen, rounds, _badges(result)))
    if geo and geo.beside:
        row = st.container(horizontal=True, gap="large")
        with row.container(width=grid.BESIDE):
            _picture(view)
        with row.container(width="stretch", key="ledger"):
            _formula(view)
            _table(view, 9)
            _references(view)
        return
    left, right = st.columns([1, 1], gap="large")
    with left:
        if window:
            _overview(view)
        else:
            _formula(view)
            _references(view)
    with right:
        if window:
            _formula(view)
        _table(view, 5)
        if window:
            _references(view)
    if window:
        st.html(words.strips(candidate, references, hits, result, chosen, rounds, _badges(result), window))
    _picture(view)


class View(NamedTuple):
    """What the parts of the evidence draw from."""

    texts: Texts
    result: Result
    chosen: Selection | None
    rounds: int | None
    hits: Sequence[Hit]
    geo: grid.Geometry | None
    window: grid.Window | None
    phone: bool


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


def _picture(view: View) -> None:
    texts, result, chosen = view.texts, view.result, view.chosen
    candidate, references = texts.candidate_words, texts.reference_words
    arcs = _wants_arcs(result)
    if arcs:
        max_skip = getattr(result.settings, "max_skip", None)
        room = grid.PHONE if view.phone else grid.BESIDE if view.geo and view.geo.beside else grid.FULL
        figure = charts.arcs(candidate, result, chosen, room, max_skip)
        legend = words.arcs_legend()
        alt = "Shared word pairs as arcs over the candidate"
    else:
        drawn = marks.shapes(result, view.hits, chosen, view.rounds)
        geo = view.geo or grid.Geometry(22, 1, False)
        figure = grid.figure(candidate, references, drawn, geo, window=view.window)
        legend = words.legend(drawn)
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
    st.html(legend)


def _wants_arcs(result: Result) -> bool:
    return st.session_state.get("picture", "Arcs") == "Arcs" and charts.has_arcs(result)


# ---------------------------------------------------------------- long texts


def _window(texts: Texts) -> grid.Window:
    """The part of a long text that is shown in detail, kept inside the text."""
    session = st.session_state
    k = min(session.get("detail_reference", 0), len(texts.references) - 1)
    n, m = len(texts.candidate), len(texts.references[k])
    i = min(session.get("detail_i", 1) - 1, max(0, n - DETAIL))
    j = min(session.get("detail_j", 1) - 1, max(0, m - DETAIL))
    return grid.Window(k, i, j, min(DETAIL, n), min(DETAIL, m))


def _overview(view: View) -> None:
    """The whole bitext from afar and the controls of the detail window."""
    texts, window = view.texts, view.window
    assert window
    session = st.session_state
    n, m = len(texts.candidate), len(texts.references[window.k])
    session.detail_i, session.detail_j = window.i + 1, window.j + 1
    used = [cell for cell in marks.covered(view.result, view.rounds) if cell.k == window.k]
    all_ = cache.density(texts.segment, window.k, charts.overview_step(n, m))
    figure = charts.overview(n, m, all_, used, window, grid.PHONE - 70 if view.phone else 440)

    def move() -> None:
        points = session.overview.selection.points
        middle = charts.clicked_square(points[0]) if points else None
        if middle:
            session.detail_i = max(1, middle[0] - DETAIL // 2 + 1)
            session.detail_j = max(1, middle[1] - DETAIL // 2 + 1)

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


# ---------------------------------------------------------------- rounds


def _last_round(result: Result) -> int:
    return max([layer.number or 0 for layer in result.layers], default=0)


def _rounds(result: Result) -> int | None:
    """How many rounds to show; None where the result has none or one."""
    last, session = _last_round(result), st.session_state
    if last < 2:
        return None
    if session.get("rounds_of") != _identity(result):  # another result starts with all its rounds
        session.rounds_of, session.rounds, session.playing = _identity(result), last, False
    elif session.pop("replay", False):
        session.rounds = 1
    elif session.get("playing"):
        if session.rounds < last:
            session.rounds += 1
        else:
            session.playing = False
            st.rerun()
    return int(session.rounds)


def _round_controls(view: View) -> None:
    """The slider through the rounds, and in words what the last one shown took."""
    result, rounds = view.result, view.rounds
    assert rounds is not None
    session = st.session_state
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.slider("Rounds shown", 1, _last_round(result), key="rounds", width=260)
        if st.button("Pause" if session.get("playing") else "Play"):
            session.playing = not session.get("playing")
            if session.playing:
                session.replay = True
            st.rerun()  # the whole page, since its clock starts or stops
    layer = next(x for x in result.layers if x.number == rounds)
    taken = {cell.i for mark in layer.marks for cell in mark.cells()}
    before = {c.i for c, number in marks.covered(result, rounds - 1).items() if number}
    where = f" with reference {layer.marks[0].cells()[0].k + 1}" if len(view.texts.references) > 1 else ""
    gain = sum(layer.credits)
    st.html(
        f'<div class="rd">Round {rounds} takes {theme.plural(len(taken), "word")}{where}: its credits sum to '
        f"{gain:.3f} and weigh {layer.weight:.4g}. {theme.plural(len(before), 'candidate word')} retired before.</div>"
    )


# ---------------------------------------------------------------- ledger


def _formula(view: View) -> None:
    if view.rounds is not None:
        _round_controls(view)
    st.latex(ledger.latex(view.result, view.chosen, 34 if view.phone else 48 if view.geo and view.geo.beside else 66))
    remark = metrics.METRICS[view.result.metric].remark
    if remark and (sentence := remark(view.result)):
        st.html(f'<div class="rd">{html.escape(sentence)}</div>')


def _table(view: View, most: int) -> None:
    texts, result = view.texts, view.result

    def pick(row: int) -> None:
        _choose(result, ledger.selection_of(result, row, view.rounds))

    evidence_table.show(texts, result, view.chosen, view.rounds, most, view.hits, pick)
    st.html(f'<div class="sig">{html.escape(_signature(texts, result)).replace("|", "|<wbr>")}</div>')


def _signature(texts: Texts, result: Result) -> str:
    return result.signature(texts.settings.signature())


def _references(view: View) -> None:
    """What each reference contributed, and the score with it alone."""
    result, segment = view.result, view.texts.segment
    if len(segment.references) < 2:
        return
    rows = []
    for k, (reference, credit) in enumerate(zip(segment.references, result.contributions(), strict=True)):
        alone = cache.score(result.metric, segment._replace(references=(reference,)), result.settings)
        badges = "".join(f'<span class="bd2">{badge}</span>' for badge in _badges(result).get(k, ()))
        rows.append(f"<tr><td>Reference {k + 1} {badges}</td><td>{credit:.4g}</td><td>{alone.score:.3f}</td></tr>")
    head = "<tr><th>Reference</th><th>Credit used here</th><th>Score with it alone</th></tr>"
    st.html(f'<table class="rf">{head}{"".join(rows)}</table>')


page()
