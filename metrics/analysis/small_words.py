"""Numbers, lists and parts of sentences, as the sentences on edits have them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..types import in_words


def more_or_fewer(count: float, plural: str, more: bool) -> str:
    """So many more, or fewer, of what is named in the plural: "one word more" with its number first."""
    name = plural.removesuffix("s") if count == 1 and plural.endswith("s") else plural
    if count == 1 and " of " in plural:
        head, tail = plural.split(" ", 1)
        name = f"{head.removesuffix('s')} {tail}"
    return f"{in_words(count)} {'more' if more else 'fewer'} {name}"


def count_noun(count: float, plural: str) -> str:
    """A number and what it counts: "1 word", "3 words"."""
    return f"{count:.0f} {plural.removesuffix('s') if count == 1 else plural}"


def join_words(each: Sequence[object]) -> str:
    """A list as it stands in a sentence: "a, b and c"."""
    texts = [*map(str, each)]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def first_statement(text: str) -> str:
    """The first statement of a sentence, to stand inside another one."""
    return re.split("[:;]", text[:1].lower() + text[1:])[0].removesuffix(".")
