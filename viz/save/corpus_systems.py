"""Write the systems of a corpus by all metrics, and their tests against one of them, as LaTeX and Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from metrics.corpus import resampling
from metrics.corpus.explanations.tables import SystemsTables
from metrics.corpus.pairs import pairs
from metrics.corpus.signatures import agreement, changed_signatures, signatures
from metrics.corpus.table import StatisticsTable
from metrics.text import TextSettings, printable

DECIMALS = 4
#: The remark on tests on a selection of segments.
CHOSEN = (
    "Intervals and p are of the selected segments alone; where these were selected by their scores, p says nothing of "
    "chance."
)


class SystemSelection(NamedTuple):
    """Systems, and their scores on some segments of a corpus.

    Attributes:
        names: the names of the systems.
        tables: by metric, the scores on these segments.
        a: the index of system A.
        text: how texts are processed.
        references: the number of references of a segment, "var" if it varies.
        descriptions: sentences on which segments these are.
        filtered: whether they are only some of the corpus.
        repaired: the systems whose shifted lines were corrected.
        cleaned: the names of what was removed from the texts."""

    names: Sequence[str]
    tables: Sequence[StatisticsTable]
    a: int
    text: TextSettings
    references: int | str
    descriptions: Sequence[str]
    filtered: bool
    repaired: Sequence[str] = ()
    cleaned: Sequence[str] = ()

    @property
    def cells(self) -> int:
        """The number of scores."""
        return sum(table.scores.size for table in self.tables)


def compared_systems(selection: SystemSelection) -> SystemsTables:
    """Return the scores of the systems with intervals, and the tests of A against each other system."""
    tables = selection.tables
    drawn = resampling.resampled(tables)
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=True)
        if (its := resampling.intervals(each, table.size))
    }
    tested_pairs = pairs(selection.names, tables, drawn, selection.a) if len(selection.names) > 1 else []
    by_key = {table.metric.key: table for table in tables}
    agreed = [
        None
        if selection.filtered  # the rate of agreement was measured on whole test sets
        else agreement(
            by_key[pair.metric.key].select_systems([selection.a, selection.names.index(pair.b)]),
            selection.text,
            selection.references,
            pair.delta,
        )
        for pair in tested_pairs
    ]
    signed = signatures(tables, selection.text, selection.references, intervals=True, tested=bool(tested_pairs))
    signed = changed_signatures(signed, selection.repaired, selection.cleaned)
    return SystemsTables(selection.names, tables, signed, intervals, tested_pairs, agreed, DECIMALS)


def tables_text(form: str, selection: SystemSelection) -> str:
    """Return the tables in LaTeX or Markdown with the signatures, and the descriptions of the segments."""
    write = _latex if form == "latex" else _markdown
    descriptions = [*selection.descriptions, *([CHOSEN] if selection.filtered else [])]
    return "\n".join([*write(compared_systems(selection), descriptions), ""])


def _latex(compared_systems: SystemsTables, descriptions: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the tables in LaTeX."""
    yield from [f"% {printable(each)}" for each in descriptions]
    yield from compared_systems.latex()


def _markdown(compared_systems: SystemsTables, descriptions: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the tables in Markdown."""
    yield from compared_systems.markdown()
    yield ""  # the rest is indented as code, because filters have characters that Markdown would read
    yield from [f"    {line}" for line in (*map(printable, descriptions), *compared_systems.signature_lines())]
