"""How far judges agree, the outputs on which they differ most, and people's own translations beside the systems."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Human, Judges, Undefined, human_level, judges, left_out
from metrics.corpus.processes import run_each_in_process, run_in_process
from metrics.corpus.table import table as scored

from ...draw.agreement import people
from ...draw.pen import theme
from ...frame.finding import Look
from . import lists, looking, segment
from .agreeing import CORES, Agreeing, Doing
from .looking import Chosen, Listed
from .record import Agreement


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """Judges, references, and at the right the chosen output."""
    left, right = segment.sides()
    known = judges_of(found, table.scale)
    if isinstance(known, Undefined):
        listed = looking.torn(found, shown, table)
    else:
        outputs = [Chosen(each.system, each.segment) for each in known.disputed]
        listed = Listed(outputs, "where judges differ most")
    with left:
        if isinstance(known, Undefined):
            st.info(known.text)
        else:
            st.html(people.judges(known, found.judged.judges, table.scale))
        _human(found, shown.metric)
        if listed.outputs:
            of = looking.of_table(table, looking.column(found, shown))
            lists.draw(found, shown, table, of, listed, "agreement_disputed")
    with right:
        segment.draw(found, shown, table, listed)


def _human(found: Agreeing, key: str) -> None:
    """The human level of a metric, once it is known."""
    if key not in found.tables:
        return
    known: Human | Undefined | str | None = found.find(("human", key), partial(_find, found, key))
    if isinstance(known, Human):
        st.html(drawn_human(found, key, known))
    elif isinstance(known, Undefined | str):
        st.caption(theme.markdown(theme.visible(known if isinstance(known, str) else known.text, 300)))
    else:
        says = f"Scoring each reference by {metrics.METRICS[key].label} as if it were a system’s."
        st.html(f'<p class="finding" role="status">{theme.safe(says, 200)}</p>')


def human_now(found: Agreeing, key: str) -> Human | None:
    """The human level of a metric, found at once where it is not known yet; None where there is none."""
    if key not in found.tables:
        return None
    known = found.now(("human", key), partial(_find, found, key))
    return known if isinstance(known, Human) else None


def drawn_human(found: Agreeing, key: str, known: Human) -> str:
    """The human level of a metric as HTML."""
    metric, names = metrics.METRICS[key], [*found.material.references]
    return people.human(known, found.systems, names, metric.label, metric.higher_is_better)


def judges_of(found: Agreeing, scale: str) -> Judges | Undefined:
    """How far judges agree on a scale."""
    return found.remembered(("judges", scale), partial(judges, found.judged, scale))


def _find(found: Agreeing, key: str, look: Look) -> Human | Undefined:
    metric, settings, texts = metrics.METRICS[key], found.settings[key], found.scoring and found.scoring.texts
    assert texts, "what is scored has texts"
    left = left_out(texts.systems, texts.references)
    if isinstance(left, Undefined):
        return left
    tables = []
    for n, each in enumerate(run_each_in_process(CORES, scored, [(metric, settings, some) for some in left.systems])):
        tables.append(each)
        found.doing = Doing((n + 1) / (len(left.systems) + 1), f"References by {metric.label}")
        look()
    return run_in_process(CORES, human_level, tables)
