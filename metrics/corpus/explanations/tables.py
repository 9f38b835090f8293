"""The tables of systems' scores and of their paired tests, in Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...text import printable
from ...text.tabular import escape_latex, latex_table_lines
from ...types import signed_text
from ..pairs import SystemPair
from ..resampling import Interval
from ..signatures import Signature
from ..table import StatisticsTable
from .significance import pair_verdict, probability_text


class SystemsTables(NamedTuple):
    """The content of the tables of systems' scores and of their paired tests.

    Attributes:
        names: the names of the systems.
        tables: for each metric, the scores and statistics of all systems.
        signatures: the signature of each metric.
        intervals: for each metric's key, the interval of each system's score; empty if not requested.
        pairs: the paired tests.
        agreed: for each paired test, how often people also preferred the system with the higher score when the
            scores differed this much; None where that is not known.
        decimals: the number of decimals of scores.
    """

    names: Sequence[str]
    tables: Sequence[StatisticsTable]
    signatures: Sequence[Signature]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[SystemPair]
    agreed: Sequence[float | None]
    decimals: int

    def score_cells(self, system: int, sign: str) -> list[str]:
        """Return the scores of a system, given by its index, as table cells.

        If intervals are requested, each score is followed by `sign`, such as " ± ", and half of its interval.
        """
        out = []
        for table in self.tables:
            ends = self.intervals.get(table.metric.key)
            half = f"{sign}{ends[system].half:.{self.decimals}f}" if ends else ""
            out.append(f"{float(table.corpus_scores()[system]):.{self.decimals}f}{half}")
        return out

    def pair_cells(self, pair: SystemPair) -> list[str]:
        """Return the table cells of a paired test: the difference, its interval or a dash, and both p values."""
        ends = " to ".join([signed_text(end, self.decimals) for end in pair.interval or ()]) or "–"
        p_values = pair.p_corrected, pair.p_bootstrap
        ps = [probability_text(p).removeprefix("p").removeprefix(" = ").strip() for p in p_values]
        return [signed_text(pair.delta, self.decimals), ends, *ps]

    def verdicts(self) -> Iterator[str]:
        """Yield the sentence on each paired test, then the sources that say how often people agree."""
        for pair, agreed in zip(self.pairs, self.agreed, strict=True):
            yield pair_verdict(pair, self.decimals, agreed)
        agreed_pairs = zip(self.pairs, self.agreed, strict=True)
        sources = [
            pair.metric.agreement.source
            for pair, agreed in agreed_pairs
            if pair.metric.agreement and agreed is not None
        ]
        yield from [f"What people agreed on: {source}" for source in dict.fromkeys(sources)]

    def signature_lines(self) -> Iterator[str]:
        """Yield the part that all signatures share, then each metric's own part and its signature of sacreBLEU."""
        for sign in self.signatures[:1]:
            yield f"all: {printable(sign.common)}"
        for sign in self.signatures:
            yield printable(sign.own_part)
            if sign.sacrebleu:
                yield f"  as sacreBLEU {sign.sacrebleu}"

    def markdown(self) -> Iterator[str]:
        """Yield a Markdown table of the scores and one of the paired tests, with a sentence on each test below.

        The scores have intervals if they are requested.
        """
        yield "| System | " + " | ".join([table.metric.label for table in self.tables]) + " |"
        yield "|---|" + "---:|" * len(self.tables)
        for n, name in enumerate(self.names):
            yield f"| {escape_markdown(name)} | {' | '.join(self.score_cells(n, ' ± '))} |"
        if self.pairs:
            yield ""
            tests = "p (randomisation, corrected) | p (sacreBLEU's bootstrap)"
            yield f"| A | B | Metric | B − A | 95 % interval | {tests} |"
            yield "|---|---|---|---:|---:|---:|---:|"
            for pair in self.pairs:
                cells = [escape_markdown(pair.a), escape_markdown(pair.b), pair.metric.label, *self.pair_cells(pair)]
                yield f"| {' | '.join(cells)} |"
            yield ""
            yield from [f"- {escape_markdown(sentence)}" for sentence in self.verdicts()]

    def latex(self) -> Iterator[str]:
        """Yield a LaTeX tabular of the scores and one of the paired tests; they need no package.

        The scores have intervals if they are requested. The signatures and the sentences on the pairs are comments
        above.
        """
        yield from [f"% {line}" for line in self.signature_lines()]
        yield from [f"% {printable(sentence)}" for sentence in self.verdicts()]
        rows = [["system", *[escape_latex(table.metric.label) for table in self.tables]]]
        for n, name in enumerate(self.names):
            rows.append([escape_latex(name), *self.score_cells(n, r" $\pm$ ")])
        yield from latex_table_lines("l" + "r" * len(self.tables), rows)
        if self.pairs:
            head = ["A", "B", "metric", "$B - A$", r"95\,\% interval", "$p$ (randomisation)", "$p$ (bootstrap)"]
            body = [
                [
                    escape_latex(pair.a),
                    escape_latex(pair.b),
                    escape_latex(pair.metric.label),
                    *map(_latex_signs, self.pair_cells(pair)),
                ]
                for pair in self.pairs
            ]
            yield from latex_table_lines("lllrrrr", [head, *body])


def escape_markdown(text: str) -> str:
    """Return plain text escaped so that it can be a cell of a Markdown table."""
    return printable(text).replace("|", chr(92) + "|")


def _latex_signs(cell: str) -> str:
    """Return a table cell of numbers for LaTeX, with signs such as minus in the form that LaTeX sets correctly."""
    return cell.replace("−", "$-$").replace("<", "$<$").replace("–", "--")
