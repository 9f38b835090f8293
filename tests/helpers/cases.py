"""Define inputs for the tests of several metrics: settings made from their rules, segments, and pairs of outputs.

Also read the values that other programs gave."""

import json
import math
import random
from dataclasses import fields

import pytest

import metrics
from metrics.types import SettingRule, number_in_words, segment
from tests.helpers.app import ROOT
from tests.helpers.corpora import SYSTEMS, load_token_lines

KEYS = list(metrics.METRICS)
#: The metrics whose algorithm can be stepped through and asked about; a metric may lack that.
TAUGHT = [key for key in KEYS if metrics.METRICS[key].plans]
SCORES = [key for key in KEYS if metrics.METRICS[key].higher_is_better]


def sample_values(rule: SettingRule, default_value):
    """Return values that a setting's rule allows: every option, the ends of its ranges, and the default."""
    if rule.kind == "flag":
        return [True, False]
    if rule.kind == "choice":
        return list(rule.options)
    if rule.kind == "choices":
        return [(option,) for option in rule.options] + [tuple(rule.options)]
    if rule.kind == "object":
        return [default_value]
    ends = [rule.least, rule.most, *(rule.slider_range or ())]
    whole = rule.kind == "whole"
    values = {int(v) if whole else float(v) for v in ends if math.isfinite(v)} | {default_value}
    values |= {2} if whole and rule.least <= 2 <= rule.most else set()
    return sorted(values - {None}) + ([None] if rule.optional else [])


def variants(key):
    """Return valid settings of the metric `key` as dicts: the defaults, each setting changed alone, some at random."""
    settings = metrics.METRICS[key].Settings
    choices = {f.name: sample_values(f.metadata["rule"], f.default) for f in fields(settings)}
    rng = random.Random(key)
    given = [{}] + [{name: value} for name, values in choices.items() for value in values]
    given += [{name: rng.choice(values) for name, values in choices.items()} for _ in range(6)]
    out = []
    for changes in given:
        try:
            settings(**changes)
        except ValueError:  # the value breaks a rule that the field does not state, such as an open end
            continue
        if changes not in out:
            out.append(changes)
    return out


CASES = [pytest.param(key, given, id=f"{key}-{given}") for key in KEYS for given in variants(key)]


LONG = [f"w{t * t % 397}" for t in range(2000)]


def segments(seed, count=25):
    rng = random.Random(seed)
    for _ in range(count):
        words = rng.choice(["ab", "abc", "abcdefghij"])
        yield (
            tuple(rng.choices(words, k=rng.randrange(9))),
            [tuple(rng.choices(words, k=rng.randrange(9))) for _ in range(rng.choice([1, 1, 2, 3]))],
        )


def random_segment(rng, most=14, references=3):
    words = rng.choice(["ab", "abc", "abcdefghij"])
    return segment(
        rng.choices(words, k=rng.randrange(most)),
        [rng.choices(words, k=rng.randrange(most)) for _ in range(rng.randint(1, references))],
    )


def golden_rows(name):
    """Return the rows of a file with values that other programs, or slow programs of ours, gave."""
    return json.loads((ROOT / "tests" / "golden" / f"{name}.json").read_text(encoding="utf8"))


def real_pairs():
    """Return (output, other output, one reference, another reference) for each line of the talks."""
    return list(zip(*map(load_token_lines, (*SYSTEMS[:2], "reference.A", "reference.B")), strict=True))


def pairs(seed, count=25):
    """Yield `count` random (output, other output, references).

    The other output is the first with a few changes, sometimes empty."""
    rng = random.Random(seed)
    for candidate, references in segments(seed, count):
        other = list(candidate)
        for _ in range(rng.randrange(4)):
            place = rng.randrange(len(other) + 1)
            other[place : place + rng.randrange(2)] = rng.choices("abcdx", k=rng.randrange(3))
        if rng.random() < 0.1:
            other = []
        yield candidate, tuple(other), references


def all_pairs():
    """Yield random and real (output, other output, references).

    A real output is paired with another system's and with an empty one."""
    yield from pairs(5, 40)
    for a, b, *references in real_pairs()[::6]:
        yield from ((a, b, references), (a, (), references))


def score_both(key, a, b, references, **given):
    return metrics.score(key, a, references, **given), metrics.score(key, b, references, **given)


#: The numbers that a sentence writes as words, from 0 on.
NUMBERS = [number_in_words(number) for number in range(13)]


def parse_number(text):
    """Return the whole number that is written in digits or, up to twelve, as a word."""
    return int(text) if text.isdigit() else NUMBERS.index(text)


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
