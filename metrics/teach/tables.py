"""Questions on tables: fill this cell, and from where it came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..types import Edit, Hit
from .asking import also, choosing, no, numeric, right
from .records import AnswerVerdict, Question
from .steps import number, word

Values = Mapping[tuple[int, int], float]

#: Where a way back may go, as rows and columns back, and its arrow.
ARROWS = {(1, 0): "↑", (0, 1): "←", (1, 1): "↖"}


def kind_of(values: Values, row: int, column: int, are_equal: bool) -> str:
    """What sort of cell this is: the first of each sort is always asked."""
    if are_equal:
        return "equal words"
    above, left_value = values[row - 1, column], values[row, column - 1]
    return "even" if above == left_value else "above larger" if above > left_value else "left larger"


def fill_lcs(values: Values, row: int, column: int, ours: str, theirs: str, k: int) -> Question:
    """Fill a cell of the table of the longest common subsequence."""
    corner, above, left_value = (values[at] for at in ((row - 1, column - 1), (row - 1, column), (row, column - 1)))
    text = f"What is c({row}, {column}), for {word(ours)} and {word(theirs)}?"
    larger = max(above, left_value)
    if ours == theirs:
        return numeric(
            text,
            corner + 1,
            f"Equal words add 1 to the corner: {number(corner)} + 1.",
            "Equal words add 1 to the corner above and on the left.",
            [
                (corner, f"This is the corner. {word(ours)} matches, which adds 1."),
                (larger + 1, "The 1 is added to the corner, not to the cell above or on the left."),
            ],
            (Hit(row - 1, k, column - 1),),
        )
    return numeric(
        text,
        larger,
        f"Different words: the larger of {number(above)} above and {number(left_value)} on the left goes on.",
        "Different words: the larger of the cell above and the cell on the left goes on.",
        [
            (corner + 1, f"Only equal words add 1, and {word(ours)} is not {word(theirs)}."),
            (larger + 1, f"Only equal words add 1, and {word(ours)} is not {word(theirs)}."),
            (min(above, left_value), "This is the smaller of the two. The larger one goes on."),
        ],
    )


def fill_edits(values: Values, row: int, column: int, ours: str, theirs: str, k: int) -> Question:
    """Fill a cell of the table of edit distances."""
    corner, above, left_value = (values[at] for at in ((row - 1, column - 1), (row - 1, column), (row, column - 1)))
    text = f"What is d({row}, {column}), for {word(ours)} and {word(theirs)}?"
    least = min(corner, above, left_value)
    if ours == theirs:
        return numeric(
            text,
            corner,
            f"A hit costs nothing: the corner's {number(corner)} goes on.",
            "Equal words cost nothing: the corner above and on the left goes on.",
            [
                (corner + 1, f"{word(ours)} is a hit, and a hit costs nothing."),
                (min(above, left_value) + 1, "This is an edit more. A hit costs nothing: take the corner."),
            ],
            (Hit(row - 1, k, column - 1),),
        )
    return numeric(
        text,
        least + 1,
        f"Different words: 1 more than the least of {number(corner)}, {number(above)} and {number(left_value)}.",
        "Different words: 1 more than the least of the corner, the cell above and the cell on the left.",
        [
            (least, f"{word(ours)} is not {word(theirs)}, so there is 1 edit more."),
            (corner + 1, "The corner is not the least of the three neighbours."),
            (above + 1, "The cell above is not the least of the three neighbours."),
            (left_value + 1, "The cell on the left is not the least of the three neighbours."),
        ],
    )


def came(
    name: str, values: Values, row: int, column: int, good: Sequence[tuple[int, int]], taken_cell: tuple[int, int]
) -> Question:
    """From which neighbour the cell `name` got its value: all that explain it are `good`, and one is taken.

    Above and on the left an equal value explains it.
    """
    verdicts: dict[str, AnswerVerdict] = {}
    for (up, back), arrow in ARROWS.items():
        at = row - up, column - back
        if at == taken_cell:
            verdict = right(f"{arrow} explains the value.")
        elif at in good:
            verdict = also(f"{arrow} explains the value as well.")
        elif up and back:
            verdict = no("↖ is the way of equal words, and these are different.")
        else:
            verdict = no(f"{arrow} has {number(values[at])}, not {number(values[row, column])}.")
        verdicts[cell_of(at)] = verdict
    text = f"From which cell did {name} get its value?"
    otherwise = no("Click the cell above, the one on the left, or the corner between them.")
    return Question(text, "cell", cell_of(taken_cell), verdicts, otherwise, optimal=len({*good, taken_cell}))


def cell_of(at: tuple[int, int]) -> str:
    """A cell of a table as an answer.

    >>> cell_of((2, 3))
    't:2,3'
    """
    return "t:{},{}".format(*at)


def back(
    values: Values, ours: tuple[str, ...], theirs: tuple[str, ...], edit: Edit, begin: int = 0
) -> tuple[Question | None, int]:
    """Which edit comes next on the way back from the end of these words, and how many would be as good.

    No way goes back behind the first `begin` words, which are matched already. At an edge of the table there is only
    one way, and nothing is asked.
    """
    row, column = len(ours), len(theirs)
    end_value = values[row, column]
    choices: list[tuple[str, AnswerVerdict]] = []
    ways = 0
    for up, back in ((1, 1), (1, 0), (0, 1)):
        at = row - up, column - back
        if min(at) < begin:
            continue
        are_equal = up and back and ours[-1] == theirs[-1]
        value, cost = values.get(at), 0 if are_equal else 1
        if up and back:
            name = f"↖ {word(ours[-1])} is a hit" if are_equal else f"↖ {word(ours[-1])} stands for {word(theirs[-1])}"
        else:
            name = f"↑ {word(ours[-1])} is too much" if up else f"← {word(theirs[-1])} is missing"
        if value is None or value + cost != end_value:
            text = "No cell is there: it is outside the beam."
            if value is not None:
                text = (
                    f"It would come from {number(value)}, which makes {number(value + cost)}, not {number(end_value)}."
                )
            verdict = no(text)
        else:
            ways += 1
            text = f"{number(value)} + {cost} = {number(end_value)}"
            mine = (edit.i_end - edit.i_start, edit.j_end - edit.j_start) == (up, back)
            verdict = (
                right(f"{text}: a shortest script goes this way.", edit)
                if mine
                else also(f"{text}: as short a script goes this way.")
            )
        choices.append((name, verdict))
    return choosing(f"On the way back from d({row}, {column}): which edit is next?", choices), ways
