"""N-grams that one system has right more often than the other, which open their segments."""

from __future__ import annotations

from ...components import links
from ...draw.corpus import patterns
from ...draw.pen import theme
from ...state import codec
from . import opening
from .corpora import Scoring
from .order import Shown
from .record import Corpus, Part

WORDS_MOST = 60  # letters of an n-gram in the filter


def draw(found: Scoring, shown: Corpus, seen: Shown) -> None:
    """The table of patterns; until they are found, a sign that they are looked for."""
    known = found.patterns(shown.a, shown.b)
    if known is None:
        opening.wait(found, "Looking for words that one system has right and the other has not.")
        return
    names = found.names[shown.a], found.names[shown.b]
    place = {each.words: n for n, each in enumerate(known)}

    def told(name: str, value: str) -> None:
        if name == "pattern" and (number := codec.number_sent(value, len(known))) is not None:
            each = known[number]
            words = theme.visible(" ".join(each.words), WORDS_MOST)
            opening.select(Part(f"“{words}” right in one and not in the other", "", each.segments))

    made = patterns.draw(known, names, "word", lambda each: f"pattern:{place[each.words]}", opening.whole(found, seen))
    links.show("corpus_patterns", made, told)
