"""Formats numbers, and counts with their nouns, for display."""

from __future__ import annotations

#: Translation tables to superscript and subscript digits.
RAISED = str.maketrans("0123456789n", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def format_number(value: float, digits: int = 3) -> str:
    """Return a number as the page prints it: whole numbers without decimals, others with `digits`; a true minus sign.

    >>> format_number(4.0), format_number(4.69041576), format_number(-0.5)
    ('4', '4.690', '−0.500')
    """
    text = str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.{digits}f}"
    return text.replace("-", "−")


def plural(count: float, noun: str) -> str:
    """Return a noun in the singular or plural, as it fits the count.

    >>> plural(1, "pair"), plural(0, "pair"), plural(2, "match")
    ('pair', 'pairs', 'matches')
    """
    if count == 1 or not noun:
        return noun
    if noun.endswith("ry"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("ch") else f"{noun}s"


def count_with_noun(count: float, noun: str) -> str:
    """Return a count with its noun.

    >>> count_with_noun(1, "word"), count_with_noun(8, "word"), count_with_noun(12000, "word")
    ('1 word', '8 words', '12,000 words')
    """
    return f"{f'{count:,.0f}' if count >= 1000 else format_number(count)} {plural(count, noun)}"
