"""Several metrics on one sentence: the cells they agree on, all their alignments at a glance, any two on one grid."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

import metrics
from metrics.types import Hit, Result
from viz.draw import grid, marks, svg, theme, words
from viz.draw.texts import Texts
from viz.state import cache, session
from viz.state.cache import Glance, Problem
from viz.views import one_metric

DIVIDED_MOST = 12  # cells that the table of divided opinions lists


def opinions(results: Mapping[str, Result]) -> dict[Hit, tuple[str, ...]]:
    """For every cell that some metric uses, the keys of the metrics that do."""
    out: dict[Hit, tuple[str, ...]] = {}
    for key, result in results.items():
        for cell in marks.covered(result):
            out[cell] = (*out.get(cell, ()), key)
    return out


def _results(texts: Texts, keys: Sequence[str]) -> dict[str, Result]:
    """The results of the metrics that can score the texts."""
    out = {}
    for key in keys:
        result = session.score(key, texts)
        if isinstance(result, Result):
            out[key] = result
    return out


def _header(name: str, idea: str) -> None:
    st.html(f'<div class="vh"><b>{html.escape(name)}</b><br><span>{html.escape(idea)}</span></div>')


def _listed(keys: Sequence[str]) -> str:
    return html.escape(", ".join(metrics.METRICS[key].label for key in keys))


def _place(cell: Hit, several: bool) -> str:
    return f"{cell.i + 1} × {cell.j + 1}" + (f", R{cell.k + 1}" if several else "")


def _pair(texts: Texts, cell: Hit) -> str:
    """The words of a cell, once where they are the same."""
    a, b = texts.candidate_words[cell.i], texts.reference_words[cell.k][cell.j]
    return theme.safe(a) if a == b else f"{theme.safe(a)} / {theme.safe(b)}"


def all_metrics(texts: Texts, glances: Mapping[str, Glance | Problem]) -> None:
    """Every metric's alignment, small, over cells tinted by how many metrics use them, and where opinions divide."""
    results = _results(texts, list(metrics.METRICS))
    used = opinions(results)
    counts = {cell: len(keys) for cell, keys in used.items()}
    total = len(results)
    _header(
        "All metrics",
        f"The stronger a cell's colour, the more of the {total} metrics use it. Choose a metric for all its evidence.",
    )
    geo = grid.geometry(texts.candidate_words, texts.reference_words, one_metric.on_phone())
    if geo is None:
        st.info("The sentence is too long for all grids on one page; up to 130 words a side they stand here.")
        return
    hits = cache.hits(texts.segment)
    drawn = marks.shared(counts, total, hits)
    figure = grid.figure(texts.candidate_words, texts.reference_words, drawn, geo)
    # Beside each other, or, of long sentences, the small grids first, so that all of them are seen at once.
    above, below = st.container(horizontal=True, gap="large"), st.container()
    left, right = (above.container(width=grid.BESIDE), above.container(width="stretch")) if geo.beside else (below,) * 2
    with right:
        st.html(divided_table(texts, used, results))
    with left:
        _plot(figure, "shared_grid", "Bitext grid, each cell tinted by the number of metrics that use it")
        st.html(words.legend(drawn))
    with below if geo.beside else above, st.container(horizontal=True, gap="medium", key="multiples"):
        for key, result in results.items():
            with st.container(width=280, gap="small"):
                glance = glances[key]
                score = theme.score_text(glance.score) if isinstance(glance, Glance) else "–"
                name = f"{metrics.METRICS[key].label} {score}"
                st.button(name, key=f"open_{key}", type="tertiary", on_click=_open, args=(key,))
                st.html(svg.small(result, counts, total, hits))


def _open(key: str) -> None:
    """Show one metric's evidence."""
    st.session_state.metric, st.session_state.view = key, "metric"


def _plot(figure: grid.Figure, key: str, alt: str) -> None:
    with st.container(key=f"scroll_{key}"):
        st.html(f"<style>.st-key-scroll_{key} .stPlotlyChart{{min-width:{figure['layout']['width']}px}}</style>")
        st.plotly_chart(figure, key=key, width="content", config=one_metric.CONFIG, alt=alt)


def divided_table(texts: Texts, used: Mapping[Hit, tuple[str, ...]], results: Mapping[str, Result]) -> str:
    """The cells on which opinions divide most, and which metrics use them and which do not, as HTML."""
    total, several = len(results), len(texts.references) > 1
    divided = sorted(
        (c for c, keys in used.items() if len(keys) < total), key=lambda c: (abs(2 * len(used[c]) - total), c)
    )
    if not divided:
        return '<p class="rd">All metrics use the same cells.</p>' if used else '<p class="rd">No word matches.</p>'
    rows = []
    for cell in divided[:DIVIDED_MOST]:
        others = [key for key in results if key not in used[cell]]
        rows.append(
            f"<tr><td><bdi>{_pair(texts, cell)}</bdi></td><td class=n>{_place(cell, several)}</td>"
            f"<td class=n>{len(used[cell])} of {total}</td>"
            + (
                f"<td>{_listed(used[cell])}</td></tr>"
                if len(used[cell]) <= total / 2
                else f"<td>not {_listed(others)}</td></tr>"
            )
        )
    more = len(divided) - DIVIDED_MOST
    note = f'<p class="more">and {theme.plural(more, "more cell")}</p>' if more > 0 else ""
    head = "<tr><th>Where opinions divide</th><th>Words</th><th>Used by</th><th>Which</th></tr>"
    return f'<table class="divided">{head}{"".join(rows)}</table>{note}'


def two_metrics(texts: Texts) -> None:
    """Two metrics on one grid: the cells that one uses, that the other uses, and that both use."""
    state = st.session_state
    first = state.metric
    others = [key for key in metrics.METRICS if key != first]
    if state.get("other") not in others:
        state.other = "rouge_l" if first != "rouge_l" else "gtm"
    left, right = st.columns([8, 3], gap="medium", vertical_alignment="bottom")
    with right:
        second = st.selectbox(
            "Compare with", others, key="other", format_func=lambda k: metrics.METRICS[k].label, persist_state="session"
        )
    results = _results(texts, [first, second])
    names = [metrics.METRICS[key].label for key in (first, second)]
    with left:
        _header(" and ".join(names), "Cells that one of them uses, that the other uses, and that both use.")
    if len(results) < 2:
        missing = next(metrics.METRICS[key].label for key in (first, second) if key not in results)
        st.warning(f"{missing} cannot score this sentence, so there is nothing to compare. Choose another metric.")
        return
    a, b = (one_metric.shown(result) for result in results.values())
    geo = grid.geometry(texts.candidate_words, texts.reference_words, one_metric.on_phone())
    if geo is None:
        st.info("The sentence is too long for one grid; up to 130 words a side it stands here.")
        return
    drawn = marks.overlay(a, b, cache.hits(texts.segment), (names[0], names[1]))
    figure = grid.figure(texts.candidate_words, texts.reference_words, drawn, geo)
    row = st.container(horizontal=True, gap="large")
    with row.container(width=grid.BESIDE if geo.beside else "stretch"):
        _plot(figure, "overlay_grid", f"Bitext grid of the cells that {names[0]} and {names[1]} use")
        st.html(words.legend(drawn))
    with row.container(width="stretch") if geo.beside else st.container():
        st.html(overlay_table(texts, a, b, names))


def overlay_table(texts: Texts, a: Result, b: Result, names: Sequence[str]) -> str:
    """How many cells only the one, only the other and both use, with their words, as HTML."""
    ours, theirs = set(marks.covered(a)), set(marks.covered(b))
    rows = []
    for name, cells in (
        (f"{names[0]} alone", ours - theirs),
        (f"{names[1]} alone", theirs - ours),
        ("both", ours & theirs),
    ):
        counted = Counter(_pair(texts, cell) for cell in sorted(cells))
        listed = ", ".join(f"<bdi>{w}</bdi>" + (f" ×{n}" if n > 1 else "") for w, n in [*counted.items()][:40])
        rows.append(f"<tr><td>{html.escape(name)}</td><td class=n>{len(cells)}</td><td>{listed}</td></tr>")
    head = "<tr><th>Used by</th><th>Cells</th><th>Words</th></tr>"
    scores = ", ".join(
        f"<b>{html.escape(name)}</b> {theme.score_text(result.score)}"
        for name, result in zip(names, (a, b), strict=True)
    )
    return f'<p class="rd">{scores}</p><table class="divided">{head}{"".join(rows)}</table>'
