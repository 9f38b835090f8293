"""Tests of two different words that match: wherever the match is described, both words and the reason are named."""

import re

import pytest

import metrics
from metrics.analysis.sentence import difference_sentence, plain_text
from metrics.text import wordnet
from metrics.text.similarity import StemSimilarity, TranslationTable, WordNetSimilarity
from metrics.types import Hit
from tests.helpers.fragments import drawn_result, output_pair, read
from viz.draw.compare import changes_table, comparison
from viz.draw.evidence import ledger
from viz.draw.evidence.fragment import fragment

CANDIDATE, REFERENCE = "the policeman kills autos".split(), "an officer killed cars".split()
STEM = "both have the stem “kill”"
CARS = "both are in the synonym set “auto, car, automobile, machine, …”"
TABLE = TranslationTable.from_lines(["cars f .5", "autos f .5"], "t")
needs_wordnet = pytest.mark.skipif(wordnet.version() is None, reason="WordNet is not installed")

CASES = [
    ("meteor", {"stages": ("exact", "stem")}, "kills ~ killed", STEM),
    pytest.param("meteor", {}, "autos ~ cars", CARS, marks=needs_wordnet),
    ("sia", {"similarity": StemSimilarity()}, "kills ~ killed", STEM),
    ("sia", {"similarity": StemSimilarity(ratio=0.5)}, "kills ~ killed", f"{STEM}, which earns 0.5"),
    ("sia", {"similarity": TABLE}, "autos ~ cars", "similar by their translations, with probability 0.5"),
    ("sia", {"similarity": lambda a, b: 0.25 * (a[:4] == b[:4])}, "kills ~ killed", "their similarity is 0.25"),
]


@pytest.mark.parametrize(("key", "settings", "words", "why"), CASES)
def test_of_a_result(key, settings, words, why):
    result = metrics.score(key, CANDIDATE, [REFERENCE], **settings)
    assert (words, why) in [(row.term, row.note) for row in ledger.term_rows(CANDIDATE, [REFERENCE], result)]
    assert f"{words} ({why})" in ledger.csv_text(CANDIDATE, [REFERENCE], result, "s").replace('"', "")
    root = read(fragment(drawn_result(result)))
    assert f"{words} ({why})" in [cell.text for cell in root.all("td", "what")]
    ours, theirs = words.split(" ~ ")
    strip = {e.one("bdi").text: e.get("data-says") for e in root.all("span", "tk")}
    assert strip[ours] == strip[theirs] == f"{words}: {why}", "both words of the pair say it"
    assert strip["the"] == strip["an"] == ""
    cells = [e.get("data-says") for e in root.one("div", "figure").having("data-says")]
    assert [said for said in cells if said.endswith(why)], "and its cell"


@pytest.mark.parametrize(("key", "settings", "words", "why"), CASES)
def test_of_two_results(key, settings, words, why):
    before, after = (metrics.score(key, line, [REFERENCE], **settings) for line in (["the"], CANDIDATE))
    pair = output_pair(before, after)
    rows = [row.words for step in pair.steps for row in changes_table.mark_rows(pair.score_steps, step)]
    assert f"{words} ({why})" in rows
    says = {
        e.one("bdi").text: e.get("data-says")
        for e in read(comparison.word_lines_html(pair, [[], []])).all("span", "tk")
    }
    assert says[words.partition(" ")[0]] == f"{words}: {why}" and says["the"] == ""


@pytest.mark.parametrize(("key", "settings", "words", "why"), CASES)
def test_of_the_sentence(key, settings, words, why):
    ours, theirs = words.split(" ~ ")
    before, after = (metrics.score(key, line, [REFERENCE], **settings) for line in (["x"], ["x", ours]))
    said = plain_text(difference_sentence(metrics.METRICS[key], before, after))
    assert f"“{ours}” (for “{theirs}”: {why})" in said
    before, after = (
        metrics.score(key, line, [["he", *REFERENCE[2:3]]], **settings) for line in (["x"], ["he", "kills"])
    )
    if STEM in why:
        said = plain_text(difference_sentence(metrics.METRICS[key], before, after))
        assert f"“he kills” (“kills” for “killed”: {why})" in said


def test_a_chunk_names_the_words_of_both_sentences_where_they_differ():
    result = metrics.score("meteor", "he kills it".split(), ["he killed it".split()], stages=("exact", "stem"))
    rows = [row.term for row in ledger.term_rows(*result.segment, result)]
    assert rows == ["he", "it", "kills ~ killed", "he kills it ~ he killed it"]


@pytest.mark.parametrize("key", metrics.METRICS)
def test_words_that_are_equal_have_no_reason(key):
    result = metrics.score(key, "the cat sat".split(), ["the cat sat down".split()])
    because = metrics.METRICS[key].because
    assert not because or because(result, Hit(1, 0, 1)) == ""
    assert not [row.term for row in ledger.term_rows(*result.segment, result) if "~" in row.term]


@needs_wordnet
def test_synonyms_that_earn_less_than_equal_words_say_so():
    similarity = WordNetSimilarity(0.5)
    assert similarity.because("autos", "cars") == f"{CARS}, which earns 0.5"
    assert wordnet.words_of_synset(min(wordnet.base_synsets("car"))) != ()
    assert wordnet.describe_synset("cat", "idea") == "one synonym set"


@needs_wordnet
@pytest.mark.parametrize(
    ("word", "other"), [("start", "begin"), ("began", "starts"), ("big", "large"), ("get", "become")]
)
def test_a_synonym_set_is_named_by_the_two_words_first(word, other):
    """Check that a synonym set starts with the two words, not with WordNet's first lemma, such as “get down”."""
    first = re.fullmatch("the synonym set “(.*?)(, …)?”", wordnet.describe_synset(word, other))[1].split(", ")[:2]
    bases = {"began": "begin", "starts": "start"}
    assert first == [bases.get(each, each) for each in (word, other)]
