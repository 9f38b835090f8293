"""The tables of systems and of their paired tests, in Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...text import printable
from ...text.tabular import latex, tabular
from ...types import signed
from ..pairs import SystemPair
from ..resampling import Interval
from ..signatures import Signature
from ..table import StatisticsTable
from .significance import probability, verdict


class SystemsTables(NamedTuple):
    """The content of the tables of systems.

    Attributes:
        names: the names of the systems.
        tables: the scores and statistics by each metric.
        signatures: the signature of each metric.
        intervals: the interval of each system by the metric's key; empty if none are requested.
        pairs: the paired tests.
        agreed: for each pair, how often people agreed with such a difference; None where that is not known.
        decimals: the number of decimals.
    """

    names: Sequence[str]
    tables: Sequence[StatisticsTable]
    signatures: Sequence[Signature]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[SystemPair]
    agreed: Sequence[float | None]
    decimals: int

    def cells(self, system: int, sign: str) -> list[str]:
        """Return the scores of a system, each followed by `sign` and half of its interval if that is requested."""
        out = []
        for table in self.tables:
            ends = self.intervals.get(table.metric.key)
            half = f"{sign}{ends[system].half:.{self.decimals}f}" if ends else ""
            out.append(f"{float(table.corpus_scores()[system]):.{self.decimals}f}{half}")
        return out

    def pair_cells(self, pair: SystemPair) -> list[str]:
        """Return the difference of a pair, its interval, or a dash if it has none, and both p values."""
        ends = " to ".join([signed(end, self.decimals) for end in pair.interval or ()]) or "–"
        p_values = pair.p_corrected, pair.p_bootstrap
        ps = [probability(p).removeprefix("p").removeprefix(" = ").strip() for p in p_values]
        return [signed(pair.delta, self.decimals), ends, *ps]

    def verdicts(self) -> Iterator[str]:
        """Yield the sentence on each pair, then the sources of how often people agree."""
        for pair, agreed in zip(self.pairs, self.agreed, strict=True):
            yield verdict(pair, self.decimals, agreed)
        agreed_pairs = zip(self.pairs, self.agreed, strict=True)
        sources = [
            pair.metric.agreement.source
            for pair, agreed in agreed_pairs
            if pair.metric.agreement and agreed is not None
        ]
        yield from [f"What people agreed on: {source}" for source in dict.fromkeys(sources)]

    def signature_lines(self) -> Iterator[str]:
        """Yield the common part of the signatures, then the own part of each metric and its signature of sacreBLEU."""
        for sign in self.signatures[:1]:
            yield f"all: {printable(sign.common)}"
        for sign in self.signatures:
            yield printable(sign.own_part)
            if sign.sacrebleu:
                yield f"  as sacreBLEU {sign.sacrebleu}"

    def markdown(self) -> Iterator[str]:
        """Yield a table of the scores and one of the pairs, with a sentence on each pair below.

        The scores have intervals if they are requested.
        """
        yield "| System | " + " | ".join([table.metric.label for table in self.tables]) + " |"
        yield "|---|" + "---:|" * len(self.tables)
        for n, name in enumerate(self.names):
            yield f"| {marked_down(name)} | {' | '.join(self.cells(n, ' ± '))} |"
        if self.pairs:
            yield ""
            tests = "p (randomisation, corrected) | p (sacreBLEU's bootstrap)"
            yield f"| A | B | Metric | B − A | 95 % interval | {tests} |"
            yield "|---|---|---|---:|---:|---:|---:|"
            for pair in self.pairs:
                cells = [marked_down(pair.a), marked_down(pair.b), pair.metric.label, *self.pair_cells(pair)]
                yield f"| {' | '.join(cells)} |"
            yield ""
            yield from [f"- {marked_down(sentence)}" for sentence in self.verdicts()]

    def latex(self) -> Iterator[str]:
        """Yield a tabular of the scores and one of the pairs; they need no package.

        The scores have intervals if they are requested.

        The signatures and the sentences on the pairs are comments above them.
        """
        yield from [f"% {line}" for line in self.signature_lines()]
        yield from [f"% {printable(sentence)}" for sentence in self.verdicts()]
        rows = [["system", *[latex(table.metric.label) for table in self.tables]]]
        for n, name in enumerate(self.names):
            rows.append([latex(name), *self.cells(n, r" $\pm$ ")])
        yield from tabular("l" + "r" * len(self.tables), rows)
        if self.pairs:
            head = ["A", "B", "metric", "$B - A$", r"95\,\% interval", "$p$ (randomisation)", "$p$ (bootstrap)"]
            body = [
                [latex(pair.a), latex(pair.b), latex(pair.metric.label), *map(_minus, self.pair_cells(pair))]
                for pair in self.pairs
            ]
            yield from tabular("lllrrrr", [head, *body])


def marked_down(text: str) -> str:
    """Return plain text escaped for a cell of a Markdown table."""
    return printable(text).replace("|", chr(92) + "|")


def _minus(cell: str) -> str:
    """Return a cell of numbers with the signs that LaTeX sets correctly."""
    return cell.replace("−", "$-$").replace("<", "$<$").replace("–", "--")
