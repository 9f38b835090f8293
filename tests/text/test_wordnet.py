"""WordNet read where it lies: its synsets and base forms beside those that NLTK finds."""

from __future__ import annotations

import random
import shutil
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from conftest import missing

from metrics.text import wordnet
from metrics.text.similarity import MissingCorpus, WordNetSimilarity

UNKNOWN = (
    "xyzzy",
    "",
    " ",
    "1234567",
    "a b",
    "able a",
    "Ωmega",
    "\ud800",
    "\n",
    "\x85",
    "  1",
    "qq's",
    "dogs'",
    "İ",
    "_",
)
INFLECTED = (
    "dropped",
    "better",
    "axes",
    "wolves",
    "men",
    "ran",
    "Boxes",
    "churches",
    "ELDER",
    "worst",
    "leaves",
    "saw",
)


@pytest.fixture(scope="module")
def installed() -> Path:
    """The folder of the WordNet that is installed."""
    from nltk import data

    try:
        return Path(str(data.find("corpora/wordnet")))
    except LookupError:
        missing("NLTK's WordNet")
        raise


@pytest.fixture(scope="module")
def corpus(installed):
    """WordNet as NLTK reads it."""
    from nltk.corpus import wordnet as corpus

    corpus.ensure_loaded()
    return corpus


@pytest.fixture
def elsewhere(installed, monkeypatch, tmp_path):
    """An empty place, the only one where NLTK looks for WordNet."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    wordnet.forget()
    (tmp_path / "corpora").mkdir()
    yield tmp_path / "corpora"
    wordnet.forget()


def named(corpus, numbers):
    """The names of synsets, by our numbers."""
    parts = list(wordnet.PARTS)
    return {corpus.synset_from_pos_and_offset(parts[n % len(parts)], n // len(parts)).name() for n in numbers}


@pytest.mark.slow
def test_synonyms_are_those_of_nltk(installed, corpus):
    """For the 12,000 lemmas that texts have most often, by WordNet's counts, and for words unknown to it."""
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
    def synsets(word: str) -> frozenset[str]:
        return frozenset(synset.name() for synset in corpus.synsets(word))

    for word in [*words, *UNKNOWN, *INFLECTED, *made]:
        assert named(corpus, wordnet.synsets(word)) == synsets(word), word
        bases = {corpus.morphy(word.lower(), part) for part in wordnet.PARTS} - {None}
        found = synsets(word).union(*map(synsets, bases))
        assert named(corpus, wordnet.base_synsets(word)) == found, word
    assert wordnet.version() == corpus.get_version()


@pytest.mark.slow
def test_every_lemma_is_found(corpus):
    """At both ends of all stretches that are looked through."""
    for part, pos in zip(wordnet._parts(), wordnet.PARTS, strict=True):
        missed = [lemma for lemma in corpus.all_lemma_names(pos) if not part.synsets(lemma)]
        assert not missed


def test_an_archive_is_read_as_a_folder_is(installed, elsewhere):
    """As NLTK's downloader leaves it."""
    shutil.copytree(installed, elsewhere / "wordnet")
    expected = [wordnet.base_synsets(word) for word in INFLECTED]
    with zipfile.ZipFile(elsewhere / "wordnet.zip", "w") as archive:
        for file in installed.iterdir():
            archive.write(file, f"wordnet/{file.name}")
    shutil.rmtree(elsewhere / "wordnet")
    wordnet.forget()
    assert [wordnet.base_synsets(word) for word in INFLECTED] == expected and wordnet.version() and all(expected)


@pytest.mark.parametrize(
    "present", [(), ("lexnames",), ("index.noun", "noun.exc")], ids=["none", "one file", "not whole"]
)
def test_missing_wordnet(elsewhere, present):
    for name in present:
        (elsewhere / "wordnet").mkdir(exist_ok=True)
        (elsewhere / "wordnet" / name).touch()
    with pytest.raises(MissingCorpus) as caught:
        WordNetSimilarity()
    assert isinstance(caught.value, LookupError)
    assert "`python -m nltk.downloader wordnet`" in str(caught.value)
    assert "\n" not in str(caught.value) and str(caught.value).count(". ") == 0
    assert wordnet.version() is None


def test_a_file_that_is_not_sorted_is_refused(installed, elsewhere):
    shutil.copytree(installed, elsewhere / "wordnet")
    index = elsewhere / "wordnet" / "index.adv"
    lines = index.read_bytes().splitlines(keepends=True)
    index.chmod(0o644)
    index.write_bytes(b"".join(reversed(lines)))
    with pytest.raises(MissingCorpus, match=r"index\.adv must be sorted"):
        wordnet.synsets("well")
