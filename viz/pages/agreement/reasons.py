"""Which of a metric's reasons agree with people, each opening the outputs that show it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import streamlit as st

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column, Counted, Overlap, Seen, counted, marks_of, overlaps, see_all
from metrics.corpus.processes import run_each_in_process, run_in_process

from ...components import links
from ...draw.agreement import reasons
from ...draw.pen import theme
from ...frame.finding import Look
from . import agreeing, lists, looking, segment
from .agreeing import CORES, Agreeing, Doing
from .looking import Chosen, Listed
from .record import Agreement

#: Outputs that are looked at at once.
AT_ONCE = 200


class Reasons(NamedTuple):
    """What was found of a metric's reasons: how much lies in marked words, nothing where nothing is marked, and how
    what it counts goes with judgements."""

    overlaps: tuple[Overlap, ...]
    counted: tuple[Counted, ...]


def draw(found: Agreeing, shown: Agreement, table: Table) -> None:
    """The reasons, the outputs of the chosen one, and at the right the chosen output."""
    left, right = segment.sides()
    of = looking.of_table(table, looking.column(found, shown))
    known = None if of is None else _reasons(found, table, of)
    listed = _listed(found, shown, table, known if isinstance(known, Reasons) else None)
    with left:
        if of is None and not found.scoring:
            st.info(looking.not_scored(found))
        elif of is None or of.key not in metrics.METRICS:
            st.info("The reasons are those of a metric that is scored here: choose one above.")
        elif not isinstance(known, Reasons):
            says = known or f"Looking at what {of.label} finds in each output."
            st.html(f'<p class="finding" role="status">{theme.safe(says, 300)}</p>')
        else:
            if not found.judged.spans:
                st.caption("No errors are marked, so that nothing can be said of where they lie.")
            kind, _, value = shown.choice.partition(":")
            made = reasons.overlaps(known.overlaps, of.label, value if kind == "fault" else "")
            made += reasons.counted(known.counted, of.label, table.scale, shown.choice)
            links.show("agreement_reasons", made, partial(_told, known))
            lists.draw(found, shown, table, of, listed, "agreement_outputs")
    with right:
        segment.draw(found, shown, table, listed)


def _told(known: Reasons, name: str, value: str) -> None:
    """Show the outputs of a reason; what was told may be anything."""
    if (name, value) in [
        *[("fault", each.fault) for each in known.overlaps],
        *[(way, reasons.key_of(each)) for each in known.counted for way in ("by", "against")],
    ]:
        looking.turn(name, value)


def _listed(found: Agreeing, shown: Agreement, table: Table, known: Reasons | None) -> Listed:
    """The outputs that show the chosen reason; where none is chosen those on which metric and people differ most."""
    kind, _, value = shown.choice.partition(":")
    for overlap in known.overlaps if known else ():
        if (kind, value) == ("fault", overlap.fault):
            return Listed(_chosen(overlap.outputs), f"with most {overlap.fault} in marked words")
    for each in known.counted if known else ():
        if value == reasons.key_of(each) and kind in ("by", "against"):
            way = "for" if kind == "by" else "against"
            name = each.name.replace("_", " ")
            return Listed(_chosen(each.by if kind == "by" else each.against), f"speak most {way} {name}")
    return looking.torn(found, shown, table)


def _chosen(outputs: Iterable[tuple[int, int]]) -> list[Chosen]:
    return [Chosen(*output) for output in outputs]


def _reasons(found: Agreeing, table: Table, of: Column) -> Reasons | str | None:
    """What is found of the reasons; None while they are looked for, a sentence where they cannot be found."""
    if of.key not in metrics.METRICS or of.key not in found.tables:
        return None
    return found.find(_asked(table, of), partial(_find, found, table, of))


def reasons_now(found: Agreeing, table: Table, of: Column) -> Reasons | None:
    """The same, found at once where it is not known yet; None where it cannot be found."""
    if of.key not in metrics.METRICS or of.key not in found.tables:
        return None
    known = found.now(_asked(table, of), partial(_find, found, table, of))
    return None if isinstance(known, str) else known


def _asked(table: Table, of: Column) -> tuple[str, ...]:
    return "reasons", of.key, table.scale


def _find(found: Agreeing, table: Table, of: Column, look: Look) -> Reasons:
    metric, settings = metrics.METRICS[of.key], found.settings[of.key]
    outputs, seen = agreeing.judged_outputs(table), dict[tuple[int, int], Seen]()
    given = [
        (metric, settings, {output: found.segment(*output) for output in outputs[at : at + AT_ONCE]})
        for at in range(0, len(outputs), AT_ONCE)
    ]
    for n, some in enumerate(run_each_in_process(CORES, see_all, given)):
        seen |= some
        found.doing = Doing(
            (n + 1) / (len(given) + 1), f"What {of.label} finds: {len(seen):,} of {len(outputs):,} outputs"
        )
        look()
    lines = [texts.lines for texts in found.material.systems.values()]
    inside: tuple[Overlap, ...] = ()
    if found.judged.spans:
        marks = run_in_process(CORES, marks_of, found.judged, lines, found.text)
        inside = run_in_process(CORES, overlaps, seen, marks, found.size)
    return Reasons(inside, run_in_process(CORES, counted, seen, table.people))
