"""The systems of a corpus by all metrics, and their tests against one of them, as tables in LaTeX and in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from metrics.corpus import resampling
from metrics.corpus.pairs import pairs
from metrics.corpus.signatures import agreement, of_changed, signatures
from metrics.corpus.table import Table
from metrics.corpus.telling.tables import Systems
from metrics.text import TextSettings, printable

DECIMALS = 4
#: What is said of tests on segments that somebody has chosen.
CHOSEN = (
    "Intervals and p are of the selected segments alone; where these were selected by their scores, p says nothing of "
    "chance."
)


class Some(NamedTuple):
    """Systems by name, the tables of their scores on some segments, the number of system A, how texts are processed,
    and how many references segments have, "var" where not all have as many. `said` says which segments these are;
    `filtered` where they are not all; `repaired` are the systems that were put right, and `cleaned` names what was
    taken out of the texts."""

    names: Sequence[str]
    tables: Sequence[Table]
    a: int
    text: TextSettings
    references: int | str
    said: Sequence[str]
    filtered: bool
    repaired: Sequence[str] = ()
    cleaned: Sequence[str] = ()

    @property
    def cells(self) -> int:
        """How many scores there are."""
        return sum(table.scores.size for table in self.tables)


def systems(some: Some) -> Systems:
    """Their scores with intervals, and A against each other one."""
    tables = some.tables
    drawn = resampling.resampled(tables)
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=True)
        if (its := resampling.intervals(each, table.size))
    }
    found = pairs(some.names, tables, drawn, some.a) if len(some.names) > 1 else []
    by_key = {table.metric.key: table for table in tables}
    agreed = [
        None
        if some.filtered  # it was measured on whole test sets
        else agreement(
            by_key[pair.metric.key].of([some.a, some.names.index(pair.b)]), some.text, some.references, pair.delta
        )
        for pair in found
    ]
    signed = signatures(tables, some.text, some.references, intervals=True, tested=bool(found))
    signed = of_changed(signed, some.repaired, some.cleaned)
    return Systems(some.names, tables, signed, intervals, found, agreed, DECIMALS)


def lines(form: str, some: Some) -> str:
    """The tables in LaTeX or in Markdown, with the signatures, after what says which segments these are."""
    found, said = systems(some), [*some.said, *([CHOSEN] if some.filtered else [])]
    return "\n".join([*_latex(found, said), ""] if form == "latex" else [*_markdown(found, said), ""])


def _latex(found: Systems, said: Sequence[str]) -> Iterator[str]:
    yield from [f"% {printable(each)}" for each in said]
    yield from found.latex()


def _markdown(found: Systems, said: Sequence[str]) -> Iterator[str]:
    yield from found.markdown()
    yield ""  # below it as it is: filters have signs that Markdown would read
    yield from [f"    {line}" for line in (*map(printable, said), *found.signature_lines())]
