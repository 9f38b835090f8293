"""Pictures of results. Importing it lets a notebook show a result as its picture; `steps` shows how it is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from metrics.types import Result

if TYPE_CHECKING:
    from .save.notebook import Steps


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


def _repr_html_(result: Result) -> str:
    from .save import notebook

    return notebook.html(result)


Result._repr_html_ = _repr_html_  # type: ignore[attr-defined]
