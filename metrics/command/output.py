"""The writers of the command line: the scores of a corpus and the marks behind them as text, JSON, TSV and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..analysis.disagreement import disagreement
from ..analysis.sentence import QuotedWords
from ..analysis.verdict import ResultVerdict, verdict
from ..formula import counted
from ..text import TextSettings, Token, csv_cell, printable
from ..text.files import SegmentLine
from ..text.tabular import latex, row, tabular
from ..types import CorpusResult, Edit, Mark, Metric, Result, Settings, __version__
from . import edits
from .edits import EditWay
from .language import TextLanguage

WIDTH = 110  # the length of a line of text, where the parts of a score continue on the next line


class ScoredMetric(NamedTuple):
    """The scores of one metric.

    Attributes:
        metric: the metric.
        settings: its settings.
        signature: the signature of the scores.
        corpus: the corpus score; None where only segments are shown.
        sentences: the results of the segments, where they are shown.
        edits: for each segment the edits to each reference, where they are shown.
    """

    metric: Metric
    settings: Settings
    signature: str
    corpus: CorpusResult | None
    sentences: list[Result]
    edits: list[list[EditWay]]


class FileReport(NamedTuple):
    """Everything that a call about one file of translations prints.

    It shows the corpus, each segment (`sentence`), the marks of each segment (`alignments`), its edits (`edits`), or
    both.

    Attributes:
        candidate: the path of the translations.
        references: the paths of the references.
        text: the text processing.
        sentence: whether a line for each segment is shown.
        alignments: whether the marks of each segment are shown.
        edits: whether the edits of each segment are shown.
        lines: the segments.
        results: the scores by each metric.
        spoken: the language, where a score depends on it.
        notes: sentences on the language.
    """

    candidate: str
    references: list[str]
    text: TextSettings
    sentence: bool
    alignments: bool
    edits: bool
    lines: list[SegmentLine]
    results: list[ScoredMetric]
    spoken: TextLanguage | None = None
    notes: Sequence[str] = ()

    @property
    def evidence(self) -> bool:
        """Return whether more than the score is shown for each segment."""
        return self.alignments or self.edits

    def by_segment(self) -> Iterator[tuple[int, tuple[Result, ...]]]:
        """Yield, for each segment, its number from 1 and its result from every metric."""
        return enumerate(zip(*[r.sentences for r in self.results], strict=True), start=1)


def ranges(positions: Sequence[int]) -> list[tuple[int, int]]:
    """Return positions as half-open ranges, in the given order.

    >>> ranges([4, 5, 6, 8, 3])
    [(4, 7), (8, 9), (3, 4)]
    """
    out: list[tuple[int, int]] = []
    for p in positions:
        if out and p == out[-1][1]:
            out[-1] = (out[-1][0], p + 1)
        else:
            out.append((p, p + 1))
    return out


class MarkPlace(NamedTuple):
    """The place of a mark and the words that it joins.

    Attributes:
        reference: the number of the reference's file, from 1.
        candidate_positions: the positions in the candidate, from 1.
        reference_positions: the positions in the reference, from 1.
        candidate_words: the words of the candidate as typed, with "…" between words that are not neighbours.
        reference_words: the words of the reference, in the same form.
    """

    reference: int
    candidate_positions: str
    reference_positions: str
    candidate_words: str
    reference_words: str


def place(mark: Mark, line: SegmentLine) -> MarkPlace:
    """Return the place of a mark in its segment."""
    rows: Sequence[int]
    columns: Sequence[int]
    if isinstance(mark, Edit):
        k, rows, columns = mark.k, range(mark.i_start, mark.i_end), range(mark.j_start, mark.j_end)
    else:
        cells = mark.cells()
        k = cells[0].k
        rows, columns = list(dict.fromkeys([c.i for c in cells])), list(dict.fromkeys([c.j for c in cells]))
    candidate, references, _ = line.segment
    return MarkPlace(
        line.files[k] + 1,
        _positions(rows),
        _positions(columns),
        _words(candidate, rows),
        _words(references[k], columns),
    )


def _positions(positions: Sequence[int]) -> str:
    """Return positions as text, from 1, with ranges such as "3-5"."""
    return ",".join([f"{a + 1}" if b == a + 1 else f"{a + 1}-{b}" for a, b in ranges(positions)])


def _words(tokens: Sequence[Token], positions: Sequence[int]) -> str:
    """Return the words at these positions as typed, with "…" between words that are not neighbours."""
    return " … ".join([" ".join([printable(t.raw) for t in tokens[a:b]]) for a, b in ranges(positions)])


def _kind(mark: Mark) -> str:
    """Return the type of a mark, or the operation of an edit."""
    return mark.op if isinstance(mark, Edit) else type(mark).__name__


# ---------------------------------------------------------------- text


def as_text(report: FileReport) -> Iterator[str]:
    """Yield the scores in columns for readers, then the signatures."""
    if report.evidence:
        yield from _evidence_as_text(report)
    elif report.sentence:
        widths = [max(len(r.metric.key), 8) for r in report.results]
        heads = [f"{r.metric.key:>{width}}" for r, width in zip(report.results, widths, strict=True)]
        yield "  ".join(["segment", *heads])
        for number, results in report.by_segment():
            scores = [f"{result.score:>{width}.4f}" for result, width in zip(results, widths, strict=True)]
            yield "  ".join([f"{number:>7}", *scores])
    else:
        yield f"{counted(len(report.lines), 'segment')}, {counted(len(report.references), 'reference')}"
        yield ""
        width = max([len(r.metric.key) for r in report.results])
        for key, score, parts in _corpus_scores(report):
            head = f"{key:<{width}}  {score:.4f}"
            first, *further = _filled(_parts(parts), WIDTH - len(head) - 2)
            yield f"{head}  {first}".rstrip()
            yield from [f"{' ' * len(head)}  {line}" for line in further]
    yield ""
    yield from [*report.notes, ""] if report.notes else []
    yield from [printable(r.signature) for r in report.results]


def _corpus_scores(report: FileReport) -> Iterator[tuple[str, float, Mapping[str, float]]]:
    """Yield the key, the score and the parts of each metric."""
    for r in report.results:
        assert r.corpus is not None
        yield r.metric.key, r.corpus.score, r.corpus.parts


def _number_text(value: float) -> str:
    """Return a number with four decimals, or a whole number without decimals."""
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"


def _parts(parts: Mapping[str, float]) -> list[str]:
    """Return each part as its name and value."""
    return [f"{name} {_number_text(value)}" for name, value in parts.items()]


def _filled(parts: list[str], room: int) -> list[str]:
    """Return the parts side by side, as many on each line as fit into `room` characters; at least one line."""
    out = [""]
    for part in parts:
        joined = f"{out[-1]}  {part}" if out[-1] else part
        if len(joined) <= room or not out[-1]:
            out[-1] = joined
        else:
            out.append(part)
    return out


def _evidence_as_text(report: FileReport) -> Iterator[str]:
    """Yield the texts of each segment and, for each metric, its verdict, its score, its marks by layer and its edits.

    Where metrics disagree about the segment, a sentence says why.
    """
    for number, results in report.by_segment():
        line = report.lines[number - 1]
        candidate, references, _ = line.segment
        yield from [""] if number > 1 else []
        yield f"segment {number}"
        yield f"  candidate    {_words(candidate, range(len(candidate)))}".rstrip()
        for file, reference in zip(line.files, references, strict=True):
            yield f"  reference {file + 1}  {_words(reference, range(len(reference)))}".rstrip()
        for result, r in zip(results, report.results, strict=True):
            yield ""
            yield f"  {_verdict(report, r, number - 1).text}"
            yield "  ".join([f"  {result.metric} {result.score:.4f}", *_parts(result.parts)])
            for title, layer in zip(result.layer_titles(), result.layers, strict=True) if report.alignments else ():
                weight = "" if layer.weight == 1 else f", weight {layer.weight:.4g}"
                yield f"    {title}{weight}{'' if layer.marks else ': none'}"
                for mark, credit in zip(layer.marks, layer.credits, strict=True):
                    yield f"      {_mark_as_text(mark, credit, line)}"
            for way in r.edits[number - 1] if report.edits else ():
                yield f"    to reference {edits.reference_file_index(way) + 1}: {way.before:.4f} → {way.after:.4f}"
                yield from edits.as_text(way, "      ")
        if report.alignments:
            by_key = {r.metric.key: result for r, result in zip(report.results, results, strict=True)}
            dispute = disagreement(
                {r.metric.key: r.metric for r in report.results}, by_key, [k + 1 for k in line.files]
            )
            yield from ["", f"  {dispute.says}"] if dispute else []


def _verdict(report: FileReport, r: ScoredMetric, n: int) -> ResultVerdict:
    """Return the verdict on the segment with index `n`.

    It covers the edits to the first reference if edits are shown.
    """
    line, way = report.lines[n], r.edits[n][0] if report.edits else None
    typed = QuotedWords(
        [token.raw for token in line.segment.candidate], [token.raw for token in way.b] if way else (), ()
    )
    return verdict(r.metric, r.sentences[n], way.edits if way else (), typed, 4, [k + 1 for k in line.files])


def _mark_as_text(mark: Mark, credit: float, line: SegmentLine) -> str:
    """Return a mark as text: its positions in both sentences, its words and its credit.

    The words of both sides are given where they differ.
    """
    k, rows, columns, ours, theirs = place(mark, line)
    several = f"  reference {k}" if len(line.files) > 1 else ""
    words = ours if ours == theirs else f"{ours or '–'} / {theirs or '–'}"
    kind = f"{_kind(mark)}  " if isinstance(mark, Edit) else ""
    return f"{kind}{rows or '–'} × {columns or '–'}{several}  {words}  ({credit:.4g})"


# ---------------------------------------------------------------- JSON


def as_json(report: FileReport) -> Iterator[str]:
    """Yield one JSON object in ASCII: the scores of the corpus and of the shown segments, and how to repeat them.

    Positions and file numbers count from 0, as in Python.
    """
    document: dict[str, Any] = {
        "version": __version__,
        "candidate": report.candidate,
        "references": report.references,
        "segments": len(report.lines),
        "text": report.text.to_dict(),
        "language": report.spoken.to_dict() if report.spoken else None,
        "results": [_result(report, r) for r in report.results],
    }
    if report.evidence:
        document["tokens"] = [
            {
                "candidate": [token._asdict() for token in line.segment.candidate],
                "references": [[token._asdict() for token in r] for r in line.segment.references],
                "files": list(line.files),
            }
            for line in report.lines
        ]
    yield json.dumps(document, indent=None if report.sentence or report.evidence else 2, allow_nan=False)


def _result(report: FileReport, r: ScoredMetric) -> dict[str, Any]:
    """Return the JSON object of one metric's scores."""
    assert r.corpus is not None
    out: dict[str, Any] = {
        "metric": r.metric.key,
        "signature": r.signature,
        "settings": r.settings.to_dict(),
        "score": r.corpus.score,
        "parts": dict(r.corpus.parts),
    }
    if r.sentences:
        names = ["score", "parts", "stats", *(["decides", "layers"] if report.alignments else [])]
        wholes = [result.to_dict() for result in r.sentences]
        out["sentences"] = [{"segment": n, **{name: w[name] for name in names}} for n, w in enumerate(wholes, start=1)]
        for n, sentence in enumerate(out["sentences"] if report.evidence else ()):
            sentence["verdict"] = _verdict(report, r, n).to_dict()
        for sentence, ways in zip(out["sentences"], r.edits, strict=False):
            sentence["edits"] = [edits.as_json(way) for way in ways]
    return out


# ---------------------------------------------------------------- TSV


def as_tsv(report: FileReport) -> Iterator[str]:
    """Yield a header, then a line for each score and part, each segment, each edit or each mark, with exact numbers."""
    if report.edits:
        yield row(["segment", "metric", *edits.COLUMNS, "signature"])
        for number in range(len(report.lines)):
            for r in report.results:
                for way in r.edits[number]:
                    for cells in edits.cells(way):
                        yield row((number + 1, r.metric.key, *cells, r.signature))
    elif report.alignments:
        yield row(["segment", "metric", "layer", "weight", "mark", "credit", *MarkPlace._fields, "signature"])
        for number, results in report.by_segment():
            for result, r in zip(results, report.results, strict=True):
                for layer in result.layers:
                    for mark, credit in zip(layer.marks, layer.credits, strict=True):
                        k, rows, columns, ours, theirs = place(mark, report.lines[number - 1])
                        of_mark = (layer.name, layer.weight, _kind(mark), credit, k, rows, columns)
                        yield row((number, result.metric, *of_mark, csv_cell(ours), csv_cell(theirs), r.signature))
    elif report.sentence:
        signatures = "; ".join([r.signature for r in report.results])
        yield row(["segment", *[r.metric.key for r in report.results], "signature"])
        for number, results in report.by_segment():
            yield row([number, *[result.score for result in results], signatures])
    else:
        yield row(["metric", "name", "value", "signature"])
        for (key, score, parts), r in zip(_corpus_scores(report), report.results, strict=True):
            for name, value in {"score": score, **parts}.items():
                yield row((key, name, value, r.signature))


# ---------------------------------------------------------------- LaTeX


def as_latex(report: FileReport) -> Iterator[str]:
    """Yield a tabular that needs no package; the signatures are comments above it."""
    yield from [f"% {printable(r.signature)}" for r in report.results]
    labels = [latex(r.metric.label) for r in report.results]
    if report.sentence:
        columns, table = "r" * (len(labels) + 1), [["segment", *labels]]
        table += [[str(n), *[f"{result.score:.4f}" for result in results]] for n, results in report.by_segment()]
    else:
        columns, table = "lrl", [["metric", "score", "parts"]]
        for label, (_, score, parts) in zip(labels, _corpus_scores(report), strict=True):
            table.append([label, f"{score:.4f}", latex(", ".join(_parts(parts)).replace("_", " "))])
    yield from tabular(columns, table)


WRITERS: dict[str, Callable[[FileReport], Iterator[str]]] = {
    "text": as_text,
    "json": as_json,
    "tsv": as_tsv,
    "latex": as_latex,
}
