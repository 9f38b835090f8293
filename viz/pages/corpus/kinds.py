"""Draw kinds of error, words and parts of words of two systems next to the causes of their difference."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.patterns import Pattern

from ...draw.corpus import kinds
from ...draw.pen import theme
from ...frame.corpora import CorpusJob
from ...state import codec
from . import filters, open_target
from .filters import Selected
from .record import CorpusState, FilterPart

#: The kinds of findings whose segments a click can open.
NAMES = ("error", "pattern", "part")


def request_findings(job: CorpusJob, state: CorpusState) -> None:
    """Request the findings for all segments; kinds of error are computed first."""
    job.characters(state.a, state.b)
    job.patterns(state.a, state.b)
    job.errors(state.a, state.b)


def markup(job: CorpusJob, state: CorpusState) -> str:
    """Return the findings known so far as HTML, from the worse to the better system by the selected metric."""
    systems = state.a, state.b
    errors, words, parts = job.errors(*systems), job.patterns(*systems), job.characters(*systems)
    sides = job.sides(state.metric, state.a, state.b)
    names, turned = (job.names[sides[0]], job.names[sides[1]]), sides != (state.a, state.b)
    if errors is None:
        return kinds.EMPTY
    if isinstance(errors, str):
        html = f'<div class="kinds"><p>{theme.safe(errors, 400)}</p></div>'
    else:
        html = kinds.errors(errors, names, turned, "{}:{}".format)
    if words is None or parts is None:
        return html + kinds.NO_WORDS
    return html + kinds.words(words, parts, names, turned, "{}:{}".format)


def open_segments(job: CorpusJob, state: CorpusState, selected: Selected, name: str, value: str) -> None:
    """Show the segments of a finding, in a callback; ignore invalid values, as the browser may send anything."""
    findings: Sequence[ErrorCount] | Sequence[Pattern] | str | None
    findings = {"error": job.errors, "pattern": job.patterns, "part": job.characters}[name](state.a, state.b)
    if not isinstance(findings, list) or (number := codec.number_sent(value, len(findings))) is None:
        return
    each = findings[number]
    if isinstance(each, Pattern):
        open_target.select(filters.of_pattern(each) if name == "pattern" else filters.of_part(each))
    else:
        open_target.select(FilterPart(f"{each.error.label}: more errors in one than in the other", "", each.segments))
