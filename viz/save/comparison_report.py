"""Write a comparison of two outputs as files: a web page, the ledger as CSV, all as JSON, the difference as SVG.

Each file has the signatures. Each function takes the texts of A and B over the same references, their names, the key
of the metric, and the settings of those metrics that do not have their defaults. It raises what the metric raises."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple, TypeAlias

import metrics
from metrics import formula
from metrics.analysis.changes import LedgerChange
from metrics.analysis.sentence import printed_steps
from metrics.text import Token, csv_cell, describe_excess
from metrics.text.tabular import rows_as_csv
from metrics.types import Hit, Result, Settings, remove_isolates, signature

from ..draw.compare import changes_table, comparison, differences
from ..draw.compare.comparison import OutputPair
from ..draw.compare.differences import GridRoom, Names
from ..draw.compare.scores import DECIMALS, MARKS, ScoreRow, Verdict, better_direction, delta_text
from ..draw.compare.scores import verdict as verdict_of
from ..draw.evidence.fragment import STYLE, root_element
from ..draw.evidence.inspector import references_rows
from ..draw.evidence.verdict import sentence_html
from ..draw.evidence.words import reference_label
from ..draw.pen import layout, marks, picture, svg
from ..draw.pen.numbers import change_text, count_text, score_text
from ..draw.pen.text import bdi_word, isolated, safe, visible, writing_direction
from ..draw.texts import ProcessedTexts
from ..state.results import cache, edits
from ..state.results.cache import Glance, Problem
from ..state.results.scoring import rows_for_systems
from ..state.texts.inputs import NAME_MOST
from . import comparison_edits
from .sentence_page import PAGE, SCRIPT, document, json_text, origin_html, result_dict, signatures_html
from .systems_table import heading, scores_html

AllSettings: TypeAlias = Mapping[str, Settings]
DEFAULTS: AllSettings = {}
MOST_PIECES = 1_000  # the most marks of a step on a page; the CSV has all
SHORT = 200  # up to this number of words, the texts are next to the table of scores
SOURCE_MOST = 20_000  # the most characters of a source
ROOM = GridRoom(1190)  # the space for the grids
MOST_MARKS = 50_000  # the most marks of a result in the JSON
SCHEME = (
    "Each share is a Shapley value: what the change of one statistic adds to the score, averaged over all orders in "
    "which the changes could be made one after the other. Read it as that step's part of the difference: the shares "
    "add up to it. A step's share is divided among its marks in proportion to their credits."
)


class ComparisonReport(NamedTuple):
    """The options of a report: what it shows beyond the comparison by the selected metric.

    Attributes:
        metrics: the metrics whose evidence is shown; empty for the selected one alone.
        decimals: the decimals of scores.
        date: when the report was made; "" leaves it out.
        link: the address of the page that it was made from; "" leaves it out.
        systems: name and texts of all compared systems, if they are more than two; the texts of all are shown."""

    metrics: Sequence[str] = ()
    decimals: int = DECIMALS
    date: str = ""
    link: str = ""
    systems: Sequence[tuple[str, ProcessedTexts]] = ()


def _compare(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings) -> OutputPair:
    """Return the comparison of two outputs. Raises ValueError, with a sentence for the user, if it is too hard."""
    compared = cache.compare_segments(key, a.segment, b.segment, _settings(key, settings))
    if isinstance(compared, Problem):
        raise compared.error()
    return OutputPair(a, b, names, *compared)


def _settings(key: str, given: AllSettings) -> Settings:
    return given.get(key) or metrics.settings(key)


def _scores(pair: OutputPair, settings: AllSettings) -> list[ScoreRow]:
    """Return a table row for each metric, with both scores or the reasons why there are none."""
    return rows_for_systems([_glances(texts, settings) for texts in (pair.a, pair.b)], metrics.METRICS)


def _glances(texts: ProcessedTexts, settings: AllSettings) -> dict[str, Glance | Problem]:
    return {key: cache.glance(key, texts.segment, _settings(key, settings)) for key in metrics.METRICS}


def _signature(key: str, pair: OutputPair, settings: AllSettings) -> str:
    """Return the signature of the scores that the metric `key` gives both outputs."""
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
    """Return the comparison as one HTML document that needs no server and highlights cells and words as the page does.

    It says first why each metric's score differs, then has all scores and the texts. For each metric follow its
    words, grids, steps with their marks and deciding references; the signatures are last. A sentence says so if the
    texts are too long for grids, if nothing changed, or if one of several metrics cannot score the texts."""
    pair = replace(_compare(a, b, names, key, settings), decimals=report.decimals)
    metric = metrics.METRICS[key]
    one, other = (safe(name, NAME_MOST) for name in names)
    scores = [score_text(result.score, report.decimals) for result in (pair.before, pair.after)]
    chosen = {each: _compare_or_explain(pair, each, settings) for each in report.metrics or [key]}
    outputs = [(name, its.candidate) for name, its in report.systems or zip(names, (a, b), strict=True)]
    words = sum(map(len, [*(tokens for _, tokens in outputs), *a.references]))
    origin = origin_html(report.date, report.link, "Open this comparison in Bitext Grid")
    top = [
        f"<header><h1>{_name(names[0])} and {_name(names[1])}</h1>{origin}</header>",
        *[_conclusion_html(each, outcome, report.decimals) for each, outcome in chosen.items()],
        f'<div class="top{" short" if words <= SHORT else ""}"><section>{_score_table(pair, settings, chosen, report)}'
        f"</section><section>{_texts(pair, outputs)}</section></div>",
        _all_systems(report, chosen, settings),
    ]
    pairs = {each: outcome for each, outcome in chosen.items() if isinstance(outcome, OutputPair)}
    parts = {each: _evidence_html(outcome, report) for each, outcome in pairs.items()}
    if pairs:  # the edits are in the part whose words and grids they highlight
        first = next(iter(pairs))
        parts[first] += comparison_edits.section_html(pairs[first], settings)
    evidence = [root_element(each, inside) for each, inside in parts.items()]
    return document(
        f"{one} and {other}: {escape(metric.label)} {' to '.join(scores)}",
        PAGE + STYLE + STYLE_OF_TABLES,
        [root_element(key, "\n".join(top)), *evidence, _signatures(pair, settings)],
        SCRIPT,
    )


def _compare_or_explain(pair: OutputPair, key: str, settings: AllSettings) -> OutputPair | str:
    """Return the comparison of the same outputs by the metric `key`, or a sentence on why there is none."""
    if key == pair.before.metric:
        return pair
    try:
        return replace(_compare(pair.a, pair.b, pair.names, key, settings), decimals=pair.decimals)
    except ValueError as problem:
        return f"{problem}."


def _conclusion_html(key: str, outcome: OutputPair | str, decimals: int) -> str:
    """Return, as HTML, both scores, whether B is better, and why they differ; or the problem that `outcome` is."""
    head = f"<h2>{_metric_name(key)}"
    if isinstance(outcome, str):
        return f'<section class="why">{head}</h2><p>{safe(outcome, 400)}</p></section>'
    verdict, change = _verdict(outcome, decimals), delta_text(outcome.delta, decimals)
    before, after = (score_text(result.score, decimals) for result in (outcome.before, outcome.after))
    sums = f'{before} to {after}, <b class="{verdict}">{change} {_verdict_text(verdict)}</b>'
    return f'<section class="why">{head} <span>{sums}</span></h2><p>{comparison.describe_cause(outcome)}</p></section>'


def _metric_name(key: str) -> str:
    """Return the label of a metric, followed by its full name if that differs."""
    metric = metrics.METRICS[key]
    return escape(metric.label if metric.label == metric.name else f"{metric.label}, {metric.name}")


def _evidence_html(pair: OutputPair, report: ComparisonReport) -> str:
    """Return, as HTML, the verdicts, pictures and steps of the scores by one metric."""
    metric, numbers = metrics.METRICS[pair.before.metric], _numbers_html(pair, report.decimals)
    idea = f'<p class="idea">{escape(metric.about.idea)}</p>'
    head = f'<header class="of"><div><h2>{_metric_name(metric.key)}</h2>{idea}</div>{numbers}</header>'
    return "\n".join([head, _verdict_html(pair, report.decimals), _pictures(pair), _ledger_html(pair, report.decimals)])


def _verdict_html(pair: OutputPair, decimals: int) -> str:
    """Return, as HTML, the verdict on the score of each output."""
    paragraphs = []
    for name, result in zip(pair.names, (pair.before, pair.after), strict=True):
        verdict = edits.quick_verdict(result, decimals)
        if not isinstance(verdict, Problem):
            paragraphs.append(f'<p class="verdict" data-verdict>{_name(name)}: {sentence_html(verdict.parts)}</p>')
    return "".join(paragraphs)


def _signatures(pair: OutputPair, settings: AllSettings) -> str:
    """Return, as HTML, the signatures by which every score can be repeated; they are the same for A and B."""
    return signatures_html([_signature(key, pair, settings) for key in metrics.METRICS])


def _name(name: str) -> str:
    """Return the name of an output as HTML, isolated from the direction of the text around it."""
    return f"<bdi>{safe(name, 2 * NAME_MOST + 5)}</bdi>"


def _verdict_text(verdict: Verdict) -> str:
    return f"{MARKS[verdict]} {verdict}".strip()


def _numbers_html(pair: OutputPair, decimals: int) -> str:
    """Return, as HTML, both scores, their difference, and the numbers of kept, gained, lost and moved cells."""
    verdict = _verdict(pair, decimals)
    numbers = [
        ("score", "", score_text(pair.before.score, decimals), _name(pair.names[0])),
        ("score", "", score_text(pair.after.score, decimals), _name(pair.names[1])),
        ("score", verdict, change_text(pair.delta, decimals), _verdict_text(verdict)),
        *[("", "", f"{count:,}", name) for name, count in differences.count_cells_by_fate(pair.difference).items()],
    ]
    items = [f'<div class="{c}"><dt>{says}</dt><dd class="{look}">{n}</dd></div>' for c, look, n, says in numbers]
    return f'<dl class="numbers">{"".join(items)}</dl>'


def _score_table(pair: OutputPair, settings: AllSettings, chosen: Container[str], report: ComparisonReport) -> str:
    """Return an HTML table of all metrics: both scores, their difference, its meaning; rows in `chosen` are tinted."""
    rows, decimals = [], report.decimals
    for row in _scores(pair, settings):
        cells = "".join([_score_cell_html(value, decimals) for value in row.values])
        if row.delta is None:
            cells += f'<td class="num">–</td><td class="words">{safe(row.problem, 400)}</td>'
        else:
            verdict = verdict_of(row.delta, row.higher_is_better, decimals)
            cells += f'<td class="num {verdict}" title="{row.delta!r}">{delta_text(row.delta, decimals)}</td>'
            cells += f'<td class="{verdict}">{_verdict_text(verdict)}</td>'
        tint = ' class="sel"' if row.key in chosen else ""
        sign, says = better_direction(row.higher_is_better)
        name = f'{escape(row.label)} <span title="{says}">{sign}</span>'
        rows.append(f"<tr{tint}><td>{name}</td>{cells}</tr>\n")
    a, b = map(heading, pair.names)
    head = f'<th>Metric</th><th class="num">{a}</th><th class="num">{b}</th><th class="num">Δ</th><th>Verdict</th>'
    return (
        f'<h2>All metrics</h2>\n<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{"".join(rows)}'
        '</tbody></table></div>\n<p class="note">↑ higher is better, ↓ lower is better</p>'
    )


def _score_cell_html(value: float | None, decimals: int) -> str:
    if value is None:
        return '<td class="num">–</td>'
    return f'<td class="num" title="{value!r}">{score_text(value, decimals)}</td>'


def _all_systems(report: ComparisonReport, chosen: Container[str], settings: AllSettings) -> str:
    """Return an HTML table with the scores of all systems, rows in `chosen` tinted; "" if there are only A and B."""
    if not report.systems:
        return ""
    names, texts = zip(*report.systems, strict=True)
    rows = rows_for_systems([_glances(its, settings) for its in texts], metrics.METRICS)
    return f"<h2>All systems</h2>\n{scores_html(rows, names, chosen, report.decimals)}"


def _texts(pair: OutputPair, outputs: Sequence[tuple[str, Sequence[Token]]]) -> str:
    """Return, as HTML, the source if known, the `outputs` (name and tokens), and the references, as typed."""
    several = len(pair.references) > 1
    named_texts = [(_name(name), tokens) for name, tokens in outputs]
    label = "Reference {}" if several else "Reference"
    named_texts += [(label.format(k + 1), tokens) for k, tokens in enumerate(pair.a.references)]
    items = [
        f"<dt>{name}<small>{count_text(len(tokens), 'word')}</small></dt>"
        f'<dd dir="{writing_direction([t.raw for t in tokens[:40]])}">{_typed_html(tokens)}</dd>\n'
        for name, tokens in named_texts
    ]
    if words := pair.a.source.split():
        source_html = safe(" ".join(words), SOURCE_MOST)
        items.insert(0, f'<dt>Source</dt><dd dir="{writing_direction(words[:40])}">{source_html}</dd>\n')
    return f'<h2>Texts</h2>\n<dl class="texts">{"".join(items)}</dl>'


def _typed_html(tokens: Sequence[Token]) -> str:
    """Return tokens as the text that was typed, as HTML, with one space wherever two tokens do not touch."""
    ends = [0, *[token.end for token in tokens]]
    return "".join(
        [f"{' ' if n and token.start > ends[n] else ''}{safe(token.raw, 60)}" for n, token in enumerate(tokens)]
    )


# ---------------------------------------------------------------- its pictures


def difference_html(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: Settings) -> str:
    """Return, as HTML, the words, grids and references that show how two outputs differ by one metric.

    Raises ValueError, with a sentence for the user, if they cannot be scored."""
    return _pictures(_compare(a, b, names, key, {key: settings}))


def _pictures(pair: OutputPair) -> str:
    """Return, as HTML, words, steps, the effect of each reference, and the grids unless the texts are too long."""
    try:
        _check_size(pair)
    except ValueError as too_large:
        hits: list[Sequence[Hit]] = [(), ()]
        missing = f"There are no grids here. {too_large}."
        return comparison.evidence(pair, hits, ROOM, no_grids=missing, folds=False) + _references_html(pair)
    return comparison.evidence(pair, _hits_of_both(pair), ROOM, folds=False) + _references_html(pair)


def _check_size(pair: OutputPair) -> None:
    """Raise ValueError, with a sentence for the user, if the texts are too long for grids."""
    named_texts = [*zip(pair.names, (pair.a.candidate, pair.b.candidate), strict=True)]
    named_texts += [(f"Reference {k + 1}", tokens) for k, tokens in enumerate(pair.a.references)]
    for name, tokens in named_texts:
        if len(tokens) > layout.MOST_WORDS:
            visible_name = isolated(name, NAME_MOST)
            message = describe_excess(visible_name, len(tokens), "words", layout.MOST_WORDS, "a picture can hold")
            raise ValueError(f"{message}; choose a part of the texts")
    for hits in _hits_of_both(pair):
        picture.check_match_count(len(hits))


def _hits_of_both(pair: OutputPair) -> list[Sequence[Hit]]:
    return [cache.hits(texts.segment) for texts in (pair.a, pair.b)]


# ---------------------------------------------------------------- its tables


def _references_html(pair: OutputPair) -> str:
    """Return, as HTML, both scores with each reference alone, the credit of its marks, and which references decide.

    The credit is left out where credits do not add up. Return "" for a single reference."""
    if len(pair.references) < 2:
        return ""
    results, count = (pair.before, pair.after), len(pair.references)
    parts = all(result.adds_up() for result in results)
    sides = [
        (result.contributions() if parts else (), [cache.score_alone(result, k, pair.decimals) for k in range(count)])
        for result in results
    ]
    badges = [(_name(name), marks.badges_by_reference(each)) for name, each in zip(pair.names, results, strict=True)]
    badge_texts = [[f"{name}: {badge}" for name, of in badges for badge in of.get(k, ())] for k in range(count)]
    labels = [reference_label(k, each) for k, each in enumerate(badge_texts)]
    names = "".join([f'<th colspan="{1 + parts}">{_name(name)}</th>' for name in pair.names])
    columns = "<th>Alone</th><th>Credit</th>" if parts else "<th>Alone</th>"
    head = f"<tr><th></th>{names}</tr><tr><th>Reference</th>{columns * 2}</tr>"
    return (
        f'<h2>References</h2>\n<p class="reads">{comparison.describe_decisions(pair)}</p>\n'
        f'<div class="scroll">{references_rows(labels, sides, head)}</div>'
        f'\n<p class="note">Alone: with this reference only.{" Credit: of the marks in it." if parts else ""}</p>'
    )


def _share_cell(share: float, text: str) -> str:
    """Return the table cell of a share with the rounded number `text`; its tooltip has all decimals."""
    return f'<td class="share" title="{share!r}">{text}</td>'


def _ledger_html(pair: OutputPair, decimals: int) -> str:
    """Return an HTML table of the steps from A's score to B's by cause, each with its marks."""
    if not pair.steps:
        return ""
    a, b = map(_name, pair.names)
    less = "" if pair.higher_is_better else " Lower is better here."
    rows = []
    digits, units = printed_steps(pair.steps, decimals)  # rounded as on the page, so that the printed shares sum
    for cause, share, numbers in changes_table.group_steps_by_cause(pair.steps):
        whole = changes_table.printed_share(sum([units[n] for n in numbers]), digits, share)
        total = _share_cell(share, whole) if len(numbers) > 1 else '<td class="share"></td>'
        rows.append(f'<tr class="cause"><th class="name" colspan="4">{cause}</th>{total}</tr>\n')
        for number in numbers:
            share_text = changes_table.printed_share(units[number], digits, pair.steps[number].share)
            rows += _step_rows(pair, number, share_text)
    total_share = math.fsum([step.share for step in pair.steps])
    total = _share_cell(total_share, changes_table.printed_share(sum(units), digits, total_share))
    scores = " to ".join([score_text(result.score, decimals) for result in (pair.before, pair.after)])
    rows.append(f'<tr class="total"><td class="name" colspan="3">Sum</td><td class="change">{scores}</td>')
    rows.append(f"{total}</tr>\n")
    head = '<th>Step</th><th>Words</th><th>Cells</th><th class="num">Change</th><th class="num">Share</th>'
    return (
        f'<section><h2>From {a} to {b}</h2>\n<p class="reads">{SCHEME}{less}</p>\n<div class="scroll">'
        f'<table class="steps"><thead><tr>{head}</tr></thead><tbody>\n{"".join(rows)}</tbody></table></div></section>'
    )


def _credit_text(credit: float) -> str:
    """Return a change of credit as text, with its sign.

    >>> _credit_text(1.0), _credit_text(-0.25), _credit_text(0.0001)
    ('+1', '−0.250', '+0.00010')
    """
    if credit != int(credit):
        return change_text(credit)
    return f"{'+' if credit > 0 else ''}{formula.format_number(credit)}"


def _step_rows(pair: OutputPair, number: int, share: str) -> Iterator[str]:
    """Yield the HTML rows of the step with the index `number`, whose share is `share` as text, and of its marks.

    The marks with the largest shares come first; equal marks have one row."""
    step = pair.steps[number]
    name, before, after = changes_table.describe_step(step)
    yield (
        f'<tr class="item"><td class="name" colspan="3">{escape(name)}</td>'
        f'<td class="change">{before} to {after}</td>{_share_cell(step.share, share)}</tr>\n'
    )
    rows, more = changes_table.largest_rows(changes_table.mark_rows(pair.score_steps, step), MOST_PIECES)
    for row in rows:
        times = f" × {row.times}" if row.times > 1 else ""
        share_cell = _share_cell(row.share, change_text(row.share, pair.decimals))
        yield (
            f'<tr class="piece {row.tone}"><td class="kind">{row.label}</td>'
            f'<td class="words">{bdi_word(row.words, 2_000)}{times}</td>'
            f'<td class="cells">{escape(row.cells)}</td>'
            f'<td class="change">{_credit_text(row.credit)}</td>{share_cell}</tr>\n'
        )
    if more:
        yield f'<tr class="piece"><td class="name" colspan="5">{more}</td></tr>\n'


# ---------------------------------------------------------------- CSV


def ledger_csv(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS) -> str:
    """Return the steps from A's score to B's as CSV with a line for each mark, after comments with the signatures.

    The first line has both scores and their difference. Numbers have all their digits. A text that a spreadsheet
    would take for a formula gets an apostrophe in front."""
    pair = _compare(a, b, names, key, settings)
    rows = []
    for side, name, texts, result in (("A", names[0], a, pair.before), ("B", names[1], b, pair.after)):
        signed = result.signature(texts.settings.signature())
        rows.append([f"# {side}, {visible(name, NAME_MOST)}: {visible(signed, len(signed))}"])
    rows.append(["cause", "step", "what", "words", "cells", "before", "after", "change", "share"])
    scores = (pair.before.score, pair.after.score, pair.delta, pair.delta)
    rows.append(["score", "", "total", "", "", *map(repr, scores)])
    for step in pair.steps:
        step_cells, change = (step.cause, csv_cell(step.name)), step.after - step.before
        rows.append([*step_cells, "step", "", "", *map(repr, (step.before, step.after, change, step.share))])
        for row in changes_table.mark_rows(pair.score_steps, step, group_equal=False):
            words = map(csv_cell, (remove_isolates(row.words), row.cells))
            rows.append([*step_cells, row.word, *words, "", "", repr(row.credit), repr(row.share)])
    return rows_as_csv(rows)


def edits_csv(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS) -> str:
    """Return CSV with a line for each edit from A to B and each metric: what the edit is worth by the metric."""
    return comparison_edits.edits_csv(_compare(a, b, names, key, settings), settings)


# ---------------------------------------------------------------- JSON


def report_json(a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS) -> str:
    """Return the whole comparison as JSON in ASCII.

    It has all scores, the steps with their marks, the kept, gained, lost and moved cells, and both results."""
    pair = _compare(a, b, names, key, settings)
    difference = pair.difference
    body = {
        "metric": key,
        "names": {"a": names[0], "b": names[1]},
        "signature": _signature(key, pair, settings),
        "score": _ab_dict(pair.before.score, pair.after.score) | {"delta": pair.delta, "verdict": _verdict(pair)},
        "decides": _ab_dict(dict(pair.before.decides), dict(pair.after.decides)),
        "ledger": {"scheme": "Shapley value", "steps": [_step_dict(pair, step) for step in pair.steps]},
        **comparison_edits.edits_dict(pair, settings),
        "counts": differences.count_cells_by_fate(difference),
        "difference": {
            "rows": _to_lists(difference.rows),
            **{name: _to_lists(places) for name, places in differences.places_by_fate(difference).items()},
        },
        "scores": [
            {
                "metric": row.key,
                "signature": _signature(row.key, pair, settings),
                **_ab_dict(*row.values),
                "delta": row.delta,
                "verdict": row.verdict,
                **({"problem": row.problem} if row.problem else {}),
            }
            for row in _scores(pair, settings)
        ],
        "results": _ab_dict(_result_dict(a, pair.before), _result_dict(b, pair.after)),
    }
    return json_text(body) + "\n"


def _result_dict(texts: ProcessedTexts, result: Result) -> dict[str, Any]:
    """Return a result in JSON's types, without its marks if there are too many: a long text can have a million."""
    count, result_verdict = marks.count_terms(result), edits.quick_verdict(result)
    verdict_entry = {} if isinstance(result_verdict, Problem) else {"verdict": result_verdict.to_dict()}
    if count <= MOST_MARKS:
        return {**verdict_entry, **result_dict(texts, result)}
    return {**verdict_entry, **result_dict(texts, replace(result, layers=())), "marks_left_out": count}


def _ab_dict(a: Any, b: Any) -> dict[str, Any]:
    return {"a": a, "b": b}


def _to_lists(value: Any) -> Any:
    return [_to_lists(part) for part in value] if isinstance(value, tuple) else value


def _step_dict(pair: OutputPair, step: LedgerChange) -> dict[str, Any]:
    pieces = []
    rows = changes_table.mark_rows(pair.score_steps, step, group_equal=False)
    for piece, row in zip(step.pieces, rows, strict=True):
        mark, cells = _to_lists(piece.mark), _to_lists(piece.mark.cells())
        named = {"kind": piece.kind, "type": type(piece.mark).__name__, "mark": mark, "cells": cells}
        pieces.append({**named, "words": remove_isolates(row.words), "credit": piece.credit, "share": piece.share})
    return {**step._asdict(), "pieces": pieces}


# ---------------------------------------------------------------- SVG


def difference_svg(
    a: ProcessedTexts, b: ProcessedTexts, names: Names, key: str, settings: AllSettings = DEFAULTS
) -> str:
    """Return the grid of the difference as a self-contained SVG document, with words, legend and signature.

    Raises ValueError, with one sentence for the user, if the texts are too long."""
    pair = _compare(a, b, names, key, settings)
    _check_size(pair)
    difference = comparison.difference_picture(pair, _hits_of_both(pair), comparison.difference_layout(pair, ROOM))
    first, second = (visible(name, NAME_MOST) for name in names)
    scores = " to ".join([score_text(result.score) for result in (pair.before, pair.after)])
    title = f"{first} to {second}: {metrics.METRICS[key].label} {scores}"
    width = max(difference.width, picture.CAPTION_ROOM)
    return svg.svg_file(replace(difference, title=title, signature=_signature(key, pair, settings), width=width))
