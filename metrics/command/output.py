"""The writers for one file of translations: its scores, and the marks behind them, as text, JSON, TSV and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..analysis.disagreement import disagreement
from ..analysis.sentence import QuotedWords
from ..analysis.verdict import ResultVerdict, verdict
from ..text import Token, csv_cell, printable
from ..text.files import SegmentLine
from ..text.tabular import escape_latex, latex_table_lines, tab_separated_line
from ..types import CorpusResult, Edit, Mark, Metric, Result, Settings
from . import edits
from .call import Request
from .edits import ScoredEdits

WIDTH = 110  # the length of a line of text, where the parts of a score continue on the next line


class ScoredMetric(NamedTuple):
    """The scores of one file of translations by one metric.

    Attributes:
        metric: the metric.
        settings: its settings.
        signature: the signature of the scores.
        corpus: the corpus score; None where only segments are shown.
        sentences: the result of each segment; empty where segments are not shown.
        edits: for each segment, the edits to each of its references; empty where they are not shown.
    """

    metric: Metric
    settings: Settings
    signature: str
    corpus: CorpusResult | None
    sentences: list[Result]
    edits: list[list[ScoredEdits]]

    def json_head(self) -> dict[str, Any]:
        """Return the first fields of a JSON object of these scores: the metric, the signature and the settings."""
        return {"metric": self.metric.key, "signature": self.signature, "settings": self.settings.to_dict()}


class FileReport(NamedTuple):
    """Everything that a call about one file of translations prints.

    It shows either the corpus scores, a line of scores for each segment (`call.sentence`), or for each segment its
    marks (`call.alignments`), its edits (`call.edits`) or both.

    Attributes:
        call: what the call requests, with the language of the texts.
        lines: the segments.
        results: the scores by each metric.
    """

    call: Request
    lines: list[SegmentLine]
    results: list[ScoredMetric]

    @property
    def shows_evidence(self) -> bool:
        """Return whether the report shows marks or edits of each segment, and not only scores."""
        return self.call.alignments or self.call.edits

    def results_by_segment(self) -> Iterator[tuple[int, tuple[Result, ...]]]:
        """Yield, for each segment of the report, its number from 1 and its result by every metric."""
        return enumerate(zip(*[r.sentences for r in self.results], strict=True), start=1)


def half_open_ranges(positions: Sequence[int]) -> list[tuple[int, int]]:
    """Return the positions as half-open (start, end) ranges of consecutive positions, in the given order.

    >>> half_open_ranges([4, 5, 6, 8, 3])
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
    """The positions of a mark in its candidate and reference, and the words at these positions, as text.

    Attributes:
        reference: the number of the reference's file, from 1.
        candidate_positions: the positions in the candidate, from 1, such as "3-5,7".
        reference_positions: the positions in the reference, in the same form.
        candidate_words: the words of the candidate as typed, with "…" between words that are not neighbours.
        reference_words: the words of the reference, in the same form.
    """

    reference: int
    candidate_positions: str
    reference_positions: str
    candidate_words: str
    reference_words: str


def mark_place(mark: Mark, line: SegmentLine) -> MarkPlace:
    """Return the positions and words of a mark in the segment of `line`, as text."""
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
        _positions_text(rows),
        _positions_text(columns),
        _words_text(candidate, rows),
        _words_text(references[k], columns),
    )


def _positions_text(positions: Sequence[int]) -> str:
    """Return positions, which count from 0, as text that counts from 1, with ranges such as "3-5,7"."""
    return ",".join([f"{a + 1}" if b == a + 1 else f"{a + 1}-{b}" for a, b in half_open_ranges(positions)])


def _words_text(tokens: Sequence[Token], positions: Sequence[int]) -> str:
    """Return the tokens at these positions as typed, with "…" between words that are not neighbours."""
    return " … ".join([" ".join([printable(t.raw) for t in tokens[a:b]]) for a, b in half_open_ranges(positions)])


def _mark_kind(mark: Mark) -> str:
    """Return the name of the mark's class, such as "Run", or, for an edit, its operation, such as "deletion"."""
    return mark.op if isinstance(mark, Edit) else type(mark).__name__


# ---------------------------------------------------------------- text


def as_text(report: FileReport) -> Iterator[str]:
    """Yield the report as text: scores in aligned columns, or the evidence of each segment; then the signatures."""
    if report.shows_evidence:
        yield from _evidence_as_text(report)
    elif report.call.sentence:
        widths = [max(len(r.metric.key), 8) for r in report.results]
        heads = [f"{r.metric.key:>{width}}" for r, width in zip(report.results, widths, strict=True)]
        yield "  ".join(["segment", *heads])
        for number, results in report.results_by_segment():
            scores = [f"{result.score:>{width}.4f}" for result, width in zip(results, widths, strict=True)]
            yield "  ".join([f"{number:>7}", *scores])
    else:
        yield report.call.text_head(len(report.lines))
        yield ""
        width = max([len(r.metric.key) for r in report.results])
        for key, score, parts in _corpus_scores(report):
            head = f"{key:<{width}}  {score:.4f}"
            first, *further = _fill_lines(_part_texts(parts), WIDTH - len(head) - 2)
            yield f"{head}  {first}".rstrip()
            yield from [f"{' ' * len(head)}  {line}" for line in further]
    yield from notes_and_signatures(report.call, report.results)


def notes_and_signatures(call: Request, results: Sequence[ScoredMetric]) -> Iterator[str]:
    """Yield the lines at the end of a text: the call's notes, and the signature of each result."""
    notes = call.notes()
    yield from ["", *notes, ""] if notes else [""]
    yield from [printable(r.signature) for r in results]


def _corpus_scores(report: FileReport) -> Iterator[tuple[str, float, Mapping[str, float]]]:
    """Yield the key, the corpus score and the score's named parts of each metric."""
    for r in report.results:
        assert r.corpus is not None
        yield r.metric.key, r.corpus.score, r.corpus.parts


def _number_text(value: float) -> str:
    """Return a number with four decimals, or a whole number without decimals."""
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"


def _part_texts(parts: Mapping[str, float]) -> list[str]:
    """Return each named part of a score as "name value"."""
    return [f"{name} {_number_text(value)}" for name, value in parts.items()]


def _fill_lines(parts: list[str], width: int) -> list[str]:
    """Return lines of text with the `parts` side by side, as many on a line as fit into `width` characters.

    There is at least one line, which is empty without parts.
    """
    out = [""]
    for part in parts:
        joined = f"{out[-1]}  {part}" if out[-1] else part
        if len(joined) <= width or not out[-1]:
            out[-1] = joined
        else:
            out.append(part)
    return out


def _evidence_as_text(report: FileReport) -> Iterator[str]:
    """Yield, for each segment, its texts and, for each metric, its verdict, score, marks by layer and edits.

    Where metrics disagree about the segment, a sentence says why.
    """
    for number, results in report.results_by_segment():
        line = report.lines[number - 1]
        candidate, references, _ = line.segment
        yield from [""] if number > 1 else []
        yield f"segment {number}"
        yield f"  candidate    {_words_text(candidate, range(len(candidate)))}".rstrip()
        for file, reference in zip(line.files, references, strict=True):
            yield f"  reference {file + 1}  {_words_text(reference, range(len(reference)))}".rstrip()
        for result, r in zip(results, report.results, strict=True):
            yield ""
            yield f"  {_segment_verdict(report, r, number - 1).text}"
            yield "  ".join([f"  {result.metric} {result.score:.4f}", *_part_texts(result.parts)])
            layers = zip(result.layer_titles(), result.layers, strict=True)
            for title, layer in layers if report.call.alignments else ():
                weight = "" if layer.weight == 1 else f", weight {layer.weight:.4g}"
                yield f"    {title}{weight}{'' if layer.marks else ': none'}"
                for mark, credit in zip(layer.marks, layer.credits, strict=True):
                    yield f"      {_mark_as_text(mark, credit, line)}"
            for way in r.edits[number - 1] if report.call.edits else ():
                yield f"    to reference {edits.reference_file_index(way) + 1}: {way.before:.4f} → {way.after:.4f}"
                yield from edits.as_text(way, "      ")
        if report.call.alignments:
            by_key = {r.metric.key: result for r, result in zip(report.results, results, strict=True)}
            dispute = disagreement(
                {r.metric.key: r.metric for r in report.results}, by_key, [k + 1 for k in line.files]
            )
            yield from ["", f"  {dispute.says}"] if dispute else []


def _segment_verdict(report: FileReport, scored_metric: ScoredMetric, segment_index: int) -> ResultVerdict:
    """Return the verdict of the metric of `scored_metric` on the segment with index `segment_index`.

    If edits are shown, the verdict takes the edits to the first listed reference into account.
    """
    line, way = report.lines[segment_index], scored_metric.edits[segment_index][0] if report.call.edits else None
    typed = QuotedWords(
        [token.raw for token in line.segment.candidate], [token.raw for token in way.b] if way else (), ()
    )
    return verdict(
        scored_metric.metric,
        scored_metric.sentences[segment_index],
        way.edits if way else (),
        typed,
        4,
        [k + 1 for k in line.files],
    )


def _mark_as_text(mark: Mark, credit: float, line: SegmentLine) -> str:
    """Return a mark as text: its positions in candidate and reference, its words and its credit.

    The words of both texts are given where they differ.
    """
    k, rows, columns, ours, theirs = mark_place(mark, line)
    several = f"  reference {k}" if len(line.files) > 1 else ""
    words = ours if ours == theirs else f"{ours or '–'} / {theirs or '–'}"
    kind = f"{_mark_kind(mark)}  " if isinstance(mark, Edit) else ""
    return f"{kind}{rows or '–'} × {columns or '–'}{several}  {words}  ({credit:.4g})"


# ---------------------------------------------------------------- JSON


def as_json(report: FileReport) -> Iterator[str]:
    """Yield one JSON object in ASCII: the corpus scores, the shown segments, and what is needed to repeat the scores.

    Positions and file numbers count from 0.
    """
    document = report.call.json_head(len(report.lines), candidate=report.call.candidate)
    document["results"] = [_metric_json(report, r) for r in report.results]
    if report.shows_evidence:
        document["tokens"] = [
            {
                "candidate": [token._asdict() for token in line.segment.candidate],
                "references": [[token._asdict() for token in r] for r in line.segment.references],
                "files": list(line.files),
            }
            for line in report.lines
        ]
    yield json.dumps(document, indent=None if report.call.sentence or report.shows_evidence else 2, allow_nan=False)


def _metric_json(report: FileReport, scored_metric: ScoredMetric) -> dict[str, Any]:
    """Return the JSON object of the scores by one metric."""
    assert scored_metric.corpus is not None
    out: dict[str, Any] = {
        **scored_metric.json_head(),
        "score": scored_metric.corpus.score,
        "parts": dict(scored_metric.corpus.parts),
    }
    if scored_metric.sentences:
        names = ["score", "parts", "stats", *(["decides", "layers"] if report.call.alignments else [])]
        wholes = [result.to_dict() for result in scored_metric.sentences]
        out["sentences"] = [{"segment": n, **{name: w[name] for name in names}} for n, w in enumerate(wholes, start=1)]
        for n, sentence in enumerate(out["sentences"] if report.shows_evidence else ()):
            sentence["verdict"] = _segment_verdict(report, scored_metric, n).to_dict()
        for sentence, ways in zip(out["sentences"], scored_metric.edits, strict=False):
            sentence["edits"] = [edits.as_json(way) for way in ways]
    return out


# ---------------------------------------------------------------- TSV


def as_tsv(report: FileReport) -> Iterator[str]:
    """Yield tab-separated lines: a header, then a line for each score and part, segment, edit or mark.

    Numbers are exact.
    """
    if report.call.edits:
        yield tab_separated_line(["segment", "metric", *edits.COLUMNS, "signature"])
        for number in range(len(report.lines)):
            for r in report.results:
                for way in r.edits[number]:
                    for cells in edits.edit_table_rows(way):
                        yield tab_separated_line((number + 1, r.metric.key, *cells, r.signature))
    elif report.call.alignments:
        yield tab_separated_line(
            ["segment", "metric", "layer", "weight", "mark", "credit", *MarkPlace._fields, "signature"]
        )
        for number, results in report.results_by_segment():
            for result, r in zip(results, report.results, strict=True):
                for layer in result.layers:
                    for mark, credit in zip(layer.marks, layer.credits, strict=True):
                        k, rows, columns, ours, theirs = mark_place(mark, report.lines[number - 1])
                        of_mark = (layer.name, layer.weight, _mark_kind(mark), credit, k, rows, columns)
                        yield tab_separated_line(
                            (number, result.metric, *of_mark, csv_cell(ours), csv_cell(theirs), r.signature)
                        )
    elif report.call.sentence:
        signatures = "; ".join([r.signature for r in report.results])
        yield tab_separated_line(["segment", *[r.metric.key for r in report.results], "signature"])
        for number, results in report.results_by_segment():
            yield tab_separated_line([number, *[result.score for result in results], signatures])
    else:
        yield tab_separated_line(["metric", "name", "value", "signature"])
        for (key, score, parts), r in zip(_corpus_scores(report), report.results, strict=True):
            for name, value in {"score": score, **parts}.items():
                yield tab_separated_line((key, name, value, r.signature))


# ---------------------------------------------------------------- LaTeX


def as_latex(report: FileReport) -> Iterator[str]:
    """Yield a LaTeX tabular that needs no package, with the signatures as comments above it."""
    yield from [f"% {printable(r.signature)}" for r in report.results]
    labels = [escape_latex(r.metric.label) for r in report.results]
    if report.call.sentence:
        columns, table = "r" * (len(labels) + 1), [["segment", *labels]]
        table += [
            [str(n), *[f"{result.score:.4f}" for result in results]] for n, results in report.results_by_segment()
        ]
    else:
        columns, table = "lrl", [["metric", "score", "parts"]]
        for label, (_, score, parts) in zip(labels, _corpus_scores(report), strict=True):
            table.append([label, f"{score:.4f}", escape_latex(", ".join(_part_texts(parts)).replace("_", " "))])
    yield from latex_table_lines(columns, table)


WRITERS: dict[str, Callable[[FileReport], Iterator[str]]] = {
    "text": as_text,
    "json": as_json,
    "tsv": as_tsv,
    "latex": as_latex,
}
