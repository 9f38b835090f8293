"""Makes questions on tables of dynamic programming: the value of a cell, and which cell it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..types import Edit, Hit
from .asking import also, choice_question, no, numeric, right
from .records import AnswerVerdict, Question
from .steps import number, word

Values = Mapping[tuple[int, int], float]

#: The arrow of each direction of a way back, given as rows and columns back.
ARROWS = {(1, 0): "↑", (0, 1): "←", (1, 1): "↖"}


def cell_kind(values: Values, row: int, column: int, are_equal: bool) -> str:
    """Return the kind of a cell of a dynamic programming table, by its words and by the values of its neighbours.

    The first cell of each kind is always asked about."""
    if are_equal:
        return "equal words"
    above, left_value = values[row - 1, column], values[row, column - 1]
    return "even" if above == left_value else "above larger" if above > left_value else "left larger"


def lcs_cell_question(values: Values, row: int, column: int, ours: str, theirs: str, k: int) -> Question:
    """Return the question for the value of one cell in the table of the longest common subsequence.

    `values` has the filled cells; `ours` and `theirs` are the cell's candidate and reference word."""
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
        f"Different words: take the larger of {number(above)} above and {number(left_value)} on the left.",
        "Different words: take the larger of the cell above and the cell on the left.",
        [
            (corner + 1, f"Only equal words add 1, and {word(ours)} is not {word(theirs)}."),
            (larger + 1, f"Only equal words add 1, and {word(ours)} is not {word(theirs)}."),
            (min(above, left_value), "This is the smaller of the two. Take the larger one."),
        ],
    )


def edit_cell_question(values: Values, row: int, column: int, ours: str, theirs: str, k: int) -> Question:
    """Return the question for the value of one cell in the table of edit distances.

    `values` has the filled cells; `ours` and `theirs` are the cell's candidate and reference word."""
    corner, above, left_value = (values[at] for at in ((row - 1, column - 1), (row - 1, column), (row, column - 1)))
    text = f"What is d({row}, {column}), for {word(ours)} and {word(theirs)}?"
    least = min(corner, above, left_value)
    if ours == theirs:
        return numeric(
            text,
            corner,
            f"A hit costs nothing: take the corner's {number(corner)}.",
            "Equal words cost nothing: take the corner above and on the left.",
            [
                (corner + 1, f"{word(ours)} is a hit, and a hit costs nothing."),
                (min(above, left_value) + 1, "This is one edit too many. A hit costs nothing: take the corner."),
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


def origin_question(
    name: str, values: Values, row: int, column: int, good: Sequence[tuple[int, int]], taken_cell: tuple[int, int]
) -> Question:
    """Return the question from which neighbour a cell of a table got its value; `name` is what the question calls it.

    All neighbours in `good` explain the value; the program takes `taken_cell`. A neighbour above or on the left
    explains it by an equal value."""
    verdicts: dict[str, AnswerVerdict] = {}
    for (up, back), arrow in ARROWS.items():
        at = row - up, column - back
        if at == taken_cell:
            verdict = right(f"{arrow} explains the value.")
        elif at in good:
            verdict = also(f"{arrow} explains the value as well.")
        elif up and back:
            verdict = no("↖ is only for equal words, and these are different.")
        else:
            verdict = no(f"{arrow} has {number(values[at])}, not {number(values[row, column])}.")
        verdicts[table_cell_name(at)] = verdict
    text = f"From which cell did {name} get its value?"
    otherwise = no("Click the cell above, the one on the left, or the corner between them.")
    return Question(text, "cell", table_cell_name(taken_cell), verdicts, otherwise, optimal=len({*good, taken_cell}))


def table_cell_name(at: tuple[int, int]) -> str:
    """Return the name by which answers refer to the cell of a table at (row, column).

    >>> table_cell_name((2, 3))
    't:2,3'
    """
    return "t:{},{}".format(*at)


def way_back_question(
    values: Values, ours: tuple[str, ...], theirs: tuple[str, ...], edit: Edit, begin: int = 0
) -> tuple[Question | None, int]:
    """Return the question which edit is next on the way back through the table of edit distances.

    Also return how many answers are right. The way back starts at the end of the words `ours` and `theirs`; the program
    takes `edit`. It ends at the first `begin` words, which are matched already. At an edge of the table there is only
    one way, so the question is None."""
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
            name = f"↖ {word(ours[-1])} is a hit" if are_equal else f"↖ {word(ours[-1])} replaces {word(theirs[-1])}"
        else:
            name = f"↑ {word(ours[-1])} is extra" if up else f"← {word(theirs[-1])} is missing"
        if value is None or value + cost != end_value:
            text = "There is no cell: it is outside the beam."
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
                else also(f"{text}: another shortest script goes this way.")
            )
        choices.append((name, verdict))
    return choice_question(f"On the way back from d({row}, {column}): which edit is next?", choices), ways
