"""The views of a page: each is one record, which the page draws where its name is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class View:
    """A view of a page.

    Attributes:
        draw: draws it, from the arguments that all views of the page get.
        needs: returns whether a state of the page has the view; every state has it by default.
        files: makes its files for the menu Save, if that depends on the view."""

    draw: Callable[..., None]
    needs: Callable[[Any], bool] = lambda state: True
    files: Callable[..., Any] | None = None


def checked_views(labels: Mapping[str, str], views: Mapping[str, View]) -> Mapping[str, View]:
    """Return `views`. Raises ValueError unless they are those that the page's state names, in the same order.

    >>> checked_views({"table": "Table"}, {})
    Traceback (most recent call last):
    ValueError: the state names the views table, and these are drawn: none
    """
    if [*labels] != [*views]:
        named, drawn = ", ".join(labels), ", ".join(views) or "none"
        raise ValueError(f"the state names the views {named}, and these are drawn: {drawn}")
    return views
