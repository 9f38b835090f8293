"""Test similarities of words: equation (3) of Liu and Gildea (2006), its training, stems and WordNet."""

from __future__ import annotations

import pickle
import random

import pytest

import metrics
from metrics.text import wordnet
from metrics.text.similarity import (
    KEPT,
    MissingCorpus,
    StemSimilarity,
    TrainingCancelled,
    TranslationTable,
    WordNetSimilarity,
    train,
)
from tests.helpers.app import skip_missing
from tests.helpers.counting import lines_run

LINES = ["house maison 0.6", "home maison 0.4", "home foyer 0.5", "hearth foyer 0.25", "car auto 1"]

BITEXT = [
    (english.split(), foreign.split())
    for english, foreign in [
        ("the house is small", "das haus ist klein"),
        ("the house is little", "das haus ist klein"),
        ("the book is small", "das buch ist klein"),
        ("the book is big", "das buch ist gross"),
        ("the house", "das haus"),
        ("the book", "das buch"),
        ("a book", "ein buch"),
    ]
]


def train_table(lines=LINES):
    return TranslationTable.from_lines(lines, "test")


def random_probabilities(seed, word_count=30, foreign_word_count=12):
    rng = random.Random(seed)
    return {
        f"e{e}": {
            f"f{f}": rng.choice((0.1, 0.25, 0.5, 1.0))
            for f in rng.sample(range(foreign_word_count), rng.randrange(1, 5))
        }
        for e in range(word_count)
    }


# ---------------------------------------------------------------- translation tables


def test_equation_3():
    t = train_table()
    # house·house 0.36, house·home 0.24, home·home 0.16 + 0.25, home·hearth 0.125, hearth·hearth 0.0625
    assert t.similar("house") == pytest.approx({"house": 0.6, "home": 0.4})
    assert t.similar("home") == pytest.approx({"home": 0.41 / 0.775, "house": 0.24 / 0.775, "hearth": 0.125 / 0.775})
    assert list(t.similar("home")) == ["home", "house", "hearth"]
    assert t("house", "home") == t("home", "house") == pytest.approx((0.4 + 0.24 / 0.775) / 2)
    assert t("house", "hearth") == t("house", "car") == 0.0
    assert len(t) == 4 and "home" in t and "boat" not in t


def test_words_outside_the_table_are_similar_to_themselves_only():
    t = train_table()
    assert t("boat", "boat") == 1.0
    assert t("boat", "house") == t("house", "boat") == t("boat", "ship") == 0.0


def test_table_against_the_definition():
    for seed in range(10):
        given = random_probabilities(seed)
        t = TranslationTable(given, "test")
        for a in given:
            dots = {b: sum(given[a].get(f, 0) * p for f, p in row.items()) for b, row in given.items()}
            dots = {b: dot for b, dot in dots.items() if dot}
            assert t.similar(a) == pytest.approx({b: dot / sum(dots.values()) for b, dot in dots.items()})


def test_only_the_most_similar_words_are_kept_and_renormalised():
    t = train_table([f"w{n:03} f 0.{n + 100}" for n in range(150)])
    kept = t.similar("w000")
    assert len(kept) == KEPT
    assert set(kept) == {f"w{n:03}" for n in range(50, 150)}
    assert sum(kept.values()) == pytest.approx(1)
    assert t("w000", "w149") == t("w149", "w000") == pytest.approx(kept["w149"] / 2)  # w149's list lacks w000


def test_ties_at_the_limit_go_to_the_word_that_sorts_first():
    assert set(train_table([f"w{n:03} f 0.5" for n in reversed(range(150))]).similar("w120")) == {
        f"w{n:03}" for n in range(KEPT)
    }


def test_null_is_no_foreign_word():
    t = train_table(["the NULL 0.5", "of NULL 0.3", "the le 0.5", "NULL le 0.2"])
    assert t("the", "of") == 0.0 and "of" not in t and t.similar("the") == {"the": 1.0}


def test_tiny_probabilities_do_not_divide_by_zero():
    assert train_table(["a f 1e-200", "b f 1e-200"])("a", "b") == 0.0


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a b 0.5", "a 0.5"], r"line 2 must have three columns .* got 2"),
        (["a b c 0.5"], r"line 1 must have three columns .* got 4"),
        (["a b x"], r"line 1: the probability must be a number from 0 to 1, got 'x'"),
        (["", "a b nan"], r"line 2: .* got 'nan'"),
        (["a b 1.5"], r"got '1.5'"),
        (["a b -0.1"], r"got '-0.1'"),
        (["a b inf"], r"got 'inf'"),
        ([b"a b 0.5\n", b"caf\xe9 b 0.5\n"], r"line 2 must be UTF-8, got b'\\xe9'"),
        (["a b 0.5", "a b 0.5"], r"line 2: each pair of words must come once, got 'a' 'b' again"),
        ([], r"must have lines .*, got none in test"),
        (["", "  "], r"got none in test"),
    ],
)
def test_bad_tables(lines, message):
    with pytest.raises(ValueError, match=message):
        train_table(lines)


def test_load_and_lines(tmp_path):
    path = tmp_path / "lex.f2e"
    path.write_bytes("\ufeffhouse maison 0.6\r\nhome\tmaison\t0.4\r\n\r\nno\u00a0one personne 1\n".encode())
    loaded = TranslationTable.load(path)
    assert list(loaded.lines()) == ["home maison 0.4", "house maison 0.6", "no\u00a0one personne 1.0"]
    assert list(train_table(loaded.lines()).lines()) == list(loaded.lines())
    assert loaded.signature.startswith("table(lex.f2e,")


def test_signature_tells_tables_apart():
    assert train_table().signature == train_table(LINES[::-1]).signature != train_table(LINES[:-1]).signature


def test_table_in_settings():
    t = train_table()
    assert metrics.settings("sia", similarity=t) is metrics.settings("sia", similarity=t)
    result = metrics.score("sia", ["my", "home"], [["my", "house"]], similarity=t)
    assert result.score == pytest.approx(0.5 * (1 + t("home", "house")) / 2)
    assert f"similarity:{t.signature}|" in result.signature()


def test_table_can_be_sent_to_another_process():
    again = pickle.loads(pickle.dumps(train_table()))
    assert again("house", "home") == train_table()("house", "home")


def test_a_table_twice_as_large_takes_twice_as_much_work():
    """Check that a translation table of twice the size takes about twice the work.

    An algorithm over all pairs of words would take four times as much."""
    rng = random.Random(5)
    pairs = {(int(rng.paretovariate(0.5)) % 30000, int(rng.paretovariate(0.5)) % 30000) for _ in range(30_000)}
    lines = [f"e{e} f{f} 0.25" for e, f in list(pairs)[:20_000]]
    assert lines_run(lambda: train_table(lines)("e1", "e2")) < 2.5 * lines_run(
        lambda: train_table(lines[:10_000])("e1", "e2")
    )


# ---------------------------------------------------------------- training


@pytest.mark.slow
@pytest.mark.parametrize("model", [1, 2, 3, 4])
def test_training(model):
    calls = []
    trained = train(BITEXT, model, iterations=3, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(n, 3 * model) for n in range(1, 3 * model + 1)]
    assert trained("small", "little") > trained("small", "house")
    assert trained("small", "little") > 0.05
    assert trained("small", "boat") == 0.0
    assert list(trained.lines()) == list(train(BITEXT, model, iterations=3).lines())
    assert list(train_table(trained.lines()).lines()) == list(trained.lines())
    assert not any("None" in line or "NULL" in line for line in trained.lines())


@pytest.mark.parametrize("model", [1, 2, 3])
def test_training_is_that_of_nltk(model):
    """Check that training gives the same probabilities as NLTK's IBM models.

    NLTK runs Model 1 for twice the iterations inside Model 2, so the test chains the models by hand from Model 2 on."""
    from nltk.translate import AlignedSent, IBMModel1, IBMModel2, IBMModel3

    corpus = [AlignedSent(list(english), list(foreign)) for english, foreign in BITEXT]
    peer = IBMModel1(corpus, 4)
    if model > 1:
        start = IBMModel2(corpus, 0)
        peer = IBMModel2(
            corpus, 4, {"translation_table": peer.translation_table, "alignment_table": start.alignment_table}
        )
    if model > 2:
        start = IBMModel3(corpus, 0)
        peer = IBMModel3(
            corpus,
            4,
            {
                "translation_table": peer.translation_table,
                "alignment_table": peer.alignment_table,
                "fertility_table": start.fertility_table,
                "p1": start.p1,
                "distortion_table": start.distortion_table,
            },
        )
    for line in train(BITEXT, model, iterations=4).lines():
        english, foreign, p = line.split(" ")
        assert float(p) == pytest.approx(peer.translation_table[english][foreign], abs=1e-12)


def test_direction():
    """Check the direction of p(e|f): for one foreign word f, the probabilities of all English words e sum to 1."""
    sums = {}
    for line in train(BITEXT, 1).lines():
        _, foreign, p = line.split(" ")
        sums[foreign] = sums.get(foreign, 0) + float(p)
    assert set(sums) == {"das", "haus", "ist", "klein", "buch", "gross", "ein"}
    assert sums == pytest.approx(dict.fromkeys(sums, 1), abs=1e-6)


@pytest.mark.parametrize("sentences", [0, 5, 40])
def test_training_can_be_cancelled(sentences):
    asked = []

    def is_cancelled():
        asked.append(1)
        return len(asked) > sentences

    with pytest.raises(TrainingCancelled):
        train(BITEXT, 2, iterations=50, cancelled=is_cancelled)
    assert len(asked) == sentences + 1


def test_empty_sides_teach_nothing():
    assert list(train([*BITEXT, ([], ["x"]), (["x"], [])], 3, 1).lines()) == list(train(BITEXT, 3, 1).lines())


def test_a_table_of_any_letters_has_a_signature():
    plain, broken = (TranslationTable.from_lines([f"{word} b 0.5"], "t") for word in ("a", "\ud800"))
    assert broken.signature.startswith("table(t,") and broken.signature != plain.signature


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"model": 5}, ValueError, "model must be 1, 2, 3 or 4, got 5"),
        ({"model": True}, ValueError, "model must be 1, 2, 3 or 4, got True"),
        ({"iterations": 0}, ValueError, "iterations must be at least 1, got 0"),
        ({"iterations": 1.5}, ValueError, "iterations must be a whole number, got 1.5"),
        ({"pairs": []}, ValueError, "at least one pair"),
        ({"pairs": [([], ["a"])]}, ValueError, "at least one pair"),
        ({"pairs": [("a b", ["a"])]}, TypeError, "sentence 1 of pair 1 must be a sequence of tokens, got the string"),
        ({"pairs": [(["a"], [1])]}, TypeError, "sentence 2 of pair 1 must hold strings, got 1 at position 0"),
        ({"pairs": [3]}, TypeError, "pair 1 must hold two sequences of tokens, got 3"),
        ({"pairs": [(["a b"], ["a"])]}, ValueError, "no blanks"),
    ],
)
def test_bad_training(given, error, message):
    with pytest.raises(error, match=message):
        train(**{"pairs": BITEXT, **given})


# ---------------------------------------------------------------- stems


@pytest.mark.parametrize(
    ("similarity", "a", "b", "value"),
    [
        (StemSimilarity(), "houses", "house", 1.0),
        (StemSimilarity(ratio=0.6), "discussed", "discussing", 0.6),
        (StemSimilarity(), "house", "home", 0.0),
        (StemSimilarity("snowball", "french"), "maisons", "maison", 1.0),
        (StemSimilarity("snowball"), "generously", "generous", 1.0),
        (StemSimilarity(ratio=0.5), "house", "house", 1.0),
    ],
)
def test_stems(similarity, a, b, value):
    assert similarity(a, b) == similarity(b, a) == value


def test_stems_in_settings():
    assert metrics.settings("sia", similarity=StemSimilarity()) is metrics.settings("sia", similarity=StemSimilarity())
    result = metrics.score("sia", ["two", "houses"], [["two", "house"]], similarity=StemSimilarity(ratio=0.5))
    assert result.score == pytest.approx(0.5 * 1.5 / 2)
    assert "similarity:stem(porter,english,0.5)|" in result.signature()


@pytest.mark.parametrize(
    "given",
    [
        *({"stemmer": "lancaster"}, {"language": "french"}, {"stemmer": "snowball", "language": "klingon"}),
        *({"ratio": 0}, {"ratio": 1.1}, {"ratio": float("nan")}),
    ],
)
def test_bad_stems(given):
    with pytest.raises(ValueError, match="must be"):
        StemSimilarity(**given)


# ---------------------------------------------------------------- WordNet


def wordnet_similarity():
    try:
        return WordNetSimilarity()
    except MissingCorpus:
        skip_missing("NLTK's WordNet")


@pytest.mark.parametrize(
    ("a", "b", "similar"),
    [
        ("car", "automobile", True),
        ("bought", "purchased", True),  # similar through their base forms
        ("Film", "movies", True),
        ("car", "house", False),
        ("xyzzy", "plugh", False),
        ("xyzzy", "xyzzy", True),
    ],
)
def test_wordnet(a, b, similar):
    similarity = wordnet_similarity()
    assert similarity(a, b) == similarity(b, a) == similar


def test_wordnet_in_settings():
    wordnet_similarity()
    result = metrics.score("sia", ["a", "film"], [["a", "movie"]], similarity=WordNetSimilarity(0.8))
    assert result.score == pytest.approx(0.5 * 1.8 / 2)
    assert f"similarity:wordnet-{wordnet.version()}(0.8)|" in result.signature()


# ---------------------------------------------------------------- laws


@pytest.mark.parametrize(
    "similarity",
    [
        train_table(),
        TranslationTable(random_probabilities(1), "random"),
        StemSimilarity(),
        StemSimilarity("snowball", ratio=0.3),
    ],
    ids=lambda s: s.signature,
)
def test_laws(similarity):
    words = ["house", "houses", "home", "hearth", "car", "cars", "boat", "", *(f"e{n}" for n in range(30))]
    for a in words:
        assert similarity(a, a) == 1.0
        for b in words:
            assert similarity(a, b) == similarity(b, a)
            assert 0 <= similarity(a, b) <= 1
    assert hash(similarity) == hash(similarity)


def test_equal_words_count_one_in_sia():
    given = train_table()
    plain = metrics.score("sia", ["home", "home"], [["home", "x"]])
    assert metrics.score("sia", ["home", "home"], [["home", "x"]], similarity=given).score == plain.score
