"""Tests of Lin and Och's Table 1 against a slow program with scipy's coefficients, and of the paper's values."""

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.corpus.agreement.experiments import levels
from metrics.corpus.agreement.experiments.lin_och import EXPERIMENT, leave_one_reference_out, settings_by_version
from metrics.corpus.agreement.experiments.scoring import rescore, score_request, scored
from metrics.corpus.resampling import interval, resample_counts
from metrics.text import TextSettings
from metrics.text.processing import words
from tests.helpers.experiment_data import make_data, run_checking_progress, with_external_scores, with_judgements

ROWS = [
    *(("BLEU1", "bleu", {"max_order": 1}), ("BLEU4", "bleu", {}), ("NIST", "nist", {}), ("WER", "wer", {})),
    *(("ROUGE-W", "rouge_w", {"weight": 1.2}), ("ROUGE-S4", "rouge_s", {"max_skip": 4})),
    ("GTM30", "gtm", {"exponent": 3.0}),
]


def system_score(given, system, key, settings, text, drawn):
    """Return a system's corpus score, averaged over two references used alone, and negated for error rates.

    `drawn` has the indices of the segments that count, as a resample draws them."""
    each = [
        metrics.corpus_score(
            key,
            [words(given.candidates[system][n], text) for n in drawn],
            [[words(given.references[n][k], text)] for n in drawn],
            **settings,
        ).score
        for k in (0, 1)
    ]
    return (1 if metrics.METRICS[key].higher_is_better else -1) * np.mean(each)


def test_the_table_is_the_slow_programs():
    given = make_data(10, judges=3)
    (table,) = run_checking_progress(EXPERIMENT, given).tables
    people = np.nanmean(np.nanmean(given.judged.ratings["adequacy"], axis=2), axis=1)
    for column, text in settings_by_version(TextSettings()).items():
        for name, key, settings in ROWS:
            ours = [system_score(given, s, key, settings, text, range(10)) for s in range(3)]
            found = table.value(name, f"{column}, Pearson"), table.value(name, f"{column}, Spearman")
            assert found[0].value == pytest.approx(stats.pearsonr(people, ours)[0], abs=1e-9)
            assert found[1].value == pytest.approx(stats.spearmanr(people, ours)[0], abs=1e-9)
    assert all(len(row.opens) == 10 for row in table.rows if row.name.startswith("ROUGE"))
    assert {levels.CHANCE, levels.JUDGES} <= {row.name for row in table.rows}


def test_intervals_are_those_of_resampled_texts():
    given = with_judgements(make_data(8), np.random.default_rng(5).normal(size=(3, 8)))
    (table,) = run_checking_progress(EXPERIMENT, given).tables
    coefficients = []
    for drawn in np.concatenate([*resample_counts(8, 40)]).astype(int):
        some = np.repeat(np.arange(8), drawn)
        ours = [system_score(given, s, "wer", {}, TextSettings(), some) for s in range(3)]
        coefficients.append(stats.pearsonr(given.judged.means("adequacy")[:, some].mean(axis=1), ours)[0])
    found = table.value("WER", "Case, Pearson")
    assert (found.low, found.high) == pytest.approx(interval(np.array(coefficients)), abs=1e-9)


def test_bleu_of_fewer_words_is_read_from_the_longest():
    given = make_data(6)
    asked = [
        score_request("12", "bleu", TextSettings(), max_order=12),
        score_request("3", "bleu", TextSettings(), max_order=3),
    ]
    found = scored(given, asked, lambda progress: None).scores
    read = rescore(found["12"], found["3"].settings)
    assert sorted(read.names) == sorted(found["3"].names)
    # The processor may sum columns of another length with other instructions, so the last digit may differ.
    assert read.scores == pytest.approx(found["3"].scores, rel=1e-14)
    assert read.corpus_scores() == pytest.approx(found["3"].corpus_scores(), rel=1e-14)


def test_chance_is_around_0():
    random = np.random.default_rng(1)
    systems, outputs = levels.chance_coefficients(random.normal(size=(6, 30)), random.normal(size=(6, 30)), 1)
    for value in (*systems, *outputs):
        assert value.low < 0 < value.high and abs(value.value) < 0.1
    assert outputs.pearson.high < 0.25 < systems.pearson.high


def test_two_judgements_of_an_output_are_by_different_judges():
    given = make_data(12, judges=4)
    first, second = levels.draw_two_judgements(given.judged, "adequacy", 3)
    ratings = given.judged.ratings["adequacy"]
    twice = (~np.isnan(ratings)).sum(axis=2) > 1
    assert np.array_equal(~np.isnan(first), twice) and np.array_equal(~np.isnan(second), twice)
    for place in np.argwhere(twice):
        rest = ratings[tuple(place)].tolist()
        rest.remove(first[tuple(place)])
        assert second[tuple(place)] in rest
    assert levels.draw_two_judgements(with_judgements(given, np.ones((3, 12))).judged, "adequacy", 3) is None


def test_other_programs_have_the_same_numbers_in_all_columns():
    given, scores = make_data(8), np.random.default_rng(2).normal(size=(3, 8))
    scores[1, 4] = np.nan
    out = run_checking_progress(EXPERIMENT, with_external_scores(given, {"COMET": scores}))
    (table,) = out.tables
    people = given.judged.means("adequacy").mean(axis=1)
    expected = stats.pearsonr(people, np.nanmean(scores, axis=1))[0]
    (row,) = [row for row in table.rows if row.name == "COMET"]
    assert row.values[0].value == pytest.approx(expected, abs=1e-9)
    assert row.values[:2] == row.values[2:4] == row.values[4:] and not row.is_baseline
    assert row.opens and all(not np.isnan(scores[place[:2]]) for place in row.opens)
    assert any("COMET" in note and "same in all columns" in note for note in out.notes)


def test_the_papers_tables_stand_beside_those_of_their_scales_or_else_the_first():
    named = run_checking_progress(EXPERIMENT, make_data(4, scales=("fluency", "esa"))).tables
    assert [table.paper or (table.key,) for table in named] == [("fluency",), ("esa",)]
    others = run_checking_progress(EXPERIMENT, make_data(4, scales=("mqm", "esa"))).tables
    assert [table.paper for table in others] == [("adequacy", "fluency"), ()]


def test_the_row_of_judges_opens_where_two_differ_most():
    given = make_data(8)
    (table,) = run_checking_progress(EXPERIMENT, given).tables
    (row,) = [row for row in table.rows if row.name == levels.JUDGES]
    first, second = levels.draw_two_judgements(given.judged, "adequacy", given.options.seed)
    gaps = np.abs(stats.zscore(first, axis=None) - stats.zscore(second, axis=None))
    assert [gaps[place[:2]] for place in row.opens] == pytest.approx(np.sort(gaps.ravel())[::-1][:10])


def test_constant_judgements_have_a_sentence_and_no_number():
    (table,) = run_checking_progress(EXPERIMENT, with_judgements(make_data(4), np.ones((3, 4)))).tables
    value = table.value("WER", "Case, Pearson")
    assert value.value is None and "the same" in value.why


def test_what_the_paper_prints():
    adequacy, fluency = EXPERIMENT.printed.tables
    assert adequacy.value("ROUGE-S*", "Stem, Pearson")[:3] == (0.95, 0.93, 0.97)
    assert fluency.value("BLEU12", "NoCase, Spearman")[:3] == (0.78, 0.44, 0.94)
    for table in (adequacy, fluency):
        assert len(table.rows) == 15 and all(len(row.values) == 6 for row in table.rows)
        assert all(value.low <= value.value <= value.high for row in table.rows for value in row.values)
    assert leave_one_reference_out(2) == [(1,), (0,)]
