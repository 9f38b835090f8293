"""How far judges agree, the outputs on which they differ most, and people's own translations beside the systems."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement import Human, Judges, Undefined, human_level, judges, left_out
from metrics.corpus.processes import run_each_in_process, run_in_process
from metrics.corpus.table import table as scored

from ...draw.agreement import human_agreement
from ...draw.pen import theme
from ...frame.background import Look
from . import chosen_output, output_list, segment
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, Listed
from .record import AgreementState


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Judges, references, and at the right the chosen output."""
    left_side, right = segment.sides()
    judge_agreement = judges_of(corpus, table.scale)
    if isinstance(judge_agreement, Undefined):
        listed = chosen_output.torn(corpus, state, table)
    else:
        outputs = [ChosenOutput(each.system, each.segment) for each in judge_agreement.disputed]
        listed = Listed(outputs, "where judges differ most")
    with left_side:
        if isinstance(judge_agreement, Undefined):
            st.info(judge_agreement.text)
        else:
            st.html(human_agreement.judges(judge_agreement, corpus.judged.judges, table.scale))
        _human(corpus, state.metric)
        if listed.outputs:
            of = chosen_output.of_table(table, chosen_output.column(corpus, state))
            output_list.draw(corpus, state, table, of, listed, "agreement_disputed")
    with right:
        segment.draw(corpus, state, table, listed)


def _human(corpus: AgreementJob, key: str) -> None:
    """The human level of a metric, once it is known."""
    if key not in corpus.tables:
        return
    human: Human | Undefined | str | None = corpus.find(("human", key), partial(_find, corpus, key))
    if isinstance(human, Human):
        st.html(drawn_human(corpus, key, human))
    elif isinstance(human, Undefined | str):
        st.caption(theme.markdown(theme.visible(human if isinstance(human, str) else human.text, 300)))
    else:
        says = f"Scoring each reference by {metrics.METRICS[key].label} as if it were a system’s."
        st.html(f'<p class="finding" role="status">{theme.safe(says, 200)}</p>')


def human_now(corpus: AgreementJob, key: str) -> Human | None:
    """The human level of a metric, found at once where it is not known yet; None where there is none."""
    if key not in corpus.tables:
        return None
    human = corpus.find_now(("human", key), partial(_find, corpus, key))
    return human if isinstance(human, Human) else None


def drawn_human(corpus: AgreementJob, key: str, human: Human) -> str:
    """The human level of a metric as HTML."""
    metric, names = metrics.METRICS[key], [*corpus.material.references]
    return human_agreement.human(human, corpus.systems, names, metric.label, metric.higher_is_better)


def judges_of(corpus: AgreementJob, scale: str) -> Judges | Undefined:
    """How far judges agree on a scale."""
    return corpus.remembered(("judges", scale), partial(judges, corpus.judged, scale))


def _find(corpus: AgreementJob, key: str, look: Look) -> Human | Undefined:
    metric, settings, texts = metrics.METRICS[key], corpus.settings[key], corpus.scoring and corpus.scoring.texts
    assert texts, "what is scored has texts"
    left_out_texts = left_out(texts.systems, texts.references)
    if isinstance(left_out_texts, Undefined):
        return left_out_texts
    tables = []
    for n, each in enumerate(
        run_each_in_process(CORES, scored, [(metric, settings, system) for system in left_out_texts.systems])
    ):
        tables.append(each)
        corpus.view_progress = ViewProgress(
            (n + 1) / (len(left_out_texts.systems) + 1), f"References by {metric.label}"
        )
        look()
    return run_in_process(CORES, human_level, tables)
