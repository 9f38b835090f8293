"""Two outputs over the same references as one piece of HTML: their grids, the grid of their difference, and the steps
from A's score to B's with the marks of each.

Everything is made of a `Pair`; page and file show the same. On one page stand words of A (`a3`), of B (`b4`), rows of
their difference (`d5`) and words of the references (`r0_2`), and the cells in which they meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from typing import NamedTuple

import metrics
from metrics import formula
from metrics.analysis.changes import Change, Difference, Place, Row
from metrics.types import Hit, Result
from viz.draw import differences, ledger, marks, picture, theme
from viz.draw.differences import Layout, Names, Words
from viz.draw.fragment import drawing, root
from viz.draw.grid import DIRECT, Window
from viz.draw.marks import Shape
from viz.draw.picture import Picture
from viz.draw.texts import Texts

CAUSES = {
    "matches": "Matches gained and lost",
    "order": "Word order",
    "contiguity": "Contiguity",
    "gaps": "Gaps",
    "edits": "Edits",
    "length": "Length and its penalty",
    "references": "Length of the references",
}
SIGNS = {"gained": "▲", "lost": "✕", "changed": "±"}
PIECES_MOST = 60  # marks of a step that the page lists; the CSV has all
NARROW = 480  # pixels below which the table of steps has no room for all columns
NOTHING = "Nothing changed that counts, so the scores are equal."


class Pair(NamedTuple):
    """Two outputs over the same references, a result of each, and what changed between them."""

    a: Texts
    b: Texts
    names: Names
    before: Result
    after: Result
    found: Difference
    steps: tuple[Change, ...]
    step: int | None
    """The number of the chosen step."""

    @property
    def delta(self) -> float:
        return self.after.score - self.before.score

    @property
    def higher_is_better(self) -> bool:
        return metrics.METRICS[self.before.metric].higher_is_better

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        return self.a.reference_words

    @property
    def labels(self) -> list[str]:
        """The words of the rows of the difference."""
        return differences.row_labels(self.a.candidate_words, self.b.candidate_words, self.found.rows)

    @property
    def long(self) -> bool:
        """Whether the texts are too long for pictures of whole grids."""
        return max(map(len, (self.a.candidate, self.b.candidate, *self.references))) > DIRECT

    @property
    def same_words(self) -> bool:
        return self.a.segment.candidate == self.b.segment.candidate

    def places(self) -> frozenset[Place]:
        """The cells of the chosen step."""
        return differences.places(self.steps[self.step], self.found.rows) if self.step is not None else frozenset()


def strips(pair: Pair, show: Sequence[str] = differences.CLASSES, diff: bool = True, part: Window | None = None) -> str:
    """The words of both in the classes of `show` and, if `diff`, the plain word diff, with their legends."""
    a, b, found = pair.a.candidate_words, pair.b.candidate_words, pair.found
    out = differences.strips(a, b, pair.before, pair.after, found, show, pair.names, pair.places(), part)
    out += differences.strip_legend(show)
    if diff:
        out += differences.diff_strip(a, b, found.rows, part) + differences.diff_legend(pair.names)
    return out


def fragment(pair: Pair, hits: Sequence[Sequence[Hit]], width: int, part: Window | None = None) -> str:
    """The grids of A and B, and below them their difference beside the steps, all with cells of one size.

    `hits` are all matches of A's and of B's grid; of long texts only those in the window of the difference, `part`.
    """
    fit = layout(pair, width, part)
    sections = [grid_section(name, number, drawn) for name, number, drawn in pictures(pair, hits, fit, part)]
    steps = f'<section class="ledger">{_ledger(pair, width // 2 if fit.beside else width)}</section>'
    look = "quad beside" if fit.beside else "quad"
    return root(pair.before.metric, f'<div class="{look}">{"".join(sections)}{steps}</div>')


# ---------------------------------------------------------------- the grids


class Grid(NamedTuple):
    """A grid with its heading, a name and a number; no picture where an output has no words."""

    name: str
    number: str
    picture: Picture | None


def layout(pair: Pair, width: int, part: Window | None = None) -> Layout:
    """One size of cells for all grids, or for what of them a window shows."""
    a, b, labels, references = pair.a.candidate_words, pair.b.candidate_words, pair.labels, pair.references
    if part:
        of_a, of_b = differences.windows(pair.found.rows, part)
        a, b = a[of_a.i : of_a.i + of_a.rows], b[of_b.i : of_b.i + of_b.rows]
        labels = labels[part.i : part.i + part.rows]
        references = (references[part.k][part.j : part.j + part.columns],)
    return differences.layout(a, b, labels, references, width)


def pictures(pair: Pair, hits: Sequence[Sequence[Hit]], fit: Layout, part: Window | None = None) -> Iterator[Grid]:
    """The grids of A, of B and of their difference."""
    rows, labels = pair.found.rows, pair.labels
    parts = (*differences.windows(rows, part), part) if part else (None, None, None)

    def drawn(words: Words, shapes: Sequence[Shape], window: Window | None) -> Picture:
        if window:
            return picture.window_on(words, pair.references, shapes, window, fit.cell, labels)
        return picture.picture_on(words, pair.references, shapes, fit.cell, fit.columns, room_for=labels)

    sides = zip("ab", pair.names, (pair.a, pair.b), (pair.before, pair.after), hits, parts, strict=False)
    for at, (side, name, texts, result, own, window) in enumerate(sides):
        score, shown = theme.score_text(result.score), None
        if texts.candidate:
            shown = drawn(texts.candidate_words, marks.shapes(result, own), window)
            shown = replace(picture.sided(shown, side, _along(pair, at)), title=f"Grid of {theme.visible(name)}")
        yield Grid(name, score, shown)
    shown = picture.sided(drawn(labels, differences.shapes(pair.found), parts[2]), "d", _along_rows(pair))
    title = "What changed between the two: cells that were kept, gained, lost and moved"
    yield Grid("Difference", theme.signed(pair.delta), replace(shown, title=title))


def _along_rows(pair: Pair) -> list[str]:
    """For each row of the difference, the names of its words."""
    return [" ".join(differences.names_of(row)) for row in pair.found.rows]


def _along(pair: Pair, side: int) -> list[str]:
    """For each word of one output, the names of the row of the difference and of the other output's word in it."""
    out = {}
    for number, row in enumerate(pair.found.rows):
        if (at := row[side]) is not None:
            others = [name for name in differences.names_of(row) if name[0] != "ab"[side]]
            out[at] = " ".join([f"d{number}", *others])
    return [out[at] for at in sorted(out)]


def grid_section(name: str, number: str, drawn: Picture | None) -> str:
    """A grid under its name and its number."""
    head = f'<div class="gh"><b><bdi>{theme.safe(name)}</bdi></b> {number}</div>'
    if drawn is None:
        return f'<section class="figure">{head}<p class="note">No words, so there is no grid.</p></section>'
    return f'<section class="figure">{head}{drawing(drawn, "grid")}</section>'


# ---------------------------------------------------------------- the steps


def exact(value: float) -> str:
    """A share with six decimals, its sign and a true minus.

    >>> exact(0.0910344), exact(-1e-16)
    ('+0.091034', '0')
    """
    return "0" if abs(value) < 5e-13 else f"{value:+.6f}".replace("-", "−")


def _ledger(pair: Pair, width: int) -> str:
    """From A to B: a row a step, grouped by cause, and the marks of the chosen step."""
    a, b = (f"<bdi>{theme.safe(name, 16)}</bdi>" for name in pair.names)
    head = f'<div class="gh"><b>From {a} to {b}</b></div>'
    signature = escape(pair.after.signature(pair.b.settings.signature()))
    foot = f'<p class="sig">{signature}</p>'
    if not pair.steps:
        return f'{head}<p class="note">{NOTHING}</p>{foot}'
    pieces = "".join(pieces_table(pair, number) for number in range(len(pair.steps)))
    return f"{head}{steps_table(pair, width < NARROW)}{_scheme(pair)}{pieces}{foot}"


def _scheme(pair: Pair) -> str:
    less = "" if pair.higher_is_better else " Less is better here."
    return (
        f'<p class="note">The steps add up to {exact(pair.delta)}. Each is the Shapley value of its change: what it '
        "adds to the score, averaged over all orders in which the changes could be made, so that none is favoured by "
        f"coming first.{less}</p>"
    )


def by_cause(steps: Sequence[Change]) -> Iterator[tuple[str, float, list[int]]]:
    """The steps that have one cause: what it is called, the sum of their shares, and their numbers."""
    for cause, members in groupby(range(len(steps)), lambda number: steps[number].cause):
        numbers = [*members]
        yield CAUSES[cause], math.fsum(steps[n].share for n in numbers), numbers


def steps_table(pair: Pair, narrow: bool) -> str:
    """A row for each step, which can be chosen: it has the names of its cells and words on all grids."""
    columns = ["Step", "Change", "Score"] if narrow else ["Step", "From", "To", "Change", "Score"]
    score, body = pair.before.score, []
    for cause, share, numbers in by_cause(pair.steps):
        body.append(
            f'<tr class="title"><th colspan="{len(columns) - 1}" scope="rowgroup">{cause}</th>'
            f'<td class="num">{exact(share)}</td></tr>'
        )
        for n in numbers:
            score += pair.steps[n].share
            body.append(_step_row(pair, n, score, narrow))
    head = "".join(f'<th scope="col"{_number(n)}>{name}</th>' for n, name in enumerate(columns))
    return (
        '<div class="terms"><table role="grid"><caption class="sr">Steps from A to B; choose one to see its cells'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _number(column: int) -> str:
    return ' class="num"' if column else ""


def _step_row(pair: Pair, number: int, score: float, narrow: bool) -> str:
    step = pair.steps[number]
    before, after = formula.shown(step.before), formula.shown(step.after)
    told = [f"{step.name}, {before} to {after}"] if narrow else [step.name, before, after]
    cells = [*told, exact(step.share), f"{score:.6f}"]
    body = "".join(f"<td{_number(n)}>{escape(text)}</td>" for n, text in enumerate(cells))
    return f'<tr class="term" {step_names(pair, number)} tabindex="-1" aria-selected="false">{body}</tr>'


def step_names(pair: Pair, number: int) -> str:
    """The attributes by which the script knows a step, and its cells and words on the grids of A, B and both."""
    step, rows = pair.steps[number], pair.found.rows
    places = sorted(differences.places(step, rows))
    cells = [f"d{p.row},{p.k},{p.j}" for p in places]
    cells += [f"{name},{p.k},{p.j}" for side in "ab" for p in places for name in _of_side(rows[p.row], side)]
    row_of = {name: n for n, row in enumerate(rows) for name in differences.names_of(row)}
    names: dict[str, None] = {}
    for piece in step.pieces:
        for name in marks.touched(piece.mark).names():
            own = f"{'a' if piece.kind == 'lost' else 'b'}{name[1:]}" if name.startswith("c") else name
            names[own] = None
            if own in row_of:
                names[f"d{row_of[own]}"] = None
    return f'data-term="step:{number}" data-cells="{" ".join(cells)}" data-words="{" ".join(names)}"'


def _of_side(row: Row, side: str) -> list[str]:
    return [name for name in differences.names_of(row) if name[0] == side]


# ---------------------------------------------------------------- the marks of a step


class PieceRow(NamedTuple):
    """A mark of a step: what happened to it, its words and cells, how its credit changed, and its share."""

    kind: str
    words: str
    cells: str
    credit: float
    share: float

    @property
    def said(self) -> str:
        """What happened, with its sign."""
        return f"{SIGNS[self.kind]} {self.kind}"


def piece_rows(pair: Pair, step: Change) -> list[PieceRow]:
    """The marks of a step in their order; the words of what was lost are A's."""
    several, out = len(pair.references) > 1, []
    for piece in step.pieces:
        texts = pair.a if piece.kind == "lost" else pair.b
        words = ledger.term_text(texts.candidate_words, pair.references, piece.mark)
        out.append(PieceRow(piece.kind, words, ledger.positions(piece.mark, several), piece.credit, piece.share))
    return out


def largest(rows: Sequence[PieceRow], most: int) -> tuple[list[PieceRow], str]:
    """The marks with the largest shares, and what to say of the others."""
    more = len(rows) - most
    said = f"and {theme.plural(more, 'more mark')}, all of them in the CSV" if more > 0 else ""
    return sorted(rows, key=lambda row: -abs(row.share))[:most], said


def pieces_table(pair: Pair, number: int) -> str:
    """The marks of a step, which are seen while it is chosen."""
    step, of = pair.steps[number], f'data-of="step:{number}"'
    if not step.pieces:
        return f'<p class="note pieces" {of}>No cells belong to this step: it follows from the lengths.</p>'
    rows, more = largest(piece_rows(pair, step), PIECES_MOST)
    body = "".join(
        f'<tr class="{row.kind}"><td>{row.said}</td><td><bdi>{theme.safe(row.words, 60)}</bdi></td>'
        f"<td>{escape(row.cells)}</td><td>{theme.signed(row.credit)}</td><td>{exact(row.share)}</td></tr>"
        for row in rows
    )
    note = f'<p class="more">{more}</p>' if more else ""
    return (
        f'<div class="pieces" {of}><table class="pc"><caption>{escape(step.name)}</caption><thead><tr><th>Mark</th>'
        f"<th>Words</th><th>Cells</th><th>Credit</th><th>Share</th></tr></thead><tbody>{body}</tbody></table>{note}"
        "</div>"
    )


# ---------------------------------------------------------------- references


def decisions(pair: Pair) -> str:
    """Which reference decided for A and for B, as HTML; "" where there is only one."""
    if len(pair.references) < 2:
        return ""
    ours, theirs = pair.before.decides, pair.after.decides
    parts = list(dict.fromkeys((*ours, *theirs)))
    if not parts:
        return "All references count for both."
    a, b = (f"<bdi>{theme.safe(name)}</bdi>" for name in pair.names)
    said = []
    for part in parts:
        k, m = ours.get(part), theirs.get(part)
        what = "" if part == "score" else f" for {'the ' if '_' in part else ''}{escape(part.replace('_', ' '))}"
        if k == m:
            said.append(f"Reference {(k or 0) + 1} decides both{what}.")
        else:
            was, now = ("no reference" if n is None else f"reference {n + 1}" for n in (k, m))
            said.append(f"<b>The decision moved{what}:</b> {a} is decided by {was}, {b} by {now}.")
    return " ".join(dict.fromkeys(said))
