"""The nodes of the syntax trees of filter expressions."""

from __future__ import annotations

from typing import NamedTuple


class FilterValue(NamedTuple):
    """A number in an expression, or the name of a number of each segment, with its position `at` in the expression."""

    at: int
    given: float | str


class FilterSum(NamedTuple):
    """The node for numbers that are added, or taken away where `negative` says so."""

    at: int
    parts: tuple[Value, ...]
    negative: tuple[bool, ...]


class FilterProduct(NamedTuple):
    """The node for numbers that are multiplied, or divided by where `inverse` says so."""

    at: int
    parts: tuple[Value, ...]
    inverse: tuple[bool, ...]


class FilterAbsolute(NamedTuple):
    """The node for `abs(…)`, a number without its sign."""

    at: int
    part: Value


class AllOf(NamedTuple):
    """The node for "and": it selects the segments that all of its parts select."""

    parts: tuple[Node, ...]


class AnyOf(NamedTuple):
    """The node for "or": it selects the segments that at least one of its parts selects."""

    parts: tuple[Node, ...]


class Not(NamedTuple):
    """The node for "not": it selects the segments that its part does not select."""

    part: Node


class FilterComparison(NamedTuple):
    """The node for comparisons such as `0.2 < gtm <= 0.3`; `orders` are the comparison operators."""

    values: tuple[Value, ...]
    orders: tuple[str, ...]


class Labelled(NamedTuple):
    """The node for `name = "label"`: it selects the segments that have this label."""

    at: int
    name: str
    label: str


class Has(NamedTuple):
    """The node for `has("…")`: it selects the segments where a text has the words in a row."""

    at: int
    texts: tuple[str, ...]
    sought: str


class Matches(NamedTuple):
    """The node for `matches("…")`: it selects the segments where a text matches a pattern."""

    at: int
    texts: tuple[str, ...]
    pattern: str


Value = FilterValue | FilterSum | FilterProduct | FilterAbsolute
Node = AllOf | AnyOf | Not | FilterComparison | Labelled | Has | Matches


def names_used(tree: Node | Value) -> frozenset[str]:
    """Return the names of numbers, labels and texts in a tree.

    >>> low = FilterComparison((FilterValue(0, 0.2), FilterAbsolute(6, FilterValue(10, "gtm"))), ("<",))
    >>> sorted(names_used(AllOf((low, Not(Has(23, ("a", "b"), "gtm"))))))
    ['a', 'b', 'gtm']
    """
    match tree:
        case AllOf(parts) | AnyOf(parts) | FilterComparison(parts) | FilterSum(_, parts) | FilterProduct(_, parts):
            return frozenset().union(*map(names_used, parts))
        case Not(part) | FilterAbsolute(_, part):
            return names_used(part)
        case FilterValue(_, given):
            return frozenset([given] if isinstance(given, str) else [])
        case Labelled(_, name):
            return frozenset([name])
        case Has(_, texts) | Matches(_, texts):
            return frozenset(texts)


def words_of_has_calls(tree: Node) -> list[str]:
    """Return the words that the calls of `has` in a syntax tree search for, except those below a "not".

    >>> words_of_has_calls(AllOf((Has(0, ("a", "b"), "a cat"), Not(Has(23, ("a", "b"), "dog")))))
    ['a cat']
    """
    match tree:
        case AllOf(parts) | AnyOf(parts):
            return [text for part in parts for text in words_of_has_calls(part)]
        case Has(_, _, text):
            return [text]
        case _:
            return []
