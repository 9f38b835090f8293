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
from metrics.analysis.changes import Change
from metrics.text import Token
from metrics.types import Hit, Result, Settings, signature
from viz.draw import comparison, differences, ledger, marks, picture, svg, theme
from viz.draw.charts import Figure
from viz.draw.comparison import NOTHING, Pair
from viz.draw.differences import Layout, Names
from viz.draw.fragment import SCRIPT, STYLE, drawing, references_rows, root, signature_html
from viz.draw.picture import px
from viz.draw.scores import MARKS, ScoreRow, Verdict, delta_text
from viz.draw.scores import verdict as verdict_of
from viz.draw.texts import Texts
from viz.save.sentence_page import PAGE, START, document, json_text, result_dict
from viz.state import cache
from viz.state.link import NAME_MOST
from viz.state.scores import rows_for_pair

DEFAULTS: Mapping[str, Settings] = {}
MOST_PIECES = 1_000  # marks of a step that a page lists; the CSV has all
SHORT = 200  # words of all texts that stand beside the table of scores
WIDTH = 1190  # pixels that the grids have
MOST_MARKS = 50_000  # marks of a result that the JSON holds
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
    return rows_for_pair(a, b, metrics.METRICS)


def _signature(key: str, pair: Pair, settings: Mapping[str, Settings]) -> str:
    """The signature of a metric's scores of both outputs."""
    return signature(key, _settings(key, settings), pair.a.settings.signature(), len(pair.references))


def _verdict(pair: Pair) -> Verdict:
    return verdict_of(pair.delta, pair.higher_is_better)


# ---------------------------------------------------------------- a web page

_STYLE = """
:root { --line: rgba(128,128,128,.3); }
header { display: flex; flex-wrap: wrap; gap: 6px 48px; align-items: end; justify-content: space-between; }
h1 { font-size: 26px; }
h2 { font-size: 15px; font-weight: 600; margin: 26px 0 8px; }
.bitext .numbers { display: flex; flex-wrap: wrap; gap: 4px 26px; align-items: end; margin: 0; }
.bitext .numbers div { display: flex; flex-direction: column-reverse; }
.bitext .numbers dt { font-size: 13px; opacity: .8; }
.bitext .numbers dd { margin: 0; font-size: 20px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.scroll { overflow: auto; max-height: 1600px; border: 1px solid var(--line); border-radius: 4px; }
.scroll table { border-collapse: collapse; width: 100%; font-size: 14.5px; }
.scroll th { position: sticky; top: 0; background: var(--soft); font-weight: 500; text-align: start; }
.scroll th { padding: 7px 12px; opacity: 1; }
.scroll td { padding: 5px 12px; border-top: 1px solid var(--line); vertical-align: top; }
td:not(.words) { white-space: nowrap; }
th.num, td.num { text-align: end; font-variant-numeric: tabular-nums; }
tr.sel td { background: color-mix(in srgb, var(--vermilion) 20%, transparent); }
.sig { margin-top: 30px !important; }
h1 bdi, th { overflow-wrap: anywhere; }
h2 span { font-weight: 400; opacity: .85; margin-left: .4em; }
.better, .gained { --sign: var(--green); } .worse, .lost { --sign: var(--mauve); }
:is(.better, .worse):is(td, dd), :is(.gained, .lost) .kind { color: color-mix(in srgb, var(--sign) 72%, var(--ink)); }
td:is(.better, .worse) { font-weight: 600; }
.bitext .numbers .score dd { font-size: 34px; font-weight: 600; line-height: 1; }
.note { font-size: 14px; margin: 6px 0 0; opacity: .85; }
.top { display: grid; gap: 0 56px; align-items: start; }
.top > *, .quad > * { min-width: 0; }
.bitext .texts { margin: 0; display: grid; grid-template-columns: fit-content(12rem) minmax(0, 1fr); gap: 6px 18px; }
.bitext .texts dt { font-size: 14px; padding-top: 1px; overflow-wrap: anywhere; }
.bitext .texts dt small { display: block; font-size: 12.5px; opacity: .8; }
.bitext .texts dd { margin: 0; overflow-wrap: anywhere; }
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
.steps .item { cursor: pointer; }
.steps .item:is(:hover, .lit) td { background: color-mix(in srgb, var(--vermilion) 10%, transparent); }
.steps [aria-selected="true"] td { background: color-mix(in srgb, var(--vermilion) 20%, transparent); }
.sig + .sig { margin-top: 4px !important; }
.sig b { font-weight: 600; margin-inline-end: .6em; }
@media (min-width: 980px) { .short { grid-template-columns: minmax(400px, 5fr) minmax(0, 7fr); } }
.quad { gap: 0 24px; }
@media (max-width: 1269px) { .quad.beside { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 640px) {
  .bitext .texts, .bx.ab { grid-template-columns: minmax(0, 1fr); }
  .bitext .texts dt small { display: inline; margin-inline-start: .5em; }
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
  .drawing { overflow: visible; }
}
"""


def page_html(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """The whole comparison as one HTML document that needs no server, loads nothing and lights as the page does.

    All scores, texts, words, grids, steps with their marks, deciding references and signatures. Where the texts are too
    long for grids a sentence says so; where nothing changed, another.
    """
    pair = _pair(a, b, names, key, settings)
    metric = metrics.METRICS[key]
    first, second = (theme.safe(name, NAME_MOST) for name in names)
    scores = f"{theme.score_text(pair.before.score)} to {theme.score_text(pair.after.score)}"
    words = sum(map(len, (a.candidate, b.candidate, *a.references)))
    parts = [
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
    ]
    return document(
        f"{first} and {second}: {escape(metric.label)} {scores}",
        PAGE + STYLE + _STYLE,
        [root(key, "\n".join(parts))],
        SCRIPT + START,
    )


def _name(name: str) -> str:
    """The name of an output as HTML."""
    return f"<bdi>{theme.safe(name, 2 * NAME_MOST + 5)}</bdi>"


def _says(verdict: Verdict) -> str:
    return f"{MARKS[verdict]} {verdict}".strip()


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
            cells += f'<td class="num {row.verdict}" title="{row.delta!r}">{delta_text(row.delta)}</td>'
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
    first, second = map(_name, pair.names)
    same = f"<p>{first} and {second} are the same words, so every score is equal.</p>" if pair.same_words else ""
    return f"<h2>Words</h2>\n{same}{comparison.strips(pair)}"


# ---------------------------------------------------------------- its pictures


def _pictures(pair: Pair) -> Iterator[str]:
    """The grids of A, of B and of their difference, the steps of the score, and what each reference did."""
    try:
        fit = _layout(pair)
        grids = [*_grids(pair, fit)]
        beside = fit.beside and len(grids) > 1
    except ValueError as too_large:
        beside, grids = False, [f"<h2>Grids</h2>\n<p>There are none here. {escape(str(too_large))}.</p>"]
    yield f'<div class="quad{" beside" if beside else ""}">'
    for part in (*grids, _waterfall(pair) + _references(pair)):
        yield f'<section class="figure">{part}</section>'
    yield "</div>"


def _layout(pair: Pair) -> Layout:
    """One size of cells for all grids. Raises ValueError where the texts are too long."""
    named = [*zip(pair.names, (pair.a.candidate, pair.b.candidate), strict=True)]
    named += [(f"Reference {k + 1}", tokens) for k, tokens in enumerate(pair.a.references)]
    for name, tokens in named:
        more = len(tokens) - picture.MOST_WORDS
        if more > 0:
            raise ValueError(
                f"{theme.visible(name, NAME_MOST)} has {len(tokens):,} words, {more:,} more than the "
                f"{picture.MOST_WORDS} that a picture can hold; choose a part of the texts"
            )
    for hits in _hits(pair):
        picture.check(len(hits))
    return comparison.layout(pair, WIDTH)


def _hits(pair: Pair) -> list[Sequence[Hit]]:
    return [cache.hits(texts.segment) for texts in (pair.a, pair.b)]


def _grids(pair: Pair, fit: Layout) -> Iterator[str]:
    """The grids of A and of B and that of their difference; one alone where both are the same words."""
    for name, number, drawn in comparison.pictures(pair, _hits(pair), fit):
        shown = " and ".join(pair.names) if pair.same_words else name
        body = drawing(drawn, "grid") if drawn else "<p>No words, so there is no grid.</p>"
        yield f"<h2>{_name(shown)} <span>{number}</span></h2>\n{body}"
        if pair.same_words:
            return


_WIDE, _SLIM = 600, 350  # pixels that the steps have on paper and on a phone


def _waterfall(pair: Pair) -> str:
    """The steps of the score as a picture, once for broad pages and once for phones; or why there are none."""
    if pair.same_words:
        return ""
    if not pair.steps:
        return f"<h2>Steps</h2>\n<p>{NOTHING}</p>"
    drawings = []
    for look, room in (("wide", _WIDE), ("slim", _SLIM)):
        better = pair.higher_is_better
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
    """Both scores with each reference alone, what its marks add where credits add up, and which decides; "" where there
    is only one."""
    if len(pair.references) < 2:
        return ""
    results, count = (pair.before, pair.after), len(pair.references)
    parts = all(result.adds_up() for result in results)
    sides = [
        (result.contributions() if parts else (), [cache.alone(result, k) for k in range(count)]) for result in results
    ]
    labels = [_reference_label(pair, k) for k in range(count)]
    names = "".join([f'<th colspan="{1 + parts}">{_name(name)}</th>' for name in pair.names])
    columns = "<th>Alone</th><th>Credit</th>" if parts else "<th>Alone</th>"
    head = f"<tr><th></th>{names}</tr><tr><th>Reference</th>{columns * 2}</tr>"
    return (
        f'<h2>References</h2>\n<p class="reads">{comparison.decisions(pair)}</p>\n'
        f'<div class="scroll">{references_rows(labels, sides, head)}</div>'
        f'\n<p class="note">Alone: the score with it alone.{" Credit: of the marks in it." if parts else ""}</p>'
    )


def _reference_label(pair: Pair, k: int) -> str:
    """A reference's name, and whose score it decides."""
    badges = [
        f'<span class="bd">{_name(name)}: {badge}</span>'
        for name, result in zip(pair.names, (pair.before, pair.after), strict=True)
        for badge in marks.badges(result).get(k, ())
    ]
    return f"Reference&nbsp;{k + 1}{''.join(badges)}"


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
    less = "" if pair.higher_is_better else " Less is better here."
    rows = []
    for cause, share, numbers in comparison.by_cause(pair.steps):
        total = _share(share) if len(numbers) > 1 else '<td class="share"></td>'
        rows.append(f'<tr class="cause"><th class="name" colspan="4">{cause}</th>{total}</tr>\n')
        for number in numbers:
            rows += _step(pair, number)
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


def _step(pair: Pair, number: int) -> Iterator[str]:
    """The rows of a step and of its marks, those with the largest shares first."""
    step = pair.steps[number]
    yield (
        f'<tr class="item" {comparison.step_names(pair, number)} tabindex="-1" aria-selected="false">'
        f'<td class="name" colspan="3">{escape(step.name)}</td>'
        f'<td class="change">{differences.from_to(step)}</td>{_share(step.share)}</tr>\n'
    )
    rows, more = comparison.largest(comparison.piece_rows(pair, step), MOST_PIECES)
    for row in rows:
        yield (
            f'<tr class="piece {row.kind}"><td class="kind">{row.said}</td>'
            f'<td class="words"><bdi>{theme.safe(row.words, 2_000)}</bdi></td>'
            f'<td class="cells">{escape(row.cells)}</td>'
            f'<td class="change">{_credit(row.credit)}</td>{_share(row.share)}</tr>\n'
        )
    if more:
        yield f'<tr class="piece"><td class="name" colspan="5">{more}</td></tr>\n'


# ---------------------------------------------------------------- CSV


def ledger_csv(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """The steps from A's score to B's as CSV, after comment lines with the signatures; each mark has a line of its own.

    The first line has both scores and their difference. Numbers have all their digits; a text that a spreadsheet would
    take for a formula gets an apostrophe in front.
    """
    pair = _pair(a, b, names, key, settings)
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
        for row in comparison.piece_rows(pair, step):
            words = map(ledger.csv_cell, (row.words, row.cells))
            writer.writerow([*named, row.kind, *words, "", "", repr(row.credit), repr(row.share)])
    return out.getvalue()


# ---------------------------------------------------------------- JSON


def report_json(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """Everything about the comparison as JSON in ASCII: all scores, the steps with their marks, the cells of the
    difference on the rows of the word diff, and both results as `sentence_page.result_json` writes them."""
    pair = _pair(a, b, names, key, settings)
    found = pair.found
    body = {
        "metric": key,
        "names": {"a": names[0], "b": names[1]},
        "signature": _signature(key, pair, settings),
        "score": _sides(pair.before.score, pair.after.score) | {"delta": pair.delta, "verdict": _verdict(pair)},
        "decides": _sides(dict(pair.before.decides), dict(pair.after.decides)),
        "ledger": {"scheme": "Shapley value", "steps": [_step_dict(pair, step) for step in pair.steps]},
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
    return json_text(body) + "\n"


def _result_dict(texts: Texts, result: Result) -> dict[str, Any]:
    """A result, without its marks where there are too many: a long text can have a million pairs."""
    count = marks.count_terms(result)
    if count <= MOST_MARKS:
        return result_dict(texts, result)
    return result_dict(texts, replace(result, layers=())) | {"marks_left_out": count}


def _sides(a: Any, b: Any) -> dict[str, Any]:
    return {"a": a, "b": b}


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _step_dict(pair: Pair, step: Change) -> dict[str, Any]:
    pieces = []
    for piece, row in zip(step.pieces, comparison.piece_rows(pair, step), strict=True):
        mark = {"type": type(piece.mark).__name__, "mark": _plain(piece.mark), "cells": _plain(piece.mark.cells())}
        pieces.append({"kind": piece.kind, **mark, "words": row.words, "credit": piece.credit, "share": piece.share})
    return {**step._asdict(), "pieces": pieces}


# ---------------------------------------------------------------- SVG


def difference_svg(a: Texts, b: Texts, names: Names, key: str, settings: Mapping[str, Settings] = DEFAULTS) -> str:
    """The grid of the difference as a self-contained SVG document, with words, legend and signature.

    Raises ValueError with one sentence for the user where the texts are too long.
    """
    pair = _pair(a, b, names, key, settings)
    *_, difference = comparison.pictures(pair, _hits(pair), _layout(pair))
    assert difference.picture, "the difference has a grid though an output has no words"
    first, second = (theme.visible(name, NAME_MOST) for name in names)
    scores = f"{theme.score_text(pair.before.score)} to {theme.score_text(pair.after.score)}"
    title = f"{first} to {second}: {metrics.METRICS[key].label} {scores}"
    width = max(difference.picture.width, picture.CAPTION_ROOM)
    return svg.captioned(
        replace(difference.picture, title=title, signature=_signature(key, pair, settings), width=width)
    )
