"""Draw how far judges agree, and how people's own translations score compared with the systems."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement import HumanLevel, Judges, Undefined, human_level, jackknife_segments, judges
from metrics.corpus.processes import run_each_in_process, run_in_process
from metrics.corpus.table import table as scored

from ...draw.agreement import human_agreement
from ...draw.pen import theme
from ...frame.background import CheckWanted
from . import chosen_output, output_list, segment
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput, OutputList
from .record import AgreementState


def draw(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Draw the agreement of judges and the human level at the left, and the selected output at the right."""
    left_side, right = segment.sides()
    judge_agreement = judges_of(corpus, table.scale)
    if isinstance(judge_agreement, Undefined):
        listed = chosen_output.most_disputed(corpus, state, table)
    else:
        outputs = [ChosenOutput(each.system, each.segment) for each in judge_agreement.disputed]
        listed = OutputList(outputs, "where judges differ most")
    with left_side:
        if isinstance(judge_agreement, Undefined):
            st.info(judge_agreement.text)
        else:
            st.html(human_agreement.judge_tables(judge_agreement, corpus.judged.judges, table.scale))
        _draw_human_level(corpus, state.metric)
        if listed.outputs:
            of = chosen_output.column_of_table(table, chosen_output.column(corpus, state))
            output_list.draw(corpus, state, table, of, listed, "agreement_disputed")
    with right:
        segment.draw(corpus, state, table, listed)


def _draw_human_level(corpus: AgreementJob, key: str) -> None:
    """Draw the human level by a metric, or that it is being computed."""
    if key not in corpus.tables:
        return
    human: HumanLevel | Undefined | str | None = corpus.find(("human", key), partial(_find, corpus, key))
    if isinstance(human, HumanLevel):
        st.html(drawn_human(corpus, key, human))
    elif isinstance(human, Undefined | str):
        st.caption(theme.markdown(theme.visible(human if isinstance(human, str) else human.text, 300)))
    else:
        says = f"Scoring each reference by {metrics.METRICS[key].label} as if it were a system’s."
        st.html(f'<p class="finding" role="status">{theme.safe(says, 200)}</p>')


def human_now(corpus: AgreementJob, key: str) -> HumanLevel | None:
    """Return the human level by a metric, computed in the calling thread if it is not known; None if it has none."""
    if key not in corpus.tables:
        return None
    human = corpus.find_now(("human", key), partial(_find, corpus, key))
    return human if isinstance(human, HumanLevel) else None


def drawn_human(corpus: AgreementJob, key: str, human: HumanLevel) -> str:
    """Return the human level by a metric as HTML."""
    metric, names = metrics.METRICS[key], [*corpus.material.references]
    return human_agreement.people_table(human, corpus.systems, names, metric.label, metric.higher_is_better)


def judges_of(corpus: AgreementJob, scale: str) -> Judges | Undefined:
    """Return how far judges agree on a scale; cached."""
    return corpus.remembered(("judges", scale), partial(judges, corpus.judged, scale))


def _find(corpus: AgreementJob, key: str, look: CheckWanted) -> HumanLevel | Undefined:
    """Compute the human level by a metric: score each reference as if it were a system's output."""
    metric, settings, texts = metrics.METRICS[key], corpus.settings[key], corpus.scoring and corpus.scoring.texts
    assert texts, "what is scored has texts"
    left_out_texts = jackknife_segments(texts.systems, texts.references)
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
