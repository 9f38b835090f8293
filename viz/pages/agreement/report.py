"""The report of the Agreement page: what its views show of the metric that is looked at, found at once where it is not
known yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Column, Judges
from metrics.corpus.agreement.experiments import Experiment
from metrics.corpus.agreement.experiments.experiment import Outcome

from ...draw.agreement import people, said, why
from ...draw.agreement import reasons as drawn
from ...draw.evidence import words
from ...draw.evidence.drawn import Look
from ...draw.pen import theme
from ...frame import evidence
from ...save import agreement_report
from ...save.agreement_report import About, Case, Section, still
from ...state import cache
from ...state.cache import Problem
from ...state.inputs import Missing
from . import held, judges, looking, pairs, reasons, scatter
from .agreeing import Agreeing
from .looking import Chosen
from .record import Agreement

ROOM = 1100  # pixels of a report's pictures
PAIRS_MOST = 10  # pairs that a metric ranks against people


def made(
    found: Agreeing,
    shown: Agreement,
    table: Table,
    signed: Sequence[str],
    when: str,
    link: str,
    repeated: Sequence[tuple[Experiment, Outcome]],
) -> str:
    """The report as one HTML document; `when` it is made, and the `link` of the page."""
    key = looking.column(found, shown)
    of = looking.of_table(table, key)
    listed = looking.torn(found, shown, table).outputs[: agreement_report.CASES_MOST]
    cases = [_case(found, shown, chosen) for chosen in listed] if key in found.tables else []
    about = About(key, of.label if of else key, [found.says] if found.says else [], signed, when, link)
    sections = [*(_of_column(found, table, of) if of else ()), *_of_people(found, table, key)]
    return agreement_report.page_html(about, table, [each for each in cases if each], repeated, sections)


def _of_column(found: Agreeing, table: Table, of: Column) -> Iterator[Section]:
    """Points, pairs that are ranked against people, and reasons."""
    charts = [make(found, table, of, None, still=True).markup for make in (scatter.of_outputs, scatter.of_systems)]
    yield Section(f"Outputs and systems by {of.label}", f'<div class="charts">{"".join(charts)}</div>')
    if made := _pairs(found, table, of):
        yield Section(f"Where {of.label} is wrong", made)
    if known := reasons.reasons_now(found, table, of):
        made = drawn.overlaps(known.overlaps, of.label, "")
        made += drawn.counted(known.counted, of.label, table.scale, "", still=True)
        yield Section(f"Which reasons of {of.label} agree with people", still(made))


def _pairs(found: Agreeing, table: Table, of: Column) -> str:
    known = pairs.wrong(found, table, of)
    sentences = [why.counts(known, of.label)]
    if of.key in found.tables and found.judged.spans:
        each = pairs.credits_now(found, table, of, known)
        sentences += [f"<b>{theme.safe(credit.says(of.label), 400)}</b>" for credit in each if credit.explained]
    shown = []
    for pair in known.pairs[:PAIRS_MOST]:
        texts = held.alone(found, (pair.better, pair.worse), pair.segment)
        names = found.systems[pair.better], found.systems[pair.worse]
        made = pairs.why_of(found, table, of.key, pairs.chosen_of(pair), (texts[0][1], texts[1][1]))
        made = made or f"<p>{why.preferred(pair, names, of.label, table.scale)}</p>"
        shown.append((f"Segment {pair.segment + 1:,} · {names[0]}, {names[1]}", made + words.outputs(texts)))
    return agreement_report.pairs_html(sentences, shown) if sentences[0] else ""


def _of_people(found: Agreeing, table: Table, key: str) -> Iterator[Section]:
    """How far judges agree, and their own translations beside the systems."""
    known = judges.judges_of(found, table.scale)
    made = people.judges(known, found.judged.judges, table.scale) if isinstance(known, Judges) else ""
    human = judges.human_now(found, key)
    made += judges.drawn_human(found, key, human) if human else ""
    if made:
        yield Section("Judges and people’s own translations", made)


def _case(found: Agreeing, shown: Agreement, chosen: Chosen) -> Case | None:
    """An output with its evidence by the metric that is looked at; None where it cannot be drawn."""
    texts = held.texts(found, chosen.system, chosen.segment)
    if isinstance(texts, Missing):
        return None
    result = cache.score(shown.metric, texts.segment, found.settings[shown.metric])
    if isinstance(result, Problem):
        return None
    name = found.systems[chosen.system]
    rated = said.draw(chosen.segment, [(name, said.ratings(found.judged, chosen.system, chosen.segment))])
    title = f"Segment {chosen.segment + 1:,} · {name} · {metrics.METRICS[shown.metric].label} {result.score:.3f}"
    return Case(title, rated, evidence.markup(texts, result, Look(room=ROOM)))
