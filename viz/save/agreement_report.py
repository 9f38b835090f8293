"""How metrics agree with people on one page that needs no server: who agrees best, by how much, what does not hold up,
the outputs on which a metric and people differ most, and what came of the papers' experiments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from metrics.corpus.agreement import Agreement
from metrics.corpus.agreement.experiments.experiment import Experiment, Outcome
from metrics.corpus.telling import agreement

from ..draw.agreement import coefficients, curves, results, weights
from ..draw.agreement.coefficients import Look
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
.case .below { display: none; }
@media print { .case h3 { break-after: avoid; } }
"""
RULES = coefficients.RULES + axes.RULES + results.RULES + _STYLE
_BUTTON = re.compile(r"<(/?)button\b[^<>]*>")


class Case(NamedTuple):
    """An output on which the metric and people differ: what it is, as plain text, how people rated it and its evidence,
    both as HTML."""

    title: str
    said: str
    evidence: str


class About(NamedTuple):
    """What a report is about: the key and the label of the chosen row, what is said of the corpus, the signatures of
    the scores, and, where they are known, when it was made and the address of the page."""

    key: str
    label: str
    said: Sequence[str]
    signatures: Sequence[str] = ()
    date: str = ""
    link: str = ""


def page_html(
    about: About,
    table: Agreement,
    cases: Sequence[Case] = (),
    repeated: Sequence[tuple[Experiment, Outcome]] = (),
) -> str:
    """The report as one HTML document that loads nothing and lights as the page does."""
    title = theme.safe(agreement.title(table), 300)
    back = f'<a href="{escape(about.link)}">Open in Bitext Grid</a>' if about.link else "Bitext Grid"
    made = " · ".join([each for each in (escape(about.date), back) if each])
    head = f'<header><h1>Agreement with people</h1><p>{title}</p><p class="made">{made}</p></header>'
    return document(
        title,
        PAGE + STYLE + RULES,
        [
            root(about.key, head + top(about, table)),
            *_experiments(about, repeated),
            *_cases(about, cases),
            _signed(about),
        ],
        SCRIPT,
    )


def top(about: About, table: Agreement) -> str:
    """Who agrees best, the tables of both levels, and what is said of them."""
    said = [coefficients.answer(table, level) for level in ("segment", "system")]
    answers = "".join([f"<p>{theme.safe(each, 600)}</p>" for each in said if each])
    remarks = "".join([f"<li>{theme.safe(each, 900)}</li>" for each in agreement.said(table)])
    of = "".join([f'<p class="told">{theme.safe(each, 600)}</p>' for each in about.said])
    drawn = still(coefficients.draw(table, Look("segment", "pearson", about.key)))
    return f'{of}<div class="answers">{answers}</div>{drawn}<ul class="remarks">{remarks}</ul>'


def still(drawn: str) -> str:
    """HTML of the page as it stands where nothing answers: its buttons are their words.

    >>> still('<th><button type="button" data-tell="row:x">GTM</button></th>')
    '<th><span>GTM</span></th>'
    """
    return _BUTTON.sub(r"<\1span>", drawn)


def _experiments(about: About, repeated: Sequence[tuple[Experiment, Outcome]]) -> list[str]:
    out = []
    for experiment, outcome in repeated:
        charts = "".join([curves.chart(chart, "", still=True).markup for chart in outcome.charts if chart.lines])
        grids = weights.grids(outcome.grids, still=True) if outcome.grids else ""
        parts = (
            f"<h2>{theme.safe(experiment.title, 200)}</h2>{results.notes(outcome)}"
            f'{results.tables(experiment, outcome, still=True)}<div class="charts">{charts}</div>{grids}'
            f"{results.about(experiment)}"
        )
        out.append(root(about.key, parts))
    return out


def _cases(about: About, cases: Sequence[Case]) -> list[str]:
    if not cases:
        return []
    head = f"<h2>Where {theme.safe(about.label, 60)} and people differ most</h2>"
    out = [root(about.key, head)]
    for case in cases[:CASES_MOST]:
        title = f'<div class="bitext"><h3>{theme.safe(case.title, 200)}</h3>{case.said}</div>'
        out.append(f'<section class="case">{title}{case.evidence}</section>')
    return out


def _signed(about: About) -> str:
    lines = "".join([f'<p class="sig">{theme.safe(each, 2_000)}</p>' for each in about.signatures])
    return f'<section class="bitext"><h2>Signatures</h2>{lines}</section>' if lines else ""
