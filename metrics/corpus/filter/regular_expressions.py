"""Compile regular expressions that visitors typed, within bounds on size and time."""

from __future__ import annotations

import math
import re
from typing import Any

from ...types.extras import extra_named_in_errors
from .tokens import FilterError

#: The largest compiled size of a regular expression, as `_compiled_size_bound` estimates it.
SIZE_MOST = 200_000


def compile_pattern(pattern: str, at: int) -> Any:
    """Return a compiled regular expression; raise FilterError at position `at` if it is invalid or too large."""
    with extra_named_in_errors():
        import regex

    if _compiled_size_bound(pattern) > SIZE_MOST:
        raise FilterError(at, "the regular expression repeats too much")
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise FilterError(at + (error.pos or 0), f"the regular expression cannot be read: {error.msg}") from error
    except (
        Exception
    ) as error:  # some faults are found only while the expression is compiled, each with an error of its own
        raise FilterError(at, "the regular expression cannot be read") from error


def _compiled_size_bound(pattern: str) -> float:
    """Return an upper bound of the size of a regular expression when compiled, in characters of its pattern.

    A repeated part is compiled as often as it must occur, and once more.

    >>> _compiled_size_bound("ab"), _compiled_size_bound("(ab)+"), _compiled_size_bound("(a{20})+")
    (2.0, 10.0, 320.0)
    """
    depth = deepest = 0
    for bracket in re.findall(r"\\.|[()]", pattern, re.DOTALL):
        depth += (bracket == "(") - (bracket == ")")
        deepest = max(deepest, depth)
    return len(pattern) * 2.0**deepest * math.prod([max(1.0, float(n)) for n in re.findall(r"\{(\d{1,9})", pattern)])
