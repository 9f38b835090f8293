"""Draw the papers' experiments, repeated on the visitor's own corpus.

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
    ExperimentOptions,
    ExperimentOutcome,
    ExperimentProgress,
    OpenedOutput,
    data_from_material,
)
from metrics.corpus.processes import Processes
from metrics.corpus.tasks import Stopped
from metrics.text.files import BadData, decode_utf8
from metrics.text.formats import File
from metrics.types import Settings

from ...components import links, points
from ...draw.agreement import curves, results, weights
from ...draw.agreement.listing import experiment_list
from ...draw.pen.text import escape_markdown, safe, visible
from ...frame.background import CheckWanted, SupersededError
from ...state.links import codec
from ...state.results.cache import WORK
from . import chosen_output, segment, visitor_corpus
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, OutputList
from .record import AgreementState

BY_KEY: Mapping[str, Experiment] = {each.key: each for each in EXPERIMENTS}
#: The choices of how many resamples or pseudo-documents are drawn; None for as many as the paper has.
DRAWS = {None: "as in the paper", 100: "100, for a first look", 300: "300", 3000: "3,000"}
#: Most lines of a file of sentences or of other translations.
LINES_MOST = 200_000
FILES = {
    "corpus": "Sentences in the language of the references, one per line, for the models of AM-FM",
    "lists": "Other translations, such as n-best lists: lines “0 ||| text”, segments counted from 0",
}


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the list of experiments, or, if one is selected, this experiment with its outcome."""
    experiment = BY_KEY.get(state.experiment)
    data = _experiment_data(corpus, state)
    if experiment is None:
        st.html(
            '<p class="lead">Each paper compared its metrics with human judgements. Repeat that on this corpus.</p>'
        )
        links.show("agreement_experiments", _experiment_list_html(corpus, data), partial(_choose_experiment, corpus))
        return
    _draw_experiment(corpus, state, table, experiment, data)


def _experiment_list_html(corpus: AgreementJob, data: ExperimentData) -> str:
    """Return the list of all experiments as HTML.

    Of an experiment that cannot be repeated on this corpus, it says what is missing."""
    of = data.options.scales, len(data.options.lists)
    missing = {
        each.key: corpus.cached(("missing", each.key, of), partial(each.needs.missing, data)) for each in EXPERIMENTS
    }
    return experiment_list(
        EXPERIMENTS,
        missing,
        {request[1] for request, _ in corpus.finished_results("experiment") if isinstance(request, tuple)},
    )


def _choose_experiment(corpus: AgreementJob, name: str, value: str) -> None:
    """Open the experiment with key `value`, or the list of experiments for ""; a callback.

    `name` is that of the browser's event; events other than "experiment" are ignored."""
    state = st.session_state
    if name == "experiment" and (value in BY_KEY or not value):
        corpus.resume()
        state.agreement_experiment = value
        visitor_corpus.clear_selection()
        state.whole_page = True  # the whole page shows the progress


# ---------------------------------------------------------------- data and options of an experiment


def _experiment_data(corpus: AgreementJob, page_state: AgreementState) -> ExperimentData:
    """Return the corpus and the options in the form that experiments take; the corpus is converted only once."""
    whole = corpus.cached(
        "given", lambda: data_from_material(corpus.material, corpus.judged, corpus.text, others=corpus.others)
    )
    scales = (page_state.scale,) if page_state.scale in corpus.scale_names else corpus.scale_names[:1]
    state = st.session_state
    options = ExperimentOptions(
        metrics=page_state.with_metrics,
        scales=() if page_state.every_scale else scales,
        draws=page_state.draws,
        similarity=_selected_similarity(page_state),
        corpus=state.get("agreement_corpus_lines") or (),
        lists=state.get("agreement_lists_lines") or (),
        jobs=CORES,
        workers=Processes(CORES),
        most=WORK,
    )
    return replace(whole, options=options)


def _selected_similarity(state: AgreementState) -> Any:
    """Return the similarity of words that the visitor selected in a metric's settings, None if there is none."""
    chosen = [
        getattr(state.settings_of(key), name)
        for key, metric in metrics.METRICS.items()
        for name, rule in metric.Settings.rules().items()
        if rule.kind == "object"
    ]
    return next(filter(None, chosen), None)


def _outcome_request(experiment: Experiment, data: ExperimentData) -> tuple[object, ...]:
    """Return a hashable value of all that determines an experiment's outcome, under which the outcome is stored."""
    options = data.options
    of: dict[str, object] = {
        "metrics": options.metrics,
        "similarity": options.similarity.signature if options.similarity else "",
        "corpus": options.corpus,
        "lists": options.lists,
    }
    return "experiment", experiment.key, options.scales, options.draws, *[of[name] for name in experiment.takes]


def _draw_options(corpus: AgreementJob, experiment: Experiment) -> None:
    """Draw the controls for the options of an experiment, such as its number of draws."""
    with st.expander("Options", on_change="rerun", key="agreement_takes") as expander:
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
            if len(corpus.scale_names) > 1:
                st.session_state.setdefault("agreement_every_scale", True)
                st.checkbox("All scales", key="agreement_every_scale", persist_state="session")
            if "metrics" in experiment.takes:
                st.session_state.agreement_beside = [*st.session_state.get("agreement_with", ())]
                st.multiselect(
                    "Besides the paper's metrics",
                    list(metrics.METRICS),
                    key="agreement_beside",
                    format_func=lambda key: metrics.METRICS[key].label,
                    on_change=_store_metrics,
                    width=420,
                )
        if "similarity" in experiment.takes:
            st.caption("Similar words are those chosen in SIA's settings, or else trained on source and references.")
        for name in ("corpus", "lists"):
            if name in experiment.takes:
                _draw_file_field(corpus, name)


def _store_metrics() -> None:
    """Store the metrics that the visitor added to those of the experiment's paper; a callback."""
    st.session_state.agreement_with = tuple(sorted(st.session_state.agreement_beside))


def _draw_file_field(corpus: AgreementJob, name: str) -> None:
    """Draw the uploader of the file for the option `name` of an experiment.

    The lines of the file are stored in the session."""
    state, lines_key = st.session_state, f"agreement_{name}_lines"
    file: Any = st.file_uploader(FILES[name], key=f"agreement_{name}", type=["txt", "gz", "tsv"])
    if file is None:
        if state.get(lines_key):
            st.button("Remove them", key=f"agreement_no_{name}", on_click=lambda: state.pop(lines_key, None))
        return
    try:
        lines = decode_utf8(file.name, File(file.name, file.getvalue()).bytes()).splitlines()[:LINES_MOST]
        state[lines_key] = tuple(lines) if name == "corpus" else _other_translations(lines, corpus.segment_count)
    except (BadData, ValueError) as error:
        st.warning(escape_markdown(visible(f"{error}.", 400)))


def _other_translations(lines: list[str], segment_count: int) -> tuple[tuple[str, ...], ...]:
    """Return, for each of `segment_count` segments, other translations of it.

    `lines` are n-best lists as Moses writes them: the number of a segment from 0, then “|||” and a text. Raises
    ValueError for a line that is not of this form.

    >>> _other_translations(["0 ||| a b ||| 0.3", "1 ||| c", "0 ||| d"], 2)
    (('a b', 'd'), ('c',))
    """
    out: list[list[str]] = [[] for _ in range(segment_count)]
    for n, line in enumerate(lines, 1):
        number, bars, rest = line.partition("|||")
        if not line.strip():
            continue
        segment_ = codec.parse_sent_number(number.strip(), segment_count)
        if not bars or segment_ is None:
            raise ValueError(f"Line {n} should be a segment's number from 0 to {segment_count - 1}, “|||” and a text")
        out[segment_].append(rest.partition("|||")[0].strip())
    return tuple([tuple(each) for each in out])


# ---------------------------------------------------------------- outcome of an experiment


def _draw_experiment(
    corpus: AgreementJob, state: AgreementState, table: Table, experiment: Experiment, data: ExperimentData
) -> None:
    """Draw an experiment with its options, and its outcome or what is missing for it."""
    back = '<button type="button" data-tell="experiment:">All experiments</button>'
    head = f'<h3>{safe(experiment.title, 200)}</h3><p class="lead">{safe(experiment.about, 300)}</p>'
    links.show(
        "agreement_experiment_head", f'<div class="experiment">{back}{head}</div>', partial(_choose_experiment, corpus)
    )
    if missing := experiment.needs.missing(data):
        st.info(escape_markdown(f"{missing} {experiment.needs.says}"))
        return
    _draw_options(corpus, experiment)
    if not corpus.is_scored:
        st.caption("It starts when the metrics are scored.")
        return
    outcome = corpus.find_in_background(
        _outcome_request(experiment, data), partial(_run_experiment, corpus, experiment, data), "experiment"
    )
    if outcome is None:
        _draw_unfinished(corpus)
    elif isinstance(outcome, str):
        st.error(escape_markdown(visible(outcome, 400)))
    else:
        _draw_outcome(corpus, state, table, experiment, outcome)
    st.html(results.experiment_description_html(experiment))


def _run_experiment(
    corpus: AgreementJob, experiment: Experiment, data: ExperimentData, check_wanted: CheckWanted
) -> ExperimentOutcome:
    """Return the outcome of an experiment, and report its progress to the page.

    Raises SupersededError if the outcome is no longer wanted. An experiment may stop at any point; it then raises
    Stopped, which is turned into SupersededError."""

    def report_progress(progress: ExperimentProgress) -> None:
        corpus.view_progress = ViewProgress(min(1.0, progress.share_done), progress.what)
        try:
            check_wanted()
        except SupersededError:
            raise Stopped from None

    try:
        return experiment.run(data, report_progress)
    except Stopped:
        raise SupersededError from None


def _draw_unfinished(corpus: AgreementJob) -> None:
    """Draw that the experiment was stopped, with a button that resumes it; while it runs, draw nothing."""
    if not corpus.stopped and not st.session_state.get("agreement_told_progress"):
        st.rerun()  # to draw the progress, which this run of the page does not show
    if corpus.stopped:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info("It was stopped.")
            st.button("Continue", key="agreement_go_on", on_click=_resume_job, args=(corpus,))


def _resume_job(corpus: AgreementJob) -> None:
    """Resume the computation that was stopped; a callback."""
    corpus.resume()
    st.session_state.whole_page = True


def _draw_outcome(
    corpus: AgreementJob, state: AgreementState, table: Table, experiment: Experiment, outcome: ExperimentOutcome
) -> None:
    """Draw an outcome's tables, charts and grids at the left, and the segments of its selected part at the right."""
    opened = results.outputs_opened_by(outcome, state.choice)
    left_side, right = (
        segment.left_and_right_columns() if opened or state.segment is not None else (st.container(), None)
    )

    def handle_choice(name: str, value: str) -> None:
        if name == "opens" and (places := results.outputs_opened_by(outcome, value)):
            st.session_state.agreement_choice = value
            chosen_output.select_output(ChosenOutput(places[0].system, places[0].segment))
        if name == "segment":
            number = codec.parse_sent_number(value, len(corpus.names) * corpus.segment_count)
            if number is not None:
                st.session_state.agreement_choice = ""
                chosen_output.select_output_by_number(corpus, number)

    with left_side:
        st.html(results.outcome_notes_html(outcome) or "<div></div>")
        if not experiment.printed.tables:  # charts come first unless the paper printed tables
            _draw_charts(corpus, experiment, outcome, handle_choice)
        links.show("agreement_outcome", results.result_tables_html(experiment, outcome, state.choice), handle_choice)
        if experiment.printed.tables:
            _draw_charts(corpus, experiment, outcome, handle_choice)
        if outcome.grids:
            links.show("agreement_grids", weights.weight_grids_html(outcome.grids), handle_choice)
    if right is not None:
        with right:
            listed = OutputList([*dict.fromkeys([ChosenOutput(p.system, p.segment) for p in opened])], "")
            by, settings = _state_by_metric(state, opened)
            segment.draw(corpus, by, table, listed, settings)


def _draw_charts(
    corpus: AgreementJob, experiment: Experiment, outcome: ExperimentOutcome, on_choice: links.OnEvent
) -> None:
    """Draw the charts of an outcome; `on_choice` is called when a point is clicked."""
    with st.container(key="agreement_charts"):
        for n, chart in enumerate(outcome.charts):
            drawn = curves.chart(chart, f"c{n}", corpus.segment_count)
            points.show(f"agreement_chart_{experiment.key}_{n}", drawn.markup, drawn.points or None, on_choice)


def _state_by_metric(state: AgreementState, opened: tuple[OpenedOutput, ...]) -> tuple[AgreementState, Settings | None]:
    """Return the page state with the metric that made the selected number selected, and that metric's settings.

    `opened` are the outputs behind the selected number, each with the metric and settings of the experiment. Where that
    is no metric of the catalogue, the page state is returned unchanged, with None."""
    of = [place for place in opened if (place.system, place.segment) == (state.system, state.segment)] or [*opened]
    if not of or of[0].metric not in metrics.METRICS:
        return state, None
    key = of[0].metric
    changed: dict[str, Any] = {**state.settings.get(key, {}), **dict(of[0].settings)}
    new_state = replace(state, metric=key, settings={**state.settings, key: changed})
    return new_state, new_state.settings_of(key)
