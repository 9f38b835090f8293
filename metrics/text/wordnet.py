"""Look up the synsets of a word directly in WordNet's index files.

NLTK reads all of WordNet into memory at the first lookup, which takes seconds and 100 MB. The synsets and base forms of
a word are in the index files alone. These are sorted, so one search finds a word: a list of the first words of
stretches of the file tells which stretch to search. The results are the same as NLTK's, whose corpus and rules of
inflection are used."""

from __future__ import annotations

import mmap
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..types.extras import extra_named_in_errors
from ..types.once import once_per_process

#: Parts of speech and the endings of their files.
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

#: Longer words are neither lemmas nor forms of one; they are not looked up and not cached.
LONGEST = 100

#: The size in bytes of the stretches of an index file that are searched for a word.
STRETCH = 1_024


class MissingCorpus(LookupError):  # noqa: N818 - it names what is missing
    """An error that says that NLTK lacks a corpus such as WordNet, and how to install it."""


class _PartOfSpeechIndex:
    """WordNet's index of one part of speech, such as nouns: its lemmas, irregular forms and rules of inflection."""

    def __init__(self, folder: Any, part: str) -> None:
        from nltk.corpus.reader.wordnet import WordNetCorpusReader

        self.rules: list[tuple[str, str]] = WordNetCorpusReader.MORPHOLOGICAL_SUBSTITUTIONS[part]
        self.exceptions: dict[str, list[str]] = {}
        for line in _read_file(folder, f"{PARTS[part]}.exc").decode().splitlines():
            form, *bases = line.split()
            self.exceptions[form] = bases
        self.number = list(PARTS).index(part)
        self.lines = _map_file(folder, f"index.{PARTS[part]}")
        self.starts = [0]  # where each stretch starts; `words` has the first word of each
        self.words = [b""]
        for at in range(STRETCH, len(self.lines), STRETCH):
            start = self.lines.find(b"\n", at) + 1
            if self.starts[-1] < start < len(self.lines):
                self.starts.append(start)
                self.words.append(self.lines[start : self.lines.find(b" ", start)])
        self.starts.append(len(self.lines))
        if self.words != sorted(self.words):
            raise MissingCorpus(f"WordNet cannot be used: its file index.{PARTS[part]} must be sorted, and is not")

    @lru_cache(maxsize=1 << 14)  # noqa: B019 - there are four instances, which live as long as the process
    def synsets(self, lemma: str) -> tuple[int, ...]:
        """Return the numbers of the synsets that a lemma has as this part of speech; none if it is not a lemma."""
        if not lemma or lemma.split() != [lemma]:  # lines of comments begin with a space
            return ()
        word = lemma.encode("utf-8", "surrogatepass")
        stretch = bisect_right(self.words, word) - 1
        line_start = self.lines.find(b"\n" + word + b" ", max(self.starts[stretch] - 1, 0), self.starts[stretch + 1])
        if line_start < 0:
            return ()
        # lemma, part of speech, number of synsets, …, and at the end their offsets in the data file
        fields = self.lines[line_start + 1 : self.lines.find(b"\n", line_start + 1)].split()
        return tuple([int(offset) * len(PARTS) + self.number for offset in fields[-int(fields[2]) :]])

    def base_forms(self, form: str) -> Iterator[str]:
        """Return the lemmas of this part of speech that a lower-case word may be a form of.

        The word itself comes first, then the lemmas of the irregular form, or else those that the rules of inflection
        give."""
        others = self.exceptions.get(form)
        if others is None:
            others = [form[: -len(old)] + new for old, new in self.rules if form.endswith(old)]
        return (lemma for lemma in dict.fromkeys((form, *others)) if self.synsets(lemma))


def _read_file(folder: Any, name: str) -> bytes:
    """Return the contents of the file `name` in WordNet's folder."""
    with folder.join(name).open() as file:
        return bytes(file.read())


def _map_file(folder: Any, name: str) -> Any:
    """Return the file `name` in WordNet's folder, mapped into memory; if it is in an archive, its bytes."""
    with folder.join(name).open() as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (AttributeError, OSError, ValueError):
            return bytes(file.read())


def _find_folder() -> Any:
    """Return the folder of WordNet as one of NLTK's path pointers. Raises LookupError if NLTK does not find it."""
    with extra_named_in_errors():
        from nltk import data

    try:
        return data.find("corpora/wordnet")
    except LookupError:
        return data.find("corpora/wordnet.zip/wordnet/")  # the path that NLTK's downloader creates


MISSING = "WordNet is not installed: install it with `python -m nltk.downloader wordnet`"


@once_per_process
def _part_of_speech_indexes() -> tuple[_PartOfSpeechIndex, ...]:
    """Return WordNet's index of each part of speech. Raises MissingCorpus if WordNet is missing or incomplete."""
    try:
        folder = _find_folder()
        return tuple([_PartOfSpeechIndex(folder, part) for part in PARTS])
    except (LookupError, OSError) as error:
        raise error if isinstance(error, MissingCorpus) else MissingCorpus(MISSING) from None


@once_per_process
def version() -> str | None:
    """Return the version of the installed WordNet; None if none is installed. The result is cached."""
    try:
        _part_of_speech_indexes()
        with _find_folder().join("data.adj").open() as file:
            head = bytes(file.read(4_096))
    except (LookupError, OSError):
        return None
    version_match = re.search(rb"Word[nN]et (\d+\+?|\d+\.\d+) Copyright", head)
    return version_match[1].decode() if version_match else "None"


def synsets(word: str) -> frozenset[int]:
    """Return the numbers of all synsets of a word, in lower case, and of the words that it may be a form of.

    Raises MissingCorpus if WordNet is not installed."""
    return _cached_synsets(word) if len(word) <= LONGEST else frozenset()


@lru_cache(maxsize=1 << 13)
def _cached_synsets(word: str) -> frozenset[int]:
    """Return the numbers of all synsets of a word that is not too long for the cache."""
    lower = word.lower()
    return frozenset(
        [
            number
            for part in _part_of_speech_indexes()
            for base in part.base_forms(lower)
            for number in part.synsets(base)
        ]
    )


def base_synsets(word: str) -> frozenset[int]:
    """Return the numbers of the synsets of a word and of its base forms, each as every part of speech.

    METEOR compares words in this way. So "dropped" has the synsets of the noun "drop" too, while `synsets` has only
    those of the verb. Raises MissingCorpus if WordNet is not installed."""
    return _cached_base_synsets(word) if len(word) <= LONGEST else frozenset()


@lru_cache(maxsize=1 << 13)
def _cached_base_synsets(word: str) -> frozenset[int]:
    """Return the numbers of the synsets of a word and its base forms, for a word that is not too long for the cache."""
    lower = word.lower()
    bases = {base for part in _part_of_speech_indexes() for base in [*part.base_forms(lower)][:1]}
    return frozenset().union(*map(_cached_synsets, {word, *bases}))


#: The most words of a synset that are named.
NAMED = 4


def describe_synset(word: str, other: str) -> str:
    """Return a phrase that names a synset that two words share, as METEOR compares words.

    An example is "the synonym set “car, auto, …”"; without a shared synset it is "one synonym set". Of several shared
    synsets, the one with most of the two words and their base forms is chosen, then the smallest, then the first. Those
    words are listed first. Raises MissingCorpus if WordNet is not installed."""
    shared = base_synsets(word) & base_synsets(other)
    if not shared:
        return "one synonym set"
    forms = [form.lower() for form in (word, other)]
    base_forms = list(
        dict.fromkeys(
            [base for form in forms for part in _part_of_speech_indexes() for base in (form, *part.base_forms(form))]
        )
    )

    def order(synset: int) -> tuple[int, int, int]:
        synset_words = words_of_synset(synset)
        return -len({each.lower() for each in synset_words} & {*base_forms}), len(synset_words), synset

    words = words_of_synset(min(shared, key=order))
    words = tuple(
        sorted(
            words, key=lambda each: base_forms.index(each.lower()) if each.lower() in base_forms else len(base_forms)
        )
    )
    more = ", …" if len(words) > NAMED else ""
    return f"the synonym set “{', '.join(words[:NAMED])}{more}”"


def words_of_synset(synset: int) -> tuple[str, ...]:
    """Return the words of the synset with the number `synset`, in WordNet's order.

    Raises MissingCorpus if WordNet is not installed."""
    offset, part = divmod(synset, len(PARTS))
    try:
        lines = _data_file([*PARTS][part])
        # offset, number of its file, part of speech, how many words in hexadecimal, the words each with a number, …
        fields = lines[offset : lines.find(b"\n", offset)].split()
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    except (LookupError, OSError, ValueError):
        raise MissingCorpus(MISSING) from None
    return tuple([re.sub(r"\(.*", "", word.decode()).replace("_", " ") for word in words])


@lru_cache(maxsize=len(PARTS))
def _data_file(part: str) -> Any:
    """Return WordNet's data file of a part of speech, which has the words of each synset."""
    return _map_file(_find_folder(), f"data.{PARTS[part]}")


def clear_caches() -> None:
    """Forget all cached results, so that WordNet is searched again, for example after it was installed."""
    for remembered in (_part_of_speech_indexes, version, _cached_synsets, _cached_base_synsets, _data_file):
        remembered.cache_clear()
