"""How metrics agree with people on one page that needs no server: who agrees best, by how much, what does not hold up,
outputs and systems as points, where the metric is wrong and which of its reasons agree with people, judges, the outputs
on which the metric and people differ most, and what came of the papers' experiments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from metrics.corpus.agreement import AgreementTable
from metrics.corpus.agreement.experiments.experiment import Experiment, ExperimentOutcome
from metrics.corpus.explanations import agreement

from ..draw.agreement import coefficients, curves, results, weights
from ..draw.agreement.coefficients import CoefficientView
from ..draw.corpus import axes
from ..draw.evidence.fragment import STYLE, root
from ..draw.pen import theme
from .sentence_page import PAGE, SCRIPT, document

#: Outputs that stand in a report at the most.
CASES_MOST = 8
_STYLE = """
.told { max-width: 62em; margin: 0 0 6px; overflow-wrap: anywhere; }
.answers p { font-size: 18px; margin: 0 0 6px; max-width: 56em; }
.charts { display: flex; flex-wrap: wrap; gap: 0 28px; } .charts .chart { flex: 0 1 430px; margin: 10px 0; }
.case { margin: 0 0 34px; padding-top: 12px; border-top: 1px solid var(--line, rgba(128,128,128,.3)); }
.case h3 { font-size: 17px; font-weight: 600; margin: 0 0 4px; overflow-wrap: anywhere; }
.case .below { display: none; } .case .word_lines { margin-top: 14px; }
nav ol { columns: 22em; max-width: 62em; margin: 0 0 18px; padding-inline-start: 22px; font-size: 15px; }
nav a { color: inherit; }
@media print { .case h3 { break-after: avoid; } }
"""
RULES = coefficients.RULES + axes.RULES + results.RULES + _STYLE
_BUTTON = re.compile(r"<(/?)button\b[^<>]*>")


class AgreementCase(NamedTuple):
    """An output on which the metric and people differ: what it is, as plain text, how people rated it and its evidence,
    both as HTML."""

    title: str
    ratings_html: str
    evidence: str


class Section(NamedTuple):
    """A part of a report: its title, as plain text, and what stands in it, as HTML."""

    title: str
    inside: str


class AgreementReportInfo(NamedTuple):
    """What a report is about: the key and the label of the chosen row, what is said of the corpus, the signatures of
    the scores, and, where they are known, when it was made and the address of the page."""

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
    """The report as one HTML document that loads nothing and lights as the page does: the table, the `sections`, the
    experiments that were `repeated`, and cases, with a list of all of them."""
    title = theme.safe(agreement.title(table), 300)
    back = f'<a href="{escape(about.link)}">Open in Bitext Grid</a>' if about.link else "Bitext Grid"
    origin = " · ".join([each for each in (escape(about.date), back) if each])
    head = f'<header><h1>Agreement with people</h1><p>{title}</p><p class="made">{origin}</p></header>'
    parts = [
        Section("Metrics and people", root(about.key, top(about, table))),
        *[Section(each.title, root(about.key, _headed(each))) for each in sections],
        *_experiments(about, repeated),
        *_cases(about, cases),
        *_signed(about),
    ]
    listed = "".join([f'<li><a href="#part{n}">{theme.safe(part.title, 200)}</a></li>' for n, part in enumerate(parts)])
    contents = f'<nav aria-label="Contents"><ol>{listed}</ol></nav>'
    sections_html = [f'<section id="part{n}">{part.inside}</section>' for n, part in enumerate(parts)]
    return document(title, PAGE + STYLE + RULES, [root(about.key, head), contents, *sections_html], SCRIPT)


def _headed(part: Section) -> str:
    return f"<h2>{theme.safe(part.title, 200)}</h2>{part.inside}"


def pairs_html(sentences: Sequence[str], pairs: Sequence[tuple[str, str]]) -> str:
    """Where a metric is wrong: sentences, as HTML, and pairs of outputs, each with its title, as plain text, and what
    made the metric prefer the worse one, as HTML."""
    paragraphs = "".join([f"<p>{each}</p>" for each in sentences])
    cases = "".join([f'<div class="case"><h3>{theme.safe(title, 200)}</h3>{why}</div>' for title, why in pairs])
    return f'<div class="answers">{paragraphs}</div>{cases}'


def top(about: AgreementReportInfo, table: AgreementTable) -> str:
    """Who agrees best, the tables of both levels, and what is said of them."""
    answer_texts = [coefficients.answer(table, level) for level in ("segment", "system")]
    answers = "".join([f"<p>{theme.safe(each, 600)}</p>" for each in answer_texts if each])
    remarks = "".join([f"<li>{theme.safe(each, 900)}</li>" for each in agreement.remark_lines(table)])
    of = "".join([f'<p class="told">{theme.safe(each, 600)}</p>' for each in about.descriptions])
    drawn = still(coefficients.draw(table, CoefficientView("segment", "pearson", about.key)))
    return f'{of}<div class="answers">{answers}</div>{drawn}<ul class="remarks">{remarks}</ul>'


def still(drawn: str) -> str:
    """HTML of the page as it stands where nothing answers: its buttons are their words.

    >>> still('<th><button type="button" data-tell="row:x">GTM</button></th>')
    '<th><span>GTM</span></th>'
    """
    return _BUTTON.sub(r"<\1span>", drawn)


def _experiments(about: AgreementReportInfo, repeated: Sequence[tuple[Experiment, ExperimentOutcome]]) -> list[Section]:
    out = []
    for experiment, outcome in repeated:
        charts = "".join([curves.chart(chart, "", still=True).markup for chart in outcome.charts if chart.lines])
        grids = weights.grids(outcome.grids, still=True) if outcome.grids else ""
        parts = (
            f"{results.notes(outcome)}"
            f'{results.tables(experiment, outcome, still=True)}<div class="charts">{charts}</div>{grids}'
            f"{results.about(experiment)}"
        )
        out.append(Section(experiment.title, root(about.key, _headed(Section(experiment.title, parts)))))
    return out


def _cases(about: AgreementReportInfo, cases: Sequence[AgreementCase]) -> list[Section]:
    if not cases:
        return []
    of = Section(f"Where {theme.visible(about.label, 60)} and people differ most", "")
    out = [root(about.key, _headed(of))]
    for case in cases[:CASES_MOST]:
        title = f'<div class="bitext"><h3>{theme.safe(case.title, 200)}</h3>{case.ratings_html}</div>'
        out.append(f'<section class="case">{title}{case.evidence}</section>')
    return [of._replace(inside="".join(out))]


def _signed(about: AgreementReportInfo) -> list[Section]:
    lines = "".join([f'<p class="sig">{theme.safe(each, 2_000)}</p>' for each in about.signatures])
    return [Section("Signatures", f'<div class="bitext"><h2>Signatures</h2>{lines}</div>')] if lines else []
