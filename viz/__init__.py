"""Pictures of results. Importing it lets a notebook show a result as its picture; `steps` shows how it is found, and
`edits` what the edits between two texts are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from metrics.types import Result

if TYPE_CHECKING:
    from .save.notebook import Edits, Steps


def steps(
    key: str,
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    picture: Literal["grid", "arcs"] | None = None,
    **given: Any,
) -> Steps:
    """The steps of the paper's own program, as `metrics.trace` gives them; a notebook shows them as a player.

    `picture` chooses between the grid and arcs or lines, where the steps have both; None takes what the page does.

    >>> steps("gtm", ["a", "b"], [["a", "b"]]).walk.trace.metric
    'gtm'
    """
    from .save import notebook

    return notebook.Steps(key, candidate, references, picture, **given)


def edits(
    key: str, candidate: Sequence[str], other: Sequence[str], references: Sequence[Sequence[str]], **given: Any
) -> Edits:
    """The edits from a candidate to another text, as `metrics.edits` gives them; a notebook shows them as one line and
    as a table of what each is worth to every metric.

    >>> edits("wer", ["a", "b"], ["a", "c"], [["a", "c"]]).pair.after.score
    0.0
    """
    from .save import notebook

    return notebook.Edits(key, candidate, other, references, **given)


def _repr_html_(result: Result) -> str:
    from .save import notebook

    return notebook.html(result)


Result._repr_html_ = _repr_html_  # type: ignore[attr-defined]
