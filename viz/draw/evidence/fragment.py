"""A result as one piece of HTML, which page, file and notebook show: words, grids, formula, terms and references.

It is markup without handlers, scripts, styles of its own and addresses. Words enter it through `theme.safe` alone.
What stands for a term carries its name (`data-term="0:3"`), and so do words (`data-word`) and cells (`data-cell`);
`script/fragment.js` lights and chooses by these names, in the style of `style.css`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.types import Result, Shift, Ties, TooHard

from ..pen import layout, picture, svg, theme
from ..pen.grid import Window
from ..pen.layout import Fit
from ..pen.picture import Picture
from ..pen.shapes import Shape
from ..texts import Texts
from . import arcs, charts, terms_table, unused, words
from .drawn import Drawn

RULES = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
STYLE = theme.css() + RULES
TOO_MANY = "Too many words match for a picture; the score and its terms stand here"
WIDE, NARROWEST, BROADEST, GAP = 940, 360, 420, 24  # pixels: room for two columns, the inspector's breadth, the gap
LETTERS = 40  # of a formula's line, in the breadth of an inspector
HIGH = 730  # pixels of a picture, so that a window of 800 holds it with its legend
UNKNOWN = 840  # pixels that a picture is drawn for until its room is known


def fragment(drawn: Drawn, offer: str = "") -> str:
    """The whole evidence of one result; `offer` says what a page opens beside it, to which `open: learn` is told."""
    try:
        strips, shown = words.strips(drawn), figure(drawn)
    except TooHard:
        strips, shown = "", f'<p class="note">{TOO_MANY}.</p>'
    chosen = f"{drawn.chosen.layer}:{drawn.chosen.index}" if drawn.chosen else ""
    sized = drawn.width is not None
    return frame(
        drawn.result.metric, strips, shown, inspector(drawn), about(drawn.result, offer), drawn.tint, sized, chosen
    )


def frame(
    key: str,
    words: str,
    figure: str,
    inspector: str,
    below: str = "",
    tint: bool = False,
    sized: bool = True,
    chosen: str = "",
) -> str:
    """The parts of a fragment where they belong: words and figure at the left, the inspector at the right of them.

    `key` says what is drawn, a metric or a view; a picture that is not `sized` for its room shrinks to it.
    """
    parts = [("words", words), ("figure", figure), ("inspector", inspector)]
    inner = "".join(f'<div class="{name}">{part}</div>' for name, part in parts if part)
    # What stands below is no part of the frame, for browsers let a sticky inspector go over all of its grid.
    last = f'<div class="below">{below}</div>' if below else ""
    look = ("tint " if tint else "") + ("" if sized else "unsized")
    return root(key, f'<div class="frame">{inner}</div>{last}', look, chosen)


def root(key: str, inner: str, look: str = "", chosen: str = "") -> str:
    """What a script gives its light to; `look` are more classes, `chosen` is the name of the term chosen at first."""
    picked = f' data-chosen="{escape(chosen)}"' if chosen else ""
    return f'<div class="{f"bitext {look}".strip()}" data-metric="{escape(key)}"{picked}>{inner}</div>'


def header(name: str, says: str) -> str:
    """The heading of a view: the metric's name, or the view's, and a sentence about it."""
    return f'<div class="vh"><b>{escape(name)}</b><br><span>{escape(says)}</span></div>'


def inspector_width(room: int) -> int:
    """What the inspector takes of a room, as `style.css` lays it out; 0 where it stands below."""
    return GAP + max(NARROWEST, min(BROADEST, int(0.3 * room))) if room >= WIDE else 0


# ---------------------------------------------------------------- figure


def figure(drawn: Drawn) -> str:
    """The grids, or the arcs, with their legend; or a sentence where there is no room for them."""
    try:
        arched = drawn.picture == "arcs"
        kind = "Pairs of words" if arched else "Matching words"
        name = f"{kind}, and those that {metrics.METRICS[drawn.result.metric].label} uses"
        few = " few" if arched and arcs.is_crowded(drawn.result) else ""
        if arched or drawn.window:
            return drawing(replace(picture_of(drawn), title=name), f"{drawn.picture}{few}")
        grids = _Grids.of(drawn)
        out = [drawing(replace(grids.picture(drawn.marks.references.open), title=name), "grid")]
        for k in drawn.marks.references.folded:
            inside = drawing(replace(grids.picture((k,)), title=name), "grid", key=False)
            out.append(folded(k, sum(1 for hit in drawn.hits if hit.k == k), inside))
    except ValueError as problem:
        return f'<p class="note">{escape(str(problem))}.</p>'
    return "".join(out)


def folded(k: int, matches: int, inside: str) -> str:
    """Reference `k`, of which no match is used, as a line that opens to what is `inside`."""
    said = f"{theme.plural(matches, 'match', 'matches')}, none used" if matches else "no match"
    return (
        f'<details class="folded" data-reference="{k}"><summary>Reference {k + 1}: {said}</summary>{inside}</details>'
    )


def picture_of(drawn: Drawn, saved: bool = False) -> Picture:
    """The picture that is looked at, grid or arcs, of the references that have used cells, the deciding ones first.

    One that is `saved` has its title and its signature, and shows what is chosen; in a fragment the script does. Raises
    ValueError where it would be too large, and TooHard where its marks are too many.
    """
    if drawn.picture == "arcs":
        words, references = drawn.texts.candidate_words, drawn.texts.reference_words
        out = arcs.picture_of(words, references, drawn.result, drawn.width or UNKNOWN)
        term = drawn.chosen.of(drawn.result) if saved and drawn.chosen else None
        out = picture.chosen_in(out, term) if term else out
    elif drawn.window:
        out = _window_of(drawn, drawn.window, saved)
    else:
        out = _Grids.of(drawn, saved).picture(drawn.marks.references.open)
    if not saved:
        return out
    title, signature = title_of(drawn), drawn.result.signature(drawn.texts.settings.signature())
    return replace(out, title=title, signature=signature, width=max(out.width, picture.CAPTION_ROOM))


class _Grids(NamedTuple):
    """The grids of all references before they are laid out: their words, everything to draw on them, and how large
    cells are, which is as fits the open ones."""

    rows: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    shapes: list[Shape]
    fit: Fit

    @classmethod
    def of(cls, drawn: Drawn, saved: bool = False) -> _Grids:
        picture.check(len(drawn.hits))
        rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
        side, width = drawn.marks.references.open, drawn.width or UNKNOWN
        fit = layout.fit(rows, references, side, width, high=drawn.high)
        if drawn.high is None and fit.columns == len(side):  # nothing is below it, so that it can be seen as a whole
            fit = layout.fit(rows, references, side, width, high=HIGH)
        return cls(rows, references, _shapes(drawn, saved), fit)

    def picture(self, shown: Sequence[int]) -> Picture:
        """The picture of some references."""
        return picture.picture_on(self.rows, self.references, self.shapes, *self.fit, shown=shown)


def _window_of(drawn: Drawn, window: Window, saved: bool) -> Picture:
    """The part of a long text that is looked at, in cells as large as fit."""
    rows, references = drawn.texts.candidate_words, drawn.texts.reference_words
    columns = references[window.k][window.j : window.j + window.columns]
    fit = layout.fit(rows[window.i : window.i + window.rows], (columns,), (0,), drawn.width or UNKNOWN)
    return picture.window_on(rows, references, _shapes(drawn, saved), window, fit.cell)


def _shapes(drawn: Drawn, saved: bool) -> list[Shape]:
    """Everything to draw on the grids; the tint of ties can be switched on in a fragment, and is there or not in a
    picture that is saved."""
    tied = drawn.ties if drawn.ties and drawn.ties.count > 1 and (drawn.tint or not saved) else None
    cells = (tied.always, tied.sometimes) if tied else None
    why = unused.why_not(drawn.texts, drawn.result, drawn.rounds)
    return drawn.marks.shapes(drawn.hits, drawn.chosen if saved else None, cells, why)


def title_of(drawn: Drawn) -> str:
    """The metric and its score, and what the score is after the rounds that are shown."""
    result = drawn.result
    so_far = score_so_far(drawn)
    after = f", {theme.score_text(so_far)} after {_rounds(drawn)}" if so_far is not None else ""
    return f"{metrics.METRICS[result.metric].label} {theme.score_text(result.score)}{after}"


def _rounds(drawn: Drawn) -> str:
    return theme.plural(drawn.rounds or 0, "round")


def score_so_far(drawn: Drawn) -> float | None:
    """The score of the rounds that are shown alone; None where all are, or where they are moves and no matches."""
    result, rounds = drawn.result, drawn.rounds
    later = [layer for layer in result.layers if rounds and (layer.number or 0) > rounds]
    if not later or isinstance(later[0].marks[0], Shift):
        return None
    sooner = [layer for layer in result.layers if layer not in later]
    # A statistic of all rounds together is what the shown ones add to it.
    left = {
        name: math.fsum([layer.total() for layer in sooner if name in layer.statistics])
        for name in {name for layer in later for name in layer.statistics}
    }
    return metrics.METRICS[result.metric].from_stats({**result.stats, **left}, result.settings).score


def drawing(drawn: Picture, kind: str, key: bool = True) -> str:
    legend = svg.legend(drawn) if key else ""
    return f'<div class="drawing {kind}">{svg.inline(drawn)}</div>{legend}'


# ---------------------------------------------------------------- inspector


def inspector(drawn: Drawn) -> str:
    """Formula, terms, references, and the signature."""
    remark = f'<p class="note">{_code(drawn.remark)}</p>' if drawn.remark else ""
    rounds = round_text(drawn)
    said = f'<p class="note round">{escape(rounds)}</p>' if rounds else ""
    return "".join(
        [
            score_line(drawn),
            f'<div class="formula">{formula.mathml(drawn.formula, formula.Look(room=LETTERS))}</div>',
            remark,
            said,
            ties_line(drawn),
            terms_table.html(drawn),
            references_table(drawn),
            charts.lengths(drawn.result),
            f'<p class="sig">{signature_html(drawn.texts, drawn.result)}</p>',
        ]
    )


def score_line(drawn: Drawn) -> str:
    """The metric's name and score, and the parts of the score."""
    result = drawn.result
    metric = metrics.METRICS[result.metric]
    parts = "".join(
        f"<div><dt>{escape(name.replace('_', ' '))}</dt><dd>{_part(result, name)}</dd></div>" for name in result.parts
    )
    so_far = score_so_far(drawn)
    after = f"<div><dt>after {_rounds(drawn)}</dt><dd>{formula.shown(so_far)}</dd></div>" if so_far is not None else ""
    return (
        f'<div class="score"><p><span>{escape(metric.label)}</span> <b>{theme.score_text(result.score)}</b></p>'
        f"<dl>{after}{parts}</dl></div>"
    )


def _part(result: Result, name: str) -> str:
    """A part of a score as it is printed; "off" where the setting of its name switches it off."""
    return "off" if getattr(result.settings, name, None) is False else formula.shown(result.parts[name])


def _code(text: str) -> str:
    """A sentence with what stands in backticks as a command to type."""
    return "".join(f"<code>{escape(part)}</code>" if n % 2 else escape(part) for n, part in enumerate(text.split("`")))


def sees(result: Result) -> str:
    """What the metric rewards, and what it cannot see."""
    told = metrics.METRICS[result.metric].about
    pairs = (("Rewards", told.rewards), ("Cannot see", told.unseen))
    return "".join(f"<p><b>{name}</b> {escape(text)}</p>" for name, text in pairs if text)


def about(result: Result, offer: str = "") -> str:
    """All matches as text, which the script writes when it is opened, and what there is to know about the metric."""
    metric = metrics.METRICS[result.metric]
    told = metric.about
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in told.text)
    defined = formula.mathml(notation.steps(told.formula))
    more = f'<p class="offer"><button type="button" data-open="learn">{escape(offer)}</button></p>' if offer else ""
    return (
        '<details class="as-text"><summary>Matches as text</summary><pre></pre></details>'
        f'<section class="about"><h2>About {escape(metric.label)}</h2>'
        f'<div>{text}<div class="defined">{defined}</div></div>'
        f"<div>{sees(result)}<p><b>Source</b> {escape(metric.citation)}</p>{more}</div></section>"
    )


def references_table(drawn: Drawn) -> str:
    """The score with each reference alone and, where credits add up, what its marks add, of several references."""
    result = drawn.result
    if len(result.segment.references) < 2:
        return ""
    parts = result.contributions() if result.adds_up() else ()
    head = f"<tr><th>Reference</th><th>Score with it alone</th>{'<th>Credit used here</th>' if parts else ''}</tr>"
    labels = [words.reference_label(result, k) for k in range(len(drawn.alone))]
    return references_rows(labels, [(parts, drawn.alone)], head)


def references_rows(labels: Sequence[str], sides: Sequence[tuple[Sequence[float], Sequence[str]]], head: str) -> str:
    """A row for each reference: its label, and for each side the score with it alone and what its marks add, of all
    that is added; no such part where a side has none."""
    rows = []
    for k, label in enumerate(labels):
        cells = [
            f"<td>{escape(alone[k])}</td>" + (f"<td>{parts[k]:.4g} of {math.fsum(parts):.4g}</td>" if parts else "")
            for parts, alone in sides
        ]
        rows.append(f"<tr><td>{label}</td>{''.join(cells)}</tr>")
    return f'<table class="rf"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'


def signature_html(texts: Texts, result: Result) -> str:
    """A result's signature as HTML that may break after its bars."""
    text = result.signature(texts.settings.signature())
    return theme.safe(text, 2_000).replace("|", "|<wbr>")


# ---------------------------------------------------------------- ties and rounds


def ties_line(drawn: Drawn) -> str:
    """How many alignments are as good as the one shown; the page puts its steps and its switch beside it."""
    ties = drawn.ties
    if not ties or (ties.count < 2 and ties.exact):
        return ""
    says = escape(ties_text(ties, drawn.tie))
    return f'<div class="ties" data-count="{len(ties.results)}" data-at="{drawn.tie}"><p class="note">{says}</p></div>'


def ties_text(ties: Ties, at: int) -> str:
    """In words how many alignments are equally good, which one is shown, and what that means for the score."""
    if ties.count < 2:
        return "Whether other alignments are as good was not searched: there are too many ways through this sentence."
    count = theme.many(ties.count) if ties.exact else f"At least {theme.many(ties.count)}"
    few = f" of the first {len(ties.results)}" if 1 < len(ties.results) < ties.count else ""
    scores = sorted({result.score for result in ties.results})
    if not ties.depends:
        means = "The score is the same for all" + ("" if ties.exact else " that were found")
    elif scores[-1] - scores[0] > 1e-12:
        # As many digits as tell all of them apart, but for those that differ by rounding.
        steps = [b - a for a, b in pairwise(scores) if b - a > 1e-12]
        digits = max(3, min(12, math.ceil(-math.log10(min(steps)))))
        least, most, here = (f"{score:.{digits}f}" for score in (scores[0], scores[-1], ties.results[at].score))
        means = f"The score depends on the choice: from {least} to {most}, here {here}"
    else:
        means = "The score may depend on the choice"
    return (
        f"{count} alignments are equally good, and the metric could take any of them; number {at + 1}{few} is shown. "
        f"{means}."
    )


def round_text(drawn: Drawn) -> str:
    """What the last of the shown rounds took, or the last of the shown shifts moved; "" without rounds."""
    result, rounds = drawn.result, drawn.rounds
    if rounds is None:
        return ""
    layer = next(x for x in result.layers if x.number == rounds)
    if isinstance(layer.marks[0], Shift):
        return _shift_text(drawn, layer.marks[0])
    taken = {cell.i for mark in layer.marks for cell in mark.cells()}
    before = {c.i for c, number in drawn.marks.covered.items() if 0 < number < rounds}
    where = f" with reference {layer.marks[0].cells()[0].k + 1}" if len(drawn.texts.references) > 1 else ""
    noun = layer.name.partition(" ")[0].capitalize()
    return (
        f"{noun} {rounds} takes {theme.plural(len(taken), 'word')}{where}: its credits sum to "
        f"{sum(layer.credits):.3f} and weigh {layer.weight:.4g}. "
        f"{theme.plural(len(before), 'candidate word')} retired before."
    )


def _shift_text(drawn: Drawn, shift: Shift) -> str:
    """Which words a shift moves, and where they then stand."""
    shown, result, number = drawn.texts.candidate_words, drawn.result, drawn.rounds
    order = list(range(len(shown)))
    for layer in result.layers:
        mark = layer.marks[0] if layer.number else None
        if isinstance(mark, Shift) and mark != shift:
            order = mark.apply(order)
        elif mark == shift:
            break
    rest = [*order[: shift.start], *order[shift.end :]]
    moved = " ".join(theme.visible(shown[i]) for i in shift.rows[:12]) + (" …" if len(shift.rows) > 12 else "")
    where = f"before “{theme.visible(shown[rest[shift.to]])}”" if shift.to < len(rest) else "to the end"
    return f"Shift {number} moves “{moved}” {where}."
