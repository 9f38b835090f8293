"""Draw a sentence that the reader makes from tiles, as markup for `script/tiles.js`, with remarks on all sentences."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.teach.segment_questions import MET, MISSED, SentenceTask, distance_from_target, target_phrase
from metrics.teach.tiles import Tiles

from ..pen.text import safe

#: The text while there is no sentence.
FIRST = "Choose words for your sentence; click one again to take it out."


def tiles_html(task: SentenceTask, laid_tiles: Tiles) -> str:
    """Return the still empty sentence and the tiles to choose from as HTML; words of the references are dotted."""
    reference_words = {word for reference in task.references for word in reference}
    tiles = "".join(
        f'<button type="button" data-tile="{n}">{_tile_words_html(words, reference_words)}</button>'
        for n, words in enumerate(laid_tiles.tiles)
    )
    remarks, places = _remarks_table(task, laid_tiles)
    shows, met = " ".join(map(str, laid_tiles.shows)), MET.format(target_phrase(task.target_score))
    table = {"said": remarks, "places": places, "shows": shows, "met": met, "missed": f"{MISSED}."}
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in table.items())
    return (
        f'<div class="word_lines tiles" {attributes}>'
        '<div class="ln"><div class="lb"><b>Your sentence</b></div>'
        '<div class="ws laid" role="group" aria-label="Your sentence"></div></div>'
        '<div class="ln"><div class="lb">Words</div>'
        f'<div class="ws pool" role="group" aria-label="Words to choose from">{tiles}</div></div></div>'
    )


def _tile_words_html(words: Sequence[str], reference_words: set[str]) -> str:
    return " ".join(
        f'<span class="tk{" h" if w in reference_words else ""}"><bdi>{safe(w, 60)}</bdi></span>' for w in words
    )


def _remarks_table(task: SentenceTask, laid_tiles: Tiles) -> tuple[str, str]:
    """Return the remarks on all sentences, and which remark each sentence has.

    A remark is the score and how far it is from the wanted score; it is empty for the wanted score. The first text has
    the different remarks, separated by "|". The second one has the index of each possible sentence's remark, in digits
    of base 36."""
    each = [" ".join((distance_from_target(task, score) or ())[:2]) for score in laid_tiles.scores]
    remark_numbers = {text: n for n, text in enumerate(dict.fromkeys(each))}
    numbers = [_base36(n) for n in range(len(remark_numbers))]
    wide = len(numbers[-1])
    return "|".join(remark_numbers), "".join(
        [numbers[remark_numbers[each[place]]].zfill(wide) for place in laid_tiles.places]
    )


def _base36(number: int) -> str:
    """Return a number in base 36, as JavaScript's `parseInt(digits, 36)` reads it."""
    above, last = divmod(number, 36)
    return (_base36(above) if above else "") + "0123456789abcdefghijklmnopqrstuvwxyz"[last]
