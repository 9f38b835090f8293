"""The Save menu of the Corpus page: the segments that its table shows, in their order, and tables of all systems."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import streamlit as st

import metrics
from metrics.corpus.checked import said_of
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.processes import run_in_process
from metrics.corpus.signatures import of_changed, signatures
from metrics.text import markup

from ...draw.pen import theme
from ...frame import menus
from ...frame.corpora import Scoring
from ...save import corpus_found, corpus_report, corpus_segments, corpus_systems
from ...save.corpus_found import Asked
from ...save.corpus_report import About, Case
from ...save.corpus_segments import Sheet
from ...save.corpus_systems import Some
from ...save.sentence_page import Files
from ...state import session
from ...state.inputs import Missing
from . import filters, held, marks, record, telling
from .filters import Selected
from .order import Shown
from .record import SORTS, Corpus

#: Cells up to which a file is made at once: the processes that score need longer to begin.
AT_ONCE = 20_000
#: Letters of a part of the filter that is said.
SAID_MOST = 400

T = TypeVar("T")


def show() -> None:
    """Save the segments and the scores."""
    menus.save_menu("save_corpus", lambda: (_offered(), menus.KINDS))


class Looked(NamedTuple):
    """A corpus, what is looked at of it, and the segments that the filter selects."""

    found: Scoring
    shown: Corpus
    selected: Selected

    @property
    def names(self) -> tuple[str, str]:
        return self.found.names[self.shown.a], self.found.names[self.shown.b]

    @property
    def ledger(self) -> CorpusLedger | None:
        found = self.found.ledger(self.shown.metric, self.shown.a, self.shown.b)
        return found if isinstance(found, CorpusLedger) else None

    @property
    def scored(self) -> list[str]:
        """The metrics that are scored, in the order of the catalogue."""
        return [key for key in metrics.METRICS if key in self.found.tables]

    @property
    def missing(self) -> str:
        """Which metrics are not among them, in a sentence; "" where all are."""
        labels = [metrics.METRICS[key].label for key in self.found.settings if key not in self.found.tables]
        return f"Without scores: {', '.join(labels)}." if labels else ""

    def which(self) -> str:
        """Which segments these are, in a sentence."""
        if self.selected.mask is None:
            return f"All {theme.count_text(self.found.size, 'segment')}."
        said = [theme.visible(part.said or part.expression, SAID_MOST) for part in self._used()]
        unused = len(self.selected.problems)
        rest = f" {theme.count_text(unused, 'part')} of the filter could not be used." if unused else ""
        by = f", those of the filter: {'; '.join(said)}." if said else "."
        return f"{self.selected.size:,} of {theme.count_text(self.found.size, 'segment')}{by}{rest}"

    def _used(self) -> list[record.Part]:
        parts = enumerate(record.parts(self.shown.where))
        return [part for place, part in parts if place not in self.selected.problems]

    def sorted(self) -> str:
        """In which order they are, in a sentence."""
        round_ = ", turned round" if self.shown.up else ""
        return f"Sorted by {SORTS[self.shown.sort]}{round_}."


def _offered() -> Files | None:
    """What can be saved. Nothing is made, nor sorted, before it is asked for."""
    shown, found = session.looked(Corpus), held.scoring()
    if found is None or shown.metric not in found.tables or max(shown.a, shown.b) >= len(found.names):
        return None
    looked = Looked(found, shown, filters.selected(found, shown))
    st.caption(theme.markdown(f"{looked.which()} {looked.sorted()}"))
    if not looked.selected.size:
        return None
    if looked.missing:
        st.caption(looked.missing)

    def segments(write: Callable[[Sheet], str | bytes]) -> str | bytes:
        sheet = _sheet(looked)
        return _made(sheet.size, write, sheet)

    def systems(form: str) -> str:
        some = _some(looked)
        return _made(some.cells, corpus_systems.lines, form, some)

    today = date.today()
    when, link = f"{today.day} {today:%B %Y}", menus.saved_address(shown)
    return f"corpus_{shown.metric}", [
        ("Report, HTML", "html", lambda: _report(looked, when, link)),
        ("Segments, CSV", "csv", lambda: segments(corpus_segments.csv_text)),
        ("Segments, TSV", "tsv", lambda: segments(corpus_segments.tsv_text)),
        ("Segments, XLSX", "xlsx", lambda: segments(corpus_segments.xlsx_bytes)),
        ("Segments, JSONL", "jsonl", lambda: segments(corpus_segments.jsonl_text)),
        ("Systems, LaTeX", "tex", lambda: systems("latex")),
        ("Systems, Markdown", "md", lambda: systems("markdown")),
    ]


def _made(cells: int, make: Callable[..., T], *given: object) -> T:
    """What a function makes of so many cells: of many in another process, for visitors would wait for this one."""
    return make(*given) if cells <= AT_ONCE else run_in_process(os.cpu_count() or 1, make, *given)


def _sheet(looked: Looked) -> Sheet:
    """The segments that the table shows, in its order."""
    found, shown, ledger = looked.found, looked.shown, looked.ledger
    order = Shown(found, shown, ledger, looked.selected.numbers).order
    tables = [found.tables[key] for key in looked.scored]
    label = metrics.METRICS[shown.metric].label
    other, better = (found.names[n] for n in found.sides(shown.metric, shown.a, shown.b))
    worth = (
        f"worth: what a segment gives to the difference of {label}, the corpus score of {better} less that of {other}."
    )
    signed = signatures(tables, found.text, _references(found))
    about = [
        looked.which(),
        looked.sorted(),
        *[f"{side}: {name}" for side, name in zip("ab", looked.names, strict=True)],
        worth if ledger else "What segments are worth was not known yet.",
        *([looked.missing] if looked.missing else []),
        "In CSV and TSV an apostrophe stands before texts that a spreadsheet would take for a formula.",
        *_changed(found),
        *[sign.whole for sign in of_changed(signed, [*found.made], found.material.cleaned)],
    ]
    return corpus_segments.sheet(
        found.material,
        looked.names,
        tables,
        (shown.a, shown.b),
        np.asarray(ledger.worth, dtype=np.float64) if ledger else None,
        marks.read(shown.marks),
        order,
        about,
    )


def _some(looked: Looked) -> Some:
    """All systems in the selected segments."""
    found, numbers = looked.found, looked.selected.numbers
    tables = [found.tables[key] for key in looked.scored]
    chosen = tables if numbers is None else [table.on(numbers) for table in tables]
    return Some(
        found.names,
        chosen,
        looked.shown.a,
        found.text,
        _references(found),
        [*[each for each in (looked.which(), looked.missing) if each], *_changed(found)],
        numbers is not None,
        tuple(found.made),
        found.material.cleaned,
    )


def _changed(found: Scoring) -> list[str]:
    """What was done to the texts."""
    return [*said_of(found.made), *markup.said_of(found.material.cleaned)]


def _report(looked: Looked, when: str, link: str) -> str:
    """The page of all that is told of the selected segments."""
    found, shown, numbers = looked.found, looked.shown, looked.selected.numbers
    some = _some(looked)
    ours, theirs = (found.texts.segments(n) for n in (shown.a, shown.b))
    known = {}
    if numbers is None:
        numbers = np.arange(found.size)
        each = {
            key: found.known_ledger(key, shown.a, shown.b)
            for key in (shown.metric, telling.disagreeing_metric(found, shown))
        }
        known = {key: its for key, its in each.items() if its}
    else:
        ours, theirs = ([all_[n] for n in numbers.tolist()] for all_ in (ours, theirs))
    asked = Asked(some, shown.b, shown.metric, ours, theirs, numbers, known, found.stems())
    told = (
        corpus_found.found(asked)
        if some.cells <= AT_ONCE
        else run_in_process(os.cpu_count() or 1, corpus_found.found, asked)
    )
    said = [*some.said, *([corpus_systems.CHOSEN] if some.filtered else [])]
    about = About(found.names, shown.a, shown.b, shown.metric, said, when, link)
    return corpus_report.page_html(about, told, partial(_case, found, shown))


def _case(found: Scoring, shown: Corpus, segment: int) -> Case:
    """A segment of the report."""
    texts = held.both(found, shown.a, shown.b, segment)
    return Case(
        segment,
        found.document(segment),
        str(texts) if isinstance(texts, Missing) else (texts[0], texts[1]),
        (found.line(shown.a, segment), found.line(shown.b, segment)),
        found.settings[shown.metric],
    )


def _references(found: Scoring) -> int | str:
    """How many references segments have, "var" where not all have as many."""
    counts = {len(each) for each in found.texts.references}
    return counts.pop() if len(counts) == 1 else "var"
