"""Test our reader of WordNet's files: its synsets and base forms equal those that NLTK finds."""

from __future__ import annotations

import random
import shutil
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from metrics.text import wordnet
from metrics.text.similarity import MissingCorpus, WordNetSimilarity
from tests.helpers.app import skip_missing

UNKNOWN = (
    *("xyzzy", "", " ", "1234567", "a b", "able a", "Ωmega", "\ud800", "\n", "\x85", "  1", "qq's", "dogs'", "İ", "_"),
)
INFLECTED = (
    *("dropped", "better", "axes", "wolves", "men", "ran", "Boxes", "churches", "ELDER", "worst", "leaves", "saw"),
)


@pytest.fixture(scope="module")
def installed() -> Path:
    """Return the folder of the installed WordNet; skip the test if WordNet is not installed."""
    from nltk import data

    try:
        return Path(str(data.find("corpora/wordnet")))
    except LookupError:
        skip_missing("NLTK's WordNet")
        raise


@pytest.fixture(scope="module")
def corpus(installed):
    """Return WordNet as NLTK reads it."""
    from nltk.corpus import wordnet as corpus

    corpus.ensure_loaded()
    return corpus


@pytest.fixture
def empty_corpora(installed, monkeypatch, tmp_path):
    """Yield an empty folder `corpora`, the only one in which NLTK looks for WordNet."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    wordnet.clear_caches()
    (tmp_path / "corpora").mkdir()
    yield tmp_path / "corpora"
    wordnet.clear_caches()


def synset_names(corpus, numbers):
    """Return the names of synsets, such as "dog.n.01", for the numbers by which our reader identifies them."""
    parts = list(wordnet.PARTS)
    return {corpus.synset_from_pos_and_offset(parts[n % len(parts)], n // len(parts)).name() for n in numbers}


@pytest.mark.slow
def test_synonyms_are_those_of_nltk(installed, corpus):
    """Check the synsets of WordNet's 12,000 most frequent lemmas, and of inflected, unknown and made-up words."""
    often: Counter[str] = Counter()
    for line in (installed / "index.sense").read_text(encoding="utf-8").splitlines():
        key, _, _, count = line.split()
        often[key.partition("%")[0]] += int(count)
    words = [lemma for lemma, _ in often.most_common(12_000)]
    rng = random.Random(4)
    made = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz'-_ 1é", k=rng.randrange(9))) for _ in range(500)]
    ends = ["s", "es", "ed", "ing", "er", "est", "men", "ies", "ves"]
    words += [rng.choice(words) + rng.choice(ends) for _ in range(1_000)]

    @cache
    def nltk_synset_names(word: str) -> frozenset[str]:
        return frozenset(synset.name() for synset in corpus.synsets(word))

    for word in [*words, *UNKNOWN, *INFLECTED, *made]:
        assert synset_names(corpus, wordnet.synsets(word)) == nltk_synset_names(word), word
        bases = {corpus.morphy(word.lower(), part) for part in wordnet.PARTS} - {None}
        found = nltk_synset_names(word).union(*map(nltk_synset_names, bases))
        assert synset_names(corpus, wordnet.base_synsets(word)) == found, word
    assert wordnet.version() == corpus.get_version()


@pytest.mark.slow
def test_every_lemma_is_found(corpus):
    """Check that the binary search in WordNet's files finds every lemma, also at the edges of the blocks it reads."""
    for part, pos in zip(wordnet._part_of_speech_indexes(), wordnet.PARTS, strict=True):
        missed = [lemma for lemma in corpus.all_lemma_names(pos) if not part.synsets(lemma)]
        assert not missed


def test_an_archive_is_read_as_a_folder_is(installed, empty_corpora):
    """Check that WordNet in a zip archive, as NLTK's downloader leaves it, is read like a folder."""
    shutil.copytree(installed, empty_corpora / "wordnet")
    expected = [wordnet.base_synsets(word) for word in INFLECTED]
    with zipfile.ZipFile(empty_corpora / "wordnet.zip", "w") as archive:
        for file in installed.iterdir():
            archive.write(file, f"wordnet/{file.name}")
    shutil.rmtree(empty_corpora / "wordnet")
    wordnet.clear_caches()
    assert [wordnet.base_synsets(word) for word in INFLECTED] == expected and wordnet.version() and all(expected)


@pytest.mark.parametrize(
    "present", [(), ("lexnames",), ("index.noun", "noun.exc")], ids=["none", "one file", "not whole"]
)
def test_missing_wordnet(empty_corpora, present):
    for name in present:
        (empty_corpora / "wordnet").mkdir(exist_ok=True)
        (empty_corpora / "wordnet" / name).touch()
    with pytest.raises(MissingCorpus) as caught:
        WordNetSimilarity()
    assert isinstance(caught.value, LookupError)
    assert "`python -m nltk.downloader wordnet`" in str(caught.value)
    assert "\n" not in str(caught.value) and str(caught.value).count(". ") == 0
    assert wordnet.version() is None


def test_a_file_that_is_not_sorted_is_refused(installed, empty_corpora):
    shutil.copytree(installed, empty_corpora / "wordnet")
    index = empty_corpora / "wordnet" / "index.adv"
    lines = index.read_bytes().splitlines(keepends=True)
    index.chmod(0o644)
    index.write_bytes(b"".join(reversed(lines)))
    with pytest.raises(MissingCorpus, match=r"index\.adv must be sorted"):
        wordnet.synsets("well")
