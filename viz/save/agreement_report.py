"""Write how well metrics agree with people as one web page that needs no server.

It says which metric agrees best and by how much, which differences do not hold up, where a metric is wrong, and
which of the things that it finds agree with people. It draws outputs and systems as points. It also has the judges,
the outputs on which metric and people differ most, and the results of the papers' experiments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from metrics.corpus.agreement import AgreementTable
from metrics.corpus.agreement.experiments.experiment import Experiment, ExperimentOutcome
from metrics.corpus.explanations import agreement

from ..draw.agreement import coefficients, curves, results, weights
from ..draw.agreement.coefficients import CoefficientView
from ..draw.corpus import axes
from ..draw.evidence.fragment import STYLE, root_element
from ..draw.pen.text import safe, visible
from .sentence_page import CASES, PAGE, SCRIPT, document, origin_html

#: The most outputs in a report.
CASES_MOST = 8
_STYLE = """
.answers p { font-size: 18px; margin: 0 0 6px; max-width: 56em; }
.case .below { display: none; } .case .word_lines { margin-top: 14px; }
nav ol { columns: 22em; max-width: 62em; margin: 0 0 18px; padding-inline-start: 22px; font-size: 15px; }
nav a { color: inherit; }
"""
RULES = coefficients.RULES + axes.RULES + results.RULES + CASES + _STYLE
_BUTTON = re.compile(r"<(/?)button\b[^<>]*>")


class AgreementCase(NamedTuple):
    """An output on which a metric and people differ, as the report shows it.

    Attributes:
        title: which output it is, as plain text.
        ratings_html: how people rated it, as HTML.
        evidence: the words, grid and formula of its score, as HTML."""

    title: str
    ratings_html: str
    evidence: str


class Section(NamedTuple):
    """A section of the report: its title as plain text, and its content as HTML."""

    title: str
    inside: str


class AgreementReportInfo(NamedTuple):
    """The origin, the signatures and the selected row of a report.

    Attributes:
        key: the key of the selected row, such as a metric's.
        label: the label of the selected row.
        descriptions: sentences about the corpus.
        signatures: the signatures of the scores.
        date: when the report was made; "" if unknown.
        link: the address of the page; "" if unknown."""

    key: str
    label: str
    descriptions: Sequence[str]
    signatures: Sequence[str] = ()
    date: str = ""
    link: str = ""


def page_html(
    about: AgreementReportInfo,
    table: AgreementTable,
    cases: Sequence[AgreementCase] = (),
    repeated: Sequence[tuple[Experiment, ExperimentOutcome]] = (),
    sections: Sequence[Section] = (),
) -> str:
    """Return the report as one HTML document that loads nothing and highlights cells and words as the page does.

    After a list of contents come the table, the `sections`, the experiments in `repeated`, each with what it gave
    here, and the cases."""
    title = safe(agreement.table_title(table), 300)
    origin = origin_html(about.date, about.link)
    head = f"<header><h1>Agreement with people</h1><p>{title}</p>{origin}</header>"
    parts = [
        Section("Metrics and people", root_element(about.key, agreement_summary(about, table))),
        *[Section(each.title, root_element(about.key, _html_with_heading(each))) for each in sections],
        *_experiment_sections(about, repeated),
        *_case_sections(about, cases),
        *_signature_sections(about),
    ]
    listed = "".join([f'<li><a href="#part{n}">{safe(part.title, 200)}</a></li>' for n, part in enumerate(parts)])
    contents = f'<nav aria-label="Contents"><ol>{listed}</ol></nav>'
    sections_html = [f'<section id="part{n}">{part.inside}</section>' for n, part in enumerate(parts)]
    return document(title, PAGE + STYLE + RULES, [root_element(about.key, head), contents, *sections_html], SCRIPT)


def _html_with_heading(part: Section) -> str:
    """Return the HTML of a section with its title as the heading."""
    return f"<h2>{safe(part.title, 200)}</h2>{part.inside}"


def pairs_html(sentences: Sequence[str], pairs: Sequence[tuple[str, str]]) -> str:
    """Return the content of the section on where a metric is wrong: sentences, then pairs of outputs.

    The `sentences` are HTML. Each pair is a title in plain text, and in HTML the reason why the metric prefers the
    worse output."""
    paragraphs = "".join([f"<p>{each}</p>" for each in sentences])
    cases = "".join([f'<div class="case"><h3>{safe(title, 200)}</h3>{why}</div>' for title, why in pairs])
    return f'<div class="answers">{paragraphs}</div>{cases}'


def agreement_summary(about: AgreementReportInfo, table: AgreementTable) -> str:
    """Return, as HTML, which metric agrees best, the tables at segment and system level, and the remarks on them."""
    answer_texts = [coefficients.describe_best_metric(table, level) for level in ("segment", "system")]
    answers = "".join([f"<p>{safe(each, 600)}</p>" for each in answer_texts if each])
    remarks = "".join([f"<li>{safe(each, 900)}</li>" for each in agreement.remark_lines(table)])
    of = "".join([f'<p class="told">{safe(each, 600)}</p>' for each in about.descriptions])
    drawn = without_buttons(coefficients.draw(table, CoefficientView("segment", "pearson", about.key)))
    return f'{of}<div class="answers">{answers}</div>{drawn}<ul class="remarks">{remarks}</ul>'


def without_buttons(drawn: str) -> str:
    """Return HTML of the page with each button replaced by its words, because nothing responds to clicks in a file.

    >>> without_buttons('<th><button type="button" data-tell="row:x">GTM</button></th>')
    '<th><span>GTM</span></th>'
    """
    return _BUTTON.sub(r"<\1span>", drawn)


def _experiment_sections(
    about: AgreementReportInfo, repeated: Sequence[tuple[Experiment, ExperimentOutcome]]
) -> list[Section]:
    """Return one section for each repeated experiment, with our charts and tables next to the paper's."""
    out = []
    for experiment, outcome in repeated:
        charts = "".join([curves.chart(chart, "", still=True).markup for chart in outcome.charts if chart.lines])
        grids = weights.weight_grids_html(outcome.grids, still=True) if outcome.grids else ""
        parts = (
            f"{results.outcome_notes_html(outcome)}"
            f'{results.result_tables_html(experiment, outcome, still=True)}<div class="charts">{charts}</div>{grids}'
            f"{results.experiment_description_html(experiment)}"
        )
        out.append(
            Section(experiment.title, root_element(about.key, _html_with_heading(Section(experiment.title, parts))))
        )
    return out


def _case_sections(about: AgreementReportInfo, cases: Sequence[AgreementCase]) -> list[Section]:
    """Return a list with the section on the outputs on which metric and people differ most; empty if there are none."""
    if not cases:
        return []
    of = Section(f"Where {visible(about.label, 60)} and people differ most", "")
    out = [root_element(about.key, _html_with_heading(of))]
    for case in cases[:CASES_MOST]:
        title = f'<div class="bitext"><h3>{safe(case.title, 200)}</h3>{case.ratings_html}</div>'
        out.append(f'<section class="case">{title}{case.evidence}</section>')
    return [of._replace(inside="".join(out))]


def _signature_sections(about: AgreementReportInfo) -> list[Section]:
    """Return a list with the section of signatures; empty if there are none."""
    lines = "".join([f'<p class="sig">{safe(each, 2_000)}</p>' for each in about.signatures])
    return [Section("Signatures", f'<div class="bitext"><h2>Signatures</h2>{lines}</div>')] if lines else []
