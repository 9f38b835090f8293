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

from .facts import FilterFacts as FilterFacts
from .facts import Mask as Mask
from .facts import NotYetError as NotYetError
from .facts import SearchableWords as SearchableWords
from .names import nearest_name as nearest_name
from .parser import LETTERS_MOST as LETTERS_MOST
from .parser import parse_filter as parse_filter
from .selection import select_segments as select_segments
from .tokens import RESERVED as RESERVED
from .tokens import FilterError as FilterError
from .tokens import quote_string as quote_string
from .tree import names_used as names_used
from .tree import words_of_has_calls as words_of_has_calls
