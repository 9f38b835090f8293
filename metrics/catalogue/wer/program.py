"""Run WER step by step: the table of edit distances (Levenshtein 1966) cell by cell, then the way back.

The way back through the table gives the edits. The word error rate for translation is that of Nießen et al. (2000)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    Decision,
    GrowingTable,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    TableCell,
    choose_reference,
    count,
    number,
    of_reference,
    same_cells,
    unknown,
    word,
)
from ...types import Edit, Hit, Mark, Result, Segment, Settings, Tokens

CODE = PseudoCode(
    border="for each reference:  d(i, 0) ← i,  d(0, j) ← j",
    hit="xᵢ = yⱼ:  d(i, j) ← d(i−1, j−1)",
    edit="xᵢ ≠ yⱼ:  d(i, j) ← 1 + min(d(i−1, j−1), d(i−1, j), d(i, j−1))",
    rate="rate ← d(n, m) / max(m, 1)",
    best="keep the reference with the lowest rate, the first on ties",
    ends="back:  first the hits at the beginning and at the end",
    deletion="from the end:  d(i, j−1) < d(i, j):  ← yⱼ is missing",
    insertion="    else d(i−1, j) < d(i−1, j−1):  ↑ xᵢ is extra",
    diagonal="    else ↖ a hit or a substitution",
    result="WER ← (S + I + D) / (H + S + D)",
)


def edit_cells(candidate: Sequence[object], reference: Sequence[object]) -> Iterator[TableCell]:
    """Yield the cells of the table of edit distances, the border first and then row by row.

    Cell d(i, j) is the distance of the first i words of the candidate and the first j of the reference. A match costs
    nothing. Otherwise a cell came from all neighbours with the least value: the diagonal one, the one above, the one on
    the left.

    >>> [(cell.row, cell.column, cell.value, cell.came) for cell in edit_cells("a", "b")][-1]
    (1, 1, 1, ((0, 0),))
    """
    d = [[0] * (len(reference) + 1) for _ in range(len(candidate) + 1)]
    yield TableCell(0, 0, 0)
    for i in range(1, len(candidate) + 1):
        d[i][0] = i
        yield TableCell(i, 0, i, ((i - 1, 0),))
    for j in range(1, len(reference) + 1):
        d[0][j] = j
        yield TableCell(0, j, j, ((0, j - 1),))
    for i, ours in enumerate(candidate, 1):
        for j, theirs in enumerate(reference, 1):
            corner, above, left_cell = (i - 1, j - 1), (i - 1, j), (i, j - 1)
            if ours == theirs:
                d[i][j], came = d[i - 1][j - 1], [corner]
            else:
                least = min(d[a][b] for a, b in (corner, above, left_cell))
                d[i][j], came = 1 + least, [(a, b) for a, b in (corner, above, left_cell) if d[a][b] == least]
            yield TableCell(i, j, d[i][j], tuple(came))


def way_back(candidate: Sequence[object], k: int, reference: Sequence[object], sheet: GrowingTable) -> Iterator[Edit]:
    """Yield the edits of the shortest script that RapidFuzz finds, by going back through the full table word by word.

    `sheet` is the table, and `k` the reference's index. The hits with which both sentences begin come first, then the
    hits with which they end, from the end, and then the words between, from their end. Ties go to a missing word, then
    to an extra word; the extra word must leave a lower distance than the diagonal step."""
    n, m = len(candidate), len(reference)
    start = 0
    while start < min(n, m) and candidate[start] == reference[start]:
        yield Edit("match", start, start + 1, k, start, start + 1)
        start += 1
    i, j = n, m
    while min(i, j) > start and candidate[i - 1] == reference[j - 1]:
        i, j = i - 1, j - 1
        yield Edit("match", i, i + 1, k, j, j + 1)
    while i > start or j > start:
        if i == start or (j > start and sheet[i, j - 1].value < sheet[i, j].value):
            j -= 1
            yield Edit("deletion", i, i, k, j, j + 1)
        elif j == start or sheet[i - 1, j].value < sheet[i - 1, j - 1].value:
            i -= 1
            yield Edit("insertion", i, i + 1, k, j, j)
        else:
            i, j = i - 1, j - 1
            yield Edit("match" if candidate[i] == reference[j] else "substitution", i, i + 1, k, j, j + 1)


def steps(segment: Segment, settings: Settings, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of WER's program: each reference's table, the lowest rate, and the way back through its table."""
    candidate, references = segment
    n = len(candidate)
    sheets: list[GrowingTable] = []
    rates: list[float] = []
    for k, reference in enumerate(references):
        m = len(reference)
        sheet = GrowingTable("edits", n + 1, m + 1, k)
        sheets.append(sheet)
        cells = edit_cells(candidate, reference)
        for _ in range(n + m + 1):
            sheet.fill(next(cells))
        of = of_reference(k, segment)
        yield ProgramStep(
            f"With no words{of or ' of the other side'}, every word is an edit.",
            CODE["border"],
            table=sheet.snapshot(),
            score=min(rates, default=None),
            known_values={"m": m or 1, **unknown("WER")},
        )
        for cell in cells:
            sheet.fill(cell)
            yield _cell_step(cell, sheet, candidate, reference, min(rates, default=None))
        edits = sheet[n, m].value
        rates.append(edits / (m or 1))
        above = f"{count(edits, 'edit')} for {count(m, 'word')}{of}"
        yield ProgramStep(
            f"{above}: {number(rates[k])}." if m else f"{above}, which count as 1: {number(rates[k])}.",
            CODE["rate"],
            table=sheet.snapshot((n, m)),
            score=rates[k],
            known_values={"WER": rates[k]},
        )
    k, reason, *_, decision = choose_reference(rates, [() for _ in references], "has the lowest rate", min)
    reference, sheet = references[k], sheets[k]
    if decision:
        table = sheet.snapshot((n, len(reference)))
        known_numbers = {"m": len(reference) or 1, "WER": rates[k]}
        yield ProgramStep(
            reason, CODE["best"], table=table, score=rates[k], decision=decision, known_values=known_numbers
        )
    taken_marks: list[Mark] = []
    edit_counts: Counter[str] = Counter()
    for edit in way_back(candidate, k, reference, sheet):
        taken_marks.append(edit)
        edit_counts[edit.op] += 1
        yield _back_step(edit, sheet, Prefix(taken_marks), rates[k], candidate, reference, edit_counts)
    result = score()
    s, i, d, h = (edit_counts[op] for op in ("substitution", "insertion", "deletion", "match"))
    text = f"({s} + {i} + {d}) / ({h} + {s} + {d}) = {number(rates[k])}"
    if why := describe_wordless_texts(segment, k):
        below = f"({h} + {s} + {d})" if reference else "1"
        text = f"({s} + {i} + {d}) / {below} = {number(rates[k])}: {why}{'' if reference else ', so m counts as 1'}"
    elif not same_cells(taken_marks, result):
        text += "; the result draws another script, which is equally short"
    yield ProgramStep(
        f"{text}.",
        CODE["result"],
        taken_marks=Prefix(taken_marks),
        table=sheet.snapshot((n, len(reference))),
        score=rates[k],
        result=result,
        known_values={"S": s, "I": i, "D": d, "WER": rates[k]},
    )


def _cell_step(
    cell: TableCell, sheet: GrowingTable, candidate: Tokens, reference: Tokens, best: float | None
) -> ProgramStep:
    """Return the step that fills a cell of the table; `best` is the lowest rate of the earlier references."""
    i, j, value, _ = cell
    ours, theirs = candidate[i - 1], reference[j - 1]
    cell_text = f"d({i}, {j}): {word(ours)}"
    if ours == theirs:
        text = f"{cell_text} is a hit and costs nothing: {number(value)}, as in the corner."
        return ProgramStep(text, CODE["hit"], (Hit(i - 1, sheet.k, j - 1),), table=sheet.snapshot((i, j)), score=best)
    corner, above, left_value = (number(sheet[at].value) for at in ((i - 1, j - 1), (i - 1, j), (i, j - 1)))
    text = f"{cell_text} ≠ {word(theirs)}: 1 + min({corner}, {above}, {left_value}) = {number(value)}."
    return ProgramStep(text, CODE["edit"], table=sheet.snapshot((i, j)), score=best)


def _back_step(
    edit: Edit,
    sheet: GrowingTable,
    taken_marks: Sequence[Mark],
    rate: float,
    candidate: Tokens,
    reference: Tokens,
    edits: Mapping[str, int],
) -> ProgramStep:
    """Return the step of the way back that takes an edit; `edits` counts the edits taken so far by kind."""
    op, i, end, _, j, j_end = edit
    before, after = (number(sheet[at].value) for at in ((i, j), (end, j_end)))
    if op == "match":
        ends = edits["match"] == len(taken_marks)
        text = f"{word(candidate[i])} is a hit{' at an end of both' if ends else ''} and costs nothing."
        line = "ends" if ends else "diagonal"
    elif op == "substitution":
        text = f"{word(candidate[i])} replaces {word(reference[j])}: from {after} back to {before}."
        line = "diagonal"
    elif op == "insertion":
        text, line = f"{word(candidate[i])} is extra: from {after} back to {before}.", "insertion"
    else:
        text, line = f"{word(reference[j])} is missing: from {after} back to {before}.", "deletion"
    ways = [_edit_between(sheet.k, came, (end, j_end), candidate, reference) for came in sheet[end, j_end].came]
    options = tuple(dict.fromkeys([edit, *ways]))
    return ProgramStep(
        text,
        CODE[line],
        (edit,),
        taken_marks,
        table=sheet.snapshot((end, j_end)),
        score=rate,
        decision=Decision("way back", options) if len(options) > 1 else None,
        known_values={"S": edits["substitution"], "I": edits["insertion"], "D": edits["deletion"], **unknown("WER")},
    )


def _edit_between(k: int, to: tuple[int, int], start: tuple[int, int], candidate: Tokens, reference: Tokens) -> Edit:
    """Return the edit that leads from cell `to` to cell `start`, which is one step further on in the table.

    Cells are (row, column): the numbers of candidate and reference words read."""
    (i, j), (end, j_end) = to, start
    if i == end:
        return Edit("deletion", i, end, k, j, j_end)
    if j == j_end:
        return Edit("insertion", i, end, k, j, j_end)
    return Edit("match" if candidate[i] == reference[j] else "substitution", i, end, k, j, j_end)


PROGRAM = Program(lambda settings: CODE, steps)
