"""The Save menu of the Agreement page: its table, the judged outputs, what came of experiments, and a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import cast

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Group, Tau
from metrics.corpus.agreement.experiments import Experiment
from metrics.corpus.agreement.experiments.experiment import Outcome
from metrics.corpus.signatures import signatures

from ...draw.agreement import said
from ...draw.evidence.drawn import Look
from ...frame import evidence, menus
from ...save import agreement_files, agreement_report
from ...save.agreement_report import About, Case
from ...save.sentence_page import Files
from ...state import cache, session
from ...state.cache import Problem
from ...state.inputs import Missing
from . import experiments, held, looking
from .agreeing import Agreeing
from .looking import Chosen
from .record import Agreement

ROOM = 1100  # pixels of a report's pictures


def show() -> None:
    """Save what was found."""
    menus.save_menu("save_agreement", lambda: (_offered(), menus.KINDS))


def _offered() -> Files | None:
    """What can be saved. Nothing is made before it is asked for."""
    shown, found = session.looked(Agreement), held.corpus()
    if found is None:
        return None
    table = found.table(found.asked(shown.scale, cast(Group, shown.group), cast(Tau, shown.tau)))
    if not table.rows:
        return None
    signed = signatures_of(found)
    today = date.today()
    when, link = f"{today.day} {today:%B %Y}", menus.saved_address(shown)
    out: list[tuple[str, str, Callable[[], str | bytes]]] = [
        ("Report, HTML", "html", lambda: _report(found, shown, table, signed, when, link)),
        ("Table, CSV", "csv", partial(agreement_files.table_csv, table)),
        ("Table, LaTeX", "tex", partial(agreement_files.table_text, "latex", table, signed)),
        ("Table, Markdown", "md", partial(agreement_files.table_text, "markdown", table, signed)),
        ("Outputs, CSV", "outputs.csv", partial(agreement_files.outputs_csv, table, found.judged)),
    ]
    for experiment, outcome in repeated(found):
        if experiment.key == shown.experiment:
            of = experiment, outcome
            out += [
                ("Experiment, CSV", f"{experiment.key}.csv", partial(agreement_files.experiment_csv, *of)),
                ("Experiment, LaTeX", f"{experiment.key}.tex", partial(agreement_files.experiment_text, "latex", *of)),
                ("Experiment, Markdown", f"{experiment.key}.md", partial(agreement_files.experiment_text, "", *of)),
            ]
    return "agreement", out


def signatures_of(found: Agreeing) -> list[str]:
    """What is needed to repeat the scores."""
    tables = [found.tables[key] for key in found.settings if key in found.tables]
    numbers = {len(each) for each in map(found.material.references_of, range(found.size))}
    each = signatures(tables, found.text, numbers.pop() if len(numbers) == 1 else "var")
    return [sign.whole for sign in each]


def repeated(found: Agreeing) -> Sequence[tuple[Experiment, Outcome]]:
    """The experiments of which something came, each as it was asked for last."""
    last: dict[str, Outcome] = {}
    for asked, outcome in found.came("experiment"):
        if isinstance(asked, tuple) and isinstance(outcome, Outcome):
            last[str(asked[1])] = outcome
    return [(experiment, last[key]) for key, experiment in experiments.BY_KEY.items() if key in last]


def _report(found: Agreeing, shown: Agreement, table: Table, signed: Sequence[str], when: str, link: str) -> str:
    key = looking.column(found, shown)
    of = looking.of_table(table, key)
    listed = looking.torn(found, shown, table).outputs[: agreement_report.CASES_MOST]
    cases = [_case(found, shown, chosen) for chosen in listed] if key in found.tables else []
    about = About(key, of.label if of else key, [found.says] if found.says else [], signed, when, link)
    return agreement_report.page_html(about, table, [each for each in cases if each], repeated(found))


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
