"""Draw the steps from A's score to B's as a table with waterfall bars.

A step is one cause of the difference with its share. Each row opens to the marks of its step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from metrics import formula
from metrics.analysis.changes import ChangePiece, LedgerChange, group_alike_pieces
from metrics.analysis.difference import DiffRow
from metrics.analysis.sentence import printed_steps
from metrics.types import Result, signed_text

from ..evidence import ledger
from ..pen.marks import touched_words
from ..pen.numbers import change_text, count_text
from ..pen.placed_shapes import px
from ..pen.text import bdi_word, safe
from ..texts import ProcessedTexts
from . import differences, folding
from .differences import Words, output_of_piece
from .scores import DECIMALS, MARKS

CAUSES = {
    "order": "Word order",
    "matches": "Matches",
    "contiguity": "Contiguity",
    "gaps": "Gaps",
    "edits": "Edits",
    "length": "Length",
    "penalty": "Penalty for the length",
    "references": "Length of the references",
}
PIECES_MOST = 60  # how many rows of marks the page lists for a step; the CSV file has all
ORDER_MOST = 5_000  # the same limit for a step of word order, whose pairs are its reason: only long texts exceed it
NO_MARKS = "No marks belong to this step: it follows from the lengths."
SCHEME = (
    "Each share is the Shapley value of its change: what it adds to the score, averaged over all orders in which the "
    "changes could be made, so that none is favoured by coming first. It is divided among the marks of the step in "
    "proportion to what they add to its count or take from it; the share of a mark of several words belongs to all of "
    "them together."
)


class ScoreSteps(NamedTuple):
    """The data for the table of the steps from A's score to B's.

    Attributes:
        a, b: the texts of A and of B.
        before, after: the results of A and of B.
        rows: the rows of the word diff of A and B.
        steps: the steps from A's score to B's, each with its cause and share.
        higher_is_better: whether a higher score is better.
        decimals: decimals of the printed scores."""

    a: ProcessedTexts
    b: ProcessedTexts
    before: Result
    after: Result
    rows: Sequence[DiffRow]
    steps: Sequence[LedgerChange]
    higher_is_better: bool
    decimals: int = DECIMALS

    @property
    def references(self) -> Sequence[Words]:
        """Return the words of each reference."""
        return self.a.reference_words


def exact_text(value: float) -> str:
    """Return a share as text with six decimals, its sign and a true minus; "0" where it is zero but for rounding.

    >>> exact_text(0.0910344), exact_text(-1e-16)
    ('+0.091034', '0')
    """
    return "0" if abs(value) < 5e-13 else f"{value:+.6f}".replace("-", "−")


def describe_step(change: LedgerChange) -> tuple[str, str, str]:
    """Return the name of a step, and as text the values that changed: A's and B's.

    For a length that changed because of unmatched words, the values are the numbers of unmatched words."""
    if change.unmatched is None:
        return change.name, *format_values(change)
    before, after = change.unmatched
    return f"unmatched {change.unit}s", f"{before}", f"{after}"


def format_values(change: LedgerChange) -> tuple[str, str]:
    """Return A's and B's value of a step as text, with as many decimals as it takes to tell them apart, at most six."""
    for digits in (2, 3, 4, 6):
        before, after = (formula.format_number(value, digits) for value in (change.before, change.after))
        if before != after or change.before == change.after:
            break
    return before, after


def group_steps_by_cause(steps: Sequence[LedgerChange]) -> Iterator[tuple[str, float, list[int]]]:
    """Yield the name, the summed share and the step indices of each group of successive steps with the same cause."""
    for cause, members in groupby(range(len(steps)), lambda number: steps[number].cause):
        numbers = [*members]
        one = steps[numbers[0]]
        name = describe_step(one)[0].capitalize() if one.cause == "length" else CAUSES[cause]
        yield name, math.fsum(steps[n].share for n in numbers), numbers


def printed_share(units: int, digits: int, share: float) -> str:
    """Return a share as text with `digits` decimals.

    `units` is the rounded share in units of its last decimal; all shares are rounded together, so that the printed ones
    sum to the printed difference. The exact `share` decides whether a rounded 0 is printed as "0" or "≈ 0".

    >>> printed_share(36, 3, 0.0364), printed_share(0, 3, 0.0), printed_share(0, 3, 0.00001)
    ('+0.036', '0', '≈ 0')
    """
    if units:
        return signed_text(units / 10**digits, digits)
    return "≈ 0" if exact_text(share) != "0" else "0"


# ---------------------------------------------------------------- the table


def steps_table_html(score_steps: ScoreSteps) -> str:
    """Return the table of the steps as HTML.

    `score_steps` has the steps. Each step has a row that the reader can select; the row names the cells and words to
    highlight on all grids. A second row with the marks of the step is visible while it is selected. A cause with
    several steps has a title row."""
    bars, body = _waterfall_bars(score_steps), []
    digits, units = printed_steps(score_steps.steps, score_steps.decimals)
    for cause, share, numbers in group_steps_by_cause(score_steps.steps):
        if len(numbers) > 1:
            tone, whole = _tone_class(share, score_steps), sum([units[n] for n in numbers])
            body.append(
                f'<tr class="title"><th colspan="{len(COLUMNS) - 1}" scope="rowgroup">{cause}</th>'
                f'<td class="num {tone}">{printed_share(whole, digits, share)}</td></tr>'
            )
        for number in numbers:
            share_shown = printed_share(units[number], digits, score_steps.steps[number].share)
            body.append(_step_row_html(score_steps, number, bars[number], share_shown))
            body.append(_detail_row_html(score_steps, number))
    return (
        '<div class="terms way"><table role="grid"><caption class="sr">Steps of the change; choose one to see its '
        f"cells, words and marks</caption><thead><tr>{_HEAD}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


#: The headings of the columns, by the CSS classes of their cells, by which style sheets and scripts find them.
COLUMNS = {"what": "Step", "waterfall": "Change", "num share": "Share"}
_HEAD = "".join([f'<th scope="col" class="{look}">{heading}</th>' for look, heading in COLUMNS.items()])


def _step_row_html(data: ScoreSteps, number: int, bar: str, share: str) -> str:
    """Return the row of step `number` as HTML; `bar` is its waterfall bar, and `share` its printed share."""
    step = data.steps[number]
    name, before, after = describe_step(step)
    return (
        f'<tr class="term" {step_attributes(data, number)} tabindex="-1" aria-selected="false">'
        f'<td class="what">{escape(name)} <span class="ft">{before} → {after}</span></td>'
        f'<td class="waterfall">{bar}</td>'
        f'<td class="num share {_tone_class(step.share, data)}" title="{exact_text(step.share)}">{share}</td></tr>'
    )


def _tone_class(share: float, score_steps: ScoreSteps) -> str:
    """Return the CSS class of a share: "better" or "worse" for B, however small it is, or "same" for exactly 0."""
    return "same" if not share else "better" if (share > 0) == score_steps.higher_is_better else "worse"


def _waterfall_bars(score_steps: ScoreSteps) -> list[str]:
    """Return the waterfall bar of each step as HTML, from the score before the step to the score after it.

    Two vertical lines show the scores of A and of B."""
    start, end = score_steps.before.score, score_steps.after.score
    ends = [start]
    for step in score_steps.steps:
        ends.append(ends[-1] + step.share)
    low, high = min(*ends, end), max(*ends, end)
    span = high - low or 1.0

    def x(score: float) -> float:
        return 3 + 94 * (score - low) / span

    guides = "".join(
        f'<line x1="{px(x(score))}%" x2="{px(x(score))}%" y1="0" y2="100%"/>' for score in dict.fromkeys((start, end))
    )
    out = []
    for n, step in enumerate(score_steps.steps):
        left_edge, right = sorted((x(ends[n]), x(ends[n + 1])))
        place = f'x="{px(left_edge)}%" width="{px(right - left_edge)}%" y="28%" height="44%"'
        shape = f'<rect class="{_tone_class(step.share, score_steps)}" {place}/>'
        out.append(f'<svg class="wf" aria-hidden="true">{guides}{shape}</svg>')
    return out


def step_attributes(score_steps: ScoreSteps, number: int) -> str:
    """Return the HTML attributes of the row of step `number`, by which the script highlights the step.

    They name the step, and its cells and words on the grids of A, of B and of the difference."""
    step = score_steps.steps[number]
    numbers = {side: differences.rows_by_position(score_steps.rows, side) for side in differences.SIDES}
    cells: dict[str, None] = {}
    words: dict[str, None] = {}
    for piece in step.pieces:
        side = output_of_piece(piece.kind)
        for i, k, j in piece.mark.cells():
            row = numbers[side][i]
            cells[f"d{row},{k},{j}"] = cells[f"{side}{i},{k},{j}"] = None
            # A mark of which only the credit changed is in both outputs.
            if piece.kind == "changed" and (at := score_steps.rows[row].a) is not None:
                cells[f"a{at},{k},{j}"] = None
        for name in touched_words(piece.mark).names():
            words |= _word_names(score_steps.rows, numbers, side, name)
    for side, positions in zip(differences.SIDES, (step.gone, step.came), strict=True):
        for at in positions:
            words |= _word_names(score_steps.rows, numbers, side, f"c{at}")
    return f'data-term="step:{number}" data-cells="{" ".join(cells)}" data-words="{" ".join(words)}"'


def _word_names(
    rows: Sequence[DiffRow], row_by_position: Mapping[str, Mapping[int, int]], side: str, name: str
) -> dict[str, None]:
    """Return the names, as keys, of a word and of its row on the grid of the difference.

    `name` is the word's name in a result, `c3` or `r0_2`; `side` is "a" or "b", the output of that result;
    `row_by_position` has the row of each word position, by side. A reference word has no row."""
    if not name.startswith("c"):
        return {name: None}
    at = int(name[1:])
    return {f"{side}{at}": None, f"d{row_by_position[side][at]}": None}


def steps_of_marks(steps: Sequence[LedgerChange]) -> differences.StepOfMark:
    """Return the name of the step (such as "step:2") that a click on a mark selects, by output and mark.

    Where a mark belongs to several steps, the last one is chosen."""
    return {
        (output_of_piece(piece.kind), piece.mark): f"step:{number}"
        for number, step in enumerate(steps)
        for piece in step.pieces
    }


# ---------------------------------------------------------------- the marks of a step


class MarkRow(NamedTuple):
    """A row of the marks of a step: one mark, or several that would look the same in the table.

    Attributes:
        word: what happened to the marks, such as "gained".
        times: number of the marks.
        words: the words of the first mark as text.
        cells: the positions of the first mark as text.
        credit: the summed change of credit.
        share: the summed share.
        better: whether the marks make B better, or None where the share is 0."""

    word: str
    times: int
    words: str
    cells: str
    credit: float
    share: float
    better: bool | None

    @property
    def tone(self) -> str:
        return "same" if self.better is None else "better" if self.better else "worse"

    @property
    def label(self) -> str:
        """Return what happened to the marks of this row, after a sign for better, worse or no change."""
        sign = "±" if self.better is None else MARKS["better" if self.better else "worse"]
        return f"{sign} {self.word}"


def mark_rows(score_steps: ScoreSteps, step: LedgerChange, group_equal: bool = True) -> list[MarkRow]:
    """Return the marks of a step as rows, in their order.

    With `group_equal`, marks that would look the same share a row. The words of lost marks are A's, all others B's."""
    several, out = len(score_steps.references) > 1, []
    groups: Sequence[Sequence[ChangePiece]] = (
        group_alike_pieces(step.pieces, score_steps.before, score_steps.after)
        if group_equal
        else [(piece,) for piece in step.pieces]
    )
    for pieces in groups:
        first = pieces[0]
        texts, result = (
            (score_steps.a, score_steps.before) if first.kind == "lost" else (score_steps.b, score_steps.after)
        )
        out.append(
            MarkRow(
                first.word,
                len(pieces),
                ledger.noted_pair_text(texts.candidate_words, score_steps.references, result, first.mark),
                ledger.positions_text(first.mark, several),
                math.fsum([piece.credit for piece in pieces]),
                math.fsum([piece.share for piece in pieces]),
                first.better,
            )
        )
    return out


def largest_rows(rows: Sequence[MarkRow], most: int) -> tuple[list[MarkRow], str]:
    """Return the `most` rows with the largest shares, and a remark on how many marks are left out, or ""."""
    more = sum(row.times for row in sorted(rows, key=lambda row: -abs(row.share))[most:])
    remark = f"and {count_text(more, 'more mark')}, all of them in the CSV" if more > 0 else ""
    return sorted(rows, key=lambda row: -abs(row.share))[:most], remark


def _detail_row_html(score_steps: ScoreSteps, number: int) -> str:
    """Return the table row with the details of step `number`, which is visible while the step is selected.

    It has the reason where a count of the step is not a whole number, the unmatched words, and the step's marks."""
    step = score_steps.steps[number]
    parts = [f'<p class="note">{escape(step.why)}</p>'] if step.why else []
    if gone_or_came := _unmatched_words_html(score_steps, step):
        parts.append(f'<p class="note">{gone_or_came}</p>')
    if step.pieces:
        rows, more = largest_rows(mark_rows(score_steps, step), ORDER_MOST if step.cause == "order" else PIECES_MOST)
        parts.append(_piece_table_html(rows, score_steps.decimals) + (f'<p class="more">{more}</p>' if more else ""))
    elif not parts:
        parts.append(f'<p class="note">{NO_MARKS}</p>')
    # The box scrolls on its own, also by keyboard, so that the next step stays in sight.
    box = f'<div class="marks" role="group" aria-label="What belongs to this step" tabindex="0">{"".join(parts)}</div>'
    return f'<tr class="pieces" data-of="step:{number}"><td colspan="{len(COLUMNS)}">{box}</td></tr>'


def _piece_table_html(rows: Sequence[MarkRow], decimals: int) -> str:
    return f'<table class="pc"><tbody>{"".join([_piece_row_html(row, decimals) for row in rows])}</tbody></table>'


def _piece_row_html(row: MarkRow, decimals: int) -> str:
    times = f' <span class="n">× {row.times}</span>' if row.times > 1 else ""
    return (
        f'<tr><td class="fate {row.tone}">{row.label}</td><td class="what">{bdi_word(row.words, 160)}{times}'
        f'<span class="at">{escape(row.cells)}</span></td>'
        f'<td class="num share" title="{exact_text(row.share)}">{change_text(row.share, decimals)}</td></tr>'
    )


def _unmatched_words_html(score_steps: ScoreSteps, step: LedgerChange) -> str:
    """Return the unmatched words of a step that are gone or new as HTML; adjacent words form one phrase."""
    out = []
    for texts, positions, says in ((score_steps.a, step.gone, "Gone"), (score_steps.b, step.came, "New")):
        if positions:
            phrases = [" ".join(texts.candidate_words[start:end]) for start, end in folding.fold_rows(positions, 1)]
            quoted_phrases = ", ".join([f"“<i><bdi>{safe(phrase, 90)}</bdi></i>”" for phrase in phrases])
            out.append(f"{says} without a match: {quoted_phrases}.")
    return " ".join(out)
