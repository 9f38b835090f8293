"""Word similarities for SIA: by a translation table, loaded or trained, by stems, and by WordNet.

A similarity is a symmetric function of two words that returns a number of at least 0. SIA calls it only for words that
differ, because equal words count 1. All similarities here are hashable, so that settings that contain them can be
cached, and have a `signature` that identifies them in the signature of a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from heapq import nsmallest
from pathlib import Path
from typing import Any, Protocol

from ..types import SettingRule, brief_repr, checked_tokens, quote_text
from ..types.extras import extra_named_in_errors
from . import LANGUAGES, languages, stem, wordnet
from .wordnet import MissingCorpus as MissingCorpus


class Similarity(Protocol):
    """A similarity as SIA's setting `similarity` takes it; a plain function is accepted too."""

    @property
    def signature(self) -> str:
        """Return a text that identifies the similarity and everything that its values depend on."""
        ...

    def __call__(self, a: str, b: str, /) -> float: ...

    def __hash__(self) -> int: ...


# ---------------------------------------------------------------- translation tables

#: How many similar words are kept for each word (§4.2).
KEPT = 100

#: The token that means "no word" in translation tables of Moses and GIZA++.
NULL = "NULL"


class TranslationTable:
    """The similarity of two words by their translations: equation (3) of Liu and Gildea (2006), Σ_f p(a|f)·p(b|f).

    For each word, the 100 most similar words, itself included, are kept and renormalised to sum to 1 (§4.2). Ties go to
    the word that sorts first. A word outside the table is similar only to itself.

    The paper leaves two points open. Renormalised values differ between the lists of two words; here the similarity is
    the mean of the two, where a word that is missing from the other's list counts 0. And NULL, which generates the
    words that have no translation, is not one of the foreign words in the sum.

    Create a table with `from_lines`, `load` or `train`. The list of a word is computed at its first use.

    >>> table = TranslationTable.from_lines(["house maison 0.6", "home maison 0.4", "car auto 1"], "example")
    >>> round(table("house", "home"), 4)  # 0.24 of 0.36 + 0.24 and of 0.24 + 0.16
    0.5
    >>> table("house", "car"), table("house", "boat")
    (0.0, 0.0)
    """

    def __init__(self, by_word: dict[str, dict[str, float]], name: str) -> None:
        """Create the table from probabilities: `by_word[e][f]` is p(e|f)."""
        self.name = name
        self._by_word = by_word
        self._by_foreign: dict[str, list[tuple[str, float]]] = {}
        for word, row in by_word.items():
            for foreign, p in row.items():
                self._by_foreign.setdefault(foreign, []).append((word, p))
        self._similar: dict[str, dict[str, float]] = {}

    @classmethod
    def from_lines(cls, lines: Iterable[str | bytes], name: str) -> TranslationTable:
        """Parse a table from lines `e f p` with p = p(e|f), as Moses writes them; blank lines and NULL are skipped.

        `name` is the name of the table in signatures. Raises ValueError, with the number of the line, for any other
        line, and for a table without a pair of words."""
        by_word: dict[str, dict[str, float]] = {}
        for number, line in enumerate(lines, start=1):
            parsed = _parse_table_line(line, number)
            if parsed is None:
                continue
            word, foreign, p = parsed
            row = by_word.setdefault(word, {})
            if foreign in row:
                raise ValueError(f"line {number}: each pair of words must come once, got {word!r} {foreign!r} again")
            row[foreign] = p
        for row in by_word.values():
            row.pop(NULL, None)
        by_word.pop(NULL, None)
        if not any(by_word.values()):
            raise ValueError(f"a translation table must have lines 'word foreign-word probability', got none in {name}")
        return cls({word: row for word, row in by_word.items() if row}, name)

    @classmethod
    def load(cls, path: str | Path) -> TranslationTable:
        """Read a table from a UTF-8 file of lines `e f p`; the name of the file becomes the name of the table."""
        with Path(path).open("rb") as file:
            return cls.from_lines(file, Path(path).name)

    def lines(self) -> Iterator[str]:
        """Yield this table as sorted lines `e f p`, from which `from_lines` reads the same table."""
        for word in sorted(self._by_word):
            for foreign, p in sorted(self._by_word[word].items()):
                yield f"{word} {foreign} {p!r}"

    @cached_property
    def signature(self) -> str:
        """Return the name of this table and a digest of its lines, which tells tables with equal names apart."""
        digest = blake2b(digest_size=4)
        for line in self.lines():
            digest.update(f"{line}\n".encode("utf-8", "surrogatepass"))
        return f"table({self.name},{digest.hexdigest()})"

    def __len__(self) -> int:
        """Return the number of words in the table."""
        return len(self._by_word)

    def __contains__(self, word: str) -> bool:
        return word in self._by_word

    def because(self, a: str, b: str) -> str:
        """Return a phrase for the user that says why this table finds two words similar."""
        return f"similar by their translations, with probability {self(a, b):.3g}"

    def __call__(self, a: str, b: str) -> float:
        if a == b:
            return 1.0
        return (self.similar(a).get(b, 0.0) + self.similar(b).get(a, 0.0)) / 2

    def similar(self, word: str) -> dict[str, float]:
        """Return the 100 words most similar to `word`, itself included, mapped to their similarities, greatest first.

        The similarities sum to 1."""
        if word not in self._by_word:
            return {word: 1.0}
        neighbours = self._similar.get(word)
        if neighbours is None:
            neighbours = self._similar[word] = self._most_similar(word)
        return neighbours

    def _most_similar(self, word: str) -> dict[str, float]:
        sums: dict[str, float] = {}
        for foreign, p in self._by_word.get(word, {}).items():
            for other, q in self._by_foreign[foreign]:
                sums[other] = sums.get(other, 0.0) + p * q
        nearest = nsmallest(KEPT, sums.items(), key=lambda pair: (-pair[1], pair[0]))
        whole = math.fsum([ratio for _, ratio in nearest])
        if not whole:  # the products are too small for a float
            return {word: 1.0}
        return {other: ratio / whole for other, ratio in nearest}


def _parse_table_line(line: str | bytes, number: int) -> tuple[str, str, float] | None:
    """Return the word, foreign word and probability in line `number` of a translation table; None for a blank line.

    Raises ValueError for any other line."""
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"line {number} must be UTF-8, got {error.object[error.start :][:1]!r}") from None
    # Words may contain other white space, such as a no-break space; only blanks and tabs separate columns.
    columns = [column for column in line.strip("\r\n").replace("\t", " ").split(" ") if column]
    if not columns:
        return None
    if len(columns) != 3:
        raise ValueError(f"line {number} must have three columns 'word foreign-word probability', got {len(columns)}")
    word, foreign, given = columns
    try:
        p = float(given)
    except ValueError:
        p = math.nan
    if not 0 <= p <= 1:
        raise ValueError(f"line {number}: the probability must be a number from 0 to 1, got {brief_repr(given)}")
    return word, foreign, p


# ---------------------------------------------------------------- training


class TrainingCancelled(Exception):  # noqa: N818 - a cancellation is not an error
    """An exception that stops training because `cancelled()` returned True."""


#: The smallest probability that a trained table keeps; GIZA++ has the same limit.
LEAST_PROBABILITY = 1e-7


def train(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
    model: int = 1,
    iterations: int = 5,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    name: str | None = None,
) -> TranslationTable:
    """Return the translation table p(e|f) of an IBM model (1 to 4), trained by NLTK on a bitext.

    `pairs` are tokenised (English sentence, foreign sentence). As in the paper, English, the language of candidates and
    references, is generated from the foreign words. Pairs with an empty side contain no information and are left out.

    Each model is trained for `iterations` rounds of EM and starts from the one before: Model 2 takes Model 1's
    translation table and uniform alignments; Model 3 takes Model 2's translations and alignments, with GIZA++'s first
    guess at fertilities; Model 4 takes Model 3's translations, fertilities and share of NULL, and uniform distortions.
    Model 4's word classes, which NLTK cannot find, are a single class for each language. Models 3 and 4 try every
    neighbour of many alignments of each sentence: they are for hundreds of short sentences, not for thousands.

    `progress(done, total)` is called after each round of all models. `cancelled()` is called before each sentence; if
    it returns True, TrainingCancelled is raised. The same pairs give the same table.

    Raises TypeError if a pair does not hold two sequences of strings; ValueError for another model, for fewer than one
    iteration, if no pair has words on both sides, and for words that are empty or contain blanks."""
    if not isinstance(model, int) or isinstance(model, bool) or model not in (1, 2, 3, 4):
        raise ValueError(f"model must be 1, 2, 3 or 4, got {brief_repr(model)}")
    SettingRule("whole", "", "", least=1).check("iterations", iterations)
    corpus = _TrainingCorpus(pairs, cancelled)
    total = model * iterations
    trained: Any = None
    for level in range(1, model + 1):
        trained = _next_model(level, corpus, trained)
        for n in range(1, iterations + 1):
            trained.train(corpus)
            if progress:
                progress((level - 1) * iterations + n, total)
    by_word: dict[str, dict[str, float]] = {}
    for word, row in sorted(trained.translation_table.items()):
        likely = {f: p for f, p in row.items() if f not in (None, NULL) and p >= LEAST_PROBABILITY}
        if likely and word != NULL:  # NLTK's estimates may exceed 1 by rounding errors
            by_word[word] = {foreign: min(likely[foreign], 1.0) for foreign in sorted(likely)}
    return TranslationTable(by_word, name or f"ibm{model}-{iterations}")


class _TrainingCorpus:
    """The sentence pairs for training, in NLTK's form; iterating over them calls `cancelled()` before each pair.

    If that returns True, the iteration raises TrainingCancelled."""

    def __init__(
        self, pairs: Iterable[tuple[Sequence[str], Sequence[str]]], cancelled: Callable[[], bool] | None
    ) -> None:
        from nltk.translate import AlignedSent

        self.cancelled = cancelled
        self.sentences = []
        for number, pair in enumerate(pairs, start=1):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise TypeError(f"pair {number} must hold two sequences of tokens, got {brief_repr(pair)}")
            english, foreign = (
                checked_tokens(words, f"sentence {n} of pair {number}") for n, words in enumerate(pair, 1)
            )
            if english and foreign:
                self.sentences.append(AlignedSent(list(english), list(foreign)))
        if not self.sentences:
            raise ValueError("a bitext must have at least one pair of sentences with words on both sides, got none")
        self.english = {word for s in self.sentences for word in s.words}
        self.foreign = {word for s in self.sentences for word in s.mots}
        for word in self.english | self.foreign:
            if not word or not {" ", "\t", "\n", "\r"}.isdisjoint(word):
                raise ValueError(f"words must have letters and no blanks, or no table can be written, got {word!r}")

    def __iter__(self) -> Iterator[Any]:
        for sentence in self.sentences:
            if self.cancelled and self.cancelled():
                raise TrainingCancelled
            yield sentence


def _next_model(level: int, corpus: _TrainingCorpus, before: Any) -> Any:
    """Return the untrained IBM Model `level` in NLTK, initialised with the tables of `before`, the model below it.

    NLTK's constructors would train all earlier models at once; here each step can be observed."""
    with extra_named_in_errors():
        from nltk.translate import IBMModel1, IBMModel2, IBMModel3, IBMModel4

    if level == 4:
        model = IBMModel4(corpus, 0, dict.fromkeys(corpus.foreign, 0), dict.fromkeys(corpus.english, 0))
    else:
        model = (IBMModel1, IBMModel2, IBMModel3)[level - 1](corpus, 0)
    if level > 1:
        model.translation_table = before.translation_table
    if level > 2:
        model.alignment_table = before.alignment_table
    if level > 3:
        model.fertility_table, model.p1 = before.fertility_table, before.p1
    return model


# ---------------------------------------------------------------- stems


@dataclass(frozen=True, slots=True)
class StemSimilarity:
    """A similarity in which words with the same stem are similar (the STEM column of the paper's Table 8).

    `stemmer` is "porter", for English, or "snowball", for any of `text.LANGUAGES`. `ratio` is the similarity of such
    words. The paper does not state it; the default is 1, since METEOR (2005), whose stages it borrows, counts them as
    full matches.

    >>> similarity = StemSimilarity()
    >>> similarity("houses", "house"), similarity("house", "home")
    (1.0, 0.0)
    """

    stemmer: str = "porter"
    language: str = "english"
    ratio: float = 1.0

    def __post_init__(self) -> None:
        if self.stemmer not in ("porter", "snowball"):
            raise ValueError(f"stemmer must be 'porter' or 'snowball', got {self.stemmer!r}")
        languages = LANGUAGES if self.stemmer == "snowball" else ("english",)
        if self.language not in languages:
            raise ValueError(
                f"language must be one of {', '.join(languages)} for {self.stemmer}, got {self.language!r}"
            )
        _check_ratio(self.ratio)

    @property
    def signature(self) -> str:
        return f"stem({self.stemmer},{self.language},{self.ratio:.10g})"

    def __call__(self, a: str, b: str) -> float:
        if a == b:
            return 1.0
        has_same_stem = stem(a, self.stemmer, self.language) == stem(b, self.stemmer, self.language)
        return self.ratio if has_same_stem else 0.0

    def because(self, a: str, b: str) -> str:
        """Return a phrase for the user that says why two words with the same stem are similar."""
        return f"both have the stem {quote_text(stem(a, self.stemmer, self.language))}{_ratio_clause(self.ratio)}"


def _ratio_clause(ratio: float) -> str:
    """Return the end of a phrase that says how much similar words count, "" if they count 1."""
    return "" if ratio == 1 else f", which earns {ratio:.3g}"


def _check_ratio(ratio: float) -> None:
    """Raise ValueError if the ratio is not a number greater than 0 and at most 1."""
    if not isinstance(ratio, int | float) or isinstance(ratio, bool) or not 0 < ratio <= 1:
        raise ValueError(f"ratio must be a number greater than 0 and at most 1, got {brief_repr(ratio)}")


# ---------------------------------------------------------------- WordNet


@dataclass(frozen=True, slots=True)
class WordNetSimilarity:
    """A similarity in which English words that share a synset of WordNet are similar (WN in the paper's Table 8).

    All senses and base forms of a word count, in lower case. `ratio` is the similarity of such words. The paper does
    not state it; the default is 1, since METEOR (2005) counts synonyms as full matches. Raises MissingCorpus if NLTK
    does not find WordNet."""

    ratio: float = 1.0

    def __post_init__(self) -> None:
        _check_ratio(self.ratio)
        if wordnet.version() is None:
            raise MissingCorpus(wordnet.MISSING)

    @property
    def signature(self) -> str:
        return f"wordnet-{wordnet.version()}({self.ratio:.10g})"

    def __call__(self, a: str, b: str) -> float:
        if a == b:
            return 1.0
        return 0.0 if wordnet.synsets(a).isdisjoint(wordnet.synsets(b)) else self.ratio

    def because(self, a: str, b: str) -> str:
        """Return a phrase for the user that says why two words that share a synset are similar."""
        return f"both are in {wordnet.describe_synset(a, b)}{_ratio_clause(self.ratio)}"


# ---------------------------------------------------------------- languages


@dataclass(frozen=True, slots=True)
class UnavailableSimilarity:
    """A similarity in which only equal words are similar, used if the requested one does not exist for a language.

    `kind` is the requested similarity, "stem" or "wordnet"."""

    kind: str
    language: str

    @property
    def signature(self) -> str:
        return f"{self.kind}(left out)"

    @property
    def says(self) -> str:
        """Return a sentence for the user that says which similarity is not available in this language."""
        what = {"stem": "stemmer", "wordnet": "WordNet"}[self.kind]
        return f"There is no {what} for {languages.language_title(self.language)}: only equal words align."

    def __call__(self, a: str, b: str) -> float:
        return float(a == b)


def similarity_for(kind: str, language: str) -> Similarity:
    """Return the similarity of the kind "stem" or "wordnet" for texts in a language.

    If it does not exist for the language, only equal words are similar. Raises MissingCorpus if WordNet is not
    installed.

    >>> similarity_for("stem", "german")("Hauses", "Haus"), similarity_for("wordnet", "german")("Fall", "fallen")
    (1.0, 0.0)
    """
    if kind == "wordnet":
        return WordNetSimilarity() if languages.has_synonyms(language) else UnavailableSimilarity(kind, language)
    stemmer_arguments = languages.stemmer(language)
    return StemSimilarity(*stemmer_arguments) if stemmer_arguments else UnavailableSimilarity(kind, language)
