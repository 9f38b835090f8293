"""Sentences and settings on which tests run the programs that teach a metric."""

from __future__ import annotations

import random

import pytest

from tests.helpers.app import ROOT
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.cases import variants

DATA = ROOT / "tests" / "data" / "ted-zh-en"

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
    lines = {path.name: path.read_text(encoding="utf8").splitlines() for path in sorted(DATA.glob("*.txt"))}
    ours, *others = (lines[f"{name}.en.txt"] for name in ("system.SMU", "reference.A", "reference.B", "system.MiSS"))
    for number, count in ((1, 1), (3, 2), (10, 3)):
        yield tuple(ours[number].split()[:9]), tuple(tuple(other[number].split()[:9]) for other in others[:count])
    yield tuple(ours[5].split()[:9]), tuple(tuple(other[5].split()[:9]) for other in (*others, ours))
