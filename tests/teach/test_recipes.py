"""Tests that making the mistake of a slip's sentence gives the slip's number.

They cover every slip of every metric, with one reference and with several."""

from __future__ import annotations

import math
import random
import re

import pytest

import metrics
from metrics.teach.slips import possible_slips
from metrics.types import TooHard, segment
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.cases import random_segment, variants
from tests.helpers.teach.recipes import RECIPES, ScoreFacts


def random_segments(key, references):
    """Yield random segments, some long, short or with repeated words, so that every slip occurs.

    Each has `references` references."""
    rng = random.Random(f"{key} {references}")
    for number in range(40):
        candidate = random_segment(rng, 12).candidate or ("a",)
        theirs = [[*candidate] for _ in range(references)]
        for reference in theirs:
            for _ in range(rng.randrange(1, 5)):
                at = rng.randrange(len(reference) + 1)
                reference[at : at + rng.randrange(3)] = rng.choices("abcde", k=rng.randrange(3))
            if number % 3 == 0:
                cut = rng.randrange(len(reference) + 1)
                reference[:] = reference[cut:] + reference[:cut]
        yield segment(candidate, [reference or ["a"] for reference in theirs])


def settings_to_try(key):
    """Yield the default and other settings of metric `key`.

    Jackknife is left out, because its mean of F is not F of the mean P and R."""
    for given in variants(key):
        if given.get("multi_reference") != "jackknife" and "similarity" not in given:
            yield metrics.settings(key, **given)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_who_follows_a_sentence_gets_the_number(key):
    metric, followed = metrics.METRICS[key], set()
    chosen = [*settings_to_try(key)]
    for number, words in enumerate([*random_segments(key, 1), *random_segments(key, 3)]):
        for given in (chosen[0], chosen[number % len(chosen)]):
            try:
                result = metric.score(words, given)
                found = [*possible_slips(metric, result)]
            except TooHard:
                continue
            for slip in found:
                facts = ScoreFacts(metric, result)
                ways = [(way, re.match(says, slip.says), says) for says, way in RECIPES[key].items()]
                ways = [(way, match, says) for way, match, says in ways if match]
                assert ways, f"nobody can follow: {slip.says}"
                numbers = [way(facts, *match.groups()) for way, match, _ in ways]
                near = [n for n in numbers if math.isclose(n, slip.number, rel_tol=1e-9, abs_tol=1e-12)]
                assert near, (slip, numbers, result.segment, given)
                followed |= {says for _, _, says in ways}
    assert {*RECIPES[key]} == followed
