"""Draw the Save menu of the Corpus page: the segments of its table in their order, and tables of all systems."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.corpus.file_checks import repair_sentences
from metrics.corpus.file_warnings import sentences_by_system
from metrics.corpus.filter import NotYetError
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.processes import run_in_process
from metrics.corpus.signatures import changed_signatures, signatures
from metrics.corpus.table import Array
from metrics.text import markup
from metrics.types import reference_count

from ...draw.pen.numbers import count_text
from ...draw.pen.text import escape_markdown, visible
from ...frame import menus
from ...frame.corpora import CorpusJob
from ...save import corpus_findings, corpus_report, corpus_segments, corpus_systems
from ...save.corpus_findings import CorpusReportRequest
from ...save.corpus_report import CorpusCase, CorpusReportInfo
from ...save.corpus_segments import SegmentSheet
from ...save.corpus_systems import SystemSelection
from ...save.sentence_page import Files
from ...state.texts.inputs import MissingText
from ...state.visit import session
from . import columns, explanations, marks, record, visitor_corpus
from .filter import filters
from .filter.filters import SelectedSegments
from .record import SORTS, CorpusState
from .segment_rows import SegmentTable

#: Up to this number of cells a file is made in this process, because another process takes longer to start.
AT_ONCE = 20_000
#: Most letters of a filter part in a sentence.
LABEL_MOST = 400

T = TypeVar("T")


def show() -> None:
    """Draw the Save menu of the corpus."""
    menus.save_menu("save_corpus", lambda: (_available_files(), menus.KINDS))


class CorpusSnapshot(NamedTuple):
    """The content of a saved file: a corpus job, the state of the page, and the segments that the filter selects.

    `table_metrics` are the keys of the metrics that the tables of systems have, None for all that are scored."""

    job: CorpusJob
    state: CorpusState
    selected: SelectedSegments
    table_metrics: Sequence[str] | None = None

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B."""
        return self.job.names[self.state.a], self.job.names[self.state.b]

    @property
    def ledger(self) -> CorpusLedger | None:
        """The ledger of A and B by the selected metric, None if it is not known or cannot be computed."""
        known_ledger = self.job.ledger(self.state.score_key, self.state.a, self.state.b)
        return known_ledger if isinstance(known_ledger, CorpusLedger) else None

    @property
    def describe_missing_metrics(self) -> str:
        """A sentence that names the metrics without scores, "" if all are scored."""
        labels = [metrics.METRICS[key].label for key in self.job.settings if key not in self.job.tables]
        return f"Without scores: {', '.join(labels)}." if labels else ""

    def describe_segments(self) -> str:
        """Return a sentence that says which segments of the corpus are selected."""
        if self.selected.mask is None:
            return f"All {count_text(self.job.segment_count, 'segment')}."
        labels = [visible(part.label or part.expression, LABEL_MOST) for part in self._used_filter_parts()]
        unused = len(self.selected.problems)
        rest = f" {count_text(unused, 'part')} of the filter could not be used." if unused else ""
        by = f", those of the filter: {'; '.join(labels)}." if labels else "."
        return f"{self.selected.size:,} of {count_text(self.job.segment_count, 'segment')}{by}{rest}"

    def _used_filter_parts(self) -> list[record.FilterPart]:
        """Return the parts of the filter that can be used."""
        parts = enumerate(record.parse_filter(self.state.where))
        return [part for place, part in parts if place not in self.selected.problems]

    def describe_order(self) -> str:
        """Return a sentence that says how the selected segments are sorted."""
        sort, round_ = self.state.sort, ", reversed" if self.state.up else ""
        labels = SORTS | columns.available_columns(self.job, self.state) if sort not in SORTS else SORTS
        return f"Sorted by {visible(labels.get(sort, SORTS['number']), LABEL_MOST)}{round_}."


def _available_files() -> Files | None:
    """Return the files that can be saved, None if there are no scores or no selected segments.

    No file is made before the visitor asks for it."""
    state, job = session.read_state(CorpusState), visitor_corpus.visitor_job()
    if job is None or not job.is_scored(state.score_key) or max(state.a, state.b) >= len(job.names):
        return None
    snapshot = CorpusSnapshot(job, state, filters.select_segments(job, state))
    st.caption(escape_markdown(f"{snapshot.describe_segments()} {snapshot.describe_order()}"))
    if not snapshot.selected.size:
        return None
    if snapshot.describe_missing_metrics:
        st.caption(snapshot.describe_missing_metrics)
    chosen_metrics = st.multiselect(
        "Metrics of the tables of systems",
        job.scored_keys(),
        default=job.scored_keys(),
        key="table_metrics",
        format_func=lambda key: job.metric(key).label,
        placeholder=f"{job.metric(state.score_key).label} alone",
    )
    snapshot = snapshot._replace(table_metrics=tuple(chosen_metrics))

    def segments_file(write: Callable[[SegmentSheet], str | bytes]) -> str | bytes:
        sheet = _segment_sheet(snapshot)
        return _make_file(sheet.size, write, sheet)

    def systems_file(form: str) -> str:
        systems_table = _systems_table(snapshot)
        return _make_file(systems_table.cells, corpus_systems.tables_text, form, systems_table)

    when, link = menus.date_of_saved_file(), menus.address_for_saved_file(state)
    return f"corpus_{state.score_key}", [
        ("Report, HTML", "html", lambda: _report(snapshot, when, link)),
        ("Segments, CSV", "csv", lambda: segments_file(corpus_segments.csv_text)),
        ("Segments, TSV", "tsv", lambda: segments_file(corpus_segments.tsv_text)),
        ("Notes on CSV and TSV, text", "txt", lambda: segments_file(corpus_segments.about_text)),
        ("Segments, XLSX", "xlsx", lambda: segments_file(corpus_segments.xlsx_bytes)),
        ("Segments, JSONL", "jsonl", lambda: segments_file(corpus_segments.jsonl_text)),
        ("Systems, LaTeX", "tex", lambda: systems_file("latex")),
        ("Systems, Markdown", "md", lambda: systems_file("markdown")),
    ]


def _make_file(cells: int, make: Callable[..., T], *given: object) -> T:
    """Return `make(*given)`, a file that has this number of cells.

    For more than AT_ONCE cells it runs in another process, because other visitors would have to wait for this one."""
    return make(*given) if cells <= AT_ONCE else run_in_process(os.cpu_count() or 1, make, *given)


def _segment_sheet(snapshot: CorpusSnapshot) -> SegmentSheet:
    """Return the selected segments as a sheet of a spreadsheet, in the order of the table."""
    job, state, ledger = snapshot.job, snapshot.state, snapshot.ledger
    order = SegmentTable(job, state, ledger, snapshot.selected.segment_indices).order
    tables = [job.table(key) for key in job.scored_keys()]
    label = job.metric(state.score_key).label
    other, better = (job.names[n] for n in job.order_worse_first(state.score_key, state.a, state.b))
    worth = (
        f"worth: what a segment gives to the difference of {label}, the corpus score of {better} minus that of {other}."
    )
    worth_parts = ", ".join([f"worth.{cause}" for cause in (ledger.parts if ledger else ())])
    signed = signatures(tables, job.text, reference_count(job.texts.references))
    about = [
        snapshot.describe_segments(),
        snapshot.describe_order(),
        *[f"{side}: {name}" for side, name in zip("ab", snapshot.names, strict=True)],
        worth if ledger else "What segments are worth was not known yet.",
        *([f"{worth_parts}: its parts by cause."] if worth_parts else []),
        *[f"{name}: {column.meaning}." for name, column in columns.plain_columns(job).items() if not column.is_text],
        *([snapshot.describe_missing_metrics] if snapshot.describe_missing_metrics else []),
        *[note for table in tables if (note := table.sentence_scores_note())],
        "In CSV and TSV, texts that a spreadsheet would read as a formula begin with an apostrophe.",
        *_describe_text_changes(job),
        *[doubt for name in (*snapshot.names, "") for doubt in _doubts_by_system(job).get(name, ())],
        *[sign.whole for sign in changed_signatures(signed, [*job.repairs], job.material.cleaned)],
    ]
    return corpus_segments.segment_sheet(
        job.material, snapshot.names, _number_columns(snapshot), marks.read_marks(state.marks), order, about
    )


def _number_columns(snapshot: CorpusSnapshot) -> dict[str, Array | NDArray[np.int64]]:
    """Return the known numbers of the segments, by their names in the filter, without those that no segment has.

    Of two names for the same number, such as gtm and b.gtm, the longer one is taken."""
    job, state = snapshot.job, snapshot.state
    facts = filters.filter_facts(job, state)
    scores = [*metrics.METRICS, *job.score_names]
    plain = {name: column for name, column in columns.plain_columns(job).items() if not column.is_text}
    names = [*plain, *[f"{side}.{name}" for name in scores for side in ("a", "b", "delta")]]
    names += [name for name in facts.numbers if name.partition(".")[0] in ("worth", "apart")]
    out: dict[str, Array | NDArray[np.int64]] = {}
    for name in names:
        with suppress(NotYetError):
            values = np.asarray(facts.numbers[name](), dtype=np.float64)
            if not np.isnan(values).all():
                out[name] = values.astype(np.int64) if name in plain and plain[name].is_whole else values
    return out


def _systems_table(snapshot: CorpusSnapshot) -> SystemSelection:
    """Return what the table of all systems is made from: the statistics of the selected segments by each metric."""
    job, numbers = snapshot.job, snapshot.selected.segment_indices
    scored = job.scored_keys()
    chosen_keys = scored if snapshot.table_metrics is None else snapshot.table_metrics
    keys = [key for key in scored if key in chosen_keys] or [snapshot.state.score_key]
    tables = [job.table(key) for key in keys]
    chosen = tables if numbers is None else [table.select_segments(numbers) for table in tables]
    return SystemSelection(
        job.names,
        chosen,
        snapshot.state.a,
        job.text,
        reference_count(job.texts.references),
        [
            *[each for each in (snapshot.describe_segments(), snapshot.describe_missing_metrics) if each],
            *_describe_text_changes(job),
        ],
        numbers is not None,
        tuple(job.repairs),
        job.material.cleaned,
        keys.index(snapshot.state.score_key) if snapshot.state.score_key in keys else 0,
        _doubts_by_system(job),
    )


def _doubts_by_system(job: CorpusJob) -> dict[str, list[str]]:
    """Return the doubts about the files, as sentences by the system's name, "" for references and the source."""
    checked = job.check.result
    return sentences_by_system(checked.doubts) if checked else {}


def _describe_text_changes(job: CorpusJob) -> list[str]:
    """Return sentences on how the texts were changed before scoring: repairs, and markup that was removed."""
    return [*repair_sentences(job.repairs), *markup.cleaning_notes(job.material.cleaned)]


def _report(snapshot: CorpusSnapshot, when: str, link: str) -> str:
    """Return the report on the selected segments as one HTML page; `when` is its date and `link` the page's address."""
    job, state, numbers = snapshot.job, snapshot.state, snapshot.selected.segment_indices
    systems_table = _systems_table(snapshot)
    systems, known_patterns = job.two_systems(state.a, state.b), None
    known_ledgers = {}
    if numbers is None:
        numbers = np.arange(job.segment_count)
        each = {
            key: job.known_ledger(key, state.a, state.b)
            for key in (state.score_key, explanations.disagreeing_metric(job, state))
        }
        known_ledgers = {key: its for key, its in each.items() if its}
        known_patterns = job.known_output_patterns(state.a, state.b)
    else:
        systems = systems.select_segments(numbers.tolist())
    request = CorpusReportRequest(
        systems_table,
        state.b,
        state.score_key,
        systems,
        numbers,
        known_ledgers,
        known_patterns,
        job.stemmer_and_language(),
    )
    findings = (
        corpus_findings.collect_findings(request)
        if systems_table.cells <= AT_ONCE
        else run_in_process(os.cpu_count() or 1, corpus_findings.collect_findings, request)
    )
    notes = [*systems_table.descriptions, *([corpus_systems.CHOSEN] if systems_table.filtered else [])]
    about = CorpusReportInfo(job.names, state.a, state.b, state.score_key, notes, when, link, _doubts_by_system(job))
    return corpus_report.page_html(about, findings, partial(_report_case, job, state))


def _report_case(job: CorpusJob, state: CorpusState, segment: int) -> CorpusCase:
    """Return the texts of a segment as a case of the report."""
    texts = job.drawable_pair((state.a, state.b), segment)
    return CorpusCase(
        segment,
        job.document_name(segment),
        str(texts) if isinstance(texts, MissingText) else (texts[0], texts[1]),
        (job.output_text(state.a, segment), job.output_text(state.b, segment)),
        job.segment_settings(state.metric),
    )
