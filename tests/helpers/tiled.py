"""Make a corpus of any size by repeating the few real translations of the tests with changed words.

In each repetition (a tile), one word type in six has another ending, equally in all systems and references, and one
output in five lacks a word. So no two segments are equal, and caches of words and sentences help no more than on a real
corpus of that size.
"""

from __future__ import annotations

import random
from functools import cache
from hashlib import blake2b

from metrics.corpus.tasks import ScoringCorpus
from tests.helpers.corpora import load_token_lines

#: Three systems; the second reference serves as the fourth.
SYSTEMS = ("system.MiSS", "system.Online-W", "system.SMU", "reference.B")
REFERENCE = "reference.A"
#: One word type in so many is changed in each tile.
CHANGED = 6


def tiled(size: int) -> ScoringCorpus:
    """Return a corpus of four systems and one reference with `size` segments."""
    systems, reference = [load_token_lines(name) for name in SYSTEMS], load_token_lines(REFERENCE)
    outputs: list[list[tuple[str, ...]]] = [[] for _ in systems]
    references = []
    for at in range(size):
        tile, number = divmod(at, len(reference))
        references.append((tuple([_word_in_tile(word, tile) for word in reference[number]]),))
        for n, system in enumerate(systems):
            words = [_word_in_tile(word, tile) for word in system[number]]
            drawn = random.Random(at * 17 + n)
            if tile and len(words) > 4 and drawn.random() < 0.2:
                del words[drawn.randrange(len(words))]
            outputs[n].append(tuple(words))
    names = tuple(name.partition(".")[2] for name in SYSTEMS)
    return ScoringCorpus(names, tuple(map(tuple, outputs)), tuple(references))


@cache
def _word_in_tile(word: str, tile: int) -> str:
    """Return `word` as it is in the repetition `tile`: one word type in six has another ending there.

    Equal arguments give the same string object."""
    digest = blake2b(f"{tile} {word}".encode(), digest_size=4).digest()
    if not tile or digest[0] % CHANGED:
        return word
    return word + chr(ord("a") + tile % 26) + (str(tile) if tile >= 26 else "")
