"""Draw the choice of the metrics that are scored, and go on with those that are not: stopped, or not asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import streamlit as st

import metrics
from metrics.corpus.texts import measure_costs
from metrics.formula import count_with_noun
from metrics.text.formats import Material

from ...draw.pen.text import visible
from ...frame import checks
from ...frame.corpora import CorpusJob
from ...state.results.cache import WORK
from .record import CorpusState

#: Up to this number of segments all metrics are scored unless the visitor chooses some.
ALL_MOST = 10_000
#: The number of outputs from which it is measured how long metrics will take; for fewer it is a matter of seconds.
MEASURED_FROM = 10_000
COST_CHECK = "corpus_cost"  # the session's name of this measurement


# ---------------------------------------------------------------- before scoring


def chosen_metrics(state: CorpusState, size: int) -> list[str]:
    """Return the keys of the metrics that a corpus of `size` segments is scored by, in the order of the catalogue.

    They are those that the visitor chose. By default they are all metrics; for a large corpus those that sacreBLEU has
    too, which most papers report, and the one that the page shows."""
    if state.scored:
        return [key for key in metrics.METRICS if key in state.scored]
    return [
        key for key, metric in metrics.METRICS.items() if size <= ALL_MOST or metric.sacrebleu or key == state.metric
    ]


def start_measuring_costs(request: Hashable, material: Material, state: CorpusState) -> Mapping[str, float]:
    """Return the seconds that one process needs by each metric, as far as that is known; measure it in the background.

    `request` identifies the texts."""
    if len(material) * len(material.systems) < MEASURED_FROM:
        return {}
    settings = [(key, state.settings_of(key)) for key in metrics.METRICS]
    check = checks.session_check(
        COST_CHECK, (request, tuple(settings)), measure_costs, material, state.text, settings, WORK
    )
    return check.result or {}


def draw_choice(state: CorpusState, size: int, seconds: Callable[[Iterable[str]], float | None]) -> None:
    """Draw the menu that chooses the metrics for a corpus of `size` segments.

    `seconds` returns how long metrics with these keys will take, None where that is not known."""
    chosen = chosen_metrics(state, size)
    number = "All" if len(chosen) == len(metrics.METRICS) else f"{len(chosen)} of"
    cost = duration_text(seconds(chosen))
    label = f"{number} {len(metrics.METRICS)} metrics{f', {cost}' if cost else ''}"
    with st.popover(label, on_change="rerun", key="corpus_scored_menu") as popover:
        if not popover.open:
            return
        labels = {
            key: f"{metric.label}{f', {each}' if (each := duration_text(seconds([key]))) else ''}"
            for key, metric in metrics.METRICS.items()
        }
        st.session_state.corpus_scored_chosen = chosen
        st.multiselect(
            "Score by",
            list(labels),
            key="corpus_scored_chosen",
            format_func=labels.__getitem__,
            on_change=_store_choice,
        )
        with st.container(horizontal=True):
            st.button("All", key="corpus_scored_all", on_click=_choose, args=(tuple(metrics.METRICS),))
            st.button("Those of most papers", key="corpus_scored_few", on_click=_choose, args=(_reported(),))
        st.caption("The others can be scored later, without scoring these again.")


def _reported() -> tuple[str, ...]:
    """Return the keys of the metrics that most papers report."""
    return tuple([key for key, metric in metrics.METRICS.items() if metric.sacrebleu])


def _choose(keys: Sequence[str]) -> None:
    """Choose these metrics; a callback."""
    st.session_state.corpus_scored = tuple(sorted(keys))


def _store_choice() -> None:
    """Store the chosen metrics; without any, the one that the page shows is chosen; a callback."""
    _choose(st.session_state.corpus_scored_chosen or [st.session_state.metric])


def duration_text(seconds: float | None) -> str:
    """Return about how long something takes, in words; "" where that is not known.

    >>> duration_text(0.4), duration_text(75), duration_text(200), duration_text(9000), duration_text(None)
    ('about 1 s', 'about 75 s', 'about 3 min', 'about 2.5 h', '')
    """
    if seconds is None:
        return ""
    if seconds < 100:
        return f"about {max(1, round(seconds))} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


# ---------------------------------------------------------------- after it was stopped, and more metrics


def draw_unscored(job: CorpusJob) -> None:
    """Draw the buttons that go on with a stopped job, and that score the metrics that nobody has asked for.

    Nothing is drawn while metrics are being scored and where all are scored."""
    unfinished, unwanted = job.unfinished(), job.unwanted()
    if not job.ended or not (unfinished or unwanted):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_unscored"):
        if unfinished:
            scored = f"{len(job.tables)} of {count_with_noun(len(job.wanted), 'metric')} scored"
            st.html(f'<div class="lead_line">Stopped at {job.done_share():.0%}: {scored}.</div>', width="content")
            left = _with_cost(count_with_noun(len(unfinished), "metric"), job.seconds_left())
            st.button(
                f"Continue: {left} left", key="corpus_go_on", type="primary", on_click=go_on, args=(job, unfinished)
            )
        if unwanted:
            what = "the others" if job.tables else "others"
            st.button(
                _with_cost(f"Score {what}: {len(unwanted)}", job.expected_seconds(unwanted)),
                key="corpus_score_others",
                help=f"Not scored: {_labels(unwanted)}",
                on_click=go_on,
                args=(job, [*unfinished, *unwanted]),
            )


def _with_cost(text: str, seconds: float | None) -> str:
    """Return a text with the time that it takes, where that is known."""
    return f"{text}, {cost}" if (cost := duration_text(seconds)) else text


def _labels(keys: Iterable[str]) -> str:
    """Return the labels of metrics with commas between them."""
    return ", ".join([metrics.METRICS[key].label for key in keys])


def is_waiting(job: CorpusJob, key: str) -> bool:
    """Return whether a metric is not scored and is not being scored, although it could be."""
    return key in job.unwanted() or (job.ended and key in job.unfinished())


def draw_score_button(job: CorpusJob, key: str) -> None:
    """Draw the button that scores a metric, where it is neither scored nor being scored."""
    if is_waiting(job, key):
        label = f"Score {metrics.METRICS[key].label}"
        st.button(label, key="corpus_score_one", on_click=go_on, args=(job, [key]))


def go_on(job: CorpusJob, keys: Sequence[str]) -> None:
    """Score the metrics with these keys, also those that were stopped, and draw the progress; a callback."""
    job.go_on(keys)
    st.session_state.whole_page = True


def unscored_note(job: CorpusJob) -> str:
    """Return a sentence that names the metrics without numbers, "" if all have some."""
    missing = [key for key in job.settings if key not in job.tables]
    return visible(f"Not scored{'' if job.ended else ' yet'}: {_labels(missing)}.", 400) if missing else ""
