"""Draw how well judges agree with each other, and how people's own translations score compared with the systems.

The human level of a metric is the mean score of the references, each scored against the others."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement import (
    HumanLevel,
    ScaleAgreement,
    UndefinedCoefficient,
    agreement_of_judges,
    human_level,
    jackknife_segments,
)
from metrics.corpus.processes import run_each_in_process, run_in_process
from metrics.corpus.table import score_table as scored

from ...draw.agreement import human_agreement
from ...draw.pen.text import escape_markdown, safe, visible
from ...frame.background import CheckWanted
from . import chosen_output, output_list, segment
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, OutputList
from .record import AgreementState


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the agreement of judges and the human level at the left, and the selected output at the right."""
    left_side, right = segment.left_and_right_columns()
    judge_agreement = judge_agreement_on(corpus, table.scale)
    if isinstance(judge_agreement, UndefinedCoefficient):
        listed = chosen_output.most_disputed(corpus, state, table)
    else:
        outputs = [ChosenOutput(each.system, each.segment) for each in judge_agreement.disputed]
        listed = OutputList(outputs, "where judges differ most")
    with left_side:
        if isinstance(judge_agreement, UndefinedCoefficient):
            st.info(judge_agreement.text)
        else:
            st.html(human_agreement.judge_tables(judge_agreement, corpus.judged.judges, table.scale))
        _draw_human_level(corpus, state.metric)
        if listed.outputs:
            of = chosen_output.find_column(table, chosen_output.selected_column_key(corpus, state))
            output_list.draw(corpus, state, table, of, listed, "agreement_disputed")
    with right:
        segment.draw(corpus, state, table, listed)


def _draw_human_level(corpus: AgreementJob, key: str) -> None:
    """Draw the human level by the metric with this key, or that it is being computed."""
    if key not in corpus.tables:
        return
    human: HumanLevel | UndefinedCoefficient | str | None = corpus.find_in_background(
        ("human", key), partial(_compute_human_level, corpus, key)
    )
    if isinstance(human, HumanLevel):
        st.html(human_level_html(corpus, key, human))
    elif isinstance(human, UndefinedCoefficient | str):
        st.caption(escape_markdown(visible(human if isinstance(human, str) else human.text, 300)))
    else:
        says = f"Scoring each reference by {metrics.METRICS[key].label} as if it were a system’s."
        st.html(f'<p class="finding" role="status">{safe(says, 200)}</p>')


def compute_human_level(corpus: AgreementJob, key: str) -> HumanLevel | None:
    """Return the human level by the metric with this key; if it is not known, compute it in the calling thread.

    None if the metric is not scored, or if there are too few references."""
    if key not in corpus.tables:
        return None
    human = corpus.compute_now(("human", key), partial(_compute_human_level, corpus, key))
    return human if isinstance(human, HumanLevel) else None


def human_level_html(corpus: AgreementJob, key: str, human: HumanLevel) -> str:
    """Return a table of the human level by the metric with this key as HTML."""
    metric, names = metrics.METRICS[key], [*corpus.material.references]
    return human_agreement.people_table(human, corpus.names, names, metric.label, metric.higher_is_better)


def judge_agreement_on(corpus: AgreementJob, scale: str) -> ScaleAgreement | UndefinedCoefficient:
    """Return how well judges agree with each other on a scale, or why that is undefined; cached."""
    return corpus.cached(("judges", scale), partial(agreement_of_judges, corpus.judged, scale))


def _compute_human_level(
    corpus: AgreementJob, key: str, check_wanted: CheckWanted
) -> HumanLevel | UndefinedCoefficient:
    """Compute the human level by a metric: score each reference as if it were a system's output.

    Returns the reason if it is undefined, for example because there is only one reference. Runs in the background
    thread."""
    metric, settings, texts = metrics.METRICS[key], corpus.settings[key], corpus.scoring and corpus.scoring.texts
    assert texts, "what is scored has texts"
    left_out_texts = jackknife_segments(texts.systems, texts.references)
    if isinstance(left_out_texts, UndefinedCoefficient):
        return left_out_texts
    tables = []
    for n, each in enumerate(
        run_each_in_process(CORES, scored, [(metric, settings, system) for system in left_out_texts.systems])
    ):
        tables.append(each)
        corpus.view_progress = ViewProgress(
            (n + 1) / (len(left_out_texts.systems) + 1), f"References by {metric.label}"
        )
        check_wanted()
    return run_in_process(CORES, human_level, tables)
