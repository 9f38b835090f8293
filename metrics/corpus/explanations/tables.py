"""The tables of systems' scores and of their paired tests, in Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ...text import printable
from ...text.tabular import escape_latex, latex_table_lines, markdown_table_lines
from ...types import Metric, signed_text
from ..pairs import SystemPair
from ..resampling import Interval
from ..signatures import Signature
from ..standings import Standings
from ..table import StatisticsTable
from .significance import pair_verdict, probability_text

#: What the p values of a paired test are, in the order of their columns. The first one is what sacreBLEU prints for its
#: approximate randomisation, the last one what it prints for its paired bootstrap.
P_NAMES = "p (randomisation)", "p (corrected)", "p (bootstrap)"
DOUBT = "‡"  # the mark of a system about whose file there are doubts
LEVEL = 0.05  # the p below which a difference is marked in LaTeX
SIDE_BY_SIDE = 4  # the metrics whose scores and intervals fit side by side on a page of LaTeX's article


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
        standings: the standings by the metric that orders the systems, whose tests of all pairs are a table too; None
            to leave that out.
        doubts: the doubts about the files, as sentences by the system's name, "" for references and the source.
    """

    names: Sequence[str]
    tables: Sequence[StatisticsTable]
    signatures: Sequence[Signature]
    intervals: Mapping[str, Sequence[Interval]]
    pairs: Sequence[SystemPair]
    agreed: Sequence[float | None]
    decimals: int
    standings: Standings | None = None
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({})

    def doubt_lines(self) -> Iterator[tuple[str, str]]:
        """Yield each doubt as the mark of its system, "" for none, and a sentence, with the system's name in front."""
        for name, sentences in self.doubts.items():
            head = f"{printable(name)}: " if name in self.names else ""
            yield from [(DOUBT if head else "", f"{head}{printable(each)}") for each in sentences]

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
        """Return the table cells of a paired test: the difference, its interval or a dash, and the p of `P_NAMES`."""
        ends = " to ".join([signed_text(end, self.decimals) for end in pair.interval or ()]) or "–"
        p_values = pair.p_randomisation, pair.p_corrected, pair.p_bootstrap
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
        rows = [["System", *[table.metric.label for table in self.tables]]]
        for n, name in enumerate(self.names):
            mark = f" {DOUBT}" if self.doubts.get(name) else ""
            rows.append([f"{escape_markdown(name)}{mark}", *self.score_cells(n, " ± ")])
        yield from markdown_table_lines(rows)
        if self.doubts:
            yield ""
            yield from [f"- {mark} {escape_markdown(each)}".replace("  ", " ") for mark, each in self.doubt_lines()]
        if self.pairs:
            yield ""
            rows = [["A", "B", "Metric", "B − A", "95 % interval", *P_NAMES]]
            for pair in self.pairs:
                names = escape_markdown(pair.a), escape_markdown(pair.b)
                rows.append([*names, pair.metric.label, *self.pair_cells(pair)])
            yield from markdown_table_lines(rows, 3)
            yield ""
            yield from [f"- {escape_markdown(sentence)}" for sentence in self.verdicts()]

    def latex(self, by: int = 0) -> Iterator[str]:
        """Yield LaTeX tables of the scores, of the paired tests and of all pairs of systems; they need no package.

        Systems are ordered by the metric whose index is `by`, the best first. The best score of a metric is bold, and
        a dagger marks the scores that differ significantly from the first compared system's. Tables are as wide as a
        page of LaTeX's class `article` at most. The signatures and the sentences on the pairs are comments above.
        """
        yield from [f"% {line}" for line in self.signature_lines()]
        yield from [f"% {printable(sentence)}" for sentence in self.verdicts()]
        order = self.systems_by_score(by)
        for first in range(0, len(self.tables), SIDE_BY_SIDE):
            yield from self._latex_scores(order, range(len(self.tables))[first : first + SIDE_BY_SIDE])
        for mark, each in self.doubt_lines():
            sign = r"$\ddagger$ " if mark else ""
            yield rf"{{\noindent\scriptsize {sign}{escape_latex(each)}\par}}"
        for table in self.tables if self.pairs else ():
            yield from self._latex_tests(order, table.metric)
        if self.standings and len(self.names) > 2:
            yield from self._latex_matrix(self.tables[by].metric, self.standings)

    def systems_by_score(self, by: int) -> list[int]:
        """Return the indices of the systems by their corpus score in the table with the index `by`, the best first."""
        scores = self.tables[by].metric.sign * self.tables[by].corpus_scores()
        return sorted(range(len(self.names)), key=lambda n: (-scores[n], n))

    def _latex_scores(self, order: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
        """Yield the LaTeX table of the scores by the metrics with the indices `columns`."""
        significant = {(pair.b, pair.metric.key) for pair in self.pairs if pair.p_corrected < LEVEL}
        rows = [["system", *[escape_latex(self.tables[c].metric.label) for c in columns]]]
        best = [self.systems_by_score(c)[0] for c in columns]
        compared = self.pairs[0].a if self.pairs else None
        for n in order:
            cells = [self.score_cells(n, "_{\\pm ")[c] for c in columns]
            for at, c in enumerate(columns):
                score, _, half = cells[at].partition("_")
                score = rf"\mathbf{{{score}}}" if self._equals(c, n, best[at]) else score
                dagger = r"^{\dagger}" if (self.names[n], self.tables[c].metric.key) in significant else ""
                cells[at] = f"${score}{dagger}{f'_{half}}}' if half else ''}$"
            name = escape_latex(self.names[n])
            name += r"$^{\ddagger}$" if self.doubts.get(self.names[n]) else ""
            rows.append([rf"{name} (A)" if self.names[n] == compared else name, *cells])
        note = ""
        if compared is not None:
            others = self.pairs[0].others
            holm = f", corrected for {others} systems (Holm)" if others > 1 else ""
            note = rf"$\dagger$ differs from A by paired approximate randomisation, $p < {LEVEL:g}${holm}"
        yield from _sized_table("small", 4, "l" + "r" * len(columns), rows, note)

    def _equals(self, column: int, system: int, best: int) -> bool:
        """Return whether a system has the printed score of the best system by a metric."""
        scores = self.tables[column].corpus_scores()
        return f"{scores[system]:.{self.decimals}f}" == f"{scores[best]:.{self.decimals}f}"

    def _latex_tests(self, order: Sequence[int], metric: Metric) -> Iterator[str]:
        """Yield the LaTeX table of the paired tests by a metric, in the order of the systems."""
        of_system = {pair.b: pair for pair in self.pairs if pair.metric is metric}
        compared = [of_system[self.names[n]] for n in order if self.names[n] in of_system]
        corrected = f"; corrected for {compared[0].others} systems (Holm)" if compared[0].others > 1 else ""
        rows = [
            [escape_latex(metric.label), "$B - A$", r"95\,\% interval", "$p$", "corrected", "bootstrap"],
            *[[escape_latex(pair.b), *map(_latex_signs, self.pair_cells(pair))] for pair in compared],
        ]
        note = f"A: {escape_latex(compared[0].a)}; $p$ of paired approximate randomisation{corrected}"
        yield from _sized_table("footnotesize", 4, "lrrrrr", rows, note)

    def _latex_matrix(self, metric: Metric, standings: Standings) -> Iterator[str]:
        """Yield the LaTeX table of all pairs of systems by a metric: p above the diagonal, differences below it."""
        order = sorted(range(len(self.names)), key=lambda n: (standings.ranks[n], n))
        rows = [[escape_latex(metric.label), *[str(n) for n in range(1, len(order) + 1)]]]
        for at, n in enumerate(order):
            cells = []
            for other_at, other in enumerate(order):
                if other_at == at:
                    cells.append("--")
                elif other_at > at:
                    p = standings.p[n][other]
                    text = "$<$.001" if p < 0.001 else "1" if p >= 0.9995 else f"{p:.3f}".removeprefix("0")
                    cells.append(rf"\textbf{{{text}}}" if p < LEVEL else text)
                else:
                    difference = signed_text(standings.scores[n] - standings.scores[other], 3)
                    cells.append(_latex_signs(difference.replace("0.", ".", 1)))
            rows.append([f"{at + 1} {escape_latex(self.names[n])}", *cells])
        pairs = len(order) * (len(order) - 1) // 2
        note = (
            f"Above the diagonal $p$, corrected for {pairs} pairs (Holm), bold below {LEVEL:g}; below it the "
            "row's score minus the column's"
        )
        yield from _sized_table("tiny", 2, "l" + "r" * len(order), rows, note)


def _sized_table(size: str, gap: int, columns: str, rows: Sequence[Sequence[str]], note: str) -> Iterator[str]:
    """Yield a LaTeX table of a font size, with `gap` points beside each column, and a note below it."""
    yield rf"{{\noindent\{size}\setlength{{\tabcolsep}}{{{gap}pt}}"
    yield from latex_table_lines(columns, rows)
    if note:
        yield rf"\par\noindent\scriptsize {note}"
    yield "\\par}\\medskip\n"


def escape_markdown(text: str) -> str:
    """Return plain text escaped so that it can be a cell of a Markdown table."""
    return printable(text).replace("|", chr(92) + "|")


def _latex_signs(cell: str) -> str:
    """Return a table cell of numbers for LaTeX, with signs such as minus in the form that LaTeX sets correctly."""
    return cell.replace("−", "$-$").replace("<", "$<$").replace("–", "--")
