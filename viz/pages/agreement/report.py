"""Make the report of the Agreement page: what its views show of the selected metric, as one HTML file.

Results that are not known yet are computed in the calling thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import metrics
from metrics.corpus.agreement import AgreementColumn, ScaleAgreement
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.agreement.experiments import Experiment
from metrics.corpus.agreement.experiments.experiment import ExperimentOutcome

from ...draw.agreement import human_agreement, ratings, why
from ...draw.agreement import reasons as drawn
from ...draw.evidence import words
from ...draw.evidence.drawn_result import EvidenceLook
from ...draw.pen.text import safe
from ...frame import evidence
from ...save import agreement_report
from ...save.agreement_report import AgreementCase, AgreementReportInfo, Section, without_buttons
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts.inputs import MissingText
from . import chosen_output, judges, pairs, reasons, scatter
from .agreement_job import AgreementJob
from .chosen_output import ChosenOutput
from .reasons import ReasonsAgreement
from .record import AgreementState

ROOM = 1100  # width of a report's pictures in pixels
PAIRS_MOST = 10  # most pairs in a report that a metric ranks against people


def make_report(
    corpus: AgreementJob,
    state: AgreementState,
    table: Table,
    metric_signatures: Sequence[str],
    when: str,
    link: str,
    finished_experiments: Sequence[tuple[Experiment, ExperimentOutcome]],
) -> str:
    """Return the report as one HTML document.

    Args:
        metric_signatures: the signatures of the scores.
        when: the date of the report.
        link: the address that opens the page as it is, "" for none.
        finished_experiments: the experiments that were repeated, each with its outcome."""
    key = chosen_output.selected_column_key(corpus, state)
    of = chosen_output.find_column(table, key)
    listed = chosen_output.most_disputed(corpus, state, table).outputs[: agreement_report.CASES_MOST]
    cases = [_output_case(corpus, state, chosen) for chosen in listed] if key in corpus.tables else []
    about = AgreementReportInfo(
        key, of.label if of else key, [corpus.says] if corpus.says else [], metric_signatures, when, link
    )
    sections = [*(_column_sections(corpus, table, of) if of else ()), *_people_sections(corpus, table, key)]
    return agreement_report.page_html(about, table, [each for each in cases if each], finished_experiments, sections)


def _column_sections(corpus: AgreementJob, table: Table, column: AgreementColumn) -> Iterator[Section]:
    """Yield the sections of the report on one column: points, pairs ranked against people, and reasons."""
    charts = [
        make(corpus, table, column, None, still=True).markup for make in (scatter.outputs_chart, scatter.systems_chart)
    ]
    yield Section(f"Outputs and systems by {column.label}", f'<div class="charts">{"".join(charts)}</div>')
    if html := _wrong_pairs_html(corpus, table, column):
        yield Section(f"Where {column.label} is wrong", html)
    metric_reasons = reasons.reasons_agreement(corpus, table, column, now=True)
    if isinstance(metric_reasons, ReasonsAgreement):
        html = drawn.fault_table(metric_reasons.overlaps, column.label, "")
        html += drawn.findings_table(metric_reasons.counted, column.label, table.scale, "", still=True)
        yield Section(f"Which reasons of {column.label} agree with people", without_buttons(html))


def _wrong_pairs_html(corpus: AgreementJob, table: Table, column: AgreementColumn) -> str:
    """Return HTML on the pairs of outputs that a column ranks against people.

    "" if people prefer no output of a segment to another one."""
    wrong_pairs = pairs.misranked_pairs(corpus, table, column)
    sentences = [why.describe_counts(wrong_pairs, column.label)]
    if column.key in corpus.tables and corpus.judged.spans:
        each = pairs.compute_marked_credits(corpus, table, column, wrong_pairs)
        sentences += [f"<b>{safe(credit.says(column.label), 400)}</b>" for credit in each if credit.explained]
    pair_sections = []
    for pair in wrong_pairs.pairs[:PAIRS_MOST]:
        texts = corpus.drawable_unreferenced_outputs((pair.better, pair.worse), pair.segment)
        names = corpus.names[pair.better], corpus.names[pair.worse]
        html = pairs.rewarded_edits_html(
            corpus, table, column.key, pairs.pair_as_selection(pair), (texts[0][1], texts[1][1])
        )
        html = html or f"<p>{why.describe_preference(pair, names, column.label, table.scale)}</p>"
        pair_sections.append(
            (f"Segment {pair.segment + 1:,} · {names[0]}, {names[1]}", html + words.output_lines(texts))
        )
    return agreement_report.pairs_html(sentences, pair_sections) if sentences[0] else ""


def _people_sections(corpus: AgreementJob, table: Table, key: str) -> Iterator[Section]:
    """Yield the section of the report on people: how well judges agree, and how people's own translations score."""
    judge_agreement = judges.judge_agreement_on(corpus, table.scale)
    html = (
        human_agreement.judge_tables(judge_agreement, corpus.judged.judges, table.scale)
        if isinstance(judge_agreement, ScaleAgreement)
        else ""
    )
    human = judges.compute_human_level(corpus, key)
    html += judges.human_level_html(corpus, key, human) if human else ""
    if html:
        yield Section("Judges and people’s own translations", html)


def _output_case(corpus: AgreementJob, state: AgreementState, chosen: ChosenOutput) -> AgreementCase | None:
    """Return an output as a case of the report: its title, how people rated it, and the evidence of its score.

    None if it cannot be scored by the selected metric."""
    texts = corpus.drawable_output(chosen.system, chosen.segment)
    if isinstance(texts, MissingText):
        return None
    result = cache.score(state.metric, texts.segment, corpus.settings[state.metric])
    if isinstance(result, Problem):
        return None
    name = corpus.names[chosen.system]
    rated = ratings.draw(chosen.segment, [(name, ratings.output_ratings(corpus.judged, chosen.system, chosen.segment))])
    title = f"Segment {chosen.segment + 1:,} · {name} · {metrics.METRICS[state.metric].label} {result.score:.3f}"
    return AgreementCase(title, rated, evidence.evidence_html(texts, result, EvidenceLook(room=ROOM)))
