"""A comparison of two outputs as files: a web page that needs no server, the ledger as CSV, everything as JSON, and the
grid of the difference as SVG. Each carries the signatures.

Each function takes the texts of A and B over the same references, their names, the key of the metric, and the settings
of those metrics that do not have their defaults. Each raises what the metric raises.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape, unescape
from itertools import groupby
from typing import Any

import metrics
from metrics import formula
from metrics.analysis.changes import Change, Piece
from metrics.text import Token
from metrics.types import Result, Settings, signature
from viz.components import score_table
from viz.components.score_table import ScoreRow
from viz.draw import differences, ledger, marks, picture, svg, theme
from viz.draw.differences import Names
from viz.draw.fragment import STYLE, signature_html
from viz.draw.grid import Figure, Geometry
from viz.draw.marks import Shape
from viz.draw.picture import px
from viz.draw.texts import Texts
from viz.save import sentence_page
from viz.state import cache
from viz.state.link import NAME_MOST
from viz.views import two_outputs
from viz.views.two_outputs import Pair

DEFAULTS: Mapping[str, Settings] = {}
MOST_PIECES = 1_000  # marks of a step that a page lists; the CSV has all
SHORT = 200  # words of all texts that stand beside the table of scores
MOST_MARKS = 50_000  # marks of a result that the JSON holds
SIGNS = {"gained": "▲", "lost": "✕", "changed": "±"}
SCHEME = (
    "Each share is a Shapley value: what the change of one statistic adds to the score, averaged over all orders in "
    "which the changes could be made one after the other. Read it as that step's part of the difference: the shares "
    "add up to it. A step's share is divided among its marks in proportion to their credits."
)


def _pair(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings]) -> Pair:
    """The comparison of two outputs. ValueError, with a sentence for the user, where it cannot be made."""
    compared = cache.compared(key, a.segment, b.segment, _settings(key, settings))
    if isinstance(compared, cache.Problem):
        raise ValueError(str(compared).removesuffix("."))
    return Pair(a, b, names, *compared, None)


def _settings(key: str, given: Mapping[str, Settings]) -> Settings:
    return given.get(key) or metrics.settings(key)


def _scores(pair: Pair, settings: Mapping[str, Settings]) -> list[ScoreRow]:
    """The scores of all metrics, or why there are none."""
    a, b = (
        {key: cache.glance(key, texts.segment, _settings(key, settings)) for key in metrics.METRICS}
        for texts in (pair.a, pair.b)
    )
    return score_table.rows_for_pair(a, b, metrics.METRICS)


def _signature(key: str, pair: Pair, settings: Mapping[str, Settings]) -> str:
    """The signature of a metric's scores of both outputs."""
    return signature(key, _settings(key, settings), pair.a.settings.signature(), len(pair.references))


def _verdict(pair: Pair) -> score_table.Verdict:
    return score_table.verdict(pair.delta, metrics.METRICS[pair.before.metric].higher_is_better)


def _same_words(pair: Pair) -> bool:
    return pair.a.segment.candidate == pair.b.segment.candidate


class _Wording:
    """How pieces are written."""

    def __init__(self, pair: Pair) -> None:
        self.references, self.several = pair.references, len(pair.references) > 1
        self.a, self.b = pair.a.candidate_words, pair.b.candidate_words

    def words(self, piece: Piece) -> str:
        """The words of a piece; those of what was lost are A's."""
        return ledger.term_text(self.a if piece.kind == "lost" else self.b, self.references, piece.mark)

    def cells(self, piece: Piece) -> str:
        return ledger.positions(piece.mark, self.several)


# ---------------------------------------------------------------- a web page

_STYLE = """
h1 bdi, th { overflow-wrap: anywhere; }
h2 span { font-weight: 400; opacity: .85; margin-left: .4em; }
.better, .gained { --sign: #009E73; } .worse, .lost { --sign: #B5478F; }
:is(.better, .worse):is(td, dd), :is(.gained, .lost) .kind { color: color-mix(in srgb, var(--sign) 72%, var(--ink)); }
td:is(.better, .worse) { font-weight: 600; }
.numbers .score dd { font-size: 34px; color: var(--ink); }
.note { font-size: 14px; margin: 6px 0 0; opacity: .85; }
.top { display: grid; gap: 0 56px; align-items: start; }
.top > *, .quad > * { min-width: 0; }
.texts { margin: 0; display: grid; grid-template-columns: fit-content(12rem) minmax(0, 1fr); gap: 6px 18px; }
.texts dt { font-size: 14px; padding-top: 1px; overflow-wrap: anywhere; }
.texts dt small { display: block; font-size: 12.5px; opacity: .8; }
.texts dd { margin: 0; overflow-wrap: anywhere; }
.bx + .lg { margin-bottom: 14px; }
.lg i { display: inline-block; width: 13px; height: 13px; margin-inline-end: 6px; vertical-align: -2px; }
.wf { max-width: 100%; height: auto; font-variant-numeric: tabular-nums; }
.slim { display: none; }
.reads { max-width: 62em; margin: 0 0 10px; }
.steps td { white-space: normal; overflow-wrap: anywhere; }
.steps td:is(.kind, .cells, .change, .share) { white-space: nowrap; overflow-wrap: normal; }
.steps :is(.change, .share) { text-align: end; font-variant-numeric: tabular-nums; }
.steps .share i { font-style: normal; opacity: .75; }
.steps .cause :is(th, td) { position: static; background: var(--soft); font-weight: 500; padding: 5px 12px; }
.steps .cause th { border-top: 1px solid var(--line); }
.steps .item td { font-weight: 600; }
.steps .piece td { border-top-style: dotted; }
.steps .piece td:first-child { padding-inline-start: 28px; }
.steps .total td { border-top: 2px solid var(--line); font-weight: 600; }
.steps tr { break-inside: avoid; }
.sig + .sig { margin-top: 4px; }
.sig b { font-weight: 600; margin-inline-end: .6em; }
@media (min-width: 980px) { .short { grid-template-columns: minmax(400px, 5fr) minmax(0, 7fr); } }
@media (min-width: 1270px) { .beside { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 24px; } }
@media (max-width: 640px) {
  .texts, .bx.ab { grid-template-columns: minmax(0, 1fr); }
  .texts dt small { display: inline; margin-inline-start: .5em; }
  .wide { display: none; } .slim { display: block; }
  td, th { padding: 5px 6px; }
  .steps, .steps tbody { display: block; }
  .steps thead { display: none; }
  .steps tr { display: grid; grid-template-columns: 5.4rem minmax(0, 1fr) auto; border-top: 1px solid var(--line); }
  .steps tr:first-child { border: 0; }
  .steps :is(.cause, .item, .piece, .total) :is(td, th) { border: 0; padding: 3px 6px; }
  .steps td:empty { display: none; }
  .steps .piece td:first-child { padding-inline-start: 6px; }
  .steps .name { grid-area: 1 / 1 / 2 / 3; }
  .steps .share { grid-area: 1 / 3; }
  .steps .change { grid-area: 2 / 1 / 3 / 3; text-align: start; }
  .steps :is(.item, .total) .change { font-weight: 400; }
  .steps .piece { border-top-style: dotted; }
  .steps .cells { grid-area: 2 / 2; white-space: normal; }
  .steps .piece .change { grid-area: 2 / 3; text-align: end; }
}
@media print {
  h2 { break-after: avoid; }
  .quad section, .top section { break-inside: avoid; }
  .picture { overflow: visible; }
  .picture svg { max-width: 100%; height: auto; }
}
"""


def page_html(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """The whole comparison as one HTML document that needs no server, runs no script and loads nothing.

    All scores, texts, words, grids, steps with their marks, deciding references and signatures. Where the texts are too
    long for grids a sentence says so; where nothing changed, another.
    """
    pair = _pair(a, b, names, key, settings)
    metric = metrics.METRICS[key]
    first, second = (theme.safe(name, NAME_MOST) for name in names)
    scores = f"{theme.score_text(pair.before.score)} to {theme.score_text(pair.after.score)}"
    words = sum(map(len, (a.candidate, b.candidate, *a.references)))
    return sentence_page.document(
        f"{first} and {second}: {escape(metric.label)} {scores}",
        sentence_page.PAGE + STYLE + _STYLE,
        [
            f"<header><div><h1>{_name(names[0])} and {_name(names[1])}: {escape(metric.name)}</h1>",
            f'<p class="idea">{escape(metric.idea)}</p></div>',
            f"{_numbers(pair)}</header>",
            f'<div class="top{" short" if words <= SHORT else ""}"><section>{_score_table(pair, settings)}</section>',
            f"<section>{_texts(pair)}{_words(pair)}</section></div>",
            *_pictures(pair),
            _ledger(pair),
            *[
                f'<p class="sig"><b>{_name(name)}</b>{signature_html(texts, result)}</p>'
                for name, texts, result in zip(names, (a, b), (pair.before, pair.after), strict=True)
            ],
        ],
    )


def _name(name: str) -> str:
    """The name of an output as HTML."""
    return f"<bdi>{theme.safe(name, 2 * NAME_MOST + 5)}</bdi>"


def _says(verdict: score_table.Verdict) -> str:
    return f"{score_table.MARKS[verdict]} {verdict}".strip()


def _numbers(pair: Pair) -> str:
    """Both scores, their difference in words, and how many cells were kept, gained, lost and moved."""
    verdict = _verdict(pair)
    numbers = [
        ("score", "", theme.score_text(pair.before.score), _name(pair.names[0])),
        ("score", "", theme.score_text(pair.after.score), _name(pair.names[1])),
        ("score", verdict, theme.signed(pair.delta), _says(verdict)),
        *[("", "", f"{count:,}", name) for name, count in differences.counts(pair.found).items()],
    ]
    items = [f'<div class="{c}"><dt>{says}</dt><dd class="{look}">{n}</dd></div>' for c, look, n, says in numbers]
    return f'<dl class="numbers">{"".join(items)}</dl>'


def _score_table(pair: Pair, settings: Mapping[str, Settings]) -> str:
    """A row for each metric: both scores, their difference, and what it means."""
    rows = []
    for row in _scores(pair, settings):
        cells = "".join([_score_cell(value) for value in row.values])
        if row.delta is None or row.verdict is None:
            cells += f'<td class="num">–</td><td class="words">{theme.safe(row.problem, 400)}</td>'
        else:
            cells += f'<td class="num {row.verdict}" title="{row.delta!r}">{score_table.delta_text(row.delta)}</td>'
            cells += f'<td class="{row.verdict}">{_says(row.verdict)}</td>'
        chosen = ' class="sel"' if row.key == pair.before.metric else ""
        repeat = theme.safe(_signature(row.key, pair, settings), 2_000)
        less = "" if row.higher_is_better else " ↓"
        rows.append(f'<tr{chosen}><td title="{repeat}">{escape(row.label)}{less}</td>{cells}</tr>\n')
    a, b = map(_name, pair.names)
    head = f'<th>Metric</th><th class="num">{a}</th><th class="num">{b}</th><th class="num">Δ</th><th>Verdict</th>'
    return (
        f'<h2>All metrics</h2>\n<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{"".join(rows)}'
        '</tbody></table></div>\n<p class="note">↓ lower is better</p>'
    )


def _score_cell(value: float | None) -> str:
    if value is None:
        return '<td class="num">–</td>'
    return f'<td class="num" title="{value!r}">{theme.score_text(value)}</td>'


def _texts(pair: Pair) -> str:
    """The names with the outputs, and the references, as they were typed but for white space."""
    several = len(pair.references) > 1
    named = [(_name(pair.names[0]), pair.a.candidate), (_name(pair.names[1]), pair.b.candidate)]
    named += [(f"Reference {k + 1}" if several else "Reference", tokens) for k, tokens in enumerate(pair.a.references)]
    items = [
        f"<dt>{name}<small>{theme.plural(len(tokens), 'word')}</small></dt>"
        f'<dd dir="{theme.direction([t.raw for t in tokens[:40]])}">{_typed(tokens)}</dd>\n'
        for name, tokens in named
    ]
    return f'<h2>Texts</h2>\n<dl class="texts">{"".join(items)}</dl>'


def _typed(tokens: Sequence[Token]) -> str:
    """A text with a space wherever its words do not touch."""
    ends = [0, *[token.end for token in tokens]]
    return "".join(
        [f"{' ' if n and token.start > ends[n] else ''}{theme.safe(token.raw, 60)}" for n, token in enumerate(tokens)]
    )


def _words(pair: Pair) -> str:
    """The words of both in their three classes, and the word diff."""
    a, b = pair.a.candidate_words, pair.b.candidate_words
    first, second = map(_name, pair.names)
    same = f"<p>{first} and {second} are the same words, so every score is equal.</p>" if _same_words(pair) else ""
    return (
        f"<h2>Words</h2>\n{same}{differences.strips(a, b, pair.before, pair.after, pair.found, names=pair.names)}"
        f"{differences.strip_legend()}\n{differences.diff_strip(a, b, pair.found.rows)}"
        f"{differences.diff_legend(pair.names)}"
    )


# ---------------------------------------------------------------- its pictures


def _pictures(pair: Pair) -> Iterator[str]:
    """The grids of A, of B and of their difference, the steps of the score, and what each reference did."""
    try:
        geo, grids = _geometry(pair), [*_grids(pair)]
    except ValueError as too_large:
        geo, grids = Geometry(0, 1, False), [f"<h2>Grids</h2>\n<p>There are none here. {escape(str(too_large))}.</p>"]
    yield f'<div class="quad{" beside" if geo.beside and len(grids) > 1 else ""}">'
    for part in (*grids, _waterfall(pair) + _references(pair)):
        yield f"<section>{part}</section>"
    yield "</div>"


def _geometry(pair: Pair) -> Geometry:
    """One size of cells for all grids, tiny ones for long sentences. Raises ValueError where these are too long."""
    for texts in (pair.a, pair.b):
        picture.check(len(cache.hits(texts.segment)))
    a, b, references = pair.a.candidate_words, pair.b.candidate_words, pair.references
    labels = differences.row_labels(a, b, pair.found.rows)
    longest = max(map(len, (a, b, *references)))
    tiny = Geometry(max(4, min(8, 1_400 // longest)), 1, False)
    return differences.geometry(a, b, labels, references) or tiny


def _grids(pair: Pair) -> Iterator[str]:
    """The grids of A and of B and that of their difference; one alone where both are the same words."""
    if _same_words(pair):
        yield _grid_of(pair, " and ".join(pair.names), pair.a, pair.before)
        return
    yield _grid_of(pair, pair.names[0], pair.a, pair.before)
    yield _grid_of(pair, pair.names[1], pair.b, pair.after)
    labels = differences.row_labels(pair.a.candidate_words, pair.b.candidate_words, pair.found.rows)
    yield _grid(pair, "Difference", theme.signed(pair.delta), labels, differences.shapes(pair.found))


def _grid_of(pair: Pair, name: str, texts: Texts, result: Result) -> str:
    score = theme.score_text(result.score)
    if not texts.candidate:
        return f"<h2>{_name(name)} <span>{score}</span></h2>\n<p>No words, so there is no grid.</p>"
    return _grid(pair, name, score, texts.candidate_words, marks.shapes(result, cache.hits(texts.segment)))


def _grid(pair: Pair, name: str, number: str, rows: Sequence[str], drawn: Sequence[Shape]) -> str:
    drawing = svg.grids(rows, pair.references, drawn, _geometry(pair), f"{name} {number}")
    return f'<h2>{_name(name)} <span>{number}</span></h2>\n<div class="picture">\n{drawing}</div>'


_WIDE, _SLIM = 600, 350  # pixels that the steps have on paper and on a phone


def _waterfall(pair: Pair) -> str:
    """The steps of the score as a picture, once for broad pages and once for phones; or why there are none."""
    if _same_words(pair):
        return ""
    if not pair.steps:
        return "<h2>Steps</h2>\n<p>Nothing changed that counts, so the scores are equal.</p>"
    drawings = []
    for look, room in (("wide", _WIDE), ("slim", _SLIM)):
        better = metrics.METRICS[pair.before.metric].higher_is_better
        figure = differences.waterfall(pair.steps, pair.before.score, pair.after.score, pair.names, better, None, room)
        drawings.append(waterfall_svg(figure, look))
    return f"<h2>Steps <span>{theme.signed(pair.delta)}</span></h2>\n{''.join(drawings)}"


def waterfall_svg(figure: Figure, look: str = "") -> str:
    """The figure of `differences.waterfall` as SVG for a page whose text colour it takes; `look` is one more class."""
    layout = figure["layout"]
    margin, width, height = layout["margin"], layout["width"], layout["height"]
    (low, high), (foot, head) = layout["xaxis"]["range"], layout["yaxis"]["range"]
    across, down = width - margin["l"] - margin["r"], height - margin["t"] - margin["b"]

    def x(score: float) -> str:
        return px(margin["l"] + (score - low) / (high - low) * across)

    def y(row: float) -> float:
        return float(margin["t"] + (row - head) / (foot - head) * down)

    out = []
    for value, text in zip(layout["xaxis"]["tickvals"], layout["xaxis"]["ticktext"], strict=True):
        line = f"M{x(value)} {px(y(head))}V{px(y(foot))}"
        out.append(f'<path d="{line}" stroke="{theme.LINES}" stroke-opacity=".28"/>')
        out.append(f'<text x="{x(value)}" y="{px(y(foot) + 18)}" text-anchor="middle" font-size="12">{text}</text>')
    for trace in figure["data"]:
        if trace["mode"] == "lines":
            points = zip(trace["x"], trace["y"], strict=True)
            paths = [[*group] for there, group in groupby(points, lambda point: point[0] is not None) if there]
            line = "".join(["M" + "L".join([f"{x(a)} {px(y(b))}" for a, b in path]) for path in paths])
            fill = f'fill="{trace["fillcolor"]}"' if "fill" in trace else 'fill="none"'
            stroke = f'stroke="{trace["line"]["color"]}" stroke-width="{trace["line"]["width"]}"'
            out.append(f'<path class="{trace.get("name", "joins")}" d="{line}" {fill} {stroke}/>')
        elif trace["mode"] == "text":
            for a, b, text in zip(trace["x"], trace["y"], trace["text"], strict=True):
                out.append(f'<text class="share" x="{x(a)}" y="{px(y(b) + 4.5)}">{text}</text>')
    for row, label in zip(layout["yaxis"]["tickvals"], layout["yaxis"]["ticktext"], strict=True):
        lines = label.split("<br>")
        for n, line in enumerate(lines):
            backwards = theme.direction([unescape(line)]) == "rtl"
            # The anchor is named from where reading starts, so it changes sides with the direction.
            side = 'text-anchor="start" direction="rtl"' if backwards else 'text-anchor="end"'
            at = y(row) + 4.5 + 16 * (n - (len(lines) - 1) / 2)
            out.append(f'<text class="name" x="{margin["l"] - 8}" y="{px(at)}" {side}>{line}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="wf {look}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-size="13" fill="currentColor" role="img">',
            "<title>The steps from the one score to the other</title>",
            *out,
            "</svg>\n",
        ]
    )


# ---------------------------------------------------------------- its tables


def _references(pair: Pair) -> str:
    """What each reference's marks add to both, its score alone, and which decides; "" where there is only one."""
    if len(pair.references) < 2:
        return ""
    sides = []
    for result in (pair.before, pair.after):
        badges = marks.badges(result)
        for k, credit in enumerate(result.contributions()):
            badge = "".join(f' <span class="bd">{b}</span>' for b in badges.get(k, ()))
            alone = cache.alone(result, k)
            sides.append(f'<td class="num">{credit:.4g}{badge}</td><td class="num">{alone}</td>')
    count = len(pair.references)
    rows = [f"<tr><td>Reference {k + 1}</td>{sides[k]}{sides[count + k]}</tr>\n" for k in range(count)]
    names = "".join([f'<th class="num" colspan="2">{_name(name)}</th>' for name in pair.names])
    each = '<th class="num">Credit</th><th class="num">Alone</th>'
    return (
        f'<h2>References</h2>\n<p class="reads">{two_outputs.decisions(pair)}</p>\n<div class="scroll"><table><thead>'
        f"<tr><th></th>{names}</tr><tr><th>Reference</th>{each}{each}</tr></thead><tbody>\n{''.join(rows)}"
        '</tbody></table></div>\n<p class="note">Credit: of the marks in the reference. Alone: the score with it '
        "alone.</p>"
    )


def exact(share: float) -> str:
    """A share with twelve decimals, its sign and a true minus.

    >>> exact(0.0910344), exact(-1 / 3), exact(-1e-16)
    ('+0.091034400000', '−0.333333333333', '0.000000000000')
    """
    text = f"{share:+.12f}".replace("-", "−")
    return text if text[1:].strip("0.") else text[1:]


def _share(share: float) -> str:
    """A share as a table's cell: the first three decimals are read first."""
    text = exact(share)
    cut = text.index(".") + 4
    return f'<td class="share" title="{share!r}">{text[:cut]}<i>{text[cut:]}</i></td>'


def _ledger(pair: Pair) -> str:
    """From A to B: the steps by cause, each with its marks."""
    if not pair.steps:
        return ""
    a, b = map(_name, pair.names)
    less = "" if metrics.METRICS[pair.before.metric].higher_is_better else " Less is better here."
    rows, wording = [], _Wording(pair)
    for cause, steps in groupby(pair.steps, lambda step: step.cause):
        of_cause = [*steps]
        several = len(of_cause) > 1
        total = _share(math.fsum([step.share for step in of_cause])) if several else '<td class="share"></td>'
        rows.append(f'<tr class="cause"><th class="name" colspan="4">{two_outputs.CAUSES[cause]}</th>{total}</tr>\n')
        for step in of_cause:
            rows += _step(step, wording)
    total = _share(math.fsum([step.share for step in pair.steps]))
    scores = f"{theme.score_text(pair.before.score)} to {theme.score_text(pair.after.score)}"
    rows.append(f'<tr class="total"><td class="name" colspan="3">Sum</td><td class="change">{scores}</td>')
    rows.append(f"{total}</tr>\n")
    head = '<th>Step</th><th>Words</th><th>Cells</th><th class="num">Change</th><th class="num">Share</th>'
    return (
        f'<section><h2>From {a} to {b}</h2>\n<p class="reads">{SCHEME}{less}</p>\n<div class="scroll">'
        f'<table class="steps"><thead><tr>{head}</tr></thead><tbody>\n{"".join(rows)}</tbody></table></div></section>'
    )


def _credit(credit: float) -> str:
    """A change of a credit with its sign.

    >>> _credit(1.0), _credit(-0.25), _credit(0.0001)
    ('+1', '−0.250', '+0.00010')
    """
    return f"{'+' if credit > 0 else ''}{formula.shown(credit)}" if credit == int(credit) else theme.signed(credit)


def _step(step: Change, wording: _Wording) -> Iterator[str]:
    """The rows of a step and of its marks, those with the largest shares first."""
    yield (
        f'<tr class="item"><td class="name" colspan="3">{escape(step.name)}</td>'
        f'<td class="change">{differences.from_to(step)}</td>{_share(step.share)}</tr>\n'
    )
    order = sorted(step.pieces, key=lambda piece: -abs(piece.share))
    for piece in order[:MOST_PIECES]:
        yield (
            f'<tr class="piece {piece.kind}"><td class="kind">{SIGNS[piece.kind]} {piece.kind}</td>'
            f'<td class="words"><bdi>{theme.safe(wording.words(piece), 2_000)}</bdi></td>'
            f'<td class="cells">{escape(wording.cells(piece))}</td>'
            f'<td class="change">{_credit(piece.credit)}</td>{_share(piece.share)}</tr>\n'
        )
    if len(order) > MOST_PIECES:
        more = f"and {theme.plural(len(order) - MOST_PIECES, 'more mark')}, all of them in the CSV"
        yield f'<tr class="piece"><td class="name" colspan="5">{more}</td></tr>\n'


# ---------------------------------------------------------------- CSV


def ledger_csv(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """The steps from A's score to B's as CSV, after comment lines with the signatures; each mark has a line of its own.

    The first line has both scores and their difference. Numbers have all their digits; a text that a spreadsheet would
    take for a formula gets an apostrophe in front.
    """
    pair = _pair(a, b, names, key, settings)
    wording = _Wording(pair)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for side, name, texts, result in (("A", names[0], a, pair.before), ("B", names[1], b, pair.after)):
        signed = result.signature(texts.settings.signature())
        writer.writerow([f"# {side}, {theme.visible(name, NAME_MOST)}: {theme.visible(signed, len(signed))}"])
    writer.writerow(["cause", "step", "what", "words", "cells", "before", "after", "change", "share"])
    scores = (pair.before.score, pair.after.score, pair.delta, pair.delta)
    writer.writerow(["score", "", "total", "", "", *map(repr, scores)])
    for step in pair.steps:
        named, change = (step.cause, ledger.csv_cell(step.name)), step.after - step.before
        writer.writerow([*named, "step", "", "", *map(repr, (step.before, step.after, change, step.share))])
        for piece in step.pieces:
            words = map(ledger.csv_cell, (wording.words(piece), wording.cells(piece)))
            writer.writerow([*named, piece.kind, *words, "", "", repr(piece.credit), repr(piece.share)])
    return out.getvalue()


# ---------------------------------------------------------------- JSON


def report_json(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """Everything about the comparison as JSON in ASCII: all scores, the steps with their marks, the cells of the
    difference on the rows of the word diff, and both results as `sentence_page.result_json` writes them."""
    pair = _pair(a, b, names, key, settings)
    found, wording = pair.found, _Wording(pair)
    body = {
        "metric": key,
        "names": {"a": names[0], "b": names[1]},
        "signature": _signature(key, pair, settings),
        "score": _sides(pair.before.score, pair.after.score) | {"delta": pair.delta, "verdict": _verdict(pair)},
        "decides": _sides(dict(pair.before.decides), dict(pair.after.decides)),
        "ledger": {"scheme": "Shapley value", "steps": [_step_dict(step, wording) for step in pair.steps]},
        "counts": differences.counts(found),
        "difference": {
            "rows": _plain(found.rows),
            **{name: _plain(getattr(found, name)) for name in ("kept", "gained", "lost", "moved")},
        },
        "scores": [
            {
                "metric": row.key,
                "signature": _signature(row.key, pair, settings),
                **_sides(*row.values),
                "delta": row.delta,
                "verdict": row.verdict,
                **({"problem": row.problem} if row.problem else {}),
            }
            for row in _scores(pair, settings)
        ],
        "results": _sides(_result_dict(a, pair.before), _result_dict(b, pair.after)),
    }
    return sentence_page.json_text(body) + "\n"


def _result_dict(texts: Texts, result: Result) -> dict[str, Any]:
    """A result, without its marks where there are too many: a long text can have a million pairs."""
    count = marks.count_terms(result)
    if count <= MOST_MARKS:
        return sentence_page.result_dict(texts, result)
    return sentence_page.result_dict(texts, replace(result, layers=())) | {"marks_left_out": count}


def _sides(a: Any, b: Any) -> dict[str, Any]:
    return {"a": a, "b": b}


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _step_dict(step: Change, wording: _Wording) -> dict[str, Any]:
    pieces = []
    for piece in step.pieces:
        mark = {"type": type(piece.mark).__name__, "mark": _plain(piece.mark), "cells": _plain(piece.mark.cells())}
        pieces.append(
            {"kind": piece.kind, **mark, "words": wording.words(piece), "credit": piece.credit, "share": piece.share}
        )
    return {**step._asdict(), "pieces": pieces}


# ---------------------------------------------------------------- SVG


def difference_svg(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """The grid of the difference as a self-contained SVG document, with words, legend and signature.

    Raises ValueError with one sentence for the user where the texts are too long.
    """
    pair = _pair(a, b, names, key, settings)
    geo = _geometry(pair)
    labels = differences.row_labels(a.candidate_words, b.candidate_words, pair.found.rows)
    first, second = (theme.visible(name, NAME_MOST) for name in names)
    scores = f"{theme.score_text(pair.before.score)} to {theme.score_text(pair.after.score)}"
    title = f"{first} to {second}: {metrics.METRICS[key].label} {scores}"
    drawn, repeat = differences.shapes(pair.found), _signature(key, pair, settings)
    return svg.captioned(picture.picture_on(labels, pair.references, drawn, geo.cell, geo.columns, title, repeat))
