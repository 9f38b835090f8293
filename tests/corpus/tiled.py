"""Corpora of any size for measurements: real translations again and again, each time with words of their own."""

import hashlib
import random
import sys

from corpora import SYSTEMS, lines

from metrics.corpus.jobs import Corpus
from metrics.types import Tokens

OUTPUTS = (*SYSTEMS, "reference.B")  # the fourth system is a person
ONE_IN = 6  # of so many words one is another word in each turn
DROPPED = 0.2  # part of the outputs that lack a word


def corpus(size: int) -> Corpus:
    """Four systems over so many segments of one reference; no two segments are equal, and no cache of words or
    sentences helps more than it would with real texts."""
    references = lines("reference.A")
    theirs, outputs = list[tuple[Tokens, ...]](), [list[Tokens]() for _ in OUTPUTS]
    for number in range(size):
        turn, at = divmod(number, len(references))
        theirs.append((tuple([_of_turn(word, turn) for word in references[at]]),))
        for n, name in enumerate(OUTPUTS):
            words = [_of_turn(word, turn) for word in lines(name)[at]]
            chance = random.Random(number * 17 + n)
            if turn and len(words) > 4 and chance.random() < DROPPED:
                del words[chance.randrange(len(words))]
            outputs[n].append(tuple(words))
    return Corpus(OUTPUTS, tuple(map(tuple, outputs)), tuple(theirs))


def _of_turn(word: str, turn: int) -> str:
    """A word, with letters of its own behind some words in each turn but the first; it stands in memory once, as where
    files are read."""
    if not turn or hashlib.blake2b(f"{turn} {word}".encode(), digest_size=4).digest()[0] % ONE_IN:
        return word
    return sys.intern(f"{word}{chr(97 + turn % 26)}{turn if turn >= 26 else ''}")
