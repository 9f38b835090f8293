"""The papers' experiments, repeated on the reader's own data: one click each, in the background, and what comes of one
opens its segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement.experiments import EXPERIMENTS, Experiment
from metrics.corpus.agreement.experiments.experiment import Given, Options, Outcome, Place, Progress, given
from metrics.corpus.processes import Processes
from metrics.corpus.tasks import Stopped
from metrics.text.files import BadData, text_of
from metrics.text.formats import File
from metrics.types import Settings

from ...components import links, points
from ...draw.agreement import curves, results, weights
from ...draw.agreement.listing import listing
from ...draw.pen import theme
from ...frame.finding import Look, SupersededError
from ...state import codec
from ...state.cache import WORK
from . import agreeing, looking, segment
from .agreeing import CORES, Agreeing, Doing
from .looking import Chosen, Listed
from .record import Agreement

BY_KEY: Mapping[str, Experiment] = {each.key: each for each in EXPERIMENTS}
#: How many resamples or pseudo-documents there can be, None as many as the paper has.
DRAWS = {None: "as the paper has", 100: "100, for a first look", 300: "300", 3000: "3,000"}
#: Lines of a file of sentences or of other translations.
LINES_MOST = 200_000
FILES = {
    "corpus": "Sentences in the language of the references, a line each, for the models of AM-FM",
    "lists": "Other translations, such as n best: “0 ||| text” a line, the segment from 0",
}


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """The list of experiments, or the chosen one with what came of it."""
    experiment = BY_KEY.get(shown.experiment)
    data = _given(found, shown)
    if experiment is None:
        st.html('<p class="lead">Each paper judged its metrics by people. Repeat its experiment on this corpus.</p>')
        links.show("agreement_experiments", _list(found, data), partial(_told, found))
        return
    _chosen(found, shown, table, experiment, data)


def _list(found: Agreeing, data: Given) -> str:
    """All experiments, with what those lack that these data do not allow."""
    of = data.options.scales, len(data.options.lists)
    missing = {
        each.key: found.remembered(("missing", each.key, of), partial(each.needs.missing, data)) for each in EXPERIMENTS
    }
    return listing(
        EXPERIMENTS, missing, {asked[1] for asked, _ in found.came("experiment") if isinstance(asked, tuple)}
    )


def _told(found: Agreeing, name: str, value: str) -> None:
    state = st.session_state
    if name == "experiment" and (value in BY_KEY or not value):
        found.go_on()
        state.agreement_experiment = value
        state.update(agreement_choice="", agreement_system=None, agreement_segment=None, agreement_other=None)
        state.whole_page = True  # which shows how far it is


# ---------------------------------------------------------------- what it is repeated on


def _given(found: Agreeing, shown: Agreement) -> Given:
    """The corpus as experiments take it; which references segments have is looked up once."""
    whole = found.remembered("given", lambda: given(found.material, found.judged, found.text, others=found.others))
    scales = (shown.scale,) if shown.scale in found.scales else found.scales[:1]
    state = st.session_state
    options = Options(
        metrics=shown.with_metrics,
        scales=() if shown.every_scale else scales,
        draws=shown.draws,
        similarity=_similar_words(shown),
        corpus=state.get("agreement_corpus_lines") or (),
        lists=state.get("agreement_lists_lines") or (),
        jobs=CORES,
        workers=Processes(CORES),
        most=WORK,
    )
    return replace(whole, options=options)


def _similar_words(shown: Agreement) -> Any:
    """The similarity of words that is chosen for the metric which asks for one, None where none is."""
    chosen = [
        getattr(shown.settings_of(key), name)
        for key, metric in metrics.METRICS.items()
        for name, rule in metric.Settings.rules().items()
        if rule.kind == "object"
    ]
    return next(filter(None, chosen), None)


def _asked(experiment: Experiment, data: Given) -> tuple[object, ...]:
    """What comes of an experiment follows from."""
    options = data.options
    of: dict[str, object] = {
        "metrics": options.metrics,
        "similarity": options.similarity.signature if options.similarity else "",
        "corpus": options.corpus,
        "lists": options.lists,
    }
    return "experiment", experiment.key, options.scales, options.draws, *[of[name] for name in experiment.takes]


def _options(found: Agreeing, experiment: Experiment) -> None:
    """What can be chosen of an experiment."""
    with st.expander("What it takes", on_change="rerun", key="agreement_takes") as expander:
        if not expander.open:
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox(
                "Draws",
                list(DRAWS),
                key="agreement_draws",
                format_func=DRAWS.__getitem__,
                width=230,
                persist_state="session",
            )
            if len(found.scales) > 1:
                st.session_state.setdefault("agreement_every_scale", True)
                st.checkbox("All scales", key="agreement_every_scale", persist_state="session")
            if "metrics" in experiment.takes:
                st.session_state.agreement_beside = [*st.session_state.get("agreement_with", ())]
                st.multiselect(
                    "Beside the paper's metrics",
                    list(metrics.METRICS),
                    key="agreement_beside",
                    format_func=lambda key: metrics.METRICS[key].label,
                    on_change=_take_beside,
                    width=420,
                )
        if "similarity" in experiment.takes:
            st.caption("Similar words are those of SIA, which its settings choose, or else of source and references.")
        for name in ("corpus", "lists"):
            if name in experiment.takes:
                _file(found, name)


def _take_beside() -> None:
    st.session_state.agreement_with = tuple(sorted(st.session_state.agreement_beside))


def _file(found: Agreeing, name: str) -> None:
    """A file that an experiment takes."""
    state, kept = st.session_state, f"agreement_{name}_lines"
    file: Any = st.file_uploader(FILES[name], key=f"agreement_{name}", type=["txt", "gz", "tsv"])
    if file is None:
        if state.get(kept):
            st.button("Without them", key=f"agreement_no_{name}", on_click=lambda: state.pop(kept, None))
        return
    try:
        lines = text_of(file.name, File(file.name, file.getvalue()).bytes()).splitlines()[:LINES_MOST]
        state[kept] = tuple(lines) if name == "corpus" else _lists(lines, found.size)
    except (BadData, ValueError) as error:
        st.warning(theme.markdown(theme.visible(f"{error}.", 400)))


def _lists(lines: list[str], size: int) -> tuple[tuple[str, ...], ...]:
    """Other translations by segment, of lines as Moses writes n best. ValueError for a line that is none.

    >>> _lists(["0 ||| a b ||| 0.3", "1 ||| c", "0 ||| d"], 2)
    (('a b', 'd'), ('c',))
    """
    out: list[list[str]] = [[] for _ in range(size)]
    for n, line in enumerate(lines, 1):
        number, bars, rest = line.partition("|||")
        if not line.strip():
            continue
        segment_ = codec.number_sent(number.strip(), size)
        if not bars or segment_ is None:
            raise ValueError(f"Line {n} should be a segment's number from 0 to {size - 1}, “|||” and a text")
        out[segment_].append(rest.partition("|||")[0].strip())
    return tuple([tuple(each) for each in out])


# ---------------------------------------------------------------- what comes of it


def _chosen(found: Agreeing, shown: Agreement, table: Table, experiment: Experiment, data: Given) -> None:
    """An experiment, what it takes, and what came of it."""
    back = '<button type="button" data-tell="experiment:">All experiments</button>'
    head = f'<h3>{theme.safe(experiment.title, 200)}</h3><p class="lead">{theme.safe(experiment.about, 300)}</p>'
    links.show("agreement_experiment_head", f'<div class="experiment">{back}{head}</div>', partial(_told, found))
    if missing := experiment.needs.missing(data):
        st.info(theme.markdown(f"{missing} {experiment.needs.says}"))
        return
    _options(found, experiment)
    if not found.scored:
        st.caption("It begins when the metrics are scored.")
        return
    outcome = found.find(_asked(experiment, data), partial(_run, found, experiment, data), "experiment")
    if outcome is None:
        _wait(found)
    elif isinstance(outcome, str):
        st.error(theme.markdown(theme.visible(outcome, 400)))
    else:
        _outcome(found, shown, table, experiment, outcome)
    st.html(results.about(experiment))


def _run(found: Agreeing, experiment: Experiment, data: Given, look: Look) -> Outcome:
    """What comes of an experiment; Stopped, which it may raise anywhere, is that it is wanted no longer."""

    def told(progress: Progress) -> None:
        found.doing = Doing(min(1.0, progress.done), progress.what)
        try:
            look()
        except SupersededError:
            raise Stopped from None

    try:
        return experiment.run(data, told)
    except Stopped:
        raise SupersededError from None


def _wait(found: Agreeing) -> None:
    """Where nothing came of it yet: it was stopped, or it goes on, as the progress above says."""
    if not found.stopped and not st.session_state.get("agreement_told_progress"):
        st.rerun()  # with the sign of how far it is, which the page has not drawn in this run
    if found.stopped:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("It was stopped.")
            st.button("Go on", key="agreement_go_on", on_click=_again, args=(found,))


def _again(found: Agreeing) -> None:
    found.go_on()
    st.session_state.whole_page = True


def _outcome(found: Agreeing, shown: Agreement, table: Table, experiment: Experiment, outcome: Outcome) -> None:
    """Tables, charts and grids at the left, at the right the segments that the chosen part opens."""
    opened = results.opened(outcome, shown.choice)
    left, right = segment.sides() if opened or shown.segment is not None else (st.container(), None)

    def told(name: str, value: str) -> None:
        if name == "opens" and (places := results.opened(outcome, value)):
            st.session_state.agreement_choice = value
            looking.choose(Chosen(places[0].system, places[0].segment))
        if name == "segment":
            number = codec.number_sent(value, len(found.systems) * found.size)
            if number is not None:
                st.session_state.agreement_choice = ""
                looking.choose(Chosen(*agreeing.output_of(found, number)))

    with left:
        st.html(results.notes(outcome) or "<div></div>")
        if not experiment.printed.tables:  # what the paper has comes first
            _charts(found, experiment, outcome, told)
        links.show("agreement_outcome", results.tables(experiment, outcome, shown.choice), told)
        if experiment.printed.tables:
            _charts(found, experiment, outcome, told)
        if outcome.grids:
            links.show("agreement_grids", weights.grids(outcome.grids), told)
    if right is not None:
        with right:
            listed = Listed([*dict.fromkeys([Chosen(p.system, p.segment) for p in opened])], "")
            by, settings = _by(shown, opened)
            segment.draw(found, by, table, listed, settings)


def _charts(found: Agreeing, experiment: Experiment, outcome: Outcome, told: links.Told) -> None:
    with st.container(key="agreement_charts"):
        for n, chart in enumerate(outcome.charts):
            drawn = curves.chart(chart, f"c{n}", found.size)
            points.show(f"agreement_chart_{experiment.key}_{n}", drawn.markup, drawn.points or None, told)


def _by(shown: Agreement, opened: tuple[Place, ...]) -> tuple[Agreement, Settings | None]:
    """What is looked at by the metric that gave the numbers of the chosen output, and its settings there; None where
    it is none of the catalogue."""
    of = [place for place in opened if (place.system, place.segment) == (shown.system, shown.segment)] or [*opened]
    if not of or of[0].metric not in metrics.METRICS:
        return shown, None
    key = of[0].metric
    changed: dict[str, Any] = {**shown.settings.get(key, {}), **dict(of[0].settings)}
    seen = replace(shown, metric=key, settings={**shown.settings, key: changed})
    return seen, seen.settings_of(key)
