"""A sentence that is made of tiles: the tiles of a task, and what every sentence that can be laid with them scores.

A page that has this can judge such a sentence at once, and without a server. Most tiles are several words that stay
together, so that the sentences are as long as those of the task and still few enough to be scored all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from ..types import Metric, Segment, Tokens
from .segment_questions import SentenceTask
from .sentences import ADVERBS

#: Tiles of a task at the most; of so many there are 1,956 sentences.
MOST = 6


@dataclass(frozen=True, slots=True)
class Tiles:
    """The tiles of a task, each of which is laid at most once, and the score of each sentence of them.

    `sentences` has the sentences in their order, as numbers of tiles; the n-th of them scores `scores[places[n]]`.
    `scores` rise, and no two are equal. `shows` is the sentence that the task shows.
    """

    tiles: tuple[Tokens, ...]
    shows: tuple[int, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]

    def words(self, sentence: Sequence[int]) -> Tokens:
        """The words of a sentence."""
        return tuple([word for n in sentence for word in self.tiles[n]])


def sentences(tiles: int) -> Iterator[tuple[int, ...]]:
    """All sentences of so many tiles: those of one tile first, and of as many tiles by the numbers of their tiles.

    >>> [*sentences(2)], len([*sentences(MOST)])
    ([(0,), (1,), (0, 1), (1, 0)], 1956)
    """
    for length in range(1, tiles + 1):
        yield from permutations(range(tiles), length)


def tiles(metric: Metric, task: SentenceTask) -> Tiles:
    """The tiles of a task in the alphabet's order, and what is made of them: among others the sentence that it shows.

    >>> from metrics import METRICS, exercise, sentence_task
    >>> found = tiles(METRICS["gtm"], sentence_task(exercise("gtm", 7)))
    >>> [" ".join(words) for words in found.tiles], len(found.places)
    (['black', 'brown', 'fed a', 'goat on Monday', 'often', 'the farmer'], 1956)
    >>> " ".join(found.words(found.shows))
    'the farmer often fed a black goat on Monday'
    """
    more = [_missing(task), _foreign(task)]
    further = [words for words in more if words]
    pieces = _cut(task.shows, task.references, MOST - len(further))
    sorted_tiles = sorted([*pieces, *further], key=lambda words: (" ".join(words).lower(), words))
    shows: list[int] = []
    for piece in pieces:
        shows.append(next(n for n, words in enumerate(sorted_tiles) if words == piece and n not in shows))
    score_of_words: dict[Tokens, float] = {}
    scored = []
    unscored_tiles = Tiles(tuple(sorted_tiles), tuple(shows), (), ())
    for sentence in sentences(len(sorted_tiles)):
        words = unscored_tiles.words(sentence)
        if words not in score_of_words:
            stats = metric.statistics(Segment(words, task.references), task.settings)
            score_of_words[words] = metric.from_stats(stats, task.settings).score
        scored.append(score_of_words[words])
    scores = sorted({*scored})
    place = {score: n for n, score in enumerate(scores)}
    return Tiles(unscored_tiles.tiles, unscored_tiles.shows, tuple(scores), tuple([place[score] for score in scored]))


def words(task: SentenceTask) -> Tokens:
    """The words of a task's references and, of those that they lack, the ones of the sentence that it shows, or another
    one where it has none: in the alphabet's order.

    >>> from metrics import exercise, sentence_task
    >>> " ".join(words(sentence_task(exercise("gtm", 7))))
    'a black brown farmer fed goat Monday often on the'
    """
    all_words = {*task.shows, *_foreign(task), *[word for reference in task.references for word in reference]}
    return tuple(sorted(all_words, key=lambda word: (word.lower(), word)))


def _missing(task: SentenceTask) -> Tokens:
    """The longest run of words of a reference that the sentence to be made does not have, the first of several."""
    runs: list[Tokens] = []
    for reference in task.references:
        counts = Counter(task.shows)
        run: Tokens = ()
        for word in reference:
            counts[word] -= 1
            run = () if counts[word] >= 0 else (*run, word)
            runs.append(run)
    return max(runs, key=len)


def _foreign(task: SentenceTask) -> Tokens:
    """A word that no reference has, where the sentence to be made has none."""
    reference_words = {word for reference in task.references for word in reference}
    return () if {*task.shows} - reference_words else (next(word for word in ADVERBS if word not in reference_words),)


def _cut(words: Tokens, references: Sequence[Tokens], most: int) -> list[Tokens]:
    """A sentence in at most so many pieces: it is cut where two words meet that do so in no reference, then where the
    longest piece has its middle."""
    met = {pair for reference in references for pair in pairwise(reference)}
    pieces = [words]
    while len(pieces) < most and max(map(len, pieces)) > 1:
        cuts = [(piece, n) for piece in pieces for n in range(1, len(piece))]
        piece, at = min(cuts, key=lambda c: (c[0][c[1] - 1 : c[1] + 1] in met, -len(c[0]), abs(2 * c[1] - len(c[0]))))
        where = pieces.index(piece)
        pieces[where : where + 1] = [piece[:at], piece[at:]]
    return pieces
