"""Draw the findings about two systems: kinds of error, words and parts of words that one has right more often."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.patterns import Pattern

from ...draw.corpus import kinds
from ...frame.corpora import CorpusJob
from ...state.links import codec
from . import open_target
from .filter import filters
from .record import CorpusState

#: The kinds of findings whose segments a click can open.
NAMES = ("error", "pattern", "part")


def request_findings(job: CorpusJob, state: CorpusState) -> None:
    """Start the computation of the findings on all segments; kinds of error are computed first."""
    job.word_part_patterns(state.a, state.b)
    job.word_patterns(state.a, state.b)
    job.error_counts_by_kind(state.a, state.b)


def findings_html(job: CorpusJob, state: CorpusState) -> str:
    """Return the findings known so far as HTML, from the worse to the better system by the selected metric."""
    sides = job.order_worse_first(state.score_key, state.a, state.b)
    return kinds.findings_html(
        job.error_counts_by_kind(state.a, state.b),
        job.word_patterns(state.a, state.b),
        job.word_part_patterns(state.a, state.b),
        (job.names[sides[0]], job.names[sides[1]]),
        sides != (state.a, state.b),
        "{}:{}".format,
    )


def open_finding(job: CorpusJob, state: CorpusState, name: str, value: str) -> None:
    """Show the segments of a clicked finding in the table; a callback.

    `name` is its kind, one of NAMES, and `value` its index. Invalid values are ignored, because the browser may send
    anything."""
    find = {"error": job.error_counts_by_kind, "pattern": job.word_patterns, "part": job.word_part_patterns}[name]
    findings: Sequence[ErrorCount] | Sequence[Pattern] | str | None = find(state.a, state.b)
    if not isinstance(findings, list) or (number := codec.parse_sent_number(value, len(findings))) is None:
        return
    each = findings[number]
    if isinstance(each, Pattern):
        open_target.add_filter_part(filters.pattern_part(each, "word" if name == "pattern" else "character"))
    else:
        open_target.add_filter_part(filters.error_part(each))
