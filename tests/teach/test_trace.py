"""Tests of the traces of every paper's program on random and on real sentences.

A trace ends in the result, and what its steps claim on the way is true.
"""

import random
from functools import cache
from itertools import islice

import pytest

import metrics
from metrics.teach import steps as told
from metrics.types import Edit, Run, TooHard
from metrics.types.work import limited
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.counting import lines_run
from tests.helpers.reasons import BROKEN, BROKEN_IN_TRACE, words_of
from tests.helpers.tables import every_row
from tests.helpers.teach import slow
from tests.helpers.teach.rules_tables import recurrences_of
from tests.helpers.teach.sentences import CASES, SENTENCES, random_sentences, real_sentences


def test_every_metric_can_be_watched():
    parts = {key: [metric.program, metric.asks, metric.slips, metric.plans] for key, metric in metrics.METRICS.items()}
    assert all(all(of) for of in parts.values())


@pytest.mark.slow
@every_row(("key", "given"), CASES)
def test_a_trace_ends_in_the_result_and_every_step_holds(key, given):
    for segment in [*SENTENCES, *random_sentences(f"{key} {given}")]:
        check_trace(key, segment, given)


@pytest.mark.parametrize("key", KEYS)
def test_a_trace_of_real_sentences(key):
    for segment in real_sentences():
        check_trace(key, segment, {})


def check_trace(key, segment, given):
    trace = metrics.trace(key, *segment, **given)
    assert trace.lines == metrics.pseudo_code(key, **given)
    steps = []
    for step in trace:
        check_step(trace, step)
        steps.append((step, step_sizes(step)))
    assert [step_sizes(step) for step, _ in steps] == [size for _, size in steps], "what a step shows has changed since"
    assert all(step.result is None for step, _ in steps[:-1])
    last, _ = steps[-1]
    result = metrics.score(key, *segment, **given)
    assert last.result == result, segment
    assert last.score == pytest.approx(result.score, rel=1e-9, abs=1e-12), segment
    for table in {(step.table.name, step.table.k): step.table for step, _ in steps if step.table}.values():
        check_filled(table)


def step_sizes(step):
    return len(step.taken_marks), len(step.considered), step.table and (len(step.table.filled), step.table.cell)


def check_step(trace, step):
    assert 0 < sum(map(told.letter_breadth, step.text)) <= told.TEXT_MOST, step.text
    assert step.text.isprintable()
    assert 0 <= step.line < len(trace.lines)
    for mark in [*step.considered, *step.taken_marks, *(r.mark for r in step.rejected)]:
        check_mark(trace, mark)
    for mark, reason in step.rejected:
        if reason in BROKEN_IN_TRACE:
            assert BROKEN_IN_TRACE[reason](mark, step, trace), (reason, mark)
        else:
            assert BROKEN[reason](mark, step), (reason, mark)
    if step.decision:
        assert step.decision.name
        for mark in step.decision.options:
            check_mark(trace, mark)
    for table in filter(None, [step.table, step.table and step.table.second_table]):
        check_table(trace, table)
    if step.free is not None:
        if trace.metric != "sia":  # SIA retires words in a separate step
            assert not words_of(step.taken_marks) & free_words(step), "a word that is taken is free"
        everything = told.all_free(trace.segment)
        assert step.free.candidate <= everything.candidate
        assert all(a <= b for a, b in zip(step.free.references, everything.references, strict=True))


def free_words(step):
    ours = {("candidate", i) for i in step.free.candidate}
    return ours | {(k, j) for k, free in enumerate(step.free.references) for j in free}


def check_mark(trace, mark):
    """Check that a mark is inside the texts and, where it is a match, on equal words."""
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
    """Check that a table's newest cell is inside it, and that the cell in focus is filled."""
    assert 0 <= table.k < len(trace.segment.references)
    for cell in filter(None, [table.cell, table.filled[-1] if table.filled else None]):
        assert 0 <= cell.row < table.rows and 0 <= cell.column < table.columns
    assert table.cell is None or table.cell is table.filled[-1] or table.cell in table.filled


def check_filled(table):
    """Check that every cell is filled once, from cells that were filled before."""
    before = set()
    for row, column, _, came in table.filled:
        assert {*came} <= before, (row, column)
        assert (row, column) not in before
        before.add((row, column))


#: Metrics whose hits may be words that are only similar.
SIMILAR = {"meteor", "sia", "chrf"}


# ---------------------------------------------------------------- tables


def tables_of(key, candidate, reference, **given):
    """Return the complete tables of a trace against one reference: by table name, (row, column) mapped to the value."""
    out = {}
    for step in metrics.trace(key, candidate, [reference], **given):
        for table in filter(None, [step.table, step.table and step.table.second_table]):
            out[table.name] = {cell[:2]: cell.value for cell in table.filled}
    return out


def random_pairs(seed, count=30):
    rng = random.Random(seed)
    for _ in range(count):
        yield tuple(rng.choices("abc", k=rng.randrange(8))), tuple(rng.choices("abc", k=rng.randrange(8)))


def test_the_table_of_rouge_l_is_the_lcs_of_all_beginnings():
    for a, b in random_pairs(1):
        expected = {(i, j): slow.lcs(a[:i], b[:j]) for i in range(len(a) + 1) for j in range(len(b) + 1)}
        assert tables_of("rouge_l", a, b) == {"c": expected}


def test_the_way_back_of_rouge_l_takes_the_marks_of_the_result():
    for a, b in random_pairs(4, 100):
        *_, last = metrics.trace("rouge_l", a, [b])
        assert {*last.taken_marks} == last.result.cells()


@pytest.mark.parametrize("weight", [1.0, 1.2, 2.0])
def test_the_tables_of_rouge_w_are_those_of_the_paper(weight):
    for y, x in random_pairs(2):
        tables = tables_of("rouge_w", y, x, weight=weight)
        for name, value in zip("cw", recurrences_of(x, y, weight), strict=True):
            expected = {(j, i): value(i, j) for i in range(len(x) + 1) for j in range(len(y) + 1)}
            assert tables[name] == pytest.approx(expected)


@pytest.mark.parametrize("weight", [1.0, 1.2, 2.0])
def test_the_table_of_the_optimal_rouge_w_is_the_maximum_of_all_beginnings(weight):
    for a, b in random_pairs(3):

        @cache
        def largest_sum(i, j):
            ways = [0.0]
            if i and j:
                ways = [largest_sum(i - 1, j), largest_sum(i, j - 1)]
                for length in range(1, min(i, j) + 1):
                    if a[i - length : i] == b[j - length : j]:
                        ways.append(largest_sum(i - length, j - length) + length**weight)
            return max(ways)

        expected = {(i, j): largest_sum(i, j) for i in range(len(a) + 1) for j in range(len(b) + 1)}
        assert tables_of("rouge_w", a, b, weight=weight, variant="optimal")["D"] == pytest.approx(expected)


# ---------------------------------------------------------------- the texts of steps


def step_texts(key, candidate, *references, **given):
    return [step.text for step in metrics.trace(key, candidate.split(), [r.split() for r in references], **given)]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("candidate", "references"), [("", ["a b"]), ("a b", [""]), ("", [""])])
def test_an_empty_side_says_so(key, candidate, references):
    found = step_texts(key, candidate, *references)
    assert any("no words" in text for text in found), found


LONG_RUN = "the president of the united states said yes"
SAID = [  # metric, settings, candidate, references, a sentence of its trace
    ("rouge_n", {}, "a a", ["a b"], "“a”, place 2: the reference has it once, and all are used."),
    ("rouge_n", {"order": 3}, "a a", ["a b"], "No 3-gram can match: 2 words are too few."),
    ("rouge_l", {}, "a b", ["b a"], "c(2, 2) came from ↑ and ←; ↑ comes first: “b” is left out."),
    ("rouge_w", {"weight": 2.0}, "a b", ["a b b"], "“b”: the match is taken, c = 2, although c would be 4 without it."),
    ("rouge_w", {"weight": 2.0}, "a b", ["a b b"], "It misses the maximum, 4: first at c(3, 2), 2 instead of 4."),
    ("rouge_s", {}, "a", ["a b"], "No pair can match: one word makes no pair."),
    ("rouge_s", {"max_skip": 0}, "a b a", ["a b", "b a"], "Reference 1 has the best R, 1."),
    ("rouge_s", {"unigrams": True}, "a b", ["b a"], "0 of 1 pair and 2 of 2 words match the reference."),
    ("gtm", {}, "a b c a", ["a b d a c"], "6 hits in 5 runs, the longest has 2 words."),
    ("gtm", {}, "a b", ["a b", "a b"], "“a b” (2 words, R2) is taken: the last of 2 equally long free runs."),
    ("gtm", {}, LONG_RUN + " x", [LONG_RUN + " y"], "“the president … said yes” (8 words) is the longest free run"),
    ("gtm", {}, "a a a", ["a a a", "a"], "3 words matched; min(3, 2) may count: 1 less."),
    ("gtm", {}, "a b c x b d", ["a b d y a b c"], "“a b” (2 words) shares a word with “a b c”: left out."),
    ("dcs", {}, "a b", ["b", "a b"], "Reference 2 of 2 is best: 1."),
    ("ribes", {}, "a", ["a"], "There is one reference: 1."),
    ("wer", {}, "a b", ["b", "a b"], "Reference 2 of 2 has the lowest rate: 0."),
    ("ter", {}, "b a", ["a b"], "Row of “a”: smallest number 1, last number 2."),
    ("ter", {}, "b a", ["a b"], "Row of “a”: smallest number 0, last number 1."),
    ("ter", {}, "a b", ["b", "a b"], "Reference 2 of 2 needs the fewest edits: 0."),
    ("gtm", {"solver": "exact"}, "c b b c c", ["c c c b c"], "4 is more than the best so far: keep 2 runs."),
]


@pytest.mark.parametrize(("key", "given", "candidate", "references", "said"), SAID)
def test_what_a_step_says(key, given, candidate, references, said):
    found = step_texts(key, candidate, *references, **given)
    assert any(text.startswith(said) for text in found), found


def test_marks_and_reasons_of_a_conflict():
    """Check that the shorter run is rejected: the run of three uses the words “a b” of the candidate.

    The reference has these words once more."""
    steps = [*metrics.trace("gtm", "a b c x b d".split(), ["a b d y a b c".split()])]
    (lost,) = [step for step in steps if step.rejected and step.rejected[0].mark.length == 2]
    assert [(rejected.mark, rejected.reason) for rejected in lost.rejected] == [(Run(0, 0, 0, 2), told.CONFLICT)]


def test_steps_are_made_when_they_are_asked_for():
    """Check that the first steps on two texts of 1,900 words need neither the score nor the whole table."""
    trace = metrics.trace("rouge_l", ["a"] * 1_900, [["b"] * 1_900])
    with limited(100):
        first = [*islice(trace, 5)]
    assert len(first[-1].table.filled) == 2 * 1_900 + 1 + 4


#: Programs that start with all the work: BLEU, chrF and NIST place all n-grams, GTM lists all runs.
ALL_AT_ONCE = {"bleu", "chrf", "nist", "gtm"}


@pytest.mark.slow
def test_the_first_steps_cost_hardly_anything():
    """Check that three steps on texts of 30 words run a small part of the Python code that all steps run."""
    rng = random.Random(6)
    words, others = (rng.choices([f"w{t}" for t in range(25)], k=30) for _ in range(2))
    for key in {*KEYS} - ALL_AT_ONCE:
        [*islice(metrics.trace(key, words, [others]), 3)]  # imports modules and stems words, which is done only once
        trace, steps = metrics.trace(key, words, [others]), []
        begun, done = (lines_run(lambda most=most: steps.extend(islice(trace, most))) for most in (3, 500))
        assert len(steps) > 3 and begun < 0.15 * done, (key, begun, done, len(steps))


@pytest.mark.slow
def test_no_sentence_is_too_long_with_long_words_and_many_of_them():
    rng = random.Random(7)
    words = [f"{word}{t}" for t in range(20) for word in ("incomprehensibilities", "W" * 20, "翻译" * 9)]
    long = [rng.choices(words, k=50) for _ in range(2)]
    few = [words[:3], *[[]] * 9, rng.choices(words[:3], k=9), words[:3]]
    for key in KEYS:
        for candidate, references in ((long[0], long[1:]), (words[:3] * 3, few), ([words[0]] * 12, [[words[0]] * 12])):
            for step in islice(metrics.trace(key, candidate, references), 500):
                assert 0 < sum(map(told.letter_breadth, step.text)) <= told.TEXT_MOST, (key, step.text)
    for step in metrics.trace("gtm", list("bababa"), [list("bbaaaabb")], exponent=71.3517):
        assert len(step.text) <= told.TEXT_MOST, step.text


def test_the_references_that_are_not_chosen_are_turned_down():
    for key in ("dcs", "meteor", "ribes", "per"):
        steps = metrics.trace(key, "a b c".split(), ["a b x".split(), "a b c".split(), "c".split()])
        (choice,) = [step for step in steps if step.decision and step.decision.name == "reference"]
        assert {*choice.decision.options} == {*choice.taken_marks} | {mark for mark, _ in choice.rejected}, key
        assert choice.rejected and {reason for _, reason in choice.rejected} == {told.NO_BETTER}, key


def test_every_round_of_ter_has_its_table():
    """Check that TER fills a table before and after a shift, the second one in the new order of the words."""
    tables = [step.table for step in metrics.trace("ter", "c a b".split(), ["a b c".split()]) if step.table]
    last = [dict.fromkeys(cell.row for cell in table.filled) for table in tables if len(table.filled) == 16]
    assert [*last[0]] == [0, 1, 2, 3] and [*last[-1]] == [0, 2, 3, 1]


@pytest.mark.parametrize("key", ["gtm", "rouge_s"])
def test_long_texts_hold_nobody_up(key):
    """Check that texts that take too much work raise TooHard early.

    Two texts of 700 equal words have 60 million runs, and 250,000 pairs each."""
    with limited(600_000 if key == "gtm" else 400_000), pytest.raises(TooHard):
        next(metrics.trace(key, ["a"] * 700, [["a"] * 700]))


def test_the_search_of_meteor_counts_its_work():
    rng = random.Random(8)
    words, others = (rng.choices([f"w{t}" for t in range(60)], k=400) for _ in range(2))
    with limited(200_000), pytest.raises(TooHard):
        for _ in metrics.trace("meteor", words, [others], stages=("exact",)):
            pass


def test_the_score_so_far_of_meteor_is_that_of_the_matching():
    """Check METEOR's score so far: the best reference's while matches are searched, then the current matching's.

    The second holds at every line of the formula."""
    for candidate, references in [*random_sentences("meteor so far", 20), *real_sentences()]:
        values = [metrics.score("meteor", candidate, [reference]).score for reference in references]
        done, trace = 0, metrics.trace("meteor", candidate, references)
        for step in trace:
            line = trace.lines[step.line].split()[0]
            if line in ("exact:", "stem:", "synonym:"):
                assert step.score == (pytest.approx(max(values[:done]), abs=1e-12) if done else None), step.text
            elif line in ("chunk:", "P", "F", "frag", "penalty", "value"):
                assert step.score == pytest.approx(values[done], abs=1e-12), step.text
            done += line == "value"


def test_the_score_so_far_of_ter_is_that_of_the_best_reference_until_the_next_is_counted():
    for candidate, references in [*random_sentences("ter so far", 20), *real_sentences()]:
        found, counted, trace = [], False, metrics.trace("ter", candidate, references)
        for step in trace:
            line = trace.lines[step.line].split()[0]
            if line == "d(i," and not counted and len(found) < len(references):
                assert step.score == (min(found) if found else None), step.text
            counted |= line == "script"
            if line == "until":  # no further shift is searched
                found.append(step.score)
                counted = False
        assert len(found) == len(references) and step.score == pytest.approx(min(found), abs=1e-12)


def test_the_score_so_far_only_gets_better():
    for key, given in (("bleu", {"smoothing": "none", "max_order": 2}), ("nist", {}), ("rouge_n", {}), ("dcs", {})):
        for segment in random_sentences(key, 20):
            scores = [step.score for step in metrics.trace(key, segment[0], segment[1][:1], **given)]
            known = [score for score in scores if score is not None]
            assert known == sorted(known) and len(known) > len(scores) / 2, (key, segment)
    for segment in random_sentences("per", 20):
        scores = [step.score for step in metrics.trace("per", segment[0], segment[1][:1])]
        assert scores == sorted(scores, reverse=True), segment
