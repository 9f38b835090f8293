"""Tests of the formula's numbers as steps find them: they are consistent and equal what is counted on the marks."""

import math

import pytest

import metrics
from metrics.formula import notation
from metrics.teach import steps as told
from metrics.types import Edit, Hit, Run, Shift
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.tables import every_row
from tests.helpers.teach.sentences import CASES, SENTENCES, random_sentences, real_sentences

#: Names that may lack a number at the end even where all sides have words: parts that do not occur, and values that
#: are a mean of several.
OPEN = {"bleu": {"p_n"}, "nist": {"information", "information of a single word"}, "sia": {"round_r"}}


def formula_steps(trace, known):
    most = getattr(trace.settings, "max_order", None)
    return notation.parse_definitions(metrics.METRICS[trace.metric].about.formula, known, most)


def check_known(key, segment, given):
    trace, steps, known = metrics.trace(key, *segment, **given), [], {}
    for step in trace:
        steps.append(step)
        known = {name: value for name, value in (known | step.known_values).items() if not math.isnan(value)}
        for one in formula_steps(trace, known) if step.known_values else ():
            for form in one.forms:
                if one.name in known and not math.isnan(form.value):
                    same = pytest.approx(known[one.name], rel=1e-9, abs=1e-12)
                    assert form.value == same, (segment, step.text, one.name, metrics.formula.text(form), known)
    assert told.known_values_after(steps) == known
    return trace, steps[-1], known


@pytest.mark.slow
@every_row(("key", "given"), CASES)
def test_what_is_known_makes_what_is_known_of_it(key, given):
    for segment in [*SENTENCES, *random_sentences(f"{key} {given}", 12)]:
        trace, last, known = check_known(key, segment, given)
        *_, score = formula_steps(trace, known)
        assert known[score.name] == pytest.approx(last.score, rel=1e-9, abs=1e-12), segment


@pytest.mark.parametrize("key", KEYS)
def test_of_real_sentences_all_is_known_in_the_end(key):
    for segment in real_sentences():
        trace, last, known = check_known(key, segment, {})
        for one in formula_steps(trace, known):
            assert one.name in known or one.name in OPEN.get(key, ()), (one.name, known)
        for name, value in COUNTED.get(key, {}).items():
            if name == "chunks" and not known["fragmentation"]:
                continue  # a single chunk that covers both sentences does not count
            assert known[name] == value(last), (name, known)


def count_edits(step, op):
    return sum(isinstance(mark, Edit) and mark.op == op for mark in step.taken_marks)


EDITS = {
    letter: lambda step, op=op: count_edits(step, op)
    for letter, op in zip("SID", ("substitution", "insertion", "deletion"), strict=True)
}
#: Names in formulas, and their values by the marks of the last step.
COUNTED = {
    "gtm": {"Σ length^e": lambda step: sum(run.length**2 for run in step.taken_marks)},
    "dcs": {"Σ l²": lambda step: sum(run.length**2 for run in step.taken_marks if isinstance(run, Run))},
    "meteor": {
        "matches": lambda step: sum(isinstance(mark, Hit) for mark in step.taken_marks),
        "chunks": lambda step: sum(isinstance(mark, Run) for mark in step.taken_marks),
    },
    "ribes": {"aligned": lambda step: sum(isinstance(mark, Hit) for mark in step.taken_marks)},
    "wer": EDITS,
    "per": {"common": lambda step: len(step.taken_marks)},
    "ter": {**EDITS, "shifts": lambda step: sum(isinstance(mark, Shift) for mark in step.taken_marks)},
}


def test_numbers_of_a_reference_give_way_to_those_of_the_next():
    found = []
    for step in metrics.trace("rouge_l", "a b c".split(), ["a b".split(), "c d e f".split()]):
        found.append(step.known_values)
    starts = [known for known in found if "m" in known][:2]
    assert [known["m"] for known in starts] == [2, 4] and all(math.isnan(known["P"]) for known in starts)
