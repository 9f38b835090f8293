"""The filter of segments by an expression, such as `gtm < 0.3 and length > 20 and not has("nicht")`.

    either  := both ("or" both)*
    both    := test ("and" test)*
    test    := "not" test | "(" either ")" | call | value (("<" | "<=" | "=" | "!=" | ">=" | ">") value)+
    call    := [text "."] ("has" | "matches") "(" string ")"
    value   := number | string | name

`has` looks for words in a row, and `matches` for a regular expression in the line as it was given. Without the name of
a text they look in both outputs. Names and the words of `has` ignore case. Numbers are equal if they agree to nine
decimals. The cost of an expression is bounded by its length, its depth and its running time.
"""

from __future__ import annotations

import math
import re
import time
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..types import Tokens
from ..types.extras import extra_named_in_errors
from .table import Array

Mask = NDArray[np.bool_]
T = TypeVar("T")

#: The most letters of an expression, and the deepest nesting of brackets and "not".
LETTERS_MOST, DEEPEST = 1_000, 32
#: The most seconds for an expression, and for a regular expression in one line, during which no other code runs.
SECONDS, LINE_SECONDS = 2.0, 0.05
#: The largest compiled size of a regular expression, as `_compiled_size_bound` estimates it.
SIZE_MOST = 200_000
DECIMALS = 9

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)
      | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[“„](?:[^“”\\]|\\.)*[“”])
      | (?P<sign><=|>=|==|!=|[<>=≤≥≠()]|[-−])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ORDERS: Mapping[str, Callable[[Array, Array], Mask]] = {
    "<": np.less,
    "<=": np.less_equal,
    "=": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
    ">": np.greater,
}
_SPELT = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
_WORDS = ("and", "or", "not")
_CALLS = ("has", "matches")
EITHER = ("a", "b")  # the texts that are searched where none is named: both outputs


class FilterError(ValueError):
    """The error for an expression that cannot be used.

    `at` is the position of the error in the expression, from 0, and `why` the reason. `usable_later` says that the
    expression can be used once more values are known, such as scores that are still being computed.
    """

    def __init__(self, at: int, why: str, usable_later: bool = False) -> None:
        super().__init__(f"at character {at + 1}: {why}")
        self.at, self.why, self.later = at, why, usable_later

    def with_caret(self, text: str) -> str:
        """Return the expression in one line and, below it, a caret at the position of this error.

        A wide letter counts as two columns.
        """
        wide = [2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text[: self.at]]
        return re.sub(r"\s", " ", text) + "\n" + " " * sum(wide) + "^"


class NotYetError(Exception):
    """The error for a name in an expression whose values are still being computed; its message says what is missing."""


class SearchableWords:
    """An index of the texts of each segment in which words in a row can be found; a segment may have several texts.

    `split` splits the words that are searched in the same way as the texts were split.
    """

    def __init__(
        self, texts: Iterable[Iterable[Tokens]], split: Callable[[str], Tokens] = lambda text: tuple(text.split())
    ) -> None:
        self._split = split
        # Every word lies between line feeds, and two of them separate texts, so only whole words of one text match.
        each = ["".join(map(_join_words, of)) for of in texts]
        self._ends = list(accumulate(map(len, each)))
        self._all = "".join(each)

    def segments_with(self, text: str) -> Mask:
        """Return a mask of the segments with a text that has the words of `text` in a row.

        The mask is all False if `text` has no word.
        """
        out, sought, at = np.zeros(len(self._ends), dtype=bool), _join_words(self._split(text)), 0
        if not sought.strip("\n"):
            return out
        while (at := self._all.find(sought, at)) >= 0:
            segment = bisect_right(self._ends, at)
            out[segment] = True
            at = self._ends[segment]
        return out


def _join_words(words: Tokens) -> str:
    """Return the words, each between line feeds, in a form that ignores case."""
    return "\n".join(["", *words, ""]).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterFacts:
    """The values of segments that a filter expression can use, by the names that it uses for them.

    Each value is a function without arguments, which raises NotYetError if the values are not known yet.

    Attributes:
        size: the number of segments.
        numbers: for each name, a function that returns one number for each segment.
        labels: for each name, a function that returns the labels of each segment, of which there may be none or
            several.
        words: for each name of a text, a function that returns its searchable words.
        lines: for each name of a text, a function that returns the lines of each segment, such as its references.
    """

    size: int
    numbers: Mapping[str, Callable[[], Array]] = field(default_factory=dict)
    labels: Mapping[str, Callable[[], Sequence[Collection[str]]]] = field(default_factory=dict)
    words: Mapping[str, Callable[[], SearchableWords]] = field(default_factory=dict)
    lines: Mapping[str, Callable[[], Sequence[Sequence[str]]]] = field(default_factory=dict)


# ---------------------------------------------------------------- trees


class AllOf(NamedTuple):
    """The node of a syntax tree for "and": it selects the segments that all of its parts select."""

    parts: tuple[Node, ...]


class AnyOf(NamedTuple):
    """The node of a syntax tree for "or": it selects the segments that at least one of its parts selects."""

    parts: tuple[Node, ...]


class Not(NamedTuple):
    """The node of a syntax tree for "not": it selects the segments that its part does not select."""

    part: Node


class FilterValue(NamedTuple):
    """A number in an expression, or the name of a number of each segment, with its position `at` in the expression."""

    at: int
    given: float | str


class FilterComparison(NamedTuple):
    """The node of a syntax tree for comparisons such as `0.2 < gtm <= 0.3`; `orders` are the comparison operators."""

    values: tuple[FilterValue, ...]
    orders: tuple[str, ...]


class Labelled(NamedTuple):
    """The node of a syntax tree for `name = "label"`: it selects the segments that have this label."""

    at: int
    name: str
    label: str


class Has(NamedTuple):
    """The node of a syntax tree for `has("…")`: it selects the segments where a text has the words in a row."""

    at: int
    texts: tuple[str, ...]
    sought: str


class Matches(NamedTuple):
    """The node of a syntax tree for `matches("…")`: it selects the segments where a text matches a pattern."""

    at: int
    texts: tuple[str, ...]
    pattern: str


Node = AllOf | AnyOf | Not | FilterComparison | Labelled | Has | Matches


class _Token(NamedTuple):
    """A token of a filter expression: its kind (such as "name" or "sign"), its text, and its position from 0."""

    kind: str
    text: str
    at: int


def parse_filter(text: str, facts: FilterFacts) -> Node:
    """Parse a filter expression and return its syntax tree.

    Raises FilterError for a syntax error, and for a name that is not in `facts`.
    """
    if len(text) > LETTERS_MOST:
        raise FilterError(LETTERS_MOST, f"an expression has at most {LETTERS_MOST:,} letters")
    return _Parser(text, facts).parse_expression()


def _tokenize(text: str) -> list[_Token]:
    """Split an expression into tokens, the last of which has the kind "end". Raises FilterError."""
    out, at = [], 0
    while text[at:].strip():
        token_match = _TOKEN.match(text, at)
        if token_match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            if text[at] in "\"'“„":
                raise FilterError(at, "these quotation marks are not closed")
            point = "; a fraction has a point" if text[at] == "," else ""
            raise FilterError(at, f"{_quote_start(text[at])} means nothing here{point}")
        kind = str(token_match.lastgroup)
        out.append(_Token(kind, token_match[kind], token_match.start(kind)))
        at = token_match.end()
    return [*out, _Token("end", "", len(text))]


class _Parser:
    """A recursive-descent parser for filter expressions."""

    def __init__(self, text: str, facts: FilterFacts) -> None:
        self.facts, self.tokens, self.at, self.depth = facts, _tokenize(text), 0, 0

    @property
    def next(self) -> _Token:
        """Return the next token of the expression without consuming it."""
        return self.tokens[self.at]

    def take(self) -> _Token:
        """Consume the next token and return it; the end token is returned but not consumed."""
        token = self.next
        self.at += token.kind != "end"
        return token

    def take_word(self, *words: str) -> bool:
        """Consume the next token and return True if it is one of the given words or signs; otherwise return False."""
        if self.next.kind in ("name", "sign") and self.next.text.casefold() in words:
            self.at += 1
            return True
        return False

    def parse_expression(self) -> Node:
        """Parse the whole expression and return its syntax tree. Raises FilterError if text remains."""
        tree = self.parse_or()
        if self.next.kind != "end":
            raise FilterError(self.next.at, f"expected and, or, or the end, not {_quote_start(self.next.text)}")
        return tree

    def parse_or(self) -> Node:
        """Parse one or more parts joined by "or" and return their syntax tree."""
        parts = [self.parse_and()]
        while self.take_word("or"):
            parts.append(self.parse_and())
        return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0]

    def parse_and(self) -> Node:
        """Parse one or more parts joined by "and" and return their syntax tree."""
        parts = [self.parse_test()]
        while self.take_word("and"):
            parts.append(self.parse_test())
        return AllOf(tuple(parts)) if len(parts) > 1 else parts[0]

    def parse_test(self) -> Node:
        """Parse a negation, an expression in brackets, a call or a comparison, and return its syntax tree."""
        token = self.next
        if self.take_word("not", "("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise FilterError(token.at, f"at most {DEEPEST} brackets and nots can be within each other")
            tree = self.parse_or() if token.text == "(" else Not(self.parse_test())
            self.depth -= 1
            if token.text == "(" and not self.take_word(")"):
                raise FilterError(self.next.at, f"the bracket of character {token.at + 1} is not closed")
            return tree
        name = token.text.casefold()
        if token.kind == "name" and name.rpartition(".")[2] in _CALLS and name not in self.facts.numbers:
            return self.parse_call(name)
        return self.parse_comparison()

    def parse_call(self, name: str) -> Node:
        """Parse a call of `has` or `matches` and return its syntax tree; `name` is the called name, in lower case."""
        token = self.take()
        of, _, what = name.rpartition(".")
        text_sources = self.facts.words if what == "has" else self.facts.lines
        if of and of not in text_sources:
            raise FilterError(token.at, f"there is no text {_quote_start(of)}; there are {', '.join(text_sources)}")
        texts = (of,) if of else EITHER
        if not self.take_word("("):
            raise FilterError(self.next.at, f'{what} needs what it looks for, as in {what}("not")')
        string = self.take()
        if string.kind != "string":
            raise FilterError(string.at, f"{what} looks for a text in quotation marks")
        sought = _unquote_string(string.text)
        if not self.take_word(")"):
            raise FilterError(self.next.at, f"the bracket after {what} is not closed")
        if what == "has":
            if not sought.strip():
                raise FilterError(string.at, "there is no word to look for")
            return Has(token.at, texts, sought)
        _compile_pattern(sought, string.at + 1)
        return Matches(string.at + 1, texts, sought)

    def parse_comparison(self) -> Node:
        """Parse a comparison of numbers, or of a label with a string, and return its syntax tree."""
        values, orders = [self.take_value()], []
        while self.next.kind == "sign" and _standard_spelling(self.next.text) in _ORDERS:
            orders.append((self.next.at, _standard_spelling(self.take().text)))
            values.append(self.take_value())
        for token in values:
            if token.kind == "name" and token.text.casefold() not in {*self.facts.numbers, *self.facts.labels}:
                raise FilterError(token.at, self.unknown_name_message(token.text.casefold()))
        if not orders:
            raise FilterError(self.next.at, "expected <, <=, =, !=, >= or > here, and what to compare with")
        label_tokens = [
            token for token in values if token.kind == "name" and token.text.casefold() in self.facts.labels
        ]
        strings = [token for token in values if token.kind == "string"]
        if label_tokens or strings:
            return self.label_comparison(values, label_tokens, strings, orders)
        numbers = tuple([FilterValue(each.at, _read_value(each)) for each in values])
        return FilterComparison(numbers, tuple([order for _, order in orders]))

    def label_comparison(
        self,
        values: Sequence[_Token],
        label_tokens: Sequence[_Token],
        strings: Sequence[_Token],
        orders: list[tuple[int, str]],
    ) -> Node:
        """Return the syntax tree of a comparison of a label with a string, whose tokens are already consumed.

        `values` are all compared tokens; `label_tokens` and `strings` are the labels and strings among them. `orders`
        are the operators with their positions. Raises FilterError for any other comparison with a label or string.
        """
        if len(values) > 2 or not label_tokens or not strings:
            at = (strings or label_tokens)[0]
            names = " or ".join(self.facts.labels)
            raise FilterError(
                at.at, f'texts are compared as in {next(iter(self.facts.labels), "name")} = "…" ({names})'
            )
        ((at_order, order),) = orders
        if order not in ("=", "!="):
            raise FilterError(at_order, f"{label_tokens[0].text} is compared by = or != alone")
        tree = Labelled(label_tokens[0].at, label_tokens[0].text.casefold(), _unquote_string(strings[0].text))
        return tree if order == "=" else Not(tree)

    def take_value(self) -> _Token:
        """Consume a name, string or number and return its token; a minus and its number become one token."""
        token = self.take()
        if token.text in "-−" and token.kind == "sign":
            number = self.take()
            if number.kind != "number":
                raise FilterError(number.at, "expected a number after the minus")
            return _Token("number", "-" + number.text, token.at)
        if token.kind in ("sign", "end") or token.text.casefold() in _WORDS:
            unexpected = _quote_start(token.text) if token.text else "the end"
            raise FilterError(token.at, f"expected a name or a number, not {unexpected}")
        return token

    def unknown_name_message(self, name: str) -> str:
        """Return an error message about an unknown name, with a similar known name if there is one."""
        names = [*self.facts.numbers, *self.facts.labels]
        near = get_close_matches(name, names, 1, 0.6)
        suggestion = f"; {near[0]} is there" if near else ""
        plain = [each for each in names if "." not in each]
        dotted = dict.fromkeys([each.partition(".")[0] + "." for each in names if "." in each])
        first = f", also with {', '.join(dotted)} before" if dotted else ""
        return f"there is no {_quote_start(name)}{suggestion}. Names are {', '.join(plain)}{first}"


def _standard_spelling(sign: str) -> str:
    """Return the standard spelling of a comparison operator, such as "<=" for "≤"."""
    return _SPELT.get(sign, sign)


def _quote_start(text: str) -> str:
    """Return the first 40 characters of a text in quotation marks, for error messages."""
    return f"“{text[:40]}”"


def _unquote_string(string: str) -> str:
    """Return the content of a string token without its quotation marks.

    A backslash before a quotation mark is removed; any other backslash is kept.
    """
    return re.sub(r"\\([\"'“”„])", r"\1", string[1:-1])


def quote_string(text: str) -> str:
    """Return a text as a string literal of a filter expression. Raises ValueError if it cannot be written as one.

    >>> quote_string('a "b"')
    '"a \\\\"b\\\\""'
    """
    string = '"' + re.sub(r"([\"'“”„])", r"\\\1", text) + '"'
    if _unquote_string(string) != text or _TOKEN.fullmatch(string) is None:
        raise ValueError("a backslash before a quotation mark stands in no expression")
    return string


def names_used(tree: Node) -> frozenset[str]:
    """Return the names of numbers, labels and texts in a tree.

    >>> facts = FilterFacts(size=1, numbers={"gtm": list}, words={"a": list, "b": list})
    >>> sorted(names_used(parse_filter('0.2 < gtm and not has("gtm")', facts)))
    ['a', 'b', 'gtm']
    """
    match tree:
        case AllOf(parts) | AnyOf(parts):
            return frozenset().union(*map(names_used, parts))
        case Not(part):
            return names_used(part)
        case FilterComparison(values):
            return frozenset([each.given for each in values if isinstance(each.given, str)])
        case Labelled(_, name):
            return frozenset([name])
        case Has(_, texts) | Matches(_, texts):
            return frozenset(texts)


def words_of_has_calls(tree: Node) -> list[str]:
    """Return the words that the calls of `has` in a syntax tree search for, except those below a "not".

    >>> facts = FilterFacts(size=1, words={"a": list, "b": list})
    >>> words_of_has_calls(parse_filter('has("a cat") and not has("dog")', facts))
    ['a cat']
    """
    match tree:
        case AllOf(parts) | AnyOf(parts):
            return [text for part in parts for text in words_of_has_calls(part)]
        case Has(_, _, text):
            return [text]
        case _:
            return []


# ---------------------------------------------------------------- what trees select


def select_segments(tree: Node, facts: FilterFacts) -> Mask:
    """Return a mask of the segments that a syntax tree selects.

    Raises FilterError if a value is not known yet or the evaluation takes too long.
    """
    return _select(tree, facts, time.monotonic() + SECONDS)


def _select(tree: Node, facts: FilterFacts, until: float) -> Mask:
    """Return a mask of the segments that a syntax tree selects.

    `until` is the time, by `time.monotonic`, after which FilterError is raised.
    """
    match tree:
        case AllOf(parts):
            return np.logical_and.reduce([_select(part, facts, until) for part in parts])  # type: ignore[no-any-return]
        case AnyOf(parts):
            return np.logical_or.reduce([_select(part, facts, until) for part in parts])  # type: ignore[no-any-return]
        case Not(part):
            return ~_select(part, facts, until)
        case FilterComparison(values, orders):
            _check_time(values[0].at, until)
            numbers = [_value_by_segment(value, facts) for value in values]
            pairs = zip(orders, pairwise(numbers), strict=True)
            return np.logical_and.reduce([_ORDERS[order](x, y) for order, (x, y) in pairs])  # type: ignore[no-any-return]
        case Labelled(at, name, label):
            _check_time(at, until)
            sought = label.casefold()
            labels = _look_up(facts.labels[name], at)
            return np.array([any(each.casefold() == sought for each in of) for of in labels], dtype=bool)
        case Has(at, texts, sought):
            out = np.zeros(facts.size, dtype=bool)
            for text in texts:
                _check_time(at, until)
                out |= _look_up(facts.words[text], at).segments_with(sought)
            return out
        case Matches(at, texts, pattern):
            return _match_mask(at, [_look_up(facts.lines[text], at) for text in texts], pattern, facts.size, until)


def _look_up(lookup: Callable[[], T], at: int) -> T:
    """Return the values that `lookup` computes; raise FilterError at position `at` if they are not known yet."""
    try:
        return lookup()
    except NotYetError as error:
        raise FilterError(at, str(error), usable_later=True) from error


def _value_by_segment(value: FilterValue, facts: FilterFacts) -> Array:
    """Return, for each segment, the number of a value in an expression, rounded to `DECIMALS` decimals."""
    if isinstance(value.given, str):
        return np.round(_look_up(facts.numbers[value.given], value.at), DECIMALS)
    return np.full(facts.size, round(value.given, DECIMALS))


def _check_time(at: int, until: float) -> None:
    """Raise FilterError at position `at` if the time `until`, by `time.monotonic`, has passed."""
    if time.monotonic() > until:
        raise FilterError(at, f"the expression takes more than {SECONDS:g} seconds up to here")


def _match_mask(at: int, texts: Sequence[Sequence[Sequence[str]]], pattern: str, size: int, until: float) -> Mask:
    """Return a mask of the segments that have a match of a regular expression in a line of one of the texts.

    `texts` holds, for each text, the lines of each of the `size` segments. `at` is the position of the pattern in the
    expression, and `until` the time by which the search must end. Raises FilterError.
    """
    compiled = _compile_pattern(pattern, at)
    out = np.zeros(size, dtype=bool)
    for number, of in enumerate(zip(*texts, strict=True)):
        if not number % 256:
            _check_time(at, until)
        try:
            out[number] = any(compiled.search(line, timeout=LINE_SECONDS) for lines in of for line in lines)
        except (TimeoutError, MemoryError) as error:
            why = f"the regular expression takes more than {LINE_SECONDS:g} seconds in segment {number + 1}"
            raise FilterError(at, why) from error
    return out


def _compile_pattern(pattern: str, at: int) -> Any:
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


def _read_value(token: _Token) -> float | str:
    """Return the number of a number token, or the name of a name token in lower case."""
    if token.kind != "number":
        return token.text.casefold()
    number = float(token.text)
    if not math.isfinite(number):
        raise FilterError(token.at, "a number here must be less than 1e308")
    return number


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
