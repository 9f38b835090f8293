"""Tests of Liu and Gildea's tables against a slow program with scipy's coefficients, and of the paper's values."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.corpus.agreement.experiments import liu_gildea
from metrics.corpus.agreement.experiments.levels import JUDGES
from metrics.corpus.agreement.experiments.liu_gildea import COMPONENTS, EXPERIMENT
from metrics.corpus.agreement.experiments.scoring import stemmed
from metrics.corpus.resampling import interval, resample_counts
from metrics.text import TextSettings
from metrics.text.processing import words
from metrics.text.similarity import StemSimilarity
from tests.helpers.corpora import FOLDER
from tests.helpers.experiment_data import make_data, run_checking_progress, with_external_scores, with_judgements

LOWER = TextSettings(lowercase=True)
STEMS = StemSimilarity()


def sentence_scores(given, systems, key, text=LOWER, **settings):
    """Return the score by metric `key` of each output of `systems`, computed one by one, shaped systems × segments."""
    return np.array(
        [
            [
                metrics.score(key, words(line, text), [words(each, text) for each in references], **settings).score
                for line, references in zip(given.candidates[s], given.references, strict=True)
            ]
            for s in systems
        ]
    )


@pytest.fixture(scope="module")
def given():
    return make_data(8, scales=("adequacy", "fluency"), systems=5, similarity=STEMS)


@pytest.mark.slow
def test_outputs_have_the_slow_programs_coefficients(given):
    first, second, _ = run_checking_progress(EXPERIMENT, given).tables
    each = {name: given.judged.means(name) for name in ("adequacy", "fluency")}
    each["overall"] = (each["adequacy"] + each["fluency"]) / 2
    slow = {
        "BLEU-2": sentence_scores(given, range(5), "bleu", max_order=2, smoothing="add_k"),
        "ROUGE-W": sentence_scores(given, range(5), "rouge_w", multi_reference="best"),
    }
    for scale, people in each.items():
        for name, scores in slow.items():
            expected = stats.pearsonr(people.ravel(), scores.ravel())[0]
            assert first.value(name, scale).value == pytest.approx(expected, abs=1e-9)
    stems = sentence_scores(given, range(1, 5), "rouge_s", stemmed(LOWER), multi_reference="best")
    found = second.value("ROUGE-S*, stems", "fluency")
    assert found.value == pytest.approx(stats.pearsonr(each["fluency"][1:].ravel(), stems.ravel())[0], abs=1e-9)
    drawn = [
        stats.pearsonr(*(np.repeat(values, number) for values in (each["fluency"][1:].ravel(), stems.ravel())))[0]
        for number in np.concatenate([*resample_counts(32, 40)]).astype(int)
    ]
    assert (found.low, found.high) == pytest.approx(interval(np.array(drawn)), abs=1e-9)


@pytest.mark.slow
def test_systems_have_means_of_outputs_and_bleu_its_corpus_score(given):
    _, _, table = run_checking_progress(EXPERIMENT, given).tables
    people = given.judged.means("adequacy").mean(axis=1)
    meteor = sentence_scores(given, range(5), "meteor").mean(axis=1)
    bleu = [
        metrics.corpus_score(
            "bleu",
            [words(line, LOWER) for line in given.candidates[s]],
            [[words(each, LOWER) for each in references] for references in given.references],
            max_order=6,
            smoothing="add_k",
        ).score
        for s in range(5)
    ]
    for name, scores in (("METEOR", meteor), ("BLEU-6", bleu)):
        assert table.value(name, "adequacy").value == pytest.approx(stats.pearsonr(people, scores)[0], abs=1e-9)


@pytest.mark.slow
def test_other_programs_take_part_over_outputs_and_systems(given):
    scores = np.random.default_rng(6).normal(size=(5, 8))
    scores[2, 3] = np.nan
    first, second, systems = run_checking_progress(EXPERIMENT, with_external_scores(given, {"COMET": scores})).tables
    people, there = given.judged.means("fluency"), ~np.isnan(scores)
    expected = stats.pearsonr(people[there], scores[there])[0]
    assert first.value("COMET", "fluency").value == pytest.approx(expected, abs=1e-9)
    there[0] = False
    expected = stats.pearsonr(people[there], scores[there])[0]
    assert second.value("COMET", "fluency").value == pytest.approx(expected, abs=1e-9)
    expected = stats.pearsonr(people.mean(axis=1), np.nanmean(scores, axis=1))[0]
    assert systems.value("COMET", "fluency").value == pytest.approx(expected, abs=1e-9)
    for table in (first, second, systems):
        (row,) = [row for row in table.rows if row.name == "COMET"]
        assert row.opens and not row.is_baseline


def test_where_intervals_come_from_is_said():
    for each in (EXPERIMENT, COMPONENTS):
        assert any("resampled single outputs, as in the paper" in differs for differs in each.differs)


@pytest.mark.parametrize("decay", [0.1, 0.7, 1.0])
@pytest.mark.parametrize("iterative", [True, False])
def test_rounds_are_read_with_any_decay(given, decay, iterative):
    found = liu_gildea.sia_round_gains(given, STEMS, lambda progress: None, (0, 1), "")
    settings = metrics.settings("sia", decay=decay, iterative=iterative, similarity=STEMS)
    slow = sentence_scores(given, range(5), "sia", decay=decay, iterative=iterative, similarity=STEMS)
    assert np.allclose(found.score(settings).scores, slow, atol=1e-12)


@pytest.mark.slow
def test_the_decay_is_the_best_of_the_first_system(given):
    table = run_checking_progress(EXPERIMENT, given).tables[1]
    means = [given.judged.means(name)[0] for name in ("adequacy", "fluency")]
    each = {n / 10: sentence_scores(given, [0], "sia", decay=n / 10, similarity=STEMS)[0] for n in range(1, 11)}
    best = max(each, key=lambda decay: round(stats.pearsonr(sum(means), each[decay])[0], 12))
    scores = sentence_scores(given, range(1, 5), "sia", decay=best, similarity=STEMS)
    people = given.judged.means("adequacy")[1:]
    expected = stats.pearsonr(people.ravel(), scores.ravel())[0]
    assert table.value("SIA", "adequacy").value == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_parts_of_sia_and_its_decay(given):
    out = run_checking_progress(COMPONENTS, given)
    tables = {table.key: table for table in out.tables}
    assert {"LCS without gaps", "WLS", "WLS PROB", "WLS INCS", "WLS PROB INCS"} <= {
        row.name for row in tables["table-7"].rows
    }
    same = [
        tables[key].value(row, "adequacy") for key, row in (("table-7", "WLS PROB INCS"), ("table-8", "WLS INCS STEM"))
    ]
    assert same[0][:3] == pytest.approx(same[1][:3], abs=1e-12)
    assert "table-8-systems" in tables
    outputs, systems = out.charts
    assert [curve.name for curve in outputs.curves if not curve.is_baseline] == ["adequacy", "fluency", "overall"]
    for chart in (outputs, systems):
        judges = [curve for curve in chart.curves if JUDGES in curve.name]
        assert [curve.name for curve in judges] == [f"adequacy, {JUDGES}", f"fluency, {JUDGES}"]
        for curve in judges:
            (row,) = [
                row for row in tables["table-7-systems" if chart is systems else "table-7"].rows if row.name == JUDGES
            ]
            assert len(curve.points) == 10 and curve.is_baseline
            assert row.opens and all(point.opens == row.opens for point in curve.points)
            assert {point[1:4] for point in curve.points} == {row.values[curve.name.startswith("fluency")][:3]}
    assert all([point.x for point in curve.points] == [n / 10 for n in range(1, 11)] for curve in systems.curves)
    assert all(place.settings[0][0] == "decay" for place in outputs.curves[0].points[0].opens)


@pytest.mark.slow
def test_without_source_there_is_no_bitext_and_with_one_it_is_trained():
    given = make_data(5, systems=4)
    out = run_checking_progress(COMPONENTS, given)
    assert "WLS PROB" not in {row.name for row in out.tables[0].rows}
    assert any("no bitext" in note for note in out.notes)
    source = (FOLDER / "source.zh.txt").read_text(encoding="utf-8").splitlines()
    out = run_checking_progress(COMPONENTS, replace(given, source=tuple(source[:5])))
    assert "WLS PROB" in {row.name for row in out.tables[0].rows}
    assert any("trained on the 10 pairs" in note for note in out.notes)


def test_either_asks_the_first_similarity_first():
    one, other = StemSimilarity(ratio=0.5), StemSimilarity(ratio=0.8)
    both = liu_gildea.EitherSimilarity(one, other)
    assert both("houses", "house") == 0.5 and both("house", "boat") == 0 and hash(both)
    assert both.signature == f"{one.signature}+{other.signature}"


def test_too_few_judged_systems_are_said():
    ratings = np.full((4, 5), np.nan)
    ratings[:3] = 1.0
    given = with_judgements(make_data(5, systems=4), ratings)
    assert EXPERIMENT.needs.missing(given) == "Outputs of at least 4 systems must be judged, but only 3 are."


def test_what_the_paper_prints():
    first, second, systems = EXPERIMENT.printed.tables
    assert first.value("ROUGE-W", "fluency").value == 0.191 and len(first.rows) == 7
    assert second.value("SIA", "overall")[:3] == (0.292, 0.265, 0.316)
    assert systems.value("METEOR", "fluency").value == 0.378
    parts, words_ = COMPONENTS.printed.tables
    assert parts.value("WLS PROB INCS", "adequacy").value == 0.322
    assert words_.value("WLS INCS STEM WN", "overall").value == 0.284
    assert all(value.low < value.value < value.high for row in second.rows for value in row.values)
