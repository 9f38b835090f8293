"""Segments by an expression, such as `gtm < 0.3 and length > 20 and not has("nicht")`.

    either  := both ("or" both)*
    both    := test ("and" test)*
    test    := "not" test | "(" either ")" | call | value (("<" | "<=" | "=" | "!=" | ">=" | ">") value)+
    call    := [text "."] ("has" | "matches") "(" string ")"
    value   := number | string | name

`has` asks for words beside each other, in whatever case, and `matches` for a regular expression in the line as it was
given; where no text is named, in either output. Names, too, are in whatever case. Numbers are the same where they are
to nine decimals. What an expression may cost is bounded: its letters, its depth, and the time that it takes.
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
from ..types.extras import extra_named
from .table import Array

Mask = NDArray[np.bool_]
T = TypeVar("T")

#: Letters of an expression, and brackets and "not" within each other.
LETTERS_MOST, DEEPEST = 1_000, 32
#: Seconds for an expression, and for a regular expression in one line, for which nothing else runs.
SECONDS, LINE_SECONDS = 2.0, 0.05
#: Steps of the program that is made of a regular expression.
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
EITHER = ("a", "b")  # the texts that are asked where none is named


class FilterError(ValueError):
    """An expression that cannot be used: why, and the place in it, from 0. `later` says that it can be used once more
    is known."""

    def __init__(self, at: int, why: str, usable_later: bool = False) -> None:
        super().__init__(f"at character {at + 1}: {why}")
        self.at, self.why, self.later = at, why, usable_later

    def pointed(self, text: str) -> str:
        """The expression in one line, and below it a caret at the place, which wide letters move by two."""
        wide = [2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text[: self.at]]
        return re.sub(r"\s", " ", text) + "\n" + " " * sum(wide) + "^"


class NotYetError(Exception):
    """What is asked of a name is not known yet; the sentence says what is not."""


class SearchableWords:
    """The words of texts, several for a segment where it has several references, ready to be searched; `split` makes
    words of what is looked for as they were made of the texts."""

    def __init__(
        self, texts: Iterable[Iterable[Tokens]], split: Callable[[str], Tokens] = lambda text: tuple(text.split())
    ) -> None:
        self._split = split
        # Each word stands between line ends, each text between two, so that what is found is whole words of one text.
        each = ["".join(map(_lined, of)) for of in texts]
        self._ends = list(accumulate(map(len, each)))
        self._all = "".join(each)

    def having(self, text: str) -> Mask:
        """The segments that have the words of a text beside each other; none where it has no word."""
        out, sought, at = np.zeros(len(self._ends), dtype=bool), _lined(self._split(text)), 0
        if not sought.strip("\n"):
            return out
        while (at := self._all.find(sought, at)) >= 0:
            segment = bisect_right(self._ends, at)
            out[segment] = True
            at = self._ends[segment]
        return out


def _lined(words: Tokens) -> str:
    return "\n".join(["", *words, ""]).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What can be asked of `size` segments: `numbers`, and `labels`, of which a segment has none, one or several, by
    their names, and by the names of texts their `words` and `lines`; of the latter a segment has several where it has
    several references. What is not known yet raises `NotYetError`."""

    size: int
    numbers: Mapping[str, Callable[[], Array]] = field(default_factory=dict)
    labels: Mapping[str, Callable[[], Sequence[Collection[str]]]] = field(default_factory=dict)
    words: Mapping[str, Callable[[], SearchableWords]] = field(default_factory=dict)
    lines: Mapping[str, Callable[[], Sequence[Sequence[str]]]] = field(default_factory=dict)


# ---------------------------------------------------------------- trees


class AllOf(NamedTuple):
    """What all of some trees select."""

    parts: tuple[Node, ...]


class AnyOf(NamedTuple):
    """What any of some trees selects."""

    parts: tuple[Node, ...]


class Not(NamedTuple):
    """What a tree does not select."""

    part: Node


class FilterValue(NamedTuple):
    """A number, or the name of one, at its place."""

    at: int
    given: float | str


class FilterComparison(NamedTuple):
    """Values, and between each two of them how they compare."""

    values: tuple[FilterValue, ...]
    orders: tuple[str, ...]


class Labelled(NamedTuple):
    """Segments with a label."""

    at: int
    name: str
    label: str


class Has(NamedTuple):
    """Segments in one of whose texts the words of a text are beside each other."""

    at: int
    texts: tuple[str, ...]
    sought: str


class Matches(NamedTuple):
    """Segments with a text in which a regular expression is found."""

    at: int
    texts: tuple[str, ...]
    pattern: str


Node = AllOf | AnyOf | Not | FilterComparison | Labelled | Has | Matches


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parsed(text: str, facts: Facts) -> Node:
    """The tree of an expression whose names `facts` know. Raises FilterError."""
    if len(text) > LETTERS_MOST:
        raise FilterError(LETTERS_MOST, f"an expression has at most {LETTERS_MOST:,} letters")
    return _Parser(text, facts).whole()


def _tokens(text: str) -> list[_Token]:
    out, at = [], 0
    while text[at:].strip():
        token_match = _TOKEN.match(text, at)
        if token_match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            if text[at] in "\"'“„":
                raise FilterError(at, "these quotation marks are not closed")
            point = "; a fraction has a point" if text[at] == "," else ""
            raise FilterError(at, f"{_quoted(text[at])} means nothing here{point}")
        kind = str(token_match.lastgroup)
        out.append(_Token(kind, token_match[kind], token_match.start(kind)))
        at = token_match.end()
    return [*out, _Token("end", "", len(text))]


class _Parser:
    def __init__(self, text: str, facts: Facts) -> None:
        self.facts, self.tokens, self.at, self.depth = facts, _tokens(text), 0, 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        token = self.next
        self.at += token.kind != "end"
        return token

    def word(self, *words: str) -> bool:
        """Whether a word or a sign is next, which is then taken."""
        if self.next.kind in ("name", "sign") and self.next.text.casefold() in words:
            self.at += 1
            return True
        return False

    def whole(self) -> Node:
        tree = self.parse_or()
        if self.next.kind != "end":
            raise FilterError(self.next.at, f"expected and, or, or the end, not {_quoted(self.next.text)}")
        return tree

    def parse_or(self) -> Node:
        parts = [self.parse_and()]
        while self.word("or"):
            parts.append(self.parse_and())
        return AnyOf(tuple(parts)) if len(parts) > 1 else parts[0]

    def parse_and(self) -> Node:
        parts = [self.test()]
        while self.word("and"):
            parts.append(self.test())
        return AllOf(tuple(parts)) if len(parts) > 1 else parts[0]

    def test(self) -> Node:
        token = self.next
        if self.word("not", "("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise FilterError(token.at, f"at most {DEEPEST} brackets and nots can be within each other")
            tree = self.parse_or() if token.text == "(" else Not(self.test())
            self.depth -= 1
            if token.text == "(" and not self.word(")"):
                raise FilterError(self.next.at, f"the bracket of character {token.at + 1} is not closed")
            return tree
        name = token.text.casefold()
        if token.kind == "name" and name.rpartition(".")[2] in _CALLS and name not in self.facts.numbers:
            return self.call(name)
        return self.compare()

    def call(self, name: str) -> Node:
        token = self.take()
        of, _, what = name.rpartition(".")
        text_sources = self.facts.words if what == "has" else self.facts.lines
        if of and of not in text_sources:
            raise FilterError(token.at, f"there is no text {_quoted(of)}; there are {', '.join(text_sources)}")
        texts = (of,) if of else EITHER
        if not self.word("("):
            raise FilterError(self.next.at, f'{what} needs what it looks for, as in {what}("not")')
        string = self.take()
        if string.kind != "string":
            raise FilterError(string.at, f"{what} looks for a text in quotation marks")
        sought = _unquoted(string.text)
        if not self.word(")"):
            raise FilterError(self.next.at, f"the bracket after {what} is not closed")
        if what == "has":
            if not sought.strip():
                raise FilterError(string.at, "there is no word to look for")
            return Has(token.at, texts, sought)
        _compiled(sought, string.at + 1)
        return Matches(string.at + 1, texts, sought)

    def compare(self) -> Node:
        values, orders = [self.value()], []
        while self.next.kind == "sign" and _spelt(self.next.text) in _ORDERS:
            orders.append((self.next.at, _spelt(self.take().text)))
            values.append(self.value())
        for token in values:
            if token.kind == "name" and token.text.casefold() not in {*self.facts.numbers, *self.facts.labels}:
                raise FilterError(token.at, self.unknown(token.text.casefold()))
        if not orders:
            raise FilterError(self.next.at, "expected <, <=, =, !=, >= or > here, and what to compare with")
        label_tokens = [
            token for token in values if token.kind == "name" and token.text.casefold() in self.facts.labels
        ]
        strings = [token for token in values if token.kind == "string"]
        if label_tokens or strings:
            return self.labelled(values, label_tokens, strings, orders)
        numbers = tuple([FilterValue(each.at, _read_value(each)) for each in values])
        return FilterComparison(numbers, tuple([order for _, order in orders]))

    def labelled(
        self,
        values: Sequence[_Token],
        label_tokens: Sequence[_Token],
        strings: Sequence[_Token],
        orders: list[tuple[int, str]],
    ) -> Node:
        if len(values) > 2 or not label_tokens or not strings:
            at = (strings or label_tokens)[0]
            names = " or ".join(self.facts.labels)
            raise FilterError(
                at.at, f'texts are compared as in {next(iter(self.facts.labels), "name")} = "…" ({names})'
            )
        ((at_order, order),) = orders
        if order not in ("=", "!="):
            raise FilterError(at_order, f"{label_tokens[0].text} is compared by = or != alone")
        tree = Labelled(label_tokens[0].at, label_tokens[0].text.casefold(), _unquoted(strings[0].text))
        return tree if order == "=" else Not(tree)

    def value(self) -> _Token:
        token = self.take()
        if token.text in "-−" and token.kind == "sign":
            number = self.take()
            if number.kind != "number":
                raise FilterError(number.at, "expected a number after the minus")
            return _Token("number", "-" + number.text, token.at)
        if token.kind in ("sign", "end") or token.text.casefold() in _WORDS:
            unexpected = _quoted(token.text) if token.text else "the end"
            raise FilterError(token.at, f"expected a name or a number, not {unexpected}")
        return token

    def unknown(self, name: str) -> str:
        names = [*self.facts.numbers, *self.facts.labels]
        near = get_close_matches(name, names, 1, 0.6)
        suggestion = f"; {near[0]} is there" if near else ""
        plain = [each for each in names if "." not in each]
        dotted = dict.fromkeys([each.partition(".")[0] + "." for each in names if "." in each])
        first = f", also with {', '.join(dotted)} before" if dotted else ""
        return f"there is no {_quoted(name)}{suggestion}. Names are {', '.join(plain)}{first}"


def _spelt(sign: str) -> str:
    return _SPELT.get(sign, sign)


def _quoted(text: str) -> str:
    return f"“{text[:40]}”"


def _unquoted(string: str) -> str:
    """What is in quotation marks; a backslash before one is none of the text, and any other is."""
    return re.sub(r"\\([\"'“”„])", r"\1", string[1:-1])


def quoted(text: str) -> str:
    """A text as a string of an expression. Raises ValueError for one that none can hold.

    >>> quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    string = '"' + re.sub(r"([\"'“”„])", r"\\\1", text) + '"'
    if _unquoted(string) != text or _TOKEN.fullmatch(string) is None:
        raise ValueError("a backslash before a quotation mark stands in no expression")
    return string


def names_used(tree: Node) -> frozenset[str]:
    """The names of numbers, labels and texts that a tree asks for.

    >>> facts = Facts(size=1, numbers={"gtm": list}, words={"a": list, "b": list})
    >>> sorted(names_used(parsed('0.2 < gtm and not has("gtm")', facts)))
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


def sought(tree: Node) -> list[str]:
    """The words that a tree looks for, but for those that must not be there.

    >>> facts = Facts(size=1, words={"a": list, "b": list})
    >>> sought(parsed('has("a cat") and not has("dog")', facts))
    ['a cat']
    """
    match tree:
        case AllOf(parts) | AnyOf(parts):
            return [text for part in parts for text in sought(part)]
        case Has(_, _, text):
            return [text]
        case _:
            return []


# ---------------------------------------------------------------- what trees select


def selected(tree: Node, facts: Facts) -> Mask:
    """Which segments a tree selects. Raises FilterError where something is not known yet, or takes too long."""
    return _select(tree, facts, time.monotonic() + SECONDS)


def _select(tree: Node, facts: Facts, until: float) -> Mask:
    match tree:
        case AllOf(parts):
            return np.logical_and.reduce([_select(part, facts, until) for part in parts])  # type: ignore[no-any-return]
        case AnyOf(parts):
            return np.logical_or.reduce([_select(part, facts, until) for part in parts])  # type: ignore[no-any-return]
        case Not(part):
            return ~_select(part, facts, until)
        case FilterComparison(values, orders):
            _in_time(values[0].at, until)
            numbers = [_numbers(value, facts) for value in values]
            pairs = zip(orders, pairwise(numbers), strict=True)
            return np.logical_and.reduce([_ORDERS[order](x, y) for order, (x, y) in pairs])  # type: ignore[no-any-return]
        case Labelled(at, name, label):
            _in_time(at, until)
            sought = label.casefold()
            labels = _look_up(facts.labels[name], at)
            return np.array([any(each.casefold() == sought for each in of) for of in labels], dtype=bool)
        case Has(at, texts, sought):
            out = np.zeros(facts.size, dtype=bool)
            for text in texts:
                _in_time(at, until)
                out |= _look_up(facts.words[text], at).having(sought)
            return out
        case Matches(at, texts, pattern):
            return _matching(at, [_look_up(facts.lines[text], at) for text in texts], pattern, facts.size, until)


def _look_up(lookup: Callable[[], T], at: int) -> T:
    try:
        return lookup()
    except NotYetError as error:
        raise FilterError(at, str(error), usable_later=True) from error


def _numbers(value: FilterValue, facts: Facts) -> Array:
    if isinstance(value.given, str):
        return np.round(_look_up(facts.numbers[value.given], value.at), DECIMALS)
    return np.full(facts.size, round(value.given, DECIMALS))


def _in_time(at: int, until: float) -> None:
    if time.monotonic() > until:
        raise FilterError(at, f"the expression takes more than {SECONDS:g} seconds up to here")


def _matching(at: int, texts: Sequence[Sequence[Sequence[str]]], pattern: str, size: int, until: float) -> Mask:
    compiled = _compiled(pattern, at)
    out = np.zeros(size, dtype=bool)
    for number, of in enumerate(zip(*texts, strict=True)):
        if not number % 256:
            _in_time(at, until)
        try:
            out[number] = any(compiled.search(line, timeout=LINE_SECONDS) for lines in of for line in lines)
        except (TimeoutError, MemoryError) as error:
            why = f"the regular expression takes more than {LINE_SECONDS:g} seconds in segment {number + 1}"
            raise FilterError(at, why) from error
    return out


def _compiled(pattern: str, at: int) -> Any:
    """A regular expression, ready to be searched with."""
    with extra_named():
        import regex

    if _size(pattern) > SIZE_MOST:
        raise FilterError(at, "the regular expression repeats too much")
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise FilterError(at + (error.pos or 0), f"the regular expression cannot be read: {error.msg}") from error
    except (
        Exception
    ) as error:  # some are found only where the program of the expression is made, each with an error of its own
        raise FilterError(at, "the regular expression cannot be read") from error


def _read_value(token: _Token) -> float | str:
    """The number that a token is, or the name of one."""
    if token.kind != "number":
        return token.text.casefold()
    number = float(token.text)
    if not math.isfinite(number):
        raise FilterError(token.at, "a number here must be less than 1e308")
    return number


def _size(pattern: str) -> float:
    """What the program of a regular expression has at most: what is repeated stands there as often as it must be there,
    and once more.

    >>> _size("ab"), _size("(ab)+"), _size("(a{20})+")
    (2.0, 10.0, 320.0)
    """
    depth = deepest = 0
    for bracket in re.findall(r"\\.|[()]", pattern, re.DOTALL):
        depth += (bracket == "(") - (bracket == ")")
        deepest = max(deepest, depth)
    return len(pattern) * 2.0**deepest * math.prod([max(1.0, float(n)) for n in re.findall(r"\{(\d{1,9})", pattern)])
