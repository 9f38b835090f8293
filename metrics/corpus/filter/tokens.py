"""Split a filter expression into tokens, write texts as its string literals, and say where an expression is wrong."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

#: The words that have a meaning in expressions; no value has one of them as its name.
RESERVED = frozenset("and or not is equals less more greater than at least most has contains matches abs".split())

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)
      | (?P<name>[^\W\d]\w*(?:\.\w+)*)
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[“„](?:[^“”\\]|\\.)*[“”])
      | (?P<sign><=|>=|==|!=|<>|&&|\|\||[<>=≤≥≠()!+*×/]|[-−])
    )""",
    re.VERBOSE | re.DOTALL,
)
#: The signs that mean the same as another sign or word.
_SPELT = {
    "==": "=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "<>": "!=",
    "&&": "and",
    "||": "or",
    "!": "not",
    "−": "-",
    "×": "*",
}


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


class Token(NamedTuple):
    """A token of a filter expression.

    Attributes:
        kind: "number", "name", "string", "sign", or "end".
        text: its text as it was typed.
        at: its position, from 0.
    """

    kind: str
    text: str
    at: int

    @property
    def word(self) -> str:
        """The name in lower case, or the sign or word that this sign stands for; "" for other tokens."""
        if self.kind == "sign":
            return _SPELT.get(self.text, self.text)
        return self.text.casefold() if self.kind == "name" else ""


def tokenize(text: str) -> list[Token]:
    """Split an expression into tokens, the last of which has the kind "end". Raises FilterError."""
    out, at = [], 0
    while text[at:].strip():
        token_match = _TOKEN.match(text, at)
        if token_match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            if text[at] in "\"'“„":
                raise FilterError(at, "these quotation marks are not closed")
            point = "; a fraction has a point" if text[at] == "," else ""
            raise FilterError(at, f"{quote_start(text[at])} means nothing here{point}")
        kind = str(token_match.lastgroup)
        out.append(Token(kind, token_match[kind], token_match.start(kind)))
        at = token_match.end()
    return [*out, Token("end", "", len(text))]


def quote_start(text: str) -> str:
    """Return the first 40 characters of a text in quotation marks, for error messages."""
    return f"“{text[:40]}”"


def unquote_string(string: str) -> str:
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
    if unquote_string(string) != text or _TOKEN.fullmatch(string) is None:
        raise ValueError("an expression cannot have a backslash before a quotation mark")
    return string
