"""Make the table of terms of a result, in which each row is one mark and one addend of the formula, also as CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import metrics
from metrics import formula
from metrics.text import csv_cell, describe_excess
from metrics.types import (
    Hit,
    Letters,
    Mark,
    Neighbours,
    Result,
    Run,
    Shift,
    SkipBigram,
    isolate_right_to_left,
    remove_isolates,
)
from metrics.types.work import spend

from ..pen.marks import count_terms, match_reason, terms
from ..pen.numbers import positions_text as shown_positions
from ..pen.shapes import Term
from ..pen.text import isolated, visible

Words = Sequence[str]


class TermRow(NamedTuple):
    """A row of the table of terms.

    Attributes:
        layer: name of the term's layer.
        term: words of the term.
        words: positions of the words, counted from 1.
        credit: credit of the term as a written-out calculation.
        value: value of the credit.
        note: remark on the term, or "".
        of: the term itself: its mark, and the indices of its layer and in it."""

    layer: str
    term: str
    words: str
    credit: str
    value: float
    note: str
    of: Term


def formula_steps_of(result: Result) -> tuple[formula.FormulaStep, ...]:
    """Return the steps of the metric's formula from credits to score."""
    return metrics.METRICS[result.metric].formula(result)


def term_rows(
    candidate: Words,
    references: Sequence[Words],
    result: Result,
    rounds: int | None = None,
    most: int | None = None,
    formula_steps: Sequence[formula.FormulaStep] | None = None,
) -> list[TermRow]:
    """Return the rows of the table of terms, layer by layer, at most `most` of them.

    `candidate` and `references` are the words to show. `rounds` is how many of the numbered layers are included, or
    None for all. `formula_steps` are the steps of the formula, if already known."""
    credits = {
        inner.layer: inner.credits
        for step in formula_steps or formula_steps_of(result)
        for form in step.forms
        for inner in formula.credit_sums(form)
    }
    several = len(references) > 1
    out = []
    for term in islice(terms(result, rounds), most):
        layer, t, mark = term
        spend(10)
        value, cut = result.layers[layer].credits[t], result.layers[layer].cut
        credit = formula.text(credits[layer][t]) if layer in credits else formula.format_number(value)
        out.append(
            TermRow(
                result.layers[layer].name,
                pair_text(candidate, references, result, mark),
                positions_text(mark, several),
                credit,
                value,
                cut.why if cut and cut.t == t else _mark_note(result, mark),
                term,
            )
        )
    return out


def _mark_note(result: Result, mark: Mark) -> str:
    """Return a note on a mark: why two different words match, or that two words match one reference word; else ""."""
    if isinstance(mark, Hit):
        return match_reason(result, mark)
    return "both on the same reference word" if isinstance(mark, SkipBigram) and mark.first.j == mark.second.j else ""


def pair_text(candidate: Words, references: Sequence[Words], result: Result, mark: Mark) -> str:
    """Return the words of a mark as text; where they match other words of the reference, these follow after "~"."""
    ours, segment = term_text(candidate, references, mark), result.segment
    if not isinstance(mark, Hit | Run):
        return ours
    cells = mark.cells()
    if all(segment.candidate[i] == segment.references[k][j] for i, k, j in cells):
        return ours
    return f"{ours} ~ {_words_text(references[mark.k], mark.j, len(cells))}"


def noted_pair_text(candidate: Words, references: Sequence[Words], result: Result, mark: Mark) -> str:
    """Return the words of a mark as text, with a note in parentheses on why they match, where they differ."""
    text, note = pair_text(candidate, references, result, mark), _mark_note(result, mark)
    return f"{text} ({note})" if note else text


def term_text(candidate: Words, references: Sequence[Words], mark: Mark) -> str:
    """Return the words of a mark as text: the candidate's words, and for an error also the reference's."""
    if isinstance(mark, Hit):
        return isolated(candidate[mark.i])
    if isinstance(mark, Run):
        return _words_text(candidate, mark.i, math.ceil(mark.length))
    if isinstance(mark, SkipBigram):
        return f"{isolated(candidate[mark.first.i])} … {isolated(candidate[mark.second.i])}"
    if isinstance(mark, Neighbours):
        return f"{term_text(candidate, references, mark.first)} → {term_text(candidate, references, mark.second)}"
    if isinstance(mark, Shift):
        moved = joined([candidate[i] for i in mark.rows[: _MOST + 1]])
        return f"{moved}, moved {'earlier' if mark.to < mark.start else 'later'}"
    if isinstance(mark, Letters):
        return isolate_right_to_left(_letters_text(candidate, mark))
    ours = _words_text(candidate, mark.i_start, mark.i_end - mark.i_start)
    theirs = _words_text(references[mark.k], mark.j_start, mark.j_end - mark.j_start)
    if mark.op == "substitution":
        return f"“{ours}” for “{theirs}”"
    return {"match": ours, "insertion": f"extra: {ours}", "deletion": f"missing: {theirs}"}[mark.op]


def _letters_text(candidate: Words, mark: Letters) -> str:
    """Return the matched letters of a mark as text, with a space where they continue in another word."""
    out, last = "", None
    for piece in mark.pieces[: 4 * _MOST]:
        letters = visible(candidate[piece.i][piece.at : piece.at + piece.length])
        out += letters if last in (None, piece.i) else f" {letters}"
        last = piece.i
    return out + (" …" if len(mark.pieces) > 4 * _MOST else "") or "␣"


_MOST = 12  # how many words of a mark are written out


def _words_text(sentence: Words, first: int, count: int) -> str:
    return joined(sentence[first : first + min(count, _MOST + 1)])


def joined(words: Words) -> str:
    """Return words joined by spaces; of more than _MOST words, the rest is cut off."""
    joined_words = " ".join([visible(word) for word in words[:_MOST]])
    return isolate_right_to_left(joined_words + (" …" if len(words) > _MOST else ""))


def positions_text(mark: Mark, several: bool) -> str:
    """Return the positions of a mark as text, candidate × reference, such as "2–3 × 4–5", counted from 1.

    With `several` references, the number of the reference follows."""
    if isinstance(mark, Hit):
        where, k = f"{mark.i + 1} × {mark.j + 1}", mark.k
    elif isinstance(mark, Run):
        count = math.ceil(mark.length)
        where, k = f"{shown_positions(mark.i, count)} × {shown_positions(mark.j, count)}", mark.k
    elif isinstance(mark, SkipBigram):
        a, b = mark
        where, k = f"{a.i + 1}, {b.i + 1} × {a.j + 1}, {b.j + 1}", a.k
    elif isinstance(mark, Neighbours):
        first, second = positions_text(mark.first, False), positions_text(mark.second, False)
        where, k = f"{first} → {second}", mark.first.k
    elif isinstance(mark, Shift):
        where, k = f"{_ranges_text(mark.rows)} × {shown_positions(mark.j, len(mark.rows))}", mark.k
    elif isinstance(mark, Letters):
        rows, columns = (
            ([*dict.fromkeys(places)] for places in zip(*[piece[:2] for piece in mark.pieces], strict=True))
            if mark.pieces
            else ([], [])
        )
        where, k = f"{_ranges_text(rows) or '␣'} × {_ranges_text(columns) or '␣'}", mark.k
    else:
        sides = ((mark.i_start, mark.i_end), (mark.j_start, mark.j_end))
        ours, theirs = [shown_positions(a, b - a) if b > a else "none" for a, b in sides]
        where, k = f"{ours} × {theirs}", mark.k
    return f"{where}, R{k + 1}" if several else where


def _ranges_text(rows: Sequence[int]) -> str:
    """Return positions as text, counted from 1 and in the order given, with successive ones as ranges.

    The words of a shift may come from different places.

    >>> _ranges_text((4, 5, 6)), _ranges_text((6, 2, 3))
    ('5–7', '7, 3–4')
    """
    starts = [n for n, row in enumerate(rows) if n == 0 or row != rows[n - 1] + 1]
    ends = [*starts[1:], len(rows)]
    return ", ".join([shown_positions(rows[a], b - a) for a, b in zip(starts, ends, strict=True)])


def csv_text(candidate: Words, references: Sequence[Words], result: Result, signature: str) -> str:
    """Return the table of terms as CSV text: the signature in a comment line, the terms, then the formula's steps.

    A cell that a spreadsheet would read as a formula gets an apostrophe in front. Raises ValueError for more than
    FILE_MOST terms."""
    check_term_count(result)
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([f"# {visible(signature, len(signature))}"])  # it may hold the name of a file
    writer.writerow(["layer", "term", "words", "credit", "value", "weight"])
    written = formula_steps_of(result)
    for row in term_rows(candidate, references, result, formula_steps=written):
        term = f"{row.term} ({row.note})" if row.note else row.term
        texts = row.layer, remove_isolates(term), row.words, row.credit
        writer.writerow([*map(csv_cell, texts), repr(row.value), repr(result.layers[row.of.layer].weight)])
    for step in written:
        writer.writerow(
            ["formula", csv_cell(step.name), "", csv_cell(formula.text(step.forms[0])), repr(step.value), ""]
        )
    return out.getvalue()


FILE_MOST = 200_000  # how many terms a file may hold


def check_term_count(result: Result) -> None:
    """Raise ValueError, with a sentence for the user, if a result has more terms than a file may hold."""
    count = count_terms(result)
    if count > FILE_MOST:
        raise ValueError(
            f"{describe_excess('The score', count, 'terms', FILE_MOST, 'a file holds')}; shorten the texts"
        )
