"""Draw which cells of one sentence's grid several metrics use, and those of any two metrics on one grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape

import metrics
from metrics.analysis.disagreement import disagreement
from metrics.types import Hit, Result

from ..pen import layout, overlay, picture, svg
from ..pen.marks import matched_cells
from ..pen.numbers import count_text, score_text
from ..pen.picture import Picture
from ..pen.shapes import Shape
from ..pen.text import bdi_word
from ..texts import ProcessedTexts
from .figure import UNKNOWN, drawing_html
from .fragment import frame

DIVIDED_MOST, CELLS_MOST = 12, 4  # rows of the table of divided opinions, and cells that each row names


def all_metrics(texts: ProcessedTexts, results: Mapping[str, Result], hits: Sequence[Hit], width: int | None) -> str:
    """Return a grid whose cells are tinted by how many metrics use them, as HTML.

    A table of the cells on which metrics disagree, and a small grid for each metric, are added. `results` are keyed by
    metric, and `hits` are all matches."""
    used = metrics_by_cell(results)
    counts = {cell: len(keys) for cell, keys in used.items()}
    small = "".join(
        f'<button type="button" data-open="{key}"><b>{escape(metrics.METRICS[key].label)}</b> '
        f"{score_text(result.score)}{svg.small_grids_svg(result, counts, len(results), hits)}</button>"
        for key, result in results.items()
    )
    grid = drawing_html(picture_of_all(texts, results, hits, width), "grid")
    table = divided_table(texts, used, results)
    return frame("all", _disagreement_html(results), grid, table, below=f'<div class="multiples">{small}</div>')


def picture_of_all(
    texts: ProcessedTexts, results: Mapping[str, Result], hits: Sequence[Hit], width: int | None
) -> Picture:
    """Return the grid whose cells are tinted by how many of the results use them; `hits` are all matches."""
    used = metrics_by_cell(results)
    counts = {cell: len(keys) for cell, keys in used.items()}
    shapes = overlay.overlay_many(
        counts, len(results), hits, {cell: _labels(keys, results) for cell, keys in used.items()}
    )
    return _grid(texts, shapes, width, f"Cells used by {len(results)} metrics", list(results.values()))


def two_metrics(texts: ProcessedTexts, a: Result, b: Result, hits: Sequence[Hit], width: int | None) -> str:
    """Return the grid with the cells that either of two metrics uses, and a table of these cells, as HTML."""
    grid = drawing_html(picture_of_two(texts, a, b, hits, width), "grid")
    return frame(
        "two", _disagreement_html({result.metric: result for result in (a, b)}), grid, overlay_table(texts, a, b)
    )


def _disagreement_html(results: Mapping[str, Result]) -> str:
    """Return a sentence on why the metrics use different cells, as HTML, or "" where they agree."""
    finding = disagreement(metrics.METRICS, results)
    return f'<p class="why">{escape(finding.says)}</p>' if finding else ""


def picture_of_two(texts: ProcessedTexts, a: Result, b: Result, hits: Sequence[Hit], width: int | None) -> Picture:
    """Return the grid with the cells that two results use, each in the look of one or of both."""
    first, second = names = [metrics.METRICS[result.metric].label for result in (a, b)]
    scores = [f"{name} {score_text(result.score)}" for name, result in zip(names, (a, b), strict=True)]
    return _grid(texts, overlay.overlay(a, b, hits, (first, second)), width, " and ".join(scores), [a, b])


def _grid(
    texts: ProcessedTexts, shapes: Sequence[Shape], width: int | None, title: str, results: Sequence[Result]
) -> Picture:
    """Return the grids of all references with `shapes` on them, and with the signatures of the results.

    The references with the most used cells come first."""
    rows, references = texts.candidate_words, texts.reference_words
    counts = Counter(cell.k for result in results for cell in matched_cells(result))
    order = sorted(range(len(references)), key=lambda k: -counts[k])
    fit = layout.fit_grids(rows, references, order, width or UNKNOWN)
    out = picture.lay_out_picture(rows, references, shapes, *fit, shown_references=order)
    signatures = " ".join(result.signature(texts.settings.signature()) for result in results)
    return replace(out, title=title, signature=signatures, width=max(out.width, picture.CAPTION_ROOM))


def metrics_by_cell(results: Mapping[str, Result]) -> dict[Hit, tuple[str, ...]]:
    """Return the keys of the metrics that use each cell; unused cells are omitted."""
    out: dict[Hit, tuple[str, ...]] = {}
    for key, result in results.items():
        for cell in matched_cells(result):
            out[cell] = (*out.get(cell, ()), key)
    return out


def _labels(keys: Sequence[str], all_keys: Iterable[str]) -> str:
    """Return the labels of the metrics with these keys; where these are most of all, the others after "not".

    The result is "" for all.

    >>> _labels(("gtm",), ("gtm", "sia", "dcs")), _labels(("gtm", "sia"), ("gtm", "sia", "dcs"))
    ('GTM', 'not dcs')
    """
    others = [key for key in all_keys if key not in keys]
    if len(keys) <= len(others):
        return _joined_labels(keys)
    return f"not {_joined_labels(others)}" if others else ""


def _unbroken(names: str) -> str:
    """Return a text of names separated by commas as HTML in which lines break only between names."""
    return ", ".join([f"<span>{escape(name)}</span>" for name in names.split(", ") if name])


def _joined_labels(keys: Iterable[str]) -> str:
    return ", ".join(metrics.METRICS[key].label for key in keys)


def _cell_position_text(cell: Hit, several: bool) -> str:
    return f"{cell.i + 1} × {cell.j + 1}" + (f", R{cell.k + 1}" if several else "")


def _pair_html(texts: ProcessedTexts, cell: Hit) -> str:
    """Return the two words of a cell as HTML, once where they are the same."""
    a, b = texts.candidate_words[cell.i], texts.reference_words[cell.k][cell.j]
    return bdi_word(a) if a == b else f"{bdi_word(a)} / {bdi_word(b)}"


def divided_table(texts: ProcessedTexts, used: Mapping[Hit, tuple[str, ...]], results: Mapping[str, Result]) -> str:
    """Return the table of the cells that only some metrics use, those of about half of the metrics first, as HTML.

    Cells that the same metrics use share a row."""
    total, several = len(results), len(texts.references) > 1
    alike: dict[tuple[str, ...], list[Hit]] = {}
    for cell, keys in sorted(used.items()):
        if len(keys) < total:
            alike.setdefault(keys, []).append(cell)
    divided = sorted(alike.items(), key=lambda row: (abs(2 * len(row[0]) - total), row[1]))
    if not divided:
        return '<p class="note">All metrics use the same cells.</p>' if used else '<p class="note">No word matches.</p>'
    rows = []
    for keys, cells in divided[:DIVIDED_MOST]:
        pairs = " · ".join(pair for pair in dict.fromkeys(_pair_html(texts, cell) for cell in cells[:CELLS_MOST]))
        places = "<br>".join(_cell_position_text(cell, several) for cell in cells[:CELLS_MOST])
        beyond = len(cells) - CELLS_MOST
        rows.append(
            f"<tr><td>{pairs}{' …' if beyond > 0 else ''}</td>"
            f'<td class="n">{places}{f"<br>and {beyond} more" if beyond > 0 else ""}</td>'
            f'<td class="n">{len(keys)} of {total}</td><td class="who">{_unbroken(_labels(keys, results))}</td></tr>'
        )
    more = sum(len(cells) for _, cells in divided[DIVIDED_MOST:])
    note = f'<p class="more">and {count_text(more, "more cell")}</p>' if more > 0 else ""
    head = "<tr><th>Where metrics disagree</th><th>Words</th><th>Used by</th><th>Which</th></tr>"
    return f'<table class="divided">{head}{"".join(rows)}</table>{note}'


def overlay_table(texts: ProcessedTexts, a: Result, b: Result) -> str:
    """Return the table of the cells that only one metric, only the other, and both use, with their words, as HTML."""
    names = [metrics.METRICS[result.metric].label for result in (a, b)]
    ours, theirs = set(matched_cells(a)), set(matched_cells(b))
    rows = []
    for name, cells in (
        (f"{names[0]} alone", ours - theirs),
        (f"{names[1]} alone", theirs - ours),
        ("both", ours & theirs),
    ):
        counted = Counter(_pair_html(texts, cell) for cell in sorted(cells))
        listed = " · ".join(w + (f" ×{n}" if n > 1 else "") for w, n in [*counted.items()][:40])
        rows.append(f'<tr><td class="n">{escape(name)}</td><td class="n">{len(cells)}</td><td>{listed}</td></tr>')
    head = "<tr><th>Used by</th><th>Cells</th><th>Words</th></tr>"
    scores = ", ".join(
        f"<b>{escape(name)}</b> {score_text(result.score)}" for name, result in zip(names, (a, b), strict=True)
    )
    return f'<p class="note">{scores}</p><table class="divided">{head}{"".join(rows)}</table>'
