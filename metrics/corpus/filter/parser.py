"""Parse filter expressions into syntax trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .facts import FilterFacts
from .names import ENDINGS, nearest_name, other_name_at_start
from .regular_expressions import compile_pattern
from .tokens import RESERVED, FilterError, Token, quote_start, tokenize, unquote_string
from .tree import (
    AllOf,
    AnyOf,
    FilterAbsolute,
    FilterComparison,
    FilterProduct,
    FilterSum,
    FilterValue,
    Has,
    Labelled,
    Matches,
    Node,
    Not,
    Value,
)

#: The most letters of an expression, and the deepest nesting of brackets, "not" and minus signs.
LETTERS_MOST, DEEPEST = 1_000, 32
EITHER = ("a", "b")  # the texts that are searched where none is named: both outputs
_CALLS = {"has": "has", "contains": "has", "matches": "matches"}
_SIGNS = ("<=", ">=", "!=", "<", ">", "=")
_WORDS = {"less than": "<", "more than": ">", "greater than": ">", "at least": ">=", "at most": "<="}
#: The comparison operators by the words or the sign that they are written as, the longest first.
_ORDERS: Mapping[tuple[str, ...], str] = {
    **{("is", *words.split()): order for words, order in _WORDS.items()},
    **{tuple(words.split()): order for words, order in _WORDS.items()},
    ("is", "not"): "!=",
    ("is",): "=",
    ("equals",): "=",
    **{(sign,): sign for sign in _SIGNS},
}


class _Label(NamedTuple):
    """The name of a label in an expression, before what it is compared with is known."""

    at: int
    name: str


class _String(NamedTuple):
    """A string in an expression, before the label that it is compared with is known."""

    at: int
    text: str


Parsed = Node | Value | _Label | _String


def parse_filter(text: str, facts: FilterFacts) -> Node:
    """Parse a filter expression and return its syntax tree.

    Raises FilterError for a syntax error, and for a name that is not in `facts`.
    """
    if len(text) > LETTERS_MOST:
        raise FilterError(LETTERS_MOST, f"an expression has at most {LETTERS_MOST:,} letters")
    return _Parser(text, facts).parse_expression()


class _Parser:
    """A recursive-descent parser for filter expressions, with one method for each level of binding.

    Brackets may hold a condition or a number; which one they hold is known once they are parsed. So each method may
    return either, and `as_condition` and `as_number` raise FilterError where the other one is needed.
    """

    def __init__(self, text: str, facts: FilterFacts) -> None:
        self.text, self.facts, self.tokens, self.at, self.depth = text, facts, tokenize(text), 0, 0

    @property
    def next(self) -> Token:
        """Return the next token of the expression without consuming it."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """Consume the next token and return it; the end token is returned but not consumed."""
        token = self.next
        self.at += token.kind != "end"
        return token

    def take_word(self, *words: str) -> bool:
        """Consume the next token and return True if it is one of the given words or signs; otherwise return False."""
        if self.next.word in words:
            self.take()
            return True
        return False

    def as_condition(self, tree: Parsed) -> Node:
        """Return a tree that was just parsed if it is a condition, else raise FilterError."""
        if not isinstance(tree, FilterValue | FilterSum | FilterProduct | FilterAbsolute | _Label | _String):
            return tree
        if isinstance(tree, FilterValue | _Label):
            self.check_longer_name(tree.at)
        raise FilterError(self.next.at, "expected <, <=, =, !=, >= or > here, and a value to compare with")

    def as_number(self, tree: Parsed, at: int | None = None) -> Value:
        """Return a tree that was just parsed if it is a number, else raise FilterError.

        `at` is the position of the error if the tree is a comparison, by default that of the next token.
        """
        match tree:
            case FilterValue() | FilterSum() | FilterProduct() | FilterAbsolute():
                return tree
            case _Label(at_name, name):
                raise FilterError(at_name, f"{name} is not a number; it is compared as in {self.label_example}")
            case _String(at_text, _):
                raise FilterError(at_text, f"a text is not a number; texts are compared as in {self.label_example}")
        raise FilterError(self.next.at if at is None else at, "a number is needed before this, not a comparison")

    def check_longer_name(self, at: int) -> None:
        """Raise FilterError if another common name, such as "bleu score", begins with the known name at `at`."""
        other = other_name_at_start(self.text[at:], self.facts.other_names) or ""
        if self.next.word in ENDINGS:
            other = max(other, self.text[at : self.next.at + len(self.next.text)], key=len)
        if " " in other and (near := nearest_name(other, self.facts)) is not None:
            raise FilterError(at, f"there is no {quote_start(other)}; write {near}")

    def deeper(self, at: int, parse: Callable[[], Parsed]) -> Parsed:
        """Return what `parse` returns, one level deeper; raise FilterError at position `at` if that is too deep."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise FilterError(at, f"at most {DEEPEST} brackets, nots and minus signs can be nested")
        tree = parse()
        self.depth -= 1
        return tree

    # ------------------------------------------------------------ conditions

    def parse_expression(self) -> Node:
        """Parse the whole expression and return its syntax tree. Raises FilterError if text remains."""
        tree = self.as_condition(self.parse_or())
        if self.next.kind != "end":
            raise FilterError(self.next.at, f"expected and, or, or the end, not {quote_start(self.next.text)}")
        return tree

    def parse_or(self) -> Parsed:
        """Parse one or more parts joined by "or" and return their syntax tree."""
        first = self.parse_and()
        if self.next.word != "or":
            return first
        parts = [self.as_condition(first)]
        while self.take_word("or"):
            parts.append(self.as_condition(self.parse_and()))
        return AnyOf(tuple(parts))

    def parse_and(self) -> Parsed:
        """Parse one or more parts joined by "and" and return their syntax tree."""
        first = self.parse_not()
        if self.next.word != "and":
            return first
        parts = [self.as_condition(first)]
        while self.take_word("and"):
            parts.append(self.as_condition(self.parse_not()))
        return AllOf(tuple(parts))

    def parse_not(self) -> Parsed:
        """Parse a negation or a comparison and return its syntax tree."""
        token = self.next
        if self.take_word("not"):
            return Not(self.as_condition(self.deeper(token.at, self.parse_not)))
        return self.parse_comparison()

    def parse_comparison(self) -> Parsed:
        """Parse a comparison of numbers, or of a label with a string, or the first of its parts if it is alone."""
        parts, orders = [self.parse_sum()], []
        ends = [self.next.at]
        while (order := self.take_order()) is not None:
            orders.append(order)
            parts.append(self.parse_sum())
            ends.append(self.next.at)
        if not orders:
            return parts[0]
        if any(isinstance(part, _Label | _String) for part in parts):
            return self.label_comparison(parts, orders)
        return FilterComparison(tuple(map(self.as_number, parts, ends)), tuple([sign for _, sign in orders]))

    def take_order(self) -> tuple[int, str] | None:
        """Consume a comparison operator, and return its position and its sign, None if there is none."""
        for words, sign in _ORDERS.items():
            tokens = self.tokens[self.at : self.at + len(words)]
            if [token.word for token in tokens] == [*words]:
                self.at += len(words)
                return tokens[0].at, sign
        return None

    def label_comparison(self, parts: Sequence[Parsed], orders: Sequence[tuple[int, str]]) -> Node:
        """Return the syntax tree of a comparison of a label with a string, whose parts are parsed already.

        `orders` are the operators with their positions. Raises FilterError for any other comparison with a label or
        string.
        """
        labels = [part for part in parts if isinstance(part, _Label)]
        strings = [part for part in parts if isinstance(part, _String)]
        if len(parts) > 2 or not labels or not strings:
            names = " or ".join(self.facts.labels)
            at = (strings or labels)[0].at
            raise FilterError(at, f"texts are compared as in {self.label_example} ({names})")
        ((at_order, order),) = orders
        if order not in ("=", "!="):
            raise FilterError(at_order, f"{labels[0].name} is compared only by = or !=")
        tree = Labelled(labels[0].at, labels[0].name, strings[0].text)
        return tree if order == "=" else Not(tree)

    @property
    def label_example(self) -> str:
        """An example of a comparison of a label with a string."""
        return f'{next(iter(self.facts.labels), "name")} = "…"'

    # ------------------------------------------------------------ numbers

    def parse_sum(self) -> Parsed:
        """Parse one or more parts joined by plus or minus and return their syntax tree."""
        return self.parse_joined("+", "-", self.parse_product, FilterSum)

    def parse_product(self) -> Parsed:
        """Parse one or more parts joined by "*" or "/" and return their syntax tree."""
        return self.parse_joined("*", "/", self.parse_factor, FilterProduct)

    def parse_joined(
        self, sign: str, opposite: str, parse: Callable[[], Parsed], node: type[FilterSum] | type[FilterProduct]
    ) -> Parsed:
        """Parse one or more numbers joined by a sign or its opposite, and return their `node`.

        `parse` parses one of them. What is not followed by one of the signs is returned as it is.
        """
        at = self.next.at
        first = parse()
        if self.next.word not in (sign, opposite):
            return first
        parts, opposed = [self.as_number(first)], [False]
        while self.next.word in (sign, opposite):
            opposed.append(self.take().word == opposite)
            parts.append(self.as_number(parse()))
        return node(at, tuple(parts), tuple(opposed))

    def parse_factor(self) -> Parsed:
        """Parse a number, a name, a string, a call, brackets, or one of these after a minus; return its syntax tree."""
        token = self.take()
        name = token.word if token.kind == "name" else ""
        if token.word == "-":
            return FilterSum(token.at, (self.as_number(self.deeper(token.at, self.parse_factor)),), (True,))
        if token.word == "(":
            return self.parse_brackets(token)
        if token.kind == "number":
            if not math.isfinite(number := float(token.text)):
                raise FilterError(token.at, "a number here must be less than 1e308")
            return FilterValue(token.at, number)
        if token.kind == "string":
            return _String(token.at, unquote_string(token.text))
        if name == "abs":
            bracket = self.next
            if not self.take_word("("):
                raise FilterError(self.next.at, f"abs needs a number in brackets, as in abs({self.number_example})")
            return FilterAbsolute(token.at, self.as_number(self.parse_brackets(bracket), self.tokens[self.at - 1].at))
        if name in self.facts.numbers:
            return FilterValue(token.at, name)
        if name.rpartition(".")[2] in _CALLS:
            return self.parse_call(token, *name.rpartition(".")[::2])
        if name and name not in RESERVED and self.next.word in _CALLS:
            return self.parse_call(token, name, self.take().word)
        if name in self.facts.labels:
            return _Label(token.at, name)
        if not name or name in RESERVED:
            unexpected = quote_start(token.text) if token.text else "the end"
            raise FilterError(token.at, f"expected a name or a number, not {unexpected}")
        raise FilterError(token.at, self.unknown_name_message(token))

    def parse_brackets(self, bracket: Token) -> Parsed:
        """Parse what stands in brackets, the first of which, `bracket`, is consumed, and return its syntax tree."""
        tree = self.deeper(bracket.at, self.parse_or)
        if not self.take_word(")"):
            raise FilterError(self.next.at, f"the bracket at character {bracket.at + 1} is not closed")
        return tree

    @property
    def number_example(self) -> str:
        """The name of a number, for examples: a difference if there is one."""
        return next((name for name in self.facts.numbers if name.startswith("delta.")), "3")

    # ------------------------------------------------------------ calls

    def parse_call(self, token: Token, of: str, call: str) -> Node:
        """Parse the rest of a call of `has`, `contains` or `matches`, and return its syntax tree.

        `token` is its first token, `of` the name of the text, "" for both outputs, and `call` the called name.
        """
        text_sources = self.facts.words if _CALLS[call] == "has" else self.facts.lines
        if of and of not in text_sources:
            if of in self.facts.labels:
                raise FilterError(token.at, f'{of} is compared as in {of} = "…"')
            near = nearest_name(self.text[token.at :], self.facts) or ""
            text = near.removesuffix(f".{call}")
            meant = f"write {text}.{call}" if text in text_sources else f"there are {', '.join(text_sources)}"
            raise FilterError(token.at, f"there is no text {quote_start(of)}; {meant}")
        texts = (of,) if of else EITHER
        bracketed = self.take_word("(")
        string = self.next
        if string.kind != "string":
            if not bracketed:
                raise FilterError(string.at, f'{call} needs what it looks for, as in {call}("not")')
            raise FilterError(string.at, f"{call} looks for a text in quotation marks")
        sought = unquote_string(self.take().text)
        if bracketed and not self.take_word(")"):
            raise FilterError(self.next.at, f"the bracket after {call} is not closed")
        if _CALLS[call] == "has":
            if not sought.strip():
                raise FilterError(string.at, "there is no word to look for")
            return Has(token.at, texts, sought)
        compile_pattern(sought, string.at + 1)
        return Matches(string.at + 1, texts, sought)

    # ------------------------------------------------------------ unknown names

    def unknown_name_message(self, token: Token) -> str:
        """Return an error message about an unknown name, with the nearest known name, else with all names."""
        name, first = token.word, next(iter(self.facts.numbers), "")
        if name in {*self.facts.words, *self.facts.lines}:
            return f"{name} is a text; {self.text_examples(name, first)}"
        if self.next.word == "(":
            return f"there is no {quote_start(name)} with brackets; has, contains, matches and abs have them"
        near = nearest_name(self.text[token.at :], self.facts)
        if near is not None and near in {*self.facts.words, *self.facts.lines}:
            return f"there is no {quote_start(name)}; it is {near} here: {self.text_examples(near, first)}"
        if near is not None:
            return f"there is no {quote_start(name)}; write {near}"
        names = self.facts.names
        plain = [each for each in names if "." not in each]
        dotted = dict.fromkeys([each.partition(".")[0] + "." for each in names if "." in each])
        before = f", also with {', '.join(dotted)} before" if dotted else ""
        return f"there is no {quote_start(name)}. Names are {', '.join(plain)}{before}"

    def text_examples(self, text: str, number: str) -> str:
        """Return the forms in which the name of a text can stand, one of them with the name of a number."""
        score = f"{text}.{number} for a score, or " if f"{text}.{number}" in self.facts.numbers else ""
        return f'write {score}{text}.has("…")'
