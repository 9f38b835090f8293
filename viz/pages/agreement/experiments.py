"""Draw the papers' experiments, repeated on the visitor's own data.

Each experiment takes one click and runs in the background. Its outcome opens the segments behind its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.experiments import EXPERIMENTS, Experiment
from metrics.corpus.agreement.experiments.experiment import (
    ExperimentData,
    ExperimentOutcome,
    ExperimentPlace,
    ExperimentProgress,
    Options,
    data_from_material,
)
from metrics.corpus.processes import Processes
from metrics.corpus.tasks import Stopped
from metrics.text.files import BadData, text_of
from metrics.text.formats import File
from metrics.types import Settings

from ...components import links, points
from ...draw.agreement import curves, results, weights
from ...draw.agreement.listing import experiment_list
from ...draw.pen import theme
from ...frame.background import CheckWanted, SupersededError
from ...state import codec
from ...state.cache import WORK
from . import agreement_job, chosen_output, segment
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, OutputList
from .record import AgreementState

BY_KEY: Mapping[str, Experiment] = {each.key: each for each in EXPERIMENTS}
#: The choices of how many resamples or pseudo-documents are drawn; None for as many as the paper has.
DRAWS = {None: "as the paper has", 100: "100, for a first look", 300: "300", 3000: "3,000"}
#: Most lines of a file of sentences or of other translations.
LINES_MOST = 200_000
FILES = {
    "corpus": "Sentences in the language of the references, a line each, for the models of AM-FM",
    "lists": "Other translations, such as n best: “0 ||| text” a line, the segment from 0",
}


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the list of experiments, or the selected experiment with its outcome."""
    experiment = BY_KEY.get(state.experiment)
    data = _experiment_data(corpus, state)
    if experiment is None:
        st.html('<p class="lead">Each paper judged its metrics by people. Repeat its experiment on this corpus.</p>')
        links.show("agreement_experiments", _list(corpus, data), partial(_choose_experiment, corpus))
        return
    _draw_experiment(corpus, state, table, experiment, data)


def _list(corpus: AgreementJob, data: ExperimentData) -> str:
    """Return the list of all experiments as HTML, with what the data lack for those that cannot be repeated."""
    of = data.options.scales, len(data.options.lists)
    missing = {
        each.key: corpus.remembered(("missing", each.key, of), partial(each.needs.missing, data))
        for each in EXPERIMENTS
    }
    return experiment_list(
        EXPERIMENTS,
        missing,
        {request[1] for request, _ in corpus.results_of("experiment") if isinstance(request, tuple)},
    )


def _choose_experiment(corpus: AgreementJob, name: str, value: str) -> None:
    """Open an experiment, or the list for an empty `value`, in a callback."""
    state = st.session_state
    if name == "experiment" and (value in BY_KEY or not value):
        corpus.resume()
        state.agreement_experiment = value
        state.update(agreement_choice="", agreement_system=None, agreement_segment=None, agreement_other=None)
        state.whole_page = True  # the whole page shows the progress


# ---------------------------------------------------------------- data and options of an experiment


def _experiment_data(corpus: AgreementJob, page_state: AgreementState) -> ExperimentData:
    """Return the corpus and options in the form that experiments take; the corpus part is cached."""
    whole = corpus.remembered(
        "given", lambda: data_from_material(corpus.material, corpus.judged, corpus.text, others=corpus.others)
    )
    scales = (page_state.scale,) if page_state.scale in corpus.scales else corpus.scales[:1]
    state = st.session_state
    options = Options(
        metrics=page_state.with_metrics,
        scales=() if page_state.every_scale else scales,
        draws=page_state.draws,
        similarity=_similar_words(page_state),
        corpus=state.get("agreement_corpus_lines") or (),
        lists=state.get("agreement_lists_lines") or (),
        jobs=CORES,
        workers=Processes(CORES),
        most=WORK,
    )
    return replace(whole, options=options)


def _similar_words(state: AgreementState) -> Any:
    """Return the similarity of words selected in a metric's settings, None if there is none."""
    chosen = [
        getattr(state.settings_of(key), name)
        for key, metric in metrics.METRICS.items()
        for name, rule in metric.Settings.rules().items()
        if rule.kind == "object"
    ]
    return next(filter(None, chosen), None)


def _outcome_request(experiment: Experiment, data: ExperimentData) -> tuple[object, ...]:
    """Return a hashable request with all that determines an experiment's outcome."""
    options = data.options
    of: dict[str, object] = {
        "metrics": options.metrics,
        "similarity": options.similarity.signature if options.similarity else "",
        "corpus": options.corpus,
        "lists": options.lists,
    }
    return "experiment", experiment.key, options.scales, options.draws, *[of[name] for name in experiment.takes]


def _options(corpus: AgreementJob, experiment: Experiment) -> None:
    """Draw the options of an experiment."""
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
            if len(corpus.scales) > 1:
                st.session_state.setdefault("agreement_every_scale", True)
                st.checkbox("All scales", key="agreement_every_scale", persist_state="session")
            if "metrics" in experiment.takes:
                st.session_state.agreement_beside = [*st.session_state.get("agreement_with", ())]
                st.multiselect(
                    "Beside the paper's metrics",
                    list(metrics.METRICS),
                    key="agreement_beside",
                    format_func=lambda key: metrics.METRICS[key].label,
                    on_change=_store_metrics,
                    width=420,
                )
        if "similarity" in experiment.takes:
            st.caption("Similar words are those of SIA, which its settings choose, or else of source and references.")
        for name in ("corpus", "lists"):
            if name in experiment.takes:
                _file(corpus, name)


def _store_metrics() -> None:
    """Store the additional metrics that were selected, in a callback."""
    st.session_state.agreement_with = tuple(sorted(st.session_state.agreement_beside))


def _file(corpus: AgreementJob, name: str) -> None:
    """Draw the uploader of a file that an experiment takes, and store its lines in the session."""
    state, lines_key = st.session_state, f"agreement_{name}_lines"
    file: Any = st.file_uploader(FILES[name], key=f"agreement_{name}", type=["txt", "gz", "tsv"])
    if file is None:
        if state.get(lines_key):
            st.button("Without them", key=f"agreement_no_{name}", on_click=lambda: state.pop(lines_key, None))
        return
    try:
        lines = text_of(file.name, File(file.name, file.getvalue()).bytes()).splitlines()[:LINES_MOST]
        state[lines_key] = tuple(lines) if name == "corpus" else _lists(lines, corpus.size)
    except (BadData, ValueError) as error:
        st.warning(theme.markdown(theme.visible(f"{error}.", 400)))


def _lists(lines: list[str], size: int) -> tuple[tuple[str, ...], ...]:
    """Return for each segment its other translations, from lines as Moses writes n-best lists.

    Raises ValueError for a line that is not of this form.

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


# ---------------------------------------------------------------- outcome of an experiment


def _draw_experiment(
    corpus: AgreementJob, state: AgreementState, table: Table, experiment: Experiment, data: ExperimentData
) -> None:
    """Draw an experiment with its options and its outcome."""
    back = '<button type="button" data-tell="experiment:">All experiments</button>'
    head = f'<h3>{theme.safe(experiment.title, 200)}</h3><p class="lead">{theme.safe(experiment.about, 300)}</p>'
    links.show(
        "agreement_experiment_head", f'<div class="experiment">{back}{head}</div>', partial(_choose_experiment, corpus)
    )
    if missing := experiment.needs.missing(data):
        st.info(theme.markdown(f"{missing} {experiment.needs.says}"))
        return
    _options(corpus, experiment)
    if not corpus.scored:
        st.caption("It begins when the metrics are scored.")
        return
    outcome = corpus.find(_outcome_request(experiment, data), partial(_run, corpus, experiment, data), "experiment")
    if outcome is None:
        _draw_unfinished(corpus)
    elif isinstance(outcome, str):
        st.error(theme.markdown(theme.visible(outcome, 400)))
    else:
        _draw_outcome(corpus, state, table, experiment, outcome)
    st.html(results.about(experiment))


def _run(corpus: AgreementJob, experiment: Experiment, data: ExperimentData, look: CheckWanted) -> ExperimentOutcome:
    """Return the outcome of an experiment. Raises SupersededError if it is no longer wanted.

    An experiment may stop at any point; it then raises Stopped, which becomes SupersededError here."""

    def report_progress(progress: ExperimentProgress) -> None:
        corpus.view_progress = ViewProgress(min(1.0, progress.share_done), progress.what)
        try:
            look()
        except SupersededError:
            raise Stopped from None

    try:
        return experiment.run(data, report_progress)
    except Stopped:
        raise SupersededError from None


def _draw_unfinished(corpus: AgreementJob) -> None:
    """Draw that the experiment was stopped, with a button that resumes it; nothing while it runs."""
    if not corpus.stopped and not st.session_state.get("agreement_told_progress"):
        st.rerun()  # to draw the progress, which this run of the page does not show
    if corpus.stopped:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("It was stopped.")
            st.button("Go on", key="agreement_go_on", on_click=_resume, args=(corpus,))


def _resume(corpus: AgreementJob) -> None:
    """Continue computation that was stopped, in a callback."""
    corpus.resume()
    st.session_state.whole_page = True


def _draw_outcome(
    corpus: AgreementJob, state: AgreementState, table: Table, experiment: Experiment, outcome: ExperimentOutcome
) -> None:
    """Draw the outcome's tables, charts and grids at the left, and the segments of the selected part at the right."""
    opened = results.opened_places(outcome, state.choice)
    left_side, right = segment.sides() if opened or state.segment is not None else (st.container(), None)

    def handle_choice(name: str, value: str) -> None:
        if name == "opens" and (places := results.opened_places(outcome, value)):
            st.session_state.agreement_choice = value
            chosen_output.choose(ChosenOutput(places[0].system, places[0].segment))
        if name == "segment":
            number = codec.number_sent(value, len(corpus.systems) * corpus.size)
            if number is not None:
                st.session_state.agreement_choice = ""
                chosen_output.choose(ChosenOutput(*agreement_job.output_of(corpus, number)))

    with left_side:
        st.html(results.notes(outcome) or "<div></div>")
        if not experiment.printed.tables:  # charts come first unless the paper printed tables
            _draw_charts(corpus, experiment, outcome, handle_choice)
        links.show("agreement_outcome", results.tables(experiment, outcome, state.choice), handle_choice)
        if experiment.printed.tables:
            _draw_charts(corpus, experiment, outcome, handle_choice)
        if outcome.grids:
            links.show("agreement_grids", weights.grids(outcome.grids), handle_choice)
    if right is not None:
        with right:
            listed = OutputList([*dict.fromkeys([ChosenOutput(p.system, p.segment) for p in opened])], "")
            by, settings = _state_by_metric(state, opened)
            segment.draw(corpus, by, table, listed, settings)


def _draw_charts(
    corpus: AgreementJob, experiment: Experiment, outcome: ExperimentOutcome, on_choice: links.OnEvent
) -> None:
    """Draw the charts of an outcome."""
    with st.container(key="agreement_charts"):
        for n, chart in enumerate(outcome.charts):
            drawn = curves.chart(chart, f"c{n}", corpus.size)
            points.show(f"agreement_chart_{experiment.key}_{n}", drawn.markup, drawn.points or None, on_choice)


def _state_by_metric(
    state: AgreementState, opened: tuple[ExperimentPlace, ...]
) -> tuple[AgreementState, Settings | None]:
    """Return the page state with the metric behind the numbers of the selected output, and that metric's settings.

    Where the numbers are of no metric of the catalogue, the state stays as it is and the settings are None."""
    of = [place for place in opened if (place.system, place.segment) == (state.system, state.segment)] or [*opened]
    if not of or of[0].metric not in metrics.METRICS:
        return state, None
    key = of[0].metric
    changed: dict[str, Any] = {**state.settings.get(key, {}), **dict(of[0].settings)}
    new_state = replace(state, metric=key, settings={**state.settings, key: changed})
    return new_state, new_state.settings_of(key)
