"""The steps of every paper's program, on random and on real sentences: they end in the result, and what they claim on
the way is so.
"""

import random

import pytest
from reasons import BROKEN
from test_properties import variants

import metrics
from metrics.textbook import rouge
from metrics.textbook import steps as told
from metrics.textbook.programs import PROGRAMS
from metrics.types import Edit

CASES = [pytest.param(key, given, id=f"{key}-{given}") for key in PROGRAMS for given in variants(key)]
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


@pytest.mark.parametrize(("key", "given"), CASES)
def test_a_trace_ends_in_the_result_and_every_step_holds(key, given):
    for segment in [*SENTENCES, *random_sentences(f"{key} {given}")]:
        trace = metrics.trace(key, *segment, **given)
        steps = [*trace]
        assert trace.lines == metrics.pseudo_code(key, **given)
        for number, step in enumerate(steps):
            check_step(trace, step)
            assert (step.result is None) == (number < len(steps) - 1)
        result = metrics.score(key, *segment, **given)
        assert steps[-1].result == result, segment
        assert steps[-1].score == pytest.approx(result.score, rel=1e-9, abs=1e-12), segment


def check_step(trace, step):
    assert 0 < len(step.text) <= told.TEXT_MOST, step.text
    assert step.text.isprintable()
    assert 0 <= step.line < len(trace.lines)
    for mark in [*step.considered, *step.taken, *(r.mark for r in step.rejected)]:
        check_mark(trace, mark)
    for mark, reason in step.rejected:
        assert REASONS[reason](mark, step), (reason, mark)
    if step.decision:
        assert step.decision.name
        for mark in step.decision.options:
            check_mark(trace, mark)
    for table in filter(None, [step.table, step.table and step.table.beside]):
        check_table(trace, table)
    if step.free is not None:
        everything = told.all_free(trace.segment)
        assert step.free.candidate <= everything.candidate
        assert all(a <= b for a, b in zip(step.free.references, everything.references, strict=True))


def check_mark(trace, mark):
    """A mark lies inside and, where it says so, on words that match."""
    candidate, references = trace.segment
    if isinstance(mark, Edit):
        assert 0 <= mark.i_start <= mark.i_end <= len(candidate)
        assert 0 <= mark.j_start <= mark.j_end <= len(references[mark.k])
        if mark.op != "match":
            return
    for i, k, j in mark.cells():
        assert i >= 0 and j >= 0
        if trace.metric not in SIMILAR:
            assert candidate[i] == references[k][j], mark


def check_table(trace, table):
    """Every cell lies inside, is filled once and came from cells that were filled before."""
    if table.cell is not None:
        assert table.cell in table.filled
    assert table.k < len(trace.segment.references)
    before = set()
    for row, column, _, came in table.filled:
        assert 0 <= row < table.rows and 0 <= column < table.columns
        assert set(came) <= before, (row, column)
        assert (row, column) not in before
        before.add((row, column))


#: Metrics whose hits may be words that are only similar.
SIMILAR = {"meteor", "sia"}


def words_of(marks):
    cells = [cell for mark in marks for cell in mark.cells()]
    return {("candidate", i) for i, _, _ in cells} | {(k, j) for _, k, j in cells}


def reference(mark):
    return mark.k if hasattr(mark, "k") else mark.first.k


#: For each reason whether a mark that is rejected for it at a step breaks that rule.
REASONS = {
    **BROKEN,
    told.CONFLICT: lambda mark, step: words_of([mark]) & words_of(step.taken),
    rouge.NO_BETTER: lambda mark, step: reference(mark) not in map(reference, step.taken),
    rouge.LEFT_OUT: lambda mark, step: reference(mark) not in map(reference, [*step.taken, *step.considered]),
}
