"""Tests that hold for every experiment, whichever paper it comes from."""

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.corpus.agreement.experiments import EXPERIMENTS
from metrics.corpus.agreement.experiments.experiment import (
    ExperimentData,
    ExperimentOptions,
    data_from_material,
    require,
)
from metrics.corpus.tasks import Stopped
from metrics.text.formats import File, read
from metrics.text.judgements import JudgementRecord, RatingScale
from tests.helpers.experiment_data import make_data, run_checking_progress

EACH = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.key)


@pytest.fixture(scope="module")
def material():
    return make_data(8, scales=("adequacy", "fluency"), systems=4)


def reader_sentences(experiment):
    yield experiment.needs.says
    yield experiment.about
    yield from experiment.differs
    yield from (fact.says for fact in experiment.printed.facts)


def check_table_form(table):
    assert table.rows and len({row.name for row in table.rows}) == len(table.rows)
    for row in table.rows:
        assert len(row.values) == len(table.columns)
        for value in row.values:
            assert value is None or (value.value is None) == bool(value.why)
            assert value is None or value.value is None or np.isfinite(value.value)
            assert value is None or value.low is None or value.low <= value.high


def test_keys_and_titles_are_their_own():
    for names in ([each.key for each in EXPERIMENTS], [each.title for each in EXPERIMENTS]):
        assert len(set(names)) == len(names) > 5


@EACH
def test_what_a_reader_sees_are_sentences(experiment):
    for sentence in reader_sentences(experiment):
        assert not sentence[0].islower() or sentence.startswith("cs2")
        assert sentence.endswith(".") and "  " not in sentence, sentence


@EACH
def test_the_papers_numbers_stand_somewhere(experiment):
    assert experiment.printed.tables or experiment.printed.facts
    for table in experiment.printed.tables:
        check_table_form(table)
        assert table.source.startswith("Table")
    assert all(fact.source for fact in experiment.printed.facts)


@pytest.mark.slow
@EACH
def test_what_comes_of_it_can_be_shown_and_opened(experiment, material):
    out = run_checking_progress(experiment, material)
    assert out.tables or out.charts
    keys = [each.key for each in (*out.tables, *out.charts)]
    assert len(set(keys)) == len(keys)
    for table in out.tables:
        check_table_form(table)
    for chart in out.charts:
        assert chart.curves and all(curve.points for curve in chart.curves)
        for curve in chart.curves:
            assert [point.x for point in curve.points] == sorted(point.x for point in curve.points)
            assert all(np.isfinite(point.y) for point in curve.points)
    rows = [row.opens for table in out.tables for row in table.rows]
    points = [point.opens for chart in out.charts for curve in chart.curves for point in curve.points]
    grids = [(grid.opens,) for grid in out.grids if grid.opens]
    assert any(rows) or any(points)
    for place in [place for places in (*rows, *points, *grids) for place in places]:
        assert 0 <= place.system < len(material.systems) and 0 <= place.segment < material.size
        if place.metric:
            metrics.settings(place.metric, **dict(place.settings))
    assert all(note.endswith(".") for note in out.notes), out.notes


@pytest.mark.slow
@EACH
def test_the_papers_rows_are_found_beside_ours(experiment, material):
    ours = {table.key: table for table in run_checking_progress(experiment, material).tables}
    for table in experiment.printed.tables:
        if (beside := ours.get(table.key)) is not None:
            names = {row.name for row in beside.rows}
            assert len([row for row in table.rows if row.name in names]) >= len(table.rows) / 2
            assert set(table.columns) <= {*beside.columns, "overall"}


@EACH
def test_what_is_missing_is_said_and_raised(experiment):
    nothing = ExperimentData(("A",), (("a b",),), (("a",),))
    missing = experiment.needs.missing(nothing)
    assert missing.startswith("There must be")
    with pytest.raises(ValueError, match=missing):
        experiment.run(nothing, lambda progress: None)


@EACH
def test_it_ends_where_nobody_wants_it_any_more(experiment, material):
    def tell(progress):
        raise Stopped

    with pytest.raises(Stopped):
        experiment.run(material, tell)


def test_what_files_hold_is_given():
    files = [
        File("a.txt", b"one\ntwo\n"),
        File("b.txt", b"eins\nzwei\n"),
        File("r1.txt", b"ein\nzwo\n"),
        File("r2.txt", b"uno\n\n"),
    ]
    roles = {"a.txt": "system:A", "b.txt": "system:B", "r1.txt": "reference:1", "r2.txt": "reference:2"}
    found = data_from_material(read(files, roles), options=ExperimentOptions(scales=("esa",)))
    assert found.systems == ("A", "B") and found.candidates == (("one", "two"), ("eins", "zwei"))
    assert found.references == (("ein", "uno"), ("zwo",)) and found.least_references == 1 and found.size == 2


def test_scales_are_those_chosen_or_all():
    scales = (RatingScale("esa"), RatingScale("mqm"))
    judged = JudgementRecord(("A",), 1, ("x",), scales, {each.name: np.ones((1, 1, 1)) for each in scales})
    each = ExperimentData(("A",), (("a",),), judged=judged)
    assert each.scales == ("esa", "mqm")
    assert ExperimentData(("A",), (("a",),), judged=judged, options=ExperimentOptions(scales=("mqm", "x"))).scales == (
        "mqm",
    )
    assert (
        require(judged=True)(ExperimentData(("A",), (("a",),)))
        == "There must be judgements of people, but there are none."
    )


@pytest.mark.alone  # starts worker processes
@pytest.mark.parametrize("key", ["sia_components", "ding"])
def test_other_processes_find_the_same(key, material):
    experiment = next(each for each in EXPERIMENTS if each.key == key)
    there = run_checking_progress(experiment, replace(material, options=replace(material.options, jobs=2)))
    assert there.tables == run_checking_progress(experiment, material).tables


@pytest.mark.slow
@EACH
def test_outputs_that_nobody_judged_take_no_part(experiment):
    given = make_data(8, systems=5)
    ratings = given.judged.ratings["adequacy"].copy()
    ratings[4], ratings[0, 2] = np.nan, np.nan
    given = replace(given, judged=replace(given.judged, ratings={"adequacy": ratings}))
    out = run_checking_progress(experiment, given)
    rows = [(table, row) for table in out.tables for row in table.rows]
    assert all(
        value is None or value.value is None or np.isfinite(value.value) for _, row in rows for value in row.values
    )
    if experiment.key != "orange":  # ORANGE uses no judgements
        places = [place for _, row in rows for place in row.opens]
        assert all(place.system < 4 and (place.system, place.segment) != (0, 2) for place in places)
