"""Format numbers as pages and files show them."""

from __future__ import annotations

import math

from metrics import formula, types

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


score_text = types.score_text


def change_text(value: float, decimals: int = 3) -> str:
    """Format a difference of scores with its sign, a true minus; small differences keep two digits.

    >>> change_text(0.0912), change_text(-12.345), change_text(0.000123), change_text(-1e-9), change_text(0.0)
    ('+0.091', '−12.35', '+0.00012', '−1.0 × 10⁻⁹', '0')
    """
    size = abs(value)
    if not size:
        return "0"
    text = score_text(size, decimals)
    if size < 0.5 * 10**-decimals:
        digits, _, power = f"{size:.1e}".partition("e-")
        tiny = f"{digits} × 10⁻{str(int(power)).translate(_SUPERSCRIPTS)}"
        text = tiny if int(power) > 5 else f"{size:.{int(power) + 1}f}"
    return ("+" if value > 0 else "−") + text


def fraction_text(value: float) -> str:
    """Format a share from 0 to 1 with two digits: `.59`, `1.0`."""
    return f"{value:.2f}".removeprefix("0") if value < 0.995 else f"{value:.1f}"


def positions_text(first: int, count: int) -> str:
    """Format the positions of `count` words as they are shown, from 1: `5–8`, or `5`.

    `first` is the position of the first word, from 0."""
    return f"{first + 1}–{first + count}" if count > 1 else str(first + 1)


def large_count_text(count: int) -> str:
    """Format a count that may have hundreds of digits; from a thousand million on it is approximated.

    >>> large_count_text(1234), large_count_text(2**120)
    ('1,234', 'about 1.3 × 10³⁶')
    """
    if count < 10**9:
        return f"{count:,}"
    # Python refuses to write numbers of more than 4,300 digits; their logarithm is available and fast.
    power = int(math.log10(count))
    if 10**power > count:
        power -= 1
    leading = count * 10 // 10**power / 10
    return f"about {leading:.1f} × 10{str(power).translate(_SUPERSCRIPTS)}"


def count_text(count: int, noun: str) -> str:
    """Format a count with its noun, in the plural if it is not 1: `1 word`, `1,200 words`."""
    return f"{count:,} {formula.plural(count, noun)}"
