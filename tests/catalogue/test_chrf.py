"""Tests that chrF and chrF++ equal sacreBLEU's.

The letters that are drawn as matches are equal in both texts, and as many as are counted."""

import random
from collections import Counter

import pytest
from sacrebleu.metrics import CHRF

import metrics
from metrics.text.letters import chrf_word_spans
from metrics.types import Hit, TooHard, segment, work
from tests.helpers.fragments import drawn_result, read
from tests.helpers.peers import agreed
from viz.draw.evidence import ledger, words

WORDS = {
    "latin": ["the", "cat", "cats", "sat", "sit", "on", "a", "mat.", "(mat)", '"the', "café", "e", "ß", "x,y"],
    "chinese": ["他", "说", "他说", "世界经济", "经济", "。", "增长，", "大"],
    "arabic": ["قال", "القط", "القطة", "على", "الحصير،", "جلس", "لا"],
    "emoji": ["👩‍👩‍👧", "👩", "🇩🇪", "a👍🏽b", "‍", "👍", "e\u0301t\u00e9"],
}
#: Every setting, alone or with others.
SETTINGS = [
    *({}, {"word_order": 1}, {"word_order": 2}, {"char_order": 1}, {"char_order": 3, "beta": 1}),
    *({"char_order": 12, "word_order": 2, "beta": 3}, {"whitespace": True}, {"whitespace": True, "word_order": 2}),
    *({"eps_smoothing": True}, {"eps_smoothing": True, "word_order": 2, "beta": 1}),
]


def random_segments(script, seed, count, most_references=3):
    rng = random.Random(f"{script} {seed}")
    for _ in range(count):
        size = 1 + rng.randint(1, most_references)
        sentences = [rng.choices(WORDS[script], k=rng.randint(0, 9)) for _ in range(size)]
        yield sentences[0], sentences[1:]


@pytest.mark.slow
@pytest.mark.peer
@pytest.mark.parametrize("script", WORDS)
def test_sentences_and_corpora_score_as_sacrebleu_says(script):
    values = sum([check_and_count_scores(script, given) for given in SETTINGS])
    agreed("chrF", "sacreBLEU 2.6.0", f"{script}: sentences and corpora, {len(SETTINGS)} settings", values)


def check_and_count_scores(script, given):
    peer = CHRF(**{name: int(value) if name == "beta" else value for name, value in given.items()})
    found = [*random_segments(script, str(given), 40, most_references=1)]
    for candidate, references in [*found, *random_segments(script, given, 30)]:
        expected = peer.sentence_score(" ".join(candidate), [" ".join(r) for r in references]).score
        assert metrics.score("chrf", candidate, references, **given).score == pytest.approx(expected / 100, abs=1e-9)
    whole = peer.corpus_score([" ".join(c) for c, _ in found], [[" ".join(r[0]) for _, r in found]]).score
    ours = metrics.corpus_score("chrf", [c for c, _ in found], [r for _, r in found], **given)
    assert ours.score == pytest.approx(whole / 100, abs=1e-9)
    return len(found) + 30 + 1


@pytest.mark.parametrize(
    ("candidate", "reference", "given", "expected"),
    [  # from tests/test_chrf.py of sacreBLEU 2.6.0; ours are from 0 to 1
        ("abcdefg", "hijklmnop", {}, 0.0),
        ("a", "b", {}, 0.0),
        ("", "b", {}, 0.0),
        ("", "", {}, 0.0),
        ("this is a test", "this is a test", {}, 1.0),
        (
            "risk assessment must be made of those who are qualified and expertise in the sector - "
            "these are the scientists .",
            "risk assessment has to be undertaken by those who are qualified and expert in that area - "
            "that is the scientists .",
            {"beta": 3},
            0.6336,
        ),
    ],
)
def test_values_of_sacrebleus_own_tests(candidate, reference, given, expected):
    result = metrics.score("chrf", candidate.split(), [reference.split()], **given)
    assert result.score == pytest.approx(expected, abs=5e-5)


def count_common_ngrams(ours, theirs, order):
    """Return how many n-grams of length `order` two sequences share, each counted as often as both have it."""
    a, b = [Counter(tuple(text[i : i + order]) for i in range(len(text) - order + 1)) for text in (ours, theirs)]
    return sum(min(count, b[gram]) for gram, count in a.items())


@pytest.mark.parametrize("given", SETTINGS, ids=str)
@pytest.mark.parametrize("script", WORDS)
def test_marks_are_stretches_of_equal_letters_as_many_as_count(script, given):
    joint = " " if given.get("whitespace") else ""
    for candidate, references in random_segments(script, f"marks {given}", 12):
        result = metrics.score("chrf", candidate, references, **given)
        k = result.decides["score"]
        ours, theirs = [joint.join(text) for text in (candidate, references[k])]
        for order, layer in enumerate(result.layers, 1):
            if layer.name.startswith("character"):
                assert layer.total() == count_common_ngrams(ours, theirs, order)
                assert [mark.length for mark in layer.marks] == [credit + order - 1 for credit in layer.credits]
            else:
                words = [
                    [line[a:b] for a, b in chrf_word_spans(line)]
                    for line in (" ".join(candidate), " ".join(references[k]))
                ]
                assert layer.total() == count_common_ngrams(*words, order - len(result.layers) + given["word_order"])
            for mark in layer.marks:
                letters = sum(piece.length for piece in mark.pieces)
                assert mark.k == k and letters <= mark.length and (joint or letters == mark.length)
                for i, j, at, to, length in mark.pieces:
                    assert candidate[i][at : at + length] == references[k][j][to : to + length] != ""
        assert tuple(result.layers) == tuple(metrics.score("chrf", candidate, references, **given).layers)


def test_letters_of_a_longer_match_stay_with_it():
    """Check that the letters of a longer match are drawn together.

    The "s" of "is" is drawn at the reference's "is", not at the "s" of "so", which comes first and is free too."""
    result = metrics.score("chrf", "this is".split(), ["so this is".split()])
    assert [[piece[:2] for piece in mark.pieces] for mark in result.layers[0].marks] == [[(0, 1), (1, 2)]]


def test_white_space_within_tokens_is_none_of_the_letters():
    split = metrics.score("chrf", ["the", "cat"], [["the", "cat", "sat"]])
    assert metrics.score("chrf", ["the cat"], [["the cat\u3000sat"]]).score == split.score


def test_a_candidate_without_an_order_says_so():
    result = metrics.score("chrf", ["abc"], [["abcdefgh"]])
    assert metrics.METRICS["chrf"].remark(result) == (
        "Not counted: character 4-grams, character 5-grams and character 6-grams, of which one side has none."
    )
    assert [step.name for step in metrics.METRICS["chrf"].formula(result)][-3:] == ["P", "R", "chrF"]


@pytest.mark.slow
def test_a_megabyte_in_one_line_is_too_hard_for_a_page_and_scored_elsewhere():
    long = ["ab" * 250_000, "cd" * 250_000]
    with pytest.raises(TooHard), work.limited(200_000):
        metrics.score("chrf", long, [long])
    found = metrics.METRICS["chrf"].statistics(segment(long[:1], [long[:1]]), metrics.settings("chrf"))
    assert found["match_6"] == 499_995


def test_the_ledger_between_two_outputs_sums_to_the_difference():
    references = ["the cats sat on the mat".split()]
    texts = "the cat sits on a mat", "the cats sat on mats"
    a, b = (metrics.score("chrf", text.split(), references) for text in texts)
    steps = metrics.ledger(a, b)
    assert sum(step.share for step in steps) == pytest.approx(b.score - a.score, abs=1e-12)
    assert steps[0].cause == "matches"


def test_letters_are_seen_in_words_grid_and_table():
    candidate, references = "the cats sat".split(), ["the cat <b>sat".split()]
    result = metrics.score("chrf", candidate, references)
    drawn = drawn_result(result)
    strips = read(words.word_lines_html(drawn))
    underlined = [[u.text for u in word.all("u")] for word in strips.all("span", "tk")]
    assert underlined == [["the"], ["cat"], ["sat"], ["the"], ["cat"], ["sat"]]
    assert "<b>" not in words.word_lines_html(drawn).replace("<b>Candidate</b>", "")
    shapes = drawn.marks.shapes()
    digits = {shape.cell: shape.text for shape in shapes if shape.kind == "digit"}
    assert digits == {Hit(i, 0, i): "3" for i in range(3)}
    says = next(shape.why for shape in shapes if shape.cell == Hit(1, 0, 1) and shape.kind == "polygon")
    assert says == "3 of 4 and 3 letters: cat· ~ cat"
    rows = ledger.term_rows(candidate, references, result)
    assert [(row.layer, row.term, row.words, row.credit) for row in rows][-1] == (
        "character 6-grams",
        "the cat",
        "1–2 × 1–2",
        "1",
    )
    assert result.to_dict()["layers"][0]["unit"] == "character"
