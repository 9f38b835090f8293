"""Tests of pairs that a metric ranks against people, and of a metric's faults inside spans that people marked."""

from itertools import combinations

import numpy as np
import pytest

import metrics
from metrics.corpus.agreement import correlation, marked_reasons, wrong_pairs
from metrics.corpus.agreement.marked_reasons import OutputFindings
from metrics.corpus.table import score_table
from metrics.text.judgements import ErrorSpan, JudgementRecord, RatingScale
from metrics.text.processing import process
from metrics.types import Segment
from tests.helpers.corpora import SYSTEMS, load_segments

SIZE = 60


def error_span(start, end, system=0, segment=0, side="target"):
    return ErrorSpan(system, segment, 0, side, start, end, "Accuracy", "Major")


# ---------------------------------------------------------------- pairs


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_wrong_pairs_are_those_with_other_signs(missing):
    random = np.random.default_rng(4)
    people, scores = random.integers(-4, 1, (2, 4, 30)).astype(float)
    scores /= 10
    for each in (people, scores):
        each[random.random(each.shape) < missing] = np.nan
    there = ~(np.isnan(people) | np.isnan(scores))
    sizes = [each[there].std() for each in (people, scores)]
    expected, right, tied = {}, 0, 0
    for segment in range(30):
        for one, other in combinations(range(4), 2):
            x, y = (each[one, segment] - each[other, segment] for each in (people, scores))
            if x * y < 0:
                better, worse = (one, other) if x > 0 else (other, one)
                expected[segment, better, worse] = min(abs(x) / sizes[0], abs(y) / sizes[1])
            right += x * y > 0
            tied += abs(x) > 0 and y == 0
    found = wrong_pairs.find_wrong_pairs(people, scores)
    assert {each[:3]: pytest.approx(each.size) for each in found.pairs} == expected
    assert (found.right, found.tied) == (right, tied)
    assert [each.size for each in found.pairs] == sorted([each.size for each in found.pairs], reverse=True)
    for each in found.pairs:
        assert each.people == people[each.better, each.segment] - people[each.worse, each.segment] > 0
        assert each.metric == pytest.approx(scores[each.worse, each.segment] - scores[each.better, each.segment])


def test_no_pairs():
    assert wrong_pairs.find_wrong_pairs(np.full((2, 3), np.nan), np.zeros((2, 3))) == ((), 0, 0)
    assert wrong_pairs.find_wrong_pairs(np.zeros((1, 3)), np.zeros((1, 3))) == ((), 0, 0)
    assert wrong_pairs.find_wrong_pairs(np.array([[1.0], [2.0]]), np.zeros((2, 1))) == ((), 0, 1)
    none = wrong_pairs.find_wrong_pairs(np.zeros((1, 3)), np.zeros((1, 3)))
    assert "No pair" in wrong_pairs.marked_credit(none, []).says("BLEU")


@pytest.mark.parametrize("key", ["bleu", "ter", "gtm"])
def test_what_is_earned_and_lost_is_the_difference(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    sign = 1 if metric.higher_is_better else -1
    theirs = [load_segments(name) for name in SYSTEMS]
    scores = sign * score_table(metric, settings, theirs).scores
    people = np.random.default_rng(1).normal(size=scores.shape)
    found = wrong_pairs.find_wrong_pairs(people, scores)
    explained = []
    for pair in found.pairs[:25]:
        outputs = tuple([process(" ".join(theirs[s][pair.segment].candidate)) for s in (pair.better, pair.worse)])
        of_marked = frozenset({0, len(outputs[1]) - 1})
        references = theirs[0][pair.segment].references
        each = wrong_pairs.explain_pair(metric, settings, pair, outputs, references, (frozenset(), of_marked))
        assert sum([edit.share for edit in each.earned]) + each.lost == pytest.approx(pair.metric)
        assert each.lost <= 0 < each.earned[0].share
        new = {i for edit in each.earned for i in range(edit.at, edit.at_end)}
        assert {i for edit in each.earned for i in edit.marked} == new & of_marked
        assert each.earns_marked_credit == bool(new & of_marked)
        turned = [any((i + by) % each.words in new for i in of_marked) for by in range(each.words)]
        assert each.chance == pytest.approx(np.mean(turned))
        explained.append(each)
    of = wrong_pairs.marked_credit(found, explained)
    assert (of.pairs, of.explained) == (len(found.pairs), 25)
    assert of.earning == sum([each.earns_marked_credit for each in explained])
    assert of.says("X").startswith(f"In {4 * of.earning} % of the 25 largest of {len(found.pairs):,} pairs")


# ---------------------------------------------------------------- marked spans


def test_words_that_a_span_touches_are_marked():
    tokens = process("The cat sat.", metrics.text.TextSettings(tokenizer="13a"))
    assert [token.form for token in tokens] == ["The", "cat", "sat", "."]
    cases = (0, 3, {0}), (2, 5, {0, 1}), (3, 4, set()), (8, 12, {2, 3}), (11, 12, {3}), (5, 5, set())
    for start, end, expected in cases:
        assert marked_reasons.marked_words(tokens, [error_span(start, end)]) == expected
    spans = error_span(0, 3), error_span(1, 2, side="source"), error_span(4, 7)
    record = JudgementRecord(("A",), 2, ("x",), (RatingScale("mqm"),), {}, spans)
    assert marked_reasons.spans_by_output(record) == {(0, 0): (error_span(0, 3), error_span(4, 7))}


@pytest.mark.parametrize("key", metrics.METRICS)
def test_what_a_metric_sees_is_in_its_cells(key):
    for segment in load_segments(SYSTEMS[1])[:20]:
        result = metrics.METRICS[key].score(segment, metrics.settings(key))
        found = marked_reasons.findings_of_result(result)
        partners = {}
        for layer in result.layers:
            if layer.relation != "different":
                for cell in layer.cells():
                    partners.setdefault(cell.i, set()).add((cell.k, cell.j))
        if not found.edits:
            assert {*range(found.words)} - {*partners} == {*found.unmatched}
        for i in found.breaks:
            assert not any((k, j + 1) in partners[i + 1] for k, j in partners[i])
        assert not {*found.breaks} & {*found.unmatched}
        for layer in result.layers:
            assert (layer.kind or layer.name) in found.kinds


@pytest.mark.parametrize("key", ["wer", "ter"])
def test_edits_are_the_words_that_are_put_in_or_replaced(key):
    for segment in load_segments(SYSTEMS[2])[:30]:
        result = metrics.METRICS[key].score(segment, metrics.settings(key))
        found = marked_reasons.findings_of_result(result)
        inserted = result.stats["insertions"] + result.stats["substitutions"]
        assert len(found.unmatched) == inserted
        touched = {i for start, end in found.edits for i in range(start, end)}
        assert {*found.unmatched} <= touched


def test_chunks_break_where_the_reference_is_elsewhere():
    reference = tuple("in the morning the cat sat".split())
    segment = Segment(tuple("the cat sat in the night".split()), (reference,))
    found = marked_reasons.find_in_segment(metrics.METRICS["gtm"], metrics.settings("gtm"), segment)
    assert (found.unmatched, found.breaks) == ((5,), (2,))


def slow_expected_hits(stretches, word_count, marked):
    total = 0.0
    for start, end in stretches:
        length = end - start
        tries = [{*range(at, at + length)} & marked for at in range(word_count - length + 1)]
        total += np.mean([bool(hit) for hit in tries])
    return total


def test_faults_lie_in_marked_spans_by_chance_as_often_as_their_stretches_do():
    random = np.random.default_rng(7)
    found, marks = {}, {}
    for segment in range(40):
        for system in range(3):
            words = int(random.integers(1, 12))
            ends = [sorted(random.integers(0, words + 1, 2)) for _ in range(3)]
            edits = tuple([(int(a), int(b)) for a, b in ends if a < b])
            unmatched = tuple(np.flatnonzero(random.random(words) < 0.3).tolist())
            breaks = tuple(np.flatnonzero(random.random(words - 1) < 0.3).tolist())
            found[system, segment] = OutputFindings(words, unmatched, edits, breaks, {})
            if random.random() < 0.7:
                start = int(random.integers(0, words))
                marks[system, segment] = frozenset(range(start, min(words, start + 3)))
    for each in marked_reasons.overlap_by_fault(found, marks, 40):
        places = {
            "unmatched words": lambda seen: [(i, i + 1) for i in seen.unmatched],
            "edits": lambda seen: seen.edits,
            "broken runs": lambda seen: [(i, i + 2) for i in seen.breaks],
        }[each.fault]
        all_places = [(o, start, end) for o, seen in found.items() for start, end in places(seen)]
        hit = [o for o, start, end in all_places if {*range(start, end)} & marks.get(o, frozenset())]
        chance = sum(
            [slow_expected_hits(places(seen), seen.words, marks.get(o, frozenset())) for o, seen in found.items()]
        )
        assert (each.number, each.marked) == (len(all_places), len(hit))
        assert (each.share, each.chance) == pytest.approx((len(hit) / len(all_places), chance / len(all_places)))
        assert each.difference.low <= each.share - each.chance <= each.difference.high
        assert {*each.outputs} == {*hit}
        assert hit.count(each.outputs[0]) == max(map(hit.count, hit))


def test_words_drawn_by_lot_lie_in_marked_spans_by_chance():
    random = np.random.default_rng(8)
    found, marks = {}, {}
    for segment in range(400):
        unmatched = tuple(sorted(random.choice(20, 5, replace=False).tolist()))
        found[0, segment] = OutputFindings(20, unmatched, (), (), {})
        start = int(random.integers(0, 15))
        marks[0, segment] = frozenset(range(start, start + 5))
    (each,) = marked_reasons.overlap_by_fault(found, marks, 400)
    assert each.chance == pytest.approx(0.25)
    assert each.difference.low < 0 < each.difference.high


def test_what_is_counted_is_correlated_for_each_word():
    key = "ter"
    theirs = [load_segments(name) for name in SYSTEMS]
    found = {
        (s, n): marked_reasons.find_in_segment(metrics.METRICS[key], metrics.settings(key), segment)
        for s, each in enumerate(theirs)
        for n, segment in enumerate(each)
    }
    people = -score_table(metrics.METRICS[key], metrics.settings(key), theirs).scores
    every = {(each.what, each.name): each for each in marked_reasons.correlate_findings(found, people)}
    assert {("fault", "unmatched words"), ("marks", "substitutions"), ("part", "edits")} <= {*every}
    of, hits, length = every["fault", "edits"], every["marks", "hits"], every["length", "length"]
    values = np.array([[len(found[s, n].edits) / found[s, n].words for n in range(SIZE)] for s in range(3)])
    assert of.pearson == correlation.pearson(people, values)
    assert of.kendall == correlation.kendall(people, values)
    assert of.within_segments == correlation.pearson(people, values, "item")
    lengths = np.array([[len(x.candidate) / np.mean([*map(len, x.references)]) for x in each] for each in theirs])
    assert length.pearson.value == pytest.approx(correlation.pearson(people, lengths).value)
    assert of.pearson.value < -0.5 < 0.5 < hits.pearson.value
    products = -(people - people.mean()) * (values - values.mean())
    assert products[of.supporting[0]] == products.max() and products[of.opposing[0]] == products.min()


def test_parts_of_a_score_stand_as_they_are():
    metric, settings = metrics.METRICS["rouge_l"], metrics.settings("rouge_l")
    theirs = load_segments(SYSTEMS[0])
    results = [metric.score(segment, settings) for segment in theirs]
    people = np.random.default_rng(1).normal(size=(1, SIZE))
    found = marked_reasons.correlate_findings(
        {(0, n): marked_reasons.findings_of_result(result) for n, result in enumerate(results)}, people
    )
    recall = next(each for each in found if each.name == "recall")
    assert recall.what == "part"
    values = np.array([[result.parts["recall"] for result in results]])
    assert recall.pearson == correlation.pearson(people, values)


def test_outputs_without_words_or_judgement_count_for_nothing():
    found = {
        (0, 0): OutputFindings(0, (), (), (), {"hits": 0.0}),
        (1, 0): OutputFindings(2, (0,), (), (), {"hits": 1.0}),
    }
    of = {each.name: each for each in marked_reasons.correlate_findings(found, np.array([[1.0], [np.nan]]))}
    assert {*of} == {"unmatched words", "hits"}
    assert isinstance(of["hits"].pearson, correlation.UndefinedCoefficient)
    assert of["hits"].supporting == of["hits"].opposing == ()
    assert marked_reasons.overlap_by_fault({}, {}, 3) == ()
