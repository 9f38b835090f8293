"""Computes AM-FM: adequacy by latent semantic indexing and fluency by an n-gram model, trained on given sentences.

Adequacy is the cosine of two texts in a space of few dimensions, where words that occur in the same sentences are close
(Deerwester and others 1990). The vector of a text is the sum of the vectors of its words. So the cosine is a sum over
all pairs of a candidate word and a reference word, and can be drawn as a grid of weighted cells. Fluency is the
geometric mean of the probabilities that the n-gram model gives to the words, the inverse of the perplexity.

Sources: Banchs and Li (2011), AM-FM: A Semantic Framework for Translation Quality Assessment; Banchs, D'Haro and Li
(2015). Witten and Bell (1991), the probability of unseen events."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....types import Tokens
from ...table import Array
from .experiment import ExperimentCell

#: Dimensions of the space, and the maximum numbers of words (the most frequent ones) and sentences that it uses.
DIMENSIONS, WORDS, SENTENCES = 100, 4000, 1500
#: Length of the longest n-grams of the language model.
ORDER = 3
#: Weight of adequacy in AM-FM; the rest is fluency.
ADEQUACY = 0.5
#: The tokens for the start of a sentence, its end, and unknown words.
_START, _END, _UNKNOWN = "<s>", "</s>", "<unk>"


# ---------------------------------------------------------------- adequacy


@dataclass(frozen=True, slots=True, eq=False)
class WordSpace:
    """The vectors that latent semantic indexing gives to words.

    Attributes:
        words: index of each word's row in `vectors`.
        vectors: a vector for each word, words × dimensions, with larger weights for rarer words.
        sentences: number of sentences that the space is made from.
        cut: whether the sentences have more different words than the space."""

    words: Mapping[str, int]
    vectors: Array
    sentences: int = 0
    is_cut: bool = False

    def word_vectors(self, text: Tokens) -> Array:
        """Return the vector of each word of a text, words × dimensions; zeros for words that are not in the space."""
        rows = np.zeros((len(text), self.vectors.shape[1]))
        for n, word in enumerate(text):
            if (at := self.words.get(word)) is not None:
                rows[n] = self.vectors[at]
        return rows

    def cosine_contributions(self, candidate: Tokens, reference: Tokens) -> Array:
        """Return what each pair of words adds to the cosine of the two texts, candidate words × reference words.

        The numbers sum to the cosine. All are 0 if one of the texts has no known word."""
        ours, theirs = self.word_vectors(candidate), self.word_vectors(reference)
        size = float(np.linalg.norm(ours.sum(axis=0)) * np.linalg.norm(theirs.sum(axis=0)))
        return ours @ theirs.T / size if size > 0 else np.zeros((len(candidate), len(reference)))

    def cosine(self, candidate: Tokens, reference: Tokens) -> float:
        """Return the cosine of two texts, from -1 to 1; 0 if one of them has no known word.

        >>> found = build_word_space([("a", "b"), ("a", "c"), ("d", "e"), ("d", "f")], 2)
        >>> round(found.cosine(("b",), ("c",)), 3), round(abs(found.cosine(("b",), ("e",))), 3)
        (1.0, 0.0)
        """
        ours, theirs = (self.word_vectors(text).sum(axis=0) for text in (candidate, reference))
        size = float(np.linalg.norm(ours) * np.linalg.norm(theirs))
        return float(ours @ theirs) / size if size > 0 else 0.0


def build_word_space(sentences: Sequence[Tokens], dimensions: int = DIMENSIONS) -> WordSpace:
    """Return the space of word vectors of some sentences, made by latent semantic indexing.

    Its vectors are the first left singular vectors of the matrix of words × sentences. An entry of the matrix is how
    often the sentence has the word, times log(1 + number of sentences / number of sentences with the word). Only the
    WORDS most frequent words are used, and at most SENTENCES sentences, taken at even distances."""
    step = max(1, math.ceil(len(sentences) / SENTENCES))
    sample = [each for each in sentences[::step] if each]
    spread = Counter(word for each in sample for word in set(each))
    frequent = sorted(spread, key=lambda word: (-spread[word], word))[:WORDS]
    words = {word: n for n, word in enumerate(frequent)}
    rare = np.array([math.log(1 + len(sample) / spread[word]) for word in frequent])
    matrix = np.zeros((len(frequent), len(sample)))
    for n, each in enumerate(sample):
        for word in each:
            if word in words:
                matrix[words[word], n] += 1.0
    if not matrix.size:
        return WordSpace({}, np.zeros((0, 1)), len(sample))
    left_vectors, sizes, _ = np.linalg.svd(matrix * rare[:, None], full_matrices=False)
    number = max(1, min(dimensions, int((sizes > sizes[0] * 1e-10).sum())))
    return WordSpace(words, left_vectors[:, :number] * rare[:, None], len(sample), len(spread) > len(frequent))


def nonzero_cells(cells: Array) -> tuple[ExperimentCell, ...]:
    """Return the entries of a words × words matrix that are not 0, row by row."""
    at = np.argwhere(cells != 0).tolist()
    return tuple([ExperimentCell(i, j, float(cells[i, j])) for i, j in at])


# ---------------------------------------------------------------- fluency


@dataclass(frozen=True, slots=True, eq=False)
class NgramModel:
    """An n-gram model of a language, made from counts; a history is the words before a word.

    Attributes:
        words: the known words.
        counts: how often each n-gram occurs.
        followed: how often each history is followed by a word.
        different: how many different words follow each history."""

    words: frozenset[str]
    counts: Mapping[Tokens, int]
    followed: Mapping[Tokens, int]
    different: Mapping[Tokens, int]

    def probability(self, word: str, before: Tokens) -> float:
        """Return the probability that `word` follows the words `before`, interpolated over histories of all lengths.

        Histories that never occur are not used. The probabilities of all known words, of the unknown word and of the
        end sum to 1."""
        word = word if word in self.words or word == _END else _UNKNOWN
        estimate = 1.0 / (len(self.words) + 2)
        for length in range(len(before) + 1):
            history = before[len(before) - length :]
            times = self.followed.get(history, 0)
            if not times:
                break
            kinds = self.different[history]
            estimate = (self.counts.get((*history, word), 0) + kinds * estimate) / (times + kinds)
        return estimate

    def fluency(self, text: Tokens) -> float:
        """Return the geometric mean of the probabilities of the text's words and of its end, between 0 and 1.

        >>> found = train_ngram_model([("a", "b"), ("a", "b"), ("a", "c")])
        >>> round(found.fluency(("a", "b")), 3) > round(found.fluency(("b", "a")), 3)
        True
        """
        known_words = [word if word in self.words else _UNKNOWN for word in text]
        line = (*[_START] * (ORDER - 1), *known_words, _END)
        logs = [math.log(self.probability(line[n], line[n - ORDER + 1 : n])) for n in range(ORDER - 1, len(line))]
        return math.exp(math.fsum(logs) / len(logs))


def train_ngram_model(sentences: Sequence[Tokens]) -> NgramModel:
    """Return the n-gram model of some sentences.

    Each n-gram of up to ORDER words is interpolated with the next shorter one (Witten and Bell 1991)."""
    counts: Counter[Tokens] = Counter()
    for each in sentences:
        line = (*[_START] * (ORDER - 1), *each, _END)
        for n in range(ORDER - 1, len(line)):
            counts.update([line[n - length : n + 1] for length in range(ORDER)])
    followed: Counter[Tokens] = Counter()
    different: Counter[Tokens] = Counter()
    for ngram, number in counts.items():
        followed[ngram[:-1]] += number
        different[ngram[:-1]] += 1
    return NgramModel(frozenset([word for each in sentences for word in each]), counts, followed, different)


def combine_am_and_fm(adequacy: Array, fluency: Array) -> Array:
    """Return the AM-FM scores: the weighted mean of the adequacy (AM) and the fluency (FM) of each output."""
    return ADEQUACY * adequacy + (1 - ADEQUACY) * fluency
