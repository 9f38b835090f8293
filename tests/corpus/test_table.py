"""Tests of tables of statistics against sentences scored one by one."""

import random

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, TER

import metrics
from metrics.corpus import table
from metrics.types import Segment
from tests.helpers.corpora import SYSTEMS, load_segments


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_table_has_the_scores_of_the_corpus_and_of_the_sentences(key):
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    systems = [load_segments(name) for name in SYSTEMS]
    found = table.score_table(metric, settings, systems)
    for system, scores, corpus in zip(systems, found.scores, found.corpus_scores(), strict=True):
        whole = metrics.corpus_score(key, [s.candidate for s in system], [s.references for s in system])
        assert corpus == pytest.approx(whole.score, abs=1e-13)
        each = [metric.from_stats(stats, settings).score for stats in whole.segments]
        assert scores.tolist() == each  # exactly equal, because a tie that breaks changes a rank


@pytest.mark.parametrize("key", [key for key, metric in metrics.METRICS.items() if not metric.corpus])
def test_chunks_joined_are_the_whole(key):
    """Check that tables of seven segments each, joined, equal the table of all, also where some lack a statistic."""
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    system = load_segments(SYSTEMS[0])
    whole = table.score_table(metric, settings, [system])
    chunks = [table.score_rows(metric, settings, system[at : at + 7]) for at in range(0, len(system), 7)]
    found = table.join_chunks(metric, settings, [chunks])
    assert found.names == whole.names
    assert np.array_equal(found.statistics, whole.statistics) and np.array_equal(found.scores, whole.scores)


@pytest.mark.parametrize("smoothing", ["none", "exp", "floor", "add_k"])
def test_a_single_segment_by_bleu_scores_what_sacrebleu_gives_a_sentence(smoothing):
    """Check sentence scores against `sentence_score` of sacreBLEU; a smoothing that is asked for stays."""
    method = {"none": "exp", "add_k": "add-k"}.get(smoothing, smoothing)
    theirs = BLEU(tokenize="none", smooth_method=method, effective_order=smoothing == "none")
    metric, settings = metrics.METRICS["bleu"], metrics.settings("bleu", smoothing=smoothing)
    segments = load_segments(SYSTEMS[0])
    found = table.score_table(metric, settings, [segments])
    assert not found.sentence_scores_note()
    found = found.with_sentence_scores()
    expected = [
        theirs.sentence_score(" ".join(each.candidate), [" ".join(text) for text in each.references]).score / 100
        for each in segments
    ]
    assert found.scores[0] == pytest.approx(expected, abs=1e-9)
    assert found.sentence_scores_note().startswith("BLEU of a single segment is smoothed") == (smoothing == "none")
    # The corpus score is as the settings say.
    pairs = [each.candidate for each in segments], [each.references for each in segments]
    assert found.corpus_scores()[0] == pytest.approx(metrics.corpus_score("bleu", *pairs, smoothing=smoothing).score)
    few = found.select_segments(np.arange(3))
    assert few.scores.tolist() == found.scores[:, :3].tolist()
    assert few.sentence_scores_note() == found.sentence_scores_note()


@pytest.mark.parametrize("key", [key for key in metrics.METRICS if key != "bleu"])
def test_other_metrics_score_sentences_as_they_score_corpora(key):
    found = table.score_table(metrics.METRICS[key], metrics.settings(key), [load_segments(SYSTEMS[0])[:3]])
    assert found.with_sentence_scores() is found


def test_what_a_chunk_lacks_counts_as_nothing():
    metric, settings = metrics.METRICS["per"], metrics.settings("per")
    one = ("common",), np.array([[2.0]]), np.array([0.5])
    two = ("longer_length", "common"), np.array([[5.0, 3.0]]), np.array([0.25])
    found = table.join_chunks(metric, settings, [[one, two]])
    assert found.names == ("common", "longer_length")
    assert found.statistics.tolist() == [[[2.0, 0.0], [3.0, 5.0]]]


ALPHABETS = ("ab", "abcde", ["é", "e\u0301", "\u202e", "\x00", " "], ["running", "runs", "dog", "dogs", "the"])


@pytest.mark.parametrize("key", metrics.METRICS)
def test_arrays_have_what_sentences_have_whatever_the_texts(key):
    """Check that a table has the scores of segments scored one by one, on random texts.

    Some texts are empty or repeat words, and segments differ in their number of references."""
    chance = random.Random(key)
    metric, settings = metrics.METRICS[key], metrics.settings(key)
    for _ in range(40):
        words, size = chance.choice(ALPHABETS), chance.choice((1, 2, 9))

        def text(words=words):
            return tuple(chance.choices(words, k=chance.choice((0, 1, 2, 3, 8))))

        sets = [[text() for _ in range(chance.choice((1, 1, 2, 3)))] for _ in range(size)]
        systems = [[text() for _ in sets] for _ in range(2)]
        found = table.score_table(metric, settings, [[*map(Segment, each, map(tuple, sets))] for each in systems])
        for each, scores, corpus in zip(systems, found.scores, found.corpus_scores(), strict=True):
            assert corpus == pytest.approx(metrics.corpus_score(key, each, sets).score, abs=1e-12)
            if not metric.corpus:  # NIST weighs n-grams by the whole corpus, so its segment scores differ
                pairs = zip(each, map(tuple, sets), strict=True)
                alone = [metric.score(Segment(*pair), settings).score for pair in pairs]
                assert scores == pytest.approx(alone, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("tokenize", ["none", "13a", "intl"])
@pytest.mark.parametrize("references", [1, 2])
def test_a_corpus_has_the_scores_of_sacrebleu(tokenize, references):
    """Check corpus scores against sacreBLEU with other tokenisers, several references and empty outputs."""
    peer = BLEU(tokenize=tokenize)

    def split(line):
        return tuple(peer.tokenizer(" ".join(line)).split())

    system = [
        Segment(split(each.candidate if number % 7 else ()), tuple([split(line) for line in each.references]))
        for number, each in enumerate(load_segments(SYSTEMS[0], 2))
        if len(each.references) == 2
    ]
    system = [each._replace(references=each.references[:references]) for each in system]
    outputs = [" ".join(each.candidate) for each in system]
    theirs = [[" ".join(each.references[n]) for each in system] for n in range(references)]
    want = {
        "bleu": BLEU(tokenize="none").corpus_score(outputs, theirs),
        "ter": TER(case_sensitive=True).corpus_score(outputs[:20], [lines[:20] for lines in theirs]),
    }
    for key, given, some in (("bleu", {"smoothing": "exp"}, system), ("ter", {}, system[:20])):
        found = table.score_table(metrics.METRICS[key], metrics.settings(key, **given), [some])
        assert found.corpus_scores()[0] == pytest.approx(want[key].score / 100, abs=1e-12)
