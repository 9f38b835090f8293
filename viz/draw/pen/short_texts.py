"""What is found of short texts is remembered: a picture asks for most of its words again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: Characters of a text that is remembered: a visitor's words can be a megabyte, and would be kept for long.
LONGEST = 200


def remembered(most: int) -> Callable[[F], F]:
    """Remember what a function gives of the last so many short texts, which are its first argument."""

    def of_short(find: F) -> F:
        cached_find = lru_cache(maxsize=most)(find)

        @wraps(find)
        def look_up(text: str, *more: Any) -> Any:
            return cached_find(text, *more) if len(text) <= LONGEST else find(text, *more)

        return cast(F, look_up)

    return of_short
