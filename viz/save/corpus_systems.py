"""Write the scores of a corpus's systems, and the tests of one system against the others, as LaTeX and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from metrics.corpus import resampling
from metrics.corpus.explanations.tables import SystemsTables
from metrics.corpus.pairs import compare_with_others
from metrics.corpus.signatures import changed_signatures, people_agreement_rate, signatures
from metrics.corpus.standings import compute_standings
from metrics.corpus.table import StatisticsTable
from metrics.text import TextSettings, printable

DECIMALS = 4
#: The remark on tests on a selection of segments.
CHOSEN = (
    "Intervals and p use only the selected segments; if these were selected by their scores, p says nothing about "
    "chance."
)


class SystemSelection(NamedTuple):
    """The scores of systems on the segments of a corpus that the user has selected.

    Attributes:
        names: the names of the systems.
        tables: the scores on these segments, one table for each metric.
        a: the index of system A.
        text: how texts are processed.
        references: the number of references of a segment, "var" if it varies.
        descriptions: sentences on which segments these are.
        filtered: whether they are only some segments of the corpus.
        repaired: the systems whose shifted lines were corrected.
        cleaned: the names of the kinds of markup that were removed from the texts.
        by: the index of the table by whose scores LaTeX orders the systems.
        doubts: the doubts about the files, as sentences by the system's name, "" for references and the source."""

    names: Sequence[str]
    tables: Sequence[StatisticsTable]
    a: int
    text: TextSettings
    references: int | str
    descriptions: Sequence[str]
    filtered: bool
    repaired: Sequence[str] = ()
    cleaned: Sequence[str] = ()
    by: int = 0
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({})

    @property
    def cells(self) -> int:
        """The number of scores in all tables."""
        return sum(table.scores.size for table in self.tables)


def compared_systems(selection: SystemSelection, all_pairs: bool = False) -> SystemsTables:
    """Return the scores of the systems with intervals, and the tests of A against each other system.

    With `all_pairs`, the tests of all pairs by one metric are computed too."""
    tables = selection.tables
    drawn = resampling.scores_of_resamples(tables)
    intervals = {
        table.metric.key: its
        for table, each in zip(tables, drawn, strict=True)
        if (its := resampling.intervals(each, table.size))
    }
    tested_pairs = compare_with_others(selection.names, tables, drawn, selection.a) if len(selection.names) > 1 else []
    by_key = {table.metric.key: table for table in tables}
    agreed = [
        None
        if selection.filtered  # the rate of agreement was measured on whole test sets
        else people_agreement_rate(
            by_key[pair.metric.key].select_systems([selection.a, selection.names.index(pair.b)]),
            selection.text,
            selection.references,
            pair.delta,
        )
        for pair in tested_pairs
    ]
    signed = signatures(tables, selection.text, selection.references, intervals=True, tested=bool(tested_pairs))
    signed = changed_signatures(signed, selection.repaired, selection.cleaned)
    standings = compute_standings(tables[selection.by]) if all_pairs and len(selection.names) > 2 else None
    content = selection.names, tables, signed, intervals, tested_pairs, agreed, DECIMALS, standings
    return SystemsTables(*content, {**selection.doubts})


def tables_text(form: str, selection: SystemSelection) -> str:
    """Return the tables with the signatures and the descriptions of the segments; `form` is “latex” or “markdown”."""
    descriptions = [*selection.descriptions, *([CHOSEN] if selection.filtered else [])]
    if form == "latex":
        comments = [f"% {printable(each)}" for each in descriptions]
        lines = [*comments, *compared_systems(selection, all_pairs=True).latex(selection.by)]
    else:
        compared = compared_systems(selection)
        # The rest is indented as code, because filters have characters that Markdown would read.
        code = [f"    {line}" for line in (*map(printable, descriptions), *compared.signature_lines())]
        lines = [*compared.markdown(), "", *code]
    return "\n".join([*lines, ""])
