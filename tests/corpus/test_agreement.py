"""Tests of the table of agreement with people; its intervals are checked by resampling one draw at a time."""

import json
from functools import cache

import numpy as np
import pytest

import metrics
from metrics.corpus.agreement import (
    GROUPS,
    LEVELS,
    TAUS,
    AgreementColumnKind,
    CoefficientValue,
    RemarkKind,
    UndefinedCoefficient,
    agreement_table,
    agreement_table_stages,
    coefficients,
    compare_rows,
    correlation,
    external_column,
    intervals,
    metric_column,
)
from metrics.corpus.agreement.agreement_table import chance_upper_end
from metrics.corpus.agreement.columns import ORDERS, permuted_columns
from metrics.corpus.table import StatisticsTable, score_table
from metrics.text.judgements import JudgementRecord, RatingScale
from tests.helpers.corpora import SYSTEMS, load_segments
from viz.draw.agreement import coefficients as coefficient_tables

KEYS = ("bleu", "gtm", "ter")
SIZE = 60


@cache
def score_tables():
    return {
        key: score_table(metrics.METRICS[key], metrics.settings(key), [load_segments(n) for n in SYSTEMS])
        for key in KEYS
    }


def noisy_judgements(judges=1, missing=0.0, seed=1, scale=RatingScale("mqm"), size=SIZE):
    """Return judgements that are GTM's segment scores plus noise, rounded so that some are equal.

    `missing` is the share of judgements that are left out."""
    random = np.random.default_rng(seed)
    truth = score_tables()["gtm"].scores[:, :size, None]
    ratings = np.round(10 * (truth + random.normal(scale=0.2, size=(len(SYSTEMS), size, judges))))
    ratings[random.random(ratings.shape) < missing] = np.nan
    return JudgementRecord(SYSTEMS, size, tuple("xyz"[:judges]), (scale,), {scale.name: ratings})


def one_judge(ratings, scale="esa"):
    """Return the judgements of one judge, `ratings` by system and segment."""
    names = tuple("ABCDE"[: len(ratings)])
    return JudgementRecord(names, SIZE, ("x",), (RatingScale(scale),), {scale: ratings[:, :, None]})


def table_of(key, people, **given):
    """Return the table of one metric, with intervals from a few resamples."""
    return agreement_table([metric_column(score_tables()[key])], people, resamples=50, **given)


COLUMNS = {
    "pearson": lambda x, y, group, tau: correlation.pearson(x, y, group),
    "spearman": lambda x, y, group, tau: correlation.spearman(x, y, group),
    "kendall": lambda x, y, group, tau: correlation.kendall(x, y, group, tau),
}


def value_or_nan(found):
    return found.value if isinstance(found, CoefficientValue) else np.nan


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("tau", TAUS)
def test_a_resample_has_the_coefficients_of_a_corpus_of_the_drawn_segments(group, tau, missing):
    people = noisy_judgements(missing=missing).oriented_means("mqm")
    drawn = intervals.draw_resamples(~np.isnan(people).all(axis=0), 150)
    metric = np.round(score_tables()["bleu"].scores, 1)  # rounded, so that there are ties
    metric[0, 3] = np.nan
    found = intervals.resample_segment_level(people, metric, group, tau, 0.1, drawn)
    for n in (0, 1, 149):
        at = np.repeat(np.arange(SIZE), drawn.counts[n])
        for name, of in COLUMNS.items():
            expected = value_or_nan(of(people[:, at], metric[:, at], group, tau))
            assert found[name][n] == pytest.approx(expected, abs=1e-9, nan_ok=True)
        again = correlation.mean_over_groups(correlation.accuracy_by_group(people[:, at], metric[:, at], "item", 0.1))
        assert found["accuracy"][n] == pytest.approx(again.value, abs=1e-12)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("tau", TAUS)
def test_systems_of_a_resample_have_the_scores_of_its_corpus(key, tau):
    people = noisy_judgements(missing=0.2).oriented_means("mqm")
    drawn = intervals.draw_resamples(~np.isnan(people).all(axis=0), 40)
    one = score_tables()[key]
    found = intervals.resample_system_level(people, metric_column(one), tau, drawn)
    sign = 1 if one.metric.higher_is_better else -1
    for n in (0, 39):
        at = np.repeat(np.arange(SIZE), drawn.counts[n])
        again = StatisticsTable(one.metric, one.settings, one.names, one.statistics[:, at], one.scores[:, at])
        x, y = correlation.system_scores(people[:, at]), sign * again.corpus_scores()
        assert found["pearson"][n] == pytest.approx(value_or_nan(correlation.pearson(x, y)), abs=1e-9)
        assert found["spearman"][n] == pytest.approx(value_or_nan(correlation.spearman(x, y)), abs=1e-9)
        assert found["kendall"][n] == pytest.approx(value_or_nan(correlation.kendall(x, y, kind=tau)), abs=1e-9)
        assert found["accuracy"][n] == pytest.approx(value_or_nan(correlation.system_accuracy(x, y)), abs=1e-9)


def test_rows_with_missing_systems_have_the_coefficients_of_the_others():
    random = np.random.default_rng(3)
    x, y = random.integers(0, 4, (2, 30, 6)).astype(float)
    x[random.random(x.shape) < 0.3], y[random.random(x.shape) < 0.2] = np.nan, np.nan
    x[0] = np.nan
    found = [coefficients.pearson_rows(x, y), coefficients.spearman_rows(x, y), coefficients.kendall_rows(x, y)]
    of = [correlation.pearson, correlation.spearman, correlation.kendall]
    for n in range(30):
        for row, coefficient in zip(found, of, strict=True):
            assert row[n] == pytest.approx(value_or_nan(coefficient(x[n], y[n])), abs=1e-9, nan_ok=True)
        assert coefficients.accuracy_rows(x, y)[n] == pytest.approx(
            value_or_nan(correlation.system_accuracy(x[n], y[n])), abs=1e-12, nan_ok=True
        )


# ---------------------------------------------------------------- the table


def test_the_table_comes_in_stages():
    told = []
    columns = [metric_column(each) for each in score_tables().values()]
    first, second, last = agreement_table_stages(columns, noisy_judgements(), tell=told.append, resamples=200)
    assert [each.stage for each in (first, second, last)] == ["first", "coefficients", "intervals"]
    assert all([*row.system] == ["pearson"] and not row.segment for row in first.rows)
    for row in last.rows:
        for level, names in LEVELS.items():
            assert tuple(row.cells_at(level)) == names
            for name, cell in row.cells_at(level).items():
                if row.column.kind is not AgreementColumnKind.CHANCE:
                    assert cell.coefficient == second.row(row.column.key).cells_at(level)[name].coefficient
                assert (cell.interval is None) == (name == "spa")
                if level == "segment":
                    assert cell.interval.low <= cell.coefficient.value <= cell.interval.high
    assert [(each.stage, each.done_rows, each.total_rows) for each in told] == [
        (stage, n + 1, 4) for stage in ("coefficients", "intervals") for n in range(4)
    ]
    assert last.row("ter").segment["pearson"].coefficient.value > 0.2  # error rates are negated
    assert last.row("chance").column.kind is AgreementColumnKind.CHANCE
    assert abs(last.row("chance").segment["pearson"].coefficient.value) < 0.05
    with pytest.raises(KeyError):
        last.row("judge")


def test_coefficients_are_those_of_their_level():
    people = noisy_judgements(missing=0.2)
    found = table_of("ter", people, group="sys", tau="13")
    row, scores = found.row("ter"), -score_tables()["ter"].scores
    theirs = people.oriented_means("mqm")
    assert row.segment["kendall"].coefficient == correlation.kendall(theirs, scores, "sys", "13")
    assert row.segment["accuracy"].coefficient == correlation.calibrated_accuracy(theirs, scores)
    assert row.system["spa"].coefficient == correlation.soft_accuracy(theirs, scores)
    there = np.flatnonzero(~np.isnan(theirs).all(axis=0))
    one = score_tables()["ter"]
    of_judged = StatisticsTable(one.metric, one.settings, one.names, one.statistics[:, there], one.scores[:, there])
    assert row.system["pearson"].coefficient.value == pytest.approx(
        correlation.pearson(correlation.system_scores(theirs), -of_judged.corpus_scores()).value
    )
    assert next(each.kind for each in found.remarks) is RemarkKind.SOME


def test_a_scale_on_which_lower_is_better_is_turned():
    down = table_of("gtm", noisy_judgements(scale=RatingScale("rank", False))).row("gtm")
    up = table_of("gtm", noisy_judgements()).row("gtm")
    assert down.segment["pearson"].coefficient.value == pytest.approx(-up.segment["pearson"].coefficient.value)


def test_a_judge_is_held_against_the_others():
    people = noisy_judgements(3, missing=0.3)
    row = table_of("bleu", people).row("judge")
    assert row.column.kind is AgreementColumnKind.JUDGE and row.segment["pearson"].coefficient.value > 0.3
    ratings = people.ratings["mqm"]
    for segment in range(SIZE):
        of = row.column.scores[:, segment]
        used = [j for j in range(3) if all(np.isnan(of) | (ratings[:, segment, j] == of))]
        assert used, segment  # each segment has one judge, the same for all systems
        others = [
            np.allclose(row.column.people[s, segment], np.nanmean(np.delete(ratings[s, segment], j)))
            for s in range(len(SYSTEMS))
            for j in used[:1]
            if not np.isnan(of[s])
        ]
        assert all(others) or len(used) > 1


def test_what_is_undefined_is_said_and_is_no_number():
    same = external_column("same", np.full((3, SIZE), 0.5))
    found = agreement_table([same], noisy_judgements(), resamples=50)
    row = found.row("same")
    cell = row.segment["pearson"]
    assert isinstance(cell.coefficient, UndefinedCoefficient) and cell.interval is None
    said = [each for each in found.remarks if each.kind is RemarkKind.UNDEFINED]
    assert said and all("same" in each.text and "same" in each.rows for each in said)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["segment"]["same"]["pearson"]["value"] is None and plain["segment"]["same"]["pearson"]["why"]
    assert plain["system"]["same"]["spa"]["low"] is None and 0 < plain["system"]["same"]["spa"]["value"] < 1


def test_what_nobody_judged_has_no_number():
    found = table_of("bleu", noisy_judgements(missing=1.0))
    cells = [cell for row in found.rows for level in LEVELS for cell in row.cells_at(level).values()]
    assert cells and all(isinstance(cell.coefficient, UndefinedCoefficient) for cell in cells)
    json.dumps(found.to_dict(), allow_nan=False)


def test_judges_alone_have_a_table():
    found = agreement_table([], noisy_judgements(3), resamples=50)
    assert [row.column.key for row in found.rows] == ["chance", "judge"]
    assert found.row("judge").segment["pearson"].interval.low > found.row("chance").segment["pearson"].coefficient.value


def test_what_is_told_may_end_it():
    def stop(progress):
        raise InterruptedError(progress.stage)

    with pytest.raises(InterruptedError, match="coefficients"):
        agreement_table([metric_column(score_tables()["bleu"])], noisy_judgements(), tell=stop)


def test_scores_of_systems_that_were_given_have_no_interval():
    given = external_column("given", score_tables()["gtm"].scores, fixed_system_scores=np.array([0.1, 0.3, 0.2]))
    found = agreement_table([given], noisy_judgements(), resamples=50)
    row = found.row("given")
    assert row.system["pearson"].interval is None and row.segment["pearson"].interval is not None
    assert any(each.kind is RemarkKind.FIXED and each.rows == ("given",) for each in found.remarks)


def test_an_epsilon_that_ties_every_pair_is_said():
    random = np.random.default_rng(5)
    noise = external_column("noise", random.normal(size=(3, SIZE)))
    people = one_judge((random.random((3, SIZE)) < 0.05).astype(float), "mqm")
    found = agreement_table([noise], people, resamples=50)
    row = found.row("noise")
    tied = correlation.tie_shares(people.oriented_means("mqm"), noise.scores, 0.0)[1]
    assert row.ties > 0.95 and row.segment["accuracy"].coefficient.value == pytest.approx(tied, abs=0.05)
    (said,) = [each for each in found.remarks if each.kind is RemarkKind.TIED]
    assert "noise" in said.rows and f"{tied:.3f}" in said.text


def test_metrics_stand_in_clusters():
    random = np.random.default_rng(5)
    truth = random.normal(size=(3, SIZE))
    people = one_judge(truth)
    near, same = (external_column(key, truth + 0.5 * random.normal(size=truth.shape)) for key in ("near", "same"))
    far = external_column("far", truth + 5 * random.normal(size=truth.shape))
    found = agreement_table([far, near, same, external_column("flat", np.ones((3, SIZE)))], people, resamples=50)
    of = found.standings["segment"]
    assert {*of.keys[:2]} == {"near", "same"} and of.keys[2:] == ("far",)
    assert of.clusters == (1, 1, 2)
    assert of.p[0][2] < 0.05 < of.p[0][1]
    said = [each for each in found.remarks if each.kind is RemarkKind.ALIKE]
    assert said[0].rows[:2] == of.keys[:2] and "At segment level" in said[0].text
    assert found.to_dict()["clusters"]["segment"]["far"] == 2
    assert found.to_dict()["perm_both"]["segment"]["near"]["far"] < 0.05


def test_chance_is_the_mean_of_many_orders():
    random = np.random.default_rng(6)
    truth = random.normal(size=(5, SIZE))
    people = one_judge(truth)
    ours = external_column("ours", truth + random.normal(size=truth.shape))
    found = agreement_table([ours], people, resamples=50)
    row = found.row("chance")
    many = [correlation.pearson(truth, each.scores).value for each in permuted_columns(row.column)]
    assert len(many) == ORDERS and len({*many}) == ORDERS
    cell = row.segment["pearson"]
    assert cell.coefficient.value == pytest.approx(np.mean(many))
    assert cell.interval.low < np.median(many) < cell.interval.high
    systems = [each.scores.mean(axis=1) for each in permuted_columns(row.column)]
    means = [correlation.pearson(truth.mean(axis=1), scores).value for scores in systems]
    assert row.system["pearson"].coefficient.value == pytest.approx(np.mean(means))
    assert row.system["spa"].interval is None
    assert chance_upper_end(found, "system") == pytest.approx(np.quantile(means, 0.975), abs=0.05)
    assert not [each for each in found.remarks if each.kind is RemarkKind.CHANCE and "segment" in each.text]


def test_it_is_said_that_no_metric_is_above_chance():
    random = np.random.default_rng(8)
    truth = random.normal(size=(4, SIZE))
    people = one_judge(truth)
    found = agreement_table([external_column("noise", random.normal(size=truth.shape))], people, resamples=50)
    said = [each.text for each in found.remarks if each.kind is RemarkKind.CHANCE]
    assert any("At segment level" in each for each in said)


def test_agreement_between_segments_alone_is_said():
    random = np.random.default_rng(10)
    hard = 3 * random.normal(size=SIZE)
    truth = hard + random.normal(size=(4, SIZE))
    people = one_judge(truth)
    lengths = external_column("lengths", hard + random.normal(size=(4, SIZE)))
    near = external_column("near", truth + 0.1 * random.normal(size=truth.shape))
    remarks = agreement_table([lengths], people, resamples=50).remarks
    (said,) = [each for each in remarks if each.kind is RemarkKind.WITHIN]
    own = correlation.pearson(truth, lengths.scores, "item").value
    assert f"Pearson of lengths is {own:.3f}" in said.text and said.rows == ("lengths",)
    for found in (
        agreement_table([lengths, near], people, resamples=50),
        agreement_table([lengths], people, group="item", resamples=50),
    ):
        assert not [each for each in found.remarks if each.kind is RemarkKind.WITHIN]


def test_clusters_of_systems_say_what_they_are_of():
    """Check that a remark names metrics whose corpus score ranks systems otherwise than their mean segment score.

    Clusters come from PERM-BOTH, a test that swaps segment scores, so they are about mean segment scores."""
    random = np.random.default_rng(9)
    truth = random.normal(size=(4, SIZE)) + np.arange(4)[:, None]
    people = one_judge(truth)
    near = external_column(
        "near", truth + random.normal(size=truth.shape), fixed_system_scores=np.array([4.0, 1.0, 3.0, 2.0])
    )
    far = external_column("far", truth + 9 * random.normal(size=truth.shape))
    remarks = agreement_table([near, far], people, resamples=50).remarks
    (said,) = [each for each in remarks if each.kind is RemarkKind.MEANS]
    assert said.rows[0] == "near" and "near 0.9" in said.text


def test_columns_of_other_segments_are_refused():
    with pytest.raises(ValueError, match="ours has scores of"):
        next(agreement_table_stages([external_column("ours", np.zeros((3, 4)))], noisy_judgements()))
    with pytest.raises(KeyError, match="esa"):
        next(agreement_table_stages([], noisy_judgements(), "esa"))


# ---------------------------------------------------------------- comparing two rows of the table


@pytest.mark.parametrize(("level", "name"), [(level, name) for level, names in LEVELS.items() for name in names])
def test_two_metrics_are_compared_by_any_coefficient(level, name):
    random = np.random.default_rng(9)
    truth = random.normal(size=(5, SIZE)) + random.normal(size=(5, 1))
    people = one_judge(truth)
    near = external_column("near", 10 * truth + random.normal(size=truth.shape))
    far = external_column("far", random.normal(size=truth.shape) - 0.4 * truth)
    found = agreement_table([far, near], people, resamples=50)
    compared = compare_rows(found, "near", "far", level, name, 100)
    own = [found.row(key).cells_at(level)[name].coefficient.value for key in ("near", "far")]
    assert compared.permuted.values == pytest.approx(own, abs=1e-9)
    assert compared.permuted.p[0] < 0.05 < compared.permuted.p[1]
    back = compare_rows(found, "far", "near", level, name, 100)
    assert back.permuted.values == compared.permuted.values[::-1]
    assert (compared.williams is not None) == ((level, name) == ("system", "pearson"))
    if compared.williams:
        assert compared.williams[0].p < 0.05 and compared.williams[0].p + compared.williams[1].p == pytest.approx(1)


def test_what_is_undefined_or_of_other_judgements_is_not_compared():
    columns = [metric_column(score_tables()["bleu"]), external_column("same", np.ones((3, SIZE)))]
    found = agreement_table(columns, noisy_judgements(3), resamples=50)
    assert isinstance(compare_rows(found, "bleu", "same", "segment", "kendall").permuted, UndefinedCoefficient)
    assert isinstance(compare_rows(found, "bleu", "judge", "segment", "kendall").permuted, UndefinedCoefficient)
    with pytest.raises(KeyError):
        compare_rows(found, "bleu", "same", "segment", "spa")


def test_a_new_coefficient_needs_one_entry(monkeypatch):
    # The sign of Pearson, which nothing else knows of.
    def sign(found):
        return found._replace(value=float(np.sign(found.value))) if isinstance(found, CoefficientValue) else found

    new = coefficients.AgreementCoefficient(
        "the sign of Pearson",
        "Sign",
        over_outputs=lambda people, metric, group, _: sign(correlation.pearson(people, metric, group)),
        over_systems=lambda people, metric, _: sign(correlation.pearson(people, metric)),
        of_rows=lambda x, y, _: np.sign(coefficients.pearson_rows(x, y)),
    )
    monkeypatch.setitem(coefficients.COEFFICIENTS, "sign", new)
    for level, names in LEVELS.items():
        monkeypatch.setitem(LEVELS, level, (*names, "sign"))
    judged = noisy_judgements()
    columns = [metric_column(score_tables()[key]) for key in KEYS]
    table = agreement_table(columns, judged, resamples=50)
    for level in LEVELS:
        for row in table.rows:
            cells = row.cells_at(level)
            if row.column.kind is AgreementColumnKind.METRIC:
                assert cells["sign"].coefficient.value == np.sign(cells["pearson"].coefficient.value)
        found = compare_rows(table, "gtm", "ter", level, "sign", 20)
        values = [table.row(key).cells_at(level)["sign"].coefficient.value for key in ("gtm", "ter")]
        assert found.permuted.difference == values[0] - values[1]
        assert "Sign" in coefficient_tables.draw(table, coefficient_tables.CoefficientView(level, "sign", "gtm"))
    for cells in (table.row("gtm").segment, table.row("gtm").system):
        assert cells["sign"].interval is not None


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("group", ["none", "sys"])
def test_intervals_over_segments_are_those_of_draw_by_draw(group, name):
    people = noisy_judgements(missing=0.2).oriented_means("mqm")
    scores = metric_column(score_tables()["gtm"]).scores
    drawn = intervals.draw_resamples((~np.isnan(people)).any(axis=0), 20)
    quick = intervals.resample_segment_level(people, scores, group, "b", None, drawn)[name]
    slow = intervals._samples_draw_by_draw(
        coefficients.COEFFICIENTS[name].over_outputs, people, scores, group, "b", drawn, 20
    )
    assert quick == pytest.approx(slow, abs=1e-9)
