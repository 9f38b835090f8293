"""One result as a web page that needs no server, and as JSON. Every file carries the signature."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import metrics
from metrics import formula
from metrics.text import Token
from metrics.types import Edit, Hit, Result
from viz.draw import charts, ledger, marks, svg, theme, words
from viz.draw.marks import Selection
from viz.draw.picture import Picture, picture_of, px
from viz.state import cache
from viz.state.inputs import Texts

HOVER_LIMIT, MOST_ROWS = 600, 5_000  # what a page can hold: words with hover rules, and rows of its table
NARROW = 780  # pixels up to which a picture has the formula at its right

Words = Sequence[str]


# ---------------------------------------------------------------- a web page

STYLE = """
:root { color-scheme: light dark; --ink: #1f1e1c; --paper: #ffffff; --soft: #f6f6f4; --line: rgba(128,128,128,.3);
  --blue: #1B7FC2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #efedea; --paper: #171614; --soft: #23211e; --blue: #5AAEE6; } .bx { --tint: 30% !important; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1460px; margin: 0 auto; padding: 28px 32px 40px; }
header { display: flex; flex-wrap: wrap; gap: 6px 48px; align-items: end; justify-content: space-between;
  padding-bottom: 14px; margin-bottom: 14px; border-bottom: 1px solid var(--line); }
h1 { font-size: 26px; font-weight: 600; line-height: 1.2; margin: 0 0 2px; }
h2 { font-size: 15px; font-weight: 600; margin: 26px 0 8px; }
.idea { margin: 0; max-width: 46em; opacity: .85; }
.numbers { display: flex; flex-wrap: wrap; gap: 4px 26px; align-items: end; margin: 0; }
.numbers div { display: flex; flex-direction: column-reverse; }
.numbers dt { font-size: 13px; opacity: .8; }
.numbers dd { margin: 0; font-size: 20px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.numbers .score dd { font-size: 40px; font-weight: 600; line-height: 1; color: var(--blue); }
.evidence > * { min-width: 0; }
.picture { overflow-x: auto; padding-top: 18px; }
.picture svg { display: block; }
.picture .paper { fill: none; }
.picture .dim text { fill: var(--ink); }
.picture .words text { fill: var(--lit, var(--ink)); }
.ledger { display: flex; flex-wrap: wrap; gap: 0 64px; }
.ledger > div { min-width: 0; max-width: 100%; }
.terms { max-width: 900px; }
@media (min-width: 1180px) {
  .narrow { display: grid; gap: 0 48px;
    grid-template: "picture ledger" auto "terms ledger" 1fr / minmax(600px, auto) 1fr; }
  .narrow .picture { grid-area: picture; }
  .narrow .ledger { grid-area: ledger; display: block; }
  .narrow .terms { grid-area: terms; }
}
.remark { max-width: 40em; font-size: 14.5px; }
.scroll { overflow: auto; max-height: 1600px; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; width: 100%; font-size: 14.5px; }
th { position: sticky; top: 0; background: var(--soft); font-weight: 500; text-align: start; padding: 7px 12px; }
td { padding: 5px 12px; border-top: 1px solid var(--line); vertical-align: top; }
td:not(.words) { white-space: nowrap; }
th.num, td.num { text-align: end; font-variant-numeric: tabular-nums; }
tr.sel td { background: color-mix(in srgb, #D55E00 20%, transparent); }
.sig { font: 13px/1.4 ui-monospace, monospace; opacity: .8; overflow-wrap: anywhere; margin: 30px 0 0; }
.at { fill: none; stroke: var(--lit, none); stroke-width: 2.5; pointer-events: all; }
.at:hover { --lit: #D55E00; }
.bx .tk { outline: 2px solid var(--lit, transparent); outline-offset: -1px; }
.bx { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 18px; }
.bx .ln { display: contents; }
.lg { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 8px; font-size: 13px; opacity: .9; }
.len { margin-top: 18px; }
@media (max-width: 640px) { main { padding: 16px; } .bx { grid-template-columns: minmax(0, 1fr); } }
@media print { .scroll, .bx.tall { max-height: none; overflow: visible; } th { position: static; } }
"""


def page_html(texts: Texts, result: Result, chosen: Selection | None = None, rounds: int | None = None) -> str:
    """The whole evidence as one HTML document that needs no server, runs no script and loads nothing.

    Score and parts, words, grid, formula, terms and signature. Hovering a word lights its partners and the cells where
    they meet; hovering a cell lights its words. Where the texts are too long for a grid a sentence says so.
    """
    metric = metrics.METRICS[result.metric]
    candidate, references = texts.candidate_words, texts.reference_words
    strips = words.strips(candidate, references, _hits(texts), result, chosen, rounds, marks.badges(result))
    figure, narrow = _figure(texts, result, chosen, rounds)
    title = f"{metric.label} {theme.score_text(result.score)}"
    style = f"{app_style('Token strips', 'Lengths')}{STYLE}{ledger.FORMULA_STYLE}{_hover_rules(texts)}"
    return document(
        escape(title),
        style,
        [
            f'<header><div><h1>{escape(metric.name)}</h1><p class="idea">{escape(metric.idea)}</p></div>',
            _numbers(result),
            f"</header>\n{strips}{words.word_legend(result, rounds)}",
            f'<div class="evidence{" narrow" if narrow else ""}">\n<div class="picture">\n{figure}</div>',
            f'<div class="ledger">\n<div>{_formula(result, chosen, rounds)}{charts.lengths(result)}</div>',
            f'{_references(result)}</div>\n<div class="terms">{_terms(texts, result, chosen, rounds)}</div>\n</div>',
            f'<p class="sig">{signature(texts, result)}</p>',
        ],
    )


def document(title: str, style: str, main: Iterable[str]) -> str:
    """An HTML document that may load nothing and run nothing; `title` and the pieces of `main` are HTML."""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{style}</style>",
            "</head>\n<body>\n<main>",
            *main,
            "</main>\n</body>\n</html>\n",
        ]
    )


def signature(texts: Texts, result: Result) -> str:
    """A result's signature as HTML that may break after its bars."""
    return theme.safe(result.signature(texts.settings.signature()), 2_000).replace("|", "|<wbr>")


def app_style(*sections: str) -> str:
    """The app's own rules, by the headings of its style sheet, for what stands on a page as it does there."""
    sheet = (Path(__file__).parent.parent / "style.css").read_text(encoding="utf-8")
    out = []
    for name in sections:
        found = re.search(rf"^/\* {name} \*/\n(.*?)(?=^/\*|\Z)", sheet, re.MULTILINE | re.DOTALL)
        assert found, f"style.css has no section headed {name}"
        out.append(found[1])
    return "".join(out)


def _hits(texts: Texts) -> Sequence[Hit]:
    """The hits, or where there is no hovering one for each word that matches, which is all that strips need then."""
    if _hovers(texts):
        return cache.hits(texts.segment)
    candidate, references = texts.segment
    row = {form: i for i, form in enumerate(candidate)}
    column = {form: (k, j) for k, reference in enumerate(references) for j, form in enumerate(reference)}
    hits = [Hit(i, *column[form]) for i, form in enumerate(candidate) if form in column]
    hits += [Hit(row[w], k, j) for k, reference in enumerate(references) for j, w in enumerate(reference) if w in row]
    return hits


def _hovers(texts: Texts) -> bool:
    return len(texts.candidate) + sum(map(len, texts.references)) <= HOVER_LIMIT


def _hover_rules(texts: Texts) -> str:
    """Two rules a word: the word lights its cells and its label, and each of its cells lights the word.

    A cell carries its row and column as classes (`i3`, `j0_4`), so that rules grow with the words and not with the
    matches. `words.strips` lights the words' partners.
    """
    if not _hovers(texts):
        return ""
    names = [(f"c{i}", f"i{i}") for i in range(len(texts.candidate))]
    names += [(f"r{k}_{j}", f"j{k}_{j}") for k, r in enumerate(texts.references) for j in range(len(r))]
    return "".join(
        f"main:has(.{word}:hover) :is(.{word},.{line}),main:has(.{line}:hover) .{word}{{--lit:{theme.VERMILION}}}\n"
        for word, line in names
    )


def _numbers(result: Result) -> str:
    """The score and its parts."""
    named = [("score", result.score), *result.parts.items()]
    out = [
        f"<div{' class=score' if n == 0 else ''}><dt>{escape(name.replace('_', ' '))}</dt>"
        f"<dd>{_value(value)}</dd></div>"
        for n, (name, value) in enumerate(named)
    ]
    return f'<dl class="numbers">{"".join(out)}</dl>'


def _value(value: float) -> str:
    """A number with three decimals, or whole."""
    return formula.shown(value) if value else "0"


def _figure(texts: Texts, result: Result, chosen: Selection | None, rounds: int | None) -> tuple[str, bool]:
    """The grid, or a sentence where it is too large, and whether the formula has room at its right."""
    try:
        picture = picture_of(texts, result, chosen, rounds)
    except ValueError as too_large:
        return f"<p>{escape(str(too_large))}.</p>", False
    body, end = svg.body(picture, _targets(texts, result, picture) if _hovers(texts) else ())
    return svg.document(picture, body, end), picture.width <= NARROW


_SAYS = {
    "equal": ("=", "used"),
    "stem": ("≈", "same stem"),
    "synonym": ("≈", "synonym"),
    "similar": ("≈", "similar word"),
    "different": ("≠", "substituted"),
}


def _targets(texts: Texts, result: Result, picture: Picture) -> list[str]:
    """A cell to point at for each match and each wrong word: it says which words meet, and it is framed when lit."""
    out = []
    boxes = {box.k: box for box in picture.boxes}
    size = picture.cell
    used = marks.uses(result)
    for i, k, j in sorted({*cache.hits(texts.segment), *used}):
        box, use = boxes[k], used.get(Hit(i, k, j))
        a, b = theme.safe(texts.candidate[i].raw), theme.safe(texts.references[k][j].raw)
        sign, says = _SAYS[use.relation] if use else ("=", "match, not used")
        place = (box.x + j * size, box.y + i * size, size, size)
        out.append(_target(f"i{i} j{k}_{j}", place, f"{a} ({i + 1}) {sign} {b} ({j + 1}), {says}"))
    for _, _, edit in marks.gaps(result):
        assert isinstance(edit, Edit)
        _, i, i_end, k, j, j_end = edit
        box, around = boxes[k], size / 4
        where: tuple[float, float, float, float] = (
            box.x + j * size - around,
            box.y + i * size,
            2 * around,
            (i_end - i) * size,
        )
        names, word = [f"i{row}" for row in range(i, i_end)], texts.candidate[i:i_end]
        if edit.op == "deletion":
            where = (box.x + j * size, box.y + i * size - around, (j_end - j) * size, 2 * around)
            names, word = [f"j{k}_{column}" for column in range(j, j_end)], texts.references[k][j:j_end]
        shown = theme.safe(" ".join([w.raw for w in word[:12]]), 80)
        first, says = (i, "extra word") if edit.op == "insertion" else (j, "missing word")
        text = f"{shown} ({theme.positions_text(first, len(word))}), {says}"
        out.append(_target(" ".join(names), where, text))
    return out


def _target(names: str, where: tuple[float, float, float, float], says: str) -> str:
    x, y, width, height = map(px, where)
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect class="at {names}" {place} fill="none"><title>{says}</title></rect>'


def _formula(result: Result, chosen: Selection | None, rounds: int | None) -> str:
    picked = (chosen.layer, chosen.index) if chosen and chosen.of(result, rounds) else None
    sentence = cache.remark(result)
    steps = formula.mathml(ledger.steps(result), formula.Look(picked))
    return f"<h2>Formula</h2>\n{steps}" + (f'\n<p class="remark">{escape(sentence)}</p>' if sentence else "")


def _references(result: Result) -> str:
    """What each reference's marks add and the score with it alone, where there are several references."""
    if len(result.segment.references) < 2:
        return ""
    badges = marks.badges(result)
    lines = []
    for k, credit in enumerate(result.contributions()):
        badge = "".join(f'<span class="bd">{b}</span>' for b in badges.get(k, ()))
        lines.append(
            f'<tr><td>Reference {k + 1}{badge}</td><td class="num">{credit:.4g}</td>'
            f'<td class="num">{cache.alone(result, k)}</td></tr>\n'
        )
    return (
        '<div><h2>References</h2>\n<div class="scroll"><table><thead><tr><th>Reference</th>'
        '<th class="num">Credit used here</th><th class="num">Score with it alone</th></tr></thead><tbody>\n'
        f"{''.join(lines)}</tbody></table></div></div>"
    )


def _terms(texts: Texts, result: Result, chosen: Selection | None, rounds: int | None) -> str:
    """The table of all terms."""
    rows = ledger.rows(texts.candidate_words, texts.reference_words, result, rounds, MOST_ROWS)
    count = marks.count_terms(result, rounds)
    if not rows:
        return "<h2>Terms</h2>\n<p>No word matches.</p>"
    layered = len(result.layers) > 1
    picked = ledger.row_of(result, chosen, rounds) if chosen else None
    head = ("<th>Layer</th>" if layered else "") + "<th>Term</th><th>Words</th><th>Credit</th>"
    body = "".join(
        f"<tr{' class=sel' if n == picked else ''}>{f'<td>{escape(row.layer)}</td>' if layered else ''}"
        f'<td class="words"><bdi>{theme.safe(row.term, 2_000)}</bdi></td><td>{escape(row.words)}</td>'
        f'<td>{escape(row.credit)}</td><td class="num">{_value(row.value)}</td></tr>\n'
        for n, row in enumerate(rows)
    )
    more = f"<p>{theme.plural(count - len(rows), 'more term')} in the CSV.</p>" if count > len(rows) else ""
    return (
        f'<h2>{theme.plural(count, "term")}</h2>\n<div class="scroll"><table><thead><tr>{head}'
        f'<th class="num">Value</th></tr></thead><tbody>\n{body}</tbody></table></div>{more}'
    )


# ---------------------------------------------------------------- JSON


def result_json(texts: Texts, result: Result) -> str:
    """The whole result as JSON in ASCII, with the words as typed, where they stood, and how they were processed."""
    return json_text(result_dict(texts, result)) + "\n"


def result_dict(texts: Texts, result: Result) -> dict[str, Any]:
    """What `result_json` holds, in JSON's types. ValueError where there are more terms than a file holds."""
    ledger.check_size(result)
    body = result.to_dict()
    body["signature"] = result.signature(texts.settings.signature())
    text = {
        "settings": texts.settings.to_dict(),
        "candidate": _typed(texts.candidate),
        "references": [_typed(r) for r in texts.references],
    }
    first = {name: body.pop(name) for name in ("metric", "signature", "score", "parts", "settings")}
    return {**first, "text": text, **body}


def _typed(tokens: Iterable[Token]) -> list[dict[str, Any]]:
    return [{"raw": t.raw, "form": t.form, "start": t.start, "end": t.end} for t in tokens]


def json_text(value: Any, depth: int = 0) -> str:
    """JSON in ASCII, indented, but on one line what fits there."""
    line = json.dumps(value)  # ASCII, so that unpaired surrogates survive too
    if len(line) + depth <= 110 or not isinstance(value, dict | list):
        return line
    inner = "\n" + " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {json_text(part, depth + 1)}" for name, part in value.items()]
        return "{" + inner + ("," + inner).join(parts) + "\n" + " " * depth + "}"
    parts = [json_text(part, depth + 1) for part in value]
    return "[" + inner + ("," + inner).join(parts) + "\n" + " " * depth + "]"
