"""Tests of METEOR: worked examples, the scores of METEOR 1.5, all matchings of short sentences, and remarks."""

from __future__ import annotations

import math
import random
from itertools import chain, product

import pytest

import metrics
from metrics.alignment import meteor_chunks as chunks
from metrics.alignment.meteor_cells import count_chunks, count_crossings
from metrics.catalogue.meteor import program as textbook
from metrics.catalogue.meteor import score as meteor
from metrics.catalogue.meteor import settings
from metrics.text import wordnet
from metrics.types import Hit, Run
from metrics.types.work import limited
from tests.helpers.app import run_python, skip_missing
from tests.helpers.cases import golden_rows
from tests.helpers.corpora import load_token_lines
from tests.helpers.matchings import best_matchings, matching_cost
from tests.helpers.peers import agreed

GOLDEN = golden_rows("meteor_jar")
METEOR = metrics.METRICS["meteor"]
STEMS = ("exact", "stem")


def score(candidate, *references, **settings):
    settings.setdefault("stages", STEMS)
    return metrics.score("meteor", candidate.split(), [r.split() for r in references], **settings)


def matched_words(result):
    """Return the matched pairs of words (of the candidate, of the reference) by layer, such as "exact" and "stem"."""
    candidate, references = result.segment
    return {
        layer.name: [(candidate[i], references[k][j]) for i, k, j in layer.marks]
        for layer in result.layers
        if layer.name != "chunks"
    }


# ---------------------------------------------------------------- examples

# Candidate, reference, matches, chunks, score. F = PR / (0.9P + 0.1R), METEOR = F · (1 − 0.5 (chunks/matches)³).
EXAMPLES = [
    ("the cat sat on the mat", "the cat sat on the mat", 6, 1, 1, "matched as a whole: no penalty"),
    (
        "on the mat sat the cat",
        "the cat sat on the mat",
        6,
        3,
        1 - 0.5 / 8,
        "three chunks, of two, one and three words",
    ),
    ("the cat", "the cat sat", 2, 1, (2 / 3) / (0.9 + 0.1 * 2 / 3) * (1 - 0.5 / 8), "one chunk, but not the whole"),
    ("the cats sat", "the cat sat", 3, 1, 1, "a stem counts as much as an equal word"),
    ("The CAT sat", "the cat sat", 3, 1, 1, "stems are compared in lower case"),
    ("a b c", "c b a", 3, 3, 0.5, "no two matches follow each other"),
    ("a", "b", 0, 0, 0, "nothing in common"),
    ("a", "a", 1, 1, 1, "one word, matched as a whole"),
    ("", "a", 0, 0, 0, "empty candidate"),
    ("a", "", 0, 0, 0, "empty reference"),
    ("", "", 0, 0, 0, "both empty"),
]


@pytest.mark.parametrize(("candidate", "reference", "matches", "chunk_count", "value", "why"), EXAMPLES)
def test_worked_example(candidate, reference, matches, chunk_count, value, why):
    result = score(candidate, reference)
    assert (result.stats["matches"], result.stats["chunks"]) == (matches, chunk_count), why
    assert result.score == pytest.approx(value, abs=1e-12), why
    assert list(result.parts) == ["precision", "recall", "fragmentation", "penalty", "chunks"]


def test_statistics_layers_and_formula():
    result = score("the cats sat on a mat", "on the mat sat the cat")
    assert dict(result.stats) == {"matches": 5, "chunks": 4, "whole": 0, "candidate_length": 6, "reference_length": 6}
    exact, stem, chunk = result.layers
    assert exact.marks == (Hit(0, 0, 4), Hit(2, 0, 3), Hit(3, 0, 0), Hit(5, 0, 2))
    assert stem.marks == (Hit(1, 0, 5),)
    assert chunk.marks == (Run(0, 0, 4, 2), Run(2, 0, 3, 1), Run(3, 0, 0, 1), Run(5, 0, 2, 1))
    assert [layer.relation for layer in result.layers] == ["equal", "stem", "similar"]
    assert [layer.statistics for layer in result.layers] == [("matches",), ("matches",), ("chunks",)]
    assert {s.name: metrics.formula.text(s.forms[-1]) for s in METEOR.formula(result)} == {
        "matches": "4 + 1",
        "chunks": "4",
        "P": "5/6",
        "R": "5/6",
        "F": "(P·R)/(0.9·P + (1 − 0.9)·R)",
        "fragmentation": "4/5",
        "penalty": "0.5·0.800³",
        "METEOR": "F·(1 − penalty)",
    }
    assert METEOR.summary(result) == "4 chunks" and METEOR.summary(score("a b", "a b")) == "1 chunk"


def test_a_sentence_matched_as_a_whole_has_no_fragments():
    result = score("a b c", "a b c")
    assert result.parts["fragmentation"] == result.parts["penalty"] == 0 and result.parts["chunks"] == 1
    steps = {s.name: metrics.formula.text(s.forms[-1]) for s in METEOR.formula(result)}
    assert steps["fragmentation"] == "(1 − 1)/3" and steps["penalty"] == "0.5·0"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"alpha": 0}, 1.0 * (1 - 0.5 / 8)),
        ({"alpha": 1}, 2 / 3 * (1 - 0.5 / 8)),
        ({"beta": 0}, 2 / 3 / (0.9 + 0.1 * 2 / 3) * 0.5),
        ({"beta": 1}, 2 / 3 / (0.9 + 0.1 * 2 / 3) * 0.75),
        ({"gamma": 0}, 2 / 3 / (0.9 + 0.1 * 2 / 3)),
        ({"gamma": 1}, 2 / 3 / (0.9 + 0.1 * 2 / 3) * 7 / 8),
    ],
    ids=str,
)
def test_parameters(given, value):
    """Check α, β and γ on an example with precision 1, recall 2/3 and one chunk of two words."""
    assert score("the cat", "the cat sat", **given).score == pytest.approx(value)


# ---------------------------------------------------------------- METEOR 1.5

STAGES = {"classic_exact": ("exact",), "classic_exact_stem": STEMS, "classic_exact_stem_syn": tuple(settings.STAGES)}


@pytest.mark.peer
@pytest.mark.parametrize("name", ["classic_exact", "classic_exact_stem"])
def test_meteor_1_5(name):
    rows = [row for row in GOLDEN if row["settings"]["name"] == name]
    assert len(rows) > 100
    for row in rows:
        result = metrics.score("meteor", row["candidate"], row["references"], stages=STAGES[name], stemmer="snowball")
        found = result.parts["precision"], result.parts["recall"], result.parts["penalty"], result.score
        expected = row["expected"]
        wanted = expected["precision"], expected["recall"], expected["frag_penalty"], expected["score"]
        assert found == pytest.approx(wanted, abs=1e-6), row["id"]
    stages = "exact matches" if name == "classic_exact" else "exact and stem matches"
    agreed("METEOR", "METEOR 1.5", f"{stages}: score, precision, recall, penalty", 4 * len(rows))


# METEOR 1.5 multiplies the weight ½ of a stem or a synonym by 1 and drops the fraction, so that only exact matches
# count while it searches: it leaves out a synonym that would begin a new chunk. We match as many words as possible.
MORE_MATCHES = {
    "para-013": 0.430696,
    "para-019": 0.762205,
    "para-025": 0.625000,
    "para-030": 0.728177,
    "para-043": 0.224719,
    "para-046": 0.644352,
    "pert-047": 0.812672,
    "seed-001": 0.789063,
}


@pytest.mark.peer
def test_meteor_1_5_with_synonyms():
    """Check our scores with synonyms against METEOR 1.5's.

    They are compared only where NLTK has WordNet 3.0, which METEOR 1.5 uses; other versions have other synonyms."""
    if wordnet.version() != "3.0":
        skip_missing("NLTK's WordNet 3.0")
    rows = [row for row in GOLDEN if row["settings"]["name"] == "classic_exact_stem_syn"]
    assert len(rows) > 100
    for row in rows:
        found = metrics.score("meteor", row["candidate"], row["references"], stemmer="snowball")
        expected = row["expected"]["score"]
        if row["id"] in MORE_MATCHES:
            assert found.score == pytest.approx(MORE_MATCHES[row["id"]], abs=1e-6) and found.score > expected
        else:
            assert found.score == pytest.approx(expected, abs=1e-6), row["id"]
    why = "it leaves out a synonym that would begin a new chunk; ours matches as many words as can be"
    same = len(rows) - len(MORE_MATCHES)
    agreed("METEOR", "METEOR 1.5", "with synonyms of WordNet 3.0: score", same, len(MORE_MATCHES), why)


def test_long_sentences_are_aligned_as_by_meteor_1_5(monkeypatch):
    """Check that long texts are aligned by METEOR 1.5's beam search, so that they get METEOR 1.5's scores.

    An exact search would find fewer chunks in all of these texts, and so higher scores."""
    rows = [row for row in GOLDEN if row["settings"]["name"] == "classic_exact" and len(row["candidate"]) > 80]
    assert len(rows) > 4
    beam = [metrics.score("meteor", r["candidate"], r["references"], stages=("exact",)) for r in rows]
    monkeypatch.setattr(meteor, "LONGEST", 1000)
    exact = [metrics.score("meteor", r["candidate"], r["references"], stages=("exact",)) for r in rows]
    assert all(a.stats["matches"] == b.stats["matches"] for a, b in zip(beam, exact, strict=True))
    assert all(a.stats["chunks"] > b.stats["chunks"] for a, b in zip(beam, exact, strict=True))


def test_nltk_finds_more_chunks():
    """Check an example in which NLTK's alignment has six chunks and ours three.

    NLTK goes through the candidate from its end and pairs each word with the last equal word of the reference,
    whatever that breaks. So it pairs "the cat" of the candidate with the wrong "the" of the reference, twice. Our
    value is right."""
    from nltk.translate.meteor_score import exact_match

    candidate, reference = "on the mat sat the cat".split(), "the cat sat on the mat".split()
    theirs = exact_match(candidate, reference)[0]
    result = metrics.score("meteor", candidate, [reference], stages=("exact",))
    ours = [(hit.i, hit.j) for hit in result.layers[0].marks]
    assert len(theirs) == len(ours) == 6
    assert count_chunks(theirs) == 6 and count_chunks(ours) == result.stats["chunks"] == 3
    assert ours == [(0, 3), (1, 4), (2, 5), (3, 2), (4, 0), (5, 1)]


# ---------------------------------------------------------------- all matchings


def best_hits(candidate, reference, related):
    """Return the least `matching_cost`, and all matchings that have it, each as a set of hits.

    `related` says whether two words may match."""
    allowed = {(i, j) for i, a in enumerate(candidate) for j, b in enumerate(reference) if related(a, b)}
    least, best = best_matchings(len(candidate), len(reference), allowed)
    return least, {frozenset(Hit(i, 0, j) for i, j in cells) for cells in best}


FORMS = ["walk", "walks", "walked", "home", "homes", "now"]


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_matchings_and_all_ties(seed):
    """Check METEOR's alignment and its ties, by stems, against all matchings of random short texts.

    In these texts "walk", "walks" and "walked" match, as do "home" and "homes"."""
    rng = random.Random(seed)
    for _ in range(200):
        candidate, reference = (rng.choices(FORMS, k=rng.randrange(7)) for _ in range(2))
        least, best = best_hits(candidate, reference, lambda a, b: a[:3] == b[:3])
        result = metrics.score("meteor", candidate, [reference], stages=STEMS)
        assert (-result.stats["matches"], result.stats["chunks"]) == least[:2]
        assert result.cells() in best
        places = {i: [j for j, b in enumerate(reference) if a[:3] == b[:3]] for i, a in enumerate(candidate)}
        found = [kept[0].cell_list() for kept in textbook.grow_matchings(len(candidate), places)]
        assert matching_cost(found[-1] if found else []) == least
        ties = METEOR.ties(result, 1000)
        assert (ties.count, ties.exact, ties.depends) == (len(best), True, False)
        assert {frozenset(r.cells()) for r in ties.results} == best and len(ties.results) == len(best)
        assert ties.results[0] is result
        assert ties.always == frozenset.intersection(*best) and ties.sometimes == frozenset().union(*best) - ties.always
        for other in ties.results:
            assert (other.score, other.stats) == (result.score, result.stats)
            assert len(other.layers[-1].marks) == result.stats["chunks"]
            assert sum(len(layer.marks) for layer in other.layers[:-1]) == result.stats["matches"]


def test_few_of_many_ties_are_shown():
    result = score("x x x x x x a b", "a b y y y y y y x x x x x x")
    ties = METEOR.ties(result, 3)
    assert ties.count == 1 and ties.exact, "six in a row stay in a row"
    result = score("x 1 x 2 x 3 x 4", "5 6 7 8 9 0 5 6 x 9 x 8 x 7 x")
    ties = METEOR.ties(result, 3)
    assert (ties.count, ties.exact, len(ties.results)) == (math.factorial(4), True, 3)
    assert not ties.always and len(ties.sometimes) == 16


# A dictionary in which "get" means both "take" and "become", as in WordNet, though these two share no sense.
SENSES = {
    "get": {"take.v", "become.v"},
    "take": {"take.v"},
    "become": {"become.v"},
    "car": {"car.n"},
    "auto": {"car.n"},
    "now": set(),
}


@pytest.fixture
def dictionary(monkeypatch):
    """Replace WordNet by a dictionary of six words, so that tests do not depend on its version."""
    monkeypatch.setattr(wordnet, "version", lambda: "test")
    monkeypatch.setattr(wordnet, "base_synsets", lambda word: frozenset(SENSES.get(word, ())))


RELATED = {
    ("exact",): lambda a, b: a == b,
    ("synonym",): lambda a, b: a == b or bool(SENSES[a] & SENSES[b]),
    ("exact", "synonym"): lambda a, b: a == b or bool(SENSES[a] & SENSES[b]),
    ("stem", "synonym"): lambda a, b: a == b or bool(SENSES[a] & SENSES[b]),
}


@pytest.mark.parametrize("stages", RELATED, ids="+".join)
@pytest.mark.usefixtures("dictionary")
def test_synonyms_are_no_classes(stages):
    rng = random.Random(6)
    for _ in range(400):
        candidate, reference = (rng.choices(list(SENSES), k=rng.randrange(6)) for _ in range(2))
        least, best = best_hits(candidate, reference, RELATED[stages])
        result = metrics.score("meteor", candidate, [reference], stages=stages)
        assert (-result.stats["matches"], result.stats["chunks"]) == least[:2]
        assert result.cells() in best
        ties = METEOR.ties(result, 1000)
        assert ties.exact and {frozenset(r.cells()) for r in ties.results} == best


@pytest.mark.usefixtures("dictionary")
def test_each_match_is_in_the_first_stage_that_finds_it():
    result = score("now he takes a car", "now he took an auto", stages=tuple(reversed(settings.STAGES)))
    assert matched_words(result) == {"exact": [("now", "now"), ("he", "he")], "stem": [], "synonym": [("car", "auto")]}
    assert [layer.relation for layer in result.layers] == ["equal", "stem", "synonym", "similar"]
    result = score("now he takes", "now he take", stages=("stem", "synonym"))
    assert matched_words(result) == {"stem": [("now", "now"), ("he", "he"), ("takes", "take")], "synonym": []}
    assert [layer.relation for layer in result.layers] == ["similar", "synonym", "similar"]
    result = score("car now", "car now", stages=("synonym",))
    assert matched_words(result) == {"synonym": [("car", "car"), ("now", "now")]}, "equal words match in every stage"
    assert [layer.relation for layer in result.layers] == ["equal", "equal"]


@pytest.mark.usefixtures("dictionary")
def test_long_sentences_with_synonyms(monkeypatch):
    """Check that the beam search for long texts uses synonyms and stems.

    It finds the same as the exact search where each word has only one partner."""
    words = ["get", "car", "walks", *(f"w{n}" for n in range(100))]
    other = ["first", "take", "auto", "walk", *(f"w{n}" for n in range(100))]
    result = metrics.score("meteor", words, [other])
    assert result.stats["matches"] == 103 and result.stats["chunks"] == 1
    assert matched_words(result)["synonym"] == [("get", "take"), ("car", "auto")]
    assert matched_words(result)["stem"] == [("walks", "walk")]
    assert "approximate above 80 words" in METEOR.remark(result)
    monkeypatch.setattr(meteor, "LONGEST", 1000)
    assert metrics.score("meteor", words, [other]).layers == result.layers


@pytest.mark.parametrize("stages", [*RELATED, tuple(settings.STAGES)], ids="+".join)
@pytest.mark.usefixtures("dictionary")
def test_the_beam_search_may_use_what_the_exact_search_may(monkeypatch, stages):
    related = RELATED.get(stages, RELATED["exact", "synonym"])
    rng = random.Random(9)
    for _ in range(200):
        candidate, reference = (rng.choices(list(SENSES), k=rng.randrange(6)) for _ in range(2))
        monkeypatch.setattr(meteor, "LONGEST", 80)
        exact = metrics.score("meteor", candidate, [reference], stages=stages)
        monkeypatch.setattr(meteor, "LONGEST", -1)
        beam = metrics.score("meteor", candidate, [reference], stages=stages)
        cells = [cell for layer in beam.layers[:-1] for cell in layer.marks]
        assert all(related(candidate[i], reference[j]) for i, _, j in cells)
        assert len(cells) == len({cell.i for cell in cells}) == len({cell.j for cell in cells})
        # The beam search counts the first stage only: it leaves out another match that begins a chunk and has a choice.
        assert len(cells) <= exact.stats["matches"]
        if len(stages) == 1:
            assert (len(cells), beam.stats["chunks"]) == (exact.stats["matches"], exact.stats["chunks"])


# ---------------------------------------------------------------- references, corpora, no marks


def test_the_best_reference_decides_and_the_lower_number_on_ties():
    assert score("a b c d", "a b x x", "a b c x").decides == {"score": 1}
    assert score("a b c d", "a b c x", "a b c x", "a").decides == {"score": 0}
    assert score("a b c d", "", "z").decides == {"score": 0}
    result = score("a b c d", "a b x x", "a b c x y")
    assert {hit.k for layer in result.layers for hit in layer.marks} == {1}
    assert result.stats["reference_length"] == 5
    # The number of matches does not decide: two in one chunk beat three in three.
    assert score("a b c", "c b a x x x x", "a b").decides == {"score": 1}


def test_the_best_reference_is_best_by_score():
    rng = random.Random(4)
    for _ in range(200):
        candidate, *references = (rng.choices("abcdef", k=rng.randrange(1, 8)) for _ in range(4))
        each = [metrics.score("meteor", candidate, [r], stages=("exact",)).score for r in references]
        result = metrics.score("meteor", candidate, references, stages=("exact",))
        assert result.score == max(each) and result.decides["score"] == each.index(max(each))


def test_a_corpus_sums_and_whole_sentences_count_no_chunk():
    """Check that a corpus sums the statistics of its segments.

    A sentence that matches its reference as one chunk adds no chunk, as in METEOR 1.5 (MeteorStats.addStats)."""
    candidates, references = [list("abcd"), list("abxcd")], [[list("abcd")], [list("abcd")]]
    corpus = metrics.corpus_score("meteor", candidates, references, stages=("exact",))
    assert dict(corpus.stats) == {"matches": 8, "chunks": 3, "whole": 1, "candidate_length": 9, "reference_length": 8}
    f = 8 / 9 / (0.9 * 8 / 9 + 0.1)
    assert corpus.score == pytest.approx(f * (1 - 0.5 * (2 / 8) ** 3))


@pytest.mark.slow
@pytest.mark.parametrize("given", [{"stages": ("exact",)}, {"stages": STEMS}, {}], ids=str)
def test_statistics_without_marks_are_the_same(given):
    rng = random.Random(7)
    settings = metrics.settings("meteor", **given)
    for length in (3, 9, 30, 90):
        for _ in range(20):
            candidate, *references = (tuple(rng.choices("abcdefgh", k=rng.randrange(length))) for _ in range(4))
            segment = metrics.segment(candidate, references)
            plain = METEOR.align(segment, settings, False)
            full = METEOR.align(segment, settings, True)
            assert plain.layers == () and full.layers
            assert (plain.stats, plain.decides) == (full.stats, full.decides)


# ---------------------------------------------------------------- remarks


def test_crossings():
    rng = random.Random(8)
    for _ in range(100):
        cells = list(enumerate(rng.sample(range(12), rng.randrange(12))))
        assert count_crossings(cells) == sum(a < c and b > d for (a, b), (c, d) in product(cells, cells))


@pytest.mark.parametrize(
    ("candidate", "reference", "said"),
    [
        ("a b c", "a x b c", ""),
        ("a b", "b a", "1 pair of matches crosses."),
        ("a b c", "c a b", "2 pairs of matches cross."),
        ("a " * 90, "a " * 90, ""),
        (
            "a " * 90,
            "a " * 89,
            "The alignment is approximate above 80 words or 20,000 steps: METEOR 1.5's beam search "
            "may miss matches and find more chunks than necessary.",
        ),
    ],
    ids=["in order", "one crossing", "two crossings", "long and equal", "long"],
)
def test_remark(candidate, reference, said):
    assert METEOR.remark(score(candidate, reference)) == said


def test_repeated_words_that_are_too_hard_are_searched_by_beam():
    rng = random.Random(1)
    result = metrics.score("meteor", rng.choices("ab", k=50), [rng.choices("ab", k=50)], stages=("exact",))
    assert "approximate" in METEOR.remark(result)
    assert result.stats["chunks"] == len(result.layers[-1].marks)
    ties = METEOR.ties(result, 5)
    assert (ties.count, ties.exact, ties.results) == (1, False, (result,))


def test_a_distance_that_is_not_certain_is_said(monkeypatch):
    """Check the remark on a search that runs out of steps after it has proved the number of chunks.

    The remark says that the distance may not be the smallest."""
    monkeypatch.setattr(chunks, "STEPS", 25)
    monkeypatch.setattr(chunks, "FEW", 0)
    rng = random.Random(5)
    results = [
        metrics.score("meteor", rng.choices("abc", k=9), [rng.choices("abc", k=9)], stages=("exact",))
        for _ in range(60)
    ]
    said = [METEOR.remark(result) for result in results]
    assert any("the distance may not be the smallest" in remark for remark in said)
    for result, remark in zip(results, said, strict=True):
        if "the distance may not be" in remark:
            assert not METEOR.ties(result, 5).exact
        if "approximate" in remark:
            assert METEOR.ties(result, 5).count == 1


def test_without_wordnet_the_synonym_stage_is_left_out(monkeypatch):
    monkeypatch.setattr(wordnet, "version", lambda: None)
    result = score("the cars stopped", "the automobile stops", stages=tuple(settings.STAGES))
    assert matched_words(result) == {"exact": [("the", "the")], "stem": [("stopped", "stops")], "synonym": []}
    assert METEOR.remark(result) == (
        "WordNet is not installed, so the synonym stage is left out; `python -m nltk.downloader wordnet` installs it."
    )
    assert "|stages:exact+stem+synonym(left out)|" in result.signature()
    assert score("the cars", "the cars", stages=("synonym",)).score == 1, "equal words match in every stage"
    plain = score("the cars stopped", "the automobile stops")
    assert plain.score == result.score and METEOR.remark(plain) == "" and "|stages:exact+stem|" in plain.signature()


def test_wordnet():
    if wordnet.version() is None:
        skip_missing("NLTK's WordNet")
    result = score("the cars had dropped", "the automobiles have fallen", stages=tuple(settings.STAGES))
    assert matched_words(result)["synonym"] == [("cars", "automobiles"), ("had", "have"), ("dropped", "fallen")]
    assert f"synonym(wordnet-{wordnet.version()})" in result.signature()
    assert METEOR.remark(result) == ""


def test_the_language_of_the_texts():
    """Check that stems and synonyms follow the language that the settings give for the texts.

    By English rules "das" would be a synonym of "dass", and "car" one of "automobile", even in German texts."""
    german, japanese = {"language": "german"}, {"language": "japanese"}
    everything = {"stages": tuple(settings.STAGES)}
    if wordnet.version() is None:
        skip_missing("NLTK's WordNet")
    assert score("das", "dass", **everything).score == 1 and score("das", "dass", **everything, **german).score == 0
    result = score("die Häuser car", "das Haus automobile", **everything, **german)
    assert matched_words(result) == {"exact": [], "stem": [("Häuser", "Haus")]}
    assert METEOR.left_out(result.settings) == "There is no WordNet for German, so synonyms do not match."
    assert "|stages:exact+stem+synonym(left out)|stemmer:snowball|language:german|" in result.signature()
    result = score("cats sat", "cat sat", **everything, **japanese)
    assert matched_words(result) == {"exact": [("sat", "sat")]}
    says = "There is no stemmer and no WordNet for Japanese: only equal words match."
    assert METEOR.left_out(result.settings) == says
    assert "|stages:exact+stem(left out)+synonym(left out)|stemmer:none|language:japanese|" in result.signature()
    assert score("cats sat", "cat sat", stages=("stem",), **japanese).score == 0.25, "equal words match in every stage"
    assert METEOR.left_out(metrics.settings("meteor", stages=("exact", "stem"), language="other")) == (
        "There is no stemmer for another language: only equal words match."
    )
    assert METEOR.left_out(metrics.settings("meteor", stages=("exact", "stem"), **german)) == ""


@pytest.mark.parametrize("language", ["english", "german", "russian", "japanese", "other"])
def test_the_paper_s_program_knows_the_language_too(language: str):
    ours, theirs = "Häuser новые cats sat".split(), ["Haus новый cat sat".split()]
    steps = metrics.trace("meteor", ours, theirs, stages=("exact", "stem"), language=language)
    found = metrics.score("meteor", ours, theirs, stages=("exact", "stem"), language=language)
    assert [*steps][-1].score == pytest.approx(found.score, abs=1e-15)
    assert len(found.cells()) == {"english": 2, "german": 3, "russian": 2}.get(language, 1)


def test_exact_words_need_no_nltk():
    code = (
        "import sys, metrics; r = metrics.score('meteor', ['a'], [['a']], stages=('exact',)); r.signature(); "
        "metrics.METRICS['meteor'].remark(r); print(r.score, 'nltk' in sys.modules)"
    )
    assert run_python(code).split() == ["1.0", "False"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stages": ()}, r"stages must be some of 'exact', 'stem', 'synonym', got \(\)"),
        ({"stages": ("paraphrase",)}, "stages must be some of"),
        ({"stages": ("exact", "exact")}, r"stages must name each only once, got \('exact', 'exact'\)"),
        ({"alpha": 1.5}, "alpha must be at most 1, got 1.5"),
        ({"gamma": -1}, "gamma must be at least 0, got -1"),
        ({"language": "unknown"}, "language must be one of"),
        ({"stemmer": "lancaster"}, "stemmer must be one of 'porter', 'snowball', got 'lancaster'"),
    ],
    ids=str,
)
def test_bad_settings(given, message):
    with pytest.raises(ValueError, match=message):
        metrics.score("meteor", ["a"], [["a"]], **given)


# ---------------------------------------------------------------- speed


def test_400_equal_words():
    with limited(1_000):
        assert metrics.score("meteor", ["a"] * 400, [["a"] * 400]).score == 1


@pytest.mark.slow
def test_2000_words_and_four_references():
    names = ["system.MiSS", "reference.A", "reference.B", "system.Online-W", "system.SMU"]
    candidate, *references = ([*chain.from_iterable(load_token_lines(name) * 2)][:2000] for name in names)
    with limited(2_000_000):
        assert len(candidate) == 2000 and metrics.score("meteor", candidate, references).score > 0.3
