"""The systems of a corpus by all metrics, and their tests against one of them, as tables in LaTeX and in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from metrics.corpus import resampling
from metrics.corpus.explanations.tables import SystemsTables
from metrics.corpus.pairs import pairs
from metrics.corpus.signatures import agreement, of_changed, signatures
from metrics.corpus.table import StatisticsTable
from metrics.text import TextSettings, printable

DECIMALS = 4
#: What is said of tests on segments that somebody has chosen.
CHOSEN = (
    "Intervals and p are of the selected segments alone; where these were selected by their scores, p says nothing of "
    "chance."
)


class SystemSelection(NamedTuple):
    """Systems by name, the tables of their scores on some segments, the number of system A, how texts are processed,
    and how many references segments have, "var" where not all have as many. `descriptions` say which segments these
    are; `filtered` where they are not all; `repaired` are the systems that were put right, and `cleaned` names what was
    taken out of the texts."""

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
        """How many scores there are."""
        return sum(table.scores.size for table in self.tables)


def systems(selection: SystemSelection) -> SystemsTables:
    """Their scores with intervals, and A against each other one."""
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
        if selection.filtered  # it was measured on whole test sets
        else agreement(
            by_key[pair.metric.key].select_systems([selection.a, selection.names.index(pair.b)]),
            selection.text,
            selection.references,
            pair.delta,
        )
        for pair in tested_pairs
    ]
    signed = signatures(tables, selection.text, selection.references, intervals=True, tested=bool(tested_pairs))
    signed = of_changed(signed, selection.repaired, selection.cleaned)
    return SystemsTables(selection.names, tables, signed, intervals, tested_pairs, agreed, DECIMALS)


def lines(form: str, selection: SystemSelection) -> str:
    """The tables in LaTeX or in Markdown, with the signatures, after what says which segments these are."""
    write = _latex if form == "latex" else _markdown
    descriptions = [*selection.descriptions, *([CHOSEN] if selection.filtered else [])]
    return "\n".join([*write(systems(selection), descriptions), ""])


def _latex(compared_systems: SystemsTables, descriptions: Sequence[str]) -> Iterator[str]:
    yield from [f"% {printable(each)}" for each in descriptions]
    yield from compared_systems.latex()


def _markdown(compared_systems: SystemsTables, descriptions: Sequence[str]) -> Iterator[str]:
    yield from compared_systems.markdown()
    yield ""  # below it as it is: filters have signs that Markdown would read
    yield from [f"    {line}" for line in (*map(printable, descriptions), *compared_systems.signature_lines())]
