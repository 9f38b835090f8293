"""The filter of segments by an expression, such as `gtm < 0.3 and length > 20 and not has("nicht")`.

    either  := both (("or" | "||") both)*
    both    := test (("and" | "&&") test)*
    test    := ("not" | "!") test | call | sum (order sum)* | "(" either ")"
    order   := "<" | "<=" | "=" | "!=" | ">=" | ">" | "is" | "is not" | "equals"
             | ["is"] ("less than" | "more than" | "greater than" | "at least" | "at most")
    sum     := product (("+" | "-") product)*
    product := factor (("*" | "/") factor)*
    factor  := "-" factor | "abs" "(" sum ")" | "(" sum ")" | number | string | name
    call    := [text "."] look "(" string ")" | [text] look string
    look    := "has" | "contains" | "matches"

`≤ ≥ ≠ − ×` may stand for `<= >= != - *`, and `==` and `<>` for `=` and `!=`. `has`, or `contains`, looks for words in a
row, and `matches` for a regular expression in the line as it was given. Without the name of a text they look in both
outputs. A label, such as a tag, is compared with a string by = or != alone. Names and the words of `has` ignore case.

Numbers are equal if they agree to nine decimals. A number may be missing: a score that a segment does not have, what is
divided by 0, or what is too large. No comparison with it holds, so it selects nothing, except below a `not`.

The cost of an expression is bounded by its length, its depth and its running time.
"""

from .facts import FilterFacts, Mask, NotYetError, SearchableWords
from .names import nearest_name
from .parser import LETTERS_MOST, parse_filter
from .selection import select_segments
from .tokens import RESERVED, FilterError, quote_string
from .tree import Node, names_used, words_of_has_calls

__all__ = [
    "LETTERS_MOST",
    "RESERVED",
    "FilterError",
    "FilterFacts",
    "Mask",
    "Node",
    "NotYetError",
    "SearchableWords",
    "names_used",
    "nearest_name",
    "parse_filter",
    "quote_string",
    "select_segments",
    "words_of_has_calls",
]
