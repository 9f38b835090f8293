"""Tests of the ORANGE experiment against a slow program that sorts each list."""

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.corpus.agreement.experiments import orange
from metrics.corpus.agreement.experiments.orange import EXPERIMENT
from metrics.corpus.resampling import interval, resample_counts
from tests.helpers.experiment_data import make_data, run_checking_progress, with_external_scores

ROWS = [
    ("BLEUS2", "bleu", {"max_order": 2, "smoothing": "add_k"}),
    ("PER", "per", {}),
    ("ROUGE-L", "rouge_l", {}),
    ("ROUGE-W-1.3", "rouge_w", {"weight": 1.3}),
    ("ROUGE-S3", "rouge_s", {"max_skip": 3}),
    ("ROUGE-S*", "rouge_s", {}),
]


def slow_mean_ranks(given, key, settings):
    """Return ORANGE for each segment: the mean rank of its references, divided by the length of the ranked list.

    Each reference is ranked among the outputs by its score against the other references. Ties get their mean rank.
    Segments with fewer than two references are left out, because nothing could score a reference there."""
    out = []
    for n, references in enumerate(given.references):
        some = given.options.lists[n] if given.options.lists else [lines[n] for lines in given.candidates]
        parts = []
        for k, reference in enumerate(references):
            others = [line.split() for m, line in enumerate(references) if m != k]
            if not others or not some:
                continue
            scores = [metrics.score(key, line.split(), others, **settings).score for line in [reference, *some]]
            if not metrics.METRICS[key].higher_is_better:
                scores = [-score for score in scores]
            best = sorted(scores, reverse=True)
            places = [place for place, score in enumerate(best, 1) if abs(score - scores[0]) < 1e-12]
            parts.append(np.mean(places) / len(scores))
        if parts:
            out.append(np.mean(parts))
    return np.array(out)


@pytest.mark.parametrize("lists", [False, True])
def test_the_table_is_the_slow_programs(lists):
    given = make_data(10)
    if lists:
        some = [tuple([line for lines in given.candidates for line in (lines[n], lines[n][5:])]) for n in range(10)]
        some[3], some[4] = (), some[4][:1]
        given = replace(given, options=replace(given.options, lists=tuple(some)))
    given = replace(given, references=(*given.references[:-1], given.references[-1][:1]))
    if not lists:
        with pytest.raises(ValueError, match="at least 2 references"):
            EXPERIMENT.run(given, lambda progress: None)
        given = replace(given, references=(*given.references[:-1], (*given.references[-1], "and another one")))
    else:
        given = replace(given, references=(*given.references[:-1], (*given.references[-1], "and another one")))
    (table,) = run_checking_progress(EXPERIMENT, given).tables
    assert table.lower_is_better
    for name, key, settings in ROWS:
        each = slow_mean_ranks(given, key, settings)
        found = table.value(name, "ORANGE")
        assert found.value == pytest.approx(each.mean(), abs=1e-12)
        drawn = np.concatenate([*resample_counts(len(each), 40)]) @ each / len(each)
        assert (found.low, found.high) == pytest.approx(interval(drawn), abs=1e-12)


def test_a_reference_above_all_has_the_least_rank_and_one_below_all_1():
    found, first = orange.rank_references(np.array([[0.1, 0.9], [0.2, 0.8], [0.5, 0.3]]), np.full((3, 2), True))
    assert found.tolist() == [1 / 3, 1.0] and first.tolist() == [1, 0]
    assert np.isnan(orange.rank_references(np.array([[0.1], [0.5]]), np.array([[False], [True]]))[0]).all()


def test_curves_have_all_weights_and_distances_and_open_what_ranks_above_a_reference():
    out = run_checking_progress(EXPERIMENT, make_data(10))
    weights, skips, orders = (chart.curves[0].points for chart in out.charts)
    assert [point.x for point in weights] == [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0]
    assert [point.x for point in skips] == [*range(10)] and [point.x for point in orders] == [*range(1, 10)]
    for point in (*weights, *skips, *orders):
        assert point.low <= point.y <= point.high and len(point.opens) == 10
        assert all(0 <= place.system < 3 for place in point.opens)
    assert out.tables[0].value(orange.CHANCE, "ORANGE").value == pytest.approx(0.625)


def test_with_lists_a_row_opens_where_the_references_rank_lowest():
    given = make_data(10)
    some = tuple([(given.candidates[n % 3][n], f"not an output {n}") for n in range(10)])
    given = replace(given, options=replace(given.options, lists=some))
    out = run_checking_progress(EXPERIMENT, given)
    (row,) = [row for row in out.tables[0].rows if row.name == "ROUGE-L"]
    each = slow_mean_ranks(given, "rouge_l", {})
    assert [each[place.segment] for place in row.opens] == pytest.approx(np.sort(each)[::-1])
    assert [place.system for place in row.opens] == [place.segment % 3 for place in row.opens]
    strange = replace(given, options=replace(given.options, lists=(("not an output",),) * 10))
    (row,) = [row for row in run_checking_progress(EXPERIMENT, strange).tables[0].rows if row.name == "ROUGE-L"]
    assert len(row.opens) == 10 and {place.system for place in row.opens} == {0}
    assert any("or else MiSS" in note for note in out.notes)


def test_other_programs_cannot_rank_references_which_is_said():
    notes = run_checking_progress(EXPERIMENT, with_external_scores(make_data(4), {"COMET": np.ones((3, 4))})).notes
    assert any(note.startswith("Without COMET") for note in notes)
    assert not any("Without" in note for note in run_checking_progress(EXPERIMENT, make_data(4)).notes)


def test_lists_must_be_of_all_segments():
    given = make_data(4)
    given = replace(given, options=replace(given.options, lists=(("a",),)))
    assert "for each of the 4 segments, but there are 1" in EXPERIMENT.needs.missing(given)
