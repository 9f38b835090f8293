"""Draw the Save menu of the Corpus page: the segments of its table in their order, and tables of all systems."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import streamlit as st

import metrics
from metrics.corpus.file_checks import repair_sentences
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.processes import run_in_process
from metrics.corpus.signatures import changed_signatures, signatures
from metrics.text import markup

from ...draw.pen import theme
from ...frame import menus
from ...frame.corpora import CorpusJob
from ...save import corpus_findings, corpus_report, corpus_segments, corpus_systems
from ...save.corpus_findings import CorpusReportRequest
from ...save.corpus_report import CorpusCase, CorpusReportInfo
from ...save.corpus_segments import SegmentSheet
from ...save.corpus_systems import SystemSelection
from ...save.sentence_page import Files
from ...state import session
from ...state.inputs import MissingText
from . import explanations, filters, marks, record, visitor_corpus
from .filters import Selected
from .record import SORTS, CorpusState
from .segment_rows import SegmentTable

#: Up to this number of cells a file is made in this process, because another process takes longer to start.
AT_ONCE = 20_000
#: Most letters of a filter part in a sentence.
LABEL_MOST = 400

T = TypeVar("T")


def show() -> None:
    """Draw the Save menu of the corpus."""
    menus.save_menu("save_corpus", lambda: (_offered(), menus.KINDS))


class CorpusSnapshot(NamedTuple):
    """A corpus with the page state and the segments that the filter selects."""

    job: CorpusJob
    state: CorpusState
    selected: Selected

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B."""
        return self.job.names[self.state.a], self.job.names[self.state.b]

    @property
    def ledger(self) -> CorpusLedger | None:
        """The ledger of A and B, None if it is not known or cannot be computed."""
        known_ledger = self.job.ledger(self.state.metric, self.state.a, self.state.b)
        return known_ledger if isinstance(known_ledger, CorpusLedger) else None

    @property
    def scored(self) -> list[str]:
        """The keys of the scored metrics, in the order of the catalogue."""
        return [key for key in metrics.METRICS if key in self.job.tables]

    @property
    def missing(self) -> str:
        """A sentence that names the metrics without scores, "" if all are scored."""
        labels = [metrics.METRICS[key].label for key in self.job.settings if key not in self.job.tables]
        return f"Without scores: {', '.join(labels)}." if labels else ""

    def describe_segments(self) -> str:
        """Return a sentence that says which segments are selected."""
        if self.selected.mask is None:
            return f"All {theme.count_text(self.job.size, 'segment')}."
        labels = [theme.visible(part.label or part.expression, LABEL_MOST) for part in self._used()]
        unused = len(self.selected.problems)
        rest = f" {theme.count_text(unused, 'part')} of the filter could not be used." if unused else ""
        by = f", those of the filter: {'; '.join(labels)}." if labels else "."
        return f"{self.selected.size:,} of {theme.count_text(self.job.size, 'segment')}{by}{rest}"

    def _used(self) -> list[record.FilterPart]:
        """Return the parts of the filter that could be used."""
        parts = enumerate(record.parts(self.state.where))
        return [part for place, part in parts if place not in self.selected.problems]

    def sorted(self) -> str:
        """Return a sentence that says how the segments are sorted."""
        round_ = ", turned round" if self.state.up else ""
        return f"Sorted by {SORTS[self.state.sort]}{round_}."


def _offered() -> Files | None:
    """Return the files that can be saved, None without scores or segments.

    No file is made before the visitor asks for it."""
    state, job = session.read_state(CorpusState), visitor_corpus.scoring()
    if job is None or state.metric not in job.tables or max(state.a, state.b) >= len(job.names):
        return None
    snapshot = CorpusSnapshot(job, state, filters.selected(job, state))
    st.caption(theme.markdown(f"{snapshot.describe_segments()} {snapshot.sorted()}"))
    if not snapshot.selected.size:
        return None
    if snapshot.missing:
        st.caption(snapshot.missing)

    def segments(write: Callable[[SegmentSheet], str | bytes]) -> str | bytes:
        sheet = _sheet(snapshot)
        return _make_file(sheet.size, write, sheet)

    def systems(form: str) -> str:
        systems_table = _systems_table(snapshot)
        return _make_file(systems_table.cells, corpus_systems.tables_text, form, systems_table)

    today = date.today()
    when, link = f"{today.day} {today:%B %Y}", menus.saved_address(state)
    return f"corpus_{state.metric}", [
        ("Report, HTML", "html", lambda: _report(snapshot, when, link)),
        ("Segments, CSV", "csv", lambda: segments(corpus_segments.csv_text)),
        ("Segments, TSV", "tsv", lambda: segments(corpus_segments.tsv_text)),
        ("Segments, XLSX", "xlsx", lambda: segments(corpus_segments.xlsx_bytes)),
        ("Segments, JSONL", "jsonl", lambda: segments(corpus_segments.jsonl_text)),
        ("Systems, LaTeX", "tex", lambda: systems("latex")),
        ("Systems, Markdown", "md", lambda: systems("markdown")),
    ]


def _make_file(cells: int, make: Callable[..., T], *given: object) -> T:
    """Return the result of `make` on `given`, for a file with this number of cells.

    For many cells it runs in another process, because visitors would wait for this one."""
    return make(*given) if cells <= AT_ONCE else run_in_process(os.cpu_count() or 1, make, *given)


def _sheet(snapshot: CorpusSnapshot) -> SegmentSheet:
    """Return the segments of the table, in its order."""
    job, state, ledger = snapshot.job, snapshot.state, snapshot.ledger
    order = SegmentTable(job, state, ledger, snapshot.selected.numbers).order
    tables = [job.tables[key] for key in snapshot.scored]
    label = metrics.METRICS[state.metric].label
    other, better = (job.names[n] for n in job.sides(state.metric, state.a, state.b))
    worth = (
        f"worth: what a segment gives to the difference of {label}, the corpus score of {better} less that of {other}."
    )
    signed = signatures(tables, job.text, _references(job))
    about = [
        snapshot.describe_segments(),
        snapshot.sorted(),
        *[f"{side}: {name}" for side, name in zip("ab", snapshot.names, strict=True)],
        worth if ledger else "What segments are worth was not known yet.",
        *([snapshot.missing] if snapshot.missing else []),
        "In CSV and TSV an apostrophe stands before texts that a spreadsheet would take for a formula.",
        *_changed(job),
        *[sign.whole for sign in changed_signatures(signed, [*job.repairs], job.material.cleaned)],
    ]
    return corpus_segments.sheet(
        job.material,
        snapshot.names,
        tables,
        (state.a, state.b),
        np.asarray(ledger.worth, dtype=np.float64) if ledger else None,
        marks.read(state.marks),
        order,
        about,
    )


def _systems_table(snapshot: CorpusSnapshot) -> SystemSelection:
    """Return the table of all systems on the selected segments."""
    job, numbers = snapshot.job, snapshot.selected.numbers
    tables = [job.tables[key] for key in snapshot.scored]
    chosen = tables if numbers is None else [table.select_segments(numbers) for table in tables]
    return SystemSelection(
        job.names,
        chosen,
        snapshot.state.a,
        job.text,
        _references(job),
        [*[each for each in (snapshot.describe_segments(), snapshot.missing) if each], *_changed(job)],
        numbers is not None,
        tuple(job.repairs),
        job.material.cleaned,
    )


def _changed(job: CorpusJob) -> list[str]:
    """Return sentences on how the texts were changed."""
    return [*repair_sentences(job.repairs), *markup.cleaning_notes(job.material.cleaned)]


def _report(snapshot: CorpusSnapshot, when: str, link: str) -> str:
    """Return the report on the selected segments as one HTML page."""
    job, state, numbers = snapshot.job, snapshot.state, snapshot.selected.numbers
    systems_table = _systems_table(snapshot)
    ours, theirs = (job.texts.segments(n) for n in (state.a, state.b))
    known_ledgers = {}
    if numbers is None:
        numbers = np.arange(job.size)
        each = {
            key: job.known_ledger(key, state.a, state.b)
            for key in (state.metric, explanations.disagreeing_metric(job, state))
        }
        known_ledgers = {key: its for key, its in each.items() if its}
    else:
        ours, theirs = ([all_[n] for n in numbers.tolist()] for all_ in (ours, theirs))
    request = CorpusReportRequest(
        systems_table, state.b, state.metric, ours, theirs, numbers, known_ledgers, job.stems()
    )
    findings = (
        corpus_findings.collect_findings(request)
        if systems_table.cells <= AT_ONCE
        else run_in_process(os.cpu_count() or 1, corpus_findings.collect_findings, request)
    )
    notes = [*systems_table.descriptions, *([corpus_systems.CHOSEN] if systems_table.filtered else [])]
    about = CorpusReportInfo(job.names, state.a, state.b, state.metric, notes, when, link)
    return corpus_report.page_html(about, findings, partial(_case, job, state))


def _case(job: CorpusJob, state: CorpusState, segment: int) -> CorpusCase:
    """Return a segment of the report."""
    texts = visitor_corpus.pair_texts(job, state.a, state.b, segment)
    return CorpusCase(
        segment,
        job.document(segment),
        str(texts) if isinstance(texts, MissingText) else (texts[0], texts[1]),
        (job.line(state.a, segment), job.line(state.b, segment)),
        job.settings[state.metric],
    )


def _references(job: CorpusJob) -> int | str:
    """Return the number of references of each segment, "var" if it varies."""
    counts = {len(each) for each in job.texts.references}
    return counts.pop() if len(counts) == 1 else "var"
