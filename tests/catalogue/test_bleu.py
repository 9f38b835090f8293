"""Tests of BLEU: the paper's examples, golden values, a comparison with sacreBLEU, and the n-grams that are drawn.

A slow, obvious program says which n-grams should be drawn."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
import sacrebleu.metrics

import metrics
from metrics.alignment import ngrams
from metrics.alignment.ngrams import NgramOccurrences, clipped_totals, describe_clipping
from metrics.catalogue.bleu import METRIC as BLEU
from metrics.catalogue.bleu.score import closest_reference
from metrics.teach import ngrams as textbook
from metrics.types import Run, segment
from metrics.types.work import limited
from tests.helpers.cases import LONG, golden_rows, random_segment
from tests.helpers.corpora import load_token_lines
from tests.helpers.peers import agreed

SMOOTHINGS = ["none", "floor", "add_k", "exp"]

PAPER = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
MAT = ["the cat is on the mat", "there is a cat on the mat"]

# Candidate, references, settings, {part: value}, source.
EXAMPLES = [
    (
        "It is a guide to action which ensures that the military always obeys the commands of the party",
        PAPER,
        {},
        {"precision_1": 17 / 18, "precision_2": 10 / 17, "brevity_penalty": 1},
        "Papineni et al., example 1, candidate 1",
    ),
    (
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        PAPER,
        {},
        {"precision_1": 8 / 14, "precision_2": 1 / 13},
        "Papineni et al., example 1, candidate 2",
    ),
    (
        "the the the the the the the",
        MAT,
        {},
        {"precision_1": 2 / 7, "precision_2": 0},
        "Papineni et al., example 2: the clipped count is that of the reference that has most",
    ),
    (
        "of the",
        [text.replace("Party", "party") for text in PAPER],
        {"max_order": 2},
        {"precision_1": 1, "precision_2": 1, "brevity_penalty": math.exp(1 - 16 / 2), "score": math.exp(1 - 16 / 2)},
        "Papineni et al., example 3: only the penalty tells that it is too short",
    ),
    ("a b c d", ["a b c d"], {}, {"score": 1, "brevity_penalty": 1}, "identical"),
    ("a b", ["x y"], {"smoothing": "exp"}, {"score": 0, "precision_1": 0}, "nothing matches: nothing is smoothed"),
    ("", ["a b"], {}, {"score": 0, "precision_1": 0, "brevity_penalty": 0}, "empty candidate"),
    ("a b", [""], {}, {"score": 0, "precision_1": 0, "brevity_penalty": 1}, "empty reference"),
    ("", [""], {}, {"score": 0, "precision_1": 0, "brevity_penalty": 1}, "both empty, as in sacreBLEU"),
    ("a b", ["a b"], {}, {"score": 0, "precision_2": 1, "precision_3": 0}, "orders longer than the sentence"),
    ("a b", ["a b"], {"effective_order": True}, {"score": 1, "precision_3": 0}, "left out"),
    ("a b", ["a b"], {"smoothing": "add_k"}, {"score": 1, "precision_4": 1}, "0 of 0 n-grams and one more of both"),
    (
        "on the old mat the cat sat quietly",
        ["the cat sat quietly on the old mat"],
        {},
        {"score": (6 / 7 * 4 / 6 * 2 / 5) ** 0.25},
        "the page text's example",
    ),
]


def score(candidate, references, **settings):
    return metrics.score("bleu", candidate.split(), [reference.split() for reference in references], **settings)


@pytest.mark.parametrize(("candidate", "references", "settings", "expected", "source"), EXAMPLES)
def test_worked_example(candidate, references, settings, expected, source):
    result = score(candidate, references, **settings)
    found = {"score": result.score, **result.parts}
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-12), source


def test_the_page_quotes_its_example_rightly():
    assert f"{score('on the old mat the cat sat quietly', ['the cat sat quietly on the old mat']).score:.3f}" == "0.691"
    assert "0.691" in BLEU.about.unseen


def test_a_word_within_a_long_phrase_counts_ten_times():
    runs = [run for layer in score("a b c d e f g h", ["a b c d e f g h"]).layers for run in layer.marks]
    assert sum(3 in {cell.i for cell in run.cells()} for run in runs) == 10


def test_parts_and_statistics():
    result = score("a b c", ["a b", "a c d e"], max_order=2)
    assert list(result.parts) == ["precision_1", "precision_2", "brevity_penalty"]
    lengths = {"candidate_length": 3, "reference_length": 2}
    assert dict(result.stats) == {**lengths, "match_1": 3, "total_1": 3, "match_2": 1, "total_2": 2}
    assert BLEU.summary(score("a b", ["a b c"])) == "BP 0.61"


@pytest.mark.parametrize(
    ("length", "lengths", "expected"),
    [(7, [11, 8, 6, 7], 3), (7, [8, 6], 1), (7, [6, 8, 6], 0), (3, [0, 5], 1), (3, [0, 6], 0), (0, [4, 2], 1)],
)
def test_the_closest_reference_and_the_shorter_of_two(length, lengths, expected):
    chosen = segment(["a"] * length, [["a"] * m for m in lengths])
    assert closest_reference(chosen) == expected
    result = metrics.score("bleu", *chosen)
    assert result.stats["reference_length"] == lengths[expected]
    assert result.decides == {"brevity_penalty": expected}


# ---------------------------------------------------------------- golden values


def settings_of_row(row):
    given = row["settings"]
    out = {"smoothing": given["smooth_method"].replace("-", "_"), "max_order": given.get("max_ngram_order", 4)}
    return {**out, "effective_order": given.get("effective_order", False)}


def check_and_count_values(stats, parts, value, expected) -> int:
    """Check the values of one of our results against sacreBLEU's, and return how many values were compared.

    `stats`, `parts` and `value` are ours, `expected` is sacreBLEU's. The counts of n-grams are not compared, because
    sacreBLEU adds its smoothing to them."""
    assert value == pytest.approx(expected["score"] / 100, abs=1e-9)
    assert parts["brevity_penalty"] == pytest.approx(expected["bp"], abs=1e-12)
    assert (stats["candidate_length"], stats["reference_length"]) == (expected["sys_len"], expected["ref_len"])
    for n, precision in enumerate(expected.get("precisions", ()), 1):
        assert parts[f"precision_{n}"] == pytest.approx(precision / 100, abs=1e-12)
    return 4 + len(expected.get("precisions", ()))


@pytest.mark.peer
def test_golden_sentences():
    values = 0
    for row in golden_rows("bleu_sentence"):
        result = metrics.score("bleu", row["candidate"], row["references"], **settings_of_row(row))
        values += check_and_count_values(result.stats, result.parts, result.score, row["expected"])
        if row["settings"]["smooth_method"] != "add-k":
            count = len(row["expected"]["counts"])
            assert [result.stats[f"match_{n}"] for n in range(1, count + 1)] == row["expected"]["counts"], row["id"]
            assert [result.stats[f"total_{n}"] for n in range(1, count + 1)] == row["expected"]["totals"], row["id"]
            values += 2 * count
    agreed("BLEU", "sacreBLEU 2.6.0", "sentences: score, penalty, lengths, precisions, counts", values)


@pytest.mark.peer
def test_golden_corpora():
    values = 0
    for row in golden_rows("bleu_corpus"):
        result = metrics.corpus_score("bleu", row["candidates"], row["references"], **settings_of_row(row))
        values += check_and_count_values(result.stats, result.parts, result.score, row["expected"])
    agreed("BLEU", "sacreBLEU 2.6.0", "corpora: score, penalty, lengths, precisions", values)


def mteval_smoothed_score(stats):
    """Return the BLEU that mteval-v13a computes with smoothing from our statistics.

    It is BLEU with "exp" smoothing, but an order of which the candidate has no n-grams counts as a precision of 1."""
    c, r, logs, halvings = stats["candidate_length"], stats["reference_length"], [], 1
    for n in range(1, 5):
        match, total = stats[f"match_{n}"], stats[f"total_{n}"]
        if total and not match:
            halvings *= 2
        logs.append(math.log(match / total if match else 1 / (halvings * total)) if total else 0)
    return math.exp(sum(logs) / 4) * math.exp(min(0, 1 - r / c)) if c else 0


@pytest.mark.peer
def test_golden_mteval():
    """Check our smoothed BLEU against mteval-v13a's, with "exp" smoothing.

    They are equal where the candidate has n-grams of all orders and at least one word matches. Elsewhere ours is 0,
    as is sacreBLEU's. There mteval takes an order without n-grams for a perfect one, so that the single word "the"
    gets 1 against itself and 0.84 against any other, and it smooths where nothing matches at all."""
    same = different = unsmoothed_count = 0
    for row in golden_rows("bleu_mteval"):
        if "candidate" in row:
            pairs = [
                (metrics.score("bleu", row["candidate"], row["references"], smoothing="exp"), row["expected"]["bleu"])
            ]
        else:
            smoothed, plain = (
                metrics.corpus_score("bleu", row["candidates"], row["references"], smoothing=smoothing)
                for smoothing in ("exp", "none")
            )
            assert plain.score == pytest.approx(row["expected"]["bleu_nosmooth"], abs=1e-12), row["id"]
            unsmoothed_count += 1 + len(row["candidates"])
            pairs = [(smoothed, row["expected"]["bleu"])]
            for candidate, references, expected, nosmooth in zip(
                row["candidates"],
                row["references"],
                row["expected"]["bleu_segments_smoothed"],
                row["expected"]["bleu_segments_nosmooth"],
                strict=True,
            ):
                pairs.append((metrics.score("bleu", candidate, references, smoothing="exp"), expected))
                assert metrics.score("bleu", candidate, references).score == pytest.approx(nosmooth, abs=1e-12)
        for result, expected in pairs:
            if result.stats["total_4"] and result.stats["match_1"]:
                assert result.score == pytest.approx(expected, abs=1e-12), row["id"]
                same += 1
            else:
                assert result.score == 0
                assert mteval_smoothed_score(result.stats) == pytest.approx(expected, abs=1e-12), row["id"]
                different += 1
    assert same > 500 and different > 50
    agreed("BLEU", "mteval-v13a", "without smoothing: sentences and corpora", unsmoothed_count)
    why = "an order without n-grams counts as a perfect one there, and it smooths where nothing matches; ours is 0"
    agreed("BLEU", "mteval-v13a", "smoothed: sentences and corpora", same, different, why)


# Candidate, reference, mteval's value, ours with exp smoothing, ours with effective order too.
PINNED = [
    ("the", "the", 1, 0, 1),
    ("the", "a", 0.5**0.25, 0, 0),
    ("a b", "a c", (1 / 2 * 1 / 2) ** 0.25, 0, (1 / 2 * 1 / 2) ** 0.5),
    ("a b c d", "e f g h", (1 / 8 * 1 / 12 * 1 / 16 * 1 / 16) ** 0.25, 0, 0),
]


@pytest.mark.parametrize(("candidate", "reference", "theirs", "ours", "effective"), PINNED)
def test_where_mteval_is_another_metric(candidate, reference, theirs, ours, effective):
    result = score(candidate, [reference], smoothing="exp")
    assert mteval_smoothed_score(result.stats) == pytest.approx(theirs)
    assert result.score == ours == sacrebleu_metric("exp", False, 4).sentence_score(candidate, [reference]).score / 100
    assert score(candidate, [reference], smoothing="exp", effective_order=True).score == pytest.approx(effective)


# ---------------------------------------------------------------- sacreBLEU and ours


def sacrebleu_metric(smoothing, effective_order, max_order):
    return sacrebleu.metrics.BLEU(
        tokenize="none",
        smooth_method=smoothing.replace("_", "-"),
        effective_order=effective_order,
        max_ngram_order=max_order,
    )


def join_words(words):
    return " ".join(words)


def sacrebleu_values(found):
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(found, name) for name in names}


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_sentences_agree_with_sacrebleu(smoothing, effective_order):
    rng = random.Random(smoothing)
    for max_order in (1, 2, 3, 4, 7, 12):
        theirs = sacrebleu_metric(smoothing, effective_order, max_order)
        for _ in range(60):
            candidate, references = random_segment(rng)
            result = metrics.score(
                "bleu", candidate, references, max_order=max_order, smoothing=smoothing, effective_order=effective_order
            )
            expected = theirs.sentence_score(join_words(candidate), [join_words(r) for r in references])
            check_and_count_values(result.stats, result.parts, result.score, sacrebleu_values(expected))


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_corpora_agree_with_sacrebleu(smoothing):
    rng = random.Random(smoothing)
    for _ in range(40):
        segments = [random_segment(rng) for _ in range(rng.randint(1, 6))]
        given = {"max_order": rng.choice([1, 4, 6]), "effective_order": rng.random() < 0.5}
        result = metrics.corpus_score(
            "bleu", [c for c, _ in segments], [rs for _, rs in segments], smoothing=smoothing, **given
        )
        # sacreBLEU takes a list per reference, with None where a segment lacks that reference.
        columns = [[join_words(rs[k]) if k < len(rs) else None for _, rs in segments] for k in range(3)]
        theirs = sacrebleu_metric(smoothing, given["effective_order"], given["max_order"])
        expected = theirs.corpus_score([join_words(c) for c, _ in segments], columns)
        check_and_count_values(result.stats, result.parts, result.score, sacrebleu_values(expected))


@pytest.mark.parametrize("system", ["MiSS", "Online-W", "SMU"])
def test_real_translations_agree_with_sacrebleu(system):
    candidates, *both = map(load_token_lines, (f"system.{system}", "reference.A", "reference.B"))
    references = list(zip(*both, strict=True))
    sentences, theirs = sacrebleu_metric("exp", True, 4), sacrebleu_metric("none", False, 4)
    for candidate, pair in zip(candidates, references, strict=True):
        result = metrics.score("bleu", candidate, pair, smoothing="exp", effective_order=True)
        expected = sentences.sentence_score(join_words(candidate), [join_words(r) for r in pair])
        check_and_count_values(result.stats, result.parts, result.score, sacrebleu_values(expected))
        assert BLEU.statistics(segment(candidate, pair), metrics.settings("bleu")) == result.stats
    corpus = metrics.corpus_score("bleu", candidates, references)
    columns = [[join_words(pair[k]) for pair in references] for k in range(2)]
    expected = theirs.corpus_score([join_words(c) for c in candidates], columns)
    check_and_count_values(corpus.stats, corpus.parts, corpus.score, sacrebleu_values(expected))
    assert corpus.score > 0.1


# ---------------------------------------------------------------- which n-grams are drawn


@pytest.mark.parametrize("seed", range(4))
def test_runs_are_those_of_the_convention(seed):
    rng = random.Random(seed)
    for _ in range(500):
        candidate, references = random_segment(rng)
        most = rng.choice([1, 2, 4, 12])
        drawn = NgramOccurrences(candidate, references).runs_by_order(most)
        placed = textbook.choose_match_positions(candidate, references, most)
        assert drawn == [[Run(*place, order) for place in places] for order, places in enumerate(placed, 1)]
        assert all(type(run) is Run for runs in drawn for run in runs)
        result = metrics.score("bleu", candidate, references, max_order=most)
        assert [layer.marks for layer in result.layers] == [tuple(runs) for runs in drawn]
        assert [layer.name for layer in result.layers] == [f"{order}-grams" for order in range(1, most + 1)]
        assert [layer.statistics for layer in result.layers] == [(f"match_{order}",) for order in range(1, most + 1)]
        assert all(set(layer.credits) <= {1} and layer.weight == 1 for layer in result.layers)


@pytest.mark.parametrize("limit", [0, ngrams.GRID_LIMIT])
def test_counts_without_marks_are_those_of_the_multisets(limit, monkeypatch):
    monkeypatch.setattr(ngrams, "GRID_LIMIT", limit)
    rng = random.Random(limit)
    for _ in range(1000):
        candidate, references = random_segment(rng, most=rng.choice([4, 14, 40]))
        most = rng.choice([1, 2, 4, 12])
        assert clipped_totals(candidate, references, most) == textbook.clipped_totals(candidate, references, most)


@pytest.mark.parametrize("seed", range(3))
def test_the_places_that_count_are_the_leftmost(seed):
    rng = random.Random(seed)
    for _ in range(500):
        candidate, references = random_segment(rng)
        occurrences = NgramOccurrences(candidate, references)
        for places in occurrences.place_masks_by_order(4):
            counted = occurrences.drop_uncounted_places(places)
            least = {mask: max(map(int.bit_count, map(mask.__and__, occurrences.fields))) for mask in places}
            leftmost = [places[:i].count(mask) < least[mask] for i, mask in enumerate(places)]
            assert counted == [mask if kept else 0 for mask, kept in zip(places, leftmost, strict=True)]
            totals, counts = Counter(filter(None, places)), Counter(filter(None, counted))
            assert occurrences.count_by_clipped_mask(places) == {
                mask: counts[mask] for mask in totals if counts[mask] < totals[mask]
            }


def test_the_reference_that_has_most_is_drawn_and_the_first_of_several():
    result = score("a a a", ["a b", "a a", "a c a"], max_order=2)
    assert result.layers[0].marks == (Run(0, 1, 0, 1), Run(1, 1, 1, 1))
    assert result.layers[1].marks == (Run(0, 1, 0, 2),)


def test_a_word_is_drawn_where_the_longest_ngram_through_it_lies():
    result = score("a b", ["a x b", "a b"], max_order=2)
    assert result.layers[0].marks == (Run(0, 1, 0, 1), Run(1, 1, 1, 1))
    assert result.layers[1].marks == (Run(0, 1, 0, 2),)
    # "the" is in a pair in the first reference, and in three words in a row in the second.
    result = score("on the cat sat", ["on the", "the cat sat"], max_order=3)
    assert [mark[:3] for mark in result.layers[0].marks] == [(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 1, 2)]
    # Clipping: of two "a" the one in the pair counts, although it is not the leftmost.
    result = score("a x a b", ["a b"], max_order=2)
    assert [mark[:3] for mark in result.layers[0].marks] == [(2, 0, 0), (3, 0, 1)]


def test_a_phrase_stays_in_the_reference_that_has_it_whole():
    # The first three words are also in the first reference, and the last three in the second.
    result = score("we saw the old black cat", ["we saw the dog", "the old black cat", "we saw the old black cat"])
    assert {mark.k for layer in result.layers for mark in layer.marks} == {2}
    # A phrase goes on as far as it can, even if the next one would be longer.
    result = score("a b c d e", ["b c d e", "a b c"], max_order=2)
    assert result.layers[1].marks == (Run(0, 1, 0, 2), Run(1, 1, 1, 2), Run(2, 0, 1, 2), Run(3, 0, 2, 2))


def test_no_ngram_reaches_from_one_reference_into_the_next():
    assert score("a b", ["a", "b"], max_order=2).stats["match_2"] == 0
    assert BLEU.statistics(segment(["a", "b"], [["a"], ["b"]]), metrics.settings("bleu"))["match_2"] == 0


# ---------------------------------------------------------------- formula, remark, settings

GUNMAN = ("police kill the gunman", ["police killed the gunman"])

# Candidate, references, settings, and the steps as text, with “; ” between them and without the values at the end.
FORMULAS = [
    ((*GUNMAN, {"max_order": 2}), "p_1 = 3/4 = 3/4; p_2 = 1/3 = 1/3; BP = 1; BLEU = BP·(p_1·p_2)^(1/2)"),
    (
        (*GUNMAN, {"smoothing": "exp"}),
        "p_1 = 3/4 = 3/4; p_2 = 1/3 = 1/3; p_3 = 1/(2·2); p_4 = 1/(4·1); BP = 1; BLEU = BP·(p_1·p_2·p_3·p_4)^(1/4)",
    ),
    (
        (*GUNMAN, {"smoothing": "floor", "max_order": 3}),
        "p_1 = 3/4 = 3/4; p_2 = 1/3 = 1/3; p_3 = 0.1/2; BP = 1; BLEU = BP·(p_1·p_2·p_3)^(1/3)",
    ),
    (
        (*GUNMAN, {"smoothing": "add_k", "max_order": 3}),
        "p_1 = 3/4 = 3/4; p_2 = (1 + 1)/(3 + 1) = (1 + 1)/(3 + 1); p_3 = (0 + 1)/(2 + 1) = (0 + 1)/(2 + 1); "
        "BP = 1; BLEU = BP·(p_1·p_2·p_3)^(1/3)",
    ),
    (
        ("the cat", MAT, {"effective_order": True}),
        "p_1 = 2/2 = 2/2; p_2 = 1/1 = 1/1; BP = exp(1 − 6/2); BLEU = BP·(p_1·p_2)^(1/2)",
    ),
    (("the cat", ["the cat"], {"max_order": 1}), "p_1 = 2/2 = 2/2; BP = 1; BLEU = BP·p_1"),
    (("", ["a"], {"max_order": 1}), "p_1 = 0/0 = 0/0; BP = 0; BLEU = BP·p_1"),
    (("", ["a"], {"effective_order": True}), "BP = 0; BLEU = BP·0"),
]


@pytest.mark.parametrize(
    ("candidate", "references", "settings", "expected"), [(*case, steps) for case, steps in FORMULAS]
)
def test_formula(candidate, references, settings, expected):
    result = score(candidate, references, **settings)
    steps = BLEU.formula(result)
    lines = [f"{s.name} = " + " = ".join(metrics.formula.text(form) for form in s.forms) for s in steps]
    assert "; ".join(lines) == expected
    assert steps[-1].value == pytest.approx(result.score, abs=1e-12)
    precisions = [s.value for s in steps if s.name.startswith("p_")]
    assert precisions == pytest.approx([result.parts[f"precision_{n}"] for n in range(1, len(precisions) + 1)])


NO_ORDER = "The candidate has no 3-grams: the score is 0 unless effective order leaves them out."
NO_MATCH = "No 3-gram matches, which makes the score 0; the smoothing “exp” would count a little for it."

# Candidate, references, settings, remark.
REMARKS = [
    ("the the the the the the the", MAT, {"max_order": 1}, "Clipped: “the” counts 2 of 7."),
    ("the the the the the the the", MAT, {"smoothing": "exp"}, "Clipped: “the” counts 2 of 7."),
    (*GUNMAN, {}, NO_MATCH),
    (*GUNMAN, {"smoothing": "floor"}, ""),
    ("the cat", MAT, {}, NO_ORDER),
    ("the cat", MAT, {"smoothing": "exp"}, NO_ORDER),
    ("the cat", MAT, {"effective_order": True}, ""),
    ("the cat", MAT, {"smoothing": "add_k"}, ""),
    ("x", MAT, {}, ""),
    ("", MAT, {}, ""),
    ("a a b", ["a b"], {"max_order": 3}, f"{NO_MATCH} Clipped: “a” counts 1 of 2."),
]


@pytest.mark.parametrize(("candidate", "references", "settings", "expected"), REMARKS)
def test_remark(candidate, references, settings, expected):
    assert BLEU.remark(score(candidate, references, **settings)) == expected


# Candidate, references, maximum n-gram order, sentence.
CLIPPINGS = [
    ("a a a b", ["b a a"], 1, "Clipped: “a” counts 2 of 3."),
    ("a a a b", ["b a a"], 4, "Clipped: “a” counts 2 of 3, “a a” counts 1 of 2."),
    ("x x a a", ["a"], 4, "Clipped: “a” counts 1 of 2."),  # an n-gram without a match is not clipped
    ("a a b b", ["a a", "b b"], 4, ""),
    (
        "a a b b c c d d",
        ["d c b a"],
        4,
        "Clipped: “a” counts 1 of 2, “b” counts 1 of 2, “c” counts 1 of 2, and 1 more.",
    ),
    ("a\u202eb a\u202eb", ["a\u202eb"], 4, "Clipped: “a\ufffdb” counts 1 of 2."),
    ("می\u200cروم می\u200cروم", ["می\u200cروم"], 1, "Clipped: “\u2068می\u200cروم\u2069” counts 1 of 2."),
    (f"{'x' * 99} {'x' * 99}", ["x" * 99], 1, f"Clipped: “{'x' * 31}…” counts 1 of 2."),
    (f"{'x' * 32} {'x' * 32}", ["x" * 32], 1, f"Clipped: “{'x' * 32}” counts 1 of 2."),
    ("", [""], 4, ""),
]


@pytest.mark.parametrize(("candidate", "references", "most", "expected"), CLIPPINGS)
def test_clipping_is_told(candidate, references, most, expected):
    assert describe_clipping(segment(candidate.split(), [r.split() for r in references]), most) == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_order": 0}, "max_order must be at least 1, got 0"),
        ({"max_order": 13}, "max_order must be at most 12, got 13"),
        ({"max_order": 2.0}, r"max_order must be a whole number, got 2\.0"),
        ({"smoothing": "add-k"}, "smoothing must be one of 'none', 'floor', 'add_k', 'exp', got 'add-k'"),
        ({"effective_order": 1}, "effective_order must be True or False, got 1"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        score("a", ["a"], **settings)


# ---------------------------------------------------------------- long input


@pytest.mark.slow
@pytest.mark.parametrize("max_order", [4, 12])
@pytest.mark.parametrize(
    ("candidate", "references"),
    [(["a"] * 400, [["a"] * 400]), (["a"] * 2000, [["a"] * 2000] * 16), (LONG, [LONG] * 16), (LONG, [LONG[::-1]] * 16)],
    ids=["400 equal words", "2000 equal words", "16 equal references", "16 reversed references"],
)
def test_long_input_takes_no_time(candidate, references, max_order):
    """Check that BLEU of long texts takes few steps; comparing every pair of words would take minutes."""
    with limited(1_000_000):
        result = metrics.score("bleu", candidate, references, max_order=max_order)
        BLEU.remark(result)
    if candidate == references[0]:
        assert result.score == 1
