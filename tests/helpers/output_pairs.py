"""Pairs of outputs, random and real, for tests of what their differences are worth."""

from __future__ import annotations

import itertools
import random

from tests.helpers.cases import segments
from tests.helpers.corpora import SYSTEMS, load_token_lines


def real_pairs(seed, count):
    """Yield `count` random real lines as (output of one system, output of another, one or two references)."""
    outputs = [load_token_lines(name) for name in SYSTEMS]
    references = [load_token_lines(f"reference.{letter}") for letter in "AB"]
    rng = random.Random(seed)
    for _ in range(count):
        line = rng.randrange(len(references[0]))
        a, b = (output[line] for output in rng.sample(outputs, 2))
        yield a, b, tuple([reference[line] for reference in references[: rng.choice((1, 2))]])


def random_pairs(seed, count):
    """Yield `count` - 1 random (candidate, other candidate, references) with few distinct words and many repeats."""
    for (a, references), (b, _) in itertools.pairwise(segments(seed, count)):
        yield tuple(a), tuple(b), tuple(map(tuple, references))
