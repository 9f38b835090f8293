"""Find the name that a visitor may mean by one that the filter does not know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from .facts import FilterFacts

#: How similar two names must be at least, as `difflib` measures it.
SIMILARITY_LEAST = 0.6
#: The fewest letters of a name that stand for those that begin so.
BEGINNING_LEAST = 3
#: The most letters of a name that is compared with the known ones.
LETTERS_MOST = 80
#: The words after a name that add nothing to it, as in "bleu score".
ENDINGS = ("scores", "score", "values", "value")


def nearest_name(typed: str, facts: FilterFacts) -> str | None:
    """Return the known name that is nearest to the beginning of the text `typed`, None if none is near.

    The first of these that there is: another common name with which `typed` begins, such as "ROUGE-L" or the name of a
    system, also with a name after a point; the first word of `typed` without regard to case, signs, a plural or the
    word "score"; a name that begins with it; and the most similar name.

    >>> facts = FilterFacts(size=1, numbers={"rouge_l": list, "a.rouge_l": list, "length": list},
    ...     words={"a": list}, other_names={"words": "length", "ROUGE-L": "rouge_l", "Online-W": "a"})
    >>> [nearest_name(typed, facts) for typed in ("words > 3", "rougeL < 1", "Rouge-L scores", "online-w.RougeL")]
    ['length', 'rouge_l', 'rouge_l', 'a.rouge_l']
    >>> [nearest_name(typed, facts) for typed in ("lengths", "Word", "a_rouge_l", "lenght", "xyz")]
    ['length', 'length', 'a.rouge_l', 'length', None]
    """
    known = {name: name for name in (*facts.words, *facts.lines, *facts.names)}
    if (other := other_name_at_start(typed, facts.other_names)) is not None:
        target, after = facts.other_names[other], re.match(r"\.(\w[\w.]*)", typed[len(other) :])
        if after is None:
            return target
        dotted = _nearest(f"{target}.{after[1]}", known)
        return dotted if dotted is not None and dotted.startswith(f"{target}.") else target
    word = re.match(r"[\w.]*", typed)
    return _nearest(word[0][:LETTERS_MOST], {**known, **facts.other_names, **known}) if word else None


def other_name_at_start(typed: str, other_names: Mapping[str, str]) -> str | None:
    """Return the longest of `other_names` with which a text begins, without regard to case, None if there is none."""
    begun = [
        name
        for name in other_names
        if name and typed[: len(name)].casefold() == name.casefold() and not re.match(r"\w", typed[len(name) :])
    ]
    return max(begun, key=len, default=None)


def _nearest(typed: str, known: Mapping[str, str]) -> str | None:
    """Return the value in `known` whose key is nearest to a name, None if none is near."""
    by_letters = dict[str, str]()
    for name, target in known.items():
        by_letters.setdefault(_letters(name), target)
    letters = _letters(typed)
    bare = next((letters.removesuffix(ending) for ending in ENDINGS if letters.endswith(ending)), letters)
    near = [letters, letters.removesuffix("s"), bare, f"{letters}s"]
    near += [name for name in by_letters if len(letters) >= BEGINNING_LEAST and name.startswith(letters)]
    near += get_close_matches(letters, [name for name in by_letters if name], 1, SIMILARITY_LEAST)
    return next((by_letters[name] for name in near if name in by_letters and name), None)


def _letters(name: str) -> str:
    """Return a name in lower case without all signs."""
    return re.sub(r"[\W_]", "", name.casefold())
