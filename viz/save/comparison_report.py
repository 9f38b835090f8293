"""A comparison of two outputs as files: a web page that needs no server, the ledger as CSV, everything as JSON, and the
grid of the difference as SVG. Each carries the signatures.

Each function takes the texts of A and B over the same references, their names, the key of the metric, and the settings
of those metrics that do not have their defaults. Each raises what the metric raises. What a report shows beyond that is
chosen by `ComparisonReport`.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple, TypeAlias

import metrics
from metrics import formula
from metrics.analysis.changes import LedgerChange
from metrics.analysis.sentence import printed
from metrics.text import Token, beyond, csv_cell
from metrics.types import Hit, Result, Settings, signature, unisolated

from ..draw.compare import changes_table, comparison, differences
from ..draw.compare.comparison import OutputPair
from ..draw.compare.differences import GridRoom, Names
from ..draw.compare.scores import DECIMALS, MARKS, ScoreRow, Verdict, delta_text, direction
from ..draw.compare.scores import verdict as verdict_of
from ..draw.evidence.fragment import STYLE, root
from ..draw.evidence.inspector import references_rows
from ..draw.evidence.verdict import sentence_html
from ..draw.evidence.words import reference_label
from ..draw.pen import layout, marks, picture, svg, theme
from ..draw.texts import ProcessedTexts
from ..state import cache, edits
from ..state.cache import Glance, Problem
from ..state.inputs import NAME_MOST
from ..state.scoring import rows_for_pair, rows_for_systems
from . import comparison_edits
from .sentence_page import PAGE, SCRIPT, document, json_text, result_dict
from .systems_table import heading, scores_html

AllSettings: TypeAlias = Mapping[str, Settings]
DEFAULTS: AllSettings = {}
MOST_PIECES = 1_000  # marks of a step that a page lists; the CSV has all
SHORT = 200  # words of all texts that stand beside the table of scores
SOURCE_MOST = 20_000  # characters of a source
ROOM = GridRoom(1190)  # that the grids have
MOST_MARKS = 50_000  # marks of a result that the JSON holds
SCHEME = (
    "Each share is a Shapley value: what the change of one statistic adds to the score, averaged over all orders in "
    "which the changes could be made one after the other. Read it as that step's part of the difference: the shares "
    "add up to it. A step's share is divided among its marks in proportion to their credits."
)


class ComparisonReport(NamedTuple):
    """What a report has besides the metric that is looked at.

    `metrics` are those whose evidence it shows, none for the one that is looked at. Scores have `decimals` decimals.
    `date` and `link`, the address of the page that it was made from, are left out where they are "". `systems` are all
    that are compared, pairs of name and texts, where they are more than the two; all of their words stand in it.
    """

    metrics: Sequence[str] = ()
    decimals: int = DECIMALS
    date: str = ""
    link: str = ""
    systems: Sequence[tuple[str, ProcessedTexts]] = ()


def _pair(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings) -> OutputPair:
    """The comparison of two outputs. ValueError, with a sentence for the user, where it cannot be made."""
    compared = cache.compared(key, a.segment, b.segment, _settings(key, settings))
    if isinstance(compared, Problem):
        raise compared.error()
    return OutputPair(a, b, names, *compared)


def _settings(key: str, given: AllSettings) -> Settings:
    return given.get(key) or metrics.settings(key)


def _scores(pair: OutputPair, settings: AllSettings) -> list[ScoreRow]:
    """The scores of all metrics, or why there are none."""
    return rows_for_pair(_glances(pair.a, settings), _glances(pair.b, settings), metrics.METRICS)


def _glances(texts: ProcessedTexts, settings: AllSettings) -> dict[str, Glance | Problem]:
    return {key: cache.glance(key, texts.segment, _settings(key, settings)) for key in metrics.METRICS}


def _signature(key: str, pair: OutputPair, settings: AllSettings) -> str:
    """The signature of a metric's scores of both outputs."""
    return signature(key, _settings(key, settings), pair.a.settings.signature(), len(pair.references))


def _verdict(pair: OutputPair, decimals: int = DECIMALS) -> Verdict:
    return verdict_of(pair.delta, pair.higher_is_better, decimals)


# ---------------------------------------------------------------- a web page

STYLE_OF_TABLES = """
:root { --line: rgba(128,128,128,.3); }
header { border: 0 !important; padding: 0 !important; }
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
.scroll td:not(.words) { white-space: nowrap; }
th.num, td.num { text-align: end; font-variant-numeric: tabular-nums; }
tr.sel td { background: color-mix(in srgb, var(--vermilion) 20%, transparent); }
.made { font-size: 14px; } .made a { color: inherit; }
section.why { max-width: 62em; margin-bottom: 14px; } section.why p { margin: 0; font-size: 17px; }
section.why h2 { margin: 0 0 2px; font-size: 17px; }
section.why h2 span { opacity: 1; margin: 0; } section.why h2 b { white-space: nowrap; }
header.of { margin-top: 40px; padding-top: 14px !important; border-top: 2px solid var(--line) !important; }
header.of h2 { font-size: 22px; margin: 0; }
.scroll.all th { text-align: end; } .scroll.all th:first-child { text-align: start; }
.whole { white-space: nowrap; } h1 bdi, th { overflow-wrap: break-word; }
.scroll.all th { overflow-wrap: normal; white-space: normal; }
h2 span { font-weight: 400; opacity: .85; margin-left: .4em; }
.better, .gained { --sign: var(--green); } .worse, .lost { --sign: var(--mauve); }
:is(.better, .worse):is(td, dd, b),
:is(.gained, .lost) .kind { color: color-mix(in srgb, var(--sign) 72%, var(--ink)); }
td:is(.better, .worse) { font-weight: 600; }
.bitext .numbers .score { align-items: start; }
.bitext .numbers .score dd { font-size: 34px; font-weight: 600; line-height: 1; }
.note { font-size: 14px; margin: 6px 0 0; opacity: .85; }
.top { display: grid; gap: 0 56px; align-items: start; }
.top > * { min-width: 0; }
.bitext .texts { margin: 0; display: grid; grid-template-columns: fit-content(12rem) minmax(0, 1fr); gap: 6px 18px; }
.bitext .texts dt { font-size: 14px; padding-top: 1px; overflow-wrap: break-word; }
.bitext .texts dt small { display: block; font-size: 12.5px; opacity: .8; }
.bitext .texts dd { margin: 0; overflow-wrap: anywhere; }
.reads { max-width: 62em; margin: 0 0 10px; }
.scroll .steps td { white-space: normal; overflow-wrap: anywhere; }
.scroll .steps td:is(.kind, .cells, .change, .share) { white-space: nowrap; overflow-wrap: normal; }
.steps :is(.change, .share) { text-align: end; font-variant-numeric: tabular-nums; }
.steps .cause :is(th, td) { position: static; background: var(--soft); font-weight: 500; padding: 5px 12px; }
.steps .cause th { border-top: 1px solid var(--line); }
.steps .item td { font-weight: 600; }
.steps .piece td { border-top-style: dotted; }
.steps .piece td:first-child { padding-inline-start: 28px; }
.steps .total td { border-top: 2px solid var(--line); font-weight: 600; }
.steps tr { break-inside: avoid; }
.bitext .sig { margin: 0 0 4px; }
.shares td.num.other { white-space: normal; } /* so that all metrics fit beside each other */
@media (min-width: 980px) { .short { grid-template-columns: minmax(400px, 5fr) minmax(0, 7fr); } }
@media (max-width: 640px) {
  .bitext .texts { grid-template-columns: minmax(0, 1fr); }
  .bitext .texts dt small { display: inline; margin-inline-start: .5em; }
  td, th, .scroll :is(td, th) { padding: 5px 6px; }
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
  .top section { break-inside: avoid; } .ref[hidden] { display: block; }
  .drawing, .scroll { overflow: visible; max-height: none; }
}
"""


def page_html(
    a: ProcessedTexts,
    b: ProcessedTexts,
    names: Names,
    key: str,
    settings: AllSettings = DEFAULTS,
    report: ComparisonReport = ComparisonReport(),
) -> str:
    """The whole comparison as one HTML document that needs no server, loads nothing and lights as the page does.

    First why each metric's score is another one, then all scores and the texts, then for each metric its words, grids,
    steps with their marks and deciding references, at last the signatures. Where the texts are too long for grids a
    sentence says so; where nothing changed, another. Of several metrics one that cannot score the texts says why.
    """
    pair = replace(_pair(a, b, names, key, settings), decimals=report.decimals)
    metric = metrics.METRICS[key]
    one, other = (theme.safe(name, NAME_MOST) for name in names)
    scores = [theme.score_text(result.score, report.decimals) for result in (pair.before, pair.after)]
    chosen = {each: _attempt(pair, each, settings) for each in report.metrics or [key]}
    outputs = [(name, its.candidate) for name, its in report.systems or zip(names, (a, b), strict=True)]
    words = sum(map(len, [*(tokens for _, tokens in outputs), *a.references]))
    top = [
        f"<header><h1>{_name(names[0])} and {_name(names[1])}</h1>{_origin_html(report)}</header>",
        *[_conclusion(each, outcome, report.decimals) for each, outcome in chosen.items()],
        f'<div class="top{" short" if words <= SHORT else ""}"><section>{_score_table(pair, settings, chosen, report)}'
        f"</section><section>{_texts(pair, outputs)}</section></div>",
        _all_systems(report, chosen, settings),
    ]
    pairs = {each: outcome for each, outcome in chosen.items() if isinstance(outcome, OutputPair)}
    parts = {each: _evidence(outcome, report) for each, outcome in pairs.items()}
    if pairs:  # beside the words and grids in which an edit is lit
        first = next(iter(pairs))
        parts[first] += comparison_edits.section_html(pairs[first], settings)
    evidence = [root(each, inside) for each, inside in parts.items()]
    return document(
        f"{one} and {other}: {escape(metric.label)} {' to '.join(scores)}",
        PAGE + STYLE + STYLE_OF_TABLES,
        [root(key, "\n".join(top)), *evidence, _signatures(pair, settings)],
        SCRIPT,
    )


def _attempt(pair: OutputPair, key: str, settings: AllSettings) -> OutputPair | str:
    """The comparison by another metric, or why there is none."""
    if key == pair.before.metric:
        return pair
    try:
        return replace(_pair(pair.a, pair.b, pair.names, key, settings), decimals=pair.decimals)
    except ValueError as problem:
        return f"{problem}."


def _origin_html(report: ComparisonReport) -> str:
    """When the report was made, and the way back to the page."""
    back = f'<a href="{escape(report.link)}">Open this comparison in Bitext Grid</a>' if report.link else "Bitext Grid"
    return f'<p class="made">{" · ".join(filter(None, [escape(report.date), back]))}</p>'


def _conclusion(key: str, outcome: OutputPair | str, decimals: int) -> str:
    """Both scores, what their difference means, and in one sentence why there is one."""
    head = f"<h2>{_metric(key)}"
    if isinstance(outcome, str):
        return f'<section class="why">{head}</h2><p>{theme.safe(outcome, 400)}</p></section>'
    verdict, change = _verdict(outcome, decimals), delta_text(outcome.delta, decimals)
    before, after = (theme.score_text(result.score, decimals) for result in (outcome.before, outcome.after))
    sums = f'{before} to {after}, <b class="{verdict}">{change} {_says(verdict)}</b>'
    return f'<section class="why">{head} <span>{sums}</span></h2><p>{comparison.why(outcome)}</p></section>'


def _metric(key: str) -> str:
    """A metric as tables name it, with its whole name where that is another."""
    metric = metrics.METRICS[key]
    return escape(metric.label if metric.label == metric.name else f"{metric.label}, {metric.name}")


def _evidence(pair: OutputPair, report: ComparisonReport) -> str:
    """Everything that a metric's scores come from."""
    metric, numbers = metrics.METRICS[pair.before.metric], _numbers(pair, report.decimals)
    idea = f'<p class="idea">{escape(metric.about.idea)}</p>'
    head = f'<header class="of"><div><h2>{_metric(metric.key)}</h2>{idea}</div>{numbers}</header>'
    return "\n".join([head, _verdicts(pair, report.decimals), _pictures(pair), _ledger(pair, report.decimals)])


def _verdicts(pair: OutputPair, decimals: int) -> str:
    """What the metric counts in each output."""
    paragraphs = []
    for name, result in zip(pair.names, (pair.before, pair.after), strict=True):
        verdict = edits.verdict(result, decimals)
        if not isinstance(verdict, Problem):
            paragraphs.append(f'<p class="verdict" data-verdict>{_name(name)}: {sentence_html(verdict.parts)}</p>')
    return "".join(paragraphs)


def _signatures(pair: OutputPair, settings: AllSettings) -> str:
    """What is needed to repeat every score: the signatures of A's and B's, which are the same."""
    lines = [f'<p class="sig">{theme.safe(_signature(key, pair, settings), 2_000)}</p>' for key in metrics.METRICS]
    return f'<section class="bitext"><h2>Signatures</h2>\n{"".join(lines)}</section>'


def _name(name: str) -> str:
    """The name of an output as HTML."""
    return f"<bdi>{theme.safe(name, 2 * NAME_MOST + 5)}</bdi>"


def _says(verdict: Verdict) -> str:
    return f"{MARKS[verdict]} {verdict}".strip()


def _numbers(pair: OutputPair, decimals: int) -> str:
    """Both scores, their difference in words, and how many cells were kept, gained, lost and moved."""
    verdict = _verdict(pair, decimals)
    numbers = [
        ("score", "", theme.score_text(pair.before.score, decimals), _name(pair.names[0])),
        ("score", "", theme.score_text(pair.after.score, decimals), _name(pair.names[1])),
        ("score", verdict, theme.change_text(pair.delta, decimals), _says(verdict)),
        *[("", "", f"{count:,}", name) for name, count in differences.counts(pair.difference).items()],
    ]
    items = [f'<div class="{c}"><dt>{says}</dt><dd class="{look}">{n}</dd></div>' for c, look, n, says in numbers]
    return f'<dl class="numbers">{"".join(items)}</dl>'


def _score_table(pair: OutputPair, settings: AllSettings, chosen: Container[str], report: ComparisonReport) -> str:
    """A row for each metric: both scores, their difference, and what it means."""
    rows, decimals = [], report.decimals
    for row in _scores(pair, settings):
        cells = "".join([_score_cell(value, decimals) for value in row.values])
        if row.delta is None:
            cells += f'<td class="num">–</td><td class="words">{theme.safe(row.problem, 400)}</td>'
        else:
            verdict = verdict_of(row.delta, row.higher_is_better, decimals)
            cells += f'<td class="num {verdict}" title="{row.delta!r}">{delta_text(row.delta, decimals)}</td>'
            cells += f'<td class="{verdict}">{_says(verdict)}</td>'
        tint = ' class="sel"' if row.key in chosen else ""
        sign, says = direction(row.higher_is_better)
        name = f'{escape(row.label)} <span title="{says}">{sign}</span>'
        rows.append(f"<tr{tint}><td>{name}</td>{cells}</tr>\n")
    a, b = map(heading, pair.names)
    head = f'<th>Metric</th><th class="num">{a}</th><th class="num">{b}</th><th class="num">Δ</th><th>Verdict</th>'
    return (
        f'<h2>All metrics</h2>\n<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{"".join(rows)}'
        '</tbody></table></div>\n<p class="note">↑ higher is better, ↓ lower is better</p>'
    )


def _score_cell(value: float | None, decimals: int) -> str:
    if value is None:
        return '<td class="num">–</td>'
    return f'<td class="num" title="{value!r}">{theme.score_text(value, decimals)}</td>'


def _all_systems(report: ComparisonReport, chosen: Container[str], settings: AllSettings) -> str:
    """The scores of all systems; "" where there are no more than A and B."""
    if not report.systems:
        return ""
    names, texts = zip(*report.systems, strict=True)
    rows = rows_for_systems([_glances(its, settings) for its in texts], metrics.METRICS)
    return f"<h2>All systems</h2>\n{scores_html(rows, names, chosen, report.decimals)}"


def _texts(pair: OutputPair, outputs: Sequence[tuple[str, Sequence[Token]]]) -> str:
    """The source where it is known, all outputs with their names, and the references, as typed but for white space."""
    several = len(pair.references) > 1
    named_texts = [(_name(name), tokens) for name, tokens in outputs]
    label = "Reference {}" if several else "Reference"
    named_texts += [(label.format(k + 1), tokens) for k, tokens in enumerate(pair.a.references)]
    items = [
        f"<dt>{name}<small>{theme.count_text(len(tokens), 'word')}</small></dt>"
        f'<dd dir="{theme.direction([t.raw for t in tokens[:40]])}">{_typed_html(tokens)}</dd>\n'
        for name, tokens in named_texts
    ]
    if words := pair.a.source.split():
        source_html = theme.safe(" ".join(words), SOURCE_MOST)
        items.insert(0, f'<dt>Source</dt><dd dir="{theme.direction(words[:40])}">{source_html}</dd>\n')
    return f'<h2>Texts</h2>\n<dl class="texts">{"".join(items)}</dl>'


def _typed_html(tokens: Sequence[Token]) -> str:
    """A text with a space wherever its words do not touch."""
    ends = [0, *[token.end for token in tokens]]
    return "".join(
        [f"{' ' if n and token.start > ends[n] else ''}{theme.safe(token.raw, 60)}" for n, token in enumerate(tokens)]
    )


# ---------------------------------------------------------------- its pictures


def difference_html(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: Settings) -> str:
    """The words, grids and references of two outputs by one metric, as the inside of a fragment.

    Raises ValueError, with a sentence for the user, where they cannot be scored.
    """
    return _pictures(_pair(a, b, names, key, {key: settings}))


def _pictures(pair: OutputPair) -> str:
    """Words, grids and steps as the page shows them, and what each reference did."""
    try:
        _check(pair)
    except ValueError as too_large:
        hits: list[Sequence[Hit]] = [(), ()]
        missing = f"There are no grids here. {too_large}."
        return comparison.evidence(pair, hits, ROOM, no_grids=missing, folds=False) + _references(pair)
    return comparison.evidence(pair, _hits(pair), ROOM, folds=False) + _references(pair)


def _check(pair: OutputPair) -> None:
    """ValueError, with a sentence for the user, where the texts are too long for grids."""
    named_texts = [*zip(pair.names, (pair.a.candidate, pair.b.candidate), strict=True)]
    named_texts += [(f"Reference {k + 1}", tokens) for k, tokens in enumerate(pair.a.references)]
    for name, tokens in named_texts:
        if len(tokens) > layout.MOST_WORDS:
            visible_name = theme.isolated(name, NAME_MOST)
            message = beyond(visible_name, len(tokens), "words", layout.MOST_WORDS, "a picture can hold")
            raise ValueError(f"{message}; choose a part of the texts")
    for hits in _hits(pair):
        picture.check(len(hits))


def _hits(pair: OutputPair) -> list[Sequence[Hit]]:
    return [cache.hits(texts.segment) for texts in (pair.a, pair.b)]


# ---------------------------------------------------------------- its tables


def _references(pair: OutputPair) -> str:
    """Both scores with each reference alone, what its marks add where credits add up, and which decides; "" where there
    is only one."""
    if len(pair.references) < 2:
        return ""
    results, count = (pair.before, pair.after), len(pair.references)
    parts = all(result.adds_up() for result in results)
    sides = [
        (result.contributions() if parts else (), [cache.score_alone(result, k, pair.decimals) for k in range(count)])
        for result in results
    ]
    badges = [(_name(name), marks.badges(result)) for name, result in zip(pair.names, results, strict=True)]
    badge_texts = [[f"{name}: {badge}" for name, of in badges for badge in of.get(k, ())] for k in range(count)]
    labels = [reference_label(k, each) for k, each in enumerate(badge_texts)]
    names = "".join([f'<th colspan="{1 + parts}">{_name(name)}</th>' for name in pair.names])
    columns = "<th>Alone</th><th>Credit</th>" if parts else "<th>Alone</th>"
    head = f"<tr><th></th>{names}</tr><tr><th>Reference</th>{columns * 2}</tr>"
    return (
        f'<h2>References</h2>\n<p class="reads">{comparison.decisions(pair)}</p>\n'
        f'<div class="scroll">{references_rows(labels, sides, head)}</div>'
        f'\n<p class="note">Alone: the score with it alone.{" Credit: of the marks in it." if parts else ""}</p>'
    )


def _share(share: float, text: str) -> str:
    """A share as a table's cell; pointed at it says all its decimals, which the CSV and the JSON have."""
    return f'<td class="share" title="{share!r}">{text}</td>'


def _ledger(pair: OutputPair, decimals: int) -> str:
    """From A to B: the steps by cause, each with its marks."""
    if not pair.steps:
        return ""
    a, b = map(_name, pair.names)
    less = "" if pair.higher_is_better else " Less is better here."
    rows = []
    digits, units = printed(pair.steps, decimals)  # as on the page, so that they sum as they are printed
    for cause, share, numbers in changes_table.by_cause(pair.steps):
        whole = changes_table.in_print(sum([units[n] for n in numbers]), digits, share)
        total = _share(share, whole) if len(numbers) > 1 else '<td class="share"></td>'
        rows.append(f'<tr class="cause"><th class="name" colspan="4">{cause}</th>{total}</tr>\n')
        for number in numbers:
            rows += _step(pair, number, changes_table.in_print(units[number], digits, pair.steps[number].share))
    total_share = math.fsum([step.share for step in pair.steps])
    total = _share(total_share, changes_table.in_print(sum(units), digits, total_share))
    scores = " to ".join([theme.score_text(result.score, decimals) for result in (pair.before, pair.after)])
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
    if credit != int(credit):
        return theme.change_text(credit)
    return f"{'+' if credit > 0 else ''}{formula.format_number(credit)}"


def _step(pair: OutputPair, number: int, share: str) -> Iterator[str]:
    """The rows of a step, whose share is printed so, and of its marks, those with the largest shares first, equal ones
    as one."""
    step = pair.steps[number]
    name, before, after = changes_table.describe_step(step)
    yield (
        f'<tr class="item"><td class="name" colspan="3">{escape(name)}</td>'
        f'<td class="change">{before} to {after}</td>{_share(step.share, share)}</tr>\n'
    )
    rows, more = changes_table.largest(changes_table.piece_rows(pair.way, step), MOST_PIECES)
    for row in rows:
        times = f" × {row.times}" if row.times > 1 else ""
        share_cell = _share(row.share, theme.change_text(row.share, pair.decimals))
        yield (
            f'<tr class="piece {row.tone}"><td class="kind">{row.label}</td>'
            f'<td class="words">{theme.word(row.words, 2_000)}{times}</td>'
            f'<td class="cells">{escape(row.cells)}</td>'
            f'<td class="change">{_credit(row.credit)}</td>{share_cell}</tr>\n'
        )
    if more:
        yield f'<tr class="piece"><td class="name" colspan="5">{more}</td></tr>\n'


# ---------------------------------------------------------------- CSV


def ledger_csv(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS) -> str:
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
        step_cells, change = (step.cause, csv_cell(step.name)), step.after - step.before
        writer.writerow([*step_cells, "step", "", "", *map(repr, (step.before, step.after, change, step.share))])
        for row in changes_table.piece_rows(pair.way, step, group_equal=False):
            words = map(csv_cell, (unisolated(row.words), row.cells))
            writer.writerow([*step_cells, row.word, *words, "", "", repr(row.credit), repr(row.share)])
    return out.getvalue()


def edits_csv(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS) -> str:
    """What every edit from A to B is worth to every metric, as `comparison_edits.edits_csv` writes it."""
    return comparison_edits.edits_csv(_pair(a, b, names, key, settings), settings)


# ---------------------------------------------------------------- JSON


def report_json(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS) -> str:
    """Everything about the comparison as JSON in ASCII: all scores, the steps with their marks, the cells of the
    difference on the rows of the word diff, and both results as `sentence_page.result_json` writes them."""
    pair = _pair(a, b, names, key, settings)
    difference = pair.difference
    body = {
        "metric": key,
        "names": {"a": names[0], "b": names[1]},
        "signature": _signature(key, pair, settings),
        "score": _sides(pair.before.score, pair.after.score) | {"delta": pair.delta, "verdict": _verdict(pair)},
        "decides": _sides(dict(pair.before.decides), dict(pair.after.decides)),
        "ledger": {"scheme": "Shapley value", "steps": [_step_dict(pair, step) for step in pair.steps]},
        **comparison_edits.edits_dict(pair, settings),
        "counts": differences.counts(difference),
        "difference": {
            "rows": _plain(difference.rows),
            **{name: _plain(places) for name, places in differences.places_by_fate(difference).items()},
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


def _result_dict(texts: ProcessedTexts, result: Result) -> dict[str, Any]:
    """A result, without its marks where there are too many: a long text can have a million pairs."""
    count, result_verdict = marks.count_terms(result), edits.verdict(result)
    verdict_entry = {} if isinstance(result_verdict, Problem) else {"verdict": result_verdict.to_dict()}
    if count <= MOST_MARKS:
        return {**verdict_entry, **result_dict(texts, result)}
    return {**verdict_entry, **result_dict(texts, replace(result, layers=())), "marks_left_out": count}


def _sides(a: Any, b: Any) -> dict[str, Any]:
    return {"a": a, "b": b}


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _step_dict(pair: OutputPair, step: LedgerChange) -> dict[str, Any]:
    pieces = []
    for piece, row in zip(step.pieces, changes_table.piece_rows(pair.way, step, group_equal=False), strict=True):
        mark = {"type": type(piece.mark).__name__, "mark": _plain(piece.mark), "cells": _plain(piece.mark.cells())}
        pieces.append(
            {"kind": piece.kind, **mark, "words": unisolated(row.words), "credit": piece.credit, "share": piece.share}
        )
    return {**step._asdict(), "pieces": pieces}


# ---------------------------------------------------------------- SVG


def difference_svg(
    a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS
) -> str:
    """The grid of the difference as a self-contained SVG document, with words, legend and signature.

    Raises ValueError with one sentence for the user where the texts are too long.
    """
    pair = _pair(a, b, names, key, settings)
    _check(pair)
    difference = comparison.difference_picture(pair, _hits(pair), comparison.layout(pair, ROOM))
    first, second = (theme.visible(name, NAME_MOST) for name in names)
    scores = " to ".join([theme.score_text(result.score) for result in (pair.before, pair.after)])
    title = f"{first} to {second}: {metrics.METRICS[key].label} {scores}"
    width = max(difference.width, picture.CAPTION_ROOM)
    return svg.captioned(replace(difference, title=title, signature=_signature(key, pair, settings), width=width))
