"""Tests of the agreement drawings: numbers are the core's, and names and words are shown as they are."""

import re

import numpy as np
import pytest

from metrics.corpus.agreement import (
    ExplainedPair,
    RewardedEdit,
    WrongPair,
    agreement_of_judges,
    agreement_table,
    compare_rows,
    external_column,
)
from metrics.text.judgements import JudgementRecord, RatingScale
from viz.draw.agreement import coefficients, human_agreement, scatter, why
from viz.draw.agreement.coefficients import CoefficientView

HOSTILE = "<b>$x$</b>\u202e"


@pytest.fixture(scope="module")
def table():
    truth, noise, other = np.random.default_rng(0).normal(size=(3, 4, 40))
    judged = JudgementRecord(tuple("ABCD"), 40, ("x",), (RatingScale(HOSTILE),), {HOSTILE: truth[:, :, None]})
    columns = [
        external_column("near", truth + noise, label=HOSTILE),
        external_column("noise", other),
        external_column("none", 0 * noise),
    ]
    return agreement_table(columns, judged, resamples=60)


def test_the_best_row_stands_first_and_one_without_a_value_last(table):
    html = coefficients.draw(table, CoefficientView("segment", "kendall", "near"))
    assert re.findall(r'data-row="(\w+)"', html) == 2 * ["near", "noise", "none", "chance"]
    for row in table.rows[:2]:
        assert coefficients.coefficient_text(row.segment["kendall"].coefficient.value) in html
    assert html.count("–</td>") >= 8 and HOSTILE not in html


def test_who_agrees_best_and_who_is_not_behind_is_said(table):
    said = coefficients.describe_best_metric(table, "segment")
    value = coefficients.coefficient_text(table.row("near").segment["pearson"].coefficient.value)
    assert f"agrees best with people by Pearson ({value}, 95 % interval" in said
    assert said.endswith("; all others are behind by more than chance.")


@pytest.mark.parametrize("level, name", [("segment", "kendall"), ("system", "pearson")])
def test_two_rows_are_compared_in_either_order(table, level, name):
    values = {key: table.row(key).cells_at(level)[name].coefficient.value for key in ("near", "noise")}
    for keys in (("near", "noise"), ("noise", "near")):
        found = compare_rows(table, *keys, level, name, trials=100)
        said = coefficients.describe_comparison(found, keys, level, name)
        first, other = sorted(keys, key=lambda key: -values[key])
        assert f"{first} ({coefficients.coefficient_text(values[first])}) is" in said
        assert f"ahead of {other} (" in said and "PERM-BOTH, p = " in said
        assert ("that is more than chance" in said) == (min(found.permuted.p) < 0.05)
        assert ("Williams' test" in said) == (level == "system")
    none = compare_rows(table, "none", "near", level, name)
    assert "cannot be compared" in coefficients.describe_comparison(none, keys, level, name)


def test_few_systems_are_not_told_from_chance():
    truth = np.random.default_rng(1).normal(size=(3, 40))
    judged = JudgementRecord(tuple("ABC"), 40, ("x",), (RatingScale("esa"),), {"esa": truth[:, :, None]})
    near = external_column("near", truth + np.random.default_rng(2).normal(size=(3, 40)))
    found = agreement_table([near], judged, resamples=60)
    said = coefficients.describe_best_metric(found, "system")
    assert said.endswith(": 3 systems are too few to rule out chance.")
    assert "chance" not in coefficients.describe_best_metric(found, "segment")


def test_a_point_is_an_output_and_the_line_goes_through_means(table):
    scores = table.row("near").column.scores
    drawn = scatter.outputs_chart(table.people, scores, 2, ("people", "x"), ("t", ""), ("A", "B", HOSTILE, "D"))
    assert sorted(drawn.points["segments"]) == list(range(160)) and drawn.points["tones"].count("*") == 40
    own = {drawn.points["segments"][n] for n, tone in enumerate(drawn.points["tones"]) if tone == "*"}
    assert own == set(range(80, 120)) and HOSTILE not in drawn.markup
    means = scatter._group_means(np.array([1.0, 1.0, 2.0, 2.0]), np.array([0.0, 1.0, 3.0, 5.0]))
    assert means == [(1.0, 0.5), (2.0, 4.0)]


def test_words_that_people_marked_are_marked_among_the_edits():
    pair = WrongPair(0, 0, 1, 5.0, 0.25, 1.0)
    found = ExplainedPair(pair, (RewardedEdit(0, 1, 0, 2, 0.3, (1,)),), -0.05, (), (1,), 2)
    html = why.draw(found, ((HOSTILE,), ("a", HOSTILE)), (HOSTILE, "B"), "BLEU", HOSTILE)
    assert HOSTILE not in html and "A marked word earns credit." in html
    assert re.search(r"a <mark [^>]*>&lt;b&gt;", html) and "+0.300" in html and "−0.050" in html


def test_judges_who_differ_most_are_named():
    ratings = np.array([[[1.0, 2.0, 9.0], [2.0, 3.0, 5.0], [3.0, 4.0, 1.0]]])
    judged = JudgementRecord(("A",), 3, ("x", "y", "z"), (RatingScale("esa"),), {"esa": ratings})
    found = agreement_of_judges(judged, "esa")
    html = human_agreement.judge_tables(found, ("x", HOSTILE, "z"), "esa")
    assert "<bdi>x</bdi> and <bdi>z</bdi> differ most: Pearson −1.000 on 3 outputs" in html and HOSTILE not in html
