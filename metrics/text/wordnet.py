"""WordNet's synsets of a word, read where its index files lie.

NLTK reads all of WordNet into memory when it is first asked, which takes seconds and 100 MB. Which synsets a word is
in, and which base forms it has, stands in the index files alone. These are sorted, so a word is found in one look: the
first word of every stretch of a file says which stretch to look through. The answers are NLTK's, whose corpus and rules
of inflection these are.
"""

from __future__ import annotations

import mmap
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..types.extras import extra_named
from ..types.once import once_per_process

#: Parts of speech and the endings of their files: nouns, verbs, adjectives, adverbs.
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

#: What has more letters is no lemma, nor a form of one, and does not enter a cache.
LONGEST = 100

#: How many bytes of an index file are looked through for a word.
STRETCH = 1_024


class MissingCorpus(LookupError):  # noqa: N818 - it names what is missing
    """A corpus that NLTK needs is not installed; the message says how to get it."""


class _PartOfSpeech:
    """The words of one part of speech."""

    def __init__(self, folder: Any, part: str) -> None:
        from nltk.corpus.reader.wordnet import WordNetCorpusReader

        self.rules: list[tuple[str, str]] = WordNetCorpusReader.MORPHOLOGICAL_SUBSTITUTIONS[part]
        self.exceptions: dict[str, list[str]] = {}
        for line in _bytes(folder, f"{PARTS[part]}.exc").decode().splitlines():
            form, *bases = line.split()
            self.exceptions[form] = bases
        self.number = list(PARTS).index(part)
        self.lines = _mapped(folder, f"index.{PARTS[part]}")
        self.starts = [0]  # of the stretches, and the words that they begin with
        self.words = [b""]
        for at in range(STRETCH, len(self.lines), STRETCH):
            start = self.lines.find(b"\n", at) + 1
            if self.starts[-1] < start < len(self.lines):
                self.starts.append(start)
                self.words.append(self.lines[start : self.lines.find(b" ", start)])
        self.starts.append(len(self.lines))
        if self.words != sorted(self.words):
            raise MissingCorpus(f"WordNet cannot be used: its file index.{PARTS[part]} must be sorted, and is not")

    @lru_cache(maxsize=1 << 14)  # noqa: B019 - there are four of these, for as long as the process runs
    def synsets(self, lemma: str) -> tuple[int, ...]:
        """The numbers of the synsets that a lemma is in, none for what is no lemma."""
        if not lemma or lemma.split() != [lemma]:  # lines begin with lemmas, comments with blanks
            return ()
        word = lemma.encode("utf-8", "surrogatepass")
        stretch = bisect_right(self.words, word) - 1
        line_start = self.lines.find(b"\n" + word + b" ", max(self.starts[stretch] - 1, 0), self.starts[stretch + 1])
        if line_start < 0:
            return ()
        # lemma, part of speech, number of synsets, …, and at the end their offsets in the data file
        fields = self.lines[line_start + 1 : self.lines.find(b"\n", line_start + 1)].split()
        return tuple([int(offset) * len(PARTS) + self.number for offset in fields[-int(fields[2]) :]])

    def bases(self, form: str) -> Iterator[str]:
        """The lemmas that a form, in lower case, may be a form of: itself first, then by exception or by rule."""
        others = self.exceptions.get(form)
        if others is None:
            others = [form[: -len(old)] + new for old, new in self.rules if form.endswith(old)]
        return (lemma for lemma in dict.fromkeys((form, *others)) if self.synsets(lemma))


def _bytes(folder: Any, name: str) -> bytes:
    with folder.join(name).open() as file:
        return bytes(file.read())


def _mapped(folder: Any, name: str) -> Any:
    """A file without reading it, or, out of an archive, read."""
    with folder.join(name).open() as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (AttributeError, OSError, ValueError):
            return bytes(file.read())


def _folder() -> Any:
    """Where NLTK finds WordNet, as one of its pointers. LookupError where it does not."""
    with extra_named():
        from nltk import data

    try:
        return data.find("corpora/wordnet")
    except LookupError:
        return data.find("corpora/wordnet.zip/wordnet/")  # as NLTK's downloader leaves it


MISSING = "WordNet is not installed: install it with `python -m nltk.downloader wordnet`"


@once_per_process
def _parts() -> tuple[_PartOfSpeech, ...]:
    """All parts of speech. Raises MissingCorpus where WordNet is not installed, or not whole."""
    try:
        folder = _folder()
        return tuple([_PartOfSpeech(folder, part) for part in PARTS])
    except (LookupError, OSError) as error:
        raise error if isinstance(error, MissingCorpus) else MissingCorpus(MISSING) from None


@once_per_process
def version() -> str | None:
    """The version of the WordNet that is installed, None if there is none; looked up once."""
    try:
        _parts()
        with _folder().join("data.adj").open() as file:
            head = bytes(file.read(4_096))
    except (LookupError, OSError):
        return None
    version_match = re.search(rb"Word[nN]et (\d+\+?|\d+\.\d+) Copyright", head)
    return version_match[1].decode() if version_match else "None"


def synsets(word: str) -> frozenset[int]:
    """The synsets of a word, each by a number: all its senses and base forms, in lower case. Raises MissingCorpus."""
    return _synsets(word) if len(word) <= LONGEST else frozenset()


@lru_cache(maxsize=1 << 13)
def _synsets(word: str) -> frozenset[int]:
    lower = word.lower()
    return frozenset([number for part in _parts() for base in part.bases(lower) for number in part.synsets(base)])


def base_synsets(word: str) -> frozenset[int]:
    """The synsets of a word and of its base forms, each as every part of speech, as METEOR compares them.

    So "dropped" has the noun "drop" among its synsets, where `synsets` has the verb only. Raises MissingCorpus.
    """
    return _base_synsets(word) if len(word) <= LONGEST else frozenset()


@lru_cache(maxsize=1 << 13)
def _base_synsets(word: str) -> frozenset[int]:
    lower = word.lower()
    bases = {base for part in _parts() for base in [*part.bases(lower)][:1]}
    return frozenset().union(*map(_synsets, {word, *bases}))


#: Words of a synset that are named.
NAMED = 4


def describe_synset(word: str, other: str) -> str:
    """A synset that two words share as METEOR compares them, by its words: "the synonym set “car, auto, …”".

    Of several that one which has most of both words and of their base forms, of these the smallest one, then the first;
    those words come first. "one synonym set" where none is shared. Raises MissingCorpus.
    """
    shared = base_synsets(word) & base_synsets(other)
    if not shared:
        return "one synonym set"
    forms = [form.lower() for form in (word, other)]
    base_forms = list(
        dict.fromkeys([base for form in forms for part in _parts() for base in (form, *part.bases(form))])
    )

    def order(synset: int) -> tuple[int, int, int]:
        synset_words = members(synset)
        return -len({each.lower() for each in synset_words} & {*base_forms}), len(synset_words), synset

    words = members(min(shared, key=order))
    words = tuple(
        sorted(
            words, key=lambda each: base_forms.index(each.lower()) if each.lower() in base_forms else len(base_forms)
        )
    )
    more = ", …" if len(words) > NAMED else ""
    return f"the synonym set “{', '.join(words[:NAMED])}{more}”"


def members(synset: int) -> tuple[str, ...]:
    """The words of a synset, in WordNet's order. Raises MissingCorpus."""
    offset, part = divmod(synset, len(PARTS))
    try:
        lines = _data([*PARTS][part])
        # offset, number of its file, part of speech, how many words in hexadecimal, the words each with a number, …
        fields = lines[offset : lines.find(b"\n", offset)].split()
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    except (LookupError, OSError, ValueError):
        raise MissingCorpus(MISSING) from None
    return tuple([re.sub(r"\(.*", "", word.decode()).replace("_", " ") for word in words])


@lru_cache(maxsize=len(PARTS))
def _data(part: str) -> Any:
    return _mapped(_folder(), f"data.{PARTS[part]}")


def forget() -> None:
    """Look for WordNet anew: after it was installed, say."""
    for remembered in (_parts, version, _synsets, _base_synsets, _data):
        remembered.cache_clear()
