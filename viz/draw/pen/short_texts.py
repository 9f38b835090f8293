"""Cache results for short texts only, because a picture needs most of its words again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: The longest text that is cached. A visitor's word can be a megabyte long, and would be kept for a long time.
LONGEST = 200


def cache_short_texts(find: F) -> F:
    """Cache the last 8192 results of a function whose first argument is a text; a decorator.

    Results for texts of more than LONGEST letters are not cached."""
    cached_find = lru_cache(maxsize=8192)(find)

    @wraps(find)
    def look_up(text: str, *more: Any) -> Any:
        return cached_find(text, *more) if len(text) <= LONGEST else find(text, *more)

    return cast(F, look_up)
