"""Makes word tiles for the task to make a sentence with a given score, and scores every sentence of these tiles.

With these scores a page can check a sentence at once and without a server. Most tiles have several words that stay
together, so the sentences are as long as those of the task and still few enough to score them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from ..types import Metric, Segment, Tokens
from .segment_questions import SentenceTask
from .sentences import ADVERBS

#: Maximum number of tiles of a task; six tiles make 1,956 sentences.
MOST = 6


@dataclass(frozen=True, slots=True)
class Tiles:
    """The word tiles of a sentence task, each used at most once, and the score of each sentence of tiles.

    Attributes:
        tiles: the words of each tile.
        shows: the solution of the task, as indices of tiles.
        scores: the different scores in ascending order.
        places: for each sentence, in the order of the function `tile_sequences`, the index of its score in `scores`."""

    tiles: tuple[Tokens, ...]
    shows: tuple[int, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]

    def words_of_sentence(self, sentence: Sequence[int]) -> Tokens:
        """Return the words of a sentence that is given as indices of tiles."""
        return tuple([word for n in sentence for word in self.tiles[n]])


def tile_sequences(tiles: int) -> Iterator[tuple[int, ...]]:
    """Yield all sentences that can be made of a number of tiles, as indices of tiles; each tile is used at most once.

    They are ordered by their number of tiles, and then by the indices.

    >>> [*tile_sequences(2)], len([*tile_sequences(MOST)])
    ([(0,), (1,), (0, 1), (1, 0)], 1956)
    """
    for length in range(1, tiles + 1):
        yield from permutations(range(tiles), length)


def make_tiles(metric: Metric, task: SentenceTask) -> Tiles:
    """Return the word tiles of a sentence task in alphabetical order, with the scores of all their sentences.

    The solution of the task is one of these sentences.

    >>> from metrics import METRICS, exercise, sentence_task
    >>> found = make_tiles(METRICS["gtm"], sentence_task(exercise("gtm", 7)))
    >>> [" ".join(words) for words in found.tiles], len(found.places)
    (['black', 'brown', 'fed a', 'goat on Monday', 'often', 'the farmer'], 1956)
    >>> " ".join(found.words_of_sentence(found.shows))
    'the farmer often fed a black goat on Monday'
    """
    more = [_missing_run(task), _foreign_word(task)]
    further = [words for words in more if words]
    pieces = _cut_pieces(task.shows, task.references, MOST - len(further))
    sorted_tiles = sorted([*pieces, *further], key=lambda words: (" ".join(words).lower(), words))
    shows: list[int] = []
    for piece in pieces:
        shows.append(next(n for n, words in enumerate(sorted_tiles) if words == piece and n not in shows))
    score_of_words: dict[Tokens, float] = {}
    scored = []
    unscored_tiles = Tiles(tuple(sorted_tiles), tuple(shows), (), ())
    for sentence in tile_sequences(len(sorted_tiles)):
        words = unscored_tiles.words_of_sentence(sentence)
        if words not in score_of_words:
            stats = metric.statistics(Segment(words, task.references), task.settings)
            score_of_words[words] = metric.from_stats(stats, task.settings).score
        scored.append(score_of_words[words])
    scores = sorted({*scored})
    place = {score: n for n, score in enumerate(scores)}
    return Tiles(unscored_tiles.tiles, unscored_tiles.shows, tuple(scores), tuple([place[score] for score in scored]))


def words_of_task(task: SentenceTask) -> Tokens:
    """Return the words from which a student can make the sentence of a task, in alphabetical order.

    They are the words of the references and of the solution. If the solution has no word that is in no reference,
    another such word is added.

    >>> from metrics import exercise, sentence_task
    >>> " ".join(words_of_task(sentence_task(exercise("gtm", 7))))
    'a black brown farmer fed goat Monday often on the'
    """
    all_words = {*task.shows, *_foreign_word(task), *[word for reference in task.references for word in reference]}
    return tuple(sorted(all_words, key=lambda word: (word.lower(), word)))


def _missing_run(task: SentenceTask) -> Tokens:
    """Return the longest run of words of a reference that the solution of the task lacks, the first of several."""
    runs: list[Tokens] = []
    for reference in task.references:
        counts = Counter(task.shows)
        run: Tokens = ()
        for word in reference:
            counts[word] -= 1
            run = () if counts[word] >= 0 else (*run, word)
            runs.append(run)
    return max(runs, key=len)


def _foreign_word(task: SentenceTask) -> Tokens:
    """Return one word that no reference has, as a tuple; empty if the solution of the task already has one."""
    reference_words = {word for reference in task.references for word in reference}
    return () if {*task.shows} - reference_words else (next(word for word in ADVERBS if word not in reference_words),)


def _cut_pieces(words: Tokens, references: Sequence[Tokens], most: int) -> list[Tokens]:
    """Return the words of a sentence cut into at most `most` pieces.

    It is cut first between words that are neighbours in no reference, then in the middle of the longest piece."""
    met = {pair for reference in references for pair in pairwise(reference)}
    pieces = [words]
    while len(pieces) < most and max(map(len, pieces)) > 1:
        cuts = [(piece, n) for piece in pieces for n in range(1, len(piece))]
        piece, at = min(cuts, key=lambda c: (c[0][c[1] - 1 : c[1] + 1] in met, -len(c[0]), abs(2 * c[1] - len(c[0]))))
        where = pieces.index(piece)
        pieces[where : where + 1] = [piece[:at], piece[at:]]
    return pieces
