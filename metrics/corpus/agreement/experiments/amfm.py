"""AM-FM: adequacy by latent semantic indexing, and fluency by an n-gram model, both of sentences that a reader gives.

Adequacy is the cosine of two texts in a space of few dimensions, in which words are close that occur in the same
sentences (Deerwester and others 1990). A text is the sum of its words there, so the cosine is a sum over all pairs of
a word of the one and a word of the other: it can be drawn as a grid of weighted cells. Fluency is the probability that
the n-gram model gives a word, the geometric mean over the text: one by the perplexity.

Sources: Banchs and Li (2011), AM-FM: A Semantic Framework for Translation Quality Assessment; Banchs, D'Haro and Li
(2015). Witten and Bell (1991), the probability of what was not seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....types import Tokens
from ...table import Array
from .experiment import ExperimentCell

#: Dimensions of the space; the words, most frequent ones, and the sentences that it is made of at the most.
DIMENSIONS, WORDS, SENTENCES = 100, 4000, 1500
#: The longest n-grams of the model of the language.
ORDER = 3
#: How much of AM-FM is adequacy; the rest is fluency.
ADEQUACY = 0.5
#: What stands before and behind a sentence, and for words that were not seen.
_START, _END, _UNKNOWN = "<s>", "</s>", "<unk>"


# ---------------------------------------------------------------- adequacy


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Where words lie: `vectors` has a row for each of `words`, weighted by how seldom the word is. It is made of so
    many `sentences`; `cut` says that they have more words."""

    words: Mapping[str, int]
    vectors: Array
    sentences: int = 0
    cut: bool = False

    def word_vectors(self, text: Tokens) -> Array:
        """Where each word of a text lies, words × dimensions; 0 for words that the space does not know."""
        rows = np.zeros((len(text), self.vectors.shape[1]))
        for n, word in enumerate(text):
            if (at := self.words.get(word)) is not None:
                rows[n] = self.vectors[at]
        return rows

    def cells(self, candidate: Tokens, reference: Tokens) -> Array:
        """What each pair of words adds to the cosine, words of the candidate × words of the reference. They sum to it;
        all are 0 where one of the texts has no known word."""
        ours, theirs = self.word_vectors(candidate), self.word_vectors(reference)
        size = float(np.linalg.norm(ours.sum(axis=0)) * np.linalg.norm(theirs.sum(axis=0)))
        products: Array = ours @ theirs.T / size if size > 0 else np.zeros((len(candidate), len(reference)))
        return products

    def cosine(self, candidate: Tokens, reference: Tokens) -> float:
        """How close two texts are, from -1 to 1; 0 where one has no known word.

        >>> found = space([("a", "b"), ("a", "c"), ("d", "e"), ("d", "f")], 2)
        >>> round(found.cosine(("b",), ("c",)), 3), round(abs(found.cosine(("b",), ("e",))), 3)
        (1.0, 0.0)
        """
        ours, theirs = (self.word_vectors(text).sum(axis=0) for text in (candidate, reference))
        size = float(np.linalg.norm(ours) * np.linalg.norm(theirs))
        return float(ours @ theirs) / size if size > 0 else 0.0


def space(sentences: Sequence[Tokens], dimensions: int = DIMENSIONS) -> Space:
    """The space of the words of sentences: the first singular vectors of the matrix of words × sentences, whose numbers
    are how often a sentence has the word, times log(1 + sentences by sentences with the word).

    Of more than WORDS words the most frequent are taken, of more than SENTENCES sentences so many at even distances.
    """
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
        return Space({}, np.zeros((0, 1)), len(sample))
    left_vectors, sizes, _ = np.linalg.svd(matrix * rare[:, None], full_matrices=False)
    number = max(1, min(dimensions, int((sizes > sizes[0] * 1e-10).sum())))
    return Space(words, left_vectors[:, :number] * rare[:, None], len(sample), len(spread) > len(frequent))


def strongest(cells: Array) -> tuple[ExperimentCell, ...]:
    """The cells that are not 0, by their places."""
    at = np.argwhere(cells != 0).tolist()
    return tuple([ExperimentCell(i, j, float(cells[i, j])) for i, j in at])


# ---------------------------------------------------------------- fluency


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """How often n-grams of words, and their beginnings, occurred, and how many different words followed each."""

    words: frozenset[str]
    counts: Mapping[Tokens, int]
    followed: Mapping[Tokens, int]
    different: Mapping[Tokens, int]

    def probability(self, word: str, before: Tokens) -> float:
        """p(word | before), of the longest beginning that occurred; those of all words, the unknown one among them, and
        of the end sum to 1."""
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
        """The geometric mean of the probabilities of a text's words and of its end, above 0 and below 1.

        >>> found = language([("a", "b"), ("a", "b"), ("a", "c")])
        >>> round(found.fluency(("a", "b")), 3) > round(found.fluency(("b", "a")), 3)
        True
        """
        known_words = [word if word in self.words else _UNKNOWN for word in text]
        line = (*[_START] * (ORDER - 1), *known_words, _END)
        logs = [math.log(self.probability(line[n], line[n - ORDER + 1 : n])) for n in range(ORDER - 1, len(line))]
        return math.exp(math.fsum(logs) / len(logs))


def language(sentences: Sequence[Tokens]) -> Language:
    """The model of sentences: n-grams of up to ORDER words, each mixed with one word less (Witten and Bell 1991)."""
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
    return Language(frozenset([word for each in sentences for word in each]), counts, followed, different)


def combine(adequacy: Array, fluency: Array) -> Array:
    """AM-FM: the weighted mean of the two."""
    mean: Array = ADEQUACY * adequacy + (1 - ADEQUACY) * fluency
    return mean
