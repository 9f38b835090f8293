"""dcs and its parts beside a slow program, AM-FM beside the matrices and the probabilities that it stands for."""

import math
from itertools import product

import numpy as np
import pytest
from experiment_data import data, judged_as, told
from scipy import stats

import metrics
from metrics.corpus.agreement.experiments import amfm
from metrics.corpus.agreement.experiments.ding import EXPERIMENT, characters
from metrics.text import TextSettings
from metrics.text.processing import words

LOWER = TextSettings(lowercase=True)
SENTENCES = [
    tuple(line.split()) for line in ("the cat sat", "the dog sat", "a cat ran off", "the bird sang", "a dog ran")
]


@pytest.fixture(scope="module")
def given():
    return data(8, scales=("adequacy", "fluency"), systems=4)


def test_systems_have_the_slow_programs_coefficients(given):
    systems, outputs = told(EXPERIMENT, given).tables
    for scale in ("adequacy", "fluency"):
        people = given.judged.means(scale)
        for suffix, text in (("", TextSettings()), ("-char", characters(TextSettings()))):
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
        letters = characters(TextSettings())
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
    space = amfm.space(SENTENCES, 3)
    for a, b in product(SENTENCES, SENTENCES):
        x, y = (left.T @ (rare * [each.count(word) for word in vocabulary]) for each in (a, b))
        expected = x @ y / np.linalg.norm(x) / np.linalg.norm(y)
        assert space.cosine(a, b) == pytest.approx(expected, abs=1e-9)
        assert space.cells(a, b).sum() == pytest.approx(expected, abs=1e-9)
    assert space.cosine(("the", "cat"), ("the", "cat")) == pytest.approx(1)
    assert space.cosine(("nothing",), ("the",)) == 0.0 and amfm.strongest(space.cells(("nothing",), ("the",))) == ()
    assert amfm.space([], 3).cosine(("a",), ("a",)) == 0.0


def test_probabilities_sum_to_1_and_are_those_of_witten_and_bell():
    model = amfm.language(SENTENCES)
    every = [*model.words, "never seen", "</s>"]
    for before in (("<s>", "<s>"), ("<s>", "the"), ("the", "cat"), ("never", "seen"), ("dog", "dog"), ()):
        assert math.fsum(model.probability(word, before) for word in every) == pytest.approx(1, abs=1e-12)
    # After “the” stand cat, dog and bird, once each; of 17 + 5 words and ends, “cat” is two, of 10 kinds.
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
    systems, _ = told(EXPERIMENT, given).tables
    corpus = [words(line, LOWER) for line in lines]
    space, model = amfm.space(corpus), amfm.language(corpus)
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
    other = told(EXPERIMENT, data(8, scales=("adequacy",), systems=4, corpus=lines[:5]))
    assert any("5 sentences that were given" in note for note in other.notes)
    assert other.tables[0].value("AM", "adequacy").value != pytest.approx(systems.value("AM", "adequacy").value)


def test_grids_hold_the_cosine(given):
    out = told(EXPERIMENT, given)
    assert 0 < len(out.grids) <= 5
    for grid in out.grids:
        assert math.fsum(cell.weight for cell in grid.cells) == pytest.approx(grid.total, abs=1e-9)
        assert all(cell.i < len(grid.candidate) and cell.j < len(grid.reference) for cell in grid.cells)
        assert grid.candidate == words(given.candidates[grid.opens.system][grid.opens.segment], LOWER)
    assert len({grid.opens.segment for grid in out.grids}) == len(out.grids)


def test_constant_judgements_have_no_grids():
    out = told(EXPERIMENT, judged_as(data(4), np.ones((3, 4))))
    assert out.grids == () and out.tables[0].value("dcs", "adequacy").value is None


def test_what_the_paper_prints():
    second, third, fourth, fifth = EXPERIMENT.printed.tables
    assert [len(table.rows) for table in (second, third, fourth, fifth)] == [13, 13, 7, 17]
    assert second.value("cs2", "ASPEC-15").value == 0.95 and second.value("AMFM", "JPC-16").value == 0.58
    assert third.value("cs1", "JPC-16").value == 0.98 and fourth.value("BLEU", "ASPEC-17").value == 0.97
    assert fourth.value("AMFM", "ASPEC-16").value is None and "below 0" in fifth.value("dcs", "JPC-k2j-15").why
    assert fifth.value("RIBES-stdpku", "ASPEC-j2z-14").value == 0.63
