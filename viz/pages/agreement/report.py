"""Make the report of the Agreement page: what its views show of the selected metric.

Results that are not known yet are computed at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import metrics
from metrics.corpus.agreement import AgreementColumn, Judges
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.experiments import Experiment
from metrics.corpus.agreement.experiments.experiment import ExperimentOutcome

from ...draw.agreement import human_agreement, ratings, why
from ...draw.agreement import reasons as drawn
from ...draw.evidence import words
from ...draw.evidence.drawn_result import EvidenceLook
from ...draw.pen import theme
from ...frame import evidence
from ...save import agreement_report
from ...save.agreement_report import AgreementCase, AgreementReportInfo, Section, without_buttons
from ...state import cache
from ...state.cache import Problem
from ...state.inputs import MissingText
from . import chosen_output, judges, pairs, reasons, scatter, visitor_corpus
from .agreement_job import AgreementJob
from .chosen_output import ChosenOutput
from .record import AgreementState

ROOM = 1100  # width of a report's pictures in pixels
PAIRS_MOST = 10  # most pairs in a report that a metric ranks against people


def make_report(
    corpus: AgreementJob,
    state: AgreementState,
    table: Table,
    signed: Sequence[str],
    when: str,
    link: str,
    repeated: Sequence[tuple[Experiment, ExperimentOutcome]],
) -> str:
    """Return the report as one HTML document.

    Args:
        signed: the signatures of the scores.
        when: the date of the report.
        link: the address of the page.
        repeated: the experiments with their outcomes."""
    key = chosen_output.column(corpus, state)
    of = chosen_output.column_of_table(table, key)
    listed = chosen_output.most_disputed(corpus, state, table).outputs[: agreement_report.CASES_MOST]
    cases = [_case(corpus, state, chosen) for chosen in listed] if key in corpus.tables else []
    about = AgreementReportInfo(key, of.label if of else key, [corpus.says] if corpus.says else [], signed, when, link)
    sections = [*(_of_column(corpus, table, of) if of else ()), *_of_people(corpus, table, key)]
    return agreement_report.page_html(about, table, [each for each in cases if each], repeated, sections)


def _of_column(corpus: AgreementJob, table: Table, of: AgreementColumn) -> Iterator[Section]:
    """Yield the sections on a column: points, pairs that are ranked against people, and reasons."""
    charts = [make(corpus, table, of, None, still=True).markup for make in (scatter.of_outputs, scatter.of_systems)]
    yield Section(f"Outputs and systems by {of.label}", f'<div class="charts">{"".join(charts)}</div>')
    if html := _pairs(corpus, table, of):
        yield Section(f"Where {of.label} is wrong", html)
    if metric_reasons := reasons.reasons_now(corpus, table, of):
        html = drawn.overlaps(metric_reasons.overlaps, of.label, "")
        html += drawn.findings_table(metric_reasons.counted, of.label, table.scale, "", still=True)
        yield Section(f"Which reasons of {of.label} agree with people", without_buttons(html))


def _pairs(corpus: AgreementJob, table: Table, of: AgreementColumn) -> str:
    """Return the section on pairs that a column ranks against people as HTML, "" if there are no such pairs."""
    wrong_pairs = pairs.misranked_pairs(corpus, table, of)
    sentences = [why.describe_counts(wrong_pairs, of.label)]
    if of.key in corpus.tables and corpus.judged.spans:
        each = pairs.credits_now(corpus, table, of, wrong_pairs)
        sentences += [f"<b>{theme.safe(credit.says(of.label), 400)}</b>" for credit in each if credit.explained]
    pair_sections = []
    for pair in wrong_pairs.pairs[:PAIRS_MOST]:
        texts = visitor_corpus.unreferenced_texts(corpus, (pair.better, pair.worse), pair.segment)
        names = corpus.systems[pair.better], corpus.systems[pair.worse]
        html = pairs.why_of(corpus, table, of.key, pairs.chosen_pair(pair), (texts[0][1], texts[1][1]))
        html = html or f"<p>{why.describe_preference(pair, names, of.label, table.scale)}</p>"
        pair_sections.append((f"Segment {pair.segment + 1:,} · {names[0]}, {names[1]}", html + words.outputs(texts)))
    return agreement_report.pairs_html(sentences, pair_sections) if sentences[0] else ""


def _of_people(corpus: AgreementJob, table: Table, key: str) -> Iterator[Section]:
    """Yield the section on people: how far judges agree, and their own translations compared with the systems."""
    judge_agreement = judges.judges_of(corpus, table.scale)
    html = (
        human_agreement.judge_tables(judge_agreement, corpus.judged.judges, table.scale)
        if isinstance(judge_agreement, Judges)
        else ""
    )
    human = judges.human_now(corpus, key)
    html += judges.drawn_human(corpus, key, human) if human else ""
    if html:
        yield Section("Judges and people’s own translations", html)


def _case(corpus: AgreementJob, state: AgreementState, chosen: ChosenOutput) -> AgreementCase | None:
    """Return an output with its evidence by the selected metric, None if it cannot be drawn."""
    texts = visitor_corpus.texts(corpus, chosen.system, chosen.segment)
    if isinstance(texts, MissingText):
        return None
    result = cache.score(state.metric, texts.segment, corpus.settings[state.metric])
    if isinstance(result, Problem):
        return None
    name = corpus.systems[chosen.system]
    rated = ratings.draw(chosen.segment, [(name, ratings.ratings(corpus.judged, chosen.system, chosen.segment))])
    title = f"Segment {chosen.segment + 1:,} · {name} · {metrics.METRICS[state.metric].label} {result.score:.3f}"
    return AgreementCase(title, rated, evidence.markup(texts, result, EvidenceLook(room=ROOM)))
