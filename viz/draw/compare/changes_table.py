"""The steps from A's score to B's as one table, whose rows have the bars of a waterfall and open to their marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from metrics import formula
from metrics.analysis.changes import ChangePiece, LedgerChange, grouped
from metrics.analysis.difference import DiffRow
from metrics.analysis.sentence import printed
from metrics.types import Result, signed

from ..evidence import ledger
from ..pen import theme
from ..pen.marks import touched
from ..pen.placed_shapes import px
from ..texts import ProcessedTexts
from . import differences, folding
from .differences import Words, side_of
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
PIECES_MOST = 60  # marks of a step that the page lists, equal ones counted as one; the CSV has all
ORDER_MOST = 5_000  # of a step of word order, whose pairs are the reason: all of them but in a long text
NO_MARKS = "No marks belong to this step: it follows from the lengths."
SCHEME = (
    "Each share is the Shapley value of its change: what it adds to the score, averaged over all orders in which the "
    "changes could be made, so that none is favoured by coming first."
)


class ScoreSteps(NamedTuple):
    """What a table of steps is made from: the texts and results of A and B, and the steps between their scores."""

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
        return self.a.reference_words


def exact(value: float) -> str:
    """A share with six decimals, its sign and a true minus.

    >>> exact(0.0910344), exact(-1e-16)
    ('+0.091034', '0')
    """
    return "0" if abs(value) < 5e-13 else f"{value:+.6f}".replace("-", "−")


def describe_step(change: LedgerChange) -> tuple[str, str, str]:
    """What a step is called, and both of its values: for a length how many words match nothing, where it is they that
    make it another one."""
    if change.unmatched is None:
        return change.name, *format_values(change)
    before, after = change.unmatched
    return f"unmatched {change.unit}s", f"{before}", f"{after}"


def format_values(change: LedgerChange) -> tuple[str, str]:
    """Both values with as many decimals as it takes to tell them apart, and true minus signs."""
    for digits in (2, 3, 4, 6):
        before, after = (formula.format_number(value, digits) for value in (change.before, change.after))
        if before != after or change.before == change.after:
            break
    return before, after


def by_cause(steps: Sequence[LedgerChange]) -> Iterator[tuple[str, float, list[int]]]:
    """The steps that have one cause: what it is called, the sum of their shares, and their numbers."""
    for cause, members in groupby(range(len(steps)), lambda number: steps[number].cause):
        numbers = [*members]
        one = steps[numbers[0]]
        name = describe_step(one)[0].capitalize() if one.cause == "length" else CAUSES[cause]
        yield name, math.fsum(steps[n].share for n in numbers), numbers


def in_print(units: int, digits: int, share: float) -> str:
    """A share in units of its last decimal as it is printed.

    >>> in_print(36, 3, 0.0364), in_print(0, 3, 0.0), in_print(0, 3, 0.00001)
    ('+0.036', '0', '≈ 0')
    """
    if units:
        return signed(units / 10**digits, digits)
    return "≈ 0" if exact(share) != "0" else "0"


# ---------------------------------------------------------------- the table


def table(way: ScoreSteps) -> str:
    """A row for each step, which can be chosen: it has the names of its cells and words on all grids. What belongs to
    a step is seen while it is chosen. Steps of one cause stand under its name where there are several."""
    bars, body = _bars(way), []
    digits, units = printed(way.steps, way.decimals)
    for cause, share, numbers in by_cause(way.steps):
        if len(numbers) > 1:
            tone, whole = _tone(share, way), sum([units[n] for n in numbers])
            body.append(
                f'<tr class="title"><th colspan="{len(COLUMNS) - 1}" scope="rowgroup">{cause}</th>'
                f'<td class="num {tone}">{in_print(whole, digits, share)}</td></tr>'
            )
        for number in numbers:
            share_shown = in_print(units[number], digits, way.steps[number].share)
            body += [_row(way, number, bars[number], share_shown), _opened(way, number)]
    return (
        '<div class="terms way"><table role="grid"><caption class="sr">Steps of the change; choose one to see its '
        f"cells, words and marks</caption><thead><tr>{_HEAD}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


class ChangeCell(NamedTuple):
    """A cell of the table: what stands in it, as HTML, what is said of it when it is pointed at, and its tone."""

    inside: str
    hint: str = ""
    tone: str = ""


class ChangeColumn(NamedTuple):
    """A column: its heading, the classes of its cells, by which style sheets and scripts know them, and the cell of a
    step, whose bar and whose share, as it is printed, it is given."""

    heading: str
    look: str
    shows: Callable[[ScoreSteps, LedgerChange, str, str], ChangeCell]

    def cell(self, way: ScoreSteps, step: LedgerChange, bar: str, share: str) -> str:
        cell = self.shows(way, step, bar, share)
        hint = f' title="{cell.hint}"' if cell.hint else ""
        return f'<td class="{f"{self.look} {cell.tone}".strip()}"{hint}>{cell.inside}</td>'


def _step(way: ScoreSteps, step: LedgerChange, bar: str, share: str) -> ChangeCell:
    name, before, after = describe_step(step)
    return ChangeCell(f'{escape(name)} <span class="ft">{before} → {after}</span>')


def _share(way: ScoreSteps, step: LedgerChange, bar: str, share: str) -> ChangeCell:
    return ChangeCell(share, exact(step.share), _tone(step.share, way))


COLUMNS = (
    ChangeColumn("Step", "what", _step),
    ChangeColumn("Change", "waterfall", lambda way, step, bar, share: ChangeCell(bar)),
    ChangeColumn("Share", "num share", _share),
)
_HEAD = "".join([f'<th scope="col" class="{column.look}">{column.heading}</th>' for column in COLUMNS])


def _row(way: ScoreSteps, number: int, bar: str, share: str) -> str:
    cells = [column.cell(way, way.steps[number], bar, share) for column in COLUMNS]
    return f'<tr class="term" {names(way, number)} tabindex="-1" aria-selected="false">{"".join(cells)}</tr>'


def _tone(share: float, way: ScoreSteps) -> str:
    """The class of what makes B better or worse, however little it is."""
    return "same" if not share else "better" if (share > 0) == way.higher_is_better else "worse"


def _bars(way: ScoreSteps) -> list[str]:
    """For each step its bar from the score so far to the next; the two lines are the scores of A and of B."""
    start, end = way.before.score, way.after.score
    ends = [start]
    for step in way.steps:
        ends.append(ends[-1] + step.share)
    low, high = min(*ends, end), max(*ends, end)
    span = high - low or 1.0

    def x(score: float) -> float:
        return 3 + 94 * (score - low) / span

    guides = "".join(
        f'<line x1="{px(x(score))}%" x2="{px(x(score))}%" y1="0" y2="100%"/>' for score in dict.fromkeys((start, end))
    )
    out = []
    for n, step in enumerate(way.steps):
        left_edge, right = sorted((x(ends[n]), x(ends[n + 1])))
        place = f'x="{px(left_edge)}%" width="{px(right - left_edge)}%" y="28%" height="44%"'
        shape = f'<rect class="{_tone(step.share, way)}" {place}/>'
        out.append(f'<svg class="wf" aria-hidden="true">{guides}{shape}</svg>')
    return out


def names(way: ScoreSteps, number: int) -> str:
    """The attributes by which the script knows a step, and its cells and words on the grids of A, B and both."""
    step = way.steps[number]
    numbers = {side: differences.row_of(way.rows, side) for side in differences.SIDES}
    cells: dict[str, None] = {}
    words: dict[str, None] = {}
    for piece in step.pieces:
        side = side_of(piece.kind)
        for i, k, j in piece.mark.cells():
            row = numbers[side][i]
            cells[f"d{row},{k},{j}"] = cells[f"{side}{i},{k},{j}"] = None
            # What changed its credit only is there in both.
            if piece.kind == "changed" and (at := way.rows[row].a) is not None:
                cells[f"a{at},{k},{j}"] = None
        for name in touched(piece.mark).names():
            words |= _word_names(way.rows, numbers, side, name)
    for side, positions in zip(differences.SIDES, (step.gone, step.came), strict=True):
        for at in positions:
            words |= _word_names(way.rows, numbers, side, f"c{at}")
    return f'data-term="step:{number}" data-cells="{" ".join(cells)}" data-words="{" ".join(words)}"'


def _word_names(
    rows: Sequence[DiffRow], numbers: Mapping[str, Mapping[int, int]], side: str, name: str
) -> dict[str, None]:
    """The names of a word of a mark, and of its row on the difference's grid."""
    if not name.startswith("c"):
        return {name: None}
    at = int(name[1:])
    return {f"{side}{at}": None, f"d{numbers[side][at]}": None}


def leads(steps: Sequence[LedgerChange]) -> differences.Leads:
    """To which step a mark of A or of B leads that has no cell of its own; to the last one that it belongs to."""
    return {
        (side_of(piece.kind), piece.mark): f"step:{number}"
        for number, step in enumerate(steps)
        for piece in step.pieces
    }


# ---------------------------------------------------------------- the marks of a step


class PieceRow(NamedTuple):
    """Marks of a step that look the same: what happened to them, how many they are, their words, the cells of the
    first, how the credit of all changed, their share, and whether it makes B better, None where it is 0."""

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
        """What happened, with the sign of what it does to the score."""
        sign = "±" if self.better is None else MARKS["better" if self.better else "worse"]
        return f"{sign} {self.word}"


def piece_rows(way: ScoreSteps, step: LedgerChange, group_equal: bool = True) -> list[PieceRow]:
    """The marks of a step in their order, equal ones together unless they are not to be counted; the words of what was
    lost are A's."""
    several, out = len(way.references) > 1, []
    groups: Sequence[Sequence[ChangePiece]] = (
        grouped(step.pieces, way.before, way.after) if group_equal else [(piece,) for piece in step.pieces]
    )
    for pieces in groups:
        first = pieces[0]
        texts, result = (way.a, way.before) if first.kind == "lost" else (way.b, way.after)
        out.append(
            PieceRow(
                first.word,
                len(pieces),
                ledger.noted(texts.candidate_words, way.references, result, first.mark),
                ledger.positions(first.mark, several),
                math.fsum([piece.credit for piece in pieces]),
                math.fsum([piece.share for piece in pieces]),
                first.better,
            )
        )
    return out


def largest(rows: Sequence[PieceRow], most: int) -> tuple[list[PieceRow], str]:
    """The marks with the largest shares, and what to say of the others."""
    more = sum(row.times for row in sorted(rows, key=lambda row: -abs(row.share))[most:])
    remark = f"and {theme.count_text(more, 'more mark')}, all of them in the CSV" if more > 0 else ""
    return sorted(rows, key=lambda row: -abs(row.share))[:most], remark


def _opened(way: ScoreSteps, number: int) -> str:
    """What belongs to a step, which is seen while it is chosen: the reason of an odd count, and its marks."""
    step = way.steps[number]
    parts = [f'<p class="note">{escape(step.why)}</p>'] if step.why else []
    if gone_or_came := _words_said(way, step):
        parts.append(f'<p class="note">{gone_or_came}</p>')
    if step.pieces:
        rows, more = largest(piece_rows(way, step), ORDER_MOST if step.cause == "order" else PIECES_MOST)
        parts.append(_pieces(rows, way.decimals) + (f'<p class="more">{more}</p>' if more else ""))
    elif not parts:
        parts.append(f'<p class="note">{NO_MARKS}</p>')
    # A box that scrolls in itself, by keys too, so that the next step stays in sight.
    box = f'<div class="marks" role="group" aria-label="What belongs to this step" tabindex="0">{"".join(parts)}</div>'
    return f'<tr class="pieces" data-of="step:{number}"><td colspan="{len(COLUMNS)}">{box}</td></tr>'


def _pieces(rows: Sequence[PieceRow], decimals: int) -> str:
    return f'<table class="pc"><tbody>{"".join([_piece(row, decimals) for row in rows])}</tbody></table>'


def _piece(row: PieceRow, decimals: int) -> str:
    times = f' <span class="n">× {row.times}</span>' if row.times > 1 else ""
    return (
        f'<tr><td class="fate {row.tone}">{row.label}</td><td class="what">{theme.word(row.words, 160)}{times}'
        f'<span class="at">{escape(row.cells)}</span></td>'
        f'<td class="num share" title="{exact(row.share)}">{theme.change_text(row.share, decimals)}</td></tr>'
    )


def _words_said(way: ScoreSteps, step: LedgerChange) -> str:
    """The words that went or came without a match, those that stand together as one, as HTML."""
    out = []
    for texts, positions, says in ((way.a, step.gone, "Gone"), (way.b, step.came, "New")):
        if positions:
            phrases = [" ".join(texts.candidate_words[start:end]) for start, end in folding.runs(positions, 1)]
            quoted_phrases = ", ".join([f"“<i><bdi>{theme.safe(phrase, 90)}</bdi></i>”" for phrase in phrases])
            out.append(f"{says} without a match: {quoted_phrases}.")
    return " ".join(out)
