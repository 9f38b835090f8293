"""Sentences and settings on which tests run the programs that teach a metric."""

from __future__ import annotations

import random

import pytest

from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.cases import variants
from tests.helpers.corpora import load_token_lines

CASES = [pytest.param(key, given, id=f"{key}-{given}") for key in KEYS for given in variants(key)]


SENTENCES = [
    ((), (("a", "b"),)),
    (("a", "b"), ((),)),
    ((), ((),)),
    (("a",), (("a",),)),
    (tuple("police kill the gunman".split()), (tuple("police killed the gunman".split()),)),
    (("incomprehensibilities" * 3, "\x00", "$x$"), (("$x$", "incomprehensibilities" * 3), ("\x00",))),
]


def random_sentences(seed, count=4):
    rng = random.Random(seed)
    for _ in range(count):
        words = rng.choice(["ab", "abc", "abcdef"])
        yield (
            tuple(rng.choices(words, k=rng.randrange(7))),
            tuple(tuple(rng.choices(words, k=rng.randrange(7))) for _ in range(rng.choice([1, 2, 3, 4]))),
        )


def real_sentences():
    """Yield real translations, cut to nine words, with one to four references."""
    ours, *others = map(load_token_lines, ("system.SMU", "reference.A", "reference.B", "system.MiSS"))
    for number, count in ((1, 1), (3, 2), (10, 3)):
        yield ours[number][:9], tuple(other[number][:9] for other in others[:count])
    yield ours[5][:9], tuple(other[5][:9] for other in (*others, ours))
