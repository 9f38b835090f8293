"""Pairs of outputs, random and real, for tests of what their differences are worth."""

from __future__ import annotations

import itertools
import random

from tests.helpers.app import ROOT
from tests.helpers.cases import segments

TED = ROOT / "tests" / "data" / "ted-zh-en"


def real_pairs(seed, count):
    """Yield `count` random real lines as (output of one system, output of another, one or two references)."""
    names = sorted(TED.iterdir())
    outputs = [path.read_text("utf-8").splitlines() for path in names if path.name.startswith("system.")]
    references = [path.read_text("utf-8").splitlines() for path in names if path.name.startswith("reference.")]
    rng = random.Random(seed)
    for _ in range(count):
        line = rng.randrange(len(references[0]))
        a, b = (tuple(output[line].split()) for output in rng.sample(outputs, 2))
        yield a, b, tuple([tuple(reference[line].split()) for reference in references[: rng.choice((1, 2))]])


def random_pairs(seed, count):
    """Yield `count` - 1 random (candidate, other candidate, references) with few distinct words and many repeats."""
    for (a, references), (b, _) in itertools.pairwise(segments(seed, count)):
        yield tuple(a), tuple(b), tuple(map(tuple, references))
