"""Tests of Ding's experiment: dcs equals a slow program, AM-FM equals matrices and probabilities computed directly."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.corpus.agreement.experiments import amfm, ding, levels
from metrics.corpus.agreement.experiments.ding import EXPERIMENT, character_settings
from metrics.corpus.agreement.experiments.levels import JUDGES
from metrics.corpus.resampling import interval, resample_counts
from metrics.text import TextSettings
from metrics.text.processing import words
from tests.helpers.experiment_data import make_data, run_checking_progress, with_external_scores, with_judgements

LOWER = TextSettings(lowercase=True)
SENTENCES = [
    tuple(line.split()) for line in ("the cat sat", "the dog sat", "a cat ran off", "the bird sang", "a dog ran")
]


@pytest.fixture(scope="module")
def given():
    return make_data(8, scales=("adequacy", "fluency"), systems=4)


def test_systems_have_the_slow_programs_coefficients(given):
    systems, outputs = run_checking_progress(EXPERIMENT, given).tables
    for scale in ("adequacy", "fluency"):
        people = given.judged.means(scale)
        for suffix, text in (("", TextSettings()), ("-char", character_settings(TextSettings()))):
            found = [
                [
                    metrics.score("dcs", words(line, text), [words(each, text) for each in references])
                    for line, references in zip(lines, given.references, strict=True)
                ]
                for lines in given.candidates
            ]
            for name in ("cs0", "cs1", "cs2", "dcs"):
                scores = np.array(
                    [[each.score if name == "dcs" else each.parts[name] for each in row] for row in found]
                )
                expected = stats.pearsonr(people.mean(axis=1), scores.mean(axis=1))[0]
                assert systems.value(f"{name}{suffix}", scale).value == pytest.approx(expected, abs=1e-9)
                expected = stats.pearsonr(people.ravel(), scores.ravel())[0]
                assert outputs.value(f"{name}{suffix}", scale).value == pytest.approx(expected, abs=1e-9)
        letters = character_settings(TextSettings())
        bleu = [
            metrics.corpus_score(
                "bleu",
                [words(line, letters) for line in lines],
                [[words(each, letters) for each in references] for references in given.references],
                max_order=8,
            ).score
            for lines in given.candidates
        ]
        expected = stats.pearsonr(people.mean(axis=1), bleu)[0]
        assert systems.value("BLEU-char-8", scale).value == pytest.approx(expected, abs=1e-9)


def test_the_space_is_that_of_the_singular_vectors():
    vocabulary = sorted({word for each in SENTENCES for word in each})
    matrix = np.array([[each.count(word) for each in SENTENCES] for word in vocabulary], dtype=float)
    rare = np.log(1 + len(SENTENCES) / (matrix > 0).sum(axis=1))
    left = np.linalg.svd(matrix * rare[:, None])[0][:, :3]
    space = amfm.build_word_space(SENTENCES, 3)
    for a, b in product(SENTENCES, SENTENCES):
        x, y = (left.T @ (rare * [each.count(word) for word in vocabulary]) for each in (a, b))
        expected = x @ y / np.linalg.norm(x) / np.linalg.norm(y)
        assert space.cosine(a, b) == pytest.approx(expected, abs=1e-9)
        assert space.cosine_contributions(a, b).sum() == pytest.approx(expected, abs=1e-9)
    assert space.cosine(("the", "cat"), ("the", "cat")) == pytest.approx(1)
    assert (
        space.cosine(("nothing",), ("the",)) == 0.0
        and amfm.nonzero_cells(space.cosine_contributions(("nothing",), ("the",))) == ()
    )
    assert amfm.build_word_space([], 3).cosine(("a",), ("a",)) == 0.0


def test_probabilities_sum_to_1_and_are_those_of_witten_and_bell():
    model = amfm.train_ngram_model(SENTENCES)
    every = [*model.words, "never seen", "</s>"]
    for before in (("<s>", "<s>"), ("<s>", "the"), ("the", "cat"), ("never", "seen"), ("dog", "dog"), ()):
        assert math.fsum(model.probability(word, before) for word in every) == pytest.approx(1, abs=1e-12)
    # Three words follow “the” once each: cat, dog and bird. Among the 17 words and 5 sentence ends, which are of 10
    # kinds, “cat” occurs twice.
    kinds = len({*model.words, "</s>"})
    total = sum(map(len, SENTENCES)) + len(SENTENCES)
    alone = (2 + kinds / (len(model.words) + 2)) / (total + kinds)
    assert model.probability("cat", ("the",)) == pytest.approx((1 + 3 * alone) / (3 + 3), abs=1e-12)
    logs = [
        math.log(model.probability(word, before))
        for word, before in (("the", ("<s>", "<s>")), ("cat", ("<s>", "the")), ("</s>", ("the", "cat")))
    ]
    assert model.fluency(("the", "cat")) == pytest.approx(math.exp(sum(logs) / 3), abs=1e-12)
    assert model.fluency(("the", "cat", "sat")) > model.fluency(("sat", "the", "cat"))


def test_adequacy_is_of_the_closest_reference_and_both_are_of_the_corpus_given(given):
    lines = tuple(line for references in given.references for line in references)
    systems, _ = run_checking_progress(EXPERIMENT, given).tables
    corpus = [words(line, LOWER) for line in lines]
    space, model = amfm.build_word_space(corpus), amfm.train_ngram_model(corpus)
    adequacy = [
        np.mean(
            [
                max(space.cosine(words(line, LOWER), words(each, LOWER)) for each in references)
                for line, references in zip(lines, given.references, strict=True)
            ]
        )
        for lines in given.candidates
    ]
    fluency = [np.mean([model.fluency(words(line, LOWER)) for line in lines]) for lines in given.candidates]
    people = given.judged.means("adequacy").mean(axis=1)
    mean = [(a + f) / 2 for a, f in zip(adequacy, fluency, strict=True)]
    for name, values in (("AM", adequacy), ("FM", fluency), ("AMFM", mean)):
        found = systems.value(name, "adequacy").value
        assert found == pytest.approx(stats.pearsonr(people, values)[0], abs=1e-7)
    other = run_checking_progress(EXPERIMENT, make_data(8, scales=("adequacy",), systems=4, corpus=lines[:5]))
    assert any("5 sentences that were given" in note for note in other.notes)
    assert other.tables[0].value("AM", "adequacy").value != pytest.approx(systems.value("AM", "adequacy").value)


def test_grids_hold_the_cosine(given):
    out = run_checking_progress(EXPERIMENT, given)
    assert 0 < len(out.grids) <= 5
    for grid in out.grids:
        assert math.fsum(cell.weight for cell in grid.cells) == pytest.approx(grid.total, abs=1e-9)
        assert all(cell.i < len(grid.candidate) and cell.j < len(grid.reference) for cell in grid.cells)
        assert grid.candidate == words(given.candidates[grid.opens.system][grid.opens.segment], LOWER)
    assert len({grid.opens.segment for grid in out.grids}) == len(out.grids)


def test_constant_judgements_have_no_grids():
    out = run_checking_progress(EXPERIMENT, with_judgements(make_data(4), np.ones((3, 4))))
    assert out.grids == () and out.tables[0].value("dcs", "adequacy").value is None


def test_the_papers_numbers_of_letters_stand_beside_those_of_letters(given):
    table, _ = run_checking_progress(EXPERIMENT, given).tables
    assert table.paper == tuple([each.key for each in EXPERIMENT.printed.tables])
    ours = {row.name for row in table.rows}
    parts = ("cs0", "cs1", "cs2", "dcs")
    for printed in EXPERIMENT.printed.tables:
        names = {row.name for row in printed.rows}
        of_words = printed.key == "table-4"  # into English; the others are into Japanese and Chinese
        assert {*parts} & names == ({*parts} if of_words else set())
        letters = {f"{part}-char" for part in parts}
        assert letters <= ours and letters & names == (set() if of_words else letters)
        assert ("AMFM" in names) == of_words, "the workshop's AM-FM is of letters there, ours of words"


@pytest.mark.parametrize(
    ("sentences", "words_each", "says"),
    [
        (12, 3, "AM comes from the same sentences, and all their 14 words."),
        (3001, 3, "FM comes from the 3,001 sentences that were given. AM comes from 1,001 of them, evenly spaced"),
        (1000, 9, "AM comes from the same sentences, and their 4,000 most frequent words."),
    ],
)
def test_it_is_said_of_how_many_sentences_am_is(sentences, words_each, says):
    """Check that the result says how many sentences the word space of AM (of the metric AM-FM) is made from.

    Sentences of three words overlap: each starts with the second word of the one before. Longer ones share no word."""
    step = 1 if words_each == 3 else 9
    corpus = tuple(" ".join([f"w{n * step + m}" for m in range(words_each)]) for n in range(sentences))
    found = ding.am_fm_scores(make_data(2, corpus=corpus), LOWER, lambda progress: None, (0, 1))
    assert says in found.says
    assert len(found.space.words) <= 4000


def test_intervals_over_outputs_are_of_segments_with_all_their_systems(given):
    ratings = given.judged.ratings["adequacy"].mean(axis=2)
    ratings[1, 3] = np.nan
    some = with_judgements(given, ratings)
    _, outputs = run_checking_progress(EXPERIMENT, some).tables
    text = TextSettings()
    scores = np.array(
        [
            [
                metrics.score("ribes", words(line, text), [words(each, text) for each in references]).score
                for line, references in zip(lines, given.references, strict=True)
            ]
            for lines in given.candidates
        ]
    )
    drawn = []
    for number in np.concatenate([*resample_counts(8, 40)]).astype(int):
        segments = np.repeat(np.arange(8), number)
        x, y = ratings[:, segments].ravel(), scores[:, segments].ravel()
        drawn.append(stats.pearsonr(x[~np.isnan(x)], y[~np.isnan(x)])[0])
    found = outputs.value("RIBES", "adequacy")
    assert (found.low, found.high) == pytest.approx(interval(np.array(drawn)), abs=1e-9)


def test_other_programs_take_part_where_they_have_scores(given):
    scores = np.random.default_rng(4).normal(size=(4, 8))
    scores[0, 2] = scores[3] = np.nan
    out = run_checking_progress(EXPERIMENT, with_external_scores(given, {"COMET": scores, "dcs": scores}))
    systems, outputs = out.tables
    people = given.judged.means("fluency")
    there = ~np.isnan(scores)
    expected = stats.pearsonr(people[:3].mean(axis=1), np.nanmean(scores[:3], axis=1))[0]
    assert systems.value("COMET", "fluency").value == pytest.approx(expected, abs=1e-9)
    expected = stats.pearsonr(people[there], scores[there])[0]
    assert outputs.value("COMET", "fluency").value == pytest.approx(expected, abs=1e-9)
    (row,) = [row for row in systems.rows if row.name == "COMET"]
    assert not row.is_baseline and row.opens and all(there[place[:2]] and place.metric == "" for place in row.opens)
    assert systems.value("dcs, as given", "fluency") == systems.value("COMET", "fluency")
    assert systems.value("dcs", "fluency") != systems.value("COMET", "fluency")
    scores[2] = np.nan
    assert (
        "Fewer than three"
        in run_checking_progress(EXPERIMENT, with_external_scores(given, {"X": scores}))
        .tables[0]
        .value("X", "fluency")
        .why
    )


def test_a_scale_without_two_judges_has_no_number_of_another(given):
    ratings = {name: each.copy() for name, each in given.judged.ratings.items()}
    ratings["adequacy"][:, :, 1] = np.nan
    one = replace(given, judged=replace(given.judged, ratings=ratings))
    for table in run_checking_progress(EXPERIMENT, one).tables:
        assert table.value(JUDGES, "adequacy") is None and table.value(JUDGES, "fluency").value is not None
    for table in run_checking_progress(EXPERIMENT, given).tables:
        (row,) = [row for row in table.rows if row.name == JUDGES]
        first, second = levels.draw_two_judgements(given.judged, "adequacy", given.options.seed)
        assert row.opens == levels.most_different_places(first, second) != ()


def test_what_the_paper_prints():
    second, third, fourth, fifth = EXPERIMENT.printed.tables
    assert [len(table.rows) for table in (second, third, fourth, fifth)] == [13, 13, 7, 17]
    assert second.value("cs2-char", "ASPEC-15").value == 0.95 and second.value("AMFM-char", "JPC-16").value == 0.58
    assert third.value("cs1-char", "JPC-16").value == 0.98 and fourth.value("BLEU", "ASPEC-17").value == 0.97
    assert fourth.value("AMFM", "ASPEC-16").value is None and "below 0" in fifth.value("dcs-char", "JPC-k2j-15").why
    assert fifth.value("RIBES-stdpku", "ASPEC-j2z-14").value == 0.63
